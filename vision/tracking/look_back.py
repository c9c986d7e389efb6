"""Look back at pictures in which a card lay that a hand took up, with its trick, before it had come to rest.

Whoever takes a trick in may reach for it while its last card is still being laid. Nothing is at rest then for long
enough to be read, and a moment later the cards are in his hand. A few pictures of that moment are kept, in which the
cards known to be there still lie and something else beside them does not move; they are read once the trick has gone.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from vision.camera.frame import Frame
from vision.recognition.card_reading import CardReading
from vision.recognition.single_card import CLEAR_MARGIN
from vision.tracking.card_reader import CardReader
from vision.tracking.cell_grid import MatRegions
from vision.tracking.change_detection import FrameChange
from vision.tracking.coarse_plane import Cells, count_cells
from vision.tracking.frame_context import FrameContext
from vision.tracking.tracked_card import SAME_CARD, TrackedCard, pose_distance, visible_cells


@dataclass(frozen=True, slots=True, kw_only=True)
class LookBackLimits:
    """Limits of what is kept and read of a trick that has gone."""

    #: Cards of which a trick may have been taken in before all of them were read: fewer are no trick, more are a whole
    #: one.
    least_cards: int = 2
    most_cards: int = 3
    #: Pictures that are kept, and seconds between two of them: in 0.08 s no hand brings a card and takes it up again.
    kept: int = 6
    interval_s: float = 0.08
    #: Seconds at rest after which a cell counts as still; and cells, as a share of a card, that must be still beside
    #: the cards known to lie there. A card that is being moved shows fewer, a hand alone may show as many.
    still_s: float = 0.05
    still_share: float = 0.4
    #: Share of a known card's visible cells that may differ where it still lies there: the hands hide the rest.
    in_place_share: float = 0.5
    #: Share of a card's cells that must differ where it was read.
    support_share: float = 0.5
    #: mm within which the readings of two pictures are of one card: the hand may have begun to move it.
    same_mm: float = 25.0
    #: Pictures that are read at most, and readings that must agree, so that no more is read.
    read: int = 3
    agreeing: int = 2


LIMITS = LookBackLimits()


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    frame: Frame
    differs: Cells  # in the middle


class LookBack:
    """Keeps pictures of a trick that is not whole yet, and reads them once it has gone."""

    def __init__(self, reader: CardReader) -> None:
        self._reader = reader
        self._kept: deque[_Kept] = deque(maxlen=LIMITS.kept)
        self._pending: list[_Kept] = []  # still to be read, the next one last
        self._trick: list[TrackedCard] = []  # that has gone
        self._found: list[TrackedCard] = []

    @property
    def pending(self) -> bool:
        """Whether pictures of a trick that has gone are still to be read."""
        return bool(self._pending)

    def forget(self) -> None:
        """Forget the pictures: the view is another one, or a card that was laid is read by now."""
        self._kept.clear()

    def watch(self, mat: MatRegions, change: FrameChange, cards: Sequence[TrackedCard], frame: Frame) -> None:
        """Keep a picture in which something lies still beside ``cards``, the lowest first, which lie there still."""
        differs = change.differs & mat.laid_on
        if not differs.any():
            self._kept.clear()
            return
        open_ = [card for card in cards if not card.face_down]
        if not LIMITS.least_cards <= len(open_) <= LIMITS.most_cards:
            return
        if self._kept and frame.at - self._kept[-1].frame.at < LIMITS.interval_s:
            return
        places = visible_cells(mat.grid, open_)
        still = differs & (change.rest >= LIMITS.still_s)
        for card in open_:
            still &= ~mat.grid.card(card.pose)
        if count_cells(still) < LIMITS.still_share * mat.grid.card_cells:
            return
        if any(count_cells(cells & differs) <= LIMITS.in_place_share * count_cells(cells) for cells in places):
            self._kept.append(_Kept(frame.kept(), differs))

    def begin(self, trick: Sequence[TrackedCard]) -> None:
        """Have the pictures read of a trick that has gone, unless it was whole, or none."""
        self._trick = [card for card in trick if not card.face_down]
        whole = not LIMITS.least_cards <= len(self._trick) <= LIMITS.most_cards
        self._pending = [] if whole else [*self._kept][-LIMITS.read :]
        self._found = []
        self._kept.clear()

    def read_one(self, mat: MatRegions) -> list[TrackedCard]:
        """Read one of the pictures; the cards found of which no more can be known, without numbers."""
        kept = self._pending.pop()
        context = FrameContext(mat, kept.frame.image, kept.frame.at, [])
        readings = self._reader.read_scene(context, kept.differs, self._trick)
        for reading in self._strangers(mat, kept, readings):
            self._count(context, reading)
        if self._pending and not any(card.readings >= LIMITS.agreeing and card.label for card in self._found):
            return []
        self._pending = []
        for card in self._found:
            if card.readings < LIMITS.agreeing and card.margin < CLEAR_MARGIN:
                card.sure.clear()  # a single picture of a card below a hand: a doubt
        return self._found[: LIMITS.most_cards + 1 - len(self._trick)]

    def lay_still(self, at: float) -> float:
        """Find since when (s) all cards of the trick had lain there that were seen to come, ``at`` where none was."""
        return max((card.laid_between[1] for card in self._trick if card.laid_between), default=at)

    def _strangers(self, mat: MatRegions, kept: _Kept, readings: Sequence[CardReading]) -> list[CardReading]:
        """Select the readings that are no card of the trick, nor one of it that has been pushed; the surest first."""
        found = []
        in_place = [card for card in self._trick if any(_is_of(card, one) for one in readings)]
        for reading in readings:
            pose = reading.pose
            if pose is None or reading.face_down or not reading.choices or not mat.holds(pose):
                continue
            if any(pose_distance(card.pose, pose) < SAME_CARD.distance_mm for card in self._trick):
                continue
            label = reading.choices[0][0]
            if any(card.ranked[:1] == [label] and card not in in_place for card in self._trick):
                continue  # it may be that card, in somebody's hand
            cells = mat.grid.card(pose)
            if count_cells(cells & kept.differs) >= LIMITS.support_share * count_cells(cells):
                found.append(reading)
        return sorted(found, key=lambda reading: -reading.margin)

    def _count(self, context: FrameContext, reading: CardReading) -> None:
        """Count a reading as a vote for the card that it is of."""
        assert reading.pose is not None
        for card in self._found:
            if hypot(card.pose[0] - reading.pose[0], card.pose[1] - reading.pose[1]) < LIMITS.same_mm:
                card.vote(reading, context.at)
                return
        card = TrackedCard(0, reading.pose, context.at)
        card.picture = context.mat.grid.picture(context.image, reading.pose)
        card.vote(reading, context.at)
        self._found.append(card)


def _is_of(card: TrackedCard, reading: CardReading) -> bool:
    """Check whether a reading is of a card in its place."""
    if reading.pose is None or not reading.choices or card.ranked[:1] != [reading.choices[0][0]]:
        return False
    return pose_distance(card.pose, reading.pose) < SAME_CARD.distance_mm

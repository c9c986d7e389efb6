"""Combine a card's readings over frames and report its label.

The newest card is read alone, at once. Then, while nothing is to be done, each card is read once more; one in doubt a
few times, before it is reported to be in doubt.
"""

from collections.abc import Callable
from dataclasses import dataclass

from vision.recognition.card_reading import CardReading
from vision.recognition.single_card import CLEAR_MARGIN
from vision.tracking.card_reader import CardReader
from vision.tracking.change_detection import FrameChange
from vision.tracking.coarse_plane import Cells, count_cells
from vision.tracking.frame_context import FrameContext
from vision.tracking.tracked_card import TrackedCard, visible_cells

#: Seconds that cells must be at rest to be read; one frame is too short for a card that still slides.
AT_REST_S = 0.12


@dataclass(frozen=True, slots=True, kw_only=True)
class VotingLimits:
    """How often a card is read, and when its label is reported."""

    #: Margin below which a card is read again, and how often at most.
    sure_margin: float = 0.3
    unsure_readings: int = 5
    #: Readings until a doubt is reported, and the seconds it waits for them at most; what comes next is reported after.
    doubt_readings: int = 3
    doubt_wait_s: float = 0.7
    #: Readings of a card that is sure, for one frame may deceive; where it is clear the second is a comparison with its
    #: own face alone.
    sure_readings: int = 2
    #: Seconds between two readings, for each reading so far.
    reading_interval_s: float = 0.13
    #: Share of a card that must be visible for it to be read again.
    least_visible_share: float = 0.6
    #: Share that must be visible for its picture to be taken once more.
    whole_share: float = 0.95
    #: Share that must be visible for a reading of an older card to count that came with the scene's; and how often
    #: those are counted at most.
    least_passing_share: float = 0.4
    passing_readings: int = 15


LIMITS = VotingLimits()


class LabelVoting:
    """Counts readings as votes, asks for more of them while a card is in doubt, and reports labels."""

    def __init__(self, reader: CardReader) -> None:
        self._reader = reader

    def report(self, context: FrameContext, card: TrackedCard, *, now: bool = False) -> None:
        """Report how a card is read, unless that was reported; a doubt waits for more readings, unless due ``now``."""
        clear = card.face_down or card.label is not None
        best = card.ranked[0] if card.scores else None
        reported = (card.label, False) if clear else (best, True)
        if reported == card.reported:
            return
        if not card.face_down and not (now and card.picture):
            card.picture = context.mat.grid.picture(context.image, card.pose)
        if card.reported is None and not now and not self._due(card, context.at):
            return
        card.reported = reported
        context.reports.append(card.report(context.at, card.picture))

    def show_again(self, context: FrameContext, card: TrackedCard) -> None:
        """Report a card of which nothing is read with its picture as it looks now, if it was reported before."""
        card.picture = context.mat.grid.picture(context.image, card.pose)
        if card.reported is not None:
            context.reports.append(card.report(context.at, card.picture))

    def report_all(self, context: FrameContext, cards: list[TrackedCard]) -> None:
        """Report all that is still held back, because something else is to be reported next."""
        for card in cards:
            if card.reported is None:
                self.report(context, card, now=True)

    def count_in_passing(
        self, context: FrameContext, cards: list[TrackedCard], card: TrackedCard, reading: CardReading
    ) -> None:
        """Count a reading of an older card by how much of it is visible, while it is unsure."""
        if card.face_down or card.margin >= LIMITS.sure_margin or card.readings >= LIMITS.passing_readings:
            return
        cells = visible_cells(context.mat.grid, cards)[cards.index(card)]
        share = count_cells(cells) / context.mat.grid.card_cells
        if share > LIMITS.least_passing_share:
            card.vote(reading, context.at, min(1.0, share))
            self.report(context, card)

    def read_one_again(
        self,
        cards: list[TrackedCard],
        change: FrameChange,
        at: float,
        context: Callable[[], FrameContext],
        middle: Cells,
    ) -> None:
        """Read one card once more that is in doubt, or was read once only.

        ``context`` is asked for only where there is something to be read; ``middle``: cells where cards are laid.
        """
        wanted = [card for card in cards if self._wanted(card, at)]
        if not wanted:
            # While a hand moves there is nothing to be read either.
            if (change.moved & middle).any() or not (change.differs & middle).any():
                self._reader.compare_next()
            return
        frame = context()
        visible = dict(zip(cards, visible_cells(frame.mat.grid, cards), strict=True))
        for card in sorted(wanted, key=lambda card: card.margin):
            cells = visible[card]
            share = count_cells(cells) / frame.mat.grid.card_cells
            if share < LIMITS.least_visible_share or (change.rest[cells] < AT_REST_S).any():
                if card.reported is None and at - card.since >= LIMITS.doubt_wait_s:
                    self.report(frame, card)
                continue
            reading = self._next_reading(frame, cards, card, cells)
            if reading is not None:
                card.vote(reading, at, min(1.0, share))
                if not self._reader.by_features and reading.pose is not None and share >= LIMITS.whole_share:
                    card.later_picture = frame.mat.grid.picture(frame.image, reading.pose)
            else:
                card.readings, card.read_at = card.readings + 1, at
            self.report(frame, card)
            return  # one a frame: a camera waits for nobody

    def _next_reading(
        self, context: FrameContext, cards: list[TrackedCard], card: TrackedCard, cells: Cells
    ) -> CardReading | None:
        """Read a card once more; None if it is clear and matches its own face, or none is seen there."""
        clear = self._reader.by_features and card.label is not None and card.margin >= CLEAR_MARGIN
        if clear and self._reader.matches_own_face(context, cards, card):
            return None
        return self._reader.read_again(context, cards, card, cells)

    def _due(self, card: TrackedCard, at: float) -> bool:
        """Check whether a card's first report need wait no longer."""
        sure = card.face_down or (card.label is not None and card.margin >= LIMITS.sure_margin)
        return sure or card.readings >= LIMITS.doubt_readings or at - card.since >= LIMITS.doubt_wait_s

    def _wanted(self, card: TrackedCard, at: float) -> bool:
        """Check whether a card is to be read once more now."""
        if card.face_down:
            return False
        allowed = LIMITS.unsure_readings if card.margin < LIMITS.sure_margin else LIMITS.sure_readings
        waiting = card.reported is None and at - card.since >= LIMITS.doubt_wait_s
        return waiting or (card.readings < allowed and at - card.read_at >= LIMITS.reading_interval_s * card.readings)

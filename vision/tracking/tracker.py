"""Track the cards on the mat over frames and report what was laid, taken back or taken in.

Change detection shows where something has come to rest that was otherwise before. There, and only there, cards are
recognised; what is new among them and explains the change was laid. The newest card is on top and whole, so it is read
first; older ones keep the label that they got when they were on top, and are read again while that label is in doubt.
A card is gone where the mat is seen again; what only covers it, a hand or another card, takes nothing away.

Each change goes three steps: read it, associate the readings with the tracked cards, apply what came of it.
"""

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, auto

import cv2
import numpy as np

from vision.camera.frame import Frame
from vision.deck.deck import Deck
from vision.geometry.pose import Pose
from vision.geometry.projection import Array
from vision.images import Picture
from vision.mat.calibration import Calibration
from vision.mat.layout import MatLayout
from vision.messages import CardGone, CardLaid, Report
from vision.recognition.card_reading import CardReading
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.single_card import CLEAR_MARGIN
from vision.tracking import association
from vision.tracking.arms import ArmWatch
from vision.tracking.arrivals import Arrivals
from vision.tracking.association import MatChange
from vision.tracking.card_reader import CardReader, Recogniser
from vision.tracking.cell_grid import CellGrid, MatRegions
from vision.tracking.change_detection import ChangeDetector, FrameChange
from vision.tracking.coarse_plane import Cells, count_cells
from vision.tracking.departures import TRICK_CARDS, Departures
from vision.tracking.frame_context import FrameContext
from vision.tracking.label_voting import AT_REST_S, LabelVoting
from vision.tracking.look_back import LookBack
from vision.tracking.reaches import ReachWatch
from vision.tracking.settling import ChangeAttempts, ripe_cells, stirring, with_field_cells
from vision.tracking.table_learning import TableLearning
from vision.tracking.tracked_card import TrackedCard
from vision.tracking.visibility import MatVisibility

#: Share of a card's cells that another one right upon it has changed, at least.
UPON_SHARE = 0.5


class Outcome(Enum):
    """Outcome of reading a change."""

    EXPLAINED = auto()  # nothing worth a reading is left of it
    UNEXPLAINED = auto()  # something is left that is no card known or read: it is read again later
    HELD_BACK = auto()  # cards are missed, but a hand is still about: nothing was applied


@dataclass(frozen=True, slots=True, eq=False)
class Association:
    """Association of the readings of a change with the tracked cards."""

    known: dict[TrackedCard, CardReading]  # still where they were
    new: list[tuple[TrackedCard, CardReading]]  # the one that was laid first comes first
    moved: dict[TrackedCard, tuple[TrackedCard, Pose]]  # of the new: the old card that it is, and its new pose
    gone: list[TrackedCard]
    explained: Cells  # cells whose change all this explains
    changed: Cells  # that have changed and are at rest

    def may_be_in_a_hand(self, cards: Collection[TrackedCard], *, left: bool, stirs: bool) -> bool:
        """Check whether cards that are missed or moved may be in somebody's hand just now, who gathers and pauses.

        :param cards: those that were tracked before.
        :param left: something that is no card is left of the change. Once every face is gone, or a whole trick, it is a
            thing, and where a card was laid since, play goes on.
        :param stirs: something moves.
        """
        if not (self.gone or self.moved):
            return False
        before = {card.label for card in cards}
        laid = any(one.label not in (None, *before) and one.margin >= CLEAR_MARGIN for _, one in self.new)
        whole = sum(not card.face_down for card in self.gone) >= TRICK_CARDS
        some_left = any(not card.face_down and card not in self.gone for card in cards)
        some_left = bool(self.new) or (some_left and not whole)
        return stirs or (left and some_left and not laid)


@dataclass(slots=True, kw_only=True)
class TrackerState:
    """State of the tracker for a set-up view."""

    calibration: Calibration | None
    cards: list[TrackedCard] = field(default_factory=list)
    why_blind: str = ""
    trouble: str = ""
    change: FrameChange | None = None  # of the newest frame; None before the first


class Tracker:
    """Turns frames into reports.

    ``calibration`` fixes the view if it was set by hand; else the mat's marks are searched for, and watched.
    ``lying``: cards known to be on the mat from before; ``first_card``: the number of the next one.
    """

    def __init__(
        self,
        deck: Deck,
        layout: MatLayout | None = None,
        calibration: Calibration | None = None,
        *,
        recogniser: Recogniser | None = None,
        lying: Iterable[CardLaid] = (),
        first_card: int = 1,
    ) -> None:
        self.deck = deck
        self._reader = CardReader(deck, recogniser)
        self._voting = LabelVoting(self._reader)
        self._detector = ChangeDetector()
        self._table = TableLearning(self._detector)
        self._visibility = MatVisibility(deck.size_mm, layout, calibration)
        self._departures = Departures()
        self._arrivals, self._arms = Arrivals(), ArmWatch()
        self._look_back, self._reaches = LookBack(self._reader), ReachWatch()
        self._attempts = ChangeAttempts()
        self._frames: deque[Frame] = deque(maxlen=2)
        self._change: FrameChange | None = None
        self._cards: list[TrackedCard] = [TrackedCard.known(report) for report in lying]  # lowest first
        self._number = first_card - 1
        self._start = True  # nothing has been read yet: all is new

    @property
    def state(self) -> TrackerState:
        """The tracker's state for the set-up view."""
        visibility = self._visibility
        return TrackerState(
            calibration=visibility.calibration,
            cards=list(self._cards),
            why_blind=visibility.why_blind,
            trouble=visibility.trouble,
            change=self._change,
        )

    def recalibrate(self) -> None:
        """Search for the mat with the next still frame."""
        self._visibility.recheck()

    @property
    def features(self) -> DeckFeatures:
        """What cards are read by at the moment."""
        return self._reader.features

    def take_deck(self, deck: Deck) -> None:
        """Read by other references of the same cards from now on; tracked cards keep their labels."""
        if deck.size_mm != self.deck.size_mm:
            self._visibility.take_size(deck.size_mm)
        self.deck = deck
        self._reader.take_deck(deck)

    def read_by(self, recogniser: Recogniser | None) -> None:
        """Read by a recogniser from now on; None: by the features of a deck that must be taken next."""
        self._reader.read_by(recogniser)

    @property
    def quads(self) -> list[Array]:
        """(4, 2) px in the frame: the corners of each card of ``state.cards``; none while the mat is not known."""
        mat = self._visibility.mat
        return [mat.grid.quad(card.pose) for card in self._cards] if mat is not None else []

    def drawn(self, picture: Picture) -> Picture:
        """Draw the tracked cards into a picture, in place."""
        for card, corners in zip(self._cards, self.quads, strict=False):
            quad = np.round(corners).astype(np.int32)
            cv2.polylines(picture, [quad], True, (0, 255, 0), 2, cv2.LINE_AA)
            place = quad.mean(0).astype(int).tolist()
            cv2.putText(picture, card.label or "?", place, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 255), 2)
        return picture

    def process(self, frame: Frame) -> list[Report]:
        """Track the cards into one more frame; what is to be reported of it.

        :raises CameraError: a frame of another size than the corners were set for
        """
        reports: list[Report] = []
        change = self._detector.update(frame.quarter, frame.at)
        self._frames.append(frame)
        self._change = change
        mat = self._visibility.update(change, frame, reports)
        if mat is None:
            return reports
        if self._visibility.pushed(change, frame, AT_REST_S):
            self._detector.accept()
            self._detector.forget_bare()
            self._arms.forget()
            self._look_back.forget()
            self._reaches.forget()
            for card in self._cards:
                card.before = None
            self._start = True  # read everything once more
            return reports
        self._departures.watch(mat, change)
        self._arrivals.watch(change, frame.at)
        self._arms.watch(change, frame.at)
        self._reaches.watch(mat, change, frame.at, reports)
        self._look_back.watch(mat, change, self._cards, frame)
        if self._look_back.pending:
            self._read_back(mat, frame.at, reports)
        self._follow_change(mat, change, frame, reports)
        if not self._look_back.pending:
            self._departures.report_due(mat, self._some_open, self._visibility.hand, frame.at, reports)
        self._voting.read_one_again(
            self._cards, change, frame.at, lambda: self._context(mat, frame.at, reports), mat.middle
        )
        if not self._start:
            self._table.learn_bare_mat(mat, change, (*self._cards, *self._departures.cards), frame.at)
        given_up = None if self._visibility.covered else self._attempts.given_up(frame.at)
        if self._table.let_go(mat, change, given_up):
            self._attempts.end()
        return reports

    # --- changes ---------------------------------------------------------------------------------------------------

    def _follow_change(self, mat: MatRegions, change: FrameChange, frame: Frame, reports: list[Report]) -> None:
        """Read what has changed and come to rest, unless that was tried in vain just now."""
        differs = change.differs if not self._start else np.ones_like(change.differs)
        self._attempts.watch(differs)
        ripe = ripe_cells(mat, change, differs & mat.laid_on)
        worth = association.LIMITS.worth_share * mat.grid.card_cells
        if count_cells(ripe) < worth:
            if not (differs & mat.middle).any():
                self._attempts.end()
            later = replace(change, rest=change.rest + (frame.at - self._frames[0].at))
            if count_cells(ripe_cells(mat, later, differs & mat.laid_on)) >= worth:
                _ = frame.image  # decoded now: the next frame is read with this one, and would wait for both
            return
        if not self._attempts.due(ripe, frame.at, worth):
            return
        if self._attempts.held_back and stirring(mat, change):
            return
        if self._attempts.retrying:
            ripe = with_field_cells(mat, change, ripe)
        outcome = self._understand(
            self._context(mat, frame.at, reports), change, MatChange(mat, ripe, *self._detector.bare())
        )
        self._attempts.held_back = outcome is Outcome.HELD_BACK
        if outcome is Outcome.EXPLAINED:
            self._attempts.end()
            self._start = False
        else:
            self._start = self._attempts.failed(ripe, frame.at) < 2 and self._start

    def _understand(self, context: FrameContext, change: FrameChange, where: MatChange) -> Outcome:
        """Find out what a change is: read it, associate the readings with the cards, apply what came of it."""
        readings = self._read(context, where)
        if readings is None:
            return Outcome.HELD_BACK  # as a rule somebody gathers and pauses: it is read in a moment, if still there
        found = self._associate(context, change, where, readings)
        left = count_cells(where.ripe & ~found.explained) >= where.worth
        gathering = found.may_be_in_a_hand(self._cards, left=left, stirs=stirring(where.mat, change))
        if gathering and self._attempts.patient(context.at):
            return Outcome.HELD_BACK  # somebody gathers, perhaps pausing: what is there now may be carried on
        self._apply(context, found)
        self._detector.accept(where.ripe & found.explained)
        return Outcome.UNEXPLAINED if left else Outcome.EXPLAINED

    def _read(self, context: FrameContext, where: MatChange) -> list[CardReading] | None:
        """Read the cards where something other than the mat is; None while it is better read a moment later."""
        matter = where.ripe & ~where.bare
        if count_cells(matter) < where.worth:
            return []
        closely = self._attempts.retrying or not association.some_vanished(self._cards, where)
        return self._reader.read_changed(context, matter, self._cards, where.worth, closely=closely)

    def _associate(
        self, context: FrameContext, change: FrameChange, where: MatChange, readings: list[CardReading]
    ) -> Association:
        """Associate readings with the tracked cards."""
        grid = where.mat.grid
        matter = where.ripe & ~where.bare
        known, unmatched = association.match_known(self._cards, readings, grid, where.ripe, context.at - change.rest)
        for card in [card for card, reading in known.items() if card.unread and not reading.choices]:
            if self._laid_upon(context, card, where):
                unmatched.append(known.pop(card))
        hidden = association.hidden_cells(self._cards, where, change.rest)
        labels = {card.label for card in self._cards}
        seen = association.find_new(unmatched, where, matter, hidden, change.rest, context.at, labels)
        new = association.without_things(association.lying_still(seen, grid, change.moved), known, matter, where)
        if not seen and self._attempts.overlooked:
            reading = self._reader.read_overlooked(context, matter, self._cards)
            if reading is not None and reading.pose is not None:
                new = [(TrackedCard(0, reading.pose, context.at), reading)]
        fresh = [card for card, _ in new]
        moved = association.find_moved(
            self._cards, new, known, where, change, lambda card, reading: self._reader.misplaced(context, card, reading)
        )
        kept = {*known, *(old for old, _ in moved.values())}
        gone = association.find_gone(self._cards, kept, fresh, where, self._detector.things_again, start=self._start)
        if gone:  # in another light a card may resemble the mat, and the mat differ from itself
            cards = [*self._cards, *fresh]
            gone = [card for card in gone if self._reader.confirm(context, cards, card) is None]
        gone += [card for card in association.find_turned_up(self._cards, kept, fresh) if card not in gone]
        backs = [
            reading.pose
            for reading in unmatched
            if reading.face_down
            and reading.pose is not None
            and count_cells(change.differs & where.mat.laid_on & ~where.ripe & grid.card(reading.pose))
            < where.worth  # else once it is at rest
        ]
        explained = where.bare.copy()
        for pose in (*(card.pose for card in (*known, *fresh)), *backs):
            explained |= grid.card(pose, association.LIMITS.shadow_mm)
        for card in gone:  # where the table was never seen: cards were there from the start
            place = grid.card(card.pose, association.LIMITS.shadow_mm)
            explained |= place & ~where.bare_known
            if card.before is not None:
                explained |= place & self._detector.things_again(card.before)
        return Association(known, new, moved, gone, explained, where.ripe)

    def _laid_upon(self, context: FrameContext, card: TrackedCard, where: MatChange) -> bool:
        """Check whether what changed a card of which nothing is read is another one right upon it.

        Another arm has brought it. By the same one it was turned up, or somebody has taken his hand off it.
        """
        cells = where.mat.grid.card(card.pose)
        if self._change is None or card.arm is None:
            return False
        if count_cells(cells & where.ripe) < UPON_SHARE * count_cells(cells):
            return False
        settled = self._arrivals.settled(context.mat, self._change, card.pose, context.at)
        arm = self._arms.brought(context.mat, card.pose, settled)
        return arm is not None and arm.is_beside(card.arm)

    def _apply(self, context: FrameContext, found: Association) -> None:
        """Bring the tracked cards up to date and report it, in the order in which it happened."""
        self._cards = [card for card in self._cards if card not in found.gone]
        if found.gone:
            self._voting.report_all(context, found.gone)
            self._drop_foreign(context, found.gone)
            self._departures.miss(found.gone, self._some_open, context.at, context.reports)
            if not self._some_open and any(not card.face_down for card in found.gone):
                self._look_back.begin(self._departures.cards)
        for old, pose in found.moved.values():
            old.pose, old.before = pose, None
            self._cards.remove(old)
            self._cards.append(old)
            if old.reported is not None:
                context.reports.append(old.report(context.at, old.picture))  # where it is now, if the kiosk restarts
        for card, reading in found.known.items():
            if card in self._cards:
                self._seen_again(context, card, reading, found)
        for card, reading in found.new:
            if card not in found.moved:
                self._add(context, card, reading)

    def _seen_again(self, context: FrameContext, card: TrackedCard, reading: CardReading, found: Association) -> None:
        """Count a reading of a card that is where it was."""
        if card.reported is None and reading.margin > card.margin and reading.pose is not None:
            card.pose = reading.pose
        if card.unread and self._looks_otherwise(context.mat.grid, card, found):
            self._voting.show_again(context, card)  # a hand has gone, or somebody has turned it up
        self._voting.count_in_passing(context, self._cards, card, reading)

    def _looks_otherwise(self, grid: CellGrid, card: TrackedCard, found: Association) -> bool:
        """Check whether a card has changed upon which none lies."""
        cells = grid.card(card.pose)
        above = [*self._cards[self._cards.index(card) + 1 :], *(new for new, _ in found.new)]
        if any((cells & grid.card(other.pose)).any() for other in above):
            return False
        return count_cells(cells & found.changed) >= association.LIMITS.worth_share * grid.card_cells

    def _drop_foreign(self, context: FrameContext, gone: list[TrackedCard]) -> None:
        """Track no longer what lies on when a whole trick has gone whose last card came later: a thing like a card."""
        faces = [card.number for card in (*self._departures.cards, *gone) if not card.face_down]
        if len(faces) < TRICK_CARDS:
            return
        for card in [card for card in self._cards if not card.face_down and card.number < max(faces)]:
            self._cards.remove(card)
            context.reports.append(CardGone(at=context.at, card=card.number, foreign=True))

    def _add(self, context: FrameContext, card: TrackedCard, reading: CardReading) -> None:
        """Track a card that was laid, after all that came before it is reported."""
        self._voting.report_all(context, self._cards)
        while self._look_back.pending:
            self._read_back(context.mat, context.at, context.reports)
        self._look_back.forget()
        self._departures.report_all(context.mat, self._some_open, context.at, context.reports)
        self._number += 1
        card.number = self._number
        if not self._start and self._change is not None:  # what lay there from the start nobody has seen coming
            card.laid_between = self._arrivals.interval(context.mat, self._change, card.pose, context.at)
            settled = self._arrivals.settled(context.mat, self._change, card.pose, context.at)
            card.arm = self._arms.brought(context.mat, card.pose, settled)
            card.before = self._detector.settled
        card.vote(reading, context.at)
        self._cards.append(card)
        self._voting.report(context, card)

    def _read_back(self, mat: MatRegions, at: float, reports: list[Report]) -> None:
        """Report the cards that a hand took up with the others before they had come to rest, as gone with them."""
        found = self._look_back.read_one(mat)
        for card in found:
            if len(found) > 1:  # which of them was laid first nobody has seen
                card.laid_between = self._look_back.lay_still(card.since), card.since
            self._number += 1
            card.number = self._number
            card.arm = self._arms.brought(mat, card.pose, card.since, card.since)
            reports.append(card.report(at, card.picture))
            self._departures.miss([card], self._some_open, at, reports)

    @property
    def _some_open(self) -> bool:
        """Whether cards are face up: backs alone may be a trick that is being taken in."""
        return any(not card.face_down for card in self._cards)

    def _context(self, mat: MatRegions, at: float, reports: list[Report]) -> FrameContext:
        return FrameContext(mat, self._denoised(), at, reports)

    def _denoised(self) -> Picture:
        """Average the last frames against noise, as far as they show the same."""
        frames = [f.image for f in self._frames]
        if len(frames) < 2 or frames[0].shape != frames[1].shape:
            return frames[-1]
        return np.asarray(cv2.addWeighted(frames[0], 0.5, frames[1], 0.5, 0.0))

"""What happens on the mat over time: with its helpers the only place in this package with a memory.

The gate says where something has come to rest that was otherwise before. There, and only there, cards are recognised;
what is new among them and lies where the change is, was laid. The newest card lies on top and is whole, so it is read
first; older ones keep the name that they got when they were on top, and are read again while that name is in doubt.
A card is gone where the mat is seen again; what only covers it, a hand or another card, takes nothing away.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.board import Board, Pose
from vision.calibrate import Calibration
from vision.deck import Deck
from vision.frames import Frame
from vision.gate import Cells, Change, Gate, count
from vision.lying import SAME_PLACE, LyingCard, apart, visible
from vision.mat import MatLayout
from vision.names import SETTLE, Names, Reader
from vision.pictures import Picture
from vision.reading import Seen
from vision.reports import CardLaid, Report
from vision.sight import Sight
from vision.taking import Taking

#: Share of a card that must have changed for it to be worth a look.
WORTH = 0.12
#: Share of a new card's cells in which the picture must have changed; the rest may look like what lay there before.
SUPPORT = 0.3
#: Share of a card's visible cells that must show the mat for it to be gone.
GONE = 0.6
#: Share of a card that must be visible for its absence to be seen; and, where it lay on the mat itself.
HIDDEN, TELLING = 0.1, 0.04
#: mm within which an equal card in another place is the same one, pushed.
PUSH = 60.0
#: mm round a card that its shadow and a wrong calibration may take.
ROUND = 6.0
#: Seconds between the looks at something that is not understood.
RETRIES = (0.12, 0.25, 0.5, 1.0, 2.0)
#: Looks after which a thing of a card's size that was overlooked is read by itself.
UNREAD = 3
#: Seconds that something unexplained beside vanished cards, a hand as a rule, is waited for.
PATIENCE = 4.0
#: Seconds after which a thing that is no card counts as part of the table.
FOREIGN = 5.0


@dataclass(slots=True)
class _Try:
    """Attempts at a change that is not understood yet."""

    cells: Cells
    at: float
    count: int
    since: float


@dataclass(slots=True, kw_only=True)
class TrackerState:
    """What a set-up view shows of the tracker."""

    calibration: Calibration | None
    cards: list[LyingCard] = field(default_factory=list)
    why_blind: str = ""
    trouble: str = ""


class Tracker:
    """Turns frames into reports.

    ``calibration`` fixes the view if it was set by hand; else the mat's marks are looked for, and looked after.
    ``lying``: cards known to lie there from before; ``first_card``: the number of the next one.
    """

    def __init__(
        self,
        deck: Deck,
        layout: MatLayout | None = None,
        calibration: Calibration | None = None,
        *,
        read: Reader | None = None,
        lying: Iterable[CardLaid] = (),
        first_card: int = 1,
    ) -> None:
        self.deck = deck
        self._names = Names(deck, read)
        self._gate = Gate()
        self._sight = Sight(deck.size_mm, layout, calibration)
        self._taking = Taking()
        self._frames: deque[Frame] = deque(maxlen=2)
        self._cards: list[LyingCard] = [LyingCard.known(report) for report in lying]  # lowest first
        self._number = first_card - 1
        self._try: _Try | None = None
        self._held_back = False  # cards are missed, but a hand is still about
        self._bare_at = -1e9
        self._first = True  # nothing has been looked at yet: all is new

    @property
    def state(self) -> TrackerState:
        """For the set-up view."""
        sight = self._sight
        return TrackerState(
            calibration=sight.calibration, cards=list(self._cards), why_blind=sight.why_blind, trouble=sight.trouble
        )

    def recalibrate(self) -> None:
        """Look for the mat with the next still frame."""
        self._sight.recheck()

    def take_deck(self, deck: Deck) -> None:
        """Read by other references of the same cards from now on; what lies there stays what it is."""
        self.deck = deck
        self._names.take_deck(deck)

    def drawn(self, picture: Picture) -> Picture:
        """The picture with the cards that are known to lie there, drawn in place."""
        board = self._sight.board
        for card in self._cards if board else ():
            assert board is not None
            quad = np.round(board.grid.quad(card.pose)).astype(np.int32)
            cv2.polylines(picture, [quad], True, (0, 255, 0), 2, cv2.LINE_AA)
            place = quad.mean(0).astype(int).tolist()
            cv2.putText(picture, card.label or "?", place, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 255), 2)
        return picture

    def look(self, frame: Frame) -> list[Report]:
        """What one more frame says.

        :raises CameraError: a frame of another size than the corners were set for
        """
        reports: list[Report] = []
        change = self._gate.step(frame.quarter, frame.at)
        self._frames.append(frame)
        board = self._sight.look(change, frame, reports)
        if board is None:
            return reports
        if self._sight.pushed(change, frame, SETTLE):
            self._gate.accept()
            self._gate.forget_bare()
            self._first = True  # look at everything once more
            return reports
        self._taking.watch(board, change)
        self._look_at_changes(board, change, frame, reports)
        self._taking.say(board, self._some_lie, self._sight.hand, frame.at, reports)
        self._names.again(board, self._cards, change, frame.at, self._steady, reports)
        self._tidy(board, change, frame.at)
        return reports

    # --- changes ---------------------------------------------------------------------------------------------------

    def _look_at_changes(self, board: Board, change: Change, frame: Frame, reports: list[Report]) -> None:
        differs = change.differs if not self._first else np.ones_like(change.differs)
        ripe = self._ripe(board, change, differs & board.middle & ~board.piles)
        worth = WORTH * board.grid.card_cells
        if count(ripe) < worth:
            if not (differs & board.middle).any():
                self._try = None
            return
        attempt = self._try
        if attempt is not None:
            wait = RETRIES[min(attempt.count, len(RETRIES)) - 1]
            over = attempt.count > len(RETRIES) or frame.at - attempt.at < wait
            if over and count(ripe & ~attempt.cells) < worth:
                return
        if self._held_back and self._stirred(board, change):
            return
        self._held_back = False
        if self._understand(board, change, frame, ripe, reports):
            self._try, self._first = None, False
        else:
            same = attempt if attempt is not None and (ripe & attempt.cells).any() else None
            self._try = _Try(ripe, frame.at, same.count + 1 if same else 1, same.since if same else frame.at)
            self._first = self._first and self._try.count < 2

    def _ripe(self, board: Board, change: Change, differs: Cells) -> Cells:
        """Changed cells at rest in patches that nothing moves in or touches, or that have lain long enough anyway."""
        if not differs.any():
            return differs
        number, patches = cv2.connectedComponents(differs.view(np.uint8), connectivity=8)
        rest = change.rest >= SETTLE
        long = change.rest >= 3 * SETTLE
        ripe = np.zeros(differs.shape, bool)
        for k in range(1, number):
            patch = patches == k
            if rest[patch].all():
                ripe |= patch
            elif count(patch & long) > 0.8 * board.grid.card_cells:
                ripe |= patch & long  # a hand stays beside a card that lies there
        return ripe

    def _understand(self, board: Board, change: Change, frame: Frame, ripe: Cells, reports: list[Report]) -> bool:
        """Find out what a change is; True if nothing worth a look is left of it."""
        grid, at = board.grid, frame.at
        image = self._steady()
        bare, bare_known = self._gate.bare()
        matter = ripe & ~bare  # what lies there is not the table
        worth = WORTH * grid.card_cells
        seen: list[Seen] | None = []
        if count(matter) >= worth:
            closely = self._try is not None or not self._some_vanished(board, bare, bare_known)
            seen = self._names.laid(board, matter, image, self._cards, worth, closely=closely)
        if seen is None:
            self._held_back = True
            return False  # as a rule somebody gathers and pauses: it is looked at in a moment, if it lies still then
        known, fresh = self._matched(board, seen, ripe)
        new = self._new_cards(board, fresh, matter, change, at)
        if not new and self._try is not None and self._try.count >= UNREAD:
            look = self._names.unread(board, matter, image)
            new = [(LyingCard(0, look.pose, at), look)] if look is not None and look.pose is not None else []
        moved = self._moved(board, new, known, ripe, image)
        kept = {*known, *(old for old, _ in moved.values())}
        gone = self._gone(board, kept, [card for card, _ in new], ripe, bare, bare_known)
        if gone:  # in another light a card may look like the mat, and the mat like none
            lying = [*self._cards, *(card for card, _ in new)]
            gone = [card for card in gone if self._names.still(board, lying, card, image) is None]
        explained = bare.copy()
        for pose in (
            *(card.pose for card in (*known, *(card for card, _ in new))),
            *(look.pose for look in fresh if look.face_down and look.pose is not None),
        ):
            explained |= grid.card(pose, ROUND)
        for card in gone:  # where the table was never seen: cards lay there from the start
            explained |= grid.card(card.pose, ROUND) & ~bare_known
        left = count(ripe & ~explained) >= worth
        patient = self._try is None or at - self._try.since < PATIENCE
        pausing = left and not (len(gone) == len(self._cards) and not new)  # with all cards gone, it is but a thing
        if (gone or moved) and (pausing or self._stirred(board, change)) and patient:
            self._held_back = True
            return False  # somebody gathers, perhaps pausing: what lies there now may be carried on
        self._cards = [card for card in self._cards if card not in gone]
        if gone:
            self._names.say_all(board, gone, at, image, reports)
            self._taking.miss(gone, self._some_lie, at, reports)
        for old, pose in moved.values():
            old.pose = pose
            self._cards.remove(old)
            self._cards.append(old)
            if old.said is not None:
                reports.append(old.report(at, old.picture))  # where it lies now, for who starts anew
        for card, look in known.items():
            if card in self._cards:
                if card.said is None and look.margin > card.margin and look.pose is not None:
                    card.pose = look.pose
                self._names.in_passing(board, self._cards, card, look, at, image, reports)
        for card, look in new:
            if card not in moved:
                self._names.say_all(board, self._cards, at, image, reports)
                self._taking.settle(board, self._some_lie, at, reports)
                self._number += 1
                card.number = self._number
                card.vote(look, at)
                self._cards.append(card)
                self._names.say(board, card, at, image, reports)
        self._gate.accept(ripe & explained)
        return not left

    @property
    def _some_lie(self) -> bool:
        """Whether cards lie open: backs alone may be a trick that is being taken in."""
        return any(not card.face_down for card in self._cards)

    def _stirred(self, board: Board, change: Change) -> bool:
        """Whether something moves in the middle just now."""
        return count((change.rest < SETTLE) & change.differs & board.middle) >= 6

    def _steady(self) -> Picture:
        """The last frames' mean, which has less noise, as far as they show the same."""
        frames = [f.image for f in self._frames]
        if len(frames) < 2 or frames[0].shape != frames[1].shape:
            return frames[-1]
        return np.asarray(cv2.addWeighted(frames[0], 0.5, frames[1], 0.5, 0.0))

    # --- cards -----------------------------------------------------------------------------------------------------

    def _matched(self, board: Board, seen: list[Seen], ripe: Cells) -> tuple[dict[LyingCard, Seen], list[Seen]]:
        """Looks at cards that lie where they lay, and the others.

        Another name in the same place, where the picture has changed, is a card that was laid right on top; unless the
        first was read so badly, half below the hand mostly, that it was not even said.
        """
        changed = [look.pose is not None and float(ripe[board.grid.card(look.pose)].mean()) > SUPPORT for look in seen]
        pairs = sorted(
            (
                (apart(card.pose, look.pose), i, j)
                for i, card in enumerate(self._cards)
                for j, look in enumerate(seen)
                if look.pose is not None
                and not (changed[j] and look.label is not None and card.named not in (None, look.label))
                and not (changed[j] and look.face_down != card.face_down)
            ),
            key=lambda pair: pair[0],
        )
        known: dict[LyingCard, Seen] = {}
        used: set[int] = set()
        for distance, i, j in pairs:
            card = self._cards[i]
            if distance < SAME_PLACE and card not in known and j not in used:
                known[card] = seen[j]
                used.add(j)
        return known, [look for j, look in enumerate(seen) if j not in used]

    def _new_cards(
        self, board: Board, looks: list[Seen], ripe: Cells, change: Change, at: float
    ) -> list[tuple[LyingCard, Seen]]:
        """Of the looks, those that explain the change, the best first; each must explain a part of its own."""
        grid = board.grid
        left = ripe.copy()
        found: list[tuple[float, LyingCard, Seen]] = []
        waiting = [look for look in looks if look.pose and board.holds(look.pose)]
        while waiting:
            best, best_value, best_cells = None, 0.0, None
            for look in waiting:
                assert look.pose is not None
                cells = grid.card(look.pose)
                total = max(1, count(cells))
                support = count(cells & left) / total
                value = support + 0.5 * min(look.margin, 0.5)
                if support >= SUPPORT and value > best_value:
                    best, best_value, best_cells = look, value, cells
            if best is None or best_cells is None or best.pose is None:
                break
            waiting.remove(best)
            left &= ~grid.card(best.pose, 4.0)
            rest = float(change.rest[best_cells].mean())
            found.append((rest, LyingCard(0, best.pose, at, face_down=best.face_down), best))
        found.sort(key=lambda item: -item[0])
        return [(card, look) for _, card, look in found]

    def _moved(
        self,
        board: Board,
        new: list[tuple[LyingCard, Seen]],
        known: dict[LyingCard, Seen],
        ripe: Cells,
        image: Picture,
    ) -> dict[LyingCard, tuple[LyingCard, Pose]]:
        """New cards that are old ones, pushed or read in the wrong place, with the old one and its new pose: it
        keeps its number.
        """
        grid = board.grid
        moved: dict[LyingCard, tuple[LyingCard, Pose]] = {}
        for fresh, look in new:
            label = look.choices[0][0] if look.choices else None
            place = grid.card(fresh.pose, ROUND)  # its shadow changes what is left to see of an equal card below it
            for card, cells in zip(self._cards, visible(grid, self._cards), strict=True):
                away = float(np.hypot(card.pose[0] - fresh.pose[0], card.pose[1] - fresh.pose[1]))
                if card in known or label is None or card.ranked[:1] != [label] or away > PUSH:
                    continue
                rest = cells & ~place
                told = count(rest) >= TELLING * grid.card_cells
                pushed = float(ripe[rest].mean()) > 0.5 if told else away < SAME_PLACE
                if pushed or self._names.misplaced(board, card, look, image):
                    moved[fresh] = card, fresh.pose
                    break
        return moved

    def _gone(
        self,
        board: Board,
        kept: set[LyingCard],
        new: list[LyingCard],
        ripe: Cells,
        bare: Cells,
        bare_known: Cells,
    ) -> list[LyingCard]:
        """Cards that no longer lie where they lay: where a card lay on the mat, the mat is seen."""
        grid = board.grid
        gone: list[LyingCard] = []
        least = 0.5 if self._first else HIDDEN  # at the start all looks changed, and a part of a card may not be read
        places = {card: grid.card(card.pose) for card in self._cards}
        for _ in range(2):  # what was hidden below cards that are gone is looked for in a second round
            rest = [card for card in self._cards if card not in gone]
            for card, cells in zip(rest, visible(grid, [*rest, *new]), strict=False):
                if card in kept:
                    continue
                if card.face_down and float(ripe[cells].mean()) < WORTH:
                    continue  # from afar a back's fine print may have the tone of the mat
                below = np.zeros(grid.shape, bool)
                for other, place in places.items():
                    if other is not card and other not in gone:
                        below |= place
                telling = cells & ~below
                known = telling & bare_known
                if count(known) >= TELLING * grid.card_cells:
                    if float(bare[known].mean()) >= GONE:
                        gone.append(card)
                elif count(cells) >= least * grid.card_cells and float(ripe[cells].mean()) >= GONE:
                    gone.append(card)
        return gone

    def _some_vanished(self, board: Board, bare: Cells, bare_known: Cells) -> bool:
        """Whether the mat is seen where a card lay on it."""
        places = [board.grid.card(card.pose) for card in self._cards]
        for k, cells in enumerate(visible(board.grid, self._cards)):
            telling = cells & bare_known
            for below in places[:k]:
                telling &= ~below
            known = count(telling)
            if known >= TELLING * board.grid.card_cells and count(telling & bare) >= GONE * known:
                return True
        return False

    # --- the table itself ------------------------------------------------------------------------------------------

    def _tidy(self, board: Board, change: Change, at: float) -> None:
        """What lies outside the middle, small leftovers and things that are no cards become part of the table."""
        grid = board.grid
        if at - self._bare_at > 0.2 and not self._first:
            self._bare_at = at
            # Not within a card's length of a change either: a back that is not known yet may have the tone of the mat.
            near = change.differs & board.middle
            if near.any():
                edge = 2 * round(0.5 * board.grid.card_cells**0.5) + 1
                near = cv2.dilate(near.view(np.uint8), np.ones((edge, edge), np.uint8)) > 0
            open_mat = ~(change.differs | near) & (change.rest > 0.3)
            for card in (*self._cards, *self._taking.cards):
                open_mat &= ~grid.card(card.pose, ROUND + 2)
            self._gate.learn_bare(open_mat)
        old = change.differs & (change.rest > 0.8)
        if not old.any():
            return
        inside = board.middle & ~board.piles
        outside = old & ~inside & (change.rest > 2.5)  # a pile that has just grown shows who took the trick
        if outside.any():
            self._gate.accept(outside)
        inside = old & inside
        if not inside.any():
            return
        small = count(inside) < WORTH * grid.card_cells
        given_up = self._try is not None and self._try.count > len(RETRIES) and at - self._try.since > FOREIGN
        if small or (given_up and not self._sight.covered):
            self._gate.accept(inside)
            self._try = None

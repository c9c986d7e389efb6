"""What happens on the mat over time: the only place in this package with a memory.

The gate says where something has come to rest that was otherwise before. There, and only there, cards are recognised;
what is new among them and lies where the change is, was laid. The newest card lies on top and is whole, so it is read
first; older ones keep the name that they got when they were on top, and are read again while that name is in doubt.
"""

import logging
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np

from vision.calibrate import Calibration, MatNotSeen, find_mat
from vision.deck import Deck
from vision.gate import Cells, Change, Gate
from vision.lying import SAME_PLACE, Grid, LyingCard, Pose, apart, visible
from vision.mat import MatLayout
from vision.pictures import Picture
from vision.reading import Prepared, Seen
from vision.recognise import recognise
from vision.reports import Blind, CardGone, CardLaid, HandInTheWay, Report, TrickTaken
from vision.sources import Frame
from vision.view import View

log = logging.getLogger(__name__)

#: Seconds that cells must be at rest to be looked at; one frame is too short for a card that still slides.
SETTLE = 0.12
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
#: mm beyond the middle's ellipse where a card's centre still counts as laid into the middle.
BEYOND = 34.0
#: Seconds between the looks at something that is not understood.
RETRIES = (0.12, 0.25, 0.5, 1.0, 2.0)
#: Margin below which a card is looked at again, and how often at most.
UNSURE, LOOKS = 0.3, 5
#: Seconds that a card is missed, while others lie, before it counts as taken back: some gather a trick in two.
MISSED = 1.2
#: Seconds that something unexplained beside vanished cards, a hand as a rule, is waited for.
PATIENCE = 4.0
#: Seconds without motion after which a hand is out of the way.
FREE = 0.25
#: Seconds after which a thing that is no card counts as part of the table.
FOREIGN = 5.0
#: Seconds after which something that hides half of the middle is said to cover it.
COVER = 3.0
#: Seconds between two looks for the mat, and pixels by which it must have moved to count as pushed.
RECHECK, PUSHED = 4.0, 1.5
#: Share of the picture that changes when mat or camera are pushed.
UPHEAVAL = 0.3


class Reader(Protocol):
    """Recognition as the tracker calls it; ``vision.recognise.recognise`` is one."""

    def __call__(
        self, frame: Picture, deck: Deck, view: View | None = None, region: Picture | None = None
    ) -> list[Seen]: ...


@dataclass(slots=True)
class _Try:
    """Attempts at a change that is not understood yet."""

    cells: Cells
    at: float
    count: int = 1
    since: float = 0.0


@dataclass(slots=True)
class _Missed:
    """A card that is gone while others lie, until it is said."""

    card: LyingCard
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

    ``calibration`` fixes the view; without one the mat's marks are looked for, and looked after as the mat is pushed.
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
        self.deck, self._layout = deck, layout
        self._fixed = calibration is not None and calibration.layout is None
        self._read: Reader = read or recognise
        if read is None:
            Prepared.of(deck)  # now, not when the first card lies there
        self._gate = Gate()
        self._frames: deque[Frame] = deque(maxlen=3)
        self._cards: list[LyingCard] = [LyingCard.known(report) for report in lying]
        self._missed: list[_Missed] = []
        self._number = first_card - 1
        self._try: _Try | None = None
        self._hand_since: float | None = None
        self._hand_last = -1e9
        self._blind = ""
        self._blind_since = 0.0
        self._covered, self._cover_since = False, -1e9
        self._blind_why = ""
        self._trouble = ""
        self._checked_at = -1e9
        self._held_back = False  # cards are missed, but a hand is still about
        self._bare_at = -1e9
        self._first = True
        self.calibration: Calibration | None = None
        self._grid: Grid | None = None
        if calibration is not None:
            self._adopt(calibration)

    @property
    def state(self) -> TrackerState:
        """For the set-up view."""
        why = self._blind or ("covered" if self._covered else "")
        return TrackerState(calibration=self.calibration, cards=list(self._cards), why_blind=why, trouble=self._trouble)

    def recalibrate(self) -> None:
        """Look for the mat with the next still frame."""
        self._checked_at = -1e9

    def drawn(self, picture: Picture) -> Picture:
        """The picture with the cards that are known to lie there, drawn in place."""
        for card in self._cards if self._grid else ():
            assert self._grid is not None
            quad = np.round(self._grid.quad(card.pose)).astype(np.int32)
            cv2.polylines(picture, [quad], True, (0, 255, 0), 2, cv2.LINE_AA)
            place = quad.mean(0).astype(int).tolist()
            cv2.putText(picture, card.label or "?", place, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 255), 2)
        return picture

    def look(self, frame: Frame) -> list[Report]:
        """What one more frame says."""
        reports: list[Report] = []
        change = self._gate.step(frame.image, frame.at)
        self._frames.append(frame)
        if self._is_blind(change, frame, reports):
            return reports
        grid = self._grid
        if grid is None:
            return reports
        self._watch_hand(change, frame.at, reports)
        self._watch_cover(change, frame.at, reports)
        if self._upheaval(change, frame):
            return reports
        self._look_at_changes(change, frame, reports)
        self._say_missed(frame.at, reports)
        self._look_again(change, frame, reports)
        self._tidy(change, frame.at)
        if frame.at - self._checked_at > RECHECK and not self._fixed and float(change.rest.min()) > 0.5:
            self._recalibrate(frame)
        return reports

    # --- seeing at all ---------------------------------------------------------------------------------------------

    def _is_blind(self, change: Change, frame: Frame, reports: list[Report]) -> bool:
        why = change.blind
        if not why and self._grid is None:
            why = "mat"
            if frame.at - self._checked_at > 0.3:
                self._recalibrate(frame)
                why = "" if self._grid is not None else "mat"
        if why != self._blind_why:
            self._blind_why, self._blind_since = why, frame.at
        long = frame.at - self._blind_since >= (0.5 if why else 0.0)
        if why != self._blind and long:
            self._blind = why
            reports.append(Blind(at=frame.at, why=why))
        return bool(why)

    def _recalibrate(self, frame: Frame) -> bool:
        """Look for the mat; True if it lies elsewhere than thought."""
        self._checked_at = frame.at
        try:
            found = find_mat(frame.image, self._layout)
        except MatNotSeen as error:
            self._trouble = str(error)
            return False
        self._trouble = ""
        if self.calibration is not None:
            if self.calibration.shift(found) < max(PUSHED, 3 * found.uncertainty):
                return False
            log.info("the mat lies %.1f px elsewhere", self.calibration.shift(found))
        self._adopt(found)
        return True

    def _adopt(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self._layout = self._layout or calibration.layout
        self._grid = grid = Grid(calibration.view, self.deck.size_mm)
        layout = self._layout or MatLayout()
        self._middle = grid.ellipse(layout.middle, BEYOND)
        self._reach = layout.middle[0] + BEYOND, layout.middle[1] + BEYOND
        self._piles = grid.boxes(layout.won_fields.values()) if calibration.layout else np.zeros(grid.shape, bool)
        fields = layout.won_fields if calibration.layout else {}
        self._won = [(layout.won_places[seat], grid.boxes([box])) for seat, box in fields.items()]
        self._swept = np.zeros(grid.shape, np.float32)
        self._differs = np.zeros(grid.shape, bool)

    def _open_mat(self, change: Change) -> Cells:
        """Cells where nothing lies that is known, and nothing has happened lately."""
        grid = self._grid
        assert grid is not None
        cells = ~change.differs & (change.rest > 0.3)
        for card in (*self._cards, *(missed.card for missed in self._missed)):
            cells &= ~grid.card(card.pose, 8.0)
        return np.asarray(cells)

    def _upheaval(self, change: Change, frame: Frame) -> bool:
        """Whether all has changed at once because mat or camera were pushed; the cards lie on the mat as before."""
        if change.differs.mean() < UPHEAVAL or float(np.quantile(change.rest, 0.1)) < SETTLE or self._fixed:
            return False
        if frame.at - self._checked_at < 0.5:
            return False
        if self._recalibrate(frame):
            self._gate.accept()
            self._gate.forget_bare()
            self._first = True  # look at everything once more
        return False

    # --- hands -----------------------------------------------------------------------------------------------------

    def _watch_hand(self, change: Change, at: float, reports: list[Report]) -> None:
        grid = self._grid
        assert grid is not None
        moved = change.moved & self._middle
        if cv2.countNonZero(moved.view(np.uint8)) >= 6:
            self._hand_last = at
            if self._hand_since is None:
                self._hand_since = at
                reports.append(HandInTheWay(at=at, gone=False))
        elif self._hand_since is not None and at - self._hand_last >= FREE:
            self._hand_since = None
            reports.append(HandInTheWay(at=at, gone=True))
        self._swept *= np.float32(0.96)  # forgets within two seconds
        self._swept[change.moved & ~self._middle] += 1
        self._differs = change.differs

    def _watch_cover(self, change: Change, at: float, reports: list[Report]) -> None:
        """Say so if something hides most of the middle for long: a newspaper, or a lamp that has sunk."""
        share = float(change.differs[self._middle].mean())
        if share < (0.4 if self._covered else 0.5) or self._cover_since < 0:
            self._cover_since = at
        covered = at - self._cover_since > COVER
        if covered != self._covered:
            self._covered = covered
            reports.append(Blind(at=at, why="covered" if covered else ""))

    # --- cards -----------------------------------------------------------------------------------------------------

    def _look_at_changes(self, change: Change, frame: Frame, reports: list[Report]) -> None:
        grid = self._grid
        assert grid is not None
        differs = change.differs if not self._first else np.ones(grid.shape, bool)
        ripe = self._ripe(change, differs & self._middle & ~self._piles)
        worth = WORTH * grid.card_cells
        if cv2.countNonZero(ripe.view(np.uint8)) < worth:
            if not cv2.countNonZero((differs & self._middle).view(np.uint8)):
                self._try = None
            return
        attempt = self._try
        if attempt is not None:
            more = cv2.countNonZero((ripe & ~attempt.cells).view(np.uint8))
            wait = RETRIES[min(attempt.count, len(RETRIES)) - 1]
            if more < worth and (attempt.count > len(RETRIES) or frame.at - attempt.at < wait):
                return
        if self._held_back and self._stirred(change):
            return
        self._held_back = False
        understood = self._understand(change, frame, ripe, reports)
        if understood:
            self._try = None
        elif attempt is not None and (ripe & attempt.cells).any():
            self._try = _Try(ripe, frame.at, attempt.count + 1, attempt.since)
        else:
            self._try = _Try(ripe, frame.at, 1, frame.at)
        self._first = self._first and not understood and (self._try is None or self._try.count < 2)

    def _ripe(self, change: Change, differs: Cells) -> Cells:
        """Changed cells at rest in patches that nothing moves in or touches, or that have lain long enough anyway."""
        grid = self._grid
        assert grid is not None
        if not differs.any():
            return differs
        count, patches = cv2.connectedComponents(differs.view(np.uint8), connectivity=8)
        rest = change.rest >= SETTLE
        long = change.rest >= 3 * SETTLE
        ripe = np.zeros(grid.shape, bool)
        for k in range(1, count):
            patch = patches == k
            if rest[patch].all():
                ripe |= patch
            elif int((patch & long).sum()) > 0.8 * grid.card_cells:
                ripe |= patch & long  # a hand stays beside a card that lies there
        return ripe

    def _understand(self, change: Change, frame: Frame, ripe: Cells, reports: list[Report]) -> bool:
        """Find out what a change is; True if nothing worth a look is left of it."""
        grid = self._grid
        assert grid is not None
        image = self._steady()
        bare, bare_known = self._gate.bare()
        matter = ripe & ~bare  # what lies there is not the table
        seen: list[Seen] = []
        worth = WORTH * grid.card_cells
        if cv2.countNonZero(matter.view(np.uint8)) >= worth:
            seen = [s for s in self._read(image, self.deck, grid.view, grid.region(matter)) if s.pose is not None]
        known, fresh = self._matched(seen, ripe)
        new = self._new_cards(fresh, matter, change, frame.at)
        moved = self._moved(new, known, ripe)
        kept = {*known, *(old for old, _ in moved.values())}
        gone = self._gone(kept, [card for card, _ in new], ripe, bare, bare_known)
        explained = bare.copy()
        for pose in (
            *(card.pose for card in (*known, *(card for card, _ in new))),
            *(look.pose for look in fresh if look.face_down and look.pose is not None),
        ):
            explained |= grid.card(pose, 6.0)
        for card in gone:  # the table was never seen there: cards lay there from the start
            explained |= grid.card(card.pose, 6.0) & ~bare_known
        left = cv2.countNonZero((ripe & ~explained).view(np.uint8)) >= worth
        if (gone or moved) and (left or self._stirred(change)) and self._patient(frame.at):
            self._held_back = True
            return False  # somebody gathers, perhaps pausing: what lies there now may be carried on
        self._take_away(gone, frame.at, reports)
        for old, pose in moved.values():
            old.pose = pose
            self._cards.remove(old)
            self._cards.append(old)
        for card, look in known.items():
            if card in self._cards:
                self._vote(card, look, frame, image, reports)
        for card, look in new:
            if card not in moved:
                self._emit_taken(frame.at, reports)
                self._number += 1
                card.number = self._number
                self._cards.append(card)
                self._say(card, look, frame.at, image, reports)
        self._gate.accept(ripe & explained)
        return not left

    def _patient(self, at: float) -> bool:
        """Whether a change that may go on has not been waited for long enough yet."""
        return self._try is None or at - self._try.since < PATIENCE

    def _steady(self) -> Picture:
        """The last frames' mean, which has less noise, as far as they show the same."""
        frames = [f.image for f in self._frames][-2:]
        if len(frames) < 2 or frames[0].shape != frames[1].shape:
            return frames[-1]
        return np.asarray(cv2.addWeighted(frames[0], 0.5, frames[1], 0.5, 0.0))

    def _matched(self, seen: list[Seen], ripe: Cells) -> tuple[dict[LyingCard, Seen], list[Seen]]:
        """Looks at cards that lie where they lay, and the others.

        Another name in the same place, where the picture has changed, is a card that was laid right on top.
        """
        grid = self._grid
        assert grid is not None
        changed = [look.pose is not None and float(ripe[grid.card(look.pose)].mean()) > SUPPORT for look in seen]
        pairs = sorted(
            (
                (apart(card.pose, look.pose), i, j)
                for i, card in enumerate(self._cards)
                for j, look in enumerate(seen)
                if look.pose is not None
                and not (changed[j] and look.label is not None and card.label not in (None, look.label))
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

    def _new_cards(self, looks: list[Seen], ripe: Cells, change: Change, at: float) -> list[tuple[LyingCard, Seen]]:
        """Of the looks, those that explain the change, the best first; each must explain a part of its own."""
        grid = self._grid
        assert grid is not None
        left = ripe.copy()
        found: list[tuple[float, LyingCard, Seen]] = []
        waiting = [look for look in looks if look.pose and not look.face_down and self._in_middle(look.pose)]
        while waiting:
            best, best_value, best_cells = None, 0.0, None
            for look in waiting:
                assert look.pose is not None
                cells = grid.card(look.pose)
                total = max(1, int(cells.sum()))
                support = int((cells & left).sum()) / total
                value = support + 0.5 * min(look.margin, 0.5)
                if support >= SUPPORT and value > best_value:
                    best, best_value, best_cells = look, value, cells
            if best is None or best_cells is None or best.pose is None:
                break
            waiting.remove(best)
            left &= ~grid.card(best.pose, 4.0)
            rest = float(change.rest[best_cells].mean())
            found.append((rest, LyingCard(0, best.pose, at), best))
        found.sort(key=lambda item: -item[0])
        return [(card, look) for _, card, look in found]

    def _in_middle(self, pose: tuple[float, float, float]) -> bool:
        return (pose[0] / self._reach[0]) ** 2 + (pose[1] / self._reach[1]) ** 2 < 1

    def _moved(
        self, new: list[tuple[LyingCard, Seen]], known: dict[LyingCard, Seen], ripe: Cells
    ) -> dict[LyingCard, tuple[LyingCard, Pose]]:
        """New cards that are old ones pushed a little, with the old one and its new pose: it keeps its number."""
        grid = self._grid
        assert grid is not None
        moved: dict[LyingCard, tuple[LyingCard, Pose]] = {}
        for fresh, look in new:
            label = look.choices[0][0] if look.choices else None
            place = grid.card(fresh.pose)
            for card, cells in zip(self._cards, visible(grid, self._cards), strict=True):
                away = float(np.hypot(card.pose[0] - fresh.pose[0], card.pose[1] - fresh.pose[1]))
                if card in known or label is None or card.ranked[:1] != [label] or away > PUSH:
                    continue
                rest = cells & ~place
                if float(ripe[rest].mean()) > 0.5 if rest.any() else away < SAME_PLACE:
                    moved[fresh] = card, fresh.pose
                    break
        return moved

    def _gone(
        self, kept: set[LyingCard], new: list[LyingCard], ripe: Cells, bare: Cells, bare_known: Cells
    ) -> list[LyingCard]:
        """Cards that no longer lie where they lay: where a card lay on the mat, the mat is seen.

        What something else covers now, a hand or another card, is not gone for that.
        """
        grid = self._grid
        assert grid is not None
        gone: list[LyingCard] = []
        least = 0.5 if self._first else HIDDEN  # at the start all looks changed, and a part of a card may not be read
        places = {card: grid.card(card.pose) for card in self._cards}
        for _ in range(2):  # what was hidden below cards that are gone is looked for in a second round
            rest = [card for card in self._cards if card not in gone]
            for card, cells in zip(rest, visible(grid, [*rest, *new]), strict=False):
                if card in kept:
                    continue
                below = np.zeros(grid.shape, bool)
                for other, place in places.items():
                    if other is not card and other not in gone:
                        below |= place
                telling = cells & ~below
                known = telling & bare_known
                if int(known.sum()) >= TELLING * grid.card_cells:
                    if float(bare[known].mean()) >= GONE:
                        gone.append(card)
                elif int(cells.sum()) >= least * grid.card_cells and float(ripe[cells].mean()) >= GONE:
                    gone.append(card)
        return gone

    def _stirred(self, change: Change) -> bool:
        """Whether something moves in the middle just now."""
        return cv2.countNonZero(((change.rest < SETTLE) & change.differs & self._middle).view(np.uint8)) >= 6

    def _take_away(self, gone: list[LyingCard], at: float, reports: list[Report]) -> None:
        if not gone:
            return
        self._cards = [card for card in self._cards if card not in gone]
        self._missed += [_Missed(card, at) for card in gone]
        if not self._cards and len(self._missed) == 1:
            reports.append(CardGone(at=at, card=self._missed.pop().card.number))

    def _say_missed(self, at: float, reports: list[Report]) -> None:
        """Say what is gone: a trick once the hand is out of the way, single cards once others have stayed behind."""
        if not self._missed:
            return
        if not self._cards:
            if self._hand_since is None:
                self._emit_taken(at, reports)
            return  # while the hand moves on, it shows where it takes them
        for missed in [m for m in self._missed if at - m.since >= MISSED]:
            reports.append(CardGone(at=at, card=missed.card.number))
            self._missed.remove(missed)

    def _emit_taken(self, at: float, reports: list[Report]) -> None:
        """Settle what is missed before something else is said."""
        if not self._missed:
            return
        if self._cards or len(self._missed) == 1:
            reports += [CardGone(at=at, card=missed.card.number) for missed in self._missed]
        else:
            numbers = tuple(sorted(missed.card.number for missed in self._missed))
            x, y = self._where_to()
            reports.append(TrickTaken(at=at, cards=numbers, x=x, y=y))
        self._missed = []

    def _where_to(self) -> tuple[float | None, float | None]:
        """Where a trick was put: on the pile that has changed, else towards where the hand was seen outside."""
        grid = self._grid
        assert grid is not None
        changed = {place: float(self._differs[cells].mean()) for place, cells in self._won}
        place = max(changed, key=lambda place: changed[place], default=None)
        if place is not None and changed[place] > 0.2:
            return place
        if self._swept.sum() < 10:
            return None, None
        x, y = np.average(grid.mm.reshape(-1, 2), axis=0, weights=self._swept.ravel())
        return round(float(x), 1), round(float(y), 1)

    # --- names -----------------------------------------------------------------------------------------------------

    def _say(self, card: LyingCard, look: Seen, at: float, image: Picture, reports: list[Report]) -> None:
        card.vote(look, at)
        self._report(card, at, image, reports)

    def _vote(self, card: LyingCard, look: Seen, frame: Frame, image: Picture, reports: list[Report]) -> None:
        """A look at an older card that lies there still: counts by how much of it is to be seen, while it is unsure."""
        if card.margin >= UNSURE or card.looks >= 3 * LOOKS:
            return
        grid = self._grid
        assert grid is not None
        cells = dict(zip([c.number for c in self._cards], visible(grid, self._cards), strict=True))[card.number]
        share = int(cells.sum()) / max(1, int(grid.card(card.pose).sum()))
        if share > 0.4:
            card.vote(look, frame.at, share)
            self._report(card, frame.at, image, reports)

    def _report(self, card: LyingCard, at: float, image: Picture, reports: list[Report]) -> None:
        """Say how a card is read, unless just that was said."""
        grid = self._grid
        assert grid is not None
        best = card.ranked[0] if card.scores else None
        said = (card.label, False) if card.label is not None else (best, True)
        if said == card.said:
            return
        card.said = said
        picture = grid.picture(image, card.pose) if card.label is None else None
        reports.append(card.report(at, picture))

    def _look_again(self, change: Change, frame: Frame, reports: list[Report]) -> None:
        """Read once more what is in doubt and lies open."""
        grid = self._grid
        assert grid is not None
        for card in self._cards:
            if card.margin >= UNSURE or card.looks >= LOOKS or frame.at - card.looked_at < 0.13 * card.looks:
                continue
            cells = visible(grid, self._cards)[self._cards.index(card)]
            if int(cells.sum()) < 0.6 * grid.card_cells or (change.rest[cells] < SETTLE).any():
                continue
            image = self._steady()
            looks = [
                look
                for look in self._read(image, self.deck, grid.view, grid.region(cells, 0))
                if look.pose is not None and apart(card.pose, look.pose) < SAME_PLACE
            ]
            if looks:
                card.vote(min(looks, key=lambda look: apart(card.pose, look.pose or card.pose)), frame.at)
                self._report(card, frame.at, image, reports)
            else:
                card.looks += 1
                card.looked_at = frame.at
            return  # one a frame: a camera waits for nobody

    def _tidy(self, change: Change, at: float) -> None:
        """What lies outside the middle, small leftovers and things that are no cards become part of the table."""
        if at - self._bare_at > 0.2 and not self._first:
            self._bare_at = at
            self._gate.learn_bare(self._open_mat(change))
        old = change.differs & (change.rest > 0.8)
        if not old.any():
            return
        outside = old & (~self._middle | self._piles)
        outside &= change.rest > 2.5  # a pile that has just grown shows who took the trick
        if outside.any():
            self._gate.accept(outside)
        inside = old & self._middle & ~self._piles
        if not inside.any():
            return
        grid = self._grid
        assert grid is not None
        small = cv2.countNonZero(inside.view(np.uint8)) < WORTH * grid.card_cells
        given_up = self._try is not None and self._try.count > len(RETRIES) and at - self._try.since > FOREIGN
        if small or (given_up and not self._covered):
            self._gate.accept(inside)
            self._try = None

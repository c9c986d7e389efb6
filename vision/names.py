"""What the cards that lie there are called: looks at them, what all looks together say, and when it is said.

The newest card is read alone, at once. Then, while nothing is to be done, each card is looked at once more; one in
doubt a few times, before it is said to be in doubt.
"""

from collections.abc import Callable
from typing import Protocol

import cv2
import numpy as np

from vision.board import Board
from vision.deck import Deck
from vision.gate import Cells, Change, count
from vision.lying import SAME_PLACE, LyingCard, apart, visible
from vision.newest import CLEAR, confirmed, held, newest, phantom, reread
from vision.pictures import Picture
from vision.reading import Prepared, Seen
from vision.recognise import recognise, relabel
from vision.reports import Report
from vision.view import Array, View

#: Seconds that cells must be at rest to be looked at; one frame is too short for a card that still slides.
SETTLE = 0.12
#: Margin below which a card is looked at again, and how often at most.
UNSURE, LOOKS = 0.3, 5
#: Looks until a doubt is said, and the seconds it waits for them at most; what comes next is said after it.
ASK, WAIT = 3, 0.7
#: Looks at a card that is sure, for one frame may deceive; where it is clear the second is but a glance.
CONFIRM = 2
#: Least share of what its face could give that is seen of a card just laid. 0.06 … 0.15: those below a hand gave 0.2 at
#: least, a wrong one beside it 0.04.
SHOWS = 0.1
#: Share of a card that must be visible to be looked at again.
OPEN = 0.6
#: Share of a card that must be visible for it to be found where it lay; and mm round it that change with it.
STILL, AROUND = 0.25, 6.0
#: Share of a card that lies on another from which it is asked whether it is but the other's print.
COMMON = 0.2
#: Share of a card that has changed for it to be looked at whether it lies there still; and if that may explain all.
MUCH, LITTLE = 0.1, 0.03
#: Least evidence for a thing of a card's size that was overlooked to be read: backs and the bare mat had at most 1.6,
#: faces blurred by 5 px had 12.
EVIDENCE = 2.5


class Reader(Protocol):
    """Recognition as the tracker calls it; ``vision.recognise.recognise`` is one. ``region``: outline (n, 2) px."""

    def __call__(
        self, frame: Picture, deck: Deck, view: View | None = None, region: Array | None = None
    ) -> list[Seen]: ...


class Names:
    """Reads cards; by default the quick ways are tried first, a ``read`` of one's own is all that is asked."""

    def __init__(self, deck: Deck, read: Reader | None = None) -> None:
        self._deck, self._quick = deck, read is None
        self._read: Reader = read or recognise
        if self._quick:
            Prepared.of(deck)  # now, not when the first card lies there

    def take_deck(self, deck: Deck) -> None:
        """Read by other references of the same cards from now on."""
        self._deck = deck

    def laid(
        self, board: Board, matter: Cells, image: Picture, cards: list[LyingCard], worth: float, *, closely: bool = True
    ) -> list[Seen] | None:
        """The cards where something lies or the light has changed.

        The newest alone if it explains all; or the ``cards`` known to lie there, if little (``worth`` in cells) is left
        beside them. Else None unless it is to be looked at ``closely``: these and the newest, if it is clear and leaves
        no paper for another card; or whatever meets the place.
        """
        grid = board.grid
        if self._quick:
            look = newest(image, self._deck, grid.view, *grid.places(_patches(matter, 0.25 * worth)))
            if look is not None and self._is_new(board, cards, look, image):
                return [look]
            still: list[Seen] = []
            rest = matter.copy()
            for card in self._touched(board, matter, cards, worth):
                look = self.still(board, cards, card, image)
                if look is not None:
                    still.append(look)
                    rest &= ~grid.card(card.pose, AROUND)
            if still and count(rest) < worth:
                return still
            if not closely:
                return None
            places, lying = grid.places(_patches(rest, 0.25 * worth)), [card.pose for card in cards]
            look = held(image, self._deck, grid.view, *places, lying)
            if look is not None and self._is_new(board, cards, look, image):
                return [*still, look]
            known = [(card.pose, card.label) for card in cards if card.label is not None]
            looks = recognise(image, self._deck, grid.view, grid.region(matter), known)
            return [look for look in looks if self._lies_open(look, cards)]
        return [look for look in self._read(image, self._deck, grid.view, grid.region(matter)) if look.pose is not None]

    def _lies_open(self, look: Seen, cards: list[LyingCard]) -> bool:
        """Whether a look shows enough for a card just laid, or is at one of the ``cards`` known to lie there.

        Such a card lies on all others; only a hand may be above it, and then it is looked at again.
        """
        if look.face_down or look.pose is None or any(apart(card.pose, look.pose) < SAME_PLACE for card in cards):
            return True
        label, evidence = look.choices[0]
        sharp = Prepared.of(self._deck).sharp
        return evidence >= SHOWS * float(sharp.weights[2 * sharp.labels.index(label)].sum())

    def _is_new(self, board: Board, cards: list[LyingCard], look: Seen, image: Picture) -> bool:
        """Whether a look is of some card, and not of the print of one of the ``cards`` known to lie there."""
        return (look.label is not None or look.face_down) and not self._phantom(board, cards, look, image)

    def _phantom(self, board: Board, cards: list[LyingCard], look: Seen, image: Picture) -> bool:
        """Whether a look takes the print of a card known to lie there for another card."""
        grid = board.grid
        if look.label is None or look.pose is None:
            return False
        place, least = grid.card(look.pose), COMMON * grid.card_cells
        return any(
            phantom(image, self._deck, grid.view, (look.pose, look.label), (card.pose, card.label))
            for card in cards
            if card.label is not None
            and count(place & grid.card(card.pose)) > least
            and apart(look.pose, card.pose) > SAME_PLACE
        )

    def misplaced(self, board: Board, card: LyingCard, look: Seen, image: Picture) -> bool:
        """Whether a card known to lie there is but the print of an equal one seen now, a few pips further: a hand had
        left too little of it free when it was read.
        """
        if not self._quick or look.pose is None or look.label is None or look.label != card.label:
            return False
        grid = board.grid
        if count(grid.card(look.pose) & grid.card(card.pose)) < COMMON * grid.card_cells:
            return False
        return phantom(image, self._deck, grid.view, (card.pose, card.label), (look.pose, look.label))

    def _touched(self, board: Board, matter: Cells, cards: list[LyingCard], worth: float) -> list[LyingCard]:
        """Cards known to lie there, of which enough shows, where something has changed: by little only if they may be
        all that has.
        """
        grid, least = board.grid, board.grid.card_cells
        much: list[LyingCard] = []
        little: list[LyingCard] = []
        rest = matter.copy()
        for card, cells in zip(cards, visible(grid, cards) if cards else [], strict=True):
            changed = count(cells & matter)
            if changed >= LITTLE * least and count(cells) >= STILL * least:
                (much if changed >= MUCH * least else little).append(card)
                rest &= ~grid.card(card.pose, AROUND)
        return [*much, *little] if count(rest) < worth else much

    def still(self, board: Board, cards: list[LyingCard], card: LyingCard, image: Picture) -> Seen | None:
        """A look at a card known to lie there, if it clearly does lie there still, in whatever light."""
        if not self._quick or card.face_down or card.label is None:
            return None
        above = [other.pose for other in cards[cards.index(card) + 1 :]]
        look = reread(image, self._deck, board.grid.view, card.pose, above, card.label)
        if (
            look is None
            or look.label != card.label
            or look.pose is None
            or apart(card.pose, look.pose) > SAME_PLACE / 2
        ):
            return None
        return look

    def unread(self, board: Board, matter: Cells, image: Picture) -> Seen | None:
        """A lone thing of a card's size that was overlooked but shows some face: mostly a doubt to be asked."""
        pose = board.grid.lone_card(matter)
        if pose is None or not board.holds(pose):
            return None
        look = relabel(image, self._deck, board.grid.view, pose)
        return look if look.pose is not None and look.choices and look.choices[0][1] >= EVIDENCE else None

    def say(
        self, board: Board, card: LyingCard, at: float, image: Picture, reports: list[Report], *, now: bool = False
    ) -> None:
        """Say how a card is read, unless just that was said; a doubt waits for more looks, unless it is due ``now``."""
        clear = card.face_down or card.label is not None
        best = card.ranked[0] if card.scores else None
        said = (card.label, False) if clear else (best, True)
        if said == card.said:
            return
        if not card.face_down and not (now and card.picture):
            card.picture = board.grid.picture(image, card.pose)
        if card.said is None and not now and not self._ripe(card, at):
            return
        card.said = said
        reports.append(card.report(at, card.picture))

    def _ripe(self, card: LyingCard, at: float) -> bool:
        """Whether a card's first word need wait no longer."""
        sure = card.face_down or (card.label is not None and card.margin >= UNSURE)
        return sure or card.looks >= ASK or at - card.since >= WAIT

    def say_all(self, board: Board, cards: list[LyingCard], at: float, image: Picture, reports: list[Report]) -> None:
        """Say all that is still held back, because something else is to be said next."""
        for card in cards:
            if card.said is None:
                self.say(board, card, at, image, reports, now=True)

    def in_passing(
        self,
        board: Board,
        cards: list[LyingCard],
        card: LyingCard,
        look: Seen,
        at: float,
        image: Picture,
        reports: list[Report],
    ) -> None:
        """A look at an older card that lies there still: counts by how much of it is to be seen, while it is unsure."""
        if card.face_down or card.margin >= UNSURE or card.looks >= 3 * LOOKS:
            return
        cells = visible(board.grid, cards)[cards.index(card)]
        share = count(cells) / board.grid.card_cells
        if share > 0.4:
            card.vote(look, at, min(1.0, share))
            self.say(board, card, at, image, reports)

    def again(
        self,
        board: Board,
        cards: list[LyingCard],
        change: Change,
        at: float,
        picture: Callable[[], Picture],
        reports: list[Report],
    ) -> None:
        """Look once more at one card that lies open: in doubt, or seen by a single look."""
        grid = board.grid
        wanted = [card for card in cards if self._wanted(card, at)]
        if not wanted:
            # While a hand moves there is nothing to be read either.
            if self._quick and ((change.moved & board.middle).any() or not (change.differs & board.middle).any()):
                Prepared.of(self._deck).sharp.compare_next()
            return
        image = picture()
        shown = dict(zip(cards, visible(grid, cards), strict=True))
        for card in sorted(wanted, key=lambda card: card.margin):
            cells = shown[card]
            open_share = count(cells) / grid.card_cells
            if open_share < OPEN or (change.rest[cells] < SETTLE).any():
                if card.said is None and at - card.since >= WAIT:
                    self.say(board, card, at, image, reports)
                continue
            clear = self._quick and card.label is not None and card.margin >= CLEAR
            look = (
                None
                if clear and self._glance(board, cards, card, image)
                else self._look(board, cards, card, cells, image)
            )
            if look is not None:
                card.vote(look, at, min(1.0, open_share))
            else:
                card.looks, card.looked_at = card.looks + 1, at
            self.say(board, card, at, image, reports)
            return  # one a frame: a camera waits for nobody

    def _wanted(self, card: LyingCard, at: float) -> bool:
        if card.face_down:
            return False
        most = LOOKS if card.margin < UNSURE else CONFIRM
        waiting = card.said is None and at - card.since >= WAIT
        return waiting or (card.looks < most and at - card.looked_at >= 0.13 * card.looks)

    def _glance(self, board: Board, cards: list[LyingCard], card: LyingCard, image: Picture) -> bool:
        """Whether a card that is sure looks like itself once more."""
        assert card.label is not None
        above = [other.pose for other in cards[cards.index(card) + 1 :]]
        return confirmed(image, self._deck, board.grid.view, card.pose, above, card.label)

    def _look(self, board: Board, cards: list[LyingCard], card: LyingCard, cells: Cells, image: Picture) -> Seen | None:
        """One more look at a card where it lies; None if none is seen there."""
        grid = board.grid
        if self._quick:
            above = [other.pose for other in cards[cards.index(card) + 1 :]]
            look = reread(image, self._deck, grid.view, card.pose, above)
            return look if look is not None and look.pose and apart(card.pose, look.pose) < SAME_PLACE else None
        looks = [
            (apart(card.pose, look.pose), look)
            for look in self._read(image, self._deck, grid.view, grid.region(cells, 0))
            if look.pose is not None
        ]
        distance, look = min(looks, key=lambda pair: pair[0], default=(np.inf, None))
        return look if distance < SAME_PLACE else None


def _patches(cells: Cells, least: float) -> Cells:
    """Some cells without the patches of fewer than ``least``."""
    number, patches, stats, _ = cv2.connectedComponentsWithStats(cells.view(np.uint8), connectivity=8)
    large = np.append(False, stats[1:number, cv2.CC_STAT_AREA] >= least)
    return np.asarray(large[patches])

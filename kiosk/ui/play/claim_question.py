"""Hold the question whether a claimed rest stands, what the table is asked about it, and its answer."""

from dataclasses import dataclass, replace
from typing import Any

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.claimed_rest import Verdict
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import Consent, GameClaimed, Request
from kiosk.table.inference.open_hand import SeenCard
from kiosk.table.standing_claim import StandingClaim
from kiosk.table.view.table_view import TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowHand:
    """A seat lays its hand open: it claims the rest. Nothing is noted, and no card is laid until nobody shows any more.

    :param claim: what is said of it so far; None: it is settled, or withdrawn.
    """

    claim: StandingClaim | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSeen:
    """The hand of a seat as the camera sees it, by what the game knows of its cards.

    :ivar cards: in the order in which they lie, which is none in which they come.
    :ivar by: ``indices``, ``faces`` (what overlaps too far is missing) or ``nothing``, as in ``HandRead``; ``finger``:
        it was put right.
    """

    seat: int
    game: tuple[int, int]
    cards: tuple[SeenCard, ...]
    by: str

    def whole(self, size: int) -> tuple[Card, ...]:
        """All cards of the hand, () if one is missing or in doubt."""
        cards = tuple(one.card for one in self.cards if one.card is not None)
        return cards if len(cards) == len(self.cards) == size else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRest:
    """Whether a seat takes the rest with the hand that it shows is wanted; nothing is noted.

    :param order: as far as it is said, in which the cards come.
    :param game: number of the game and rows of the list, as the question about it has them.
    """

    seat: int
    hand: tuple[Card, ...]
    order: tuple[Card, ...]
    game: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestChecked:
    """The answer.

    :ivar trick: what lay open when it was asked, before the verdict's line: seat and card.
    """

    asked: CheckRest
    verdict: Verdict
    trick: tuple[tuple[int, Card], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimQuestion:
    """A rest claimed, and who has held his own key for it; nothing is noted while somebody's answer is missing.

    :param seat: who shows his cards.
    :param order: in which they come; (): in any.
    :param hand: all that he shows, for the table to find out whether the rest is his; (): he has not entered it.
    :param game: number of the game and rows of the list: the question goes with the game that it is about.
    """

    seat: int
    order: tuple[Card, ...]
    game: tuple[int, int]
    hand: tuple[Card, ...] = ()
    agreed: frozenset[int] = frozenset()
    answer: RestChecked | None = None  # what the table has found out
    seen: HandSeen | None = None  # what the camera sees of his hand

    @classmethod
    def left(cls, claim: StandingClaim) -> "ClaimQuestion":
        """Go on with what was claimed when the program ended."""
        return cls(seat=claim.seat, order=claim.order, game=claim.game, hand=claim.hand, agreed=claim.agreed)

    @property
    def standing(self) -> StandingClaim:
        """What of it is kept over a restart."""
        return StandingClaim(seat=self.seat, game=self.game, order=self.order, hand=self.hand, agreed=self.agreed)

    @property
    def check(self) -> CheckRest | None:
        """What the table is asked once the cards are shown; None: nothing."""
        shown = self.hand and self.seat in self.agreed
        return CheckRest(seat=self.seat, hand=self.hand, order=self.order, game=self.game) if shown else None

    def stands(self, view: TableView) -> bool:
        """Report whether the game that it is about is still played."""
        return view.phase == "playing" and game_of(view) == self.game

    def waits_for(self, view: TableView) -> tuple[int, ...]:
        """List the seats whose answer is missing: who claims comes first, then all the others who play at once."""
        if self.seat not in self.agreed:
            return (self.seat,)
        return tuple(one.seat for one in view.seats if not one.sits_out and one.seat not in self.agreed)

    def see(self, seen: HandSeen, view: TableView) -> "ClaimQuestion":
        """Take what the camera sees of his hand; one that is known whole stays."""
        if self.hand or seen.seat != self.seat or seen.game != self.game:
            return self
        return replace(self, seen=seen, hand=seen.whole(view.seat(self.seat).cards_left))

    def agree(self, seat: int) -> "ClaimQuestion":
        """Note that a seat has held its key."""
        return replace(self, agreed=self.agreed | {seat})

    def request(self, accepted: bool, seat: int) -> Request:
        """Make the request that follows once all agree, or this seat does not."""
        order: dict[str, Any] = {"order": self.order} if self.order else {}
        if not accepted:
            order["contested"] = seat
        request = request_for(GameClaimed, seat=self.seat, kind="rest", accepted=accepted, **order)
        agreed = self.agreed if accepted else frozenset({self.seat, seat})
        return replace(request, consent=Consent(deliberate=True, seats=agreed))


def game_of(view: TableView) -> tuple[int, int]:
    """The game in play, as a question about it names it."""
    return view.game, len(view.rows)

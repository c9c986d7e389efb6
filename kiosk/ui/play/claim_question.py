"""Hold the question whether a claimed rest stands, what the table is asked about it, and its answer."""

from dataclasses import dataclass, replace
from typing import Any

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.claimed_rest import Verdict
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import Consent, GameClaimed, Request
from kiosk.table.view.table_view import TableView


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

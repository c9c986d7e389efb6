"""Ask everybody who plays whether a claimed rest stands: each answers in his own area, and any one may say no."""

from dataclasses import dataclass, replace
from typing import Any

from kiosk.rules.engine.cards import Card
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import Consent, GameClaimed, Request
from kiosk.table.view.table_view import SeatView, TableView
from kiosk.ui.parts.look import plain, two_lines
from kiosk.ui.play.key_faces import KeyFace


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimQuestion:
    """A rest claimed, and who has held his own key for it; nothing is noted while somebody's answer is missing.

    :param seat: who shows his cards.
    :param order: in which they come; (): in any.
    :param game: number of the game and rows of the list: the question goes with the game that it is about.
    """

    seat: int
    order: tuple[Card, ...]
    game: tuple[int, int]
    agreed: frozenset[int] = frozenset()

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


def claim_answers(app: Any, seat: SeatView, view: TableView) -> tuple[KeyFace, ...]:
    """Make the keys of a seat's answer; who claims may also think better of it while the others look."""
    asked: ClaimQuestion | None = app.screen("play").claiming
    if asked is None or seat.sits_out:
        return ()
    text = app.words
    if seat.seat == asked.seat:
        show = KeyFace(two_lines(text["claim_rest"], text["claim_show"]), "gold", ("claim_yes",), binds=True)
        back = KeyFace(text["claim_withdraw"], "green", ("claim_back",))
        return (back,) if seat.seat in asked.agreed else (show, back)
    if seat.seat not in asked.waits_for(view):
        return ()
    yes = two_lines(text["claim_accept"], plain(view.seat(asked.seat).name))
    return (
        KeyFace(yes, "gold", ("claim_yes",), binds=True),
        KeyFace(text["claim_reject"], "green", ("claim_no",), binds=True),
    )


def claim_words(app: Any, view: TableView) -> str:
    """Say what is claimed, in which order, and whose answer is missing; "" while nothing is."""
    asked: ClaimQuestion | None = app.screen("play").claiming
    if asked is None:
        return ""
    said = str(app.words["claim_asked"]).format(name=plain(view.seat(asked.seat).name))
    if asked.order:
        said += "\n" + "  ".join(map(app.faces.name, asked.order))
    missing = ", ".join(plain(view.seat(seat).name) for seat in asked.waits_for(view))
    return said + "\n" + str(app.words["claim_waits"]).format(names=missing)

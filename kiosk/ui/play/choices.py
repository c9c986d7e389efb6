"""List the choices that unfold in a seat's own area, and make the request of each."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from kiosk.table.consent import at_seat, held
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import AskingAnswered, BidMade, CallAnnounced, GameClaimed, GameDeclared, Request
from kiosk.table.round.taking_back import take_back
from kiosk.table.view.table_view import CallView, SeatView, TableView
from kiosk.ui.parts.fit import NEAR, fit_name
from kiosk.ui.parts.look import dp, plain, sp, two_lines
from kiosk.ui.play.claiming import claim_answers
from kiosk.ui.play.game_faces import back_faces, game_faces
from kiosk.ui.play.key_faces import KeyFace, answer_faces, in_time

ORDER = (
    *("klopfen", "schweinchen", "hyperschweinchen"),
    *("re", "kontra", "keine90", "keine60", "keine30", "schwarz", "bock"),
)

#: Room for a name on a key, which is as wide as a panel at the side, in units.
NAME_UNITS = 130

#: Tone of a call by the side that it names.
TONES = {"re": "ivory", "kontra": "blue"}


def _calls(app: Any, seat: SeatView, view: TableView) -> tuple[KeyFace, ...]:
    """Every call that the seat may still make, with the side that it names."""
    calls = sorted(seat.calls, key=lambda call: (ORDER.index(call.call), call.side or ""))
    return tuple(_call(app, call) for call in calls)


def _call(app: Any, call: CallView) -> KeyFace:
    side = call.side or (call.call if call.call in TONES else "")
    until = app.words["side_" + call.side] if call.side else in_time(app, call, short=True)
    return KeyFace(two_lines(app.say(call.call), until), TONES.get(side, "green"), ("announce", call), binds=True)


def _bids(app: Any, seat: SeatView, view: TableView) -> tuple[KeyFace, ...]:
    """The classes of games that the seat may bid (schaffkopf II 2.1.3)."""
    return tuple(
        KeyFace(f"[b]{app.say(bid or 'no_higher')}[/b]", "ivory" if bid else "green", ("bid_as", bid), binds=True)
        for bid in (seat.bids if any(seat.bids) else ())
    )


def _claims(app: Any, seat: SeatView, view: TableView) -> tuple[KeyFace, ...]:
    """Who shows the cards takes the rest, who hands them over concedes; a stilles Solo shows itself with its order."""
    if view.phase != "playing" or seat.sits_out:
        return ()
    text, claims = app.words, seat.claims or ("rest", "concede")
    take = KeyFace(f"[b]{text['claim_rest']}[/b]", "ivory", ("claim_rest",))
    concede = KeyFace(text["claim_concede"], "green", ("concede",), binds=True)
    return (*([take] if "rest" in claims else []), *([concede] if "concede" in claims else []))


def _answers(app: Any, seat: SeatView, view: TableView) -> tuple[KeyFace, ...]:
    """Corrections of the asking, as long as the book allows them (eppstein 3.1.2)."""
    return tuple(answer_faces(app, seat, view)) if not seat.sits_out else ()


def _said(app: Any, seat: SeatView, view: TableView) -> tuple[KeyFace, ...]:
    """Calls of the book, to enter one that was spoken though no key offers it; others may object.

    Where another has just made the call, it is said whether both spoke at once (eppstein 5.5.7).
    """
    if view.phase != "playing" or seat.sits_out:
        return ()
    faces = []
    for call in view.book.calls:
        word, tone = app.say(call), TONES.get(call, "green")
        last = view.together
        if last is None or last[1] != call or last[0] == seat.seat:
            faces.append(KeyFace(f"[b]{word}[/b]", tone, ("said", call, False), binds=True))
            continue
        name = plain(fit_name(view.seat(last[0]).name, dp(NAME_UNITS), sp(NEAR), bold=False, among=view.names))
        at_once = app.words["said_together"].format(name=name)
        faces.append(KeyFace(two_lines(word, at_once), tone, ("said", call, True), binds=True))
        faces.append(KeyFace(two_lines(word, app.words["said_after"]), tone, ("said", call, False), binds=True))
    return tuple(faces)


#: What stays unfolded until it is answered, or its question is gone.
STANDING = ("claim_answer",)

#: What unfolds in a seat's area, by name; no choices: there is nothing to unfold.
CHOICES: dict[str, Callable[[Any, SeatView, TableView], tuple[KeyFace, ...]]] = {
    "answers": _answers,
    "bid": _bids,
    "calls": _calls,
    "claim": _claims,
    "claim_answer": claim_answers,
    "declare": game_faces,
    "said": _said,
    **{f"taken_by_{seat}": partial(back_faces, partner=seat) for seat in range(1, 6)},
}


def request_of(app: Any, seat: int, face: KeyFace) -> Request | None:
    """Make the request of a key; None: it asks for nothing, but opens something."""
    match face.act:
        case ("answer", word):
            request = request_for(AskingAnswered, seat=seat, call=word)
        case ("announce", CallView(call=call, side=side)):
            request = _announcing(seat, call, side)
        case ("bid_as", name):
            request = request_for(BidMade, seat=seat, game=name)
        case ("declare_as", game):
            request = _declaring(seat, dict(game))
        case ("said", call, together):
            at_once: dict[str, Any] = {"together": True} if together else {}
            request = replace(request_for(CallAnnounced, seat=seat, call=call, **at_once), anyway=True)
        case ("take_back", number):
            request = take_back(number, seat, app.words["why_slipped"])
        case ("concede",):
            request = request_for(GameClaimed, seat=seat, kind="concede")
        case _:
            return None
    request = at_seat(request, seat)
    return held(request) if face.binds else request


def _announcing(seat: int, call: str, side: str | None) -> Request:
    if side is None:
        return request_for(CallAnnounced, seat=seat, call=call)
    return request_for(CallAnnounced, seat=seat, call=call, side=side)


def _declaring(seat: int, game: dict[str, Any]) -> Request:
    if game.get("leave"):  # its class alone: the direction is asked first
        return request_for(BidMade, seat=seat, game=game["game"])
    return request_for(
        GameDeclared, seat=seat, **{"raised" if key == "raise" else key: value for key, value in game.items()}
    )

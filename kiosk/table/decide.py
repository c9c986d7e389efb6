"""A person's request becomes an event, or is refused with the section that does not allow it.

The generic way: apply it. What cannot happen there is refused with the reason; what would be a breach, certain with
this very event, is refused with its code and section. Facts are another matter: what the camera saw is recorded as it
was and never comes here.
"""

from typing import Any

from kiosk.errors import BadEvent, Refused
from kiosk.table.certain import certain
from kiosk.table.fold import Round
from kiosk.table.questions import questions

Event = dict[str, Any]

#: Requests that a person may make, and whether a breach in them is refused.
_REQUESTS = {
    "release": False,
    "deal": False,
    "hand": False,
    "call": True,
    "bid": True,
    "declare": True,
    "leave": False,
    "announce": True,
    "card": True,
    "retract": False,
    "correct": False,
    "claim": True,
    "object": False,
    "rule": False,
    "void": False,
    "strike": False,
    "time_up": False,
    "sign": False,
    "substitute": False,
    "swap": False,
    "close": False,
}

#: What goes on while play rests at a Reklamation.
_WHILE_RESTING = ("rule", "void", "correct", "leave", "strike", "time_up", "substitute")


def decide(round: Round, request: Event) -> Event:
    """The event to append for a request: a dict like an event, without ``at``.

    ``"anyway": true`` records what was said or done although it breaks a rule: the word is out, and others may object.
    A correction of gesund to Hochzeit after the next has spoken is such a case (eppstein 3.1.2).

    :raises Refused: the book does not allow it now; ``code`` and ``section`` say why.
    """
    event = {key: value for key, value in request.items() if key not in ("at", "anyway")}
    kind = event.get("event")
    if kind not in _REQUESTS:
        raise Refused("bad_request", "", f"unknown request {kind!r}; known are {', '.join(_REQUESTS)}")
    if kind == "correct":
        _check_correction(round, event)
    sections = round.book.sections
    if not round.released and kind in ("call", "bid", "declare", "announce"):
        section = round.book.cite(sections["release"])
        raise Refused("not_released", section, "the round has not been released by the direction")
    game = round.game
    if kind == "call" and round.running and event.get("seat") == round.must_play and not request.get("anyway"):
        _refuse_gesund(round, event)
    if game is not None and game.objection and kind not in _WHILE_RESTING:
        raise Refused("resting", round.book.cite(sections["rest"]), "play rests until the ruling")
    try:
        after = round.apply(event)
    except BadEvent as error:
        raise Refused(*_reason(round, event), str(error)) from error
    if _REQUESTS[kind] and not request.get("anyway"):
        _refuse_breach(after, event)
    if kind == "close" and questions(after):
        raise Refused("doubts_open", "", "cards of this round are still in doubt")
    return event


def _refuse_gesund(round: Round, event: Event) -> None:
    """Who is vorgeführt cannot be gesund: he must play his Pflichtsolo."""
    if event.get("call") not in round.book.wanting:
        section = round.book.cite(round.book.sections["led_up"])
        raise Refused("missed_duty", section, f"seat {event.get('seat')} must play its Pflichtsolo in this game")


def _refuse_breach(after: Round, event: Event) -> None:
    game = after.game
    number = after.events - 1
    found = () if game is None else certain(after) if game.doubts else game.offences
    for offence in found:
        if offence.event == number and offence.seat == event.get("seat"):
            raise Refused(offence.code, offence.section, f"{event} is {offence.code} by {offence.section}")


def _check_correction(round: Round, event: Event) -> None:
    if "of" not in event and "after" not in event:
        raise Refused("bad_request", "", f"a correction names its card ('of') or its place ('after'): {event}")
    card = event.get("card")
    if card is not None and card not in round.book.deck:
        raise Refused("no_such_card", "", f"{card!r} is no card of {round.book.name}")


#: Requests about the game in play that the book itself may not allow: the word for it and the point of the book.
_BY_THE_BOOK = {"claim": ("no_claim", "shorten"), "retract": ("lies", "take_back")}


def _reason(round: Round, event: Event) -> tuple[str, str]:
    """Why it cannot happen, as a word for people, and the section that says so."""
    kind, game = event["event"], round.game
    running = game is not None and not game.ended
    if round.closed or (round.over and kind in ("deal", "call", "bid", "declare", "card")):
        return "round_over", ""
    if kind == "deal":
        return "game_runs" if running else "not_now", ""
    if kind == "correct":
        cards = {number for number, one in round.log if one["event"] in ("card", "correct")}
        return "cannot_stand" if {event.get("of"), event.get("after")} & cards else "no_such_event", ""
    if not running and kind in ("call", "bid", "declare", "announce", "card", "retract", "claim", "leave", "void"):
        return "no_game", ""
    if kind in _BY_THE_BOOK:
        code, point = _BY_THE_BOOK[kind]
        return code, round.book.cite(round.book.sections[point])
    return "not_now", ""

"""Check what a director orders before it leaves: the event that the table shall append, or a call."""

from collections.abc import Callable, Mapping
from typing import Any

from kiosk.director.refusals import NotAnEvent, OffenderMissing
from kiosk.errors import BadEvent, shorten
from kiosk.rules.engine.money import is_amount
from kiosk.table.events.codec import decode
from kiosk.tournament.people import clean_name

_CLASSES = ("none", "minor", "serious", "decided", "custom")

#: Orders that make sense for every table at once.
_FOR_ALL = ("release", "time_up", "call")


def checked_order(body: object, table: int | None) -> dict[str, Any]:
    """Check an order and return it as it goes to the table.

    ``{"event": "release"}``, ``{"event": "time_up"}``, ``{"event": "rule", …}`` (a ruling, and with class ``none`` and
    ``minutes`` extra time; ``"answers": false`` leaves a Reklamation that waits for its ruling as it is),
    ``{"event": "substitute", "seat", "player", "ranked"}``, ``{"event": "leave", "seat", "granted"}``,
    ``{"event": "strike", "game", "replay"}``, ``{"event": "void", "why"}``,
    ``{"event": "correct", "of", "word", "why"}`` (what was said, signed or ruled); or ``{"call": "director", "text"}``:
    the people at the table are called.

    :raises NotAnEvent: it is none of these; the text says what is wrong.
    """
    if not isinstance(body, dict):
        raise NotAnEvent(f"the order is {shorten(body)}; an object is wanted")
    what = "call" if "call" in body else body.get("event")
    if table is None and what not in _FOR_ALL:
        raise NotAnEvent(f"{shorten(what)} goes to one table; say which")
    checked = _ORDERS.get(what) if isinstance(what, str) else None
    if checked is None:
        raise NotAnEvent(
            f"{shorten(what)} is no order; release, time_up, rule, leave, strike, substitute, void, correct and "
            "call are"
        )
    return checked(body)


def _call(body: dict[str, Any]) -> dict[str, Any]:
    if "call" not in body:
        raise NotAnEvent("a call says who calls: {'call': 'director'} or {'call': 'referee'}")
    if body["call"] == "referee":
        return {"call": "referee"}
    return {"call": "director", "text": str(body.get("text", ""))[:200]}


def _leave(body: dict[str, Any]) -> dict[str, Any]:
    _integer(body, "seat", 1, 5)
    _flag(body, "granted")
    return {key: body[key] for key in ("event", "seat", "granted")}


def _strike(body: dict[str, Any]) -> dict[str, Any]:
    _integer(body, "game", 1, 999)
    _flag(body, "replay")
    return {key: body[key] for key in ("event", "game", "replay")}


def _substitute(body: dict[str, Any]) -> dict[str, Any]:
    _integer(body, "seat", 1, 5)
    _flag({"ranked": False, **body}, "ranked")
    return {
        "event": "substitute",
        "seat": body["seat"],
        "player": clean_name(body.get("player")),
        "ranked": body.get("ranked", False),
    }


def _void(body: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(body.get("why"), str):
        raise NotAnEvent("the order to deal anew says no 'why'")
    return {key: body[key] for key in ("event", "why")}


def _correct(body: dict[str, Any]) -> dict[str, Any]:
    if "word" not in body:
        raise NotAnEvent("the correction says no 'word': what was said, or null if it was not")
    order: dict[str, Any] = {key: body[key] for key in ("event", "of", "word") if key in body}
    if isinstance(body.get("why"), str) and body["why"]:
        order["why"] = body["why"][:200]
    try:
        decode(order)
    except BadEvent as error:
        raise NotAnEvent(str(error)) from error
    return order


def _whole(value: object) -> bool:
    return type(value) is int


def _ruling(body: dict[str, Any]) -> dict[str, Any]:
    if body.get("class") not in _CLASSES:
        raise NotAnEvent(f"the ruling's class is {shorten(body.get('class'))}; {', '.join(_CLASSES)} are known")
    ruling: dict[str, Any] = {"event": "rule", "offender": body.get("offender"), "class": body["class"]}
    if ruling["offender"] is not None:
        _integer(body, "offender", 1, 5)
    elif ruling["class"] in ("minor", "serious", "decided"):
        raise OffenderMissing(f"a ruling of class {shorten(ruling['class'])} needs the offender's seat")
    for key, low, high in (("breach", 0, 100_000), ("minutes", 0, 24 * 60)):
        if body.get(key) is not None:
            _integer(body, key, low, high)
            ruling[key] = body[key]
    for key in ("harms_soloist", "resume", "answers"):
        if body.get(key) is not None:
            _flag(body, key)
            ruling[key] = body[key]
    ruling.update(_by_seat(body, "scores", _whole, "whole numbers"))
    ruling.update(_by_seat(body, "fines", is_amount, "euros, to the cent,"))
    if not ruling.get("answers", True) and (ruling["class"] != "none" or not ruling.get("minutes")):
        raise NotAnEvent("a ruling that answers no Reklamation is of class none and gives minutes; say how many")
    if isinstance(body.get("why"), str) and body["why"]:
        ruling["why"] = body["why"][:200]
    return ruling


def _by_seat(body: dict[str, Any], key: str, fits: Callable[[object], bool], wanted: str) -> dict[str, Any]:
    numbers = body.get(key)
    if numbers is None:
        return {}
    if not isinstance(numbers, dict) or not all(
        seat in ("1", "2", "3", "4", "5") and fits(number) for seat, number in numbers.items()
    ):
        raise NotAnEvent(f'{key} is {shorten(numbers)}; {wanted} by seat are wanted, like {{"1": -3, "2": 1}}')
    return {key: dict(numbers)}


def _integer(body: dict[str, Any], key: str, low: int, high: int) -> None:
    value = body.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise NotAnEvent(f"{key} is {shorten(value)}; a number from {low} to {high} is wanted")


def _flag(body: dict[str, Any], key: str) -> None:
    if not isinstance(body.get(key), bool):
        raise NotAnEvent(f"{key} is {shorten(body.get(key))}; true or false is wanted")


#: Order → its check, which returns the order with its own keys alone.
_ORDERS: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "call": _call,
    "release": lambda body: {"event": "release"},
    "time_up": lambda body: {"event": "time_up"},
    "rule": _ruling,
    "leave": _leave,
    "strike": _strike,
    "substitute": _substitute,
    "void": _void,
    "correct": _correct,
}

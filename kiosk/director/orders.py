"""What a director may order, checked before it leaves: the event that the table shall append, or a call."""

from typing import Any

from kiosk.director.errors import NotAnEvent
from kiosk.director.people import clean_name
from kiosk.rules.money import is_amount

_CLASSES = ("none", "minor", "serious", "decided", "custom")

#: Orders that make sense for every table at once.
_FOR_ALL = ("release", "time_up", "call")


def checked_order(body: object, table: int | None) -> dict[str, Any]:
    """The order as it goes to the table.

    ``{"event": "release"}``, ``{"event": "time_up"}``, ``{"event": "rule", …}`` (a ruling, and with class ``none`` and
    ``minutes`` extra time; ``"answers": false`` leaves a Reklamation that waits for its ruling as it is),
    ``{"event": "substitute", "seat", "player", "ranked"}``, ``{"event": "leave", "seat", "granted"}``,
    ``{"event": "strike", "game", "replay"}``, ``{"event": "void", "why"}``; or ``{"call": "director", "text"}``: the
    people at the table are called.

    :raises NotAnEvent: it is none of these; the text says what is wrong.
    """
    if not isinstance(body, dict):
        raise NotAnEvent(f"the order is {body!r}; an object is wanted")
    what = "call" if "call" in body else body.get("event")
    if table is None and what not in _FOR_ALL:
        raise NotAnEvent(f"{what!r} goes to one table; say which")
    match what:
        case "call":
            return {"call": "director", "text": str(body.get("text", ""))[:200]}
        case "release" | "time_up":
            return {"event": what}
        case "rule":
            return _ruling(body)
        case "leave":
            _integer(body, "seat", 1, 5)
            _flag(body, "granted")
        case "strike":
            _integer(body, "game", 1, 999)
            _flag(body, "replay")
        case "substitute":
            _integer(body, "seat", 1, 5)
            _flag({"ranked": False, **body}, "ranked")
            return {"event": what, "seat": body["seat"], "player": clean_name(body.get("player")),
                    "ranked": body.get("ranked", False)}  # fmt: skip
        case "void":
            if not isinstance(body.get("why"), str):
                raise NotAnEvent("the order to deal anew says no 'why'")
        case _:
            raise NotAnEvent(
                f"{what!r} is no order; release, time_up, rule, leave, strike, substitute, void and call are"
            )
    keys = {"leave": ("seat", "granted"), "strike": ("game", "replay"), "void": ("why",)}[str(what)]
    return {"event": what, **{key: body[key] for key in keys}}


def _whole(value: object) -> bool:
    return type(value) is int


def _ruling(body: dict[str, Any]) -> dict[str, Any]:
    if body.get("class") not in _CLASSES:
        raise NotAnEvent(f"the ruling's class is {body.get('class')!r}; {', '.join(_CLASSES)} are known")
    ruling: dict[str, Any] = {"event": "rule", "offender": body.get("offender"), "class": body["class"]}
    if ruling["offender"] is not None:
        _integer(body, "offender", 1, 5)
    elif ruling["class"] in ("minor", "serious", "decided"):
        raise NotAnEvent(f"a ruling of class {ruling['class']!r} needs the offender's seat")
    for key, low, high in (("breach", 0, 100_000), ("minutes", 0, 24 * 60)):
        if body.get(key) is not None:
            _integer(body, key, low, high)
            ruling[key] = body[key]
    for key in ("harms_soloist", "resume", "answers"):
        if body.get(key) is not None:
            _flag(body, key)
            ruling[key] = body[key]
    for key, fits, wanted in (("scores", _whole, "whole numbers"), ("fines", is_amount, "euros, to the cent,")):
        numbers = body.get(key)
        if numbers is None:
            continue
        if not isinstance(numbers, dict) or not all(
            seat in ("1", "2", "3", "4", "5") and fits(number) for seat, number in numbers.items()
        ):
            raise NotAnEvent(f'{key} is {numbers!r}; {wanted} by seat are wanted, like {{"1": -3, "2": 1}}')
        ruling[key] = dict(numbers)
    if not ruling.get("answers", True) and (ruling["class"] != "none" or not ruling.get("minutes")):
        raise NotAnEvent("a ruling that answers no Reklamation is of class none and gives minutes; say how many")
    if isinstance(body.get("why"), str) and body["why"]:
        ruling["why"] = body["why"][:200]
    return ruling


def _integer(body: dict[str, Any], key: str, low: int, high: int) -> None:
    value = body.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise NotAnEvent(f"{key} is {value!r}; a number from {low} to {high} is wanted")


def _flag(body: dict[str, Any], key: str) -> None:
    if not isinstance(body.get(key), bool):
        raise NotAnEvent(f"{key} is {body.get(key)!r}; true or false is wanted")

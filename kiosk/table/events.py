"""The protocol's events as text and as dicts: parsing, checking of shapes, formatting.

An event is a plain dict as PROTOCOL.md has it. Checked here is what can be seen without the round: the event is known,
its keys are there and of the right kind. Whether it can happen where it stands is the fold's matter.
"""

import json
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, TypeAlias

from kiosk.errors import BadEvent
from kiosk.rules.money import is_amount

Event: TypeAlias = dict[str, Any]

CALLS = ("re", "kontra", "keine90", "keine60", "keine30", "schwarz", "bock")
CLASSES = ("none", "minor", "serious", "decided", "custom")
#: No number at a table is larger (points, minutes, tables, rounds), and no time is later (ms, the year 5138).
LARGEST, LATEST = 1_000_000, 100_000_000_000_000
PERSONS = ("composition", "camera", "referee", "table")  # table: a finger on its screen


def parse(line: str) -> Event:
    """The event of one line of JSON, its shape checked.

    :raises BadEvent: if it is not an event.
    """
    event = decode(line)
    check(event)
    return event


def decode(line: str) -> Any:
    """What one line of JSON says, its shape not checked.

    :raises BadEvent: if it is not JSON.
    """
    try:
        event = _decoder.decode(line)
        if "\\u" in line:
            json.dumps(event, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise BadEvent(f"not JSON: {error}") from error
    return event


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:20]} is too large")
    return number


_decoder = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)


def format_event(event: Mapping[str, Any]) -> str:
    """One line of JSON, without line end."""
    return json.dumps(event, ensure_ascii=False)


def check(event: object) -> None:
    """Checks the shape of an event.

    :raises BadEvent: naming the key and the value that is wrong.
    """
    if not isinstance(event, dict):
        raise BadEvent(f"an event is an object, not {_short(event)}")
    name = event.get("event")
    keys = _KEYS.get(name) if isinstance(name, str) else None
    if keys is None:
        raise BadEvent(f"unknown event {_short(name)}; known are {', '.join(_KEYS)}")
    for key, (needed, fits, wanted) in keys.items():
        if key not in event:
            if needed:
                raise BadEvent(f"{name}: needs the key {key!r}, {wanted}")
        elif not fits(event[key]):
            raise BadEvent(f"{name}: {key!r} must be {wanted}, not {_short(event[key])}")
    at = event.get("at", 0)
    if type(at) not in (int, float) or not 0 <= at <= LATEST:
        raise BadEvent(f"{name}: 'at' must be milliseconds since 1970, not {_short(at)}")


def _short(value: object) -> str:
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # nested too deep, a number of too many digits
        return f"this {type(value).__name__}"
    return text if len(text) < 60 else text[:57] + "..."


def _whole(value: object) -> bool:
    return type(value) is int and -LARGEST <= value <= LARGEST


def _seat(value: object) -> bool:
    return type(value) is int and 1 <= value <= 5


def _line(value: object) -> bool:
    return type(value) is int and value >= 0


def _text(value: object) -> bool:
    return isinstance(value, str)


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _number(value: object) -> bool:
    return type(value) in (int, float) and -LARGEST <= value <= LARGEST  # type: ignore[operator]


def _object(value: object) -> bool:
    return isinstance(value, dict)


def _name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _two_seats(value: object) -> bool:
    return _seats(value) and len(set(value)) == len(value) == 2  # type: ignore[arg-type,call-overload]


def _seats(value: object) -> bool:
    return isinstance(value, list) and all(_seat(one) for one in value)


def _names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value)


def _cards(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _by_seat(kind: Callable[[object], bool]) -> Callable[[object], bool]:
    def fits(value: object) -> bool:
        return isinstance(value, dict) and all(k in ("1", "2", "3", "4", "5") and kind(v) for k, v in value.items())

    return fits


def _seats_of_cards(value: object) -> bool:
    return isinstance(value, dict) and bool(value) and all(_is_line(k) and _seat(v) for k, v in value.items())


def _is_line(key: str) -> bool:
    return key.isascii() and key.isdecimal() and len(key) < 10


def _one_of(*words: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in words


def _or_null(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or fits(value)


def _person(value: object) -> bool:
    return value in PERSONS or value in ("seat 1", "seat 2", "seat 3", "seat 4", "seat 5")


_Key: TypeAlias = tuple[bool, Callable[[object], bool], str]  # needed, check, words for the message


def _need(fits: Callable[[object], bool], wanted: str) -> _Key:
    return True, fits, wanted


def _may(fits: Callable[[object], bool], wanted: str) -> _Key:
    return False, fits, wanted


_SEAT = _need(_seat, "a seat (a number from 1)")
_CARD = _need(_text, "a card like 'HT'")

#: Keys of each event that are looked at; others are kept and ignored.
_KEYS: dict[str, dict[str, _Key]] = {
    "open": {
        "format": _need(lambda value: type(value) is int and value == 1, "1"),
        "rules": _need(_text, "a rule set's name"),
        "table": _may(_whole, "a number"),
        "round": _may(_whole, "a number"),
        "players": _need(_names, "a list of names"),
        "options": _may(_object, "an object of options by name"),
        "minutes": _may(_or_null(_number), "minutes of playing time"),
        "substitutes": _may(_seats, "a list of seats"),
    },
    "release": {},
    "deal": {"dealer": _SEAT},
    "hand": {"seat": _SEAT, "cards": _need(_cards, "a list of cards")},
    "call": {"seat": _SEAT, "call": _need(_text, "a word of the asking")},
    "bid": {"seat": _SEAT, "class": _need(_or_null(_text), "a class or null")},
    "declare": {
        "seat": _SEAT,
        "game": _need(_text, "a game's name"),
        "duty": _may(_flag, "true or false"),
        "suit": _may(_or_null(_text), "a suit"),
        "card": _may(_or_null(_text), "a card"),
        "renonce": _may(_flag, "true or false"),
        "condition": _may(_or_null(_text), "a condition"),
        "raise": _may(_or_null(_cards), "a list of calls"),
    },
    "leave": {"seat": _SEAT, "granted": _may(_flag, "true or false")},
    "announce": {
        "seat": _SEAT,
        "call": _need(_one_of(*CALLS), "one of " + " ".join(CALLS)),
        "side": _may(_or_null(_one_of("re", "kontra")), "re or kontra"),
        "together": _may(_flag, "true or false"),
    },
    "card": {
        "seat": _SEAT,
        "card": _CARD,
        "down": _may(_flag, "true or false"),
        "doubt": _may(_cards, "a list of cards"),
    },
    "retract": {"seat": _SEAT, "card": _CARD},
    "correct": {
        "of": _may(_line, "the number of a card's event"),
        "after": _may(_line, "the number of an event"),
        "card": _may(_or_null(_text), "a card, or null if there was none"),
        "seats": _may(_seats_of_cards, "seats by the numbers of cards' events"),
        "seat": _may(_seat, "a seat (a number from 1)"),
        "by": _may(_person, "'seat N', table, composition, camera or referee"),
        "why": _may(_or_null(_text), "a text"),
    },
    "claim": {
        "seat": _SEAT,
        "kind": _need(_one_of("rest", "concede"), "rest or concede"),
        "order": _may(_cards, "a list of cards"),
        "accepted": _may(_flag, "true or false"),
    },
    "object": {
        "seat": _SEAT,
        "against": _may(_or_null(_seat), "a seat (a number from 1)"),
        "code": _may(_or_null(_text), "an offence code"),
        "breach": _may(_or_null(_line), "the number of an event"),
    },
    "rule": {
        "offender": _may(_or_null(_seat), "a seat or null"),
        "class": _need(_one_of(*CLASSES), "one of " + " ".join(CLASSES)),
        "breach": _may(_or_null(_line), "the number of an event"),
        "harms_soloist": _may(_flag, "true or false"),
        "scores": _may(_or_null(_by_seat(_whole)), "points by seat"),
        "fines": _may(_or_null(_by_seat(is_amount)), "euros, to the cent, by seat"),
        "minutes": _may(_or_null(_number), "minutes"),
        "resume": _may(_flag, "true or false"),
        "answers": _may(_flag, "true or false"),
    },
    "void": {"why": _may(_or_null(_text), "a text")},
    "strike": {"game": _need(_whole, "a game's running number"), "replay": _may(_flag, "true or false")},
    "time_up": {},
    "sign": {"seat": _SEAT},
    "substitute": {
        "seat": _SEAT,
        "player": _need(_name, "a name"),
        "ranked": _may(_flag, "true or false"),
    },
    "swap": {"seats": _need(_two_seats, "two seats")},
    "close": {},
}

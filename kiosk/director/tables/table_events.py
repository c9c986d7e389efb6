"""Check what a table sends before it is stored: of its own kind, and bounded like what a person types."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from kiosk.director.access.names import LONGEST, is_plain
from kiosk.director.refusals import NotAnEvent, NotOrdered
from kiosk.errors import BadEvent, shorten
from kiosk.rules.engine.book import RuleBook
from kiosk.table.events.codec import decode_opening
from kiosk.table.round.book_played import book_of

#: What the direction decides: an order of its own stands behind it, or a referee whom it lets rule at this table.
_DECIDED = frozenset({"rule", "strike", "substitute", "time_up"})

#: Who corrects as the direction does.
_JUDGES = frozenset({"referee", "direction"})

#: Keys of events that hold people's names.
_NAMES = frozenset({"player", "name"})

_LARGEST_EVENT = 20_000  # bytes; the largest that a table makes, a doubt with its readings, has about 2,000
_LONGEST_TEXT = 400  # letters of any text
_DEEPEST = 8  # levels of lists and objects


def decisions(events: Sequence[Any]) -> list[Mapping[str, Any]]:
    """List the events that a table may not make by itself."""
    return [event for event in events if is_decision(event)]


def is_decision(event: Any) -> bool:
    """Report whether a table may not make this event by itself."""
    return isinstance(event, dict) and _is_decision(event)


def _is_decision(event: Mapping[str, Any]) -> bool:
    if event.get("event") != "correct":
        return event.get("event") in _DECIDED
    word = event.get("word")
    return event.get("by") in _JUDGES or (isinstance(word, dict) and word.get("event") in _DECIDED)


def need_orders(events: Sequence[Mapping[str, Any]], given: Mapping[int, Mapping[str, Any]]) -> None:
    """Require that each of these decisions carries out an order to this table.

    :param given: the orders to this table, by number.
    :raises NotOrdered: one does not, or does something else than was ordered.
    """
    for event in events:
        number = event.get("order_number")
        order = given.get(number) if type(number) is int else None
        if order is None or any(event.get(key) != value for key, value in order.items() if key not in _BESIDE):
            raise NotOrdered(
                f"{shorten(event.get('event'))} at this table has no order of the direction; order it on the "
                "page, or allow "
                "rulings on this table's screen there (Zugang, Geräte)"
            )


def need_time(opening: Mapping[str, Any], released: int | None, now: float) -> None:
    """Require that a table's own clock can have run out.

    :param opening: the event that opened its list.
    :param released: when the round was released, ms since the epoch; None: not known.
    :param now: ms since the epoch.
    :raises NotOrdered: its playing time, as it was opened with, is not over.
    """
    book = _book_of(opening)
    minutes = opening.get("minutes")
    if minutes is None and book is not None:
        minutes = book.minutes(len(opening.get("players") or ()), book.settle(opening.get("options") or {}))
    if minutes is None or released is None or now - released < minutes * 60_000 - _SLACK_MS:
        raise NotOrdered("'time_up' at this table has no order of the direction, and its playing time is not over")


def _book_of(opening: Mapping[str, Any]) -> RuleBook | None:
    """The book that the list was opened with; None: it is none."""
    try:
        return book_of(decode_opening(opening))
    except BadEvent:
        return None


#: Milliseconds by which a table's clock may be ahead of the direction's.
_SLACK_MS = 30_000

#: Keys of an order that its event need not repeat.
_BESIDE = ("actor", "why")


def check_bounds(events: Sequence[Any]) -> None:
    """Require what a person could have typed: names of 60 letters, one line, no control or direction characters.

    :raises NotAnEvent: a text or event is longer, deeper or holds signs that nobody types.
    """
    for event in events:
        if not isinstance(event, dict):
            raise NotAnEvent(f"event is {shorten(event)}; an object is wanted")
        _check(event, 0)
        if len(orjson.dumps(event)) > _LARGEST_EVENT:
            raise NotAnEvent(f"an event {shorten(event.get('event'))} is larger than {_LARGEST_EVENT} bytes")
        players = event.get("players")
        names = [*(players if isinstance(players, list) else ()), *(event.get(key) for key in _NAMES)]
        for name in names:
            if isinstance(name, str) and not is_plain(name, LONGEST):
                raise NotAnEvent(
                    f"name {shorten(name)}: at most {LONGEST} letters without control characters are wanted"
                )


def _check(value: Any, depth: int) -> None:
    if depth > _DEEPEST:
        raise NotAnEvent(f"an event is nested deeper than {_DEEPEST} levels")
    if isinstance(value, str):
        if not is_plain(value, _LONGEST_TEXT):
            raise NotAnEvent(f"text {shorten(value)}: at most {_LONGEST_TEXT} letters in one line are wanted")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _check(key, depth + 1)
            _check(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth + 1)

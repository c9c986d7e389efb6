"""Keep what a table sends and may not decide by itself, until the direction takes it or lets the table try on.

A referee may have ruled at a table that was away, before his right to do so was withdrawn: the list goes on behind that
ruling, so nothing of it can be left out. The table keeps sending it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kiosk.director.storage.held_store import Withheld
from kiosk.director.tables.table_events import decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack(Withheld):
    """What waits of a table's list, and what was decided in it."""

    @property
    def decided(self) -> list[tuple[int, Mapping[str, Any]]]:
        """The decisions among them, with their numbers."""
        found = {id(event) for event in decisions(self.events)}
        return [(number, event) for number, event in enumerate(self.events, self.after + 1) if id(event) in found]

    def taken_back(self, events: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
        """Return the orders that take its decisions back, and the names of those that no order takes back.

        The latest comes first, so that nothing decided later stands in the way.

        :param events: the table's whole list, these events included.
        """
        decided = dict(self.decided)
        first = {_place(event): number for number, event in reversed(self.decided)}
        orders, left = [], []
        for number in sorted(decided, reverse=True):
            event = decided[number]
            if event.get("event") != "correct":
                orders.append({"event": "correct", "of": number, "word": None})
            elif first[_place(event)] == number and event.get("of") not in decided:
                order = _as_before(events, number)
                orders += [order] if order is not None else []
                left += ["correct"] if order is None else []
        return orders, left


@dataclass(frozen=True, slots=True)
class GoesOn:
    """What was decided at a table before the direction took what waited of it, if its orders are gone as well.

    A list comes in messages of some hundred events. A direction that was set up anew without its orders takes a list
    once, not each message of it; what is decided later, or never was ordered, waits as before.
    """

    before: float  # ms since the epoch: when the direction took it
    since: float  # monotonic seconds

    def takes(self, event: Mapping[str, Any], given: Collection[int], now: float) -> bool:
        """Report whether this decision follows; ``given``: numbers of the orders that the direction still has."""
        number, at = event.get("order_number"), event.get("at")
        gone = type(number) is int and number not in given
        return gone and type(at) is int and at <= self.before and now - self.since < _GOES_ON_S


#: Seconds in which the messages behind one that was taken come in.
_GOES_ON_S = 60.0


def held_back(one: Withheld | None) -> HeldBack | None:
    """Return what is stored as waiting, with what was decided in it."""
    if one is None:
        return None
    return HeldBack(after=one.after, chain=one.chain, events=one.events, since=one.since)


def hold_back(
    before: HeldBack | None, after: int, chain: str, events: Sequence[Mapping[str, Any]], now: int
) -> HeldBack:
    """Return what is held back now; the table sends the same every few seconds.

    :param now: ms since the epoch.
    """
    if before is not None and (before.after, before.chain, before.events) == (after, chain, tuple(events)):
        return before
    return HeldBack(after=after, chain=chain, events=tuple(events), since=now)


def _place(event: Mapping[str, Any]) -> tuple[bool, str]:
    """What a correction puts right: of several of the same thing the first has changed it."""
    return "word" in event, str(event.get("of", event))


def _as_before(events: Sequence[Mapping[str, Any]], number: int) -> dict[str, Any] | None:
    """The order by which counts again what counted before correction ``number``; None: there is none."""
    correction = events[number]
    if "after" in correction:  # a card that nobody saw: there was none
        return {"event": "correct", "of": number, "card": None}
    of = correction.get("of")
    if type(of) is not int or not 0 <= of < number:
        return None
    said = events[of]
    earlier = [one for one in events[of + 1 : number] if one.get("event") == "correct" and _same(one, correction)]
    if "word" in correction:
        word = {key: value for key, value in said.items() if key not in ("at", "order_number", "sign_anew")}
        return {"event": "correct", "of": of, "word": earlier[-1]["word"] if earlier else word}
    seat = next((one["seat"] for one in (*reversed(earlier), said) if one.get("seat") is not None), None)
    order = {"event": "correct", "of": of, "card": (said, *earlier)[-1].get("card")}
    return order if seat is None else {**order, "seat": seat}


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return _place(one) == _place(other)

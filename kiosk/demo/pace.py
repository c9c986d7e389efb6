"""Time the events of a simulated table: seconds that people take, as ``at`` of the events."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

Event = dict[str, Any]

#: The simulated rounds begin on 12 January 2026 at 18:00 UTC, in milliseconds since 1970.
BEGIN_MS = 1_768_240_800_000

#: Seconds before an event: at least, mostly, at most.
_TAKES = {
    "open": (0.0, 0.0, 0.0),
    "release": (60.0, 180.0, 400.0),
    "deal": (25.0, 45.0, 90.0),
    "call": (0.5, 1.2, 5.0),
    "bid": (1.0, 2.5, 8.0),
    "declare": (1.0, 2.5, 8.0),
    "leave": (20.0, 50.0, 180.0),
    "announce": (0.3, 1.0, 4.0),
    "card": (0.8, 2.2, 12.0),
    "retract": (0.6, 1.2, 3.0),
    "claim": (2.0, 5.0, 15.0),
    "object": (1.0, 4.0, 20.0),
    "rule": (40.0, 120.0, 400.0),
    "void": (3.0, 10.0, 30.0),
    "strike": (20.0, 60.0, 200.0),
    "substitute": (60.0, 200.0, 600.0),
    "time_up": (0.2, 1.0, 3.0),
    "sign": (3.0, 8.0, 25.0),
    "close": (5.0, 15.0, 60.0),
}
#: Seconds before the first card, whose leader sorts his hand.
_SORTING_S = 9.0
#: Seconds before each lead, while the trick is taken.
_TAKING_S = 1.8
_TRICK_CARDS = 4


def timed(events: Iterable[Event], seed: int) -> Iterator[Event]:
    """Add ``at``, milliseconds since 1970, to the events, as a table of people would make them."""
    rng = Random(f"pace {seed}")
    at, laid = float(BEGIN_MS), 0
    for event in events:
        name = event["event"]
        least, mostly, most = _TAKES[name]
        seconds = rng.triangular(least, most, mostly)
        if name == "deal":
            laid = 0
        elif name == "card":
            seconds += _SORTING_S if laid == 0 else _TAKING_S if laid % _TRICK_CARDS == 0 else 0.0
            laid += 1
        elif name == "retract":
            laid -= 1
        at += 1000 * seconds
        yield {**event, "at": round(at)}

"""A break of the table: its clock runs on or stands as the direction has set it, and whoever goes on ends it."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode_opening, decode_request, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import Consent
from kiosk.table.table import Table
from kiosk.table.view.glance import glance

Event = dict[str, Any]
PAUSE, RESUME = {"event": "pause"}, {"event": "resume"}


def opened(rules: str = "eppstein", minutes: int | None = 100, **options: object) -> Table:
    """A table whose round was released at second 0."""
    players = ["Anna", "Bernd", "Cem", "Dora"]
    body = {"event": "open", "format": 1, "rules": rules, "players": players, "minutes": minutes, "options": options}
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(body), boot="b", wall=lambda: 1)
    ask(table, 0.0, {"event": "release"})
    return table


def ask(table: Table, now: float, *requests: Event) -> None:
    """Ask for something that everybody agrees to."""
    everybody = Consent(deliberate=True, seats=frozenset(range(1, 5)))
    for request in requests:
        table.request(replace(decode_request(request), consent=everybody), now)  # type: ignore[arg-type]


def names(table: Table) -> list[str]:
    return [event.name for event in table.events]


@pytest.mark.parametrize("stops", [False, True])
def test_nobody_speaks_of_a_clock_where_there_is_none(stops: bool) -> None:
    table = opened("schaffkopf", minutes=None, break_stops_clock=stops)  # no playing time (III 2.3)
    ask(table, 50.0, PAUSE)
    shown = table.view(60.0)
    assert shown.paused == "none" and not shown.clock.limited
    assert glance(table.round).paused == "none"


@pytest.mark.parametrize(("stops", "left", "shown"), [(False, 5700, "runs"), (True, 5900, "stands")])
@pytest.mark.parametrize("rules", BOOKS)
def test_the_clock_in_a_break(rules: str, stops: bool, left: int, shown: str) -> None:
    table = opened(rules, break_stops_clock=stops)
    ask(table, 50.0, PAUSE)
    assert table.view(60.0).paused == shown and table.view(60.0).clock.running is not stops
    again = Table(table.log, now=150.0, boot="b", wall=lambda: 2)  # the power was away in between
    assert again.view(150.0).paused == shown
    ask(again, 250.0, RESUME)
    assert again.view(250.0).paused == "" and again.view(250.0).clock.running
    assert again.view(300.0).clock.remaining == left


def test_the_clock_stands_after_the_machine_was_off() -> None:
    table = opened(break_stops_clock=True)
    ask(table, 60.0, PAUSE)
    again = Table(table.log, now=3.0, boot="another", wall=lambda: 2)
    assert again.view(1000.0).clock.remaining == 5940 and not again.view(1000.0).clock.running
    ask(again, 1000.0, RESUME)
    assert again.view(1010.0).clock.remaining == 5930


GOES_ON = {
    "the next deal": ([], {"event": "deal", "dealer": 1}),
    "an answer, which deals": ([], {"event": "call", "seat": 2, "call": "gesund"}),
    "a card": ([{"event": "deal", "dealer": 1}], {"event": "card", "seat": 2, "card": "CA"}),
    "an announcement": (
        [{"event": "deal", "dealer": 1}, {"event": "card", "seat": 2, "card": "CA"}],
        {"event": "announce", "seat": 2, "call": "re"}),
}  # fmt: skip


@pytest.mark.parametrize(("before", "request_"), GOES_ON.values(), ids=GOES_ON)
def test_whoever_goes_on_ends_it(before: list[Event], request_: Event) -> None:
    table = opened()
    ask(table, 1.0, *before, PAUSE)
    ask(table, 2.0, request_)
    assert table.view(2.0).paused == "" and names(table).count("resume") == 1
    assert names(table)[-1] == request_["event"]


def test_a_refused_word_ends_no_break() -> None:
    table = opened()
    ask(table, 1.0, {"event": "deal", "dealer": 1}, PAUSE)
    with pytest.raises(Refused):
        ask(table, 2.0, {"event": "card", "seat": 4, "card": "CA"})
    assert table.view(2.0).paused


def test_twice_by_mistake_is_once() -> None:
    table = opened()
    ask(table, 1.0, RESUME, PAUSE, PAUSE)
    assert names(table) == ["open", "release", "pause"]
    ask(table, 2.0, RESUME, RESUME)
    assert names(table)[-1] == "resume" and names(table).count("resume") == 1


def test_the_end_that_falls_into_a_break_waits_only_where_the_clock_stands() -> None:
    for stops in (False, True):
        table = opened(break_stops_clock=stops)
        ask(table, 1.0, PAUSE)
        table.tick(6001.0)
        assert table.round.time_up is not stops


def test_two_whose_names_were_exchanged_keep_the_games_that_they_played() -> None:
    """No book has a game count for who did not play it: names change, points stay with the chair."""
    table = opened()
    ask(
        table, 1.0, {"event": "deal", "dealer": 1}, {"event": "call", "seat": 2, "call": "vorbehalt"},
        {"event": "declare", "seat": 2, "game": "damensolo", "duty": True},
        {"event": "claim", "seat": 2, "kind": "concede"},
    )  # fmt: skip
    before = table.round
    assert any(before.totals.values())
    swap = {"event": "swap", "seats": [2, 4]}
    ask(table, 2.0, swap)
    after = table.round
    assert after.players == ("Anna", "Dora", "Cem", "Bernd")
    assert (after.totals, after.duties_left, after.next_dealer) == (
        before.totals, before.duties_left, before.next_dealer)  # fmt: skip
    shown = table.view(2.0)
    assert [(seat.name, seat.total) for seat in shown.seats] == list(
        zip(after.players, before.totals.values(), strict=True)
    )
    assert encode(table.events[-1])["seats"] == [2, 4]

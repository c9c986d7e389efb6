"""A table as a whole: requests, orders, time, restarts, and a disk that is full."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.demo.play import simulate
from kiosk.errors import KioskError, Refused
from kiosk.language.table import word
from kiosk.rules.books import BOOKS
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request, encode
from kiosk.table.events.log import LogFull, MemoryLog
from kiosk.table.events.log_file import LogFile
from kiosk.table.events.values import CardPlayed
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import replay_data
from kiosk.table.table import Table
from kiosk.table.view.show import view

OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}


def new_table(log: Any = None, now: float = 0.0, rules: str = "eppstein", **other: Any) -> Table:
    log = MemoryLog() if log is None else log
    return Table(log, now=now, opening=decode_opening({**OPEN, "rules": rules}), boot="b", wall=lambda: 1, **other)


def live(events: list[dict[str, Any]], table: Table, now: float = 0.0) -> None:
    for event in events[1:]:
        table.request(decode_request({**event, "anyway": True}, BY_ALL), now)


def once(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without a player's own repetitions of a call, which a table takes for the same touch twice."""
    kept: list[dict[str, Any]] = []
    for event in events:
        game = kept[max((n for n, e in enumerate(kept) if e["event"] == "deal"), default=0) :]
        if event["event"] != "announce" or event not in game:
            kept.append(event)
    return kept


@pytest.mark.parametrize("book", BOOKS)
@given(seed=st.integers(0, 500), mistakes=st.sampled_from([0.0, 0.03]), cut=st.floats(0, 1))
@settings(deadline=None, max_examples=4)
@pytest.mark.slow
def test_replay_equals_live_and_a_restart_anywhere_shows_the_same(
    book: str, seed: int, mistakes: float, cut: float
) -> None:
    events = list(simulate(book, seed, 2, mistakes=mistakes))
    events = once(events[: 2 + int(cut * (len(events) - 2))])
    table = new_table(rules=book)
    live(events, table)
    assert [{k: v for k, v in e.items() if k != "at"} for e in list(map(encode, table.events))[1:]] == events[1:]
    assert replay_data(fold(table.events)) == replay_data(table.round)
    again = Table(table.log, now=50.0, boot="b", wall=lambda: 2)
    assert again.round == table.round
    assert again.view(50.0) == table.view(50.0)


@pytest.mark.parametrize("book", BOOKS)
def test_nothing_lawful_is_refused(book: str) -> None:
    """Players who keep to the book are never told that they may not."""
    for seed in (1, 2):
        events = once(list(simulate(book, seed, 3)))
        table = new_table(rules=book)
        for event in events[1:]:
            table.request(decode_request(event, BY_ALL))
        assert [event["event"] for event in list(map(encode, table.events))] == [event["event"] for event in events]
        assert not table.round.offences


def test_a_table_in_a_file_goes_on_where_it_was(tmp_path: Path) -> None:
    events = list(simulate("eppstein", 4, 1))
    with LogFile(tmp_path / "t.db") as file:
        table = new_table(file.log("cup", 7, 1))
        live(events[:30], table)
        before = table.view(0.0)
    with LogFile(tmp_path / "t.db") as file:
        table = Table(file.log("cup", 7, 1), now=0.0, boot="b")
        assert table.view(0.0) == before
        live(events[29:], table)
        assert replay_data(table.round)[:1] == replay_data(fold(map(decode, events)))[:1]


def test_an_empty_log_needs_an_opening() -> None:
    with pytest.raises(KioskError, match="nothing opens the table"):
        Table(MemoryLog(), now=0.0)


def test_a_log_that_does_not_fold_names_the_event() -> None:
    log = MemoryLog()
    log.append(OPEN)
    log.append({"event": "card", "seat": 2, "card": "CA"})
    with pytest.raises(KioskError, match="event 1 of the stored log does not follow"):
        Table(log, now=0.0)


# --- people


def test_the_first_word_of_a_new_game_deals_it() -> None:
    table = new_table()
    table.request(decode_request({"event": "release"}, BY_ALL))
    assert table.view().may_deal
    assert table.view().next_dealer == 1
    assert table.request(decode_request({"event": "call", "seat": 2, "call": "gesund"}, BY_ALL)) == [2, 3]
    assert [e["event"] for e in list(map(encode, table.events))] == ["open", "release", "deal", "call"]
    assert table.view().phase == "asking"


def test_a_refused_first_word_deals_nothing() -> None:
    table = new_table()
    table.request(decode_request({"event": "release"}, BY_ALL))
    with pytest.raises(Refused) as refused:
        table.request(decode_request({"event": "call", "seat": 3, "call": "gesund"}, BY_ALL))
    assert (refused.value.code, refused.value.section) == ("call_out_of_turn", "eppstein 3.1.2")
    assert len(table.events) == 2


def test_a_second_identical_touch_is_no_event() -> None:
    table = new_table()
    for request in (
        {"event": "release"},
        {"event": "call", "seat": 2, "call": "gesund"},
        {"event": "call", "seat": 3, "call": "gesund"},
    ):
        assert table.request(decode_request(request, BY_ALL))
        assert table.request(decode_request(request, BY_ALL)) == []
    assert table.request(decode_request({"event": "call", "seat": 2, "call": "gesund"}, BY_ALL)) == []
    table.request(decode_request({"event": "card", "seat": 2, "card": "CA"}, BY_ALL))
    assert table.request(decode_request({"event": "announce", "seat": 2, "call": "re"}, BY_ALL))
    assert table.request(decode_request({"event": "announce", "seat": 2, "call": "re"}, BY_ALL)) == []


def test_listeners_hear_every_event_in_order() -> None:
    table, heard = new_table(), []
    table.listen(lambda number, event: heard.append((number, event.name)))
    table.request(decode_request({"event": "release"}, BY_ALL))
    table.request(decode_request({"event": "call", "seat": 2, "call": "gesund"}, BY_ALL))
    assert heard == [(1, "release"), (2, "deal"), (3, "call")]


# --- the director


def test_an_order_is_carried_out_once() -> None:
    table = new_table()
    assert table.order(decode_request({"event": "release", "order_number": 3})) == [1]
    assert table.order(decode_request({"event": "release", "order_number": 3})) == []
    assert table.order(decode_request({"event": "release", "order_number": 4})) == []
    assert list(map(encode, table.events))[1]["order_number"] == 3
    again = Table(table.log, now=0.0, boot="b")
    assert again.order(decode_request({"event": "release", "order_number": 3})) == []


def test_an_order_that_cannot_be_carried_out_says_why() -> None:
    table = new_table()
    with pytest.raises(Refused, match="not on the list"):
        table.order(decode_request({"event": "strike", "game": 3, "order_number": 9}))


def test_time_up_leaves_a_table_its_nachspielzeit() -> None:
    table = new_table()
    table.order(decode_request({"event": "release"}), 100.0)
    table.request(decode_request({"event": "deal", "dealer": 1}, BY_ALL), 100.0)
    table.order(
        decode_request({"event": "rule", "offender": None, "class": "none", "minutes": 5, "order_number": 1}),
        200.0,
    )
    assert table.view(200.0).clock.extra == 300
    assert table.order(decode_request({"event": "time_up", "order_number": 2}), 1000.0) == []
    assert table.view(1000.0).clock.remaining == 300
    assert table.tick(1299.0) == []
    (number,) = table.tick(1300.0)
    assert list(map(encode, table.events))[number] == {"event": "time_up", "order_number": 2, "at": 1}
    assert table.tick(1301.0) == []
    assert table.view(1301.0).clock.over


def test_time_up_comes_at_once_where_there_is_no_extra_time() -> None:
    table = new_table()
    table.order(decode_request({"event": "release"}), 100.0)
    (number,) = table.order(decode_request({"event": "time_up", "order_number": 2}), 1000.0)
    assert list(map(encode, table.events))[number]["event"] == "time_up"
    assert table.order(decode_request({"event": "time_up", "order_number": 2}), 1001.0) == []
    assert table.order(decode_request({"event": "time_up", "order_number": 7}), 1001.0) == []


# --- time


def test_the_playing_time_ends_by_itself_once() -> None:
    table = new_table()
    table.request(decode_request({"event": "release"}, BY_ALL), 1000.0)
    assert table.view(1060.0).clock.remaining == 7140
    assert table.tick(8199.0) == []
    assert len(table.tick(8200.5)) == 1
    assert table.tick(8300.0) == []
    assert table.round.time_up


def test_the_remaining_time_survives_a_restart() -> None:
    table = new_table()
    table.request(decode_request({"event": "release"}, BY_ALL), 1000.0)
    for now in range(1000, 1100):
        table.tick(float(now))
    # the machine was restarted: its clock began anew; what was kept last holds
    assert Table(deepcopy(table.log), now=30.0, boot="c").view(30.0).clock.remaining == pytest.approx(7110, abs=10)
    assert Table(table.log, now=1160.0, boot="b").view(1160.0).clock.remaining == 7040


def test_without_a_kept_clock_the_log_says_what_is_known() -> None:
    table = new_table()
    table.request(decode_request({"event": "release"}, BY_ALL), 1000.0)
    log = MemoryLog()
    for _, event in table.log.read():
        log.append(event)
    assert Table(log, now=5.0, boot="b").view(5.0).clock.running
    log.keep("clock", "rubbish")
    assert Table(log, now=5.0, boot="b").view(5.0).clock.remaining == 7200


def test_a_ruling_after_the_end_opens_the_time_again() -> None:
    """Called at minute 118, the referee rules at 123 and gives five minutes: two are left for another game."""
    table = new_table()
    table.request(decode_request({"event": "release"}, BY_ALL), 0.0)
    table.request(decode_request({"event": "deal", "dealer": 1}, BY_ALL), 7100.0)
    table.request(
        decode_request({"event": "object", "seat": 2, "against": None, "code": None, "breach": None}, BY_ALL), 7110.0
    )
    assert len(table.tick(7200.0)) == 1
    assert table.round.time_up
    table.request(decode_request({"event": "rule", "offender": None, "class": "none", "minutes": 5}, BY_ALL), 7380.0)
    assert not table.round.time_up
    assert table.view(7380.0).clock.remaining == 120
    assert table.tick(7499.0) == []
    assert len(table.tick(7500.0)) == 1
    assert table.round.time_up


# --- a full disk


class FullDisk(MemoryLog):
    """A disk that can be full."""

    full = False

    def add(self, events: Sequence[dict[str, Any]], kept: Mapping[str, str] = MappingProxyType({})) -> int:
        if self.full:
            raise LogFull("the disk is full; free some space")
        return super().add(events, kept)

    def keep(self, key: str, value: str) -> None:
        if self.full:
            raise LogFull("the disk is full; free some space")
        super().keep(key, value)


def test_a_full_disk_is_shown_and_nothing_is_lost() -> None:
    disk = FullDisk()
    table = new_table(disk)
    events = list(simulate("eppstein", 1, 1))
    live(events[:20], table)
    disk.full = True
    live([events[0], *events[20:40]], table)
    shown = table.view()
    assert [n.code for n in shown.notices] == ["disk_full"]
    assert shown.unsaved == 20
    assert len(disk.read()) == 20
    table.tick(1.0)
    disk.full = False
    table.tick(10.0)
    assert table.view().notices == ()
    assert table.view().unsaved == 0
    assert [e for _, e in disk.read()] == list(map(encode, table.events))
    live([events[0], *events[40:]], table, 11.0)
    assert replay_data(fold(decode(e) for _, e in disk.read())) == replay_data(table.round)


@pytest.mark.parametrize("full", [False, True], ids=["written", "waiting"])
def test_a_later_picture_of_a_card_in_doubt_takes_the_place_of_the_one_before(full: bool) -> None:
    disk = FullDisk()
    table = new_table(disk)
    events = list(simulate("eppstein", 1, 1))
    first = next(n for n, event in enumerate(events) if event["event"] == "card")
    live(events[:first], table)
    disk.full = full
    laid = decode(events[first])
    assert isinstance(laid, CardPlayed)
    number = table.note(replace(laid, doubt=("CA", "CK")), b"a hand")
    assert table.view().doubts[0].picture == b"a hand"
    table.renew_picture(number, b"the card")
    assert table.view().doubts[0].picture == b"the card"
    disk.full = False
    table.tick(10.0)
    assert disk.picture(number) == b"the card"


def test_a_full_disk_at_a_table_on_its_own_sends_nobody_to_a_direction() -> None:
    disk = FullDisk()
    disk.full = True
    events = list(simulate("eppstein", 1, 1))
    table = Table(disk, now=0.0, opening=decode_opening(events[0]), directed=False)
    assert [n.code for n in table.view().notices] == ["disk_full_alone"]
    for language in ("de", "en"):
        assert "irect" not in word("disk_full_alone", language)
        assert "leitung" not in word("disk_full_alone", language)


def test_each_game_is_brought_to_its_place_on_the_disk() -> None:
    class Settling(MemoryLog):
        settled: tuple[int, ...] = ()

        def settle(self) -> None:
            self.settled += (len(self.read()),)

    disk = Settling()
    table = new_table(disk)
    live(list(simulate("eppstein", 1, 3)), table)
    assert len(disk.settled) == 3 and list(disk.settled) == sorted(disk.settled)


def test_a_table_opens_on_a_full_disk() -> None:
    disk = FullDisk()
    disk.full = True
    table = new_table(disk)
    table.request(decode_request({"event": "release"}, BY_ALL))
    assert [n.code for n in table.view().notices] == ["disk_full"]
    disk.full = False
    table.tick(10.0)
    assert [event["event"] for _, event in disk.read()] == ["open", "release"]


# --- the view


def test_the_director_s_copy_shows_the_same_table() -> None:
    events = list(simulate("eppstein", 2, 2, mistakes=0.02))
    table = new_table()
    live(events, table)
    shown = table.view(0.0)
    assert view(
        fold(map(decode, json.loads(json.dumps(list(map(encode, table.events)))))), clock=shown.clock
    ) == replace(shown, notices=(), needs_all=frozenset())

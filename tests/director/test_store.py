"""The director's store: one contract, for whatever database is behind it."""

import sqlite3
from typing import Any

import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from kiosk.director.key import ListKey
from kiosk.director.refusals import Contradiction, Gap, NotAnEvent, StoreFailed
from kiosk.director.storage import database
from kiosk.director.storage.order_store import Receipt
from kiosk.director.storage.store import Store
from kiosk.table.events.chain import START, link

KEY = ListKey("herbst", 1, 7)
OPEN: dict[str, Any] = {
    "event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1,
    "players": ["Anna", "Bernd", "Cem", "Dörte"],
}  # fmt: skip
EVENTS = [OPEN, {"event": "release", "at": 1795186800123}, {"event": "deal", "dealer": 1}, {"event": "call", "seat": 2}]


def chain(events: list[dict[str, Any]]) -> str:
    head = START
    for event in events:
        head = link(head, event)
    return head


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'director.sqlite'}"
    return request.getfixturevalue("new_database")()


@pytest.fixture
def store(url):
    made = Store(url)
    yield made
    made.close()


def test_append_answers_the_last_number_and_the_chain(store):
    first = store.append(KEY, -1, START, EVENTS[:2])
    assert (first.last, first.chain) == (1, chain(EVENTS[:2]))
    second = store.append(KEY, 1, first.chain, EVENTS[2:])
    assert (second.last, second.chain) == (3, chain(EVENTS))
    assert store.read(KEY) == EVENTS
    assert store.read(KEY, after=2) == EVENTS[3:]
    assert store.stand(KEY) == second


@pytest.mark.parametrize("after", [-1, 0, 1])
def test_sent_again_is_stored_once(store, after):
    store.append(KEY, -1, START, EVENTS[:3])
    again = store.append(KEY, after, chain(EVENTS[: after + 1]), EVENTS[after + 1 :])
    assert again.last == 3
    assert store.read(KEY) == EVENTS


def test_asking_stores_nothing(store):
    assert store.append(KEY, -1, START, []).last == -1
    store.append(KEY, -1, START, EVENTS)
    assert store.append(KEY, -1, START, []).last == 3
    assert store.keys() == [KEY]


def test_a_gap_is_refused_with_the_number_wanted(store):
    store.append(KEY, -1, START, EVENTS[:2])
    with pytest.raises(Gap, match="number 2 is wanted") as caught:
        store.append(KEY, 2, chain(EVENTS[:3]), EVENTS[3:])
    assert caught.value.wanted == 2
    assert store.read(KEY) == EVENTS[:2]


def test_a_contradiction_names_both_and_overwrites_nothing(store):
    store.append(KEY, -1, START, EVENTS)
    other = {"event": "deal", "dealer": 3}
    with pytest.raises(Contradiction, match=r"event 2 is stored as .*'dealer': 1.*'dealer': 3.*nothing") as caught:
        store.append(KEY, -1, START, [*EVENTS[:2], other, {"event": "call", "seat": 4}])
    assert (caught.value.number, caught.value.stored, caught.value.sent) == (2, EVENTS[2], other)
    assert store.read(KEY) == EVENTS


def test_another_beginning_is_refused_though_the_number_fits(store):
    store.append(KEY, -1, START, EVENTS[:2])
    elsewhere = [OPEN, {"event": "release", "at": 7}]
    with pytest.raises(Contradiction) as caught:
        store.append(KEY, 1, chain(elsewhere), EVENTS[2:])
    assert caught.value.number is None
    assert store.read(KEY) == EVENTS[:2]


def test_all_of_a_message_or_nothing(store):
    with pytest.raises(NotAnEvent, match="event 1"):
        store.append(KEY, -1, START, [OPEN, {"seat": 2}])
    assert store.read(KEY) == []


@pytest.mark.parametrize(
    ("events", "text"),
    [
        pytest.param([{"event": "deal", "dealer": 1}], "a list begins with 'open'", id="no open"),
        pytest.param([OPEN | {"table": 8}], "opens table 8.*correct the table's number", id="other table"),
        pytest.param([OPEN | {"round": 2}], "opens round 2", id="other round"),
        pytest.param(["open"], "an object with the key", id="text"),
        pytest.param([OPEN | {"at": float("nan")}], "event 0 of herbst", id="nan"),
    ],
)
def test_what_is_no_event_is_refused(store, events, text):
    with pytest.raises(NotAnEvent, match=text):
        store.append(KEY, -1, START, events)


def test_tables_rounds_and_tournaments_are_apart(store):
    others = [ListKey("herbst", 1, 8), ListKey("herbst", 2, 7), ListKey("winter", 1, 7)]
    store.append(KEY, -1, START, EVENTS)
    for other in others:
        mine = OPEN | {"table": other.table, "round": other.round, "players": ["W", "X", "Y", "Z"]}
        store.append(other, -1, START, [mine])
        assert store.read(other) == [mine]
    assert store.read(KEY) == EVENTS
    assert store.keys("herbst") == sorted([KEY, *others[:2]])


def test_a_restart_keeps_everything(url):
    first = Store(url)
    first.append(KEY, -1, START, EVENTS)
    order = first.give("herbst", 1, 7, {"event": "release"})
    first.close()
    second = Store(url)
    assert second.read(KEY) == EVENTS
    assert second.pending(KEY) == [order]
    second.close()


def test_events_keep_their_keys_and_their_order(store):
    event = OPEN | {"grown": {"b": [1, 2.5, None], "a": "ä♥"}}
    store.append(KEY, -1, START, [event])
    assert list(store.read(KEY)[0].items()) == list(event.items())


def test_orders_wait_until_answered(store):
    to_all = store.give("herbst", 1, None, {"event": "release"})
    mine = store.give("herbst", 1, 7, {"event": "time_up"})
    store.give("herbst", 1, 8, {"event": "time_up"})
    store.give("herbst", 2, None, {"event": "release"})
    assert to_all.number < mine.number
    assert store.pending(KEY) == [to_all, mine]
    store.answer(KEY, mine.number, "not now")
    store.answer(KEY, mine.number, None)  # the first answer counts
    assert store.pending(KEY) == [to_all]
    assert [(answer.number, answer.refused) for answer in store.answers(KEY)] == [(mine.number, "not now")]
    why = {"code": "card_in_the_way", "section": "", "way": {"number": 7, "game": 1}}
    store.answer(KEY, to_all.number, "event 7 cannot stand", why)
    assert [(one.refused, one.why) for one in store.answers(KEY)] == [("event 7 cannot stand", why), ("not now", None)]
    assert to_all in store.pending(ListKey("herbst", 1, 99))  # a table that comes later gets it too


def test_the_event_is_the_receipt(store):
    order = store.give("herbst", 1, 7, {"event": "release"})
    store.append(KEY, -1, START, [OPEN])
    assert store.pending(KEY) == [order]
    carried_out = {"event": "release", "order_number": order.number}
    store.append(KEY, 0, chain([OPEN]), [carried_out])
    assert store.pending(KEY) == []
    store.append(KEY, -1, START, [OPEN, carried_out])
    assert [(answer.number, answer.event) for answer in store.answers(KEY)] == [(order.number, 1)]


def test_what_became_of_the_orders_to_several_tables_is_what_each_table_says(store):
    keys = [ListKey("herbst", 1, table) for table in (7, 8, 9)]
    to_all = store.give("herbst", 1, None, {"event": "release"})
    gone = store.give("herbst", 1, None, {"call": "director"})
    own = [store.give("herbst", 1, key.table, {"event": "time_up"}) for key in keys]
    store.give("herbst", 2, None, {"event": "release"})
    store.give("winter", 1, 7, {"event": "release"})
    store.answer_all([Receipt(keys[1], to_all.number), Receipt(keys[0], own[0].number, "not now", {"code": "x"})])
    store.answer_all([Receipt(keys[0], own[0].number, "again"), Receipt(keys[1], own[1].number, "not now")])
    store.withdraw("herbst", 1, gone.number)
    found = store.of_tables("herbst", 1, [7, 8])
    assert found.keys() == {7, 8}
    for key in keys[:2]:
        orders = found[key.table]
        assert list(orders.pending) == store.pending(key)
        assert [said for _, said in orders.refused] == [one for one in store.answers(key) if one.refused]
    assert [order for order, _ in found[7].refused] == [own[0]] and found[7].pending == (to_all,)
    assert store.of_tables("herbst", 1, [9])[9].pending == (to_all, own[2])
    assert store.last_orders() == {("herbst", 1): own[2].number} | {
        ("herbst", 2): store.orders("herbst", 2)[-1].number, ("winter", 1): store.orders("winter", 1)[-1].number
    }  # fmt: skip


def test_a_lost_store_does_not_give_an_old_number_again(store, url, tmp_path, monkeypatch):
    monkeypatch.setattr(Store, "now", lambda _: 1000)
    old = [store.give("herbst", 1, 7, {"event": "release"}).number for _ in range(3)]
    assert old == [1000, 1001, 1002]
    monkeypatch.setattr(Store, "now", lambda _: 60_000)
    fresh = Store(f"sqlite:///{tmp_path / 'fresh.sqlite'}")
    assert fresh.give("herbst", 1, 7, {"event": "time_up"}).number > max(old)
    fresh.close()


def test_set_aside_deletes_nothing(store):
    store.append(KEY, -1, START, EVENTS)
    assert store.set_aside(KEY) == 1
    assert store.stand(KEY).last == -1
    other = [OPEN, {"event": "deal", "dealer": 2}]
    store.append(KEY, -1, START, other)
    assert store.set_aside(KEY) == 2
    assert store.asides(KEY) == [1, 2]
    assert [store.read(KEY, -1, aside) for aside in (0, 1, 2)] == [[], EVENTS, other]


def test_a_round_that_begins_anew_forgets_its_orders(store):
    other_round = store.give("herbst", 2, None, {"event": "release"})
    store.give("herbst", 1, None, {"event": "release"})
    store.append(KEY, -1, START, EVENTS)
    store.append(ListKey("herbst", 1, 8), -1, START, [])
    assert store.begin_anew("herbst", 1) == [KEY]
    assert store.pending(KEY) == []
    assert store.pending(ListKey("herbst", 2, 7)) == [other_round]
    assert store.read(KEY) == [] and store.read(KEY, -1, aside=1) == EVENTS


def test_a_full_disk_is_told_and_nothing_is_half_stored(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'director.sqlite'}")
    store.append(KEY, -1, START, EVENTS[:1])

    def room(pages: int) -> None:
        with store.writing() as db:
            db.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    with store.engine.connect() as db:
        pages = db.exec_driver_sql("PRAGMA page_count").scalar()
    room(pages)
    with pytest.raises(StoreFailed, match=r"full.*nothing was stored.*free space"):
        store.append(KEY, 0, chain(EVENTS[:1]), [{"event": "call", "seat": 2, "long": "x" * 500_000}])
    assert store.read(KEY) == EVENTS[:1]
    room(pages + 100_000)
    assert store.append(KEY, 0, chain(EVENTS[:1]), EVENTS[1:]).last == len(EVENTS) - 1  # and it goes on
    store.close()


def test_a_database_that_others_write_to_is_told_and_written_to_afterwards(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'director.sqlite'}")
    store.append(KEY, -1, START, EVENTS[:1])
    with store.writing() as db:
        db.connection.cursor().execute("PRAGMA busy_timeout=0")
    other = sqlite3.connect(tmp_path / "director.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreFailed, match="locked"):
        store.append(KEY, 0, chain(EVENTS[:1]), EVENTS[1:])
    other.execute("ROLLBACK")
    assert store.append(KEY, 0, chain(EVENTS[:1]), EVENTS[1:]).last == len(EVENTS) - 1
    other.close()
    store.close()


@pytest.mark.parametrize(
    ("url", "text"),
    [
        pytest.param("nonsense", "give an SQLAlchemy URL", id="no url"),
        pytest.param("oracle9://x", "give an SQLAlchemy URL", id="unknown database"),
        pytest.param("sqlite:////nowhere/at/all.sqlite", "unable to open", id="no folder"),
    ],
)
def test_a_database_that_cannot_be_opened(url, text):
    with pytest.raises(StoreFailed, match=text):
        Store(url)


@pytest.mark.parametrize("table", database.METADATA.sorted_tables, ids=str)
def test_the_tables_can_be_made_on_postgresql(table):
    text = str(CreateTable(table).compile(dialect=postgresql.dialect()))
    numbered = table.autoincrement_column  # only where it was meant: other numbers are the tables' own
    assert "CREATE TABLE" in text and ("SERIAL" in text) == (numbered is not None and numbered.autoincrement is True)


def test_notes_are_numbered_and_none_is_written_over(store):
    first = store.note("herbst", 0, {"note": "enter", "names": ["Dörte"]}, at=5)
    assert (first.number, first.at) == (0, 5)
    assert store.note("herbst", 0, {"note": "enter", "names": ["Emil"]}) is None
    store.note("winter", 0, {"note": "gone", "name": "Anna"})
    store.note("herbst", 1, {"note": "gone", "name": "Dörte"})
    assert [one.body["note"] for one in store.notes("herbst")] == ["enter", "gone"]
    assert store.notes("herbst", after=0)[0].number == 1
    assert store.notes("herbst")[0] == first and store.notes("sommer") == []
    store.append(KEY, -1, START, EVENTS)
    assert store.tournaments() == ["herbst", "winter"]

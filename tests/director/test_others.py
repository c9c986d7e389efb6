"""Several directors on one PostgreSQL: each shows all tables and reaches any; one that dies leaves nothing undone."""

import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from kiosk.bench.faults.jumping import let_jump, make_clock
from kiosk.director.key import ListKey
from kiosk.director.process import DirectorProcess
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.storage import news
from kiosk.director.tables import others
from kiosk.sync.line import Line
from kiosk.sync.state import Order, OtherDirectors
from kiosk.table.events.chain import START, chain_over, link
from kiosk.table.events.log import MemoryLog
from tests.waiting import until

pytestmark = pytest.mark.slow

OPEN = {
    "event": "open", "format": 1, "id": "a1", "at": 1795186800000, "rules": "bsv", "options": {}, "table": 7,
    "round": 1, "tournament": "t", "games": 20, "seed": 1, "players": ["Anna", "Bernd", "Cem", "Dörte"],
}  # fmt: skip
DEAL = {"event": "deal", "dealer": 1}
CAMERA = {"status": {"camera": "dark", "seats": 5}}


@pytest.fixture
def two(new_database: Callable[[], str]) -> Iterator[tuple[Service, Service]]:
    """Two directors on one database, of which each knows the other."""
    with several(new_database(), 2) as (first, second):
        yield first, second


@contextmanager
def several(url: str, count: int) -> Iterator[list[Service]]:
    settings = Settings(tournament="t", database=url, port=0, pin="2468")
    with ExitStack() as stack:
        services = [stack.enter_context(Service(settings)) for _ in range(count)]
        for table in (7, 8):
            services[0].enrol(table, f"t{table}.geheim")
        for service in services:
            until(lambda service=service: len(service.app.state.others.addresses) == count - 1)
        yield services


def line(service: Service | DirectorProcess, device: str = "one", table: int = 7) -> ClientConnection:
    address = f"{service.url.replace('http', 'ws')}/line/t/1/{table}?device={device}"
    return connect(address, additional_headers={"Authorization": f"Bearer t{table}.geheim"}, proxy=None)


def send(
    service: Service | DirectorProcess, events: list[dict[str, Any]], before: Sequence[dict[str, Any]] = ()
) -> httpx.Response:
    head = START
    for event in before:
        head = link(head, event)
    content = {"after": len(before) - 1, "chain": head, "events": events}
    secret = {"Authorization": "Bearer t7.geheim"}
    return httpx.post(f"{service.url}/line/t/1/7/events", json=content, headers=secret, trust_env=False)


@contextmanager
def page(service: Service) -> Iterator[httpx.Client]:
    """A director's page of that service."""
    with httpx.Client(base_url=service.url, trust_env=False) as client:
        assert client.post("/api/login", json={"pin": "2468"}).status_code == 200
        yield client


def card(service: Service, table: int = 7) -> dict[str, Any]:
    shown: dict[str, Any] = service.app.state.feed.card(ListKey("t", 1, table))
    return shown


def order_in(opened: ClientConnection, seconds: float = 30.0) -> dict[str, Any]:
    while True:
        for order in json.loads(opened.recv(timeout=seconds)).get("orders", ()):
            return dict(order)


def test_each_shows_the_tables_of_the_other(two):
    here, there = two
    with line(here) as table:
        table.send(json.dumps(CAMERA))
        until(lambda: card(there)["status"] == CAMERA["status"])
        assert card(there)["connected"] and card(there)["mat_seats"] == 5
        assert card(there)["since"] == card(here)["since"]
    until(lambda: not card(there)["connected"])
    assert card(there)["mat_seats"] is None


def test_what_a_table_sends_to_one_is_on_the_pages_of_the_other(two):
    here, there = two
    assert send(here, [OPEN]).json()["last"] == 0
    until(lambda: there.app.state.hall.desk(ListKey("t", 1, 7)).copy.count == 1)
    assert send(there, [DEAL], [OPEN]).json()["last"] == 1
    until(lambda: here.app.state.hall.desk(ListKey("t", 1, 7)).copy.count == 2)
    assert card(here)["players"] == OPEN["players"]


def test_a_few_events_come_with_the_news_of_them_and_many_are_read(two, monkeypatch):
    here, there = two
    key, store, read = ListKey("t", 1, 7), there.app.state.hall.store, list[int]()
    stored = store.read
    monkeypatch.setattr(
        store, "read", lambda key, after=-1, aside=0: (read.append(after), stored(key, after, aside))[1]
    )
    copy = lambda: there.app.state.hall.desk(key).copy  # noqa: E731
    events = [OPEN, DEAL]
    assert send(here, events).json()["last"] == 1
    until(lambda: copy().count == 2)
    read.clear()
    for more in ([{"event": "card", "seat": 2, "card": "HT"}], [{"event": "card", "seat": 3, "card": "CQ"}] * 3):
        assert send(here, more, events).json()["last"] == len(events) + len(more) - 1
        events = [*events, *more]
        whole = chain_over(events)
        until(lambda whole=whole: copy().chain == whole)
        assert read == []
    long = [{"event": "card", "seat": 4, "card": "D9", "why": "x" * 390}] * 5
    assert send(here, long, events).json()["last"] == len(events) + 4
    until(lambda: copy().count == len(events) + 5)
    assert read == [len(events) - 1] and copy().chain == chain_over([*events, *long])


def test_a_list_set_aside_at_one_is_folded_anew_at_the_other(two):
    here, there = two
    send(here, [OPEN, DEAL])
    until(lambda: there.app.state.hall.desk(ListKey("t", 1, 7)).copy.count == 2)
    with page(here) as http:
        assert http.post("/api/t/1/7/aside", json={}).status_code == 200
    until(lambda: there.app.state.hall.desk(ListKey("t", 1, 7)).copy.count == 0)


@pytest.mark.parametrize("table", [7, None], ids=["one table", "the whole hall"])
def test_an_order_given_at_one_reaches_the_table_of_the_other_once(two, table):
    here, there = two
    send(here, [OPEN])
    with line(here) as opened:
        until(lambda: card(there)["connected"])
        with page(there) as http:
            given = http.post("/api/t/1/orders", json={"table": table, "body": {"event": "release"}}).json()
        order = order_in(opened)
        assert order["number"] == given["number"] and order["body"]["event"] == "release"
        assert given["away"] == []
        release = {"event": "release", "at": 1795186800123, "order_number": order["number"]}
        assert send(here, [release], [OPEN]).status_code == 200
        until(lambda: card(there)["pending"] == [] and card(here)["pending"] == [])
        with pytest.raises(TimeoutError):
            order_in(opened, 0.3)


def test_an_order_that_another_director_may_have_sent_is_not_withdrawn(two):
    here, there = two
    send(here, [OPEN])
    with line(here):
        until(lambda: card(there)["connected"])
        with page(there) as http:
            number = http.post("/api/t/1/orders", json={"table": 7, "body": {"event": "release"}}).json()["number"]
            assert http.post(f"/api/t/1/orders/{number}/undo", json={}).status_code == 400


def test_a_note_at_one_is_at_the_other_before_it_would_look_by_itself(two):
    here, there = two
    with page(here) as http:
        assert http.post("/api/t/notes", json={"note": "enter", "names": ["Anna Ott"]}).status_code == 200
    until(lambda: len(there.app.state.hall.office.tournament.people) == 1, 4.0)


RULING = {"event": "rule", "offender": None, "class": "none", "minutes": 5}
HELD = "/api/t/1/7/held"


def test_what_a_table_decided_by_itself_is_on_every_page_and_decided_once(two):
    """Two directors press at the same time: the table gets one order, and one of the two is told."""
    here, there = two
    with line(here) as opened:
        assert send(here, [OPEN]).status_code == 200 and send(here, [RULING], [OPEN]).status_code == 422
        waits = until(lambda: card(there)["held"])
        assert waits == card(here)["held"] and waits["decided"][0]["minutes"] == 5
        with page(there) as one, page(here) as other:
            assert one.post(HELD, json={"last": 1, "stands": False}).json() == {"left": []}
            assert other.post(HELD, json={"last": 1, "stands": True}).status_code == 409
        assert order_in(opened)["body"].items() >= {"event": "correct", "of": 1, "word": None}.items()
        until(lambda: card(here)["held"] is None)
        assert here.app.state.hall.store.read(ListKey("t", 1, 7)) == [OPEN, RULING]
        assert send(here, [], [OPEN, RULING]).json()["last"] == 1


def test_a_director_that_comes_later_knows_what_waits_and_hears_that_it_does_no_more(two):
    here, _ = two
    assert send(here, [OPEN]).status_code == 200 and send(here, [RULING], [OPEN]).status_code == 422
    with Service(Settings(tournament="t", database=here.app.state.hall.store.url, port=0, pin="2468")) as later:
        assert card(later)["held"] == card(here)["held"] and card(here)["held"]
        with page(here) as http:
            assert http.post("/api/devices/t7", json={"rulings": True}).status_code == 200
        assert send(here, [RULING], [OPEN]).json()["last"] == 1
        until(lambda: card(later)["held"] is None)


def test_what_is_put_right_of_a_tournament_that_is_over_comes_to_a_table_of_another_director(two):
    here, there = two
    with line(here) as opened, page(there) as http:
        send(here, [OPEN])
        opened.send(json.dumps({"lists": True}))
        assert until(lambda: json.loads(opened.recv(timeout=30)).get("lists"))["rounds"] == {}
        assert http.post("/api/begin", json={"name": "Winter", "people": False}).status_code == 200
        until(lambda: here.app.state.hall.tournament == "Winter")
        until(lambda: there.app.state.hall.desk(ListKey("t", 1, 7)).copy.count == 1)
        wish = {"what": "name", "seat": 1, "after": "Anja", "reason": "misspelt", "seen": 0}
        said = http.post("/api/t/1/7/mend", json=wish)
        assert said.status_code == 200, said.text
        told = until(lambda: json.loads(opened.recv(timeout=30)).get("lists"))
        assert [one["body"]["after"] for one in told["rounds"]["1"]] == ["Anja"]


def test_a_table_that_moves_is_shown_where_it_is(two):
    here, there = two
    with line(here) as before, line(there):
        until(lambda: here.app.state.hall.desk(ListKey("t", 1, 7)).elsewhere)
        with pytest.raises(ConnectionClosed):
            order_in(before)
        assert card(here)["connected"] and not card(here)["twice"]


def test_news_of_before_do_not_take_a_table_away_from_where_it_is_now(two):
    here, there = two
    key = ListKey("t", 1, 7)
    with line(there) as opened:
        until(lambda: card(here)["connected"])
        since = there.app.state.hall.desk(key).since
        state = {"device": "one", "since": since - 1000, "status": {}}
        here.app.state.hall.store.tell([["table", *key.parts, state], ["table", "t", 1, 8, {**state, "device": "x"}]])
        until(lambda: card(there, 8)["connected"])  # it was heard
        opened.send(json.dumps({"ping": 1.5}))
        assert until(lambda: json.loads(opened.recv(timeout=30)).get("ping")) == 1.5


def test_two_devices_at_two_directors_are_noticed_by_both(two):
    here, there = two
    with line(here, "one") as before, line(there, "two"):
        with pytest.raises(ConnectionClosed) as caught:
            order_in(before)
        assert caught.value.rcvd is not None and caught.value.rcvd.code == 4009
        until(lambda: card(here)["twice"] and card(there)["twice"])


def test_a_session_that_ends_at_one_is_over_at_the_other(two):
    here, there = two
    with page(here) as http:
        cookie = {"cookie": f"stichwart={http.cookies['stichwart']}"}
        assert httpx.get(f"{there.url}/api/devices", headers=cookie, trust_env=False).status_code == 200
        http.post("/api/logout")
    until(lambda: httpx.get(f"{there.url}/api/devices", headers=cookie, trust_env=False).status_code == 403, 4.0)


def test_a_device_withdrawn_at_one_loses_its_socket_at_the_other(two):
    here, there = two
    with line(here) as opened:
        with page(there) as http:
            assert http.post("/api/devices/t7", json={"withdrawn": True}).status_code == 200
        with pytest.raises(ConnectionClosed) as caught:
            order_in(opened)
        assert caught.value.rcvd is not None and caught.value.rcvd.code == 1012
    assert send(here, [OPEN]).status_code == 401


def test_the_tables_of_a_director_that_died_are_away(new_database, tmp_path, monkeypatch):
    """The other is a process of its own, killed in the middle."""
    url = new_database()
    file = tmp_path / "director.toml"
    file.write_text(f'tournament = "t"\ndatabase = "{url}"\nhost = "127.0.0.1"\npin = "2468"\n', encoding="utf-8")
    with several(url, 1) as (here,), DirectorProcess(["--config", file, "--port", "0"]) as dying:
        until(lambda: here.app.state.others.addresses == [dying.url])
        with line(dying):
            until(lambda: card(here)["connected"])
            assert send(dying, [OPEN]).json()["last"] == 0
            os.kill(dying.pid, signal.SIGKILL)
            monkeypatch.setattr(others, "_DEAD_S", 1.0)  # it is silent from now on, and that alone tells
            until(lambda: not card(here)["connected"])
        assert here.app.state.others.addresses == []


def test_a_table_goes_on_at_another_director_when_its_own_dies(new_database, tmp_path):
    """The kiosk's own line: it was told of the other one, brings its list there, and is reached by orders there."""
    url = new_database()
    file = tmp_path / "director.toml"
    file.write_text(f'tournament = "t"\ndatabase = "{url}"\nhost = "127.0.0.1"\npin = "2468"\n', encoding="utf-8")
    log, heard = MemoryLog(), []
    with several(url, 1) as (here,), DirectorProcess(["--config", file, "--port", "0"]) as dying:
        until(lambda: here.app.state.others.addresses == [dying.url])
        table = Line(dying.url, "t7.geheim", "t", 7, 1, log, heard.append, ask_plan=True)
        log.append(OPEN)
        table.start()
        until(lambda: table.state.connected and table.state.waiting == 0)
        assert until(lambda: [one for one in heard if isinstance(one, OtherDirectors)])[-1].urls == (here.url,)
        os.kill(dying.pid, signal.SIGKILL)
        log.append(DEAL)
        table.wake()
        until(lambda: here.app.state.hall.desk(ListKey("t", 1, 7)).line is not None)
        until(lambda: table.state.waiting == 0)
        assert here.app.state.hall.store.read(ListKey("t", 1, 7)) == [OPEN, DEAL]
        with page(here) as http:
            http.post("/api/t/1/orders", json={"table": 7, "body": {"event": "release"}})
        until(lambda: [one for one in heard if isinstance(one, Order)])
        table.stop()


def test_who_did_not_hear_for_a_while_looks_at_everything(two, postgresql):
    """The server ends all connections; while nobody hears, one director stores."""
    here, there = two
    name = here.app.state.hall.store.engine.url.database
    with psycopg.connect(postgresql.address, autocommit=True) as db:
        db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
    assert send(here, [OPEN]).json()["last"] == 0
    until(lambda: there.app.state.hall.desk(ListKey("t", 1, 7)).copy.count == 1)


PIECES = st.lists(st.tuples(st.sampled_from(["events", "table"]), st.text(max_size=2000), st.integers()).map(list))


@given(PIECES)
def test_news_arrive_in_order_however_they_are_packed(pieces):
    texts = list(news.packed("one", pieces))
    assert all(len(text.encode()) < 8000 for text in texts)
    unpacked = [news.unpacked(text) for text in texts]
    assert {teller for teller, _ in unpacked} <= {"one"}
    short = [one for one in pieces if len(json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode()) < 7000]
    assert [one for _, some in unpacked for one in some] == short


@pytest.mark.parametrize("text", ["", "7", "[]", '["one"]', '["one", [[]]]', '[1, [["who"]]]', '["one", ["who"]]'])
def test_what_is_no_news_is_refused(text):
    with pytest.raises(ValueError):
        news.unpacked(text)


@pytest.fixture(params=[400.0, -400.0], ids=["ahead", "behind"])
def other_clock(request, new_database, tmp_path) -> Iterator[tuple[Service, DirectorProcess]]:
    """Two directors, the second with a date that is minutes off."""
    url, file, clock = new_database(), tmp_path / "director.toml", tmp_path / "clock"
    file.write_text(f'tournament = "t"\ndatabase = "{url}"\nhost = "127.0.0.1"\npin = "2468"\n', encoding="utf-8")
    make_clock(clock)
    let_jump(clock, request.param)
    arguments = ["--config", file, "--port", "0"]
    with several(url, 1) as (here,), DirectorProcess(arguments, within=["kiosk.bench.faults.jumping", clock]) as there:
        until(lambda: here.app.state.others.addresses == [there.url])
        yield here, there


def ordered(here: Service) -> int:
    """Number of the last order as pages of this director are told."""
    found: int = here.app.state.feed._frame("t", 1, None)["ordered"]
    return found


def test_who_gave_an_order_first_does_not_depend_on_the_directors_clocks(other_clock):
    """Ended at the other one: not given again here by who has not seen it, and by who has, once he wants to."""
    here, there = other_clock
    send(here, [OPEN])
    body = {"event": "time_up"}
    with page(here) as one, page(there) as other:
        first = other.post("/api/t/1/orders", json={"table": None, "body": body, "since": 0}).json()["number"]
        until(lambda: ordered(here) == first)
        again = one.post("/api/t/1/orders", json={"table": None, "body": body, "since": first - 1})
        assert again.json()["code"] == "ordered_meanwhile" and again.json()["values"]["number"] == first
        second = one.post("/api/t/1/orders", json={"table": None, "body": body, "since": first}).json()["number"]
        assert 0 < second - first < 60_000
        late = other.post("/api/t/1/orders", json={"table": None, "body": body, "since": first}).json()
        assert late["code"] == "ordered_meanwhile"
    for service in other_clock:  # by an order's age a table knows how long ago its round was released
        with line(service) as opened:
            assert 0 <= order_in(opened)["age"] < 60


def test_a_table_stays_where_it_moved_to_whatever_the_directors_clocks_say(other_clock):
    here, there = other_clock
    with line(here), line(there) as now:
        until(lambda: here.app.state.hall.desk(ListKey("t", 1, 7)).elsewhere)
        now.send(json.dumps({"ping": 1.5}))
        assert until(lambda: json.loads(now.recv(timeout=30)).get("ping")) == 1.5
    with line(there), line(here) as now:
        until(lambda: card(here)["connected"] and here.app.state.hall.desk(ListKey("t", 1, 7)).line)
        now.send(json.dumps({"ping": 2.5}))
        assert until(lambda: json.loads(now.recv(timeout=30)).get("ping")) == 2.5

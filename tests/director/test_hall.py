"""What the hall does with sockets that say nonsense, and with alarms that pass."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from kiosk.director.pages import feed
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.storage.store import Store
from kiosk.director.tables import devices, hall
from kiosk.table.events.chain import START
from kiosk.table.events.codec import decode
from tests.waiting import until

KEY = ListKey("t", 1, 7)


@pytest.fixture
def service(tmp_path):
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0)
    with Service(settings) as running:
        for table in range(1, 31):
            running.enrol(table, f"t{table}.geheim")
        yield running


def line(service: Service, device: str = "one", table: int = 7) -> ClientConnection:
    address = f"{service.url.replace('http', 'ws')}/line/t/1/{table}?device={device}"
    return connect(address, additional_headers={"Authorization": f"Bearer t{table}.geheim"}, proxy=None)


@contextmanager
def page(service: Service, **more: Any) -> Iterator[ClientConnection]:
    with connect(service.url.replace("http", "ws") + "/live", proxy=None, **more) as opened:
        opened.send(json.dumps({"tournament": "t", "round": 1, "table": None}))
        yield opened


def until_shown(opened: ClientConnection, what: Any, seconds: float = 30.0) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        message = json.loads(opened.recv(timeout=seconds))
        for card in message.get("hall", message.get("cards", [])):
            if what(card):
                return card
    raise AssertionError("it was not shown")


@pytest.mark.slow
@pytest.mark.parametrize("nonsense", ["{", "[]", '{"answer": "x"}', '{"status": 7}', '"ping"'])
def test_a_socket_that_talks_nonsense_is_closed_and_the_others_stay(service, nonsense):
    with line(service, table=8) as other, line(service) as bad:
        bad.send(nonsense)
        with pytest.raises(ConnectionClosed):
            while True:
                bad.recv(timeout=30)
        other.send(json.dumps({"ping": 1.5}))
        assert json.loads(other.recv(timeout=30))["ping"] == 1.5


@pytest.fixture(autouse=True)
def looks_often(monkeypatch):
    monkeypatch.setattr(hall, "_LOOK_S", 0.1)


def test_who_is_there_and_who_is_gone_is_shown(service):
    with page(service) as viewer:
        with line(service):
            assert until_shown(viewer, lambda card: card["connected"])["table"] == 7
        assert until_shown(viewer, lambda card: not card["connected"])["since"] > 0


def test_a_second_device_takes_over_and_is_told_of(service, monkeypatch):
    with page(service) as viewer, line(service) as first, line(service, "two"):
        with pytest.raises(ConnectionClosed) as caught:
            first.recv(timeout=30)
        assert caught.value.rcvd is not None and caught.value.rcvd.code == 4009
        until_shown(viewer, lambda card: card["twice"])
        monkeypatch.setattr(devices, "_ALARM_S", 0.0)
        assert until_shown(viewer, lambda card: not card["twice"])["connected"]


def test_the_same_device_that_comes_back_is_no_second_one(service):
    with line(service), line(service) as again:
        again.send(json.dumps({"ping": 1.0}))
        again.recv(timeout=30)
        assert service.app.state.feed.card(KEY)["twice"] is False


def test_another_sites_page_may_not_look(service):
    with pytest.raises(InvalidStatus) as caught, page(service, origin="http://evil.example"):
        pass
    assert caught.value.response.status_code == 403


def test_the_clock_goes_on_between_two_words_of_the_table(service):
    with line(service) as table:
        table.send(json.dumps({"status": {"clock": {"running": True, "remaining": 100.0}, "camera": "dark"}}))
        table.send(json.dumps({"ping": 1.0}))
        table.recv(timeout=30)
        first = service.app.state.feed.card(KEY)["clock"]["remaining"]
        time.sleep(0.1)
        assert service.app.state.feed.card(KEY)["clock"]["remaining"] < first < 100.0
        assert service.app.state.feed.card(KEY)["status"] == {"camera": "dark"}


def test_a_card_is_written_once_for_pages_that_fall_behind_and_anew_when_it_changes(tmp_path, monkeypatch):
    store = Store(f"sqlite:///{tmp_path / 'd.sqlite'}")
    here = hall.Hall(store, Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}"))
    pages = feed.Feed(here)
    made = []
    card = pages.card
    monkeypatch.setattr(pages, "card", lambda key, known: made.append(key) or card(key, known))

    async def written() -> dict[str, Any]:
        (text,) = await pages._written([KEY])
        return json.loads(text)

    async def turns() -> list[dict[str, Any]]:
        here.desk(KEY).conflict = "before"
        told = [await written(), await written()]
        here.desk(KEY).conflict = "after"
        pages.changed(KEY)
        return [*told, await written()]

    first, again, changed = asyncio.run(turns())
    assert len(made) == 2 and again == first
    assert (first["conflict"], changed["conflict"]) == ("before", "after")
    here.threads.stop()
    store.close()


def test_a_table_that_still_plays_an_earlier_list_is_said_to(service):
    begun = list(simulate("eppstein", 3, games=1, table=7))[:2]
    with line(service), httpx.Client(base_url=service.url, trust_env=False, timeout=30) as http:
        for events, busy in ((begun, {"tournament": "t", "round": 1}), ([*begun, {"event": "close"}], None)):
            message = {"after": -1, "chain": START, "events": events}
            said = http.post("/line/t/1/7/events", json=message, headers={"Authorization": "Bearer t7.geheim"})
            assert said.status_code == 200
            until(lambda busy=busy: service.app.state.feed.card(ListKey("t", 2, 7))["busy"] == busy)
            assert service.app.state.hall.desk(KEY).connected
    assert service.app.state.feed.card(KEY)["busy"] is None


def test_a_card_described_while_its_list_grows_is_described_again(tmp_path):
    here = hall.Hall(
        Store(f"sqlite:///{tmp_path / 'd.sqlite'}"),
        Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}"),
    )
    pages = feed.Feed(here)

    async def breaks_shown() -> list[str]:
        copy = here.desk(KEY).copy
        names = ["A", "B", "C", "D"]
        copy.add([{"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": names}])
        before, copy.count = copy.round, copy.count + 1  # the thread that folds counts the event first
        assert before is not None
        told = [pages.card(KEY)["paused"]]
        copy.round, copy.folded = before.apply(decode({"event": "pause"})), copy.count
        return [*told, pages.card(KEY)["paused"]]

    first, then = asyncio.run(breaks_shown())
    assert not first and then

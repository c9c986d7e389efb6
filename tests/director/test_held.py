"""What tables decided by orders that a director has lost: it waits in all rounds, and one press takes it."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.tables.held_back import GoesOn
from kiosk.table.events.chain import START, chain_over
from tests.director.test_setup_page import log_in

PIN = "2468"
BEFORE = int(time.time() * 1000) - 600_000
EXTRA = {"event": "rule", "offender": None, "class": "none", "minutes": 5, "at": BEFORE, "order_number": 4711}
LISTS = [(1, 1), (1, 2), (2, 1)]  # round, table


def begun(round_: int, table: int) -> list[dict[str, Any]]:
    opening, *events = simulate("eppstein", 3, games=1, table=table)
    return [{**opening, "round": round_}, *events[:6]]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A director without its data, to which tables send lists that it had ordered something in."""
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin=PIN)
    with Service(settings) as running:
        for table in (1, 2):
            running.enrol(table, f"t{table}.geheim")
        for round_, table in LISTS:
            assert send(running, round_, table, [EXTRA, {"event": "pause", "at": BEFORE}]).status_code == 422
        yield running


def send(
    service: Service, round_: int, table: int, more: list[dict[str, Any]], before: list[dict[str, Any]] | None = None
) -> httpx.Response:
    """Send these events behind those that are stored; by default behind the beginning, with it."""
    after = begun(round_, table) if before is None else before
    message = {"after": len(after) - 1, "chain": chain_over(after), "events": more}
    if before is None:
        message = {"after": -1, "chain": START, "events": [*after, *more]}
    return httpx.post(
        f"{service.url}/line/t/{round_}/{table}/events",
        json=message,
        headers={"Authorization": f"Bearer t{table}.geheim"},
        trust_env=False,
        timeout=30,
    )


def stored(service: Service, round_: int, table: int) -> list[dict[str, Any]]:
    return list(service.app.state.hall.store.read(ListKey("t", round_, table)))


@pytest.fixture
def director(service: Service) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url, trust_env=False, timeout=30) as http:
        assert http.post("/api/login", json={"pin": PIN}).status_code == 200
        yield http


def test_all_that_waits_is_listed_and_taken_by_one_press(service: Service, director: httpx.Client) -> None:
    waiting = director.get("/api/t/held").json()
    assert [(one["round"], one["table"]) for one in waiting] == LISTS
    assert all(one["decided"][0]["ordered"] and len(one["players"]) == 4 for one in waiting)
    lists = [{key: one[key] for key in ("round", "table", "last")} for one in waiting]
    stale = [{**lists[0], "last": lists[0]["last"] - 1}, {"round": 9, "table": 9, "last": 1}]
    assert director.post("/api/t/held", json={"lists": stale}).json() == {"taken": 0}
    assert director.post("/api/t/held", json={"lists": lists}).json() == {"taken": 3}
    assert director.post("/api/t/held", json={"lists": lists}).json() == {"taken": 0}  # twice by mistake
    assert director.get("/api/t/held").json() == []
    for round_, table in LISTS:
        assert [one["event"] for one in stored(service, round_, table)][-2:] == ["rule", "pause"]
    acts = director.get("/api/t/protocol.json").json()["acts"]
    assert sorted((act["round"], act["table"]) for act in acts if act["what"] == "held_taken") == LISTS


@pytest.mark.slow
@pytest.mark.parametrize("lists", [None, "x", [None], [{}], [{"round": 1, "table": True, "last": 2}]])
def test_what_names_no_list_is_refused(director: httpx.Client, lists: Any) -> None:
    assert director.post("/api/t/held", json={"lists": lists}).status_code == 422


def test_the_rest_of_a_list_that_was_taken_follows_by_itself(service: Service, director: httpx.Client) -> None:
    """A list comes in messages of two hundred events; a ruling that nobody ever ordered waits as before."""
    last = director.get("/api/t/held").json()[0]["last"]
    assert director.post("/api/t/held", json={"lists": [{"round": 1, "table": 1, "last": last}]}).json()["taken"] == 1
    before = stored(service, 1, 1)
    later = [{"event": "resume", "at": BEFORE}, {**EXTRA, "order_number": 4712}]
    assert send(service, 1, 1, later, before).status_code == 200
    own = {key: value for key, value in EXTRA.items() if key != "order_number"}
    for table, event in ((1, own), (2, EXTRA)):
        assert send(service, 1, table, [event], stored(service, 1, table)).status_code == 422
    assert [(one["round"], one["table"]) for one in director.get("/api/t/held").json()] == LISTS


@pytest.mark.parametrize(
    ("event", "given", "later_s", "takes"),
    [
        pytest.param({"order_number": 7, "at": 900}, [], 1.0, True, id="its order is gone"),
        pytest.param({"order_number": 7, "at": 900}, [7], 1.0, False, id="something else was ordered"),
        pytest.param({"at": 900}, [], 1.0, False, id="never ordered"),
        pytest.param({"order_number": True, "at": 900}, [], 1.0, False, id="no number"),
        pytest.param({"order_number": 7, "at": 1001}, [], 1.0, False, id="decided since"),
        pytest.param({"order_number": 7}, [], 1.0, False, id="nobody knows when"),
        pytest.param({"order_number": 7, "at": 900}, [], 61.0, False, id="a minute later"),
    ],
)
def test_what_follows_a_list_that_was_taken(event: Any, given: list[int], later_s: float, takes: bool) -> None:
    assert GoesOn(1000.0, 50.0).takes(event, given, 50.0 + later_s) is takes


@pytest.mark.slow
@pytest.mark.parametrize("fails_at", ["_append_all", "_let_go", "_give"])
def test_what_is_taken_back_is_stored_with_its_orders_or_not_at_all(
    service: Service, director: httpx.Client, monkeypatch: pytest.MonkeyPatch, fails_at: str
) -> None:
    """Wherever the disk fails in it, it waits on as before; the second press takes it back once."""
    store, key = service.app.state.hall.store, ListKey("t", 1, 1)
    (waits, *others) = director.get("/api/t/held").json()
    real = getattr(store, fails_at)

    def fails(*args: Any) -> None:
        real(*args)
        raise sqlite3.OperationalError("disk I/O error")

    wish = {"last": waits["last"], "stands": False}
    with monkeypatch.context() as patch:
        patch.setattr(store, fails_at, fails)
        assert director.post("/api/t/1/1/held", json=wish).status_code == 507
    assert director.get("/api/t/held").json() == [waits, *others]
    assert (stored(service, 1, 1), store.pending(key)) == (begun(1, 1), [])
    assert director.post("/api/t/1/1/held", json=wish).json() == {"left": []}
    assert director.post("/api/t/1/1/held", json=wish).status_code == 409  # twice by mistake
    ruling = len(begun(1, 1))
    assert stored(service, 1, 1)[ruling]["event"] == "rule"
    orders = [order.body for order in store.pending(key)]
    assert orders == [{"event": "correct", "of": ruling, "word": None, "actor": "PIN"}]


@pytest.mark.parametrize("width", [1280, 390])
def test_the_hall_says_what_waits_in_any_round(browser: Any, service: Service, width: int) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    context = browser.new_context(viewport={"width": width, "height": 900}, locale="de-DE")
    page = context.new_page()
    page.goto(f"{service.url}/#/1")
    log_in(page)
    todo = page.locator(".todo")
    playwright.expect(todo).to_contain_text("Runde 2, Tisch 1 Entschieden, aber der Auftrag")
    playwright.expect(todo.locator("li", has_text="Tisch 2 Entschieden")).to_contain_text("der Auftrag")
    todo.get_by_role("button", name="Alles übernehmen, was wartet (3)").click()
    dialog = page.get_by_role("dialog")
    playwright.expect(dialog.locator("li")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    dialog.get_by_role("button", name="Übernehmen", exact=True).click()
    playwright.expect(todo.get_by_role("button", name="Alles übernehmen")).to_have_count(0)
    playwright.expect(todo).not_to_contain_text("Auftrag")
    assert all(stored(service, *one)[-1]["event"] == "pause" for one in LISTS)
    context.close()

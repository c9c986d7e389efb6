"""What the page does with the tournament: who may, what is refused, and what reaches tables and pages."""

import json
import threading
import time
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from kiosk.director.key import ListKey
from kiosk.director.office import Office
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.storage.database import now
from kiosk.director.tables import hall
from kiosk.errors import LONGEST_SHOWN
from kiosk.sync.outbox import Outbox
from kiosk.table.events.log import MemoryLog
from kiosk.tournament.people import Person
from kiosk.tournament.tournament import begin

pytestmark = pytest.mark.slow

FOUR = ["Anna", "Bernd", "Cem", "Dora"]


@pytest.fixture
def settings(tmp_path):
    people = [Person(name=name) for name in FOUR]
    return Settings(
        tournament="t",
        database=f"sqlite:///{tmp_path / 'd.sqlite'}",
        port=0,
        pin="2468",
        begins=begin("t", rules="bsv", people=people),
    )


@pytest.fixture
def page(settings):
    with Service(settings) as service, httpx.Client(base_url=service.url) as client:
        assert client.post("/api/login", json={"pin": "2468"}).status_code == 200
        for table in range(1, 13):
            service.enrol(table, f"t{table}.geheim")
        client.service = service  # type: ignore[attr-defined]
        yield client


def secret(table: int) -> dict[str, str]:
    return {"Authorization": f"Bearer t{table}.geheim"}


def note(page: httpx.Client, **wish: Any) -> dict[str, Any]:
    answer = page.post("/api/t/notes", json=wish)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def setup(page: httpx.Client) -> dict[str, Any]:
    return dict(page.get("/api/t/setup").json())


def opened(page: httpx.Client, table: int, players: list[str], *more: dict[str, Any]) -> MemoryLog:
    """A table that has opened its list."""
    log = MemoryLog()
    opening = {"event": "open", "format": 1, "rules": "bsv", "table": table, "round": 1, "players": players}
    for event in (opening, {"event": "release"}, *more):
        log.append(event)
    box = Outbox(log)
    for _ in range(2):
        post = box.post()
        assert post is not None
        answer = page.post(f"/line/t/1/{table}/events", json=post.json(), headers=secret(table))
        box.took(answer.json()["last"], answer.json()["chain"])
    end = time.monotonic() + 30
    while not page.get(f"/api/t/1/{table}/list.json").is_success:
        assert time.monotonic() < end, "the fold did not come"
        time.sleep(0.02)
    return log


def orders(page: httpx.Client) -> list[tuple[int | None, dict[str, Any]]]:
    store = page.service.app.state.hall.store  # type: ignore[attr-defined]
    return [(order.table, order.body) for order in store.orders("t", 1)]


def test_everybody_may_look_and_only_the_director_may_note(settings):
    with Service(settings) as service, httpx.Client(base_url=service.url) as stranger:
        assert [one["name"] for one in setup(stranger)["people"]] == FOUR
        for path, body in (("notes", {"note": "gone", "name": "Anna"}), ("1/1/substitute", {"seat": 1, "came": "X"})):
            assert stranger.post(f"/api/t/{path}", json=body).status_code == 403
        assert stranger.get("/api/other/setup").status_code == 400
        service.app.state.hall.office.note({"note": "check_in", "name": "Anna"})
        assert {one["checked_in"] for one in setup(stranger)["people"]} == {None}  # the direction's own business


def test_options_are_told_with_meaning_section_and_default(page):
    note(page, note="setup", rules="bsv", options={"games": 20}, day="2026-11-20", start="19:30")
    shown = setup(page)
    options = {one["name"]: one for chapter in shown["book"]["chapters"] for one in chapter["options"]}
    assert (options["games"]["value"], options["games"]["default"], options["games"]["section"]) == (20, 24, "bsv 8.5")
    assert options["games"]["told"].startswith("Spiele einer Runde") and shown["start"] == "19:30"
    english = page.get("/api/book/bsv?language=en").json()
    assert next(one for one in english["chapters"][0]["options"] if one["name"] == "games")["value"] == 24
    assert page.get("/api/book/skat").status_code == 400


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"note": "setup", "options": {"games": 1000}}, "option"),
        ({"note": "enter", "names": ["anna"]}, "same_name"),
        ({"note": "publish", "round": 1}, "no_plan"),
        ({"note": "lots", "lots": {"Anna": 1}}, "malformed"),
        ({"note": "substituted", "round": 1}, "malformed"),
        ({"note": "draw", "round": "1"}, "malformed"),
        ({"note": "nonsense"}, "malformed"),
        ({"note": ["setup"]}, "malformed"),
        ({"note": {"setup": 1}}, "malformed"),
        ({}, "malformed"),
    ],
    ids=str,
)
def test_what_cannot_be_noted(page, wish, code):
    answer = page.post("/api/t/notes", json=wish)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


LONG = "x" * (LONGEST_SHOWN + 1)


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda page: page.post("/api/t/series", json={"name": LONG}), id="name of a series"),
        pytest.param(lambda page: page.get(f"/api/{LONG}/1/7/games/1"), id="tournament of a game"),
        pytest.param(
            lambda page: page.post(f"/api/{LONG}/1/7/held", json={"last": 1, "stands": True}), id="tournament of a list"
        ),
    ],
)
def test_a_refusal_never_repeats_a_long_value(page, ask):
    answer = ask(page)
    assert answer.status_code >= 400 and LONG not in answer.text


def test_numbers_that_do_not_fit_are_told_before_and_refused(page):
    note(page, note="enter", names=["Emil"])
    assert setup(page)["by_round"]["1"]["possible"]["fours"]["fives_would_do"]
    answer = page.post("/api/t/notes", json={"note": "draw", "round": 1, "fives": False})
    assert answer.json()["values"] == {"people": 5, "substitutes": 0, "missing": 3, "surplus": 1, "fives": True}
    note(page, note="draw", round=1, fives=True)  # bsv 8.3: the direction decides
    assert len(setup(page)["plans"]["1"]["seats"]["1"]) == 5


def test_only_who_is_checked_in_is_seated_once_the_check_in_is_used(page):
    note(page, note="enter", names=["Emil"], here=True)
    shown = setup(page)
    assert shown["present"] == ["Emil"]
    for name in FOUR[:3]:
        note(page, note="check_in", name=name)
    note(page, note="draw", round=1)
    assert sorted(setup(page)["plans"]["1"]["seats"]["1"]) == ["Anna", "Bernd", "Cem", "Emil"]


def test_who_has_gone_since_the_draw_is_named(page):
    note(page, note="draw", round=1)
    note(page, note="gone", name="Cem")
    note(page, note="rename", name="Dora", to="Dora Klein")
    note(page, note="enter", names=["Emil"])
    shown = setup(page)
    assert (shown["plans"]["1"]["missing"], shown["plans"]["1"]["unseated"]) == (["Cem"], ["Emil"])
    assert shown["aliases"] == {"Dora": "Dora Klein"}
    note(page, note="swap", round=1, one="Cem", other="Emil")  # who has no place takes it
    assert setup(page)["plans"]["1"]["missing"] == []


def test_a_begun_table_keeps_its_people(page):
    note(page, note="draw", round=1, seed="1")
    note(page, note="publish", round=1)
    players = setup(page)["plans"]["1"]["seats"]["1"]
    opened(page, 1, players)
    for wish in ({"note": "swap", "round": 1, "one": "Anna", "other": "Bernd"}, {"note": "withdraw", "round": 1}):
        assert page.post("/api/t/notes", json=wish).json()["code"] == "begun"


def test_somebody_is_replaced_during_a_round(page):
    opened(page, 1, FOUR)
    opened(page, 2, ["Emil", "Fritz", "Gül", "Hans"])
    answer = page.post("/api/t/1/1/substitute", json={"seat": 3, "came": "Emil"})
    assert answer.json()["code"] == "plays"
    assert page.post("/api/t/1/9/substitute", json={"seat": 3, "came": "X"}).status_code == 404
    assert page.post("/api/t/1/1/substitute", json={"seat": 5, "came": "X"}).json()["code"] == "malformed"
    assert page.post("/api/t/1/1/substitute", json={"seat": 3, "came": " Xaver "}).status_code == 200
    assert orders(page) == [(1, {"event": "substitute", "seat": 3, "player": "Xaver", "ranked": False, "actor": "PIN"})]
    shown = setup(page)
    assert shown["replaced"] == [{"round": 1, "table": 1, "seat": 3, "left": "Cem", "came": "Xaver"}]
    people = {one["name"]: one for one in shown["people"]}
    assert people["Xaver"]["substitute"] and people["Cem"]["gone"]


def test_the_schiedsgericht_extends_the_tables_concerned(page, monkeypatch):
    """bsv 9.6: by the break, at the table and where members of the court play."""
    opened(page, 1, FOUR)
    opened(page, 2, ["Emil", "Fritz", "Gül", "Hans"])
    note(page, note="court", round=1, table=1, tables=[2, 1, 7])
    assert [(one["table"], one["tables"]) for one in setup(page)["courts"]] == [(1, [2, 7])]
    assert page.post("/api/t/notes", json={"note": "court", "round": 1, "table": 1}).json()["code"] == "court"
    later = now() + 7 * 60_000 + 1
    monkeypatch.setattr("kiosk.director.storage.database.now", lambda: later)
    assert note(page, note="court_ends", round=1, table=1)["minutes"] == 8
    given = {"event": "rule", "offender": None, "class": "none", "minutes": 8, "answers": False,
             "why": "Schiedsgericht (BSV Abschnitt 9.6)", "actor": "PIN"}  # fmt: skip
    assert orders(page) == [(1, given), (2, given)]  # table 7 is not there
    assert setup(page)["courts"] == []


def test_pages_and_tables_hear_of_it_at_once(page):
    service = page.service  # type: ignore[attr-defined]
    address = service.url.replace("http", "ws")
    with (
        connect(address + "/line/t/1/1", proxy=None, additional_headers=secret(1)) as table,
        connect(address + "/line/t/1/2", proxy=None, additional_headers=secret(2)) as other,
        connect(address + "/live", proxy=None) as viewer,
    ):
        viewer.send(json.dumps({"tournament": "t", "round": 1, "table": None}))
        other.send(json.dumps({"ping": 1}))  # an older table does not ask for plans and is told nothing
        table.send(json.dumps({"plan": True}))
        assert json.loads(table.recv(timeout=30)) == {"rulings": False}
        assert json.loads(table.recv(timeout=30))["plan"]["players"] == []  # the book alone
        note(page, note="draw", round=1, seed="1")
        note(page, note="publish", round=1)
        plan = json.loads(table.recv(timeout=30))["plan"]
        assert sorted(plan["players"]) == FOUR and plan["round"] == 1
        assert "ping" in json.loads(other.recv(timeout=30))
        with pytest.raises(TimeoutError):
            other.recv(timeout=0.2)
        seen = -1
        while seen < 1:
            message = json.loads(viewer.recv(timeout=30))
            seen = int(message["noted"].split()[0])
        assert [sorted(card["planned"]) for card in message["hall"]] == [FOUR, []]  # table 2 is there, too


def test_tables_of_a_plan_stand_in_the_hall_until_it_is_taken_back(page):
    note(page, note="draw", round=1)
    note(page, note="publish", round=1)
    hall = page.service.app.state.hall  # type: ignore[attr-defined]
    assert [key.table for key in hall.keys("t", 1)] == [1]
    note(page, note="withdraw", round=1)
    assert hall.keys("t", 1) == []


def test_another_tournament_is_begun_and_an_earlier_one_goes_on(page, settings):
    note(page, note="enter", names=["Xaver"], substitute=True, here=True)
    note(page, note="setup", options={"games": 20}, start="19:30")
    log = opened(page, 1, FOUR)
    assert page.post("/api/begin", json={"name": "  "}).json()["code"] == "no_name"
    assert page.post("/api/begin", json={"name": "Winter", "people": True}).json() == {"tournament": "Winter"}
    shown = page.get("/api/Winter/setup").json()
    assert [(one["name"], one["substitute"], one["checked_in"]) for one in shown["people"]] == [
        *((name, False, None) for name in FOUR),
        ("Xaver", True, None),
    ]
    assert (shown["book"]["name"], shown["start"], shown["plans"]) == ("bsv", "19:30", {})
    assert page.get("/api/me").json()["tournament"] == "Winter"
    assert page.get("/api/t/setup").status_code == 400  # it is over
    post = Outbox(log).post()
    assert (
        post is not None and page.post("/line/t/1/1/events", json=post.json(), headers=secret(1)).status_code == 200
    )  # its lists come in
    page.post("/api/begin", json={"name": "Empty", "people": False})
    assert page.get("/api/Empty/setup").json()["people"] == []
    hall = page.service.app.state.hall  # type: ignore[attr-defined]
    again = Office(hall.store, settings)
    again.catch_up()
    assert (again.tournament.name, again.held) == ("Empty", {"t", "Winter", "Empty"})  # after a restart
    page.post("/api/begin", json={"name": "t"})
    assert dict(hall.office.tournament.options) == {"games": 20} and "Xaver" in hall.office.tournament.people
    page.post("/api/begin", json={"name": "Winter", "people": True})
    assert len(page.get("/api/Winter/setup").json()["people"]) == 5


def test_the_entry_desk_enters_checks_in_and_takes_back_and_nobody_else(page):
    service = page.service  # type: ignore[attr-defined]
    for name, role in (("Erika", "desk"), ("Rolf", "referee"), ("Vera", "viewer")):
        made = {"name": name, "role": role, "password": "Kreuzbube9"}
        assert page.post("/api/accounts", json=made).status_code == 200
    wishes = [
        {"note": "check_in", "names": FOUR[:2]}, {"note": "fee", "names": ["Anna"], "paid": True},
        {"note": "person", "name": "Anna", "number": 12, "club": "SV Eppstein"}, {"note": "numbers"},
        {"note": "remove", "names": ["Dora"]}, {"note": "merge", "name": "Bernd", "other": "Cem"},
    ]  # fmt: skip
    for name in ("Rolf", "Vera", None):
        with httpx.Client(base_url=service.url) as other:
            if name:
                assert other.post("/api/login", json={"name": name, "password": "Kreuzbube9"}).status_code == 200
            for wish in wishes:
                assert other.post("/api/t/notes", json=wish).status_code == 403
    with httpx.Client(base_url=service.url) as desk:
        assert desk.post("/api/login", json={"name": "Erika", "password": "Kreuzbube9"}).status_code == 200
        numbers = [note(desk, **wish)["number"] for wish in wishes]
        assert [(one["name"], one["number"]) for one in setup(desk)["people"]] == [("Anna", 12), ("Bernd", 1)]
        for number in reversed(numbers):
            assert desk.post("/api/t/undo", json={"number": number}).status_code == 200
        assert [one["name"] for one in setup(desk)["people"]] == FOUR
        assert desk.post("/api/t/notes", json={"note": "draw", "round": 1}).status_code == 403
    acts = page.get("/api/t/protocol.json?of=note").json()["acts"]
    assert {act["actor"] for act in acts} == {"Erika"} and len(acts) == 2 * len(wishes)


def test_two_at_the_entry_desk_check_somebody_in_once(page):
    note(page, note="check_in", name="Anna")
    came = setup(page)["people"][0]["checked_in"]
    answer = page.post("/api/t/notes", json={"note": "check_in", "name": "Anna"})
    assert (answer.status_code, answer.json()["code"]) == (400, "here_already")
    assert setup(page)["people"][0]["checked_in"] == came


def test_who_has_played_is_neither_deleted_nor_merged_with_a_neighbour(page):
    opened(page, 1, FOUR)
    for wish, code in (
        ({"note": "remove", "names": ["Anna"]}, "has_played"),
        ({"note": "merge", "name": "Anna", "other": "Bernd"}, "both_played"),
    ):
        answer = page.post("/api/t/notes", json=wish)
        assert (answer.status_code, answer.json()["code"]) == (400, code)
    note(page, note="enter", names=["Ana"])
    note(page, note="merge", name="Anna", other="Ana")


def test_who_has_paid_is_the_directions_own_business(settings):
    with Service(settings) as service, httpx.Client(base_url=service.url) as stranger:
        service.app.state.hall.office.note({"note": "fee", "names": ["Anna"], "paid": True})
        assert {one["paid"] for one in setup(stranger)["people"]} == {None}


@pytest.mark.parametrize("name", ["Herbst 2025/26", "..", "/"])
def test_a_tournament_has_a_name_that_an_address_can_hold(page, name):
    said = page.post("/api/begin", json={"name": name})
    assert (said.status_code, said.json()["code"]) == (400, "odd_title")
    assert page.get("/api/me").json()["tournament"] == "t"


def test_the_entry_fee_is_paid_once_though_two_places_could_note_it(page):
    note(page, note="check_in", names=FOUR)
    note(page, note="purse", fee=1000, prizes=[])
    pay = {"payer": "Anna", "payee": None, "cents": 1000}
    said = page.post("/api/t/paid", json=pay)
    assert (said.status_code, said.json()["code"], said.json()["values"]) == (400, "fee_open", {"cents": 1000})
    note(page, note="fee", name="Anna", paid=True)
    assert page.post("/api/t/paid", json=pay).json()["code"] == "no_debt"
    open_ = page.get("/api/t/cash.json").json()["open"]
    assert [(one["payer"], one["cents"]) for one in open_] == [(name, 1000) for name in FOUR[1:]]


@pytest.fixture
def looks_often(monkeypatch):
    """The hall looks for what others have noted every tenth of a second, instead of every five seconds."""
    monkeypatch.setattr(hall, "_LOOK_S", 0.1)


def test_what_somebody_else_has_noted_is_told_though_a_standing_was_asked_for_first(looks_often, page):
    """The cash box and lots note past the hall, other directors as well; a standing takes all in for itself."""
    told = threading.Event()
    here = page.service.app.state.hall

    class Hears:
        def changed(self, key: ListKey) -> None: ...
        def noted(self) -> None:
            told.set()

    here.watchers.append(Hears())
    assert here.store.note("t", here.office.last + 1, {"note": "enter", "names": ["Emil"]}) is not None
    assert page.get("/api/t/standings.json").status_code == 200
    assert told.wait(30)


def test_a_change_of_person_whose_order_was_never_given_can_be_undone(page):
    """A power cut between note and order left it for ever: the note pointed to an order that was not there."""
    opened(page, 1, FOUR)
    said = page.post("/api/t/1/1/substitute", json={"seat": 2, "came": "Xaver"})
    assert said.status_code == 200, said.text
    number = page.service.app.state.hall.office.last
    undo = {"number": number, "why": "doch nicht"}
    assert page.post("/api/t/undo", json=undo).json()["code"] == "undo_order"
    assert page.service.app.state.hall.store.withdraw("t", 1, said.json()["number"]) == []  # and then the power went
    assert page.post("/api/t/undo", json=undo).status_code == 200
    assert setup(page)["replaced"] == []

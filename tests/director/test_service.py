"""The service's addresses: what the page and scripts may ask, what is refused, what is to take away."""

import csv
import io
import json
import socket
import subprocess
import sys
import time
from functools import cache
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from kiosk.demo.play import simulate
from kiosk.director.client import DirectorClient
from kiosk.director.process import DirectorProcess
from kiosk.director.refusals import DirectorError, PortInUse
from kiosk.director.serve import Service, listen
from kiosk.director.settings import Settings
from kiosk.paper.spielliste import list_pdf
from kiosk.table.events.chain import START
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import list_data

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@cache
def the_round() -> list[dict]:
    return list(simulate("eppstein", 3, table=7))


@pytest.fixture
def service(tmp_path):
    settings = Settings(
        tournament="Herbst 2026",
        database=f"sqlite:///{tmp_path / 'director.sqlite'}",
        port=0,
        pin="2468",
    )
    with Service(settings) as running:
        for table in range(1, 13):
            running.enrol(table, f"t{table}.geheim")
        yield running


@pytest.fixture
def http(service):
    with httpx.Client(base_url=service.url, trust_env=False) as client:
        yield client


def secret(table: int) -> dict[str, str]:
    return {"Authorization": f"Bearer t{table}.geheim"}


def send(http: httpx.Client, table: int, events: list[dict], round_: int = 1) -> httpx.Response:
    content = {"after": -1, "chain": START, "events": events}
    return http.post(f"/line/Herbst 2026/{round_}/{table}/events", json=content, headers=secret(table))


def shown(service: Service, table: int, events: int, round_: int = 1) -> dict:
    """The table's card once so many events are folded."""
    hall = service.app.state.hall
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for key in hall.keys("Herbst 2026", round_):
            if key.table == table and hall.desks[key].copy.count == events:
                return service.app.state.feed.card(key)
        time.sleep(0.01)
    raise AssertionError("the events were not folded")


def of_table(number: int, events: list[dict], **opening) -> list[dict]:
    return [events[0] | {"table": number} | opening, *events[1:]]


def test_the_list_is_the_tables_own(service, http):
    assert send(http, 7, the_round()).json()["last"] == len(the_round()) - 1
    shown(service, 7, len(the_round()))
    there = http.get("/api/Herbst 2026/1/7/list.json").json()
    assert there == json.loads(json.dumps(list_data(fold(map(decode, the_round()))))) | {"tournament": "Herbst 2026"}


def test_csv_and_text_hold_every_row_cumulated(service, http):
    send(http, 7, the_round())
    shown(service, 7, len(the_round()))
    rows = list_data(fold(map(decode, the_round())))["rows"]
    answer = http.get("/api/Herbst 2026/1/7/list.csv")
    assert 'filename="Herbst_2026-1-7.csv"' in answer.headers["content-disposition"]
    table = list(csv.reader(io.StringIO(answer.text.lstrip("\ufeff")), delimiter=";"))
    assert [[int(cell) for cell in line[2:6]] for line in table[1:-1]] == [
        [row["total"][str(seat)] for seat in range(1, 5)] for row in rows
    ]
    assert table[-1][:6] == ["", "Ergebnis", *table[-2][2:6]]
    text = http.get("/api/Herbst 2026/1/7/list.txt").text
    assert "Runde 1, Tisch 7" in text and "Pflicht" in text
    english = http.get("/api/Herbst 2026/1/7/list.txt?language=en").text
    assert "Round 1, Table 7" in english


def test_lists_are_to_be_printed(service, http):
    assert http.get("/api/Herbst 2026/1/lists.pdf").status_code == 404
    send(http, 7, the_round())
    schafkopf = list(simulate("schaffkopf", 1, games=4, table=8))
    send(http, 8, schafkopf)
    shown(service, 7, len(the_round()))
    shown(service, 8, len(schafkopf))
    one = http.get("/api/Herbst 2026/1/8/list.pdf")
    assert one.headers["content-type"] == "application/pdf" and one.content[:5] == b"%PDF-"
    assert one.headers["content-disposition"] == 'inline; filename="Herbst_2026-1-8.pdf"'
    assert one.content == list_pdf([list_data(fold(map(decode, schafkopf))) | {"tournament": "Herbst 2026"}])
    both = http.get("/api/Herbst 2026/1/lists.pdf?language=en")
    listed = [
        list_data(fold(map(decode, events)), "en") | {"tournament": "Herbst 2026"}
        for events in (the_round(), schafkopf)
    ]
    assert both.content == list_pdf(listed)


def test_a_name_is_no_formula_in_the_csv(service, http):
    send(http, 7, of_table(7, the_round(), players=["=1+1", "Bernd", "Cem", "Dora"]))
    shown(service, 7, len(the_round()))
    assert "'=1+1;" in http.get("/api/Herbst 2026/1/7/list.csv").text


def test_the_event_file_is_what_the_table_sent_and_replay_reads_it(service, http, tmp_path):
    send(http, 7, the_round())
    assert http.get("/api/Herbst 2026/1/7/events.jsonl").status_code == 403
    with DirectorClient(service.url, "2468") as director:
        text = director.events("Herbst 2026", 1, 7)
    assert [json.loads(line) for line in text.splitlines()] == the_round()
    path = tmp_path / "seven.jsonl"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "kiosk.cli", "replay", str(path), "--json"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["list"]["closed"] is True


def test_standings_sum_the_rounds_and_share_ranks(service, http):
    first, second = list(simulate("eppstein", 5, games=2)), list(simulate("eppstein", 6, games=3, round_number=2))
    send(http, 1, first)
    send(http, 1, second, round_=2)
    shown(service, 1, len(first))
    shown(service, 1, len(second), round_=2)
    one, two = fold(map(decode, first)), fold(map(decode, second))
    table = http.get("/api/Herbst 2026/standings.json").json()["places"]
    sums = {one.players[seat - 1]: one.totals[seat] + two.totals[seat] for seat in one.seats}
    assert {entry["name"]: entry["points"] for entry in table} == sums
    assert [entry["points"] for entry in table] == sorted(sums.values(), reverse=True)
    for above, below in pairwise(table):
        assert (above["place"] == below["place"]) == (above["points"] == below["points"])
    assert not any(entry["final"] for entry in table)
    assert http.get("/api/Herbst 2026/standings.csv").text.count("\r\n") == 5


def test_a_broken_event_of_one_table_hurts_no_other(service, http):
    broken = [
        *of_table(8, the_round()[:40]),
        {"event": "card", "seat": 9, "card": "ZZ"},
        {"event": "nonsense"},
        *the_round()[40:],
    ]
    assert send(http, 8, broken).status_code == 200
    send(http, 7, the_round())
    assert shown(service, 7, len(the_round()))["trouble"] == ""
    card = shown(service, 8, len(broken))
    assert card["trouble"].startswith("event 40 ")
    assert card["games_left"] == 0  # what came after it counts all the same
    assert http.get("/api/Herbst 2026/1/7/list.json").status_code == 200


def test_a_list_that_cannot_even_be_opened_is_shown_with_its_trouble(service, http):
    send(http, 8, [{"event": "open", "table": 8, "round": 1, "rules": "mau-mau", "players": ["A", "B"]}])
    card = shown(service, 8, 1)
    assert card["phase"] == "empty" and "mau-mau" in card["trouble"]
    assert http.get("/api/Herbst 2026/1/8/list.json").status_code == 404


@pytest.mark.parametrize(
    ("content", "status", "text"),
    [
        pytest.param(b"{", 422, "no JSON", id="half"),
        pytest.param(b"[]", 422, "an object is wanted", id="list"),
        pytest.param(b'{"after": "1", "chain": "", "events": []}', 422, "after is '1'", id="after"),
        pytest.param(b'{"after": -1, "chain": "", "events": 7}', 422, "events is", id="events"),
        pytest.param(b'{"after": 5, "chain": "", "events": []}', 409, "number 0 is wanted", id="gap"),
        pytest.param(b"[" * 100_000, 422, "no JSON", id="deep"),
        pytest.param(b" " * (8 * 1024 * 1024 + 1), 413, "send fewer events", id="large"),
    ],
)
def test_what_no_table_sends_is_told_so(http, content, status, text):
    answer = http.post("/line/Herbst 2026/1/7/events", content=content, headers=secret(7))
    assert answer.status_code == status
    assert text in answer.json()["message"]


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        pytest.param({"table": 7, "body": {"event": "deal"}}, "'deal' is no order", id="no order"),
        pytest.param({"table": None, "body": {"event": "rule", "class": "none"}}, "goes to one table", id="for all"),
        pytest.param({"table": 7, "body": {"event": "rule", "class": "harsh"}}, "class is 'harsh'", id="class"),
        pytest.param({"table": 7, "body": {"event": "rule", "class": "minor"}}, "offender's seat", id="nobody"),
        pytest.param(
            {"table": 7, "body": {"event": "rule", "class": "none", "minutes": -3}}, "minutes is -3", id="minutes"
        ),
        pytest.param(
            {"table": 7, "body": {"event": "rule", "class": "custom", "scores": {"Anna": 1}}}, "by seat", id="scores"
        ),
        pytest.param({"table": 7, "body": {"event": "strike", "game": 0}}, "game is 0", id="game"),
        pytest.param({"table": 7, "body": {"event": "correct", "of": 3}}, "says no 'word'", id="no word"),
        pytest.param({"table": 7, "body": {"event": "correct", "word": None}}, "naming its event", id="word of what"),
        pytest.param(
            {"table": 7, "body": {"event": "correct", "of": 3, "word": {"event": "card", "seat": 1, "card": "CA"}}},
            "'word' must be an event that is said",
            id="a card is no word",
        ),
        pytest.param({"table": "7", "body": {"event": "release"}}, "table is '7'", id="table"),
        pytest.param({"table": 99, "body": {"event": "release"}}, "never heard of", id="unknown table"),
        pytest.param({"table": 7}, "the order is None", id="nothing"),
    ],
)
def test_orders_are_checked_before_they_leave(service, http, wish, text):
    send(http, 7, the_round()[:1])
    http.post("/api/login", json={"pin": "2468"})
    answer = http.post("/api/Herbst 2026/1/orders", json=wish)
    assert answer.status_code in (404, 422)
    assert text in answer.json()["message"]
    assert service.app.state.hall.store.orders("Herbst 2026", 1) == []


def test_orders_need_the_pin_and_guessing_is_slowed_down(http):
    release = {"table": None, "body": {"event": "release"}}
    assert http.post("/api/Herbst 2026/1/orders", json=release).status_code == 403
    assert http.post("/api/login", json={"pin": "2468"}).status_code == 200
    assert http.post("/api/Herbst 2026/1/orders", json=release).status_code == 200
    http.post("/api/logout")
    assert http.post("/api/Herbst 2026/1/orders", json=release).status_code == 403
    answers = [http.post("/api/login", json={"pin": str(guess)}).json()["message"] for guess in range(6)]
    assert "too many" in answers[5]
    assert http.post("/api/login", json={"pin": "2468"}).status_code == 429


def test_another_sites_page_may_not_press_the_buttons(http):
    http.post("/api/login", json={"pin": "2468"})
    release = {"table": None, "body": {"event": "release"}}
    elsewhere = {"Origin": "http://evil.example"}
    answer = http.post("/api/Herbst 2026/1/orders", json=release, headers=elsewhere)
    assert answer.status_code == 403 and "evil.example" in answer.json()["message"]
    own = {"Origin": str(http.base_url).rstrip("/")}
    assert http.post("/api/Herbst 2026/1/orders", json=release, headers=own).status_code == 200


def test_a_round_can_begin_anew(service, http):
    send(http, 7, the_round())
    shown(service, 7, len(the_round()))
    assert http.post("/api/Herbst 2026/1/aside").status_code == 403
    http.post("/api/login", json={"pin": "2468"})
    assert http.post("/api/Herbst 2026/1/aside").json() == {"tables": 1}
    assert shown(service, 7, 0)["phase"] == "empty"
    kept = http.get("/api/Herbst 2026/1/7/events.jsonl?aside=1").text
    assert len(kept.splitlines()) == len(the_round())


def test_a_port_in_use_names_the_way_out(service):
    with pytest.raises(PortInUse, match=rf"port {service.port} .* in use.*--port"):
        listen("127.0.0.1", service.port)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.77", 0), ("no such host.invalid", 0), ("127.0.0.1", 99999)])
def test_an_address_that_cannot_be_listened_on(host, port):
    with pytest.raises(PortInUse, match=f"{host}|{port}"):
        listen(host, port)


def test_the_service_ends_soon_though_pages_and_tables_are_connected(tmp_path):
    from websockets.sync.client import connect

    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0)
    service = Service(settings).start()
    shown = {"Authorization": f"Bearer {service.enrol(1)}"}
    with (
        connect(service.url.replace("http", "ws") + "/live", proxy=None),
        connect(service.url.replace("http", "ws") + "/line/t/1/1", proxy=None, additional_headers=shown),
    ):
        service.stop()
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", service.port)) != 0


def test_a_process_of_its_own_says_when_it_is_ready(tmp_path):
    config = tmp_path / "director.toml"
    config.write_text(f'tournament = "t"\nhost = "127.0.0.1"\ndata = "{tmp_path}"\n', encoding="utf-8")
    with DirectorProcess(["--config", config, "--port", "0"]) as director:
        said = httpx.get(director.url + "/health", trust_env=False).json()
        assert (said["ok"], said["tournament"], said["takeovers"]) == (True, "t", 0)
    assert director.exit_status == 0
    with pytest.raises(httpx.ConnectError):
        httpx.get(director.url + "/health", trust_env=False)
    with pytest.raises(DirectorError, match="exit status"):
        DirectorProcess(["--config", tmp_path / "none.toml"], log_file=tmp_path / "log")
    assert "none.toml" in (tmp_path / "log").read_text()

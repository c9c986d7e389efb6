"""What a guest in the hall's network might try: each attack by itself, against a service on a socket of its own."""

import hashlib
import hmac
import json
import queue
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from kiosk.demo.play import simulate
from kiosk.director.access.passwords import hashed
from kiosk.director.key import ListKey
from kiosk.director.pages.live_routes import SESSION_ENDED
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.tables.held_back import hold_back
from kiosk.sync.door import keep_door, new_door, read_door, replaces, trace
from kiosk.sync.enrolling import Enroller, Enrolling
from kiosk.table.enrolment import enrolment_code
from kiosk.table.events.chain import START, link
from kiosk.table.events.codec import decode, decode_opening, decode_request, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table

pytestmark = pytest.mark.slow

PIN = "24681357"
ROUND = list(simulate("eppstein", 3, games=2, table=7))


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attacked")
    database = f"sqlite:///{folder / 'd.sqlite'}"
    settings = Settings(tournament="t", database=database, port=0, pin=hashed(PIN), guests=False)
    with Service(settings) as running:
        yield running


@pytest.fixture
def guest(service):
    with httpx.Client(base_url=service.url, trust_env=False) as http:
        yield http


@pytest.fixture
def director(service):
    with httpx.Client(base_url=service.url, trust_env=False) as http:
        assert http.post("/api/login", json={"pin": PIN}).status_code == 200
        yield http


def send(
    http: httpx.Client, secret: str, table: int, events: list[dict[str, Any]], after: int = -1, chain: str = START
) -> httpx.Response:
    message = {"after": after, "chain": chain, "events": events}
    return http.post(f"/line/t/1/{table}/events", json=message, headers={"Authorization": f"Bearer {secret}"})


def stored(service: Service, table: int) -> list[dict[str, Any]]:
    return service.app.state.hall.store.read(ListKey("t", 1, table))


def of_table(number: int) -> list[dict[str, Any]]:
    return [ROUND[0] | {"table": number}, *ROUND[1:]]


def chain_of(events: list[dict[str, Any]]) -> str:
    head = START
    for event in events:
        head = link(head, event)
    return head


# people


def test_a_cookie_cannot_be_forged(service, guest):
    """It was made from the tables' token and the PIN; whoever knew both could make it."""
    expires = str(int(time.time()) + 3600)
    for secret in (f"t\n{PIN}\n", "t\n\n", f"t\n{PIN}\ngeheim"):
        forged = f"{expires}.{hmac.new(secret.encode(), expires.encode(), hashlib.sha256).hexdigest()}"
        guest.cookies.set("stichwart", forged)
        assert guest.get("/api/me").json()["role"] == ""
        assert guest.post("/api/t/1/orders", json={"table": None, "body": {"event": "release"}}).status_code == 403


def test_the_database_alone_lets_nobody_in(service, guest, director):
    """It holds digests of sessions and secrets, hashes of passwords."""
    session = director.cookies["stichwart"]
    secret = service.enrol(40)
    with service.app.state.hall.store.engine.connect() as db:
        told = [
            str(value)
            for table in ("accounts", "sessions", "devices", "acts")
            for row in db.exec_driver_sql(f"SELECT * FROM {table}")
            for value in row
        ]
    assert not any(session in value or PIN in value or secret.partition(".")[2] in value for value in told)
    for value in told:
        guest.cookies.set("stichwart", value.replace("\n", " ")[:120].encode("ascii", "replace").decode())
        assert guest.get("/api/me").json()["role"] == ""
        guest.cookies.clear()


def test_no_page_is_open_by_default(service):
    """``test_rights.py`` tries all other addresses."""
    with pytest.raises(InvalidStatus), connect(service.url.replace("http", "ws") + "/live", proxy=None):
        pass


def deaf(socket: ClientConnection) -> int:
    """The code by which the service closes this socket, whatever it says before."""
    deadline = time.monotonic() + 20
    try:
        while time.monotonic() < deadline:
            socket.recv(timeout=20)
    except ConnectionClosed as closed:
        assert closed.rcvd is not None
        return closed.rcvd.code
    raise AssertionError("it still hears")


@pytest.mark.parametrize(
    ("path", "wish", "own"),
    [
        pytest.param("/api/logout", {}, True, id="logged-out"),
        pytest.param("/api/accounts/change", {"closed": True}, False, id="closed"),
        pytest.param("/api/accounts/change", {"password": "herzkoenig8"}, False, id="new-password"),
        pytest.param("/api/accounts/change", {"role": "viewer"}, False, id="another-kind"),
    ],
)
def test_an_open_page_hears_nothing_more_once_its_session_is_over(service, guest, director, request, path, wish, own):
    name = f"Wer {request.node.callspec.id}"
    made = director.post("/api/accounts", json={"name": name, "role": "referee", "password": "pikbube9"})
    assert made.status_code == 200
    assert guest.post("/api/login", json={"name": name, "password": "pikbube9"}).status_code == 200
    address = service.url.replace("http", "ws") + "/live"
    mine = {"Cookie": f"stichwart={guest.cookies['stichwart']}"}
    his = {"Cookie": f"stichwart={director.cookies['stichwart']}"}
    with (
        connect(address, proxy=None, additional_headers=mine) as page,
        connect(address, proxy=None, additional_headers=his) as other,
    ):
        for one in (page, other):
            one.send(json.dumps({"tournament": "t", "round": 1, "table": None}))
            assert "hall" in json.loads(one.recv(timeout=20))
        asks = guest if own else director
        assert asks.post(path, json=wish if own else {"name": name, **wish}).status_code == 200
        assert deaf(page) == SESSION_ENDED
        other.send(json.dumps({"tournament": "t", "round": 1, "table": None}))
        while "hall" not in json.loads(other.recv(timeout=20)):
            pass


# tables


def test_a_stranger_is_no_table(service, guest):
    for secret in ("-", "geheim", ".", "x." * 1000, f"{'0' * 32}.{'A' * 43}"):
        assert send(guest, secret, 7, ROUND).status_code == 401
    address = service.url.replace("http", "ws") + "/line/t/1/7"
    with pytest.raises(InvalidStatus, match="401"), connect(address, proxy=None):
        pass
    assert guest.get("/line/t/1/7/events").status_code == 401  # a list with its hands is the table's own
    assert stored(service, 7) == []


def test_a_table_writes_and_reads_its_own_list_only(service, guest):
    one, other = service.enrol(11), service.enrol(12)
    assert send(guest, other, 12, of_table(12)).status_code == 200
    struck = {"event": "strike", "game": 1, "replay": False}
    before = stored(service, 12)
    for secret in (one, "geheim"):
        assert send(guest, secret, 12, [struck], len(before) - 1, chain_of(before)).status_code == 401
        shown = {"Authorization": f"Bearer {secret}"}
        assert guest.get("/line/t/1/12/events", headers=shown).status_code == 401
    assert stored(service, 12) == before


_DECISIONS = [
    pytest.param({"event": "strike", "game": 1, "replay": False}, id="strike"),
    pytest.param({"event": "rule", "offender": 1, "class": "minor"}, id="rule"),
    pytest.param({"event": "substitute", "seat": 1, "player": "Xaver"}, id="substitute"),
    pytest.param({"event": "time_up"}, id="time is up"),
    pytest.param({"event": "correct", "of": 1, "word": None, "by": "referee"}, id="correction as referee"),
    pytest.param({"event": "correct", "of": 1, "word": None, "by": "direction"}, id="correction as direction"),
    pytest.param(
        {"event": "correct", "of": 1, "word": {"event": "rule", "offender": 1, "class": "minor"}}, id="corrected ruling"
    ),
]


@pytest.mark.parametrize("decision", _DECISIONS)
def test_a_table_decides_nothing_that_was_not_ordered(service, guest, director, decision):
    secret = service.enrol(13)
    events = of_table(13)
    assert send(guest, secret, 13, events).status_code == 200
    place = (len(events) - 1, chain_of(events))
    for event in (decision, decision | {"order_number": 1}, decision | {"order_number": True}):
        said = send(guest, secret, 13, [event], *place)
        assert said.status_code == 422 and said.json()["error"] == "not_ordered", event
    assert len(stored(service, 13)) == len(events)


def test_an_order_lets_a_table_do_that_and_nothing_else(service, guest, director):
    secret, other = service.enrol(14), service.enrol(15)
    for table, own in ((14, secret), (15, other)):
        assert send(guest, own, table, of_table(table)).status_code == 200
    body = {"event": "strike", "game": 1, "replay": False}
    given = director.post("/api/t/1/orders", json={"table": 14, "body": body}).json()["number"]
    place = (len(ROUND) - 1, chain_of(of_table(14)))
    assert send(guest, secret, 14, [body | {"game": 2, "order_number": given}], *place).status_code == 422
    assert send(guest, secret, 14, [body | {"event": "time_up", "order_number": given}], *place).status_code == 422
    elsewhere = (len(ROUND) - 1, chain_of(of_table(15)))
    assert send(guest, other, 15, [body | {"order_number": given}], *elsewhere).status_code == 422
    carried = body | {"order_number": given, "actor": "PIN", "at": 1}
    assert send(guest, secret, 14, [carried], *place).status_code == 200
    assert stored(service, 14)[-1] == carried


def test_a_referee_rules_at_a_table_only_while_the_direction_lets_him(service, guest, director):
    secret = service.enrol(16)
    assert send(guest, secret, 16, of_table(16)).status_code == 200
    events, ruled = of_table(16), {"event": "rule", "offender": None, "class": "none", "minutes": 5}
    device = secret.partition(".")[0]
    assert director.post(f"/api/devices/{device}", json={"rulings": True}).json()["rulings"] is True
    assert send(guest, secret, 16, [ruled], len(events) - 1, chain_of(events)).status_code == 200
    director.post(f"/api/devices/{device}", json={"rulings": False})
    events = [*events, ruled]
    assert send(guest, secret, 16, [ruled], len(events) - 1, chain_of(events)).status_code == 422


@pytest.mark.parametrize(
    "opening",
    [
        pytest.param({"players": ["A" * 61, "B", "C", "D"]}, id="a long name"),
        pytest.param({"players": ["A\u202eB", "B", "C", "D"]}, id="a name that turns the direction"),
        pytest.param({"players": ["A\nB", "B", "C", "D"]}, id="two lines"),
        pytest.param({"players": ["A\x00", "B", "C", "D"]}, id="a control character"),
        pytest.param({"tournament": "x" * 500}, id="a long text"),
        pytest.param({"more": "\u2066"}, id="a direction character anywhere"),
        pytest.param({"more": ["x" * 300] * 100}, id="a large event"),
        pytest.param({"more": json.loads("[" * 30 + "]" * 30)}, id="deep"),
    ],
)
def test_what_a_table_sends_is_bounded(service, guest, opening):
    secret = service.enrol(17)
    said = send(guest, secret, 17, [of_table(17)[0] | opening])
    assert said.status_code == 422 and said.json()["error"] == "not_an_event"
    assert stored(service, 17) == []


# devices


def wish(guest: httpx.Client, id_: str = "a" * 32, digest: str = "b" * 64) -> httpx.Response:
    return guest.post("/enrol", json={"id": id_, "digest": digest, "told": {"seats": 4, "evil": "\u202e", "n": [1]}})


def test_a_ghost_is_no_table_until_its_code_is_read_from_its_screen(service, guest, director):
    digest = hashlib.sha256(b"a ghost's").hexdigest()
    assert wish(guest, "c" * 32, digest).json() == {"table": None}
    shown = director.get("/api/devices").json()["waiting"]
    assert [one["told"] for one in shown] == [{"seats": 4}]
    code = enrolment_code(digest)
    assert code not in json.dumps(director.get("/api/devices").json())
    assert send(guest, f"{'c' * 32}.a ghost's", 18, of_table(18)).status_code == 401
    for wrong in ("", "AAAAAAAA", code[:-1], code + "A"):
        said = director.post("/api/devices/admit", json={"code": wrong, "table": 18})
        assert said.status_code == 404, wrong
    assert guest.post("/api/devices/admit", json={"code": code, "table": 18}).status_code == 403
    said = director.post("/api/devices/admit", json={"code": f"{code[:4].lower()} {code[4:]}", "table": 18})
    assert said.json()["table"] == 18
    assert wish(guest, "c" * 32, digest).json() == {"table": 18, "tournament": "t"}
    assert send(guest, f"{'c' * 32}.a ghost's", 18, of_table(18)).status_code == 200


def test_a_device_that_is_withdrawn_or_replaced_writes_nothing_any_more(service, guest, director):
    first = service.enrol(19)
    assert send(guest, first, 19, of_table(19)).status_code == 200
    assert director.post("/api/devices/issue", json={"table": 19}).json()["code"] == "number_taken"
    second = director.post("/api/devices/issue", json={"table": 19, "replace": True}).json()["secret"]
    assert send(guest, first, 19, []).status_code == 401
    assert send(guest, second, 19, [], len(ROUND) - 1, chain_of(of_table(19))).status_code == 200
    device = second.partition(".")[0]
    address = service.url.replace("http", "ws") + "/line/t/1/19"
    with connect(address, proxy=None, additional_headers={"Authorization": f"Bearer {second}"}) as socket:
        socket.send(json.dumps({"plan": True}))
        assert json.loads(socket.recv()) == {"rulings": False}
        assert director.post(f"/api/devices/{device}", json={"withdrawn": True}).json()["table"] is None
        with pytest.raises(Exception, match="1012"):
            while True:
                socket.recv(10)
    assert send(guest, second, 19, []).status_code == 401


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"id": 1}', b'{"id": "x", "digest": "y"}', b'{"id": "' + b"A" * 20_000 + b'"}', b"\xff\xfe"],
)
def test_odd_wishes_are_refused(guest, content):
    assert guest.post("/enrol", content=content).status_code in (403, 413, 422)


def test_those_who_wait_are_bounded(service, guest, monkeypatch):
    monkeypatch.setattr("kiosk.director.access.devices.enrolment_code", lambda digest: digest[-8:])  # else 40 ms each
    answers = [wish(guest, f"{n:032x}", f"{n:064x}").status_code for n in range(60)]
    assert answers.count(429) >= 19 and set(answers) == {200, 429}


@pytest.fixture(autouse=True)
def asks_often(monkeypatch):
    """Let devices that wait ask every fifth of a second, not every other second."""
    monkeypatch.setattr("kiosk.sync.enrolling._ASK_S", 0.2)


class Door:
    """The direction's door as a table's device asks there."""

    def __init__(self, url: str, folder: Path, instead: str = "") -> None:
        self.said: queue.Queue[Enrolling] = queue.Queue()
        self.enroller = Enroller(url, folder, {"seats": 4}, self.said.put, new_door(url, instead)).start()

    def next(self) -> Enrolling:
        return self.said.get(timeout=30)


@pytest.fixture
def nobody_waits(service):
    with service.app.state.hall.store.engine.begin() as db:
        db.exec_driver_sql("DELETE FROM waiting_devices")


@pytest.mark.usefixtures("nobody_waits")
def test_a_device_says_that_the_direction_is_away_or_refuses(tmp_path, service, monkeypatch):
    away = Door("http://127.0.0.1:9", tmp_path)
    assert away.next().trouble == "away"
    away.enroller.stop()
    monkeypatch.setattr("kiosk.director.access.devices._MOST", 0)
    refused = Door(service.url, tmp_path)
    said = refused.next()
    assert said.trouble == "refused" and "too many devices" in said.why and len(said.code) == 8
    monkeypatch.setattr("kiosk.director.access.devices._MOST", 9)
    assert refused.next() == Enrolling(said.code, service.url)
    refused.enroller.stop()


@pytest.mark.usefixtures("nobody_waits")
def test_a_secret_of_the_file_that_was_turned_away_gives_way_to_the_devices_own(tmp_path, director, service):
    """A table of before, with the one token of all tables in its file, is admitted once and for good."""
    asks = Door(service.url, tmp_path, trace("old-token"))
    code = asks.next().code
    assert director.post("/api/devices/admit", json={"code": code, "table": 22, "replace": True}).status_code == 200
    assert asks.next().table == 22
    door = read_door(tmp_path, service.url)
    assert door is not None and replaces(door, "old-token") and replaces(door, "") and not replaces(door, "newer")


@pytest.mark.usefixtures("nobody_waits")
def test_a_table_enrols_keeps_its_secret_to_itself_and_finds_it_again(tmp_path, director, service):
    said: list[Enrolling] = []
    enroller = Enroller(service.url, tmp_path, {"seats": 4}, said.append).start()
    deadline = time.monotonic() + 30
    admitted = 404
    while admitted == 404 and time.monotonic() < deadline:  # until its wish has come
        if said:
            admitted = director.post("/api/devices/admit", json={"code": said[0].code, "table": 21}).status_code
    assert admitted == 200
    enroller._thread.join(30)
    assert said[-1].table == 21
    assert (tmp_path / "door.json").stat().st_mode & 0o777 == 0o600
    door = read_door(tmp_path, service.url)
    assert door is not None and door.table == 21 and service.app.state.access.devices.who(door.shown).table == 21
    assert read_door(tmp_path, "http://another.example") is None
    keep_door(tmp_path, door)
    assert read_door(tmp_path, service.url) == door
    (tmp_path / "door.json").write_text("{")
    assert read_door(tmp_path, service.url) is None


# what a referee has decided at a table whose leave to do so was withdrawn meanwhile


def stuck(service: Service, director: httpx.Client, http: httpx.Client, table: int) -> tuple[str, list[dict[str, Any]]]:
    """A table that comes back with a ruling, and two events behind it, after its leave to rule was withdrawn."""
    secret, events = service.enrol(table), of_table(table)
    director.post(f"/api/devices/{secret.partition('.')[0]}", json={"rulings": True})
    earlier = [{"event": "rule", "offender": None, "class": "none", "minutes": 1}]
    assert send(http, secret, table, [*events, *earlier]).status_code == 200
    director.post(f"/api/devices/{secret.partition('.')[0]}", json={"rulings": False})
    more = [{"event": "rule", "offender": None, "class": "none", "minutes": minutes} for minutes in (5, 7)]
    backlog = [{"event": "pause"}, *more, {"event": "resume"}]
    whole = [*events, *earlier, *backlog]
    said = send(http, secret, table, backlog, len(events), chain_of([*events, *earlier]))
    assert said.status_code == 422 and said.json()["error"] == "not_ordered"
    return secret, whole


def held(service: Service, table: int) -> dict[str, Any] | None:
    return service.app.state.feed.card(ListKey("t", 1, table))["held"]


@pytest.mark.parametrize("whole_again", [False, True], ids=["the rest", "all again"])
def test_what_was_decided_before_waits_for_the_direction_and_nothing_is_lost(service, guest, director, whole_again):
    table = 61 + whole_again
    secret, whole = stuck(service, director, guest, table)
    assert stored(service, table) == whole[:-3]  # what came before the ruling counts already
    waits = held(service, table)
    assert [one["minutes"] for one in waits["decided"]] == [5, 7]
    assert (waits["events"], waits["last"]) == (3, len(whole) - 1)
    if whole_again:  # the table sends all to find out what differs: what is stored is no new decision
        assert send(guest, secret, table, whole).status_code == 422
        assert held(service, table) == waits
    path = f"/api/t/1/{table}/held"
    assert guest.post(path, json={"last": waits["last"], "stands": True}).status_code == 403
    for wrong in ({"last": waits["last"] - 1, "stands": True}, {"last": 10**6, "stands": False}):
        assert director.post(path, json=wrong).status_code == 409
    assert director.post(path, json={"last": "x", "stands": True}).status_code == 422
    assert director.post(path, json={"last": waits["last"], "stands": True}).json() == {"left": []}
    assert stored(service, table) == whole and held(service, table) is None
    assert director.post(path, json={"last": waits["last"], "stands": True}).status_code == 409  # twice by mistake
    assert send(guest, secret, table, [], len(whole) - 1, chain_of(whole)).json()["last"] == len(whole) - 1


def test_what_is_discarded_is_kept_and_the_table_ordered_to_take_it_back(service, guest, director):
    _, whole = stuck(service, director, guest, 63)
    said = director.post("/api/t/1/63/held", json={"last": len(whole) - 1, "stands": False})
    assert said.json() == {"left": []} and stored(service, 63) == whole
    orders = [order.body for order in service.app.state.hall.store.orders("t", 1) if order.table == 63]
    wanted = [number for number, event in enumerate(whole) if event["event"] == "rule"][-2:]
    assert [(one["event"], one["of"], one["word"]) for one in orders] == [
        ("correct", number, None) for number in reversed(wanted)
    ]
    acts = director.get("/api/t/protocol.json").json()["acts"]
    assert [act["table"] for act in acts if act["what"] == "held_discarded"] == [63]


RULING = {"event": "rule", "offender": None, "class": "none", "minutes": 5, "order_number": 7, "at": 3}
SAID = {"event": "announce", "seat": 1, "call": "re", "at": 4}
LAID = {"event": "card", "seat": 2, "card": "HT"}


def corrects(of: int, by: str = "referee", **other: Any) -> dict[str, Any]:
    return {"event": "correct", "of": of, "by": by, **other}


def undone(of: int, **other: Any) -> dict[str, Any]:
    return {"event": "correct", "of": of, **other}


@pytest.mark.parametrize(
    ("stored_before", "waiting", "orders", "left"),
    [
        pytest.param([], [{"event": "time_up"}], [undone(0, word=None)], 0, id="the end of the time"),
        pytest.param(
            [], [{"event": "strike", "game": 1}, {"event": "pause"}, {"event": "substitute", "seat": 1, "player": "X"}],
            [undone(2, word=None), undone(0, word=None)], 0, id="the latest first"),
        pytest.param(
            [RULING], [corrects(0, word=None)], [undone(0, word={k: RULING[k] for k in list(RULING)[:4]})], 0,
            id="a ruling taken back"),
        pytest.param(
            [SAID, corrects(0, "all", word={**SAID, "call": "kontra"})],
            [corrects(0, word=None), corrects(0, word=SAID)],
            [undone(0, word={**SAID, "call": "kontra"})], 0, id="a word put right twice"),
        pytest.param(
            [], [RULING, corrects(0, word=None)], [undone(0, word=None)], 0, id="its own ruling taken back"),
        pytest.param([LAID], [corrects(0, card=None)], [undone(0, card="HT", seat=2)], 0, id="a card taken out"),
        pytest.param(
            [LAID, corrects(0, "table", card="HK", seat=3)], [corrects(0, card="SA")],
            [undone(0, card="HK", seat=3)], 0, id="a card corrected before"),
        pytest.param(
            [LAID], [{"event": "correct", "by": "referee", "after": 0, "seat": 3, "card": "HK"}],
            [undone(1, card=None)], 0, id="a card put in"),
        pytest.param([LAID], [corrects(9, word=None), corrects("x", word=None)], [], 2, id="of nothing that is there"),
    ],
)  # fmt: skip
def test_every_decision_is_taken_back(stored_before, waiting, orders, left):
    waits = hold_back(None, len(stored_before) - 1, "", waiting, now=0)
    taken, named = waits.taken_back([*stored_before, *waiting])
    assert (taken, len(named)) == (orders, left)
    for order in taken:
        decode(order)  # as the table reads it


def test_a_time_that_a_table_ended_by_itself_is_given_back(service, guest, director):
    """With a table's own clock behind it: the order to it is carried out, and play goes on."""
    secret, events = service.enrol(65), of_table(65)[:4]
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(events[0]), boot="a")
    for event in ({"event": "release"}, {"event": "deal", "dealer": 1}, {"event": "time_up"}):
        table.note(decode(event))
    whole = [encode(event) for event in table.events]
    assert send(guest, secret, 65, whole).status_code == 422
    assert [one["event"] for one in held(service, 65)["decided"]] == ["time_up"]
    assert director.post("/api/t/1/65/held", json={"last": 3, "stands": False}).json() == {"left": []}
    (order,) = service.app.state.hall.store.pending(ListKey("t", 1, 65))
    assert table.order(decode_request({**order.body, "order_number": order.number}), 60.0) == [4]
    assert not table.round.time_up and table.view(60.0).clock.remaining == 120 * 60 - 60
    back = encode(table.events[4])
    assert send(guest, secret, 65, [back], 3, chain_of(whole)).status_code == 200
    assert not service.app.state.hall.store.pending(ListKey("t", 1, 65)) and held(service, 65) is None


def test_leave_to_rule_given_again_ends_the_waiting(service, guest, director):
    secret, whole = stuck(service, director, guest, 64)
    director.post(f"/api/devices/{secret.partition('.')[0]}", json={"rulings": True})
    assert send(guest, secret, 64, whole).status_code == 200
    assert held(service, 64) is None and stored(service, 64) == whole

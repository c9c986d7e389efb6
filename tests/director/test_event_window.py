"""What many tables send is taken together, in order and without loss; who waits for an answer waits for nobody else."""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.tables import event_window, line_routes
from kiosk.director.tables.desks import TableDesk
from kiosk.director.tables.event_window import MANY, EventWindow
from kiosk.director.tables.hall import Hall
from kiosk.director.tables.line_end import LineEnd
from kiosk.director.tables.open_lines import SILENCE_S, OpenLines
from kiosk.table.events.chain import START, chain_over

CARD = {"event": "card", "seat": 1, "card": "HT"}
ORDERED = {"event": "time_up", "order_number": 3}


def _taken(monkeypatch, lines: int, messages: Sequence[object]) -> list[list[int]]:
    """The messages by number as they are taken together; all are sent at one moment."""
    monkeypatch.setattr(event_window, "WINDOW_S", 0.05)
    found: list[list[int]] = []

    async def send_all() -> None:
        opened = EventWindow(range(lines))
        turn: list[int] = []

        def take(number: int) -> None:
            if not turn:
                found.append(turn)
            turn.append(number)

        for number, events in enumerate(messages):
            opened.add(lambda number=number: take(number), events)
            if turn:
                turn = []
        while sum(map(len, found)) < len(messages):
            await asyncio.sleep(0.001)

    asyncio.run(send_all())
    return found


@pytest.mark.parametrize(
    ("lines", "messages", "together"),
    [
        pytest.param(MANY - 1, [[CARD], [CARD]], [[0], [1]], id="few tables: each at once"),
        pytest.param(MANY, [[CARD], [CARD], [CARD]], [[0, 1, 2]], id="many tables: together"),
        pytest.param(MANY, [[CARD], [CARD], [CARD, ORDERED], [CARD]], [[0, 1, 2], [3]], id="an order is carried out"),
        pytest.param(MANY, [[CARD], [CARD] * 5], [[0, 1]], id="a backlog"),
        pytest.param(MANY, [[CARD], []], [[0, 1]], id="a table asks what is stored"),
        pytest.param(MANY, [[CARD], 5], [[0, 1]], id="nonsense is refused at once"),
        pytest.param(MANY, [[CARD], ["nonsense"]], [[0, 1]], id="other nonsense is refused with the others"),
    ],
)
def test_what_is_taken_together(monkeypatch, lines, messages, together):
    assert _taken(monkeypatch, lines, messages) == together


@given(st.lists(st.sampled_from(["waits", "at once", "pause"]), max_size=30))
def test_nothing_is_lost_or_twice_or_out_of_order(steps):
    sent: list[int] = []
    taken: list[int] = []

    async def run() -> None:
        opened = EventWindow(range(MANY))
        for number, step in enumerate(steps):
            if step == "pause":
                opened.take_all()
                assert taken == sent
            else:
                sent.append(number)
                opened.add(lambda number=number: taken.append(number), [CARD] if step == "waits" else [])
                if step == "at once":
                    assert taken == sent
        opened.take_all()

    asyncio.run(run())
    assert taken == sent


# with a service: each table a socket, as the kiosk's line opens it


@pytest.fixture
def service(tmp_path, monkeypatch) -> Iterator[Service]:
    """One in which the messages of any number of tables wait half a second."""
    monkeypatch.setattr(event_window, "MANY", 0)
    monkeypatch.setattr(event_window, "WINDOW_S", 0.5)
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, guests=True)
    with Service(settings) as running:
        yield running


def _opening(table: int) -> dict[str, Any]:
    return {"event": "open", "format": 1, "rules": "bsv", "table": table, "round": 1, "players": list("ABCD")}


@contextmanager
def _line(service: Service, table: int) -> Iterator[ClientConnection]:
    address = service.url.replace("http", "ws") + f"/line/t/1/{table}"
    head = {"Authorization": f"Bearer {service.enrol(table)}"}
    with connect(address, additional_headers=head, proxy=None, compression=None) as socket:
        yield socket


def _post(socket: ClientConnection, events: Sequence[dict[str, Any]], before: Sequence[dict[str, Any]] = ()) -> None:
    chain = chain_over(before) if before else START
    socket.send(json.dumps({"after": len(before) - 1, "chain": chain, "events": list(events)}))


def _answer(socket: ClientConnection, name: str) -> Any:
    while name not in (message := json.loads(socket.recv(20))):
        pass
    return message[name]


def _store(service: Service) -> Any:
    return service.app.state.hall.store


@pytest.mark.slow
def test_tables_that_send_at_one_moment_are_stored_at_once(service, monkeypatch):
    batches: list[int] = []
    append_all = type(_store(service)).append_all
    monkeypatch.setattr(
        type(_store(service)), "append_all", lambda store, some: batches.append(len(some)) or append_all(store, some)
    )
    with ExitStack() as stack:
        sockets = [stack.enter_context(_line(service, table)) for table in range(1, 6)]
        for table, socket in enumerate(sockets, start=1):
            _post(socket, [_opening(table)])
        for table, socket in enumerate(sockets, start=1):
            told = _answer(socket, "took")
            assert (told["status"], told["last"], told["chain"]) == (200, 0, chain_over([_opening(table)]))
    assert batches == [5]


@pytest.mark.slow
def test_the_clock_is_answered_while_events_wait(service):
    with _line(service, 1) as socket:
        _post(socket, [_opening(1)])
        socket.send(json.dumps({"ping": 1}))
        assert "ping" in json.loads(socket.recv(20))
        assert _answer(socket, "took")["last"] == 0


#: What a table sends after it has opened its list and was released: number of the event before, events, answer, and
#: whether that takes a task of its own.
_SENT: list[tuple[str, int, list[dict[str, Any]], int, str | None, bool]] = [
    ("played", 1, [{"event": "deal", "dealer": 1}], 200, None, False),
    ("played before", 0, [{"event": "release"}], 200, None, False),
    ("nothing", 1, [], 200, None, False),
    ("a gap", 4, [{"event": "deal", "dealer": 1}], 409, "gap", True),
    ("another list", 0, [{"event": "sign", "seat": 1}], 409, "contradiction", True),
    ("no event", 1, [{"card": 1}], 422, "not_an_event", True),
    ("what nobody types", 1, [{"event": "name", "seat": 1, "name": "x" * 61}], 422, "not_an_event", True),
    ("decided", 1, [{"event": "strike", "game": 1, "replay": False}], 422, "not_ordered", True),
]


def test_what_is_played_takes_no_task_and_all_else_is_answered_as_ever(service, monkeypatch):
    monkeypatch.setattr(event_window, "MANY", 1000)
    with_task: list[int] = []
    store_events = line_routes.store_events

    async def stored(hall: Any, key: ListKey, *rest: Any) -> dict[str, Any]:
        with_task.append(key.table)
        return await store_events(hall, key, *rest)

    with ExitStack() as stack:
        sockets = {table: stack.enter_context(_line(service, table)) for table in range(1, len(_SENT) + 1)}
        for table, socket in sockets.items():
            _post(socket, [_opening(table), {"event": "release"}])
            assert _answer(socket, "took")["last"] == 1
        monkeypatch.setattr(line_routes, "store_events", stored)
        for (table, socket), (what, after, events, status, error, task) in zip(sockets.items(), _SENT, strict=True):
            list_ = [_opening(table), {"event": "release"}]
            chain = chain_over(list_[: after + 1])
            socket.send(json.dumps({"after": after, "chain": chain, "events": events}))
            told = _answer(socket, "took")
            assert (told["status"], told.get("error"), table in with_task) == (status, error, task), (what, told)
            if status == 200:
                assert told["last"] == max(1, after + len(events)), what
                assert told["chain"] == chain_over([*list_[: after + 1], *events, *list_[after + 1 + len(events) :]])
                assert service.app.state.hall.desk(ListKey("t", 1, table)).copy.count == told["last"] + 1, what


def test_a_list_that_cannot_be_taken_in_holds_up_no_other(service, monkeypatch):
    grown = Hall._grown

    def breaks(hall: Hall, desk: TableDesk, *rest: Any) -> None:
        if desk.key.table == 1:
            raise RuntimeError("made by this test")
        grown(hall, desk, *rest)

    monkeypatch.setattr(event_window, "MANY", 1000)
    with _line(service, 1) as broken, _line(service, 2) as whole:
        for table, socket in ((1, broken), (2, whole)):
            _post(socket, [_opening(table)])
        for socket in (broken, whole):
            assert _answer(socket, "took")["last"] == 0
        monkeypatch.setattr(Hall, "_grown", breaks)
        for table, socket in ((1, broken), (2, whole)):
            _post(socket, [{"event": "release"}], [_opening(table)])
        assert _answer(whole, "took")["last"] == 1
        assert _answer(broken, "took")["status"] == 500


def test_what_an_order_waits_for_is_taken_at_once(service, monkeypatch):
    monkeypatch.setattr(event_window, "WINDOW_S", 3600)
    with _line(service, 1) as socket, _line(service, 2) as other:
        _post(other, [_opening(2)])
        other.send(json.dumps({"ping": 1}))
        assert "ping" in json.loads(other.recv(20))  # what came before it waits by now
        _post(socket, [_opening(1), {"event": "release", "order_number": 1}])
        assert _answer(socket, "took")["last"] == 1
        assert _answer(other, "took")["last"] == 0


def test_a_table_that_goes_while_its_events_wait_has_sent_them(service, monkeypatch):
    monkeypatch.setattr(event_window, "WINDOW_S", 3600)
    with _line(service, 1) as socket:
        _post(socket, [_opening(1)])
    end = time.monotonic() + 20
    while not (stored := _store(service).read(ListKey("t", 1, 1))) and time.monotonic() < end:
        time.sleep(0.01)
    assert stored == [_opening(1)]


def test_a_second_message_before_the_answer_is_none_of_ours(service):
    with _line(service, 1) as socket:
        _post(socket, [_opening(1)])
        _post(socket, [{"event": "release"}], [_opening(1)])
        with pytest.raises(ConnectionClosed):
            while True:
                socket.recv(20)
    assert _store(service).read(ListKey("t", 1, 1)) == [_opening(1)]


@pytest.mark.slow
def test_a_page_that_comes_while_events_wait_is_shown_them(service, monkeypatch):
    before = [_opening(1)]
    with _line(service, 1) as socket, _line(service, 2) as other:
        _post(socket, before)
        _answer(socket, "took")
        monkeypatch.setattr(event_window, "WINDOW_S", 3600)
        _post(socket, [{"event": "release"}], before)
        with connect(service.url.replace("http", "ws") + "/live", proxy=None, compression=None) as page:
            page.send(json.dumps({"tournament": "t", "round": 1, "table": None}))
            told = json.loads(page.recv(20))
            assert [card["events"] for card in told["hall"]] == [1, 0]
            _post(other, [])  # which is answered at once, with all that waits
            while not (cards := json.loads(page.recv(20)).get("cards")):
                pass
            assert [(card["table"], card["events"]) for card in cards] == [(1, 2)]


# tables that fall silent


def _end() -> LineEnd:
    async def nothing(*_: object) -> None: ...

    return LineEnd(device="d", send=nothing, replace=nothing, since=0, heard=time.monotonic())


def test_who_says_nothing_is_let_go_and_who_speaks_is_not():
    async def run() -> None:
        lines, silent, speaks = OpenLines(), _end(), _end()
        loop = asyncio.get_running_loop()
        word: asyncio.Future[str] = loop.create_future()
        with lines.open(silent), lines.open(speaks):
            assert len(lines) == 2
            waits = asyncio.create_task(lines.next_text(silent, loop.create_future()))
            hears = asyncio.create_task(lines.next_text(speaks, word))
            await asyncio.sleep(0)
            late = time.monotonic() + SILENCE_S + 1
            lines.end_silent(late - 2)
            await asyncio.sleep(0.01)
            assert not waits.done()
            speaks.heard = late
            lines.end_silent(late)
            with pytest.raises(TimeoutError):
                await waits
            lines.end_silent(late)  # once more, while nobody waits
            word.set_result("word")
            assert await hears == "word" and speaks.waits is None
        assert len(lines) == 0

    asyncio.run(run())

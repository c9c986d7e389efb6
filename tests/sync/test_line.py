"""The line over real sockets to the real service."""

import asyncio
import threading
import time
from typing import Any

import httpx
import pytest

from kiosk.director.client import DirectorClient
from kiosk.director.key import ListKey
from kiosk.director.refusals import DirectorError
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.errors import LineError
from kiosk.sync.address import LineAddress, line_address
from kiosk.sync.line import Line
from kiosk.sync.socket_way import SocketWay
from kiosk.sync.state import LineMessage, LineState, ListHeld, Order
from kiosk.sync.takeover import fetch_list
from kiosk.table.events.codec import encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import PlayingTimeEnded, Request, RoundReleased
from tests.waiting import until

pytestmark = pytest.mark.slow

KEY = ListKey("herbst", 1, 7)
OPEN = {
    "event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1,
    "players": ["Anna", "Bernd", "Cem", "Dora"],
}  # fmt: skip


def fetched(address: LineAddress) -> list[dict[str, Any]]:
    """The list that the director holds of this address."""

    async def fetch() -> list[dict[str, Any]]:
        async with httpx.AsyncClient(headers=address.headers, verify=address.trust, trust_env=False) as http:
            return list((await fetch_list(http, address.events)).events)

    return asyncio.run(fetch())


class Table:
    """A table that carries every order out, as the kiosk does."""

    def __init__(self, url: str, log: MemoryLog | None = None, number: int = 7, **more: Any) -> None:
        self.log = log or MemoryLog()
        self.orders: list[Order] = []
        self.states: list[LineState] = []
        self.held: list[ListHeld] = []
        self.obey = True
        options = {"token": f"t{number}.geheim", "tournament": "herbst", "table": number, "round": 1} | more
        self.line = Line(url, log=self.log, deliver=self._take, slowest=0.3, **options)
        self.line.start()

    def _take(self, order: LineMessage) -> None:
        if isinstance(order, LineState):
            self.states.append(order)
        if isinstance(order, ListHeld):
            self.held.append(order)
        if not isinstance(order, Order):
            return
        self.orders.append(order)
        if not self.obey:
            return
        if order.request is None:
            self.line.answer(order.number)
        else:
            assert isinstance(order.request, Request)
            self.log.append(encode(order.request.event))
            self.line.wake()

    def add(self, *events: dict[str, Any]) -> None:
        for event in events:
            self.log.append(event)
        self.line.wake()

    def events(self) -> list[dict[str, Any]]:
        return [event for _, event in self.log.read()]


def knowing(service: Service) -> Service:
    """The director with the devices of twelve tables."""
    for table in range(1, 13):
        service.enrol(table, f"t{table}.geheim")
    return service


@pytest.fixture
def settings(tmp_path):
    return Settings(tournament="herbst", database=f"sqlite:///{tmp_path / 'director.sqlite'}", port=0, pin="2468")


@pytest.fixture
def service(settings):
    with knowing(Service(settings)) as running:
        yield running


@pytest.fixture
def tables():
    made: list[Table] = []

    def table(*args: Any, **more: Any) -> Table:
        made.append(Table(*args, **more))
        return made[-1]

    yield table
    for one in made:
        one.line.stop()


def stored(service: Service) -> list[dict[str, Any]]:
    return service.app.state.hall.store.read(KEY)


def restarted(service: Service, settings: Settings) -> Service:
    """The same director again, on the same port."""
    from dataclasses import replace

    return Service(replace(settings, port=service.port))


def test_events_arrive_in_order_and_the_state_says_so(service, tables):
    table = tables(service.url)
    table.add(OPEN, *({"event": "card", "seat": 1, "n": n} for n in range(500)))
    assert table.line.wait_sent(30)
    assert stored(service) == table.events()
    state = until(lambda: table.line.state if table.line.state.connected and not table.line.state.waiting else None)
    assert (state.acknowledged, state.waiting, state.trouble) == (500, 0, "")
    assert state.text("de").startswith("Mit der Turnierleitung")


def test_a_table_works_before_the_director_and_while_it_is_away(settings, tables):
    first = knowing(Service(settings)).start()
    table = tables(first.url)
    table.add(OPEN)
    assert table.line.wait_sent(30)
    until(lambda: table.line.state.connected)
    first.stop()
    until(lambda: not table.line.state.connected)
    assert table.line.state.trouble == "away"
    table.add(*({"event": "card", "seat": 1, "n": n} for n in range(40)))
    assert not table.line.wait_sent(0.5)
    with restarted(first, settings) as second:
        assert table.line.wait_sent(30)
        assert stored(second) == table.events()
        until(lambda: table.line.state.connected)


def test_a_restarted_table_goes_on_where_it_was(service, tables):
    table = tables(service.url)
    table.add(OPEN, {"event": "release"})
    assert table.line.wait_sent(30)
    table.line.stop()
    again = tables(service.url, table.log)
    again.add({"event": "deal", "dealer": 1})
    assert again.line.wait_sent(30)
    assert stored(service) == table.events()


class Cutting(httpx.AsyncBaseTransport):
    """A network that loses every second request, and every third answer after the director has worked it in."""

    def __init__(self) -> None:
        self.real, self.count, self.lost = httpx.AsyncHTTPTransport(), 0, 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.count += 1
        if self.count % 2:
            self.lost += 1
            raise httpx.ConnectError("cut before", request=request)
        response = await self.real.handle_async_request(request)
        if self.count % 3 == 0:
            await response.aread()
            await response.aclose()
            self.lost += 1
            raise httpx.ReadError("cut in the middle of the answer", request=request)
        return response

    async def aclose(self) -> None:
        await self.real.aclose()


def test_a_network_that_loses_requests_and_answers(service, tables, monkeypatch):
    monkeypatch.setattr(SocketWay, "heard", lambda self, message: None)  # all goes by HTTP, as to an older director
    network = Cutting()
    table = tables(service.url, transport=network)
    table.add(OPEN)
    for n in range(6):
        table.add({"event": "card", "seat": 1, "n": n})
        assert table.line.wait_sent(30)
    assert network.lost >= 6
    assert stored(service) == table.events()


class Counting(httpx.AsyncHTTPTransport):
    """The network, with a count of what goes by HTTP."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.count += 1
        return await super().handle_async_request(request)


def test_events_go_over_the_socket_once_it_is_open(service, tables):
    network = Counting()
    table = tables(service.url, transport=network)
    until(lambda: table.line._sender.way.open)
    table.add(OPEN)
    assert table.line.wait_sent(30)
    before = network.count
    for n in range(20):
        table.add({"event": "card", "seat": 1, "n": n})
        assert table.line.wait_sent(30)
    assert network.count == before
    assert stored(service) == table.events()


def test_a_withdrawn_device_is_refused_over_its_open_socket_too(service, tables, monkeypatch):
    table = tables(service.url)
    table.add(OPEN)
    until(lambda: table.line._sender.way.open)
    assert table.line.wait_sent(30)
    access = service.app.state.access
    (device,) = [one for one in access.devices.all() if one.table == 7]
    access.devices.change(device.id, {"withdrawn": True})  # by another director, of which this one has not heard
    access.forget_tables()
    table.add({"event": "release"})
    until(lambda: table.line.state.trouble == "token")
    assert stored(service) == [OPEN]


def test_an_order_is_carried_out_once(service, tables):
    table = tables(service.url)
    table.add(OPEN)
    assert table.line.wait_sent(30)
    with DirectorClient(service.url, "2468") as director:
        given = director.release("herbst", 1)
        assert given["tables"] == 1
        until(lambda: stored(service)[1:])
        assert stored(service)[1:] == [{"event": "release", "actor": "PIN", "order_number": given["number"]}]
        assert service.app.state.hall.store.pending(KEY) == []
    table.line.stop()
    again = tables(service.url, table.log)
    until(lambda: again.line.state.connected)
    time.sleep(0.2)
    assert again.orders == []


def test_an_order_given_while_the_table_was_away(service, tables):
    first = tables(service.url)
    first.add(OPEN)
    assert first.line.wait_sent(30)
    first.line.stop()
    with DirectorClient(service.url, "2468") as director:
        until(lambda: service.app.state.hall.desks[KEY].line is None)
        assert director.time_up("herbst", 1, 7)["away"] == [7]
    again = tables(service.url, first.log)
    order = until(lambda: again.orders)[0]
    assert order.request == Request(event=PlayingTimeEnded(order_number=order.number))
    assert order.given <= time.monotonic()


def test_an_order_taken_but_not_carried_out_before_a_restart_comes_again(service, tables):
    table = tables(service.url)
    table.add(OPEN)
    assert table.line.wait_sent(30)
    table.obey = False
    with DirectorClient(service.url, "2468") as director:
        number = director.release("herbst", 1, 7)["number"]
    until(lambda: table.orders)
    table.line.stop()  # the table's power fails before the event was on its disk
    again = tables(service.url, table.log)
    assert until(lambda: again.orders)[0].number == number
    assert again.line.wait_sent(30)
    until(lambda: len(stored(service)) == 2)


def test_a_lost_socket_does_not_repeat_an_order(settings, tables):
    first = knowing(Service(settings)).start()
    table = tables(first.url)
    table.obey = False
    table.add(OPEN)
    assert table.line.wait_sent(30)
    with DirectorClient(first.url, "2468") as director:
        director.release("herbst", 1, 7)
    until(lambda: table.orders)
    first.stop()
    with restarted(first, settings) as second:
        until(lambda: second.app.state.hall.desks[KEY].line)
        time.sleep(0.2)
        assert len(table.orders) == 1
        table.line.answer(table.orders[0].number, "not now")
        until(lambda: not second.app.state.hall.store.pending(KEY))
        (answer,) = second.app.state.hall.store.answers(KEY)
        assert answer.refused == "not now"


def test_a_call_reaches_the_people_and_is_answered(service, tables):
    table = tables(service.url)
    table.add(OPEN)
    assert table.line.wait_sent(30)
    with DirectorClient(service.url, "2468") as director:
        director.order("herbst", 1, 7, {"call": "director", "text": "Bitte kommen"})
    order = until(lambda: table.orders)[0]
    assert (order.request, order.call, order.text) == (None, "director", "Bitte kommen")
    until(lambda: not service.app.state.hall.store.pending(KEY))


def test_a_table_that_comes_late_is_released_too(service, tables):
    with DirectorClient(service.url, "2468") as director:
        director.release("herbst", 1)
    table = tables(service.url)
    until(lambda: table.line.state.connected)
    time.sleep(0.1)
    assert table.orders == []  # nobody sits there yet
    table.add(OPEN)
    order = until(lambda: table.orders)[0]
    assert order.request == Request(event=RoundReleased(order_number=order.number))


def test_an_order_goes_to_its_table_alone(service, tables):
    seven, eight = tables(service.url), tables(service.url, number=8)
    seven.add(OPEN)
    eight.add(OPEN | {"table": 8})
    assert seven.line.wait_sent(30) and eight.line.wait_sent(30)
    with DirectorClient(service.url, "2468") as director:
        director.release("herbst", 1, 8)
    until(lambda: eight.orders)
    time.sleep(0.1)
    assert seven.orders == []
    assert stored(service) == [OPEN]


@pytest.mark.parametrize(
    ("options", "trouble"),
    [
        pytest.param({"token": "falsch"}, "token", id="token"),
        pytest.param({"tournament": "winter"}, "tournament", id="tournament"),
    ],
)
def test_who_does_not_belong_here_stays_out(service, tables, options, trouble):
    table = tables(service.url, **options)
    table.add(OPEN)
    until(lambda: table.line.state.trouble == trouble)
    assert not table.line.state.connected
    assert list(service.app.state.hall.desks) == []
    assert table.line.state.detail


def test_a_second_device_with_the_same_number_is_refused_loudly(service, tables):
    first = tables(service.url)
    first.add(OPEN, {"event": "deal", "dealer": 1})
    assert first.line.wait_sent(30)
    second = tables(service.url)
    second.add(OPEN, {"event": "deal", "dealer": 2}, {"event": "call", "seat": 3, "call": "gesund"})
    state = until(lambda: second.line.state if second.line.state.trouble == "contradiction" else None)
    assert "event 1" in state.detail and "'dealer': 1" in state.detail
    assert stored(service) == first.events()
    assert "event 1" in service.app.state.feed.card(KEY)["conflict"]


def test_set_aside_lets_a_table_begin_anew(service, tables):
    first = tables(service.url)
    first.add(OPEN, {"event": "deal", "dealer": 1})
    assert first.line.wait_sent(30)
    first.line.stop()
    second = tables(service.url)
    second.add(OPEN, {"event": "deal", "dealer": 2})
    until(lambda: second.line.state.trouble == "contradiction")
    response = httpx.post(f"{service.url}/api/herbst/1/7/aside")
    assert response.status_code == 403
    with httpx.Client(base_url=service.url) as http:
        assert http.post("/api/login", json={"pin": "2468"}).status_code == 200
        assert http.post("/api/herbst/1/7/aside").json() == {"aside": 1}
        until(lambda: stored(service) == second.events())
        until(lambda: not second.line.state.trouble)
        kept = http.get("/api/herbst/1/7/events.jsonl?aside=1").text
    assert kept.count("\n") == 2 and '"dealer": 1' in kept


def test_a_spare_device_is_given_the_list(service, tables):
    table = tables(service.url)
    table.add(OPEN, {"event": "deal", "dealer": 1})
    assert table.line.wait_sent(30)
    table.line.stop()
    log = MemoryLog()
    spare = tables(service.url, log)
    until(lambda: spare.held)
    assert spare.line.state.trouble == "fetching" and not spare.line.asked
    held = spare.held[0]  # and again at each asking, until it is taken
    assert all(again == held for again in spare.held)
    assert (held.tournament, held.round, held.after, held.clock) == ("herbst", 1, -1, None)
    log.add(held.events)
    spare.line.ask()
    spare.add({"event": "call", "seat": 2, "call": "gesund"})
    assert spare.line.wait_sent(30)
    assert spare.line.asked and stored(service) == spare.events()


def test_a_table_that_does_not_take_the_rest_says_that_it_is_behind(service, tables):
    table = tables(service.url)
    table.add(OPEN, {"event": "deal", "dealer": 1})
    assert table.line.wait_sent(30)
    table.line.stop()
    log = MemoryLog()
    log.append(OPEN)
    behind = tables(service.url, log)
    until(lambda: behind.held)
    assert [event["event"] for event in behind.held[0].events] == ["deal"] and behind.held[0].after == 0
    behind.line.ask()
    until(lambda: behind.line.state.trouble == "behind")
    until(lambda: service.app.state.feed.card(KEY)["status"].get("line") == "behind")


def test_another_list_is_no_rest_of_this_one(service, tables):
    table = tables(service.url)
    table.add(OPEN, {"event": "deal", "dealer": 1})
    assert table.line.wait_sent(30)
    table.line.stop()
    log = MemoryLog()
    log.append({**OPEN, "players": ["E", "F", "G", "H"]})
    other = tables(service.url, log)
    until(lambda: other.line.state.trouble == "contradiction")
    assert not other.held
    until(lambda: service.app.state.feed.card(KEY)["conflict"])


@pytest.mark.parametrize("secret", ["falsch", ""])
def test_nothing_is_handed_to_who_shows_no_secret(service, secret):
    with pytest.raises(LineError, match="401"):
        fetched(line_address(service.url, secret, "herbst", 7, 1))


def test_the_directors_time_is_measured(service, tables):
    table = tables(service.url)
    until(lambda: table.line.director_time is not None)
    assert abs(table.line.director_time - time.time()) < 0.5


def test_status_reaches_the_hall_and_is_told_again_after_a_break(settings, tables):
    first = knowing(Service(settings)).start()
    table = tables(first.url)
    table.line.tell({"camera": "dark", "clock": {"running": True, "remaining": 100.0}})
    until(
        lambda: (
            first.app.state.feed.card(KEY)["status"] == {"camera": "dark"} if KEY in first.app.state.hall.desks else 0
        )
    )
    first.stop()
    with restarted(first, settings) as second:
        until(lambda: second.app.state.feed.card(KEY)["status"] if KEY in second.app.state.hall.desks else None)
        clock = second.app.state.feed.card(KEY)["clock"]
        assert clock["running"] and clock["remaining"] <= 100.0


def test_a_log_that_fails_for_a_moment_does_not_end_the_line(service, tables, caplog):
    class Failing(MemoryLog):
        fails = 3

        def read(self, after: int = -1) -> list[tuple[int, Any]]:
            if self.fails:
                self.fails -= 1
                raise OSError("disk on holiday")
            return super().read(after)

    table = tables(service.url, Failing())
    table.add(OPEN)
    assert table.line.wait_sent(30)
    assert stored(service) == [OPEN]


def test_stopping_is_quick_while_the_director_is_away(tables):
    table = tables("http://127.0.0.1:9")
    table.add(OPEN)
    until(lambda: table.states)
    table.line.stop()
    assert not any(thread.name == "line" and thread.is_alive() for thread in threading.enumerate())


@pytest.mark.parametrize("url", ["", "director.local", "ftp://x"])
def test_an_address_that_is_none(url):
    with pytest.raises(LineError, match="is wanted"):
        Line(url, "t", "herbst", 7, 1, MemoryLog(), print)


def test_a_wrong_pin_gives_no_orders(service):
    with pytest.raises(DirectorError, match="name or password is wrong"):
        DirectorClient(service.url, "1111")

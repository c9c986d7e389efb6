"""When a table asks the director for its time, by which both know that the other is there."""

import asyncio
import json
from typing import Any

import pytest

from kiosk.sync.line import Line
from kiosk.sync.order_socket import OrderSocket
from kiosk.sync.waiting import TIMES
from kiosk.table.events.log import MemoryLog


class Clock:
    """Seconds, set by the test."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Socket:
    """The director's end: keeps what was asked, and when."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self.asked = clock, list[float]()

    async def send(self, text: str) -> None:
        if "ping" in json.loads(text):
            self.asked.append(self._clock() - 100)


@pytest.mark.parametrize(
    ("steps", "asked"),
    [
        pytest.param([(0, ""), (TIMES.ping - 1, ""), (TIMES.ping, "")], [0, TIMES.ping], id="nothing happens"),
        pytest.param([(2, "took"), (TIMES.ping, ""), (2 + TIMES.ping, "")], [0, 2 + TIMES.ping], id="events taken"),
        pytest.param([(2, "answered"), (TIMES.ping, "")], [0, TIMES.ping], id="something else was said"),
        pytest.param(
            [(TIMES.ping, ""), (TIMES.ping + 3, "took"), (2 * TIMES.ping, ""), (2 * TIMES.ping + 3, "")],
            [0, TIMES.ping, 2 * TIMES.ping + 3],
            id="later",
        ),
    ],
)
def test_a_director_that_takes_events_is_not_asked(steps, asked):
    assert TIMES.silence >= 2 * TIMES.ping  # of two questions one may be late
    clock = Clock()
    line = Line("http://127.0.0.1:1", "s", "t", 1, 1, MemoryLog(), lambda _: None, monotonic=clock)
    said: dict[str, Any] = {"took": {"took": {"status": 200, "last": 3, "chain": ""}}, "answered": {"answered": 1}}

    async def talk() -> list[float]:
        orders: OrderSocket = line._socket
        socket = Socket(clock)
        talking = asyncio.create_task(orders._talk(socket))
        for at, what in steps:
            await asyncio.sleep(0.01)  # it waits for a word, or its time
            clock.now = 100 + at
            if what:
                orders._heard(said[what])
            orders.say_now()
        await asyncio.sleep(0.01)
        talking.cancel()
        return socket.asked

    assert asyncio.run(talk()) == asked

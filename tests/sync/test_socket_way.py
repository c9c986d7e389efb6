"""Events over the socket: where it does not take them they go by HTTP, and no answer is taken for another."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import websockets

from kiosk.sync import socket_way
from kiosk.sync.outbox import Post
from kiosk.sync.socket_way import Answer, SocketWay

POST = Post(after=3, chain="c", events=({"event": "release"},))
TAKES = {"ping": 1.0, "time": 2.0, "takes": ["events"]}


class Socket:
    """Keeps what is sent; ``then`` happens after each message."""

    def __init__(self, then: Callable[[], None] = lambda: None) -> None:
        self.sent: list[Any] = []
        self._then = then

    async def send(self, text: str) -> None:
        self.sent.append(json.loads(text))
        asyncio.get_running_loop().call_soon(self._then)


async def lost(_text: str) -> None:
    raise websockets.ConnectionClosedError(None, None)


def post_over(way: SocketWay, send: Callable[[str], Awaitable[None]], post: Post = POST) -> Answer | None:
    async def talk() -> Answer | None:
        way.opened(send)
        way.heard(TAKES)
        return await way.post(post)

    return asyncio.run(talk())


def test_the_answer_to_events_is_the_one_that_comes_back():
    way = SocketWay()
    socket = Socket(lambda: way.heard({"took": {"status": 200, "last": 4, "chain": "d"}}))
    answer = post_over(way, socket.send)
    assert socket.sent == [{"after": 3, "chain": "c", "events": [{"event": "release"}]}]
    assert answer is not None
    assert (answer.status, answer.body["last"], answer.body["chain"]) == (200, 4, "d")


def test_a_refusal_has_its_status_and_its_words():
    way = SocketWay()
    refused = {"status": 409, "error": "gap", "message": "send from 2 on", "wanted": 2}
    answer = post_over(way, Socket(lambda: way.heard({"took": refused})).send)
    assert answer == Answer(409, refused)


OLDER = {"ping": 1.0, "time": 2.0}


@pytest.mark.parametrize("told", [{}, OLDER | {"takes": []}, OLDER], ids=["silent", "nothing", "older"])
def test_a_director_that_does_not_say_so_gets_no_events(told: dict[str, Any]):
    way, socket = SocketWay(), Socket()
    way.opened(socket.send)
    way.heard(told)
    assert asyncio.run(way.post(POST)) is None
    assert socket.sent == []


def test_each_socket_is_asked_anew():
    way, socket = SocketWay(), Socket()
    way.opened(socket.send)
    way.heard(TAKES)
    way.closed()
    way.opened(socket.send)
    assert asyncio.run(way.post(POST)) is None
    assert socket.sent == []


def test_what_is_too_long_for_a_socket_goes_by_http():
    way, socket = SocketWay(), Socket()
    long = Post(after=-1, chain="c", events=({"event": "x" * 500_000},))
    assert post_over(way, socket.send, long) is None
    assert socket.sent == []


def test_a_socket_that_closes_before_the_answer_leaves_the_events_to_http():
    way = SocketWay()
    assert post_over(way, Socket(way.closed).send) is None


def test_a_socket_that_cannot_be_written_is_not_tried_again():
    way = SocketWay()
    assert post_over(way, lost) is None
    assert asyncio.run(way.post(POST)) is None


def test_an_answer_that_comes_too_late_belongs_to_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(socket_way, "_PATIENCE_S", 0.001)
    way, socket = SocketWay(), Socket()
    assert post_over(way, socket.send) is None
    way.heard(TAKES)  # it is alive, and still at the message before: another one would break the line
    assert not way.open and asyncio.run(way.post(POST)) is None
    assert len(socket.sent) == 1
    way.heard({"took": {"status": 200, "last": 4, "chain": "d"}})
    assert way.open and asyncio.run(way.post(POST)) is None  # that answer was not for this message
    assert len(socket.sent) == 2


def test_a_new_socket_owes_no_answer(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(socket_way, "_PATIENCE_S", 0.001)
    way = SocketWay()
    assert post_over(way, Socket().send) is None
    way.closed()
    way.opened(Socket().send)
    way.heard(TAKES)
    assert way.open


def test_a_message_waits_for_the_socket_that_is_being_opened_but_only_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(socket_way, "_MOMENT_S", 0.01)

    async def talk() -> list[bool]:
        way, open_then = SocketWay(), []
        await way.settled()  # nothing is opened
        open_then.append(way.open)
        monkeypatch.setattr(socket_way, "_MOMENT_S", 60.0)
        await way.settled()  # at once
        way.opened(Socket().send)
        asyncio.get_running_loop().call_soon(way.heard, TAKES)
        await way.settled()
        open_then.append(way.open)
        way.closed()
        way.opened(Socket().send)
        asyncio.get_running_loop().call_soon(way.heard, OLDER)
        await way.settled()
        open_then.append(way.open)
        return open_then

    assert asyncio.run(talk()) == [False, True, False]

"""Frames read and written without the server's way: whatever comes in whatever pieces is heard once, and in order."""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.sync.client import connect

from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.tables import line_routes
from kiosk.director.web.shared_frames import SharedFramesProtocol, text_frame, whole_text


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("director")
    with Service(Settings(tournament="t", database=f"sqlite:///{folder / 'd.sqlite'}", port=0)) as running:
        yield running


def _frame(text: str, opcode: Opcode = Opcode.TEXT, fin: bool = True) -> bytes:
    return bytes(Frame(opcode, text.encode(), fin).serialize(mask=True))


def _ping(number: int) -> bytes:
    return _frame(json.dumps({"ping": number}))


_ONE, _TWO, _THREE = _ping(1), _ping(2), _ping(3)
_HALVES = (_frame('{"ping": ', fin=False), _frame("1}", Opcode.CONT))
_PADDED = _frame(json.dumps({"ping": 1}) + " " * 40_000)
_CASES = {
    "whole": ([_ONE, _TWO, _THREE], [1, 2, 3]),
    "head alone": ([_ONE[:2], _ONE[2:], _TWO], [1, 2]),
    "head and mask": ([_ONE[:6], _ONE[6:], _TWO], [1, 2]),
    "one byte": ([_ONE[:1], _ONE[1:], _TWO], [1, 2]),
    "two together": ([_ONE + _TWO, _THREE], [1, 2, 3]),
    "one and a half": ([_ONE + _TWO[:5], _TWO[5:], _THREE], [1, 2, 3]),
    "a message in two": ([*_HALVES, _TWO], [1, 2]),
    "a message around a control frame": ([_HALVES[0], _frame("", Opcode.PING), _HALVES[1], _TWO], [1, 2]),
    "a long one in pieces": ([_PADDED[:30_000], _PADDED[30_000:], _TWO], [1, 2]),
    "behind what is waited for": ([_frame('{"plan": true}') + _ONE, _TWO], [1, 2]),
    "behind what asks the store": ([_frame('{"have": []}'), _ONE, _TWO], [1, 2]),
}


@pytest.mark.parametrize(("pieces", "answers"), _CASES.values(), ids=_CASES)
def test_what_comes_in_any_pieces_is_answered_in_order(service, pieces: Sequence[bytes], answers: list[int]):
    address = service.url.replace("http", "ws") + "/line/t/1/7"
    head = {"Authorization": f"Bearer {service.enrol(7)}"}
    with connect(address, additional_headers=head, proxy=None, compression=None) as socket:
        socket.send(json.dumps({"ping": 0}))
        assert json.loads(socket.recv(10))["ping"] == 0  # from now on texts are heard at once
        for piece in pieces:
            socket.socket.sendall(piece)
            time.sleep(0.01)  # else the system sends it with the next one
        got: list[int] = []
        while len(got) < len(answers):
            message = json.loads(socket.recv(10))
            got += [message["ping"]] if "ping" in message else []
        assert got == answers


def test_usual_words_are_heard_at_once(service, monkeypatch):
    """The server's parser is as it was when this was written: else all goes its way, which is right, and slow."""
    heard: list[str] = []
    hear = line_routes._UsualWords.hear
    monkeypatch.setattr(line_routes._UsualWords, "hear", lambda usual, text: heard.append(text) or hear(usual, text))
    address = service.url.replace("http", "ws") + "/line/t/1/8"
    head = {"Authorization": f"Bearer {service.enrol(8)}"}
    with connect(address, additional_headers=head, proxy=None, compression=None) as socket:
        for number in range(3):
            socket.send(json.dumps({"ping": number}))
            assert json.loads(socket.recv(10))["ping"] == number
    assert len(heard) >= 2


@pytest.mark.parametrize("text", ['{"ping"', "[]", '{"events": 5}', '{"status": 5}', '"word"'])
def test_nonsense_is_dealt_with_as_ever(service, text):
    address = service.url.replace("http", "ws") + "/line/t/1/9"
    head = {"Authorization": f"Bearer {service.enrol(9)}"}
    with connect(address, additional_headers=head, proxy=None, compression=None) as socket:
        socket.send(json.dumps({"ping": 0}))
        socket.recv(10)
        socket.send(text)
        if text == '{"events": 5}':
            assert json.loads(socket.recv(10))["took"]["status"] == 422
        else:
            with pytest.raises(ConnectionClosed):
                socket.recv(10)


_TEXTS = st.text(max_size=300) | st.sampled_from(["x" * n for n in (0, 125, 126, 127, 65_535, 65_536)])


@given(_TEXTS)
def test_a_text_is_read_back(text):
    masked = _frame(text)
    read = whole_text(masked)
    assert read == (text if len(text.encode()) <= 65_535 else None)
    assert text_frame(text) == bytes(Frame(Opcode.TEXT, text.encode()).serialize(mask=False))


@given(st.binary(max_size=200), st.data())
def test_what_is_read_at_once_is_what_the_server_reads(rest, data):
    """Any bytes: where they are read as one text, the library reads the same one of them, and nothing is left."""
    head = bytes((0x81, 0x80 | data.draw(st.integers(0, 127)))) if data.draw(st.booleans()) else b""
    sent = head + rest
    text = whole_text(sent)
    protocol = ServerProtocol(state=State.OPEN)
    protocol.receive_data(sent)
    events = protocol.events_received()
    if text is not None:
        assert [(one.opcode, bytes(one.data).decode(), one.fin) for one in events] == [(Opcode.TEXT, text, True)]
        assert not protocol.reader.buffer


def test_bytes_that_are_no_text_are_left_to_the_server():
    broken = bytes(Frame(Opcode.TEXT, b"\xff\xfe").serialize(mask=True))
    assert whole_text(broken) is None


@pytest.mark.parametrize(("closing", "sent"), [(False, [b"\x88\x02\x03\xf4"]), (True, [])], ids=["open", "closing"])
def test_the_service_ends_while_a_connection_is_closing(closing: bool, sent: list[bytes]) -> None:
    class Transport:
        def __init__(self) -> None:
            self.closed, self.written = False, list[bytes]()

        def write(self, data: bytes) -> None:
            self.written.append(data)

        def close(self) -> None:
            self.closed = True

    connection = ServerProtocol(state=State.OPEN)
    if closing:
        connection.receive_data(Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
        connection.data_to_send()  # its answer is on its way
    protocol = SharedFramesProtocol.__new__(SharedFramesProtocol)
    protocol.conn, protocol.transport, protocol.queue = connection, Transport(), asyncio.Queue()
    protocol.handshake_complete, protocol.close_sent, protocol.stop_keepalive = True, False, lambda: None
    protocol.shutdown()
    assert protocol.transport.closed and protocol.transport.written == sent

"""Give a virtual machine a USB device that is a program here: the protocol of USB redirection, as a device's side.

QEMU's ``usb-redir`` is the other side, https://gitlab.freedesktop.org/spice/usbredir/-/blob/main/docs/usb-redirection-protocol.md
The machine's kernel sees a device as any other, and takes its own driver for it.
"""

import contextlib
import socket
import struct
import threading
from collections import deque
from enum import IntEnum
from pathlib import Path
from typing import Protocol


class _Kind(IntEnum):
    """What a message is about."""

    HELLO = 0
    DEVICE_CONNECT = 1
    INTERFACE_INFO = 4
    EP_INFO = 5
    SET_CONFIGURATION = 6
    GET_CONFIGURATION = 7
    CONFIGURATION_STATUS = 8
    SET_ALT_SETTING = 9
    GET_ALT_SETTING = 10
    ALT_SETTING_STATUS = 11
    CANCEL_DATA_PACKET = 21
    CONTROL_PACKET = 100
    BULK_PACKET = 101


_SUCCESS, _CANCELLED, _STALL = 0, 1, 4
#: What this side can: a device's version is told, so are endpoints' packet sizes; numbers of 64 bits, lengths of 32.
_ABILITIES = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6
_HIGH_SPEED = 2
_BULK, _NO_ENDPOINT = 2, 255
#: The bits of an endpoint's address, and its place in the protocol's lists.
_IN = 0x80


class Device(Protocol):
    """A USB device with one bulk endpoint to the machine."""

    #: vendor, product, version in BCD.
    identity: tuple[int, int, int]
    #: class, subclass and protocol of each of its interfaces.
    interfaces: tuple[tuple[int, int, int], ...]
    #: address, interface and greatest packet of its endpoint.
    endpoint: tuple[int, int, int]

    def control(self, request_type: int, request: int, value: int, index: int, length: int, data: bytes) -> bytes:
        """Answer a control request, in at most ``length`` bytes.

        :raises Stalled: it has no such thing.
        """

    def transfer(self, most: int) -> bytes | None:
        """Return what the bulk endpoint gives next; None: nothing yet."""


class Stalled(Exception):
    """A request that the device refuses, as USB has it."""


class Plug:
    """A device at the other end of QEMU's line; it answers in threads of its own until it is closed.

    :param path: of the UNIX socket of QEMU's character device, which listens there.
    """

    def __init__(self, path: Path, device: Device) -> None:
        self._device = device
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._sending = threading.Lock()
        self._asked: deque[tuple[int, int]] = deque()  # bulk requests that wait: number, bytes
        self._moving = threading.Lock()
        self._alternatives: dict[int, int] = {}
        self._send(_Kind.HELLO, 0, struct.pack("<64sI", b"stichwart", _ABILITIES), short=True)
        self._thread = threading.Thread(target=self._listen, name="usb", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Pull the device out."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)
        self._socket.close()

    def move(self) -> None:
        """Give the machine what the device has, as far as it has asked for it."""
        with self._moving:
            while self._asked:
                number, most = self._asked[0]
                data = self._device.transfer(most)
                if data is None:
                    return
                with contextlib.suppress(IndexError):  # taken back meanwhile
                    self._asked.popleft()
                    self._send_bulk(number, _SUCCESS, data)

    # --- messages

    def _send(self, kind: int, number: int, body: bytes, *, short: bool = False) -> None:
        head = struct.pack("<III" if short else "<IIQ", kind, len(body), number)
        with self._sending, contextlib.suppress(OSError):
            self._socket.sendall(head + body)

    def _send_bulk(self, number: int, status: int, data: bytes) -> None:
        address = self._device.endpoint[0]
        head = struct.pack("<BBHIH", address, status, len(data) & 0xFFFF, 0, len(data) >> 16)
        self._send(_Kind.BULK_PACKET, number, head + data)

    def _listen(self) -> None:
        with contextlib.suppress(OSError, EOFError):
            kind, length, _ = struct.unpack("<III", self._read(12))  # its greeting, before it knows of long numbers
            self._read(length)
            self._introduce()
            while True:
                kind, length, number = struct.unpack("<IIQ", self._read(16))
                self._hear(kind, number, self._read(length))

    def _read(self, length: int) -> bytes:
        got = bytearray()
        while len(got) < length:
            piece = self._socket.recv(length - len(got))
            if not piece:
                raise EOFError
            got += piece
        return bytes(got)

    def _introduce(self) -> None:
        interfaces, (address, interface, packet) = self._device.interfaces, self._device.endpoint
        place = (address & _IN) >> 3 | address & 0x0F

        def per_endpoint(usual: int, here: int) -> list[int]:
            return [here if one == place else 0 if one in (0, 16) else usual for one in range(32)]

        types, where = bytes(per_endpoint(_NO_ENDPOINT, _BULK)), bytes(per_endpoint(0, interface))
        sizes = struct.pack("<32H", *per_endpoint(0, packet))
        self._send(_Kind.EP_INFO, 0, types + bytes(32) + where + sizes)
        columns = [bytes(column).ljust(32, b"\0") for column in zip(*interfaces, strict=True)]
        numbers = bytes(range(len(interfaces))).ljust(32, b"\0")
        self._send(_Kind.INTERFACE_INFO, 0, struct.pack("<I", len(interfaces)) + numbers + b"".join(columns))
        # Its class is that of a device whose interfaces belong together (IAD).
        self._send(_Kind.DEVICE_CONNECT, 0, struct.pack("<BBBBHHH", _HIGH_SPEED, 0xEF, 2, 1, *self._device.identity))

    def _hear(self, kind: int, number: int, body: bytes) -> None:
        match kind:
            case _Kind.CONTROL_PACKET:
                self._control(number, body)
            case _Kind.BULK_PACKET:
                _, _, low, _, high = struct.unpack("<BBHIH", body[:10])
                self._asked.append((number, high << 16 | low))
                self.move()
            case _Kind.CANCEL_DATA_PACKET:
                self._cancel(number)
            case _Kind.SET_CONFIGURATION:
                self._send(_Kind.CONFIGURATION_STATUS, number, bytes((_SUCCESS, body[0])))
            case _Kind.GET_CONFIGURATION:
                self._send(_Kind.CONFIGURATION_STATUS, number, bytes((_SUCCESS, 1)))
            case _Kind.SET_ALT_SETTING:
                self._alternatives[body[0]] = body[1]
                self._send(_Kind.ALT_SETTING_STATUS, number, bytes((_SUCCESS, body[0], body[1])))
            case _Kind.GET_ALT_SETTING:
                now = self._alternatives.get(body[0], 0)
                self._send(_Kind.ALT_SETTING_STATUS, number, bytes((_SUCCESS, body[0], now)))
            case _:
                pass  # of resets and filters a program needs to know nothing

    def _control(self, number: int, body: bytes) -> None:
        endpoint, request, request_type, _, value, index, length = struct.unpack("<BBBBHHH", body[:10])
        try:
            data, status = self._device.control(request_type, request, value, index, length, body[10:]), _SUCCESS
        except Stalled:
            data, status = b"", _STALL
        done = len(data) if request_type & _IN else length if status == _SUCCESS else 0
        head = struct.pack("<BBBBHHH", endpoint, request, request_type, status, value, index, done)
        self._send(_Kind.CONTROL_PACKET, number, head + data)

    def _cancel(self, number: int) -> None:
        with self._moving:
            for asked in list(self._asked):
                if asked[0] == number:
                    self._asked.remove(asked)
                    self._send_bulk(number, _CANCELLED, b"")

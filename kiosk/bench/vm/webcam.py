"""Be a USB webcam for a virtual machine, whose kernel drives it by ``uvcvideo``: MJPEG, focus, exposure, mains.

What it says of itself follows USB Video Class 1.0, https://www.usb.org/document-library/video-class-v15-document-set;
like many a cheap webcam it leaves the Huffman tables out of its pictures.
"""

import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kiosk.bench.vm.redirection import Plug, Stalled

_PACKET = 512
#: Bytes of a payload: what the kernel's driver asks for at once from a bulk endpoint of such packets.
_PAYLOAD = 32 * _PACKET
_ENDPOINT = 0x81
_HUNDRED_NS = 10_000_000
_CAMERA, _PROCESSING, _OUTPUT = 1, 2, 3
_SET_CUR = 0x01
#: Requests that ask: of what.
_GET = {0x81: "now", 0x82: "least", 0x83: "most", 0x84: "step", 0x87: "usual"}
_GET_LEN, _GET_INFO = 0x85, 0x86
_PROBE, _COMMIT = 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A control as the standard has it.

    :param place: entity and selector. :param form: of its value, as ``struct`` writes it.
    """

    place: tuple[int, int]
    form: str
    least: int
    most: int
    step: int = 1
    usual: int = 0


#: By the names that Linux gives them.
CONTROLS = {
    # Its steps are the modes that it knows: by itself but for the lens, and all by hand.
    "auto_exposure": Control(place=(_CAMERA, 0x02), form="<B", least=1, most=8, step=9, usual=8),
    "exposure_time_absolute": Control(place=(_CAMERA, 0x04), form="<I", least=1, most=2500, usual=157),
    "focus_absolute": Control(place=(_CAMERA, 0x06), form="<H", least=0, most=250, step=5, usual=60),
    "focus_automatic_continuous": Control(place=(_CAMERA, 0x08), form="<B", least=0, most=1, usual=1),
    "brightness": Control(place=(_PROCESSING, 0x02), form="<h", least=-64, most=64),
    "gain": Control(place=(_PROCESSING, 0x04), form="<H", least=0, most=100, usual=20),
    "power_line_frequency": Control(place=(_PROCESSING, 0x05), form="<B", least=0, most=2, usual=2),
    "white_balance_temperature": Control(
        place=(_PROCESSING, 0x0A), form="<H", least=2800, most=6500, step=10, usual=4600
    ),
    "white_balance_automatic": Control(place=(_PROCESSING, 0x0B), form="<B", least=0, most=1, usual=1),
}
_AT = {control.place: name for name, control in CONTROLS.items()}


def without_tables(jpeg: bytes) -> bytes:
    """Leave out a JPEG's Huffman tables, the usual ones; its other parts stay."""
    kept, at = bytearray(jpeg[:2]), 2
    while jpeg[at + 1] != 0xDA:  # the scan
        (length,) = struct.unpack(">H", jpeg[at + 2 : at + 4])
        if jpeg[at + 1] != 0xC4:
            kept += jpeg[at : at + 2 + length]
        at += 2 + length
    return bytes(kept + jpeg[at:])


class Webcam:
    """A webcam that is plugged in until it is closed.

    :param path: of the UNIX socket of QEMU's character device. :param picture: gives the newest picture as JPEG.
    :param rates: pictures a second that it offers; the first is its usual one.
    """

    identity = (0x1D6B, 0x0102, 0x0100)
    interfaces: tuple[tuple[int, int, int], ...] = ((0x0E, 1, 0), (0x0E, 2, 0))
    endpoint = (_ENDPOINT, 1, _PACKET)

    def __init__(
        self,
        path: Path,
        picture: Callable[[], bytes],
        size: tuple[int, int] = (1280, 720),
        rates: tuple[int, ...] = (15, 10, 25, 30),
        serial: str = "0001",
    ) -> None:
        self._picture, self._size, self._rates = picture, size, rates
        self._names = ("", "Stichwart", "Webcam", serial)
        #: What the machine has set.
        self.values = {name: control.usual for name, control in CONTROLS.items()}
        #: Pictures that were taken, and pictures a second that were agreed on: now (0: none), and last of all.
        self.taken, self.rate, self.agreed = 0, 0, 0
        self._probed = self._interval = _HUNDRED_NS // rates[0]
        self._rest: list[bytes] = []  # payloads of the picture that is on its way
        self._toggle = 0
        self._closed = threading.Event()
        self._plug = Plug(path, self)
        self._thread = threading.Thread(target=self._film, name="webcam", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Pull it out."""
        self._closed.set()
        self._thread.join(10)
        self._plug.close()

    # --- pictures

    def _film(self) -> None:
        due = time.monotonic()
        while not self._closed.wait(max(0.0, due - time.monotonic())):
            due = max(due + self._interval / _HUNDRED_NS, time.monotonic())
            if not self.rate:
                continue
            if not self._rest:
                self._rest = self._payloads(without_tables(self._picture()))
                self.taken += 1
            self._plug.move()

    def _payloads(self, jpeg: bytes) -> list[bytes]:
        room = _PAYLOAD - 2
        pieces = [jpeg[at : at + room] for at in range(0, len(jpeg), room)]
        self._toggle ^= 1  # which tells one picture from the next
        whole = [bytes((2, 0x80 | self._toggle)) + piece for piece in pieces]
        whole[-1] = bytes((2, 0x82 | self._toggle)) + pieces[-1]
        if len(whole[-1]) == _PAYLOAD:
            whole.append(b"")
        return whole

    def transfer(self, most: int) -> bytes | None:
        """Return payloads of the picture that is on its way, as many as there is room for."""
        data = bytearray()
        while self._rest and len(data) + _PAYLOAD <= most:
            data += self._rest.pop(0)
            if len(data) % _PAYLOAD:
                break  # a short one ends what was asked for
        return bytes(data) if data else None

    # --- requests

    def control(self, request_type: int, request: int, value: int, index: int, length: int, data: bytes) -> bytes:
        """Answer a control request."""
        match request_type & 0x7F, request:
            case 0x00, 0x06:
                return self._descriptor(value >> 8, value & 0xFF)[:length]
            case ((0x00 | 0x01 | 0x02), 0x00):  # its state: bus-powered, nothing halted
                return b"\0\0"
            case 0x02, 0x01:  # nothing is halted any more: the kernel's way to end a film of a bulk endpoint
                self.rate, self._rest = 0, []
                return b""
            case 0x21, _ if index == 1:
                return self._stream(request, value >> 8, data)[:length]
            case 0x21, _ if name := _AT.get((index >> 8, value >> 8)):
                return self._control(request, name, data)[:length]
        raise Stalled

    def _control(self, request: int, name: str, data: bytes) -> bytes:
        control = CONTROLS[name]
        if request == _SET_CUR:
            (wanted,) = struct.unpack(control.form, data)
            self.values[name] = min(max(wanted, control.least), control.most)
            return b""
        if request == _GET_LEN:
            return struct.pack("<H", struct.calcsize(control.form))
        if request == _GET_INFO:
            return b"\x03"  # may be asked and set
        if request not in _GET:
            raise Stalled
        asked = _GET[request]
        return struct.pack(control.form, self.values[name] if asked == "now" else getattr(control, asked))

    def _stream(self, request: int, selector: int, data: bytes) -> bytes:
        if selector not in (_PROBE, _COMMIT):
            raise Stalled
        if request == _SET_CUR:
            (interval,) = struct.unpack("<I", data[4:8])
            self._probed = min((_HUNDRED_NS // rate for rate in self._rates), key=lambda one: abs(one - interval))
            if selector == _COMMIT:  # what is only asked for changes no film that runs
                self._interval = self._probed
                self.rate = self.agreed = round(_HUNDRED_NS / self._interval)
            return b""
        if request == _GET_LEN:
            return struct.pack("<H", 26)
        if request == _GET_INFO:
            return b"\x03"
        if request not in _GET:
            raise Stalled
        interval = self._probed if _GET[request] == "now" else _HUNDRED_NS // self._rates[0]
        return struct.pack("<HBBI5HII", 1, 1, 1, interval, 0, 0, 0, 0, 0, self._most, _PAYLOAD)

    @property
    def _most(self) -> int:
        """Bytes of a picture, at most."""
        return self._size[0] * self._size[1] * 2

    # --- what it says of itself

    def _descriptor(self, kind: int, number: int) -> bytes:
        match kind:
            case 1:
                return struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0xEF, 2, 1, 64, *self.identity, 1, 2, 3, 1)
            case 2:
                body = self._interfaces()
                return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), 2, 1, 0, 0x80, 250) + body
            case 3 if number == 0:
                return b"\x04\x03\x09\x04"
            case 3 if number < len(self._names):
                text = self._names[number].encode("utf-16-le")
                return bytes((2 + len(text), 3)) + text
        raise Stalled

    def _interfaces(self) -> bytes:
        together = bytes((8, 11, 0, 2, 0x0E, 3, 0, 2))
        units = b"".join(
            (
                struct.pack("<BBBBHBBHHHB", 18, 0x24, 2, _CAMERA, 0x0201, 0, 0, 0, 0, 0, 3)
                + _bits(1, 3, 5, 17).to_bytes(3, "little"),
                struct.pack("<BBBBBHBHB", 11, 0x24, 5, _PROCESSING, _CAMERA, 0, 2, _bits(0, 6, 9, 10, 12), 0),
                struct.pack("<BBBBHBBB", 9, 0x24, 3, _OUTPUT, 0x0101, 0, _PROCESSING, 0),
            )
        )
        steering = bytes((9, 4, 0, 0, 0, 0x0E, 1, 0, 2))
        steering += struct.pack("<BBBHHIBB", 13, 0x24, 1, 0x0100, 13 + len(units), 48_000_000, 1, 1) + units
        width, height = self._size
        # The shortest first, as the standard has it: the kernel's driver stops at the first that is farther off.
        intervals = sorted(_HUNDRED_NS // rate for rate in self._rates)
        formats = bytes((11, 0x24, 6, 1, 1, 1, 1, 0, 0, 0, 0))
        formats += struct.pack(
            f"<BBBBBHHIIIIB{len(intervals)}I",
            *(26 + 4 * len(intervals), 0x24, 7, 1, 0, width, height),
            *(
                self._most * 8,
                self._most * 8 * max(self._rates),
                self._most,
                _HUNDRED_NS // self._rates[0],
                len(intervals),
                *intervals,
            ),
        )
        formats += bytes((6, 0x24, 0x0D, 1, 1, 4))
        streaming = bytes((9, 4, 1, 0, 1, 0x0E, 2, 0, 0))
        head = (14, 0x24, 1, 1, 14 + len(formats), _ENDPOINT, 0, _OUTPUT, 0, 0, 0, 1, 0)
        streaming += struct.pack("<BBBBHBBBBBBBB", *head)
        return together + steering + streaming + formats + struct.pack("<BBBBHB", 7, 5, _ENDPOINT, 2, _PACKET, 0)


def _bits(*numbers: int) -> int:
    return sum(1 << number for number in numbers)

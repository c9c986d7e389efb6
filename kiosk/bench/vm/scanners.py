"""Be the scanners of a virtual machine: one at a serial adapter (QEMU's ``usb-serial``), one that is a keyboard."""

import socket
import time
from pathlib import Path

from hw.key_layouts import ENTER, key_of
from kiosk.bench.vm.monitor import Monitor

#: What these are in a table's file.
SERIAL, KEYBOARD = "/dev/serial/by-id/usb-QEMU*", "0627:0001"
_SHIFT = 42
#: Seconds between two changes of a key: QEMU keeps sixteen that the machine has not asked for yet.
_KEY_S = 0.05


class SerialScanner:
    """A scanner at a serial adapter; it is plugged in until it is closed."""

    def __init__(self, monitor: Monitor, folder: Path) -> None:
        path = folder / "scanner"
        path.unlink(missing_ok=True)
        address = {"type": "unix", "data": {"path": str(path)}}
        monitor.ask(
            "chardev-add",
            id="scanner",
            backend={"type": "socket", "data": {"addr": address, "server": True, "wait": False}},
        )
        monitor.ask("device_add", driver="usb-serial", id="scanner", chardev="scanner", bus="usb.0")
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(path))  # which plugs it in

    def scan(self, code: str) -> None:
        """Read a code."""
        self._line.sendall(f"{code}\r".encode())

    def close(self) -> None:
        """Pull it out."""
        self._line.close()


class KeyboardScanner:
    """A scanner that types what it reads, as an American keyboard; it is plugged in for good."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor
        monitor.ask("device_add", driver="usb-kbd", id="keyboard", bus="usb.0")

    def scan(self, code: str) -> None:
        """Read a code."""
        for sign in code:
            key, shift = key_of(sign, "us")
            changes = [(key, True), (key, False)]
            for number, down in [(_SHIFT, True), *changes, (_SHIFT, False)] if shift else changes:
                self._press(number, down)
        for down in (True, False):
            self._press(min(ENTER), down)

    def _press(self, number: int, down: bool) -> None:
        # QEMU's numbers of these keys are Linux'.
        event = {"type": "key", "data": {"down": down, "key": {"type": "number", "data": number}}}
        self._monitor.ask("input-send-event", events=[event])
        time.sleep(_KEY_S)

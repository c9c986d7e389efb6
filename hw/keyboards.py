"""See the keyboards of this machine and read one alone: by its device, grabbed, so that its keys land nowhere else."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any, Protocol, TypeAlias

#: A key and what became of it: 1 pressed, 0 let go; repetitions are left out.
KeyEvent: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard:
    """A keyboard as the kernel names it."""

    path: str  # /dev/input/event…, another one each time it is plugged in
    name: str
    vendor: int
    product: int
    socket: str  # where it is plugged in, whatever it is: usb-0000:01:00.0-1.2

    @property
    def model(self) -> str:
        """Name a model: ``05e0:1200 Symbol Bar Code Scanner``."""
        return f"{self.vendor:04x}:{self.product:04x} {self.name}"

    def is_model(self, pattern: str) -> bool:
        """Whether a pattern names it: its model, vendor and product, or name; ``*`` and ``?`` as in a shell."""
        ids = f"{self.vendor:04x}:{self.product:04x}"
        return bool(pattern) and any(
            fnmatch(mine.casefold(), pattern.casefold()) for mine in (self.model, ids, self.name)
        )


class OpenKeyboard(Protocol):
    """A keyboard that is read; ``select`` takes its ``fileno``."""

    def fileno(self) -> int: ...

    def grab(self) -> None:
        """Keep its keys from everybody else.

        :raises OSError: somebody else keeps them.
        """
        ...

    def read(self) -> Sequence[KeyEvent]:
        """Take what has come.

        :raises OSError: it was unplugged.
        """
        ...

    def close(self) -> None:
        """Let it go; may be called twice."""
        ...


class KeyboardSystem(Protocol):
    """The keyboards of a machine."""

    def keyboards(self) -> Sequence[Keyboard]:
        """List those that this user may read."""
        ...

    def open(self, keyboard: Keyboard) -> OpenKeyboard:
        """Open one.

        :raises OSError: it has gone, or this user may not.
        """
        ...


def socket_of(phys: str) -> str:
    """Return the socket of a physical path: a keyboard of several devices has ``/input0``, ``/input1`` behind it."""
    return phys.partition("/input")[0]


class EvdevSystem:
    """The keyboards that evdev finds.

    :raises ImportError: evdev is not there.
    """

    def __init__(self) -> None:
        import evdev

        self._evdev: Any = evdev
        self._known: dict[tuple[str, float], Keyboard | None] = {}  # by path and when it came

    def keyboards(self) -> Sequence[Keyboard]:
        """List what has an Enter key; each device is asked once."""
        seen: dict[tuple[str, float], Keyboard | None] = {}
        for path in self._evdev.list_devices():
            try:
                key = path, os.stat(path).st_ctime
                seen[key] = self._known[key] if key in self._known else self._described(path)
            except OSError:  # it goes as we look
                continue
        self._known = seen
        return [keyboard for keyboard in seen.values() if keyboard is not None]

    def open(self, keyboard: Keyboard) -> OpenKeyboard:
        """Open one for reading."""
        return _EvdevKeyboard(self._evdev, keyboard.path)

    def _described(self, path: str) -> Keyboard | None:
        device = self._evdev.InputDevice(path)
        try:
            keys = device.capabilities().get(self._evdev.ecodes.EV_KEY, ())
            if not {self._evdev.ecodes.KEY_ENTER, self._evdev.ecodes.KEY_KPENTER} & set(keys):
                return None
            return Keyboard(
                path=path,
                name=device.name.strip(),
                vendor=device.info.vendor,
                product=device.info.product,
                socket=socket_of(device.phys or device.uniq or path),
            )
        finally:
            device.close()


class _EvdevKeyboard:
    """A device of evdev."""

    def __init__(self, evdev: Any, path: str) -> None:
        self._key_event = evdev.ecodes.EV_KEY
        self._device = evdev.InputDevice(path)

    def fileno(self) -> int:
        return int(self._device.fileno())

    def grab(self) -> None:
        self._device.grab()

    def read(self) -> Sequence[KeyEvent]:
        try:
            events = list(self._device.read())
        except BlockingIOError:
            return ()
        return [
            (event.code, event.value) for event in events if event.type == self._key_event and event.value in (0, 1)
        ]

    def close(self) -> None:
        self._device.close()

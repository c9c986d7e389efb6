"""Tell the direction of the table's machine: program, power, heat, disk, clock."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hw.machine import look_at_machine
from kiosk.app.kept_settings import write_whole
from kiosk.app.version import version

#: Seconds between two looks at the machine.
_LOOK_S = 60.0

#: File in the data folder with the moment at which lists were written to a stick last, ms since the epoch.
STORED = "stored-on-stick"

#: Seconds by which the machine's date may differ from the direction's; told in steps of as many.
_CLOCK_S = 60


class SelfReport:
    """What a table says of its machine with each status message.

    :param data: a folder on the disk that is told of.
    :param source: the camera, as the table's file names it.
    :param director_time: the direction's time, seconds since the epoch; None: not measured yet.
    """

    def __init__(self, data: Path, source: str, director_time: Callable[[], float | None]) -> None:
        self._data, self._director_time = data, director_time
        self._always = {"version": version(), "source": source}
        self._told: dict[str, Any] = {}
        self.scanner: Callable[[], str | None] = lambda: None  # how the scanner is; None: there is none
        self._next = float("-inf")

    def stored(self) -> None:
        """Note that lists were written to a stick just now; a full disk forgets it."""
        write_whole(self._data / STORED, f"{time.time_ns() // 1_000_000}\n")
        self._next = float("-inf")

    def _stored_at(self) -> int | None:
        try:
            return int((self._data / STORED).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def now(self) -> dict[str, Any]:
        """Return what is to be told now; the machine is looked at now and then."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _LOOK_S
            state = look_at_machine(self._data)
            theirs = self._director_time()
            off = 0 if theirs is None else round((time.time() - theirs) / _CLOCK_S) * _CLOCK_S
            self._told = {
                "under_voltage": bool(state.under_voltage),
                "was_under_voltage": bool(state.was_under_voltage),
                "hot": state.hot or bool(state.slowed),
                "disk_low": state.disk_low,
                "free_gb": None if state.free_mb is None else state.free_mb // 1000,
                "clock_off_s": off,
                "temperature_c": None if state.temperature_c is None else round(state.temperature_c),
                "up_hours": None if state.up_s is None else int(state.up_s // 3600),
                "offset_s": None if theirs is None else round(time.time() - theirs),
            }
            if (stored := self._stored_at()) is not None:
                self._told["stored_at"] = stored
            if (scanner := self.scanner()) is not None:
                self._told["scanner"] = scanner
            if theirs is None:
                self._next = time.monotonic() + 2.0  # it is measured right after the line has come
        return {**self._always, **self._told}

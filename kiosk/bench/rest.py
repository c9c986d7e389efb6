"""Measure the processor time of the table's screen at rest, and its memory over an evening of rounds.

The process holds what it holds at a table at work but for the camera, which has one of its own, and the director.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kiosk.app.kiosk import Kiosk
from kiosk.app.running import run_screen
from kiosk.demo.play import simulate
from kiosk.rules.books import DEFAULT
from kiosk.table.events.codec import decode, decode_opening
from kiosk.table.events.log_file import LogFile
from kiosk.table.table import Table

SIZE_PX = (800, 480)
#: Seconds before the first figure: the program starts, and all that is drawn once is drawn.
SETTLE_S = 8.0
#: Seconds after a round in fast motion before its memory is looked at: at a table there is time to give it back.
PAUSE_S = 10.0
#: Events that a beat notes: with twenty beats a second a round takes half a minute.
EVENTS_A_BEAT = 2
#: Share of a core that rounds may take where minutes are asked for: other work goes on beside it for hours.
LONG_SHARE = 0.2
#: Events of a round noted before the table rests: the first game is in play, some cards lie there.
EVENTS_AT_REST = 20


@dataclass(frozen=True, slots=True)
class Rest:
    """Figures of one run."""

    share: float  # of a core while a game is in play and nobody lays a card
    first_mb: float  # resident memory then
    rounds_mb: tuple[float, ...]  # resident memory some seconds after each of the evening's rounds
    highest_mb: float  # and at the end of one, before the seconds
    minutes_mb: tuple[float, ...]  # and each minute while they were played
    driver: str


class _Evening:
    """A table that rests first, then plays round after round."""

    def __init__(self, folder: Path, rest_s: float, rounds: int, minutes: float) -> None:
        self._file = LogFile(folder / "table.sqlite")
        self._rest_s, self._rounds, self._minutes = rest_s, rounds, minutes
        self.by_minute: list[float] = []
        self.kiosk = Kiosk(None, now=time.monotonic)
        self.share, self.memory, self.highest_mb = 0.0, [0.0], 0.0
        self._steps = self._run()

    def each_beat(self) -> None:
        """Do the next small thing; the screen closes after the last."""
        if next(self._steps, None) is None:
            _app().stop()

    def _sit(self, number: int) -> Iterator[dict[str, Any]]:
        events = simulate(DEFAULT, number, None)
        opening = decode_opening({**next(events), "round": number})
        log = self._file.log("bench", 1, number)
        self.kiosk.sit(Table(log, now=time.monotonic(), opening=opening))
        return events

    def _note(self, event: dict[str, Any]) -> None:
        assert self.kiosk.table is not None
        self.kiosk.table.note(decode({key: value for key, value in event.items() if key != "at"}))

    def _run(self) -> Iterator[str]:
        events = self._sit(1)
        for _ in range(EVENTS_AT_REST):
            self._note(next(events))
        yield from _waiting(SETTLE_S)
        began, used = time.monotonic(), time.process_time()
        yield from _waiting(self._rest_s)
        self.share = (time.process_time() - used) / (time.monotonic() - began)
        self.memory[0] = _resident_mb()
        began, used, number = time.monotonic(), time.process_time(), 1
        while number <= self._rounds or time.monotonic() - began < 60 * self._minutes:
            if number > 1:
                events = self._sit(number)
            for count, event in enumerate(events):
                self._note(event)
                self._look_at_memory(time.monotonic() - began, number)
                if count % 50 == 0:
                    _app().go("list" if _app().current == "play" else "play")
                if count % 70 == 0:
                    _app().sheets.open("more")
                if count % EVENTS_A_BEAT == 0:
                    yield "round"
                while self._minutes and time.process_time() - used > LONG_SHARE * (time.monotonic() - began):
                    yield "slower"
            self.highest_mb = max(self.highest_mb, _resident_mb())
            yield from _waiting(PAUSE_S)
            self.memory.append(_resident_mb())
            number += 1

    def _look_at_memory(self, played_s: float, number: int) -> None:
        """Tell the memory once a minute."""
        if played_s >= 60 * (len(self.by_minute) + 1):
            self.by_minute.append(_resident_mb())
            told = f"minute {len(self.by_minute)}, in round {number}: {self.by_minute[-1]:.0f} MB"
            print(told, file=sys.stderr, flush=True)


def _app() -> Any:
    from kivy.app import App

    return App.get_running_app()


def _waiting(seconds: float) -> Iterator[str]:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        yield "rest"


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def measure(folder: Path, rest_s: float, rounds: int, minutes: float = 0.0) -> Rest:
    """Rest for a time, then play so many rounds, and others until the minutes are over, at 800 × 480."""
    from kiosk.ui.display import video_driver

    evening = _Evening(folder, rest_s, rounds, minutes)
    run_screen(evening.kiosk, language="de", size=SIZE_PX, each_beat=evening.each_beat)
    rounds_mb, minutes_mb = tuple(evening.memory[1:]), tuple(evening.by_minute)
    return Rest(evening.share, evening.memory[0], rounds_mb, evening.highest_mb, minutes_mb, video_driver())

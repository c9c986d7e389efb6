"""Attack a director with bad requests while tables play, and count what came of it: ``stichwart bench attack``."""

import asyncio
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from kiosk.bench.bad_requests import LONG_LETTER, Attack, Prey, bad_requests
from kiosk.bench.figure import Figure
from kiosk.bench.hall_rounds import round_of
from kiosk.director.access.passwords import hashed
from kiosk.director.client import DirectorClient
from kiosk.director.process import DirectorProcess
from kiosk.errors import LONGEST_SHOWN
from kiosk.sync.line import Line
from kiosk.sync.state import LineMessage, LineState
from kiosk.table.events.log import MemoryLog

_PIN = "271828182"
_TOURNAMENT = "t"
_FIRST, _TABLES = 101, 5  # tables that play meanwhile; no bad request names one of them
_AT_ONCE = 16  # connections
_PATIENCE_S = 20.0  # for an answer, or the end of a connection

#: Megabytes by which the memory may grow over the second half of the attack.
_GROWTH_MB = 10.0


@dataclass(slots=True)
class Outcome:
    """What came of an attack."""

    answers: Counter[int] = field(default_factory=Counter)  # by HTTP status; 0: none, 1: no end within the patience
    failed: list[bytes] = field(default_factory=list)  # what got a status from 500 on
    echoed: list[bytes] = field(default_factory=list)  # refusals that say more of a bad value than a message may


async def attack(address: tuple[str, int], requests: Iterable[Attack], outcome: Outcome) -> None:
    """Send these requests, several at once, each over a connection of its own."""
    rest = iter(requests)

    async def work() -> None:
        for one in rest:
            status, answer = await _send(address, one)
            outcome.answers[status] += 1
            if status >= 400 and LONG_LETTER * (LONGEST_SHOWN + 1) in answer:
                outcome.echoed.append(answer)
            if status >= 500:
                outcome.failed.append(one.content)

    await asyncio.gather(*(work() for _ in range(_AT_ONCE)))


async def _send(address: tuple[str, int], one: Attack) -> tuple[int, bytes]:
    """Send one request; return its status, 0 without an answer, 1 if there was no end of it, and the answer."""
    answer = b""
    try:
        async with asyncio.timeout(_PATIENCE_S):
            reader, writer = await asyncio.open_connection(*address)
            try:
                writer.write(one.content)
                await writer.drain()
                if one.closes:
                    writer.write_eof()
                answer = await reader.read(65536)
                if one.kind == "socket" and answer.startswith(b"HTTP/1.1 101"):
                    return 101, b""  # what it says to the frames is for the log
                while more := await reader.read(65536):
                    answer += more
            finally:
                writer.close()
    except TimeoutError:
        return 1 if not answer else _status(answer), answer
    except OSError:  # it was cut off, as it may be
        pass
    return _status(answer), answer


def _status(answer: bytes) -> int:
    words = answer.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[0].startswith(b"HTTP/") and words[1].isdigit() else 0


class _Playing:
    """Tables that play while the service is attacked."""

    def __init__(self, url: str, secrets: list[str]) -> None:
        self.troubles: Counter[str] = Counter()
        self.tables = []
        for number, secret in enumerate(secrets, start=_FIRST):
            log = MemoryLog()
            line = Line(url, secret, _TOURNAMENT, number, 1, log, self._heard)
            self.tables.append((iter(round_of(number)), log, line))
            line.start()

    def _heard(self, message: LineMessage) -> None:
        if isinstance(message, LineState) and message.trouble not in ("", "away"):
            self.troubles[message.trouble] += 1

    async def play(self) -> None:
        """Append an event at each table four times a second, until cancelled."""
        while True:
            for events, log, line in self.tables:
                event = next(events, None)
                if event is not None:
                    log.append(event)
                    line.wake()
            await asyncio.sleep(0.25)

    def finish(self) -> bool:
        """Whether the director has everything, within a minute."""
        sent = [line.wait_sent(60) for _, _, line in self.tables]
        for _, _, line in self.tables:
            line.stop()
        return all(sent)


def figures(count: int, seed: int = 1) -> Iterable[Figure]:
    """Attack a director's process with so many requests while five tables play."""
    with tempfile.TemporaryDirectory() as folder:
        config, log_file = Path(folder) / "director.toml", Path(folder) / "director.log"
        config.write_text(f'tournament = "{_TOURNAMENT}"\nhost = "127.0.0.1"\npin = "{hashed(_PIN)}"\n')
        with DirectorProcess(["--config", config, "--data", folder, "--port", "0"], 60, log_file) as director:
            yield from _attacked(director, count, seed, log_file)


def _attacked(director: DirectorProcess, count: int, seed: int, log_file: Path) -> Iterable[Figure]:
    with DirectorClient(director.url, _PIN) as client, httpx.Client(base_url=director.url, trust_env=False) as http:
        playing = _Playing(director.url, [client.enrol(number) for number in range(_FIRST, _FIRST + _TABLES)])
        secret = client.enrol(99)
        http.post("/api/login", json={"pin": _PIN}).raise_for_status()
        parts = urlsplit(director.url)
        prey = Prey(
            host=parts.netloc,
            described=http.get("/openapi.json").raise_for_status().json(),
            session=http.cookies["stichwart"],
            secret=secret,
            tournament=_TOURNAMENT,
            table=99,
        )
        address = (str(parts.hostname), int(parts.port or 0))
        outcome, begun, open_before = Outcome(), time.monotonic(), _open_files(director.pid)
        memory = asyncio.run(
            _waves(address, islice(bad_requests(prey, seed), count), count, outcome, playing, director)
        )
        taken = time.monotonic() - begun
        all_stored = playing.finish()
        alive = http.get("/health").status_code == 200
        left = _left_open(director.pid, open_before)
    bad = sum(number for status, number in outcome.answers.items() if status >= 500)
    told = ", ".join(f"{status} × {number}" for status, number in sorted(outcome.answers.items()))
    yield Figure(
        "attack", f"{count} bad requests in {taken:.0f} s: answers (0: closed without one, 1: kept open)", told
    )
    yield Figure("attack", "answers from 500 on", str(bad), "0", bad == 0)
    value = str(len(outcome.echoed))
    yield Figure("attack", f"refusals with over {LONGEST_SHOWN} letters of a bad value", value, "0", not outcome.echoed)
    yield Figure("attack", "connections that found no end", str(outcome.answers[1]), "0", outcome.answers[1] == 0)
    traces = log_file.read_text(errors="replace").count("Traceback")
    yield Figure("attack", "errors in the log", str(traces), "0", traces == 0)
    grown = memory[-1] - memory[len(memory) // 2]
    what = "memory, MB: at first / half way / at the end"
    value = f"{memory[0]:.0f} / {memory[len(memory) // 2]:.0f} / {memory[-1]:.0f}"
    yield Figure("attack", what, value, f"second half: ≤ {_GROWTH_MB:.0f}", grown <= _GROWTH_MB)
    yield Figure("attack", "open files more than before", str(left), "≤ 5", left <= 5)
    yield Figure(
        "attack", "alive; the tables' lists whole", f"{alive}; {all_stored}", "True; True", alive and all_stored
    )
    disturbed = dict(playing.troubles)
    yield Figure("attack", "troubles that the tables had", str(disturbed or 0), "0", not disturbed)


async def _waves(
    address: tuple[str, int],
    requests: Iterable[Attack],
    count: int,
    outcome: Outcome,
    playing: _Playing,
    director: DirectorProcess,
) -> list[float]:
    """Send the requests in ten waves while the tables play; the memory before the first and after each, MB."""
    task, memory, rest = asyncio.create_task(playing.play()), [_memory_mb(director.pid)], iter(requests)
    for _ in range(10):
        await attack(address, islice(rest, max(1, count // 10)), outcome)
        memory.append(_memory_mb(director.pid))
    task.cancel()
    return memory


def _memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1000


def _open_files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def _left_open(pid: int, before: int) -> int:
    """Files that are open more than before, once half-open connections have run into their deadline."""
    end = time.monotonic() + 15
    while (more := _open_files(pid) - before) > 5 and time.monotonic() < end:
        time.sleep(0.2)
    return more

"""What the championship consists of while it runs: the director's process, the tables, the people at their pages."""

import shutil
import socket
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from kiosk.bench.championship.page import Person
from kiosk.bench.championship.plan import NAME, Moment, Plan
from kiosk.bench.championship.tables import TableProcess, command_all, directed
from kiosk.bench.waiting import until
from kiosk.director.process import DirectorProcess
from kiosk.rules.engine.listing import ListRow

SHIPPED = Path(__file__).parents[3] / "systemd" / "director.toml"

PASSWORDS = {
    "Turnierleitung": "karo-neun-8",
    "Schiedsrichter": "herz-zehn-9",
    "Anmeldung": "pik-ass-10",
    "Zuschauer": "kreuz-dame-2",
}
DESKTOP_PX, TELEPHONE_PX, BEAMER_PX = (1280, 800), (390, 844), (1920, 1080)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """Points that stand otherwise on a list than they were played."""

    round: int
    table: int
    seat: int
    points: int


@dataclass(slots=True)
class Notes:
    """What the program itself knows to have happened beside the play."""

    corrections: list[Correction] = field(default_factory=list)
    left: dict[int, list[str]] = field(default_factory=dict)  # who left during a round
    disqualified: list[str] = field(default_factory=list)
    results: set[tuple[int, int]] = field(default_factory=set)  # lists of which the result alone was typed
    typed_rows: int = 0
    on_paper: dict[tuple[int, int], tuple[ListRow, ...]] = field(default_factory=dict)  # what is played there


class Championship:
    """The director and its tables; a context manager."""

    def __init__(self, plan: Plan, folder: Path, browser: Browser) -> None:
        self.plan, self.folder, self._browser = plan, folder, browser
        self.faults: list[str] = []
        self.notes = Notes()
        self.pictures = folder / "pictures"
        self.pictures.mkdir(parents=True, exist_ok=True)
        self.people: list[Person] = []
        self.devices: list[TableProcess] = []  # all that ever were
        self.tables: dict[int, TableProcess] = {}
        self.begun = time.monotonic()
        self.port = _free_port()
        self._file = folder / "director.toml"
        shipped = SHIPPED.read_text().replace('tournament = "turnier"', f'tournament = "{NAME}"')
        kept = [line for line in shipped.splitlines() if not line.startswith(("data ", "words ", "port "))]
        self._file.write_text("\n".join(kept) + "\n")
        self.director = self.start_director(self.folder / "director", self.port)
        self.url = self.director.url

    def start_director(self, data: Path, port: int, *more: str) -> DirectorProcess:
        """Start the service as its unit does: the shipped file, encrypted, on all addresses."""
        return DirectorProcess(
            ["--config", self._file, "--data", data, "--port", str(port), *more],
            patience=300,
            log_file=self.folder / "director.log",
        )

    def person(self, who: str, size: tuple[int, int], url: str = "") -> Person:
        """Let somebody open a browser."""
        one = Person(self._browser, url or self.url, who, size, self.pictures, self.faults)
        self.people.append(one)
        return one

    def switch_on(self, table: int, name: str) -> TableProcess:
        """Start a table's device."""
        folder = self.folder / name
        device = TableProcess(folder, directed(folder, self.url, NAME, table), table)
        self.devices.append(device)
        self.tables[table] = device
        return device

    def all_tables(self) -> Iterable[TableProcess]:
        """The tables that play."""
        return self.tables.values()

    def hear(self, *what: object, of: Iterable[int] = ()) -> None:
        """Wait until these tables (none: all) have told so."""
        wanted = [self.tables[number] for number in of] if of else list(self.all_tables())
        until(
            lambda: all(one.has_said(*what) for one in wanted),
            600,
            f"tables {[one.table for one in wanted if not one.has_said(*what)]} tell {what}",
        )

    def play_to(self, round_: int, moment: Moment, of: Iterable[int] = ()) -> None:
        """Let these tables (none: all) play on up to there, and wait until they hold."""
        wanted = [self.tables[number] for number in of] if of else list(self.all_tables())
        command_all(wanted, "play", round_, *moment)
        self.hear("held", round_, *moment, of=of)

    def note_away(self, away: bool) -> None:
        """Tell all pages that the service is away, or back."""
        for one in self.people:
            one.away = away

    def log(self, text: str) -> None:
        """Tell on standard output how far it is."""
        print(f"{time.monotonic() - self.begun:6.1f} s  {text}", flush=True)

    def __enter__(self) -> "Championship":
        return self

    def __exit__(self, *_: Any) -> None:
        for one in self.people:
            one.context.close()
        for device in self.devices:
            device.stop()
        self.director.stop()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("0.0.0.0", 0))
        return int(one.getsockname()[1])


def fresh(folder: Path) -> Path:
    """Empty a folder of an earlier championship."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder

"""The pins of a table in a virtual machine, at a chip that its kernel simulates, and its clock display on a bus."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hw.pinmap import PinMap
from kiosk.bench.vm.machine import Machine
from kiosk.bench.vm.pin_kit import kernel_of, make_kit
from kiosk.bench.vm.pins import Pins
from kiosk.bench.vm.scanners import SERIAL, SerialScanner
from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from kiosk.image.mirror import usual_mirror
from tests.vm.booted import ARCHITECTURE, IMAGE, START, UP, WHY_NOT, configure, drawn, lay_list
from tests.vm.directed import Direction

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT),
    pytest.mark.skipif(ARCHITECTURE != "amd64", reason="the kit is built for a PC"),
]

CACHE = Path(__file__).parents[2] / "build" / "cache"
WIRED = PinMap()
#: As delivered, with every wire: what tables without any have changed in it stays as it stands there.
WIRES = {
    line: line
    for line in (
        'display = "ht16k33"',
        "lamps = [23, 24, 25, 17, 27]",
        "referee_lamp = 12",
        "buzzer = 16",
        "button = 4",
    )
}
SCRIPT = list(simulate("eppstein", 3, games=1, table=7))
#: In the middle of the first trick.
NOTED, NEXT, AFTER = SCRIPT[:10], SCRIPT[10], SCRIPT[11]
#: When the list was opened, ms since the epoch: by it the direction keeps its clock; of 120 minutes a display shows no
#: seconds.
NOTED[0] |= {"at": (OPENED := 1_790_000_000_000), "minutes": 60}
#: Seconds that the clock display and what the direction was told last may differ by in a machine that is slow.
SLACK_S = 20


@dataclass(frozen=True, slots=True)
class Wired:
    """A table with every wire, in the middle of a trick."""

    machine: Machine
    direction: Direction
    pins: Pins
    scanner: SerialScanner

    def lit(self) -> list[int]:
        """The seats whose lamps are lit."""
        return [seat for seat, pin in enumerate(WIRED.lamps, 1) if self.pins.high(pin)]


@pytest.fixture(scope="session")
def kit() -> Path:
    """What gives a machine the pins; it is built while another process starts an image for the first time."""
    return make_kit(kernel_of(IMAGE), usual_mirror(), CACHE)


@pytest.fixture(scope="module")
def table(kit: Path, started: Path, tmp_path_factory: pytest.TempPathFactory, direction: Direction) -> Iterator[Wired]:
    folder = tmp_path_factory.mktemp("machine")
    with Machine(IMAGE, folder, like=started) as machine:
        machine.on()
        machine.go_back(UP)
        pins = Pins(machine, kit, START)
        file = direction.table_file(**WIRES, **{'port = ""': f'port = "{SERIAL}"'})
        configure(machine, file)
        lay_list(machine, NOTED)
        machine.shell.run("systemctl start --no-block stichwart-table")
        scanner = SerialScanner(machine.monitor, folder)
        direction.until(lambda row: row["connected"] and len(direction.noted()) == len(NOTED), START)
        machine.wait_for_screen(drawn, START)
        yield Wired(machine, direction, pins, scanner)
        scanner.close()


def seconds(shown: str) -> int:
    """Return how many seconds a clock display shows."""
    assert re.fullmatch(r"[ \d]\d:[0-5]\d", shown), shown
    minutes, rest = shown.split(":")
    return 60 * int(minutes) + int(rest)


def test_a_lamp_shows_whose_turn_it_is(table: Wired) -> None:
    assert table.lit() == [NEXT["seat"]]
    table.scanner.scan(NEXT["card"])
    table.pins.until(WIRED.lamps[AFTER["seat"] - 1], high=True, timeout=START)
    assert table.lit() == [AFTER["seat"]]


def test_the_display_shows_the_clock_s_time(table: Wired) -> None:
    shown = seconds(table.pins.display())
    told = table.direction.clock(ListKey("cup", 1, 7), OPENED)["remaining"]
    assert abs(shown - told) < SLACK_S
    later = shown
    while later == shown:
        later = seconds(table.pins.display())
    assert later < shown


def test_the_button_calls_the_referee_with_lamp_and_buzzer(table: Wired) -> None:
    pins = table.pins
    assert WIRED.button is not None and WIRED.buzzer is not None and WIRED.referee_lamp is not None
    assert not pins.high(WIRED.referee_lamp)
    pins.until(WIRED.buzzer, high=True, first=pins.push(WIRED.button), timeout=START)
    assert pins.high(WIRED.referee_lamp)
    table.direction.until(lambda row: row["status"]["referee"], START)
    pins.until(WIRED.buzzer, high=False, first=pins.let_go(WIRED.button), timeout=START)
    # Three seconds after the first a press says that he is not needed any more.
    time.sleep(4)
    pins.until(WIRED.referee_lamp, high=False, first=pins.push(WIRED.button), timeout=START)
    table.direction.until(lambda row: not row["status"]["referee"], START)


def test_all_is_dark_once_the_table_is_stopped(table: Wired) -> None:
    table.machine.shell.run("systemctl stop stichwart-table", timeout=START)
    assert table.lit() == []
    assert table.pins.display() == "    "

"""A round in a virtual machine, by its camera, a finger and two scanners; what comes of it is what was played."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

from kiosk.bench.vm.machine import Machine, Picture
from kiosk.bench.vm.scanners import KEYBOARD, SERIAL, KeyboardScanner, SerialScanner
from kiosk.bench.vm.webcam import Webcam
from kiosk.demo.decks import simulated_deck_file
from kiosk.demo.play import simulate
from kiosk.demo.report import wrong_rows
from kiosk.demo.touching import Event
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode, parse
from kiosk.table.round.fold import fold
from kiosk.ui.seats.seats_view import SeatsView
from tests.vm.booted import IMAGE, START, UP, WHY_NOT, configure, drawn, listed
from tests.vm.directed import Direction
from tests.vm.playing import RATE, Film, Mirror, play, seen

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]

BOOK, DECK, GAMES, SEED = "schaffkopf", "stichwart-bavarian", 3, 2
NOBODY = ("Platz 1", "Platz 2", "Platz 3", "Platz 4")
#: Events up to the end of the first trick, which is scanned: opened, released, dealt, four answers, a game, four cards.
SCANNED = 12
#: Share of the pixels that a name changes.
NAMED = 0.002


def table_file(direction: Direction) -> str:
    """The table's file: its scanners, nobody's names, and a webcam that an emulated machine can follow."""
    return direction.table_file(
        **{
            'rules = "eppstein"': f'rules = "{BOOK}"',
            'name = "vereinsblatt"': f'name = "{DECK}"',
            "fps = 15": f"fps = {RATE}",
            "keep = true": "keep = false",  # films and learning take what little time its processor has
            "improve = true": "improve = false",
            'port = ""': f'port = "{SERIAL}"',
            'keyboard = ""': f'keyboard = "{KEYBOARD}"',
        }
    )


def bring_deck(machine: Machine, folder: Path) -> None:
    """Lay the deck where a table has those that it has learned."""
    content, disk = simulated_deck_file(DECK, BOOKS[BOOK]).read_bytes(), folder / "deck.img"
    disk.write_bytes(content + bytes(-len(content) % 512))
    machine.plug_in_stick(disk)
    decks = "/var/lib/stichwart/decks"
    copy = f"mkdir -p {decks} && head -c {len(content)} /dev/sda >{decks}/{DECK}.npz && chown -R stichwart: {decks}"
    machine.shell.run(f"until [ -b /dev/sda ]; do sleep 0.5; done; {copy}", timeout=START)
    machine.pull_out_stick()


def sees(picture: Picture) -> bool:
    """Report whether the seats are on the screen, and their key of the camera is not red: it has a picture."""
    blue, green, red = (picture[410:460, 20:150, channel].astype(int) for channel in range(3))
    return drawn(picture) and not np.any((red > 120) & (green < 80) & (blue < 80))


@dataclass(frozen=True, slots=True)
class Hall:
    """A table in a machine, its direction, and what people do there."""

    machine: Machine
    direction: Direction
    mirror: Mirror
    film: Film
    scanners: tuple[SerialScanner, KeyboardScanner]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, direction: Direction, started: Path) -> Iterator[Hall]:
    folder, film = tmp_path_factory.mktemp("machine"), Film(DECK)
    with Machine(IMAGE, folder, like=started, nice=0) as machine:  # all others are done sooner
        machine.on()
        machine.go_back(UP)
        configure(machine, table_file(direction))
        bring_deck(machine, folder)
        machine.shell.run("systemctl restart --no-block stichwart-table")
        webcam = Webcam(machine.plug_in_program("webcam"), film.picture, rates=(RATE,))
        scanners = SerialScanner(machine.monitor, folder), KeyboardScanner(machine.monitor)
        machine.wait_for_screen(lambda now: webcam.taken > 0 and sees(now), START)
        seating = SeatsView(table=7, rules=BOOK, players=NOBODY, mat_seats=4)
        yield Hall(machine, direction, Mirror(machine, seating, direction.noted), film, scanners)
        webcam.close()
        scanners[0].close()


@pytest.fixture(scope="module")
def script() -> list[Event]:
    """What is played."""
    return list(simulate(BOOK, SEED, GAMES))


def test_scanners_name_the_people_and_lay_a_trick_a_finger_begins(hall: Hall, script: list[Event]) -> None:
    mirror, scanners = hall.mirror, cycle(hall.scanners)
    for number, name in enumerate(script[0]["players"], 1):
        with seen(hall.machine, NAMED):
            next(scanners).scan(f"P:{number} {name}")
    mirror.sit_down()
    assert list(mirror.follow().round.players) == script[0]["players"]
    hall.direction.release()
    mirror.wait(2)
    play(mirror, script[2:SCANNED], lambda event: next(scanners).scan(event["card"]))
    assert len(mirror.follow().events) == SCANNED


def test_three_games_are_listed_as_they_were_played(hall: Hall, script: list[Event]) -> None:
    mirror, truth = hall.mirror, fold(map(decode, script))
    play(mirror, script[SCANNED:], hall.film.lay, hall.film.taken)
    assert wrong_rows(truth, mirror.follow().round) == []
    mirror.turn_to_list()
    hall.machine.picture(hall.machine.folder / "list.png")
    assert wrong_rows(truth, fold(map(parse, listed(hall.machine)))) == []

"""The course of the championship, from the first start of the direction to the closed cash box."""

import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser

from kiosk.bench.championship import plan as who
from kiosk.bench.championship.checks import all_of_it
from kiosk.bench.championship.closing import final_standing, give_prizes, save_all
from kiosk.bench.championship.hall import Championship
from kiosk.bench.championship.opening import Crew, admit, check_in, come_late, gather, set_up, take_in
from kiosk.bench.championship.plan import Plan
from kiosk.bench.championship.rounds import draw, look_around, on_paper, release
from kiosk.bench.championship.tables import command_all
from kiosk.bench.championship.trouble import (
    appeal,
    complain,
    director_dies,
    disqualify,
    gone_home,
    lose_one,
    spare_device,
    table_dies,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it."""

    people: int
    events: int
    typed_rows: int
    presses: int
    pictures: int
    seconds: float
    faults: tuple[str, ...]


def play(plan: Plan, folder: Path, browser: Browser) -> Outcome:
    """Play the whole championship; its logs, pictures and files stay in the folder."""
    with Championship(plan, folder, browser) as hall:
        crew = gather(hall)
        admit(hall, crew.director)
        set_up(hall, crew.director)
        take_in(hall, crew.director)
        check_in(hall, crew.desk)
        _first_round(hall, crew)
        _second_round(hall, crew)
        _third_round(hall, crew)
        pdf = final_standing(hall, crew)
        give_prizes(hall, crew)
        restored = save_all(hall, crew.director)
        events = all_of_it(hall, crew, pdf, restored)
        return Outcome(
            people=len(plan.entrants),
            events=events,
            typed_rows=hall.notes.typed_rows,
            presses=sum(one.presses for one in hall.people),
            pictures=sum(one.views for one in hall.people),
            seconds=time.monotonic() - hall.begun,
            faults=tuple(dict.fromkeys(hall.faults)),
        )


def _first_round(hall: Championship, crew: Crew) -> None:
    """Draw by lot, play, type the lists on paper row by row."""
    draw(hall, crew, 1, "14")
    look_around(hall, crew, "15 seats")
    release(hall, crew, 1)
    hall.play_to(1, hall.plan.moments.look)
    look_around(hall, crew, "16 first round")
    for one in (crew.director, crew.referee):
        one.go("1/1")
        if 1 in hall.tables:
            one.read("Auf dem Tisch")
        one.shot("17 a table")
    command_all(hall.all_tables(), "play")
    on_paper(hall, crew.director, crew.desk, 1, rows=True)
    hall.hear("closed", 1)
    look_around(hall, crew, "18 after the first round")


def _second_round(hall: Championship, crew: Crew) -> None:
    """Play with new company, and with everything that goes wrong."""
    come_late(crew.desk, hall.plan.latecomer, pays=True)
    draw(hall, crew, 2, "20")
    release(hall, crew, 2)
    hall.play_to(2, hall.plan.moments.look)
    if who.LOSES_ONE in hall.tables:
        lose_one(hall, crew, 2)
    if who.COMPLAINS in hall.tables:
        complain(hall, crew, 2)
    director_dies(hall, crew, 2)
    if who.DIES in hall.tables:
        table_dies(hall, crew, 2)
    command_all(hall.all_tables(), "play")
    on_paper(hall, crew.director, crew.desk, 2, rows=who.APPEALS in hall.plan.on_paper)
    hall.hear("closed", 2)
    look_around(hall, crew, "32 after the second round")
    appeal(hall, crew, 2)
    disqualify(hall, crew, 2)
    for name in hall.notes.left.get(2, ()):
        gone_home(crew, name)
    if who.DIES in hall.plan.kiosks:
        spare_device(hall, crew)


def _third_round(hall: Championship, crew: Crew) -> None:
    """Play by the standing and by the other book."""
    draw(hall, crew, 3, "40")
    release(hall, crew, 3)
    hall.play_to(3, hall.plan.moments.look)
    look_around(hall, crew, "41 third round")
    command_all(hall.all_tables(), "play")
    on_paper(hall, crew.director, crew.desk, 3, rows=True)
    hall.hear("closed", 3)
    look_around(hall, crew, "42 after the third round")

"""Set the hall up: ``python -m kiosk.bench.setting_up [--tables N] [--folder FOLDER]``."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from kiosk.bench.championship.__main__ import CHROMIUM, QUIET
from kiosk.bench.championship.hall import Championship, fresh
from kiosk.bench.championship.opening import Crew, admit_one, check_in, gather, set_up, take_in
from kiosk.bench.championship.plan import Plan
from kiosk.bench.championship.rounds import draw, seated
from kiosk.bench.setting_up.device import NewTable
from kiosk.bench.waiting import until

#: Tables that are switched on at a time: a start takes the whole of a processor for some seconds.
AT_A_TIME = 5

_PATIENCE_S = 600.0


def set_up_hall(hall: Championship, tables: int) -> int:
    """Set everything up, from the first account to the last seat; return how many people sit where they were drawn."""
    director = (pages := gather(hall)).director
    set_up(hall, director)
    director.turn_to("Zugang")
    for first in range(1, tables + 1, AT_A_TIME):
        numbers = range(first, min(first + AT_A_TIME, tables + 1))
        for number in numbers:
            device = NewTable(hall.folder / f"table-{number:02}", number)
            hall.devices.append(device)
            hall.tables[number] = device
        for number in numbers:
            admit_one(hall, director, number)
        hall.log(f"tables {first} to {numbers[-1]} are the direction's")
    director.shot("05 devices")  # each says that its camera is missing
    take_in(hall, director)
    check_in(hall, pages.desk)
    draw(hall, pages, 1, "14")
    return _seats_taken(hall, pages, tables)


def _seats_taken(hall: Championship, pages: Crew, tables: int) -> int:
    """Wait until people sit at all tables, and count those who sit where the page has drawn them."""
    director = pages.director
    new = {number: device for number, device in hall.tables.items() if isinstance(device, NewTable)}
    until(lambda: all(one.told("sat") for one in new.values()), _PATIENCE_S, "somebody to sit at each table")
    director.turn_to("Runde 1", "Seiten")
    expect(director.page.locator(".card", has_text="nicht freigegeben")).to_have_count(tables, timeout=120_000)
    director.shot("15 all sit")
    drawn, right = seated(director, 1), 0
    for number, device in new.items():
        told = device.told("sat") or [[]]
        if told[0] != drawn[number]:
            hall.faults.append(f"table {number}: {told[0]} sit there, {drawn[number]} were drawn")
        else:
            right += len(drawn[number])
    hall.log(f"{right} people sit where they were drawn")
    return right


def main() -> int:
    """Set the hall up, and tell what came of it; 1 if something was wrong."""
    arguments = argparse.ArgumentParser(description="set up a hall of tables from nothing, by touch alone")
    arguments.add_argument("--folder", type=Path, help="for logs, pictures and files; it is emptied first")
    arguments.add_argument("--tables", type=int, default=30, choices=range(2, 100), metavar="2…99")
    given = arguments.parse_args()
    folder = fresh(given.folder or Path(tempfile.mkdtemp(prefix="stichwart-setting-up-")))
    begun = time.monotonic()
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        with Championship(Plan(tables=given.tables, paper=0, games=4), folder, browser) as hall:
            right = set_up_hall(hall, given.tables)
            presses, faults = sum(one.presses for one in hall.people), list(dict.fromkeys(hall.faults))
        browser.close()
    minutes = (time.monotonic() - begun) / 60
    print(f"{given.tables} tables, {right} people seated, {presses} presses, {minutes:.1f} minutes; see {folder}")
    for fault in faults:
        print(f"FAULT {fault}")
    return int(bool(faults) or right != 4 * given.tables)


if __name__ == "__main__":
    sys.exit(main())

"""Play the championship, and tell what came of it: ``python -m kiosk.bench.championship [--folder FOLDER]``."""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from kiosk.bench.championship.course import play
from kiosk.bench.championship.hall import fresh
from kiosk.bench.championship.plan import Plan

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]


def main() -> int:
    """Play it; 1 if something was wrong."""
    arguments = argparse.ArgumentParser(description="play a whole championship on the direction's page")
    arguments.add_argument("--folder", type=Path, help="for logs, pictures and files; it is emptied first")
    arguments.add_argument("--tables", type=int, default=30)
    arguments.add_argument("--paper", type=int, default=4, help="how many of them have no device")
    arguments.add_argument(
        "--games", type=int, help="of each round, without Pflichtsoli (default: as the books have it)"
    )
    given = arguments.parse_args()
    folder = fresh(given.folder or Path(tempfile.mkdtemp(prefix="stichwart-championship-")))
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        outcome = play(Plan(tables=given.tables, paper=given.paper, games=given.games), folder, browser)
        browser.close()
    print(
        f"{outcome.people} people, {given.tables} tables, {outcome.events} events, {outcome.typed_rows} rows typed, "
        f"{outcome.presses} presses, {outcome.pictures} pictures, {outcome.seconds / 60:.1f} minutes; see {folder}"
    )
    for fault in outcome.faults:
        print(f"FAULT {fault}")
    print(f"{len(outcome.faults)} faults")
    return int(bool(outcome.faults))


if __name__ == "__main__":
    sys.exit(main())

"""Two lists of one table, side by side on the direction's page in a real browser."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.sync.line import Line
from kiosk.sync.state import GiveWay, LineMessage
from kiosk.table.events.log import MemoryLog
from tests.director.test_mending_page import for_all
from tests.director.test_setup_page import log_in
from tests.test_spare import KEY, OPENING, ROUND, SECRET

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

OWN = [{**OPENING, "at": 1795186800123}, {"event": "release", "at": 1795186801123}]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin="2468")
    with Service(settings) as running:
        running.enrol(7, SECRET)
        running.app.state.hall.store.append(KEY, -1, "", ROUND)
        yield running


@pytest.fixture
def page(browser: Any, service: Service) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="de-DE", timezone_id="Europe/Berlin")
    opened = context.new_page()
    opened.goto(f"{service.url}/#/1/7")
    log_in(opened)
    yield opened
    context.close()


@pytest.mark.parametrize("keep", ["stored", "sent"])
def test_the_direction_decides_which_of_two_lists_counts(page: Any, service: Service, keep: str) -> None:
    log, told, gave_way = MemoryLog(), [], threading.Event()

    def hear(message: LineMessage) -> None:
        if isinstance(message, GiveWay):
            told.append(message)
            gave_way.set()

    log.add(OWN)
    line = Line(service.url, SECRET, "t", 7, 1, log, hear, slowest=0.3)
    line.start()
    try:
        box = page.locator("section.rival")
        box.wait_for()
        for text in (
            "Liste der Turnierleitung",
            "Liste des Geräts am Tisch",
            "2 Spiele",
            "0 Spiele",
            "A 0, B 0, C 0, D 0",
        ):
            assert text in box.inner_text(), text
        for_all(page)
        page.locator(f"section.rival button[data-keep={keep}]").click()
        page.locator("dialog button.danger").click()
        box.wait_for(state="detached")
        store = service.app.state.hall.store
        if keep == "stored":
            assert gave_way.wait(30) and told[0].last == 1
            assert store.read(ListKey("t", 1, 7)) == ROUND
        else:
            assert line.wait_sent(30) and store.read(KEY) == OWN and store.read(KEY, -1, 1) == ROUND
    finally:
        line.stop()

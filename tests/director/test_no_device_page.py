"""Tables that have a seat plan and no device: on paper from the beginning, in the hall and on the projector."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from tests.director.test_setup_page import log_in

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

PIN = "2468"
PEOPLE = [
    f"{first} {last}" for last in ("Ott", "von der Heyden-Rottluff") for first in ("Anna", "Bernd", "Cem", "Dora")
]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Two tables are seated; the first has a device, which is away."""
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin=PIN)
    with Service(settings) as running, httpx.Client(base_url=running.url, trust_env=False, timeout=60) as http:
        running.enrol(1, "t1.geheim")
        http.post("/api/login", json={"pin": PIN})
        for note in (
            {"note": "setup", "rules": "eppstein", "options": {}},
            {"note": "enter", "names": PEOPLE},
            {"note": "draw", "round": 1},
            {"note": "publish", "round": 1},
        ):
            assert http.post("/api/t/notes", json=note).status_code == 200
        yield running


def opened(browser: Any, where: str, width: int, height: int) -> Any:
    page = browser.new_context(viewport={"width": width, "height": height}, locale="de-DE").new_page()
    page.goto(where)
    return page


def test_a_table_without_a_device_is_on_paper_from_the_beginning(browser: Any, service: Service) -> None:
    page = opened(browser, f"{service.url}/#/1", 1280, 900)
    log_in(page)
    first, second = (page.locator(f".card[data-table='{table}']") for table in (1, 2))
    playwright.expect(second).to_contain_text("auf Papier")
    playwright.expect(second).to_contain_text("kein Gerät")
    playwright.expect(first).to_contain_text("Niemand sitzt am Tisch")
    playwright.expect(first).to_contain_text("noch nie verbunden")
    page.get_by_role("button", name="Runde freigeben").click()  # it is for the table that has a device
    playwright.expect(page.get_by_role("dialog")).to_contain_text("An einem Tisch beginnt die Runde")
    page.keyboard.press("Escape")
    second.click()
    playwright.expect(page.get_by_role("button", name="Auf Papier führen")).to_be_visible()
    for name in ("Freigeben", "Tisch rufen"):  # nobody would hear it
        playwright.expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    service.enrol(2, "t2.geheim")
    page.goto(f"{service.url}/#/1")
    playwright.expect(second).to_contain_text("noch nie verbunden")  # as soon as it has one
    playwright.expect(second).not_to_contain_text("auf Papier")
    page.context.close()


def test_the_projector_says_who_sits_at_tables_without_a_device(browser: Any, service: Service) -> None:
    seats = service.app.state.hall.office.tournament.plans[1].seats[2]
    beamer = opened(browser, f"{service.url}/beamer?seconds=3", 1920, 1080)
    states = beamer.locator(".states li", has_text="auf Papier")
    playwright.expect(states).to_have_count(1)
    playwright.expect(states).to_contain_text("2")
    listed = beamer.locator("ol.paper li")
    playwright.expect(listed).to_have_count(1)
    for name in seats:
        playwright.expect(listed).to_contain_text(name)
    cut = "[...document.querySelectorAll('.paper .who')].filter(one => one.scrollWidth > one.clientWidth).length"
    assert beamer.evaluate(cut) == 0
    beamer.context.close()

"""Releases on the direction's page: uploaded, brought to tables, what becomes of each; the direction's own."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.sync.state import ReleaseOffered
from tests.director.test_no_device_page import opened
from tests.director.test_releases import Device, Makes
from tests.director.test_setup_page import log_in

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.slow

PIN = "2468"
KIND = {"machine": "aarch64", "python": "3.13"}


@pytest.fixture
def makes(tmp_path: Path) -> Makes:
    return Makes(tmp_path)


@pytest.fixture
def service(makes: Makes) -> Iterator[Service]:
    """A direction that is installed, and that has three tables."""
    makes.layout.release("0.1").mkdir(parents=True)
    (makes.layout.program / "current").symlink_to("releases/0.1")
    makes.layout.incoming.mkdir(parents=True)
    settings = Settings(
        tournament="t",
        database=f"sqlite:///{makes.folder / 'd.sqlite'}",
        port=0,
        pin=PIN,
        releases=makes.folder / "releases",
        installed=makes.layout,
        version="0.1",
    )
    with Service(settings) as running:
        for table in (1, 2, 3):
            running.enrol(table, f"t{table}.geheim")
        yield running


class Table(Device):
    """A table's line; of what becomes of its release it says what the test has it say."""

    def __init__(self, service: Service, number: int) -> None:
        super().__init__(SimpleNamespace(service=service), number, KIND, tasks=("restart", "reboot", "log"))
        self.tell()

    def offer(self, after: int = 0) -> ReleaseOffered:
        """The release that is offered to it, by a later order than that."""
        offer = self.hears(lambda offer: offer is not None and offer.order > after)
        assert offer is not None
        return offer

    def asked(self) -> str:
        """What is asked of the device itself."""
        with self._news:
            assert self._news.wait_for(lambda: bool(self.tasks), 30)
            return self.tasks[-1]

    def tell(self, **release: Any) -> None:
        machine = {"up_hours": 50, "temperature_c": 61, "offset_s": -3, "scanner": "works", "free_gb": 12}
        self.line.tell({"version": "0.1", "seats": 4, **machine, **({"release": release} if release else {})})


@pytest.fixture
def tables(service: Service) -> Iterator[list[Table]]:
    made = [Table(service, number) for number in (1, 2)]
    for one in made:
        one.hears(lambda offer: offer is None)
    yield made
    for one in made:
        one.line.stop()


@pytest.mark.parametrize(("width", "language"), [(1280, "de"), (390, "en")])
def test_from_the_upload_to_each_table_by_the_page(
    browser: Any, service: Service, tables: list[Table], makes: Makes, width: int, language: str
) -> None:
    words = {
        "de": ("Tische ohne offene Liste", "Alle Tische", "0.2 wird geholt: 40 %", "nicht von dem, dessen Schlüssel",
               "Zurücknehmen", "sobald er verbunden ist", "ist da und wartet"),
        "en": ("Tables without an open list", "All tables", "fetching 0.2: 40 %", "not by the maker whose key",
               "Take back", "once it is connected", "is there and waits"),
    }[language]  # fmt: skip
    resting, everybody, fetching, foreign, back, later, waits = words
    page = opened(browser, f"{service.url}/#/access", width, 900)
    log_in(page)
    if language == "en":
        page.evaluate("localStorage.setItem('language', 'en')")
        page.reload()
    file = makes.folder / "new.bundle"
    file.write_bytes(makes.bundle(**KIND))
    page.locator("input[name=bundle]").set_input_files(file)
    row = page.locator("tr", has_text="aarch64, Python 3.13")
    playwright.expect(row).to_contain_text("0.2")
    page.get_by_role("button", name=resting).click()
    first = tables[0].offer()
    assert (first.order, first.version) == (tables[1].offer().order, "0.2")
    page.get_by_role("button", name=everybody, exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=everybody).click()
    order = tables[0].offer(first.order).order
    assert tables[1].offer(first.order).order == order
    tables[0].tell(order=order, state="fetching", percent=40)
    tables[1].tell(order=order, state="refused", percent=100, code="bundle_foreign", values={"name": "x"})
    rows = page.locator("table.access tr", has_text="0.1")
    playwright.expect(page.get_by_text(fetching)).to_be_visible()
    playwright.expect(page.get_by_text(foreign)).to_be_visible()
    playwright.expect(page.get_by_text(f"0.2: {later}")).to_be_visible()
    assert rows.count() >= 2
    page.screenshot(path=f"{makes.folder}/{width}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    tables[0].tell(order=order, state="waits", percent=100)
    playwright.expect(page.get_by_text(waits)).to_be_visible()
    page.get_by_role("button", name=back).click()
    playwright.expect(page.get_by_text(waits)).to_have_count(0)
    assert json.loads((makes.folder / "releases" / "wishes.json").read_text())["all"] is None
    page.context.close()


def test_a_row_tells_how_the_device_is_and_asks_it(browser: Any, service: Service, tables: list[Table]) -> None:
    page = opened(browser, f"{service.url}/#/access", 1280, 900)
    log_in(page)
    row = page.locator("tr", has=page.get_by_role("rowheader", name="Tisch 1", exact=True))
    for told in ("läuft seit 2 Tagen", "61 °C", "Uhr -3 s daneben", "Scanner geht", "Matte für 4", "Version 0.1"):
        playwright.expect(row).to_contain_text(told)
    row.get_by_role("button", name="Gerät …").click()
    dialog = page.get_by_role("dialog")
    playwright.expect(dialog).to_contain_text("keine Namen")
    dialog.get_by_label("Was?").select_option("restart")
    dialog.get_by_role("button", name="Los").click()
    assert tables[0].asked() == "restart"
    page.context.close()


def test_a_file_that_is_none_is_told_in_plain_words(browser: Any, service: Service, makes: Makes) -> None:
    page = opened(browser, f"{service.url}/#/access", 1280, 900)
    log_in(page)
    file = makes.folder / "list.bundle"
    file.write_bytes(b"a list")
    page.locator("input[name=bundle]").set_input_files(file)
    playwright.expect(page.locator(".toast.bad")).to_contain_text("keine Fassung von Stichwart")
    page.context.close()


def test_only_directors_see_it(service: Service) -> None:
    assert httpx.get(f"{service.url}/api/fleet").status_code == 403

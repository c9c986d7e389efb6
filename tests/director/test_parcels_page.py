"""Decks and settings on the direction's page: taken in, given, what each table has; a backup put back, looked at."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kiosk.director.serve import Service
from tests.director.test_no_device_page import opened
from tests.director.test_parcels import Device, Hall
from tests.director.test_restoring import WORD
from tests.director.test_saving import FolderSticks, settings_of
from tests.director.test_setup_page import log_in
from tests.parcel import made

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.slow


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr("tests.director.test_parcels.PIN", "2468")  # by which the page's tests log in
    made_hall = Hall(tmp_path)
    yield made_hall
    made_hall.end()


def test_a_deck_and_settings_come_to_the_tables_that_are_meant(browser: Any, hall: Hall, tmp_path: Path) -> None:
    """On a telephone's screen, where it is narrow."""
    tables: list[Device] = [hall.device(table) for table in (1, 2)]
    for one in tables:
        one.has()
        one.line.tell({"version": "0.1", "parcels": {"order": 0, "state": "has", "have": []}})
    page = opened(browser, f"{hall.service.url}/#/access", 390, 900)
    log_in(page)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    (tmp_path / "vereinsblatt.npz").write_bytes(made.deck_file(tmp_path / "decks"))
    (tmp_path / "kaputt.npz").write_bytes(b"no deck")
    page.locator("input[name=parcel]").set_input_files([tmp_path / "kaputt.npz", tmp_path / "vereinsblatt.npz"])
    playwright.expect(page.get_by_text("kaputt.npz: Das ist kein Blatt")).to_be_visible()
    row = page.locator("tr", has=page.get_by_role("rowheader", name="Blatt vereinsblatt"))
    row.get_by_role("button", name="An Tische …").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("2", exact=True).check()
    dialog.get_by_role("button", name="Geben").click()
    wished = tables[1].has("vereinsblatt")
    assert tables[0].wished.order == 0, "who ticks a table means that one"
    playwright.expect(row).to_contain_text("Für Tisch 2. 0 von 1 haben es.")
    first, second = (
        page.locator("tr", has=page.get_by_role("rowheader", name=f"Tisch {table}", exact=True)) for table in (1, 2)
    )
    playwright.expect(second).to_contain_text("Blatt vereinsblatt: angeboten")
    has = [["deck", "vereinsblatt", wished.parcels[0].sha256[:12]]]
    tables[1].line.tell({"version": "0.1", "parcels": {"order": wished.order, "state": "has", "have": has}})
    told = {"name": "de", "code": "parcel_size", "values": {"size": "1"}}
    tables[0].line.tell({"version": "0.1", "parcels": {"order": 0, "state": "has", "have": [], "refused": [told]}})
    playwright.expect(row).to_contain_text("1 von 1 haben es.")
    playwright.expect(second).to_contain_text(f"Blatt vereinsblatt ({has[0][2][:6]})")
    playwright.expect(first).to_contain_text("„de“ nimmt er nicht: Zu groß")
    page.get_by_role("button", name="Einstellungen für Tische …").click()
    dialog.get_by_label("Name, zum Beispiel").fill("Abend")
    dialog.get_by_label("Lautstärke").fill("30")
    dialog.get_by_role("button", name="Behalten").click()
    playwright.expect(page.locator("tr", has_text="Einstellungen Abend")).to_contain_text("Lautstärke in %: 30")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("button", name="Alles zurücknehmen …").click()
    dialog.get_by_role("button", name="Zurücknehmen").click()
    tables[1].has(after=wished.order)
    assert wrong == []
    page.context.close()


def test_a_backup_is_told_before_it_takes_the_place_of_what_is_here(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "sticks").mkdir()
    settings = replace(settings_of(tmp_path / "data", FolderSticks(tmp_path / "sticks")), tls=None)
    with Service(settings) as service:
        begun: list[bool] = []
        service.app.state.begin_anew = lambda: begun.append(True)
        page = opened(browser, service.url, 1280, 900)
        code = service.app.state.access.first_code
        page.request.post(f"{service.url}/api/first", data={"code": code, "name": "L", "password": WORD})
        (tmp_path / "b.zip").write_bytes(page.request.get(f"{service.url}/api/backup").body())
        page.goto(f"{service.url}/#/access")
        page.reload()
        dialog = page.get_by_role("dialog")
        page.locator("input[name=backup]").set_input_files(tmp_path / "b.zip")
        playwright.expect(dialog).to_contain_text("Ersetzt wird: „t“")
        playwright.expect(dialog).to_contain_text("Konten: 1")
        dialog.get_by_label("Passwort oder PIN").fill("falsch")
        dialog.get_by_role("button", name="Wiederherstellen").click()
        playwright.expect(dialog).to_contain_text("Name oder Passwort stimmt nicht")
        assert begun == []
        dialog.get_by_label("Passwort oder PIN").fill(WORD)
        dialog.get_by_role("button", name="Wiederherstellen").click()
        playwright.expect(page.get_by_text("Das Turnier wird übernommen").first).to_be_visible()
        assert begun == [True]
        page.context.close()

"""A club's own book made on the direction's page: begun, changed, a contradiction told, tried, saved, played by."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kiosk.director.pages import book_routes
from tests.director.test_no_device_page import opened
from tests.director.test_page_for_all import faults
from tests.director.test_parcels import Hall
from tests.director.test_setup_page import log_in

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.slow


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr("tests.director.test_parcels.PIN", "2468")  # by which the page's tests log in
    monkeypatch.setattr(book_routes, "_GAMES", 6)
    made = Hall(tmp_path)
    yield made
    made.end()


def turn(page: Any, view: str) -> Any:
    page.locator(f"[data-view={view}]").click()
    return page.locator("#own-form")


def test_a_club_makes_its_book_and_plays_by_it(browser: Any, hall: Hall) -> None:
    """What is shown is looked at by axe-core on a wide screen in the light and on a telephone in the dark."""
    page = opened(browser, f"{hall.service.url}/#/setup/book", 1280, 900)
    log_in(page)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
    see = playwright.expect
    page.locator("select[name=rules]").select_option("bsv")
    see(page.locator("#book-form")).to_contain_text("BSV 7.2")
    page.get_by_role("button", name="Als eigenes Buch").click()
    dialog = page.get_by_role("dialog")
    for name, text in (("name", "mittwoch"), ("title", "Mittwochsrunde"), ("source", "Versammlung")):
        dialog.locator(f"[name={name}]").fill(text)
    dialog.get_by_role("button", name="Anlegen").click()
    see(page.locator("#own-book h2")).to_contain_text("Mittwochsrunde")
    turn(page, "scoring").get_by_label("Herzstich", exact=True).check()
    see(page.locator("[data-field='options.value_herzstich']")).to_be_visible()  # it brings its option
    see(page.locator("#own-differences")).to_contain_text("Herzstich")

    page.locator("[id='own-rules.written']").select_option("plus")  # the list of the base wants sums of 0
    see(page.locator("[data-field='rules.written'] [role=alert]")).to_contain_text("jede Zeile 0 ergibt")
    see(page.get_by_role("button", name="Speichern", exact=True)).to_be_disabled()
    see(turn(page, "round").locator("[data-field='rules.list'] [role=alert]")).to_contain_text("jede Zeile 0 ergibt")
    page.locator("[id='own-rules.list']").select_option("plus")
    see(page.locator("#own-form [role=alert]")).to_have_count(0)

    page.evaluate("location.hash = '#/setup/people'")  # another page is looked at meanwhile
    page.locator("#set-people").wait_for()
    page.evaluate("location.hash = '#/setup/own'")
    see(page.locator("#own-book")).to_contain_text("Noch nicht gespeichert")
    page.reload()  # what was typed comes back as it was
    see(page.locator("#own-book")).to_contain_text("Noch nicht gespeichert")
    see(page.locator("#own-book h2")).to_contain_text("Mittwochsrunde")
    see(page.locator("#own-differences")).to_contain_text("Herzstich")
    turn(page, "trumps").get_by_label("Zu Damensolo dazu").select_option("J")
    see(page.get_by_role("button", name="Bube in jeder Farbe streichen").nth(1)).to_be_visible()  # of Bubensolo, too
    see(page.locator("[data-field='trumps.damensolo'] :focus")).to_be_visible()
    page.get_by_role("button", name="Eigener Abschnitt …: Damensolo").click()
    dialog.locator("[name=section]").fill("§ 4")
    dialog.locator("[name=text]").fill("Im Damensolo stechen auch die Buben.")
    dialog.get_by_role("button", name="Übernehmen").click()
    see(page.locator("[data-field='trumps.damensolo']")).to_contain_text("§ 4 Im Damensolo stechen")
    page.get_by_role("button", name="Jetzt probieren").click()
    see(page.locator("table.trial").first).to_contain_text("Normalspiel")
    page.get_by_role("button", name="Speichern", exact=True).click()
    see(page.locator("[data-book=mittwoch]")).to_contain_text("Mittwochsrunde")
    assert faults(page) == []
    page.set_viewport_size({"width": 390, "height": 900})
    page.emulate_media(color_scheme="dark")
    for view in ("games", "trumps", "scoring", "wording"):
        turn(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults(page) == []

    page.locator("[data-book=mittwoch]").get_by_role("button", name="Danach spielen").click()
    dialog.get_by_role("button", name="Danach spielen").click()
    see(page.locator("[data-book=mittwoch]")).to_contain_text("gilt für Runde 1")
    page.locator("[data-book=mittwoch]").get_by_role("button", name="An alle Tische").click()
    see(page.locator("[data-book=mittwoch]")).to_contain_text("an den Tischen")

    told = hall.page.get("/api/books").json()["books"][0]  # somebody else saves it, too
    content = hall.page.get(f"/api/books/{told['number']}").json()["content"]
    content["title"] = "Donnerstagsrunde"
    body = {"name": "mittwoch", "content": content, "seen": told["number"]}
    assert hall.page.post("/api/books/save", json=body).status_code == 200
    turn(page, "name").locator("[id='own-source']").fill("Vorstand")
    page.get_by_role("button", name="Speichern", exact=True).click()
    see(page.locator("#own-book .overtaken")).to_contain_text("Donnerstagsrunde")
    page.get_by_role("button", name="Das Gespeicherte behalten").click()
    see(page.locator("#own-book h2")).to_contain_text("Donnerstagsrunde")
    assert wrong == []

"""A game on the page in a real browser: reached from the list, gone through, its pictures fetched from the table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from kiosk.table.recordings import PictureKey
from tests.director.test_played import AT, Hall
from tests.director.test_setup_page import log_in
from tests.waiting import until

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

#: Changes the address as a link does, and waits until the page was told.
CHANGE_ADDRESS = """address => new Promise(told => {
  addEventListener("hashchange", told, { once: true });
  location.hash = address;
})"""


def seen(tone: int, size: tuple[int, int]) -> bytes:
    image = np.full((size[1], size[0], 3), tone, np.uint8)
    cv2.putText(image, str(tone), (10, size[1] // 2), cv2.FONT_HERSHEY_DUPLEX, 1.5, (0, 0, 160), 3)
    return bytes(cv2.imencode(".jpg", image)[1])


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(tmp_path)
    for number in (8, 9, 11):
        made.recordings.keep_picture("t", 7, 1, PictureKey(number, AT + number), seen(100 + number, (236, 364)))
    made.recordings.keep_picture("t", 7, 1, PictureKey(11, AT + 11, mat=True), seen(200, (720, 500)))
    yield made
    made.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)], ids=["desk", "telephone"])
def test_a_referee_goes_through_a_game(browser: Any, hall: Hall, width: int, height: int) -> None:
    page = browser.new_context(viewport={"width": width, "height": height}, locale="de-DE").new_page()
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(f"{said.text} {said.location}") if said.type == "error" else None)
    page.goto(f"{hall.service.url}/#/1/7")
    playwright.expect(page.locator("tr.running")).to_have_count(1)
    playwright.expect(page.locator("tr.running a")).to_have_count(0)  # a guest has nothing to look at
    page.goto(f"{hall.service.url}/#/1/7/game/1")
    playwright.expect(page.locator("#main")).to_contain_text("dürfen Turnierleitung und Schiedsrichter")
    page.goto(f"{hall.service.url}/#/1/7")
    log_in(page)
    page.locator("tr.running a").click()
    tricks = page.locator(".trick")
    playwright.expect(tricks).to_have_count(2)
    playwright.expect(page.locator("h1")).to_have_text("Tisch 7 · Spiel 1")
    playwright.expect(tricks.first).to_contain_text("vorher Kreuz König (Dora), berichtigt: Cem")
    playwright.expect(tricks.first).to_contain_text("Bernd: Re")
    assert page.locator(".trick img").count() == 0  # nothing leaves the table before somebody asks
    assert hall.wanted == []
    page.get_by_role("button", name="Bilder vom Tisch holen").click()
    playwright.expect(tricks.first.locator(".steps img")).to_have_count(3)
    playwright.expect(tricks.first).to_contain_text("kein Bild")
    card = tricks.first.locator(".picture").first
    small = card.bounding_box()["width"]
    card.click()
    playwright.expect(card).to_have_attribute("aria-pressed", "true")
    until(lambda: card.bounding_box()["width"] > 2.5 * small)
    card.click()
    until(lambda: card.bounding_box()["width"] == small)
    tricks.first.get_by_text("Matte nach dem Stich").click()
    until(lambda: page.evaluate("[...document.querySelectorAll('.trick img')].every(one => one.naturalWidth > 0)"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.go_back()
    playwright.expect(page.locator("table.list")).to_have_count(1)
    page.go_forward()
    playwright.expect(page.locator(".trick")).to_have_count(2)
    assert page.locator(".trick img").count() == 0  # they went with the view
    hall.line.stop()
    playwright.expect(page.locator(".played")).to_contain_text("Der Tisch ist nicht verbunden")
    assert [line for line in wrong if "403" not in line] == []
    page.context.close()


def test_an_address_that_changes_while_the_page_begins(browser: Any, hall: Hall) -> None:
    page = browser.new_context(locale="de-DE").new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/api/me", lambda _: None)  # it is not known yet what is held here
    with page.expect_request("**/api/me"):
        page.goto(f"{hall.service.url}/#/1")
    page.evaluate(CHANGE_ADDRESS, "#/1/7")
    page.unroute("**/api/me")  # what was held goes on
    playwright.expect(page.locator("tr.running")).to_have_count(1)
    playwright.expect(page.locator("h1")).to_contain_text("Tisch 7")
    assert not [address for address in asked if "/api//" in address]
    page.context.close()

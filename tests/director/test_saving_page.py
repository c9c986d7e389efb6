"""A stick is chosen on the page, pulled, and another machine goes on with it: two touches."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kiosk.director.saving.saver import Saver
from kiosk.director.saving.takeover import put_in_place
from kiosk.director.serve import Service
from kiosk.table.events.chain import START
from tests.director.test_saving import ROUND, FolderSticks, settings_of

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


def in_its_thread(service: Service, call: Callable[[Saver], None]) -> None:
    """Call what belongs to one thread where the service calls it; beside it, states would overwrite each other."""
    saving = service.app.state.saving
    saving._thread.submit(call, saving._saver).result()


def test_saved_pulled_and_taken_over_in_two_touches(browser, tmp_path: Path) -> None:
    (tmp_path / "sticks").mkdir()
    sticks = FolderSticks(tmp_path / "sticks")
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="de-DE")
    page = context.new_page()
    expect = playwright.expect
    with Service(replace(settings_of(tmp_path / "old", sticks), tls=None)) as old:
        old.app.state.access.accounts.make("Leitung", "director", "karo-neun-8")
        secret = old.enrol(7)
        sent = {"after": -1, "chain": START, "events": ROUND[:20]}
        page.request.post(f"{old.url}/line/t/1/7/events", data=sent, headers={"authorization": f"Bearer {secret}"})
        page.request.post(f"{old.url}/api/login", data={"name": "Leitung", "password": "karo-neun-8"})
        page.goto(f"{old.url}/#/access")
        expect(page.get_by_text("Es steckt kein Stick.")).to_be_visible()
        sticks.plug("AA-1")
        in_its_thread(old, Saver.look)  # the kernel's list of disks stays as it is here
        page.reload()
        page.get_by_role("button", name="Auf diesen Stick sichern").click()
        expect(page.get_by_text("Auf STICK AA-1 gesichert, Stand")).to_be_visible()
        stick = sticks.plugged.pop("AA-1")
        in_its_thread(old, Saver.save)  # a minute later
        page.goto(f"{old.url}/#/1")
        page.reload()
        todo = page.locator(".todo")
        expect(todo.get_by_text("STICK AA-1 steckt nicht oder wurde gezogen.")).to_be_visible()
        sticks.plugged["AA-1"] = stick
    context.clear_cookies()
    settings = replace(settings_of(tmp_path / "new", sticks), tls=None)
    with Service(settings) as new:
        page.goto(new.url)
        offer = page.get_by_role("button", name="Turnier „t“ vom Stick übernehmen (Stand")
        expect(offer).to_contain_text("1 Tisch)")
        offer.click()
        page.get_by_role("button", name="Übernehmen", exact=True).click()
        expect(page.get_by_text("Das Turnier wird übernommen.")).to_be_visible()
        new._thread.join(20)  # type: ignore[union-attr]
        port = new.port
    assert put_in_place(tmp_path / "new", tmp_path / "new" / "director.sqlite", tmp_path / "new" / "tls")
    with Service(replace(settings, port=port)):
        page.get_by_role("heading", level=1).get_by_text("Anmelden").wait_for()
        page.get_by_role("button", name="Anmelden").first.click()
        page.get_by_label("Name").fill("Leitung")
        page.get_by_label("Passwort").fill("karo-neun-8")
        page.get_by_role("dialog").get_by_role("button", name="Anmelden").click()
        expect(page.locator('.card[data-table="7"]')).to_be_visible()
    context.close()

"""The page where nobody looks without an account, as it is shipped: before, at and after the first login."""

import pytest

from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from tests.waiting import until

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


@pytest.fixture
def service(tmp_path):
    with Service(Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, guests=False)) as one:
        yield one


def test_who_logs_in_goes_on_at_once_on_the_page_and_on_the_projector(browser, service):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="de-DE")
    beamer, page = context.new_page(), context.new_page()
    beamer.clock.install()
    beamer.goto(f"{service.url}/beamer")
    beamer.get_by_role("link", name="Anmelden").wait_for()  # and no answer that only programs read
    page.goto(service.url)
    playwright.expect(page.get_by_role("heading", level=1)).to_have_text("Einrichten")
    assert page.get_by_role("link", name="Rangliste", exact=True).count() == 0  # it would open nothing
    page.get_by_role("button", name="Einrichten").first.click()
    page.get_by_label("Code").fill(service.app.state.access.first_code)
    page.get_by_label("Name").fill("Leitung")
    page.get_by_label("Neues Passwort").fill("karo-neun-8")
    page.get_by_role("button", name="Anlegen").click()
    page.get_by_role("navigation", name="Seiten").get_by_role("link", name="Turnier").click()
    page.locator("#set-people").wait_for()
    until(lambda: beamer.clock.run_for(1000) or not beamer.get_by_role("link", name="Anmelden").count())
    playwright.expect(beamer.locator("header h1")).to_have_text("t")
    playwright.expect(beamer.get_by_role("link", name="Anmelden")).to_have_count(0)
    context.close()

"""What happens to a question on the page when what it is about is not shown any more."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from kiosk.director.serve import Service
from tests.director.full_hall import NAME, PIN, evening, hall

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


@pytest.fixture
def service(tmp_path_factory: Any) -> Iterator[Service]:
    rounds, notes = evening()
    later = [{**rounds[1][0], "round": 2, "table": 2}, *rounds[1][1:]]
    with hall(tmp_path_factory.mktemp("hall"), [*rounds, later], notes) as running:
        yield running


@pytest.fixture
def page(browser: Any, service: Service) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="de-DE")
    opened = context.new_page()
    opened.goto(f"{service.url}/#pin={PIN}")
    opened.goto(f"{service.url}/#/2")
    opened.locator(".card[data-table='2']").wait_for()
    opened.goto(f"{service.url}/#/1")
    opened.locator(".card[data-table='1']").wait_for()
    yield opened
    context.close()


def orders(service: Service) -> list[tuple[int, int | None]]:
    """Round and table of all orders."""
    store = service.app.state.hall.store
    return [(number, order.table) for number in (1, 2) for order in store.orders(NAME, number)]


def test_back_takes_an_open_question_back(page: Any, service: Service) -> None:
    """It asked of round 1; its answer would have gone to all tables of round 2."""
    page.get_by_role("button", name="Alle Tische rufen").click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    page.go_back()
    playwright.expect(page.locator("h1", has_text="Runde 2")).to_be_visible()
    playwright.expect(dialog).to_have_count(0)
    assert orders(service) == []
    page.get_by_role("button", name="Alle Tische rufen").click()  # the next one is asked as always
    dialog.locator("button.main").click()
    playwright.expect(page.locator("#toasts")).to_contain_text("Tisch")
    assert orders(service) == [(2, None)]


def test_a_tournament_that_begins_elsewhere_takes_an_open_question_back(page: Any, service: Service) -> None:
    page.get_by_role("button", name="Alle Tische rufen").click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    with httpx.Client(base_url=service.url, trust_env=False, timeout=60) as http:
        assert http.post("/api/login", json={"pin": PIN}).status_code == 200
        assert http.post("/api/begin", json={"name": "Winter", "people": False}).status_code == 200
    playwright.expect(dialog).to_have_count(0)
    assert orders(service) == []


def test_an_account_is_made_before_the_list_of_accounts_has_come(page: Any, service: Service) -> None:
    page.route("**/api/accounts", lambda route: None)  # the line is slow
    page.goto(f"{service.url}/#/access")
    page.get_by_role("button", name="Konto anlegen").click()
    kinds = page.get_by_role("dialog").locator("select option")
    assert kinds.all_inner_texts() == ["Turnierleitung", "Schiedsrichter", "Anmeldung", "Zuschauer"]

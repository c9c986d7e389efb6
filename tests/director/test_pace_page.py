"""Tables that the direction should look at: nothing laid for long, games behind the others; how long a game takes."""

import time

import pytest

from kiosk.demo.play import simulate
from tests.director.full_hall import PIN, hall

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

MINUTE = 60_000


def played(table, seed, games, ended_ms):
    """A table's round up to its n-th game and the first cards of the next, a game in six minutes."""
    events = list(simulate("eppstein", seed, games, table=table))
    step = games * 6 * MINUTE / len(events)
    return [{**event, "at": int(ended_ms - step * (len(events) - number))} for number, event in enumerate(events)]


@pytest.fixture(scope="module")
def page(tmp_path_factory, browser):
    now = int(time.time() * 1000)
    rounds = [played(1, 3, 6, now), played(2, 4, 6, now - 25 * MINUTE), played(3, 5, 2, now), played(4, 6, 6, now)]
    with hall(tmp_path_factory.mktemp("pace"), rounds) as service:
        shown = browser.new_context(locale="de-DE").new_page()
        shown.goto(f"{service.url}/#pin={PIN}")
        shown.locator("[data-do=logOut]").wait_for()
        shown.locator(".todo li").first.wait_for()
        yield shown
        shown.context.close()


def told(page, table):
    return page.locator(f".todo li:has(a[href='#/1/{table}'])")


def test_slow_tables_are_named_and_the_direction_says_from_when(page):
    expect = playwright.expect
    expect(told(page, 2).filter(has_text="Minuten nichts geschehen")).to_have_count(1)
    expect(told(page, 3).filter(has_text="4 Spiele hinter den meisten")).to_have_count(1)
    expect(told(page, 1).filter(has_text="nichts geschehen")).to_have_count(0)
    expect(page.locator(".summary")).to_contain_text("min je Spiel, am längsten")
    page.locator("[data-do=setWatch]").click()
    page.fill("dialog [name=quiet]", "0")
    page.fill("dialog [name=behind]", "5")
    page.locator("dialog button.main").click()
    expect(told(page, 2).filter(has_text="nichts geschehen")).to_have_count(0)
    expect(told(page, 3).filter(has_text="hinter den meisten")).to_have_count(0)

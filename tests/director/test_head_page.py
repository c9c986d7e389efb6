"""The page's head on a telephone: two lines, and every tab within reach."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.storage.store import Store
from kiosk.table.events.chain import START
from tests.director.full_hall import PIN, evening, hall

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

PERSON, PASSWORD = "Friederike von Hohenstein-Wallburg", "pikbube9"
MIDDLES = """all => all.map(one => one.getBoundingClientRect()).filter(box => box.height)
  .map(box => (box.top + box.bottom) / 2)"""
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    """An evening with cash, year, two tournaments to choose from, and a director with a long name."""
    rounds, notes = evening()
    made = hall(tmp_path_factory.mktemp("head"), rounds, notes)
    store = Store(made.app.state.settings.database)
    store.append(ListKey("Winter 2026", 1, 1), -1, START, rounds[0])
    store.close()
    with made as running:
        with httpx.Client(base_url=running.url, trust_env=False) as http:
            account = {"name": PERSON, "role": "director", "password": PASSWORD}
            for path, wish in (("login", {"pin": PIN}), ("accounts", account)):
                assert http.post(f"/api/{path}", json=wish).status_code == 200
        yield running


@pytest.fixture(scope="module")
def page(service, browser) -> Iterator[Any]:
    context = browser.new_context(locale="de")
    wish = {"name": PERSON, "password": PASSWORD}
    assert context.request.post(f"{service.url}/api/login", data=wish).ok
    opened = context.new_page()
    opened.goto(service.url)
    yield opened
    context.close()


@pytest.mark.parametrize("size", [(390, 844), (360, 640)], ids=["phone", "small"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_head_takes_two_lines_on_a_telephone(service, page, size, language):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    expect(page.locator("header")).to_contain_text(PERSON[:10])
    expect(page.locator("header select")).to_be_visible()
    if page.locator("html").get_attribute("lang") != language:
        page.locator("header button[data-do=language]").click()
    expect(page.locator(f"html[lang={language}]")).to_have_count(1)
    lines = sorted(page.locator("header > *, header .rounds a").evaluate_all(MIDDLES))
    assert lines[-1] - lines[0] > 30  # the tabs have a line of their own,
    assert all(one - lines[0] < 10 or lines[-1] - one < 10 for one in lines)  # and there is no third
    assert page.evaluate(FITS)
    cut = "one => one.scrollWidth > one.clientWidth"
    assert not page.locator("header [data-do=logOut]").evaluate(cut)  # the way out is read in full,
    assert PERSON in page.locator("header [data-do=ownPassword]").get_attribute("title")  # what may be cut stands there
    tabs = page.locator("header .rounds a").all()
    assert len(tabs) >= 7
    for tab in tabs:
        tab.click()
        expect(tab).to_have_class("here")
        expect(tab).to_be_in_viewport(ratio=0.95)
    page.goto(f"{service.url}/#/access")  # not by the tab: it stands in sight all the same
    page.reload()
    expect(page.locator("header .rounds a.here")).to_be_in_viewport(ratio=0.95)

"""The page holds still while thirty tables play at ten times their pace: no press is lost, focus and typing stay."""

import pytest

from kiosk.demo.play import simulate
from tests.director.full_hall import NAME, PIN, Pace, hall

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

TABLES = 30
#: Events a second of all tables together: ten times 0.15 at each.
PACE = TABLES * 0.15 * 10
#: How long a finger lies on a mouse's button, in ms.
HELD_MS = 120
BEGUN = 60  # events of each table that are there before anything is looked at
SIZES = [(1280, 800), (390, 844)]
CLICKS = 100  # on each of the pages

#: Counts what arrived where: each click with the table or the button that it fell on; cards are not followed.
COUNT = """() => {
  window.fell = [];
  addEventListener("click", event => {
    const on = event.target.closest("a.card, button[data-do]");
    window.fell.push(on ? on.dataset.table ?? on.dataset.do : event.target.tagName);
    event.preventDefault();
    event.stopPropagation();
  }, true);
}"""
#: Pages that have been drawn anew say so here: how often a card's content changed.
CHANGES = """() => {
  window.changes = 0;
  new MutationObserver(all => { window.changes += all.length; }).observe(document.querySelector(".grid"),
    { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["href", "class"] });
}"""
#: Brings an element into sight and says where its middle is.
MIDDLE = """selector => {
  const one = document.querySelector(selector);
  one.scrollIntoView({ block: "center" });
  const box = one.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


@pytest.fixture(scope="module")
def rounds():
    """Rounds in which now and then somebody breaks a rule, so that there is something to do at changing tables."""
    played = [list(simulate("eppstein", seed, 8, mistakes=0.02)) for seed in range(3)]
    return [[{**played[number % 3][0], "table": number}, *played[number % 3][1:]] for number in range(1, TABLES + 1)]


@pytest.fixture(scope="module")
def service(tmp_path_factory, rounds):
    with hall(tmp_path_factory.mktemp("hall"), [events[: BEGUN + 1] for events in rounds]) as running:
        yield running


@pytest.fixture
def pages(browser, service):
    """Several people who direct, each with a browser of their own."""
    made = []
    for width, height in SIZES:
        context = browser.new_context(viewport={"width": width, "height": height}, locale="de-DE")
        page = context.new_page()
        page.goto(f"{service.url}/#pin={PIN}")
        playwright.expect(page.locator(".card")).to_have_count(TABLES)
        made.append(page)
    yield made
    for page in made:
        page.context.close()


@pytest.fixture(scope="module")
def played(service, rounds):
    """The tables go on from here to the end of the module."""
    with Pace(service.url, rounds, BEGUN, PACE) as pace:
        yield pace


def test_no_press_of_200_is_lost(pages, played):
    for page in pages:
        page.evaluate(COUNT)
        page.evaluate(CHANGES)
    wanted: list[list[str]] = [[] for _ in pages]
    before = played.sent
    for number in range(10 * CLICKS):
        # Meanwhile the tables play and the pages show it; where a machine shows it slowly, more is pressed.
        if number >= CLICKS and all(page.evaluate("window.changes") > 100 for page in pages):
            break
        for index, page in enumerate(pages):
            table = 1 + (number * 7 + index * 3) % TABLES
            selector = "button[data-do=callAll]" if number % 8 == 7 else f".card[data-table='{table}']"
            wanted[index].append("callAll" if number % 8 == 7 else str(table))
            page.mouse.move(*page.evaluate(MIDDLE, selector))
            page.mouse.down()
        pages[0].wait_for_timeout(HELD_MS)
        for page in pages:
            page.mouse.up()
    assert [page.evaluate("window.fell") for page in pages] == wanted
    assert sum(map(len, wanted)) >= 200
    assert played.sent > before
    assert all(page.evaluate("window.changes") > 100 for page in pages)


@pytest.fixture
def page(browser, service):
    context = browser.new_context(viewport={"width": 768, "height": 700}, locale="de-DE")
    opened = context.new_page()
    opened.goto(f"{service.url}/#pin={PIN}")
    playwright.expect(opened.locator(".card")).to_have_count(TABLES)
    yield opened
    context.close()


def let_them_play(page, pace, events=60):
    """Wait until so many more events have been sent, and shown."""
    until = pace.sent + events
    for _ in range(600):
        if pace.sent >= until:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{pace.sent} of {until} events were sent")


def test_focus_and_scroll_stay_in_the_hall(page, played):
    card = page.locator(".card[data-table='17']")
    card.focus()
    page.evaluate("scrollTo(0, 900)")
    at = page.evaluate("scrollY"), card.bounding_box()
    page.evaluate(CHANGES)
    let_them_play(page, played)
    assert page.evaluate("window.changes") > 0
    assert card.evaluate("one => one === document.activeElement")
    assert (page.evaluate("scrollY"), card.bounding_box()) == at  # cards keep their places too
    page.keyboard.press("Enter")
    page.locator("section.table h1").wait_for()
    page.locator("a.back").focus()
    page.keyboard.press("Enter")
    page.locator(".card").first.wait_for()
    playwright.expect(page.locator(":focus")).to_have_attribute(
        "data-table", "17", timeout=60_000
    )  # where one came from
    assert page.evaluate("scrollY") == at[0]


def test_a_tables_page_keeps_focus_and_scroll(page, played):
    page.goto(f"{page.url.split('#')[0]}#/1/9")
    page.locator(".side button[data-do=rule]").focus()
    page.evaluate("scrollTo(0, 300)")
    at = page.evaluate("scrollY")
    let_them_play(page, played)
    assert page.evaluate("[document.activeElement.dataset.do, scrollY]") == ["rule", at]


def test_what_is_being_typed_stays(page, service, played):
    """In a form above the page, in the book's, among the names; though the tournament changes meanwhile."""
    page.locator("button[data-do=callAll]").click()
    page.keyboard.type("Bitte in zehn")
    let_them_play(page, played, 30)
    page.keyboard.type(" Minuten Pause")
    assert page.locator("dialog input[name=text]").input_value() == "Bitte in zehn Minuten Pause"
    page.keyboard.press("Escape")

    office = service.app.state.hall.office
    page.evaluate("location.hash = '#/setup/people'")
    names = page.locator("#add-form textarea")
    names.fill("Anna O")
    office.note({"note": "enter", "names": ["Zoe Zorn"]})
    page.locator("[data-person='Zoe Zorn']").wait_for()
    assert names.evaluate("one => one === document.activeElement") and names.input_value() == "Anna O"
    page.keyboard.type("tt")
    assert names.input_value() == "Anna Ott"

    page.evaluate("location.hash = '#/setup/book'")
    page.locator("#book-form summary").click()
    games = page.locator("#option-games")
    games.fill("")
    page.keyboard.type("1")
    office.note({"note": "setup", "rules": "eppstein", "options": {"games": 20}, "start": "19:30"})
    start = page.locator("[name=start]")
    playwright.expect(start).to_have_value("19:30")  # what nobody typed in follows
    page.keyboard.type("6")
    assert games.input_value() == "16"
    assert games.evaluate("one => one === document.activeElement")


@pytest.mark.slow
def test_the_service_stores_what_was_typed_and_pressed(service):
    """The hall that was pressed and typed in has nothing that nobody ordered."""
    assert service.app.state.hall.store.orders(NAME, 1) == []

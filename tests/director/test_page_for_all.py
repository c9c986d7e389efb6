"""The direction's pages for everybody: axe-core finds nothing (A and AA), headings say where one is, keys are enough.

``tests/data/axe-core``: axe-core 4.14.1 of npm, its minified file as published, with its licence (MPL-2.0).
"""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.director.full_hall import NAME, PIN, evening, hall

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

AXE = (Path(__file__).parents[1] / "data/axe-core/axe.min.js").read_text(encoding="utf-8")
#: Levels A and AA of WCAG 2.0 to 2.2.
LOOK = """async () => {
  const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const found = await axe.run(document, { runOnly: levels, resultTypes: ["violations"] });
  return found.violations.map(one => one.id + ": "
    + one.nodes.map(node => node.html + " " + node.failureSummary).join(" | "));
}"""
PAGES = {
    "hall": "1", "table": "1/2", "called": "1/3", "people": "setup/people", "places": "setup/places",
    "programme": "setup/programme",
    "book": "setup/book",
    "prizes": "prizes",
    "series": "series",
    "standings": "standings", "cash": "cash", "year": "year",
}  # fmt: skip


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    rounds, notes = evening()
    with hall(tmp_path_factory.mktemp("hall"), rounds, notes) as running:
        yield running


@pytest.fixture(scope="module")
def director(browser, service):
    """One page for the module, the direction logged in, a plan drawn."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="de-DE")
    page = context.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda said: failures.append(said.text) if "Content Security Policy" in said.text else None)
    page.goto(f"{service.url}/#pin={PIN}")
    page.locator("[data-do=logOut]").wait_for()
    turn(page, "places")
    page.locator("button[data-do=drawSeats]").click()
    page.locator(".seated").first.wait_for()
    yield page
    context.close()
    assert failures == []


def turn(page, name):
    """Turn to a page and wait until what it asks for is there."""
    page.evaluate("address => { location.hash = '#/' + address; }", PAGES[name])
    there = {"hall": ".card", "table": "table.list tbody tr", "called": ".needs.wide .u3", "people": "[data-person]",
             "places": "#set-draw",
             "programme": "[data-programme]", "prizes": "#purse-form", "series": "[data-do=setSeries]",
             "book": "#book-form",
             "standings": ".standings tbody tr", "cash": ".cash tbody tr",
             "year": ".standings tbody tr"}  # fmt: skip
    page.locator(there[name]).first.wait_for()


def in_language(page, language):
    if page.evaluate("document.documentElement.lang") != language:
        page.locator("[data-do=language]").click()
        page.locator(f"html[lang={language}]").wait_for()


def faults(page):
    """What axe-core finds on the page as it is now."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    return page.evaluate(LOOK)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", ["de", "en"])
def test_axe_finds_nothing(director, name, language):
    """Every page in every width and both looks in both languages: colours hang on no width, and names on no look.

    One language has the telephone in the dark, the other in the light; the next page the other way round.
    """
    in_language(director, language)
    turn(director, name)
    turned = (list(PAGES).index(name) + (language == "en")) % 2
    looks = {1280: "light", 390: "dark"} if turned else {768: "dark", 390: "light"}
    for width in (1280, 768, 390):
        director.set_viewport_size({"width": width, "height": 900})
        assert director.evaluate("document.documentElement.scrollWidth") <= width
        if width in looks:
            director.emulate_media(color_scheme=looks[width])
            found = faults(director)
            director.emulate_media(color_scheme="light")
            assert found == [], (width, looks[width])
    director.set_viewport_size({"width": 1280, "height": 900})


def test_axe_sees_a_fault(director):
    director.evaluate(
        "document.getElementById('main').insertAdjacentHTML('beforeend', '<button id=nameless></button>')"
    )
    assert [one.split(":")[0] for one in faults(director)] == ["button-name"]
    director.evaluate("document.getElementById('nameless').remove()")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_one_heading_a_title_and_landmarks(director, name):
    in_language(director, "de")
    turn(director, name)
    assert director.locator("h1").count() == 1
    assert director.locator("main, header, nav.rounds").count() == 3
    levels = [int(one[1]) for one in director.locator("h1, h2, h3").evaluate_all("all => all.map(one => one.tagName)")]
    assert levels[0] == 1 and all(after - before <= 1 for before, after in pairwise(levels))
    title = director.title()
    assert title.endswith(f" – {NAME} – Stichwart") and len(title.split(" – ")[0]) > 2
    assert director.locator("[style], [onclick], main script").count() == 0  # the policy of the page forbids them


#: What a form on a page is opened by, and which field has the focus then.
FORMS = {
    "hall": ["callAll", "asideAll"],
    "called": ["rule", "clearCall", "strike", "putRight", "replacePlayer", "callTable", "aside"],
    "people": ["editPerson"],
    "book": ["beginAnother"],
    "cash": ["pay"],
}


@pytest.mark.parametrize(("name", "button"), [(name, one) for name, all_ in FORMS.items() for one in all_])
def test_forms_are_opened_and_left_by_keys(director, service, name, button):
    in_language(director, "de")
    turn(director, name)
    opener = director.locator(f"main button[data-do={button}]").first
    if button == "clearCall":  # it asks nothing
        assert opener.count() == 1
        return
    opener.focus()
    director.keyboard.press("Enter")
    director.locator("dialog[open]").wait_for()
    assert director.evaluate("document.activeElement.closest('dialog') !== null")
    assert director.locator("dialog").get_attribute("aria-labelledby") == "dialog-title"
    assert director.locator("#dialog-title").inner_text()
    assert faults(director) == []
    director.keyboard.press("Escape")
    director.locator("dialog[open]").wait_for(state="hidden")
    assert opener.evaluate("one => one === document.activeElement")
    store = service.app.state.hall.store
    assert store.orders(NAME, 1) == [] and not any(map(store.asides, store.keys(NAME)))  # to leave is not to send


def reach(page, selector, most=200):
    """Press Tab until the element has the focus, which must be visible all the way."""
    for _ in range(most):
        page.keyboard.press("Tab")
        at = page.evaluate(
            "wanted => { const one = document.activeElement, style = getComputedStyle(one);"
            " return [one.matches(wanted), "
            "one === document.body || style.outlineStyle !== 'none', one.outerHTML.slice(0, 90)]; }",
            selector,
        )
        assert at[1], at[2]
        if at[0]:
            return
    raise AssertionError(f"{selector} is not reached by Tab")


def test_an_evening_is_set_up_by_keys_alone(browser, tmp_path):
    """From the PIN over people, draw and plan to the release, without a mouse."""
    with hall(tmp_path, []) as service:
        service.enrol(1, "t1.geheim")  # without a device a table plays on paper, and nothing is released
        context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="de-DE")
        page = context.new_page()
        page.goto(f"{service.url}/#/setup/people")
        page.locator("#add-form").wait_for(state="attached")
        reach(page, "[data-do=logIn]")
        page.keyboard.press("Enter")
        page.keyboard.type("PIN")  # the account of the file's PIN
        page.keyboard.press("Tab")
        page.keyboard.type(PIN)
        page.keyboard.press("Enter")
        page.locator("#add-form").wait_for()
        page.evaluate("document.activeElement.blur()")
        reach(page, "#add-form textarea")
        for name in ("Anna", "Bernd", "Cem", "Dora"):
            page.keyboard.type(name)
            page.keyboard.press("Enter")
        reach(page, "[name=here]")
        page.keyboard.press("Space")
        reach(page, "[data-do=addPeople]")
        page.keyboard.press("Enter")
        page.locator("[data-person=Dora]").wait_for()
        page.evaluate("document.activeElement.blur()")
        reach(page, "a[href='#/setup/places']")
        page.keyboard.press("Enter")
        page.locator("#possible:not(.warn)").wait_for()
        assert page.evaluate("document.activeElement.tagName") == "H1"  # reading goes on at the new page
        reach(page, "[data-do=drawSeats]")
        page.keyboard.press("Enter")
        page.locator(".seated button.name").first.wait_for()
        for seat in (0, 2):
            page.locator(".seated button.name").nth(seat).focus()
            page.keyboard.press("Enter")
        reach(page, "[data-do=swapSeats]")
        page.keyboard.press("Enter")
        page.get_by_text("von Hand geändert").wait_for()
        assert page.evaluate("document.activeElement.closest('#plan') !== null")
        reach(page, "[data-do=publishPlan]")
        page.keyboard.press("Enter")
        page.get_by_text("Die Tische haben den Plan.").wait_for()
        page.evaluate("document.activeElement.blur()")
        reach(page, "a[href='#/1'].brand")
        page.keyboard.press("Enter")
        page.locator(".card").wait_for()
        reach(page, "[data-do=releaseAll]")
        page.keyboard.press("Enter")
        page.locator("dialog[open] button.main").wait_for()
        reach(page, "dialog button.main")
        page.keyboard.press("Enter")
        page.get_by_text(re.compile("^Freigabe: gesendet")).wait_for()
        orders = service.app.state.hall.store.orders(NAME, 1)
        assert [json.loads(json.dumps(dict(order.body))) for order in orders] == [{"event": "release", "actor": "PIN"}]
        context.close()


@pytest.mark.parametrize("look", ["dark", "light"])
def test_the_projectors_page_turns_and_can_be_read_from_afar(browser, service, director, look):
    """Seats by name, tables, standing; capitals a fortieth of the picture high, and nothing to press."""
    office = service.app.state.hall.office
    if not office.tournament.plans[1].published:
        office.note({"note": "publish", "round": 1})
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, locale="de-DE")
    page = context.new_page()
    page.clock.install()
    with page.expect_response("**/standings.json*"):  # it comes a while after the page
        page.goto(f"{service.url}/beamer?seconds=5&look={look}&language=en")
    page.locator(".names li").first.wait_for()
    small = (
        "least => [...document.querySelectorAll('h1, h2, li, li span, li b, .call, time')].filter(one => one.innerText"
    )
    small += " && parseFloat(getComputedStyle(one).fontSize) < least).map(one => one.innerText)"
    sticks_out = "document.querySelector('main').scrollHeight > document.querySelector('main').clientHeight"
    seen, wanted = set[str](), ("Seats", "Tables", "Standing")
    for _ in range(30):
        if all(any(one.startswith(word) for one in seen) for word in wanted):
            break
        title = page.locator("h2").inner_text()
        if title not in seen:
            assert page.evaluate(small, 1080 / 40 / 0.72) == [] and not page.evaluate(sticks_out)
            assert faults(page) == []
            seen.add(title)
        page.clock.run_for(5100)
    assert [any(one.startswith(word) for one in seen) for word in wanted] == [True] * 3, seen
    assert page.locator("button, a, input, select").count() == 0
    office.note({"note": "withdraw", "round": 1})
    page.locator(".states, .places").first.wait_for()
    page.clock.run_for(5100)
    assert page.locator(".names").count() == 0  # it follows the hall
    context.close()

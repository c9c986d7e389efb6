"""The tournament set up in a real browser: book and options, people, check-in, draw, and what the tables get."""

import re

import httpx
import pytest

from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.sync.line import Line
from kiosk.table.events.chain import START
from kiosk.table.events.log import MemoryLog

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

NAMES = ["Anna Ott", "Bernd Uhl", "Cem Aydın", "<b>Dörte</b>", "Emil Lang", "Fritz Nähr", "Gül Öz"]


@pytest.fixture
def service(tmp_path):
    with Service(
        Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin="2468")
    ) as running:
        yield running


@pytest.fixture
def page(browser, service):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="de-DE", timezone_id="Europe/Berlin")
    opened = context.new_page()
    failures: list[str] = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    opened.goto(f"{service.url}/#/setup/book")
    opened.wait_for_selector("#book-form")
    yield opened
    context.close()
    assert failures == []


def tournament(service):
    return service.app.state.hall.office.tournament


def log_in(page):
    page.locator("header button[data-do=logIn]").click()
    page.fill("input[name=name]", "PIN")
    page.fill("input[name=password]", "2468")
    page.locator("dialog button.main").click()
    page.get_by_role("button", name="Abmelden").wait_for()


def go(page, view):
    """Turn to one of the three views of setting up: Leute, Plätze, Regelwerk."""
    page.get_by_role("navigation", name="Turnier", exact=True).get_by_role("link", name=view, exact=True).click()


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def enter(page, names, *, substitute=False, here=False):
    go(page, "Leute")
    page.fill("#add-form textarea", "\n".join(names))
    page.set_checked("#add-form input[name=substitute]", substitute)
    page.set_checked("#add-form input[name=here]", here)
    press(page, "Eintragen")
    page.wait_for_selector(f"[data-person='{names[-1]}']")


def test_an_evening_without_the_file(service, page):
    assert page.locator("#set-book select[name=rules]").is_disabled()  # who has not given the PIN may look
    assert page.locator("#set-book button").count() == 0
    go(page, "Plätze")
    assert page.locator("#set-draw button:has-text('Auslosen')").count() == 0
    go(page, "Leute")
    assert page.locator("#add-form").is_hidden()
    log_in(page)
    assert page.locator("#add-form").is_visible()

    go(page, "Regelwerk")

    page.select_option("#set-book select[name=rules]", "schaffkopf")  # until it has come nothing can be typed
    page.fill("#option-games", "16")
    page.fill("#set-book input[name=start]", "19:30")
    page.locator("#option-games").dispatch_event("change")
    page.wait_for_selector("[data-option=games].differs")
    press(page, "Speichern")
    page.wait_for_selector(".toast:has-text('Gespeichert.')")
    assert page.locator("text=1 Abweichung vom Buch").is_visible()
    assert (tournament(service).rules, dict(tournament(service).options)) == ("schaffkopf", {"games": 16})
    assert tournament(service).rounds == 2

    enter(page, NAMES)
    enter(page, ["Xaver Huber"], substitute=True)
    go(page, "Plätze")
    page.wait_for_selector("#possible:has-text('7 Personen und 1 Ersatz: 2 Vierertische')")
    go(page, "Leute")
    page.locator("[data-person='Anna Ott'] button:has-text('Ist da')").click()
    go(page, "Plätze")
    page.wait_for_selector("#possible.warn:has-text('Es fehlen 2')")
    press(page, "Auslosen")
    page.wait_for_selector(".toast.bad:has-text('Es fehlen 2')")
    go(page, "Leute")
    for name in NAMES[1:]:
        page.locator(f'[data-person="{name}"] button:has-text("Ist da")').click()
        page.wait_for_selector(f'[data-person="{name}"]:has-text("da seit")')
    go(page, "Plätze")
    page.fill("#draw-form input[name=seed]", "1932")
    press(page, "Auslosen")
    page.wait_for_selector("text=Gelost mit der Nummer 1932")
    names = page.locator(".seated button.name").all_inner_texts()
    assert sorted(names) == sorted([*NAMES, "Xaver Huber"])
    page.locator(".seated button.name").nth(0).click()
    page.locator(".seated button.name").nth(5).click()
    press(page, f"{names[0]} und {names[5]} tauschen")
    page.wait_for_selector("text=von Hand geändert")
    press(page, "An die Tische senden")
    page.wait_for_selector("text=Die Tische haben den Plan.")
    plan = tournament(service).published
    assert plan is not None and plan.seats[1][0] == names[5] and plan.seats[2][1] == names[0]

    page.goto(f"{service.url}/#/1")
    page.wait_for_selector(f".card[data-table='2'] .who:has-text('{names[0]}')")
    page.goto(f"{service.url}/#/setup/places")
    press(page, "Plan zurücknehmen")
    page.wait_for_selector("text=Die Tische haben den Plan noch nicht.")
    assert tournament(service).published is None


def test_options_that_contradict_each_other_are_refused_in_the_pages_language(service, page):
    log_in(page)
    page.locator("#book-form summary").click()
    page.fill("#option-games", "3")
    press(page, "Speichern")
    told = page.locator(".toast.bad").first.inner_text()
    assert told.startswith("Nicht gespeichert: „Spiele") and "kann nicht 3 sein" in told
    assert "4 Spieler müssen darin 4 Pflichtsoli spielen" in told and "mindestens 4 für" in told
    assert page.locator("#option-games").input_value() == "3" and page.locator("#option-games").is_visible()
    page.wait_for_selector("#book-dirty:visible")  # what was entered stays
    assert tournament(service).options == {}
    press(page, "English")
    page.wait_for_selector("text=Not saved yet")
    page.evaluate("document.querySelectorAll('.toast').forEach(toast => toast.remove())")
    press(page, "Save")
    assert "choose at least 4 for “" in page.locator(".toast.bad").first.inner_text()
    page.locator("#option-games").fill("12")
    press(page, "Save")
    page.wait_for_selector(".toast:has-text('Saved.')")
    assert tournament(service).options == {"games": 12}


def test_every_tab_is_to_be_seen(service, page):
    log_in(page)
    page.select_option("#set-book select[name=rules]", "schnittchen")
    page.wait_for_selector("[data-option=late_euros]")
    page.fill("#set-book input[name=rounds]", "5")
    press(page, "Speichern")
    page.wait_for_selector("a[href='#/cash']")
    tabs = page.locator(".rounds a")
    assert tabs.count() >= 4
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for tab in tabs.all():  # on a telephone they are one line that is pushed aside: the open one is in sight
            tab.click()
            expect(tab).to_have_class("here")
            expect(tab).to_be_in_viewport(ratio=0.95)
            assert all(
                cut <= 0 for cut in tabs.evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)")
            )
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_person_is_changed(service, page):
    log_in(page)
    enter(page, NAMES[:4], here=True)
    page.locator("[data-person='Anna Ott'] button:has-text('Ändern')").click()
    page.fill("dialog input[name=name]", "Anna Otto")
    page.fill("dialog input[name=came]", "19:45")
    page.check("dialog input[name=substitute]")
    page.locator("dialog button.main").click()
    page.wait_for_selector("[data-person='Anna Otto']:has-text('Ersatz'):has-text('da seit 19:45')")
    assert tournament(service).called("Anna Ott") == "Anna Otto"
    page.locator("[data-person='Bernd Uhl'] button:has-text('Ändern')").click()
    page.check("dialog input[name=gone]")
    page.locator("dialog button.main").click()
    page.wait_for_selector("[data-person='Bernd Uhl'].gone")
    page.fill("#add-form textarea", "anna otto")
    press(page, "Eintragen")
    page.wait_for_selector(".toast.bad:has-text('steht schon da')")


def test_the_next_evening_begins_on_the_page(service, page):
    log_in(page)
    enter(page, NAMES[:4], here=True)
    go(page, "Plätze")
    press(page, "Auslosen")
    press(page, "An die Tische senden")
    page.wait_for_selector("text=Die Tische haben den Plan.")
    go(page, "Regelwerk")
    press(page, "Neues Turnier")
    page.fill("dialog input[name=name]", "Winter 2026")
    page.locator("dialog button.main").click()
    page.wait_for_selector("header select option[selected]:has-text('Winter 2026')", state="attached")
    go(page, "Leute")
    page.wait_for_selector("[data-person='Anna Ott']:not(:has-text('da seit'))")
    assert tournament(service).name == "Winter 2026" and tournament(service).plans == {}
    page.select_option("header select", "t")  # the evening before is still there
    page.wait_for_selector(".card[data-table='1'], .blank")
    assert page.locator("a[href='#/setup']").count() <= 1


def test_a_player_is_replaced_and_the_schiedsgericht_sits(service, page):
    hall = service.app.state.hall
    hall.store.append(
        ListKey("t", 1, 3),
        -1,
        START,
        [
            {"event": "open", "format": 1, "rules": "bsv", "table": 3, "round": 1, "players": NAMES[:4]},
            {"event": "release"},
        ],
    )
    hall.office.note({"note": "setup", "rules": "bsv"})
    with httpx.Client(base_url=service.url) as other:
        shown = {"Authorization": f"Bearer {service.enrol(3)}"}
        other.post("/line/t/1/3/events", json={"after": -1, "chain": START, "events": []}, headers=shown)
    log_in(page)
    page.goto(f"{service.url}/#/1/3")
    press(page, "Spieler ersetzen")
    page.select_option("dialog select[name=seat]", "2")
    page.fill("dialog input[name=came]", "Xaver Huber")
    page.locator("dialog button.main").click()
    page.wait_for_selector("text=Xaver Huber spielt für Bernd Uhl.")
    page.wait_for_selector("text=Spielerwechsel unterwegs")
    assert tournament(service).people["Xaver Huber"].substitute
    press(page, "Schiedsgericht")
    page.locator("dialog button.main").click()
    page.wait_for_selector("text=Schiedsgericht über Tisch 3 seit")
    press(page, "Schiedsgericht hat entschieden")
    page.wait_for_selector("text=1 Minute Nachspielzeit für Tisch 3.")
    assert [order.body["event"] for order in hall.store.orders("t", 1)] == ["substitute", "rule"]


def test_five_at_a_mat_for_four_are_told_before_they_sit_down(service, page):
    line = Line(service.url, service.enrol(1), "t", 1, 1, MemoryLog(), lambda order: None, slowest=0.3)
    line.tell({"seats": 4})
    line.start()
    try:
        hall = service.app.state.hall
        for _ in range(200):
            if hall.devices.mats == {1: 4}:
                break
            page.wait_for_timeout(50)
        log_in(page)
        enter(page, NAMES[:5], here=True)
        go(page, "Plätze")
        press(page, "Auslosen")
        page.wait_for_selector(
            "[data-seated='1'] .warn:has-text('Gesetzt sind 5, die Matte dieses Tisches hat 4 Plätze')"
        )
        press(page, "An die Tische senden")
        page.wait_for_selector("text=Die Tische haben den Plan.")
        page.goto(f"{service.url}/#/1")
        page.wait_for_selector(".todo .u3:has-text('mat print --seats 5')")
        page.wait_for_selector(".card[data-table='1']:has-text('Gesetzt sind 5')")
    finally:
        line.stop()


def test_what_everybody_may_look_at(page):
    """Sections as people cite them, the tabs of a telephone, and all of it in English."""
    cited = page.evaluate(
        "import('/page/text.js').then(text => ['bsv 8.4', 'durchgaenge 1a', 'eppstein 4.2.4', 'schaffkopf III 2.6',"
        " 'schnittchen Pokale', ''].map(text.sectionText))"
    )
    assert cited == ["BSV 8.4", "Durchgänge 1a", "Eppstein 4.2.4", "Schaffkopf III 2.6", "Schnittchen „Pokale“", ""]

    page.set_viewport_size({"width": 390, "height": 844})
    tabs = page.locator(".rounds a").all()
    assert [tab.inner_text() for tab in tabs] == ["Runde 1", "Runde 2", "Runde 3", "Turnier", "Rangliste"]
    for tab in tabs:
        tab.scroll_into_view_if_needed()
        box = tab.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= 200

    page.set_viewport_size({"width": 1280, "height": 900})
    press(page, "English")
    page.wait_for_selector("text=Which book is played by?")
    page.wait_for_selector("summary:has-text('as in the book')")
    page.locator("summary").click()
    page.wait_for_selector("li[data-option=games]:has-text('book: ')")


def test_names_written_while_the_answer_is_underway_stay(service, page):
    log_in(page)
    held = []
    page.route("**/notes", lambda route: held.append(route))
    go(page, "Leute")
    page.fill("#add-form textarea", "Anna Ott")
    press(page, "Eintragen")
    page.wait_for_timeout(100)
    page.fill("#add-form textarea", "Bernd Uhl")
    held[0].continue_()
    page.wait_for_selector("[data-person='Anna Ott']")
    page.wait_for_timeout(200)
    assert page.input_value("#add-form textarea") == "Bernd Uhl"


def test_a_plan_of_120_prints_on_two_pages(service, page):
    """Thirty tables on one page, everybody by name on the other."""
    office = service.app.state.hall.office
    first = ["Anna-Maria", "Bernd", "Cem", "Dörte", "Emil", "Fritz", "Gül", "Hans", "Ida", "Jan", "Karl", "Lena"]
    last = ["Aydın", "Beck", "Graf", "Huber", "Kern", "Lang", "Maier", "Nähr", "Ott", "Wirth-Obermeier"]
    names = [f"{one} {other}" for one in first for other in last]
    office.note({"note": "setup", "rules": "eppstein"})
    office.note({"note": "enter", "names": names})
    log_in(page)
    go(page, "Plätze")
    page.wait_for_selector("#possible:has-text('30 Vierertische')")
    press(page, "Auslosen")
    page.wait_for_selector("[data-seated='30']")
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2
    page.emulate_media(media="print")
    assert page.locator("#plan .by-name li:visible").count() == 120
    assert page.locator("#plan .seated:visible").count() == 30
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"
    assert page.locator("#plan .seated .name").evaluate_all(cut) == []
    assert (
        page.locator("header, .tabs, h1, button:has-text('Drucken')").evaluate_all(
            "all => all.filter(one => one.checkVisibility()).length"
        )
        == 0
    )


def test_nothing_is_typed_into_a_book_that_is_being_replaced(service, page):
    log_in(page)
    go(page, "Regelwerk")
    with page.expect_request("**/api/book/*"):
        page.route("**/api/book/schaffkopf*", lambda _: None)  # it does not come yet
        page.select_option("#set-book select[name=rules]", "schaffkopf")
    page.wait_for_selector("#option-games:disabled", state="attached")
    assert page.locator("#set-book [data-do=saveBook]").is_disabled()
    page.select_option("#set-book select[name=rules]", "bsv")  # another one instead, and that counts
    page.wait_for_selector("#option-games:not(:disabled)", state="attached")
    page.fill("#option-games", "12")
    with page.expect_response("**/api/book/schaffkopf*"):
        page.unroute("**/api/book/schaffkopf*")  # the first one comes at last
    page.evaluate("() => new Promise(requestAnimationFrame)")
    press(page, "Speichern")
    page.wait_for_selector(".toast:has-text('Gespeichert.')")
    assert (tournament(service).rules, dict(tournament(service).options)) == ("bsv", {"games": 12})

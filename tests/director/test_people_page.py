"""The entry desk in a real browser: found and checked in by keys and scanner, many at once, a list from a file."""

import re

import pytest

from tests.director.full_hall import NAME, PIN, hall
from tests.director.test_page_for_all import faults, in_language
from tests.tournament.intake.test_table import xlsx

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect

ROLL = [
    {"name": "Anna Ott", "number": 12, "club": "SV Eppstein"}, {"name": "Anna-Maria Müller", "number": 3},
    {"name": "Bernd Uhl", "club": "TV"}, {"name": "Özlem Aydın", "number": 112}, {"name": "Bernt Uhl"},
]  # fmt: skip


@pytest.fixture
def service(tmp_path):
    with hall(tmp_path, [], [{"note": "register", "people": ROLL}]) as running:
        yield running


@pytest.fixture
def page(browser, service):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="de-DE", timezone_id="Europe/Berlin")
    opened = context.new_page()
    failures: list[str] = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    opened.goto(f"{service.url}/#pin={PIN}")
    opened.locator("[data-do=logOut]").wait_for()
    opened.evaluate("location.hash = '#/setup/people'")
    opened.locator("[data-person]").first.wait_for()
    yield opened
    context.close()
    assert failures == []


def people(service):
    return service.app.state.hall.office.tournament.people


def here(service):
    return [one.name for one in people(service).values() if one.checked_in_ms]


def last(page, text):
    expect(page.locator(".last span")).to_have_text(text)


#: What is typed, or sent by a scanner, and who is checked in by Enter.
KEYS = [
    ("be", "Bernd Uhl"), ("mü", "Anna-Maria Müller"), ("muel", "Anna-Maria Müller"), ("oz", "Özlem Aydın"),
    ("12", "Anna Ott"), ("ep", "Anna Ott"), ("an mar", "Anna-Maria Müller"),
    ("Anna-Maria Müller", "Anna-Maria Müller"), ("anna-m", "Anna-Maria Müller"), ("P:12 Anna Ott", "Anna Ott"),
    ("P:99 Bernd Uhl", "Bernd Uhl"), ("PÖ3", "Anna-Maria Müller"), ("PÖ112 Oeylem", None), ("xyz", None),
]  # fmt: skip


def test_a_key_or_two_and_enter_check_somebody_in(service, page):
    field, office = page.locator("#desk"), service.app.state.hall.office
    for typed, name in KEYS:
        page.locator(".toast").evaluate_all("all => all.forEach(one => one.remove())")
        field.click()
        page.keyboard.type(typed)  # as fast as a scanner
        page.keyboard.press("Enter")
        if name is None:
            page.locator(".toast.bad").wait_for()
            assert here(service) == [], typed
            page.keyboard.press("Escape")
        else:
            last(page, f"{name} ist da.")
            assert here(service) == [name], typed
            expect(field).to_be_focused()
            expect(page.locator(f"[data-person='{name}']")).to_contain_text("da seit")
            page.locator("[data-do=undoLast]").click()
            expect(page.locator(".last")).to_have_count(0)
            expect(page.locator(f"[data-person='{name}'] [data-do=checkIn]")).to_be_visible()
        expect(field).to_have_value("")
    office.note({"note": "check_in", "names": ["Bernd Uhl", "Anna Ott"]})  # at the other desk
    expect(page.locator("[data-person='Anna Ott']")).to_contain_text("da seit")
    field.click()
    page.keyboard.type("be")
    page.keyboard.press("Enter")
    last(page, "Bernt Uhl ist da.")  # who is here comes after those who are not
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    expect(page.locator(".toast.bad").last).to_have_text("Anna Ott ist schon da.")


def test_what_was_done_last_is_undone(service, page):
    page.locator("#desk").fill("ann ott")
    page.keyboard.press("Enter")
    last(page, "Anna Ott ist da.")
    page.locator("[data-do=undoLast]").click()
    expect(page.locator(".last")).to_have_count(0)
    expect(page.locator("[data-person='Anna Ott'] [data-do=checkIn]")).to_be_visible()
    assert here(service) == []


def choose(page, *names):
    page.locator("[data-do=choosePeople]").click()
    for name in names:
        page.get_by_role("checkbox", name=f"{name} auswählen").check()


def test_many_at_once(service, page):
    page.locator("#desk").fill("bern")
    choose(page)
    page.locator("[data-do=chooseAll]").click()
    page.locator("[data-do=bulkPaid]").click()
    last(page, "Bezahlt: 2.")
    assert [one.name for one in people(service).values() if one.paid_ms] == ["Bernd Uhl", "Bernt Uhl"]
    page.locator("[data-do=chooseAll]").click()
    page.locator("[data-do=bulkNumbers]").click()
    last(page, "Startnummern gegeben: 2")
    page.locator("[data-do=chooseAll]").click()
    page.locator("[data-do=bulkClub]").click()
    page.locator("dialog input[name=club]").fill("SV Kreuz")
    page.keyboard.press("Enter")
    last(page, "Verein SV Kreuz: 2")
    assert [(one.number, one.club) for one in people(service).values() if one.paid_ms] == [
        (1, "SV Kreuz"),
        (2, "SV Kreuz"),
    ]
    page.locator("[data-do=chooseDone]").click()
    page.locator("#desk").fill("")
    page.select_option("#desk-show", "unpaid")
    expect(page.locator("[data-person]")).to_have_count(3)


def test_two_entries_become_one_and_somebody_is_deleted(service, page):
    choose(page, "Bernd Uhl", "Bernt Uhl")
    page.locator("[data-do=bulkMerge]").click()
    page.locator("dialog label:has-text('Bernd Uhl')").click()
    page.locator("dialog button.main").click()
    last(page, "Bernt Uhl ist jetzt Bernd Uhl.")
    page.locator("[data-do=chooseDone]").click()
    page.locator("[data-person='Anna Ott'] [data-do=editPerson]").click()
    page.locator("dialog button[value=remove]").click()
    page.locator("dialog button.danger").click()
    last(page, "Gelöscht: Anna Ott")
    assert list(people(service)) == ["Anna-Maria Müller", "Bernd Uhl", "Özlem Aydın"]
    page.locator("[data-do=undoLast]").click()
    page.locator("[data-person='Anna Ott']").wait_for()


def test_what_two_change_of_one_person_at_once_is_told(service, page):
    page.locator("[data-person='Anna Ott'] [data-do=editPerson]").click()
    page.locator("dialog input[name=number]").fill("13")
    service.app.state.hall.office.note({"note": "person", "name": "Anna Ott", "number": 14})
    page.locator("dialog button.main").click()
    expect(page.locator("dialog .overtaken")).to_contain_text("Jemand hat das um")
    expect(page.locator("dialog .overtaken")).to_contain_text("14")
    expect(page.locator("dialog input[name=number]")).to_have_value("13")
    assert people(service)["Anna Ott"].number == 14


def test_a_file_is_looked_at_and_taken_in(service, page, tmp_path):
    path = tmp_path / "Anmeldung.xlsx"
    rows = [("Nr.", "Name", "Vorname", "Verein"), (12, "Ott", "Anna", "SV Eppstein"), (20, "Neu", "Nina", "TV"),
            (3, "Alt", "Alf", ""), (None, "", "", "TV")]  # fmt: skip
    path.write_bytes(xlsx(rows))
    page.locator("details.add summary").click()
    page.locator("#people-file").set_input_files(path)
    preview = page.locator("#preview")
    expect(preview.locator("h2")).to_have_text("Vorschau: Anmeldung.xlsx")
    expect(preview.locator(".n_new li")).to_have_text([re.compile("Zeile 3 Nina Neu TV, Nr. 20")])
    expect(preview.locator(".n_doubt li")).to_have_count(2)
    expect(preview.locator("[data-do=takeList]")).to_have_text("1 übernehmen")
    page.get_by_role("checkbox", name="Zeile 4 übernehmen").check()
    expect(preview.locator("[data-do=takeList]")).to_have_text("2 übernehmen")
    service.app.state.hall.office.note({"note": "enter", "names": ["Alf Alt"]})  # at the other desk
    with page.expect_response(re.compile("people/preview")):
        preview.locator("[data-do=takeList]").click()
    expect(page.locator(".toast.bad")).to_contain_text("Vorschau ist neu")
    expect(preview.locator(".n_doubt li[data-line='4']")).to_contain_text("Startnummer 3 hat Anna-Maria Müller")
    page.get_by_role("checkbox", name="Zeile 4 übernehmen").uncheck()
    preview.locator("[data-do=takeList]").click()
    last(page, "Übernommen: 1")
    expect(preview).to_have_count(0)
    assert list(people(service)) == [*(one["name"] for one in ROLL), "Alf Alt", "Nina Neu"]
    assert NAME in page.title()


def test_pasted_columns_are_chosen(service, page):
    page.locator("details.add summary").click()
    page.fill("#add-form textarea", "Nina;Neu\nAlf;Alt")
    page.locator("[data-do=addPeople]").click()
    page.locator("#preview select").nth(0).select_option("first")
    expect(page.locator("#preview select").nth(1)).to_have_value("last")  # they changed places
    expect(page.locator("#preview .n_new b")).to_have_text(["Nina Neu", "Alf Alt"])
    page.locator("[data-do=dropList]").click()
    expect(page.locator("#preview")).to_have_count(0)
    assert len(people(service)) == len(ROLL)


def test_badges_open_as_pdf(service, page):
    choose(page, "Bernd Uhl", "Bernt Uhl")
    page.locator("[data-do=bulkBadges]").click()
    expect(page.locator(".toast.bad")).to_contain_text("Startnummer")
    page.get_by_role("checkbox", name="Anna Ott auswählen").check()
    page.locator("[data-do=bulkBadges]").click()
    expect(page.locator("dialog .warn")).to_have_text("Ohne Startnummer, also ohne Ausweis: 2")
    page.locator("dialog select[name=form]").select_option("3474")
    page.locator("dialog input[name=start]").fill("5")
    with page.context.expect_event("request", lambda request: "labels.pdf" in request.url) as asked:
        page.locator("dialog button.main").click()
    assert re.search(r"form=3474&code=qr&start=5&language=de&numbers=12$", asked.value.url)
    page.locator("[data-do=bulkBadges]").click()
    expect(page.locator("dialog select[name=form]")).to_have_value("3474")  # as it was printed last
    page.keyboard.press("Escape")


def test_axe_finds_nothing_at_the_entry_desk(service, page):
    """Form, preview, list, selection and each dialog; wide and light in German, narrow and dark in English."""
    page.locator("details.add summary").click()
    page.fill(
        "#add-form textarea", "Name;Vorname;Nr.;Verein\nNeu;Nina;7;TV\nUhl;Bernd;;TV\nOtt;Anna;12;TV\n;;4;\nOtt;Anna;;"
    )
    page.locator("[data-do=addPeople]").click()
    page.locator("#preview").wait_for()
    page.locator("[data-do=choosePeople]").click()
    page.locator("[data-do=chooseAll]").click()
    for language, width, look in (("de", 1280, "light"), ("en", 390, "dark")):
        in_language(page, language)
        for each in (1280, 390):
            page.set_viewport_size({"width": each, "height": 3000})  # what sticks to the edges lies on nothing
            assert page.evaluate("document.documentElement.scrollWidth") <= each
        page.set_viewport_size({"width": width, "height": 3000})
        page.emulate_media(color_scheme=look)
        assert faults(page) == [], language
        for button in ("bulkClub", "bulkBadges", "bulkRemove"):
            page.locator(f"[data-do={button}]").click()
            page.locator("dialog[open]").wait_for()
            assert faults(page) == [], (language, button)
            page.keyboard.press("Escape")
            page.locator("dialog[open]").wait_for(state="hidden")


FIRST = [
    *("Anna", "Bernd", "Cem", "Dörte", "Emil", "Fritz", "Gül", "Hans", "Ida", "Jan", "Karl", "Lena", "Max", "Nora"),
    *("Otto", "Paul", "Rosa", "Sven", "Tim", "Ute"),
]
LAST = [
    *("Aydın", "Beck", "Graf", "Huber", "Kern", "Lang", "Maier", "Nähr", "Öz", "Roth", "Vogt", "Quast", "Zander"),
    *("Sommer", "Winter", "Wirth-Obermeier", "Pfeiffer", "Yılmaz", "Ott-Müller", "Eck"),
]


def test_a_plan_of_400_is_searched_and_prints_on_three_pages(service, page):
    names = [f"{one} {other}" for one in FIRST for other in LAST]
    office = service.app.state.hall.office
    office.note({"note": "enter", "names": names, "here": True})
    office.note({"note": "draw", "round": 1, "seats": {str(i + 1): names[4 * i : 4 * i + 4] for i in range(100)}})
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("location.hash = '#/setup/places'")
    page.locator("[data-seated='100']").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    publish, first_table = page.locator("[data-do=publishPlan]"), page.locator("[data-seated='1']")
    assert publish.bounding_box()["y"] < first_table.bounding_box()["y"]  # not below a hundred tables
    page.locator("#find").fill("ute yi")
    expect(page.locator(".seated")).to_have_count(1)
    page.get_by_role("button", name="Ute Yılmaz", exact=True).click()
    page.locator("#find").fill("anna b")
    page.get_by_role("button", name="Anna Beck", exact=True).click()
    page.get_by_role("button", name="Ute Yılmaz und Anna Beck tauschen").click()
    expect(page.locator("[data-seated='100'] [data-name='Anna Beck']")).to_be_visible()
    page.evaluate("window.print = () => {}")
    page.locator("#find").fill("ute")
    page.locator("[data-do=printPlan]").click()
    expect(page.locator(".seated")).to_have_count(100)  # all are printed, whoever is looked for
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 3
    page.emulate_media(media="print")
    assert page.locator("#plan .by-name li:visible").count() == 400
    assert page.locator("#plan .seated:visible").count() == 100
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"
    assert page.locator("#plan .seated .name, #plan .by-name b").evaluate_all(cut) == []

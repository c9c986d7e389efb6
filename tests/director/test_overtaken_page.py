"""Two directors at two windows save the same value at one moment: the second is told, and nothing typed is lost."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from kiosk.director.serve import Service
from tests.director.full_hall import NAME, PIN, hall
from tests.director.test_page_for_all import faults
from tests.waiting import until

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect

ROLL = [{"name": name, "club": "TV"} for name in ("Anna Ott", "Bernd Uhl", "Cem Aydın", "Dörte Lang")]
PASSWORD = "karo-neun-8"
GONE = "all => all.forEach(one => one.remove())"


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form that saves a whole value: where it is, how it is opened, what is typed, and what is stored then."""

    where: str
    field: str
    save: str
    stored: Callable[[Any], object]  # of the tournament
    values: tuple[object, object]  # stored by the first and by the second
    typed: tuple[str, str]
    open: str = ""  # what is pressed first; the form is a dialog then
    details: str = ""


FORMS = {
    "fees and prizes": Form(
        where="#/prizes", field="#purse-form [name=fee]", save="[data-do=savePurse]",
        stored=lambda now: now.purse.fee, values=(1000, 800), typed=("10", "8"),
    ),
    "programme": Form(
        where="#/setup/programme", field="[data-programme='1'] [name=pause]", save="[data-do=saveProgramme]",
        stored=lambda now: now.programme[1].pause, values=(15, 20), typed=("15", "20"),
    ),
    "wishes of draws": Form(
        where="#/setup/places", field="#wishes-form [name=halls]", save="[data-do=saveWishes]", details=".wishes",
        stored=lambda now: now.seat_wishes.halls, values=((("Saal", 1),), (("Keller", 1),)),
        typed=("Saal = 1", "Keller = 1"),
    ),
    "book and options": Form(
        where="#/setup/book", field="#option-minutes", save="[data-do=saveBook]", details="#book-form details",
        stored=lambda now: now.options.get("minutes"), values=(90, 100), typed=("90", "100"),
    ),
    "start of the evening": Form(
        where="#/setup/book", field="#book-form [name=start]", save="[data-do=saveBook]",
        stored=lambda now: f"{now.start:%H:%M}", values=("19:30", "20:00"), typed=("19:30", "20:00"),
    ),
    "slow tables": Form(
        where="#/1", field="dialog [name=quiet]", save="dialog button.main", open="[data-do=setWatch]",
        stored=lambda now: now.quiet_minutes, values=(7, 9), typed=("7", "9"),
    ),
    "series": Form(
        where="#/series", field="dialog [name=name]", save="dialog button.main", open="[data-do=setSeries]",
        stored=lambda now: now.series, values=("Saison", "Pokal"), typed=("Saison", "Pokal"),
    ),
    "a person": Form(
        where="#/setup/people", field="dialog [name=club]", save="dialog button.main",
        open="[data-person='Anna Ott'] [data-do=editPerson]",
        stored=lambda now: now.people["Anna Ott"].club, values=("SV", "BSV"), typed=("SV", "BSV"),
    ),
}  # fmt: skip


@contextmanager
def evening(folder: Path) -> Iterator[Service]:
    """One table that was drawn, and two who direct."""
    seats = {"1": [one["name"] for one in ROLL]}
    notes = [{"note": "register", "people": ROLL}, {"note": "draw", "round": 1, "seats": seats}]
    with hall(folder, [], [*notes, {"note": "publish", "round": 1}]) as running:
        with httpx.Client(base_url=running.url, headers={"Origin": running.url}) as client:
            client.post("/api/login", json={"pin": PIN}).raise_for_status()
            for name in ("Ute", "Vera"):
                account = {"name": name, "role": "director", "password": PASSWORD}
                client.post("/api/accounts", json=account).raise_for_status()
        yield running


@contextmanager
def windows(browser: Any, service: Service) -> Iterator[Callable[..., Any]]:
    """Open windows of somebody's; none of them may fail."""
    contexts, failures = [], list[str]()

    def opened(name: str, width: int = 1280, language: str = "de") -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, timezone_id="Europe/Berlin")
        contexts.append(context)
        context.add_init_script(f"localStorage.setItem('language', '{language}')")
        said = context.request.post(
            f"{service.url}/api/login", data={"name": name, "password": PASSWORD}, headers={"Origin": service.url}
        )
        assert said.ok, said.text()
        page = context.new_page()
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.goto(f"{service.url}/")
        page.locator("[data-do=logOut]").wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert failures == []


@pytest.fixture
def service(tmp_path):
    with evening(tmp_path) as running:
        yield running


@pytest.fixture
def window(browser, service):
    with windows(browser, service) as opened:
        yield opened


@pytest.fixture(scope="module")
def one_evening(tmp_path_factory):
    """An evening for all forms: each saves another value, or others."""
    with evening(tmp_path_factory.mktemp("evening")) as running:
        yield running


@pytest.fixture(scope="module")
def who_saves(browser, one_evening):
    """The window of who is first, and of who is second, by what he keeps: his own on a telephone."""
    with windows(browser, one_evening) as opened:
        yield {"first": opened("Ute"), "mine": opened("Vera", 390), "theirs": opened("Vera", 1280, "en")}


def tournament(service):
    return service.app.state.hall.office.tournament


def noted(service, kind=None):
    notes = service.app.state.hall.store.notes(NAME)
    return [one.body for one in notes if kind in (None, one.body["note"])]


def turn_to(page, form):
    page.evaluate(f"location.hash = '{form.where}'")
    if form.open:
        page.locator(form.open).first.click()
    if form.details:
        page.locator(f"{form.details} > summary").click()
    page.locator(form.field).wait_for()


#: Each form once, with one answer or the other.
CHOICES = [pytest.param(form, ("mine", "theirs")[at % 2], id=name) for at, (name, form) in enumerate(FORMS.items())]


@pytest.mark.parametrize(("form", "keeps"), [*CHOICES, pytest.param(FORMS["fees and prizes"], "theirs", id="other's")])
def test_who_saves_second_sees_both_and_chooses(one_evening, who_saves, form, keeps):
    service, ute, vera = one_evening, who_saves["first"], who_saves[keeps]
    for page, typed in ((ute, form.typed[0]), (vera, form.typed[1])):
        page.locator(".toast").evaluate_all(GONE)
        turn_to(page, form)
        page.locator(form.field).fill(typed)
    ute.locator(form.save).first.click()
    expect(ute.locator(".toast:not(.bad)" if not form.open else "dialog:not([open])")).to_have_count(1)
    assert form.stored(tournament(service)) == form.values[0]
    before = len(noted(service))

    vera.locator(form.save).first.click()
    told = vera.locator(".overtaken")
    expect(told).to_contain_text("Ute")
    expect(told).to_contain_text(form.typed[0])
    expect(told).to_contain_text(form.typed[1])
    expect(vera.locator(form.field)).to_have_value(form.typed[1])  # nothing typed is lost
    assert form.stored(tournament(service)) == form.values[0]
    assert len(noted(service)) == before
    assert faults(vera) == []

    words = {"mine": ("Was hier steht, speichern", "Save what stands here"),
             "theirs": ("Das Gespeicherte behalten", "Keep what is stored")}[keeps]  # fmt: skip
    vera.get_by_role("button", name=words[keeps == "theirs"]).click()
    expect(told).to_have_count(0)
    wanted = 1 if keeps == "mine" else 0
    if form.open:
        expect(vera.locator("dialog")).to_be_hidden()
    else:
        expect(vera.locator(form.field)).to_have_value(form.typed[wanted])
    assert form.stored(tournament(service)) == form.values[wanted]
    assert len(noted(service)) == before + wanted


def test_who_goes_on_after_saving_is_not_overtaken_by_himself(service, window):
    form, ute = FORMS["fees and prizes"], window("Ute")
    turn_to(ute, form)
    for typed, cents in (("10", 1000), ("11", 1100), ("12", 1200)):
        ute.locator(form.field).fill(typed)
        ute.locator(form.save).click()
        expect(ute.locator(".toast").last).to_have_text(re.compile("Gespeichert|gespeichert"))
        ute.locator(".toast").evaluate_all(GONE)
        assert tournament(service).purse.fee == cents
    number = tournament(service).saved["purse"]  # taken back by himself: what was before stands there again
    service.app.state.hall.office.note({"note": "undo", "number": number, "why": ""})
    ute.evaluate("location.hash = '#/1'")
    turn_to(ute, form)
    expect(ute.locator(form.field)).to_have_value("11")
    ute.locator(form.field).fill("13")
    ute.locator(form.save).dblclick()
    expect(ute.locator(".toast").last).to_have_text(re.compile("Gespeichert|gespeichert"))
    expect(ute.locator(".overtaken")).to_have_count(0)
    assert [one["fee"] for one in noted(service, "purse")] in ([1000, 1100, 1200, 1300], [1000, 1100, 1200, 1300, 1300])
    assert tournament(service).purse.fee == 1300


def test_what_was_taken_back_before_the_page_knew_of_its_own_saving_is_no_overtaking(service, window):
    form, ute = FORMS["fees and prizes"], window("Ute")
    turn_to(ute, form)
    for typed in ("11", "12"):
        ute.locator(form.field).fill(typed)
        ute.locator(form.save).click()
        expect(ute.locator(".toast")).to_have_count(1)
        ute.locator(".toast").evaluate_all(GONE)
        if typed == "11":
            ute.reload()
            turn_to(ute, form)
            expect(ute.locator(form.field)).to_have_value("11")
            ute.route("**/prizes.json", lambda _: None)  # the page does not hear what it has stored next
    service.app.state.hall.office.note({"note": "undo", "number": tournament(service).saved["purse"], "why": ""})
    ute.unroute("**/prizes.json")
    with ute.expect_response("**/prizes.json") as heard:  # 11 stands there also as long as the page knows nothing
        ute.evaluate("location.hash = '#/1'")
        turn_to(ute, form)
    heard.value.finished()
    expect(ute.locator(form.field)).to_have_value("11")
    ute.locator(form.field).fill("13")
    ute.locator(form.save).click()
    expect(ute.locator(".toast")).to_have_count(1)
    assert ute.locator(".overtaken, .toast.bad").count() == 0
    assert tournament(service).purse.fee == 1300


def test_nobody_draws_without_the_wishes_that_stand_there(service, window):
    form, ute = FORMS["wishes of draws"], window("Ute", 390)
    turn_to(ute, form)
    draws = len(noted(service, "draw"))
    ute.locator(form.field).fill("Saal=1")
    ute.locator("[data-do=drawSeats]").click()
    expect(ute.locator(".toast.bad")).to_have_text("Hier steht etwas, das noch nicht gespeichert ist.")
    assert len(noted(service, "draw")) == draws
    ute.route("**/setup?*", lambda _: None)  # the page does not hear yet what the service has stored
    ute.locator(form.save).click()
    expect(ute.locator(".toast:not(.bad)")).to_have_count(1)
    ute.locator(".toast").evaluate_all(GONE)
    ute.locator("[data-do=drawSeats]").click()
    expect(ute.locator(".toast.bad")).to_have_count(0)
    ute.unroute("**/setup?*")
    ute.locator("#plan .seated").first.wait_for()
    assert len(noted(service, "draw")) == draws + 1
    expect(ute.locator(form.field)).to_have_value("Saal = 1")  # as it is stored


def test_what_is_typed_while_a_save_is_under_way_is_saved_after_it(service, window):
    form, ute = FORMS["fees and prizes"], window("Ute")
    turn_to(ute, form)
    ute.route("**/notes", lambda _: None)  # the service does not hear yet what was typed first
    with ute.expect_request("**/notes"):
        ute.locator(form.field).fill("10")
        ute.locator(form.save).dblclick()
    ute.locator(form.field).fill("11")
    ute.locator(form.save).click()
    ute.unroute("**/notes")
    expect(ute.locator(".toast")).to_have_count(2)
    assert [one["fee"] for one in noted(service, "purse")] == [1000, 1100]
    assert ute.locator(".overtaken, .toast.bad").count() == 0


def test_what_was_taken_back_meanwhile_is_told_with_who_did_it(service, window):
    form, ute, vera = FORMS["fees and prizes"], window("Ute"), window("Vera")
    turn_to(ute, form)
    ute.locator(form.field).fill("10")
    ute.locator(form.save).click()
    ute.locator(".toast").wait_for()
    turn_to(vera, form)
    expect(vera.locator(form.field)).to_have_value("10")
    vera.locator("#purse-form [name=gift]").fill("5")
    number = tournament(service).saved["purse"]
    said = ute.context.request.post(
        f"{service.url}/api/{NAME}/undo", data={"number": number}, headers={"Origin": service.url}
    )
    assert said.ok, said.text()
    vera.locator(form.save).click()
    expect(vera.locator(".overtaken")).to_contain_text("Ute hat um")
    expect(vera.locator(".overtaken")).to_contain_text("zurückgenommen")
    expect(vera.locator("#purse-form [name=gift]")).to_have_value("5")


#: Fields of forms that go with their page: where another page is looked at meanwhile, and what was stored there before.
LEFT = [
    pytest.param(FORMS["fees and prizes"], "[name=prizes]", "1 = Schinken", "", id="fees and prizes"),
    pytest.param(FORMS["wishes of draws"], "[name=apart]", "Anna Ott + Bernd Uhl", "", id="wishes of draws"),
    pytest.param(FORMS["start of the evening"], "[name=day]", "2026-11-21", "", id="book"),
]


@pytest.mark.parametrize(("form", "other", "text", "empty"), LEFT)
def test_what_was_typed_is_there_again_until_it_is_saved_or_thrown_away(service, window, form, other, text, empty):
    ute = window("Ute", 390)
    field, beside = ute.locator(form.field), ute.locator(form.field.split(" ")[0]).locator(other)
    turn_to(ute, form)
    field.fill(form.typed[0])
    beside.fill(text)
    ute.evaluate("location.hash = '#/1'")
    expect(field).to_have_count(0)
    service.app.state.hall.office.note({"note": "watch", "quiet": 7})  # the page is drawn anew meanwhile
    ute.evaluate(f"location.hash = '{form.where}'")
    expect(field).to_have_value(form.typed[0])
    expect(beside).to_have_value(text)
    expect(ute.get_by_text("Noch nicht gespeichert.")).to_be_visible()
    assert faults(ute) == []
    ute.locator(form.save).first.click()
    expect(ute.locator(".toast:not(.bad)")).to_have_count(1)
    expect(ute.get_by_text("Noch nicht gespeichert.")).to_be_hidden()
    assert form.stored(tournament(service)) == form.values[0]

    if form.where == "#/setup/book":
        return  # it has its own way back
    until(lambda: beside.fill("") or beside.input_value() == "")  # drawn anew meanwhile, it may lose one letter alone
    ute.evaluate("location.hash = '#/1'")
    expect(field).to_have_count(0)
    ute.evaluate(f"location.hash = '{form.where}'")
    expect(beside).to_have_value(empty)
    ute.get_by_role("button", name="Verwerfen").click()
    expect(beside).to_have_value(text)
    expect(ute.get_by_text("Noch nicht gespeichert.")).to_be_hidden()
    ute.evaluate("location.hash = '#/1'")
    expect(field).to_have_count(0)
    ute.evaluate(f"location.hash = '{form.where}'")
    expect(beside).to_have_value(text)


#: Forms of which what was typed comes back after a reload.
RELOADED = ("fees and prizes", "programme", "wishes of draws", "book and options", "start of the evening")


def test_what_was_typed_outlives_a_reload_and_is_nobody_elses(service, window):
    ute = window("Ute")
    kept = "() => sessionStorage.getItem('stichwart typed')"
    unsaved = ute.locator("#main .warn:visible", has_text="Noch nicht gespeichert.")

    def look(name: str) -> Any:
        form = FORMS[name]
        ute.evaluate(f"location.hash = '{form.where}'")
        ute.locator(form.save).wait_for(state="attached")
        if form.details:
            ute.locator(form.details).evaluate("one => { one.open = true; }")
        return ute.locator(form.field)

    for name in RELOADED:
        look(name).fill(FORMS[name].typed[0])
    ute.reload()
    for name in RELOADED:
        expect(look(name)).to_have_value(FORMS[name].typed[0])
        expect(unsaved).to_have_count(1)

    service.app.state.hall.office.note({"note": "seat_wishes", "apart": [], "halls": [{"name": "Keller", "tables": 1}]})
    ute.reload()
    wishes = FORMS["wishes of draws"]
    expect(look("wishes of draws")).to_have_value(wishes.typed[0])
    ute.locator(wishes.save).click()
    expect(ute.locator(".overtaken")).to_be_visible()  # it was begun from what stood there before
    ute.get_by_role("button", name="Was hier steht, speichern").click()
    expect(ute.locator(".overtaken")).to_have_count(0)
    assert wishes.stored(tournament(service)) == wishes.values[0]

    look("programme")
    ute.locator(FORMS["programme"].save).click()
    expect(unsaved).to_have_count(0)
    ute.reload()
    expect(look("programme")).to_have_value(FORMS["programme"].typed[0])
    expect(unsaved).to_have_count(0)  # it is stored

    def log_in(name: str) -> None:
        account = {"name": name, "password": PASSWORD}
        said = ute.context.request.post(f"{service.url}/api/login", data=account, headers={"Origin": service.url})
        assert said.ok
        ute.reload()

    log_in("Vera")
    expect(look("fees and prizes")).to_have_value("")
    log_in("Ute")
    expect(look("fees and prizes")).to_have_value("10")
    assert "purse" in ute.evaluate(kept)
    ute.locator("[data-do=logOut]").click()
    ute.locator("[data-do=logIn]").first.wait_for()
    assert ute.evaluate(kept) == "{}"
    log_in("Ute")
    expect(look("fees and prizes")).to_have_value("")


def test_a_draft_that_somebody_else_has_overtaken_while_its_page_was_left_is_told(service, window):
    form, ute = FORMS["fees and prizes"], window("Ute")
    turn_to(ute, form)
    ute.locator(form.field).fill("10")
    ute.evaluate("location.hash = '#/1'")
    expect(ute.locator(form.field)).to_have_count(0)
    service.app.state.hall.office.note({"note": "purse", "fee": 800, "gift": 0, "reserve_share": 0, "reserve_cents": 0,
                                        "prizes": []})  # fmt: skip
    turn_to(ute, form)
    expect(ute.locator(form.field)).to_have_value("10")
    ute.locator(form.save).click()
    expect(ute.locator(".overtaken")).to_contain_text("8")
    ute.get_by_role("button", name="Das Gespeicherte behalten").click()
    expect(ute.locator(form.field)).to_have_value("8")
    assert tournament(service).purse.fee == 800

"""At a window of the page, while somebody else does the same at another: told, nothing typed is lost, nothing twice."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.director.test_setup_page import log_in, press
from tests.director.test_tally import NAME, PEOPLE, Direction, played, run

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect

OTHERS, THIRD = ["Emil", "Fritz", "Gül", "Hanna"], ["Ida", "Jan", "Karl", "Lena"]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Direction]:
    """Table 1 plays, table 2 has no kiosk, table 3 has handed in its list."""
    with run(tmp_path, rules="bsv") as service:
        direction = Direction(service)
        direction.note(note="enter", names=[*PEOPLE, *OTHERS, *THIRD])
        direction.note(note="enter", names=["Xaver", "Yvonne"], substitute=True)
        direction.note(note="draw", round=1, seats={"1": PEOPLE, "2": OTHERS, "3": THIRD})
        direction.note(note="purse", fee=1000)
        assert direction.post(f"/api/{NAME}/notes", note="publish", round=1).is_success
        events = played("bsv")
        direction.send(events[: max(at for at, event in enumerate(events) if event["event"] == "card")])
        direction.send([*played("bsv", table=3, players=THIRD), {"event": "close"}])
        yield direction


@pytest.fixture
def page(browser: Any, hall: Direction) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="de-DE", timezone_id="Europe/Berlin")
    opened = context.new_page()
    failures: list[str] = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    opened.goto(f"{hall.service.url}/#/1")
    log_in(opened)
    yield opened
    context.close()
    assert failures == []


def orders(hall: Direction, kind: str) -> list[Any]:
    given = hall.service.app.state.hall.store.orders(NAME, 1)
    return [one.body for one in given if one.body.get("event") == kind]


def notes(hall: Direction, kind: str) -> list[Any]:
    return [one.body for one in hall.service.app.state.hall.store.notes(NAME) if one.body["note"] == kind]


def told(page: Any, text: str) -> None:
    expect(page.locator("dialog .refused")).to_contain_text(text)


def test_what_two_do_at_one_table(page: Any, hall: Direction) -> None:
    at_table, yes = f"/api/{NAME}/1", page.locator("dialog button.main")
    page.goto(f"{hall.service.url}/#/1/1")
    press(page, "Entscheidung")
    page.locator("dialog select[name=class]").select_option("custom")
    page.locator("dialog input[name=score1]").fill("-6")
    ruling = {"event": "rule", "class": "custom", "offender": 1, "scores": {"1": -3, "2": 1, "3": 1, "4": 1}}
    assert hall.post(f"{at_table}/orders", table=1, body={**ruling, "resume": True}).is_success
    yes.click()
    told(page, "PIN hat hier um")
    expect(page.locator("dialog input[name=score1]")).to_have_value("-6")
    assert len(orders(hall, "rule")) == 1
    page.locator("dialog button[value=no]").click()

    press(page, "Spieler ersetzen")
    page.locator("dialog input[name=came]").fill("Xaver")
    assert hall.post(f"{at_table}/1/substitute", seat=1, came="Yvonne").is_success
    yes.click()
    told(page, "Yvonne")
    yes.click()
    told(page, "Yvonne")  # pressed again it is the same: the other is on his way
    page.locator("dialog button[value=no]").click()
    assert [one["came"] for one in notes(hall, "substituted")] == ["Yvonne"]
    assert len(orders(hall, "substitute")) == 1

    page.goto(f"{hall.service.url}/#/1/3")
    press(page, "Berichtigen")
    page.get_by_text("Punkte eines Spiels").click()
    press(page, "Weiter")
    page.locator("dialog input[name=score1]").fill("77")
    page.locator("dialog input[name=reason]").fill("verrechnet")
    score = hall.get(f"{at_table}/3/list.json")["rows"][0]["score"]
    other = {"what": "points", "game": 1, "after": {**score, "2": 55}, "reason": "vertauscht", "seen": 0}
    assert hall.post(f"{at_table}/3/mend", **other).is_success
    yes.click()
    told(page, "Die Liste wurde inzwischen geändert (PIN)")
    told(page, "55")
    expect(page.locator("dialog input[name=score1]")).to_have_value("77")
    yes.click()
    page.locator(".footnotes", has_text="verrechnet").wait_for()
    assert [one["reason"] for one in notes(hall, "berichtigung")] == ["vertauscht", "verrechnet"]

    page.goto(f"{hall.service.url}/#/1/2")
    press(page, "Auf Papier führen")
    page.locator("#paper-form").wait_for()
    page.locator("#paper-form input[name=score1]").fill("3")
    seen = hall.get(f"{at_table}/2/mending")["seen"]
    row = {"note": "paper_row", "game": 1, "score": {"1": 6, "2": 6, "3": -6, "4": -6}, "seen": seen}
    assert hall.post(f"{at_table}/2/paper", **row).is_success
    page.locator("tr[data-game='1']").wait_for()
    for seat, points in enumerate((3, 3, -3, -3), start=1):
        if seat > 1:
            page.locator(f"#paper-form input[name=score{seat}]").fill(str(points))
    expect(page.locator("#paper-form input[name=score1]")).to_have_value("3")
    expect(page.locator("#paper-form select[name=game]")).to_have_value("1")
    press(page, "Neu eintragen")
    page.locator(".toast.bad", has_text="inzwischen geändert (PIN)").wait_for()
    assert hall.get(f"{at_table}/2/list.json")["rows"][0]["score"]["1"] == 6
    press(page, "Neu eintragen")
    page.locator(".toast:not(.bad)", has_text="Eingetragen").last.wait_for()
    assert [one["score"]["1"] for one in hall.get(f"{at_table}/2/list.json")["rows"]] == [3]


def test_what_two_do_with_one_person_and_with_money(page: Any, hall: Direction) -> None:
    page.goto(f"{hall.service.url}/#/setup/people")
    page.locator("[data-person='Ida'] [data-do=editPerson]").click()
    page.locator("dialog input[name=paid]").check()
    page.locator("dialog input[name=number]").fill("7")
    assert hall.post(f"/api/{NAME}/notes", note="fee", names=["Ida"], paid=True).is_success
    assert hall.post(f"/api/{NAME}/notes", note="person", name="Ida", to="Ida Kern").is_success
    page.locator("dialog button.main").click()
    expect(page.locator("dialog")).to_be_hidden()
    ida = hall.service.app.state.hall.office.tournament.people["Ida Kern"]
    assert (ida.number, len(ida.payments_ms)) == (7, 1)

    page.locator("[data-person='Jan'] [data-do=editPerson]").click()
    page.locator("dialog input[name=paid]").check()
    assert hall.post(f"/api/{NAME}/notes", note="fee", names=["Jan"], paid=True).is_success
    page.locator("dialog button.main").click()
    told(page, "Jan")
    page.locator("dialog button[value=no]").click()
    assert len(hall.service.app.state.hall.office.tournament.people["Jan"].payments_ms) == 1

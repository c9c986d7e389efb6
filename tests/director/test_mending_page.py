"""Lists put right, typed in from paper and undone in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from kiosk.demo.play import simulate
from tests.director.test_page_for_all import faults
from tests.director.test_setup_page import log_in, press
from tests.director.test_tally import NAME, PEOPLE, Direction, played, run

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Direction]:
    """Table 1 has handed in its list; table 2 was drawn and has no kiosk."""
    with run(tmp_path, rules="bsv") as service:
        direction = Direction(service)
        others = ["Emil", "Fritz", "Gül", "Hanna"]
        direction.note(note="enter", names=[*PEOPLE, *others])
        direction.note(note="draw", round=1, seats={"1": PEOPLE, "2": others})
        assert direction.post(f"/api/{NAME}/notes", note="publish", round=1).is_success
        direction.send([*played("bsv"), {"event": "close"}])
        yield direction


@pytest.fixture
def page(browser: Any, hall: Direction) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="de-DE", timezone_id="Europe/Berlin")
    opened = context.new_page()
    failures: list[str] = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    opened.goto(f"{hall.service.url}/#/1/1")
    log_in(opened)
    yield opened
    context.close()
    assert failures == []


def for_all(page: Any) -> None:
    """axe-core finds nothing, nothing stands out at the side: on a screen in the light, on a telephone in the dark."""
    for width, look in ((1280, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=look)
        assert faults(page) == [], (width, look)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_list_that_was_handed_in_is_put_right_and_the_footnote_taken_back(page: Any, hall: Direction) -> None:
    page.get_by_role("button", name="Berichtigen", exact=True).wait_for()
    offered = page.locator(".buttons button").all_inner_texts()
    assert "Nachspielzeit" not in " ".join(offered) and "Schiedsrichter entscheidet" not in offered
    before = hall.get(f"/api/{NAME}/1/1/list.json")["total"]
    press(page, "Berichtigen")
    page.get_by_text("Punkte eines Spiels").click()
    press(page, "Weiter")
    old = int(page.input_value("dialog input[name=score1]"))
    page.fill("dialog input[name=score1]", str(old + 5))
    page.fill("dialog input[name=reason]", "verrechnet")
    page.locator("dialog button.main").click()
    page.locator(".footnotes", has_text="verrechnet").wait_for()
    assert page.locator("tr[data-game='1'] sup").inner_text() == "*1"
    assert hall.get(f"/api/{NAME}/1/1/list.json")["total"]["1"] == before["1"] + 5
    for_all(page)
    page.locator(".footnotes button").click()
    page.locator("dialog button.main").click()
    page.locator(".footnotes").wait_for(state="detached")
    assert hall.get(f"/api/{NAME}/1/1/list.json")["total"] == before


def test_a_list_on_paper_is_typed_in_with_the_books_arithmetic_and_closed(
    page: Any, hall: Direction, tmp_path: Path
) -> None:
    page.goto(f"{hall.service.url}/#/1/2")
    playwright.expect(page.locator(".needs")).to_contain_text("kein Gerät")
    assert (
        "Matte" not in page.locator(".needs").inner_text()
    )  # where no device is there is none that could be too small
    press(page, "Auf Papier führen")
    page.locator("#paper-form").wait_for()
    for seat, points in enumerate((3, 3, -3, -2), start=1):
        page.fill(f"#paper-form input[name=score{seat}]", str(points))
    page.locator("#paper-said .warn").first.wait_for()
    assert "Summe 1" in page.locator("#paper-said").inner_text()
    for_all(page)
    page.fill("#paper-form input[name=score4]", "-3")
    page.locator("#paper-said .warn").first.wait_for(state="detached")
    press(page, "Eintragen")
    page.locator("tr[data-game='1']").wait_for()
    playwright.expect(page.locator("#paper-form select[name=game]")).to_have_value("2")
    for seat, points in enumerate((12, 0, -6, -6), start=1):  # as they stand on the list
        page.fill(f"#paper-form input[name=score{seat}]", str(points))
    page.select_option("#paper-form select[name=alone]", "1")
    press(page, "Eintragen")
    page.locator("tr[data-game='2'] .mark.solo").wait_for()
    assert hall.get(f"/api/{NAME}/1/2/list.json")["rows"][1]["score"] == {"1": 9, "2": -3, "3": -3, "4": -3}
    with Image.new("RGB", (800, 600), "white") as picture:
        picture.save(tmp_path / "liste.png")
    page.set_input_files(".photos input", tmp_path / "liste.png")
    page.get_by_role("link", name="Foto 1").wait_for()
    for_all(page)
    press(page, "Liste abschließen")
    page.locator("dialog button.main").click()
    page.locator("#paper").wait_for(state="detached")
    assert hall.get(f"/api/{NAME}/standings.json")["not_closed"] == []


def test_an_answer_that_comes_late_does_not_take_a_row_on_paper_back(page: Any, hall: Direction) -> None:
    page.goto(f"{hall.service.url}/#/1/2")
    press(page, "Auf Papier führen")
    page.locator("#paper-form").wait_for()
    late: list[Any] = []

    def hold_the_first(route: Any) -> None:
        answer = route.fetch()
        if late:
            route.fulfill(response=answer)
        else:
            late.append((route, answer))

    page.route("**/1/2/mending", hold_the_first)
    with page.expect_request("**/1/2/mending"):
        hall.note(note="enter", names=["Zoe Zorn"])  # whatever is noted, the page asks for the list again
    game = page.locator("#paper-form select[name=game]")
    for seat, points in enumerate((3, 3, -3, -3), start=1):
        page.fill(f"#paper-form input[name=score{seat}]", str(points))
    press(page, "Eintragen")
    playwright.expect(game).to_have_value("2")
    page.fill("#paper-form input[name=score1]", "12")
    route, answer = late[0]
    with page.expect_response("**/1/2/mending"):
        route.fulfill(response=answer)
    page.locator("header button[data-do=language]").click()  # drawn anew
    assert (game.input_value(), page.input_value("#paper-form input[name=score1]")) == ("2", "12")


def test_who_types_rows_fast_is_not_taken_back_to_the_first_field(page: Any, hall: Direction) -> None:
    page.goto(f"{hall.service.url}/#/1/2")
    press(page, "Auf Papier führen")
    page.locator("#paper-form").wait_for()
    for game in range(1, 9):
        playwright.expect(page.locator("#paper-form select[name=game]")).to_have_value(str(game))
        for seat, points in enumerate((2, 2, -2, -2), start=1):
            page.fill(f"#paper-form input[name=score{seat}]", str(points * game))
        press(page, "Eintragen")
        page.locator(f"tr[data-game='{game}']").wait_for()
    rows = hall.get(f"/api/{NAME}/1/2/list.json")["rows"]
    assert [row["score"]["1"] for row in rows] == [2] * 8


def test_a_list_that_goes_on_on_paper_offers_nothing_that_its_dead_device_would_have_to_do(
    page: Any, hall: Direction
) -> None:
    events = list(simulate("bsv", 3, 3, table=2))
    deals = [number for number, event in enumerate(events) if event["event"] == "deal"]
    middle = deals[2] + next(i for i, event in enumerate(events[deals[2] :]) if event["event"] == "card") + 3
    hall.send(events[:middle])
    page.goto(f"{hall.service.url}/#/1/2")
    page.locator("tr.running").wait_for()
    press(page, "Auf Papier führen")
    page.locator("#paper-form").wait_for()
    playwright.expect(page.locator("tr.running")).to_have_count(0)
    panel = page.locator(".side .panel", has=page.get_by_role("heading", name="Turnierleitung"))
    assert panel.get_by_role("button").all_inner_texts() == ["Berichtigen", "Liste beiseitelegen"]
    assert page.get_by_role("heading", name="Auf dem Tisch").count() == 0
    assert page.locator(".title .state b").inner_text() == "auf Papier"
    assert page.locator(".clock.big").inner_text() == ""


def test_a_forgotten_game_is_put_in_before_another_and_the_solo_is_named(page: Any, hall: Direction) -> None:
    page.get_by_role("button", name="Berichtigen", exact=True).wait_for()
    games = len(hall.get(f"/api/{NAME}/1/1/list.json")["rows"])
    press(page, "Berichtigen")
    page.get_by_text("Spiel nachtragen").click()
    press(page, "Weiter")
    page.get_by_label("Stelle").select_option(label="vor Spiel 2 nachtragen")
    for seat, points in enumerate((9, -3, -3, -3), start=1):
        page.fill(f"dialog input[name=score{seat}]", str(points))
    page.select_option("dialog select[name=alone]", "1")
    page.get_by_label("Welches Solo").select_option(label="Farbsolo Herz")
    page.fill("dialog input[name=reason]", "vergessen")
    page.locator("dialog button.main").click()
    page.locator(".footnotes", has_text="vergessen").wait_for()
    rows = hall.get(f"/api/{NAME}/1/1/list.json")["rows"]
    assert len(rows) == games + 1 and (rows[1]["kind"], rows[1]["suit"], rows[1]["alone"]) == ("farbsolo", "H", 1)
    assert page.locator("tr[data-game='2'] sup").inner_text() == "*1"
    assert "Herz" in page.locator("tr[data-game='2'] td.k").inner_text()


def test_what_stands_in_the_record_is_taken_back_there(page: Any, hall: Direction) -> None:
    hall.note(note="setup", rules="bsv", options={"games": 20})
    page.goto(f"{hall.service.url}/#/access")
    page.locator("td.more button").first.wait_for()
    page.locator("tr", has_text="games").locator("td.more button").first.click()
    page.locator("dialog button.main").click()
    page.locator("td", has_text="zurückgenommen").first.wait_for()
    assert hall.service.app.state.hall.office.tournament.options == {}

"""A screen that lies flat: list, clock, keyboard and the referee's form are turned towards who has opened them."""

from dataclasses import replace
from typing import Any

import pytest

from tests.ui import views

pytestmark = pytest.mark.render

DEGREES = {1: 0, 2: 270, 3: 180, 4: 90}


def opened(flat: Any, seat: int, key: str) -> Any:
    """Open a seat's menu and touch a key of it; the screen that comes."""
    from kiosk.ui.play.seat_menu import SeatMenuKey

    flat.app.go("play")
    flat.stage.step(2)
    if seat == 1:
        flat.stage.touch(next(one for one in flat.app.root.rail.children if getattr(one, "text", "") == key))
    else:
        panel = flat.app.screen("play").panels[seat]
        flat.stage.touch(next(one for one in panel.walk(restrict=True) if isinstance(one, SeatMenuKey)))
        body = flat.app.sheets.current.ids.body
        flat.stage.touch(next(one for one in body.walk(restrict=True) if getattr(one, "text", "") == key))
    flat.stage.step(2)
    return flat.app.screen(flat.app.current)


#: Views with a list: of four with open rows, signed by two, of five, with a second line in the head.
LISTS = {
    "full": views.full_list,
    "over": views.over,
    "five": lambda: replace(views.five(), rows=views.rows(16, 5), sheet=views.sheet(views.rows(16, 5), 5)),
    "handed in": lambda: replace(views.over(), closed=True, evening="2026-11-22 Vereinsabend", signed=(1, 2, 3, 4)),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", LISTS)
def test_the_list_is_large_and_whole_towards_every_seat(flat_spoken: Any, measure: Any, kind: str) -> None:
    flat = flat_spoken
    view = LISTS[kind]()
    flat.show(view)
    for seat in range(1, len(view.seats) + 1):
        flat.app.go("list", seat)
        flat.stage.step(3)
        assert flat.app.screen("list").degrees == flat.app.place.turn(flat.app.place.places(len(view.seats))[seat])
        measure.check_targets(flat.app.root)
        measure.check_type(flat.app.root)
        measure.check_whole(flat.app.root)


@pytest.mark.slow
@pytest.mark.parametrize("fines", [(), (1, 0, 0, 2)], ids=["rows alone", "sums below"])
def test_a_list_that_is_turned_on_and_on_keeps_its_columns(
    flat_spoken: Any, measure: Any, fines: tuple[int, ...]
) -> None:
    """Upright, on its side, and upright again: the same rows, which have been laid out otherwise before."""
    flat = flat_spoken
    from kivy.metrics import dp

    view = views.over()
    marks = tuple((1, 2, 3) if row.declarer else () for row in view.rows)  # words that need two lines where it is wide
    flat.show(replace(view, fines=fines, sheet=replace(view.sheet, marks=marks)))
    flat.app.go("list", 1)
    flat.stage.step(3)
    screen = flat.app.screen("list")
    for _ in range(5):
        rows = [*screen.rows.seen.values(), *screen._foot]
        assert len(rows) > 3 and {row.upended for row in rows} == {screen.upended}
        for row in rows:
            assert row.ids.cells.width == pytest.approx(screen.ids.heads.width, abs=1)
            assert not row.upended or row.ids.cells.height == pytest.approx(dp(row.tall), abs=1)
        measure.check_targets(flat.app.root)
        measure.check_whole(flat.app.root)
        flat.touch("↻")


@pytest.mark.slow
@pytest.mark.parametrize("seat", DEGREES)
def test_list_and_clock_are_turned_towards_who_opens_them(flat_spoken: Any, measure: Any, seat: int) -> None:
    flat = flat_spoken
    flat.show(views.full_list())
    words = flat.app.words
    screen = opened(flat, seat, words["list"])
    assert (flat.app.current, screen.degrees) == ("list", DEGREES[seat])
    flat.touch("↻")
    assert screen.degrees == DEGREES[seat % 4 + 1]
    flat.touch("✕")
    assert flat.app.current == "play"
    if seat == 1:
        flat.app.go("play")
        flat.stage.touch(flat.app.root.rail.ids.clock)
    else:
        opened(flat, seat, words["clock"])
    screen = flat.app.screen("clock")
    assert (flat.app.current, screen.degrees) == ("clock", DEGREES[seat])
    measure.check_targets(flat.app.root)
    measure.check_whole(flat.app.root)
    flat.touch("↻")
    assert screen.degrees == DEGREES[seat % 4 + 1]
    flat.touch(words["mat_back"])
    assert flat.app.current == "play"


@pytest.mark.parametrize("seat", DEGREES)
def test_who_has_turned_the_list_is_asked_where_he_reads(flat: Any, seat: int) -> None:
    """What all are to agree to before the list is handed in; each signs once."""
    flat.show(replace(views.over(), may_close=True, needs_all=frozenset({"close"})))
    flat.app.go("list", seat)
    flat.stage.step(3)
    flat.touch(flat.app.words["hand_in"])
    sheet = flat.app.sheets.current
    assert type(sheet).__name__ == "AgreementSheet" and sheet.degrees == DEGREES[seat]
    sheet.close()
    flat.hold("Bernd")
    assert [one["event"] for one in flat.sent] == ["sign"]
    flat.app.show(None)
    flat.stage.step(2)


@pytest.mark.parametrize("seat", DEGREES)
def test_who_sits_down_writes_his_name_towards_himself(flat_spoken: Any, measure: Any, seat: int) -> None:
    from kiosk.ui.parts.keyboard import Letter
    from kiosk.ui.seats.seats_screen import SeatTile

    flat = flat_spoken
    screen = flat.app.screen("seats")
    screen.show()
    flat.stage.step(3)
    measure.check_targets(screen)
    measure.check_whole(screen)
    flat.stage.touch(flat.stage.find(SeatTile, number=seat))
    sheet = flat.app.sheets.current
    assert sheet.degrees == DEGREES[seat]
    measure.check_targets(sheet)
    measure.check_whole(sheet)
    for letter in "ÖZGÜR":
        flat.stage.touch(flat.stage.find(Letter, text=letter))
    flat.stage.touch(flat.stage.find(Letter, text=sheet.ids.back_key.text))
    flat.touch(flat.app.words["done"])
    assert screen.names[seat - 1] == "Özgü"


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["resting", "five", "schafkopf"])
@pytest.mark.parametrize("seat", [2, 3])
def test_every_page_of_the_referees_form_is_large_and_whole(
    flat_spoken: Any, measure: Any, seat: int, phase: str
) -> None:
    flat = flat_spoken
    view = views.resting()
    if phase == "five":
        view = replace(views.five(), phase="resting", objection=view.objection, presets=view.presets)
    elif phase == "schafkopf":
        book = replace(view.book, rulings={"minor": "x", "serious": "y", "decided": "z"}, pays=True)
        view = replace(view, book=book, clock=replace(view.clock, limited=False))
    flat.show(view)
    flat.app.sheets.open("ruling", seat)
    flat.stage.step(3)
    sheet = flat.app.sheets.current
    for grade in [one.value for one in sheet.ids.classes.children]:
        sheet.choose_grade(grade)
        for page in (1, 2):
            sheet.page = page
            flat.stage.step(3)
            measure.check_targets(sheet)
            measure.check_type(sheet)
            measure.check_whole(sheet)
            plate = measure.in_window(sheet.ids.plate)
            for part in sheet.ids.body.children:
                x, y, wide, high = measure.in_window(part)
                assert x >= plate[0] - 1 and x + wide <= plate[0] + plate[2] + 1, (grade, page, part)
                assert y >= plate[1] - 1 and y + high <= plate[1] + plate[3] + 1, (grade, page, part)


def test_a_ruling_is_entered_from_the_side(flat: Any) -> None:
    flat.show(views.resting())
    flat.app.gate = "code"
    flat.app.sheets.open("ruling", 2)
    flat.stage.step(3)
    words, sheet = flat.app.words, flat.app.sheets.current
    flat.touch(words["class_custom"])
    flat.touch(words["ruling_amounts"])
    flat.stage.touch(next(one for one in sheet.ids.minute_box.children if one.value == "5"))
    plus = next(one for one in sheet.ids.scores.children if one.seat == 3).children[0].children[0]
    flat.stage.touch(plus)
    flat.touch(words["back"])
    assert sheet.page == 1
    flat.hold(words["book_ruling"])
    (sent,) = flat.sent
    assert (sent["class"], sent["minutes"], sent["scores"]["3"]) == ("custom", 5, 1)


def test_a_key_that_is_turned_under_a_finger_lets_it_go(flat: Any) -> None:
    """Somebody holds his signature while another one turns the list, or the question that all agree to."""
    flat.show(replace(views.over(), may_close=True, needs_all=frozenset({"close"})))
    flat.app.go("list", 1)
    screen = flat.app.screen("list")
    flat.stage.wait(0.6)
    finger = flat.stage.put(*flat.stage.middle_of(flat.stage.key("Bernd")))
    flat.stage.wait(0.5)
    screen.face_next()
    flat.stage.wait(0.5)
    flat.stage.lift(finger)
    assert not flat.sent
    flat.touch(flat.app.words["hand_in"])
    sheet = flat.app.sheets.current
    flat.stage.wait(0.6)
    finger = flat.stage.put(*flat.stage.middle_of(sheet._keys[3]))
    flat.stage.wait(0.5)
    flat.app.sheets.turn_on()
    flat.stage.wait(0.5)
    flat.stage.lift(finger)
    assert not any(key.agreed for key in sheet._keys.values())

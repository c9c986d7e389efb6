"""A screen that lies flat: the clock at every seat, and what stands between the seats turned towards who reads it."""

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

PHASES = ("waiting", "dealing", "asking", "declaring", "bidding", "playing", "faults", "solo", "scored", "five", "late")


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"ui_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


#: Sheets of play; those that open while nobody sits are read by who stands before the screen.
SHEETS = _load("views").SHEETS


def acting(view: Any, number: int) -> Any:
    """The view with that seat's turn, and as the next dealer."""
    people = tuple(replace(seat, turn=seat.seat == number, dealer=seat.seat == number) for seat in view.seats)
    return replace(view, seats=people, next_dealer=number if view.next_dealer else None)


@pytest.mark.slow
@pytest.mark.render
@pytest.mark.parametrize("phase", PHASES)
def test_everything_is_large_and_whole_whoever_acts(flat: Any, views: Any, measure: Any, phase: str) -> None:
    for number in (1, 2, 3):
        flat.show(acting(getattr(views, phase)(), number))
        flat.app.go("play")
        flat.stage.step(2)
        measure.check_targets(flat.app.root)
        measure.check_type(flat.app.root)
        measure.check_whole(flat.app.root)


@pytest.mark.slow
@pytest.mark.parametrize("phase", PHASES)
def test_the_clock_is_read_from_every_chair(flat: Any, views: Any, measure: Any, phase: str) -> None:
    flat.show(getattr(views, phase)())
    flat.app.go("play")
    flat.stage.step(2)
    begins = "5:1" if phase == "late" else "73 min"
    for seat, panel in flat.app.screen("play").panels.items():
        clocks = [one for one in measure.labels(panel) if measure.bare(one.text).startswith(begins)]
        assert len(clocks) == (seat != flat.app.place.seat), seat
        assert all(measure.capitals_mm(one, one.font_size) >= measure.FAR_MM for one in clocks)


def test_the_clocks_at_the_seats_go_on_while_nothing_else_does(flat: Any, views: Any) -> None:
    """A table tells the time left four times a second; the clocks once stood still until a card was laid."""
    view = views.late()
    flat.show(view)
    flat.app.go("play")
    seconds = set()
    for passed in range(3):
        flat.app.show(replace(view, clock=replace(view.clock, remaining=view.clock.remaining - 60 * passed)))
        flat.stage.step(2)
        flat.app.tick()
        seconds |= {panel.clock for panel in flat.app.screen("play").panels.values() if panel.clock}
    assert len(seconds) == 3


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(4372.0, "73"), (601.0, "11"), (600.0, "10"), (599.2, "10:00"), (0.0, "0:00"), (-59.0, "+0"), (-125.0, "+2")],
)
def test_minutes(window: Any, seconds: float, text: str) -> None:
    from kiosk.ui.parts.clock import minutes_text

    assert minutes_text(seconds).split(" ")[0] == text


def test_a_book_without_a_time_has_no_clock_at_the_seats(flat: Any, views: Any) -> None:
    view = views.playing()
    flat.show(replace(view, clock=replace(view.clock, limited=False)))
    assert not any(panel.clock for panel in flat.app.screen("play").panels.values())


@pytest.mark.parametrize("phase", ["dealing", "asking", "playing", "scored"])
def test_what_stands_between_the_seats_is_turned_towards_who_sits_opposite(flat: Any, views: Any, phase: str) -> None:
    between = flat.app.screen("play").ids.between
    turned = []
    for number in (1, 2, 3, 4):
        flat.show(acting(getattr(views, phase)(), number))
        turned.append(between.rotation)
    assert turned == [0, 0, 180, 0]


def test_an_upright_screen_turns_nothing(hand: Any, views: Any) -> None:
    hand.show(acting(views.asking(), 3))
    play = hand.app.screen("play")
    assert play.ids.between.rotation == 0 and not any(panel.clock for panel in play.panels.values())


def test_what_was_turned_stands_beside_its_reader_and_takes_a_touch_once_he_has_seen_it(
    flat: Any, views: Any, measure: Any
) -> None:
    view = views.dealing()
    flat.show(acting(view, 1))
    flat.app.go("play")
    key = flat.stage.key("Geben")
    low = measure.in_window(key)[1]
    flat.stage.wait(1.0)
    flat.show(acting(view, 3))
    assert measure.in_window(key)[1] > low + 50, "it stands before the seat above"
    finger = flat.stage.put(*flat.stage.middle_of(key))
    flat.stage.lift(finger)
    assert not flat.sent, "turned under the finger"
    flat.touch("Geben")
    assert [one["event"] for one in flat.sent] == ["deal"]


def test_a_turned_message_takes_touches_where_it_is_seen(flat: Any, views: Any) -> None:
    flat.show(acting(views.doubtful(), 3))
    flat.app.go("play")
    flat.stage.touch(flat.app.screen("play").ids.messages.plate("doubt"))
    assert type(flat.app.sheets.current).__name__ == "DoubtSheet"
    flat.app.sheets.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHEETS)
def test_a_sheet_is_large_and_whole_towards_each_side(
    module_language: str, flat: Any, views: Any, measure: Any, kind: str
) -> None:
    """In one language towards the side, in the other one upside down, by turns: each pair of the three is there."""
    phase, what = SHEETS[kind]
    seat = 2 + ([*SHEETS].index(kind) + (module_language == "en")) % 2
    flat.show(views.PHASES[phase]())
    flat.app.sheets.open(kind, seat, **what)
    flat.stage.step(3)
    sheet = flat.app.sheets.current
    assert sheet.degrees == {2: 270, 3: 180}[seat]
    measure.check_targets(sheet)
    measure.check_type(sheet)
    measure.check_whole(sheet)


@pytest.mark.parametrize(("seat", "degrees"), [(2, 270), (3, 180), (4, 90)])
def test_a_seat_has_what_the_rail_has_turned_towards_it(flat: Any, views: Any, seat: int, degrees: int) -> None:
    from kiosk.ui.play.seat_menu import SeatMenuKey

    def menu() -> Any:
        flat.app.sheets.close()
        flat.stage.step(2)
        panel = flat.app.screen("play").panels[seat]
        flat.stage.touch(next(one for one in panel.walk(restrict=True) if isinstance(one, SeatMenuKey)))
        return flat.app.sheets.current

    def touch(words: str) -> Any:
        body = flat.app.sheets.current
        flat.stage.touch(next(one for one in body.walk(restrict=True) if words in getattr(one, "text", "")))
        return flat.app.sheets.current

    flat.show(views.breach())
    flat.app.go("play")
    sheet = menu()
    assert (type(sheet).__name__, sheet.seat, sheet.degrees) == ("SeatMenuSheet", seat, degrees)
    assert "Spiel 6" in sheet.told and "Normalspiel" in sheet.kind
    assert (type(touch("Letzter Stich")).__name__, flat.app.sheets.current.degrees) == ("LastTrickSheet", degrees)
    menu()
    assert (type(touch(flat.app.root.rail.alarm)).__name__, flat.app.sheets.current.degrees) == ("BreachSheet", degrees)
    menu()
    touch("Mehr")
    assert (type(touch("Neu geben")).__name__, flat.app.sheets.current.degrees) == ("VoidSheet", degrees)
    flat.app.sheets.close()
    flat.stage.touch(next(one for one in flat.app.root.rail.children if one.text == "Mehr"))
    assert flat.app.sheets.current.degrees == 0, "the rail is upright for who sits before the screen"
    flat.app.sheets.close()


def test_a_card_is_put_right_towards_who_laid_it(flat: Any, views: Any) -> None:
    flat.show(views.playing())
    flat.app.go("play")
    play = flat.app.screen("play")
    laid = [seat for seat, face in play.card_faces.items() if face.card]
    assert len(laid) > 1
    for seat in laid:
        flat.stage.touch(play.card_faces[seat])
        assert flat.app.sheets.current.degrees == play._areas[seat].turn
        flat.app.sheets.close()


def test_a_sheet_is_turned_on_from_seat_to_seat_and_takes_a_touch_once_it_was_seen(flat: Any, views: Any) -> None:
    flat.show(views.playing())
    flat.app.sheets.open("more", 0)
    flat.stage.step(3)
    turned = []
    for _ in range(5):
        flat.touch("↻")
        turned.append(flat.app.sheets.current.degrees)
    assert turned == [270, 180, 90, 0, 270]
    finger = flat.stage.put(*flat.stage.middle_of(flat.stage.key("Pause")))
    flat.stage.lift(finger)
    assert not flat.sent, "turned under the finger"
    flat.touch("Pause")
    assert [one["event"] for one in flat.sent] == ["pause"]


def test_a_keyboard_is_turned_on_from_seat_to_seat(flat: Any, views: Any) -> None:
    flat.show(views.playing())
    flat.app.sheets.open("newcomer", 2, seat=2)
    flat.stage.step(3)
    turned = [flat.app.sheets.current.degrees]
    for _ in range(3):
        flat.touch("↻")
        turned.append(flat.app.sheets.current.degrees)
    assert turned == [270, 180, 90, 0]
    flat.app.sheets.close()


@pytest.mark.parametrize("reader", [1, 2, 3, 4])
def test_each_agrees_at_his_own_side_whoever_reads(flat: Any, views: Any, measure: Any, reader: int) -> None:
    phase, what = SHEETS["agree"]
    flat.show(views.PHASES[phase]())
    flat.app.sheets.open("agree", reader, **what)
    flat.stage.step(3)
    sheet, places = flat.app.sheets.current, flat.app.place.places(4)
    x0, y0, wide, high = measure.in_window(sheet.ids.around)
    for seat, key in sheet._keys.items():
        x, y, across, up = measure.in_window(key)
        right, above = places[seat]
        assert abs(x + across / 2 - (x0 + wide / 2) - right * (wide - across) / 2) < 2, seat
        assert abs(y + up / 2 - (y0 + high / 2) - above * (high - up) / 2) < 2, seat
    flat.app.sheets.close()


def test_a_pad_numbers_what_is_played_before_the_menu(flat: Any, views: Any) -> None:
    flat.show(views.playing())
    flat.app.go("play")
    keys = [key.text for key in flat.app.pads.keys(2)]
    assert len(keys) > 1 and "≡" in keys[-1] and not any("≡" in one for one in keys[:-1])


def test_upright_nothing_of_that_is_there(hand: Any, views: Any, measure: Any) -> None:
    hand.show(views.playing())
    hand.app.go("play")
    hand.app.sheets.open("more", 2)
    hand.stage.step(2)
    assert hand.app.sheets.current.degrees == 0
    assert not [text for text, _ in measure.targets(hand.app.root) if "↻" in text or "≡" in text]
    hand.app.sheets.close()


@pytest.mark.parametrize(("seat", "degrees"), [(1, 0), (2, 270), (3, 180), (4, 90)])
def test_a_refusal_is_turned_towards_who_is_refused(
    flat: Any, views: Any, measure: Any, seat: int, degrees: int
) -> None:
    """It stands in the middle of the stage, and its key takes the press that is seen there."""
    from kiosk.table.consent import at_seat, held
    from kiosk.table.events.codec import request_for
    from kiosk.table.events.values import CallAnnounced

    flat.show(views.playing())
    flat.app.go("play")
    asked = held(at_seat(request_for(CallAnnounced, seat=seat, call="re"), seat))
    flat.app.refused("late_announcement", "eppstein 5.3.4", request=asked)
    flat.stage.step(3)
    toast, stage = flat.app.refusal, flat.app.root.ids.stage
    drawn = flat.app.root.ids.answering.canvas
    assert drawn.indexof(drawn.before) < drawn.indexof(toast.canvas) < drawn.indexof(drawn.after), "drawn as turned"
    assert toast.degrees == flat.app.root.ids.answering.rotation == degrees
    x, y, wide, high = measure.in_window(toast)
    assert abs(x + wide / 2 - stage.center_x) < 2 and abs(y + high / 2 - stage.center_y) < 15
    measure.check_whole(toast)
    measure.check_targets(toast)
    flat.sent.clear()
    flat.hold("trotzdem")
    assert [one.get("anyway") for one in flat.sent] == [True]
    flat.app.notice("call", "Bitte zur Leitung")
    flat.stage.step(2)
    assert toast.degrees == 0, "what concerns all is upright"
    flat.app.notice("call", "")
    toast.hide()


def test_what_nobody_at_a_seat_has_opened_is_upright(flat: Any, views: Any) -> None:
    """It once was turned towards whoever had opened the last sheet, perhaps an hour ago."""
    flat.show(views.playing())
    for program in ("badge", "list"):
        flat.app.go("play")
        flat.app.sheets.open("more", 3)
        flat.app.sheets.close()
        if program == "badge":
            flat.app.badge("Xaver Huber")
            flat.stage.step(2)
        else:
            flat.app.go("list")
            flat.app.sheets.open("stick")
        assert flat.app.sheets.current.degrees == 0
        flat.app.sheets.close()


def test_a_sheet_is_turned_on_at_a_table_of_four_after_one_of_five(flat: Any, views: Any) -> None:
    """Seat 5 had opened a sheet, or the screen stands before seat 5: the key once ended the program."""
    from kiosk.ui.parts.places import ScreenPlace

    flat.show(views.five())
    flat.app.sheets.open("more", 5)
    flat.app.sheets.close()
    flat.show(views.playing())
    flat.app.sheets.open("more")
    flat.stage.step(3)
    flat.touch("↻")
    assert flat.app.sheets.current.degrees == 270
    flat.app.stand(ScreenPlace(seat=5, flat=True))
    flat.app.go("play")
    flat.app.sheets.open("more", 0)
    flat.stage.step(3)
    flat.touch("↻")
    assert flat.app.sheets.current.degrees == 270
    flat.app.sheets.close()


def test_an_open_sheet_follows_the_screen_that_is_stood_up(flat: Any, views: Any) -> None:
    from kiosk.ui.parts.places import ScreenPlace

    flat.show(views.playing())
    flat.app.go("play")
    flat.app.sheets.open("screen", 3)
    assert flat.app.sheets.current.degrees == 180
    flat.app.stand(ScreenPlace())
    assert (flat.app.sheets.current.degrees, flat.app.sheets.current.turns) == (0, False)
    flat.app.sheets.close()


@pytest.mark.parametrize(("kind", "kept"), [("complain", False), pytest.param("more", True, marks=pytest.mark.slow)])
def test_a_closed_sheet_is_held_by_nothing(flat: Any, views: Any, kind: str, kept: bool) -> None:
    """The stage once kept every sheet that was ever opened on a screen that lies flat; the menu goes with its tree."""
    import gc
    import weakref

    flat.show(views.playing())
    flat.app.go("play")
    flat.app.sheets.open(kind, 3)
    flat.stage.step(3)
    sheet = weakref.ref(flat.app.sheets.current)
    flat.app.sheets.close()
    flat.stage.wait(1.0)
    gc.collect()
    assert (sheet() is not None) is kept
    flat.app.rebuild()
    flat.stage.wait(1.0)
    gc.collect()
    assert sheet() is None


def test_a_question_that_goes_with_its_table_is_laid_out_once_more_without_one(flat: Any, views: Any) -> None:
    """Its layout was due in the frame in which the view went, and ended the program."""
    phase, what = SHEETS["agree"]
    flat.show(views.PHASES[phase]())
    flat.app.sheets.open("agree", 0, **what)
    flat.stage.step(3)
    flat.app.sheets.turn_on()
    flat.app.show(None)
    flat.stage.step(3)
    assert flat.app.sheets.current is None

"""Number pads at the seats: they press the seat's keys on the screen, with all that those ask for."""

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiosk.ui.devices.devices_view import DevicesView
from kiosk.ui.parts.hold import HOLD_S
from kiosk.ui.parts.touchable import QUIET_S

_spec = importlib.util.spec_from_file_location("ui_views", Path(__file__).with_name("views.py"))
assert _spec is not None and _spec.loader is not None
views: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(views)

pytestmark = pytest.mark.render

LONG = HOLD_S + 0.2
RESTED = QUIET_S + 0.1


class Pads:
    """The pads of the seats, as the reader tells of them."""

    def __init__(self, hand: Any) -> None:
        self.hand, self.app, self.stage = hand, hand.app, hand.stage

    def plug(self, *seats: int) -> None:
        self.app.devices(DevicesView(pads=dict.fromkeys(seats, True)))
        self.stage.step(2)

    def show(self, view: Any) -> None:
        self.hand.show(view)
        self.stage.wait(RESTED)

    def down(self, seat: int, sign: str) -> None:
        self.app.pad_key(seat, sign, True)
        self.stage.step()

    def up(self, seat: int, sign: str) -> None:
        self.app.pad_key(seat, sign, False)
        self.stage.step()

    def tap(self, seat: int, sign: str, seconds: float = 0.05) -> None:
        self.down(seat, sign)
        self.stage.wait(seconds)
        self.up(seat, sign)

    def numbers(self, seat: int) -> list[str]:
        return [key.pad_number for key in self.app.pads.keys(seat)]

    @property
    def sent(self) -> list[Any]:
        return self.hand.sent

    def meant(self) -> list[bool]:
        return [bool(request.consent.deliberate) for request in self.hand.asked if hasattr(request, "consent")]


@pytest.fixture
def pads(hand: Any, window: Any) -> Any:
    hand.asked = window[2]
    made = Pads(hand)
    yield made
    hand.app.devices(DevicesView())
    hand.stage.step(2)
    hand.app.sheets.close()


def binding(pads: Pads, seat: int) -> int:
    """Number of a seat's first key that wants to be held."""
    return next(number for number, key in enumerate(pads.app.pads.keys(seat), 1) if getattr(key, "binds", False))


def test_numbers_stand_only_at_seats_with_a_pad(pads: Pads) -> None:
    pads.show(views.asking())
    seats = [seat for seat in (1, 2, 3, 4) if pads.app.pads.keys(seat)]
    first = seats[0]
    assert not any(pads.numbers(first))
    pads.plug(first)
    assert pads.numbers(first) == [str(number) for number in range(1, len(pads.numbers(first)) + 1)]
    assert all(not any(pads.numbers(seat)) for seat in seats[1:])
    pads.app.devices(DevicesView(pads={first: False}))  # pulled out
    pads.stage.step(2)
    assert not any(pads.numbers(first))
    pads.tap(first, "1")
    assert pads.sent == []


def test_a_digit_presses_what_a_finger_would(pads: Pads) -> None:
    pads.show(views.asking())
    pads.plug(1, 2, 3, 4)
    seat = next(seat for seat in (1, 2, 3, 4) if pads.app.pads.keys(seat) and not binds_first(pads, seat))
    pads.tap(seat, "1")
    by_pad = list(pads.sent)
    pads.sent.clear()
    pads.stage.touch(pads.app.pads.keys(seat)[0])
    assert by_pad == pads.sent
    assert by_pad[0]["seat"] == seat


def binds_first(pads: Pads, seat: int) -> bool:
    return bool(getattr(pads.app.pads.keys(seat)[0], "binds", False))


def announcing_seat(pads: Pads) -> int:
    return next(seat for seat in (1, 2, 3, 4) if any(getattr(key, "binds", False) for key in pads.app.pads.keys(seat)))


def test_what_binds_wants_enter_held(pads: Pads) -> None:
    pads.show(views.playing())
    pads.plug(1, 2, 3, 4)
    seat = announcing_seat(pads)
    digit = str(binding(pads, seat))
    for sign, seconds in ((digit, 0.05), (digit, LONG), (digit, 0.05), ("enter", 0.05), ("enter", HOLD_S - 0.15)):
        pads.tap(seat, sign, seconds)
        pads.stage.wait(LONG)  # let go is let go
        assert pads.sent == [], (sign, seconds)
    assert pads.app.pads.keys(seat)[int(digit) - 1].pad_chosen
    pads.tap(seat, "enter", LONG)
    assert [(one["event"], one["seat"]) for one in pads.sent] == [("announce", seat)]
    assert pads.meant() == [True]
    pads.tap(seat, "enter", 0.05)
    assert len(pads.sent) == 1


def test_enter_without_a_choice_says_nothing(pads: Pads) -> None:
    pads.show(views.playing())
    pads.plug(1, 2, 3, 4)
    for seat in (1, 2, 3, 4):
        pads.tap(seat, "enter", LONG)
    assert pads.sent == []


def test_pulled_out_in_the_middle_of_a_press(pads: Pads) -> None:
    pads.show(views.playing())
    pads.plug(1, 2, 3, 4)
    seat = announcing_seat(pads)
    pads.tap(seat, str(binding(pads, seat)))
    pads.down(seat, "enter")
    pads.stage.wait(HOLD_S - 0.2)
    pads.app.devices(DevicesView(pads={seat: False}))
    pads.stage.wait(LONG)
    assert pads.sent == []


def test_a_key_that_has_come_under_the_choice_is_not_pressed(pads: Pads) -> None:
    pads.show(views.playing())
    pads.plug(1, 2, 3, 4)
    seat = announcing_seat(pads)
    pads.tap(seat, str(binding(pads, seat)))
    pads.down(seat, "enter")
    pads.stage.wait(HOLD_S - 0.2)
    view = views.playing()
    other = tuple(
        replace(one, calls=(views.call("keine30", 3, "re"),)) if one.seat == seat else one for one in view.seats
    )
    pads.hand.show(replace(view, seats=other))  # the key means another word now
    pads.stage.wait(LONG)
    pads.up(seat, "enter")
    pads.tap(seat, "enter", LONG)
    assert pads.sent == []


def test_a_digit_in_the_moment_of_a_change_is_not_for_the_new_key(pads: Pads) -> None:
    pads.plug(1, 2, 3, 4)
    pads.hand.show(views.asking())
    seat = next(seat for seat in (1, 2, 3, 4) if pads.app.pads.keys(seat) and not binds_first(pads, seat))
    pads.tap(seat, "1", 0.0)
    assert pads.sent == []
    pads.stage.wait(RESTED)
    pads.tap(seat, "1")
    assert len(pads.sent) == 1


def test_on_a_screen_at_rest_the_first_key_only_wakes_it(pads: Pads) -> None:
    pads.show(views.asking())
    pads.plug(1, 2, 3, 4)
    seat = next(seat for seat in (1, 2, 3, 4) if pads.app.pads.keys(seat) and not binds_first(pads, seat))
    pads.app.rest.resting = True
    pads.tap(seat, "1")
    assert (pads.sent, pads.app.rest.resting) == ([], False)
    pads.tap(seat, "1")
    assert len(pads.sent) == 1


def test_two_seats_at_once_are_two_seats(pads: Pads) -> None:
    view = views.playing()
    both = tuple(replace(one, calls=(views.call("re" if one.seat == 1 else "kontra", 9),)) for one in view.seats)
    pads.show(replace(view, seats=both))
    pads.plug(1, 2, 3, 4)
    pads.tap(1, "1")
    pads.tap(3, "1")
    pads.down(1, "enter")
    pads.stage.wait(HOLD_S / 2)
    pads.down(3, "enter")
    pads.stage.wait(HOLD_S / 2 + 0.15)
    assert [(one["seat"], one["call"]) for one in pads.sent] == [(1, "re")]
    pads.up(1, "enter")
    pads.stage.wait(HOLD_S / 2)
    pads.up(3, "enter")
    assert [(one["seat"], one["call"]) for one in pads.sent] == [(1, "re"), (3, "kontra")]


def test_plus_and_minus_choose_and_back_forgets(pads: Pads) -> None:
    pads.show(views.playing())
    pads.plug(1, 2, 3, 4)
    seat = announcing_seat(pads)
    keys = pads.app.pads.keys(seat)
    pads.tap(seat, "+")
    assert [key.pad_chosen for key in keys] == [True] + [False] * (len(keys) - 1)
    pads.tap(seat, "-")
    assert keys[-1].pad_chosen
    pads.tap(seat, "back")
    assert not any(key.pad_chosen for key in keys)
    pads.tap(seat, "enter", LONG)
    assert pads.sent == []


def test_choices_unfold_for_each_seat_alone(pads: Pads) -> None:
    view = views.playing()
    calls = (views.call("re", 9), views.call("keine90", 6, "re"), views.call("keine60", 3, "re"))
    view = replace(view, seats=tuple(replace(one, calls=calls) for one in view.seats))
    pads.show(view)
    pads.plug(1, 2, 3, 4)
    play = pads.app.screen("play")
    for seat in (1, 3):
        last = len(pads.app.pads.keys(seat))
        pads.tap(seat, str(last))  # the others are behind the panel's last key
        assert play.of_seat(seat) is not play.panels[seat]
    assert play.of_seat(2) is play.panels[2]
    pads.stage.wait(RESTED)
    for seat in (3, 1):
        assert pads.numbers(seat)[:2] == ["1", "2"]
        pads.tap(seat, "1")
    assert pads.sent == []
    pads.down(3, "enter")
    pads.down(1, "enter")
    pads.stage.wait(LONG)
    assert sorted((one["event"], one["seat"]) for one in pads.sent) == [("announce", 1), ("announce", 3)]
    assert pads.meant() == [True, True]
    pads.up(3, "enter")
    pads.up(1, "enter")
    for seat in (1, 3):
        pads.tap(seat, "back")
        assert play.of_seat(seat) is play.panels[seat]


def test_a_sheet_is_its_seat_s_alone(pads: Pads) -> None:
    pads.show(views.playing())
    pads.plug(1, 2, 3, 4)
    pads.app.sheets.open("claim", seat=2)
    pads.stage.wait(RESTED)
    pads.app.pads.mark()
    assert pads.numbers(2)[:1] == ["1"]
    assert pads.numbers(3) == []
    pads.tap(3, "back")
    assert pads.app.sheets.current is not None
    pads.tap(2, "back")
    assert pads.app.sheets.current is None
    assert pads.sent == []


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["asking", "bidding", "declaring", "playing", "resting", "scored", "five", "over"])
def test_no_row_of_short_presses_binds(pads: Pads, phase: str) -> None:
    """Whatever four people hit on their pads, in any phase: without Enter held nothing binding is asked for."""
    signs = [*"123456789+-", "enter", "back"]

    @given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from(signs)), min_size=4, max_size=12))
    @settings(deadline=None, max_examples=6, suppress_health_check=list(HealthCheck))
    def pressed(presses: list[tuple[int, str]]) -> None:
        pads.app.sheets.close()
        pads.plug(1, 2, 3, 4, 5)
        pads.show(views.PHASES[phase]())
        pads.hand.asked.clear()
        for seat, sign in presses:
            pads.tap(seat, sign, 0.1)
        assert not any(pads.meant()), pads.sent

    pressed()


def test_teaching_on_the_screen(pads: Pads) -> None:
    from kiosk.ui.devices.device_requests import Forget, Teach

    pads.show(views.playing())
    pads.app.sheets.open("devices")
    pads.stage.step(2)
    pads.stage.touch(pads.stage.key("Ziffernblock Platz 2"))
    assert pads.hand.asked[-1] == Teach(2)
    pads.app.devices(DevicesView(lesson=2))
    pads.stage.step(2)
    assert "Platz 2" in pads.app.sheets.current.told
    pads.stage.touch(pads.stage.key("Abbrechen"))
    assert pads.hand.asked[-1] == Teach(None)
    pads.app.devices(DevicesView(pads={2: True}, scanner="05e0:1200 Bar Code", learned="gelernt"))
    pads.stage.step(2)
    assert pads.app.sheets.current.told == "gelernt"
    pads.stage.touch(pads.stage.key("Platz 2 vergessen"))
    assert pads.hand.asked[-1] == Forget(2)
    pads.stage.touch(pads.stage.key("Scanner vergessen"))
    assert pads.hand.asked[-1] == Forget("scanner")
    pads.app.devices(DevicesView(lesson="scanner"))
    pads.stage.step(2)
    pads.app.sheets.close()
    pads.app.devices(DevicesView())


def test_a_sheet_closed_in_a_lesson_ends_it(pads: Pads) -> None:
    from kiosk.ui.devices.device_requests import Teach

    pads.show(views.playing())
    pads.app.devices(DevicesView(lesson="scanner"))
    pads.stage.step(2)
    pads.app.sheets.open("devices")
    pads.stage.wait(RESTED)
    pads.stage.touch_at(3, 3)
    assert pads.app.sheets.current is None
    assert pads.hand.asked[-1] == Teach(None)


def test_what_one_seat_folds_makes_nobody_else_wait(pads: Pads) -> None:
    pads.show(views.playing())
    play = pads.app.screen("play")
    for folding in (1, 2, 3, 4):
        others = [key for seat in (1, 2, 3, 4) if seat != folding for key in pads.app.pads.keys(seat)]
        play.unfold(folding, "calls")
        pads.stage.wait(RESTED)
        play.fold(folding)
        pads.stage.step()
        assert all(key.takes(*key.center) for key in others), folding
        pads.stage.wait(RESTED)

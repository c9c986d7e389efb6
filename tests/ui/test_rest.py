"""The screen at rest: dimmed when nothing happens, and the first touch only wakes it."""

from typing import Any

import pytest

pytestmark = pytest.mark.render


class Lamp:
    """A backlight or none, a window, and time by hand."""

    def __init__(self, backlight: bool) -> None:
        from kiosk.ui.parts.rest import Rest

        self.at, self.backlight = 0.0, backlight
        self.levels: list[int] = []
        self.shades: list[float] = []
        self.rest = Rest(self._set, lambda part: self.shades.append(round(part, 2)), lambda: self.at)
        self.rest.set(90, 20, 10)

    def _set(self, percent: int) -> bool:
        self.levels.append(percent)
        return self.backlight

    def wait(self, minutes: float) -> None:
        self.at += 60 * minutes
        self.rest.tick()


@pytest.mark.parametrize(("backlight", "shades"), [(True, [0.0, 0.0, 0.0]), (False, [0.1, 0.8, 0.1])])
def test_it_dims_after_its_time_and_wakes_by_a_touch(backlight: bool, shades: list[float]) -> None:
    lamp = Lamp(backlight)
    lamp.wait(9.9)
    assert not lamp.rest.resting
    lamp.wait(0.2)
    assert lamp.rest.touched(), "nobody could see what he touched"
    assert not lamp.rest.touched()
    assert (lamp.levels, lamp.shades) == ([90, 20, 90], shades)


def test_whatever_happens_puts_its_rest_off() -> None:
    lamp = Lamp(True)
    for _ in range(5):
        lamp.wait(9)
        lamp.rest.wake()
    assert lamp.levels == [90]


def test_it_can_be_told_never_to_rest_and_is_never_brighter_at_rest() -> None:
    lamp = Lamp(True)
    lamp.rest.set(50, 80, 0)
    lamp.wait(1000)
    assert not lamp.rest.resting
    lamp.rest.set(50, 80, 1)
    lamp.wait(2)
    assert lamp.rest.resting and lamp.levels == [90, 50]


def test_a_touch_at_rest_reaches_no_key(hand: Any) -> None:
    from kiosk.ui.hardware.hardware_view import LightChoice

    try:
        hand.app.light(LightChoice(brightness=100, rest=40, rest_after=1))
        hand.stage.step(2)
        hand.app.rest._woken_at -= 61
        hand.app.tick()
        assert hand.app.root.shade == pytest.approx(0.6)
        key = hand.stage.key("English")
        hand.stage.touch(key)
        assert (hand.app.language, hand.app.root.shade) == ("de", 0.0)
        hand.stage.touch(key)
        assert hand.app.language == "en"
    finally:
        hand.app.light(LightChoice(rest_after=0))
        hand.stage.step(2)


QUIET = [
    ("", "from", 1, "22:00-07:00"),
    ("22:00-07:00", "from", 1, "22:30-07:00"),
    ("22:00-07:00", "to", -1, "22:00-06:30"),
    ("00:00-07:00", "from", -1, "23:30-07:00"),
    ("22:15-07:00", "from", 1, "22:30-07:00"),
    ("06:30-07:00", "from", 1, "07:30-07:00"),
]


@pytest.mark.parametrize(("quiet", "end", "by", "moved"), QUIET)
def test_quiet_hours_move_by_half_an_hour_and_never_vanish(quiet: str, end: str, by: int, moved: str) -> None:
    from kiosk.ui.hardware.sound_and_light import quiet_stepped

    assert quiet_stepped(quiet, end, by) == moved


def test_the_sheet_of_sound_and_light_sends_what_is_chosen(hand: Any) -> None:
    from kiosk.ui.hardware.hardware_view import HardwareView, SoundChoice

    hand.app.open_hardware()
    hand.app.hardware(HardwareView(devices=("default",), sound=SoundChoice(volume=70)))
    hand.stage.step(3)
    hand.app.sheets.open("sound_and_light")
    hand.stage.step(2)
    sheet = hand.app.sheets.current
    hand.sent.clear()
    hand.touch("Lautsprecher: keiner")
    sheet.step("volume", 1)
    sheet.step("volume", 1)
    sheet.step("rest_after", -1)
    sounds = [(one["device"], one["volume"]) for one in hand.sent if one["event"] == "ChooseSound"]
    assert sounds == [("default", 70), ("default", 80), ("default", 90)]
    assert hand.sent[-1] == {"event": "ChooseLight", "brightness": 100, "rest": 30, "rest_after": 5}
    hand.app.sheets.close()
    hand.app.leave_setting_up()
    hand.stage.step(2)
    assert hand.sent[-1] == {"event": "hardware", "do": "close"}


def test_a_part_is_tried_out_by_a_touch_and_says_what_to_do(hand: Any) -> None:
    from kiosk.ui.hardware.hardware_view import HardwareView, PartView

    hand.app.open_hardware()
    parts = (PartView(name="lamp 2", state="silent", code="try_it"), PartView(name="camera", state="works"))
    hand.app.hardware(HardwareView(parts=parts))
    hand.stage.step(3)
    hand.touch("Lampe Platz 2")
    assert hand.sent[-1] == {"event": "try", "part": "lamp 2"}
    assert "bitte probieren" in hand.app.screen("hardware").told
    hand.touch("[b]Kamerabild[/b]")
    assert hand.app.current == "hardware"
    hand.touch("[b]Kamerabild[/b]")
    assert hand.app.current == "camera"
    hand.app.set_up_done()
    hand.stage.step(2)

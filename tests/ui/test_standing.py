"""Which way the screen stands: the picture is turned, and touches land where the finger is."""

import itertools
from types import SimpleNamespace
from typing import Any, get_type_hints

import pytest

from kiosk.app.config import ScreenConfig
from kiosk.ui.first_start.screen_step import SPOTS, TRIES
from kiosk.ui.first_start.start_view import KeepTouch, KeepTurn, StartView
from kiosk.ui.standing import MAPS, MISSED, TouchMap, fitting, mapped, on_panel

pytestmark = pytest.mark.render

DEGREES = (0, 90, 180, 270)


def reported(name: str, spot: tuple[float, float]) -> tuple[float, float]:
    """What a panel that wants this map reports of a finger there."""
    return next(
        (x, y)
        for x, y in itertools.product({spot[0], 1 - spot[0], spot[1], 1 - spot[1]}, repeat=2)
        if max(abs(a - b) for a, b in zip(mapped(name, x, y), spot, strict=True)) < 1e-9
    )


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("name", MAPS)
def test_three_touches_tell_how_a_panel_lies(name: str, degrees: int) -> None:
    spots = [on_panel(spot, degrees) for spot in SPOTS]
    missed = [(x + 0.8 * MISSED, y - 0.8 * MISSED) for x, y in (reported(name, spot) for spot in spots)]
    assert fitting(missed, spots) == [name]


def test_touches_anywhere_tell_nothing() -> None:
    assert fitting([(0.5, 0.5)] * 3, SPOTS) == []


def test_the_file_may_name_every_map() -> None:
    (check,) = get_type_hints(ScreenConfig, include_extras=True)["touch"].__metadata__
    assert all(check.passed(name) == name for name in MAPS)
    with pytest.raises(ValueError):
        check.passed("yx")


def test_a_touch_that_is_told_of_twice_is_mapped_once() -> None:
    touches = TouchMap("xy")
    touch: Any = SimpleNamespace(sx=0.1, sy=0.2, psx=0.1, psy=0.2)
    touches.process([("begin", touch), ("update", touch)])
    assert (touch.sx, touch.sy, touch.on_panel) == (0.9, 0.8, (0.1, 0.2))
    touches.process([("end", touch)])
    assert (touch.sx, touch.sy) == (0.9, 0.8)
    touch.psx, touch.psy, touch.sx = touch.sx, touch.sy, 0.3
    touches.process([("update", touch)])
    assert touch.sx == pytest.approx(0.7) and touch.dsx == pytest.approx(-0.2)


@pytest.fixture
def screen(hand: Any) -> Any:
    """The step of the screen, at a table that is set up."""
    hand.app.start(StartView(step="screen", first=False))
    hand.stage.step(4)
    hand.stage.wait(0.5)
    yield hand
    hand.app.sheets.close()
    hand.app.map_touches("")
    hand.app.turn(0)
    hand.app.start(None)
    hand.stage.step(4)


def tap(hand: Any, x: float, y: float) -> None:
    """A finger at a place of the panel, 0 … 1, whatever is drawn there."""
    from kivy.core.window import Window

    finger = hand.stage.put(x * Window.width, y * Window.height)
    hand.stage.lift(finger)
    hand.stage.wait(0.5)


def report(hand: Any, x: float, y: float) -> None:
    """A finger that a panel reports there, mapped as all are."""
    from kivy.base import EventLoop
    from kivy.core.window import Window

    from kiosk.ui.stage import Finger

    finger = Finger(9000, x * Window.width, y * Window.height)
    hand.app._touches.process([("begin", finger)])
    EventLoop.post_dispatch_input("begin", finger)
    hand.stage.step(1)
    hand.stage.lift(finger)
    hand.stage.wait(0.5)


def test_the_picture_is_turned_and_kept(screen: Any) -> None:
    from kivy.core.window import Window

    screen.touch("nach links")
    assert screen.asked[-1] == KeepTurn(90) and Window.rotation == 90
    assert tuple(Window.size) == (480, 800)
    screen.app.turn(180)
    screen.stage.step(4)
    assert tuple(Window.size) == (800, 480)
    key = screen.stage.key("nach rechts")
    x, y = screen.stage.middle_of(key)
    tap(screen, 1 - x / 800, 1 - y / 480)
    assert screen.asked[-1] == KeepTurn(90), "a finger on the key as it is seen now"


@pytest.mark.parametrize("name", ["xy", "tx"])
def test_a_panel_that_lies_otherwise_is_found_out(screen: Any, name: str) -> None:
    screen.touch("Berührung prüfen")
    screen.asked.clear()
    for _ in range(2):
        for spot in SPOTS:
            sheet = screen.app.sheets.current
            assert (sheet.spot_x, sheet.spot_y) == spot
            report(screen, *reported(name, spot))
    assert screen.asked == [KeepTouch(name)] and screen.app.touch_map == name
    assert screen.app.sheets.current is None and "stimmt" in screen.app.refusal.text
    screen.stage.wait(5)
    x, y = screen.stage.middle_of(screen.stage.key("Berührung prüfen"))
    report(screen, *reported(name, (x / 800, y / 480)))
    assert type(screen.app.sheets.current).__name__ == "TouchCheckSheet", "keys are hit from then on"


def test_touches_that_are_right_change_nothing(screen: Any) -> None:
    screen.touch("Berührung prüfen")
    screen.asked.clear()
    for spot in SPOTS:
        tap(screen, *spot)
    assert screen.app.sheets.current is None and screen.asked == []
    assert "stimmt" in screen.app.refusal.text


def test_touches_that_miss_end_after_some_tries(screen: Any) -> None:
    screen.touch("Berührung prüfen")
    screen.asked.clear()
    for _ in range(TRIES):
        assert screen.app.sheets.current is not None
        for _ in SPOTS:
            tap(screen, 0.5, 0.5)
    assert screen.app.sheets.current is None and screen.asked == []


def test_nobody_touches(screen: Any) -> None:
    from kiosk.ui.first_start.screen_step import PATIENCE_S

    screen.touch("Berührung prüfen")
    screen.stage.wait(PATIENCE_S + 1, 1.0)
    assert screen.app.sheets.current is None


def test_the_first_start_begins_with_it(hand: Any) -> None:
    hand.app.screen("first_start")._checked = False
    hand.app.start(StartView(step="screen"))
    hand.stage.step(4)
    shown = type(hand.app.sheets.current).__name__
    hand.app.sheets.close()
    hand.app.start(StartView(step="screen"))
    hand.stage.step(4)
    again = hand.app.sheets.current
    hand.app.start(None)
    hand.stage.step(4)
    assert again is None and shown == "TouchCheckSheet", "once"

"""A clock that goes on is drawn over the kept picture, and the window shows what a whole picture would."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest

pytestmark = pytest.mark.render

SIZES = [(800, 480), (1280, 800)]


@pytest.fixture
def kept(hand: Any, views: Any) -> Iterator[Any]:
    """The stage's window, drawn by a kept picture; a game is in play."""
    from kivy.core.window import Window

    from kiosk.ui.kept_picture import KeptPicture

    hand.show(views.playing())
    picture = KeptPicture(Window, lambda: hand.app.root.ticking())
    picture.begin()
    drawn(hand, picture)
    picture.whole = picture.parts = 0
    yield picture
    picture.end()
    if tuple(Window.size) != SIZES[0]:
        hand.stage.size(*SIZES[0])


def drawn(hand: Any, kept: Any) -> Any:
    """What is kept after the next turn, (H, W, 4) uint8; offscreen the window itself never grows."""
    from kivy.core.window import Window

    hand.stage.step(2)
    Window.dispatch("on_draw")
    width, height = Window.size
    return numpy.frombuffer(kept._picture.pixels, numpy.uint8).reshape(height, width, 4)


def drawn_whole(hand: Any, kept: Any) -> Any:
    """The same, all of it drawn anew."""
    from kivy.core.window import Window

    Window.canvas.ask_update()
    return drawn(hand, kept)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("screen", ["play", "clock"])
def test_a_second_draws_the_clock_alone(hand: Any, kept: Any, screen: str, size: tuple[int, int]) -> None:
    if size != SIZES[0]:
        hand.stage.size(*size)
    hand.app.go(screen)
    rail, clock = hand.app.root.rail, hand.app.screen("clock")
    rail.time = clock.time = "1:10:00"
    first = drawn(hand, kept)
    kept.whole = kept.parts = 0
    rail.time = clock.time = "1:09:59"
    second = drawn(hand, kept)
    assert (kept.whole, kept.parts) == (0, 2 if screen == "clock" else 1)
    assert (first != second).any()
    assert (drawn_whole(hand, kept) == second).all()
    assert kept.whole == 1


def test_of_a_longer_time_nothing_is_left(hand: Any, kept: Any) -> None:
    hand.app.go("clock")
    rail, clock = hand.app.root.rail, hand.app.screen("clock")
    rail.time = clock.time = "1:00:00"
    drawn(hand, kept)
    kept.whole = kept.parts = 0
    rail.time = clock.time = "9:59"
    shorter = drawn(hand, kept)
    assert kept.parts
    assert (drawn_whole(hand, kept) == shorter).all()


def _press(app: Any) -> None:
    app.root.rail.ids.clock.state = "down"


def _write(app: Any) -> None:
    app.screen("play").panels[2].said = "Re"


def _add(app: Any) -> None:
    from kivy.uix.label import Label

    app.root.rail.add_widget(Label(text="+", font_size=40))


def _draw_on_rail(app: Any) -> None:
    from kivy.graphics import Color, Rectangle

    app.root.rail.canvas.add(Color(1, 0, 0))
    app.root.rail.canvas.add(Rectangle(pos=app.root.rail.pos, size=(30, 30)))


def _fade(app: Any) -> None:
    app.root.rail.opacity = 0.5


def _shade(app: Any) -> None:
    app.root.shade = 0.5


def _open(app: Any) -> None:
    app.sheets.open("more")


def _move(app: Any) -> None:
    app.root.rail.ids.clock.height += 30


@pytest.mark.parametrize("change", [_press, _write, _add, _draw_on_rail, _fade, _shade, _open, _move])
def test_what_changes_beside_the_clock_is_seen(hand: Any, kept: Any, change: Callable[[Any], None]) -> None:
    before = drawn(hand, kept)
    hand.app.root.rail.time = "0:07"
    change(hand.app)
    after = drawn(hand, kept)
    try:
        assert (before != after).any(axis=-1).sum() > 300  # more than the digits
        assert (drawn_whole(hand, kept) == after).all()
    finally:
        hand.app.root.shade = 0
        hand.app.rebuild()
        hand.stage.step(3)


def test_the_same_picture_again_is_not_drawn_again(hand: Any, kept: Any) -> None:
    assert (drawn(hand, kept) == drawn(hand, kept)).all()
    assert (kept.whole, kept.parts) == (0, 0)


def test_the_window_shows_what_kivy_would_draw(hand: Any, kept: Any) -> None:
    from kiosk.ui.stage import window_pixels

    drawn_whole(hand, kept)
    mine = numpy.frombuffer(window_pixels()[2], numpy.uint8).astype(int)
    kept.end()
    kivys = numpy.frombuffer(window_pixels()[2], numpy.uint8).astype(int)
    assert kivys.std() > 10
    assert abs(kivys - mine).max() <= 1  # rounded once more on the way

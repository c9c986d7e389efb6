"""A clock that goes on and a key under a finger are drawn alone, and the window shows what a whole picture would."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy
import pytest

pytestmark = pytest.mark.render

SIZES = [(800, 480), (1280, 800)]


@pytest.fixture
def kept(hand: Any, views: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """What draws the window; a game is in play."""
    from kivy.core.window import Window

    from kiosk.ui.kept_picture import KeptPicture

    hand.show(views.playing())
    picture = KeptPicture(Window, lambda: hand.app.root.ticking())
    picture.begin()
    monkeypatch.setattr(hand.app, "_kept_picture", picture)
    yield picture
    picture.end()
    if tuple(Window.size) != SIZES[0]:
        hand.stage.size(*SIZES[0])


def tick(hand: Any, kept: Any, *times: str) -> tuple[int, int]:
    """Draw the clock at each of these times; pictures drawn for the last one, wholly and in part."""
    from kivy.core.window import Window

    for time in times:
        kept.whole = kept.parts = 0
        hand.app.root.rail.time = hand.app.screen("clock").time = time
        hand.stage.step(2)
        Window.dispatch("on_draw")
    return kept.whole, kept.parts


def picture_of(fbo: Any) -> Any:
    """A picture's pixels, (H, W, 4) uint8."""
    width, height = fbo.size
    return numpy.frombuffer(fbo.pixels, numpy.uint8).reshape(height, width, 4)


def drawn_anew() -> Any:
    """The window's whole picture, drawn into one of this test; (H, W, 4) uint8."""
    from kivy.core.window import Window
    from kivy.graphics import Fbo

    fbo = Fbo(size=Window.size, with_stencilbuffer=True)
    fbo.bind()
    Window.clear()
    Window.render_context.draw()
    fbo.release()
    return picture_of(fbo)


def on_window(hand: Any) -> Any:
    """What the window shows after the next turn, (H, W, 3) int; offscreen it never grows beyond 800 × 480."""
    from kiosk.ui.stage import window_pixels

    hand.stage.step(2)
    width, height, rows = window_pixels()
    return numpy.frombuffer(rows, numpy.uint8).reshape(height, width, 3).astype(int)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("screen", ["play", "clock"])
def test_a_second_draws_the_clock_alone(hand: Any, kept: Any, screen: str, size: tuple[int, int]) -> None:
    if size != SIZES[0]:
        hand.stage.size(*size)
    hand.app.go(screen)
    assert tick(hand, kept, "1:10:01") == (1, 0), "all of it once, to be kept"
    tick(hand, kept, "1:10:00")
    first = picture_of(kept._picture)
    assert tick(hand, kept, "1:09:59") == (0, 2 if screen == "clock" else 1)
    second = picture_of(kept._picture)
    assert (first != second).any()
    assert (second == drawn_anew()).all()


@pytest.fixture
def flat(hand: Any, views: Any) -> Iterator[Any]:
    """The screen lies flat, in the last ten minutes: each turned panel counts the seconds, too."""
    from kiosk.ui.parts.places import ScreenPlace

    view = views.playing()
    hand.app.stand(ScreenPlace(flat=True))
    hand.show(replace(view, clock=replace(view.clock, remaining=301.0)))
    yield hand
    hand.app.stand(ScreenPlace())
    hand.stage.step(3)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_second_of_the_last_minutes_draws_every_seats_clock_alone(
    kept: Any, flat: Any, size: tuple[int, int]
) -> None:
    from kiosk.ui.parts.clock import minutes_text

    if size != SIZES[0]:
        flat.stage.size(*size)
    flat.app.go("play")
    seats = [panel for panel in flat.app.screen("play").panels.values() if panel.clock]
    assert len(seats) == 3
    before = None
    for left in (299.0, 298.0, 297.0):
        for panel in seats:
            panel.clock = minutes_text(left)
        drawn = tick(flat, kept, f"0:0{minutes_text(left)}")
        if before is not None:
            assert (picture_of(kept._picture) != before).any()
        before = picture_of(kept._picture)
    assert drawn == (0, 4)
    assert (before == drawn_anew()).all()


def test_of_a_longer_time_nothing_is_left(hand: Any, kept: Any) -> None:
    hand.app.go("clock")
    tick(hand, kept, "1:00:01", "1:00:00")
    assert tick(hand, kept, "9:59") == (0, 2)
    assert (picture_of(kept._picture) == drawn_anew()).all()


def _press(app: Any) -> None:
    app.root.rail.ids.clock.state = "down"


def _write(app: Any) -> None:
    app.screen("play").panels[4].name = "Eva"


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


@pytest.mark.slow
@pytest.mark.parametrize("change", [_press, _write, _add, _draw_on_rail, _fade, _shade, _open, _move])
def test_what_changes_beside_the_clock_is_seen(hand: Any, kept: Any, change: Callable[[Any], None]) -> None:
    tick(hand, kept, "0:09", "0:08")
    before = on_window(hand)
    change(hand.app)
    try:
        assert tick(hand, kept, "0:07") == (1, 0)
        after = on_window(hand)
        assert (before != after).any(axis=-1).sum() > 300  # more than the digits
        tick(hand, kept, "0:06", "0:05")
        later = on_window(hand)
        kept.end()
        assert abs(on_window(hand) - later).max() <= 1  # rounded once more on the way
    finally:
        hand.app.root.shade = 0
        hand.app.rebuild()
        hand.stage.step(3)


def test_the_same_picture_again_is_not_drawn_again(hand: Any, kept: Any) -> None:
    tick(hand, kept, "0:09", "0:08")
    first = on_window(hand)
    kept.whole = kept.parts = 0
    assert (on_window(hand) == first).all()
    assert (kept.whole, kept.parts) == (0, 0)


def test_the_window_shows_what_kivy_would_draw(hand: Any, kept: Any) -> None:
    tick(hand, kept, "0:09", "0:08", "0:07")
    mine = on_window(hand)
    kept.end()
    kivys = on_window(hand)
    assert kivys.std() > 10
    assert abs(kivys - mine).max() <= 1


def keys(app: Any) -> Iterator[Any]:
    """All that can be touched now."""
    from kiosk.ui.parts.touchable import Touchable

    over = app.sheets.current
    for one in app.root.walk() if over is None else over.walk(restrict=True):
        if isinstance(one, Touchable) and not one.disabled and one.opacity and one.width > 1 and one.get_root_window():
            yield one


@pytest.mark.slow
@pytest.mark.parametrize(
    "phase", ["playing", *(pytest.param(phase, marks=pytest.mark.slow) for phase in ("asking", "over"))]
)
def test_a_key_under_a_finger_is_drawn_alone(hand: Any, views: Any, kept: Any, phase: str) -> None:
    from kivy.core.window import Window

    hand.show(views.PHASES[phase]())
    tick(hand, kept, "0:09")
    alone, in_rail = set(), set(hand.app.root.rail.walk())
    for key in keys(hand.app):
        before = picture_of(kept._picture)
        hand.stage.wait(0.5, 0.5)
        Window.dispatch("on_draw")
        kept.whole = kept.parts = 0
        finger = hand.stage.put(*hand.stage.middle_of(key))
        if key.state == "down":
            Window.dispatch("on_draw")
            after = picture_of(kept._picture)
            assert (after == drawn_anew()).all(), key
            if kept.parts and not kept.whole:
                assert (after != before).any(), key
                alone.add(key)
        key.let_go()  # else it would do what it does
        hand.stage.lift(finger)
        Window.dispatch("on_draw")
        assert (picture_of(kept._picture) == drawn_anew()).all(), key
    assert len(alone & in_rail) > 2 and (phase == "over" or alone - in_rail), "keys of the rail and of seats are"


def test_a_ring_that_grows_is_drawn_alone(hand: Any, views: Any, kept: Any) -> None:
    from kivy.core.window import Window

    from kiosk.ui.parts.hold import HOLD_S, HoldKey

    stage = hand.app.root.ids.stage
    key = HoldKey(calm_text="Re", size_hint=(None, None), size=(120, 60), pos=(200, 200))
    stage.add_widget(key)
    hand.stage.wait(0.5)
    tick(hand, kept, "0:09")
    finger = hand.stage.put(*hand.stage.middle_of(key))
    Window.dispatch("on_draw")
    kept.whole = kept.parts = 0
    for _ in range(3):
        hand.stage.wait(HOLD_S / 5)
        Window.dispatch("on_draw")
        assert key.part and (picture_of(kept._picture) == drawn_anew()).all()
    assert kept.whole == 0 and kept.parts >= 3  # a second of the clock is one more
    hand.stage.lift(finger)
    Window.dispatch("on_draw")
    assert (picture_of(kept._picture) == drawn_anew()).all()
    stage.remove_widget(key)


def _steps(hand: Any, views: Any, draws: Random) -> list[Callable[[], object]]:
    """What people, the table and the machine may do next; now and then the clock goes on alone."""
    from kiosk.ui.parts.places import ScreenPlace

    app, play = hand.app, hand.app.screen("play")
    fingers: list[Any] = []

    def later() -> None:
        view, seconds = app.view, draws.choice([1, 60, 700])
        app.show(replace(view, clock=replace(view.clock, remaining=view.clock.remaining - seconds)))
        hand.stage.step()
        app.tick()

    def turn() -> None:
        if app.sheets.current is not None and app.sheets.current.turns:
            app.sheets.turn_on()

    def unfold() -> None:
        if app.current == "play":
            play.unfold(draws.randint(1, 4), draws.choice(["calls", "said", "answers", "declare"]))

    return [
        *[later] * 20,
        lambda: app.show(views.PHASES[draws.choice(list(views.PHASES))]()),
        lambda: app.go(draws.choice(["play", "list", "clock"])),
        lambda: app.sheets.open(draws.choice(["more", "complain", "last", "messages", "swap"]), draws.randint(0, 4)),
        app.sheets.close,
        turn,
        unfold,
        lambda: app.stand(ScreenPlace(seat=draws.randint(1, 5), flat=draws.random() < 0.6)),
        lambda: app.speak(draws.choice(["de", "en"])),
        lambda: app._shade(draws.choice([0, 0.4])),
        lambda: app.flash(draws.choice(["taken", "breach"])),
        lambda: app.refused("late_announcement", "eppstein 5.3.4"),
        lambda: app.notice("scanner", draws.choice(["", "Scanner fehlt"])),
        lambda: hand.stage.wait(draws.choice([0.05, 0.4, 2])),
        lambda: app.pads.show({seat: draws.random() < 0.5 for seat in range(1, 5)}),
        *[lambda: fingers.append(hand.stage.put(*hand.stage.middle_of(draws.choice(list(keys(app))))))] * 15,
        *[lambda: fingers and hand.stage.lift(fingers.pop())] * 15,
    ]


@pytest.mark.slow
def test_whatever_happens_with_a_second_the_kept_picture_is_whole(hand: Any, views: Any, kept: Any) -> None:
    from kivy.core.window import Window

    from kiosk.ui.parts.places import ScreenPlace

    draws, parts = Random(5), 0
    steps = _steps(hand, views, draws)
    try:
        for _ in range(100):
            done = draws.choices(steps, k=draws.choice([1, 1, 2]))
            for step in done:
                step()
            kept.parts = 0
            hand.stage.step(2)
            Window.dispatch("on_draw")
            parts += kept.parts
            assert (picture_of(kept._picture) == drawn_anew()).all(), done
        assert parts > 20, "the clock and keys were drawn alone now and then"
    finally:
        hand.app._shade(0)
        hand.app.pads.show({})
        hand.app.notice("scanner", "")
        hand.app.stand(ScreenPlace())
        hand.app.root.flash.end()
        hand.stage.step(3)

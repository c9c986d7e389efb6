"""What the table's screen says between the seats, on the rail and below the cards, and what it costs to say it."""

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"ui_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


views = _load("views")

pytestmark = pytest.mark.slow


def test_the_clock_goes_on_between_views(hand: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import kiosk.ui.parts.clock

    hand.show(views.playing())
    assert hand.app.root.rail.time == "1:12:52"
    at = hand.app.view_at + 62.0
    monkeypatch.setattr(kiosk.ui.parts.clock.time, "monotonic", lambda: at)
    hand.app.tick()
    assert hand.app.root.rail.time == "1:11:50"
    hand.app.view_at = at - 4372.0 - 35.5
    hand.app.tick()
    assert hand.app.root.rail.time == "+0:35" and hand.app.root.rail.tone == "over"


def test_a_shorter_round_begins_with_all_of_its_time(hand: Any) -> None:
    view = views.playing()
    hand.show(view)
    hand.app.go("clock")
    for number, seconds, part in ((2, 4000.0, 1.0), (2, 2000.0, 0.5), (3, 2000.0, 1.0)):
        clock = replace(view.clock, running=False, remaining=seconds)
        hand.show(replace(view, round=number, events=view.events + number, clock=clock))
        hand.app.tick()
        assert hand.app.screen("clock").part == pytest.approx(part, abs=0.1), (number, seconds)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(7200.0, "2:00:00"), (3599.2, "1:00:00"), (59.01, "1:00"), (0.4, "0:01"), (0.0, "0:00"), (-1.5, "+0:01")],
)
def test_clock_text(window: Any, seconds: float, text: str) -> None:
    from kiosk.ui.parts.clock import clock_text

    assert clock_text(seconds) == text


def test_the_same_view_again_touches_nothing(hand: Any) -> None:
    from kivy.uix.label import Label

    view = views.playing()
    hand.show(view)
    labels = [widget for widget in hand.app.root.walk() if isinstance(widget, Label)]
    before = [(id(label), id(label.texture)) for label in labels]
    hand.show(replace(view, events=view.events + 1))
    after = [(id(widget), id(widget.texture)) for widget in hand.app.root.walk() if isinstance(widget, Label)]
    assert after == before


def test_a_view_with_nothing_new_to_see_lays_nothing_out_and_writes_nothing(
    hand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kivy.uix.label import Label

    view = views.playing()
    hand.show(view)
    written: list[str] = []
    update = Label.texture_update
    monkeypatch.setattr(Label, "texture_update", lambda label, *now: (written.append(label.text), update(label, *now)))
    moved: list[Any] = []
    for widget in hand.app.screen("play").walk(restrict=True):
        widget.bind(pos=lambda one, _: moved.append(one), size=lambda one, _: moved.append(one))
    hand.show(replace(view, events=view.events + 1))
    assert (written, moved) == ([], [])


def test_a_message_stands_in_the_middle_of_its_plate(hand: Any) -> None:
    hand.show(views.playing())
    plate = hand.app.screen("play").ids.messages.plate("next")
    assert plate.ids.label.center_x == pytest.approx(plate.center_x, abs=0.6)


def test_views_of_other_threads_are_shown_in_order_and_only_the_last(hand: Any) -> None:
    import threading

    drawn: list[int] = []
    real = hand.app.draw
    hand.app.draw = lambda view: (drawn.append(view.events), real(view))
    view = views.playing()
    hand.show(view)
    drawn.clear()
    worker = threading.Thread(target=lambda: [hand.app.show(replace(view, events=n)) for n in range(100, 150)])
    worker.start()
    worker.join()
    hand.stage.step(2)
    hand.app.draw = real
    assert drawn == [149]


def test_a_notice_stays_until_it_is_taken_back(hand: Any) -> None:
    hand.show(views.playing())
    shown = hand.app.screen("play").ids.messages
    hand.app.notice("scanner", "Scanner fehlt")
    hand.stage.step(2)
    assert shown.text == "Scanner fehlt"
    hand.app.notice("camera", "camera 'v4l2:/dev/video9': there is no /dev/video9")
    hand.stage.step(2)
    assert shown.text == "Scanner fehlt\nDie Kamera fehlt: Karten bitte antippen"
    hand.stage.touch(shown.more)
    hand.stage.touch(hand.stage.find(type(shown.plate("camera")), text="Die Kamera fehlt: Karten bitte antippen"))
    assert hand.app.refusal.opacity == 1 and "/dev/video9" in hand.app.refusal.text
    for kind in ("scanner", "camera"):
        hand.app.notice(kind, "")
    hand.stage.step(2)
    assert "Anna legt" in shown.text


def test_a_notice_leaves_the_keys_in_the_middle_alone(hand: Any) -> None:
    hand.show(views.dealing())
    play = hand.app.screen("play")
    hand.app.notice("scanner", "Scanner fehlt")
    hand.stage.step(2)
    assert play.ids.messages.plate("scanner").top <= play.ids.middle.y + 1


def test_a_blind_camera_is_named(hand: Any) -> None:
    for why in ("camera", "dark", "mat", "covered"):
        hand.show(replace(views.playing(), blind=why))
        assert "antippen" in hand.app.screen("play").ids.messages.text


def test_a_solo_that_was_lost(hand: Any) -> None:
    view = views.scored()
    lost = replace(view.result, re=(3,), won_by="kontra", kind="damensolo", declarer=3, points=(90, 150))
    hand.show(replace(view, result=lost))
    assert hand.app.screen("play").ids.middle.title == "Cem verliert"
    hand.show(replace(view, result=replace(view.result, won_by=None)))
    assert hand.app.screen("play").ids.middle.title == "Niemand gewinnt"


def test_a_soloist_gets_three_times_the_value(hand: Any) -> None:
    view = views.scored()
    won = replace(view.result, game=5, re=(3,), won_by="re", kind="damensolo", declarer=3, score=(0, 0, 6, 0))
    rows = (*view.rows[:-1], replace(view.rows[-1], points=2))
    hand.show(replace(view, result=won, rows=rows))
    body = hand.app.screen("play").ids.middle.body
    assert "=\N{NO-BREAK SPACE}[b]2,[/b]" in body and body.endswith("Cem [b]×3[/b]")


def test_no_line_of_the_result_begins_with_a_comma_or_a_number(hand: Any) -> None:
    """Kivy breaks a line where markup begins or ends."""
    hand.show(views.scored())
    body = hand.app.screen("play").ids.middle.body
    reasons, _, written = body.partition(" [color")
    assert "Fuchs gefangen\u00a0+1,  " in reasons and "[" not in reasons
    assert "[/color]  " in written


def test_names_are_shown_as_written(hand: Any) -> None:
    view = views.playing()
    people = (replace(view.seats[0], name="[b]Ann & Co"), *view.seats[1:])
    hand.show(replace(view, seats=people))
    from kivy.core.text.markup import MarkupLabel

    shown = MarkupLabel(hand.app.screen("play").panels[1].name).markup
    assert "".join(shown).replace("&bl;", "[").replace("&br;", "]").replace("&amp;", "&") == "[b]Ann & Co"


def test_the_strip_draws_lamps_and_display(hand: Any) -> None:
    from kiosk.ui.rail.strip import Strip

    strip = Strip()
    strip.show(
        {"display": "72:52", "lamps": {1: "turn", 2: "off", 3: "breach", 4: "off"}, "referee": True, "buzzer": False}
    )
    lamps = {lamp.text: lamp.state for lamp in strip.ids.lamps.children}
    assert lamps == {"1": "turn", "2": "off", "3": "breach", "4": "off"}
    assert strip.display == "72:52" and strip.referee and not strip.buzzer

"""Keys under fingers: what is held, what has just changed, and two fingers at once."""

from typing import Any

import pytest

pytestmark = pytest.mark.render


class Bench:
    """Keys on a bare sheet of their own, and what they did."""

    def __init__(self, hand: Any) -> None:
        from kivy.uix.floatlayout import FloatLayout

        self.hand, self.stage = hand, hand.stage
        self.done: list[str] = []
        self.board = FloatLayout(size_hint=(1, 1))
        hand.app.root.ids.stage.add_widget(self.board)

    def key(self, words: str, x: float = 0.3) -> Any:
        from kiosk.ui.parts.look import Key

        key = Key(text=words, size_hint=(0.2, 0.2), pos_hint={"center_x": x, "center_y": 0.5})
        key.bind(on_release=lambda _: self.done.append(key.text))
        return self.add(key)

    def hold_key(self, words: str, x: float = 0.7) -> Any:
        from kiosk.ui.parts.hold import HoldKey

        key = HoldKey(calm_text=words, size_hint=(0.2, 0.2), pos_hint={"center_x": x, "center_y": 0.5})
        key.go = lambda: self.done.append(key.calm_text)
        return self.add(key)

    def add(self, key: Any) -> Any:
        self.board.add_widget(key)
        self.stage.step(3)
        return key


@pytest.fixture
def bench(hand: Any) -> Any:
    made = Bench(hand)
    yield made
    hand.app.root.ids.stage.remove_widget(made.board)


def test_a_held_key_acts_once_while_it_is_held(bench: Bench) -> None:
    key = bench.hold_key("Kontra")
    bench.stage.wait(0.5)
    finger = bench.stage.put(*bench.stage.middle_of(key))
    bench.stage.wait(0.5)
    assert bench.done == [] and 0.5 < key.part < 1 and len(key.ring) > 8
    bench.stage.wait(0.4)
    assert bench.done == ["Kontra"] and key.part == 0
    bench.stage.wait(2.0)
    bench.stage.lift(finger)
    assert bench.done == ["Kontra"]


def test_a_short_tap_says_only_how(bench: Bench) -> None:
    key = bench.hold_key("Kontra")
    bench.stage.touch(key, 0.2)
    assert bench.done == [] and "gedrückt halten" in key.text and key.part == 0
    bench.stage.wait(2.0)
    assert key.text == "Kontra"
    for _ in range(4):  # many taps are no hold
        bench.stage.touch(key, 0.5)
    assert bench.done == []


def test_a_finger_that_leaves_says_nothing(bench: Bench) -> None:
    key = bench.hold_key("Kontra")
    bench.stage.wait(0.5)
    x, y = bench.stage.middle_of(key)
    finger = bench.stage.put(x, y)
    bench.stage.wait(0.3)
    bench.stage.drag(finger, x, y + key.height)
    bench.stage.drag(finger, x, y)
    bench.stage.wait(1.0)
    bench.stage.lift(finger)
    assert bench.done == [] and key.part == 0


def test_a_key_that_changes_under_the_finger_begins_anew(bench: Bench) -> None:
    key = bench.hold_key("keine 90")
    bench.stage.wait(0.5)
    finger = bench.stage.put(*bench.stage.middle_of(key))
    bench.stage.wait(0.5)
    key.calm_text = "keine 60"
    bench.stage.wait(1.0)
    bench.stage.lift(finger)
    assert bench.done == []


def test_other_words_with_the_same_meaning_do_not_disturb(bench: Bench) -> None:
    key = bench.hold_key("keine 90, noch 2 Karten")
    key.meaning = ("announce", "keine90")
    bench.stage.wait(0.5)
    finger = bench.stage.put(*bench.stage.middle_of(key))
    bench.stage.wait(0.5)
    key.calm_text = "keine 90, noch 1 Karte"
    bench.stage.wait(0.3)
    bench.stage.lift(finger)
    assert bench.done == ["keine 90, noch 1 Karte"]


def test_a_screen_that_hangs_fills_no_ring(bench: Bench) -> None:
    key = bench.hold_key("Kontra")
    bench.stage.wait(0.5)
    finger = bench.stage.put(*bench.stage.middle_of(key))
    bench.stage._waited += 5.0  # one frame of five seconds
    bench.stage.step()
    bench.stage.lift(finger)
    assert bench.done == []


@pytest.mark.parametrize("waited", [0.0, 0.3, 0.5])
def test_a_key_that_has_just_come_takes_no_touch(bench: Bench, waited: float) -> None:
    key = bench.key("gesund")
    bench.stage.wait(waited)
    bench.stage.lift(bench.stage.put(*bench.stage.middle_of(key)))
    assert bench.done == (["gesund"] if waited > 0.4 else [])


@pytest.mark.parametrize(
    "change",
    [
        lambda key: setattr(key, "text", "Vorbehalt"),
        lambda key: setattr(key, "meaning", 5),
        lambda key: (setattr(key, "disabled", True), setattr(key, "disabled", False)),
        lambda key: (setattr(key, "opacity", 0), setattr(key, "opacity", 1)),
        lambda key: setattr(key, "pos_hint", {"center_x": 0.32, "center_y": 0.75}),
    ],
    ids=["text", "meaning", "enabled", "visible", "moved under the finger"],
)
def test_a_key_that_has_just_changed_takes_no_touch(bench: Bench, change: Any) -> None:
    key = bench.key("gesund")
    bench.stage.wait(1.0)
    change(key)
    bench.stage.step(2)
    place = bench.stage.middle_of(key)
    bench.stage.lift(bench.stage.put(*place))
    assert bench.done == []
    bench.stage.wait(0.5)
    bench.stage.lift(bench.stage.put(*place))
    assert len(bench.done) == 1


def test_a_key_that_only_grew_takes_touches_where_it_was(bench: Bench) -> None:
    key = bench.key("gesund")
    bench.stage.wait(1.0)
    key.size_hint = (0.4, 0.2)
    bench.stage.step(2)
    x, y = bench.stage.middle_of(key)
    bench.stage.lift(bench.stage.put(x - 0.45 * key.width, y))
    assert bench.done == []
    bench.stage.lift(bench.stage.put(x, y))
    assert bench.done == ["gesund"]


def test_what_changes_under_a_resting_finger_is_not_released(bench: Bench) -> None:
    key = bench.key("gesund")
    bench.stage.wait(1.0)
    finger = bench.stage.put(*bench.stage.middle_of(key))
    key.text = "Vorbehalt"
    bench.stage.wait(1.0)
    bench.stage.lift(finger)
    assert bench.done == []


def test_what_a_sheet_covered_takes_no_touch_at_once(hand: Any) -> None:
    stage = hand.stage
    stage.wait(1.0)
    key = next(one for one in hand.app.screen("seats").walk() if hasattr(one, "number"))
    place = stage.middle_of(key)
    hand.app.sheets.open("name", seat=2)
    stage.wait(1.0)
    hand.app.sheets.close()
    stage.lift(stage.put(*place))
    assert hand.app.sheets.current is None
    stage.wait(0.5)
    stage.lift(stage.put(*place))
    assert hand.app.sheets.current is not None


def test_two_fingers_hold_two_keys_each_its_own_time(bench: Bench) -> None:
    one, other = bench.hold_key("Re", 0.3), bench.hold_key("Kontra", 0.7)
    bench.stage.wait(0.5)
    first = bench.stage.put(*bench.stage.middle_of(one))
    bench.stage.wait(0.4)
    second = bench.stage.put(*bench.stage.middle_of(other))
    bench.stage.wait(0.4)
    assert bench.done == ["Re"]
    bench.stage.lift(first)
    bench.stage.wait(0.4)
    bench.stage.lift(second)
    assert bench.done == ["Re", "Kontra"]


def test_a_second_finger_on_the_same_key_does_nothing(bench: Bench) -> None:
    key = bench.key("gesund")
    bench.stage.wait(1.0)
    place = bench.stage.middle_of(key)
    fingers = [bench.stage.put(*place), bench.stage.put(*place)]
    for finger in fingers:
        bench.stage.lift(finger)
    assert bench.done == ["gesund"]

"""A screen that lies flat: the clock at every seat, and what stands between the seats turned towards who reads it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

PHASES = ("waiting", "dealing", "asking", "declaring", "bidding", "playing", "faults", "solo", "scored", "five", "late")


@pytest.fixture
def flat(hand: Any) -> Iterator[Any]:
    from kiosk.ui.parts.places import ScreenPlace

    hand.app.stand(ScreenPlace(flat=True))
    yield hand
    hand.app.stand(ScreenPlace())
    hand.app.show(None)
    hand.stage.step(3)


def acting(view: Any, number: int) -> Any:
    """The view with that seat's turn, and as the next dealer."""
    people = tuple(replace(seat, turn=seat.seat == number, dealer=seat.seat == number) for seat in view.seats)
    return replace(view, seats=people, next_dealer=number if view.next_dealer else None)


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

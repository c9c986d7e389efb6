"""Seats lie on the screen as they really lie, each with a part of its own; turned panels take touches where seen."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.ui.parts.places import FIVE, FOUR, ScreenPlace

PLACES = st.builds(ScreenPlace, st.integers(1, 5), st.booleans())


def overlap(one: Any, other: Any) -> bool:
    return bool(
        one.x < other.right - 0.01
        and other.x < one.right - 0.01
        and one.y < other.top - 0.01
        and other.y < one.top - 0.01
    )


@given(PLACES, st.sampled_from([4, 5]))
def test_who_has_the_screen_before_him_lies_below_and_the_others_follow_clockwise(
    place: ScreenPlace, players: int
) -> None:
    around = FOUR if players == 4 else FIVE
    lying = place.places(players)
    before = place.seat if place.seat <= players else 1
    seats = [*range(before, players + 1), *range(1, before)]
    assert [lying[seat] for seat in seats] == [around[number] for number in sorted(around)]


@given(PLACES, st.sampled_from([4, 5]), st.sampled_from([(660.0, 480.0, 1.0), (1056.0, 800.0, 1.6)]))
def test_no_two_seats_share_a_part_of_the_screen(
    place: ScreenPlace, players: int, size: tuple[float, float, float]
) -> None:
    from kiosk.ui.play.areas import Rect, seat_areas

    whole = Rect(0, 0, size[0], size[1])
    areas = seat_areas(place, players, whole, size[2])
    assert areas.keys() == set(range(1, players + 1))
    for one, other in combinations(areas.values(), 2):
        assert not overlap(one.room, other.room)
    for own in areas.values():
        assert own.room.x >= 0 and own.room.y >= 0
        assert own.room.right <= whole.right and own.room.top <= whole.top
        panel = own.lay(*own.local_size)
        assert (panel.width, panel.height) == pytest.approx((own.room.width, own.room.height))


@given(
    st.sampled_from([4, 5]),
    st.floats(150, 700, allow_nan=False),
    st.floats(75, 500, allow_nan=False),
)
def test_cards_lie_apart_within_the_free_part(players: int, width: float, height: float) -> None:
    from kiosk.ui.play.areas import CARD_HEIGHT_PER_WIDTH, Rect, lay_cards

    free = Rect(10, 20, width, height)
    across, centres = lay_cards(players, free)
    down = across * CARD_HEIGHT_PER_WIDTH
    cards = [Rect(x - across / 2, y - down / 2, across, down) for x, y in centres.values()]
    assert len(cards) == players
    for one, other in combinations(cards, 2):
        assert not overlap(one, other)
    for card in cards:
        assert card.x >= free.x - 0.01 and card.right <= free.right + 0.01
        assert card.y >= free.y - 0.01 and card.top <= free.top + 0.01


#: Each seat upright and flat; fast are those that have each seat, and each of the two twice.
STOOD = [
    pytest.param(ScreenPlace(seat, flat), marks=() if (seat % 2 == 1) == flat else pytest.mark.slow)
    for seat in (1, 2, 3, 4)
    for flat in (False, True)
]


@pytest.fixture(params=STOOD, ids=str)
def placed(hand: Any, request: Any) -> Iterator[Any]:
    hand.app.stand(request.param)
    yield hand
    hand.app.stand(ScreenPlace())
    hand.app.show(None)
    hand.stage.step(3)


def test_a_key_is_touched_where_it_is_seen(placed: Any, views: Any, measure: Any) -> None:
    placed.show(views.asking())
    play = placed.app.screen("play")
    heights = {seat: measure.in_window(panel)[1] for seat, panel in play.panels.items()}
    assert min(heights, key=lambda seat: heights[seat]) == placed.app.place.seat
    for view in (views.playing(), views.asking()):
        placed.show(view)
        measure.check_targets(placed.app.root)
        measure.check_whole(placed.app.root)
    key = next(one for one in play.panels[4].ids.key_box.walk() if getattr(one, "text", "") == "[b]gesund[/b]")
    placed.stage.touch(key)
    assert placed.sent == [{"event": "call", "seat": 4, "call": "gesund"}]


def test_the_place_is_chosen_by_touching_the_seat_before_the_screen(hand: Any, views: Any) -> None:
    kept: list[ScreenPlace] = []
    hand.app._on_place = kept.append
    try:
        hand.show(views.playing())
        hand.app.sheets.open("screen")
        hand.stage.step(3)
        hand.touch("Cem")
        assert "Platz 3" in hand.app.sheets.current.title
        hand.touch("liegt flach")
        assert kept == [ScreenPlace(3), ScreenPlace(3, True)] and hand.app.place == kept[-1]
        hand.app.sheets.close()
        hand.stage.step(2)
        turned = {seat: panel.parent.rotation for seat, panel in hand.app.screen("play").panels.items()}
        assert turned == {3: 0, 4: 270, 1: 180, 2: 90}
    finally:
        hand.app.stand(ScreenPlace())
        hand.app._on_place = None


def test_panels_are_moved_with_the_screen_and_take_a_touch_once_they_were_seen(hand: Any, views: Any) -> None:
    """From the right edge to the left one: in its panel no key has moved."""
    try:
        hand.app.stand(ScreenPlace(1, True))
        hand.show(views.asking())
        play = hand.app.screen("play")
        before = dict(play.panels)
        hand.stage.wait(1.0)
        hand.app.stand(ScreenPlace(3, True))
        hand.stage.step(3)
        assert play.panels == before, "built once"
        key = next(one for one in play.panels[4].ids.key_box.walk() if getattr(one, "text", "") == "[b]gesund[/b]")
        hand.stage.lift(hand.stage.put(*hand.stage.middle_of(key)))
        assert not hand.sent, "moved under the finger"
        hand.stage.touch(key)
        assert hand.sent == [{"event": "call", "seat": 4, "call": "gesund"}]
    finally:
        hand.app.stand(ScreenPlace())


def test_who_leaves_a_table_of_five_is_drawn_no_more(hand: Any, views: Any) -> None:
    hand.show(views.five())
    play = hand.app.screen("play")
    fifth = play.panels[5]
    hand.show(views.playing())
    assert sorted(play.panels) == sorted(play.card_faces) == [1, 2, 3, 4] and fifth.get_root_window() is None
    hand.show(views.five())
    assert play.panels[5] is fifth and fifth.get_root_window() is not None

"""Of a list's rows those in view are drawn, each in its place and with its own words, wherever people scroll."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

pytestmark = pytest.mark.render

MANY = 50


def long(views: Any, games: int) -> Any:
    """A view with so many rows; every fifth has words that need two lines."""
    some = views.full_list()
    rows, lines = [], []
    for game in range(1, games + 1):
        place = 3 if game % 5 == 0 else 0  # a Damensolo, or none
        rows.append(replace(some.rows[place], game=game, void=False))
        lines.append(some.sheet.lines[place])
    return replace(some, rows=tuple(rows), sheet=replace(some.sheet, lines=tuple(lines)))


def shown(hand: Any) -> list[tuple[int, Any]]:
    """The rows with a widget on the list, by their place."""
    return sorted(hand.app.screen("list").rows.seen.items())


def check(hand: Any, measure: Any) -> None:
    """Check that each row in view shows its game in its place, and that they leave no gap."""
    screen = hand.app.screen("list")
    _, low, _, high = measure.in_window(screen.ids.scroll)
    found = shown(hand)
    assert [row.number for _, row in found] == [str(place + 1) for place, _ in found]
    assert [place for place, _ in found] == list(range(found[0][0], found[-1][0] + 1))
    boxes = [measure.in_window(row) for _, row in found]
    for (_, below, _, _), (_, y, _, height) in pairwise(boxes):
        assert y + height == pytest.approx(below, abs=0.5)
    assert boxes[0][1] + boxes[0][3] >= low + high - 1
    last = found[-1][0] == len(hand.app.view.rows) - 1
    assert last or boxes[-1][1] <= low + 1
    assert all(y + height > low - 1 and y < low + high + 1 for _, y, _, height in boxes), "what is not in view has none"


@pytest.mark.parametrize("part", [0.0, 0.13, 0.5, 0.871, 1.0])
def test_every_place_of_a_long_list_shows_its_own_rows(hand: Any, views: Any, measure: Any, part: float) -> None:
    hand.show(long(views, MANY - 1))
    hand.app.go("list")
    hand.show(long(views, MANY))
    check(hand, measure)
    assert shown(hand)[-1][0] == MANY - 1, "the newest is in view"
    hand.app.screen("list").ids.scroll.scroll_y = part
    hand.stage.step(3)
    check(hand, measure)


def test_a_long_list_has_no_more_widgets_than_a_screenful(
    hand: Any, views: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, made = hand.app.screen("list").rows, []
    make = rows._make
    monkeypatch.setattr(rows, "_make", lambda: made.append(make()) or made[-1])
    rows.forget()
    counts = []
    for games in (13, MANY, 4 * MANY):
        hand.show(long(views, games))
        hand.app.go("list")
        hand.stage.step(2)
        for part in (1.0, 0.6, 0.3, 0.0):
            rows.parent.scroll_y = part
            hand.stage.step()
        counts.append(len(made))
    assert 0 < counts[2] == counts[1] <= counts[0] + 3


def test_rows_are_made_one_a_tick_while_nobody_looks(hand: Any, views: Any) -> None:
    rows = hand.app.screen("list").rows
    rows.forget()
    hand.show(views.playing())
    hand.app.screen("list")._shown = None
    hand.app.show(long(views, MANY))
    hand.stage.step()
    hand.app.go("play")
    before = len(rows.seen)
    hand.stage.wait(0.25)
    assert len(rows.seen) <= before + 2
    hand.stage.wait(5.0, 0.2)
    assert rows.complete
    ready = dict(rows.seen)
    hand.app.go("list")
    hand.stage.step(2)
    assert rows.seen == ready, "nothing is made when it opens"


def test_a_list_that_grows_keeps_its_newest_row_in_view(hand: Any, views: Any, measure: Any) -> None:
    hand.app.show(long(views, 9))
    hand.stage.step(2)
    hand.app.go("list")
    for games in range(10, 24):
        hand.show(long(views, games))
        check(hand, measure)
        assert shown(hand)[-1][0] == games - 1


def test_a_new_round_begins_with_a_short_list(hand: Any, views: Any, measure: Any) -> None:
    hand.show(long(views, MANY))
    hand.app.go("list")
    hand.stage.step(2)
    over = views.over()
    hand.show(replace(long(views, 2), phase=over.phase, may_sign=over.may_sign, may_close=over.may_close))
    assert [place for place, _ in shown(hand)] == [0, 1]
    assert [row.number for _, row in shown(hand)] == ["1", "2"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 800), (1024, 600)], ids=str)
def test_a_list_that_has_grown_meanwhile_opens_at_its_newest_row(hand: Any, views: Any, size: tuple[int, int]) -> None:
    hand.stage.size(*size)
    try:
        for before, after in ((5, 24), (9, MANY), (2, 16)):
            hand.show(long(views, before))
            hand.app.go("list")
            hand.stage.step(4)
            hand.app.go("play")
            hand.show(long(views, after))
            hand.app.go("list")
            hand.stage.step(4)
            assert shown(hand)[-1][0] == after - 1
            hand.stage.wait(1.0)
            assert shown(hand)[-1][0] == after - 1
            hand.app.screen("list").ids.scroll.scroll_y = 0.6  # somebody looks at older ones
            hand.stage.step(2)
            hand.app.go("play")
    finally:
        hand.stage.size(800, 480)

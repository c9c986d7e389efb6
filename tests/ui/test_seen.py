"""What nobody can see is not drawn, and comes back in its place among the others."""

from collections.abc import Iterator
from typing import Any

import pytest

pytestmark = pytest.mark.render

SIGNS = 4


@pytest.fixture
def board(hand: Any) -> Iterator[Any]:
    """A board with four signs, the first lowest, on the stage."""
    from kivy.uix.floatlayout import FloatLayout
    from kivy.uix.widget import Widget

    from kiosk.ui.parts.seen import Seen

    class Sign(Seen, Widget):
        """A widget that is drawn while it can be seen."""

    board = FloatLayout()
    board.signs = [Sign() for _ in range(SIGNS)]
    for sign in board.signs:
        board.add_widget(sign)
    stage = hand.app.root.ids.stage
    stage.add_widget(board)
    hand.stage.step(2)
    yield board
    stage.remove_widget(board)


def drawn(board: Any) -> list[int]:
    """The signs on the board's canvas, lowest first."""
    canvases = [sign.canvas for sign in board.signs]
    return [canvases.index(one) for one in board.canvas.children if one in canvases]


def test_what_is_hidden_is_not_drawn_and_comes_back_in_its_place(hand: Any, board: Any) -> None:
    for before in range(2**SIGNS):
        for after in range(2**SIGNS):
            for seen in (before, after):
                for number, sign in enumerate(board.signs):
                    sign.opacity = seen >> number & 1
                hand.stage.step()
                assert drawn(board) == [number for number in range(SIGNS) if seen >> number & 1], (before, after)


def test_a_hidden_one_can_go_and_come_again(hand: Any, board: Any) -> None:
    sign = board.signs[1]
    sign.opacity = 0
    hand.stage.step()
    board.remove_widget(sign)
    sign.opacity = 1
    board.add_widget(sign)
    hand.stage.step()
    assert drawn(board) == [0, 2, 3, 1]  # once, above the others


def test_one_that_is_hidden_before_it_comes_is_never_drawn(hand: Any, board: Any) -> None:
    sign = board.signs[0]
    board.remove_widget(sign)
    sign.opacity = 0
    board.add_widget(sign)
    hand.stage.step()
    assert drawn(board) == [1, 2, 3]


def test_the_marks_of_seats_without_a_turn_are_not_drawn(hand: Any) -> None:
    from kiosk.ui.play.seat_panel import SeatMark, SeatPanel

    panel = SeatPanel(dealer=True)
    hand.app.root.ids.stage.add_widget(panel)
    try:
        hand.stage.step(2)
        marks = [one for one in panel.walk() if isinstance(one, SeatMark)]
        assert len(marks) == 4
        shown = [one for one in marks if one.canvas in one.parent.canvas.children]
        assert [type(one).__name__ for one in shown] == ["DealerMark"]
    finally:
        hand.app.root.ids.stage.remove_widget(panel)

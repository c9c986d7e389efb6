"""An Armut is named in two steps: who takes the trumps, and then how many of them come back."""

import os
from pathlib import Path
from typing import Any

import pytest

from kiosk.table.view.show import view
from tests.rules.composed.books import made
from tests.rules.composed.test_klopfen import said
from tests.rules.composed.test_ramsch import asked

pytestmark = pytest.mark.render

#: Where pictures are wanted, a folder.
_PICTURES = os.environ.get("STICHWART_PICTURES", "")


def test_first_who_takes_it_and_then_how_many_come_back(hand: Any, measure: Any) -> None:
    """Thirteen keys at once were seven pages beside the table."""
    book = made("bsv", games={"played": ["armut", "hochzeit"]}, options={"first_dealer": 4})
    state = said(
        asked(book, ()),
        *({"event": "call", "seat": seat, "call": "gesund" if seat > 1 else "vorbehalt"} for seat in (1, 2, 3, 4)),
    )
    shown = view(state)
    hand.show(shown)
    play = hand.app.screen("play")
    for step in ("declare", "taken_by_3"):
        play.unfold(1, step)
        hand.stage.wait(1.0)
        unfolded = play.of_seat(1)
        if _PICTURES:
            hand.stage.picture(Path(_PICTURES) / f"armut-{step}.png")
        if step == "declare":
            assert [face.act[0] for face in unfolded._faces if face.act[0] != "declare_as"] == [
                *("taken_by_2", "taken_by_3", "taken_by_4")
            ]
            hand.touch("Cem" if shown.seat(3).name == "Cem" else shown.seat(3).name)
            hand.stage.wait(1.0)
            assert play.of_seat(1).kind == "taken_by_3"
    assert [dict(face.act[1])["trumps"] for face in play.of_seat(1)._faces] == [0, 1, 2, 3]
    hand.sent.clear()
    hand.hold("1 Trumpf")
    assert [(one["game"], one["partner"], one["trumps"]) for one in hand.sent] == [("armut", 3, 1)]

"""What unfolds at a seat stays in the seat's own area, each key large and each word whole."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"ui_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


moments = _load("moments")

pytestmark = pytest.mark.slow


#: What unfolds at a seat: the book, the players, what happened, and at whom.
UNFOLDED = {
    "calls": ("eppstein", 4, moments.said("gesund", "gesund", "gesund", "gesund"), "calls"),
    "calls at five": ("eppstein", 5, [], "calls"),
    "calls of durchgaenge": ("durchgaenge", 4, moments.MARRIED, "said"),
    "games of eppstein": ("eppstein", 4, moments.said("vorbehalt", "vorbehalt", "vorbehalt", "vorbehalt"), "declare"),
    "games of bsv": ("bsv", 4, moments.said("vorbehalt", "gesund", "gesund", "gesund"), "declare"),
    "Rufspiel to Sie": ("schaffkopf", 4, moments.ONE_PLAYS, "declare"),
    "Rufspiel ahead": ("schaffkopf", 4, [], "declare"),
    "Muss-Spiel": ("schaffkopf", 4, moments.said("weiter", "weiter", "weiter", "weiter"), "declare"),
    "bids": ("schaffkopf", 4, moments.said("spielen", "auch", "recht", "recht"), "bid"),
    "answers": ("eppstein", 4, moments.said("gesund"), "answers"),
    "shortening": ("schaffkopf", 4, [*moments.ONE_PLAYS, moments.WENZ], "claim"),
}


@pytest.mark.parametrize("flat", [False, True], ids=["upright", "flat"])
@pytest.mark.parametrize("name", UNFOLDED)
def test_what_unfolds_stays_in_its_seats_own_area(sized: Any, name: str, flat: bool, measure: Any) -> None:
    """All seats choose at once; no choice covers another seat's keys, and every page has large ones."""
    from kiosk.ui.parts.places import ScreenPlace

    rules, players, events, kind = UNFOLDED[name]
    before = sized.app.place
    try:
        sized.app.place = ScreenPlace(flat=flat)
        sized.show(moments.of_book(rules, *events, players=players))
        play = sized.app.screen("play")
        for seat in sized.app.view.seats:
            play.unfold(seat.seat, kind)
        sized.stage.step(3)
        assert play._unfolded
        for seat, holder in play._unfolded.items():
            room = play._areas[seat].room
            x, y, width, height = measure.in_window(holder.content)
            x0, y0 = play.ids.area.to_window(room.x, room.y)
            assert x >= x0 - 1 and x + width <= x0 + room.width + 1, seat
            assert y >= y0 - 1 and y + height <= y0 + room.height + 1, seat
            seen: set[Any] = set()
            for _ in range(9):
                keys = holder.content.ids.choices.children
                new = {key.meaning for key in keys} - seen
                if not new:  # the first page again
                    break
                measure.check(holder)
                seen |= new
                turn = next((key for key in keys if key.meaning == ("page",)), None)
                if turn is None:
                    break
                sized.stage.touch(turn)
            assert len(seen - {("page",), ("close",)}) == len(holder.content._faces), "every choice is on some page"
    finally:
        for seat in list(play._unfolded):
            play.fold(seat)
        sized.app.place = before

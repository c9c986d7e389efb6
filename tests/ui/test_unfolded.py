"""What unfolds at a seat stays in the seat's own area, each key large and each word whole."""

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import open_round
from kiosk.table.view.show import view
from kiosk.table.view.table_view import TableView


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


@pytest.mark.parametrize("name", UNFOLDED)
@pytest.mark.parametrize("flat", [False, True], ids=["upright", "flat"])
def test_what_unfolds_stays_in_its_seats_own_area(sized: Any, name: str, flat: bool, measure: Any) -> None:
    """All seats choose at once; no choice covers another seat's keys, and every page has large ones."""
    rules, players, events, kind = UNFOLDED[name]
    assert sized.app.place.flat == flat
    try:
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
            check_pages(sized.stage, holder, measure.check)
    finally:
        for seat in list(play._unfolded):
            play.fold(seat)


def check_pages(stage: Any, holder: Any, check: Callable[[Any], None]) -> None:
    """Check each page of what has unfolded; every choice is on one."""
    seen: set[Any] = set()
    for _ in range(9):
        keys = holder.content.ids.choices.children
        new = {key.meaning for key in keys} - seen
        if not new:  # the first page again
            break
        check(holder)
        seen |= new
        turn = next((key for key in keys if key.meaning == ("page",)), None)
        if turn is None:
            break
        holder.content._turn()
        stage.step(2)
    assert len(seen - {("page",), ("close",)}) == len(holder.content._faces), "every choice is on some page"


@cache
def choosing(rules: str) -> tuple[TableView, ...]:
    """Of a simulated round the first moment of each phase, and with a call just made that another may share."""
    folded, found = None, {}
    for event in map(decode, simulate(rules, 7, 2, players=max(BOOKS[rules].tables))):
        folded = open_round(event) if folded is None else folded.apply(event)
        shown = view(folded)
        people = tuple(replace(seat, name=name) for seat, name in zip(shown.seats, moments.LONG_NAMES, strict=False))
        found.setdefault((shown.phase, shown.together and shown.together[1]), replace(shown, seats=people))
    return tuple(shown for (phase, _), shown in found.items() if phase not in ("waiting", "dealing", "over"))


@pytest.mark.parametrize("rules", BOOKS)
def test_everything_is_whole_while_all_seats_choose_at_once(spoken: Any, rules: str, measure: Any) -> None:
    """Long names and a call that two may have made at once (eppstein 5.5.7) included, at as many seats as there are."""
    from kiosk.ui.play.choices import CHOICES

    def whole(root: Any) -> None:
        measure.check_whole(root)
        measure.check_type(root)
        measure.check_targets(root)

    play, unfolded, paged, looked_at = spoken.app.screen("play"), set(), set(), set()
    for shown in choosing(rules):
        spoken.show(shown)
        spoken.app.go("play")
        for kind in CHOICES:
            offered = kind, *(CHOICES[kind](spoken.app, seat, shown) for seat in shown.seats)
            if offered in looked_at:
                continue  # all seats choose the same as a moment before
            looked_at.add(offered)
            for seat in shown.seats:
                play.unfold(seat.seat, kind)
            if not play._unfolded:
                continue
            unfolded.add(kind)
            spoken.stage.step(2)
            measure.check_whole(spoken.app.root)
            for seat, holder in list(play._unfolded.items()):
                looks = kind, seat, holder.content._faces, *holder.content.size
                if looks not in paged:  # by a moment before
                    paged.add(looks)
                    check_pages(spoken.stage, holder, whole)
                play.fold(seat)
    assert {"answers", "said", "calls"} <= unfolded or {"answers", "declare", "claim"} <= unfolded

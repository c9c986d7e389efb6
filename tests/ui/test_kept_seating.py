"""What is written and chosen before people sit down outlives the program, and comes back only if people say so."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.render

NAMES = ("Anna", "Bernd", "", "")


def again(hand: Any, folder: Path) -> Any:
    """The program after a power cut: what it keeps is read anew from its folder."""
    from kiosk.app.kept_seating import KeptSeating

    hand.app.kept_seating = KeptSeating(folder)
    if hand.app.kept_seating.written:
        hand.app.sheets.open("old_names")
    hand.stage.wait(0.6)
    return hand.app.screen("seats")


@pytest.fixture
def seats(hand: Any, tmp_path: Path) -> Any:
    screen = again(hand, tmp_path)
    screen.put(1, "Anna")
    screen.put(2, "Bernd")
    screen.names = [""] * 4  # the power goes
    yield again(hand, tmp_path)
    hand.app.kept_seating = None
    hand.app.sheets.close()


def test_they_are_asked_for_and_come_back(hand: Any, seats: Any, tmp_path: Path) -> None:
    assert seats.names == [""] * 4, "nobody is sat down without being asked"
    assert hand.app.sheets.current.names == "Anna\nBernd"
    hand.touch("Ja, wieder so")
    assert tuple(seats.names) == NAMES
    again(hand, tmp_path)
    assert hand.app.kept_seating.written.names == NAMES, "another power cut takes none away"


def test_others_have_come(hand: Any, seats: Any, tmp_path: Path) -> None:
    hand.touch("Nein, neu anfangen")
    assert seats.names == [""] * 4
    again(hand, tmp_path)
    assert hand.app.kept_seating.written.names == () and hand.app.sheets.current is None


def test_a_round_that_has_begun_needs_them_no_more(hand: Any, seats: Any, tmp_path: Path, views: Any) -> None:
    hand.show(views.playing())
    assert hand.app.sheets.current is None
    again(hand, tmp_path)
    assert hand.app.kept_seating.written.names == ()


@pytest.fixture
def alone(hand: Any, seats: Any, tmp_path: Path) -> Any:
    """A table that nobody directs, with every book to choose from."""
    from kiosk.rules.books import BOOKS
    from kiosk.ui import SeatsView

    before = hand.app.seating
    hand.app.kept_seating.keep(type(hand.app.kept_seating.written)())
    hand.app.sheets.close()
    hand.app.sit_down(SeatsView(alone=True, books=tuple((name, book.title) for name, book in BOOKS.items())))
    hand.stage.step(2)
    yield hand
    hand.app.sit_down(before)
    hand.stage.step(2)


def cut_the_power(hand: Any, folder: Path) -> Any:
    """Begin as the program does: with the seats as the table has them, and what is kept."""
    hand.app.screen("seats").take(hand.app.seating)
    return again(hand, folder)


def test_book_and_options_are_asked_for_and_come_back(alone: Any, tmp_path: Path) -> None:
    screen = alone.app.screen("seats")
    while screen.rules != "bsv":
        screen.next_book()
    alone.app.sheets.open("options")
    sheet = alone.app.sheets.current
    name = next(row.name for row in sheet._rows if row.there)
    sheet.step(name, 1)
    chosen = dict(screen.options)
    assert chosen
    cut_the_power(alone, tmp_path)
    assert (screen.rules, screen.options) == ("eppstein", {}), "nothing is taken without being asked"
    assert alone.app.sheets.current.title == "Das war hier schon eingestellt"
    assert alone.app.sheets.current.chosen == "BSV · 1 geändert"
    alone.touch("Ja, wieder so")
    assert (screen.rules, screen.options) == ("bsv", chosen)
    cut_the_power(alone, tmp_path)
    alone.touch("Ja, wieder so")
    assert (screen.rules, screen.options) == ("bsv", chosen), "another power cut takes nothing away"


def test_names_and_book_come_back_together(alone: Any, tmp_path: Path) -> None:
    screen = alone.app.screen("seats")
    screen.next_book()
    rules = screen.rules
    screen.put(1, "Anna")
    cut_the_power(alone, tmp_path)
    alone.touch("Ja, wieder so")
    assert (screen.rules, screen.names[0]) == (rules, "Anna")


def test_the_directions_book_is_not_replaced(alone: Any, tmp_path: Path) -> None:
    screen = alone.app.screen("seats")
    screen.next_book()
    screen.put(1, "Anna")
    written = alone.app.kept_seating.written
    alone.app.seating = replace(alone.app.seating, tournament="Turnier", alone=False)
    try:
        cut_the_power(alone, tmp_path)
        assert alone.app.sheets.current.chosen == ""
        alone.touch("Ja, wieder so")
        assert written.rules != screen.rules == "eppstein" and screen.names[0] == "Anna"
    finally:
        alone.app.seating = alone.app.own_seating


def test_what_the_table_begins_with_is_not_kept(alone: Any, tmp_path: Path) -> None:
    screen = alone.app.screen("seats")
    screen.next_book()
    while screen.rules != "eppstein":
        screen.next_book()
    cut_the_power(alone, tmp_path)
    assert alone.app.sheets.current is None


@pytest.mark.parametrize(
    ("content", "rules", "options"),
    [
        ({"rules": "bsv", "options": {}}, "bsv", {}),
        ({"rules": "whist", "options": {}}, "", {}),
        ({"rules": "bsv", "options": {"no_such_option": 1}}, "bsv", {}),
        ({"rules": "bsv", "options": [1]}, "", {}),
        (["Anna", "", "", ""], "", {}),
    ],
    ids=["book", "no book", "no option", "no options", "a file of before"],
)
def test_a_book_that_is_not_known_any_more_is_left_out(
    tmp_path: Path, content: Any, rules: str, options: dict[str, Any]
) -> None:
    from kiosk.app.kept_seating import KEPT, KeptSeating

    (tmp_path / KEPT).write_text(json.dumps(content))
    written = KeptSeating(tmp_path).written
    assert (written.rules, written.options) == (rules, options)
    assert written.names == (tuple(content) if isinstance(content, list) else ())


@pytest.mark.parametrize("text", ["", "{", "[1, 2, 3, 4]", "null", '["A"]'])
def test_a_torn_file_is_no_names(tmp_path: Path, text: str) -> None:
    from kiosk.app.kept_seating import KEPT, KeptSeating

    (tmp_path / KEPT).write_text(text)
    assert KeptSeating(tmp_path).written.names == ()

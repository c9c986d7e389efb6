"""Names written before people sit down outlive the program, and come back only if people say so."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.render

NAMES = ("Anna", "Bernd", "", "")


def again(hand: Any, folder: Path) -> Any:
    """The program after a power cut: what it keeps is read anew from its folder."""
    from kiosk.app.kept_names import KeptNames

    hand.app.kept_names = KeptNames(folder)
    if hand.app.kept_names.names:
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
    hand.app.kept_names = None
    hand.app.sheets.close()


def test_they_are_asked_for_and_come_back(hand: Any, seats: Any, tmp_path: Path) -> None:
    assert seats.names == [""] * 4, "nobody is sat down without being asked"
    assert hand.app.sheets.current.names == "Anna\nBernd"
    hand.touch("Ja, dieselben")
    assert tuple(seats.names) == NAMES
    again(hand, tmp_path)
    assert hand.app.kept_names.names == NAMES, "another power cut takes none away"


def test_others_have_come(hand: Any, seats: Any, tmp_path: Path) -> None:
    hand.touch("Nein, andere")
    assert seats.names == [""] * 4
    again(hand, tmp_path)
    assert hand.app.kept_names.names == () and hand.app.sheets.current is None


def test_a_round_that_has_begun_needs_them_no_more(hand: Any, seats: Any, tmp_path: Path, views: Any) -> None:
    hand.show(views.playing())
    assert hand.app.sheets.current is None
    again(hand, tmp_path)
    assert hand.app.kept_names.names == ()


@pytest.mark.parametrize("text", ["", "{", "[1, 2, 3, 4]", "null", '["A"]'])
def test_a_torn_file_is_no_names(tmp_path: Path, text: str) -> None:
    from kiosk.app.kept_names import KEPT, KeptNames

    (tmp_path / KEPT).write_text(text)
    assert KeptNames(tmp_path).names == ()

"""The demo from its first card to its verdict, through pixels, line and director."""

from typing import Any

import pytest

from kiosk.demo.demo_table import Demo, DemoTable
from kiosk.demo.run import run
from kiosk.errors import KioskError

pytestmark = pytest.mark.slow


def test_a_schafkopf_game_on_the_bavarian_deck(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(Demo(rules="schaffkopf", seed=9, games=1, headless=True, jpeg=90)) == 0
    said = capsys.readouterr().out
    assert "deck stichwart-bavarian" in said and "rows 1, rows wrong 0" in said and "requests refused 0" in said


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ({"light": "moon"}, "no light 'moon'; choose one of .*lamp"),
        ({"wear": "torn"}, "no wear 'torn'; choose one of .*old"),
        ({"jpeg": 0}, "no JPEG quality 0; choose one from 1 to 100"),
        ({"jpeg": 101}, "no JPEG quality 101"),
    ],
    ids=["light", "wear", "too low a quality", "too high a quality"],
)
def test_what_there_is_not_is_refused_with_what_there_is(named: dict[str, Any], says: str) -> None:
    with pytest.raises(KioskError, match=says):
        DemoTable(Demo(headless=True, **named))

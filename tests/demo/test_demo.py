"""What the demo refuses; a game of it, through pixels, line and director, is played in ``tests/test_cli.py``."""

from typing import Any

import pytest

from kiosk.demo.demo_table import Demo, DemoTable
from kiosk.errors import KioskError

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ({"light": "moon"}, "no light 'moon'; choose one of .*lamp"),
        ({"wear": "torn"}, "no wear 'torn'; choose one of .*old"),
        ({"jpeg": 0}, "no JPEG quality 0; choose one from 1 to 100"),
        ({"jpeg": 101}, "no JPEG quality 101"),
        ({"fps": 0.0}, "no camera with 0 pictures a second; choose 5 to 60"),
    ],
    ids=["light", "wear", "too low a quality", "too high a quality", "no pictures"],
)
def test_what_there_is_not_is_refused_with_what_there_is(named: dict[str, Any], says: str) -> None:
    with pytest.raises(KioskError, match=says):
        DemoTable(Demo(headless=True, **named))

"""The playing time of a table: the book's, or what the direction set when it was opened."""

import pytest

from kiosk.table.log import MemoryLog
from kiosk.table.table import Table

OPENING = {
    "event": "open",
    "format": 1,
    "rules": "eppstein",
    "table": 7,
    "round": 1,
    "players": ["A", "B", "C", "D"],
}


@pytest.mark.parametrize(
    ("opening", "minutes"), [(OPENING, 120), ({**OPENING, "minutes": 90}, 90)], ids=["book", "own"]
)
def test_playing_time(opening, minutes):
    log = MemoryLog()
    table = Table(log, now=0.0, opening=opening, boot="a")
    assert table.view(0.0).clock.remaining == 60 * minutes
    table.order({"event": "release"}, 10.0)
    assert table.view(70.0).clock.remaining == 60 * minutes - 60
    again = Table(log, now=100.0, opening=None, boot="a")
    assert again.view(100.0).clock.remaining == 60 * minutes - 90

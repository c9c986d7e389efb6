"""How long games take at a table: from the release to the end of the last one, by its own clock."""

import pytest

from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.pace import pace

MINUTE = 60_000
OPEN = {"event": "open", "format": 1, "rules": "bsv", "table": 1, "round": 1, "players": list("ABCD"), "at": 0}
RELEASE = {"event": "release", "at": 10 * MINUTE}


def game(begins: int, ends: int) -> list[dict]:
    """A game, ended by a ruling; times in minutes."""
    ruling = {"event": "rule", "offender": 1, "class": "custom", "scores": {}, "at": ends * MINUTE}
    return [{"event": "deal", "dealer": 1, "at": begins * MINUTE}, ruling]


DEAL = {"event": "deal", "dealer": 1, "at": 40 * MINUTE}
SIGN = {"event": "sign", "seat": 1, "at": 50 * MINUTE}


@pytest.mark.parametrize(
    ("events", "games", "minutes"),
    [
        pytest.param([], 0, None, id="not released"),
        pytest.param([RELEASE, DEAL], 0, None, id="the first in play"),
        pytest.param([RELEASE, *game(11, 16)], 1, 6, id="one"),
        pytest.param([RELEASE, *game(11, 16), *game(17, 30)], 2, 10, id="two"),
        pytest.param([RELEASE, *game(11, 16), *game(17, 30), DEAL], 2, 10, id="the third in play"),
        pytest.param([RELEASE, *game(11, 16), *game(17, 30), SIGN], 2, 10, id="signing is no game"),
    ],
)
def test_what_a_game_takes(events, games, minutes):
    taken = pace(fold(map(decode, [OPEN, *events])))
    assert taken.games == games
    assert taken.game_ms == (None if minutes is None else minutes * MINUTE)


def test_a_file_without_times_has_none():
    bare = [{key: value for key, value in event.items() if key != "at"} for event in (OPEN, RELEASE, *game(1, 2))]
    assert pace(fold(map(decode, bare))).game_ms is None

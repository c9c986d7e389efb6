"""The playing time of a table: the book's, or what the direction set when it was opened."""

import pytest

from kiosk.errors import BadEvent
from kiosk.table.events.codec import decode, decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.round.fold import fold
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
    table = Table(log, now=0.0, opening=decode_opening(opening), boot="a")
    assert table.view(0.0).clock.remaining == 60 * minutes
    table.order(decode_request({"event": "release"}), 10.0)
    assert table.view(70.0).clock.remaining == 60 * minutes - 60
    again = Table(log, now=100.0, opening=None, boot="a")
    assert again.view(100.0).clock.remaining == 60 * minutes - 90


def playing(*events, rules="eppstein", players=("A", "B", "C", "D")):
    return fold(map(decode, [{**OPENING, "rules": rules, "players": list(players)}, {"event": "release"}, *events]))


REKLAMATION = [{"event": "deal", "dealer": 1}, {"event": "object", "seat": 3, "against": 2}]
GIVEN = {"event": "rule", "offender": None, "class": "none", "minutes": 5, "answers": False}


def test_nachspielzeit_of_the_direction_leaves_a_reklamation_standing():
    """bsv 9.6, eppstein 8.8.5: play rests until the referee has ruled; time is given meanwhile."""
    resting = playing(*REKLAMATION, {"event": "time_up"}, GIVEN)
    assert resting.game.objection is not None and resting.extra_minutes == 5 and not resting.time_up
    ruled = resting.apply(decode({"event": "rule", "offender": None, "class": "none"}))
    assert ruled.game.objection is None and ruled.extra_minutes == 5


def test_nachspielzeit_is_given_at_any_time():
    assert playing(GIVEN).extra_minutes == 5  # before the first deal, too
    for broken in ({"minutes": 0}, {"class": "minor", "offender": 1}, {"minutes": None}):
        with pytest.raises(BadEvent, match="gives minutes"):
            playing({**GIVEN, **broken})


def test_nachspielzeit_extends_the_clock_while_play_rests():
    table = Table(MemoryLog(), now=0.0, opening=decode_opening({**OPENING, "minutes": 90}), boot="a")
    for event in ({"event": "release"}, *REKLAMATION):
        table.note(decode(event))
    table.order(decode_request({**GIVEN, "order_number": 1}), 60.0)
    assert table.view(60.0).clock.remaining == 94 * 60
    assert table.view(60.0).objection is not None

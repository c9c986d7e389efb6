"""What the championship is made of: its people, what is played at its tables, and that its checks can fail."""

from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from kiosk.bench.championship.checks import wrong_places
from kiosk.bench.championship.plan import SUBSTITUTES, Plan
from kiosk.bench.championship.play import done_at_table, played, rows_of
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import open_round

pytestmark = pytest.mark.slow

PLAN = Plan(tables=2, paper=0)
POINTS = {"Anna Ackermann": 9, "Bernd Ackermann": 9, "Çelik Ackermann": -4}


def test_there_is_a_player_for_each_seat_and_nobody_has_anothers_name():
    plan = Plan()
    assert (len(plan.players), len(plan.substitutes), len(plan.kiosks)) == (120, SUBSTITUTES, 26)
    assert len({one.name for one in plan.entrants}) == len(plan.entrants)
    assert plan.csv().decode("cp1252").count("\r\n") == len(plan.entrants) + 1


def test_at_a_table_nobody_is_asked_where_somebody_is_vorgefuehrt():
    opening = {
        "event": "open",
        "format": 1,
        "rules": "eppstein",
        "table": 1,
        "round": 1,
        "players": ["A", "B", "C", "D"],
    }
    events = played(opening)
    done = done_at_table(events)
    assert len(done) < len(events)  # these people were asked, in the script
    round_ = open_round(decode(done[0]))
    for event in done[1:]:
        assert event["event"] != "call" or round_.must_play is None
        round_ = round_.apply(decode(event))
    assert rows_of(done) == rows_of(events)


def place(name: str, place: int | None, points: int) -> dict[str, Any]:
    return {"name": name, "place": place, "points": points}


RIGHT = [place("Anna Ackermann", 1, 9), place("Bernd Ackermann", 1, 9), place("Çelik Ackermann", 3, -4)]


@pytest.mark.parametrize(
    ("places", "disqualified", "wrong"),
    [
        pytest.param(RIGHT, [], "", id="right"),
        pytest.param([*RIGHT[:2], place("Çelik Ackermann", 3, -3)], [], "-3 points", id="points"),
        pytest.param([RIGHT[0], place("Bernd Ackermann", 2, 9), RIGHT[2]], [], "place 2", id="place"),
        pytest.param(RIGHT[:2], [], "not in the standing", id="missing"),
        pytest.param(RIGHT, ["Bernd Ackermann"], "has a place", id="disqualified"),
        pytest.param([*RIGHT, place(PLAN.stays_away, 4, 0)], [], "never came", id="a ghost"),
    ],
)
def test_a_standing_that_is_not_what_was_played_is_a_fault(places, disqualified, wrong):
    told = {"final": True, "not_closed": [], "places": places}
    points = {name: points for name, points in POINTS.items() if name != PLAN.stays_away}
    found = list(wrong_places(PLAN, told, points, disqualified))
    assert (wrong in " ".join(found)) if wrong else found == []

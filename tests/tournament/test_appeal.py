"""A tournament that is over: what is put right then, until when a referee may, and what becomes of the standing."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.berichtigung import CLOSED
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.scoresheet.written import as_text
from kiosk.tournament import tally
from kiosk.tournament.berichtigung import mend_note
from kiosk.tournament.ranking import standing_text
from kiosk.tournament.tournament import Tournament, begin

PEOPLE = ("Anna", "Bernd", "Cem", "Dora")
ENDED = 1_790_000_500_000


@cache
def written(rules: str, round_: int = 1, *, closed: bool = True) -> Round:
    events = list(simulate(rules, 5, table=1, round_number=round_, games=2))
    events[0] |= {"players": list(PEOPLE), "at": 1_790_000_000_000}
    end = [{"event": "close", "at": ENDED}] if closed else []
    return fold(map(decode, [*events, *end]))


def one_round(rules: str, **options: Any) -> Tournament:
    return begin("t", rules=rules, rounds=1, options=options)


def mended(start: Tournament, round_: Round, at: int, what: str = "points", **wish: Any) -> Tournament:
    of_list = start.lists.get((1, 1), ())
    listed = tally.counted_list(start, round_)
    order = {"what": what, "reason": "verrechnet", "seen": len(of_list), **wish}
    return start.after(mend_note(listed, of_list, order, late=wish.get("late", False)), at, len(of_list))


def score(*points: int) -> dict[str, int]:
    return {str(seat): number for seat, number in enumerate(points, start=1)}


@pytest.mark.parametrize("rules", sorted(BOOKS))
def test_a_standing_put_right_after_the_end_says_so_and_whose_places_moved(rules):
    start, round_ = one_round(rules), written(rules)
    before = tally.standing(start, [round_], [])
    assert before["final"] and before["corrected"] is None
    last = next(one["name"] for one in reversed(before["places"]))
    seat = PEOPLE.index(last) + 1
    after = mended(
        start, round_, ENDED + 60_000, game=1, after=score(*(500 if one == seat else 0 for one in range(1, 5)))
    )
    now = tally.standing(after, [round_], [])
    assert now["final"] and now["places"][0]["name"] == last
    assert now["corrected"]["lists"] == [{"round": 1, "table": 1}] and now["corrected"]["at"] == ENDED + 60_000
    moved = {one["name"]: (one["before"], one["now"]) for one in now["corrected"]["places"]}
    places = {one["name"]: one["place"] for one in before["places"]}
    assert moved[last] == (places[last], 1)
    assert all(was != then for was, then in moved.values())
    assert "Berichtigt am" in standing_text(now) and f"{last} 1. (vorher {places[last]}.)" in standing_text(now)


def test_what_was_put_right_before_the_end_is_no_news():
    start, round_ = one_round("eppstein"), written("eppstein")
    during = mended(start, round_, ENDED - 1, game=1, after=score(50, 0, 0, 0))
    assert tally.standing(during, [round_], [])["corrected"] is None
    name = mended(start, round_, ENDED + 1, "name", seat=1, after="Anne")
    told = tally.standing(name, [round_], [])["corrected"]
    assert told is not None and "Berichtigt am" in standing_text(tally.standing(name, [round_], []))


@pytest.mark.parametrize("rules", sorted(BOOKS))
@pytest.mark.parametrize(
    ("minutes", "rounds", "closed", "over"),
    [
        pytest.param(0, 1, True, None, id="no limit"),
        pytest.param(30, 1, True, ENDED + 30 * 60_000, id="half an hour"),
        pytest.param(30, 2, True, None, id="a round is to come"),
        pytest.param(30, 1, False, None, id="a list is open"),
    ],
)
def test_the_time_for_objections_begins_with_the_last_list(rules, minutes, rounds, closed, over):
    start = begin("t", rules=rules, rounds=rounds, options={"appeal_minutes": minutes})
    assert tally.appeal_over_ms(start, [written(rules, closed=closed)]) == over


def test_a_list_opened_again_has_the_time_for_objections_run_no_more():
    start, round_ = one_round("bsv", appeal_minutes=30), written("bsv")
    opened = mended(start, round_, ENDED + 5, "reopen")
    assert tally.appeal_over_ms(opened, [round_]) is None
    of_list = opened.lists[(1, 1)]
    again = opened.after({**of_list[0].body, "note": CLOSED}, ENDED + 50_000, 2)
    assert tally.appeal_over_ms(again, [round_]) == ENDED + 30 * 60_000


def test_what_the_direction_puts_right_late_says_so():
    start, round_ = one_round("bsv", appeal_minutes=30), written("bsv")
    after = mended(start, round_, ENDED + 9_999_999, "strike", game=1, late=True)
    assert "nach der Einspruchsfrist" in as_text(list_data(tally.counted_list(after, round_)))
    soon = mended(replace(start), round_, ENDED + 1, "strike", game=1)
    assert "Einspruchsfrist" not in as_text(list_data(tally.counted_list(soon, round_)))

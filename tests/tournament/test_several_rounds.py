"""Standings over several rounds: after each of them, by two books, and with a final whose players come first."""

import pytest

from kiosk.demo.play import simulate
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.tournament.people import Person
from kiosk.tournament.tally import rounds_of, standing
from kiosk.tournament.tournament import begin

EIGHT = [f"P{i}" for i in range(8)]
AT = 1_795_186_800_000

pytestmark = pytest.mark.slow


def listed(book, seed, round_, table, players):
    """A whole list of a table."""
    events = [dict(one) for one in simulate(book, seed, table=table, round_number=round_, options=None)]
    events[0]["players"] = list(players)
    return fold([decode(one) for one in events])


@pytest.fixture(scope="module")
def played():
    """Two rounds of two tables: the first by eppstein, the second by durchgaenge, in other company."""
    return [
        listed("eppstein", 1, 1, 1, EIGHT[:4]),
        listed("eppstein", 2, 1, 2, EIGHT[4:]),
        listed("durchgaenge", 3, 2, 1, EIGHT[::2]),
        listed("durchgaenge", 4, 2, 2, EIGHT[1::2]),
    ]


def evening(*notes):
    made = begin("t", rules="eppstein", people=[Person(name=name) for name in EIGHT])
    for note in notes:
        made = made.after(note, AT)
    return made


TWO_BOOKS = {"note": "programme", "rounds": [{"kind": "lot"}, {"kind": "lot", "rules": "durchgaenge"}]}


def points(data):
    return {one["name"]: one["points"] for one in data["places"]}


def test_a_round_by_another_book_counts_where_the_programme_has_it(played):
    without, with_ = standing(evening(), played, []), standing(evening(TWO_BOOKS), played, [])
    assert len(without["other_books"]) == 2 and with_["other_books"] == []
    assert [len(part) for part in rounds_of(evening(TWO_BOOKS), played)[1:]] == [4, 0]
    own = {one.players[seat - 1]: (one, seat) for one in played[2:] for seat in one.seats}
    for name, sum_ in points(with_).items():
        one, seat = own[name]
        assert sum_ == points(without)[name] + one.totals[seat]
    assert with_["final"] and with_["of_rounds"] == 2


def test_the_standing_after_a_round_is_what_it_was_then(played):
    made = evening(TWO_BOOKS)
    after, then = standing(made, played, [], 1), standing(made, played[:2], [])
    assert points(after) == points(then) and after["rounds"] == [1] and after["after"] == 1
    assert after["final"] and not then["final"]  # of this round nothing is open, of the evening a round is
    assert points(standing(made, played, [])) != points(after)


def test_finalists_come_before_all_others_whatever_their_points(played):
    first = standing(evening(TWO_BOOKS), played, [])["places"]
    last = [one["name"] for one in first][-4:]
    draw = {"note": "draw", "round": 2, "kind": "final", "finalists": last,
            "seats": {"1": last, "2": [name for name in EIGHT if name not in last]}}  # fmt: skip
    drawn = evening(TWO_BOOKS, draw)
    assert points(standing(drawn, played, [])) == {one["name"]: one["points"] for one in first}
    assert [one["finalist"] for one in standing(drawn, played, [])["places"]] == [False] * 8  # the tables lack the plan
    sent = standing(drawn.after({"note": "publish", "round": 2}, AT), played, [])["places"]
    assert [one["name"] for one in sent][:4] == last and [one["finalist"] for one in sent] == [True] * 4 + [False] * 4
    assert [one["place"] for one in sent][:1] == [1] and sent[4]["place"] == 5
    renamed = drawn.after({"note": "publish", "round": 2}, AT).after(
        {"note": "rename", "name": last[0], "to": "Neu"}, AT
    )
    assert "Neu" in renamed.finalists()

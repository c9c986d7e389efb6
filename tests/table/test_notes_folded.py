"""The direction's notes on a list, one by one: what each changes, what is refused in which words, what fits no more."""

from typing import Any

import pytest

from kiosk.table.scoresheet.berichtigung import (
    ListNote,
    counted,
    note_data,
    notes_told,
    replayed,
    step,
)
from kiosk.table.scoresheet.counted import Apart, CountedList, Mend, as_written
from tests.table.noted_lists import NAMES, OPENED, by_seat, empty, mend, note, refusal, row, typed, written

# as it goes to its table


def test_a_note_comes_back_as_it_was_told() -> None:
    one = note(3, note="paper", of=None)
    assert note_data(one) == {"number": 3, "at": 9, "body": {"note": "paper", "of": None}}
    assert notes_told([note_data(one), note_data(one)]) == (one, one)


@pytest.mark.parametrize(
    "told",
    [
        None,
        {},
        "note",
        [7],
        [{"number": "3", "at": 9, "body": {}}],
        [{"number": True, "at": 9, "body": {}}],
        [{"number": 3, "at": None, "body": {}}],
        [{"number": 3, "at": 9, "body": []}],
        [{"number": 3, "at": 9}],
    ],
    ids=str,
)
def test_what_is_no_note_is_left_out(told: object) -> None:
    assert notes_told(told) == ()
    if isinstance(told, list):
        good = note(4)
        assert notes_told([*told, note_data(good)]) == (good,)


# what fits no more, and which row is meant


def test_a_note_of_another_list_is_passed_over_and_no_footnote() -> None:
    found = replayed(written(), [mend("reopen", of=OPENED + 1), row(3, 1, 1, -1, -1, number=2)])
    assert found.passed == (7, 2) and found.listed == as_written(written()) and found.touched == {}


def test_a_berichtigung_that_fits_no_more_is_told_below_the_list() -> None:
    gone = mend("points", game=9, after=by_seat(1, 1, -1, -1), before=by_seat(0, 0, 0, 0))
    found = replayed(written(), [gone])
    (lapsed,) = found.listed.lapsed
    assert (lapsed.number, lapsed.what, lapsed.found, lapsed.game) == (7, "points", None, 9)
    assert found.passed == (7,) and found.listed.rows == as_written(written()).rows and found.touched == {}


def test_a_row_on_paper_that_fits_no_more_is_no_berichtigung() -> None:
    found = replayed(empty(), [row(2, 1, 1, -1, -1)])
    assert found.passed == (0,) and found.listed.lapsed == ()


@pytest.mark.parametrize(
    ("one", "touched"),
    [
        pytest.param(
            mend("points", game=2, after=by_seat(4, 4, -4, -4)), {7: ("table", 2)}, id="the row of its number"
        ),
        pytest.param(mend("strike", game=1), {7: ("table", 1)}, id="another"),
        pytest.param(mend("name", seat=1, after="Ada"), {}, id="none"),
        pytest.param(mend("row", game=3, after={"score": by_seat(1, 1, -1, -1)}), {}, id="one that it makes"),
        pytest.param(
            mend("row", game=2, insert=True, after={"score": by_seat(1, 1, -1, -1)}),
            {},
            id="one before which it is put",
        ),
    ],
)
def test_which_row_a_note_changes(one: ListNote, touched: dict[int, Any]) -> None:
    found = replayed(written(), [one])
    assert found.touched == touched and found.passed == ()


# the footnote


def test_a_footnote_says_all_that_was_noted() -> None:
    before, after = by_seat(0, 3, 3, -6), by_seat(0, 4, 4, -8)
    said = {"reason": "verrechnet", "section": "bsv 7.3", "actor": "Eva", "late": True}
    one = mend("points", game=1, seat=2, before=before, after=after, **said)
    expected = Mend(number=7, what="points", game=1, seat=2, before=before, after=after, at=9, found=None, **said)
    assert counted(written(), [one]).mends == (expected,)


def test_a_footnote_of_a_note_that_says_next_to_nothing() -> None:
    assert counted(written(), [mend("reopen")]).mends == (
        Mend(
            number=7, what="reopen", game=None, seat=None, before=None, after=None, reason="", section="", actor="",
            at=9, late=False, found=None,
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("one", "found"),
    [
        pytest.param(mend("points", game=1, after=by_seat(0, 4, 4, -8)), None, id="not said"),
        pytest.param(
            mend("points", game=1, after=by_seat(0, 4, 4, -8), before=by_seat(0, 3, 3, -6)), None, id="as it stands"
        ),
        pytest.param(
            mend("points", game=1, after=by_seat(0, 4, 4, -8), before=by_seat(1, 2, 3, -6)),
            by_seat(0, 3, 3, -6),
            id="points",
        ),
        pytest.param(mend("strike", game=2, before=by_seat(1, 2, 3, -6)), by_seat(5, 0, -5, 0), id="struck"),
        pytest.param(mend("name", game=2, seat=1, after="Ada", before="Anna"), None, id="a name"),
        pytest.param(
            mend("row", game=3, after={"score": by_seat(1, 1, -1, -1)}, before=by_seat(1, 2, 3, -6)), None, id="no row"
        ),
    ],
)
def test_what_the_list_said_when_it_was_not_what_the_direction_had_seen(one: ListNote, found: Any) -> None:
    (footnote,) = counted(written(), [one]).mends
    assert footnote.found == found


# what each does


def test_photograph_paper_and_end() -> None:
    listed = as_written(empty())
    assert not listed.paper and not listed.closed
    assert step(step(listed, note(note="photo", photo=4)), note(note="photo", photo="5")).photos == (4, 5)
    assert step(listed, note(note="paper")) == CountedList(
        written=empty(),
        players=NAMES[:4],
        rows=(),
        substitutes=frozenset(),
        signed=frozenset(),
        closed=False,
        paper=True,
    )
    closed = step(listed, note(note="list_closed"))
    assert closed.closed and closed.signed == {1, 2, 3, 4} and not closed.paper


def test_points_put_right() -> None:
    after = step(as_written(written()), mend("points", game=1, after=by_seat(-9, 3, 3, 3)))
    assert after.rows[0].score == {1: -9, 2: 3, 3: 3, 4: 3} and after.rows[0].won == {2, 3, 4}
    assert after.rows[0].total == {1: -9, 2: 3, 3: 3, 4: 3} and after.rows[0].points == 3
    assert after.rows[1].total == {1: -4, 2: 3, 3: -2, 4: 3} and after.totals == dict(after.rows[1].total)


def test_a_game_struck() -> None:
    after = step(as_written(written()), mend("strike", game=1))
    first = after.rows[0]
    assert (first.score, first.won, first.struck, first.void) == (
        dict.fromkeys((1, 2, 3, 4), 0),
        frozenset(),
        True,
        True,
    )
    assert after.totals == {1: 5, 2: 0, 3: -5, 4: 0}
    for again in (mend("strike", game=1), mend("points", game=1, after=by_seat(1, 1, -1, -1))):
        assert refusal(after, again) == ("struck_already", "game 1 is struck already", {"game": 1})


def test_seats_changed_take_the_substitute_with_them() -> None:
    listed = step(typed(row(1, 9, -3, -3, -3, alone=1, how="solo")), note(note="paper"))
    listed = step(listed, mend("seats", after=["Bernd", "Anna", "Cem", "Dora"]))
    assert listed.players == ("Bernd", "Anna", "Cem", "Dora") and listed.rows[0].who == "Bernd"
    assert listed.substitutes == frozenset()
    own = step(as_written(written()), mend("seats", after=["Bernd", "Anna", "Cem", "Dora"]))
    assert own.substitutes == {1}, "it was Bernd"


@pytest.mark.parametrize("names", [None, "Anna", ["Anna", "Bernd", "Cem"], ["Anna", "Anna", "Cem", "Dora"]], ids=str)
def test_seats_that_are_none(names: object) -> None:
    code, said, _ = refusal(as_written(written()), mend("seats", after=names))
    assert code == "malformed" and str(names) in said


def test_a_name_written_otherwise() -> None:
    listed = typed(row(1, 9, -3, -3, -3, alone=1, how="solo"), row(2, -3, 9, -3, -3, alone=2, how="solo"))
    after = step(listed, mend("name", seat=1, after="ANNA"))  # its own, in capitals
    assert after.players == ("ANNA", "Bernd", "Cem", "Dora") and [one.who for one in after.rows] == ["ANNA", "Bernd"]
    assert refusal(listed, mend("name", seat=2, after="anna")) == (
        "same_name",
        "name 'anna': it stands on the list already",
        {"name": "anna"},
    )


@pytest.mark.parametrize("points", [0, 6, -7, True, None, "-3", -3.0], ids=repr)
def test_a_deduction_that_is_none(points: object) -> None:
    code, said, values = refusal(typed(deduction_most=6), mend("penalty", seat=2, after=points))
    assert (code, values) == ("deduction", {"most": 6}) and str(points) in said and "1 to 6 points" in said


def test_deductions_add_up() -> None:
    listed = typed(row(1, 2, 2, -2, -2), deduction_most=6)
    for seat, points in ((2, -1), (2, -6), (3, -4)):
        listed = step(listed, mend("penalty", seat=seat, after=points))
    assert listed.apart[0] == Apart(what="penalty", score={1: 0, 2: -1, 3: 0, 4: 0})
    assert listed.totals == {1: 2, 2: -5, 3: -6, 4: -2}
    code, said, _ = refusal(typed(), mend("penalty", seat=2, after=-1))
    assert code == "no_deduction" and said.startswith("bsv knows no deduction")


def test_disqualified_and_opened_again() -> None:
    listed = step(as_written(written()), mend("disqualified", seat=4))
    listed = step(listed, mend("disqualified", seat=1))
    assert listed.disqualified == {"Dora", "Anna"}
    closed = step(listed, note(note="list_closed"))
    again = step(closed, mend("reopen"))
    assert not again.closed and again.signed == frozenset()


def test_nothing_else_can_be_put_right() -> None:
    code, said, _ = refusal(as_written(written()), mend("gift"))
    assert code == "malformed"
    assert said == "what 'gift': points, strike, row, seats, name, penalty, disqualified, reopen can be put right"


@pytest.mark.parametrize("game", [0, 3, None, "1"], ids=repr)
def test_a_row_that_is_not_there(game: object) -> None:
    code, said, _ = refusal(as_written(written()), mend("strike", game=game))
    assert code == "no_row" and f"game {game!r}" in said.replace('"', "'")


@pytest.mark.parametrize("seat", [0, 5, True, "1", None], ids=repr)
def test_a_seat_that_is_none(seat: object) -> None:
    code, said, _ = refusal(as_written(written()), mend("disqualified", seat=seat))
    assert code == "malformed" and f"seat {seat!r}" in said.replace('"', "'") and "seats 1 to 4" in said


@pytest.mark.parametrize(
    "scores",
    [
        None,
        [1, 1, -1, -1],
        by_seat(1, 1, -2),
        by_seat(1, 1, -1, -1, 0),
        by_seat(1000, 0, 0, -1000),
        by_seat(0, 0, 0, -1000),
        {**by_seat(1, 1, -2), "4": 0.0},
        {**by_seat(1, 1, -2), "4": False},
    ],
    ids=str,
)
def test_points_that_are_none(scores: object) -> None:
    code, said, _ = refusal(as_written(written()), mend("points", game=1, after=scores))
    assert code == "scores" and "seats 1 to 4 is wanted" in said and str(scores)[:10] in said


def test_the_most_points() -> None:
    most = by_seat(999, 0, 0, -999)
    assert step(as_written(written()), mend("points", game=1, after=most)).rows[0].score[1] == 999
    result = note(note="paper_result", score=by_seat(99_900, 0, 0, -99_900))
    assert typed(result).totals[4] == -99_900
    assert refusal(typed(), note(note="paper_result", score=by_seat(99_901, 0, 0, 0)))[0] == "scores"

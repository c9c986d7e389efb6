"""Rows that the direction types in: what a row says, where it stands, and whose turn it was."""

from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.listing import ListRow
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.berichtigung import (
    deals_again,
    due_dealer,
    step,
)
from kiosk.table.scoresheet.counted import as_written
from tests.table.noted_lists import NAMES, OPENED, by_seat, mend, note, refusal, row, typed, written

# rows


def test_a_row_that_says_nothing_but_points() -> None:
    """Who was due has dealt, it was a normal game, who has points in plus has won."""
    listed = typed(row(1, 2, 2, -2, -2, number=4))
    assert listed.paper and listed.typed == {1} and listed.by_totals == frozenset() and listed.mends == ()
    assert listed.rows == (
        ListRow(
            game=1, dealer=1, due=1, kind="normal", suit=None, declarer=None, duty=False, alone=None,
            score={1: 2, 2: 2, 3: -2, 4: -2}, total={1: 2, 2: 2, 3: -2, 4: -2}, won=frozenset({1, 2}), points=2,
            void=False, struck=False, open=False, solo=None, who="", own=None, added=4,
        ),
    )  # fmt: skip


def test_a_row_that_says_all() -> None:
    said = {"dealer": 3, "due": 2, "alone": 4, "how": "duty", "kind": "farbsolo", "suit": "H"}
    listed = typed(row(1, 0, 0, 0, 9, number=4, **said), rules="eppstein")
    assert listed.rows == (
        ListRow(
            game=1, dealer=3, due=2, kind="farbsolo", suit="H", declarer=4, duty=True, alone=4,
            score={1: 0, 2: 0, 3: 0, 4: 9}, total={1: 0, 2: 0, 3: 0, 4: 9}, won=frozenset({4}), points=3,
            void=False, struck=False, open=False, solo="duty", who="Dora", own=None, added=4,
        ),
    )  # fmt: skip


def test_a_row_that_only_says_who_was_due() -> None:
    assert [(one.due, one.dealer) for one in typed(row(1, 2, 2, -2, -2, due=3)).rows] == [(3, 3)]


@pytest.mark.parametrize(
    ("rules", "how", "kind", "expected"),
    [
        ("bsv", "still", None, ("still", None, False)),
        ("bsv", "hochzeit", "", ("hochzeit", None, False)),
        ("bsv", "lust", None, ("farbsolo", None, False)),
        ("bsv", "solo", "fleischlos", ("fleischlos", None, False)),
        ("eppstein", "duty", None, ("trumpfsolo", None, True)),
        ("schaffkopf", "solo", None, ("solo", None, False)),
        ("schaffkopf", "solo", "wenz", ("wenz", None, False)),
        ("eppstein", "still", "normal", ("normal", None, False)),
        ("eppstein", "hochzeit", "hochzeit", ("hochzeit", None, False)),
        ("eppstein", "still", "still", ("still", None, False)),
    ],
)
def test_how_somebody_played_alone(rules: str, how: str, kind: str | None, expected: tuple[str, None, bool]) -> None:
    first = typed(row(1, 3, -1, -1, -1, alone=1, how=how, kind=kind), rules=rules).rows[0]
    assert (first.kind, first.suit, first.duty) == expected and first.solo == how and first.declarer == 1


def test_a_game_of_all_books_and_one_that_schafkopf_does_not_know() -> None:
    assert typed(row(1, 3, 3, -3, -3, kind="normal"), rules="schaffkopf").rows[0].kind == "normal"
    code, said, _ = refusal(typed(rules="schaffkopf"), row(1, 3, 3, -3, -3, kind="hochzeit"))
    assert code == "malformed" and said.endswith("no game of schaffkopf")


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        pytest.param({"alone": 5, "how": "solo"}, "malformed", "seat 5", id="no such seat alone"),
        pytest.param({"dealer": 0}, "malformed", "seat 0", id="no such dealer"),
        pytest.param({"due": 5}, "malformed", "seat 5", id="nobody due"),
        pytest.param({"how": "solo"}, "malformed", "how 'solo'", id="nobody alone"),
        pytest.param(
            {"alone": 1}, "malformed", "how None: one of duty, lust, solo, still, hochzeit", id="not said how"
        ),
        pytest.param({"alone": 1, "how": "so"}, "malformed", "how 'so'", id="strange how"),
        pytest.param({"kind": "skat"}, "malformed", "kind 'skat': no game of bsv", id="another game"),
        pytest.param({"alone": 1, "how": "solo", "kind": "hochzeit"}, "no_solo", "'hochzeit' cannot be", id="no solo"),
        pytest.param({"alone": 1, "how": "lust", "kind": "normal"}, "no_solo", "solos of bsv", id="normal"),
        pytest.param({"alone": 1, "how": "duty", "kind": "still"}, "no_solo", "'still' cannot be", id="still"),
        pytest.param(
            {"alone": 1, "how": "solo", "kind": "farbsolo", "suit": "X"},
            "malformed",
            "suit 'X': 'farbsolo' has",
            id="suit",
        ),
        pytest.param(
            {"alone": 1, "how": "duty", "kind": "sie"}, "malformed", "no game of bsv", id="a game of Schafkopf"
        ),
        pytest.param(
            {"kind": "normal", "suit": "H"}, "malformed", "suit 'H': 'normal' has", id="suit of a normal game"
        ),
    ],
)
def test_a_row_refused(more: dict[str, Any], code: str, words: str) -> None:
    found = refusal(typed(), row(1, 9, -3, -3, -3, **more))
    assert found[0] == code and words in found[1]


@pytest.mark.parametrize("typed_in", [None, [], "1 1 -1 -1"], ids=repr)
def test_a_row_that_is_none(typed_in: object) -> None:
    code, said, _ = refusal(typed(), note(note="paper_row", game=1, row=typed_in))
    assert code == "malformed" and f"row {typed_in!r}" in said.replace('"', "'")


def test_of_five_who_deals_has_no_points() -> None:
    assert refusal(typed(players=5), row(1, 2, 2, -2, -2, 0)) == (
        "dealer_scores",
        "seat 1 deals and sits out; no points can be written for it",
        {"seat": 1},
    )
    assert typed(row(1, 0, 2, 2, -2, -2), players=5).rows[0].score[1] == 0


@pytest.mark.parametrize(
    ("score", "alone", "value"),
    [
        ((2, 2, -2, -2), None, 2),
        ((9, 0, 0, 0), None, 9),
        ((9, 0, 0, 0), 1, 3),
        ((-9, 0, 0, 0), 1, 3),
        ((10, 0, 0, 0), 1, 10),
        ((3, -1, -1, -1), 1, 1),
        ((9, -3, -6, 0), 1, 3),
        ((0, 0, 0, 0), 1, 0),
        ((0, 0, 0, 0), None, 0),
    ],
    ids=str,
)
def test_the_value_of_a_game_by_its_points(score: tuple[int, ...], alone: int | None, value: int) -> None:
    how = {"alone": alone, "how": "solo"} if alone else {}
    assert typed(row(1, *score, **how)).rows[0].points == value


@pytest.mark.parametrize(
    ("game", "insert", "last"),
    [
        *((game, False, 0) for game in (0, 2, True, "1", 1.0)),
        (1, True, 0),
        (4, False, 2),
        *((game, True, 2) for game in (0, 3, 1.0)),
    ],
)
def test_a_number_that_no_row_can_have(game: object, insert: bool, last: int) -> None:
    listed = typed(*(row(one, 1, 1, -1, -1, number=one) for one in range(1, last + 1)))
    code, said, values = refusal(listed, row(game, 1, 1, -1, -1, insert=insert))  # type: ignore[arg-type]
    assert (code, values) == ("row_taken", {"game": last + 1}) and f"the list has {last} games" in said
    assert str(game) in said


def test_a_row_of_the_tables_own_is_not_typed_over() -> None:
    assert refusal(as_written(written()), row(2, 1, 1, -1, -1))[0] == "row_taken"


def test_a_row_typed_again_keeps_its_place_and_what_notes_call_it() -> None:
    listed = typed(row(1, 2, 2, -2, -2, number=3), row(2, 1, 1, -1, -1, number=4), row(1, 5, 5, -5, -5, number=6))
    assert [(one.game, one.score[1], one.total[1], one.added) for one in listed.rows] == [(1, 5, 5, 3), (2, 1, 6, 4)]
    assert listed.typed == {1, 2} and listed.paper


def test_which_rows_were_typed_as_running_totals() -> None:
    first, second = row(1, 2, 2, -2, -2, number=3, totals=True), row(2, 1, 1, -1, -1, number=4, totals=True)
    assert typed(first, second).by_totals == {("note", 3), ("note", 4)}
    points = row(1, 4, 4, -4, -4, number=6)
    assert typed(first, second, points).by_totals == {("note", 4)}
    assert typed(first, second, points, row(1, 4, 4, -4, -4, number=8, totals=True)).by_totals == {
        ("note", 3),
        ("note", 4),
    }
    assert typed(row(1, 4, 4, -4, -4, totals=False)).by_totals == frozenset()


@pytest.mark.parametrize(
    ("inserted", "behind", "expected"),
    [
        pytest.param({"totals": True}, {"totals": True}, (2, 3, 4), id="its own total stays"),
        pytest.param({"totals": True}, {}, (2, 3, 8), id="points of its own stay"),
        pytest.param({}, {"totals": True}, (2, 3, 8), id="by a game's points nothing is taken off"),
    ],
)
def test_a_row_put_in_before_running_totals(inserted: Any, behind: Any, expected: tuple[int, ...]) -> None:
    """Game 1 is written 2, what was line 2 is written 5 points; put in between are 1."""
    first, second = row(1, 2, 2, -2, -2, number=1), row(2, 2, 2, -2, -2, number=2, **behind)
    third = row(2, 1, 1, -1, -1, number=3, insert=True, **inserted)
    listed = typed(first, second, third)
    totals = [one.total[1] for one in listed.rows]
    assert totals == {4: [2, 3, 4], 8: [2, 3, 5]}[expected[2]]
    assert [one.added for one in listed.rows] == [1, 3, 2]
    assert (listed.rows[2].points, listed.rows[2].won) == ((1, {1, 2}) if expected[2] == 4 else (2, {1, 2}))


def test_a_list_that_is_closed_or_has_a_result_takes_no_rows() -> None:
    closed = typed(row(1, 2, 2, -2, -2), note(note="list_closed"))
    assert refusal(closed, row(2, 1, 1, -1, -1))[0] == "closed"
    assert refusal(closed, note(note="paper_result", score=by_seat(1, 1, -1, -1)))[0] == "rows_there"
    assert (
        refusal(typed(note(note="list_closed")), note(note="paper_result", score=by_seat(1, 0, 0, 0)))[0]
        == "rows_there"
    )
    assert refusal(typed(row(1, 2, 2, -2, -2)), note(note="paper_result", score=by_seat(1, 0, 0, 0)))[0] == "rows_there"
    result = typed(note(note="paper_result", score=by_seat(1, 0, 0, -1)))
    assert refusal(result, row(1, 1, 1, -1, -1))[0] == "result_there"


def test_a_result_entered_again_and_a_deduction_beside_it() -> None:
    first, second = (note(note="paper_result", score=by_seat(points, 0, 0, 0)) for points in (10, 20))
    listed = typed(first, mend("penalty", seat=1, after=-3), second, deduction_most=6)
    assert listed.paper and listed.totals[1] == 17
    assert [one.what for one in listed.apart] == ["penalty", "result"]


# whose turn it was


@pytest.mark.parametrize(
    ("rules", "players", "options", "more", "again"),
    [
        ("eppstein", 4, {}, {"how": "duty"}, True),
        ("eppstein", 4, {}, {"how": "lust"}, False),
        ("eppstein", 5, {}, {"how": "duty"}, True),
        ("schnittchen", 4, {}, {"how": "solo"}, True),
        ("schnittchen", 4, {}, {"how": "still"}, False),
        ("schnittchen", 5, {}, {"how": "solo"}, False),
        ("schnittchen", 4, {"same_dealer_after_solo": "never"}, {"how": "solo"}, False),
        ("schaffkopf", 4, {}, {"how": "solo"}, False),
    ],
)
def test_after_which_rows_the_same_deals_again(
    rules: str, players: int, options: dict[str, Any], more: dict[str, Any], again: bool
) -> None:
    score = (0, 9, 0, 0) if players == 4 else (0, 9, 0, 0, 0)
    listed = typed(row(1, *score, alone=2, **more), rules=rules, players=players, **options)
    assert deals_again(BOOKS[rules], listed.written.options, listed.rows[0], players) is again
    assert due_dealer(listed, 2) == (1 if again else 2)


def test_who_is_due() -> None:
    assert due_dealer(typed(), 1) == 1 and due_dealer(typed(first_dealer=3), 1) == 3
    listed = typed(*(row(game, 1, 1, -1, -1, number=game) for game in range(1, 6)))
    assert [one.due for one in listed.rows] == [1, 2, 3, 4, 1]
    assert due_dealer(listed, 2) == 2 and due_dealer(listed, 6) == 2 and due_dealer(listed, 9) == 2
    own = as_written(written("schaffkopf"))
    assert due_dealer(own, 3) == 3, "after the last that the table wrote"
    moved = step(own, mend("row", game=1, insert=True, after={"score": by_seat(1, 1, -1, -1)}))
    assert [(one.due, one.dealer, one.own) for one in moved.rows] == [(1, 1, None), (2, 1, 1), (3, 2, 2)]
    assert due_dealer(moved, 4) == 4, "the table's turn goes on, a game further"


def test_a_ruled_game_that_does_not_count_is_dealt_by_the_same_again() -> None:
    """eppstein 8.7.2: the table itself knows; on paper the next one would be due."""
    events = [
        {"event": "open", "format": 1, "rules": "eppstein", "players": list(NAMES[:4]), "at": OPENED},
        {"event": "deal", "dealer": 1},
        {"event": "rule", "class": "serious", "offender": 3},
    ]
    own = as_written(fold(map(decode, events)))
    assert due_dealer(own, 2) == 1
    last = step(own, note(note="paper_row", game=2, row={"score": by_seat(2, 2, 0, 0)}))
    assert due_dealer(last, 3) == 2


def test_games_behind_one_put_in() -> None:
    """Who dealt stays as it was noted, and goes with who was due where only the turn was known."""
    rows = [row(1, 1, 1, -1, -1), row(2, 1, 1, -1, -1), row(3, 1, 1, -1, -1, dealer=1)]
    mends = [
        mend("points", game=1, after=by_seat(2, 2, -2, -2)),
        mend("points", game=2, after=by_seat(2, 2, -2, -2)),
        mend("name", seat=1, after="Ada"),
    ]
    listed = typed(*rows, *mends, row(2, 3, 3, -3, -3, insert=True))
    assert [(one.game, one.due, one.dealer) for one in listed.rows] == [(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 1)]
    assert [one.game for one in listed.mends] == [1, 3, None] and listed.typed == {1, 2, 3, 4}
    assert [one.total[1] for one in listed.rows] == [2, 5, 7, 8]


def test_a_solo_put_in_moves_no_turn() -> None:
    solo = row(1, 0, 9, 0, 0, alone=2, how="duty", insert=True)
    listed = typed(row(1, 1, 1, 0, 0), row(2, 1, 1, 0, 0), solo, rules="eppstein")
    assert [(one.due, one.dealer) for one in listed.rows] == [(1, 1), (1, 1), (2, 2)]


def test_of_five_a_dealer_does_not_follow_to_a_seat_that_has_points() -> None:
    rows = [row(1, 0, 2, 2, -2, -2), row(2, 2, 0, 2, -2, -2), row(3, 2, 2, 0, 0, -4)]
    listed = typed(*rows, row(1, 0, 1, 1, -1, -1, insert=True), players=5)
    assert [(one.due, one.dealer) for one in listed.rows] == [(1, 1), (2, 1), (3, 2), (4, 4)]

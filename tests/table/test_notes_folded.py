"""The direction's notes on a list, one by one: what each changes, what is refused in which words, what fits no more."""

from functools import cache
from typing import Any

import pytest

from kiosk.errors import BadNote
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.listing import ListRow
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.berichtigung import (
    ListNote,
    counted,
    deals_again,
    due_dealer,
    note_data,
    notes_told,
    replayed,
    step,
)
from kiosk.table.scoresheet.counted import Apart, CountedList, Mend, as_written

NAMES = ("Anna", "Bernd", "Cem", "Dora", "Emil")
OPENED = 1_790_000_000_000


@cache
def empty(rules: str = "bsv", players: int = 4, **options: Any) -> Round:
    opening = {"event": "open", "format": 1, "rules": rules, "players": list(NAMES[:players]), "options": options}
    return fold([decode(opening)])


@cache
def written(rules: str = "bsv", players: int = 4) -> Round:
    """Two games that the referee has scored: dealers 1 and 2."""
    events = [
        {
            "event": "open",
            "format": 1,
            "rules": rules,
            "players": list(NAMES[:players]),
            "at": OPENED,
            "substitutes": [2],
        },
        {"event": "deal", "dealer": 1},
        {"event": "rule", "class": "custom", "scores": {"2": 3, "3": 3, "4": -6}},
        {"event": "deal", "dealer": 2},
        {"event": "rule", "class": "custom", "scores": {"1": 5, "3": -5}},
    ]
    return fold(map(decode, events))


def by_seat(*score: int) -> dict[str, int]:
    return {str(seat): points for seat, points in enumerate(score, start=1)}


def note(number: int = 0, **body: Any) -> ListNote:
    return ListNote(number=number, at=9, body=body)


def mend(what: str, **more: Any) -> ListNote:
    return note(7, **{"note": "berichtigung", "of": OPENED, "what": what, **more})


def row(game: int, *score: int, number: int = 0, insert: bool = False, **more: Any) -> ListNote:
    """A row typed in."""
    body = {"note": "paper_row", "of": None, "game": game, "row": {"score": by_seat(*score), **more}}
    return note(number, **body | ({"insert": True} if insert else {}))


def typed(*rows: ListNote, rules: str = "bsv", players: int = 4, **options: Any) -> CountedList:
    """The list of these rows; each of them must fit."""
    listed = as_written(empty(rules, players, **options))
    for one in rows:
        listed = step(listed, one)
    return listed


def refusal(listed: CountedList, one: ListNote) -> tuple[str, str, dict[str, Any]]:
    with pytest.raises(BadNote) as refused:
        step(listed, one)
    return refused.value.code, str(refused.value), dict(refused.value.values)


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

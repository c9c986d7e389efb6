"""Lists put right by the direction, and lists on paper: what counts, what is refused, what undoing restores."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.demo.play import simulate
from kiosk.errors import BadNote, LocalisedError
from kiosk.paper.spielliste import list_pdf
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import MENDS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.berichtigung import (
    CLOSED,
    PAPER_RESULT,
    PAPER_ROW,
    ListNote,
    counted,
    due_dealer,
    solo_kinds,
)
from kiosk.table.scoresheet.counted import CountedList
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.scoresheet.written import as_csv, as_text
from kiosk.tournament import tally
from kiosk.tournament.berichtigung import doubts, mend_note, on_paper, paper_note
from kiosk.tournament.notes import Noted, in_force
from kiosk.tournament.tournament import Tournament, begin, folded
from kiosk.tournament.undo import undo_note

PEOPLE = ("Anna", "Bernd", "Cem", "Dora")


@cache
def written(rules: str, games: int = 3) -> Round:
    events = list(simulate(rules, 5, table=1, round_number=1, games=games))
    events[0] |= {"players": list(PEOPLE), "at": 1_790_000_000_000}
    return fold(map(decode, events))


@cache
def empty(rules: str) -> Round:
    return on_paper(BOOKS[rules], PEOPLE, round_=1, table=1, options={}, substitutes=("Dora",))


class Desk:
    """A list with the notes on it."""

    def __init__(self, round_: Round) -> None:
        self.round, self.notes = round_, list[ListNote]()

    @property
    def listed(self) -> CountedList:
        return counted(self.round, self.notes)

    def keep(self, body: dict[str, Any]) -> None:
        self.notes.append(ListNote(number=len(self.notes), at=1_790_000_100_000, body={**body, "actor": "Eva"}))

    def mend(self, what: str, **wish: Any) -> CountedList:
        wish = {"reason": "verrechnet", "seen": len(self.notes), **wish}
        self.keep(mend_note(self.listed, self.notes, {"what": what, **wish}))
        return self.listed

    def paper(self, note: str, **wish: Any) -> CountedList:
        wish = {"seen": len(self.notes), **wish}
        self.keep(paper_note(self.listed, self.notes, {"note": note, **wish}))
        return self.listed

    def row(self, game: int, *score: int, **more: Any) -> CountedList:
        return self.paper(PAPER_ROW, game=game, score=by_seat(score), **more)


def by_seat(score: tuple[int, ...]) -> dict[str, int]:
    return {str(seat): points for seat, points in enumerate(score, start=1)}


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(BOOKS))
def test_points_put_right_count_everywhere_and_the_round_stays(rules):
    desk = Desk(written(rules))
    before = desk.listed
    after = desk.mend("points", game=2, after=by_seat((7, 0, -7, 0)))
    change = {seat: after.rows[1].score[seat] - before.rows[1].score[seat] for seat in range(1, 5)}
    assert after.totals == {seat: before.totals[seat] + change[seat] for seat in change} == dict(after.rows[-1].total)
    assert after.rows[1].won == {1} and after.marks(2) == [1] and after.marks(1) == []
    assert counted(desk.round) == before
    data = list_data(after)
    assert list(data["total"].values()) == list(after.totals.values())
    (mend,) = data["mended"]
    assert mend["before"] == by_seat(tuple(before.rows[1].score.values())) and mend["actor"] == "Eva"
    assert "*1 Spiel 2: Punkte" in as_text(data) and "verrechnet" in as_csv(data) and "2*1" in as_text(data)
    assert list_pdf([data]) != list_pdf([list_data(before)])


def test_a_game_is_struck_without_replacement_by_eppstein_8_2_2():
    desk = Desk(written("eppstein"))
    after = desk.mend("strike", game=1, reason="falsch notiert, Tisch uneinig")
    assert set(after.rows[0].score.values()) == {0} and after.rows[0].struck and len(after.rows) == 3
    assert after.mends[0].section == "eppstein 8.2.2" and "(8.2.2), Eva" in as_text(list_data(after))
    assert list_data(after)["games_left"] == list_data(desk.round)["games_left"]


@pytest.mark.parametrize(
    ("rules", "points", "section"),
    [
        ("eppstein", -12, "eppstein 8.7.2"),
        ("schaffkopf", -50, "schaffkopf III 1.2"),
        ("durchgaenge", -5, "durchgaenge Schlusssatz"),
        ("schnittchen", -5, ""),
    ],
)
def test_a_deduction_is_nobodys_gain(rules, points, section):
    desk = Desk(written(rules))
    before = desk.listed
    after = desk.mend("penalty", seat=3, after=points)
    assert after.totals == {**before.totals, 3: before.totals[3] + points}
    assert after.rows == before.rows and after.mends[0].section == section
    data = list_data(after)
    labels = [label for label, _ in data["foot"]]
    assert labels[-2:] == ["Punktabzug *1", "Endergebnis"]
    cells = [cell for cell in data["foot"][-1][1] if cell != ""]
    assert cells == list(after.totals.values())
    list_pdf([data])


@pytest.mark.parametrize(("options", "code"), [({}, "no_deduction"), ({"deduction_most": 6}, "deduction")])
def test_bsv_9_5_knows_no_deduction_until_the_direction_allows_one(options, code):
    desk = Desk(on_paper(BOOKS["bsv"], PEOPLE, round_=1, table=1, options=options))
    with pytest.raises(BadNote) as refused:
        desk.mend("penalty", seat=1, after=-7)
    assert refused.value.code == code
    if options:
        assert desk.mend("penalty", seat=1, after=-6).totals[1] == -6


@pytest.mark.parametrize("rules", sorted(BOOKS))
def test_every_book_says_of_each_mend_which_section_speaks_of_it(rules):
    assert set(BOOKS[rules].berichtigung) == set(MENDS)


def test_who_is_disqualified_has_no_place_and_no_seat():
    start = begin("t", rules="eppstein")
    for name in PEOPLE:
        start = start.after({"note": "enter", "names": [name]}, 1)
    round_ = written("eppstein")
    body = mend_note(tally.counted_list(start, round_), (), wish("disqualified", seat=2))
    after = start.after(body, 5, 9)
    places = {one["name"]: one for one in tally.standing(after, [round_], [])["places"]}
    assert places["Bernd"]["out"] == "disqualified" and places["Bernd"]["place"] is None
    assert sorted(one["place"] for one in places.values() if one["place"]) == sorted(
        1 + sum(other["points"] > one["points"] for name, other in places.items() if name != "Bernd")
        for name, one in places.items()
        if name != "Bernd"
    )
    assert "Bernd" not in after.present()[0] and "Bernd" in start.present()[0]


def by_alone(how: str, **more: Any) -> dict[str, Any]:
    return {"score": by_seat((9, 0, 0, 0)), "alone": 1, "how": how, **more}


def wish(what: str, **more: Any) -> dict[str, Any]:
    return {"what": what, "reason": "Schiedsgericht", "seen": 0, **more}


def test_seats_and_names_take_points_and_fines_with_them():
    desk = Desk(written("schnittchen"))
    before = desk.listed
    after = desk.mend("seats", after=["Bernd", "Anna", "Cem", "Dora"])
    assert after.players == ("Bernd", "Anna", "Cem", "Dora") and after.totals == before.totals
    after = desk.mend("name", seat=3, after="Cemil")
    assert after.players[2] == "Cemil" and [mend.before for mend in after.mends][1] == "Cem"
    assert {row.who for row in after.rows} <= {"", *after.players}
    tournament = replace(begin("t", rules="schnittchen"), lists={(1, 1): tuple(desk.notes)})
    standing = tally.standing(tournament, [desk.round], [])
    points = {one["name"]: one["points"] for one in standing["places"]}
    assert points["Anna"] == before.totals[2] and points["Cemil"] == before.totals[3]


def test_signatures_are_opened_again_and_the_list_is_closed_once_more():
    ended = fold([*(event for _, event in written("bsv").log), decode({"event": "close"})])
    desk = Desk(ended)
    assert desk.listed.closed
    after = desk.mend("reopen")
    assert not after.closed and not after.signed
    after = desk.paper(CLOSED)
    assert after.closed and after.signed == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("what", "more", "code"),
    [
        pytest.param("points", {"game": 9, "after": by_seat((0, 0, 0, 0))}, "no_row", id="no such game"),
        pytest.param("points", {"game": 1, "after": {"1": 3}}, "scores", id="points of one alone"),
        pytest.param("points", {"game": 1, "after": {**by_seat((0, 0, 0)), "4": True}}, "scores", id="no number"),
        pytest.param("points", {"game": 1, "after": by_seat((1000, 0, 0, 0))}, "scores", id="mistyped"),
        pytest.param("penalty", {"seat": 1, "after": -13}, "deduction", id="more than eppstein 8.7.2 b allows"),
        pytest.param("penalty", {"seat": 1, "after": 3}, "deduction", id="a gift"),
        pytest.param("row", {"game": 5, "after": {"score": by_seat((1, 1, 0, 0))}}, "row_taken", id="leaves one out"),
        pytest.param("row", {"game": 2, "after": {"score": by_seat((1, 1, 0, 0))}}, "row_taken", id="is there"),
        pytest.param(
            "row", {"game": 5, "insert": True, "after": {"score": by_seat((1, 1, 0, 0))}}, "row_taken", id="no gap"
        ),
        pytest.param("row", {"game": 4, "after": by_alone("duty", kind="hochzeit")}, "no_solo", id="no solo"),
        pytest.param("row", {"game": 4, "after": by_alone("duty", kind="farbsolo", suit="X")}, "malformed", id="suit"),
        pytest.param("name", {"seat": 1, "after": "Anna"}, "no_change", id="nothing changes"),
        pytest.param("name", {"seat": 1, "after": "bernd"}, "same_name", id="name of another"),
        pytest.param("seats", {"after": ["Anna", "Anna", "Cem", "Dora"]}, "malformed", id="one twice"),
        pytest.param("gift", {}, "malformed", id="unknown"),
        pytest.param("reopen", {"reason": " "}, "reason", id="no reason"),
        pytest.param("strike", {"game": 1, "seen": 1}, "seen", id="another was faster"),
    ],
)
def test_refused_with_the_reason(what, more, code):
    desk = Desk(written("eppstein"))
    with pytest.raises(LocalisedError) as refused:
        desk.mend(what, **more)
    assert refused.value.code == code


def test_twice_by_mistake_counts_once():
    desk = Desk(written("eppstein"))
    order = {"what": "penalty", "seat": 1, "after": -3, "reason": "x", "seen": 0}
    desk.keep(mend_note(desk.listed, desk.notes, order))
    with pytest.raises(BadNote) as refused:
        mend_note(desk.listed, desk.notes, order)
    assert refused.value.code == "seen" and refused.value.values == {"name": "Eva"}


def test_notes_on_a_list_that_was_set_aside_do_not_touch_the_next_one():
    desk = Desk(written("bsv"))
    desk.mend("points", game=1, after=by_seat((8, 8, -8, -8)))
    events = [event for _, event in desk.round.log]
    anew = fold([replace(events[0], at=1_790_000_999_000), *events[1:]])
    assert counted(anew, desk.notes) == counted(anew)


# games put in where they were forgotten


@pytest.mark.parametrize("rules", sorted(BOOKS))
@pytest.mark.parametrize("game", [1, 2, 3])
def test_a_forgotten_game_is_put_in_its_place_and_all_behind_it_moves_on(rules, game):
    desk = Desk(written(rules))
    before = desk.listed
    desk.mend("points", game=3, after=by_seat((4, -4, 4, -4)))
    after = desk.mend("row", game=game, insert=True, after={"score": by_seat((2, -2, 2, -2))})
    assert [row.game for row in after.rows] == [1, 2, 3, 4]
    assert [row.own for row in after.rows] == [*range(1, game), None, *range(game, 4)]
    assert after.marks(4) == [1] and after.marks(game) == [2], "the footnote goes with its game"
    due = [row.due for row in before.rows]
    assert [row.due for row in after.rows] == [*due[:game], *(seat % 4 + 1 for seat in due[game - 1 :])]
    assert due_dealer(after, 5) == desk.round.next_dealer % 4 + 1
    assert [row.dealer for row in after.rows if row.own] == [row.dealer for row in before.rows], "who dealt stays"
    assert dict(after.rows[-1].total) == after.totals
    data = list_data(after)
    assert data["played"] == desk.round.played + 1
    left = list_data(desk.round)["games_left"]
    assert data["games_left"] == (None if left is None else left - 1)


def test_a_forgotten_pflichtsolo_counts_as_played_and_its_dealer_deals_again():
    desk = Desk(written("eppstein"))
    before = list_data(desk.round)["duties_left"]
    after = desk.mend("row", game=2, insert=True, after=by_alone("duty", kind="farbsolo", suit="H"))
    data = list_data(after)
    assert data["duties_left"] == {**before, "1": 0}
    own = [row.due for row in counted(desk.round).rows]
    assert [row.due for row in after.rows] == [own[0], own[1], own[1], own[2]], "eppstein 2.2.1"
    assert "Herz" in as_text(data).splitlines()[6]


@pytest.mark.parametrize("rules", sorted(BOOKS))
def test_a_solo_is_named_and_one_that_is_not_counts_all_the_same(rules):
    named = solo_kinds(BOOKS[rules])
    assert {kind.game for kind in named} & {"damensolo", "wenz"} and not {kind.game for kind in named} & {
        "hochzeit",
        "rufspiel",
    }
    how = "duty" if BOOKS[rules].duties(BOOKS[rules].settle({})) else "solo"
    desk = Desk(empty(rules))
    for game, kind in enumerate(named, start=1):
        more = {"suit": kind.suits[-1]} if kind.suits else {}
        listed = desk.row(game, 9, -3, -3, -3, alone=1, how=how, kind=kind.game, **more)
        assert (listed.rows[-1].kind, listed.rows[-1].suit) == (kind.game, more.get("suit"))
    listed = desk.row(len(named) + 1, 9, -3, -3, -3, alone=1, how=how)
    assert listed.rows[-1].kind in {kind.game for kind in named}
    assert "Anna" in as_text(list_data(listed))


def test_on_paper_the_dealers_follow_who_was_due_and_those_named_stay():
    desk = Desk(empty("bsv"))
    for game in (1, 2, 3):
        desk.row(game, 1, 1, -1, -1, **({"dealer": 1} if game == 3 else {}))
    after = desk.row(2, 3, -1, -1, -1, insert=True)
    assert [row.dealer for row in after.rows] == [1, 2, 3, 1] and [row.due for row in after.rows] == [1, 2, 3, 4]
    assert after.typed == {1, 2, 3, 4} and [one["check"] for one in doubts(after, 4)] == ["due"]
    again = desk.row(3, 5, 5, -5, -5)
    assert again.rows[2].score[1] == 5 and len(again.rows) == 4


def test_running_totals_of_the_games_behind_stay_as_they_stand_on_the_list():
    desk = Desk(empty("eppstein"))
    desk.paper(PAPER_ROW, game=1, totals=by_seat((2, 2, 0, 0)))
    desk.paper(PAPER_ROW, game=2, totals=by_seat((9, 2, 7, 0)))  # two games in one line: the second was skipped
    after = desk.paper(PAPER_ROW, game=2, insert=True, totals=by_seat((7, 2, 5, 0)))
    assert [tuple(row.total.values()) for row in after.rows] == [(2, 2, 0, 0), (7, 2, 5, 0), (9, 2, 7, 0)]
    assert after.rows[2].points == 2
    desk = Desk(empty("eppstein"))
    desk.paper(PAPER_ROW, game=1, totals=by_seat((2, 2, 0, 0)))
    desk.row(2, 3, 0, 3, 0)  # the points of the game: they stay
    after = desk.paper(PAPER_ROW, game=2, insert=True, totals=by_seat((7, 2, 5, 0)))
    assert tuple(after.rows[2].score.values()) == (3, 0, 3, 0)


def test_a_game_put_in_cannot_be_undone_while_later_notes_name_games_behind_it():
    start, round_ = begin("t", rules="bsv"), written("bsv")
    notes: list[Noted] = []

    def note(what: str, **wish: Any) -> None:
        now = folded(start, in_force(notes))
        of_list = now.lists.get((1, 1), ())
        order = {"what": what, "reason": "x", "seen": len(of_list), **wish}
        notes.append(Noted(number=len(notes), at=1, body=mend_note(tally.counted_list(now, round_), of_list, order)))

    def undo(number: int) -> None:
        notes.append(Noted(number=len(notes), at=1, body=undo_note(start, notes, number, "", lambda *_: round_)))

    note("row", game=2, insert=True, after={"score": by_seat((2, 2, -2, -2))})
    note("points", game=1, after=by_seat((8, 8, -8, -8)))  # before it: does not care
    undo(0)
    undo(2)  # the undoing itself
    note("points", game=3, after=by_seat((6, 6, -6, -6)))
    with pytest.raises(BadNote) as refused:
        undo(0)
    assert (refused.value.code, refused.value.values["number"]) == ("stands_on", 4)
    undo(4)
    undo(0)
    note("points", game=3, after=by_seat((5, 5, -5, -5)))
    with pytest.raises(BadNote) as refused:
        undo(6)  # with the game back in, game 3 would be another one
    assert refused.value.code == "stands_on"


def test_what_the_table_puts_right_itself_meanwhile_is_told_at_the_footnote():
    desk = Desk(written("bsv"))
    before = by_seat(tuple(desk.listed.rows[0].score.values()))
    order = mend_note(desk.listed, (), wish("points", game=1, after=by_seat((8, 8, -8, -8))))
    struck = desk.round.apply(decode({"event": "strike", "game": 1, "replay": False}))
    note = ListNote(number=0, at=1, body={**order, "actor": "Eva"})
    lapsed = counted(struck, [note])
    assert lapsed.mends == () and [mend.number for mend in lapsed.lapsed] == [0], "it was struck at the table"
    assert lapsed.rows == counted(struck).rows and lapsed.marks(1) == []
    assert "zählt nicht mehr" in as_text(list_data(lapsed)) and "Spiel 1: Punkte" in as_csv(list_data(lapsed))
    changed = {**order, "before": {**before, "1": before["1"] + 1}}
    told = counted(desk.round, [replace(note, body=changed)])
    assert told.mends[0].found == before and "inzwischen stand dort" in as_text(list_data(told))
    assert counted(desk.round, [note]).mends[0].found is None


# on paper


def test_a_list_is_typed_by_rows_and_closed():
    desk = Desk(empty("bsv"))
    desk.row(1, 2, 2, -2, -2)
    listed = desk.row(2, 9, -3, -3, -3, alone=1, how="solo")
    assert listed.totals == {1: 11, 2: -1, 3: -5, 4: -5} and listed.paper and listed.typed == {1, 2}
    assert (listed.rows[0].dealer, listed.rows[1].dealer, listed.rows[1].points) == (1, 2, 3)
    data = list_data(listed)
    assert all(check["ok"] for check in data["checks"]) and not data["mended"] and "Papier" in as_text(data)
    assert data["played"] == 2 and data["games_left"] == 22
    tournament = plan(begin("t", rules="bsv"), desk)
    standing = tally.standing(tournament, [], [])
    assert {one["name"]: one["points"] for one in standing["places"]}["Anna"] == 11 and not standing["final"]
    desk.paper(CLOSED)
    assert desk.listed.closed and tally.standing(plan(begin("t", rules="bsv"), desk), [], [])["not_closed"] == []
    list_pdf([list_data(desk.listed)])


def plan(start: Tournament, desk: Desk) -> Tournament:
    start = start.after({"note": "enter", "names": list(PEOPLE)}, 1)
    start = start.after({"note": "draw", "round": 1, "seats": {"1": list(PEOPLE)}}, 1)
    return replace(start, lists={(1, 1): tuple(desk.notes)})


def test_totals_as_they_stand_on_a_cumulated_list_become_points():
    desk = Desk(empty("eppstein"))
    desk.paper(PAPER_ROW, game=1, totals=by_seat((2, 2, 0, 0)))
    listed = desk.paper(PAPER_ROW, game=2, totals=by_seat((7, 2, 5, 0)))  # the example of eppstein 6.3.7
    assert [row.points for row in listed.rows] == [2, 5] and listed.rows[1].score == {1: 5, 2: 0, 3: 5, 4: 0}


def test_a_row_typed_wrong_is_typed_again_and_a_closed_list_is_not():
    desk = Desk(empty("bsv"))
    desk.row(1, 2, 2, -2, -2)
    assert desk.row(1, 3, 3, -3, -3).totals[1] == 3
    desk.paper(CLOSED)
    with pytest.raises(BadNote) as refused:
        desk.row(2, 1, 1, -1, -1)
    assert refused.value.code == "closed"


def test_two_typists_at_once_do_not_write_over_each_other():
    desk = Desk(empty("bsv"))
    first = paper_note(desk.listed, [], {"note": PAPER_ROW, "game": 1, "score": by_seat((1, 1, -1, -1)), "seen": 0})
    desk.keep(first)
    with pytest.raises(BadNote) as refused:
        desk.row(1, 2, 2, -2, -2, seen=0)
    assert refused.value.code == "seen"


def test_just_the_result_counts_in_the_standing():
    desk = Desk(empty("schaffkopf"))
    listed = desk.paper(PAPER_RESULT, score=by_seat((40, -10, -10, -20)))
    assert listed.totals == {1: 40, 2: -10, 3: -10, 4: -20}
    assert [one[0] for one in list_data(listed)["foot"]][-2:] == ["laut Liste", "Endergebnis"]
    with pytest.raises(BadNote) as refused:
        desk.row(1, 1, 1, -1, -1)
    assert refused.value.code == "result_there"


def test_a_broken_tables_list_goes_on_after_its_last_row():
    desk = Desk(written("bsv"))
    own = desk.listed
    assert due_dealer(own, 4) == desk.round.next_dealer
    listed = desk.row(4, 1, 1, -1, -1)
    assert len(listed.rows) == 4 and listed.totals[1] == own.totals[1] + 1 and listed.typed == {4}
    events = list(simulate("bsv", 5, table=1, round_number=1, games=4))
    events[0] |= {"players": list(PEOPLE), "at": 1_790_000_000_000}
    back = counted(fold(map(decode, events)), desk.notes)
    assert back.typed == frozenset() and len(back.rows) == 4, "what the table itself wrote counts"


@pytest.mark.parametrize(
    ("rules", "score", "more", "wrong"),
    [
        ("bsv", (3, 3, -3, -2), {}, ["row_sums", "even_odd"]),
        ("bsv", (3, 3, -3, -3), {}, []),
        ("schnittchen", (1, 0, 0, 0), {}, ["row_sums"]),
        ("schaffkopf", (10, -10, 5, 0), {}, ["row_sums"]),
        ("durchgaenge", (8, 8, -8, -7), {}, []),  # the book asks for no check
        ("eppstein", (3, 3, 0, 0), {}, []),
        ("eppstein", (3, 3, 0, 0), {"dealer": 3}, ["dealers", "due"]),
    ],
)
def test_the_books_arithmetic_is_checked(rules, score, more, wrong):
    desk = Desk(empty(rules))
    listed = desk.row(1, *score, **more)
    assert [one["check"] for one in doubts(listed, 1)] == wrong


def test_a_second_pflichtsolo_is_doubted_and_the_same_deals_again_after_one():
    desk = Desk(empty("eppstein"))
    listed = desk.row(1, 9, 0, 0, 0, alone=1, how="duty")
    assert doubts(listed, 1) == [] and due_dealer(listed, 2) == 1  # eppstein 2.2.1
    listed = desk.row(2, 9, 0, 0, 0, alone=1, how="duty")
    assert [one["check"] for one in doubts(listed, 2)] == ["duty"]


# properties

SCORE = st.tuples(*[st.integers(-30, 30)] * 4)
DRAWN = st.lists(
    st.one_of(
        st.tuples(st.just("points"), st.integers(1, 3), SCORE),
        st.tuples(st.just("strike"), st.integers(1, 3), SCORE),
        st.tuples(st.just("penalty"), st.integers(1, 4), SCORE),
        st.tuples(st.just("row"), st.integers(4, 6), SCORE),
        st.tuples(st.just("insert"), st.integers(1, 4), SCORE),
        st.tuples(st.just("name"), st.integers(1, 4), SCORE),
        st.tuples(st.just("reopen"), st.integers(1, 4), SCORE),
    ),
    max_size=6,
)


def drawn(start: Tournament, round_: Round, mends: list[tuple[str, int, tuple[int, ...]]]) -> list[Noted]:
    """The notes that are taken of those drawn."""
    notes: list[Noted] = []
    for what, number, score in mends:
        now = folded(start, notes)
        of_list = now.lists.get((round_.round, round_.table), ())
        after: Any = by_seat(score) if what == "points" else {"score": by_seat(score)} if what == "row" else None
        if what in ("penalty", "name"):
            after = -abs(score[0]) if what == "penalty" else f"Name {score[0]}"
        if what == "insert":
            after = {"score": by_seat(score)}
        order = {"what": what, "game": number, "seat": number, "after": after, "reason": "x"}
        if what == "insert":
            order |= {"what": "row", "insert": True}
        try:
            body = mend_note(tally.counted_list(now, round_), of_list, {**order, "seen": len(of_list)})
        except ValueError:
            continue
        notes.append(Noted(number=len(notes), at=10 + len(notes), body=body))
    return notes


@settings(max_examples=40, deadline=None)
@given(mends=DRAWN, rules=st.sampled_from(sorted(BOOKS)), data=st.data())
def test_scores_add_up_undoing_restores_and_replay_equals_live(mends, rules, data):
    start, round_ = begin("t", rules=rules), written(rules)
    notes = drawn(start, round_, mends)
    live = start
    for one in notes:
        live = live.after(one.body, one.at, one.number)
    listed = tally.counted_list(live, round_)
    assert folded(start, notes) == live
    assert len(listed.mends) == len(notes)
    rows = {seat: sum(row.score[seat] for row in listed.rows) for seat in range(1, 5)}
    assert listed.totals == {seat: rows[seat] + sum(one.score[seat] for one in listed.apart) for seat in rows}
    assert dict(listed.rows[-1].total) == rows
    for one in list_data(listed)["mended"]:
        assert one["reason"] == "x"
    if notes:
        gone = data.draw(st.integers(0, len(notes) - 1))
        undo = Noted(number=len(notes), at=99, body={"note": "undo", "number": gone})
        without = [one for one in notes if one.number != gone]
        assert in_force([*notes, undo]) == without
        again = Noted(number=len(notes) + 1, at=100, body={"note": "undo", "number": len(notes)})
        assert in_force([*notes, undo, again]) == notes

"""The roll of a tournament: numbers, clubs, fees, two entries made one; two people at the entry desk at once."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.demo.play import simulate
from kiosk.errors import LocalisedError
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.tournament import tally
from kiosk.tournament.entry_desk import NOTES, desk_note
from kiosk.tournament.notes import Noted, in_force
from kiosk.tournament.people import Person
from kiosk.tournament.plan import plan_for
from kiosk.tournament.tournament import Tournament, begin, folded
from kiosk.tournament.undo import undo_note

FOUR = ["Anna", "Bernd", "Cem", "Dora"]
AT = int(datetime(2026, 11, 21, 19, 25).timestamp() * 1000)


def of(*notes: dict[str, Any], start: Tournament | None = None) -> Tournament:
    made = start or begin("herbst", rules="schaffkopf", people=[Person(name=name) for name in FOUR])
    for number, note in enumerate(notes):
        made = made.after(note, AT + number)
    return made


def asked(tournament: Tournament, played: dict[int, set[str]] | None = None, **wish: Any) -> Tournament:
    return tournament.after(desk_note(tournament, wish, played or {}), AT)


@pytest.mark.parametrize("notes", [
    pytest.param([{"note": "numbers", "numbers": {"Anna": 7, "Bernd": 8}}], id="numbers"),
    pytest.param([{"note": "register", "people": [{"name": "Anna", "number": 7}, {"name": "Bernd", "number": 8}]}],
                 id="list"),
    pytest.param([{"note": "person", "name": "Anna", "number": 7}, {"note": "person", "name": "Bernd", "number": 8}],
                 id="one by one"),
])  # fmt: skip
def test_start_numbers_are_given_changed_and_unique(notes):
    made = of(*notes)
    assert [one.number for one in made.people.values()] == [7, 8, None, None]
    swapped = of({"note": "numbers", "numbers": {"Anna": 8, "Bernd": 7}}, start=made)
    assert [one.number for one in swapped.people.values()] == [8, 7, None, None]
    for note in ({"note": "person", "name": "Cem", "number": 7}, {"note": "numbers", "numbers": {"Cem": 8}},
                 {"note": "register", "people": [{"name": "Emil", "number": 7}]}):  # fmt: skip
        with pytest.raises(LocalisedError) as refused:
            of(note, start=made)
        assert refused.value.code == "number_taken"
    assert [one.number for one in asked(made, note="numbers").people.values()] == [7, 8, 1, 2]


@pytest.mark.parametrize(("note", "code"), [
    ({"note": "person", "name": "Anna", "number": 0}, "odd_number"),
    ({"note": "person", "name": "Anna", "number": 100_000}, "odd_number"),
    ({"note": "person", "name": "Anna", "number": True}, "odd_number"),
    ({"note": "person", "name": "Anna", "number": "7"}, "odd_number"),
    ({"note": "person", "name": "Anna", "club": "x" * 61}, "odd_club"),
    ({"note": "person", "name": "Anna", "club": 5}, "odd_club"),
    ({"note": "person", "name": "Anna", "came": -1}, "malformed"),
    ({"note": "person", "name": "Anna", "to": "bernd"}, "same_name"),
    ({"note": "club", "names": ["Anna", "Zora"], "club": "SV"}, "unknown_person"),
    ({"note": "check_in", "names": []}, "unknown_person"),
    ({"note": "check_in", "names": "Anna"}, "unknown_person"),
    ({"note": "numbers", "numbers": {}}, "malformed"),
    ({"note": "register", "people": [{"name": "Emil"}, {"name": "EMIL"}]}, "same_name"),
    ({"note": "register", "people": [{"name": "Emil"}, {"name": "ANNA"}]}, "same_name"),
    ({"note": "register", "people": ["Emil"]}, "no_name"),
    ({"note": "merge", "name": "Anna", "other": "Anna"}, "same_person"),
    ({"note": "remove", "names": ["Zora"]}, "unknown_person"),
], ids=str)  # fmt: skip
def test_what_cannot_be_is_refused_whole(note, code):
    before = of()
    with pytest.raises(LocalisedError) as refused:
        of(note, start=before)
    assert refused.value.code == code
    assert folded(before, [Noted(number=0, at=AT, body=note)]) == before


def test_many_at_once():
    made = asked(of(), note="check_in", names=FOUR[:3])
    made = asked(made, note="fee", names=FOUR[1:], paid=True)
    made = asked(made, note="club", names=FOUR[:2], club="  SV  Eppstein ")
    assert [(one.checked_in_ms, one.paid_ms, one.club) for one in made.people.values()] == [
        (AT, None, "SV Eppstein"), (AT, AT, "SV Eppstein"), (AT, AT, ""), (None, AT, ""),
    ]  # fmt: skip
    made = asked(made, note="remove", names=["Cem", "Dora"])
    assert list(made.people) == ["Anna", "Bernd"]


def test_who_comes_second_at_the_desk_hears_what_is_so():
    here = of({"note": "check_in", "name": "Anna"}, {"note": "fee", "names": ["Anna"], "paid": True})
    for wish, code in (
        ({"note": "check_in", "name": "Anna"}, "here_already"),
        ({"note": "fee", "names": ["Anna"], "paid": True}, "fee_already"),
        ({"note": "gone", "name": "Anna"}, None),
        ({"note": "back", "name": "Anna"}, "same_already"),
        ({"note": "person", "name": "Anna", "paid": True}, "same_already"),
        ({"note": "person", "name": "Anna", "club": "SV", "was": {"club": "TV"}}, "overtaken"),
    ):
        if code is None:
            asked(here, **wish)
            continue
        with pytest.raises(LocalisedError) as refused:
            desk_note(here, wish, {})
        assert refused.value.code == code
    both = desk_note(here, {"note": "check_in", "names": ["Anna", "Bernd"]}, {})
    assert both == {"note": "check_in", "name": "Bernd"}  # the first arrival counts (schnittchen's fines)
    again = asked(here, note="check_in", name="Anna", came=AT - 60_000)  # put right by hand
    assert again.people["Anna"].checked_in_ms == AT - 60_000
    assert of({"note": "fee", "names": ["Anna"], "paid": True}, start=here).people["Anna"].paid_ms == AT + 1


def test_what_two_change_of_one_person_at_once_is_kept():
    made = of()
    one = {"note": "person", "name": "Anna", "club": "SV", "was": {"club": ""}}
    other = {"note": "person", "name": "Anna", "number": 4, "to": "Anna Ott", "was": {"number": None, "to": "Anna"}}
    made = asked(asked(made, **one), **other)
    assert made.people["Anna Ott"] == Person(name="Anna Ott", club="SV", number=4)
    assert made.called("Anna") == "Anna Ott"


def test_a_former_name_is_nobody_elses():
    made = of({"note": "rename", "name": "Anna", "to": "Anna Ott"})
    with pytest.raises(LocalisedError) as refused:
        desk_note(made, {"note": "enter", "names": ["Emil", " Anna "]}, {})
    assert refused.value.code == "known_as"
    with pytest.raises(LocalisedError):
        desk_note(made, {"note": "person", "name": "Bernd", "to": "Anna"}, {})
    back = asked(made, note="person", name="Anna Ott", to="Anna")  # its owner may have it again
    assert back.people["Anna"].name == "Anna" and back.called("Anna") == "Anna"
    assert of({"note": "enter", "names": ["Anna"]}, start=made).people["Anna"]  # an older file folds as before


def played(round_: int, names: list[str]) -> Any:
    events = list(simulate("schaffkopf", 5, table=round_, round_number=round_))
    events[0] = {**events[0], "players": names}
    return fold(map(decode, events))


@pytest.mark.slow
def test_two_entries_of_one_person_become_one_after_a_round():
    made = of(
        {"note": "enter", "names": ["Ana"], "here": True},
        {"note": "person", "name": "Ana", "number": 9, "club": "SV", "paid": True},
        {"note": "draw", "round": 2, "seats": {"1": ["Ana", *FOUR[1:]]}},
    )
    rounds = [played(1, FOUR), played(2, ["Ana", *FOUR[1:]])]
    sums = {one["name"]: one["points"] for one in tally.standing(made, rounds, [])["places"]}
    made = asked(made, {1: set(FOUR), 2: {"Ana", *FOUR[1:]}}, note="merge", name="Anna", other="Ana")
    data = tally.standing(made, rounds, [])
    merged = next(one for one in data["places"] if one["name"] == "Anna")
    assert merged["points"] == sums["Anna"] + sums["Ana"] and sorted(merged["rounds"]) == ["1", "2"]
    assert merged["place"] is not None  # has played both rounds in full (schaffkopf III 2.6)
    assert [one["name"] for one in data["places"]].count("Ana") == 0
    assert made.people["Anna"] == Person(name="Anna", checked_in_ms=AT, number=9, club="SV", paid_ms=AT + 1)
    assert made.plan(2).seats == {1: ("Anna", *FOUR[1:])}


def test_two_payments_of_one_person_stay_in_the_cash_book_and_are_undone_whole():
    """Money never vanishes: what was paid twice is the club's debt, to the cent."""
    notes = [
        {"note": "enter", "names": ["Ana"], "here": True},
        {"note": "check_in", "names": FOUR},
        {"note": "purse", "fee": 750},
        {"note": "fee", "names": ["Ana"], "paid": True},
        {"note": "purse", "fee": 1000},
        {"note": "fee", "names": ["Anna", "Bernd"], "paid": True},
    ]
    before = of(*notes)
    made = asked(before, note="merge", name="Anna", other="Ana")
    noted = [Noted(number=number, at=AT + number, body=note) for number, note in enumerate(notes)]
    book = tally.cash(made, [], noted)
    assert sum(one["cents"] for one in book["entries"] if one["kind"] == "paid") == 750 + 2 * 1000
    assert {"payer": None, "payee": "Anna", "cents": 1000} in book["open"]
    assert tally.cash(before, [], noted)["club"]["paid"] == book["club"]["paid"]
    merge = Noted(number=6, at=AT + 6, body={"note": "merge", "name": "Anna", "other": "Ana"})
    start = begin("herbst", rules="schaffkopf", people=[Person(name=name) for name in FOUR])
    undone = Noted(number=7, at=AT + 7, body=undo_note(start, [*noted, merge], 6, "", lambda *_: None))
    assert folded(start, in_force([*noted, merge, undone])).people == before.people
    marked = asked(made, note="mark", names=["Bernd"], substitute=True)  # he owes no fee any more, and gets it back
    assert {"payer": None, "payee": "Bernd", "cents": 1000} in tally.cash(marked, [], noted)["open"]
    once = asked(made, note="fee", names=["Anna"], paid=False)  # one of the two is given back
    assert once.people["Anna"].payments_ms == made.people["Anna"].payments_ms[:1]
    assert asked(once, note="fee", names=["Anna"], paid=False).people["Anna"].paid_ms is None


@pytest.mark.parametrize(("notes", "lists", "code"), [
    pytest.param([{"note": "draw", "round": 1, "seats": {"1": FOUR}}], {}, "both_seated", id="plan"),
    pytest.param([], {1: set(FOUR)}, "both_played", id="lists"),
    pytest.param([{"note": "rename", "name": "Bernd", "to": "Bernhard"}], {1: {"Anna", "Bernd"}}, "both_played",
                 id="under another name"),
])  # fmt: skip
def test_two_who_sat_in_one_round_are_two(notes, lists, code):
    made = of(*notes)
    other = "Bernhard" if notes and notes[0]["note"] == "rename" else "Bernd"
    with pytest.raises(LocalisedError) as refused:
        asked(made, lists, note="merge", name="Anna", other=other)
    assert refused.value.code == code


def test_nobody_who_is_seated_or_has_played_is_deleted():
    made = of({"note": "draw", "round": 1, "seats": {"1": ["Anna", "Bernd", "Cem", "Dora"]}})
    with pytest.raises(LocalisedError) as refused:
        asked(made, note="remove", names=["Anna"])
    assert refused.value.code == "seated"
    with pytest.raises(LocalisedError) as refused:
        asked(of(), {1: {"Anna"}}, note="remove", names=["Bernd", "Anna"])
    assert refused.value.code == "has_played"


@pytest.mark.parametrize("note", [
    {"note": "remove", "names": ["Anna", "Bernd"]},
    {"note": "merge", "name": "Anna", "other": "Bernd"},
    {"note": "person", "name": "Anna", "to": "Anna Ott", "club": "SV"},
    {"note": "register", "people": [{"name": "Emil", "number": 3}]},
    {"note": "fee", "names": ["Anna"], "paid": True},
], ids=lambda note: note["note"])  # fmt: skip
def test_each_act_is_undone_by_another_note(note):
    start, before = begin("t"), [Noted(number=0, at=AT, body={"note": "enter", "names": FOUR})]
    notes = [*before, Noted(number=1, at=AT, body=note)]
    assert folded(start, in_force(notes)) != folded(start, before)
    notes.append(Noted(number=2, at=AT, body=undo_note(start, notes, 1, "", lambda *_: None)))
    assert folded(start, in_force(notes)) == folded(start, before)


def test_what_stands_on_a_deletion_keeps_it():
    start = begin("t")
    bodies = [
        {"note": "enter", "names": FOUR},
        {"note": "remove", "names": ["Anna"]},
        {"note": "enter", "names": ["Anna"]},
    ]
    notes = [Noted(number=number, at=AT, body=body) for number, body in enumerate(bodies)]
    with pytest.raises(LocalisedError) as refused:
        undo_note(start, notes, 1, "", lambda *_: None)
    assert refused.value.code == "stands_on"


_NAME = st.sampled_from([*FOUR, "Emil"])
_WISH = st.fixed_dictionaries(
    {"note": st.sampled_from(sorted(NOTES)), "name": _NAME, "other": _NAME},
    optional={
        "names": st.lists(_NAME, max_size=3), "number": st.integers(0, 4) | st.none(),
        "club": st.sampled_from(["", "SV"]),
        "paid": st.booleans(), "substitute": st.booleans(), "gone": st.booleans(), "to": _NAME,
        "came": st.integers(0, 9) | st.none(), "numbers": st.dictionaries(_NAME, st.integers(1, 4), max_size=2),
    },
)  # fmt: skip


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(st.lists(_WISH, max_size=12))
def test_numbers_and_names_stay_unique_whatever_is_asked(wishes):
    made = begin("t", people=[Person(name=name) for name in FOUR])
    for wish in wishes:
        try:
            made = asked(made, **wish)
        except LocalisedError:
            continue
        numbers = [one.number for one in made.people.values() if one.number is not None]
        assert len(numbers) == len(set(numbers))
        assert all(name == one.name for name, one in made.people.items())
        assert len({name.casefold() for name in made.people}) == len(made.people)
        assert all(made.called(now) == now for now in made.aliases.values() if now in made.people)


def test_the_file_gives_numbers_and_clubs_too():
    made = begin("t", people=[Person(name="Anna", number=12, club=" SV  Eppstein "), Person(name="Bernd")])
    assert made.people["Anna"] == Person(name="Anna", number=12, club="SV Eppstein")
    with pytest.raises(LocalisedError) as refused:
        begin("t", people=[Person(name="Anna", number=12), Person(name="Bernd", number=12)])
    assert refused.value.code == "number_taken"


def test_a_tables_plan_has_the_numbers_of_its_people_and_of_substitutes():
    made = of(
        {"note": "enter", "names": ["Xaver"], "substitute": True},
        {"note": "enter", "names": ["Emil"]},
        {"note": "numbers", "numbers": {"Anna": 4, "Cem": 7, "Xaver": 9, "Emil": 10}},
        {"note": "draw", "round": 1, "seats": {"1": FOUR}},
        {"note": "publish", "round": 1},
    )
    plan = plan_for(made, 1)
    assert plan is not None and plan["numbers"] == {"4": "Anna", "7": "Cem", "9": "Xaver"}

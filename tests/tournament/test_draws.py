"""Draws: lot, new company, by standing; what is wished of them; latecomers; the same from the same number."""

import hashlib
import json
from datetime import time
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.errors import BadNote
from kiosk.rules.books import BOOKS
from kiosk.tournament.drawing import draw_note, wish_for, wish_noted
from kiosk.tournament.draws.adjust import Standing, adjusted
from kiosk.tournament.draws.designs import LATEST, designed, plan_of
from kiosk.tournament.draws.draw import draw, pairs
from kiosk.tournament.draws.tables import NoDraw, tables_for
from kiosk.tournament.draws.wish import COMPANY, FINAL, KINDS, LOT, SNAKE, STANDING, Apart, Wish, noted_wish
from kiosk.tournament.people import Person
from kiosk.tournament.plan import plan_for
from kiosk.tournament.tournament import begin

AT = 1_795_186_800_000


def names(count):
    return tuple(f"P{i:03}" for i in range(count))


def wish(count=16, kind=LOT, *, book="eppstein", round_=1, seed="1", **more):
    sizes = tables_for(count, BOOKS[book], True)
    more.setdefault("by_design", LATEST)
    return Wish(round=round_, kind=kind, seed=seed, sizes=sizes, people=names(count), **more)


def played(count, rounds, seed):
    """Rounds of new company, one after the other: how many meet again in each."""
    earlier, again = [], []
    for number in range(1, rounds + 1):
        left = rounds - number + 1
        found = draw(wish(count, COMPANY, round_=number, seed=seed, earlier=tuple(earlier), rounds_left=left))
        earlier += found.seats.values()
        again.append(found.met_again)
    return again


def everybody(seats):
    return sorted(name for table in seats.values() for name in table)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(
    people=st.integers(4, 45), seed=st.text(max_size=8), kind=st.sampled_from([LOT, STANDING, SNAKE, COMPANY]),
    apart=st.lists(st.sets(st.integers(0, 44), min_size=2, max_size=5), max_size=2),
)  # fmt: skip
def test_a_draw_seats_everybody_once_and_follows_from_what_is_noted(people, seed, kind, apart):
    if tables_for(people, BOOKS["eppstein"], True) is None:
        return
    all_ = names(people)
    groups = tuple(Apart(names=tuple(all_[i] for i in one if i < people)) for one in apart)
    wanted = wish(people, kind, seed=seed, apart=groups, earlier=(all_[:4], all_[2:6]))
    found = draw(wanted)
    assert everybody(found.seats) == sorted(all_)
    assert tuple(len(table) for table in found.seats.values()) == wanted.sizes
    noted = json.loads(json.dumps(draw_note(wanted, found)))
    assert draw(wish_noted(noted)).seats == found.seats


def test_a_lot_does_not_ask_who_was_entered_first():
    people = names(16)
    forth = draw(Wish(round=1, kind=LOT, seed="7", sizes=(4,) * 4, people=people))
    back = draw(Wish(round=1, kind=LOT, seed="7", sizes=(4,) * 4, people=people[::-1]))
    assert forth.seats == back.seats
    order = sorted(people, key=lambda name: hashlib.sha256(f"7/1/{name}".encode()).digest())
    assert [name for table in forth.seats.values() for name in table] == order  # as every version has drawn it


@pytest.mark.slow
def test_everybody_may_get_every_place():
    """Schaffkopf III 2.2: each place, and each company, is equally likely."""
    drawn = [draw(wish(8, seed=str(seed))).seats for seed in range(2000)]
    first = [sum(seats[1][0] == name for seats in drawn) for name in names(8)]
    assert all(200 < count < 300 for count in first)  # 250 each; 3.4 standard deviations
    together = [
        sum(any({*pair} <= {*table} for table in seats.values()) for seats in drawn)
        for pair in combinations(names(8), 2)
    ]
    assert all(780 < count < 935 for count in together)  # 3 of 7 others: 857 each


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "rounds", "repeats"),
    [
        pytest.param(16, 5, 0, id="16 in 5 rounds: an affine plane of order 4"),
        pytest.param(20, 5, 0, id="20 in 5 rounds"),
        pytest.param(28, 6, 0, id="28 in 6 rounds"),
        pytest.param(23, 3, 0, id="tables of five among them"),
        pytest.param(60, 8, 0, id="60 in 8 rounds"),
    ],
)
def test_new_company_as_good_as_it_can_be(people, rounds, repeats):
    assert sum(played(people, rounds, "1")) == repeats


#: People → rounds of the plan. More cannot be with 16, 24, 28, 32, 36, 40, 52, 64, 88, 112 and 256.
PLANS = {
    16: 5,
    20: 5,
    24: 7,
    28: 9,
    32: 10,
    36: 11,
    40: 13,
    44: 11,
    52: 17,
    64: 21,
    68: 17,
    88: 29,
    100: 25,
    112: 37,
    256: 85,
}


@pytest.mark.parametrize("people", PLANS)
def test_by_a_plan_nobody_meets_anybody_twice(people):
    """Each round seats everybody once; no two points of all rounds come together twice."""
    plan = plan_of(people)
    assert len(plan) == PLANS[people]
    assert all(sorted(point for block in blocks for point in block) == list(range(people)) for blocks in plan)
    met = [pair for blocks in plan for pair in pairs([tuple(map(str, block)) for block in blocks])]
    assert len(met) == len(set(met)) == len(plan) * people // 4 * 6
    if 3 * len(plan) == people - 1:  # then everybody has met everybody
        assert len(met) == people * (people - 1) // 2


@given(st.integers(0, 500))
@settings(max_examples=40, deadline=None)
def test_what_is_no_plan_is_none(people):
    """Of any number: whole rounds, and everybody sits with three new people in each."""
    met = [set[int]() for _ in range(people)]
    for blocks in plan_of(people)[:12]:
        assert sorted(point for block in blocks for point in block) == list(range(people))
        for block in blocks:
            assert len(block) == 4
            for point in block:
                assert not met[point] & set(block) - {point}
                met[point] |= set(block) - {point}


@pytest.mark.parametrize("people", [people for people in PLANS if people < 45])
@pytest.mark.parametrize("seed", ["1", "äöü"])
def test_all_rounds_of_a_plan_are_drawn_without_repeats(people, seed):
    assert played(people, PLANS[people], seed) == [0] * PLANS[people]


def test_a_plan_ends_where_it_does_not_fit():
    """Somebody was swapped or replaced, there are wishes or halls: then it is sought as for any other number."""
    first = tuple(draw(wish(24, COMPANY)).seats.values())
    second = tuple(draw(wish(24, COMPANY, round_=2, earlier=first)).seats.values())
    assert designed(wish(24, COMPANY, round_=2, earlier=first)) is not None
    assert designed(wish(24, COMPANY, round_=3, earlier=first + second)) is not None
    (one, *others), (other, *more) = second[0], second[1]
    swapped = ((other, *others), (one, *more), *second[2:])
    replaced = (("somebody", *first[0][1:]), *first[1:])
    for bad in (
        first + swapped,
        replaced,
        first[:5],
        first + second[:5],
        (*first[:4], first[4] + first[5][:1], first[5][1:]),
    ):
        assert designed(wish(24, COMPANY, round_=3, earlier=bad)) is None
        assert everybody(draw(wish(24, COMPANY, round_=3, earlier=bad)).seats) == sorted(names(24))
    for more_wanted in (
        {"apart": (Apart(names=names(24)[:2]),)}, {"fixed": {"P001": (1, None)}}, {"halls": (3, 3)},
        {"stays": {"P001": 0}},
    ):  # fmt: skip
        assert designed(wish(24, COMPANY, round_=2, earlier=first, **more_wanted)) is None
    assert designed(wish(24, LOT, round_=2, earlier=first)) is None
    assert designed(wish(48, COMPANY, round_=2, earlier=tuple(draw(wish(48, COMPANY)).seats.values()))) is None


@pytest.mark.parametrize(
    ("people", "by_design", "planned"),
    [
        pytest.param(24, None, False, id="before there were plans"),
        pytest.param(24, False, False, id="without"),
        pytest.param(24, True, True, id="with the first ones"),
        pytest.param(16, True, False, id="before there was this one"),
        pytest.param(16, LATEST, True, id="with it"),
    ],
)
def test_a_draw_comes_out_by_the_plans_that_there_were(people, by_design, planned):
    first = tuple(draw(wish(people, COMPANY)).seats.values())
    noted = json.loads(json.dumps(wish(people, COMPANY, round_=2, earlier=first).as_note()))
    if by_design is None:
        del noted["by_design"]
    else:
        noted["by_design"] = by_design
    assert (designed(noted_wish(noted)) is not None) is planned


def test_after_the_last_round_of_a_plan_it_is_sought():
    assert played(24, 8, "1")[:7] == [0] * 7


@pytest.mark.slow
@pytest.mark.parametrize(("people", "rounds"), [(400, 8), (1000, 4)])
def test_new_company_for_many(people, rounds):
    assert played(people, rounds, "1") == [0] * rounds


def test_by_standing_and_snake():
    people = names(12)
    by = draw(wish(12, STANDING)).seats
    assert [set(table) for table in by.values()] == [set(people[:4]), set(people[4:8]), set(people[8:])]
    snake = draw(wish(12, SNAKE)).seats
    ranks = [sorted(people.index(name) for name in table) for table in snake.values()]
    assert ranks == [[0, 5, 6, 11], [1, 4, 7, 10], [2, 3, 8, 9]]
    assert [by[1], snake[1]] != [tuple(sorted(by[1])), tuple(sorted(snake[1]))]  # the seat goes by lot


@pytest.mark.parametrize("kind", [LOT, COMPANY, STANDING, SNAKE])
def test_people_are_kept_apart(kind):
    people = names(24)
    groups = (Apart(names=people[:6], must=True), Apart(names=people[10:12]), Apart(names=(people[0], people[20])))
    found = draw(wish(24, kind, apart=groups, earlier=(people[:4],)))
    now = pairs(found.seats.values())
    assert not any(pairs([one.names]) & now for one in groups) and found.together == ()


def test_who_cannot_be_kept_apart_is_told_or_refused():
    people = names(8)
    five = Apart(names=people[:3])
    found = draw(wish(8, apart=(five,)))
    assert len(found.together) == 1 and set(found.together[0]) < set(five.names)
    with pytest.raises(NoDraw, match="cannot be kept apart") as refused:
        draw(wish(8, apart=(Apart(names=five.names, must=True),)))
    assert refused.value.code == "not_apart" and refused.value.values["pairs"] == 1


def test_by_standing_nobody_goes_further_than_must_be():
    people = names(16)
    found = draw(wish(16, STANDING, apart=(Apart(names=people[:2], must=True),)))
    tables = {name: table for table, there in found.seats.items() for name in there}
    moved = [name for i, name in enumerate(people) if tables[name] != 1 + i // 4]
    assert len(moved) == 2 and {tables[name] for name in moved} == {1, 2}


@pytest.mark.slow
def test_fixed_seats_are_kept():
    fixed = {"P000": (3, None), "P001": (3, 1), "P002": (1, 4)}
    for seed in "12345":
        seats = draw(wish(16, COMPANY, seed=seed, fixed=fixed, earlier=(names(16)[:4],))).seats
        assert "P000" in seats[3] and seats[3][0] == "P001" and seats[1][3] == "P002"


@pytest.mark.parametrize(
    ("fixed", "code"),
    [
        pytest.param({"P000": (9, None)}, "no_fixed_seat", id="no such table"),
        pytest.param({"P000": (1, 5)}, "no_fixed_seat", id="no such seat"),
        pytest.param({"P000": (1, 2), "P001": (1, 2)}, "fixed_twice", id="one seat twice"),
        pytest.param({f"P00{i}": (1, None) for i in range(5)}, "fixed_twice", id="five at a table of four"),
    ],
)
def test_fixed_seats_that_cannot_be(fixed, code):
    with pytest.raises(NoDraw) as refused:
        draw(wish(16, fixed=fixed))
    assert refused.value.code == code


def test_who_sat_in_a_hall_stays_there():
    people = names(24)
    stays = {name: int(i >= 13) for i, name in enumerate(people)}  # one too many for the first hall
    found = draw(wish(24, COMPANY, halls=(3, 3), stays=stays, earlier=(people[:4],)))
    first = {name for table in (1, 2, 3) for name in found.seats[table]}
    assert len(found.moved) == 1 and first | set(found.moved) == set(people[:13])


def test_a_final_is_played_by_the_best_alone():
    people = names(20)
    apart = (Apart(names=people[6:10], must=True),)
    found = draw(wish(20, FINAL, finalists=8, apart=apart))
    assert {*found.seats[1], *found.seats[2]} == set(people[:8])
    assert not pairs([apart[0].names]) & pairs(found.seats.values())
    with pytest.raises(NoDraw, match="whole tables"):
        draw(wish(20, FINAL, finalists=6))


# who came after the draw, or left


def at_tables(*sizes):
    all_ = iter(names(sum(sizes)))
    return {table: tuple(next(all_) for _ in range(size)) for table, size in enumerate(sizes, start=1)}


def now(seats, *, gone=(), late=(), substitutes=(), begun=()):
    players = [name for table in seats.values() for name in table if name not in gone and not name.startswith("E")]
    return Standing(seats=seats, begun=begun, players=[*players, *late], substitutes=substitutes)


@pytest.mark.parametrize(
    ("sizes", "gone", "late", "substitutes", "begun", "wanted", "moved"),
    [
        pytest.param((4, 4), ["P001"], ["Neu"], [], [], {1: 4, 2: 4}, 0, id="one leaves, one comes: his seat"),
        pytest.param((4, 4), ["P001"], [], ["E1"], [], {1: 4, 2: 4}, 0, id="a substitute fills up"),
        pytest.param((4, 5), ["P005"], [], [], [], {1: 4, 2: 4}, 0, id="five less one"),
        pytest.param((4, 5), ["P001"], [], ["E1"], [], {1: 4, 2: 4}, 1, id="the fifth moves, before a substitute"),
        pytest.param((4, 4), [], ["Neu"], [], [1], {1: 4, 2: 5}, 0, id="a fifth, at no table that has begun"),
        pytest.param((4,), [], ["A", "B", "C", "D"], [], [], {1: 4, 2: 4}, 0, id="four who came: a new table"),
        pytest.param((4,) * 4, ["P001"], [], [], [], {2: 5, 3: 5, 4: 5}, 3, id="three are spread as fifths"),
        pytest.param((4, 4), ["P001", "P005"], ["A"], ["E1"], [], {1: 4, 2: 4}, 0, id="player, then substitute"),
    ],
)
def test_people_come_and_leave_after_the_draw(sizes, gone, late, substitutes, begun, wanted, moved):
    seats = at_tables(*sizes)
    found = adjusted(
        BOOKS["eppstein"], now(seats, gone=gone, late=late, substitutes=substitutes, begun=begun), True, "1", 1
    )
    assert {table: len(there) for table, there in found.items()} == wanted
    there = everybody(found)
    assert len(set(there)) == len(there) and not set(gone) & set(there) and set(late) <= set(there)
    before = {name: table for table, people in seats.items() for name in people}
    after = {name: table for table, people in found.items() for name in people}
    assert sum(after[name] != table for name, table in before.items() if name in after) == moved
    assert all(found[table] == seats[table] for table in begun)


def test_a_player_takes_a_substitutes_seat():
    seats = {1: ("P000", "P001", "P002", "E1")}
    found = adjusted(BOOKS["schaffkopf"], now(seats, late=["Neu"], substitutes=["E1"]), True, "1", 1)
    assert found == {1: ("P000", "P001", "P002", "Neu")}


@pytest.mark.parametrize("book", ["schaffkopf", "eppstein"])
def test_one_too_many_is_told_and_nothing_is_changed(book):
    seats = at_tables(4, 4)
    with pytest.raises(NoDraw, match="2 more") as refused:
        adjusted(BOOKS[book], now(seats, late=["Neu"], substitutes=["E1"]), False, "1", 1)
    assert refused.value.code == "nowhere" and refused.value.values["names"] == "Neu"


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_whoever_comes_or_leaves_everybody_has_one_seat_at_a_table_that_can_be(data):
    seats = at_tables(*data.draw(st.lists(st.sampled_from([4, 5]), min_size=1, max_size=7)))
    all_ = everybody(seats)
    begun = set(data.draw(st.sets(st.sampled_from(sorted(seats)), max_size=len(seats) - 1)))
    free = [name for table, there in seats.items() if table not in begun for name in there]
    gone = data.draw(st.sets(st.sampled_from(free), max_size=len(free)))
    late = [f"N{i}" for i in range(data.draw(st.integers(0, 6)))]
    spare = [f"E{i}" for i in range(data.draw(st.integers(0, 4)))]
    try:
        found = adjusted(
            BOOKS["eppstein"], now(seats, gone=gone, late=late, substitutes=spare, begun=begun), True, "1", 1
        )
    except NoDraw:
        return
    there = everybody(found)
    assert len(set(there)) == len(there) and {*all_, *late} - gone <= set(there) <= {*all_, *late, *spare} - gone
    assert all(len(people) in (4, 5) for people in found.values())


# what is noted


def evening(*notes, rules="eppstein", people=12):
    made = begin(
        "t",
        rules=rules,
        people=[Person(name=name, club="Skat 09" if i < 3 else "") for i, name in enumerate(names(people))],
    )
    for number, note in enumerate(notes):
        made = made.after(note, AT, number)
    return made


def test_a_wish_is_made_of_what_is_noted():
    made = evening(
        {"note": "seat_wishes", "clubs": "must", "apart": [{"names": ["P004", "P005"]}],
         "fixed": [{"name": "P006", "table": 2}],
         "halls": [{"name": "Saal", "tables": 2}, {"name": "Stube", "tables": 1}]},
        {"note": "draw", "round": 1, "seats": {str(t): list(there) for t, there in at_tables(4, 4, 4).items()}},
        {"note": "person", "name": "P004", "to": "Emil"},
        {"note": "gone", "name": "P011"},
        {"note": "enter", "names": ["E"], "substitute": True},
    )  # fmt: skip
    found = wish_for(made, {"round": 2, "kind": COMPANY, "fives": False}, (), "5")
    assert found.apart == (Apart(names=("Emil", "P005")), Apart(names=("P000", "P001", "P002"), must=True))
    assert found.fixed == {"P006": (2, None)} and found.halls == (2, 1)
    assert (found.stays["P000"], found.stays["P008"], "E" in found.people) == (0, 1, True)
    assert len(found.earlier) == 3 and found.rounds_left == 2
    with pytest.raises(NoDraw, match="do not make up tables"):
        wish_for(evening(people=11), {"round": 1, "fives": False}, (), "5")


def test_by_a_book_that_leaves_it_to_the_lot_nobody_looks_for_new_company():
    with pytest.raises(BadNote, match=r"III 2\.4"):
        wish_for(evening(rules="schaffkopf"), {"round": 2, "kind": COMPANY}, (), "1")


@pytest.mark.parametrize(
    ("note", "code"),
    [
        ({"note": "seat_wishes", "apart": [{"names": ["P001"]}]}, "apart_two"),
        ({"note": "seat_wishes", "apart": [{"names": ["P001", "Zora"]}]}, "unknown_person"),
        ({"note": "seat_wishes", "fixed": [{"name": "P001", "table": 0}]}, "number"),
        ({"note": "seat_wishes", "fixed": [{"name": "P001", "table": 1}, {"name": "P001", "table": 2}]}, "fixed_once"),
        ({"note": "seat_wishes", "halls": "all"}, "malformed"),
        ({"note": "seat_wishes", "clubs": "yes"}, "malformed"),
        ({"note": "programme", "rounds": [{"kind": "dice"}]}, "malformed"),
        ({"note": "programme", "rounds": [{"rules": "skat"}]}, "malformed"),
        ({"note": "programme", "rounds": [{"games": 5000}]}, "number"),
        ({"note": "programme", "rounds": [{"games": 999}]}, "games_by_book"),
        ({"note": "programme", "rounds": [{"start": "25:00"}]}, "malformed"),
        ({"note": "programme", "rounds": 3}, "malformed"),
        ({"note": "reseat", "round": 1, "seats": {"1": ["P001"]}}, "no_plan"),
    ],
    ids=str,
)
def test_what_cannot_be_noted(note, code):
    with pytest.raises(BadNote) as refused:
        evening(note)
    assert refused.value.code == code


def test_each_round_of_a_programme_has_its_own_rules():
    seats = {str(t): list(there) for t, there in at_tables(4, 4, 4).items()}
    programme = {"note": "programme", "rounds": [
        {"kind": "lot", "games": 20, "minutes": 50}, {"kind": "company", "rules": "bsv", "start": "20:45", "pause": 15},
        {"kind": "final", "finalists": 8, "minutes": 70},
    ]}  # fmt: skip
    made = evening({"note": "setup", "rules": "eppstein", "options": {"minutes": 45}}, programme)
    assert made.rounds == 3
    first, second = made.rules_of(1), made.rules_of(2)
    assert first.book.settle(first.options)["games"] == 20 and first.book.settle(first.options)["minutes"] == 50
    assert (second.rules, dict(second.options), second.minutes) == ("bsv", {}, None)
    assert made.programme[2].start == time(20, 45) and made.programme[2].pause == 15
    for number in (1, 2):
        made = made.after({"note": "draw", "round": number, "seats": seats}, AT, 10 + number)
        made = made.after({"note": "publish", "round": number}, AT)
    told = plan_for(made, 1)
    assert told is not None and (told["rules"], told["round"], told["options"]) == ("bsv", 2, {})
    with pytest.raises(BadNote) as refused:
        made.after({"note": "programme", "rounds": [{}]}, AT)
    assert refused.value.code == "round_sent"
    by_another = made.after({"note": "setup", "rules": "schnittchen"}, AT)
    assert by_another.rules_of(1).book.name == "schnittchen"  # whatever was planned stays possible


def test_a_programme_names_every_kind_of_draw():
    assert set(KINDS) == {LOT, COMPANY, STANDING, SNAKE, FINAL}
    made = evening({"note": "programme", "rounds": [{"kind": kind} for kind in KINDS]})
    assert [one.kind for one in made.programme.values()] == list(KINDS)

"""Fees and prizes: what comes in is given out, kept as reserve, or named as a rest, to the cent."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.errors import BadNote
from kiosk.paper.receipts import receipts_pdf
from kiosk.rules.engine.money import CLUB
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.tournament import tally
from kiosk.tournament.entry_desk import desk_note
from kiosk.tournament.notes import Noted, in_force
from kiosk.tournament.people import Person
from kiosk.tournament.prizes import awarded_note, prizes
from kiosk.tournament.purse import Award, Prize, Purse, divided
from kiosk.tournament.tournament import begin, folded

FOUR = ["Anna", "Bernd", "Cem", "Dora"]
AT = 1_795_186_800_000

share_of = st.integers(0, 10_000)
prize = st.builds(
    Prize, place=st.integers(1, 12), share=st.integers(0, 3_000), cents=st.integers(0, 5_000),
    thing=st.sampled_from(["", "Schinken"]),
)  # fmt: skip


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(
    st.builds(Purse, prizes=st.lists(prize, max_size=12).map(tuple), reserve_share=share_of,
              reserve_cents=st.integers(0, 999)),
    st.integers(0, 500_000), st.lists(st.booleans(), min_size=0, max_size=30),
)  # fmt: skip
def test_what_comes_in_is_what_goes_out_and_what_stays(purse, income, equal):
    """``equal``: whether each shares the place of the one before."""
    places: list[tuple[int, str]] = []
    for number, shared in enumerate(equal, start=1):
        place = places[-1][0] if shared and places else number
        places.append((place, f"P{number}"))
    found = divided(purse, income, places)
    assert sum(one.cents for one in found.awards) + found.reserve + found.rest == income
    by_place = {one.place: {other.cents for other in found.awards if other.place == one.place} for one in found.awards}
    assert all(len(amounts) == 1 for amounts in by_place.values())  # equal places, equal amounts
    things = [thing for one in found.awards for thing in one.things]
    assert len(things) == sum(bool(one.thing) and one.place <= len(places) for one in purse.prizes)


@pytest.mark.parametrize(
    ("prizes_", "places", "awards", "rest"),
    [
        pytest.param([(1, 5000), (2, 3000)], [1, 2], [50_00, 30_00], 10_00, id="shares, 10 % reserve"),
        pytest.param([(1, 5000), (2, 3000), (3, 1000)], [1, 2, 2], [50_00, 20_00, 20_00], 0, id="second place shared"),
        pytest.param([(1, 5000), (2, 3001)], [1, 1, 1], [26_67, 26_67, 26_67], 9_99, id="three share 80.01"),
        pytest.param([(1, 5000), (2, 3000)], [1], [50_00], 40_00, id="nobody second"),
    ],
)  # fmt: skip
def test_shared_places_share_their_prizes(prizes_, places, awards, rest):
    purse = Purse(prizes=tuple(Prize(place=place, share=share) for place, share in prizes_), reserve_share=1000)
    found = divided(purse, 100_00, [(place, name) for place, name in zip(places, FOUR, strict=False)])
    assert ([one.cents for one in found.awards], found.reserve, found.rest) == (awards, 10_00, rest)


def test_things_are_not_shared():
    purse = Purse(prizes=(Prize(place=1, thing="Schinken"), Prize(place=2, thing="Wurst")))
    found = divided(purse, 0, [(1, "Cem"), (1, "Anna"), (3, "Dora")])
    assert found.awards == (
        Award(place=1, name="Cem", cents=0, things=("Schinken",)),
        Award(place=1, name="Anna", cents=0, things=("Wurst",)),
    )
    assert found.lots == (("Cem", "Anna"),)


def evening(*bodies: dict[str, Any]):
    """A schnittchen evening of one game that Anna and Bernd have won."""
    events = [
        {"event": "open", "format": 1, "rules": "schnittchen", "table": 1, "round": 1, "players": FOUR,
         "options": {"rounds": 1, "games": 1}},
        {"event": "release"},
    ]  # fmt: skip
    start = begin("t", rules="schnittchen", rounds=1, people=[Person(name=name) for name in FOUR])
    notes = [Noted(number=number, at=AT + number, body=body) for number, body in enumerate(bodies)]
    return folded(start, in_force(notes)), [fold([decode(one) for one in events])], notes


PURSE = {"note": "purse", "fee": 10_00, "gift": 5_00, "reserve_share": 1_000, "prizes": [{"place": 1, "share": 5_000}]}


@pytest.mark.parametrize(
    ("note", "code"),
    [
        ({"fee": -1}, "number"),
        ({"fee": 1.5}, "number"),
        ({"reserve_share": 6_000, "prizes": [{"place": 1, "share": 5_000}]}, "over_whole"),
        ({"prizes": [{"place": 1}]}, "no_prize"),
        ({"prizes": [{"place": 0, "cents": 100}]}, "no_prize"),
        ({"prizes": [{"place": 1, "thing": "x" * 61}]}, "malformed"),
        ({"prizes": "all"}, "malformed"),
    ],
    ids=str,
)
def test_a_purse_that_cannot_be(note, code):
    with pytest.raises(BadNote) as refused:
        begin("t").after({"note": "purse", **note}, AT)
    assert refused.value.code == code


def test_who_was_here_owes_the_fee_and_a_new_fee_changes_nothing_that_was_paid():
    made, played, notes = evening(
        PURSE,
        {"note": "check_in", "name": "Anna"},
        {"note": "check_in", "name": "Bernd"},
        {"note": "person", "name": "Anna", "paid": True},
        {"note": "enter", "names": ["Emil"], "substitute": True, "here": True},
        {**PURSE, "fee": 12_00},
    )
    book = tally.cash(made, played, notes)
    sums = {one["name"]: (one["pays"], one["paid"], one["owes"]) for one in book["people"]}
    assert sums == {"Anna": (10_00, 10_00, 0), "Bernd": (12_00, 0, 12_00)}
    told = prizes(made, played, notes)
    assert (told["now"]["income"], told["unpaid"], told["closed"]) == (27_00, ["Bernd"], False)


def test_prizes_are_given_once_and_only_when_the_standing_is_final():
    made, played, notes = evening(PURSE)
    with pytest.raises(BadNote) as refused:
        awarded_note(made, played, notes)
    assert refused.value.code == "not_final"


def test_prizes_are_given_as_they_were_seen():
    """Two press at once, or one gives them while another changes fee, prizes or a list: the second looks first."""
    opened = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": FOUR}
    lists = [fold([decode(one) for one in ({**opened, "options": {}}, {"event": "close"})])]

    def at(*bodies: dict[str, Any]):
        start = begin("t", rules="eppstein", rounds=1, people=[Person(name=name) for name in FOUR])
        notes = [Noted(number=number, at=AT + number, body=body) for number, body in enumerate(bodies)]
        return folded(start, in_force(notes)), lists, notes

    seen = json.loads(json.dumps(prizes(*at(PURSE))["now"]))
    for changed in (
        at(PURSE),
        at(PURSE, {"note": "person", "name": "Anna", "club": "TV"}),
    ):  # nothing that concerns them
        given = awarded_note(*changed, seen=seen)["awards"]
        assert sorted(given, key=str) == sorted(seen["awards"], key=str)  # equal places are in the order of their lot
    for change in ({**PURSE, "gift": 8_00}, {**PURSE, "prizes": [{"place": 1, "share": 4_000}]}):
        changed = at(PURSE, change)
        with pytest.raises(BadNote) as refused:
            awarded_note(*changed, seen=seen)
        assert refused.value.code == "prizes_meanwhile"


@pytest.mark.parametrize(
    ("cents", "owed", "code"),
    [(5_00, 10_00, ""), (5_00, None, ""), (10_00, 10_00, ""), (11_00, 15_00, "no_debt"),
     (5_00, 15_00, "debt_meanwhile"), (5_00, "10", "debt_meanwhile")],
)  # fmt: skip
def test_a_debt_is_paid_as_it_was_seen(cents, owed, code):
    entries = [tally.Entry(kind="debt", at=None, payer="Anna", payee="Bernd", cents=15_00, what="ruling"),
               tally.Entry(kind="paid", at=None, payer="Anna", payee="Bernd", cents=5_00, what="payment")]  # fmt: skip
    wish = {"payer": "Anna", "payee": "Bernd", "cents": cents, **({} if owed is None else {"owed": owed})}
    if not code:
        assert tally.payment_note(entries, wish)["cents"] == cents
        return
    with pytest.raises(tally.NoPayment) as refused:
        tally.payment_note(entries, wish)
    assert (refused.value.code, refused.value.values) == (code, {"cents": 10_00})


def test_the_box_closes_to_the_cent():
    body = {"awards": [{"place": 1, "name": "Anna", "cents": 17_50, "things": ["Pokal"]}], "income": 35_00,
            "reserve": 3_50, "rest": 14_00, "lots": [], "seed": "", "note": "awarded"}  # fmt: skip
    paid = [{"note": "person", "name": name, "paid": True} for name in FOUR[:3]]
    made, played, notes = evening(PURSE, *paid, body)
    assert not prizes(made, played, notes)["closed"]
    entries = tally.cash_entries(made, played, notes)
    pay = tally.payment_note(entries, {"payer": CLUB, "payee": "Anna", "cents": 17_50})
    made, played, notes = evening(PURSE, *paid, body, pay)
    told, book = prizes(made, played, notes), tally.cash(made, played, notes)
    assert told["closed"] and told["now"]["income"] == 35_00
    in_box = sum(one["cents"] * (1 if one["payee"] is CLUB else -1) for one in book["entries"] if one["kind"] == "paid")
    assert in_box + made.purse.gift == body["reserve"] + body["rest"]
    with pytest.raises(BadNote) as refused:
        awarded_note(made, played, notes)
    assert refused.value.code == "awarded_already"
    paper = receipts_pdf(book, told, FOUR, "de")
    assert paper.startswith(b"%PDF") and len(paper) > 1500
    assert len(receipts_pdf(book, told, ["Dora"], "en")) < len(paper)


def test_who_has_paid_is_not_deleted_with_the_money():
    """Deleted, the fee would leave the cash book, and nobody would miss it in the box."""
    made, _, _ = evening(PURSE, {"note": "enter", "names": ["Emil"]}, {"note": "fee", "name": "Emil", "paid": True})
    with pytest.raises(BadNote) as refused:
        desk_note(made, {"note": "remove", "names": ["Emil"]}, {})
    assert (refused.value.code, refused.value.values["name"]) == ("has_paid", "Emil")
    back = made.after({"note": "fee", "name": "Emil", "paid": False}, AT)
    assert desk_note(back, {"note": "remove", "names": ["Emil"]}, {}) == {"note": "remove", "names": ["Emil"]}


def test_a_prize_goes_with_its_winner_to_another_name():
    body = {"awards": [{"place": 1, "name": "Anna", "cents": 0, "things": ["Pokal"]}], "income": 0,
            "reserve": 0, "rest": 0, "lots": [], "seed": "", "note": "awarded"}  # fmt: skip
    made, played, notes = evening(PURSE, body, {"note": "rename", "name": "Anna", "to": "Anna Ott"})
    given = prizes(made, played, notes)["given"]
    assert [(one["name"], one["things"]) for one in given["awards"]] == [("Anna Ott", ["Pokal"])]

"""The tournament as its file and its notes make it."""

from datetime import date, datetime, time

import pytest

from kiosk.director.office import Office
from kiosk.director.settings import Settings
from kiosk.director.storage.store import Store
from kiosk.errors import BadNote
from kiosk.rules.books import BOOKS
from kiosk.tournament.draws.tables import impossible, seating, tables_for
from kiosk.tournament.people import BadName, Person
from kiosk.tournament.tournament import begin, folded

FOUR = ["Anna", "Bernd", "Cem", "Dora"]
AT = 1_795_186_800_000


def of(*notes, start=None):
    made = start or begin("herbst", rules="schaffkopf", people=[Person(name=name) for name in FOUR])
    for note in notes:
        made = made.after(note, AT)
    return made


def test_people_come_and_go():
    made = of(
        {"note": "enter", "names": ["  Emil   Ott ", "Fritz"], "substitute": True},
        {"note": "check_in", "name": "Anna"},
        {"note": "check_in", "name": "Bernd", "came": AT - 60_000},
        {"note": "gone", "name": "Cem"},
        {"note": "rename", "name": "Dora", "to": "Dora Klein"},
    )
    assert list(made.people) == ["Anna", "Bernd", "Cem", "Dora Klein", "Emil Ott", "Fritz"]
    assert made.people["Anna"] == Person(name="Anna", checked_in_ms=AT)
    assert made.people["Bernd"].checked_in_ms == AT - 60_000
    assert made.people["Cem"].gone_ms == AT
    assert made.substitutes() == {"Emil Ott", "Fritz"}
    assert made.called("Dora") == "Dora Klein"


@pytest.mark.parametrize(
    ("note", "code"),
    [
        pytest.param({"note": "enter", "names": ["anna"]}, "same_name", id="twice"),
        pytest.param({"note": "enter", "names": [" "]}, "no_name", id="blank"),
        pytest.param({"note": "enter", "names": ["A" * 41]}, "long_name", id="long"),
        pytest.param({"note": "enter", "names": ["A\u200b"]}, "no_name", id="unprintable"),
        pytest.param({"note": "check_in", "name": "Zora"}, "unknown_person", id="nobody"),
        pytest.param({"note": "rename", "name": "Anna", "to": "BERND"}, "same_name", id="another's name"),
        pytest.param({"note": "setup", "options": {"nonsense": 1}}, "option", id="option"),
        pytest.param({"note": "setup", "rules": "skat"}, "malformed", id="book"),
        pytest.param({"note": "setup", "rounds": 0}, "number", id="rounds"),
        pytest.param({"note": "swap", "round": 1, "one": "Anna", "other": "Cem"}, "no_plan", id="no plan"),
        pytest.param({"note": "draw", "round": 99, "seats": {"1": FOUR}}, "too_many_rounds", id="no such round"),
        pytest.param({"note": "court_ends", "round": 1, "table": 1}, "no_court", id="no court"),
    ],
)
def test_what_cannot_be_is_refused_with_a_code(note, code):
    with pytest.raises((BadNote, BadName)) as refused:
        of(note)
    assert refused.value.code == code


def test_a_note_of_somebody_else_changes_nothing():
    assert of({"note": "payment", "name": "Anna", "cents": 2000}) == of()


def test_another_book_forgets_what_was_set_for_the_old_one():
    before = begin("t", rules="eppstein", minutes=90.5, rounds=5)
    assert (before.minutes, before.rounds, before.options) == (90.5, 5, {"rounds": 5})
    made = before.after({"note": "setup", "rules": "schaffkopf"}, AT)
    assert (made.rules, made.minutes, made.rounds_set, made.options) == ("schaffkopf", None, None, {})


def test_seats_are_changed_by_hand_and_kept_once_the_tables_have_them():
    seats = {"1": FOUR}
    made = of(
        {"note": "draw", "round": 1, "seats": seats, "seed": "7"},
        {"note": "swap", "round": 1, "one": "Anna", "other": "Dora"},
        {"note": "publish", "round": 1},
    )
    assert made.plan(1).seats == {1: ("Dora", "Bernd", "Cem", "Anna")}
    assert made.plan(1).mended and made.published == made.plan(1)
    with pytest.raises(BadNote, match="take it back"):
        made.after({"note": "draw", "round": 1, "seats": seats}, AT)
    made = of({"note": "withdraw", "round": 1}, {"note": "draw", "round": 1, "seats": seats}, start=made)
    assert made.plan(1).table_of("Anna") == (1, 1) and made.published is None


def test_who_comes_in_during_a_round_is_a_substitute():
    made = of({"note": "substituted", "round": 1, "table": 1, "seat": 3, "left": "Cem", "came": "Emil"})
    assert made.people["Emil"].substitute and made.people["Cem"].gone_ms == AT
    assert made.left(1) == {"Cem"} and made.left(2) == frozenset()
    back = of({"note": "substituted", "round": 1, "table": 1, "seat": 3, "left": "Emil", "came": "Cem"}, start=made)
    assert not back.people["Cem"].substitute and back.people["Cem"].gone_ms is None
    assert back.left(1) == {"Cem", "Emil"}


def test_late_by_the_evenings_start():
    made = begin("t", rules="schnittchen", start=time(19, 30), day=date(2026, 11, 20))
    came = [int(datetime(2026, 11, 20, *at).timestamp() * 1000) for at in ((19, 20), (19, 34, 59), (20, 16))]
    assert [made.late_minutes(Person(name="A", checked_in_ms=at)) for at in came] == [0, 4, 46]
    assert made.late_minutes(Person(name="A")) == 0
    assert begin("t").late_minutes(Person(name="A", checked_in_ms=came[2])) == 0


def test_notes_outlive_the_office_and_others_notes_are_seen(tmp_path):
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}")
    store = Store(settings.database)
    one, other = Office(store, settings), Office(store, settings)
    one.note({"note": "enter", "names": FOUR})
    other.note({"note": "enter", "names": ["Emil"]})  # its number is taken, so it looks again
    with pytest.raises(BadName):
        other.note({"note": "enter", "names": ["Anna"]})
    one.catch_up()
    assert list(one.tournament.people) == [*FOUR, "Emil"] == list(other.tournament.people)
    assert one.tournament == folded(begin("t"), store.notes("t"))
    assert store.note("t", 0, {"note": "enter", "names": ["X"]}) is None
    assert store.tournaments() == ["t"]
    store.close()


@pytest.mark.parametrize(
    ("people", "book", "fives", "sizes"),
    [
        (4, "eppstein", True, (4,)), (5, "eppstein", True, (5,)), (9, "eppstein", True, (4, 5)),
        (15, "eppstein", True, (5, 5, 5)), (16, "eppstein", True, (4, 4, 4, 4)), (11, "eppstein", True, None),
        (7, "eppstein", True, None), (6, "schnittchen", True, None), (10, "bsv", True, (5, 5)),
        (10, "bsv", False, None), (5, "schaffkopf", True, None), (3, "schaffkopf", True, None),
        (8, "durchgaenge", True, (4, 4)), (0, "eppstein", True, None),
    ],
)  # fmt: skip
def test_tables_of_four_are_preferred(people, book, fives, sizes):
    assert tables_for(people, BOOKS[book], fives) == sizes


@pytest.mark.parametrize(
    ("people", "substitutes", "book", "fives", "missing", "surplus", "would"),
    [
        (6, 0, "eppstein", True, 2, 1, False), (11, 0, "eppstein", True, 1, 1, False),
        (7, 0, "schaffkopf", True, 1, 3, False), (10, 1, "schaffkopf", True, 1, 2, False),
        (9, 0, "bsv", False, 3, 1, True), (2, 0, "bsv", False, 2, 0, False),
    ],
)  # fmt: skip
def test_numbers_that_do_not_fit_are_refused_with_what_is_possible(
    people, substitutes, book, fives, missing, surplus, would
):
    found = seating(BOOKS[book], people, substitutes, fives)
    assert (found.sizes, found.missing, found.surplus, found.fives_would_do) == (None, missing, surplus, would)
    assert f"{missing} more" in str(impossible(found, people, substitutes))

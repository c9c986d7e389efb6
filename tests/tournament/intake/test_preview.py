"""Lists of people beside the roll: what columns mean, who is new, who is there, which lines are in doubt."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.errors import LocalisedError
from kiosk.tournament.intake.alike import Alike
from kiosk.tournament.intake.columns import told_columns
from kiosk.tournament.intake.entries import entries_of
from kiosk.tournament.intake.preview import Preview, preview, register_note
from kiosk.tournament.intake.read import read_table
from kiosk.tournament.tournament import Tournament, begin

AT = 1_795_186_800_000
START = begin("t")


def seen(
    text: str, tournament: Tournament = START, uses: list[str] | None = None, headed: bool | None = None
) -> Preview:
    table = read_table(text.encode())
    columns = told_columns(table, uses, headed)
    return preview(tournament, columns, entries_of(table, columns))


def taken(text: str, tournament: Tournament = START, take: tuple[int, ...] = ()) -> Tournament:
    found = seen(text, tournament)
    return tournament.after(register_note(tournament, found, found.stamp, take), AT)


def names(text: str, **more) -> list[str]:
    return [one.entry.name for one in seen(text, **more).lines]


@pytest.mark.parametrize(("text", "uses"), [
    ("Name;Vorname;Verein;Nr.;Startgeld\nOtt;Anna;SV;4;x", ("last", "first", "club", "number", "paid")),
    ("NR\tNACHNAME\tVORNAME\tE-Mail\n4\tOtt\tAnna\ta@b.de", ("number", "last", "first", "")),
    ("Start-Nr.,Teilnehmer,Klub,bezahlt?\n4,Anna Ott,SV,ja", ("number", "name", "club", "paid")),
    ("No.;Last name;First name;Club;Paid;Substitute\n4;Ott;Anna;SV;yes;no",
     ("number", "last", "first", "club", "paid", "substitute")),
    ("#;Player\n4;Anna Ott", ("number", "name")),
    ("Nachname, Vorname;Verein\nOtt, Anna;SV", ("name", "club")),
    ("Name;Name;Ersatz\nAnna Ott;?;", ("name", "", "substitute")),
    ("Anmeldung Herbst 2026\n\nStand 21.11.\nVorname;Nachname\nAnna;Ott", ("first", "last")),
    ("Ott;Anna;SV\nUhl;Bernd;TV", ("last", "first", "club")),
    ("1;Anna Ott;SV;x\n2;Bernd Uhl;TV;", ("number", "name", "club", "paid")),
    ("Ott, Anna;SV\nUhl, Bernd;SV", ("name", "club")),
    ("7;Ott\n7;Uhl", ("", "name")),
    ("Anna Ott;anna@ott.de;06198 1234\nBernd Uhl;b@uhl.de;06198 99", ("name", "", "")),
    ("Anna\nBernd", ("name",)),
], ids=lambda one: one[:24] if isinstance(one, str) else None)  # fmt: skip
def test_columns_are_told_by_their_heads_or_by_what_is_in_them(text, uses):
    assert seen(text).columns.uses == uses


@pytest.mark.parametrize(("text", "found"), [
    ("Ott, Anna\nvon der Heide, Hans\nUhl, Dr. Bernd", ["Anna Ott", "Hans von der Heide", "Dr. Bernd Uhl"]),
    ("Name\nOtt, Anna\nBernd Uhl", ["Anna Ott", "Bernd Uhl"]),
    ("Name;Vorname\nOtt;Anna\nUhl;\n;Cem", ["Anna Ott", "Uhl", "Cem"]),
    ("Ott;Anna\nUhl;Bernd", ["Anna Ott", "Bernd Uhl"]),
    ("Name\nAnna\u200b O\u0308z", ["Anna Öz"]),
])  # fmt: skip
def test_names_are_put_together(text, found):
    assert names(text) == found


def test_a_person_may_choose_the_columns_otherwise():
    assert names("Anna;Ott\nBernd;Uhl", uses=["first", "last"]) == ["Anna Ott", "Bernd Uhl"]
    assert names("Verein;Ott\nBernd;Uhl", uses=["first", "last"], headed=False) == ["Verein Ott", "Bernd Uhl"]
    assert names("wer;wo\nAnna;SV", uses=["name", "nonsense"], headed=True) == ["Anna"]
    assert [one.doubts[0].code for one in seen("Anna;Ott", uses=["", "club"]).lines] == ["no_name"]


@pytest.mark.parametrize(("cell", "paid"), [
    *((mark, True) for mark in ("x", "JA", "1", "wahr", "10 €", "10,00", "EUR 5", "21.11.", "2026-11-21", "0,50")),
    *((mark, False) for mark in ("", "nein", "0", "-", "0,00 €", "offen", "0,-")),
    *((mark, None) for mark in ("später", "die Hälfte", "??")),
])  # fmt: skip
def test_who_has_paid(cell, paid):
    one = seen(f"Name;Startgeld\nAnna Ott;{cell}").lines[0]
    assert (one.entry.paid if not one.doubts else None) is paid
    assert paid is not None or one.doubts[0].code == "odd_paid"


ROLL = START.after({"note": "register", "people": [
    {"name": "Anna Ott", "club": "SV", "number": 4}, {"name": "Bernd Uhl"}, {"name": "Jürgen Müller"},
    {"name": "Cem", "number": 9},
]}, AT).after({"note": "rename", "name": "Cem", "to": "Cem Aydın"}, AT)  # fmt: skip


@pytest.mark.parametrize(("line", "what", "codes", "possible"), [
    ("Dora;;;", "new", [], True),
    ("ANNA OTT;sv;4;", "same", [], True),
    ("Anna Ott;;;x", "more", [], True),
    ("Bernd Uhl;TV;7;x", "more", [], True),
    ("Cem;;;", "same", [], True),
    ("Anna Ott;TV;;", "doubt", ["namesake"], True),
    ("Anna Ott;SV;5;", "doubt", ["other_number"], True),
    ("Dora;;4;", "doubt", ["number_taken"], True),
    ("Juergen Mueller;;;", "doubt", ["alike"], True),
    ("Müller Jürgen;;;", "doubt", ["alike"], True),
    ("Jürgen Müler;;;", "doubt", ["alike"], True),
    ("Dora;;A7;", "doubt", ["odd_number"], True),
    ("Dora;;0;", "doubt", ["odd_number"], True),
    (f"Dora;{'x' * 61};;", "doubt", ["long_club"], True),
    (";SV;5;", "doubt", ["no_name"], False),
    (f"{'D' * 41};;;", "doubt", ["long_name"], False),
    ("MÃ¼ller Ute;;;", "doubt", ["odd_name"], True),
    ("M§ller;;;", "doubt", ["odd_name"], True),
    ("Summe:;;;", "doubt", ["odd_name"], True),
    ("Ott, Anna, geb. Uhl;;;", "doubt", ["odd_name"], True),
])  # fmt: skip
def test_a_line_beside_the_roll(line, what, codes, possible):
    one = seen(f"Name;Verein;Nr.;bezahlt\n{line}", ROLL).lines[0]
    assert (one.fate, [doubt.code for doubt in one.doubts], one.possible) == (what, codes, possible)
    assert one.entry.line == 2


def test_doubtful_lines_count_only_where_somebody_says_so():
    text = "Name;Verein;Nr.\nDora;SV;5\nAnna Ott;TV;\nEmil;;5\nAnna Ott;SV;6\nJuergen Mueller;;\n;SV;"
    assert [one.fate for one in seen(text, ROLL).lines] == ["new", *["doubt"] * 5]
    made = taken(text, ROLL)
    assert list(made.people) == [*ROLL.people, "Dora"]
    made = taken(text, ROLL, take=(3, 4, 5, 6, 7))
    assert list(made.people) == [*ROLL.people, "Dora", "Anna Ott (TV)", "Emil", "Juergen Mueller"]
    assert (made.people["Anna Ott"].number, made.people["Emil"].number) == (6, None)


LIST = "Name;Vorname;Verein;Nr.;bezahlt\nOtt;Anna;SV;1;x\nUhl;Bernd;;;\nOtt;Anna;TV;;\nÖz;Gül;TV;3;10 €\nUhl;Bernd;;;\n"


def test_the_same_list_twice_adds_nobody_twice():
    assert [one.fate for one in seen(LIST).lines] == ["new", "new", "doubt", "new", "same"]
    made = taken(LIST, take=(4,))
    assert list(made.people) == ["Anna Ott", "Bernd Uhl", "Anna Ott (TV)", "Gül Öz"]
    again = seen(LIST, made)
    assert [one.fate for one in again.lines] == ["same"] * 5
    with pytest.raises(LocalisedError) as refused:
        register_note(made, again, again.stamp, (4,))
    assert refused.value.code == "nothing_new"


def test_what_counts_is_what_was_seen():
    before = seen(LIST)
    later = START.after({"note": "enter", "names": ["Bernd Uhl"]}, AT)
    with pytest.raises(LocalisedError) as refused:
        register_note(later, seen(LIST, later), before.stamp, ())
    assert refused.value.code == "list_changed"
    gone = START.after({"note": "enter", "names": ["Zora"]}, AT)  # somebody who is not in the list changes nothing
    assert register_note(gone, seen(LIST, gone), before.stamp, ())["people"][0]["name"] == "Anna Ott"


@pytest.mark.parametrize(("one", "other", "alike"), [
    ("Jürgen Müller", "Juergen Mueller", True), ("Jürgen Müller", "Müller Jürgen", True),
    ("Anna-Maria Ott", "Anna Maria Ott", True),
    ("Łukasz Żółć", "Lukasz Zolc", True), ("Dr. Hans Graf", "Hans Graf", True), ("Hans Maier", "Hans Mayer", True),
    ("Jan Ott", "Jana Ott", False), ("Hans Maier", "Hans Mühler", False), ("P1", "P2", False), ("王芳", "李娜", False),
])  # fmt: skip
def test_names_that_are_written_almost_alike(one, other, alike):
    assert (Alike([one]).find(other) is not None) is alike
    assert (Alike([other]).find(one) is not None) is alike


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet=st.sampled_from('AnÖz,;"\n\t 19x.€'), max_size=120))
def test_whatever_is_pasted_is_read_or_refused_and_taken_in_whole(text):
    try:
        found = seen(text)
        made = START.after(register_note(START, found, found.stamp, [one.entry.line for one in found.lines]), AT)
    except LocalisedError:
        return
    possible = [one for one in found.lines if one.possible and one.fate != "same"]
    assert len(made.people) == len({one.entry.name.casefold() for one in possible})
    again = seen(text, made)
    assert all(one.fate in ("same", "doubt") for one in again.lines)

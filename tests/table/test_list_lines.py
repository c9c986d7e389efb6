"""The list as text and as CSV, line by line: what stands there, in both languages, and what is left out."""

from datetime import datetime
from typing import Any

import pytest

from kiosk.table.scoresheet.berichtigung import counted
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.scoresheet.written import (
    as_csv,
    as_text,
    breaches,
    cell,
    check_line,
    checks,
    corrected,
    date_text,
    heading,
    marks,
    mended,
    mended_line,
    offence_line,
    ruling_line,
    section_number,
    signed,
    state,
    time_text,
)
from tests.table.test_list_data import by_seat, eppstein, noted

#: On the machine's clock, whatever zone that has.
EVENING = int(datetime(2026, 11, 21, 21, 3).timestamp()) * 1000


def told(language: Any = "de", *notes: Any, **more: Any) -> dict[str, Any]:
    """A round with a revoke, a Pflichtsolo, somebody who left, and what the direction has put right of it."""
    return {**list_data(counted(eppstein(), notes), language), "date": EVENING, **more}


#: One of each kind that can be put right, and one that fits no more.
MENDED = (
    noted("penalty", 3, seat=2, after=-4, section="eppstein 8.7.2", late=True),
    noted("points", 4, game=1, after=by_seat(0, 4, -12, 4), before=by_seat(1, 4, -12, 4)),
    noted("strike", 6, game=7, before=by_seat(1, 2, 0, 0), actor=""),
    noted("row", 7, game=3, after={"score": by_seat(2, 2, 0, 0)}),
    noted("seats", 8, after=["Bernd", "Gerd", "Cem", "Dora"], before=["Gerd", "Bernd", "Cem", "Dora"]),
    noted("disqualified", 9, seat=3, after="Cem"),
    noted("name", 10, seat=3, after="Cemil", before="Cem"),
    noted("strike", 11, game=3, before=by_seat(2, 2, 0, -4)),
    noted("reopen", 12, before=[2]),
)

GERMAN = """\
Doppelkopf-Turnierregeln der Schachvereinigung 1932 Eppstein im Taunus e.V.
Herbst, Runde 2, Tisch 3, 21.11.2026

 Spiel  Geber          Bernd  Gerd  Cemil  Dora  Punkte dieses Spiels  Art des Spiels (Solo)
------  -------------  -----  ----  -----  ----  --------------------  -----------------------------------------------------
   1*2  Anna               0     4    -12     4                        abgebrochen nach Entscheid
     2  Anna               0     4     -3     4                        Damensolo (Pflicht) Cemil, abgebrochen nach Entscheid
3*3 *7  Bernd              0     4     -3     4                        gestrichen
------  -------------  -----  ----  -----  ----  --------------------  -----------------------------------------------------
        Ergebnis           0     4     -3     4
        Punktabzug *1      0    -4      0     0
        Endergebnis        0     0     -3     4

Punkte fortlaufend aufgerechnet (6.3.5): stimmt
Geber der Reihe nach (6.3.5): stimmt
Noch 3 Spiele
Ab Spiel 3 an Platz 1: Gerd für Anna
Ersatzspieler: Gerd, Dora
Pflichtsolo offen: Bernd, Gerd, Dora
Richtiggestellt: 1 (Spiel 3)
*1 Punktabzug Gerd −4; x (8.7.2), Eva, nach der Einspruchsfrist
*2 Spiel 1: Punkte Bernd +1 → Bernd +0; x, Eva; inzwischen stand dort Bernd +4, Gerd +4, Cemil −12, Dora +4
*3 Spiel 3: nachgetragen (Bernd +2, Gerd +2); x, Eva
*4 Plätze Gerd, Bernd, Cem, Dora → Bernd, Gerd, Cem, Dora; x, Eva
*5 Cem disqualifiziert; x, Eva
*6 Name Cem → Cemil; x, Eva
*7 Spiel 3: gestrichen (Bernd +2, Gerd +2, Cemil +0, Dora −4); x, Eva; inzwischen stand dort Bernd +2, Gerd +2, Cemil +0, Dora +0
*8 Unterschriften wieder offen; x, Eva
Spiel 7: gestrichen (Bernd +1, Gerd +2, Cemil +0, Dora +0); x; zählt nicht mehr: Der Tisch hat das Spiel selbst geändert
Spielzeit beendet
Nachspielzeit 2 Minuten
Kasse: Gerd zahlt 1 €, Dora zahlt 1,50 €
Spiel 1: Cemil, Nicht bedient (4.2.4), schwerwiegender Verstoß, Strafpunkte Anna +4, Gerd +4, Cemil −12, Dora +4, Nachspielzeit 2 Minuten, gesehen
Spiel 2: Dora, card_shown, Wertung der Turnierleitung, Strafpunkte Cemil +9, Dora zahlt 2,50 €
Gerd zahlt 1 €, Dora erhält 1 €
Spiel 1: Cemil, Nicht bedient (Eppstein Abschnitt 4.2.4); Zeile 4, bewiesen mit Zeile 8
Bestätigt: noch niemand
"""  # noqa: E501

SHEET = """\
Spiel;Geber;Bernd;Gerd;Cemil;Dora;Punkte dieses Spiels;Art des Spiels (Solo)
1*2;Anna;0;4;-12;4;;abgebrochen nach Entscheid
2;Anna;0;4;-3;4;;Damensolo (Pflicht) Cemil, abgebrochen nach Entscheid
3*3 *7;Bernd;0;4;-3;4;;gestrichen
;Ergebnis;0;4;-3;4;;
;Punktabzug *1;0;-4;0;0;;
;Endergebnis;0;0;-3;4;;
;Richtiggestellt: 1 (Spiel 3)
;"*1 Punktabzug Gerd −4; x (8.7.2), Eva, nach der Einspruchsfrist"
"""

ENGLISH = """\
Herbst, Round 2, Table 3, 2026-11-21
3 games left
From game 3 on at seat 1: Gerd for Anna
Put right: 1 (Game 3)
*1 deduction Gerd −4; x (8.7.2), Eva, after the time for objections
*2 Game 1: points Bernd +1 → Bernd +0; x, Eva; meanwhile it said Bernd +4, Gerd +4, Cemil −12, Dora +4
Cash: Gerd pays €1, Dora pays €1.50
Game 1: Cemil, Revoke (Eppstein section 4.2.4); line 4, proved with line 8
Signed: nobody yet
"""


def test_all_lines_of_a_list() -> None:
    assert as_text(told("de", *MENDED)) == GERMAN
    english = as_text(told("en", *MENDED)).splitlines()
    assert [line for line in ENGLISH.splitlines() if line not in english] == []


def test_all_rows_of_a_spreadsheet() -> None:
    written = as_csv(told("de", *MENDED))
    assert written.startswith(SHEET.replace("\n", "\r\n")) and written.count("\r\n") == 17


@pytest.mark.parametrize("value", ["Xaver", "Anna", "", "a=b", 3, -3, 0])
def test_a_cell_that_is_no_formula_stays_as_it_is(value: str | int) -> None:
    assert cell(value) == value


def test_who_has_signed_and_who_has_not() -> None:
    assert as_text(told()).endswith("\nBestätigt: Bernd\nBestätigung fehlt: Gerd, Cem, Dora\n")
    assert as_text(told(signatures=by_seat(True, True, True, True))).endswith("\nBestätigt: Gerd, Bernd, Cem, Dora\n")
    assert as_text(told(signatures=by_seat(False, False, False, False))).endswith("\nBestätigt: noch niemand\n")


def test_the_day_and_the_time() -> None:
    assert (date_text(EVENING, "de"), date_text(EVENING, "en"), time_text(EVENING)) == (
        "21.11.2026",
        "2026-11-21",
        "21:03",
    )
    assert date_text(EVENING + 999, "de") == "21.11.2026"
    assert heading(told()) == "Herbst, Runde 2, Tisch 3, 21.11.2026"
    assert heading(told(tournament=None, date=None)) == heading(told(tournament="", date=None)) == "Runde 2, Tisch 3"
    assert heading(told(date=0)).startswith("Herbst, Runde 2, Tisch 3, ")


@pytest.mark.parametrize(
    ("check", "players", "expected"),
    [
        ({"check": "dealers", "ok": True}, 4, ("Geber der Reihe nach (6.3.5)", "stimmt", True)),
        ({"check": "dealers", "ok": False}, 4, ("Geber der Reihe nach (6.3.5)", "stimmt nicht", False)),
        ({"check": "dealers", "ok": False, "games": []}, 4, ("Geber der Reihe nach (6.3.5)", "stimmt nicht", False)),
        (
            {"check": "dealers", "ok": False, "games": [2, 3]},
            4,
            ("Geber der Reihe nach (6.3.5)", "stimmt nicht: Spiel 2, 3", False),
        ),
        ({"check": "winners", "ok": True}, 4, ("Gewinner gekennzeichnet (6.3.5)", "stimmt", True)),
        ({"check": "even_odd", "ok": True}, 4, ("alle gerade oder alle ungerade (6.3.5)", "stimmt", True)),
        (
            {"check": "even_odd", "ok": True},
            5,
            ("alle gerade oder alle ungerade (6.3.5)", "am Fünfertisch nicht verlangt", True),
        ),
        ({"check": "dealers", "ok": True}, 5, ("Geber der Reihe nach (6.3.5)", "stimmt", True)),
        (
            {"check": "even_odd", "ok": True, "excused": [2, 4]},
            4,
            (
                "alle gerade oder alle ungerade (6.3.5)",
                "stimmt (Strafpunkte im Solo: Spiel 2, 4)",
                True,
            ),
        ),
    ],
    ids=str,
)
def test_what_a_check_came_to(check: dict[str, Any], players: int, expected: tuple[str, str, bool]) -> None:
    data = told(checks=[{"section": "eppstein 6.3.5", **check}], players=["A", "B", "C", "D", "E"][:players])
    assert checks(data) == [expected]


@pytest.mark.parametrize(
    ("check", "line"),
    [
        ({"check": "due", "seat": 2}, "Bernd"),
        ({"check": "duty", "seat": 1}, "Anna"),
        ({"check": "row_sums", "section": "bsv 7.3"}, "Quersumme jedes Spiels 0 (7.3): stimmt nicht"),
        ({"check": "winners", "section": "bsv 7.3"}, "Gewinner gekennzeichnet (7.3): stimmt nicht"),
    ],
    ids=lambda value: value if isinstance(value, str) else value["check"],
)
def test_what_is_strange_in_a_row(check: dict[str, Any], line: str) -> None:
    found = check_line(check, ("Anna", "Bernd"), "de")
    assert found == line if ":" in line else line in found
    assert {"Anna", "Bernd"} & set(found.replace(",", " ").split()) <= {line}


LEFT = {
    "games_left": 0, "closed": False, "changes": [], "substitutes": [], "duties_left": {}, "bock_left": 0,
    "corrections": [], "sign_anew": False, "mended": [], "paper": False, "time_up": False, "extra_minutes": 0,
    "fines": {}, "rows": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        pytest.param({}, [], id="nothing to tell"),
        pytest.param({"games_left": 1}, ["Noch 1 Spiel"], id="one game left"),
        pytest.param({"games_left": 2}, ["Noch 2 Spiele"], id="two left"),
        pytest.param({"games_left": 1, "closed": True}, ["1 Spiel nicht gespielt"], id="one not played"),
        pytest.param({"games_left": 2, "closed": True}, ["2 Spiele nicht gespielt"], id="two not played"),
        pytest.param({"duties_left": by_seat(0, 2, 0, 1)}, ["Pflichtsolo offen: Bernd, Dora"], id="duties"),
        pytest.param({"bock_left": 1}, ["Bockrunde: noch 1 Spiel doppelt"], id="one Bock"),
        pytest.param({"bock_left": 2}, ["Bockrunde: noch 2 Spiele doppelt"], id="two Bock"),
        pytest.param({"extra_minutes": 1}, ["Nachspielzeit 1 Minute"], id="a minute"),
        pytest.param({"extra_minutes": 2.5}, ["Nachspielzeit 2,5 Minuten"], id="minutes and a half"),
        pytest.param({"sign_anew": True}, ["Liste geändert: bitte neu unterschreiben"], id="anew"),
        pytest.param({"paper": True}, ["Liste auf Papier geführt und eingetragen."], id="on paper"),
        pytest.param({"corrections": [{"game": None}]}, ["Richtiggestellt: 1"], id="put right outside a game"),
        pytest.param(
            {"corrections": [{"game": 5}, {"game": 3}, {"game": 5}, {"game": None}]},
            ["Richtiggestellt: 4 (Spiel 3, 5)"],
            id="put right in games",
        ),
        pytest.param({"ranking": [{"place": 1, "seat": 1, "points": 3}]}, [], id="no ranking before the first game"),
        pytest.param(
            {"ranking": [{"place": 1, "seat": 2, "points": 3}, {"place": 2, "seat": 1, "points": -1}], "rows": [1]},
            ["Tageswertung: 1. Bernd 3, 2. Anna -1"],
            id="ranking",
        ),
    ],
)
def test_how_the_list_stands(more: dict[str, Any], lines: list[str]) -> None:
    assert state({"language": "de", "players": ["Anna", "Bernd", "Cem", "Dora"], **LEFT, **more}) == lines


def test_to_be_signed_anew() -> None:
    """What is handed in is not signed anew: it only says so."""
    open_, closed = (
        corrected({"language": "de", "corrections": [], "sign_anew": True, "closed": one}) for one in (0, 1)
    )
    assert len(open_) == len(closed) == 1 and open_ != closed
    assert corrected({"language": "de", "corrections": [], "sign_anew": False, "closed": 1}) == []


def test_marks() -> None:
    assert (marks({"marks": []}), marks({"marks": [1, 4]})) == ("", "*1 *4")


@pytest.mark.parametrize(
    ("section", "rules", "shown"),
    [
        ("eppstein 6.3.5", "", "6.3.5"),
        ("eppstein 6.3.5", "eppstein", "6.3.5"),
        ("schaffkopf III 3.2", "schaffkopf", "III 3.2"),
        ("haus 4", "haus.0123abcd", "4"),
        ("eppstein 6.3.5", "haus.0123abcd", "eppstein 6.3.5"),
        ("eppstein", "", "eppstein"),
        ("eppstein", "haus.0123abcd", "eppstein"),
    ],
)
def test_how_a_section_is_shortened(section: str, rules: str, shown: str) -> None:
    assert section_number(section, rules) == shown


@pytest.mark.parametrize(("number", "text"), [(3, "+3"), (0, "+0"), (-12, "−12")])
def test_numbers_with_their_sign(number: int, text: str) -> None:
    assert signed(number) == text


def mend(**more: Any) -> dict[str, Any]:
    return {
        "mark": 1, "number": 0, "what": "points", "game": 3, "seat": None, "before": by_seat(2, 2, -2, -2),
        "after": by_seat(3, 2, -3, -2), "reason": "verrechnet", "section": "", "actor": "Eva", "at": 0, "late": False,
        "found": None, **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({}, "Spiel 3: Punkte Anna +2, Cem −2 → Anna +3, Cem −3; verrechnet, Eva"),
        ({"actor": ""}, "Spiel 3: Punkte Anna +2, Cem −2 → Anna +3, Cem −3; verrechnet"),
        ({"section": "haus 2"}, "Spiel 3: Punkte Anna +2, Cem −2 → Anna +3, Cem −3; verrechnet (2), Eva"),
        ({"section": "bsv 7.3"}, "Spiel 3: Punkte Anna +2, Cem −2 → Anna +3, Cem −3; verrechnet (bsv 7.3), Eva"),
        (
            {"mark": None},
            "Spiel 3: Punkte Anna +2, Cem −2 → Anna +3, Cem −3; verrechnet, Eva; "
            "zählt nicht mehr: Der Tisch hat das Spiel selbst geändert",
        ),
        ({"what": "reopen", "game": None, "before": [], "after": None}, "Unterschriften wieder offen; verrechnet, Eva"),
    ],
    ids=str,
)
def test_what_those_at_the_table_are_told(more: dict[str, Any], line: str) -> None:
    assert mended_line(("Anna", "Bernd", "Cem", "Dora"), mend(**more), "de", "haus.0123") == line


def test_footnotes_only_and_paper() -> None:
    data = told(mended=[mend(), mend(mark=None)], paper=True)
    first, second, third = mended(data)
    assert (
        first.startswith("*1 Spiel 3: ")
        and second.startswith("Spiel 3: ")
        and third == "Liste auf Papier geführt und eingetragen."
    )


def ruling(**more: Any) -> dict[str, Any]:
    return {
        "event": 9, "game": 2, "offender": 1, "class": "serious", "code": None, "section": "", "scores": {},
        "minutes": 0, "fines": {}, "why": "", "at": None, **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({}, "Spiel 2: Anna, schwerwiegender Verstoß"),
        ({"game": 3}, "Spiel 3: Gerd, schwerwiegender Verstoß"),
        ({"offender": None}, "Spiel 2: schwerwiegender Verstoß"),
        ({"code": "revoke"}, "Spiel 2: Anna, Nicht bedient, schwerwiegender Verstoß"),
        ({"code": "revoke", "section": "bsv 5.2"}, "Spiel 2: Anna, Nicht bedient (5.2), schwerwiegender Verstoß"),
        ({"game": None, "minutes": 1, "why": "Lärm"}, "Gerd, Nachspielzeit 1 Minute, Lärm"),
        ({"game": None, "fines": {"2": -0.5}}, "Gerd, Bernd erhält 0,50 €"),
        (
            {"scores": {"1": -2, "2": 2}},
            "Spiel 2: Anna, schwerwiegender Verstoß, Strafpunkte Anna −2, Bernd +2",
        ),
    ],
    ids=str,
)
def test_a_ruling_in_words(more: dict[str, Any], line: str) -> None:
    """Up to game 2 it was Anna who sat there."""
    assert ruling_line(told(), ruling(**more)) == line


def test_a_breach_in_words() -> None:
    one = {"game": 2, "code": "revoke", "seat": 1, "event": 4, "proved": 8, "section": "eppstein 4.2.4"}
    assert offence_line(told(), one, "4.2.4") == "Spiel 2: Anna, Nicht bedient (4.2.4)"
    assert offence_line(told(), {**one, "game": 3}, "") == "Spiel 3: Gerd, Nicht bedient"
    misread = {**one, "code": "impossible_card"}
    assert breaches({"offences": [misread, one, misread]}) == [one], "nobody has laid a card that was misread"

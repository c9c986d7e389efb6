"""The list as data, as text and as CSV, book by book, against rounds whose scores were reckoned by hand."""

import csv
import io
import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from kiosk.language.scoresheet import list_word
from kiosk.table.events.codec import decode
from kiosk.table.replay import read
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.spielliste import list_data, text
from kiosk.table.scoresheet.written import as_csv, as_text, cell, checks, money, ruling_line, state

DATA = Path(__file__).parents[1] / "data"
AGREED = sorted([*DATA.glob("agreed/*.jsonl"), *DATA.glob("rounds/*.jsonl")])


def round_of(path: Path) -> Round:
    return read(path.read_bytes())[0]


def schaffkopf_round() -> list[dict[str, Any]]:
    """Three games of schaffkopf: a Sie with leave, a Sie without, and one that the direction has scored."""
    names = ["Anna", "Bernd", "Cem", "Dora"]
    return [
        {"event": "open", "format": 1, "rules": "schaffkopf", "table": 3, "round": 2, "players": names,
         "at": 1795186800000, "tournament": "Herbst"},
        {"event": "release"},
        {"event": "deal", "dealer": 1},
        {"event": "leave", "seat": 2, "granted": True},
        {"event": "declare", "seat": 2, "game": "sie"},
        {"event": "deal", "dealer": 2},
        {"event": "declare", "seat": 3, "game": "sie"},
        {"event": "deal", "dealer": 3},
        {"event": "declare", "seat": 4, "game": "solo", "suit": "S"},
        {"event": "rule", "offender": 1, "class": "custom", "scores": {"1": 3, "2": 3, "3": 3, "4": -9},
         "why": "Karten gezeigt"},
    ]  # fmt: skip


TABLES = {
    "eppstein 6.3.2, struck 8.2.1": (
        DATA / "rounds/eppstein_hochzeit_claim_strike.jsonl",
        """
Spiel  Geber     Anna  Bernd  Cem  Dora  Punkte dieses Spiels  Art des Spiels (Solo)
-----  --------  ----  -----  ---  ----  --------------------  ---------------------------
    1  Anna         3      3    0     0                     3  Hochzeit Bernd
    2  Bernd        3      3   30     0                    10  Damensolo (Pflicht) Cem
    3  Bernd        3      3   30     0                        gestrichen und neu gespielt
    4  Bernd        6      3   33     0                     3
    5  Cem          6      6   33     3                     3
-----  --------  ----  -----  ---  ----  --------------------  ---------------------------
       Ergebnis     6      6   33     3

Punkte fortlaufend aufgerechnet (6.3.5): stimmt
Geber der Reihe nach (6.3.5): stimmt
12 Spiele nicht gespielt
Pflichtsolo offen: Anna, Bernd, Dora
""",
    ),
    "bsv 7.3, winners and checks": (
        DATA / "agreed/bsv_3.jsonl",
        """
Spiel  Geber       A   B   C    D  Gewinner  Punkte  Spiel
-----  --------  ---  --  --  ---  --------  ------  ---------------------------------------
    1  A           0   0   0    0                    Stilles Solo A, gestrichen
    2  B           1   5  -1   -5       1 2          abgebrochen nach Entscheid
    3  C           0   5  -4   -6                    Damensolo D, abgebrochen nach Entscheid
    4  A         -11  -6  29  -17         3      11  Stilles Solo C
    5  B         -12  -5  30  -18       2 3       1
-----  --------  ---  --  --  ---  --------  ------  ---------------------------------------
       Ergebnis  -12  -5  30  -18

Quersumme jedes Spiels 0 (7.3): stimmt nicht: Spiel 3
alle gerade oder alle ungerade (7.3): stimmt nicht: Spiel 3
Gewinner gekennzeichnet (7.3): stimmt nicht: Spiel 3
Noch 20 Spiele
Spiel 2: A, Nicht bedient, schwerwiegender Verstoß, Strafpunkte A +1, B +5, C −1, D −5
""",
    ),
    "durchgaenge 6c, Bonuspunkte upon the points": (
        DATA / "agreed/durchgaenge_2.jsonl",
        """
Spiel  Geber     A   B   C   D  Spielpunkte ohne Bonus  Spiel
-----  --------  -  --  --  --  ----------------------  ----------
    1  A         0  13   0  13                       8  Hochzeit A
    2  B         0  23  10  13                       5
-----  --------  -  --  --  --  ----------------------  ----------
       Ergebnis  0  23  10  13

Noch 10 Spiele
""",
    ),
    "schnittchen 6.2, money and the day's ranking": (
        DATA / "agreed/schnittchen_3.jsonl",
        """
Spiel  Geber       A   B    C    D  Punkte  Spiel
-----  --------  ---  --  ---  ---  ------  ---------------------------------------
    1  A           0   0    0    0          gestrichen
    2  B           0   0    0    0          abgebrochen nach Entscheid
    3  C         -13  38  -10  -14      14  Stilles Solo B, mit Entscheid
    4  D         -12  38   -6  -18          Bubensolo B, abgebrochen nach Entscheid
    5  A           2  20   12  -34      16  Hochzeit C, mit Entscheid
-----  --------  ---  --  ---  ---  ------  ---------------------------------------
       Ergebnis    2  20   12  -34

Quersumme jedes Spiels 0 (6.2): stimmt nicht: Spiel 3, 4, 5
Kasse: A zahlt 2 €, B zahlt 2 €, C erhält 2 €, D erhält 2 €
Tageswertung: 1. B 20, 2. C 12, 3. A 2, 4. D -34
Spiel 2: B, Nicht bedient, schwerwiegender Verstoß, A erhält 1 €, B zahlt 3 €, C erhält 1 €, D erhält 1 €
""",
    ),
    "schaffkopf III 3.2, + and −, Σ, notes": (
        None,
        """
Spiel  Geber     Anna +  Anna −  Bernd +  Bernd −  Cem +  Cem −  Dora +  Dora −  Spiel, Vermerk
-----  --------  ------  ------  -------  -------  -----  -----  ------  ------  ----------------------------------------------
    1  Anna                  12       36                     12              12  Sie Bernd, mit Vermerk der Turnierleitung
    2  Bernd                                                                     Sie Cem, gestrichen
    3  Cem            3                3               3                      9  Solo Schellen Dora, abgebrochen nach Entscheid
-----  --------  ------  ------  -------  -------  -----  -----  ------  ------  ----------------------------------------------
       Σ              3      12       39        0      3     12       0      21
       Ergebnis      -9               39              -9            -21

Quersumme jedes Spiels 0 (III 3.1): stimmt
Geber der Reihe nach (II 1): stimmt
Noch 29 Spiele
Spiel 3: Anna, Wertung der Turnierleitung, Strafpunkte Anna +3, Bernd +3, Cem +3, Dora −9, Karten gezeigt
""",  # noqa: E501
    ),
}


@pytest.mark.parametrize(("path", "expected"), TABLES.values(), ids=TABLES)
def test_text(path: Path | None, expected: str) -> None:
    round_ = fold(map(decode, schaffkopf_round())) if path is None else round_of(path)
    assert expected in text(round_)


@pytest.mark.parametrize("path", AGREED, ids=lambda path: path.stem)
def test_columns_and_sums_by_the_agreed_scores(path: Path) -> None:
    """Cumulated cells, single cells and sums are those of scores that were reckoned twice."""
    printed = json.loads(path.with_suffix(".json").read_text())
    games = [line for line in printed if "game" in line]
    data = list_data(round_of(path))
    assert len(data["fields"]) == len(data["columns"])
    for place, one in enumerate(data["fields"]):
        cells = [line[place] for line in data["lines"]]
        scores = [game["score"][str(one["seat"])] for game in games if one["seat"]]
        match one["kind"]:
            case "total":
                assert cells == list(accumulate(scores))
                assert data["foot"][0][1][place] == sum(scores) == data["total"][str(one["seat"])]
            case "winners":
                positive = [[seat for seat, points in game["score"].items() if points > 0] for game in games]
                assert [str(shown).split() for shown in cells] == positive
            case "value":
                assert [shown == "" for shown in cells] == [game["void"] for game in games]
    assert [row["dealer"] for row in data["rows"]] == [game["dealer"] for game in games]


def test_plus_and_minus() -> None:
    """III 3.2: each game in its column, nothing cumulated; Ergebnis is Σ + less Σ −."""
    data = list_data(fold(map(decode, schaffkopf_round())))
    assert [one["kind"] for one in data["fields"]] == ["plus", "minus"] * 4 + ["game"]
    assert data["lines"][0][:8] == ["", 12, 36, "", "", 12, "", 12]
    assert data["lines"][1][:8] == [""] * 8
    assert data["foot"] == [
        ["Σ", [3, 12, 39, 0, 3, 12, 0, 21, ""]],
        ["Ergebnis", [-9, "", 39, "", -9, "", -21, "", ""]],
    ]
    assert data["name"] == "Turnierliste" and data["rows"][0]["leave"] and data["rows"][1]["struck"]


@pytest.mark.parametrize("path", AGREED, ids=lambda path: path.stem)
def test_csv_has_every_cell(path: Path) -> None:
    data = list_data(round_of(path), "en")
    table = list(csv.reader(io.StringIO(as_csv(data)), delimiter=";"))
    assert table[0] == ["Game", "Dealer", *map(str, map(cell, data["columns"]))]
    assert [line[2:] for line in table[1 : 1 + len(data["lines"])]] == [
        [str(cell(one)) for one in line] for line in data["lines"]
    ]
    assert [line[1] for line in table[1 + len(data["lines"]) :]] == [label for label, _ in data["foot"]]


@pytest.mark.parametrize("name", ["=1+1", "+3", "-x", "@here", "\tx"])
def test_no_name_is_a_formula(name: str) -> None:
    opening = schaffkopf_round()[0] | {"players": [name, "Bernd", "Cem", "Dora"]}
    written = as_csv(list_data(fold(map(decode, [opening, *schaffkopf_round()[1:]]))))
    cells = [one for line in csv.reader(io.StringIO(written), delimiter=";") for one in line]
    assert not [one for one in cells if one[:1] in tuple("=+@\t") or (one[:1] == "-" and not one[1:].isdigit())]
    assert f"'{name}" in cells


def test_english() -> None:
    said = text(fold(map(decode, schaffkopf_round())), "en")
    assert said.splitlines()[1].startswith("Herbst, Round 2, Table 3, 2026-11-")
    for words in (
        "Game",
        "Dealer",
        "Game, note",
        "Result",
        "struck",
        "with the direction's leave",
        "right",
        "29 games",
    ):
        assert words in said
    assert "Spiel" not in said.replace("Schaffkopf", "")


def test_who_sat_there_then() -> None:
    """III 1.3: a substitute takes a seat; what was before stays with the one who played it."""
    events = [*schaffkopf_round(), {"event": "substitute", "seat": 4, "player": "Gerd"}]
    data = list_data(fold(map(decode, events)))
    assert "Solo Schellen Dora" in data["lines"][2][-1] and data["columns"][6] == "Gerd +"
    assert "Ab Spiel 4 an Platz 4: Gerd für Dora" in state(data)
    assert "Ersatzspieler: Gerd" in state(data)
    assert "Dora −9" in ruling_line(data, data["rulings"][0])


def test_rulings_of_no_game_and_of_later_thoughts() -> None:
    """Nachspielzeit needs no game; of two rulings that end a game the later one is listed (eppstein 8.8.7)."""
    names = ["Anna", "Bernd", "Cem", "Dora"]
    events = [
        {"event": "open", "format": 1, "rules": "eppstein", "players": names},
        {"event": "release"},
        {"event": "rule", "offender": None, "class": "none", "minutes": 5, "why": "Tisch wackelt"},
        {"event": "deal", "dealer": 1},
        {"event": "card", "seat": 2, "card": "CA"},
        {"event": "rule", "offender": 3, "class": "serious"},
        {"event": "rule", "offender": 4, "class": "serious", "minutes": 2},
    ]
    data = list_data(fold(map(decode, events)))
    lines = [ruling_line(data, one) for one in data["rulings"]]
    assert lines == [
        "Nachspielzeit 5 Minuten, Tisch wackelt",
        "Spiel 1: Dora, schwerwiegender Verstoß, Strafpunkte Anna +4, Bernd +4, Cem +4, Dora −12, "
        "Nachspielzeit 2 Minuten",
    ]
    assert "Nachspielzeit 7 Minuten" in state(data)
    assert "Nachspielzeit 1 Minute" in state(data | {"extra_minutes": 1})


def test_signed_when_and_by_whom() -> None:
    events = [*schaffkopf_round(), {"event": "sign", "seat": 2, "at": 1795190000000}, {"event": "sign", "seat": 3}]
    data = list_data(fold(map(decode, events)))
    assert data["signed_at"] == {"1": None, "2": 1795190000000, "3": None, "4": None}
    said = as_text(data)
    assert "Bestätigt: Bernd, Cem\nBestätigung fehlt: Anna, Dora\n" in said


def test_games_that_nobody_played() -> None:
    assert "Noch 29 Spiele" in state(list_data(fold(map(decode, schaffkopf_round()))))
    assert "29 Spiele nicht gespielt" in state(list_data(fold(map(decode, [*schaffkopf_round(), {"event": "close"}]))))


def test_even_odd_is_not_asked_for_at_five() -> None:
    """bsv 10.1."""
    names = ["Anna", "Bernd", "Cem", "Dora", "Emil"]
    data = list_data(fold(map(decode, [{"event": "open", "format": 1, "rules": "bsv", "players": names}])))
    assert checks(data)[1] == ("alle gerade oder alle ungerade (10.1)", "am Fünfertisch nicht verlangt", True)


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "Anna zahlt 2,50 €, Bernd erhält 1 €"), ("en", "Anna pays €2.50, Bernd gets €1")],
)
def test_money_to_the_cent(language: str, words: str) -> None:
    data = {"language": language, "players": ["Anna", "Bernd"], "changes": []}
    assert money(data, {"1": 2.5, "2": -1, "3": 0}) == words
    assert money(data, {"1": 0}) == money(data, {}) == ""


def test_a_word_is_filled_in() -> None:
    assert list_word("games_left", "en", number=3) == "3 games left"


def test_where_an_offence_was_proved() -> None:
    one = {"game": 1, "code": "revoke", "seat": 2, "event": 5, "proved": 9, "section": "schaffkopf II 4.2.5"}
    said = as_text(list_data(fold(map(decode, schaffkopf_round()))) | {"offences": [one, one | {"proved": 5}]})
    assert "(Schaffkopf Abschnitt II 4.2.5); Zeile 5, bewiesen mit Zeile 9\n" in said
    assert "(Schaffkopf Abschnitt II 4.2.5); Zeile 5\n" in said

"""Evenings and rounds of a table's file: names that never collide, numbers, and which round was up last."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.table.evenings import RoundKey, evening_text, evening_word, kept_rounds, next_number, note_sitting, parts
from kiosk.table.events.log_file import LogFile

DAY = date(2026, 11, 22)
OPEN: dict[str, Any] = {"event": "open", "format": 1, "rules": "bsv", "players": ["A", "B", "C", "D"]}


def begin(file: LogFile, evening: str, number: int, *events: dict[str, Any], table: int = 1) -> None:
    log = file.log(evening, table, number)
    note_sitting(file, log)
    for body in ({**OPEN, "round": number, "table": table}, *events):
        log.append(body)


@pytest.fixture
def file(tmp_path: Path) -> Any:
    with LogFile(tmp_path / "table.sqlite") as file:
        yield file


@pytest.mark.parametrize(
    ("name", "taken", "word"),
    [
        ("", [], "2026-11-22"),
        ("Vereinsabend", [], "2026-11-22 Vereinsabend"),
        ("  zwei   Wörter ", [], "2026-11-22 zwei Wörter"),
        ("", ["2026-11-22"], "2026-11-22 (2)"),
        ("", ["2026-11-22", "2026-11-22 (2)"], "2026-11-22 (3)"),
        ("vereinsabend", ["2026-11-22 Vereinsabend"], "2026-11-22 vereinsabend (2)"),
        ("x" * 60, [], "2026-11-22 " + "x" * 40),
    ],
    ids=["day", "name", "spaces", "same day", "third", "other letters", "long"],
)
def test_the_word_of_an_evening(name: str, taken: list[str], word: str) -> None:
    assert evening_word(DAY, name, taken) == word


@pytest.mark.slow
@given(st.lists(st.text(max_size=50), max_size=8))
def test_no_two_evenings_have_the_same_word(names: list[str]) -> None:
    taken: list[str] = []
    for name in names:
        taken.append(evening_word(DAY, name, taken))
    assert len({one.casefold() for one in taken}) == len(names)
    assert all(parts(one)[0] == DAY for one in taken)


@pytest.mark.parametrize(
    ("evening", "german", "english"),
    [
        ("2026-11-22 Vereinsabend", "22.11.2026 · Vereinsabend", "2026-11-22 · Vereinsabend"),
        ("2026-11-22", "22.11.2026", "2026-11-22"),
        ("2026-11-22 (2)", "22.11.2026 (2)", "2026-11-22 (2)"),
        ("turnier", "turnier", "turnier"),
        ("Herbst 2026", "Herbst 2026", "Herbst 2026"),
    ],
)
def test_an_evening_as_people_read_it(evening: str, german: str, english: str) -> None:
    assert (evening_text(evening, "de"), evening_text(evening, "en")) == (german, english)


def test_rounds_in_the_order_in_which_people_sat_down(file: LogFile) -> None:
    file.log("turnier", 1, 1).append({**OPEN, "round": 1})  # of a version that did not note who sat down
    begin(file, "2026-11-22", 1, {"event": "release"}, {"event": "close"})
    begin(file, "2026-11-22", 2)
    note_sitting(file, file.log("2026-11-22", 1, 1))  # back to the first
    file.log("2026-11-29", 1, 1)  # power went before the first event
    note_sitting(file, file.log("2026-11-30", 1, 1))
    file.log("2026-12-01", 1, 1).append({"event": "nonsense"})
    kept = kept_rounds(file)
    assert [(one.key.evening, one.key.round, one.handed_in) for one in kept] == [
        ("turnier", 1, False),
        ("2026-11-22", 2, False),
        ("2026-11-22", 1, True),
    ]


def test_a_name_is_no_event(file: LogFile) -> None:
    begin(file, "x", 1, {"event": "substitute", "seat": 1, "player": '"event":"close"'})
    assert not kept_rounds(file)[0].handed_in


@pytest.mark.parametrize(
    ("evening", "table", "number"),
    [("a", 1, 4), ("b", 1, 1), ("a", 2, 1), ("new", 1, 1)],
    ids=["goes on", "another", "another table", "none yet"],
)
def test_the_next_number(file: LogFile, evening: str, table: int, number: int) -> None:
    begin(file, "a", 1)
    begin(file, "a", 3)
    begin(file, "b", 7, table=2)
    assert next_number(kept_rounds(file), evening, table, 1) == number
    assert kept_rounds(file)[0].key == RoundKey(evening="a", table=1, round=1)

"""Standing, cash book and year on paper: everybody is on it, and the same data give the same bytes."""

import re
import shutil
import subprocess
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kiosk.paper.tally import cash_pdf, standing_pdf, year_pdf
from kiosk.rules.books import BOOKS, SCHNITTCHEN
from kiosk.rules.engine.listing import ListRow
from kiosk.rules.engine.standings import Finished
from kiosk.tournament.cash import DEBT, PAID, Entry, cash_data
from kiosk.tournament.ranking import standing_data, year_data

PDFTOTEXT = shutil.which("pdftotext")
needs_text = pytest.mark.skipif(PDFTOTEXT is None, reason="pdftotext (Debian: poppler-utils) is not installed")


def words_of(pdf: bytes, tmp_path: Path) -> str:
    assert PDFTOTEXT is not None
    path = tmp_path / "page.pdf"
    path.write_bytes(pdf)
    said = subprocess.run([PDFTOTEXT, "-layout", str(path), "-"], check=True, capture_output=True).stdout.decode()
    return re.sub(r"[ \t]+", " ", said)


def lists(tables: int, rounds: int = 2) -> list[Finished]:
    """Everybody plays his own two games; some are equal."""
    found = []
    for number in range(1, rounds + 1):
        for table in range(1, tables + 1):
            score = {1: table, 2: -table, 3: 2, 4: -2}
            row = ListRow(
                game=1, dealer=1, due=1, kind="normal", suit=None, declarer=None, duty=False, alone=None, score=score,
                total=score, won=frozenset({1, 3}), points=1, void=False, struck=False, open=False,
            )  # fmt: skip
            names = tuple(f"Person {table}.{seat}" for seat in (1, 2, 3, 4))
            found.append(Finished(round=number, table=table, players=names, rows=(row,), closed=True))
    return found


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b(?!s)", pdf))


@pytest.mark.slow
@needs_text
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("tables", [1, 30])
def test_everybody_is_in_the_standing(book: str, tables: int, tmp_path: Path) -> None:
    data = standing_data(BOOKS[book], lists(tables), rounds=2)
    pdf = standing_pdf({**data, "tournament": "Herbst"})
    assert pdf == standing_pdf({**data, "tournament": "Herbst"})
    said = words_of(pdf, tmp_path)
    for one in data["places"]:
        points = str(one["points"]).replace("-", "−")
        half = str(one["points"] // 2).replace("-", "−")
        assert re.search(rf"{one['place']} {re.escape(one['name'])} {half} {half} {points}\b", said)
    assert (pages(pdf) == 1) == (tables == 1)


@needs_text
@pytest.mark.parametrize("closed", [True, False])
def test_a_standing_that_may_change_says_so_above_the_names(closed: bool, tmp_path: Path) -> None:
    played = [replace(one, closed=closed or one.table > 1) for one in lists(2, 1)]
    said = words_of(standing_pdf(standing_data(BOOKS["eppstein"], played)), tmp_path)
    head = said[: said.index("Person")]
    assert ("Vorläufig: Liste noch nicht abgegeben: Runde 1 Tisch 1." in head) is not closed
    assert said.count("Vorläufig") == (0 if closed else 1)


@needs_text
def test_lots_and_who_has_no_place(tmp_path: Path) -> None:
    at_one = [*lists(1)[:1], Finished(round=2, table=1, players=("A", "B", "C", "D"), rows=(), closed=True)]
    data = standing_data(BOOKS["schaffkopf"], at_one)
    said = words_of(standing_pdf(data), tmp_path)
    said = " ".join(said.split())
    assert "Ohne Platz: Person 1.3 (hat nicht jede Runde gespielt)" in said and said.count("(hat nicht jede Runde") == 8
    data = standing_data(BOOKS["schaffkopf"], lists(2), draws=[("Person 2.3", "Person 1.3")])
    draws = [{"at": 1795186800000, "seed": "abc123", "order": ["Person 2.3", "Person 1.3"]}]
    said = words_of(standing_pdf({**data, "draws": draws}), tmp_path)
    assert "Person 2.3, Person 1.3 (Startwert abc123)" in said and "SHA-256" in said
    assert "Das Los muss entscheiden zwischen Person 1.4, Person 2.2, Person 2.4" in said


@needs_text
@pytest.mark.parametrize("number", [0, 2, 90])
def test_every_entry_of_the_cash_book(number: int, tmp_path: Path) -> None:
    entries = [
        Entry(
            kind=PAID if i % 7 == 6 else DEBT, at=1795186800000 + 60_000 * i, payer=f"Wer {i % 5}", payee=None,
            cents=101 + i, what="ruling", round=1, table=2, game=i + 1,
        )
        for i in range(number)
    ]  # fmt: skip
    data = cash_data(SCHNITTCHEN, entries)
    pdf = cash_pdf(data)
    assert pdf == cash_pdf(data)
    said = words_of(pdf, tmp_path)
    if not number:
        assert "Keine Buchung." in said
    for one in data["entries"]:
        euros = f"{one['cents'] // 100},{one['cents'] % 100:02} €"
        assert re.search(rf"{one['payer']} Kasse Entscheidung, Spiel {one['game']}, Runde 1 Tisch 2 {euros}", said)
    for one in data["people"]:
        assert said.count(one["name"]) >= 2


@needs_text
@pytest.mark.parametrize("evenings", [1, 9, 30])
def test_a_year(evenings: int, tmp_path: Path) -> None:
    days: dict[date, Any] = {date(2026, 1 + i // 3, 1 + i % 3): lists(1, 1) for i in range(evenings)}
    said = words_of(year_pdf(year_data(SCHNITTCHEN, 2026, days)), tmp_path)
    assert re.search(rf"1 Person 1.3 .*{2 * evenings}\b", said)
    assert said.count("Pokal Tageswertung") == evenings


@needs_text
def test_english(tmp_path: Path) -> None:
    said = words_of(standing_pdf(standing_data(BOOKS["eppstein"], lists(1)), "en"), tmp_path)
    assert "Standing" in said and "Points" in said and "The book says nothing" in said

"""The list on paper: one page of A4, with every row, sum, check and name of the data on it."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.demo.play import simulate
from kiosk.paper.sheet import PAGE_MM, Column, PdfSheet
from kiosk.paper.spielliste import list_pdf
from kiosk.paper.type import in_lines, shortened, width, wrapped
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet import written
from kiosk.table.scoresheet.spielliste import list_data

PDFTOTEXT = shutil.which("pdftotext")
needs_text = pytest.mark.skipif(PDFTOTEXT is None, reason="pdftotext (Debian: poppler-utils) is not installed")

TABLES = [
    pytest.param(name, players, id=f"{name} {players}") for name, book in BOOKS.items() for players in book.tables
]
FOREIGN = ["Łukasz Żółć", "İbrahim Çağlayan-Şimşek", "Đorđe Živković", "Zoë Nuñez", "Nguyễn Thị Ánh"]
NOBLE = "Maximiliane-Wilhelmine von und zu Hohenstein-Waldenburg"


def data_of(book: str, players: int = 4, seed: int = 3, **more: Any) -> dict[str, Any]:
    names = more.pop("names", None)
    events = list(simulate(book, seed, players=players, **more))
    if names:
        events[0] = events[0] | {"players": names[:players]}
    return list_data(fold(map(decode, events))) | {"tournament": "Herbstturnier"}


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b(?!s)", pdf))


def words_of(pdf: bytes, tmp_path: Path, page: int = 1) -> list[str]:
    """Lines of a page as they stand, words apart by one blank."""
    assert PDFTOTEXT is not None
    path = tmp_path / "list.pdf"
    path.write_bytes(pdf)
    command = [PDFTOTEXT, "-layout", "-f", str(page), "-l", str(page), str(path), "-"]
    said = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    return [" ".join(line.split()) for line in said.splitlines()]


def figures(row: Mapping[str, Any], cells: list[Any], fields: list[dict[str, Any]]) -> str:
    """The numbers of a row in the order in which they stand on the page, marks left out."""
    shown = [str(row["game"])]
    for cell, one in zip(cells, fields, strict=True):
        if one["kind"] != "game" and cell != "":
            shown.append(cell.replace(" ", ", ") if one["kind"] == "winners" else str(cell))
    return " ".join(shown).replace("-", "−")


@needs_text
@pytest.mark.slow
@pytest.mark.parametrize(("book", "players"), TABLES)
def test_everything_is_on_one_page(book: str, players: int, tmp_path: Path) -> None:
    data = data_of(book, players, mistakes=0.004)
    pdf = list_pdf([data])
    assert pages(pdf) == 1
    lines = words_of(pdf, tmp_path)
    plain = [re.sub(r" [PLSH](?= )", "", line) for line in lines]
    for row, cells in zip(data["rows"], data["lines"], strict=True):
        wanted = figures(row, cells, data["fields"])
        assert any(line.startswith(wanted) for line in plain), wanted
    for _, cells in data["foot"]:
        sums = " ".join(str(cell) for cell in cells if cell != "").replace("-", "−")
        assert any(sums in line for line in plain), sums
    everything = " ".join(lines)
    squeezed = everything.replace(" ", "")
    for cells in data["lines"]:
        for word in str(cells[-1]).split():
            assert word in everything
    for name, _, _ in written.checks(data):
        assert name.replace(" ", "") in squeezed
    for one in data["rulings"]:
        assert written.ruling_line(data, one).replace(" ", "")[:40].replace("-", "−") in squeezed.replace("-", "−")
    for word in (data["name"], data["title"], "Herbstturnier", *data["players"], "Unterschrift", "Geber"):
        assert word in everything


@settings(deadline=None, max_examples=25)
@given(
    table=st.sampled_from([(case.values[0], case.values[1]) for case in TABLES]),
    seed=st.integers(0, 10**6),
    mistakes=st.sampled_from([0.0, 0.003, 0.05]),
    names=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60), min_size=5, max_size=5),
    games=st.integers(0, 6) | st.none(),
)
@pytest.mark.slow
def test_any_round_is_one_page(
    table: tuple[str, int], seed: int, mistakes: float, names: list[str], games: int | None
) -> None:
    book, players = table
    events = list(simulate(book, seed, games, players, mistakes))
    data = list_data(fold(map(decode, [events[0], *events[1:]]))) | {"players": names[:players], "tournament": names[0]}
    assert pages(list_pdf([data])) == 1


@pytest.mark.slow
def test_the_same_list_gives_the_same_bytes() -> None:
    data = data_of("schaffkopf")
    assert list_pdf([data]) == list_pdf([data_of("schaffkopf")])
    assert list_pdf([data]) != list_pdf([data_of("schaffkopf", seed=4)])


@needs_text
def test_names_of_other_tongues(tmp_path: Path) -> None:
    lines = words_of(list_pdf([data_of("eppstein", 5, names=FOREIGN)]), tmp_path)
    everything = " ".join(lines)
    for word in " ".join(FOREIGN).replace("-", "- ").split():
        assert word in everything


@needs_text
def test_what_no_font_has_is_a_box(tmp_path: Path) -> None:
    names = ["王小明", "Bernd", "Cem", "Dora"]
    assert any("□□□" in line for line in words_of(list_pdf([data_of("eppstein", names=names)]), tmp_path))


@needs_text
def test_long_names_and_many_breaches(tmp_path: Path) -> None:
    """Notes give way to the rows: what finds no room is counted and told."""
    data = data_of("schaffkopf", mistakes=0.06, names=[NOBLE, "Bernd", NOBLE + " II", "Dora"])
    pdf = list_pdf([data])
    assert pages(pdf) == 1
    everything = " ".join(words_of(pdf, tmp_path))
    assert "Maximiliane" in everything
    told = re.search(r"und (\d+) weitere in der Ereignisliste des Tisches", everything)
    assert told
    ruled = {(one["game"], one["offender"], one["code"]) for one in data["rulings"]}
    rest = [one for one in written.breaches(data) if (one["game"], one["seat"], one["code"]) not in ruled]
    assert 0 < int(told[1]) < len(data["rulings"]) + len(rest)


@needs_text
@pytest.mark.slow
def test_an_evening_without_end_is_carried_over(tmp_path: Path) -> None:
    """schnittchen sets no number of games: more than a page holds goes on, totals carried over."""
    data = data_of("schnittchen", games=70)
    pdf = list_pdf([data])
    assert pages(pdf) == 2
    first, second = words_of(pdf, tmp_path), words_of(pdf, tmp_path, 2)
    carried = next(line for line in second if line.endswith("Übertrag"))
    last = [line.split()[0] for line in first if re.match(r"\d+ ", line)][-1]
    totals = [data["rows"][int(last) - 1]["total"][str(seat)] for seat in (1, 2, 3, 4)]
    assert carried == " ".join(map(str, totals)).replace("-", "−") + " Übertrag"
    assert any("Blatt 2 von 2" in line for line in second) and any("Ergebnis" in line for line in second)
    games = [int(line.split()[0]) for line in first + second if re.match(r"\d+ [P●L]?", line) and "Tisch" not in line]
    assert set(range(1, 71)) <= set(games)


@needs_text
def test_signatures_and_what_is_left_to_play(tmp_path: Path) -> None:
    events = list(simulate("eppstein", 3, 4))
    events[0] = events[0] | {"at": 1795186800000}
    events.append({"event": "sign", "seat": 2, "at": 1795190400000})
    said = " ".join(words_of(list_pdf([list_data(fold(map(decode, events)))]), tmp_path))
    signed = f"{datetime.fromtimestamp(1795190400):%H:%M}"
    assert f"bestätigt {signed}" in said and said.count("bestätigt") == 1
    assert "Noch 12 Spiele" in said and "4 / 16" in said
    assert f"{datetime.fromtimestamp(1795186800):%d.%m.%Y}" in said
    assert re.search(r"\b16\b", said.split("Noch 12")[0])  # rows left to play are numbered


@needs_text
def test_english(tmp_path: Path) -> None:
    data = list_data(fold(map(decode, simulate("bsv", 3))), "en")
    said = " ".join(words_of(list_pdf([data]), tmp_path))
    for word in ("Score sheet", "Winners", "Signature", "Result", "every game sums to 0", "Page 1 of 1"):
        assert word in said


@pytest.mark.slow
def test_many_lists_in_one_file() -> None:
    lists = [data_of(book, seed=5) for book in BOOKS]
    pdf = list_pdf(lists)
    assert pages(pdf) == len(BOOKS)
    assert len(pdf) < 160_000  # fonts are embedded once


class TestType:
    def test_lines_fit(self) -> None:
        for size in (6, 9):
            lines = wrapped(NOBLE, 22, size)
            assert all(width(line, size) <= 22 for line in lines)
            assert "".join(lines).replace(" ", "") == NOBLE.replace(" ", "")

    def test_a_word_too_long_is_broken(self) -> None:
        lines = wrapped("X" * 80, 20, 9)
        assert "".join(lines) == "X" * 80 and all(width(line, 9) <= 20 for line in lines)

    def test_the_end_is_told(self) -> None:
        assert shortened("Anna", 30, 9) == "Anna"
        short = shortened(NOBLE, 20, 9)
        assert short.endswith("…") and width(short, 9) <= 20

    def test_smaller_before_broken(self) -> None:
        lines, size = in_lines("Spielpunkte ohne Bonus", 13, (7.5, 6.6, 5.8), 12)
        assert lines == ["Spielpunkte", "ohne Bonus"] and size < 7.5

    def test_never_higher_than_allowed(self) -> None:
        lines, size = in_lines(NOBLE * 3, 22, (9, 7, 6), 9)
        assert len(lines) * 1.16 * size / 72 * 25.4 <= 9 and lines[-1].endswith("…")


class TestSheet:
    @needs_text
    def test_a_table_goes_on_over_pages(self, tmp_path: Path) -> None:
        sheet = PdfSheet("Rangliste", footer="Herbstturnier")
        y = sheet.heading("Rangliste", "Herbstturnier")
        columns = [Column("Platz", 15, "right"), Column("Name", 100), Column("Summe", 30, "right", bold=True)]
        sheet.table(y, columns, [(n, f"Spieler {n}", -n) for n in range(1, 91)], strong=(0,))
        pdf = sheet.finish()
        assert pages(pdf) == 3 == sheet.pages
        for page in (1, 2, 3):
            lines = words_of(pdf, tmp_path, page)
            assert "Platz Name Summe" in lines and any(line.endswith(f"Herbstturnier {page}") for line in lines)

    def test_a4(self) -> None:
        box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", PdfSheet("x").finish())
        assert box and [round(float(side) / 72 * 25.4) for side in box.groups()] == list(PAGE_MM)

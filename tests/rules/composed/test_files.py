"""Books in files: those of a folder, and what is wrong with the others."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.known import book_by_content, decoded, put_books, read_book

TEXT = 'base = "bsv"\ntitle = "Größe"\nsource = "Aushang"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for name in ("dienstag", "mittwoch", "donnerstag"):
        BOOKS.take_away(name)


def test_all_books_of_a_folder_are_listed_but_those_that_are_none(folder: Path) -> None:
    (folder / "dienstag.toml").write_text(TEXT.replace("bsv", "skat"), encoding="utf-8")
    (folder / "donnerstag.toml").write_text(TEXT, encoding="utf-8-sig")
    (folder / "mittwoch.toml").write_text(TEXT + 'date = "1"\n', encoding="utf-8")
    (folder / "freitag.txt").write_text("nothing", encoding="utf-8")
    wrong = put_books(folder)
    assert [(error.source.name, error.key) for error in wrong] == [(str(folder / "dienstag.toml"), ("base",))]
    assert "dienstag" not in BOOKS and "freitag" not in BOOKS
    assert BOOKS["donnerstag"].title == "Größe" and BOOKS["mittwoch"].source == "Aushang, 1"
    assert put_books(folder / "keiner") == [] == put_books(folder / "freitag.txt")


def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    with pytest.raises(BadBook, match=r"mittwoch\.toml: .*No such file"):
        read_book(folder / "mittwoch.toml")
    with pytest.raises(BadBook, match=r"^x: .*\b3\b"):
        decoded("abcä".encode("latin-1"), "x")


@pytest.mark.parametrize("name", ["mittwoch", "mittwoch.", "mittwoch.000000000000", "a" * 60])
def test_a_content_of_another_name_is_refused(name: str) -> None:
    with pytest.raises(BadBook) as refused:
        book_by_content(name, {"base": "bsv", "title": "x", "source": "y"}, "open")
    said = str(refused.value)
    assert said.startswith("open: ") and repr(name[:40]) in said and "another one than its name says" in said

"""The file with which a club begins plays as its base does, whatever is taken of it, and says everything in words."""

import tomllib
from pathlib import Path

import pytest

from kiosk.app.commands.own_book import begin, print_book
from kiosk.errors import BadConfig
from kiosk.language import has, texts
from kiosk.paper.rule_book import as_html, as_pdf, chapters_of
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.known import book_of_text, read_book
from kiosk.rules.composed.new import new_text, written_out
from kiosk.rules.composed.points import POINTS as DOPPELKOPF
from kiosk.rules.composed.schafkopf import POINTS as SCHAFKOPF
from kiosk.rules.describe import compare
from tests.rules.composed.books import made, written

POINTS = [*DOPPELKOPF.items(), *SCHAFKOPF.items()]
CHOICES = {f"{name} {choice}" for name, point in POINTS for choice in point.choices}


def test_every_point_and_choice_has_its_words() -> None:
    assert {code for code in texts("de")["own_book"] if code} == CHOICES | {name for name, _ in POINTS}
    assert all(has("own_book", code) for code in CHOICES)


@pytest.mark.parametrize("base", BOOKS.shipped)
@pytest.mark.parametrize("language", ["de", "en"])
def test_it_plays_as_its_base(base: str, language: str, tmp_path: Path) -> None:
    assert begin("mittwoch", base, tmp_path, language) == 0
    book = read_book(tmp_path / "mittwoch.toml")
    assert compare(book, BOOKS[base]) == ()


@pytest.mark.parametrize("base", BOOKS.shipped)
def test_every_line_of_values_can_be_taken(base: str) -> None:
    """Options, games and points without their signs are what the base has, line by line."""
    text = new_text(BOOKS[base], "de")
    taken = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ") and " = " in line]
    for line in taken:
        assert tomllib.loads(line)
    values = text.split("\n[rules]")[0].split("\n# [[rule]]")[0]
    plain = "\n".join(line.removeprefix("# ") if " = " in line else line for line in values.splitlines())
    book = book_of_text("mittwoch", plain + "\n", "mittwoch.toml")
    assert book.settle({}) == BOOKS[base].settle({})


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    begin("mittwoch", "bsv", tmp_path, "de")
    with pytest.raises(BadConfig, match="is there already"):
        begin("mittwoch", "ddv", tmp_path, "de")
    assert 'base = "bsv"' in (tmp_path / "mittwoch.toml").read_text()


@pytest.mark.parametrize(("name", "base"), [("bsv", "ddv"), ("A", "ddv"), ("mittwoch", ""), ("mittwoch", "skat")])
def test_names_that_cannot_be(name: str, base: str, tmp_path: Path) -> None:
    with pytest.raises(BadConfig):
        begin(name, base, tmp_path, "de")
    assert list(tmp_path.iterdir()) == []


def test_a_book_is_printed_with_every_value_section_and_sentence(tmp_path: Path) -> None:
    book = written('[[rule]]\nabout = ["fuchs"]\nsection = "§ 4"\ntext = "Der <Fuchs> zählt."')
    page = as_html(book, "de")
    assert '<th scope="row">§ 4</th><td>Der &lt;Fuchs&gt; zählt.</td>' in page and "bsv 7.2" in page
    rows = [row for _, rows in chapters_of(book, "de") for row in rows]
    assert len(rows) > 100 and page.count("<tr>") == len(rows)
    pdf = as_pdf(book, "de")
    assert pdf.startswith(b"%PDF") and pdf.count(b"/Type /Page\n") > 2
    path = tmp_path / "mittwoch.toml"
    path.write_text('base = "bsv"\ntitle = "x"\nsource = "y"\n')
    assert print_book([str(path)], tmp_path / "o.html", tmp_path / "o.pdf", "de") == 0
    assert (tmp_path / "o.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(BadConfig, match="one book"):
        print_book([], tmp_path / "o.html", None, "de")


def test_content_that_is_written_out_is_the_same_book() -> None:
    rules = [{"about": ["fuchs"], "section": '§ "4"', "text": "Zwei [Punkte]."}]
    book = made("bsv", options={"value_fuchs": 2}, games={"played": ["damensolo", "hochzeit"]}, rule=rules)
    assert book.own is not None
    again = book_of_text("mittwoch", written_out(book.own.content), "mittwoch.toml")
    assert again is book

"""The examples of docs/books: each can be played by and differs from every shipped book; docs/books.md names all."""

import json
from pathlib import Path

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.games import OTHERS, SOLOS
from kiosk.rules.composed.known import read_book
from kiosk.rules.composed.points import POINTS
from kiosk.rules.composed.schafkopf import ORDER
from kiosk.rules.composed.schafkopf import POINTS as SCHAFKOPF
from kiosk.rules.composed.scoring import QUEENS, SPECIAL
from kiosk.rules.describe import compare
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import list_data

DOCS = Path(__file__).parents[3] / "docs"
EXAMPLES = sorted((DOCS / "books").glob("*.toml"))


#: Those after rules that a club or a round has published; each file names the page.
PUBLISHED = {"kneipenturnier", "schweinchenrunde", "sommerturnier", "vereinsheim"}


def test_there_are_seven() -> None:
    assert {path.stem for path in EXAMPLES} == {*PUBLISHED, "dullenrunde", "neunerrunde", "wirtshaus"}
    for path in EXAMPLES:
        assert (".de/" in path.read_text(encoding="utf-8").partition("base =")[0]) == (path.stem in PUBLISHED)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_differs_from_every_shipped_book_and_words_its_rules(path: Path) -> None:
    book = read_book(path)
    assert book.own is not None and len(book.own.sentences) >= 4
    for name in BOOKS.shipped:
        assert len(compare(book, BOOKS[name])) > 10


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_round_of_it_is_the_same_when_it_is_read_again(path: Path) -> None:
    book = read_book(path)
    events = json.loads(json.dumps(list(simulate(book.name, 7, None, mistakes=0.003))))
    round_ = fold(map(decode, events))
    made = list_data(round_)
    assert made == list_data(fold(map(decode, events)))
    assert [check["check"] for check in made["checks"] if not check["ok"]] == []


def test_the_page_for_clubs_names_every_choice_there_is() -> None:
    text = (DOCS / "books.md").read_text(encoding="utf-8")
    names = [*POINTS, *SCHAFKOPF, *SOLOS, *OTHERS, *SPECIAL, *QUEENS, *ORDER]
    assert [name for name in names if f"`{name}`" not in text] == []

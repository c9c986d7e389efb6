"""Which decks a book is played with in the demo."""

import pytest

from kiosk.cli import main
from kiosk.demo.decks import deck_for, fitting
from kiosk.errors import BadConfig
from kiosk.rules.books import BOOKS
from vision.simulation.art import labels_of, load_art


@pytest.mark.parametrize("book", BOOKS)
def test_the_projects_own_deck_is_the_default(book: str) -> None:
    own = "stichwart-bavarian" if "EO" in BOOKS[book].deck else "stichwart"
    assert deck_for(BOOKS[book], None) == own
    assert all(set(BOOKS[book].deck) <= set(labels_of(name)) for name in fitting(BOOKS[book]))


@pytest.mark.slow
def test_labels_are_known_without_drawing() -> None:
    for name in ("stichwart", "stichwart-bavarian"):
        assert set(labels_of(name)) == set(load_art(name).faces)


@pytest.mark.parametrize(
    ("book", "deck", "words"),
    [
        ("schaffkopf", "lattmann", "lacks EA ET .* choose stichwart-bavarian, xskat-german"),
        ("bsv", "stichwart-bavarian", "lacks CA .* choose stichwart, lattmann"),
        ("bsv", "skat", "no deck named 'skat'; for bsv there are stichwart"),
    ],
)
def test_a_deck_that_lacks_cards_is_refused(book: str, deck: str, words: str) -> None:
    with pytest.raises(BadConfig, match=words):
        deck_for(BOOKS[book], deck)


def test_refusals_come_before_anything_starts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--headless", "--rules", "schaffkopf", "--deck", "berlin"]) == 2
    assert main(["demo", "--headless", "--rules", "schaffkopf", "--players", "5"]) == 2
    assert main(["demo", "--headless", "--rules", "skat"]) == 2
    said = capsys.readouterr().err
    assert "stichwart-bavarian" in said and "not by 5" in said and "'skat' is not known" in said

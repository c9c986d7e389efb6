"""Choose and teach decks for the simulated camera."""

from pathlib import Path

from kiosk.errors import BadConfig, shorten
from kiosk.rules.engine.book import RuleBook
from vision.simulation.art import drawn, labels_of
from vision.simulation.artwork import BACK
from vision.simulation.debian import DECKS
from vision.simulation.learning import kept_deck_file


def fitting(book: RuleBook) -> tuple[str, ...]:
    """List names of the decks that have all cards of the book, the project's own first."""
    return tuple(name for name in (*drawn(), *DECKS) if set(book.deck) <= set(labels_of(name)))


def deck_for(book: RuleBook, name: str | None) -> str:
    """Return the requested deck, or the project's own.

    :raises BadConfig: it is not known, or lacks cards of the book.
    """
    names = fitting(book)
    if name is None:
        return names[0]
    if name not in (*drawn(), *DECKS):
        raise BadConfig(f"no deck named {shorten(name)}; for {book.name} there are {', '.join(names)}")
    if name not in names:
        lacking = dict.fromkeys(card for card in book.deck if card not in labels_of(name))
        raise BadConfig(
            f"the deck {name!r} lacks {' '.join(lacking)}, with which {book.name} is played; choose {', '.join(names)}"
        )
    return name


def simulated_deck_file(name: str, book: RuleBook | None = None) -> Path:
    """Return the file of a deck taught as a person would: one picture of the simulated camera per face.

    With a book its faces alone, and the back. It is kept for the next start.

    :raises DeckError: a deck that cannot be drawn here, or a cache that cannot be written.
    """
    return kept_deck_file(name, None if book is None else (*dict.fromkeys(book.deck), BACK))

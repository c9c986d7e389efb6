"""Choose and teach decks for the simulated camera."""

import hashlib
from pathlib import Path

import platformdirs

from kiosk.errors import BadConfig
from kiosk.rules.engine.book import RuleBook
from vision.deck.folder import deck_path
from vision.simulation.art import drawn, labels_of, load_art
from vision.simulation.artwork import BACK
from vision.simulation.debian import DECKS
from vision.simulation.learning import learn_simulated_deck


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
        raise BadConfig(f"no deck named {name!r}; for {book.name} there are {', '.join(names)}")
    if name not in names:
        lacking = dict.fromkeys(card for card in book.deck if card not in labels_of(name))
        raise BadConfig(
            f"the deck {name!r} lacks {' '.join(lacking)}, with which {book.name} is played; choose {', '.join(names)}"
        )
    return name


def simulated_deck_file(name: str, book: RuleBook | None = None) -> Path:
    """Return the file of a deck taught as a person would: one picture of the simulated camera per face.

    With a book its faces alone, and the back. It is kept for the next start, as long as nothing that draws or learns
    has changed.

    :raises DeckError: a deck that cannot be drawn here.
    """
    import vision

    sources = Path(vision.__path__[0]).rglob("*.py")
    mark = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(sources))).hexdigest()[:16]
    labels = None if book is None else (*dict.fromkeys(book.deck), BACK)
    folder = platformdirs.user_cache_path("stichwart", appauthor=False) / "demo-decks" / mark
    if labels is not None:
        folder /= str(len(labels))
    path = deck_path(name, folder)
    if not path.exists():
        learn_simulated_deck(load_art(name), labels=labels).save(folder)
    return path

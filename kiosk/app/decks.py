"""Choose the learned deck of a table, and the faces that a book needs."""

import logging
from pathlib import Path

from kiosk.rules.engine.book import RuleBook
from vision.deck.folder import deck_labels, deck_names, deck_path
from vision.errors import DeckError
from vision.teaching.packs import FACES

log = logging.getLogger(__name__)

#: File in the decks' folder with the name of the deck that people chose on the screen.
CHOSEN = "chosen"

#: File in the decks' folder with the names of the decks that the direction has given, a line each.
GIVEN = "given"

#: File in the decks' folder with the names of the decks that were learned in play, a line each, the newest last.
PLAYED = "played"


def fitting_deck(book: RuleBook, name: str, folder: Path | None) -> str | None:
    """Return a deck with all cards of the book: ``name``, else the first learned one with them; None: there is none."""
    return next(iter(fitting_decks(book, name, folder)), None)


def fitting_decks(book: RuleBook, first: str, folder: Path | None) -> tuple[str, ...]:
    """List all decks with all cards of the book: ``first``, then those that were given, then the others."""
    there = deck_names(folder)
    fit = []
    for deck in dict.fromkeys((first, *(given_decks(folder) if folder is not None else ()), *there)):
        try:
            if deck in there and set(book.deck) <= set(deck_labels(deck, folder)):
                fit.append(deck)
        except DeckError as error:
            log.warning("%s", error)
    return tuple(fit)


def chosen_deck(folder: Path, configured: str) -> str:
    """Return the deck chosen on the screen if it still exists, else one that was given, else the configuration's.

    :returns: "" if there is none of them.
    """
    try:
        chosen = (folder / CHOSEN).read_text(encoding="utf-8").strip()
    except OSError:
        chosen = ""
    there = deck_names(folder)
    return next((name for name in (chosen, *given_decks(folder), configured) if name in there), "")


def given_decks(folder: Path) -> tuple[str, ...]:
    """List the decks that the direction has given."""
    try:
        return tuple((folder / GIVEN).read_text(encoding="utf-8").split())
    except (OSError, ValueError):
        return ()


def played_decks(folder: Path) -> tuple[str, ...]:
    """List the decks that were learned in play, the newest last."""
    try:
        return tuple((folder / PLAYED).read_text(encoding="utf-8").split())
    except (OSError, ValueError):
        return ()


def note_played_deck(folder: Path, name: str) -> None:
    """Note that this deck was learned in play, and use it from now on."""
    _write_played(folder, (*(one for one in played_decks(folder) if one != name), name))
    choose_deck(folder, name)


def drop_played_deck(folder: Path, name: str) -> None:
    """Remove a deck that was learned in play, and wrongly; it is chosen no more."""
    try:
        deck_path(name, folder).unlink(missing_ok=True)
    except OSError as error:
        log.error("the deck %r cannot be removed from %s: %s", name, folder, error)
    _write_played(folder, tuple(one for one in played_decks(folder) if one != name))


def _write_played(folder: Path, names: tuple[str, ...]) -> None:
    try:
        (folder / PLAYED).write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    except OSError as error:
        log.error("which decks were learned in play cannot be kept in %s: %s", folder, error)


def choose_deck(folder: Path, name: str) -> None:
    """Use this deck from now on, also after a restart."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / CHOSEN).write_text(name + "\n", encoding="utf-8")
    except OSError as error:
        log.error("the choice of deck %r cannot be kept in %s: %s", name, folder, error)


def read_by_indices(book: RuleBook) -> bool:
    """Whether the book's cards have indices by which they are read before any deck is learned: French ones."""
    return {card[0] for card in book.deck} <= set("CSHD")


def faces_of(book: RuleBook) -> str:
    """Return the name of the smallest set of faces (``lesson.FACES``) that has all cards of a book."""
    cards = set(book.deck)
    return min((kind for kind in FACES if cards <= set(FACES[kind])), key=lambda kind: len(FACES[kind]))


def new_name(kind: str, configured: str, folder: Path) -> str:
    """Name a deck to be learned: the configuration's name while it is free, else one of its kind, numbered."""
    there = deck_names(folder)
    numbered = (kind, *(f"{kind}-{n}" for n in range(2, len(there) + 3)))
    return next(name for name in (configured, *numbered) if name and name not in there)

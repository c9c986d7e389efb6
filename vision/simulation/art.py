"""Load card art by name: drawn by the project, or of Debian's decks where those are installed."""

from functools import cache

from vision.errors import DeckError
from vision.simulation import debian
from vision.simulation.artwork import BAVARIAN_LABELS, FRENCH_LABELS, Art
from vision.simulation.bavarian import draw_bavarian
from vision.simulation.french import draw_french


def drawn() -> tuple[str, ...]:
    """List the decks that the project draws itself."""
    return ("stichwart", "stichwart-bavarian")


def labels_of(name: str) -> tuple[str, ...]:
    """List the labels of a deck's faces, without drawing them.

    :raises DeckError: for an unknown name.
    """
    own = {"stichwart": FRENCH_LABELS, "stichwart-bavarian": BAVARIAN_LABELS}
    if name in own:
        return own[name]
    if name in debian.DECKS:
        return debian.DECKS[name].labels
    raise _unknown(name)


def _unknown(name: str) -> DeckError:
    return DeckError(f"no card art named {name!r}; choose one of {', '.join((*drawn(), *debian.DECKS))}")


@cache
def load_art(name: str) -> Art:
    """Return the deck of this name, drawn or rendered at the first call.

    :raises DeckError: for an unknown name; for a Debian deck whose package is missing, with the package's name.
    """
    if name == "stichwart":
        return draw_french(name)
    if name == "stichwart-bavarian":
        return draw_bavarian(name)
    if name in debian.DECKS:
        return debian.load(name)
    raise _unknown(name)

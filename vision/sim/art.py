"""Faces of cards as pictures: drawn by the project, or from the Debian decks where those are installed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.errors import DeckError

#: Width and height of a card in mm.
FRENCH_MM = (59.0, 91.0)
BAVARIAN_MM = (56.0, 100.0)
FRENCH_LABELS = tuple(suit + rank for suit in "CSHD" for rank in "ATKQJ987")
BAVARIAN_LABELS = tuple(suit + rank for suit in "EGHS" for rank in "ATKOU987")
#: The label under which a deck's back goes.
BACK = "back"
#: How fine faces are drawn; about three times what a camera over the mat sees of them.
PX_PER_MM = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class Art:
    """One deck's pictures; every picture is (h, w, 4) uint8 BGRA with round corners, all of one size."""

    name: str
    size_mm: tuple[float, float]
    faces: Mapping[str, np.ndarray]  # label → face, upright
    back: np.ndarray

    @property
    def doppelkopf(self) -> tuple[str, ...]:
        """Labels of the 24 faces that Doppelkopf is played with (nines included); all 32 of a Bavarian deck."""
        if self.size_mm == BAVARIAN_MM:
            return tuple(self.faces)
        return tuple(label for label in self.faces if label[1] not in "87")


def drawn() -> tuple[str, ...]:
    """Names of the decks that the project draws itself."""
    return ("stichwart", "stichwart-bavarian")


def labels_of(name: str) -> tuple[str, ...]:
    """Labels of a deck's faces, without drawing them.

    :raises DeckError: for an unknown name.
    """
    from vision.sim import debian

    own = {"stichwart": FRENCH_LABELS, "stichwart-bavarian": BAVARIAN_LABELS}
    if name in own:
        return own[name]
    if name in debian.DECKS:
        return debian.DECKS[name].labels
    raise _unknown(name)


def _unknown(name: str) -> DeckError:
    from vision.sim import debian

    return DeckError(f"no card art named {name!r}; choose one of {', '.join((*drawn(), *debian.DECKS))}")


@cache
def load_art(name: str) -> Art:
    """The deck of this name, drawn or rendered at the first call.

    :raises DeckError: for an unknown name; for a Debian deck whose package is missing, with the package's name.
    """
    from vision.sim import debian

    if name == "stichwart":
        from vision.sim.french import draw_french

        return draw_french(name)
    if name == "stichwart-bavarian":
        from vision.sim.bavarian import draw_bavarian

        return draw_bavarian(name)
    if name in debian.DECKS:
        return debian.load(name)
    raise _unknown(name)


def pixels(size_mm: tuple[float, float]) -> tuple[int, int]:
    """Width and height of a face's picture."""
    return round(size_mm[0] * PX_PER_MM), round(size_mm[1] * PX_PER_MM)


def rounded(face: np.ndarray, radius_mm: float = 3.2) -> np.ndarray:
    """(h, w, 3) uint8 BGR with an alpha channel that cuts the corners round."""
    fine = 4
    height, width = face.shape[:2]
    mask = np.zeros((height * fine, width * fine), np.uint8)
    r = round(radius_mm * PX_PER_MM * fine)
    cv2.rectangle(mask, (r, 0), (width * fine - 1 - r, height * fine - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width * fine - 1, height * fine - 1 - r), 255, -1)
    for x in (r, width * fine - 1 - r):
        for y in (r, height * fine - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.dstack([face, cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)])

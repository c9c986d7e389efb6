"""Hold a deck as pictures: what drawn and rendered decks have in common."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

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
    """One deck's pictures; every picture is (h, w, 4) uint8 BGRA with round corners, all of one size.

    ``margin_mm``: how far the pictures reach beyond the cards, transparent or as a sleeve.
    """

    name: str
    size_mm: tuple[float, float]
    faces: Mapping[str, np.ndarray]  # label → face, upright
    back: np.ndarray
    margin_mm: float = 0.0

    @property
    def picture_mm(self) -> tuple[float, float]:
        """Width and height that a picture shows."""
        return self.size_mm[0] + 2 * self.margin_mm, self.size_mm[1] + 2 * self.margin_mm

    @property
    def doppelkopf(self) -> tuple[str, ...]:
        """Labels of the 24 faces that Doppelkopf is played with (nines included); all 32 of a Bavarian deck."""
        if self.size_mm == BAVARIAN_MM:
            return tuple(self.faces)
        return tuple(label for label in self.faces if label[1] not in "87")


class DrawnFaces(Mapping[str, np.ndarray]):
    """Faces by label, each drawn when it is first looked at."""

    def __init__(self, labels: tuple[str, ...], draw: Callable[[str], np.ndarray]) -> None:
        self._labels, self._draw = labels, cache(draw)

    def __getitem__(self, label: str) -> np.ndarray:
        if label not in self._labels:
            raise KeyError(label)
        return self._draw(label)

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


def pixels(size_mm: tuple[float, float]) -> tuple[int, int]:
    """Compute width and height in px of a face's picture."""
    return round(size_mm[0] * PX_PER_MM), round(size_mm[1] * PX_PER_MM)


def rounded(face: np.ndarray, radius_mm: float = 3.2) -> np.ndarray:
    """Add an alpha channel that cuts the corners round to (h, w, 3) uint8 BGR."""
    return np.dstack([face, _round_corners(face.shape[1], face.shape[0], radius_mm)])


@cache
def _round_corners(width: int, height: int, radius_mm: float) -> np.ndarray:
    """Draw the alpha channel of a whole deck, (height, width) uint8."""
    fine = 4
    mask = np.zeros((height * fine, width * fine), np.uint8)
    r = round(radius_mm * PX_PER_MM * fine)
    cv2.rectangle(mask, (r, 0), (width * fine - 1 - r, height * fine - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width * fine - 1, height * fine - 1 - r), 255, -1)
    for x in (r, width * fine - 1 - r):
        for y in (r, height * fine - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)

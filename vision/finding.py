"""Marks from the networks of ``vision.indices``: anywhere in a picture, and in the corners of straightened cards."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.indices import Index, Place, find_indices, pyramid, read_places
from vision.marks import Mark, joint
from vision.pictures import Picture

#: Indices that the reader gives less are not taken. 0.1 … 0.6; lower finds more, and more that are none.
LEAST = 0.3
#: Where indices may stand in a card's corner: how far from its side (share of the width) and from its end, how high
#: (shares of the height). English and German ones differ; the reader mends its place by itself.
CORNER = ((0.085, 0.115, 0.17), (0.11, 0.145, 0.22))
#: How places are shifted to be read again: size, turn (rad), right and down (shares of the height).
SHIFTS = (
    (1.0, 0.0, 0.0, 0.0),
    (0.9, 0.0, 0.0, 0.0),
    (1.1, 0.0, 0.0, 0.0),
    (1.0, -0.1, 0.0, 0.0),
    (1.0, 0.1, 0.0, 0.0),
    (1.0, 0.0, -0.06, 0.0),
    (1.0, 0.0, 0.06, 0.0),
    (1.0, 0.0, 0.0, -0.06),
    (1.0, 0.0, 0.0, 0.06),
)


class Networks:
    """Indices found and read by the networks of this package."""

    def anywhere(self, picture: Picture) -> list[Mark]:
        """Indices wherever they are, in any direction and size."""
        return [mark_of(index) for index in find_indices(picture, score=LEAST)]

    def in_corners(self, cards: Sequence[Picture], rim: float) -> list[list[Mark]]:
        """Indices in the corners of each upright card, which fills its picture but for ``rim`` px on all sides."""
        found: list[list[Mark]] = []
        for card in cards:
            height, width = card.shape[:2]
            inner = (width - 2 * rim, height - 2 * rim)
            places = []
            for aside, along, high in CORNER:
                x, y = rim + aside * inner[0], rim + along * inner[1]
                for at, turn in (((x, y), 0.0), ((width - x, height - y), np.pi)):
                    places += [
                        Place(at[0], at[1], turn, high * inner[1]),
                        Place(width - at[0], at[1], turn, high * inner[1]),
                    ]
            read = read_places(pyramid(card), places)
            found.append([mark_of(index) for index in read if index.score >= LEAST])
        return found

    def again(self, picture: Picture, marks: Sequence[Mark]) -> list[Mark]:
        """The marks with the mean of several readings, each from a little beside."""
        places = [_shifted(mark, *shift) for mark in marks for shift in SHIFTS]
        read = [mark_of(index) for index in read_places(pyramid(picture), places, rounds=1)]
        found = []
        for n, mark in enumerate(marks):
            own = read[n * len(SHIFTS) : (n + 1) * len(SHIFTS)]
            labels = np.mean([one.labels for one in own], axis=0)
            found.append(replace(mark, labels=labels, score=float(np.mean([one.score for one in own]))))
        return found


def _shifted(mark: Mark, grow: float, turn: float, right: float, down: float) -> Place:
    x, y = mark.centre + mark.height * (right * mark.right - down * mark.up)
    angle = math.atan2(mark.up[0], -mark.up[1]) + turn
    return Place(float(x), float(y), angle, mark.height * grow)


def mark_of(index: Index) -> Mark:
    """An index as a mark."""
    up = np.array([np.sin(index.angle), -np.cos(index.angle)])
    labels = joint(np.array(index.ranks), np.array(index.suits))
    return Mark(np.array([index.x, index.y]), up, index.height, labels, index.score)

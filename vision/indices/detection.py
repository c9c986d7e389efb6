"""Detect printed indices with the networks: anywhere in a picture, and in the corners of rectified cards."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.images import Picture
from vision.indices.networks import Index, IndexPlace, find_indices, pyramid, read_places
from vision.indices.reading import IndexReading, joint

#: Score of the reader below which an index is rejected. 0.1 … 0.6; lower finds more, and more that are none.
MIN_SCORE = 0.3
#: Where indices may be in a card's corner: distance from its side (share of the width) and from its end, and height
#: (shares of the height). English and German ones differ; the reader corrects the place by itself.
CORNER_PLACES = ((0.085, 0.115, 0.17), (0.11, 0.145, 0.22))
#: Offsets at which an index is read again, for the mean: scale, turn (rad), right and down (shares of the height).
REREAD_OFFSETS = (
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


class IndexNetworks:
    """Detects and reads indices with the networks of this package."""

    def anywhere(self, picture: Picture) -> list[IndexReading]:
        """Detect indices anywhere, in any direction and size."""
        return [reading_of(index) for index in find_indices(picture, score=MIN_SCORE)]

    def in_corners(self, cards: Sequence[Picture], rim: float) -> list[list[IndexReading]]:
        """Read indices in the corners of each upright card, which fills its picture but for ``rim`` px on all sides."""
        found: list[list[IndexReading]] = []
        for card in cards:
            height, width = card.shape[:2]
            inner = (width - 2 * rim, height - 2 * rim)
            places = []
            for aside, along, high in CORNER_PLACES:
                x, y = rim + aside * inner[0], rim + along * inner[1]
                for at, turn in (((x, y), 0.0), ((width - x, height - y), np.pi)):
                    places += [
                        IndexPlace(at[0], at[1], turn, high * inner[1]),
                        IndexPlace(width - at[0], at[1], turn, high * inner[1]),
                    ]
            read = read_places(pyramid(card), places)
            found.append([reading_of(index) for index in read if index.score >= MIN_SCORE])
        return found

    def again(self, picture: Picture, readings: Sequence[IndexReading]) -> list[IndexReading]:
        """Read indices again: the mean of several readings, each a little offset."""
        places = [_shifted(reading, *shift) for reading in readings for shift in REREAD_OFFSETS]
        read = [reading_of(index) for index in read_places(pyramid(picture), places, rounds=1)]
        found = []
        for n, reading in enumerate(readings):
            own = read[n * len(REREAD_OFFSETS) : (n + 1) * len(REREAD_OFFSETS)]
            labels = np.mean([one.labels for one in own], axis=0)
            found.append(replace(reading, labels=labels, score=float(np.mean([one.score for one in own]))))
        return found


def _shifted(reading: IndexReading, grow: float, turn: float, right: float, down: float) -> IndexPlace:
    x, y = reading.centre + reading.height * (right * reading.right - down * reading.up)
    angle = math.atan2(reading.up[0], -reading.up[1]) + turn
    return IndexPlace(float(x), float(y), angle, reading.height * grow)


def reading_of(index: Index) -> IndexReading:
    """Convert the networks' index to a reading."""
    up = np.array([np.sin(index.angle), -np.cos(index.angle)])
    labels = joint(np.array(index.ranks), np.array(index.suits))
    return IndexReading(np.array([index.x, index.y]), up, index.height, labels, index.score)

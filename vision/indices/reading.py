"""Hold what was read at one index of a card, and merge readings of the same index."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.geometry.projection import Array

SUITS = "CSHD"
RANKS = "AKQJT98765432"
#: The ranks of cards that show as many pips.
NUMBERS = "T98765432"
LABELS = tuple(suit + rank for suit in SUITS for rank in RANKS)
#: Probability that any label keeps in a reading: one reading may err however certain it is. 1e-4 … 0.01.
MIN_PROBABILITY = 1e-3


@dataclass(frozen=True, eq=False)
class IndexReading:
    """An index in a picture.

    ``centre`` (2,) px; ``up`` (2,) unit vector from its pip to its rank; ``height`` px of rank and pip together;
    ``labels`` (52,) probabilities in the order of ``LABELS``; ``score`` 0 … 1, whether it is an index at all.
    """

    centre: Array
    up: Array
    height: float
    labels: Array
    score: float

    @property
    def right(self) -> Array:
        """Unit vector to the right of the upright index."""
        return np.array([-self.up[1], self.up[0]])

    @cached_property
    def best(self) -> int:
        """Number of the likeliest label."""
        return int(self.labels.argmax())

    @property
    def probability(self) -> float:
        """Probability of the likeliest label."""
        return float(self.labels[self.best])


def joint(ranks: Array, suits: Array) -> Array:
    """Combine probabilities to (52,) in the order of ``LABELS`` of (13,) for ``RANKS`` and (4,) for ``SUITS``."""
    return np.asarray(np.outer(suits, ranks).ravel())


def fuse_labels(labels: Iterable[Array]) -> Array:
    """Fuse readings of several indices of one card, or of one several times: (52,) probabilities."""
    logs = [np.log(np.maximum(one, MIN_PROBABILITY)) for one in labels]
    # more than two readings are no longer independent: light and print are the same
    total = np.sum(logs, axis=0) * min(1.0, 2.0 / len(logs))
    total = np.exp(total - total.max())
    return np.asarray(total / total.sum())


def agreement(one: Array, other: Array) -> float:
    """Measure how likely two readings are of one label, 0 … 1."""
    return float(np.sqrt(np.maximum(one, 0) * np.maximum(other, 0)).sum()) ** 2


def same_index(one: IndexReading, other: IndexReading) -> bool:
    """Check whether two readings are of one index."""
    apart = float(np.linalg.norm(one.centre - other.centre))
    height = min(one.height, other.height)
    return apart < 0.45 * height and float(one.up @ other.up) > 0.5


def merge_readings(readings: Sequence[IndexReading]) -> list[IndexReading]:
    """Merge readings of the same index; the surest gives the position."""
    left = sorted(readings, key=lambda reading: -reading.score * reading.probability)
    found: list[IndexReading] = []
    while left:
        first = left.pop(0)
        same = [reading for reading in left if same_index(first, reading)]
        left = [reading for reading in left if not any(reading is other for other in same)]
        if same:
            # readings of the same pixels: the mean of their logarithms, not their product
            logs = [np.log(np.maximum(reading.labels, MIN_PROBABILITY)) * reading.score for reading in (first, *same)]
            mean = np.exp(np.sum(logs, axis=0) / sum(reading.score for reading in (first, *same)))
            first = IndexReading(first.centre, first.up, first.height, mean / mean.sum(), first.score)
        found.append(first)
    return found

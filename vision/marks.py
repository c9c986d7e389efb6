"""What was read at one index of a card, and the joining of readings of the same index."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.view import Array

SUITS = "CSHD"
RANKS = "AKQJT98765432"
LABELS = tuple(suit + rank for suit in SUITS for rank in RANKS)
#: Least probability that any label keeps in a reading: one reading may err however sure it is. 1e-4 … 0.01.
FLOOR = 1e-3


@dataclass(frozen=True, eq=False)
class Mark:
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
        """Unit vector to the index's right hand as one reads it."""
        return np.array([-self.up[1], self.up[0]])

    @cached_property
    def best(self) -> int:
        """Number of the likeliest label."""
        return int(self.labels.argmax())

    @property
    def sure(self) -> float:
        """Probability of the likeliest label."""
        return float(self.labels[self.best])


def joint(ranks: Array, suits: Array) -> Array:
    """(52,) probabilities in the order of ``LABELS`` of (13,) for ``RANKS`` and (4,) for ``SUITS``."""
    return np.asarray(np.outer(suits, ranks).ravel())


def fused(labels: Iterable[Array]) -> Array:
    """(52,) probabilities of one card of which several indices, or one several times, were read."""
    logs = [np.log(np.maximum(one, FLOOR)) for one in labels]
    # more than two readings are no longer independent: light and print are the same
    total = np.sum(logs, axis=0) * min(1.0, 2.0 / len(logs))
    total = np.exp(total - total.max())
    return np.asarray(total / total.sum())


def agreement(one: Array, other: Array) -> float:
    """0 … 1: how likely two readings are of one label."""
    return float(np.sqrt(np.maximum(one, 0) * np.maximum(other, 0)).sum()) ** 2


def same_index(one: Mark, other: Mark) -> bool:
    """Whether two readings are of one index."""
    apart = float(np.linalg.norm(one.centre - other.centre))
    height = min(one.height, other.height)
    return apart < 0.45 * height and float(one.up @ other.up) > 0.5


def merged(marks: Sequence[Mark]) -> list[Mark]:
    """Readings of the same index joined, the surest first giving its place."""
    left = sorted(marks, key=lambda mark: -mark.score * mark.sure)
    found: list[Mark] = []
    while left:
        first = left.pop(0)
        same = [mark for mark in left if same_index(first, mark)]
        left = [mark for mark in left if not any(mark is other for other in same)]
        if same:
            # readings of the same pixels: the mean of their logarithms, not their product
            logs = [np.log(np.maximum(mark.labels, FLOOR)) * mark.score for mark in (first, *same)]
            mean = np.exp(np.sum(logs, axis=0) / sum(mark.score for mark in (first, *same)))
            first = Mark(first.centre, first.up, first.height, mean / mean.sum(), first.score)
        found.append(first)
    return found

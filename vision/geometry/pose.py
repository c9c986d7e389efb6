"""Compare poses of cards on the plane of the table, and suppress duplicates."""

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: x mm, y mm, angle rad of a card's upright axis; turned by half it covers the same ground.
Pose: TypeAlias = tuple[float, float, float]


def half_turn_difference(one: float, other: float) -> float:
    """Compute the angle in rad, 0 … π/2, between two axes that point the same way when turned by half."""
    return abs(math.remainder(one - other, math.pi))


def half_turn_differences(angles: ArrayLike, angle: ArrayLike) -> NDArray[Any]:
    """Compute ``half_turn_difference`` element by element, broadcast as numpy does."""
    difference: NDArray[Any] = np.mod(np.asarray(angles) - np.asarray(angle) + np.pi / 2, np.pi) - np.pi / 2
    sizes: NDArray[Any] = np.abs(difference)
    return sizes


def poses_near(poses: NDArray[Any], pose: ArrayLike, mm: float, rad: float) -> NDArray[np.bool_]:
    """Find those of ``poses`` (n, 3) less than ``mm`` and, up to a half turn, ``rad`` from a pose: (n,) bool."""
    x, y, angle = np.asarray(pose)
    distance = np.hypot(poses[:, 0] - x, poses[:, 1] - y)
    return np.asarray((distance < mm) & (half_turn_differences(poses[:, 2], angle) < rad))


def non_maximum_suppression(
    order: Iterable[int], number: int, duplicates_of: Callable[[int], NDArray[np.bool_]], max_kept: int | None = None
) -> list[int]:
    """Keep the best of ``number`` candidates, none that duplicates a better one; greedy.

    ``order``: indices, best first. ``duplicates_of`` gives (number,) bool for each one kept; ``max_kept`` at most.
    """
    kept: list[int] = []
    left = np.ones(number, bool)
    for k in order:
        if left[k]:
            kept.append(int(k))
            if len(kept) == max_kept:
                break
            left &= ~duplicates_of(int(k))
    return kept

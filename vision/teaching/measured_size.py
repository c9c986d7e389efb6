"""Measure the size of a deck's cards on those that lie alone, and tell by how many agree which of them were seen well.

A shadow across a card moves a side by ten millimetres, but not twice by the same.
"""

from dataclasses import dataclass
from statistics import median

from vision.teaching.packs import SOLD_SIZES_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeLimits:
    """Limits of measuring cards."""

    #: mm by which two cards of one size may be measured otherwise. 0.3 … 1.0: cards seen well differed by 0.3.
    same_mm: float = 0.8
    #: Cards of one size by which it is known, and after which none is measured any more.
    known_after: int = 2
    enough: int = 3
    #: mm by which a measured side may be off a size that is sold.
    sold_mm: float = 1.0


LIMITS = SizeLimits()


class MeasuredSize:
    """The size of a deck's cards, as far as it is known."""

    def __init__(self) -> None:
        self._cards: list[tuple[float, float]] = []  # width and height of each that was measured, mm

    def add(self, width: float, height: float) -> None:
        """Count a card that was measured, mm."""
        self._cards.append((width, height))

    @property
    def enough(self) -> bool:
        """Whether no more cards need be measured."""
        return len(self._agreeing()) >= LIMITS.enough

    @property
    def size_mm(self) -> tuple[float, float] | None:
        """Width and height, those of a size that is sold if one is near; None until two cards agree."""
        cards = self._agreeing()
        if len(cards) < LIMITS.known_after:
            return None
        width, height = median(one[0] for one in cards), median(one[1] for one in cards)
        near = min(SOLD_SIZES_MM, key=lambda size: _apart(size, (width, height)))
        return near if _apart(near, (width, height)) < LIMITS.sold_mm else (width, height)

    def _agreeing(self) -> list[tuple[float, float]]:
        """Select the most cards that agree with one of them."""
        groups = [[two for two in self._cards if _apart(one, two) <= LIMITS.same_mm] for one in self._cards]
        return max(groups, key=len, default=[])


def _apart(one: tuple[float, float], other: tuple[float, float]) -> float:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))

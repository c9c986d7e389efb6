"""Compare readings with the truth and count right, false and missed cards.

Simulated scenes tell exactly what is on the mat (``SceneCount``). Photographs are counted strictly (``PhotoCount``): a
name is right if a card of exactly this rank and suit is there and no name was given to it before; every other name is
false, also where a card is cut off by the picture's edge and has no label. Where neither box nor quad is given, only
the number of each label can be compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from kiosk.bench.intervals import share
from vision.geometry.projection import Array
from vision.recognition.card_reading import CardReading


@dataclass(slots=True)
class SceneCount:
    """Cards of simulated scenes right, wrong and missed, scenes wholly right, and the seconds each scene took."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    doubts: int = 0
    clean: int = 0
    seconds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def precision(self) -> str:
        """Right among those named, with its 95 % interval."""
        return share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> str:
        """Right among those there, with its 95 % interval."""
        return share(self.right, self.right + self.missed)

    def plain(self) -> dict[str, Any]:
        """Convert to plain numbers and lists, by name."""
        return asdict(self)

    def add(self, seen: list[CardReading], truth: list[tuple[str, Array]], where: str) -> None:
        """Compare readings with the truth: (label, quad or box as (4, 2) px)."""
        left = list(truth)
        wrong = 0
        for card in seen:
            if card.label is None:
                self.doubts += 1
                continue
            hit = next(
                (k for k, (name, outline) in enumerate(left) if name == card.label and overlaps(card.quad, outline)),
                None,
            )
            if hit is None:
                wrong += 1
                self.notes.append(f"{where}: {card.label} read, margin {card.margin:.2f}")
            else:
                del left[hit]
                self.right += 1
        self.notes += [f"{where}: {label} missed" for label, _ in left]
        self.wrong += wrong
        self.missed += len(left)
        self.clean += not left and not wrong


def overlaps(quad: Array, truth: Array) -> bool:
    """Report whether a quad is at the true place: half of the smaller area in common, a quarter of the larger one."""
    one, other = cv2.convexHull(quad.astype(np.float32)), cv2.convexHull(truth.astype(np.float32))
    common = float(cv2.intersectConvexConvex(one, other)[0])
    areas = sorted((cv2.contourArea(one), cv2.contourArea(other)))  # a box of a card's visible parts is the smaller
    return common >= 0.5 * areas[0] and common >= 0.25 * areas[1]


def outline_of(card: Mapping[str, Any]) -> Array | None:
    """Read a labelled card's quad, or its box as (4, 2) px; None where it has neither."""
    if card.get("quad") is not None:
        return np.asarray(card["quad"], np.float64)
    if card.get("box") is None:
        return None
    x0, y0, x1, y1 = card["box"]
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)


@dataclass(slots=True)
class PhotoCount:
    """Cards right and missed, false names by their kind, and the time each picture took (s)."""

    right: int = 0
    missed: int = 0
    misread: int = 0  # a card lies there, and its name is another one
    twice: int = 0  # this card has been named already
    phantom: int = 0  # no label says that a card lies there
    doubts: int = 0
    clean: int = 0
    seconds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def false(self) -> int:
        """Number of wrong names."""
        return self.misread + self.twice + self.phantom

    @property
    def recall(self) -> str:
        """Right among those there, with its 95 % interval."""
        return share(self.right, self.right + self.missed)

    @property
    def precision(self) -> str:
        """Right among those named, with its 95 % interval."""
        return share(self.right, self.right + self.false)

    def add(
        self,
        seen: Sequence[CardReading],
        truth: Sequence[tuple[str, Array | None]],
        where: str,
        size: tuple[int, int] | None = None,
    ) -> None:
        """Compare readings with the truth: (label, outline (n, 2) px or None).

        :param size: width and height of the picture; only the part of an outline inside it counts, because boxes of
            cards that are cut off end at its edge.
        """
        if size is not None:
            seen = [replace(card, quad=_cut(card.quad, size)) for card in seen]
            truth = [(label, outline if outline is None else _cut(outline, size)) for label, outline in truth]
        left = list(truth)
        false = 0
        self.doubts += sum(card.label is None for card in seen)
        wrong = []
        for card in sorted(seen, key=lambda card: -card.margin):
            if card.label is None:
                continue
            hit = next((k for k, item in enumerate(left) if _is(card, item)), None)
            if hit is None:
                wrong.append(card)
            else:
                del left[hit]
                self.right += 1
        for card in wrong:
            false += 1
            kind = self._kind(card, truth, left)
            self.notes.append(f"{where}: {card.label} is {kind}, margin {card.margin:.2f}")
        for label, _ in left:
            asked = any(card.label is None and label in dict(card.choices[:3]) for card in seen)
            self.notes.append(f"{where}: {label} missed" + (", asked" if asked else ""))
        self.missed += len(left)
        self.clean += not left and not false

    def _kind(
        self, card: CardReading, truth: Sequence[tuple[str, Array | None]], left: list[tuple[str, Array | None]]
    ) -> str:
        if any(_is(card, item) for item in truth):
            self.twice += 1
            return "named twice"
        if any(outline is None or overlaps(card.quad, outline) for _, outline in left):
            self.misread += 1
            return "misread"
        if any(outline is None or overlaps(card.quad, outline) for _, outline in truth):
            self.twice += 1
            return "a second name"
        self.phantom += 1
        return "where no card is labelled"

    def plain(self) -> dict[str, Any]:
        """Convert to plain numbers and lists, by name."""
        return asdict(self)


def _cut(quad: Array, size: tuple[int, int]) -> Array:
    """(n, 2) px: what of an outline lies in the picture; all of it if nothing does."""
    width, height = size
    picture = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, common = cv2.intersectConvexConvex(cv2.convexHull(quad.astype(np.float32)), picture)
    return quad if area <= 0 or common is None else common.reshape(-1, 2).astype(np.float64)


def _is(card: CardReading, item: tuple[str, Array | None]) -> bool:
    label, outline = item
    return card.label == label and (outline is None or overlaps(card.quad, outline))

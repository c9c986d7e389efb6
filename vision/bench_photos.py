"""Figures of the generic reader: photographs of other tables and decks, and simulated ones of decks never tuned on.

A set is a folder with ``labels.json``: a list of ``{"file", "cards": [{"label", "box", "quad"}]}``, boxes
``[x0, y0, x1, y1]`` and quads in pixels, either or both null.

Counted strictly: a name is right if a card of exactly this rank and suit lies there and no name was given to it before;
every other name is false, also where a card is cut off by the picture's edge and stands in no label. Where neither box
nor quad is given, only how many of each label are there can be compared.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.bench import fits
from vision.errors import DeckError, VisionError
from vision.generic import read_cards
from vision.intervals import share
from vision.pictures import Picture, read_picture
from vision.reading import Seen
from vision.sim.art import load_art
from vision.sim.artwork import Art
from vision.sim.paint import EVERYDAY, LOOKS
from vision.sim.scene import CONDITIONS, random_scene
from vision.view import Array

#: Sizes of simulated pictures.
PHONES = ((720, 960), (960, 1280), (1280, 960), (960, 540))
#: How the generic reader is called.
Reader = Callable[[Picture], Sequence[Seen]]


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
        """Names that are not right."""
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
        seen: Sequence[Seen],
        truth: Sequence[tuple[str, Array | None]],
        where: str,
        size: tuple[int, int] | None = None,
    ) -> None:
        """Compares what was seen with (label, outline (n, 2) px or None); of outlines, what lies in the picture, of
        this width and height, counts: boxes of cards cut off end at its edge."""
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

    def _kind(self, card: Seen, truth: Sequence[tuple[str, Array | None]], left: list[tuple[str, Array | None]]) -> str:
        if any(_is(card, item) for item in truth):
            self.twice += 1
            return "named twice"
        if any(outline is None or fits(card.quad, outline) for _, outline in left):
            self.misread += 1
            return "misread"
        if any(outline is None or fits(card.quad, outline) for _, outline in truth):
            self.twice += 1
            return "a second name"
        self.phantom += 1
        return "where no card is labelled"

    def plain(self) -> dict[str, Any]:
        """As plain numbers and lists, by name."""
        return asdict(self)


def _cut(quad: Array, size: tuple[int, int]) -> Array:
    """(n, 2) px: what of an outline lies in the picture; all of it if nothing does."""
    width, height = size
    picture = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, common = cv2.intersectConvexConvex(cv2.convexHull(quad.astype(np.float32)), picture)
    return quad if area <= 0 or common is None else common.reshape(-1, 2).astype(np.float64)


def _is(card: Seen, item: tuple[str, Array | None]) -> bool:
    label, outline = item
    return card.label == label and (outline is None or fits(card.quad, outline))


def photo_sets(folder: Path) -> list[Path]:
    """The sets in a folder, by name."""
    return sorted(path.parent for path in folder.glob("*/labels.json"))


def measure_set(
    folder: Path | str, first: int = 0, number: int | None = None, reader: Reader = read_cards
) -> PhotoCount:
    """A set read picture by picture on one thread, ``number`` of them from the ``first`` on; by default all.

    :raises VisionError: ``labels.json`` is missing or no list of pictures
    """
    folder, count = Path(folder), PhotoCount()
    with _one_thread():
        for entry in entries(folder)[first:][:number]:
            picture = read_picture(folder / entry["file"])
            start = time.process_time()
            seen = reader(picture)
            count.seconds.append(time.process_time() - start)
            truth = [(card["label"], _outline(card)) for card in entry["cards"]]
            count.add(seen, truth, f"{folder.name}/{entry['file']}", picture.shape[1::-1])
    return count


def entries(folder: Path) -> list[dict[str, Any]]:
    """A set's pictures as ``labels.json`` has them.

    :raises VisionError: it is missing or no list of pictures
    """
    try:
        known = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
        if all(isinstance(entry["file"], str) and isinstance(entry["cards"], list) for entry in known):
            return list(known)
    except (OSError, ValueError, KeyError, TypeError) as why:
        raise VisionError(f"{folder / 'labels.json'}: no labels of pictures can be read ({why})") from why
    raise VisionError(f"{folder / 'labels.json'}: expected a list of pictures with file and cards")


def _outline(card: dict[str, Any]) -> Array | None:
    if card.get("quad") is not None:
        return np.asarray(card["quad"], np.float64)
    if card.get("box") is None:
        return None
    x0, y0, x1, y1 = card["box"]
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)


def measure_simulated(art: Art, first: int, number: int, reader: Reader = read_cards) -> PhotoCount:
    """``number`` pictures of 1 to 4 cards, alone, touching and overlapping, of different sizes and lights; no mat."""
    count = PhotoCount()
    with _one_thread():
        for seed in range(first, first + number):
            rng = np.random.default_rng([seed, 7])
            size = PHONES[rng.integers(len(PHONES))]
            wide = float(rng.uniform(0.11, 0.22)) * min(size)
            look = LOOKS[str(rng.choice(sorted(LOOKS)))] if rng.random() < 0.5 else EVERYDAY
            condition = CONDITIONS[seed % len(CONDITIONS)]
            labels = tuple(art.faces)
            scene = random_scene(seed, art, condition, labels=labels, card_px=wide, size=size, look=look)
            start = time.process_time()
            seen = reader(scene.frame)
            count.seconds.append(time.process_time() - start)
            count.add(seen, [(card.label, card.quad) for card in scene.cards], f"{art.name} {condition} {seed}")
    return count


@contextmanager
def _one_thread() -> Iterator[None]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


def photographs(folder: str, start: int, number: int) -> dict[str, Any]:
    """A piece of a set as plain numbers, texts and lists."""
    return measure_set(folder, start, number).plain()


def simulated(deck: str, first: int, number: int) -> dict[str, Any]:
    """Simulated pictures of a deck as plain numbers, texts and lists; ``first`` is the first seed."""
    try:
        return measure_simulated(load_art(deck), first, number).plain()
    except (DeckError, OSError) as why:
        return {"left_out": str(why).splitlines()[0]}

"""Figures of the generic reader: photographs of other tables and decks, and simulated ones of decks never tuned on.

A set is a folder with ``labels.json``: a list of ``{"file", "cards": [{"label", "box", "quad"}]}``, boxes
``[x0, y0, x1, y1]`` and quads in pixels, either or both null.

Counted strictly: a name is right if a card of exactly this rank and suit lies there and no name was given to it before;
every other name is false, also where a card is cut off by the picture's edge and stands in no label. Where neither box
nor quad is given, only how many of each label are there can be compared.
"""

import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.bench import Row, fits, share
from vision.errors import VisionError
from vision.pictures import Picture, read_picture
from vision.reading import Seen
from vision.view import Array

#: The issue's aim over all sets together.
WANTED_RECALL, WANTED_PRECISION = 0.93, 0.985
#: What publicly known recognisers reach on these photographs, all sets together.
PUBLIC = "public recognisers 0.09–0.33 / 0.92–0.98"
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

    def add(self, seen: Sequence[Seen], truth: Sequence[tuple[str, Array | None]], where: str) -> None:
        """Compares what was seen with (label, outline (n, 2) px or None)."""
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

    def join(self, other: "PhotoCount") -> None:
        """Adds another count to this one."""
        for name in ("right", "missed", "misread", "twice", "phantom", "doubts", "clean"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seconds += other.seconds
        self.notes += other.notes


def _is(card: Seen, item: tuple[str, Array | None]) -> bool:
    label, outline = item
    return card.label == label and (outline is None or fits(card.quad, outline))


def photo_sets(folder: Path) -> list[Path]:
    """The sets in a folder, by name."""
    return sorted(path.parent for path in folder.glob("*/labels.json"))


def measure_set(folder: Path, reader: Reader, every: int = 1, prefix: str = "") -> PhotoCount:
    """A set read picture by picture on one thread.

    :param every: only each ``every``-th picture.
    :param prefix: only files that start so.
    :raises VisionError: ``labels.json`` is missing or no list of pictures
    """
    count = PhotoCount()
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        entries = [entry for entry in _entries(folder) if entry["file"].startswith(prefix)]
        for entry in entries[::every]:
            picture = read_picture(folder / entry["file"])
            start = time.process_time()
            seen = reader(picture)
            count.seconds.append(time.process_time() - start)
            truth = [(card["label"], _outline(card)) for card in entry["cards"]]
            count.add(seen, truth, f"{folder.name}/{entry['file']}")
    finally:
        cv2.setNumThreads(threads)
    return count


def _entries(folder: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
        if all(isinstance(entry["file"], str) and isinstance(entry["cards"], list) for entry in entries):
            return list(entries)
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


def generic_photographs(folder: Path, reader: Reader, every: int = 1) -> Iterator[Row]:
    """Figures of every set in ``folder`` and of all together, cards read without a learned deck.

    :param every: only each ``every``-th picture of a set, for a quick look.
    """
    total = PhotoCount()
    for path in photo_sets(folder):
        count = measure_set(path, reader, every)
        total.join(count)
        yield from rows(path.name, count)
    yield from rows("all sets", total, f"≥ {WANTED_RECALL}; {PUBLIC}", f"≥ {WANTED_PRECISION}; {PUBLIC}")
    for note in total.notes:
        if not note.endswith("asked") and " missed" not in note:
            yield "false name", note, ""


def rows(what: str, count: PhotoCount, recall: str = "", precision: str = "") -> Iterator[Row]:
    """A count as rows of a table."""
    yield f"{what}: recall", count.recall, recall
    yield f"{what}: precision", count.precision, precision
    kinds = f"{count.misread} misread, {count.twice} named twice, {count.phantom} where no card is labelled"
    yield f"{what}: false names", f"{count.false} ({kinds})", ""
    yield f"{what}: missed, in doubt", f"{count.missed}, {count.doubts}", ""
    if count.seconds:
        spent = f"{statistics.median(count.seconds):.2f} / {max(count.seconds):.2f}"
        yield f"{what}: s a picture, median / worst", spent, ""

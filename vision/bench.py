"""Figures of the recognition: simulated scenes whose seeds nothing was tuned on, and photographs.

Each function yields rows (what, value, wanted) as text, for a table.
"""

import json
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.deck import Deck
from vision.errors import VisionError
from vision.intervals import share
from vision.learn import faces_of_labels, rectified
from vision.pictures import read_picture
from vision.reading import Seen
from vision.recognise import recognise
from vision.sim.art import load_art
from vision.sim.artwork import BACK, Art
from vision.sim.scene import SceneCard, learning_frames, random_scene
from vision.view import Array, View

#: First seed of the scenes measured; tuning used seeds below.
HELD_OUT = 50_000
#: Decks measured where they are installed; the first is the project's own.
DECKS = ("stichwart", "lattmann", "rheinland", "atlasnye_skat", "xskat-french", "xskat-german")

Row = tuple[str, str, str]


@dataclass(slots=True)
class Count:
    """Cards right, wrong and missed, scenes wholly right, and the time each scene took."""

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
        """As plain numbers and lists, by name."""
        return asdict(self)

    def add(self, seen: list[Seen], truth: list[tuple[str, Array]], where: str) -> None:
        """Compares what was seen with (label, quad or box as (4, 2) px)."""
        left = list(truth)
        wrong = 0
        for card in seen:
            if card.label is None:
                self.doubts += 1
                continue
            hit = next(
                (k for k, (name, outline) in enumerate(left) if name == card.label and fits(card.quad, outline)), None
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


def fits(quad: Array, truth: Array) -> bool:
    """Whether a quad lies where the truth does: half of the area in common, or half of a box of visible parts."""
    one, other = cv2.convexHull(quad.astype(np.float32)), cv2.convexHull(truth.astype(np.float32))
    common = float(cv2.intersectConvexConvex(one, other)[0])
    least = min(cv2.contourArea(one), cv2.contourArea(other))
    return common >= 0.5 * least and common >= 0.25 * max(cv2.contourArea(one), cv2.contourArea(other))


def learned(art: Art, seed: int = 0, labels: Sequence[str] | None = None) -> Deck:
    """The deck learned from one simulated camera frame a card.

    :param labels: its faces, ``back`` for the back; by default ``art.doppelkopf``.
    """
    faces = {}
    for label, scene in learning_frames(art, seed, art.doppelkopf if labels is None else labels):
        corners = View(scene.calibrated, (scene.frame.shape[1], scene.frame.shape[0]))
        true = View(scene.homography, corners.size)
        faces[label] = rectified(scene.frame, corners.project(true.unproject(scene.cards[0].quad)), art.size_mm)
    return Deck.learn(art.name, faces, art.size_mm)


def measure_scenes(deck: Deck, art: Art, condition: str, number: int, first: int = HELD_OUT, **options: Any) -> Count:
    """``number`` random scenes of ``condition`` read with a mat's view known to about a pixel."""
    count = Count()
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        for seed in range(first, first + number):
            scene = random_scene(seed, art, condition, **options)
            start = time.process_time()
            seen = recognise(scene.frame, deck, scene.view)
            count.seconds.append(time.process_time() - start)
            up = [_truth(card) for card in scene.cards if card.label != BACK]
            count.add(seen, up, f"{art.name} {condition} {seed}")
    finally:
        cv2.setNumThreads(threads)
    return count


def scenes(number: int = 200) -> Iterator[Row]:
    """``number`` scenes of each kind with ``lattmann``, half as many overlapping ones with the others."""
    for name in DECKS:
        try:
            art = load_art(name)
        except (VisionError, ValueError, OSError) as why:
            yield f"{name}: left out", str(why).splitlines()[0], ""
            continue
        deck = learned(art)
        for condition in ("isolated", "touching", "overlapping") if name == "lattmann" else ("overlapping",):
            count = measure_scenes(deck, art, condition, number if name == "lattmann" else max(number // 2, 1))
            what = f"{name}, {condition}"
            wanted = WANTED.get((name, condition), WANTED["", "overlapping"])
            yield f"{what}: precision", count.precision, f"≥ {wanted[0]}"
            yield f"{what}: recall", count.recall, f"≥ {wanted[1]}"
            yield f"{what}: scenes wholly right", share(count.clean, len(count.seconds)), f"≥ {wanted[2]}"
            yield f"{what}: in doubt", str(count.doubts), ""
            yield f"{what}: ms a scene, median", f"{1000 * statistics.median(count.seconds):.0f}", "≤ 200"


#: The prototype's best figures: precision, recall, scenes wholly right.
WANTED = {
    ("lattmann", "isolated"): (1.0, 1.0, 1.0),
    ("lattmann", "touching"): (0.998, 1.0, 0.995),
    ("lattmann", "overlapping"): (1.0, 0.989, 0.965),
    ("", "overlapping"): (0.994, 0.972, 0.917),
}


def measure_photographs(folder: Path, learn: str = "single/", read: str = "tricks/") -> Count:
    """The deck learned from the pictures whose file starts with ``learn``; those with ``read`` read without a mat.

    ``folder`` holds ``labels.json`` and the pictures. Nothing is written.
    """
    faces, size = faces_of_labels(folder / "labels.json", learn)
    deck = Deck.learn("photographs", faces, size)
    count = Count()
    for entry in json.loads((folder / "labels.json").read_text(encoding="utf-8")):
        if not entry["file"].startswith(read):
            continue
        picture = read_picture(folder / entry["file"])
        start = time.process_time()
        seen = recognise(picture, deck)
        count.seconds.append(time.process_time() - start)
        truth = [(card["label"], _outline(card)) for card in entry["cards"]]
        count.add(seen, truth, entry["file"])
    return count


def photographs(folder: Path) -> Iterator[Row]:
    """Figures of ``german-index-baize`` or a folder like it."""
    count = measure_photographs(folder)
    yield "recall", count.recall, "≥ 0.90"
    yield "precision", count.precision, "≥ 0.99"
    yield "in doubt", str(count.doubts), ""
    yield "s a picture, median", f"{statistics.median(count.seconds):.1f}", ""
    for note in count.notes:
        yield "not right", note, ""


def _truth(card: SceneCard) -> tuple[str, Array]:
    return card.label, card.quad


def _outline(card: dict[str, Any]) -> Array:
    if card.get("quad") is not None:
        return np.asarray(card["quad"], np.float64)
    x0, y0, x1, y1 = card["box"]
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)

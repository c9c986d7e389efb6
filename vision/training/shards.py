"""Write scenes to train on into files: the same seed and number give the same file.

``python -m vision.training.shards FOLDER --first 0 --count 100 --kind KIND`` renders them.
"""

import argparse
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from vision.indices.networks import RANKS, SUITS
from vision.training import faces, grounds, marks, scenes
from vision.training.light import MILD, ROUGH

SEED = 20240517
SCENES = 500  # a shard
#: Kinds of shards and their random streams: usual, worse light and noise, German decks, fonts and decks kept back.
_STREAMS = {"shard": 0, "rough": 0, "skat": 2, "validation": 1}
#: Cards drawn, cards rendered, and printed papers of a whole shard.
_DRAWN_FACES = 150
_RENDERED_FACES = 170
_PRINTED_SHEETS = 10
#: Columns of a shard's table of indices: scene, x, y, angle, height, part shown, rank, suit.
COLUMNS = 8


@dataclass(slots=True)
class Recipe:
    """Everything that scenes are made of on this machine; loaded once, a minute or so."""

    kind: str = "shard"
    debian: bool = True
    fonts: tuple[str, ...] = ()
    rendered: list[faces.Face] = field(default_factory=list)
    body: faces.FaceMiddles = field(default_factory=lambda: faces.FaceMiddles([]))
    pictures: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        trained, kept = marks.split(marks.fonts())
        self.fonts = kept if self.kind == "validation" else trained
        if self.debian:
            decks = faces.VALIDATED if self.kind == "validation" else faces.TRAINED
            self.rendered = [face for deck in decks for face in faces.debian(deck)]
            self.body = faces.FaceMiddles(faces.interiors(decks))
            pictures = grounds.wallpapers()
            kept_back = self.kind == "validation"
            self.pictures = [p for n, p in enumerate(pictures) if (n % 5 == 0) == kept_back]

    def scenes(self, number: int, count: int = SCENES) -> Iterator[tuple[np.ndarray, list[scenes.IndexAnnotation]]]:
        """Return the scenes of one shard."""
        rng = np.random.default_rng((SEED, _STREAMS[self.kind], number))
        drawn: list[faces.Face] = []
        labels = faces.labels()
        wanted = _DRAWN_FACES if count >= SCENES else max(4, count)
        while len(drawn) < wanted:
            rank, suit = labels[rng.integers(len(labels))]
            try:
                style = faces.random_style(rng, self.fonts)
                if self.kind == "skat":
                    style = faces.skat(style, rng)
                    rank = "KQJ"[rng.integers(3)] if rng.random() < 0.5 else rank
                drawn.append(faces.draw(style, rank, suit, rng, self.body))
            except ValueError:  # a font without ink for a letter
                continue
        chosen = rng.permutation(len(self.rendered))[:_RENDERED_FACES]
        sheets = [grounds.sheet(rng, self.fonts, n % 2 == 0) for n in range(_PRINTED_SHEETS if count >= SCENES else 2)]
        store = scenes.SceneMaterial(drawn + [self.rendered[n] for n in chosen], sheets, self.pictures)
        for _ in range(count):
            yield scenes.scene(rng, store, ROUGH if self.kind == "rough" else MILD)


def write(path: Path, made: Iterator[tuple[np.ndarray, list[scenes.IndexAnnotation]]]) -> None:
    """Write scenes into one file: the pictures' bytes end to end, their lengths, the table of indices."""
    pictures, rows = [], []
    for n, (data, marks_) in enumerate(made):
        pictures.append(data.ravel())
        rows += [(n, m.x, m.y, m.angle, m.height, m.shown, RANKS.index(m.rank), SUITS.index(m.suit)) for m in marks_]
    part = path.with_suffix(f".{os.getpid()}.npz")
    table = np.array(rows, np.float32).reshape(-1, COLUMNS)
    np.savez(part, data=np.concatenate(pictures), lengths=np.array([len(p) for p in pictures]), marks=table)
    part.replace(path)


def read(path: Path) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the pictures' JPEG bytes, and the table (n, 8) float32 of the indices."""
    with np.load(path) as stored:
        ends = np.cumsum(stored["lengths"])
        return np.split(stored["data"], ends[:-1]), stored["marks"]


def main() -> None:
    """Render shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--kind", choices=tuple(_STREAMS), default="shard")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    recipe = Recipe(given.kind)
    given.folder.mkdir(parents=True, exist_ok=True)
    for number in range(given.first, given.first + given.count):
        path = given.folder / f"{given.kind}-{number:04d}.npz"
        if not path.exists():
            write(path, recipe.scenes(number))
            print(path.name, flush=True)


if __name__ == "__main__":
    main()

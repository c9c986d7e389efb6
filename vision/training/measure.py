"""Measure the networks of the package on scenes with fonts and decks that they were not trained on.

``python -m vision.training.measure FOLDER`` prints a table by the indices' height in the scenes.
"""

import argparse
import itertools
import math
from dataclasses import dataclass
from pathlib import Path

import cv2

from vision.indices import networks as indices
from vision.training.samples import Shelf
from vision.training.scenes import HIDDEN_UP_TO_SHARE, VISIBLE_FROM_SHARE

BANDS = (9, 12, 15, 20, 30, 45, 75)
#: An index that is read with this certainty would be believed.
BELIEVED_CERTAINTY = 0.9


@dataclass(slots=True)
class BandCounts:
    """Counts of the indices of one band of heights."""

    shown: int = 0
    found: int = 0
    right: int = 0
    sure: int = 0
    sure_right: int = 0


def measure(shelf: Shelf, max_scenes: int) -> tuple[dict[int, BandCounts], int, int]:
    """Count by band; then how many were read surely where none shows, and in how many scenes."""
    bands = {low: BandCounts() for low in BANDS[:-1]}
    phantoms = scenes = 0
    for picture, table in shelf.every():
        scenes += 1
        found = indices.find_indices(picture, 8.5)
        near = set()
        for x, y, angle, height, shown, rank, suit in table.tolist():
            hits = [
                n
                for n, index in enumerate(found)
                if math.hypot(index.x - x, index.y - y) < 0.4 * height
                and abs(math.remainder(index.angle - angle, 2 * math.pi)) < 0.6
            ]
            if shown > HIDDEN_UP_TO_SHARE:
                near.update(hits)
            low = max((b for b in BANDS if b <= height), default=0)
            if shown < VISIBLE_FROM_SHARE or low not in bands:
                continue
            count = bands[low]
            count.shown += 1
            if hits:
                best = max((found[n] for n in hits), key=lambda index: index.certainty)
                right = best.label == indices.SUITS[int(suit)] + indices.RANKS[int(rank)]
                count.found += 1
                count.right += right
                count.sure += best.certainty >= BELIEVED_CERTAINTY
                count.sure_right += right and best.certainty >= BELIEVED_CERTAINTY
        phantoms += sum(index.certainty >= BELIEVED_CERTAINTY for n, index in enumerate(found) if n not in near)
        if scenes >= max_scenes:
            break
    return bands, phantoms, scenes


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with shards of the kind validation")
    parser.add_argument("--scenes", type=int, default=1000)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    shelf = Shelf(given.folder, validation=True)
    shelf.open_new()
    bands, phantoms, scenes = measure(shelf, given.scenes)
    print("| height px | indices | found | label right | read surely | of these right |\n|---|---|---|---|---|---|")
    for low, high in itertools.pairwise(BANDS):
        c = bands[low]
        print(
            f"| {low}–{high} | {c.shown} | {c.found / max(1, c.shown):.3f} | {c.right / max(1, c.shown):.3f} "
            f"| {c.sure / max(1, c.shown):.3f} | {c.sure_right / max(1, c.sure):.3f} |"
        )
    print(f"read surely where no index shows: {phantoms} in {scenes} scenes")


if __name__ == "__main__":
    main()

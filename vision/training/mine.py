"""Collect places that the networks take for an index and that are none, to train the reader on.

``python -m vision.training.mine FOLDER --count 6000`` reads scenes of the folder's shards with the networks that the
package has now and writes ``mined.npz``: patches (n, 64, 40, 3) uint8.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from vision.indices import networks as indices
from vision.training.samples import Shelf, clear

SEED = 11
#: Least scores by finder and reader of a place that is kept.
_MIN_FINDER_SCORE = 0.1
_MIN_READER_SCORE = 0.25


def mine(shelf: Shelf, count: int, seed: int = SEED) -> np.ndarray:
    """Collect patches (n, 64, 40, 3) uint8 of wrong places in so many scenes."""
    rng = np.random.default_rng(seed)
    kept = []
    for _ in range(count):
        picture, table = shelf.draw(rng)
        levels = indices.pyramid(picture)
        places = indices.find_places(picture, 8.0, finder_score=_MIN_FINDER_SCORE)
        for first, read in zip(places, indices.read_places(levels, places), strict=True):
            last = indices.IndexPlace(read.x, read.y, read.angle, read.height)
            if read.score > _MIN_READER_SCORE and clear(last, table) and clear(first, table):
                kept.append(indices.patch(levels, last))
    return np.stack(kept) if kept else np.empty((0, *indices.PATCH_PX[::-1], 3), np.uint8)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=6000, help="scenes")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    shelf = Shelf(given.folder)
    shelf.open_new()
    patches = mine(shelf, given.count)
    np.savez(given.folder / "mined.npz", patches=patches)
    print(f"{len(patches)} patches of {given.count} scenes")


if __name__ == "__main__":
    main()

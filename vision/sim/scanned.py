"""A deck of the simulated table from flat scans of a real one."""

from pathlib import Path
from types import MappingProxyType

import numpy as np

from vision.errors import DeckError
from vision.outline import rectified
from vision.scans import cards_in
from vision.sim.artwork import BACK, BAVARIAN_MM, Art, pixels, rounded


def scanned(name: str, folder: Path | str, size_mm: tuple[float, float] = BAVARIAN_MM) -> Art:
    """The cards of a folder as ``vision.scans`` has it, one picture a card and one of the back.

    :param size_mm: of a card; scans tell nothing of their scale.
    :raises DeckError: the back is missing, or what ``vision.scans`` finds
    :raises PictureError: a picture that cannot be read
    """
    cards = cards_in(folder)
    if BACK not in cards:
        raise DeckError(f"{folder}: there is no picture of the back; add back.jpg")
    size = pixels(size_mm)
    faces = {label: rounded(np.asarray(rectified(image, quad, size))) for label, (image, quad) in cards.items()}
    return Art(name, size_mm, MappingProxyType({label: faces[label] for label in faces if label != BACK}), faces[BACK])

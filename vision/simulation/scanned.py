"""Make art for the simulated table from flat scans of a real deck."""

from pathlib import Path
from types import MappingProxyType

import numpy as np

from vision.errors import DeckError
from vision.geometry.card_outline import rectify_card
from vision.simulation.artwork import BACK, BAVARIAN_MM, Art, pixels, rounded
from vision.teaching.from_scans import cards_in


def scanned(name: str, folder: Path | str, size_mm: tuple[float, float] = BAVARIAN_MM) -> Art:
    """Return the cards of a folder as ``vision.teaching.from_scans`` has it, one picture a card and one of the back.

    :param size_mm: of a card; scans do not contain their scale.
    :raises DeckError: the back is missing, or what ``vision.teaching.from_scans`` finds
    :raises PictureError: a picture that cannot be read
    """
    cards = cards_in(folder)
    if BACK not in cards:
        raise DeckError(f"{folder}: there is no picture of the back; add back.jpg")
    size = pixels(size_mm)
    faces = {label: rounded(np.asarray(rectify_card(image, quad, size))) for label, (image, quad) in cards.items()}
    return Art(name, size_mm, MappingProxyType({label: faces[label] for label in faces if label != BACK}), faces[BACK])

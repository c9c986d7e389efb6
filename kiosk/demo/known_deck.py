"""Tell which card a picture shows, as people do who look at it: they know their deck."""

from collections.abc import Callable

import cv2
import numpy as np

from kiosk.rules.engine.cards import Card
from vision.deck.deck import REFERENCE_SCALE
from vision.images import decoded
from vision.simulation.art import load_art
from vision.teaching.known_faces import KnownFaces


def knows_deck(art: str) -> Callable[[bytes | None], Card | None]:
    """Make one who knows the faces of a simulated deck: he tells the card of a JPEG, None where too little shows."""
    deck = load_art(art)
    width, height = (round(side * REFERENCE_SCALE) for side in deck.size_mm)
    faces = KnownFaces(deck.size_mm)
    for label, drawn in deck.faces.items():
        opaque = drawn[..., 3:] / 255.0
        paper = cv2.resize(
            drawn[..., :3] * opaque + 255.0 * (1 - opaque), (width, height), interpolation=cv2.INTER_AREA
        )
        faces.add(label, np.asarray(paper + 0.5, np.uint8))

    def tell(picture: bytes | None) -> Card | None:
        seen = decoded(picture)
        if seen is None:
            return None
        named = faces.name(np.asarray(cv2.resize(seen, (width, height)), np.uint8))
        return None if named is None else named[0]

    return tell

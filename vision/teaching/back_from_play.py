"""Learn the back of a deck from the packets that lie in the fields for tricks won.

A deck that is learned from cards in play has no other picture of its back, and without one a card that lies face down
is not told. Tricks that were won lie face down there, at rest, while the next ones are played.
"""

from collections import deque

import numpy as np

from vision.deck.deck import REFERENCE_SCALE, Deck
from vision.geometry.card_outline import find_card_near, rectify_card, side_lengths
from vision.geometry.projection import PlaneProjection
from vision.images import Picture
from vision.mat.layout import MatLayout
from vision.teaching.from_play import LIMITS as FACE_LIMITS
from vision.teaching.from_play import laid_on

#: Pictures that make a back, and that are kept, the newest: a packet is seen with each trick, and hands come over it.
LEAST_PICTURES, KEPT_PICTURES = 3, 8
#: mm by which the outline of a packet's topmost card may be larger or smaller than a card.
SIZE_OFF_MM = 0.8
#: mm round a field in which a packet's outline is searched for: packets are put down carelessly.
SPARE_MM = 12.0


class PlayedBack:
    """The pictures of what lay in the fields for tricks won."""

    def __init__(self) -> None:
        self._pictures: deque[Picture] = deque(maxlen=KEPT_PICTURES)

    def see(self, image: Picture, view: PlaneProjection, layout: MatLayout, size_mm: tuple[float, float]) -> None:
        """Take pictures of the topmost cards of packets; some milliseconds a field."""
        for x, y, wide, high in layout.won_fields.values():
            field = np.array([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)])
            around = view.project(field + SPARE_MM * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))
            quad = find_card_near(image, view, around)
            if quad is None:
                continue
            off = side_lengths(view.unproject(quad)) - np.array([*size_mm, *size_mm])
            if np.abs(off).max() <= SIZE_OFF_MM:
                self._pictures.append(rectify_card(image, quad, _shape(size_mm)))

    def learned(self, deck: Deck) -> Picture | None:
        """Average those pictures that agree, if they are enough and show no face of this deck; None otherwise."""
        pictures = [one for one in self._pictures if one.shape[1::-1] == _shape(deck.size_mm)]
        for base in reversed(pictures):
            laid = [laid_on(base, one, deck) for one in pictures if one is not base]
            agreeing = [picture for picture, alike in laid if alike >= FACE_LIMITS.min_correlation]
            if len(agreeing) + 1 >= LEAST_PICTURES:
                back = np.asarray(np.mean([base, *agreeing], axis=0) + 0.5, np.uint8)
                faces = (laid_on(back, face, deck)[1] for face in deck.faces.values())
                return back if max(faces, default=0.0) < FACE_LIMITS.min_correlation else None
        return None


def _shape(size_mm: tuple[float, float]) -> tuple[int, int]:
    """Return the width and height in pixels of a picture of a card."""
    return round(size_mm[0] * REFERENCE_SCALE), round(size_mm[1] * REFERENCE_SCALE)

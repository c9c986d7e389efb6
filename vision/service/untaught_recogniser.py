"""Recognise the cards of a deck that nobody has taught: by their indices, and by pictures of which the label is known.

A card seen all round that neither names is told without any label: somebody laid it, and people can say what it is.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from vision.deck.deck import REFERENCE_SCALE
from vision.geometry.projection import PlaneProjection, card_corners
from vision.geometry.rectification import RectifiedPlane, plane_around
from vision.images import Picture
from vision.indices.on_mat import CardSize, MatIndexReader
from vision.indices.reading import LABELS
from vision.recognition.card_reading import CardReading
from vision.recognition.edge_proposals import EdgeProposals
from vision.recognition.whole_cards import whole_cards
from vision.teaching.known_faces import KnownFaces


def has_indices(faces: Sequence[str]) -> bool:
    """Whether cards of these labels have indices that can be read: French ones."""
    return bool(faces) and set(faces) <= set(LABELS)


class UntaughtRecogniser:
    """A recogniser as the tracker calls it.

    :param faces: labels of the cards that are played with.
    :param known: pictures of faces; asked anew at each reading.
    """

    def __init__(self, faces: Sequence[str], known: KnownFaces) -> None:
        self._indices = MatIndexReader(faces) if has_indices(faces) else None
        self._known = known
        self.measured = False  # whether the size of the cards is known

    def __call__(
        self, frame: Picture, deck: CardSize, view: PlaneProjection | None = None, region: ArrayLike | None = None
    ) -> list[CardReading]:
        """Recognise the cards in ``region`` (n, 2 px), surest first; of the deck only its cards' size is asked.

        :raises PictureError: a frame of another shape or type
        :raises ValueError: no view
        """
        size = deck.size_mm
        plane = plane_around(frame, size, view, region)
        proposals = EdgeProposals.of(plane, size)
        found = self._indices.read(plane, proposals, size) if self._indices is not None else []
        known = [np.array(one.pose) - np.append(plane.origin, 0.0) for one in found]
        for pose in whole_cards(plane, proposals, size, known, measured=self.measured):
            x, y, angle = (float(value) for value in pose + np.append(plane.origin, 0.0))
            quad = plane.view.project(card_corners((x, y, angle), size))
            found.append(CardReading(None, 0.0, (), quad, (x, y, angle)))
        return [one if one.label is not None else self._looked_up(one, plane, size) for one in found]

    def _looked_up(self, reading: CardReading, plane: RectifiedPlane, size_mm: tuple[float, float]) -> CardReading:
        """Name a card in doubt by the pictures that are known."""
        if not len(self._known):
            return reading
        width, height = (round(side * REFERENCE_SCALE) for side in size_mm)
        picture = plane.sharp_patches(np.array([reading.pose]), size_mm, (width, height))[0]
        named = self._known.name(picture)
        if named is None:
            return reading
        label, margin = named
        others = tuple((one, score) for one, score in reading.choices if one != label)
        return replace(reading, label=label, margin=margin, choices=((label, 1.0), *others))

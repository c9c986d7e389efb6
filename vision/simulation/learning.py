"""Learn decks from the simulated camera, as a person teaches one before a real camera."""

from collections.abc import Sequence

from vision.deck.deck import Deck
from vision.geometry.projection import PlaneProjection
from vision.simulation.artwork import Art
from vision.simulation.scene import learning_frames
from vision.teaching.from_labels import rectified


def learn_simulated_deck(art: Art, seed: int = 0, labels: Sequence[str] | None = None) -> Deck:
    """Learn a deck from one simulated camera frame a face.

    :param labels: its faces, ``back`` for the back; by default ``art.doppelkopf``.
    """
    faces = {}
    for label, scene in learning_frames(art, seed, art.doppelkopf if labels is None else labels):
        corners = PlaneProjection(scene.calibrated, (scene.frame.shape[1], scene.frame.shape[0]))
        true = PlaneProjection(scene.homography, corners.size)
        faces[label] = rectified(scene.frame, corners.project(true.unproject(scene.cards[0].quad)), art.size_mm)
    return Deck.learn(art.name, faces, art.size_mm)

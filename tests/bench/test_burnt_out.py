"""Of a card whose indices are white as paper nothing can be read, and of others something can."""

import numpy as np
import pytest

from kiosk.bench.burnt_out import burnt_out
from vision.indices.hand import FaceIndices
from vision.simulation.art import load_art
from vision.simulation.fans import random_fan
from vision.simulation.learning import kept_deck
from vision.simulation.paint import LEARNING

pytestmark = pytest.mark.slow


def test_cards_of_which_no_index_shows() -> None:
    art, faces = load_art("stichwart"), FaceIndices(kept_deck("stichwart").faces)
    scene = random_fan(201, art, imaging=LEARNING, looks=2)
    assert (scene.looks[0] == scene.frame).all() and (scene.looks[1] != scene.frame).any()
    assert burnt_out(scene, scene.frame, art, faces) == []
    assert burnt_out(scene, np.full_like(scene.frame, 255), art, faces) == [card.label for card in scene.cards]
    half = scene.frame.copy()
    right = max(scene.cards, key=lambda card: card.quad[:, 0].max())
    half[:, int(right.quad[:, 0].min()) :] = 255
    assert right.label in burnt_out(scene, half, art, faces)

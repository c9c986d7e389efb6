"""Cards of a deck that was never taught are read by their indices on the mat."""

import math

import pytest

from vision.deck.deck import Deck
from vision.indices.on_mat import MatIndexReader
from vision.simulation.art import load_art
from vision.simulation.scene import Scene, random_scene

pytestmark = pytest.mark.slow

ART = load_art("stichwart")
BLANK = Deck("untaught", ART.size_mm, {})


@pytest.fixture(scope="module")
def scene() -> Scene:
    return random_scene(50_001, ART, "isolated")


def test_each_card_has_its_name_and_place(scene):
    seen = MatIndexReader()(scene.frame, BLANK, scene.view)
    assert len(seen) == len(scene.cards) > 2
    for card in scene.cards:
        near = [
            one.label
            for one in seen
            if one.pose is not None and math.hypot(one.pose[0] - card.pose.x, one.pose[1] - card.pose.y) < 2.5
        ]
        assert near == [card.label]


def test_a_card_that_is_not_played_with_is_not_named(scene):
    away = scene.cards[0].label
    known = [label for label in ART.doppelkopf if label != away]
    assert away not in {card.label for card in MatIndexReader(known)(scene.frame, BLANK, scene.view)}


def test_without_a_view_of_the_mat_nothing_is_read(scene):
    with pytest.raises(ValueError, match="no view"):
        MatIndexReader()(scene.frame, BLANK)

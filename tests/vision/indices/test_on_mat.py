"""Cards of a deck that was never taught are read by their indices on the mat."""

import math

import numpy as np
import pytest

from vision.deck.deck import Deck
from vision.geometry.rectification import SCALE, plane_around
from vision.indices.on_mat import MatIndexReader, _seen
from vision.indices.pips import PipEvidence
from vision.indices.reading import LABELS, IndexReading
from vision.recognition.edge_proposals import EdgeProposals
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
            one
            for one in seen
            if one.pose is not None and math.hypot(one.pose[0] - card.pose.x, one.pose[1] - card.pose.y) < 2.5
        ]
        assert [one.label for one in near] == [card.label]
        either_way_up = card.quad, np.roll(card.quad, 2, axis=0)
        assert min(np.abs(near[0].quad - quad).max() for quad in either_way_up) < 1.0  # px, by its outline


def reading(label: str, sure: float, score: float = 0.95) -> IndexReading:
    """Read an index as ``label`` with this probability, the rest as the jack or the nine of its suit."""
    labels = np.full(52, 1e-6)
    labels[LABELS.index(label)] = sure
    labels[LABELS.index(label[0] + ("9" if label[1] == "J" else "J"))] = 1 - sure
    return IndexReading(np.zeros(2), np.array([0.0, -1.0]), 40.0, labels, score)


COURT = PipEvidence(0, np.full(4, 0.25), None, court=True)
NINE = PipEvidence(9, np.array([0.01, 0.01, 0.97, 0.01]), True)
SILENT = PipEvidence(0, np.full(4, 0.25), None)


@pytest.mark.parametrize("seed", [3000, 3001, 3013, 3017])
def test_pips_are_looked_for_on_cards_upon_others(seed, monkeypatch):
    scene = random_scene(seed, ART, "overlapping")
    plane = plane_around(scene.frame, ART.size_mm, scene.view, None)
    looked_at: list[np.ndarray] = []

    def find(fine, outline):
        looked_at.append(outline.mean(0) / SCALE + plane.origin)
        return SILENT

    monkeypatch.setattr("vision.indices.on_mat.find_pips", find)
    proposals = EdgeProposals.of(plane, ART.size_mm)
    MatIndexReader(ART.doppelkopf).read(plane, proposals, ART.size_mm)
    whole, *covered = ([card.pose.x, card.pose.y] for card in reversed(scene.cards))
    away = np.linalg.norm(np.array(looked_at)[:, None] - np.array([whole, *covered]), axis=2)
    assert away[:, 0].min() < 1.0  # the uppermost
    assert (away[:, 1:].min(0) > 10.0).all()


@pytest.mark.parametrize(("indices", "middle", "label", "first"), [
    pytest.param([reading("H9", 0.95)] * 2, NINE, "H9", "H9", id="index and pips agree"),
    pytest.param([reading("H9", 0.95)] * 2, SILENT, "H9", "H9", id="the middle says nothing"),
    pytest.param([reading("H9", 0.88)] * 2, SILENT, None, "H9", id="a nine less surely read, and no pips are counted"),
    pytest.param([reading("H9", 0.88), reading("H9", 0.92)], SILENT, "H9", "H9", id="one of its indices surely read"),
    pytest.param([reading("HJ", 0.88)] * 2, SILENT, "HJ", "HJ", id="a picture has no pips to count"),
    pytest.param([reading("H9", 0.88)] * 2, NINE, "H9", "H9", id="a nine less surely read, with nine pips"),
    pytest.param([reading("H9", 0.95)] * 2, None, "H9", "H9", id="the middle is not seen"),
    pytest.param([reading("H9", 0.88)] * 2, None, "H9", "H9", id="less surely read, and the middle is not seen"),
    pytest.param([reading("H9", 0.95)] * 2, COURT, None, "HJ", id="a picture, read as a nine"),
    pytest.param([reading("HJ", 0.95)] * 2, COURT, "HJ", "HJ", id="a picture, read as one"),
    pytest.param([reading("HJ", 0.9)] * 2, NINE, None, "H9", id="nine pips, read as a jack"),
    pytest.param([reading("H9", 0.95, 0.55)] * 2, None, None, "H9", id="two that hardly are indices do not add up"),
    pytest.param([reading("H9", 0.7), reading("H9", 0.95)], None, "H9", "H9", id="one of them is sure"),
    pytest.param([reading("H9", 0.99)], NINE, "H9", "H9", id="alone, and sure"),
    pytest.param([reading("H9", 0.9)], NINE, None, "H9", id="alone, and not sure by itself"),
])  # fmt: skip
def test_a_card_is_named_where_index_and_middle_agree(scene, indices, middle, label, first):
    seen = _seen(np.zeros(3), indices, middle, ART.size_mm, scene.view)
    assert (seen.label, seen.choices[0][0]) == (label, first)


def test_a_card_that_is_not_played_with_is_not_named(scene):
    away = scene.cards[0].label
    known = [label for label in ART.doppelkopf if label != away]
    assert away not in {card.label for card in MatIndexReader(known)(scene.frame, BLANK, scene.view)}


def test_without_a_view_of_the_mat_nothing_is_read(scene):
    with pytest.raises(ValueError, match="no view"):
        MatIndexReader()(scene.frame, BLANK)

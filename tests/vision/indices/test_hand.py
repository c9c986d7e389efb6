"""Hands laid open as a fan or in a row are read by the index that each card shows."""

import io
import json
import math
from collections import Counter
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.app.commands.recognise import recognise_files
from vision.errors import DeckError
from vision.indices import hand
from vision.indices.hand import FaceIndices, read_hand_by_indices
from vision.simulation.art import load_art
from vision.simulation.fans import random_fan
from vision.simulation.geometry import visible
from vision.simulation.learning import kept_deck

#: A fan and a row of the project's own deck, each read whole.
HANDS = (201, 203)


@cache
def learned_faces() -> FaceIndices:
    """Where the indices of the project's own deck stand; to look for them takes half a second."""
    return FaceIndices(kept_deck("stichwart").faces)


@pytest.mark.parametrize(
    ("x", "y", "turn", "four", "one_card"),
    [
        pytest.param(47, 67, math.pi, False, True, id="diagonally, turned by half"),
        pytest.param(47, 67, 0.0, False, False, id="diagonally, upright: two cards"),
        pytest.param(0, 67, math.pi, False, False, id="straight below, a deck with two indices"),
        pytest.param(0, 67, math.pi, True, True, id="straight below, a deck with four"),
        pytest.param(47, 0, 0.0, True, True, id="beside, a deck with four"),
        pytest.param(47, 0, 0.0, False, False, id="beside, a deck with two: twins in a row"),
        pytest.param(18, 0, 0.0, True, False, id="the next card's"),
        pytest.param(47, 67, math.pi - 0.3, False, False, id="too slanted"),
        pytest.param(47, -67, math.pi, False, False, id="above"),
    ],
)
@pytest.mark.parametrize("angle", [0.0, 2.0], ids=["upright", "turned"])
def test_two_indices_of_one_card(x: float, y: float, turn: float, four: bool, one_card: bool, angle: float) -> None:
    cos, sin = math.cos(angle), math.sin(angle)
    first, second = np.zeros(2), np.array([cos * x - sin * y, sin * x + cos * y])
    apart = (hand.PARAMS.across_mm, hand.PARAMS.along_mm)
    assert hand._of_one_card((first, angle), (second, angle + turn), apart, four) is one_card


@pytest.mark.parametrize(
    ("x", "one_card"), [(48, True), (37, False), (58, False)], ids=["its other index", "a twin beside it", "further"]
)
def test_a_learned_deck_says_how_far_its_indices_are_apart(x: float, one_card: bool) -> None:
    """Forty cards in four rows lie 37 mm apart, nearer than the two upper indices of one card (48 mm in this deck)."""
    here, beside = (np.zeros(2), 0.0), (np.array([x, 0.0]), 0.0)
    assert hand._of_one_card(here, beside, learned_faces().apart_mm, four=True) is one_card


@pytest.mark.slow
@pytest.mark.parametrize("learned", [True, False], ids=["deck learned", "no deck learned"])
@pytest.mark.parametrize("seed", HANDS)
def test_a_hand_is_read_in_its_order(seed: int, learned: bool) -> None:
    art = load_art("stichwart")
    scene = random_fan(seed, art)
    faces = learned_faces() if learned else None
    seen = read_hand_by_indices(scene.frame, scene.view, art.doppelkopf, faces)
    assert [card.label for card in seen] == [card.label for card in scene.cards]


@pytest.mark.slow
def test_hands_show_an_index_of_each_card() -> None:
    """Of no card below others more shows than a strip, of each its upper end."""
    for seed in HANDS:
        scene = random_fan(seed, load_art("stichwart"))
        quads = [card.quad for card in scene.cards]
        assert 5 <= len(quads) <= 12
        shown = [visible(quad, quads[n + 1 :]) for n, quad in enumerate(quads)]
        assert shown[-1] > 0.99 and max(shown[:-1]) < 0.7


@pytest.mark.slow
def test_a_picture_of_a_hand_on_the_command_line(tmp_path: Path) -> None:
    scene = random_fan(HANDS[0], load_art("stichwart"))
    pictures = [tmp_path / "hand.png", tmp_path / "bare.png"]
    cv2.imwrite(str(pictures[0]), scene.frame)
    cv2.imwrite(str(pictures[1]), np.full_like(scene.frame, 90))
    out, err = io.StringIO(), io.StringIO()
    assert recognise_files(pictures, as_json=True, out=out, err=err, hand=True) == 1
    read, bare = map(json.loads, out.getvalue().splitlines())
    assert Counter(one["label"] for one in read["cards"]) == Counter(card.label for card in scene.cards)
    assert "mat" in bare["error"] and bare["cards"] == []


@pytest.mark.slow
def test_a_deck_without_indices_is_refused(tmp_path: Path) -> None:
    deck = kept_deck("stichwart-bavarian")
    deck.save(tmp_path)
    with pytest.raises(DeckError, match="stichwart-bavarian"):
        recognise_files([], deck.name, tmp_path, hand=True)

"""Pips repeat: a covered card may look like one with more or fewer of them that lies a few pips away."""

from functools import cache
from pathlib import Path
from unittest.mock import patch

import cv2
import pytest

from tests.vision.taught import features, taught
from vision.deck.deck import Deck
from vision.recognition.recognise import recognise
from vision.simulation import scanned as simulation_scanned
from vision.simulation.art import load_art
from vision.simulation.artwork import BACK, Art
from vision.simulation.paint import EVERYDAY
from vision.simulation.scene import random_scene
from vision.simulation.wear import WEAR, worn
from vision.teaching import from_scans
from vision.teaching.from_scans import cards_in

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scans")


@cache
def _scans(name: str, folder: Path) -> tuple[Art, Deck]:
    """A deck taught from scans, and the cards that were scanned."""
    art, scans = load_art(name), folder / name
    scans.mkdir()
    for label, face in {**art.faces, BACK: art.back}.items():
        cv2.imwrite(str(scans / f"{label}.png"), face[..., :3], [cv2.IMWRITE_PNG_COMPRESSION, 0])
    found = cards_in(scans)  # the cards' outlines are looked for once, not for the cards and the deck each
    with (
        patch.object(simulation_scanned, "cards_in", lambda _: found),
        patch.object(from_scans, "cards_in", lambda _: found),
    ):
        cards = simulation_scanned.scanned(name, scans)
        return cards, from_scans.learn_from_folder(name, scans, folder, size_mm=cards.size_mm)


@pytest.mark.parametrize(
    ("name", "printing", "seed"),
    [
        pytest.param("stichwart", 32000, 32041, id="a nine, for which a ten was taken"),
        pytest.param("stichwart", 32000, 32039, id="a seven, for which a ten was taken"),
        pytest.param("stichwart-bavarian", 36000, 36022, id="a nine, for which an eight that lacks print was taken"),
        pytest.param("stichwart-bavarian", 37000, 37034, id="a ten, for which a nine that lacks print was taken"),
    ],
)
def test_a_face_some_pips_away_is_not_named(name: str, printing: int, seed: int, folder: Path) -> None:
    cards, deck = _scans(name, folder)
    scene = random_scene(seed, worn(cards, WEAR["printed"], printing), "overlapping", imaging=EVERYDAY, count=8)
    seen = recognise(scene.frame, features(deck), scene.view)
    assert sorted(card.label or "?" for card in seen) == sorted(card.label for card in scene.cards)


def test_a_card_known_to_lie_there_is_not_doubted_for_another_some_pips_away() -> None:
    art = load_art("stichwart")
    scene = random_scene(33033, art, "overlapping", count=5)
    deck = taught()
    first = recognise(scene.frame, features(deck), scene.view)
    known = [(card.pose, card.label) for card in first if card.pose is not None and card.label is not None]
    again = recognise(scene.frame, features(deck), scene.view, lying=known)
    before, after = ({card.label: card.margin for card in cards} for cards in (first, again))
    assert before.keys() == after.keys() == {card.label for card in scene.cards}
    assert after["HT"] > before["HT"] + 0.2
    assert all(after[label] >= before[label] - 0.01 for label in before)
    moved = [((x + 20.0, y, angle), label) for (x, y, angle), label in known]
    assert [card.margin for card in recognise(scene.frame, features(deck), scene.view, lying=moved)] == list(
        before.values()
    )

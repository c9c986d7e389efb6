"""Pips repeat: a covered card may look like one with more or fewer of them that lies a few pips away."""

import cv2
import pytest

from vision.deck import Deck
from vision.recognise import recognise
from vision.scans import learn_from_folder
from vision.sim.art import load_art
from vision.sim.artwork import BACK
from vision.sim.paint import EVERYDAY
from vision.sim.scene import random_scene
from vision.sim.wear import WEAR, worn

ART = load_art("stichwart-bavarian")


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    scans = tmp_path_factory.mktemp("scans")
    for label, face in {**ART.faces, BACK: ART.back}.items():
        cv2.imwrite(str(scans / f"{label}.png"), face[..., :3])
    return learn_from_folder("scanned", scans, scans, size_mm=ART.size_mm)


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(34027, id="a ten, for which a nine on bare cloth was taken"),
        pytest.param(34039, id="a nine, for which a ten turned by half was taken"),
        pytest.param(34049, id="a ten, for which a nine across it was taken"),
    ],
)
def test_a_face_some_pips_away_is_not_named(deck: Deck, seed: int) -> None:
    art = worn(ART, WEAR["printed"], 34000)
    scene = random_scene(seed, art, "overlapping", look=EVERYDAY, count=8)
    seen = recognise(scene.frame, deck, scene.view)
    assert sorted(card.label or "?" for card in seen) == sorted(card.label for card in scene.cards)

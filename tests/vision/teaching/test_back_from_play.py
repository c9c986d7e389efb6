"""The back of a deck is learned from the packets of tricks won, and from nothing else that lies there."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.taught import taught
from vision.images import Picture
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.teaching.back_from_play import LEAST_PICTURES, PlayedBack
from vision.teaching.from_play import laid_on

ART = load_art("stichwart")
DECK = replace(taught(labels=("SA", "SK", "DK", "ST")), back=None)
SHAPE = DECK.faces["SA"].shape


def noisy(picture: Picture, seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0, 4, picture.shape)
    return np.clip(picture * 0.9 + noise, 0, 255).astype(np.uint8)


BACK = np.asarray(cv2.resize(ART.back[..., :3], SHAPE[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
HAND = BACK.copy()
HAND[: SHAPE[0] // 2] = (110, 140, 190)


@pytest.mark.parametrize(
    ("pictures", "known"),
    [
        pytest.param([BACK] * LEAST_PICTURES, True, id="enough that agree"),
        pytest.param([BACK] * (LEAST_PICTURES - 1), False, id="one too few"),
        pytest.param([BACK] * LEAST_PICTURES + [HAND], True, id="the newest shows a hand"),
        pytest.param([BACK] * (LEAST_PICTURES - 1) + [HAND], False, id="too few without a hand"),
        pytest.param([BACK[:-8]] * 2 + [BACK] * (LEAST_PICTURES - 1), False, id="some of before the size was known"),
        pytest.param([DECK.faces["SK"]] * LEAST_PICTURES, False, id="tricks lie face up"),
        pytest.param([], False, id="no packets on the mat"),
    ],
)
def test_what_makes_a_back(pictures: list[Picture], known: bool) -> None:
    back = PlayedBack()
    back._pictures.extend(noisy(one, seed) for seed, one in enumerate(pictures))
    learned = back.learned(DECK)
    assert (learned is not None) == known
    if learned is not None:
        assert laid_on(learned, BACK, DECK)[1] > 0.9


@pytest.mark.slow
def test_the_packets_of_tricks_won_show_the_back() -> None:
    camera = SimCamera(ART, seed=5, size=(960, 540))
    back = PlayedBack()
    for trick in range(4):
        for seat, label in enumerate(("SA", "SK", "DK", "ST"), start=1):
            camera.lay(label, seat)
        camera.collect(1 + trick % 2)
        camera.wait(0.5)
        while camera.busy:
            frame = next(camera)
        back.see(frame.image, camera.view, camera.layout, DECK.size_mm)
    learned = back.learned(DECK)
    assert learned is not None
    assert laid_on(learned, BACK, DECK)[1] > 0.8

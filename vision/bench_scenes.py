"""Simulated scenes read with a learned deck, for ``stichwart bench``: what came of some, as plain numbers."""

import tempfile
import time
from collections.abc import Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np

from vision.bench import Count, learned
from vision.deck import Deck
from vision.recognise import recognise
from vision.scans import learn_from_folder
from vision.sim.art import load_art
from vision.sim.artwork import BACK, Art
from vision.sim.geometry import SIZE
from vision.sim.paint import EVERYDAY, LOOKS
from vision.sim.scanned import scanned
from vision.sim.scene import random_scene
from vision.sim.things import OBJECTS
from vision.sim.wear import WEAR, worn


@cache
def _art(name: str, scans: str | None) -> Art:
    return load_art(name) if scans is None else scanned(name, scans)


@cache
def _deck(name: str, scans: str | None) -> Deck:
    if scans is None:
        return learned(_art(name, None))
    with tempfile.TemporaryDirectory() as folder:
        return learn_from_folder(name, scans, folder, size_mm=_art(name, scans).size_mm)


def measure(
    deck: str,
    condition: str,
    first: int,
    number: int,
    *,
    light: str | None = None,
    wear: str | None = None,
    things: int = 0,
    backs: int = 0,
    scans: str | None = None,
    size: Sequence[int] = SIZE,
    **options: Any,
) -> dict[str, Any]:
    """The scenes of the seeds from ``first`` on.

    :param light: one of ``LOOKS``; by default all kinds of light as they come.
    :param wear: one of ``WEAR`` came over the cards after the deck was learned.
    :param things: so many foreign objects lie about.
    :param backs: so many cards lie face down; to see nothing there is right.
    :param scans: a folder of scans that the deck is taught from; what lies there is printed and used cards of it.
    :param size: width and height of the picture in pixels.
    :param options: of ``random_scene``.
    :returns: counts of scenes and cards, ``doubts`` shown where no name was given, ``seconds`` of each scene, ``notes``
        of what went wrong.
    """
    art, known = _art(deck, scans), _deck(deck, scans)
    if wear is not None or scans is not None:
        art = worn(art, WEAR[wear or "printed"], first)
    look = EVERYDAY if light is None else LOOKS[light]
    count = Count()
    cv2.setNumThreads(1)
    for seed in range(first, first + number):
        objects = [str(name) for name in np.random.default_rng([seed, 4]).choice(OBJECTS, things)]
        scene = random_scene(
            seed, art, condition, look=look, backs=backs, objects=objects, size=(size[0], size[1]), **options
        )
        start = time.process_time()
        seen = recognise(scene.frame, known, scene.view)
        count.seconds.append(round(time.process_time() - start, 4))
        truth = [(card.label, card.quad) for card in scene.cards if card.label != BACK]
        count.add([card for card in seen if not card.face_down], truth, f"{deck} {condition} {seed}")
    return {"scenes": number, **count.plain()}

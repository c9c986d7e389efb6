"""Read photographs of other tables and decks, and simulated ones, and count.

A set is a folder with ``labels.json``: a list of ``{"file", "cards": [{"label", "box", "quad"}]}``, boxes
``[x0, y0, x1, y1]`` and quads in pixels, either or both null.
"""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kiosk.bench.detection_count import PhotoCount, SceneCount, outline_of
from kiosk.bench.scenes import one_thread
from vision.deck.deck import Deck
from vision.errors import DeckError, VisionError
from vision.images import Picture, read_picture
from vision.indices.generic_reader import read_cards
from vision.recognition.card_reading import CardReading
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.recognise import recognise
from vision.simulation.art import load_art
from vision.simulation.artwork import Art
from vision.simulation.paint import EVERYDAY, IMAGING
from vision.simulation.scene import CONDITIONS, random_scene
from vision.teaching.from_labels import faces_of_labels

#: Width and height of simulated pictures, px.
PHONE_SIZES = ((720, 960), (960, 1280), (1280, 960), (960, 540))
#: How the generic reader is called.
ReadCards = Callable[[Picture], Sequence[CardReading]]


def photo_sets(folder: Path) -> list[Path]:
    """List the sets in a folder, by name."""
    return sorted(path.parent for path in folder.glob("*/labels.json"))


def count_photo_set(
    folder: Path | str, first: int = 0, number: int | None = None, reader: ReadCards = read_cards
) -> PhotoCount:
    """Read a set picture by picture on one thread, ``number`` of them from the ``first`` on; by default all.

    :raises VisionError: ``labels.json`` is missing or no list of pictures
    """
    folder, count = Path(folder), PhotoCount()
    with one_thread():
        for entry in entries(folder)[first:][:number]:
            picture = read_picture(folder / entry["file"])
            start = time.process_time()
            seen = reader(picture)
            count.seconds.append(time.process_time() - start)
            truth = [(card["label"], outline_of(card)) for card in entry["cards"]]
            count.add(seen, truth, f"{folder.name}/{entry['file']}", picture.shape[1::-1])
    return count


def entries(folder: Path) -> list[dict[str, Any]]:
    """Read a set's ``labels.json``: its pictures and their cards.

    :raises VisionError: it is missing or no list of pictures
    """
    try:
        known = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
        if all(isinstance(entry["file"], str) and isinstance(entry["cards"], list) for entry in known):
            return list(known)
    except (OSError, ValueError, KeyError, TypeError) as why:
        raise VisionError(f"{folder / 'labels.json'}: no labels of pictures can be read ({why})") from why
    raise VisionError(f"{folder / 'labels.json'}: expected a list of pictures with file and cards")


def count_simulated(art: Art, first: int, number: int, reader: ReadCards = read_cards) -> PhotoCount:
    """Read ``number`` simulated pictures without a mat: 1 to 4 cards, alone, touching, overlapping."""
    count = PhotoCount()
    with one_thread():
        for seed in range(first, first + number):
            rng = np.random.default_rng([seed, 7])
            size = PHONE_SIZES[rng.integers(len(PHONE_SIZES))]
            wide = float(rng.uniform(0.11, 0.22)) * min(size)
            look = IMAGING[str(rng.choice(sorted(IMAGING)))] if rng.random() < 0.5 else EVERYDAY
            condition = CONDITIONS[seed % len(CONDITIONS)]
            labels = tuple(art.faces)
            scene = random_scene(seed, art, condition, labels=labels, card_px=wide, size=size, imaging=look)
            start = time.process_time()
            seen = reader(scene.frame)
            count.seconds.append(time.process_time() - start)
            count.add(seen, [(card.label, card.quad) for card in scene.cards], f"{art.name} {condition} {seed}")
    return count


def measure_photo_set(folder: str, start: int, number: int) -> dict[str, Any]:
    """Count some pictures of a set; plain numbers, texts and lists."""
    return count_photo_set(folder, start, number).plain()


def measure_simulated_photographs(deck: str, first: int, number: int) -> dict[str, Any]:
    """Count simulated pictures of a deck; plain numbers, texts and lists. ``first`` is the first seed."""
    try:
        return count_simulated(load_art(deck), first, number).plain()
    except (DeckError, OSError) as why:
        return {"left_out": str(why).splitlines()[0]}


def count_tricks(folder: Path, learn: str = "single/", read: str = "tricks/") -> SceneCount:
    """Learn a deck from the pictures whose file starts with ``learn``, read those with ``read`` without a mat.

    ``folder`` holds ``labels.json`` and the pictures. Nothing is written.
    """
    faces, size = faces_of_labels(folder / "labels.json", learn)
    features = DeckFeatures(Deck.learn("photographs", faces, size))
    count = SceneCount()
    for entry in entries(folder):
        if not entry["file"].startswith(read):
            continue
        picture = read_picture(folder / entry["file"])
        start = time.process_time()
        seen = recognise(picture, features)
        count.seconds.append(time.process_time() - start)
        truth = [(card["label"], outline) for card in entry["cards"] if (outline := outline_of(card)) is not None]
        count.add(seen, truth, entry["file"])
    return count


def measure_tricks(folder: str) -> dict[str, Any]:
    """Read photographs of tricks with the deck learned from photographs of single cards; plain numbers and texts."""
    return count_tricks(Path(folder)).plain()

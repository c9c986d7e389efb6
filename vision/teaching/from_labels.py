"""Learn a deck from labelled pictures: the cards' outlines are given, the faces are cut out of them."""

import json
import logging
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.deck.deck import FRENCH_SIZE, REFERENCE_SCALE, Deck
from vision.errors import DeckError
from vision.images import Picture, read_picture

log = logging.getLogger(__name__)


def rectified(picture: Picture, quad: ArrayLike, size_mm: tuple[float, float] = FRENCH_SIZE) -> Picture:
    """Return the card at ``quad`` ((4, 2) px, clockwise from its upper left corner), flat, at the references' scale."""
    width, height = round(size_mm[0] * REFERENCE_SCALE), round(size_mm[1] * REFERENCE_SCALE)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_picture = cv2.getPerspectiveTransform(corners, np.asarray(quad, np.float32))
    scale = np.sqrt(cv2.contourArea(np.asarray(quad, np.float32)) / (width * height))
    if scale > 1.5:  # warpPerspective samples points: blur first, or fine lines alias
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.45 * scale), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(picture, to_picture, (width, height), flags=flags), np.uint8)


def read_labels(path: Path | str) -> list[dict[str, Any]]:
    """Return the entries of a ``labels.json``: [{file, size, cards: [{label, box, quad, visible}], notes}].

    :raises DeckError: not readable, not JSON, or of another form
    """
    path = Path(path)
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as why:
        raise DeckError(f"{path}: cannot be read ({why.strerror or why})") from why
    except ValueError as why:
        raise DeckError(f"{path}: is not JSON ({why})") from why
    if not isinstance(entries, list):
        raise DeckError(f"{path}: expected a list of {{file, cards}}, got {type(entries).__name__}")
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
            raise DeckError(f"{path}: entry {number} has no file: {str(entry)[:80]}")
        if not isinstance(entry.get("cards"), list):
            raise DeckError(f"{path}: entry {number} ({entry['file']}) has no list of cards")
        for card in entry["cards"]:
            if not isinstance(card, dict) or not isinstance(card.get("label"), str):
                raise DeckError(f"{path}: {entry['file']}: a card without label: {str(card)[:80]}")
            if card.get("quad") is not None and np.shape(card["quad"]) != (4, 2):
                raise DeckError(f"{path}: {entry['file']}: quad of {card['label']} is not four corners: {card['quad']}")
    return entries


def learn_from_labels(
    name: str,
    labels: Path | str,
    only: str = "",
    folder: Path | str | None = None,
    *,
    size_mm: tuple[float, float] | None = None,
    wanted: tuple[str, ...] = (),
    copies: int | None = None,
) -> Deck:
    """Learn deck ``name`` from the pictures that ``labels`` names, save it in ``folder`` and return it.

    ``only`` keeps the entries whose file starts with it. Cards without a quad, or of which more than the face is
    marked as covered, are left out; of several pictures of a face the largest is taken. Without ``size_mm`` the
    width is taken as 59 mm and the height from the outlines.

    :raises DeckError: no face found, or one unfit (see ``Deck.learn``)
    :raises PictureError: a picture cannot be read
    """
    faces, size = faces_of_labels(labels, only, size_mm)
    deck = Deck.learn(name, faces, size, wanted=wanted, copies=copies)
    path = deck.save(folder)
    log.info("deck %s: %d faces learned, %s", name, len(deck.faces), path)
    return deck


def faces_of_labels(
    labels: Path | str, only: str = "", size_mm: tuple[float, float] | None = None
) -> tuple[dict[str, Picture], tuple[float, float]]:
    """Rectify faces, by label, from the pictures that ``labels`` names; also return the size taken for a card in mm.

    :raises DeckError: no face found, or a card is cut off by its picture's edge
    :raises PictureError: a picture cannot be read
    """
    root = Path(labels).parent
    best: dict[str, tuple[float, Path, NDArray[np.float32]]] = {}
    for entry in read_labels(labels):
        if not entry["file"].startswith(only):
            continue
        for card in entry["cards"]:
            if card.get("quad") is None or card.get("visible", "full") != "full":
                continue
            quad = _portrait(np.asarray(card["quad"], np.float32))
            area = float(cv2.contourArea(quad))
            if area > best.get(card["label"], (0.0,))[0]:
                best[card["label"]] = (area, root / entry["file"], quad)
    if not best:
        kept = f" whose file starts with {only!r}" if only else ""
        raise DeckError(f"{labels}: no card with four corners and wholly visible{kept}; check the file and --only")
    aspect = float(np.median([_aspect(quad) for _, _, quad in best.values()]))
    size = size_mm or (FRENCH_SIZE[0], round(FRENCH_SIZE[0] * aspect, 1))
    faces: dict[str, Picture] = {}
    for label, (_, path, quad) in best.items():
        picture = read_picture(path)
        height, width = picture.shape[:2]
        if (quad < -2).any() or (quad > [width + 2, height + 2]).any():
            raise DeckError(f"{path}: the card {label} is cut off by the picture's edge; show it whole")
        faces[label] = rectified(picture, quad, size)
    return faces, size


def _portrait(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the corners clockwise, starting so that the first side is a short one."""
    if cv2.contourArea(quad, oriented=True) < 0:
        quad = quad[::-1]
    return np.ascontiguousarray(quad if _aspect(quad) >= 1 else np.roll(quad, -1, axis=0))


def _aspect(quad: NDArray[np.float32]) -> float:
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    return float((sides[1] + sides[3]) / (sides[0] + sides[2]))

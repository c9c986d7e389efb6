"""Learn a deck from a folder of pictures, one card a file named by its label: flat scans, or photographs of one card.

``HT.jpg``, ``EO.png``, ``back.jpg``; German names do as well (``H10``, ``KB`` for Kreuz Bube, ``PD`` for Pik Dame).
"""

import logging
import re
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.camera.files import PICTURE_SUFFIXES
from vision.deck.deck import BACK, REFERENCE_SCALE, Deck
from vision.errors import DeckError
from vision.geometry.card_outline import Quad, find_card, rectify_card, width_and_height
from vision.images import Picture, read_picture
from vision.teaching.packs import SOLD_SIZES_MM

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanLimits:
    """What a picture of one card is like."""

    #: Grey levels by which a card must differ from what is round it; less is a line printed on the card itself.
    min_contrast_grey: float = 25.0
    #: Share of the picture that a card on a ground must fill at least.
    min_area_share: float = 0.12
    #: Long side over short side, least and most, of a picture that a card may fill.
    aspect: tuple[float, float] = (1.25, 2.05)
    #: Share by which an aspect may differ from that of cards that are sold.
    aspect_tolerance: float = 0.04
    #: Radius of a card's corners in mm; beyond it a scan shows the scanner's lid.
    corner_radius_mm: float = 4.0


LIMITS = ScanLimits()

_SUITS = {"K": "C", "P": "S"}
_RANKS = {"10": "T", "D": "Q", "B": "J"}
_NAME = re.compile(r"([A-Z])(10|[A-Z0-9])")
_BACKS = {"BACK", "RÜCKSEITE", "RUECKSEITE", "RUCKSEITE"}


def label_of(path: Path) -> str:
    """Parse the label that a file is named by.

    :raises DeckError: a name that is no card's
    """
    stem = path.stem.upper()
    if stem in _BACKS:
        return BACK
    found = _NAME.fullmatch(stem)
    if found is None:
        raise DeckError(
            f"{path}: {path.stem!r} is no card; name each file by suit and rank, like HT or EO, and the back 'back'"
        )
    suit, rank = found.groups()
    return _SUITS.get(suit, suit) + _RANKS.get(rank, rank)


#: Pixels that are kept round a card, and of a card's longer side: three times what a face is learned with.
_MARGIN_PX, _LONGEST_KEPT_PX = 16, 2000


def learn_from_folder(
    name: str,
    pictures: Path | str,
    folder: Path | str | None = None,
    *,
    size_mm: tuple[float, float] | None = None,
    wanted: tuple[str, ...] = (),
    copies: int | None = None,
) -> Deck:
    """Learn deck ``name`` from the pictures of a folder, save it and return it.

    ``size_mm``: of a card; by default the one that is sold whose shape is nearest. ``wanted``: faces it must have.

    :raises DeckError: no picture, a file that no card is named by, two of one card, or a face unfit to learn from
    :raises PictureError: a picture that cannot be read
    """
    cards = cards_in(pictures)
    size = size_mm or _size({label: quad for label, (_, quad) in cards.items()})
    shape = round(size[0] * REFERENCE_SCALE), round(size[1] * REFERENCE_SCALE)
    faces = {label: _rounded(rectify_card(image, quad, shape), size) for label, (image, quad) in cards.items()}
    deck = Deck.learn(name, faces, size, wanted=wanted, copies=copies)
    path = deck.save(folder)
    log.info("deck %s: %d faces learned, %s", name, len(deck.faces), path)
    return deck


def cards_in(pictures: Path | str) -> dict[str, tuple[Picture, Quad]]:
    """Find the cards of a folder: label → picture and the card's corners in it; the back goes under ``BACK``.

    :raises DeckError: no picture, a file that no card is named by, or two of one card
    :raises PictureError: a picture that cannot be read
    """
    where = Path(pictures)
    if not where.is_dir():
        raise DeckError(f"{where}: is no folder; name the one that holds a picture of each card")
    files = sorted(file for file in where.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES)
    if not files:
        raise DeckError(f"{where}: no picture ({', '.join(PICTURE_SUFFIXES)}) in it")
    named: dict[str, Path] = {}
    for file in files:
        label = label_of(file)
        if label in named:
            raise DeckError(f"{file}: {label} is shown by {named[label].name} already; keep one of the two")
        named[label] = file
    return {label: _trimmed(read_picture(file), file) for label, file in named.items()}


def _trimmed(image: Picture, path: Path) -> tuple[Picture, Quad]:
    """Find the card and keep no more than what is round it: all cards of a deck are in memory at once."""
    quad = _card_in(image, path)
    height, width = image.shape[:2]
    left, top = np.maximum(np.floor(quad.min(0)).astype(int) - _MARGIN_PX, 0)
    right, bottom = np.minimum(np.ceil(quad.max(0)).astype(int) + _MARGIN_PX, (width, height))
    kept, corners = image[top:bottom, left:right], quad - (left, top)
    by = min(1.0, _LONGEST_KEPT_PX / max(kept.shape[:2]))
    if by == 1.0:
        return kept.copy(), corners
    small = np.asarray(cv2.resize(kept, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.uint8)
    return small, (corners + 0.5) * (small.shape[1] / kept.shape[1], small.shape[0] / kept.shape[0]) - 0.5


def _card_in(image: Picture, path: Path) -> Quad:
    """Find the card's corners: of one on a ground, else of the whole picture."""
    height, width = image.shape[:2]
    quad = find_card(image)
    if quad is not None and cv2.contourArea(quad.astype(np.float32)) > LIMITS.min_area_share * width * height:
        inside = (quad > 1).all() and (quad < (width - 2, height - 2)).all()
        if inside and _stands_out(image, quad):
            return quad
    if not LIMITS.aspect[0] < max(width, height) / min(width, height) < LIMITS.aspect[1]:
        raise DeckError(
            f"{path}: no card stands out in it, and with {width} x {height} pixels it has not a card's shape; "
            "cut it to the card, or lay the card on a ground of another colour"
        )
    whole = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])
    return whole if height > width else np.roll(whole, -1, 0)


def _stands_out(image: Picture, quad: Quad) -> bool:
    """Check whether the card's rim has another colour than what is round it."""
    middle = quad.mean(0)
    tones = []
    for share in (0.965, 1.035):
        mask = np.zeros(image.shape[:2], np.uint8)
        cv2.polylines(mask, [np.round(middle + (quad - middle) * share).astype(np.int32)], True, 255, 2)
        tones.append(np.median(image[mask > 0], axis=0))
    return bool(np.abs(tones[0] - tones[1]).max() > LIMITS.min_contrast_grey)


def _size(quads: dict[str, Quad]) -> tuple[float, float]:
    """Choose the sold size whose shape is nearest to that of most pictures; of no known shape, its height alone."""
    shapes = []
    for quad in quads.values():
        width, height = width_and_height(quad)
        shapes.append(height / width)
    shape = float(np.median(shapes))
    width, height = min(SOLD_SIZES_MM, key=lambda size: abs(size[1] / size[0] - shape))
    if abs(shape * width / height - 1) < LIMITS.aspect_tolerance:
        return width, height
    width = round(2 * height / shape) / 2
    log.warning("cards of no known shape (%.2f): taken as %g x %g mm; if not, name --size", shape, width, height)
    return width, height


def _rounded(picture: Picture, size_mm: tuple[float, float]) -> Picture:
    """Fill the corners with paper, where a round corner leaves the ground to be seen."""
    width = picture.shape[1]
    radius = round(LIMITS.corner_radius_mm * width / size_mm[0])
    out = picture.copy()
    y, x = np.mgrid[0:radius, 0:radius]
    beyond = (x - radius) ** 2 + (y - radius) ** 2 > radius**2
    rim = ~beyond & ((x - radius) ** 2 + (y - radius) ** 2 > (0.75 * radius) ** 2)
    for rows, columns in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        corner = out[::rows, ::columns][:radius, :radius]
        corner[beyond] = np.median(corner[rim], axis=0)
    return out

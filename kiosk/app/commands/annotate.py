"""Draw readings into pictures: outlines, labels, margins; doubts in another colour."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.geometry.projection import Array
from vision.images import Picture
from vision.recognition.card_reading import CardReading

READ_BGR = (80, 200, 60)
DOUBT_BGR = (0, 150, 255)
FACE_DOWN_BGR = (190, 190, 190)
_DARK_BGR = (30, 30, 30)
_LIGHT_BGR = (255, 255, 255)
_RED_BGR = (60, 60, 235)


def annotated(picture: Picture, cards: Sequence[CardReading], french: bool = True, note: str = "") -> Picture:
    """Draw each card's outline with label and margin beside it into a copy; a doubt with its likely labels.

    ``french``: suits are drawn as signs, else written as letters. ``note`` is written in the lower left corner.
    """
    drawn = picture.copy()
    size = float(np.clip(max(picture.shape[:2]) / 1100, 0.42, 2.2))
    thick = max(1, round(2 * size))
    for card in cards:
        outline = np.round(card.quad * 16).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(drawn, [outline], True, _DARK_BGR, thick + 2, cv2.LINE_AA, 4)
        cv2.polylines(drawn, [outline], True, _colour(card), thick, cv2.LINE_AA, 4)
    taken: list[Array] = []
    for card in cards:
        _tag(drawn, card, size, french, taken)
    if note:
        _line(drawn, note, (round(6 * size), drawn.shape[0] - round(8 * size)), size * 0.7, _LIGHT_BGR)
    return drawn


def readable(picture: Picture, cards: Sequence[CardReading]) -> tuple[Picture, list[CardReading]]:
    """Enlarge a small picture with its cards so that text drawn beside small cards is legible."""
    factor = float(np.clip(round(1000 / max(picture.shape[:2])), 1, 4))
    if factor == 1:
        return picture, list(cards)
    large = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC))
    return large, [replace(card, quad=(card.quad + 0.5) * factor - 0.5) for card in cards]


def save_picture(path: Path, picture: Picture) -> None:
    """Write a picture in the format given by its suffix.

    :raises VisionError: it cannot be written
    """
    try:
        path.write_bytes(cv2.imencode(path.suffix, picture)[1].tobytes())
    except OSError as why:
        raise VisionError(f"{path}: the annotated picture cannot be written ({why.strerror or why})") from why


def words(card: CardReading, french: bool = True) -> str:
    """Format a card's label, or its likely labels, with letters for suit signs."""
    if card.label is not None:
        return _name(card.label, french)
    if card.face_down:
        return "face down"
    return "? " + " or ".join(_name(label, french) for label, _ in card.choices[:2])


def _name(label: str, french: bool) -> str:
    return label[0] + ("10" if label[1] == "T" else label[1:]) if french else label


def _colour(card: CardReading) -> tuple[int, int, int]:
    if card.label is not None:
        return READ_BGR
    return FACE_DOWN_BGR if card.face_down else DOUBT_BGR


def _tag(drawn: Picture, card: CardReading, size: float, french: bool, taken: list[Array]) -> None:
    """The card's name on a dark plate in its middle, moved down where another one's stands."""
    text, scale = words(card, french), 0.75 * size
    signs = french and not card.face_down
    if card.label is not None:
        text += f" {card.margin:.2f}"
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, max(1, round(1.6 * size)))
    pad = round(5 * size)
    width, height = width + 2 * pad + (height // 2 if signs else 0), height + below + pad
    x, y = (card.quad.mean(0) - (width / 2, height / 2)).round().astype(int).tolist()
    x = int(np.clip(x, 0, max(0, drawn.shape[1] - width)))
    y = int(np.clip(y, 0, max(0, drawn.shape[0] - height)))
    while any(abs(x - ox) < max(width, ow) and abs(y - oy) < height for ox, oy, ow in taken) and y < drawn.shape[0]:
        y += height + 2
    taken.append(np.array([x, y, width]))
    part = drawn[max(y, 0) : y + height, max(x, 0) : x + width]
    part[:] = (0.25 * part + 0.75 * np.array(_DARK_BGR)).astype(np.uint8)
    cv2.rectangle(drawn, (x, y), (x + width, y + height), _colour(card), max(1, round(size)), cv2.LINE_AA)
    baseline = y + height - below
    if not signs:
        _line(drawn, text, (x + pad, baseline), scale, _LIGHT_BGR, plain=True)
        return
    at = x + pad
    for word in text.split(" "):
        if word[0] in "CSHD" and len(word) > 1:
            sign = 0.72 * (height - below)
            _sign(drawn, word[0], (at + 0.45 * sign, baseline - 0.48 * sign), sign)
            at += round(1.05 * sign)
            word = word[1:]
        _line(drawn, word, (at, baseline), scale, _LIGHT_BGR, plain=True)
        at += cv2.getTextSize(word + " ", cv2.FONT_HERSHEY_SIMPLEX, scale, max(1, round(1.6 * size)))[0][0]


def _line(
    drawn: Picture, text: str, at: tuple[int, int], scale: float, colour: tuple[int, int, int], plain: bool = False
) -> None:
    thick = max(1, round(2.1 * scale))
    if not plain:
        cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, _DARK_BGR, thick + 3, cv2.LINE_AA)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)


def _sign(drawn: Picture, suit: str, middle: tuple[float, float], high: float) -> None:
    """A suit's sign, ``high`` px high."""
    unit, (mx, my) = high / 10, middle

    def shape(points: Sequence[tuple[float, float]], colour: tuple[int, int, int]) -> None:
        mirrored = [*points, *((-x, y) for x, y in reversed(points))]
        corners = np.array([(mx + x * unit, my + y * unit) for x, y in mirrored])
        cv2.fillPoly(drawn, [np.round(corners * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    def lobe(x: float, y: float) -> None:
        centre = round((mx + x * unit) * 16), round((my + y * unit) * 16)
        cv2.circle(drawn, centre, round(2.4 * unit * 16), _LIGHT_BGR, -1, cv2.LINE_AA, 4)

    if suit == "D":
        shape([(0, -5), (3.8, 0), (0, 5)], _RED_BGR)
    elif suit == "H":
        shape([(0, -2.8), (1.2, -4.4), (3, -4.7), (4.5, -3.2), (4.4, -1), (2.4, 2), (0, 5)], _RED_BGR)
    else:
        shape([(0.4, 0.5), (0.7, 3.2), (2.3, 5)], _LIGHT_BGR)
        if suit == "S":
            shape([(0, -5), (2.3, -2.4), (4.3, 0.1), (4.3, 2.2), (2.6, 3.1), (0.6, 2.2)], _LIGHT_BGR)
        else:
            for x, y in ((0, -2.5), (-2.4, 1.1), (2.4, 1.1)):
                lobe(x, y)
            shape([(0, -1.4), (1.4, -1.4), (1.6, 1.6)], _LIGHT_BGR)

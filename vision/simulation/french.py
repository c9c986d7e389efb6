"""Draw the project's own French deck: German indices A K D B 10 9 8 7, double-ended."""

import math

import numpy as np

from vision.simulation.artwork import FRENCH_LABELS, FRENCH_MM, Art, DrawnFaces, pixels, rounded
from vision.simulation.figures import Dress, half
from vision.simulation.pen import Colour, Pen
from vision.simulation.pips import FRENCH, GOLD, INK, SUIT_COLOURS

PAPER: Colour = (251, 250, 246)
INDEX = {"A": "A", "T": "10", "K": "K", "Q": "D", "J": "B", "9": "9", "8": "8", "7": "7"}

#: Distance of the outer pips of number cards from the centre, across and along the card.
_COLUMN_MM = 12.0
_ROW_MM = 28.0
_SEVEN = [(sx * _COLUMN_MM, y) for sx in (-1, 1) for y in (-_ROW_MM, 0.0, _ROW_MM)]
_NINE = [(sx * _COLUMN_MM, y) for sx in (-1, 1) for y in (-_ROW_MM, -_ROW_MM / 3, _ROW_MM / 3, _ROW_MM)]
#: Centres of the pips of the number cards in mm; those below the middle are turned by half.
PIPS = {
    "A": [(0.0, 0.0)],
    "7": [*_SEVEN, (0.0, -_ROW_MM / 2)],
    "8": [*_SEVEN, (0.0, -_ROW_MM / 2), (0.0, _ROW_MM / 2)],
    "9": [*_NINE, (0.0, 0.0)],
    "T": [*_NINE, (0.0, -2 * _ROW_MM / 3), (0.0, 2 * _ROW_MM / 3)],
}

_DRESS = {
    "C": Dress(
        robe=(32, 104, 66), under=(238, 200, 86), trim=(150, 28, 40), hair=(70, 46, 30), pattern="stripes",
        arms=("sceptre", "lily", "halberd"), moustache=False,
    ),
    "S": Dress(
        robe=(44, 62, 128), under=(214, 222, 236), trim=(196, 150, 44), hair=(34, 30, 34), pattern="diamonds",
        arms=("sword", "tulip", "spear"), moustache=True,
    ),
    "H": Dress(
        robe=(182, 34, 46), under=(246, 214, 112), trim=(40, 66, 128), hair=(206, 150, 62), pattern="dots",
        arms=("orb", "rose", "flag"), moustache=False,
    ),
    "D": Dress(
        robe=(222, 140, 40), under=(58, 110, 150), trim=(250, 244, 226), hair=(156, 74, 34), pattern="chevrons",
        arms=("axe", "fan", "sword"), moustache=True,
    ),
}  # fmt: skip


def draw_french(name: str) -> Art:
    """Draw the 32 faces and the back."""
    return Art(name, FRENCH_MM, DrawnFaces(FRENCH_LABELS, lambda label: rounded(_face(label))), rounded(_back()))


def _face(label: str) -> np.ndarray:
    suit, rank = label[0], label[1]
    pen = Pen(FRENCH_MM, pixels(FRENCH_MM), PAPER)
    colour, pip = SUIT_COLOURS[suit], FRENCH[suit]
    if rank in "KQJ":
        _court(pen, suit, rank)
    else:
        for x, y in PIPS[rank]:
            big = 2.3 if rank == "A" else 1.06
            with pen.placed(x, y, big, math.pi if y > 0.1 else 0.0):
                pip(pen, colour)
    for turn in (0.0, math.pi):
        with pen.placed(turn=turn):
            pen.text(INDEX[rank], -24.2, -38.2, 8.0, colour, squeeze=0.6 if rank == "T" else 0.86)
            with pen.placed(-24.2, -29.2, 0.6):
                pip(pen, colour)
    pen.polygon([(-29.3, -45.3), (29.3, -45.3), (29.3, 45.3), (-29.3, 45.3)], None, (206, 204, 198), 0.2)
    return pen.face()


def _court(pen: Pen, suit: str, rank: str) -> None:
    dress = _DRESS[suit]
    before = pen.copy()
    left, top = -19.6, -40.0
    pen.polygon([(left, top), (-left, top), (-left, 0), (left, 0)], (246, 240, 222))
    with pen.placed(0.8, -24.2, 0.98):
        half(pen, rank, dress)
    # a sash where the two halves meet
    pen.polygon([(-19.6, -3.4), (19.6, 0), (19.6, 3.4), (-19.6, 3.4)], dress.trim, INK, 0.4)
    pen.line([(-19.6, -2.0), (19.6, 1.4)], GOLD, 0.6)
    pen.keep_inside(left, top, -left, -top, before)
    with pen.placed(-14.4, -34.2, 0.82):
        FRENCH[suit](pen, SUIT_COLOURS[suit])
    pen.mirror_half()
    pen.polygon([(left, top), (-left, top), (-left, -top), (left, -top)], None, INK, 0.4)


def _back() -> np.ndarray:
    """Draw the back: a calm lattice in red, which contrasts with the mat's green."""
    pen = Pen(FRENCH_MM, pixels(FRENCH_MM), PAPER)
    back(pen, FRENCH_MM, (126, 36, 48), (232, 206, 170))
    return pen.face()


def back(pen: Pen, size: tuple[float, float], colour: Colour, thread: Colour) -> None:
    """Draw a back: a lattice with dots inside a white edge."""
    w, h = size[0] / 2 - 3.2, size[1] / 2 - 3.2
    before = pen.copy()
    pen.polygon([(-w, -h), (w, -h), (w, h), (-w, h)], colour)
    step = 6.0
    reach = size[0] + size[1]
    n = int(reach / step)
    for k in range(-n, n + 1):
        for sign in (-1, 1):
            pen.line([(k * step - reach, -sign * reach), (k * step + reach, sign * reach)], thread, 0.45)
    for i in range(-n, n + 1):
        for j in range(-n, n + 1):
            if (i + j) % 2:
                pen.ellipse(i * step / 2, j * step / 2, 0.75, 0.75, thread)
    pen.keep_inside(-w, -h, w, h, before)
    pen.polygon([(-w, -h), (w, -h), (w, h), (-w, h)], None, colour, 0.9)

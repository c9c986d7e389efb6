"""Draw the project's own Bavarian deck: Eichel Gras Herz Schellen, figures of whole length, small indices."""

import math

import numpy as np

from vision.simulation.artwork import BAVARIAN_LABELS, BAVARIAN_MM, Art, DrawnFaces, pixels, rounded
from vision.simulation.figures import SKIN, WHITE, Dress, cloth, crown, ermine, face, hand, hat, held
from vision.simulation.french import back
from vision.simulation.pen import Colour, Pen, path
from vision.simulation.pips import BAVARIAN, BAVARIAN_COLOURS, GOLD, INK

PAPER: Colour = (252, 247, 232)
INDEX = {"A": "A", "T": "10", "K": "K", "O": "O", "U": "U", "9": "9", "8": "8", "7": "7"}
ROMAN = {"T": "X", "9": "IX", "8": "VIII", "7": "VII"}

#: Distance of the outer pips of number cards from the centre, across and along the card.
_COLUMN_MM = 11.0
_ROW_MM = 34.0
_ROWS = (-_ROW_MM, -_ROW_MM / 3, _ROW_MM / 3, _ROW_MM)
#: Centres of the pips of the number cards in mm.
PIPS = {
    "7": [(s * _COLUMN_MM, y) for s in (-1, 1) for y in (-_ROW_MM, 0.0, _ROW_MM)] + [(0.0, -_ROW_MM / 2)],
    "8": [(s * _COLUMN_MM, y) for s in (-1, 1) for y in _ROWS],
    "9": [(s * _COLUMN_MM, y) for s in (-1, 1) for y in _ROWS] + [(0.0, 0.0)],
    "T": [(s * _COLUMN_MM, y) for s in (-1, 1) for y in _ROWS] + [(0.0, -2 * _ROW_MM / 3), (0.0, 2 * _ROW_MM / 3)],
}

_DRESS = {
    "E": Dress(
        robe=(150, 92, 40), under=(240, 206, 96), trim=(52, 96, 52), hair=(74, 46, 28), pattern="stripes",
        arms=("sceptre", "sword", "halberd"), moustache=True,
    ),
    "G": Dress(
        robe=(40, 112, 62), under=(232, 226, 200), trim=(186, 44, 46), hair=(182, 122, 48), pattern="dots",
        arms=("orb", "flag", "drum"), moustache=False,
    ),
    "H": Dress(
        robe=(184, 36, 46), under=(72, 112, 170), trim=(244, 208, 96), hair=(52, 40, 36), pattern="diamonds",
        arms=("sword", "horn", "spear"), moustache=True,
    ),
    "S": Dress(
        robe=(48, 72, 142), under=(240, 178, 52), trim=(246, 240, 222), hair=(204, 150, 72), pattern="chevrons",
        arms=("axe", "halberd", "horn"), moustache=False,
    ),
}  # fmt: skip


def draw_bavarian(name: str) -> Art:
    """Draw the 32 faces and the back."""
    sheet = Pen(BAVARIAN_MM, pixels(BAVARIAN_MM), PAPER)
    back(sheet, BAVARIAN_MM, (38, 62, 110), (206, 196, 160))
    return Art(
        name, BAVARIAN_MM, DrawnFaces(BAVARIAN_LABELS, lambda label: rounded(_face(label))), rounded(sheet.face())
    )


def _face(label: str) -> np.ndarray:
    suit, rank = label[0], label[1]
    pen = Pen(BAVARIAN_MM, pixels(BAVARIAN_MM), PAPER)
    if rank in PIPS:
        _number(pen, suit, rank)
    elif rank == "A":
        _sau(pen, suit)
    elif rank == "K":
        _king(pen, suit)
    else:
        _walker(pen, suit, rank)
    colour = BAVARIAN_COLOURS[suit]
    for turn in (0.0, math.pi):
        with pen.placed(turn=turn):
            pen.text(INDEX[rank], -24.2, -45.2, 4.4, colour, squeeze=0.7 if rank == "T" else 0.95)
    pen.polygon([(-27.8, -49.8), (27.8, -49.8), (27.8, 49.8), (-27.8, 49.8)], None, (206, 200, 184), 0.2)
    return pen.face()


def _number(pen: Pen, suit: str, rank: str) -> None:
    if suit in "EG":  # acorns and leaves grow on a vine
        pen.line(path("0 -40 1.2 -24 -1.2 -8 1.2 8 -1.2 24 0 40"), (104, 84, 44), 0.8, curved=True)
        for x, y in PIPS[rank]:
            if x:
                pen.line([(0, y + 5), (x * 0.5, y + 3.4), (x, y + 2)], (104, 84, 44), 0.55, curved=True)
    for x, y in PIPS[rank]:
        with pen.placed(x, y, 1.02):
            BAVARIAN[suit](pen)
    for turn in (0.0, math.pi):
        with pen.placed(turn=turn):
            pen.text(ROMAN[rank], 0, -45.6, 3.6, INK, squeeze=0.8, weight=500)


def _sau(pen: Pen, suit: str) -> None:
    """Draw the ace: two great signs and a ribbon; Eichel and Schellen a boar, as old cards do."""
    for y in (-26.0, 4.0):
        with pen.placed(0, y, 2.45):
            BAVARIAN[suit](pen)
    colour = BAVARIAN_COLOURS[suit]
    ribbon = path("-21 21.5 -12 24 0 22 12 20 21 22.5 21 29 12 26.5 0 28.5 -12 30.5 -21 28")
    pen.blob(ribbon, (238, 214, 150), INK)
    pen.text({"E": "EICHEL", "G": "GRAS", "H": "HERZ", "S": "SCHELLEN"}[suit], 0, 25.3, 3.2, colour, squeeze=0.8)
    if suit in "ES":
        _boar(pen, (96, 70, 50) if suit == "E" else (70, 70, 78))
    else:
        for sign in (-1, 1):
            pen.line(path(f"0 44 {sign * 7} 42 {sign * 13} 36 {sign * 19} 36"), (60, 110, 60), 0.9, curved=True)
            for x, y in ((7, 38.5), (13, 41), (18, 33.5)):
                pen.blob(
                    [(sign * x, y - 3), (sign * (x + 2.6), y), (sign * x, y + 3), (sign * (x - 2), y)],
                    (76, 140, 72),
                    INK,
                )
        pen.ellipse(0, 40, 3.4, 3.4, GOLD, INK)
        pen.ellipse(0, 40, 1.4, 1.4, colour, INK, 0.2)


def _boar(pen: Pen, hide: Colour) -> None:
    for x in (-9, -5, 5, 9):
        pen.line([(x, 40), (x, 46)], INK, 2.0)
        pen.line([(x, 40), (x, 45.6)], hide, 1.4)
    pen.blob(path("-13 36 -9 32.6 0 32 9 33 14 35.4 19 39 18 41 13 41.6 9 43 -8 43 -13 40"), hide, INK)
    pen.blob(path("9 34 11 30.6 13 35"), hide, INK)
    pen.ellipse(13.4, 37.2, 0.7, 0.7, INK)
    pen.line(path("16.4 41 17 39 18.2 38.2"), WHITE, 0.8, curved=True)
    pen.line(path("-13 36 -16 34 -15 31.6 -13.6 33.4"), INK, 0.7, curved=True)


def _ground(pen: Pen) -> None:
    pen.blob(path("-25 41 -10 39 6 40.5 25 39 25 47.2 -25 47.2"), (150, 168, 98), (96, 116, 60))


def _king(pen: Pen, suit: str) -> None:
    """Draw the king on a throne below two signs."""
    dress = _DRESS[suit]
    _ground(pen)
    pen.polygon(path("-17 -16 17 -16 20 42 -20 42"), (196, 150, 74), INK, 0.4)
    for x in (-17, 17):
        pen.ellipse(x, -17.5, 2.4, 2.4, GOLD, INK)
    cloth(pen, path("-6 -12 -13 -9 -16 2 -13 16 -19 40 0 43.5 19 40 13 16 16 2 13 -9 6 -12"), dress, (-11, -6, 11, 39))
    for sign in (-1, 1):
        pen.blob([(sign * x, y) for x, y in path("3 41 9 40.5 11 44.5 4 45")], (90, 50, 34), INK)
    with pen.placed(0, -22, 1.0):
        ermine(pen, 11.5)
        beard = {"E": "long", "G": "short", "H": "forked", "S": "long"}[suit]
        face(pen, dress.hair, long_hair=True, beard=beard)
        crown(pen, 5 if dress.moustache else 4, dress.robe)
    _arms(pen, dress, dress.arms[0])
    for sign in (-1, 1):
        with pen.placed(sign * 17.5, -36.5, 1.05):
            BAVARIAN[suit](pen)


def _arms(pen: Pen, dress: Dress, thing: str) -> None:
    held(pen, thing, 19.0, -20.0 if thing not in ("orb", "drum", "horn") else -2.0, 14.0)
    for sign in (-1, 1):
        pen.blob([(sign * x, y) for x, y in path("9 -9 14 -8 20 4 19 10 14 10 12 2")], dress.under, INK, 0.4)
        pen.line([(sign * 14.4, 8.6), (sign * 19, 8.6)], dress.trim, 1.2)
    hand(pen, 18.2, 10.5)
    pen.ellipse(-16.8, 11, 2.3, 2.1, SKIN, INK, 0.3)


def _walker(pen: Pen, suit: str, rank: str) -> None:
    """Draw Ober or Unter standing; the sign is above the Ober and below beside the Unter."""
    dress = _DRESS[suit]
    ober = rank == "O"
    _ground(pen)
    legs = dress.trim if ober else dress.under
    for sign in (-1, 1):
        pen.blob([(sign * x, y) for x, y in path("1 16 8 16 7.4 30 6 40 2.4 40 2 30")], legs, INK, 0.4)
        pen.blob([(sign * x, y) for x, y in path("2 35 7 35 7 40 11.5 43 9 44.6 2 44")], (84, 50, 36), INK)
    if ober:  # a long coat with a belt; the Unter wears a short jacket
        coat = path("-6 -12 -13 -9 -13 4 -11 9 -15 26 0 29 15 26 11 9 13 4 13 -9 6 -12")
        cloth(pen, coat, dress, (-10, -7, 10, 26))
        pen.polygon(path("-11.4 7 11.4 7 11.4 10 -11.4 10"), (70, 46, 34), INK)
    else:
        coat = path("-6 -12 -12.5 -9 -13 4 -11 13 -13 19 0 20.5 13 19 11 13 13 4 12.5 -9 6 -12")
        cloth(pen, coat, dress, (-10, -7, 10, 17))
        pen.line(path("-11 -8 0 4 11 13"), (70, 46, 34), 2.0)
    pen.ellipse(0, 8.4, 1.9, 1.9, GOLD, INK)
    with pen.placed(0, -22, 0.98):
        pen.polygon([(-6.4, 11.5), (0, 15.4), (6.4, 11.5), (4, 9), (-4, 9)], WHITE, INK)
        face(pen, dress.hair, long_hair=ober, beard="moustache" if ober == dress.moustache else "")
        if ober:
            hat(pen, dress.robe, dress.trim)
        else:
            pen.blob(path("-7 -4.4 -6 -9.4 2 -10.4 7.4 -7 12 -8 9 -3.4 6.6 -4.4 0 -5.4"), dress.trim, INK)
            pen.line(path("-7 -4.8 0 -5.6 6.8 -4.8"), dress.under, 1.2, curved=True)
    _arms(pen, dress, dress.arms[1 if ober else 2])
    x, y = (-17.0, -34.0) if ober else (-18.0, 34.5)
    with pen.placed(x, y, 1.5):
        BAVARIAN[suit](pen)

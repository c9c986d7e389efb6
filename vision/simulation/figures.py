"""Draw the figures of the court cards of simple shapes: half length for the French deck, whole for the Bavarian one.

A figure stands in mm round the origin: the face is about the origin, the body goes down from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.simulation.pen import Colour, Pen, Point, path
from vision.simulation.pips import GOLD, INK

SKIN: Colour = (243, 211, 180)
WHITE: Colour = (250, 248, 242)
STEEL: Colour = (176, 190, 204)
WOOD: Colour = (122, 78, 40)


@dataclass(frozen=True, slots=True)
class Dress:
    """Colours and things that separate one suit's people from another's."""

    robe: Colour
    under: Colour
    trim: Colour
    hair: Colour
    pattern: str  # stripes | diamonds | dots | chevrons
    arms: tuple[str, str, str]  # what king, lady (Ober) and jack (Unter) hold
    moustache: bool


def face(pen: Pen, hair: Colour, *, long_hair: bool = False, beard: str = "", lips: Colour = (190, 70, 70)) -> None:
    """Draw a head of about 14 mm: hair, face, eyes; ``beard`` is '', moustache, short, long or forked."""
    if long_hair:
        pen.blob(path("-6.6 -3 -5 -7.2 0 -8.4 5 -7.2 6.6 -3 7.4 5 8.2 12 4 12.5 -4 12.5 -8.2 12 -7.4 5"), hair, INK)
    else:
        pen.blob([(-6.4, -2), (-5, -7), (0, -8.2), (5, -7), (6.4, -2), (6.9, 4), (5, 7), (-5, 7), (-6.9, 4)], hair, INK)
    pen.polygon([(-2.4, 5), (2.4, 5), (3, 11), (-3, 11)], SKIN, INK, 0.3)
    pen.blob(
        [(-4.7, -3.2), (-3, -5.4), (3, -5.4), (4.7, -3.2), (4.6, 2), (2.6, 6.2), (0, 7.6), (-2.6, 6.2), (-4.6, 2)],
        SKIN,
        INK,
    )
    pen.ellipse(-3.1, 2.6, 1.2, 0.9, (240, 178, 156))
    pen.ellipse(3.1, 2.6, 1.2, 0.9, (240, 178, 156))
    dark = tuple(int(v * 0.6) for v in hair)
    for sign in (-1, 1):
        pen.line(
            [(sign * 3.4, -1.7), (sign * 2.2, -2.3), (sign * 1.1, -1.8)], (dark[0], dark[1], dark[2]), 0.5, curved=True
        )
        pen.ellipse(sign * 2.1, -0.2, 1.05, 0.62, WHITE, INK, 0.25)
        pen.ellipse(sign * 2.1 + 0.2, -0.2, 0.5, 0.55, INK)
    pen.line([(0.1, -0.4), (0.8, 2.2), (-0.3, 2.5)], (170, 118, 90), 0.35, curved=True)
    if beard in ("short", "long", "forked"):
        shapes = {
            "short": "3 8.4 0 9.4 -3 8.4",
            "long": "3.4 10 0 16 -3.4 10",
            "forked": "3.6 10 2.4 14.5 0 10.5 -2.4 14.5 -3.6 10",
        }
        tips = path(shapes[beard])
        pen.blob([(-4.7, 1.6), (-2.6, 3.6), (0, 3.2), (2.6, 3.6), (4.7, 1.6), (5, 5.6), *tips, (-5, 5.6)], hair, INK)
    if beard:
        pen.blob(
            [(0, 2.9), (1.8, 2.9), (3.5, 4.3), (1.5, 4.2), (0, 3.8), (-1.5, 4.2), (-3.5, 4.3), (-1.8, 2.9)],
            hair,
            INK,
            0.25,
        )
    pen.line([(-1.2, 4.9), (0, 5.2), (1.2, 4.9)], lips, 0.7 if not beard else 0.5, curved=True)


def crown(pen: Pen, points: int = 5, cap: Colour = (150, 30, 40)) -> None:
    """Draw a king's crown on a head at the origin."""
    pen.blob([(-5, -6), (-4, -11), (0, -12.5), (4, -11), (5, -6)], cap, INK)
    top = []
    for n in range(points):
        left = -6.4 + 12.8 * n / points
        top += [(left, -12.2), (left + 6.4 / points, -9.2)]
    pen.polygon([*top, (6.4, -12.2), (5.6, -5.2), (-5.6, -5.2)], GOLD, INK)
    for n in range(points + 1):
        pen.ellipse(-6.4 + 12.8 * n / points, -12.5, 0.75, 0.75, GOLD, INK, 0.25)
    for x, gem in ((-3.2, (40, 90, 160)), (0, (190, 30, 50)), (3.2, (40, 130, 70))):
        pen.ellipse(x, -6.7, 0.85, 0.85, gem, INK, 0.2)


def diadem(pen: Pen, gem: Colour) -> None:
    """Draw a lady's diadem."""
    pen.polygon(
        [(-5.2, -5.4), (-3.6, -8.6), (-2, -6.4), (0, -10.4), (2, -6.4), (3.6, -8.6), (5.2, -5.4), (0, -4.6)], GOLD, INK
    )
    pen.ellipse(0, -7, 0.9, 1.1, gem, INK, 0.2)
    for x in (-3.6, 3.6):
        pen.ellipse(x, -8.8, 0.6, 0.6, WHITE, INK, 0.2)


def beret(pen: Pen, cloth: Colour, feather: Colour) -> None:
    """Draw a flat cap with a feather."""
    pen.blob([(-7.4, -4.6), (-7, -8), (-1, -10.2), (6, -8.8), (7.6, -5.4), (0, -4.2)], cloth, INK)
    pen.blob([(3, -7), (8, -12), (12.6, -10), (13, -5), (10, -7), (6, -6.4)], feather, INK)
    pen.line([(3.4, -7), (8.2, -9.6), (12.4, -7)], INK, 0.25, curved=True)
    pen.line([(-7.2, -5), (0, -4.6), (7.2, -5.6)], GOLD, 0.9, curved=True)


def hat(pen: Pen, cloth: Colour, feather: Colour) -> None:
    """Draw a tall hat with a brim."""
    pen.blob([(-4.6, -6), (-4, -12.4), (0, -14), (4, -12.4), (4.6, -6)], cloth, INK)
    pen.blob([(-9, -5.2), (-5, -6.6), (5, -6.6), (9, -5.2), (4, -4.2), (-4, -4.2)], cloth, INK)
    pen.line([(-4.4, -7), (4.4, -7)], GOLD, 1.1)
    pen.blob([(4, -8), (7, -13), (9.5, -15.5), (9, -11), (6, -8)], feather, INK)


def cloth(pen: Pen, outline: Sequence[Point], dress: Dress, box: tuple[float, float, float, float]) -> None:
    """Draw a robe in the suit's pattern; ``box`` bounds the pattern (left, top, right, bottom)."""
    pen.blob(outline, dress.robe, INK, 0.4)
    left, top, right, bottom = box
    if dress.pattern == "stripes":
        count = int((right - left) / 5)
        for n in range(count + 1):
            x = left + (right - left) * n / count
            pen.polygon(
                [(x - 0.9, top), (x + 0.9, top), (x * 1.25 + 0.9, bottom), (x * 1.25 - 0.9, bottom)], dress.under
            )
            pen.line([(x, top), (x * 1.25, bottom)], dress.trim, 0.4)
    elif dress.pattern == "diamonds":
        y = top
        while y < bottom:
            x = left + 2.5
            while x < right - 1:
                pen.polygon(
                    [(x, y), (x + 1.9, y + 2.6), (x, y + 5.2), (x - 1.9, y + 2.6)], dress.under, dress.trim, 0.3
                )
                x += 5
            y += 6.4
    elif dress.pattern == "dots":
        y, row = top + 1.5, 0
        while y < bottom:
            x = left + 2 + 2.2 * (row % 2)
            while x < right - 1:
                pen.ellipse(x, y, 1.15, 1.15, dress.under, dress.trim, 0.35)
                x += 4.4
            y, row = y + 3.7, row + 1
    else:
        y = top + 3
        while y < bottom + 4:
            chevron = [(left, y), (0, y + 6), (right, y), (right, y - 2.4), (0, y + 3.4), (left, y - 2.4)]
            pen.polygon(chevron, dress.under)
            pen.line([(left, y), (0, y + 6), (right, y)], dress.trim, 0.4)
            y += 6.6


def ermine(pen: Pen, y: float) -> None:
    """Draw a white collar with black tails."""
    pen.blob(
        [(-9.5, y - 1.5), (-4, y - 3.4), (4, y - 3.4), (9.5, y - 1.5), (8.6, y + 2.4), (0, y + 5), (-8.6, y + 2.4)],
        WHITE,
        INK,
    )
    for x, d in ((-6.6, 0), (-3.3, 1.1), (0, 1.8), (3.3, 1.1), (6.6, 0)):
        pen.line([(x, y + d - 0.8), (x, y + d + 1.0)], INK, 0.7)


def hand(pen: Pen, x: float, y: float) -> None:
    """Draw a fist that holds something upright."""
    pen.ellipse(x, y, 2.5, 2.1, SKIN, INK, 0.3)
    for d in (-1.1, 0, 1.1):
        pen.line([(x - 1.4, y + d * 0.9), (x + 1.0, y + d * 0.9)], (176, 124, 96), 0.25)


def _sceptre(pen: Pen, x: float, top: float, bottom: float) -> None:
    pen.line([(x, top + 5), (x, bottom)], INK, 1.9)
    pen.line([(x, top + 5), (x, bottom)], GOLD, 1.2)
    pen.ellipse(x, top + 3.4, 2.4, 2.4, GOLD, INK)
    pen.ellipse(x, top + 3.4, 1.1, 1.1, (190, 30, 50), INK, 0.2)
    pen.line([(x, top + 1), (x, top - 1.6)], INK, 0.9)
    pen.line([(x - 1.2, top - 0.3), (x + 1.2, top - 0.3)], INK, 0.9)


def _sword(pen: Pen, x: float, top: float, bottom: float) -> None:
    pen.polygon(
        [(x - 1.2, bottom - 8), (x - 1.2, top + 3), (x, top - 1), (x + 1.2, top + 3), (x + 1.2, bottom - 8)],
        STEEL,
        INK,
        0.3,
    )
    pen.line([(x, top + 3), (x, bottom - 8)], WHITE, 0.4)
    pen.polygon(
        [(x - 4, bottom - 8.6), (x + 4, bottom - 8.6), (x + 4, bottom - 7), (x - 4, bottom - 7)], GOLD, INK, 0.3
    )
    pen.line([(x, bottom - 7), (x, bottom)], WOOD, 1.6)
    pen.ellipse(x, bottom, 1.3, 1.3, GOLD, INK, 0.25)


def _orb(pen: Pen, x: float, top: float, bottom: float) -> None:
    pen.ellipse(x, bottom - 7, 5.0, 5.0, GOLD, INK)
    pen.line([(x - 5, bottom - 7), (x + 5, bottom - 7)], (160, 40, 40), 1.1)
    pen.line([(x, bottom - 12), (x, bottom - 7)], (160, 40, 40), 1.1)
    pen.line([(x, bottom - 12), (x, bottom - 17)], INK, 1.3)
    pen.line([(x - 2, bottom - 15.2), (x + 2, bottom - 15.2)], INK, 1.3)


def _axe(pen: Pen, x: float, top: float, bottom: float) -> None:
    pen.line([(x, top), (x, bottom)], INK, 1.7)
    pen.line([(x, top), (x, bottom)], WOOD, 1.1)
    pen.blob(
        [(x + 0.6, top + 3), (x + 5.6, top), (x + 7, top + 6), (x + 5.6, top + 12), (x + 0.6, top + 9)], STEEL, INK
    )


def _halberd(pen: Pen, x: float, top: float, bottom: float) -> None:
    pen.line([(x, top + 2), (x, bottom)], INK, 1.6)
    pen.line([(x, top + 2), (x, bottom)], WOOD, 1.0)
    pen.polygon([(x - 1, top + 4), (x, top - 4), (x + 1, top + 4)], STEEL, INK, 0.3)
    pen.blob(
        [(x + 0.4, top + 4), (x + 4.6, top + 2.4), (x + 5.4, top + 6), (x + 4.6, top + 9.6), (x + 0.4, top + 8)],
        STEEL,
        INK,
    )
    pen.polygon([(x - 0.4, top + 5), (x - 4.4, top + 3.4), (x - 0.4, top + 8)], STEEL, INK, 0.3)


def _spear(pen: Pen, x: float, top: float, bottom: float) -> None:
    pen.line([(x, top + 4), (x, bottom)], INK, 1.5)
    pen.line([(x, top + 4), (x, bottom)], (150, 36, 40), 0.9)
    pen.polygon([(x - 2, top + 5), (x, top - 3), (x + 2, top + 5), (x, top + 7)], STEEL, INK, 0.3)


def _flag(pen: Pen, x: float, top: float, bottom: float) -> None:
    pen.line([(x, top - 2), (x, bottom)], INK, 1.4)
    with pen.placed(x, top):
        pen.blob(path("0.5 -1 5 -2.4 10 0 9 5 10 9 5 7 0.5 8"), (196, 40, 48), INK)
    pen.line([(x + 1, top + 3.4), (x + 9, top + 2.6)], WHITE, 1.4)


def _stem(pen: Pen, x: float, top: float, bottom: float) -> None:
    pen.line([(x, top + 5), (x + 0.8, (top + bottom) / 2), (x, bottom)], (40, 110, 50), 0.9, curved=True)
    for side in (-1, 1):
        pen.blob(
            [(x + 0.3, top + 13), (x + side * 3.4, top + 9.5), (x + side * 4.2, top + 13)], (56, 132, 62), INK, 0.25
        )


def _rose(pen: Pen, x: float, top: float, bottom: float) -> None:
    _stem(pen, x, top, bottom)
    pen.ellipse(x, top + 2.6, 3.7, 3.7, (200, 40, 66), INK)
    pen.ellipse(x + 0.3, top + 2.3, 2.2, 2.0, (226, 90, 104), INK, 0.25)
    pen.ellipse(x + 0.5, top + 2.2, 0.9, 0.8, (160, 20, 46), INK, 0.2)


def _tulip(pen: Pen, x: float, top: float, bottom: float) -> None:
    _stem(pen, x, top, bottom)
    with pen.placed(x, top):
        pen.blob(path("-2.8 -1.6 -1.2 1 0 -2.6 1.2 1 2.8 -1.6 2.8 4 0 6 -2.8 4"), (238, 168, 38), INK)


def _lily(pen: Pen, x: float, top: float, bottom: float) -> None:
    _stem(pen, x, top, bottom)
    for dx, dy in ((-3, 0), (3, 0), (0, -2.4)):
        pen.blob(
            [(x, top + 5), (x + dx * 0.5 - 1.2, top + 2), (x + dx, top + dy), (x + dx * 0.5 + 1.2, top + 2.4)],
            WHITE,
            INK,
        )
    pen.ellipse(x, top + 4, 0.9, 0.9, GOLD, INK, 0.2)


def _fan(pen: Pen, x: float, top: float, bottom: float) -> None:
    y = bottom - 2
    fan = [(x - 7.5, y - 8), (x - 3.8, y - 11.6), (x, y - 12.8), (x + 3.8, y - 11.6), (x + 7.5, y - 8), (x, y)]
    pen.polygon(fan, (90, 150, 190), INK)
    for fx, fy in fan[:5]:
        pen.line([(x, y), (fx, fy)], INK, 0.3)
        pen.ellipse(fx, fy, 0.9, 0.9, GOLD, INK, 0.2)


def _drum(pen: Pen, x: float, top: float, bottom: float) -> None:
    pen.ellipse(x, bottom - 1, 5, 2, (180, 60, 40), INK)
    pen.polygon(
        [(x - 5, bottom - 9), (x + 5, bottom - 9), (x + 5, bottom - 1), (x - 5, bottom - 1)], (196, 66, 46), INK
    )
    pen.line([(x - 5, bottom - 9), (x - 1.6, bottom - 1), (x + 1.6, bottom - 9), (x + 5, bottom - 1)], WHITE, 0.5)
    pen.ellipse(x, bottom - 9, 5, 2, (244, 236, 214), INK)


def _horn(pen: Pen, x: float, top: float, bottom: float) -> None:
    with pen.placed(x, bottom):
        pen.blob(path("-1 0 5 -3 7 -9 3.4 -15 6.6 -17 10 -9 7 0 0 2"), GOLD, INK)


#: Name → what draws the thing, upright at x from top to bottom.
_HELD: dict[str, Callable[[Pen, float, float, float], None]] = {
    "sceptre": _sceptre,
    "sword": _sword,
    "orb": _orb,
    "axe": _axe,
    "halberd": _halberd,
    "spear": _spear,
    "flag": _flag,
    "rose": _rose,
    "tulip": _tulip,
    "lily": _lily,
    "fan": _fan,
    "drum": _drum,
    "horn": _horn,
}


def held(pen: Pen, thing: str, x: float, top: float, bottom: float) -> None:
    """Draw a thing that is held upright at x from top to bottom; nothing for a name that is none."""
    draw = _HELD.get(thing)
    if draw is not None:
        draw(pen, x, top, bottom)


def half(pen: Pen, who: str, dress: Dress) -> None:
    """Draw king, lady or jack ('K', 'Q', 'J') down to the belt at y = 28, face at the origin."""
    body: list[Point]
    if who == "Q":
        body = [(-5, 11), (-12, 14), (-15, 20), (-14, 30), (14, 30), (15, 20), (12, 14), (5, 11), (0, 14)]
    else:
        body = [(-5, 10), (-14, 12.5), (-18, 19), (-18.5, 31), (18.5, 31), (18, 19), (14, 12.5), (5, 10)]
    cloth(pen, body, dress, (-12.0, 14.0, 12.0, 31.0))
    thing = dress.arms["KQJ".index(who)]
    sleeve = [(10.5, 14), (15.5, 15), (19.5, 21), (17, 27), (9.5, 26.5), (9.5, 22.5), (13, 21)]
    if who == "K":
        ermine(pen, 11.5)
        face(
            pen,
            dress.hair,
            long_hair=True,
            beard={"stripes": "long", "diamonds": "forked", "dots": "short", "chevrons": "long"}[dress.pattern],
        )
        crown(pen, 4 if dress.moustache else 5, dress.robe)
    elif who == "Q":
        pen.blob([(-5, 10.5), (0, 15.5), (5, 10.5), (2.5, 8.5), (-2.5, 8.5)], SKIN, INK, 0.3)
        face(pen, dress.hair, long_hair=True, lips=(206, 40, 60))
        diadem(pen, dress.robe)
        for n in range(7):
            x = -3.6 + 1.2 * n
            pen.ellipse(x, 10.6 + 2.2 * (1 - (x / 3.6) ** 2), 0.62, 0.62, WHITE, INK, 0.2)
    else:
        pen.polygon([(-7, 11.5), (0, 16), (7, 11.5), (4, 9), (-4, 9)], WHITE, INK)
        face(pen, dress.hair, beard="moustache" if dress.moustache else "")
        beret(pen, dress.under, dress.trim)
    held(pen, thing, 11.5, -13.0 if thing not in ("orb", "fan", "drum", "horn") else 0.0, 27.0)
    pen.blob(sleeve, dress.under, INK, 0.4)
    pen.line([(9.7, 22.4), (9.7, 26.6)], dress.trim, 1.2)
    hand(pen, 9.6, 24.4)
    pen.blob(
        [(-10.5, 14), (-15.5, 15), (-19.5, 21), (-16, 27.5), (-6, 28), (-6, 24.2), (-12, 22)], dress.under, INK, 0.4
    )
    pen.line([(-6.2, 24.2), (-6.2, 28)], dress.trim, 1.2)
    hand(pen, -4.6, 26)

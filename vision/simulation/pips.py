"""Draw suit signs, each about 10 mm high round the origin."""

from vision.simulation.pen import Colour, Pen, smooth

RED: Colour = (196, 30, 42)
BLACK: Colour = (24, 24, 30)
INK: Colour = (40, 34, 30)
GREEN: Colour = (38, 112, 54)
LEAF_DARK: Colour = (20, 72, 36)
GOLD: Colour = (226, 172, 44)
BROWN: Colour = (132, 82, 36)

#: The colour of a suit's indices.
SUIT_COLOURS: dict[str, Colour] = {"C": BLACK, "S": BLACK, "H": RED, "D": RED}
BAVARIAN_COLOURS: dict[str, Colour] = {"E": BROWN, "G": LEAF_DARK, "H": RED, "S": (168, 112, 12)}

_HEART = [(0.05, -3.0), (1.1, -4.5), (2.9, -4.9), (4.5, -3.6), (4.5, -1.2), (2.7, 2.1), (0.0, 5.0)]


def _both(right: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return right + [(-x, y) for x, y in reversed(right) if x]


def heart(pen: Pen, colour: Colour = RED) -> None:
    """Draw Herz."""
    pen.polygon(_both(_curve(_HEART)), colour)


def _curve(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in smooth(points, closed=False)]


def diamond(pen: Pen, colour: Colour = RED) -> None:
    """Draw Karo, its sides a little hollow."""
    side = _curve([(0, -5.2), (1.75, -2.35), (4.0, 0)]) + _curve([(4.0, 0), (1.75, 2.35), (0, 5.2)])
    pen.polygon(side + [(-x, y) for x, y in reversed(side)], colour)


def _stem(pen: Pen, colour: Colour) -> None:
    side = _curve([(0.35, 1.0), (0.6, 3.2), (2.2, 5.0)])
    pen.polygon(side + [(-x, y) for x, y in reversed(side)], colour)


def spade(pen: Pen, colour: Colour = BLACK) -> None:
    """Draw Pik."""
    side = _curve([(0.25, -4.9), (2.2, -2.4), (4.3, 0.1), (4.3, 2.3), (2.6, 3.2), (0.9, 2.2), (0.2, 1.2)])
    pen.polygon(_both([(0.0, -5.2), *side]), colour)
    _stem(pen, colour)


def club(pen: Pen, colour: Colour = BLACK) -> None:
    """Draw Kreuz."""
    for x, y in ((0, -2.95), (-2.7, 1.15), (2.7, 1.15)):
        pen.ellipse(x, y, 2.15, 2.15, colour)
    pen.polygon([(-0.6, -1.4), (0.6, -1.4), (1.1, 1.5), (-1.1, 1.5)], colour)
    _stem(pen, colour)


def acorn(pen: Pen, colour: Colour = BROWN) -> None:
    """Draw Eichel: nut, cup and stalk."""
    pen.line([(0, -3.6), (0.3, -4.6), (1.2, -5.2)], (60, 92, 40), 0.8, curved=True)
    nut = [(-2.6, -0.6), (-2.7, 1.2), (-1.7, 3.4), (0, 5.1), (1.7, 3.4), (2.7, 1.2), (2.6, -0.6)]
    pen.blob(nut, (216, 152, 62), INK, 0.3)
    pen.line([(-1.2, 0.4), (-1.1, 1.6), (-0.6, 2.7)], (244, 206, 132), 0.7, curved=True)
    pen.blob([(-3.3, -0.4), (-3.0, -2.5), (0, -3.9), (3.0, -2.5), (3.3, -0.4), (0, 0.5)], (176, 44, 40), INK, 0.3)
    for x in (-1.8, 0, 1.8):
        pen.line([(x - 0.9, -0.6), (x, -2.2), (x + 0.9, -0.6)], (104, 20, 22), 0.3)


def leaf(pen: Pen, colour: Colour = GREEN) -> None:
    """Draw Gras: a leaf with its veins and stalk."""
    side = _curve([(0.1, -5.0), (2.0, -3.4), (4.1, -0.8), (4.0, 1.6), (2.4, 2.7), (0.5, 2.2)])
    pen.polygon(_both([(0.0, -5.2), *side]), colour, LEAF_DARK, 0.3)
    pen.line([(0, -3.6), (0, 3.4), (0.7, 5.0)], LEAF_DARK, 0.55)
    for y in (-2.2, -0.4, 1.3):
        for sign in (-1, 1):
            pen.line([(0, y), (sign * 2.1, y - 1.1)], LEAF_DARK, 0.35)


def bell(pen: Pen, colour: Colour = GOLD) -> None:
    """Draw Schelle: a round bell with its band and slit."""
    pen.ellipse(0, -4.3, 0.9, 0.8, None, INK, 0.45)
    pen.ellipse(0, 0.4, 4.1, 4.1, colour, INK, 0.35)
    pen.polygon([(-4.1, -0.3), (4.1, -0.3), (4.05, 1.3), (-4.05, 1.3)], (178, 40, 40), INK, 0.25)
    pen.line([(-2.2, -2.2), (-1.2, -2.9), (0, -3.1)], (252, 226, 140), 0.6, curved=True)
    pen.line([(0, 2.1), (0, 3.6)], INK, 0.5)
    pen.ellipse(0, 2.2, 0.6, 0.6, INK)


FRENCH = {"C": club, "S": spade, "H": heart, "D": diamond}
BAVARIAN = {"E": acorn, "G": leaf, "H": heart, "S": bell}

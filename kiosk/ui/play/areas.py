"""Divide the table's screen among the seats, and find room for the cards between them."""

from dataclasses import dataclass

from kiosk.ui.parts.places import ScreenPlace

#: Width of the panels at the sides, as they lie on the screen, and the gap between things, in units.
SIDE_UNITS, GAP_UNITS = 160, 6

#: Height of the two panels above at a table of five, in units.
FIVE_TOP_UNITS = 150

#: Between what unfolds above and below there is room for a message, in units, gaps included.
MESSAGE_UNITS = 64

#: Height of a card for its width.
CARD_HEIGHT_PER_WIDTH = 1.4

#: Where cards may lie, in card widths from the middle by place: a cross, a flatter one, a line.
CARDS: dict[int, tuple[dict[tuple[float, float], tuple[float, float]], ...]] = {
    4: (
        {(0, -1): (0, -0.77), (-1, 0): (-1.2, 0), (0, 1): (0, 0.77), (1, 0): (1.2, 0)},
        {(0, -1): (-0.6, -0.2), (-1, 0): (-1.8, 0), (0, 1): (0.6, 0.2), (1, 0): (1.8, 0)},
        {(0, -1): (-0.6, 0), (-1, 0): (-1.8, 0), (0, 1): (0.6, 0), (1, 0): (1.8, 0)},
    ),
    5: (
        {(0, -1): (0, -0.77), (-1, 0): (-1.75, 0), (-0.5, 1): (-0.58, 0.77), (0.5, 1): (0.58, 0.77), (1, 0): (1.75, 0)},
        {(0, -1): (0, -0.2), (-1, 0): (-2.2, 0), (-0.5, 1): (-1.1, 0.2), (0.5, 1): (1.1, 0.2), (1, 0): (2.2, 0)},
        {(0, -1): (0, 0), (-1, 0): (-2.2, 0), (-0.5, 1): (-1.1, 0), (0.5, 1): (1.1, 0), (1, 0): (2.2, 0)},
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle of the screen, from its lower left."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """Its upper edge."""
        return self.y + self.height

    def within(self, whole: "Rect", turned: bool) -> "Rect":
        """Return where it lies from the corner of ``whole``; ``turned``: once that is turned by 180 degrees."""
        if turned:
            return Rect(whole.right - self.right, whole.top - self.top, self.width, self.height)
        return Rect(self.x - whole.x, self.y - whole.y, self.width, self.height)

    def overlaps(self, other: "Rect") -> bool:
        """Report whether a part of the screen belongs to both."""
        return self.x < other.right and other.x < self.right and self.y < other.top and other.y < self.top


@dataclass(frozen=True, slots=True)
class SeatArea:
    """What belongs to one seat alone: nobody else's keys are ever here."""

    room: Rect  # all that its panel may cover when something unfolds in it
    place: tuple[float, float]  # as in ``kiosk.ui.parts.places``
    turn: int  # degrees, counterclockwise

    @property
    def side(self) -> bool:
        """Whether it lies at the left or right edge."""
        return abs(self.place[0]) == 1

    @property
    def local_size(self) -> tuple[float, float]:
        """Width and height of the room as its seat sees it."""
        size = self.room.width, self.room.height
        return size if self.turn in (0, 180) else size[::-1]

    def lay(self, local_width: float, local_height: float) -> Rect:
        """Place a panel of that size, as its seat sees it, in the room: at the edge, and at the sides in its middle."""
        width, height = (local_width, local_height) if self.turn in (0, 180) else (local_height, local_width)
        room, (x, y) = self.room, self.place
        left = room.x if x == -1 else room.right - width if x == 1 else room.x + (room.width - width) / 2
        below = room.y + (room.height - height) / 2 if self.side else room.y if y < 0 else room.top - height
        return Rect(left, below, width, height)


def seat_areas(place: ScreenPlace, players: int, whole: Rect, unit: float) -> dict[int, SeatArea]:
    """Divide the screen among the seats; rooms never overlap, and the middle belongs to those above and below.

    :param unit: pixels of one unit.
    """
    side, gap = SIDE_UNITS * unit, GAP_UNITS * unit
    inner = Rect(whole.x + gap, whole.y + gap, whole.width - 2 * gap, whole.height - 2 * gap)
    # At five, the two above lie beside each other over all that is below them.
    top_h = FIVE_TOP_UNITS * unit if players == 5 else (inner.height - gap) / 2
    column_h = inner.height - top_h - gap if players == 5 else inner.height
    below_h = inner.height - top_h - MESSAGE_UNITS * unit if players == 5 else top_h
    between = Rect(inner.x + side + gap, inner.y, inner.width - 2 * (side + gap), below_h)
    top_w = (inner.width - gap) / 2 if players == 5 else between.width

    def room(x: float, y: float) -> Rect:
        if abs(x) == 1:
            return Rect(inner.x if x < 0 else inner.right - side, inner.y, side, column_h)
        if y < 0:
            return between
        left = between.x if x == 0 else inner.x if x < 0 else inner.right - top_w
        return Rect(left, inner.top - top_h, top_w, top_h)

    return {seat: SeatArea(room(*at), at, place.turn(at)) for seat, at in place.places(players).items()}


def lay_cards(
    players: int, free: Rect, least: float = 0.0
) -> tuple[float, dict[tuple[float, float], tuple[float, float]]]:
    """Lay the places of the cards out in a free rectangle: width of a card, and the middle of each.

    The cross is how cards lie on a table; where it would make them much smaller, or narrower than ``least``, they lie
    flatter.
    """
    offsets, width = CARDS[players][0], 0.0
    for choice in CARDS[players]:
        across = 2 * max(x for x, _ in choice.values()) + 1
        down = 2 * max(y for _, y in choice.values()) + CARD_HEIGHT_PER_WIDTH
        possible = min(free.width / across, free.height / down)
        if possible > width * (1.25 if width >= least else 1.0):
            offsets, width = choice, possible
    middle_x, middle_y = free.x + free.width / 2, free.y + free.height / 2
    return width, {at: (middle_x + x * width, middle_y + y * width) for at, (x, y) in offsets.items()}

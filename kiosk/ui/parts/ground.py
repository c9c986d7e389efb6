"""Draw the ground of a key: a round plate, or an outline where it cannot be touched now.

A layout would draw both of each, and reckon seven expressions whenever a key moves; a sheet has fifty.
"""

from collections.abc import Sequence

from kivy.graphics import Color, InstructionGroup, SmoothLine, SmoothRoundedRectangle
from kivy.metrics import dp

#: Lines of which the edge of a key bends round a corner. Kivy would take 45, a tenth of a pixel each: a picture of keys
#: was 15 MB of triangles, and each key 40 kB.
ARC = 8

RADIUS_DP = 10


class KeyGround:
    """The ground of one key.

    :param canvas: where it is drawn.
    :param closed: fills a key that cannot be touched; red, green, blue and opacity, 0 … 1.
    :param edge: of such a key, the same.
    """

    def __init__(self, canvas: InstructionGroup, closed: Sequence[float], edge: Sequence[float]) -> None:
        self._closed, self._edge = closed, edge
        self._box: tuple[float, ...] = (0, 0, 0, 0)
        self._colour = Color()
        self._plate = SmoothRoundedRectangle(radius=[dp(RADIUS_DP)])
        self._outline = InstructionGroup()
        self._line: SmoothLine | None = None  # None: it can be touched
        for one in (self._colour, self._plate, self._outline):
            canvas.add(one)

    def paint(self, fill: Sequence[float] | None) -> None:
        """Fill the plate; None: draw the outline of a key that cannot be touched."""
        self._colour.rgba = self._closed if fill is None else fill
        if (fill is None) == (self._line is not None):
            return
        if fill is None:
            self._line = SmoothLine(width=dp(1))
            self._outline.add(Color(*self._edge[:3], 0.5))
            self._outline.add(self._line)
            self._lay_outline()
        else:
            self._outline.clear()
            self._line = None

    def lay(self, pos: Sequence[float], size: Sequence[float]) -> None:
        """Draw it in this place, pixels from the lower left."""
        self._plate.pos, self._plate.size, self._box = pos, size, (*pos, *size)
        self._lay_outline()

    def _lay_outline(self) -> None:
        if self._line is not None:
            x, y, width, height = self._box
            inner = (x + dp(1), y + dp(1), width - dp(2), height - dp(2))
            self._line.rounded_rectangle = (*inner, dp(RADIUS_DP), ARC)

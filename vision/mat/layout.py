"""Lay out the sheet of the mat: where everything is printed on it.

Millimetres on the mat: origin at its centre, x to the right and y downwards as the camera sees it; seat 1 sits below
(south), the others follow clockwise. ``printed_sheet`` draws it, ``calibration`` finds it in a picture.
"""

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from vision.errors import MatError

if TYPE_CHECKING:
    import numpy as np

Place: TypeAlias = tuple[float, float]

#: The marks' dictionary, an index of ``cv2.aruco`` (``DICT_4X4_50``): 4 × 4 cells inside a black border of one cell.
DICTIONARY = 0
#: Cells along a mark's side, the black border included.
MARK_CELLS = 6
#: Marks on every sheet; sheet n has the ids 8 n … 8 n + 7, so one mark identifies the sheet.
MARKS_PER_SHEET = 8
#: Width and height of a sheet in mm (ISO 216, landscape).
PAPERS = MappingProxyType({"A3": (420.0, 297.0), "A2": (594.0, 420.0)})
SEATS = (4, 5)
#: Long and short side in mm of a field for tricks won: it holds French (59 × 91 mm) and Bavarian cards (56 × 100 mm).
WON_FIELD_MM = (104.0, 62.0)


@dataclass(frozen=True, slots=True)
class _Plan:
    """Dimensions of one sheet, mm."""

    mark: float  # side of a mark, its black border included
    mark_centres: tuple[Place, ...]
    middle: Place  # half axes of the ellipse for the trick
    seat_radii: Place  # half axes of the ellipse on which the seats' cards lie
    won: tuple[tuple[float, float, bool], ...]  # x, y, upright?
    control: tuple[Place, Place]  # ends of the control line, 100 mm apart


# A mark of 24 mm on A3 (34 mm on A2) has 36 (35) pixels when 640 pixels just hold the sheet: 6 a cell.
# Marks keep off the seats' arms, the ellipse and the won tricks; the four in the corners carry the calibration,
# the others stand in when a pile or a sleeve covers a corner.
_PLANS = {
    ("A3", 4): _Plan(
        24,
        ((-185, -124), (185, -124), (185, 124), (-185, 124), (-75, 124), (-185, -44), (75, -124), (185, 44)),
        (106, 70),
        (76, 51),
        ((105, 104, False), (-165, 56, True), (-105, -104, False), (165, -56, True)),
        ((-50, 139), (50, 139)),
    ),
    ("A3", 5): _Plan(
        24,
        ((-185, -124), (185, -124), (185, 124), (-185, 124), (-10, 124), (-185, -62), (0, -124), (185, 62)),
        (106, 70),
        (78, 45),
        ((100, 106, False), (-116, 106, False), (-116, -106, False), (116, -106, False), (165, -16, True)),
        ((-196, -30), (-196, 70)),
    ),
    ("A2", 4): _Plan(
        34,
        ((-266, -179), (266, -179), (266, 179), (-266, 179), (-106, 179), (-266, -62), (106, -179), (266, 62)),
        (124, 82),
        (86, 58),
        ((150, 150, False), (-236, 82, True), (-150, -150, False), (236, -82, True)),
        ((-50, 202), (50, 202)),
    ),
    ("A2", 5): _Plan(
        34,
        ((-266, -179), (266, -179), (266, 179), (-266, 179), (-14, 179), (-266, -88), (0, -179), (266, 88)),
        (124, 82),
        (94, 56),
        ((142, 160, False), (-168, 160, False), (-170, -160, False), (170, -160, False), (240, -20, True)),
        ((-280, -30), (-280, 70)),
    ),
}
_SHEETS = tuple(_PLANS)


@dataclass(frozen=True, slots=True)
class MatLayout:
    """Geometry of the sheet for a paper (``A3``, ``A2``; landscape) and 4 or 5 seats.

    :raises MatError: for another paper or number of seats.
    """

    paper: str = "A3"
    seats: int = 4

    def __post_init__(self) -> None:
        if self.paper not in PAPERS:
            raise MatError(f"no mat for paper {self.paper!r}; choose one of {', '.join(PAPERS)}")
        if self.seats not in SEATS:
            raise MatError(f"no mat for {self.seats!r} seats; choose 4 or 5")

    @property
    def _plan(self) -> _Plan:
        return _PLANS[self.paper, self.seats]

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the sheet."""
        return PAPERS[self.paper]

    @property
    def mark_mm(self) -> float:
        """Side of a mark, its black border included."""
        return float(self._plan.mark)

    @property
    def marks(self) -> "dict[int, np.ndarray]":
        """Id of ``DICTIONARY`` → (4, 2) float64 corners in mm, in the order of ``cv2.aruco``: top left, clockwise."""
        import numpy as np  # here: a table's process needs the seats' places, and NumPy for nothing

        first = MARKS_PER_SHEET * _SHEETS.index((self.paper, self.seats))
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (self.mark_mm / 2)
        return {first + n: square + centre for n, centre in enumerate(self._plan.mark_centres)}

    @property
    def white_places(self) -> "np.ndarray":
        """(4 marks, 2) mm: the middles of the white rim round each mark, on all four sides."""
        import numpy as np

        away = self.mark_mm / 2 + self.mark_mm / MARK_CELLS / 2  # the rim is a cell wide
        sides = np.array([(0, -away), (away, 0), (0, away), (-away, 0)])
        places: np.ndarray = np.array(self._plan.mark_centres)[:, None] + sides
        return places.reshape(-1, 2)

    @property
    def middle(self) -> Place:
        """Half axes of the ellipse round the origin in which a trick is laid."""
        return self._plan.middle

    def seat_angle(self, seat: int) -> float:
        """Return the direction from the centre to a seat in rad; 0 is right, a quarter turn is down."""
        self._check(seat)
        return math.pi / 2 + 2 * math.pi * (seat - 1) / self.seats

    @property
    def seat_places(self) -> dict[int, Place]:
        """Seat → centre of the card it is expected to lay."""
        a, b = self._plan.seat_radii
        angles = {seat: self.seat_angle(seat) for seat in range(1, self.seats + 1)}
        return {seat: (round(a * math.cos(t), 3), round(b * math.sin(t), 3)) for seat, t in angles.items()}

    @property
    def won_places(self) -> dict[int, Place]:
        """Seat → centre of the pile of tricks it has won."""
        return {seat: (x, y) for seat, (x, y, _) in enumerate(self._plan.won, 1)}

    @property
    def won_fields(self) -> dict[int, tuple[float, float, float, float]]:
        """Seat → (x, y, width, height) of the field for its tricks, from the top left corner."""
        fields = {}
        for seat, (x, y, upright) in enumerate(self._plan.won, 1):
            width, height = WON_FIELD_MM[::-1] if upright else WON_FIELD_MM
            fields[seat] = (x - width / 2, y - height / 2, width, height)
        return fields

    @property
    def control_line(self) -> tuple[Place, Place]:
        """Ends of the line that is 100 mm long if the print is true."""
        return self._plan.control

    def _check(self, seat: int) -> None:
        if not 1 <= seat <= self.seats:
            raise MatError(f"seat {seat!r} does not exist on a mat for {self.seats}")


def layout_of(mark: int) -> MatLayout | None:
    """Return the sheet that carries this mark; None for an id that no sheet has."""
    sheet = mark // MARKS_PER_SHEET
    return MatLayout(*_SHEETS[sheet]) if 0 <= sheet < len(_SHEETS) else None

"""Define the sheets that badges and seat cards are printed on: labels as sold, and plain A4 to be cut or folded.

Measures of labels are those of gLabels 3.4.1 (``avery-iso-templates.xml``, ``zweckform-iso-templates.xml``), which the
makers' own templates agree with; points there are millimetres here.
"""

from dataclasses import dataclass
from typing import Final

from kiosk.paper.sheet import PAGE_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFormat:
    """A sheet of A4 with equal labels, in rows from the upper left; all measures in mm."""

    name: str  # the maker's number, or what becomes of plain paper
    columns: int
    rows: int
    wide: float
    high: float
    left: float  # of the first label's corner
    top: float
    step_x: float  # from one label's left edge to the next
    step_y: float
    folded: bool = False  # across its middle, to stand
    plain: bool = False  # paper without labels: marks say where to cut

    @property
    def each(self) -> int:
        """Labels on a sheet."""
        return self.columns * self.rows

    def place(self, label: int) -> tuple[float, float]:
        """Return the corner of a label, counted from 0."""
        return self.left + label % self.columns * self.step_x, self.top + label // self.columns * self.step_y


def _even(name: str, columns: int, rows: int, wide: float, high: float, *, folded: bool = False) -> LabelFormat:
    """Plain paper, cards side by side in the middle of it."""
    left, top = (PAGE_MM[0] - columns * wide) / 2, (PAGE_MM[1] - rows * high) / 2
    return LabelFormat(
        name=name,
        columns=columns,
        rows=rows,
        wide=wide,
        high=high,
        left=left,
        top=top,
        step_x=wide,
        step_y=high,
        folded=folded,
        plain=True,
    )


#: All formats by name. What they are is in the catalogues (subject ``page_labels``).
FORMATS: Final[dict[str, LabelFormat]] = {
    one.name: one
    for one in (
        # name badges of acetate silk
        LabelFormat(name="L4785", columns=2, rows=5, wide=80, high=50, left=18, top=13, step_x=95, step_y=55),
        # business cards
        LabelFormat(name="C32015", columns=2, rows=4, wide=85, high=54, left=17, top=31.5, step_x=91, step_y=60),
        LabelFormat(name="3474", columns=3, rows=8, wide=70, high=37, left=0, top=0, step_x=70, step_y=37),
        LabelFormat(name="3475", columns=3, rows=8, wide=70, high=36, left=0, top=4.43, step_x=70.05, step_y=36.03),
        LabelFormat(
            name="L7160", columns=3, rows=7, wide=63.5, high=38.1, left=7.48, top=15.49, step_x=66.04, step_y=38.1
        ),
        LabelFormat(
            name="4780", columns=4, rows=10, wide=48.5, high=25.4, left=8.11, top=19.01, step_x=48.5, step_y=25.4
        ),
        _even("cards", 2, 5, 90, 54),
        _even("tents2", 1, 2, 210, 148.5, folded=True),
        _even("tents4", 2, 2, 105, 148.5, folded=True),
    )
}

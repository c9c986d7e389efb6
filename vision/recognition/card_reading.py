"""Define what recognition returns of one card in one frame."""

from dataclasses import dataclass

from vision.geometry.projection import Array


@dataclass(frozen=True, eq=False)
class CardReading:
    """One card in one frame.

    ``label`` is None where the label is in doubt; then ``choices`` names the likely ones. ``margin`` (0 … 1) is how
    far the best label is ahead of its rival. ``quad`` is (4, 2) float64, corners in pixels clockwise from the upper
    left corner of the card itself. ``pose`` is (x mm, y mm, angle rad) on the view's plane.
    ``face_down``: it shows its back, which the deck must know; it has no label then.
    """

    label: str | None
    margin: float
    choices: tuple[tuple[str, float], ...]
    quad: Array
    pose: tuple[float, float, float] | None = None
    face_down: bool = False

"""Cards in one frame: pure functions, no memory."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from vision.deck import Deck
from vision.view import Array, View


@dataclass(frozen=True, eq=False)
class Seen:
    """One card in one frame.

    ``label`` is None where the label is in doubt; then ``choices`` names the likely ones. ``margin`` (0 … 1) says how
    far the best label is ahead of its rival. ``quad`` is (4, 2) float64, corners in pixels clockwise from the upper
    left corner of the card itself. ``pose`` is (x mm, y mm, angle rad) on the view's plane.
    """

    label: str | None
    margin: float
    choices: tuple[tuple[str, float], ...]
    quad: Array
    pose: tuple[float, float, float] | None = None
    face_down: bool = False


def recognise(frame: Array, deck: Deck, view: View | None = None, region: ArrayLike | None = None) -> list[Seen]:
    """Cards of ``deck`` in ``frame`` ((H, W, 3) uint8, BGR), likeliest first.

    With a ``view`` every card lies on its plane and has three unknowns; without one the scale is found from the
    cards themselves. ``region`` is a polygon (n, 2) in pixels or a mask (H, W) uint8: only cards that lie at least
    partly in it are looked for.

    :raises PictureError: a frame of another shape or type
    """
    return []


def relabel(frame: Array, deck: Deck, view: View, pose: tuple[float, float, float]) -> Seen:
    """The card that lies at ``pose`` (x mm, y mm, angle rad; a few millimetres and degrees off), read again."""
    raise NotImplementedError

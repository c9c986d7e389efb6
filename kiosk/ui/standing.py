"""Turn the picture as the screen stands, and put touches where the finger is.

A panel that reports touches otherwise than the screen shows its picture (mounted upside down, or read through another
cable) is put right by one of eight maps; three touches tell which.
"""

from collections.abc import Iterable, Sequence
from typing import Any

#: Every way in which a panel can lie on its screen: t its axes change places, then x and y run the other way.
MAPS = ("", "x", "y", "xy", "t", "tx", "ty", "txy")

#: By so much a finger may miss what it is meant to touch, as a part of the larger side.
MISSED = 0.11

Point = tuple[float, float]


def mapped(name: str, x: float, y: float) -> Point:
    """Map a touch, 0 … 1 from the lower left, as a panel reports it, to where the finger is on the picture."""
    if "t" in name:
        x, y = y, x
    return (1 - x if "x" in name else x), (1 - y if "y" in name else y)


def fitting(touches: Sequence[Point], spots: Sequence[Point]) -> list[str]:
    """List the maps by which each touch, as the panel reports it, is near its spot; both 0 … 1 of the panel."""
    return [
        name
        for name in MAPS
        if all(
            max(abs(a - b) for a, b in zip(mapped(name, *touch), spot, strict=True)) <= MISSED
            for touch, spot in zip(touches, spots, strict=True)
        )
    ]


def on_panel(part: Point, degrees: int) -> Point:
    """Where a place of the picture, 0 … 1, is on a panel that the picture is turned on, counterclockwise."""
    x, y = part
    return {0: (x, y), 90: (1 - y, x), 180: (1 - x, 1 - y), 270: (y, 1 - x)}[degrees]


class TouchMap:
    """Maps all touches of the event loop; it stands among Kivy's ``postproc_modules``."""

    def __init__(self, name: str = "") -> None:
        self.name = name

    def process(self, events: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """Map the events of a frame; the same touch, told of twice, is mapped once."""
        told = list(events)
        for kind, touch in told:
            if getattr(touch, "mapped_to", None) == (touch.sx, touch.sy):
                continue
            touch.on_panel = touch.sx, touch.sy
            touch.sx, touch.sy = touch.mapped_to = mapped(self.name, touch.sx, touch.sy)
            if kind == "begin":
                touch.osx, touch.osy = touch.psx, touch.psy = touch.sx, touch.sy
            touch.dsx, touch.dsy = touch.sx - touch.psx, touch.sy - touch.psy
        return told

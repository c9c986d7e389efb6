"""Leave out of the drawing what nobody can see: Kivy draws a widget of opacity 0 all the same, pixel by pixel."""

from typing import Any

from kivy.clock import Clock


class Seen:
    """A widget that is drawn only while its opacity is above 0, in its place among its parent's other children.

    It stands first among the bases of a widget's class, and in a parent that draws its children on its own canvas.
    """

    parent: Any
    canvas: Any
    opacity: float

    def __init__(self, **kwargs: Any) -> None:
        self._left_out = False
        # Kivy gives a widget its parent before the parent's canvas has it.
        self._soon = Clock.create_trigger(self._change, -1)
        super().__init__(**kwargs)
        self.fbind("parent", self._comes_or_goes)  # type: ignore[attr-defined]  # a widget's
        self.fbind("opacity", self._soon)  # type: ignore[attr-defined]
        self._soon()

    def _comes_or_goes(self, *_: object) -> None:
        self._left_out = False  # a parent that takes it draws it
        self._soon()

    def _change(self, *_: object) -> None:
        if self.parent is None:
            return
        drawn = self.parent.canvas
        if self.opacity and self._left_out:
            drawn.insert(_place(self, self.parent), self.canvas)
            self._left_out = False
        elif not self.opacity and self.canvas in drawn.children:
            drawn.remove(self.canvas)
            self._left_out = True


def _place(widget: Any, parent: Any) -> int:
    """Find the place on the parent's canvas: above the next child below that is drawn, or below the next above."""
    drawn, at = parent.canvas, parent.children.index(widget)
    for below in parent.children[at + 1 :]:
        if below.canvas in drawn.children:
            return int(drawn.indexof(below.canvas)) + 1
    for above in reversed(parent.children[:at]):
        if above.canvas in drawn.children:
            return int(drawn.indexof(above.canvas))
    return int(drawn.length()) - bool(drawn.has_after)  # what comes after ends what turns them

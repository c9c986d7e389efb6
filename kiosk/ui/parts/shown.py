"""Find what is written and what takes touches on the screen, with the place of each."""

from collections.abc import Iterator
from typing import Any

from kiosk.ui.parts.markup import plain_words


def visible(widget: Any) -> bool:
    """Whether an eye sees it."""
    while widget is not None and widget is not widget.parent:
        if not widget.opacity:
            return False
        widget = widget.parent
    return True


def touchable(widget: Any) -> bool:
    """Whether a finger could touch it: it and all that it is in."""
    while widget is not None and widget is not widget.parent:
        if widget.disabled or not widget.opacity:
            return False
        widget = widget.parent
    return True


def in_window(widget: Any) -> tuple[float, float, float, float]:
    """The rectangle of the window that a widget covers, also where it is turned: x, y, width, height."""
    return _in_window(widget, (widget.x, widget.y, widget.right, widget.top))


def words_in_window(label: Any) -> tuple[float, float, float, float]:
    """The rectangle of the window that a label's lines cover; the label itself may be wider and higher."""
    lines = label._label._cached_lines
    wide, high = max((line.w for line in lines), default=0), sum(line.h for line in lines)
    across, up = label.texture_size
    left = label.center_x - across / 2 + {"left": 0, "right": across - wide}.get(label.halign, (across - wide) / 2)
    low = label.center_y - up / 2 + {"bottom": 0, "top": up - high}.get(label.valign, (up - high) / 2)
    return _in_window(label, (left, low, left + wide, low + high))


def _in_window(widget: Any, sides: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    corners = [widget.to_window(x, y) for x in sides[::2] for y in sides[1::2]]
    left, below = (min(corner[axis] for corner in corners) for axis in (0, 1))
    right, above = (max(corner[axis] for corner in corners) for axis in (0, 1))
    return left, below, right - left, above - below


def targets(root: Any) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Everything below ``root`` that takes touches: its text, and what is in view of its rectangle in the window."""
    return [(named(widget), _in_view(widget)) for widget in touched(root)]


def _in_view(widget: Any) -> tuple[float, float, float, float]:
    """What is left of a widget's rectangle in the window where it scrolls."""
    from kivy.uix.scrollview import ScrollView

    left, below, width, height = in_window(widget)
    right, above = left + width, below + height
    while widget is not None and widget is not widget.parent:
        if isinstance(widget, ScrollView):
            x, y, across, up = in_window(widget)
            left, below, right, above = max(left, x), max(below, y), min(right, x + across), min(above, y + up)
        widget = widget.parent
    return left, below, max(0.0, right - left), max(0.0, above - below)


def named(widget: Any) -> str:
    """What a target says, else what it is."""
    return str(getattr(widget, "text", "") or type(widget).__name__)


def touched(root: Any) -> Iterator[Any]:
    """All below ``root`` that takes touches."""
    from kivy.uix.behaviors import ButtonBehavior

    for widget in root.walk(restrict=True):
        if not getattr(widget, "act", True):
            continue  # a message about which there is nothing to do
        if isinstance(widget, ButtonBehavior) and touchable(widget) and widget.width:
            yield widget


def labels(root: Any) -> Iterator[Any]:
    """All that is written below ``root`` and seen."""
    from kivy.uix.label import Label

    for widget in root.walk(restrict=True):
        seen = isinstance(widget, Label) and visible(widget) and widget.width and not scrolled_away(widget)
        if seen and plain_words(widget.text).strip():
            yield widget


def scrolled_away(widget: Any) -> bool:
    """Whether what it is in is scrolled so that it is not wholly seen."""
    from kivy.uix.scrollview import ScrollView

    x, y, width, height = in_window(widget)
    while widget is not None and widget is not widget.parent:
        if isinstance(widget, ScrollView):
            left, below, across, up = in_window(widget)
            return x < left - 1 or y < below - 1 or x + width > left + across + 1 or y + height > below + up + 1
        widget = widget.parent
    return False

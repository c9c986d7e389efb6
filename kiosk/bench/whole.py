"""Find what is written and what takes touches on the screen, and what of it is cut or leaves the window."""

from collections.abc import Iterator
from typing import Any

from kiosk.ui.parts.markup import plain_words, sized_words


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
    corners = [widget.to_window(x, y) for x in (widget.x, widget.right) for y in (widget.y, widget.top)]
    left, below = (min(corner[axis] for corner in corners) for axis in (0, 1))
    right, above = (max(corner[axis] for corner in corners) for axis in (0, 1))
    return left, below, right - left, above - below


def targets(root: Any) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Everything below ``root`` that takes touches: its text and its rectangle in the window."""
    from kivy.uix.behaviors import ButtonBehavior

    from kiosk.ui.play.messages import MessagePlate

    found = []
    for widget in root.walk(restrict=True):
        if isinstance(widget, MessagePlate) and not widget.act:
            continue
        if isinstance(widget, ButtonBehavior) and touchable(widget) and widget.width:
            found.append((getattr(widget, "text", "") or type(widget).__name__, in_window(widget)))
    return found


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


def written_size(label: Any) -> float:
    """In which size a label writes, px: one that fits its words may write them smaller than it was asked to."""
    return float(getattr(label, "shown_size", 0) or label.font_size)


def cut(label: Any) -> str:
    """Say what of a label is cut; "" if nothing is."""
    from kivy.core.text import Label as CoreLabel
    from kivy.core.text.markup import MarkupLabel
    from kivy.metrics import sp

    if getattr(label, "is_shortened", False):
        return "shortened"
    wide, high, size = label.text_size[0], label.height, written_size(label)
    options = {**label._label.options, "text_size": (wide, None), "shorten": False, "font_size": size}
    options.pop("text", None)
    kind = MarkupLabel if label.markup else CoreLabel
    whole = kind(text=label.text, **options)
    whole.resolve_font_name()
    needed_wide, needed_high = whole.render()  # its size alone; nothing is drawn
    if needed_high > high + 1:
        return f"{needed_high} px high in {high:.0f}"
    if wide is None:
        return f"{needed_wide} px wide in {label.width:.0f}" if needed_wide > label.width + 1 else ""
    for part, at in sized_words(label.text, size, sp(1)):
        word = CoreLabel(font_size=at, bold=label.bold).get_extents(part)[0]
        if word > wide + 1:
            return f"{part!r} is {word:.0f} px wide in {wide:.0f}"
    return ""


def faults(root: Any) -> list[str]:
    """Describe words that are cut, and targets that leave the window."""
    from kivy.core.window import Window

    found = [f"cut: {plain_words(one.text)!r}, {how}" for one in labels(root) if (how := cut(one))]
    for text, (x, y, width, height) in targets(root):
        if x < -1 or y < -1 or x + width > Window.width + 1 or y + height > Window.height + 1:
            found.append(f"leaves the window: {plain_words(text)!r}")
    return found

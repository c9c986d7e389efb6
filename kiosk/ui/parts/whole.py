"""Find what is cut on the screen or leaves the window."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from kiosk.ui.parts.markup import plain_words, sized_words
from kiosk.ui.parts.shown import in_window, labels, named, scrolled_away, targets, touched

#: By so much targets may touch each other, px.
TOUCHING_PX = 2


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


def overlaps(root: Any, beneath: Iterable[Any] = ()) -> list[str]:
    """Name the targets below ``root`` of which one lies over a part of another.

    :param beneath: what is covered on purpose.
    """
    covered = {id(widget) for one in beneath for widget in one.walk(restrict=True)}
    shown = [
        (widget, in_window(widget))
        for widget in touched(root)
        if id(widget) not in covered and not scrolled_away(widget)
    ]
    found = []
    for (one, (x, y, width, height)), (other, (left, below, across, up)) in combinations(shown, 2):
        wide = min(x + width, left + across) - max(x, left)
        high = min(y + height, below + up) - max(y, below)
        if min(wide, high) > TOUCHING_PX:
            found.append(f"lies over another: {plain_words(named(one))!r}, {plain_words(named(other))!r}")
    return found


def faults(root: Any) -> list[str]:
    """Describe words that are cut, and targets that leave the window."""
    from kivy.core.window import Window

    found = [f"cut: {plain_words(one.text)!r}, {how}" for one in labels(root) if (how := cut(one))]
    for text, (x, y, width, height) in targets(root):
        if x < -1 or y < -1 or x + width > Window.width + 1 or y + height > Window.height + 1:
            found.append(f"leaves the window: {plain_words(text)!r}")
    return found

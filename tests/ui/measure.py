"""Measure what is on the screen: targets in mm, capitals in mm, words that are cut, contrast."""

import re
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import numpy

from kiosk.ui.parts.markup import plain_words as bare
from kiosk.ui.parts.shown import in_window, labels, targets, touchable, visible, words_in_window
from kiosk.ui.parts.whole import cut, written_size

__all__ = ["bare", "cut", "in_window", "labels", "targets", "touchable", "visible", "words_in_window"]

#: A 7 inch display: 800 × 480 units are 154 × 86 mm.
MM_ACROSS, MM_DOWN = 154 / 800, 86 / 480

#: What a finger hits without looking twice, and what an eye reads: from every chair, and at the table at all; mm.
LEAST_TARGET_MM, FAR_MM, NEAR_MM = 9.0, 4.0, 2.5

#: What is read close by, before people play; and by who sets a camera up; mm.
CLOSE_MM, SETTING_UP_MM = 2.0, 1.6

#: Least distance between two targets, in units.
LEAST_GAP = 5


def check_targets(root: Any) -> None:
    """Check that all that can be touched is large, apart from all other, and within the window."""
    from kivy.core.window import Window
    from kivy.metrics import dp

    found = targets(root)
    assert found
    for text, (x, y, width, height) in found:
        across, down = width / dp(1) * MM_ACROSS, height / dp(1) * MM_DOWN
        assert min(across, down) >= LEAST_TARGET_MM - 0.1, f"{text!r} is too small: {across:.1f} x {down:.1f} mm"
        assert x >= -0.5 and y >= -0.5, f"{text!r} leaves the window"
        assert x + width <= Window.width + 0.5 and y + height <= Window.height + 0.5, f"{text!r} leaves the window"
    for (text, (ax, ay, aw, ah)), (other, (bx, by, bw, bh)) in combinations(found, 2):
        apart = max(bx - (ax + aw), ax - (bx + bw), by - (ay + ah), ay - (by + bh))
        assert apart >= dp(LEAST_GAP) - 0.5, f"{text!r} and {other!r} are {apart / dp(1):.1f} apart"


@cache
def capitals_per_size(file: str) -> float:
    """How high a font's capitals are for its size."""
    from PIL import ImageFont

    _, above, _, below = ImageFont.truetype(file, 1000).getbbox("H")
    return float(below - above) / 1000


def smallest_capitals_mm(label: Any) -> float:
    """The height of the smallest capitals that a label writes, on a 7 inch display."""
    from kivy.metrics import dp

    sizes = [written_size(label)] if bare(re.sub(r"\[size=.*?\[/size\]", "", label.text, flags=re.S)).strip() else []
    for number, unit in re.findall(r"\[size=([\d.]+)(sp|dp|px)?\]", label.text):
        sizes.append(float(number) * (dp(1) if unit in ("sp", "dp") else 1.0))
    return capitals_mm(label, min(sizes))


def capitals_mm(label: Any, size: float) -> float:
    """The height of a label's capitals at a size in pixels, on a 7 inch display."""
    from kivy.metrics import dp

    return size / dp(1) * capitals_per_size(label._label.options["font_name_r"]) * MM_DOWN


def check_type(root: Any, least_mm: float = NEAR_MM) -> None:
    """Check that nothing is written smaller than that."""
    small = {bare(one.text): smallest_capitals_mm(one) for one in labels(root)}
    small = {text: round(mm, 2) for text, mm in small.items() if mm < least_mm - 0.005}
    assert not small, f"too small to read, mm: {small}"


#: Least contrast of words with what they stand on (WCAG 2.2, 1.4.3), and of large ones: of 8 mm and more.
LEAST_CONTRAST, LEAST_OF_LARGE, LARGE_MM = 4.5, 3.0, 8.0


def luminance(colour: Any) -> float:
    """The relative luminance of a colour of three numbers up to 1 (WCAG 2.2)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Any, other: Any) -> float:
    """How much lighter one of two colours is, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def inks(label: Any) -> list[Any]:
    """The colours in which a label writes, with their opacity."""
    from kivy.utils import get_color_from_hex

    own = label.disabled_color if label.disabled else label.color
    marked = [get_color_from_hex(colour) for colour in re.findall(r"\[color=#?(\w+)\]", label.text)]
    rest = bare(re.sub(r"\[color=.*?\[/color\]", "", label.text, flags=re.S)).strip()
    return [*([own] if rest else []), *marked]


def ground_of(found: Counter[bytes], written: list[Any]) -> list[float]:
    """The commonest colour of a place that is not of the words themselves."""
    common = [[part / 255 for part in colour] for colour, count in found.most_common(6) if count * 50 > found.total()]
    others = [one for one in common if all(max(abs(one[n] - ink[n]) for n in range(3)) > 0.02 for ink in written)]
    cloth = [[part / 255 for part in found.most_common(1)[0][0]]]  # its light has no colour that is common
    return (others or common or cloth)[0]


def colours(pixels: Any) -> Counter[bytes]:
    """Count the colours of a part of the window, a number a pixel, as three bytes each."""
    numbers, counts = numpy.unique(pixels, return_counts=True)
    return Counter({int(one).to_bytes(3, "big"): int(count) for one, count in zip(numbers, counts, strict=True)})


def check_contrast(root: Any) -> None:
    """Check that every word stands out from what is drawn below it: the commonest colour of its place."""
    from kivy.utils import get_color_from_hex

    from kiosk.ui.stage import window_pixels

    wide, high, rows = window_pixels()
    # (H, W, 3) uint8 RGB from the top → a number a pixel
    drawn_rgb = numpy.frombuffer(rows, numpy.uint8).reshape(high, wide, 3).astype(numpy.uint32)
    pixels = (drawn_rgb[..., 0] << 16) | (drawn_rgb[..., 1] << 8) | drawn_rgb[..., 2]
    faint = {}
    for label in labels(root):
        x, y, width, height = (round(part) for part in in_window(label))
        below_it = pixels[::-1][max(0, y) : max(0, y + height) : 2, max(0, x) : max(0, x + width) : 2]
        if not below_it.size:
            continue
        below = getattr(label, "ground", None) or ground_of(colours(below_it), inks(label))
        below = list(get_color_from_hex(below) if isinstance(below, str) else below)[:3]
        least = LEAST_OF_LARGE if smallest_capitals_mm(label) >= LARGE_MM else LEAST_CONTRAST
        for ink in inks(label):
            drawn = [below[n] + (ink[n] - below[n]) * ink[3] * label.opacity for n in range(3)]
            ratio = contrast(drawn, below)
            if ratio < least - 0.02:
                faint[bare(label.text)] = f"{ratio:.1f} on {[round(255 * part) for part in below]}"
    assert not faint, f"too faint: {faint}"


def check_whole(root: Any) -> None:
    """Check that nothing that is written is cut."""
    found = {bare(one.text): cut(one) for one in labels(root)}
    assert not any(found.values()), f"cut: { {text: how for text, how in found.items() if how} }"


def check(root: Any, least_mm: float = NEAR_MM) -> None:
    """Check that targets are large and apart, words large, whole and clear."""
    from kivy.core.window import Window

    check_targets(root)
    check_type(root, least_mm)
    check_whole(root)
    if least_mm >= CLOSE_MM and tuple(Window.size) == (800, 480):  # offscreen, a larger window is not all drawn
        check_contrast(root)

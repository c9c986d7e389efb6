"""Set words in the embedded fonts and fit them into a width.

Roboto (Apache licence 2.0) and, for signs that it lacks, DejaVu Sans (Bitstream Vera licence) come with Kivy, which the
table's screen needs; nothing is installed for printing.
"""

import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from kiosk.errors import PaperError

MM = 72 / 25.4  # points

_FILES = {"plain": "Roboto-Regular", "bold": "Roboto-Bold", "signs": "DejaVuSans"}


@cache
def _font(style: str) -> Any:
    """A font, registered with reportlab under its own name.

    :raises PaperError: if Kivy's fonts are missing.
    """
    spec = find_spec("kivy")  # found, not imported: a director has no screen
    folder = Path(next(iter(spec.submodule_search_locations or ()), "") if spec else "") / "data" / "fonts"
    path = folder / f"{_FILES[style]}.ttf"
    try:
        font = TTFont(_FILES[style], str(path))
    except TTFError as error:
        raise PaperError(f"cannot read the font {path}: {error}; set the Python packages up again") from error
    pdfmetrics.registerFont(font)
    return font


def clean(words: str) -> str:
    """Clean words for setting: composed letters, no control signs."""
    composed = unicodedata.normalize("NFC", words)
    return "".join(" " if unicodedata.category(sign) == "Cc" else sign for sign in composed)


def runs(words: str, bold: bool = False) -> Iterator[tuple[str, str]]:
    """Split words into pieces with the name of their font; a letter that no font has becomes an empty box."""
    style = "bold" if bold else "plain"
    letters, signs = _font(style), _font("signs")
    piece, current = "", letters
    for sign in words:
        font = letters if ord(sign) in letters.face.charToGlyph else signs
        if font is not current and piece:
            yield current.fontName, piece
            piece = ""
        current = font
        piece += sign if ord(sign) in font.face.charToGlyph else "□"
    if piece:
        yield current.fontName, piece


def width(words: str, size: float, bold: bool = False) -> float:
    """Measure the words in mm, ``size`` in points."""
    return float(sum(pdfmetrics.stringWidth(piece, name, size) for name, piece in runs(words, bold))) / MM


def fitting(words: str, room: float, size: float, smallest: float, bold: bool = False) -> float:
    """Find the size, at most ``size`` and at least ``smallest``, at which the words fit into ``room`` mm."""
    wide = width(words, size, bold)
    return size if wide <= room else max(smallest, size * room / wide)


def shortened(words: str, room: float, size: float, bold: bool = False) -> str:
    """Shorten words with … at the end where they do not fit into ``room`` mm."""
    if width(words, size, bold) <= room:
        return words
    low, high = 0, len(words)
    while low < high:  # the longest beginning that fits
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width(words[:middle] + "…", size, bold) <= room else (low, middle - 1)
    return words[:low].rstrip() + "…"


def wrapped(words: str, room: float, size: float, bold: bool = False) -> list[str]:
    """Wrap words into lines of at most ``room`` mm, broken at blanks, behind hyphens, and where a word is too long."""
    lines: list[str] = [""]
    for token in _parts(words):
        if width((lines[-1] + token).rstrip(), size, bold) <= room:
            lines[-1] += token
            continue
        if lines[-1]:
            lines.append("")
        for sign in token:
            if width((lines[-1] + sign).rstrip(), size, bold) > room and lines[-1]:
                lines.append("")
            lines[-1] += sign
    return [line.rstrip() for line in lines]


def _parts(words: str) -> list[str]:
    return words.replace("-", "-\0").replace(" ", " \0").split("\0")


def in_lines(
    words: str, room: float, sizes: tuple[float, ...], tall: float, bold: bool = False
) -> tuple[list[str], float]:
    """Wrap words into lines of ``room`` mm, ``tall`` mm together, at the first of ``sizes`` that allows it.

    A size that breaks no word comes first. At the last size the end becomes … where it must.
    """
    parts = _parts(words)
    whole = [size for size in sizes if all(width(part.rstrip(), size, bold) <= room for part in parts)]
    for size in (*whole, *sizes):
        lines = wrapped(words, room, size, bold)
        most = max(1, int(tall / line_height(size)))
        if len(lines) <= most:
            return lines, size
    rest = "".join(line if line.endswith("-") else f"{line} " for line in lines[most - 1 :]).rstrip()
    return [*lines[: most - 1], shortened(rest, room, size, bold)], size


def line_height(size: float) -> float:
    """Return the height from one baseline to the next, in mm."""
    return 1.16 * size / MM

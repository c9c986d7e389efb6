"""Choose words that fit: nothing is cut, a shorter way of saying it is taken instead."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from kivy.core.text import Label as CoreLabel
from kivy.core.text.markup import MarkupLabel

#: Sizes of type in units: what is read from every chair, with capitals of 4 mm on a 7 inch display, and the least on a
#: table in play, with 2.5 mm (Roboto's capitals are 0.711 of its size; 480 units are 86 mm).
FAR, NEAR = 32, 20

#: Of screens that people read close by, before they play: 2 mm.
SMALL = 16


@lru_cache(maxsize=2048)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """Measure the widest line of a plain text, px; ``size`` in px."""
    label = CoreLabel(font_size=size, bold=bold)
    return max(float(label.get_extents(line)[0]) for line in text.split("\n"))


@lru_cache(maxsize=256)
def height_of(text: str, width: float, size: float, bold: bool = False) -> float:
    """Measure how high a text with markup is, wrapped to that width, px; 0 for none."""
    if not text:
        return 0.0
    label = MarkupLabel(text=text, font_size=size, bold=bold, text_size=(width, None))
    label.refresh()
    return float(label.texture.height)


def first_fitting(choices: Iterable[str], width: float, size: float, bold: bool = False) -> str:
    """Return the first of these lines that is no wider than that, else the last."""
    line = ""
    for line in choices:
        if width_of(line, size, bold) <= width:
            break
    return line


def fit_name(name: str, width: float, size: float, bold: bool = True, among: Iterable[str] = ()) -> str:
    """Write a player's name in a line: whole, else with what people leave out first: the given name.

    ``Hans Maier-Leibnitz von der Au`` becomes ``H. Maier-Leibnitz von der Au``, ``H. Maier-Leibnitz``, ``H. Maier-L.``,
    ``Maier-L.``; a word that is still too long loses its end. Of two Maiers the one is ``Hans``, the other ``Grete``.

    :param among: who is at the table: nothing is written that may mean another of them.
    """
    shorter = _shorter(name)
    others = {line for other in among if other != name for line in _shorter(other)}
    return first_fitting([line for line in shorter if line not in others] or shorter, width, size, bold)


@lru_cache(maxsize=64)
def _shorter(name: str) -> tuple[str, ...]:
    """All ways of writing a name, the whole first."""
    forms = list(_short_names(name))
    given = name.split(" ")[0]
    return *forms, *_cut(forms[-1]), given, *_cut(given)


def _cut(word: str) -> Iterator[str]:
    return (f"{word.rstrip('.')[:length]}." for length in range(len(word) - 1, 0, -1))


def _short_names(name: str) -> Iterator[str]:
    yield name
    given, _, family = name.partition(" ")
    if not family:
        return
    initial = f"{given[0]}."
    yield f"{initial} {family}"
    first = family.split()[0]
    # "von der Au" begins with no name
    first = next((word for word in family.split() if word[0].isupper()), first)
    yield f"{initial} {first}"
    if "-" in first.strip("-"):
        head, _, tail = first.partition("-")
        first = f"{head}-{tail[:1]}."
        yield f"{initial} {first}"
    yield first

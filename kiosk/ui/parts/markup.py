"""Read markup of labels: their words, and the first of them; without Kivy."""

import re
from collections.abc import Iterator


def begin(text: str, letters: int) -> str:
    """Return the first letters of a text with all its markup, and … for the rest."""
    parts, written = [], False
    for part in re.split(r"(\[[^\[\]]*\]|&\w+;)", text):
        if part.startswith("["):
            parts.append(part)
        elif letters > 0:
            kept = part if part.startswith("&") else part[:letters]
            letters -= 1 if part.startswith("&") else len(kept)
            parts.append(kept)
        if letters <= 0 and not written:
            parts, written = [*parts[:-1], parts[-1].rstrip() + "…"], True
    return "".join(parts)


def plain_words(text: str) -> str:
    """Return a text without its markup."""
    return re.sub(r"\[[^\[\]]*\]", "", text).replace("&bl;", "[").replace("&br;", "]").replace("&amp;", "&")


def sized_words(text: str, size: float, unit: float) -> Iterator[tuple[str, float]]:
    """Yield each word of a text with its size, px.

    :param size: of what has no other one, px.
    :param unit: px of a unit, in which markup has its sizes.
    """
    at = size
    for piece in re.split(r"(\[/?size[^\]]*\])", text):
        found = re.match(r"\[size=([\d.]+)(sp|dp)?\]", piece)
        if found:
            at = float(found[1]) * (unit if found[2] else 1.0)
        elif piece == "[/size]":
            at = size
        else:
            yield from ((word, at) for word in re.split(r"[ \n]", plain_words(piece)) if word)

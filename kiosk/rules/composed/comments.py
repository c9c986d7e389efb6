"""Carry the comments of a book's file over to its next state, which a form has written: none of them is lost."""

import re
from collections.abc import Iterator

from kiosk.rules.composed.file import LARGEST_FILE

#: A key's place: its section, which one of several of that name, and the key; "" for the section's own line.
_Place = tuple[str, int, str]

_HEADER = re.compile(r"\s*\[\[?\s*([^\]\n]+?)\s*\]\]?\s*(?:#.*)?")
_ASSIGNED = re.compile(r"\s*([\w.\-\"']+)\s*=")

#: What stands between a line's beginning and a comment: texts in quotes are passed as a whole.
_CODE = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'#])*""")


def with_comments(text: str, before: str) -> str:
    """Return a file's text with the comments of the one before: above and behind the keys at which they stood.

    Those of keys that are gone stand at the end. A text that would become too large is returned as it is.
    """
    above, behind, rest = _comments(before)
    lines: list[str] = []
    for place, line in _placed(text):
        if place is not None:
            lines += above.pop(place, [])
            line += f"  {behind.pop(place)}" if place in behind else ""
        lines.append(line)
    left = [*(comment for found in above.values() for comment in found), *behind.values(), *rest]
    made = "\n".join([*lines, *(["", *left] if left else [])]) + "\n"
    return made if len(made.encode()) <= LARGEST_FILE else text


def _comments(text: str) -> tuple[dict[_Place, list[str]], dict[_Place, str], list[str]]:
    """List the comments above each key and behind it, and those at the end."""
    above: dict[_Place, list[str]] = {}
    behind: dict[_Place, str] = {}
    waiting: list[str] = []
    for place, line in _placed(text):
        comment = line[_CODE.match(line).end() :].strip()  # type: ignore[union-attr]
        if place is None:
            waiting += [comment] if comment else []
            continue
        if waiting:
            above[place], waiting = waiting, []
        if comment:
            behind[place] = comment
    return above, behind, waiting


def _placed(text: str) -> Iterator[tuple[_Place | None, str]]:
    """List the lines of a file, each with the key that begins there."""
    section, counted = "", dict[str, int]()
    for line in text.splitlines():
        header = _HEADER.fullmatch(line)
        assigned = None if header else _ASSIGNED.match(line)
        if header:
            section = header[1]
            counted[section] = counted.get(section, -1) + 1
        key = assigned[1].strip("\"'") if assigned else ""
        yield ((section, counted.get(section, 0), key) if header or assigned else None), line

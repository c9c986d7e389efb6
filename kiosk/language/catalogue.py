"""Read a catalogue of gettext (.po): the words of one language, by subject and code."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import polib

#: A text, or one for the number 1 and one for all others.
Text: TypeAlias = str | tuple[str, str]

#: Subject → code → text.
Texts: TypeAlias = Mapping[str, Mapping[str, Text]]

#: gettext keeps the empty code for the header.
NO_CODE: Final = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One text of a file."""

    line: int
    subject: str
    code: str
    text: Text


def read_entries(path: Path) -> Iterator[Entry]:
    """Read a file's texts in order; those still empty are left out.

    :raises OSError: it cannot be read, or is no catalogue (polib names file and line).
    """
    for one in polib.pofile(str(path), encoding="utf-8"):
        text = (one.msgstr_plural.get(0, ""), one.msgstr_plural.get(1, "")) if one.msgid_plural else one.msgstr
        if not one.obsolete and all(text):
            yield Entry(line=one.linenum, subject=one.msgctxt or "", code=one.msgid, text=text)


def by_subject(entries: Iterator[Entry]) -> dict[str, dict[str, Text]]:
    """Sort texts by subject and code."""
    found: dict[str, dict[str, Text]] = {}
    for one in entries:
        found.setdefault(one.subject, {})[one.code] = one.text
    return found

"""Read a catalogue of gettext (.po): the words of one language, by subject and code."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import polib

#: A text, or one for the number 1 and one for all others.
Text: TypeAlias = str | tuple[str, str]

#: Subject → code → text.
Texts: TypeAlias = Mapping[str, Mapping[str, Text]]

#: gettext keeps the empty code for the header.
NO_CODE: Final = "none"

#: A line of a catalogue, without blanks around it.
_LINE: Final = re.compile(r'|#.*|(?:(?:msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d\]) *)?"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One text of a file."""

    line: int
    subject: str
    code: str
    text: Text


class BadCatalogue(ValueError):
    """A file that is no catalogue from this line on; 0 where no line is known."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def read_entries(path: Path) -> Iterator[Entry]:
    """Read a file's texts in order; those empty or marked as doubtful (fuzzy) are left out.

    :raises BadCatalogue: it cannot be read as a catalogue.
    """
    for one in _parsed(path):
        begins = one.linenum or _first_line(path)  # polib takes the first entry for the header
        forms = [one.msgstr_plural.get(n, "") for n in (0, 1)] if one.msgid_plural else [one.msgstr]
        if not one.obsolete and not one.fuzzy and all(forms):
            text = forms[0] if len(forms) == 1 else (forms[0], forms[1])
            yield Entry(line=begins, subject=one.msgctxt or "", code=one.msgid, text=text)


def read_keys(path: Path) -> set[tuple[str, str]]:
    """Read which subjects and codes a file has, empty ones too.

    :raises BadCatalogue: it cannot be read as a catalogue.
    """
    return {(one.msgctxt or "", one.msgid) for one in _parsed(path) if not one.obsolete}


def _first_line(path: Path) -> int:
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.lstrip().startswith("msg"))


def _parsed(path: Path) -> Iterable[Any]:
    try:
        content = path.read_text(encoding="utf-8-sig")  # editors on Windows begin with a mark
        for number, line in enumerate(content.splitlines(), 1):  # polib drops what it does not understand
            if not _LINE.fullmatch(line.strip()):
                raise BadCatalogue(number, line)
        found: Iterable[Any] = polib.pofile(content + "\n") if content.strip() else []
    except UnicodeDecodeError as error:
        raise BadCatalogue(0, "utf-8") from error
    except OSError as error:  # polib's too: lines that are right and do not belong together
        where = re.search(r"\(line (\d+)\)", str(error))
        raise BadCatalogue(int(where[1]) if where else 0, str(error)) from error
    return found


def by_subject(entries: Iterable[Entry]) -> dict[str, dict[str, Text]]:
    """Sort texts by subject and code."""
    found: dict[str, dict[str, Text]] = {}
    for one in entries:
        found.setdefault(one.subject, {})[one.code] = one.text
    return found


@cache
def shipped(language: str) -> Texts:
    """Read the words of a language that comes with the program, once."""
    return by_subject(read_entries(Path(__file__).with_name(f"{language}.po")))

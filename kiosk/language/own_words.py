"""Take a club's own words: catalogues in a folder that correct a language, or add one.

``de.po`` there corrects German words, ``bar.po`` adds Bavarian; what it leaves out is said as in German. What is at
fault in a file is left out and named with its line; everything else counts.
"""

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from kiosk.language import languages, put_words, say
from kiosk.language.catalogue import BadCatalogue, Entry, Text, by_subject, read_entries, shipped

#: Where a club's words lie unless the configuration names another folder.
FOLDER: Final = Path("/etc/stichwart/words")

#: What a catalogue is called after: a language's code, as ``de``, ``bar``, ``de-AT``.
NAME: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is at fault in a file; ``code`` is a text of the subject ``words``, which says the way out."""

    path: Path
    code: str
    line: int = 0
    values: dict[str, str] = field(default_factory=dict)

    def told(self, language: str = "de") -> str:
        """Format it for people: file and line, what is wrong, what to do."""
        where = say("words", "at_line" if self.line else "at_file", language, file=self.path.name, line=self.line)
        return f"{where}: {say('words', self.code, language, **self.values)}"


def take_words(*folders: Path) -> tuple[Fault, ...]:
    """Take all catalogues of folders, a text of a later one before that of an earlier; one not there has none."""
    own: dict[str, dict[str, dict[str, Text]]] = {}
    faults: list[Fault] = []
    for path in (path for folder in folders for path in sorted(folder.glob("*.po"))):
        entries, found = check_file(path)
        faults += found
        if NAME.fullmatch(path.stem):
            said = own.setdefault(path.stem, {})
            for subject, texts in by_subject(entries).items():
                said.setdefault(subject, {}).update(texts)
    put_words(own)
    return tuple(faults)


def check_file(path: Path) -> tuple[list[Entry], list[Fault]]:
    """Return the texts of a club's catalogue that can be said, and what is at fault in the others."""
    if not NAME.fullmatch(path.stem):
        return [], [Fault(path=path, code="bad_name", values={"name": path.stem})]
    try:
        entries = list(read_entries(path))
    except BadCatalogue as error:
        code = "not_utf8" if str(error) == "utf-8" else "not_a_catalogue"
        return [], [Fault(path=path, code=code, line=error.line)]
    faults = [(entry, _fault(path, entry)) for entry in entries]
    twice = list(_twice(path, entries))
    return [entry for entry, fault in faults if fault is None], [fault for _, fault in faults if fault] + twice


def _fault(path: Path, entry: Entry) -> Fault | None:
    """What keeps a text from being said; None if nothing does."""
    known = shipped("de")
    name = f"{entry.subject} / {entry.code}"
    if entry.code not in known.get(entry.subject, {}):
        all_names = [f"{subject} / {code}" for subject, found in known.items() for code in found]
        near = get_close_matches(name, all_names, 1, cutoff=0.8)
        code = "unknown_near" if near else "unknown"
        return Fault(path=path, code=code, line=entry.line, values={"name": name, "near": "".join(near)})
    try:
        found, wanted = places(entry.text), places(known[entry.subject][entry.code])
    except ValueError:
        return Fault(path=path, code="open_brace", line=entry.line, values={"name": name})
    if found == wanted:
        return None
    values = {"name": name, "wanted": _named(wanted), "found": _named(found)}
    return Fault(path=path, code="other_places" if wanted else "no_places", line=entry.line, values=values)


def _twice(path: Path, entries: list[Entry]) -> Iterator[Fault]:
    first: dict[tuple[str, str], int] = {}
    for entry in entries:
        before = first.setdefault((entry.subject, entry.code), entry.line)
        if before != entry.line:
            values = {"name": f"{entry.subject} / {entry.code}", "first": str(before)}
            yield Fault(path=path, code="twice", line=entry.line, values=values)


def places(text: Text) -> set[str]:
    """Find the places of a text that are filled in, as they are written: ``name``, ``at:+.1f``.

    :raises ValueError: a brace is not closed, or none was opened.
    """
    forms = [text] if isinstance(text, str) else text
    parts = [part for form in forms for part in string.Formatter().parse(form) if part[1] is not None]
    return {f"{name}{'!' + change if change else ''}{':' + form if form else ''}" for _, name, form, change in parts}


def _named(found: set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(found)) or "–"


def spoken_or_german(language: str) -> tuple[str, str]:
    """Return the language if there are words of it, else German and what to tell about it."""
    if language in languages():
        return language, ""
    return "de", say("words", "no_such_language", "de", language=language, known=", ".join(languages()))

"""Check a club's own words, and begin a catalogue of them."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

import polib

from kiosk.app.fitting import misfits
from kiosk.errors import KioskError, shorten
from kiosk.language import LANGUAGES, say, texts
from kiosk.language.catalogue import BadCatalogue, Text, read_keys, shipped
from kiosk.language.own_words import NAME, check_file

#: The languages that come with the program; a new one begins as German.
_HEADER = """\
# {name}
# docs/words.md
msgid ""
msgstr ""
"Language: {name}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"""


def check(
    paths: Sequence[Path],
    folder: Path,
    language: str,
    out: TextIO | None = None,
    measure: Callable[[Path], list[str] | None] | None = None,
) -> int:
    """Print what is at fault in catalogues, by default in all of the folder; 1 if anything is.

    :param measure: lists the texts that are cut on the smallest screen (``fitting.measure``), None if it cannot draw.
    """
    chosen, out = list(paths) or sorted(folder.glob("*.po")), out or sys.stdout
    if not chosen:
        raise KioskError(say("words", "none_there", language, folder=folder))
    every, at_fault = sum(len(found) for found in shipped("de").values()), False
    for path in chosen:
        if not path.is_file():
            raise KioskError(f"{path}: no such file")
        entries, faults = check_file(path)
        cut = measure(path) if measure and entries else []
        if cut is None:
            print(say("words", "not_measured", language, file=path.name), file=out)
        faults += misfits(path, entries, cut or ())
        for fault in faults:
            print(fault.told(language), file=out)
        said = len({(one.subject, one.code) for one in entries})
        told = {"file": path.name, "n": said, "faults": len(faults), "missing": every - said}
        print(say("words", "checked", language, **told), file=out)
        at_fault |= bool(faults)
    return int(at_fault)


def new(name: str, target: Path, folder: Path, language: str, out: TextIO | None = None) -> int:
    """Write a catalogue with every text still empty, or add to one what it lacks; nothing that is in it changes."""
    if not NAME.fullmatch(name):
        raise KioskError(f"{shorten(name)} is no code of a language; take one like bar, hes or de-AT")
    path = target / f"{name}.po"
    try:
        there = read_keys(path) if path.exists() else set()
    except BadCatalogue as error:
        raise KioskError(f"{path}: line {error.line}: put it right first: stichwart words check {path}") from error
    shown = texts(name if name in LANGUAGES else "de")
    lacking = [
        _empty(subject, code, text)
        for subject, found in shown.items()
        for code, text in found.items()
        if (subject, code) not in there
    ]
    if not lacking:
        print(say("words", "nothing_new", language, path=path), file=out or sys.stdout)
        return 0
    with path.open("a", encoding="utf-8") as file:
        file.write(("" if there else _HEADER.format(name=name)) + "\n" + "\n".join(lacking))
    print(say("words", "written", language, path=path, n=len(lacking), folder=folder), file=out or sys.stdout)
    return 0


def _empty(subject: str, code: str, text: Text) -> str:
    """An entry without words, above it those that are said so far."""
    one = polib.POEntry(msgctxt=subject, msgid=code, comment=text if isinstance(text, str) else " | ".join(text))
    if not isinstance(text, str):
        one.msgid_plural, one.msgstr_plural = code, {0: "", 1: ""}
    return str(one.__unicode__(wrapwidth=110))

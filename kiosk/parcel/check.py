"""Look a parcel through, at the direction as it comes in and at each table before it is taken."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from kiosk.language import LANGUAGES
from kiosk.language.catalogue import BadCatalogue, read_entries, shipped
from kiosk.language.own_words import check_file
from kiosk.parcel.parcel import LARGEST, BadParcel, check_name
from kiosk.parcel.settings import read_settings
from kiosk.parcel.sounds import read_sounds
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.known import ENDING, book_of_text, decoded
from vision.deck.file_check import check_deck_file
from vision.errors import DeckError

#: Letters of a text, and texts that no catalogue of this version knows: another version has some others.
_LONGEST_TEXT, _MOST_UNKNOWN = 2000, 200

#: Letters of what is said to be wrong with a book.
_LONGEST_WHY = 400


def check_parcel(kind: str, name: str, content: bytes) -> dict[str, Any]:
    """Return what people are told of a parcel's content: ``faces``, ``texts``, ``signals``, ``settings`` or ``title``.

    :raises BadParcel: it is not what it is called, or larger than any.
    """
    check_name(kind, name)
    if len(content) > LARGEST[kind]:
        megabytes = LARGEST[kind] / 1e6
        raise BadParcel("parcel_size", f"{len(content)} bytes, at most {LARGEST[kind]}", size=f"{megabytes:g}")
    return _CHECKS[kind](name, content)


def _deck(_name: str, content: bytes) -> dict[str, Any]:
    try:
        labels = check_deck_file(content)
    except DeckError as error:
        raise BadParcel("parcel_deck", str(error)) from error
    return {"faces": len(labels)}


def _words(name: str, content: bytes) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="stichwart-") as folder:
        path = Path(folder) / f"{name}.po"
        path.write_bytes(content)
        try:
            entries = list(read_entries(path))
        except BadCatalogue:
            entries = []
        known = shipped("de")
        unknown = sum(one.code not in known.get(one.subject, {}) for one in entries)
        longest = max((len(str(one.text)) for one in entries), default=0)
        if unknown > _MOST_UNKNOWN or longest > _LONGEST_TEXT:
            raise BadParcel(
                "parcel_words_other", f"{name}.po: {unknown} unknown texts, the longest of {longest}", name=name
            )
        found, faults = check_file(path)
    faults = [fault for fault in faults if not fault.code.startswith("unknown")]
    if faults:
        fault = faults[0]
        text = fault.values.get("name", "?")[:80]
        raise BadParcel("parcel_words", fault.told("en"), file=path.name, line=fault.line, entry=text)
    if not found:
        raise BadParcel("parcel_words_other", f"{name}.po: no text of ours", name=name)
    return {"texts": len(found)}


def _sounds(_name: str, content: bytes) -> dict[str, Any]:
    return {"signals": sorted(read_sounds(content))}


def _settings(_name: str, content: bytes) -> dict[str, Any]:
    return {"settings": read_settings(content)}


def _book(name: str, content: bytes) -> dict[str, Any]:
    try:
        file = f"{name}{ENDING}"
        book = book_of_text(name, decoded(content, file), file)
    except BadBook as error:
        told = {f"why_{language}": error.told(language)[:_LONGEST_WHY] for language in LANGUAGES}
        raise BadParcel("parcel_book", str(error), why=told["why_de"], **told) from None
    return {"title": book.title}


_CHECKS: Final[Mapping[str, Callable[[str, bytes], dict[str, Any]]]] = {
    "deck": _deck,
    "words": _words,
    "sounds": _sounds,
    "settings": _settings,
    "book": _book,
}

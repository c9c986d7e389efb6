"""The lesson of a deck on a terminal, and the check of a finished one."""

import select
import sys
from pathlib import Path
from typing import TextIO

from vision.deck import Deck, deck_path
from vision.errors import CameraError, DeckError
from vision.lesson import COPIES, FACES, Lesson
from vision.lesson_words import rival_words, state_words, text
from vision.rivals import USUAL_SCALE, alike, rivals
from vision.scans import learn_from_folder
from vision.sources import Source, open_source


def learn_from_camera(
    name: str,
    camera: str,
    folder: Path | str | None = None,
    faces: str = "doppelkopf",
    *,
    with_back: bool = False,
    source: Source | None = None,
    out: TextIO | None = None,
    keys: TextIO | None = None,
    language: str = "de",
) -> int:
    """The lesson on a terminal: a line for each change of the verdict; saves and checks the deck.

    ``keys``: where people type ``z`` (the last once more), ``s`` (this one later) and ``e`` (end); by default the
    terminal, if there is one. Returns exit status 1 if it broke off.

    :raises CameraError: no such camera
    :raises DeckError: faces that no deck has, or a folder that cannot be written
    """
    out = out or sys.stdout
    if faces not in FACES:
        raise DeckError(f"faces {faces!r} are not known; choose one of {', '.join(FACES)}")
    if keys is None and sys.stdin is not None and sys.stdin.isatty():
        keys = sys.stdin
    lesson = Lesson(name, FACES[faces], copies=COPIES[faces], with_back=with_back)
    bavarian = faces == "schafkopf"
    shown: tuple[str | None, str] | None = None
    if keys is not None:
        print(text("keys", language), file=out, flush=True)
    with source or open_source(camera, hold=12) as frames:
        while not lesson.done:
            if keys is not None and _pressed(keys, lesson):
                break
            try:
                state = lesson.look(next(frames))
            except StopIteration:
                break
            except CameraError as error:
                if not frames.live:
                    raise
                state = lesson.state("camera", detail=str(error))
            if (state.asked, state.verdict) != shown:
                shown = state.asked, state.verdict
                print(state_words(state, bavarian, language), file=out, flush=True)
    if not lesson.done:
        print(text("broken", language, n=len(lesson.labels) - len(lesson.learned)), file=out)
        return 1
    deck = lesson.deck()
    path = deck.save(folder)
    print(text("learned", language, name=name, n=len(lesson.labels), path=path), file=out)
    tell_rivals(deck, lesson.scale or USUAL_SCALE, out, language)
    return 0


def _pressed(keys: TextIO, lesson: Lesson) -> bool:
    """Do what was typed; True: end."""
    while select.select([keys], [], [], 0)[0]:
        line = keys.readline()
        if not line:
            return False
        match line.strip().lower()[:1]:
            case "z":
                lesson.back()
            case "s":
                lesson.skip()
            case "d" | "y":
                lesson.insist()
            case "e":
                return True
    return False


def learn_from_pictures(
    name: str,
    pictures: Path,
    folder: Path | str | None = None,
    size_mm: tuple[float, float] | None = None,
    out: TextIO | None = None,
    language: str = "de",
) -> int:
    """Learns a deck from scans or photographs, one card a file, and checks it; 0 also where two faces are alike.

    :raises DeckError: files that cannot be learned from
    """
    out = out or sys.stdout
    deck = learn_from_folder(name, pictures, folder, size_mm=size_mm)
    width, height = deck.size_mm
    path = deck_path(name, folder)
    print(text("scanned", language, name=name, n=len(deck.faces), w=f"{width:g}", h=f"{height:g}", path=path), file=out)
    tell_rivals(deck, USUAL_SCALE, out, language)
    return 0


def check_deck(
    name: str,
    folder: Path | str | None = None,
    scale: float = USUAL_SCALE,
    out: TextIO | None = None,
    language: str = "de",
) -> int:
    """Prints which faces of a deck may be taken for each other by a camera of ``scale`` px a mm.

    Returns 1 if there are such, else 0.

    :raises DeckError: no such deck
    """
    return tell_rivals(Deck.load(name, folder), scale, out or sys.stdout, language)


def tell_rivals(deck: Deck, scale: float, out: TextIO, language: str = "de") -> int:
    """Check a deck and print what came of it; 1 if two faces are alike."""
    found = rivals(deck, scale)
    told = alike(found)
    for line in rival_words(deck.name, found, told, "E" in deck.suits, language):
        print(line, file=out, flush=True)
    return 1 if told else 0

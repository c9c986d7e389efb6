"""Teach a deck on a terminal, before a camera or from pictures, and check a finished one."""

import select
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import vision.simulation.registration  # noqa: F401 - offers sim:
from kiosk.app.lesson_words import rival_words, state_words
from kiosk.errors import shorten
from kiosk.language import say
from vision.camera.source import Source, open_source
from vision.deck.deck import Deck
from vision.deck.folder import deck_path
from vision.errors import CameraError, DeckError
from vision.messages import LessonState
from vision.teaching.confusable_pairs import USUAL_SCALE_PX_PER_MM, confusable_pairs, too_similar
from vision.teaching.from_scans import learn_from_folder
from vision.teaching.lesson import Lesson
from vision.teaching.packs import COPIES, FACES


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
    """Teach a deck before a camera, printing a line for each change of the verdict; save and check it.

    ``keys``: where people type ``z`` (the last once more), ``s`` (this one later) and ``e`` (end); by default the
    terminal, if there is one. Returns exit status 1 if it broke off.

    :raises CameraError: no such camera
    :raises DeckError: faces that no deck has, or a folder that cannot be written
    """
    out = out or sys.stdout
    if faces not in FACES:
        raise DeckError(f"faces {shorten(faces)} are not known; choose one of {', '.join(FACES)}")
    if keys is None and sys.stdin is not None and sys.stdin.isatty():
        keys = sys.stdin
    lesson = Lesson(name, FACES[faces], copies=COPIES[faces], with_back=with_back)
    bavarian = faces == "schafkopf"
    if keys is not None:
        print(say("lesson", "keys", language), file=out, flush=True)
    shown: tuple[str | None, str] | None = None
    with source or open_source(camera, hold=12) as frames:
        for state in _states(lesson, frames, keys):
            if (state.asked, state.verdict) != shown:
                shown = state.asked, state.verdict
                print(state_words(state, bavarian, language), file=out, flush=True)
    if not lesson.done:
        print(say("lesson", "broken", language, n=len(lesson.labels) - len(lesson.learned)), file=out)
        return 1
    deck = lesson.deck()
    path = deck.save(folder)
    print(say("lesson", "learned", language, name=name, n=len(lesson.labels), path=path), file=out)
    tell_rivals(deck, lesson.scale or USUAL_SCALE_PX_PER_MM, out, language)
    return 0


def _states(lesson: Lesson, frames: Source, keys: TextIO | None) -> Iterator[LessonState]:
    """Feed the lesson frame by frame and yield its state after each, until it is done, ended by a key or out of frames.

    :raises CameraError: the source is not live and broke
    """
    while not lesson.done and not (keys is not None and _pressed(keys, lesson)):
        try:
            state = lesson.feed(next(frames))
        except StopIteration:
            return
        except CameraError as error:
            if not frames.live:
                raise
            state = lesson.state("camera", detail=str(error))
        yield state


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
    """Learn a deck from scans or photographs, one card a file, and check it; 0 also where two faces are alike.

    :raises DeckError: files that cannot be learned from
    """
    out = out or sys.stdout
    deck = learn_from_folder(name, pictures, folder, size_mm=size_mm)
    width, height = deck.size_mm
    path = deck_path(name, folder)
    print(
        say("lesson", "scanned", language, name=name, n=len(deck.faces), w=f"{width:g}", h=f"{height:g}", path=path),
        file=out,
    )
    tell_rivals(deck, USUAL_SCALE_PX_PER_MM, out, language)
    return 0


def check_deck(
    name: str,
    folder: Path | str | None = None,
    scale: float = USUAL_SCALE_PX_PER_MM,
    out: TextIO | None = None,
    language: str = "de",
) -> int:
    """Print which faces of a deck a camera of ``scale`` px per mm may confuse with each other.

    Returns 1 if there are such, else 0.

    :raises DeckError: no such deck
    """
    return tell_rivals(Deck.load(name, folder), scale, out or sys.stdout, language)


def tell_rivals(deck: Deck, scale: float, out: TextIO, language: str = "de") -> int:
    """Check a deck and print the result; 1 if two faces are alike."""
    found = confusable_pairs(deck, scale)
    told = too_similar(found)
    for line in rival_words(deck.name, found, told, "E" in deck.suits, language):
        print(line, file=out, flush=True)
    return 1 if told else 0

"""Read the cards in pictures and films, with a learned deck or without, and print or draw them."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

import cv2

from kiosk.app.commands.annotate import annotated, readable, save_picture
from kiosk.errors import shorten
from vision.deck.deck import Deck
from vision.errors import DeckError, VisionError
from vision.images import PictureError, read_shrunk
from vision.indices.generic_reader import read_cards
from vision.indices.hand import FaceIndices, read_hand_by_indices
from vision.indices.reading import LABELS
from vision.mat.calibration import MatNotSeen, find_mat
from vision.recognition.card_reading import CardReading
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.recognise import recognise
from vision.tracking.film_labels import FILMS, FilmRecogniser, FilmWriter, frames_a_second, read_film

__all__ = ["recognise_files"]

#: Pixels that are read as they are: a telephone's 24 megapixels; larger pictures at half their width and height.
MOST_PIXELS_AT_ONCE = 25_000_000
#: What is said where nothing has a name: with a learned deck, and without.
NO_CARD = "no card"
NO_LETTERS = f"{NO_CARD} whose letters or pips can be read; a deck without has to be taught: stichwart deck learn NAME"


def recognise_files(
    paths: Iterable[Path | str],
    deck: str | None = None,
    folder: Path | str | None = None,
    as_json: bool = False,
    out: TextIO | None = None,
    err: TextIO | None = None,
    draw: Path | str | None = None,
    hand: bool = False,
) -> int:
    """Read the cards of each picture or film; print one line per picture, for films one line per change.

    Without ``deck`` cards are read by their French indices, English or German. With ``as_json`` a line is ``{"file",
    "cards": [{"label", "quad", "margin", "choices"}]}``, where label is null if in doubt, and for films also ``"at"``,
    seconds from the start; what cannot be read gives ``{"file", "cards": [], "error"}``. ``draw`` is a folder for
    annotated pictures and films. With ``hand`` each picture shows one hand of French cards laid open on the mat, as a
    fan or in a row. Returns the exit status: 0 if everything could be read, else 1; the others are worked through all
    the same.

    :raises DeckError: no such deck
    :raises VisionError: the folder ``draw`` cannot be written
    """
    known = None if deck is None else Deck.load(deck, folder)
    features = None if known is None else DeckFeatures(known)
    reader: FilmRecogniser = read_cards if features is None else lambda picture: recognise(picture, features)
    if hand:
        reader = _hand_reader(known)
    work = _Work(
        reader,
        french=known is None or not set(known.suits) & set("EG"),
        as_json=as_json,
        out=out or sys.stdout,
        err=err or sys.stderr,
        drawn=None if draw is None else _Drawn(Path(draw)),
    )
    return max([work.one(Path(path)) for path in paths], default=0)


def _hand_reader(deck: Deck | None) -> FilmRecogniser:
    """Make what reads an open hand on the mat; a picture without the mat is a ``MatNotSeen``.

    :raises DeckError: a deck whose cards have no index that can be read
    """
    faces = None if deck is None else FaceIndices(deck.faces)
    if deck is not None and not set(deck.faces) <= set(faces.patches if faces is not None else ()):
        raise DeckError(
            f"deck {shorten(deck.name)} has no indices that can be read, and an open hand shows little else"
        )
    labels = LABELS if deck is None else tuple(deck.faces)
    return lambda picture: read_hand_by_indices(picture, find_mat(picture).view, labels, faces)


class _Work:
    """One call: how is read, and where results go."""

    def __init__(
        self, reader: FilmRecogniser, *, french: bool, as_json: bool, out: TextIO, err: TextIO, drawn: "_Drawn | None"
    ) -> None:
        self.reader, self.french, self.as_json = reader, french, as_json
        self.out, self.err, self.drawn = out, err, drawn
        self.nothing = NO_LETTERS if reader is read_cards else NO_CARD

    def one(self, path: Path) -> int:
        """Exit status of one file."""
        try:
            if path.suffix.lower() in FILMS:
                self._film(path)
            else:
                self._picture(path)
        except (PictureError, MatNotSeen) as why:
            if self.as_json:
                self._line({"file": str(path), "cards": [], "error": str(why)})
            print(why, file=self.err)
            return 1
        return 0

    def _picture(self, path: Path) -> None:
        picture, by = read_shrunk(path, MOST_PIXELS_AT_ONCE)
        cards = self.reader(picture)
        if self.as_json:
            self._line({"file": str(path), "cards": [_record(card, by) for card in cards]})
        else:
            told = ", ".join(_words(card, by) for card in cards) or self.nothing
            print(f"{path}: {told}", file=self.out, flush=True)
        if self.drawn is not None:
            save_picture(self.drawn.path(path, ".jpg"), annotated(*readable(picture, cards), self.french))

    def _film(self, path: Path) -> None:
        writer = None
        if self.drawn is not None and path.is_file():
            writer = FilmWriter(self.drawn.path(path, ".mp4"), _rate(path))
        told_any = False
        try:
            for told in read_film(path, self.reader, every_frame=writer is not None):
                if told.changed:
                    told_any = True
                    self._told(path, told.at, told.cards)
                if writer is not None:
                    writer.write(annotated(told.frame, told.cards, self.french, f"{told.at:.1f} s"))
        finally:
            if writer is not None:
                writer.close()
        if not told_any:
            self._told(path, 0.0, ())

    def _told(self, path: Path, at: float, cards: tuple[CardReading, ...]) -> None:
        if self.as_json:
            self._line({"file": str(path), "at": round(at, 3), "cards": [_record(card) for card in cards]})
            return
        text = ", ".join(_words(card) for card in cards) or self.nothing
        print(f"{path} {_clock(at)}: {text}", file=self.out, flush=True)

    def _line(self, record: dict[str, Any]) -> None:
        print(json.dumps(record, ensure_ascii=False), file=self.out, flush=True)


class _Drawn:
    """Files in the folder for annotated pictures; two of one name get numbers."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / ".writable"
            probe.touch()
            probe.unlink()
        except OSError as why:
            raise VisionError(
                f"{folder}: annotated pictures cannot be written there ({why.strerror or why}); name another folder"
            ) from why
        self._folder = folder
        self._names: set[str] = set()

    def path(self, source: Path, suffix: str) -> Path:
        """Where the annotated picture of ``source`` goes; never over the source itself."""
        name, number = f"{source.stem}-read{suffix}", 2
        while name in self._names:
            name, number = f"{source.stem}-read-{number}{suffix}", number + 1
        self._names.add(name)
        return self._folder / name


def _rate(path: Path) -> float:
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        return frames_a_second(capture)
    finally:
        capture.release()


def _clock(at: float) -> str:
    return f"{int(at) // 60}:{at % 60:04.1f}"


def _record(card: CardReading, by: int = 1) -> dict[str, Any]:
    """:param by: pixels of the file for one of the picture that was read."""
    return {
        "label": card.label,
        "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in card.quad * by],
        "margin": round(card.margin, 3),
        "choices": [[label, round(score, 3)] for label, score in card.choices],
    }


def _words(card: CardReading, by: int = 1) -> str:
    x, y = card.quad.mean(0) * by
    name = card.label or ("face down" if card.face_down else "? (" + " or ".join(c[0] for c in card.choices[:3]) + ")")
    return f"{name} at ({x:.0f}, {y:.0f}) margin {card.margin:.2f}"

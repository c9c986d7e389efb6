"""Learn, save and load decks: a reference picture of each face; one file a deck.

A deck is learned from rectified pictures of its faces (``Deck.learn``), whether they come from scans, from labelled
photographs (``teaching.from_labels``) or from a guided lesson before the camera. All that recognition needs besides is
computed from these pictures, so a deck file survives a change of the algorithm.
"""

import io
import os
import re
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck.face_quality import check_faces
from vision.deck.folder import DECK_NAME, FACE_ENTRY, FORMAT, deck_path, existing_deck
from vision.errors import DeckError
from vision.images import Picture

#: Pixels a millimetre of the stored references. 2 … 8; more costs disk and nothing else, less loses small indices.
REFERENCE_SCALE = 4.0
#: French tournament cards, the size taken where none is known (mm).
FRENCH_SIZE = (59.0, 91.0)
#: Bavarian ones (mm).
BAVARIAN_SIZE = (56.0, 100.0)
#: The label under which a deck may keep its back.
BACK = "back"

_LABEL = re.compile(r"[A-Za-z0-9]{1,8}")


@dataclass(frozen=True, eq=False)
class Deck:
    """The faces of one pack of cards.

    ``size_mm``: width and height of a card. ``faces``: label to (h, w, 3) uint8 BGR, upright, edge to edge, all of
    one shape. ``copies``: how many of each face a pack holds, None if unknown. ``back``: like a face, or None.
    """

    name: str
    size_mm: tuple[float, float]
    faces: Mapping[str, Picture]
    copies: int | None = None
    back: Picture | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels in the order in which they were learned."""
        return tuple(self.faces)

    @cached_property
    def suits(self) -> tuple[str, ...]:
        """First letters of the labels, in order."""
        return tuple(dict.fromkeys(label[0] for label in self.faces))

    @cached_property
    def ranks(self) -> tuple[str, ...]:
        """What follows the suit in the labels, in order."""
        return tuple(dict.fromkeys(label[1:] for label in self.faces))

    @classmethod
    def learn(
        cls,
        name: str,
        pictures: Mapping[str, Picture],
        size_mm: tuple[float, float] = FRENCH_SIZE,
        *,
        wanted: Iterable[str] = (),
        copies: int | None = None,
    ) -> "Deck":
        """Learn a deck from rectified pictures (each edge to edge, upright, any resolution).

        ``wanted``: labels the deck must have. A picture labelled ``back`` becomes the back.

        :raises DeckError: no face, a wanted face missing, two labels with the same picture, a picture cut off,
            too small, or washed out by glare; the text names every such label
        """
        if not DECK_NAME.fullmatch(name):
            raise DeckError(f"deck name {name!r}: take letters, digits, '.', '_' and '-', at most 64")
        width, height = size_mm
        if not (20 <= width <= height <= 200):
            raise DeckError(f"deck {name!r}: no card is {width} mm wide and {height} mm high; 59 × 91 is usual")
        for label in pictures:
            if not _LABEL.fullmatch(label):
                raise DeckError(f"deck {name!r}: label {label!r} is no card; write suit and rank, like HT or EU")
        shape = round(width * REFERENCE_SCALE), round(height * REFERENCE_SCALE)
        faces = {label: _resized(picture, shape) for label, picture in pictures.items()}
        back = faces.pop(BACK, None)
        problems = list(check_faces(faces, originals=pictures, wanted=tuple(wanted)))
        if problems:
            raise DeckError(f"deck {name!r} cannot be learned: " + "; ".join(map(str, problems)))
        return cls(name, (float(width), float(height)), faces, copies, back)

    def save(self, folder: Path | str | None = None) -> Path:
        """Write ``NAME.npz`` whole or not at all and return its path.

        :raises DeckError: the folder cannot be written
        """
        path = deck_path(self.name, folder)
        content: dict[str, NDArray[np.generic]] = {
            "format": np.array(FORMAT),
            "size_mm": np.array(self.size_mm, np.float64),
            "copies": np.array(self.copies or 0),
            "labels": np.array(self.labels),
        }
        content |= {f"{FACE_ENTRY}{label}": np.asarray(picture) for label, picture in self.faces.items()}
        if self.back is not None:
            content[BACK] = self.back
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
                try:
                    np.savez_compressed(file, allow_pickle=False, **content)
                    file.flush()
                    os.fsync(file.fileno())
                    os.chmod(file.name, 0o644)
                    os.replace(file.name, path)
                except BaseException:
                    Path(file.name).unlink(missing_ok=True)
                    raise
        except OSError as why:
            raise DeckError(f"deck {self.name!r} cannot be written to {path}: {why.strerror or why}") from why
        return path

    @classmethod
    def load(cls, name: str, folder: Path | str | None = None) -> "Deck":
        """Load the deck ``name`` of ``folder``; ``name`` may also be the path of a deck file.

        :raises DeckError: there is no such deck (the text lists those there are), or the file is damaged or newer
        """
        path = existing_deck(name, folder)
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
                if int(stored["format"]) > FORMAT:
                    raise DeckError(f"{path}: written by a newer version (format {stored['format']}); learn it again")
                faces = {str(label): stored[f"{FACE_ENTRY}{label}"] for label in stored["labels"]}
                width, height = (float(x) for x in stored["size_mm"])
                copies = int(stored["copies"]) or None
                back = stored.get(BACK)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as why:
            if isinstance(why, DeckError):
                raise
            raise DeckError(f"{path}: is no deck file or is damaged ({why}); learn the deck again") from why
        return cls(path.stem, (width, height), faces, copies, back)


def _resized(picture: Picture, shape: tuple[int, int]) -> Picture:
    smaller = picture.shape[1] >= shape[0]
    return np.asarray(
        cv2.resize(picture, shape, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC), np.uint8
    )

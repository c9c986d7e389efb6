"""Find decks in their folder and check their files, without a picture: a table's process has no NumPy to read one."""

import re
import zipfile
from pathlib import Path

from platformdirs import user_data_path

from vision.errors import DeckError

#: Format of the file; a file with a greater number was written by a newer version.
FORMAT = 1
#: Entries of a deck's file (NumPy's ``npz``, a ZIP archive) that hold a face begin with this, its label follows.
FACE_ENTRY = "face_"
#: Deck names, which are file names.
DECK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def default_folder() -> Path:
    """Locate the folder of decks unless one is given: in the user's data folder of Stichwart."""
    return user_data_path("stichwart") / "decks"


def deck_path(name: str, folder: Path | str | None = None) -> Path:
    """Locate the file of deck ``name`` in ``folder``."""
    if not DECK_NAME.fullmatch(name):
        raise DeckError(f"deck name {name!r}: take letters, digits, '.', '_' and '-', at most 64")
    return (Path(folder) if folder is not None else default_folder()) / f"{name}.npz"


def deck_names(folder: Path | str | None = None) -> tuple[str, ...]:
    """List the names of the decks in ``folder``, sorted; empty if the folder does not exist."""
    where = Path(folder) if folder is not None else default_folder()
    return tuple(sorted(path.stem for path in where.glob("*.npz")))


def existing_deck(name: str, folder: Path | str | None = None) -> Path:
    """Locate the file of a deck that exists; ``name`` may also be the path of a deck file.

    :raises DeckError: there is no such deck; the text lists those there are
    """
    path = Path(name) if name.endswith(".npz") else deck_path(name, folder)
    if not path.is_file():
        there = ", ".join(deck_names(path.parent)) or "none yet; learn one with `stichwart deck learn`"
        raise DeckError(f"no deck {name!r} in {path.parent}; decks there: {there}")
    return path


def deck_labels(name: str, folder: Path | str | None = None, *, whole: bool = False) -> tuple[str, ...]:
    """List the labels of a deck in the order in which they were learned, without reading its pictures.

    :param whole: read every byte and compare check sums, as before a deck is taken for play.
    :raises DeckError: there is no such deck, or its file is damaged or newer
    """
    path = existing_deck(name, folder)
    try:
        with zipfile.ZipFile(path) as stored:
            labels = tuple(
                entry.removeprefix(FACE_ENTRY).removesuffix(".npy")
                for entry in stored.namelist()
                if entry.startswith(FACE_ENTRY)
            )
            format = int.from_bytes(stored.read("format.npy")[-8:], "little")  # an array's numbers end its entry
            torn = stored.testzip() if whole else None
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile, NotImplementedError) as why:
        raise DeckError(f"{path}: is no deck file or is damaged ({why}); learn the deck again") from why
    if torn or not labels:
        raise DeckError(f"{path}: is no deck file or is damaged ({torn or 'no face'}); learn the deck again")
    if format > FORMAT:
        raise DeckError(f"{path}: written by a newer version (format {format}); learn it again")
    return labels

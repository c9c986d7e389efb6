"""Keep what the direction has given this table: whole files by their hash, one file that names those that count.

That file is replaced by one rename, so after a power cut all is as before or as given. At each start of the program
what it names is laid where decks, words and settings are read; nothing changes while people play.
"""

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Final

from kiosk.app.decks import CHOSEN, GIVEN, given_decks
from kiosk.app.kept_settings import KeptSettings, write_whole
from kiosk.parcel.parcel import BadParcel, Parcel, check_name
from kiosk.parcel.settings import read_settings
from kiosk.parcel.sounds import read_sounds
from kiosk.rules.composed.known import ENDING
from vision.deck.folder import deck_path

log = logging.getLogger(__name__)

_NAMED: Final = "given.json"

#: Which decks' files were laid here, with their hashes: others are people's own.
_LAID: Final = "laid.json"

#: What people had chosen before a deck was given.
_BEFORE: Final = "chosen-before"


class GivenFolder:
    """What was given, below the data folder.

    :param decks: folder of the decks.
    """

    def __init__(self, data: Path, decks: Path) -> None:
        self._data, self._decks, self.folder = data, decks, data / KeptSettings.GIVEN.parent

    @property
    def words(self) -> Path:
        """Folder of the given words."""
        return self.folder / "words"

    @property
    def books(self) -> Path:
        """Folder of the given books of clubs."""
        return self.folder / "books"

    def path(self, digest: str) -> Path:
        """Return where the file of that hash lies, or will."""
        return self.folder / digest

    def part(self, digest: str) -> Path:
        """Return where it is written until it is whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder / f"{digest}.part"

    def is_here(self, digest: str) -> bool:
        """Whether the whole file of that hash is here."""
        try:
            return sha256(self.path(digest).read_bytes()).hexdigest() == digest
        except OSError:
            return False

    def take(self, part: Path, digest: str) -> None:
        """Put a file that is whole in its place."""
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(self.path(digest))

    def read(self) -> tuple[Parcel, ...]:
        """List what was given and is here whole."""
        try:
            told = json.loads((self.folder / _NAMED).read_text(encoding="utf-8"))
            parcels = [Parcel(**one) for one in told]
            for one in parcels:
                check_name(one.kind, one.name)  # it becomes a file's, whatever has become of this one
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, TypeError) as error:
            log.error("what the direction has given is not known any more, it gives it again: %s", error)
            return ()
        return tuple(one for one in parcels if self.is_here(one.sha256))

    def name(self, parcels: tuple[Parcel, ...]) -> bool:
        """Have these count from the next start on; whether that could be written."""
        text = json.dumps([asdict(one) for one in parcels], indent=1)
        if not write_whole(self.folder / _NAMED, text + "\n"):
            return False
        wanted = {one.sha256 for one in parcels}
        for path in self.folder.iterdir():
            if path.is_file() and len(path.stem) == 64 and path.stem not in wanted:
                path.unlink(missing_ok=True)
        return True

    def lay(self) -> tuple[Parcel, ...]:
        """Lay what was given where it is read, take away what counts no more; return what is here.

        Each step may be cut off and is done again at the next start.
        """
        if not self.folder.is_dir():
            return ()
        parcels = self.read()
        for step in (self._lay_decks, self._lay_words, self._lay_books, self._lay_settings):
            try:
                step(parcels)
            except (OSError, BadParcel) as error:
                log.error("what the direction has given is not laid whole: %s", error)
        return parcels

    def sounds(self) -> Mapping[str, bytes]:
        """Return the given sounds by signal; none where there are none."""
        for one in self.read():
            if one.kind == "sounds":
                try:
                    return read_sounds(self.path(one.sha256).read_bytes())
                except (OSError, BadParcel) as error:
                    log.error("the given sounds are not taken: %s", error)
        return {}

    def laid_decks(self) -> frozenset[str]:
        """Names of the decks that were given and not learned here."""
        return frozenset(name.removesuffix(".npz") for name in self._laid())

    # --- decks

    def _lay_decks(self, parcels: tuple[Parcel, ...]) -> None:
        laid, wanted = self._laid(), [one for one in parcels if one.kind == "deck"]
        if not laid and not wanted:
            return
        self._decks.mkdir(parents=True, exist_ok=True)
        here = {name: self._hash_of(self._decks / name) for name in laid}
        ours = {name: digest for name, digest in laid.items() if here[name] == digest}
        keep: dict[str, str] = {}
        given: list[str] = []
        for one in wanted:
            file = self._place_of(one, ours)
            given.append(file.removesuffix(".npz"))
            if self._hash_of(self._decks / file) != one.sha256 or file in ours:
                keep[file] = one.sha256
        new = [name for name in given if name not in given_decks(self._decks)]
        for name, digest in ours.items():
            if keep.get(name) != digest:  # one of before must not be taken for one that was learned here
                (self._decks / name).unlink(missing_ok=True)
        _write(self.folder / _LAID, json.dumps(keep))
        for file, digest in keep.items():
            if ours.get(file) != digest:
                _put(self._decks / file, self.path(digest).read_bytes())
        self._choose(new, given)

    def _place_of(self, deck: Parcel, ours: Mapping[str, str]) -> str:
        """The file that a given deck gets; a deck of this name that was learned here stays."""
        usual = deck_path(deck.name, self._decks)
        if usual.name in ours or self._hash_of(usual) in ("", deck.sha256):
            return usual.name
        return deck_path(f"{deck.name[:57]}.{deck.sha256[:6]}", self._decks).name

    def _choose(self, new: list[str], given: list[str]) -> None:
        """A deck that was not given before comes before what people have chosen; without any that counts again."""
        chosen, before = self._decks / CHOSEN, self._decks / _BEFORE
        if new and chosen.exists():
            chosen.replace(before)
        if not given and before.exists() and not chosen.exists():
            before.replace(chosen)
        _write(self._decks / GIVEN, "".join(f"{name}\n" for name in given))

    def _laid(self) -> dict[str, str]:
        try:
            laid = json.loads((self.folder / _LAID).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        found = laid.items() if isinstance(laid, dict) else ()
        return {str(name): str(digest) for name, digest in found if "/" not in name and name.endswith(".npz")}

    @staticmethod
    def _hash_of(path: Path) -> str:
        try:
            return sha256(path.read_bytes()).hexdigest()
        except OSError:
            return ""

    # --- words, books and settings

    def _lay_words(self, parcels: tuple[Parcel, ...]) -> None:
        self._lay_files({f"{one.name}.po": one.sha256 for one in parcels if one.kind == "words"}, self.words)

    def _lay_books(self, parcels: tuple[Parcel, ...]) -> None:
        self._lay_files({f"{one.name}{ENDING}": one.sha256 for one in parcels if one.kind == "book"}, self.books)

    def _lay_files(self, wanted: Mapping[str, str], folder: Path) -> None:
        """Let these files, by name and hash, and no others lie in a folder."""
        if not wanted and not folder.is_dir():
            return
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            if path.name not in wanted:
                path.unlink()
        for name, digest in wanted.items():
            if self._hash_of(folder / name) != digest:
                _put(folder / name, self.path(digest).read_bytes())

    def _lay_settings(self, parcels: tuple[Parcel, ...]) -> None:
        """What was set on the screen before counts no more where something else is given; what is set later does."""
        path = self._data / KeptSettings.GIVEN
        digest = next((one.sha256 for one in parcels if one.kind == "settings"), "")
        if not digest:
            path.unlink(missing_ok=True)
        elif self._hash_of(path) != digest:
            content = self.path(digest).read_bytes()
            kept = KeptSettings(self._data)
            for section, keys in read_settings(content).items():
                kept.forget(section, keys)
            _put(path, content)


def _put(path: Path, content: bytes) -> None:
    """Write a file whole, on the disk, or not at all."""
    beside = path.with_name(f"{path.name}.part")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _write(path: Path, text: str) -> None:
    _put(path, text.encode())

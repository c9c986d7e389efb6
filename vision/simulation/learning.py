"""Learn decks from the simulated camera, as a person teaches one before a real camera."""

import fcntl
import hashlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path

import platformdirs

import vision
from vision.deck.deck import Deck
from vision.deck.folder import deck_path
from vision.errors import DeckError
from vision.geometry.projection import PlaneProjection
from vision.simulation.art import load_art
from vision.simulation.artwork import Art
from vision.simulation.scene import learning_frames
from vision.teaching.from_labels import rectified

#: What decks were learned with stays on the disk for so many states of the program: a checkout is one, each change too.
STATES_KEPT = 12


def learn_simulated_deck(art: Art, seed: int = 0, labels: Sequence[str] | None = None) -> Deck:
    """Learn a deck from one simulated camera frame a face.

    :param labels: its faces, ``back`` for the back; by default ``art.doppelkopf``.
    """
    faces = {}
    for label, scene in learning_frames(art, seed, art.doppelkopf if labels is None else labels):
        corners = PlaneProjection(scene.calibrated, (scene.frame.shape[1], scene.frame.shape[0]))
        true = PlaneProjection(scene.homography, corners.size)
        faces[label] = rectified(scene.frame, corners.project(true.unproject(scene.cards[0].quad)), art.size_mm)
    return Deck.learn(art.name, faces, art.size_mm)


def kept_deck_file(name: str, labels: Sequence[str] | None = None) -> Path:
    """Return the file of a deck learned by :func:`learn_simulated_deck`, from the user's cache if it is there.

    It is learned anew when anything that draws or learns has changed: this package, OpenCV or NumPy.

    :raises DeckError: a deck that cannot be drawn here, or a cache that cannot be written.
    """
    folder = _folder_of_state() / ("all" if labels is None else _digest(" ".join(labels).encode()))
    path = deck_path(name, folder)
    if not path.exists():
        with _alone(folder):
            if not path.exists():  # nobody else was faster
                learn_simulated_deck(load_art(name), labels=labels).save(folder)
    return path


def kept_deck(name: str, labels: Sequence[str] | None = None) -> Deck:
    """Load the deck of :func:`kept_deck_file`."""
    return Deck.load(name, kept_deck_file(name, labels).parent)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


@cache
def _state() -> str:
    """Digest what draws and learns."""
    sources = sorted(Path(vision.__path__[0]).rglob("*.py"))
    versions = " ".join(version(package) for package in ("numpy", "opencv-python"))
    return _digest(b"".join(path.read_bytes() for path in sources) + versions.encode())


def _folder_of_state() -> Path:
    """Name the folder of the decks learned in this state; those of states that nobody has used for long are removed."""
    every = platformdirs.user_cache_path("stichwart", appauthor=False) / "demo-decks"
    own = every / _state()
    if not own.exists():
        used = sorted(every.glob("*/"), key=lambda folder: folder.stat().st_mtime, reverse=True)
        for folder in used[STATES_KEPT - 1 :]:
            shutil.rmtree(folder, ignore_errors=True)
    return own


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process learns a deck of this folder: two programs that start at once learn it once.

    :raises DeckError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise DeckError(f"{folder} cannot be written: {error.strerror or error}") from error

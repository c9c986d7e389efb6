"""Render the decks of Debian's ``gnome-cards-data`` and ``kdegames-card-data-kf5`` as art for the simulated table.

Their art is under the GPL: it is rendered where it is installed and never shipped.
"""

import io
import os
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
from platformdirs import user_cache_dir

from vision.errors import DeckError
from vision.simulation.artwork import BACK, BAVARIAN_MM, FRENCH_MM, Art, pixels, rounded

#: Cards across and down in the sheets of both packages.
_SHEET_COLUMNS = 13
_SHEET_ROWS = 5


@dataclass(frozen=True, slots=True)
class _CardSheet:
    """A sheet of 13 × 5 cards: suits by row, ranks by column, the back in the last row.

    Where ``back`` is None the cards stand otherwise and are rendered one by one, by the names that KDE's programs
    know them by: ``1_club``, ``king_heart``, ``back``.
    """

    package: str
    file: str
    size_mm: tuple[float, float]
    suits: str
    ranks: str  # a dot where a column is not needed
    back: int | None

    @property
    def labels(self) -> tuple[str, ...]:
        """Of all faces that are taken from it."""
        return tuple(suit + rank for suit in self.suits for rank in self.ranks if rank != ".")


def _gnome(name: str) -> _CardSheet:
    return _CardSheet(
        "gnome-cards-data", f"/usr/share/aisleriot/cards/{name}.svgz", FRENCH_MM, "CDHS", "A.....789TJQK", 2
    )


def _kde(name: str, size_mm: tuple[float, float], suits: str, ranks: str, back: int | None = 0) -> _CardSheet:
    return _CardSheet("kdegames-card-data-kf5", f"/usr/share/carddecks/{name}", size_mm, suits, ranks, back)


#: As KDE names suits and ranks.
_SUITS = MappingProxyType({"C": "club", "S": "spade", "H": "heart", "D": "diamond"})
_RANKS = MappingProxyType({"A": "1", "T": "10", "K": "king", "Q": "queen", "J": "jack", "9": "9", "8": "8", "7": "7"})

#: Name → sheet. German indices on the first four; xskat-german has the German suits; the last four English indices.
DECKS = MappingProxyType(
    {
        **{name: _gnome(name) for name in ("lattmann", "berlin", "rheinland", "atlasnye_skat")},
        "xskat-french": _kde("svg-xskat-french/french.svgz", FRENCH_MM, "CSHD", "AKQJT987....."),
        "xskat-german": _kde("svg-xskat-german/german.svgz", BAVARIAN_MM, "HSGE", "AKOUT987....."),
        **{name: _gnome(name) for name in ("dondorf", "anglo")},
        "standard": _kde("svg-standard/standard.svgz", FRENCH_MM, "CSHD", "ATKQJ987", None),
        "white": _kde("svg-nicu-white/white.svgz", FRENCH_MM, "CSHD", "ATKQJ987", None),
    }
)


def load(name: str) -> Art:
    """Return the deck of this name, rendered once and then kept in the user's cache.

    :raises DeckError: if its package or ``rsvg-convert`` is missing.
    """
    sheet = DECKS[name]
    if not Path(sheet.file).is_file():
        raise DeckError(
            f"card art {name!r} is not installed ({sheet.file} is missing): apt install {sheet.package} librsvg2-bin"
        )
    stamp = int(Path(sheet.file).stat().st_mtime)
    kept = Path(user_cache_dir("stichwart")) / "art" / f"{name}-{stamp}-v2.npz"
    try:
        with np.load(io.BytesIO(kept.read_bytes())) as pictures:
            faces = {label: _opened(pictures[label]) for label in pictures.files}
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):  # not there yet, or cut off
        faces = _render(name, sheet)
        _keep(kept, faces)
    back = faces.pop(BACK)
    return Art(name, sheet.size_mm, MappingProxyType(faces), back)


def _keep(path: Path, faces: dict[str, np.ndarray]) -> None:
    """Write the cache whole or not at all; a cache that cannot be written costs only time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part.npz")  # two programs may render at once
        np.savez(part, **{label: _packed(face) for label, face in faces.items()})  # type: ignore[arg-type]
        part.replace(path)
    except OSError:
        return


def _packed(face: np.ndarray) -> np.ndarray:
    return cv2.imencode(".png", face, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]


def _opened(data: np.ndarray) -> np.ndarray:
    face = cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if data.ndim == 1 and data.size else None
    if face is None or face.ndim != 3 or face.shape[2] != 4:
        raise ValueError("no picture in the cache")
    return face


def _render(name: str, sheet: _CardSheet) -> dict[str, np.ndarray]:
    size = pixels(sheet.size_mm)
    if sheet.back is None:
        elements = {label: f"{_RANKS[label[1]]}_{_SUITS[label[0]]}" for label in sheet.labels} | {BACK: "back"}
        return {
            label: _fitted(_rendered(name, sheet, "-w", str(size[0]), "-i", element), size)
            for label, element in elements.items()
        }
    picture = _rendered(name, sheet, "-w", str(size[0] * _SHEET_COLUMNS))
    faces = {BACK: _cut(picture, _SHEET_ROWS - 1, sheet.back, size)}
    for row, suit in enumerate(sheet.suits):
        for column, rank in enumerate(sheet.ranks):
            if rank != ".":
                faces[suit + rank] = _cut(picture, row, column, size)
    return faces


def _rendered(name: str, sheet: _CardSheet, *options: str) -> np.ndarray:
    """Render a file as (h, w, 4) uint8 BGRA, in its own proportions."""
    program = shutil.which("rsvg-convert")
    if program is None:
        raise DeckError(f"card art {name!r} cannot be rendered without rsvg-convert: apt install librsvg2-bin")
    command = [program, "--unlimited", *options, sheet.file]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    except (subprocess.SubprocessError, OSError) as error:
        raise DeckError(f"card art {name!r} cannot be rendered from {sheet.file}: {error}") from error
    picture = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        raise DeckError(f"card art {name!r}: rsvg-convert gave no picture with transparency for {sheet.file}")
    return picture


def _cut(picture: np.ndarray, row: int, column: int, size: tuple[int, int]) -> np.ndarray:
    height, width = picture.shape[:2]
    cell = picture[
        round(row * height / _SHEET_ROWS) : round((row + 1) * height / _SHEET_ROWS),
        round(column * width / _SHEET_COLUMNS) : round((column + 1) * width / _SHEET_COLUMNS),
    ]
    return _fitted(cell, size)


def _fitted(cell: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Cut out the card in the cell, at its true size."""
    rows, columns = np.flatnonzero((cell[..., 3] > 128).any(1)), np.flatnonzero((cell[..., 3] > 128).any(0))
    card = cell[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    card = cv2.resize(card, size, interpolation=cv2.INTER_AREA)
    alpha = card[..., 3:].astype(np.float32) / 255
    paper = np.array((240, 242, 243), np.float32)
    whole = rounded((card[..., :3] * alpha + paper * (1 - alpha)).round().astype(np.uint8), radius_mm=2.0)
    whole[..., 3] = np.minimum(whole[..., 3], card[..., 3])  # most sheets have their own round corners
    return whole

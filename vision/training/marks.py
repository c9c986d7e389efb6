"""Draw rank glyphs and suit pips as masks, in shapes as varied as cards have them."""

import math
import subprocess
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.indices.networks import RANKS, SUITS

#: What stands on a card for a rank; a German queen is a Dame, a knave a Bube.
ENGLISH = {rank: rank for rank in RANKS} | {"T": "10"}
GERMAN = ENGLISH | {"Q": "D", "J": "B"}
_SIGNS = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}
_WRITES = "0123456789AKQJDB"
#: Fonts that would teach nothing: no plain Latin capitals in them, or the glyphs are boxes and pictures.
_UNFIT = (
    "emoji",
    "symbol",
    "math",
    "barcode",
    "dingbats",
    "icon",
    "d050000l",
    "lastresort",
    "cmex",
    "signs",
    "dots",
    "squares",
    "numberboxes",
    "lobster",
    "z003",
    "chorus",
    "isabella",
    "radisnoir",
    "rufscript",
    "ecolier",
    "oldania",
    "lcmss",
    "boxed",
)


@lru_cache
def fonts() -> tuple[str, ...]:
    """List all installed fonts that have the letters and figures, sorted.

    :raises FileNotFoundError: if there is no ``fc-list``.
    """
    chars = " ".join(f"{ord(c):x}" for c in _WRITES)
    listed = subprocess.run(["fc-list", f":charset={chars}", "file"], capture_output=True, check=True, text=True).stdout
    files = {line.split(":")[0].strip() for line in listed.splitlines()}
    return tuple(sorted(f for f in files if _fit(f)))


def _fit(file: str) -> bool:
    name = Path(file).name.lower()
    if not name.endswith((".ttf", ".otf", ".ttc", ".pfb", ".t1")) or any(word in name for word in _UNFIT):
        return False
    # Noto has a file for each script of the world, all with the same Latin letters
    return not (
        name.startswith("noto") and not name.startswith(("notosans-", "notoserif-", "notosansdisplay", "notomono"))
    )


def pick(files: tuple[str, ...], rng: np.random.Generator) -> str:
    """Choose a font: each family as likely as any other, and few slanted ones, as on cards."""
    families = sorted({family(f) for f in files})
    chosen = families[rng.integers(len(families))]
    members = [f for f in files if family(f) == chosen]
    upright = [f for f in members if not any(word in f.lower() for word in ("italic", "oblique", "ital", "slanted"))]
    if upright and rng.random() < 0.93:
        members = upright
    return members[rng.integers(len(members))]


def family(file: str) -> str:
    """Return what fonts of one family share: the name up to its style."""
    return Path(file).name.lower().split(".")[0].split("-")[0]


def split(files: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split fonts by family into those to train on and to validate on: every ninth family is kept back."""
    families = sorted({family(f) for f in files})
    kept = set(families[4::9])
    return tuple(f for f in files if family(f) not in kept), tuple(f for f in files if family(f) in kept)


@lru_cache
def sign_fonts() -> tuple[str, ...]:
    """Select the fonts that have the four suit signs."""
    chars = " ".join(f"{ord(c):x}" for c in _SIGNS.values())
    listed = subprocess.run(["fc-list", f":charset={chars}", "file"], capture_output=True, check=True, text=True).stdout
    files = {line.split(":")[0].strip() for line in listed.splitlines()}
    return tuple(sorted(f for f in files if f.endswith((".ttf", ".otf")) and "emoji" not in f.lower()))


@lru_cache(512)
def _font(file: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, size)


def text(file: str, words: str, size: int = 96, stroke: int = 0, tight: float = 0.0) -> np.ndarray:
    """Draw the words' mask (h, w) uint8, cropped to the ink; ``tight`` moves letters together, in parts of the size.

    :raises ValueError: if the font draws nothing for them.
    """
    font = _font(file, size)
    canvas = Image.new("L", (size * (len(words) + 2), size * 3), 0)
    draw = ImageDraw.Draw(canvas)
    x = float(size)
    for letter in words:
        draw.text((x, size * 0.8), letter, fill=255, font=font, stroke_width=stroke)
        x += font.getlength(letter) - tight * size
    return cropped(np.asarray(canvas), f"{file}: {words!r}")


def cropped(mask: np.ndarray, what: str = "mask") -> np.ndarray:
    """Return the mask without its empty margins.

    :raises ValueError: if there is no ink, or next to none.
    """
    rows, columns = np.flatnonzero((mask > 60).any(1)), np.flatnonzero((mask > 60).any(0))
    if len(rows) < 6 or len(columns) < 2:
        raise ValueError(f"no ink: {what}")
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def sign(file: str, suit: str, size: int = 96) -> np.ndarray:
    """Draw a suit's sign as a font has it."""
    return text(file, _SIGNS[suit], size)


class PipStyle:
    """One set of four pips, drawn from random numbers; the same object draws the same pips."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._r = rng.uniform(-1, 1, 24)

    def mask(self, suit: str, size: int = 96) -> np.ndarray:
        """Draw the pip's mask, (h, w) uint8, cropped."""
        fine = size * 2
        canvas = np.zeros((fine * 2, fine * 2), np.uint8)
        for outline in getattr(self, f"_{_NAMES[suit]}")():
            points = np.round((np.asarray(outline) * fine * 0.5 + fine) * 16).astype(np.int32)
            cv2.fillPoly(canvas, [points], 255, cv2.LINE_AA, 4)
        return cropped(cv2.resize(canvas, (fine, fine), interpolation=cv2.INTER_AREA), suit)

    def _heart(self) -> list[np.ndarray]:
        r = self._r
        return [_mirrored(_bezier([
            [(0, -0.55 - 0.15 * r[0]), (0.1, -0.9), (0.35, -1.0 - 0.05 * r[1]), (0.55 + 0.05 * r[2], -1.0)],
            [(0.55 + 0.05 * r[2], -1.0), (0.85, -1.0), (1.0, -0.7), (0.98 + 0.05 * r[3], -0.4)],
            [(0.98 + 0.05 * r[3], -0.4), (0.95, 0.05 + 0.2 * r[4]), (0.3 + 0.2 * r[5], 0.45 + 0.15 * r[6]), (0, 1.0)],
        ]))]  # fmt: skip

    def _diamond(self) -> list[np.ndarray]:
        r = self._r
        wide, hollow = 0.78 + 0.17 * r[7], 0.09 * max(0.0, r[8] + 0.5) - 0.03 * (r[8] < -0.7)
        control = (wide / 2 - hollow, -0.5 + hollow)
        return [_mirrored(_bezier([
            [(0, -1), control, control, (wide, 0)],
            [(wide, 0), (control[0], -control[1]), (control[0], -control[1]), (0, 1)],
        ]))]  # fmt: skip

    def _stem(self, top: float) -> np.ndarray:
        r = self._r
        foot, waist = 0.32 + 0.16 * r[9], 0.07 + 0.04 * r[10]
        return _mirrored(_bezier([
            [(waist * 0.8, top), (waist, 0.6), (waist + 0.04 + 0.1 * (r[11] + 1), 0.85), (foot, 1.0)],
            [(foot, 1.0), (foot * 0.6, 1.0 - 0.04 * (r[12] + 1)), (0.1, 1.0 - 0.04 * (r[12] + 1)), (0, 1.0)],
        ]))  # fmt: skip

    def _spade(self) -> list[np.ndarray]:
        r = self._r
        low = 0.62 + 0.1 * r[13]
        body = _mirrored(_bezier([
            [(0, -1), (0.2 + 0.15 * r[14], -0.45 + 0.15 * r[15]), (0.95, -0.2), (0.95 + 0.05 * r[16], 0.25)],
            [(0.95 + 0.05 * r[16], 0.25), (0.95, low), (0.45 + 0.1 * r[17], low + 0.12), (0.18, low - 0.1)],
            [(0.18, low - 0.1), (0.1, low - 0.15), (0.05, low - 0.2), (0, low - 0.25)],
        ]))  # fmt: skip
        return [body, self._stem(low - 0.3)]

    def _club(self) -> list[np.ndarray]:
        r = self._r
        size, apart, up = 0.42 + 0.05 * r[18], 0.53 + 0.05 * r[19], -0.55 + 0.05 * r[20]
        angle = np.linspace(0, 2 * math.pi, 40, endpoint=False)
        disc = np.column_stack([np.cos(angle), np.sin(angle)])
        side = 0.18 + 0.08 * r[21]
        lobes = [disc * size + (0, up), disc * size + (apart, side), disc * size + (-apart, side)]
        middle = np.array([(0, up + 0.1), (apart * 0.7, side), (0, 0.45), (-apart * 0.7, side)])
        if r[22] > 0:  # some clubs are three separate leaves on thin stalks
            right = np.array(
                [(0.09, up), (0.09, 0.1), (apart, side - 0.06), (apart, side + 0.08), (0.09, 0.3), (0, 0.5)]
            )
            middle = np.vstack([right, right[-2::-1] * (-1, 1)])
        return [*lobes, middle, self._stem(0.1)]


_NAMES = dict(zip(SUITS, ("club", "spade", "heart", "diamond"), strict=True))


def _bezier(pieces: list[list[tuple[float, float]]], steps: int = 12) -> np.ndarray:
    t = np.linspace(0, 1, steps)[:, None]
    weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    return np.vstack([weights @ np.array(piece, float) for piece in pieces])


def _mirrored(right: np.ndarray) -> np.ndarray:
    return np.vstack([right, right[::-1] * (-1, 1)])

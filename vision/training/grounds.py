"""Make backgrounds of scenes: tables of all kinds, print that is no card, things that cover cards."""

import glob

import cv2
import numpy as np

from vision.training import marks

#: Folders of pictures that Debian's wallpaper packages install.
WALLPAPERS = ("/usr/share/wallpapers/*/contents/images/*", "/usr/share/backgrounds/**/*")
_WORDS = [
    "Der",
    "Alte",
    "hat",
    "die",
    "Zehn",
    "und",
    "das",
    "As",
    "am",
    "Tisch",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "A",
    "K",
    "D",
    "B",
    "Q",
    "J",
    "Liste",
    "Spiel",
    "Summe",
    "Punkte",
    "Re",
    "Kontra",
    "the",
    "quick",
    "brown",
    "fox",
    "jumps",
    "over",
    "a",
    "lazy",
    "dog",
    "King",
    "Queen",
    "Jack",
    "Ace",
    "table",
    "score",
    "round",
    "120",
    "240",
    "61",
    "30",
    "90",
    "EUR",
    "Seite",
    "Nr",
]


def wallpapers(limit: int = 120) -> list[np.ndarray]:
    """Load the installed wallpapers, each (h, w, 3) uint8 with its short side at 520 px, one of each motif."""
    found: dict[str, str] = {}
    for pattern in WALLPAPERS:
        for file in sorted(glob.glob(pattern, recursive=True)):
            if file.lower().endswith((".jpg", ".jpeg", ".png", ".webp")):
                found.setdefault(_motif(file), file)
    pictures = []
    for file in list(found.values())[:limit]:
        picture = cv2.imread(file, cv2.IMREAD_REDUCED_COLOR_2)
        if picture is not None and min(picture.shape[:2]) > 200:
            scale = 520 / min(picture.shape[:2])
            pictures.append(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    return pictures


def _motif(file: str) -> str:
    parts = file.split("/")
    return parts[parts.index("contents") - 1] if "contents" in parts else file


def noise(rng: np.random.Generator, size: int, cell: float, stretch: float = 1.0) -> np.ndarray:
    """Draw smooth noise of this grain, stretched along a random direction: (size, size) float32, about -1 ... 1."""
    rows, columns = max(3, round(size / cell)), max(3, round(size / (cell * stretch)))
    coarse = rng.standard_normal((rows, columns)).astype(np.float32)
    fine = cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC)
    if stretch > 1:
        turn = cv2.getRotationMatrix2D((size / 2, size / 2), float(rng.uniform(0, 360)), 1.0)
        fine = cv2.warpAffine(fine, turn, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return fine / 2


def procedural(rng: np.random.Generator, size: int) -> np.ndarray:
    """Draw a table: cloth, wood, carpet, leather, tiles or plain; (size, size, 3) float32."""
    base = rng.uniform(10, 235, 3) if rng.random() < 0.5 else rng.uniform(15, 120) * rng.uniform(0.6, 1.3, 3)
    if rng.random() < 0.25:  # baize
        base = np.array([rng.uniform(20, 90), rng.uniform(50, 140), rng.uniform(5, 70)])
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = base
    kind = rng.integers(5)
    strength = rng.uniform(4, 60)
    tint = rng.uniform(0.5, 1.2, 3).astype(np.float32)
    if kind == 0:  # wood
        grain = noise(rng, size, rng.uniform(3, 14), rng.uniform(6, 20)) + 0.5 * noise(rng, size, 2.5, 10)
        picture += (strength * grain)[..., None] * tint
    elif kind == 1:  # carpet
        grain = noise(rng, size, rng.uniform(2, 9)) + noise(rng, size, rng.uniform(1.5, 4))
        picture += (strength * grain)[..., None] * tint
    elif kind == 2:  # woven
        y, x = np.mgrid[0:size, 0:size].astype(np.float32)
        angle, step = rng.uniform(0, np.pi), rng.uniform(2.5, 16)
        u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
        wave = np.sin(u * 2 * np.pi / step) * (1 if rng.random() < 0.5 else np.sin(v * 2 * np.pi / step))
        picture += (strength * 0.6 * (np.sign(wave) if rng.random() < 0.3 else wave))[..., None] * tint
    elif kind == 3:  # tiles, checks
        y, x = np.mgrid[0:size, 0:size]
        step = int(rng.integers(12, 90))
        lines = ((x // step + y // step) % 2) if rng.random() < 0.5 else ((x % step < 3) | (y % step < 3))
        picture += (strength * 1.5 * lines)[..., None].astype(np.float32) * tint * rng.choice([-1, 1])
    else:
        picture += strength * 0.15 * noise(rng, size, 1.5)[..., None]
    picture += rng.uniform(0, 25) * noise(rng, size, rng.uniform(40, 150))[..., None]
    return np.clip(picture, 0, 255)


def photograph(rng: np.random.Generator, size: int, pictures: list[np.ndarray]) -> np.ndarray:
    """Cut out a part of a photograph at any scale and turn."""
    source = pictures[rng.integers(len(pictures))]
    side = int(rng.integers(120, min(source.shape[:2])))
    y, x = (int(rng.integers(0, n - side + 1)) for n in source.shape[:2])
    part = cv2.resize(source[y : y + side, x : x + side], (size, size), interpolation=cv2.INTER_AREA)
    return np.rot90(part, int(rng.integers(4))).astype(np.float32)


def sheet(rng: np.random.Generator, files: tuple[str, ...], signs: bool) -> np.ndarray:
    """Draw a printed paper as BGRA: words, figures, a table, single large letters.

    ``signs`` adds pips, never under a letter.
    """
    width, high = int(rng.integers(200, 420)), int(rng.integers(260, 480))
    tone = rng.uniform(225, 255)
    picture = np.empty((high, width, 3), np.float32)
    picture[:] = (tone - rng.uniform(0, 25), tone - rng.uniform(0, 8), tone)
    file = marks.pick(files, rng)
    ink = (
        rng.uniform(0, 90, 3)
        if rng.random() < 0.7
        else np.array([rng.uniform(0, 80), rng.uniform(0, 60), rng.uniform(150, 230)])
    )
    size, y = int(rng.integers(9, 60)), int(rng.integers(5, 30))
    if rng.random() < 0.4:  # ruled as a score sheet is
        step = int(rng.integers(14, 40))
        for at in range(0, max(width, high), step):
            cv2.line(picture, (0, at), (width, at), (150, 140, 140), 1)
            if rng.random() < 0.7:
                cv2.line(picture, (at, 0), (at, high), (150, 140, 140), 1)
    while y < high - size - 4:
        x = int(rng.integers(4, 24))
        while x < width - size:
            try:
                if signs and rng.random() < 0.25:
                    mask = marks.sign(
                        marks.sign_fonts()[rng.integers(len(marks.sign_fonts()))], "CSHD"[rng.integers(4)]
                    )
                else:
                    mask = marks.text(file, _WORDS[rng.integers(len(_WORDS))], size=64)
            except ValueError:
                break
            k = size / 64 if mask.shape[0] < 90 else size / mask.shape[0]
            mask = cv2.resize(mask, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)[: high - y, : width - x]
            part = picture[y : y + mask.shape[0], x : x + mask.shape[1]]
            part += (np.array(ink, np.float32) - part) * (mask[..., None] / np.float32(255))
            x += mask.shape[1] + size // 2
            if rng.random() < 0.15:
                x += int(rng.integers(0, 100))
        y += int(size * rng.uniform(1.3, 2.2))
    alpha = np.full((high, width), 255, np.uint8)
    return np.dstack([np.clip(picture, 0, 255).astype(np.uint8), alpha])

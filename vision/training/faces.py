"""Make cards to train on, drawn from random numbers or rendered from Debian's art, with their indices annotated."""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.indices.networks import RANKS, SUITS
from vision.training import marks

#: How high cards are drawn, px; the finest index that a scene shows is about a third of it.
FACE_HEIGHT_PX = 480


@dataclass(frozen=True, slots=True)
class Spot:
    """An index on a card: centre and height in px of its texture, turned by 0 or pi."""

    x: float
    y: float
    height: float
    width: float
    flipped: bool
    rank: str
    suit: str


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One card: (h, w, 4) uint8 BGRA, and its indices."""

    texture: np.ndarray
    spots: tuple[Spot, ...]
    name: str


# ---------------------------------------------------------------- drawn


@dataclass(frozen=True, slots=True, eq=False)
class FaceStyle:
    """Style that the cards of one drawn deck share."""

    font: str
    writes: dict[str, str]
    pips: marks.PipStyle | str  # drawn so, or the signs of this font
    colours: dict[str, tuple[float, ...]]
    paper: tuple[float, ...]
    width: int
    rank_height: float
    rank_width: float  # of an "A"-wide letter, parts of the rank's height
    ten_width: float
    pip_height: float  # parts of the rank's height
    gap: float
    margin: tuple[float, float]
    four: bool
    stroke: int
    tight: float
    big: float
    columns: float
    frame: bool
    round: float
    left: bool


def random_style(rng: np.random.Generator, files: tuple[str, ...]) -> FaceStyle:
    """Draw a deck's style from random numbers; ``files`` are the fonts it may use."""
    red = (rng.uniform(10, 70), rng.uniform(5, 60), rng.uniform(170, 245))
    black = tuple(rng.uniform(5, 45) + rng.uniform(-5, 14, 3))
    colours = {"H": red, "D": red, "C": black, "S": black}
    if rng.random() < 0.13:  # four colours
        colours["C"] = (rng.uniform(20, 70), rng.uniform(90, 150), rng.uniform(10, 60))
        colours["D"] = (rng.uniform(150, 230), rng.uniform(70, 130), rng.uniform(10, 60)) if rng.random() < 0.6 else (
            rng.uniform(0, 60), rng.uniform(140, 190), rng.uniform(220, 250))  # fmt: skip
        if rng.random() < 0.4:
            colours["S"] = (rng.uniform(120, 200), rng.uniform(40, 100), rng.uniform(0, 40))
    tone = rng.uniform(232, 255)
    german = rng.random() < 0.45
    shape = rng.random()
    jumbo = rng.random() < 0.15
    sign = rng.random() < 0.35
    pips = marks.sign_fonts()[rng.integers(len(marks.sign_fonts()))] if sign else marks.PipStyle(rng)
    rank_height = rng.uniform(0.13, 0.2) if jumbo else rng.uniform(0.062, 0.125)
    rank_width = rng.uniform(0.45, 0.95)
    return FaceStyle(
        font=marks.pick(files, rng),
        writes=marks.GERMAN if german else marks.ENGLISH,
        pips=pips,
        colours=colours,
        paper=(tone - rng.uniform(0, 22) * (rng.random() < 0.5), tone - rng.uniform(0, 6), tone),
        width=round(FACE_HEIGHT_PX * (rng.uniform(0.62, 0.66) if shape < 0.45 else rng.uniform(0.66, 0.73))),
        rank_height=rank_height,
        rank_width=rank_width,
        ten_width=rank_width * rng.uniform(1.0, 1.6),
        pip_height=rng.uniform(0.5, 1.1),
        gap=rng.uniform(0.04, 0.4) * (1.0 if rng.random() < 0.85 else 0.3),
        margin=(rng.uniform(0.025, 0.085), rng.uniform(0.018, 0.075)),
        four=rng.random() < (0.75 if german else 0.15),
        stroke=int(rng.integers(0, 4)) if rng.random() < 0.5 else 0,
        tight=rng.uniform(0.0, 0.12),
        big=rng.uniform(0.11, 0.19),
        columns=rng.uniform(0.2, 0.31),
        frame=rng.random() < 0.3,
        round=rng.uniform(0.0, 0.06),
        left=rng.random() < 0.2,
    )


def skat(style: FaceStyle, rng: np.random.Generator) -> FaceStyle:
    """Return the style as German decks often have it: an index in each corner, its pip well below the letter."""
    return replace(
        style,
        writes=marks.GERMAN,
        four=True,
        rank_height=rng.uniform(0.06, 0.1),
        rank_width=rng.uniform(0.6, 0.95),
        pip_height=rng.uniform(0.55, 1.0),
        gap=rng.uniform(0.15, 0.65),
        margin=(rng.uniform(0.012, 0.06), rng.uniform(0.012, 0.06)),
    )


class FaceMiddles:
    """Source of the middles of drawn court cards: Debian's art."""

    def __init__(self, courts: list[np.ndarray]) -> None:
        self._courts = courts

    def middle(self, rng: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
        """Draw a part of a court card in other colours: (h, w, 3) uint8."""
        if not self._courts:
            return np.full((size[1], size[0], 3), 200, np.uint8)
        court = self._courts[rng.integers(len(self._courts))]
        part = cv2.resize(court, size, interpolation=cv2.INTER_AREA)
        if rng.random() < 0.5:
            part = part[:, ::-1]
        if rng.random() < 0.5:
            part = part[..., rng.permutation(3)]
        return np.ascontiguousarray(part)


_LAYOUT: dict[str, list[tuple[float, float]]] = {  # columns -1 0 1, rows 0 ... 1
    "A": [(0, 0.5)], "2": [(0, 0), (0, 1)], "3": [(0, 0), (0, 0.5), (0, 1)],
    "4": [(-1, 0), (1, 0), (-1, 1), (1, 1)], "5": [(-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)],
    "6": [(x, y) for x in (-1, 1) for y in (0, 0.5, 1)],
    "7": [*((x, y) for x in (-1, 1) for y in (0, 0.5, 1)), (0, 0.25)],
    "8": [*((x, y) for x in (-1, 1) for y in (0, 0.5, 1)), (0, 0.25), (0, 0.75)],
    "9": [*((x, y) for x in (-1, 1) for y in (0, 1 / 3, 2 / 3, 1)), (0, 0.5)],
    "T": [*((x, y) for x in (-1, 1) for y in (0, 1 / 3, 2 / 3, 1)), (0, 1 / 6), (0, 5 / 6)],
}  # fmt: skip


def draw(style: FaceStyle, rank: str, suit: str, rng: np.random.Generator, body: FaceMiddles) -> Face:
    """Draw one card of a drawn deck."""
    width, high = style.width, FACE_HEIGHT_PX
    picture = np.empty((high, width, 3), np.float32)
    picture[:] = style.paper
    ink = style.colours[suit]
    pip = _pip(style, suit)
    index, height, broad = _index(style, rank, pip)
    x = style.margin[0] * width + (broad / 2)
    y = style.margin[1] * high + height / 2
    if rank in "KQJ":
        _court(picture, style, ink, pip, rng, body, (x + broad / 2, y + height / 2))
    else:
        _number(picture, style, rank, ink, pip, rng, (x + broad / 2, y + height / 2))
    spots = []
    places = [(x, y, False), (width - x, high - y, True)]
    if style.four:
        places += [(width - x, y, False), (x, high - y, True)]
    for cx, cy, flipped in places:
        mask = index[::-1, ::-1] if flipped else index
        _stamp(picture, mask, (cx, cy), ink)
        spots.append(Spot(cx, cy, height, broad, flipped, rank, suit))
    if style.frame and rng.random() < 0.5:
        inset = int(rng.integers(2, 9))
        cv2.rectangle(
            picture,
            (inset, inset),
            (width - inset, high - inset),
            tuple(rng.uniform(0, 160, 3)),
            int(rng.integers(1, 3)),
        )
    return Face(_cut_round(picture, style.round), tuple(spots), "drawn")


def _pip(style: FaceStyle, suit: str) -> np.ndarray:
    return marks.sign(style.pips, suit) if isinstance(style.pips, str) else style.pips.mask(suit)


def _index(style: FaceStyle, rank: str, pip: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Draw the mask of rank above pip; also return its height and width in px of the texture (before margins)."""
    high = style.rank_height * FACE_HEIGHT_PX
    words = style.writes[rank]
    letter = marks.text(style.font, words, stroke=style.stroke, tight=style.tight if len(words) > 1 else 0.0)
    aspect = letter.shape[1] / letter.shape[0]
    usual_width = style.ten_width if len(words) > 1 else style.rank_width
    # letters keep something of their own width: an I is no M
    wide = high * min(usual_width * 1.15, 0.5 * usual_width + 0.5 * aspect * style.rank_width / 0.7)
    low = high * style.pip_height
    pip_wide = low * pip.shape[1] / pip.shape[0]
    gap = style.gap * high
    width, height = max(wide, pip_wide), high + gap + low
    mask = np.zeros((round(height), round(width) + 1), np.uint8)
    letter = cv2.resize(letter, (max(2, round(wide)), max(4, round(high))), interpolation=cv2.INTER_AREA)
    sign = cv2.resize(pip, (max(2, round(pip_wide)), max(4, round(low))), interpolation=cv2.INTER_AREA)
    at = 0 if style.left else (mask.shape[1] - letter.shape[1]) // 2
    mask[: letter.shape[0], at : at + letter.shape[1]] = letter
    at = 0 if style.left else (mask.shape[1] - sign.shape[1]) // 2
    mask[-sign.shape[0] :, at : at + sign.shape[1]] = np.maximum(mask[-sign.shape[0] :, at : at + sign.shape[1]], sign)
    return mask, float(mask.shape[0]), float(mask.shape[1])


def _stamp(picture: np.ndarray, mask: np.ndarray, centre: tuple[float, float], ink: tuple[float, ...]) -> None:
    h, w = mask.shape
    x0, y0 = round(centre[0] - w / 2), round(centre[1] - h / 2)
    a, b = max(0, -y0), max(0, -x0)
    part = picture[max(0, y0) : y0 + h, max(0, x0) : x0 + w]
    alpha = (mask[a : a + part.shape[0], b : b + part.shape[1], None] / 255.0).astype(np.float32)
    part += (np.array(ink, np.float32) - part) * alpha


def _number(
    picture: np.ndarray,
    style: FaceStyle,
    rank: str,
    ink: tuple[float, ...],
    pip: np.ndarray,
    rng: np.random.Generator,
    corner: tuple[float, float],
) -> None:
    high, width = picture.shape[:2]
    size = style.big * high * (rng.uniform(1.0, 2.4) if rank == "A" else 1.0)
    sign = cv2.resize(
        pip, (max(3, round(size * pip.shape[1] / pip.shape[0])), round(size)), interpolation=cv2.INTER_AREA
    )
    top = 0.1 + style.big / 2 + 0.02
    columns = max(style.columns, (corner[0] - 2 + sign.shape[1] / 2) / width)  # large pips stand clear of the index
    if columns > 0.36:
        columns, top = 0.36, max(top, (corner[1] + sign.shape[0] / 2) / high)
    for column, row in _LAYOUT[rank]:
        place = (width * (0.5 + column * (0.5 - columns)), high * (top + row * (1 - 2 * top)))
        _stamp(picture, sign[::-1] if row > 0.5 else sign, place, ink)


def _court(
    picture: np.ndarray,
    style: FaceStyle,
    ink: tuple[float, ...],
    pip: np.ndarray,
    rng: np.random.Generator,
    body: FaceMiddles,
    corner: tuple[float, float],
) -> None:
    high, width = picture.shape[:2]
    inset_x = corner[0] * rng.uniform(0.55, 1.15)
    inset_y = rng.uniform(0.03, 0.1) * high
    size = (max(40, round(width - 2 * inset_x)), max(40, round(high - 2 * inset_y)))
    x0, y0 = (width - size[0]) // 2, (high - size[1]) // 2
    middle = body.middle(rng, size)
    if inset_x < corner[0]:  # the index lies in the picture's corner: courts leave it free
        free = (round(corner[0] - x0 + 3), round(corner[1] - y0 + 3))
        if free[0] > 0 and free[1] > 0:
            for part in (
                middle[: free[1], : free[0]],
                middle[: free[1], -free[0] :],
                middle[-free[1] :, : free[0]],
                middle[-free[1] :, -free[0] :],
            ):
                part[:] = np.array(style.paper).astype(np.uint8)  # fmt: skip
    picture[y0 : y0 + size[1], x0 : x0 + size[0]] = middle
    if rng.random() < 0.5:
        line = tuple(rng.uniform(0, 110, 3))
        cv2.rectangle(picture, (x0, y0), (x0 + size[0], y0 + size[1]), line, int(rng.integers(1, 3)))
    if rng.random() < 0.75:  # a larger pip beside the index
        big = style.big * high * rng.uniform(0.6, 1.0)
        sign = cv2.resize(
            pip, (max(3, round(big * pip.shape[1] / pip.shape[0])), round(big)), interpolation=cv2.INTER_AREA
        )
        x, y = corner[0] + sign.shape[1] / 2 + rng.uniform(0, 8), style.margin[1] * high + rng.uniform(0.4, 0.9) * big
        _stamp(picture, sign, (x, y), ink)
        _stamp(picture, sign[::-1, ::-1], (width - x, high - y), ink)


def _cut_round(picture: np.ndarray, part: float) -> np.ndarray:
    high, width = picture.shape[:2]
    alpha = np.zeros((high, width), np.uint8)
    r = round(part * high)
    cv2.rectangle(alpha, (r, 0), (width - 1 - r, high - 1), 255, -1)
    cv2.rectangle(alpha, (0, r), (width - 1, high - 1 - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, high - 1 - r):
            cv2.circle(alpha, (x, y), r, 255, -1, cv2.LINE_AA)
    return np.dstack([np.clip(picture, 0, 255).astype(np.uint8), alpha])


# ---------------------------------------------------------------- Debian's art


@dataclass(frozen=True, slots=True)
class DebianDeck:
    """A sheet of 13 x 5 cards, suits C D H S by row, A 2 ... 10 J Q K by column."""

    name: str
    ranks: str = "A23456789TJQK"  # of the columns; a dot where the sheet writes something else
    file: str = ""

    @property
    def path(self) -> Path:
        """Where its package installs it."""
        return Path(self.file or f"/usr/share/aisleriot/cards/{self.name}.svgz")


#: Trained on. Held out from everything, seen by nobody: berlin, rheinland, dondorf, anglo and its bitmap, of KDE
#: standard, white and its sister ornamental. swiss-xvii has other suits, tango no flat paper, tango_nuevo its pips
#: elsewhere.
TRAINED = (
    DebianDeck("ancient_french", ".23456789T.Q."),
    DebianDeck("anglo_modern"),
    DebianDeck("anglo_modern_4_color"),
    DebianDeck("anglo_poker"),
    DebianDeck("bellot"),
    DebianDeck("gnomangelo"),
    DebianDeck("guyenne-classic", "A23456789T..."),
    DebianDeck("neoclassical"),
    DebianDeck("neoclassical_4_color"),
    DebianDeck("orell"),
    DebianDeck("paris"),
    DebianDeck("plastic"),
    DebianDeck("simplistic"),
    DebianDeck("slavic_costumes", ".23456789TJ.K"),
    DebianDeck("tarocco", "A23456789T.Q."),
)
#: Kept back to validate on while training.
VALIDATED = (
    DebianDeck("lattmann"),
    DebianDeck("atlasnye_skat", "A.....789TJQK"),
    DebianDeck("tigullio"),
)


def debian(deck: DebianDeck) -> Iterator[Face]:
    """Render all faces of a deck whose index is found.

    :raises FileNotFoundError: if the package or ``rsvg-convert`` is not installed.
    """
    program = shutil.which("rsvg-convert")
    if program is None or not deck.path.is_file():
        raise FileNotFoundError(f"{deck.name}: apt install gnome-cards-data kdegames-card-data-kf5 librsvg2-bin")
    width = round(FACE_HEIGHT_PX * 0.66)
    done = subprocess.run(
        [program, "--unlimited", "-w", str(width * 13), str(deck.path)], capture_output=True, check=True
    )
    sheet = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    assert sheet is not None, deck.path  # it is what the program has just written
    cards = {}
    for row, suit in enumerate("CDHS"):
        for column, rank in enumerate(deck.ranks):
            if rank != ".":
                cards[suit + rank] = _cell(sheet, row, column)
    box = _usual_box([card for label, card in cards.items() if label[1] in "789"])
    for label, card in cards.items():
        yield _with_index(card, box, label, deck.name)


def _cell(sheet: np.ndarray, row: int, column: int) -> np.ndarray:
    high, width = sheet.shape[:2]
    cell = sheet[
        round(row * high / 5) : round((row + 1) * high / 5),
        round(column * width / 13) : round((column + 1) * width / 13),
    ]
    rows, columns = np.flatnonzero((cell[..., 3] > 128).any(1)), np.flatnonzero((cell[..., 3] > 128).any(0))
    card = cell[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return cv2.resize(
        card, (round(card.shape[1] * FACE_HEIGHT_PX / card.shape[0]), FACE_HEIGHT_PX), interpolation=cv2.INTER_AREA
    )


def _ink(card: np.ndarray) -> np.ndarray:
    """Mask what is no paper, bool."""
    lab = cv2.cvtColor(card[..., :3], cv2.COLOR_BGR2LAB).astype(np.float32)
    paper = np.median(lab[100:-100, 8:60].reshape(-1, 3), axis=0)
    far = np.abs(lab - paper).sum(2)
    printed: np.ndarray = (far > 60) & (card[..., 3] > 200)
    return printed


def _pieces(card: np.ndarray, reach: tuple[float, float]) -> list[tuple[int, int, int, int]]:
    """Find the boxes x0 y0 x1 y1 of the ink's pieces that are wholly in the corner."""
    ink = _ink(card).astype(np.uint8)
    ink[:5] = ink[:, :5] = 0  # a border line is no ink, and the round corner none either
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink)
    found = []
    for x, y, w, h, area in stats[1:]:
        if (
            x + w < reach[0] * card.shape[1]
            and y + h < reach[1] * FACE_HEIGHT_PX
            and area > 25
            and h > 6
            and x + y > 12
        ):
            found.append((int(x), int(y), int(x + w), int(y + h)))
    return found


def _usual_box(cards: list[np.ndarray]) -> tuple[float, float, float, float]:
    boxes = []
    for card in cards:
        pieces = _pieces(card, (0.21, 0.34)) or _pieces(card, (0.27, 0.36))
        if len(pieces) >= 2:
            boxes.append(np.array(pieces).min(0)[:2].tolist() + np.array(pieces).max(0)[2:].tolist())
    x0, y0, x1, y1 = np.median(np.array(boxes), axis=0).tolist()
    return x0, y0, x1, y1


def _with_index(card: np.ndarray, box: tuple[float, float, float, float], label: str, name: str) -> Face:
    x0, y0, x1, y1 = box
    pieces = [
        p
        for p in _pieces(card, (0.26, 0.36))
        if p[0] < x1 and p[3] < y1 + 0.03 * FACE_HEIGHT_PX and p[2] < x1 + 0.08 * card.shape[1]
    ]
    if len(pieces) >= 2:
        own = np.array(pieces)
        if abs(own[:, 1].min() - y0) < 0.02 * FACE_HEIGHT_PX and abs(own[:, 3].max() - y1) < 0.02 * FACE_HEIGHT_PX:
            (x0, y0), (x1, y1) = own[:, :2].min(0).tolist(), own[:, 2:].max(0).tolist()
        else:
            x0, x1 = own[:, 0].min(), own[:, 2].max()
    x, y, h, w = (x0 + x1) / 2, (y0 + y1) / 2, y1 - y0, x1 - x0
    high, width = card.shape[:2]
    first = Spot(float(x), float(y), float(h), float(w), False, label[1], label[0])
    return Face(card, (first, replace(first, x=float(width - x), y=float(high - y), flipped=True)), name)


def interiors(decks: tuple[DebianDeck, ...]) -> list[np.ndarray]:
    """Cut out the middles of court cards, for drawn ones."""
    found = []
    for deck in decks:
        for face in debian(deck):
            if face.spots[0].rank in "KQJ":
                card = face.texture
                alpha = card[..., 3:] / 255.0
                whole = (card[..., :3] * alpha + 245 * (1 - alpha)).astype(np.uint8)
                found.append(
                    np.ascontiguousarray(whole[30:-30, round(0.2 * card.shape[1]) : round(0.8 * card.shape[1])])
                )
    return found


def labels() -> tuple[tuple[str, str], ...]:
    """List all ranks with all suits."""
    return tuple((rank, suit) for suit in SUITS for rank in RANKS)

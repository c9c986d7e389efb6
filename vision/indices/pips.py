"""Estimate a card's label by its pips: count them and compare their shapes, without any learning.

Evidence beside the index, of value where indices are small or blurred: pips are twice as large.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.images import Picture
from vision.indices.reading import LABELS, MIN_PROBABILITY, NUMBERS, RANKS, SUITS

#: Width and height, px, of the rectified card.
SIZE = (160, 228)
#: Cells of a pip's shape, across and down.
_GRID = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class PipLimits:
    """What print must be like to count as pips."""

    #: Darkness of print as a share of the paper's brightness, from which it is print. 0.2 … 0.4.
    min_darkness: float = 0.20
    #: Thresholds of darkness at which pips are counted, as shares of the darkest; the counts must not contradict.
    thresholds: tuple[float, ...] = (0.35, 0.5, 0.65)
    #: Area of a pip as a share of the card's, least and most: on a number card, and on an ace.
    pip_area: tuple[float, float] = (0.006, 0.040)
    ace_area: tuple[float, float] = (0.012, 0.16)
    #: Intersection over union with a suit's template from which pips are pips: with four or more, and with fewer.
    #: 0.6 … 0.8.
    min_shape_iou: float = 0.55
    min_shape_iou_of_few: float = 0.62
    #: Redness up to which print is black, and from which it is red; between, the colour is not known.
    max_black_redness: float = 0.22
    min_red_redness: float = 0.38
    #: Share of a card's middle, of so much of its width and height, from which it is a court's where no pips are
    #: counted. Courts of ten decks have from 0.6 on, by glare or as mere large letters less; number cards up to 0.55.
    court_share: float = 0.6
    court_middle: tuple[float, float] = (0.56, 0.6)
    #: What lies beside a card: how much darker it is than the paper, and the share of each side where it must be.
    min_step: float = 0.1
    min_side_share: float = 0.8


LIMITS = PipLimits()


@dataclass(frozen=True, slots=True, eq=False)
class PipEvidence:
    """Pips in the middle of a card.

    ``count``: of the pips if placed as on a number card or an ace, else 0. ``suits``: probabilities (4,) in the order
    C, S, H, D. ``red``: whether the print is red; None: not known. ``court``: whether it is full of print as on a court
    card.
    """

    count: int
    suits: Array
    red: bool | None
    court: bool = False

    def weights(self, trust: float = 0.9) -> Array:
        """Return each label's likelihood (52,) by the middle alone, in the order of ``LABELS``; flat if silent."""
        ranks = np.ones(len(RANKS))
        if self.count:
            rank = {1: "A", 10: "T"}.get(self.count, str(self.count))
            ranks = np.full(len(RANKS), (1 - trust) / (len(RANKS) - 1))
            ranks[RANKS.index(rank)] = trust
        elif self.court:
            ranks = np.array([MIN_PROBABILITY if rank in NUMBERS else 1.0 for rank in RANKS])
        weights = np.outer(self.suits, ranks).ravel()
        return np.asarray(weights / weights.sum())


def find_pips(frame: Picture, quad: Array) -> PipEvidence:
    """Count and compare the pips of the card at ``quad`` (4, 2) px, which must be whole and uncovered."""
    card = straightened(frame, quad, SIZE)
    dark, red = _ink(card)
    strong = float(np.percentile(dark, 97))
    readings = []
    for level in LIMITS.thresholds:  # pips that touch part at a higher one, pale ones show at a lower one
        pips = _pips((dark > max(LIMITS.min_darkness, level * strong)).astype(np.uint8), red)
        number = _number(pips)
        if number:
            readings.append((number, pips))
    numbers = {number for number, _ in readings}
    if len(numbers) != 1:
        return PipEvidence(0, np.full(4, 0.25), None, _is_court(dark))
    redness = float(np.median([pip[4] for _, pips in readings for pip in pips]))
    black = LIMITS.max_black_redness
    colour = None if black < redness < LIMITS.min_red_redness else redness > black
    suits = [one for _, pips in readings if (one := _suits(pips, colour)) is not None]
    if not suits:  # print of a court card that happens to stand like pips
        return PipEvidence(0, np.full(4, 0.25), None, _is_court(dark))
    return PipEvidence(numbers.pop(), np.mean(suits, axis=0), colour)


def _is_court(dark: Array) -> bool:
    """Check whether so much of the middle is print as on court cards."""
    aside, above = (round(side * (1 - share) / 2) for side, share in zip(SIZE, LIMITS.court_middle, strict=True))
    middle = dark[above : SIZE[1] - above, aside : SIZE[0] - aside]
    return bool((middle > LIMITS.min_darkness).mean() > LIMITS.court_share)


#: A pip: middle as shares of width and height, area as a share of the card's, its shape, how red it is.
_Pip = tuple[float, float, float, Array, float]


def _pips(ink: Array, red: Array) -> list[_Pip]:
    """Select the connected components of print that may be pips, without indices."""
    width, height = SIZE
    count, places, stats, centres = cv2.connectedComponentsWithStats(ink)
    pips: list[_Pip] = []
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        cx, cy = centres[k] / SIZE
        if cx < 0.16 or cx > 0.84:
            continue  # an index
        if x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1:
            continue  # ground beside a card whose outline is a little off
        share = area / (width * height)
        if share < LIMITS.pip_area[0] / 2 or not 0.4 < w / h < 1.8:
            continue
        mine = places[y : y + h, x : x + w] == k
        pips.append((cx, cy, share, mine, float(np.median(red[y : y + h, x : x + w][mine]))))
    usual = float(np.median([pip[2] for pip in pips])) if pips else 0.0
    # what is left of indices is smaller, or not where pips are
    return [pip for pip in pips if pip[2] > 0.55 * usual or (0.3 < pip[0] < 0.7 and 0.3 < pip[1] < 0.7)]


def straightened(frame: Picture, quad: Array, size: tuple[int, int]) -> Picture:
    """Rectify the card at ``quad`` edge to edge to (height, width, 3) for ``size`` (width, height)."""
    width, height = size
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    shrink = float(np.linalg.norm(quad[1] - quad[0])) / width
    x, y = np.clip(np.floor(quad.min(0) - 4).astype(int), 0, (frame.shape[1], frame.shape[0]))
    right, below = np.maximum(np.ceil(quad.max(0) + 4).astype(int), (x + 2, y + 2))
    part = frame[y:below, x:right]
    if min(part.shape[:2]) < 2:
        return np.zeros((height, width, 3), np.uint8)
    if shrink > 1.5:  # more pixels than are kept: blur before sampling, or fine print turns into moiré
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 * shrink))
    into = cv2.getPerspectiveTransform((quad - (x, y)).astype(np.float32), edge)
    way = cv2.INTER_LINEAR if shrink > 0.7 else cv2.INTER_CUBIC
    return np.asarray(cv2.warpPerspective(part, into, size, flags=way, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _ink(card: Picture) -> tuple[Array, Array]:
    """Measure how dark print is against the paper round it, 0 … 1, and how red: about 0 for black, 0.5 … 1 for red."""
    small = cv2.resize(card, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    # the paper round about: the brightest in a neighbourhood wider than a pip, then smooth
    white = cv2.dilate(small, np.ones((15, 15), np.uint8))
    white = cv2.GaussianBlur(white, (0, 0), 5)
    paper = np.maximum(cv2.resize(white, SIZE, interpolation=cv2.INTER_LINEAR).astype(np.float32), 8)
    shine = card.astype(np.float32) / paper
    dark = 1 - shine.min(2)
    red = (shine[..., 2] - shine[..., :2].mean(2)) / np.maximum(dark, 0.05)
    return dark, red


def _number(pips: list[_Pip]) -> int:
    """Return the count of pips if they are of one size and colour and placed as on cards; else 0."""
    number = len(pips)
    reds = [pip[4] for pip in pips]
    if not 1 <= number <= 10 or max(reds) - min(reds) > 0.4:
        return 0
    shares = np.array([pip[2] for pip in pips])
    places = np.array([pip[:2] for pip in pips])
    if number == 1:
        return 1 if np.abs(places[0] - 0.5).max() < 0.06 and LIMITS.ace_area[0] < shares[0] < LIMITS.ace_area[1] else 0
    if not (LIMITS.pip_area[0] < np.median(shares) < LIMITS.pip_area[1]) or shares.max() > 2.0 * shares.min():
        return 0
    return number if _fits_layout(places, _layout(number)) or _fits_layout(1 - places, _layout(number)) else 0


def _layout(number: int) -> Array:
    """Return the positions of pips on common cards, (number, 2): shares of the width and height."""
    rows = {4: (-1, 1), 5: (-1, 1), 6: (-1, 0, 1), 7: (-1, 0, 1), 8: (-1, 0, 1)}.get(number, (-1, -1 / 3, 1 / 3, 1))
    middle = {2: (-1, 1), 3: (-1, 0, 1), 5: (0,), 7: (-1 / 2,), 8: (-1 / 2, 1 / 2), 9: (0,), 10: (-2 / 3, 2 / 3)}
    outer = [(side, row) for side in (-1, 1) for row in rows] if number > 3 else []
    both = [*outer, *((0, row) for row in middle.get(number, ()))]
    return np.array([(0.5 + 0.23 * x, 0.5 + 0.31 * y) for x, y in both])


def _fits_layout(places: Array, layout: Array) -> bool:
    """Check whether pips are placed as in a layout, seen through an outline that is a little off or skew."""
    apart = np.linalg.norm((layout[:, None] - places[None]) * (1.0, 1.4), axis=2)
    nearest = apart.argmin(1)
    if len(set(nearest.tolist())) < len(layout) or apart.min(1).max() > 0.17:
        return False
    seen = places[nearest]
    if len(layout) < 4:  # too few to separate a slant from another card
        return bool(np.abs(seen - layout)[:, 0].max() < 0.05 and np.abs(seen - layout)[:, 1].max() < 0.09)
    columns = [np.ones(len(layout)), *layout.T]
    if len(layout) >= 6:  # perspective, to its first order
        columns.append((layout[:, 0] - 0.5) * (layout[:, 1] - 0.5))
    matrix = np.column_stack(columns)
    left = seen - matrix @ np.linalg.lstsq(matrix, seen, rcond=None)[0]
    return bool(np.abs(left * (1.0, 1.4)).max() < 0.035)


def _suits(pips: list[_Pip], red: bool | None) -> Array | None:
    """Estimate the suits' probabilities (4,) by the pips' shapes, upright above the middle, turned below; or None."""
    shapes = _shapes()
    scores, clubs, sideways = np.zeros(4), [], 0.0
    for _, cy, _, shape, _ in pips:
        seen = cv2.resize(shape.astype(np.float32), (_GRID, _GRID), interpolation=cv2.INTER_AREA)
        between = abs(cy - 0.5) < 0.12  # may stand either way
        ways = [seen, seen[::-1]] if between else [seen if cy < 0.5 else seen[::-1]]
        for k in range(4):
            scores[k] += max(_shape_iou(way, shapes[k]) for way in ways) / len(pips)
        sideways += max(_shape_iou(way, shape) for way in (seen.T, seen.T[::-1]) for shape in shapes) / len(pips)
        # a lone pip stands either way: as it looks most like a suit's
        upright = max(ways, key=lambda way: max(_shape_iou(way, shapes[k]) for k in (0, 1)))
        if not between or len(pips) == 1:
            clubs.append(_likeness_to_club(upright))
    mine = {True: [2, 3], False: [0, 1], None: [0, 1, 2, 3]}[red]
    if sideways > scores.max() + 0.03:  # half of a card whose outline was taken for a whole one's
        return None
    if scores[mine].max() < (LIMITS.min_shape_iou if len(pips) > 3 else LIMITS.min_shape_iou_of_few):
        return None
    if red is None:
        return np.full(4, 0.25)
    suits = np.full(4, 0.01)
    if red:
        best, other = sorted(mine, key=lambda k: -scores[k])
        ahead = float(np.clip((scores[best] - scores[other]) / 0.1, 0, 1))
    elif clubs:
        club = float(np.median(clubs))
        best, other, ahead = (*(mine if club > 0 else mine[::-1]), float(np.clip(abs(club), 0, 1)))
    else:
        best, other, ahead = 0, 1, 0.0
    suits[best], suits[other] = 0.5 + 0.48 * ahead, 0.5 - 0.48 * ahead
    return np.asarray(suits / suits.sum())


def paper_ends(frame: Picture, quad: Array) -> bool:
    """Check whether paper ends at all four sides of an outline: it is a whole card's, not one within a card."""
    middle = quad.mean(0)
    around = straightened(frame, middle + 1.12 * (quad - middle), (56, 80)).astype(np.float32)
    inside = np.maximum(around, 8.0)
    sides = (
        around[:3, 6:-6] / inside[7:10, 6:-6],
        around[-3:, 6:-6] / inside[-10:-7, 6:-6],
        around[8:-8, :3] / inside[8:-8, 5:8],
        around[8:-8, -3:] / inside[8:-8, -8:-5],
    )
    return min(float((side.min(2) < 1 - LIMITS.min_step).mean()) for side in sides) > LIMITS.min_side_share


def _likeness_to_club(shape: Array) -> float:
    """Rate an upright black pip: from 1 on a club, from -1 down a spade.

    Clubs have a neck below their head, and a head that is round; spades grow from a point. Measured on the pips of five
    decks: neck and width of the top, shares of the pip's width, are together 0.38 to 0.75 and 0.10 to 0.29.
    """
    widths = shape.sum(1) / shape.shape[1]
    neck = float(widths[: _GRID // 2].max() - widths[round(0.4 * _GRID)])
    return (neck + float(widths[1:3].mean()) - 0.33) / 0.05


def _shape_iou(one: Array, other: Array) -> float:
    """Compute the intersection over union of two shapes."""
    return float(np.minimum(one, other).sum() / np.maximum(one, other).sum())


def _shapes() -> list[Array]:
    """Draw the templates of the four suits, each filling its box."""
    found = []
    for suit in SUITS:
        canvas: Array = np.zeros((200, 200), np.uint8)

        def put(points: list[tuple[float, float]], canvas: Array = canvas) -> None:
            both = [*points, *((-x, y) for x, y in reversed(points))]
            cv2.fillPoly(canvas, [np.array([(100 + 18 * x, 100 + 18 * y) for x, y in both], np.int32)], 1)

        if suit == "D":
            put([(0, -5), (2, -2), (3.9, 0), (2, 2), (0, 5)])
        elif suit == "H":
            put([(0, -2.8), (1.2, -4.4), (3, -4.7), (4.5, -3.2), (4.4, -1), (2.4, 2), (0, 5)])
        else:
            put([(0.4, 0.5), (0.7, 3.2), (2.3, 5)])
            if suit == "S":
                put([(0, -5), (2.3, -2.4), (4.3, 0.1), (4.3, 2.2), (2.6, 3.1), (0.6, 2.2)])
            else:
                for x, y in ((0.0, -2.5), (-2.4, 1.1), (2.4, 1.1)):
                    cv2.circle(canvas, (round(100 + 18 * x), round(100 + 18 * y)), 43, 1, -1)
        ys, xs = np.nonzero(canvas)
        cut = canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].astype(np.float32)
        found.append(np.asarray(cv2.resize(cut, (_GRID, _GRID), interpolation=cv2.INTER_AREA)))
    return found


assert len(LABELS) == len(SUITS) * len(RANKS)

"""Read a hand laid open as a fan or in a row by the index that each card shows, on a table whose scale is known.

Of a card below others nothing but its index need show; the top card shows two. So each index is a card, but for two
that lie to each other as the indices of one card do.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np

from vision.geometry.projection import Array, PlaneProjection
from vision.images import Picture
from vision.indices.detection import IndexNetworks, reading_of
from vision.indices.glare import stretched
from vision.indices.networks import Index, IndexPlace, find_indices, patch, pyramid, suppress_overlapping
from vision.indices.reading import LABELS, IndexReading, agreement
from vision.recognition.card_reading import CardReading

#: Least and most.
Range: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandParams:
    """Parameters of what is an index, which two are one card's, and what is a name."""

    #: Height of an index on the table, mm.
    index_mm: tuple[float, float] = (7.0, 30.0)
    #: How many times as high as most an index is, and as the learned deck's. Found are 0.90 … 1.09 times the latter.
    as_high_as_most: Range = (0.6, 1.6)
    as_high_as_learned: Range = (0.82, 1.22)
    #: Least score of an index: lower finds more, and more that are none. 0.2 … 0.6.
    min_score: float = 0.3
    #: How far the second index of a card is from the first, across and along, mm.
    across_mm: tuple[float, float] = (34.0, 58.0)
    along_mm: tuple[float, float] = (52.0, 88.0)
    #: How far two indices of one card may be from equal or turned by half, rad, and from straight below or beside, mm.
    turn_rad: float = 0.2
    straight_mm: float = 6.0
    #: The same where the deck is learned, and its faces say how far: how much more or less it may be, mm. 4 … 8.
    apart_mm: float = 6.0
    #: How likely two indices of one card name the same label at least. 0.1 … 0.5.
    min_agreement: float = 0.2
    #: Least probability of a name, times the score of being an index. 0.8 … 0.95.
    min_probability: float = 0.9
    #: The same where the deck is learned, and an index as it is read and the face most like it are the same. 0.6 … 0.8.
    min_probability_agreed: float = 0.7
    #: The same of print that a reflex nearly hides. 0.93 … 0.985, of which 0.985 asks for each sixth of them.
    min_probability_in_glare: float = 0.95
    #: What a label keeps at least: one reading may err however certain it is.
    floor: float = 0.01
    #: Share of a deck's faces whose indices must be read when the deck is learned. 0.3 … 0.8.
    min_share_found: float = 0.5
    #: Likeness from which what is seen is an index, whatever the reader thinks of that. 0.6 … 0.85.
    surely_alike: float = 0.7
    #: Likeness below which it is print of another kind. 0.4 … 0.6.
    alike_at_least: float = 0.5
    #: Probability up to which the reader gives no label: then it must surely be alike. 0.25 … 0.5.
    hardly_read: float = 0.3
    #: What stands for the likeness of a card that the learned deck has not: between those of right and wrong ones.
    alike_unknown: float = 0.6
    #: Weight of the likeness (correlation) of a learned face's index. 10 … 40.
    likeness_weight: float = 20.0
    #: Cards read surely that show where a hand lies; share of one less sure that must lie upon them. 0.3 … 0.6.
    sure_cards: int = 3
    min_together: float = 0.4
    #: Least probability, times the score, of one read surely where the deck is learned: likeness makes much surer.
    sure_learned: float = 0.95
    #: How far a card's index may be read from where its face has it, mm: the next card's is 15 off at least. 4 … 8.
    own_index_mm: float = 6.0
    #: Half of a card's width and height, mm.
    half_card_mm: tuple[float, float] = (29.5, 45.5)
    #: Part of the patch with an index (px of 40 × 64) that is compared with the faces': half its width and height.
    compared_px: tuple[int, int] = (13, 24)


PARAMS = HandParams()


class FaceIndices:
    """The printed indices of a learned deck's faces, to compare with what is seen.

    Empty for a deck without any, or with such large ones that the next card of a hand hides them.
    """

    def __init__(self, faces: Mapping[str, Picture]) -> None:
        """Find them; ``faces`` are upright, edge to edge, at 4 px/mm."""
        found = {label: _upright(face, label) for label, face in faces.items() if label in LABELS}
        places = np.array([(one[0].x, one[0].y, one[0].height) for one in found.values() if one])
        self.patches: dict[str, Picture] = {}
        #: How far the index turned by half is from an index, across and along, mm.
        self.apart_mm: tuple[Range, Range] = (PARAMS.across_mm, PARAMS.along_mm)
        self.between_mm = (0.0, 0.0)  # the same, of most faces
        self.height_mm: float | None = None  # of an index
        #: Whether there is an index in the upper right corner as well.
        self.four = sum(len(one) > 1 for one in found.values()) > PARAMS.min_share_found * len(found)
        if len(places) <= PARAMS.min_share_found * len(found):
            return
        x, y, height = np.median(places, axis=0)  # all faces of a deck have it in the same place
        if height > PARAMS.index_mm[1] * 4.0:
            return  # it reaches below the next card
        size = np.median([faces[label].shape[1::-1] for label in found], axis=0)
        across, along = float(size[0] - 2 * x) / 4.0, float(size[1] - 2 * y) / 4.0
        some = PARAMS.apart_mm
        self.apart_mm = (across - some, across + some), (along - some, along + some)
        self.between_mm, self.height_mm = (across, along), float(height) / 4.0
        wide, high = PARAMS.compared_px
        for label in found:
            cut = patch(pyramid(faces[label]), IndexPlace(float(x), float(y), 0.0, float(height)))
            self.patches[label] = np.ascontiguousarray(cut[32 - high : 32 + high, 20 - wide : 20 + wide])

    def likeness(self, seen: Picture, labels: Sequence[str]) -> Array:
        """Correlate a patch (64, 40, 3) with the index of each label's face: (labels,) -1 … 1, NaN without a face."""
        return np.array([self._likeness(seen, label) for label in labels])

    def _likeness(self, seen: Picture, label: str) -> float:
        if label not in self.patches:
            return math.nan
        return float(cv2.matchTemplate(seen, self.patches[label], cv2.TM_CCOEFF_NORMED).max())


def _upright(face: Picture, label: str) -> list[Index]:
    """Find the upright indices of a face that are read as its own, from left to right."""
    every = find_indices(face, 24.0, 4.0 * PARAMS.index_mm[1])
    return sorted((one for one in every if abs(one.angle) < 0.5 and one.label == label), key=lambda one: one.x)


def read_hand_by_indices(
    frame: Picture, view: PlaneProjection, labels: Sequence[str], faces: FaceIndices | None = None
) -> list[CardReading]:
    """Read the cards of an open hand, in the order in which they lie.

    :param labels: French cards that it may be, those of another deck too.
    :param faces: of the learned deck.
    """
    known = [n for n, label in enumerate(LABELS) if label in set(labels)]
    if not known:
        return []
    names = [LABELS[n] for n in known]
    if faces is not None and not set(names) & set(faces.patches):
        faces = None
    found = _found(frame, view, None if faces is None else faces.height_mm)
    indices: list[_Index] = []
    for picture, readings in found:
        weighed = _weighed(picture, IndexNetworks().again(picture, readings), known, faces)
        indices += [replace(one, in_glare=picture is not frame) for one in weighed]
    indices = _lying_together(indices, view, faces)
    cards = []
    for group in _cards_of(indices, view, faces):
        shown = [indices[n] for n in group]
        if any(one.reading.score for one in shown):  # else no face has such print
            cards.append(_reading(shown, names, view, learned=faces is not None))
    return in_order(cards)


def _found(frame: Picture, view: PlaneProjection, height_mm: float | None) -> list[tuple[Picture, list[IndexReading]]]:
    """Find the indices of a hand's height in a picture, and those that glare hides; each with what it shows in.

    ``height_mm``: of the learned deck's indices.
    """
    largest, usual = PARAMS.index_mm[1] * _px_per_mm(view), height_mm and height_mm * _px_per_mm(view)

    def found_in(picture: Picture) -> list[Index]:
        return find_indices(picture, 12.0, largest, 0.1, PARAMS.min_score, usual=usual)

    pictures, every = [frame], found_in(frame)
    here = {id(one): 0 for one in every}
    brought_out = stretched(frame)
    if brought_out is not None:
        picture, (rows, columns) = brought_out
        pictures.append(picture)
        more = found_in(np.ascontiguousarray(picture[rows, columns]))
        more = [replace(one, x=one.x + columns.start, y=one.y + rows.start) for one in more]
        here |= {id(one): 1 for one in more}
        every = suppress_overlapping([*every, *more])
    readings = [(here[id(one)], reading_of(one)) for one in every]
    heights = [_height_mm(one, view) for _, one in readings]
    fit = [n for n, height in enumerate(heights) if PARAMS.index_mm[0] < height < PARAMS.index_mm[1]]
    least, most = PARAMS.as_high_as_most if height_mm is None else PARAMS.as_high_as_learned
    if height_mm is None:
        height_mm = float(np.median([heights[n] for n in fit])) if fit else 0.0
    readings = [readings[n] for n in fit if least < heights[n] / height_mm < most]
    return [(picture, [one for m, one in readings if m == n]) for n, picture in enumerate(pictures)]


@dataclass(frozen=True, slots=True, eq=False)
class _Index:
    """An index, how likely each label is, and the one that reading and likeness both say; None: they differ.

    ``in_glare``: it was brought out of a reflex.
    """

    reading: IndexReading
    chance: Array
    agreed: int | None = None
    in_glare: bool = False

    def is_sure(self, *, learned: bool) -> bool:
        """Check whether it is an index, and one of this label, for sure; ``learned``: compared with a deck's faces."""
        least = PARAMS.sure_learned if learned else PARAMS.min_probability
        return bool(self.reading.score * self.chance.max() >= least)


def _weighed(
    frame: Picture, readings: Sequence[IndexReading], known: Sequence[int], faces: FaceIndices | None
) -> list[_Index]:
    """Weigh the labels of each index by what was read and, of a learned deck, by its faces' indices."""
    names, levels, found = [LABELS[n] for n in known], pyramid(frame), []
    for one in readings:
        chance = one.labels[known] / max(float(one.labels[known].sum()), 1e-6)
        chance = (1 - PARAMS.floor) * chance + PARAMS.floor / len(known)
        if faces is None:
            found.append(_Index(one, chance))
            continue
        angle = math.atan2(one.up[0], -one.up[1])
        seen = patch(levels, IndexPlace(float(one.centre[0]), float(one.centre[1]), angle, one.height))
        alike = faces.likeness(seen, names)
        most = np.nanmax(alike)
        alike = np.where(np.isnan(alike), PARAMS.alike_unknown, alike)
        score = one.score
        surely = one.score * one.probability >= PARAMS.min_probability  # print under glare resembles nothing
        least = PARAMS.alike_at_least if one.probability > PARAMS.hardly_read else PARAMS.surely_alike
        if most < least and not surely:
            score = 0.0
        elif most > PARAMS.surely_alike and one.probability > 0.5:
            score = max(score, 0.97)
        best = int(alike.argmax())
        agreed = best if best == int(chance.argmax()) else None
        chance = chance * np.exp(PARAMS.likeness_weight * alike)
        found.append(_Index(replace(one, score=score), chance / chance.sum(), agreed))
    return found


def _lying_together(indices: list[_Index], view: PlaneProjection, faces: FaceIndices | None) -> list[_Index]:
    """Leave out what is no index surely, if the card that it would be of lies apart from the hand that is seen surely.

    Print that resembles an index, at the foot of a card, would be the head of one that lies on the bare mat, or the
    foot of one whose head does not show: of a hand laid open the heads do.
    """
    across, along = (PARAMS.across_mm, PARAMS.along_mm) if faces is None else faces.apart_mm
    middle = np.array([sum(across) / 4.0, sum(along) / 4.0])  # of a card, from its index
    cards = []
    for one in indices:
        place, angle = _placed(one.reading, view)
        cards.append((place + _turned(middle, angle), angle))
    surely = [one.is_sure(learned=faces is not None) for one in indices]
    sure = [card for card, one in zip(cards, surely, strict=True) if one]
    if len(sure) < PARAMS.sure_cards:
        return indices
    grid = np.stack(np.meshgrid(*(np.linspace(-1.0, 1.0, 9),) * 2), axis=-1).reshape(-1, 2) * PARAMS.half_card_mm
    places, angles = np.array([place for place, _ in sure]), np.array([angle for _, angle in sure])
    kept = []
    for one, is_sure, (place, angle) in zip(indices, surely, cards, strict=True):
        spots = place + _turned(grid, angle)
        upon = [np.abs(_turned(spots - other, -turn)) <= PARAMS.half_card_mm for other, turn in sure]
        far = np.hypot(*(places - place).T)
        head = np.mean(np.cos(angles - angle) > 0.0) > 0.5  # as most; of a card or two the foot shows as well
        together = np.any([each.all(axis=1) for each in upon], axis=0).mean() >= PARAMS.min_together
        if is_sure or (together and (head or far.min() <= PARAMS.apart_mm)):
            kept.append(one)
    return kept


def _turned(points: Array, angle: float) -> Array:
    """Turn points (..., 2) clockwise as seen, rad."""
    cos, sin = math.cos(angle), math.sin(angle)
    turned: Array = points @ np.array([(cos, sin), (-sin, cos)])
    return turned


def _height_mm(one: IndexReading, view: PlaneProjection) -> float:
    ends = view.unproject(np.array([one.centre - one.up * one.height / 2, one.centre + one.up * one.height / 2]))
    return float(np.hypot(*(ends[1] - ends[0])))


def _px_per_mm(view: PlaneProjection) -> float:
    ends = view.project(np.array([(-10.0, 0.0), (10.0, 0.0)]))
    return float(np.hypot(*(ends[1] - ends[0]))) / 20.0


def _placed(one: IndexReading, view: PlaneProjection) -> tuple[Array, float]:
    """Place an index on the table: middle in mm, and the angle of its upright axis."""
    middle, above = view.unproject(np.array([one.centre, one.centre + one.up * one.height / 2]))
    way = above - middle
    return middle, math.atan2(way[0], -way[1])


def _cards_of(indices: Sequence[_Index], view: PlaneProjection, faces: FaceIndices | None) -> list[list[int]]:
    """Group the numbers of indices that are one card's; ``faces``: of the learned deck, which says where they are."""
    placed = [_placed(one.reading, view) for one in indices]
    groups: list[list[int]] = []
    four = faces is not None and faces.four
    apart = (PARAMS.across_mm, PARAMS.along_mm) if faces is None else faces.apart_mm

    def alike(n: int, other: int) -> bool:
        return agreement(indices[n].chance, indices[other].chance) > PARAMS.min_agreement

    if not four:  # two straight below each other show that the deck has four
        pairs = itertools.combinations(range(len(placed)), 2)
        four = any(
            alike(a, b) and _of_one_card(placed[a], placed[b], apart, True)
            and not _of_one_card(placed[a], placed[b], apart, False)
            and abs(math.remainder(placed[a][1] - placed[b][1], 2 * math.pi)) > math.pi / 2
            for a, b in pairs
        )  # fmt: skip
    surely = [n for n, one in enumerate(indices) if one.is_sure(learned=faces is not None)]

    def of_one_card(n: int, other: int) -> bool:
        upon = [placed[k][0] for k in surely if k not in (n, other)]
        return _of_one_card(placed[n], placed[other], apart, four) and not _between(placed[n], placed[other], upon)

    for n in range(len(placed)):
        own = next((one for one in groups if alike(n, one[0]) and of_one_card(one[0], n)), None)
        if own is None:
            groups.append([n])
        else:
            own.append(n)
    return groups


def _of_one_card(one: tuple[Array, float], other: tuple[Array, float], apart: tuple[Range, Range], four: bool) -> bool:
    """Check whether two indices, each (mm, rad), lie to each other as those of one card.

    :param apart: how far from each other, across and along, mm.
    :param four: whether cards have an index in each corner.
    """
    (least_across, most_across), (least_along, most_along) = apart
    cos, sin = math.cos(one[1]), math.sin(one[1])
    x, y = other[0] - one[0]
    across, along = abs(cos * x + sin * y), cos * y - sin * x
    turn = abs(math.remainder(other[1] - one[1], 2 * math.pi))
    wide, none = least_across < across < most_across, PARAMS.straight_mm
    if turn > math.pi - PARAMS.turn_rad:
        return bool(least_along < along < most_along and (wide or (four and across < none)))
    return bool(four and turn < PARAMS.turn_rad and wide and abs(along) < none)


def _between(one: tuple[Array, float], other: tuple[Array, float], places: Sequence[Array]) -> bool:
    """Check whether one of some places lies between two indices that stand side by side.

    Of two equal cards of a row that may be an index of a card between them; within one card there is none.
    """
    if abs(math.remainder(other[1] - one[1], 2 * math.pi)) > math.pi / 2:
        return False  # the foot of a card: its face lies between
    way = other[0] - one[0]
    length = float(np.hypot(*way))
    along = np.array([(place - one[0]) @ way / length for place in places])
    beside = np.array([abs((place - one[0]) @ (-way[1], way[0])) / length for place in places])
    apart = PARAMS.own_index_mm
    return bool(np.any((along > apart) & (along < length - apart) & (beside < 2 * apart)))


def _reading(shown: Sequence[_Index], names: Sequence[str], view: PlaneProjection, *, learned: bool) -> CardReading:
    """Make a card's reading of the indices that it shows; ``learned``: they were compared with a deck's."""
    chance = np.prod([one.chance for one in shown], axis=0)
    chance /= chance.sum()
    order = np.argsort(-chance)
    score = max(one.reading.score for one in shown)
    choices = tuple((names[k], float(chance[k])) for k in order[:4])
    best, least = int(order[0]), PARAMS.min_probability
    if learned and best in {one.agreed for one in shown}:
        least = PARAMS.min_probability_agreed
    if learned and all(one.in_glare for one in shown):
        least = PARAMS.min_probability_in_glare
    doubts = learned and not any(one.agreed == best or one.chance[best] >= least for one in shown)
    sure = chance[best] * score >= least and not doubts  # two doubts that agree by chance are no name
    margin = float(chance[best] - (chance[order[1]] if len(order) > 1 else 0.0)) * score
    first = shown[0].reading
    middle, angle = _placed(first, view)
    side = first.right * first.height / 2
    up = first.up * first.height / 2
    quad = first.centre + np.array([up - side, up + side, -up + side, -up - side])
    return CardReading(
        choices[0][0] if sure else None, margin, choices, quad, (float(middle[0]), float(middle[1]), angle)
    )


def in_order(cards: Sequence[CardReading]) -> list[CardReading]:
    """Sort cards along the hand, from its one end to its other."""
    if len(cards) < 2:
        return list(cards)
    places = np.array([card.quad.mean(0) for card in cards])
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    # The two that are farthest apart are its ends: of a fan, too.
    first = int(np.unravel_index(apart.argmax(), apart.shape)[0])
    left, order = set(range(len(cards))) - {first}, [first]
    while left:
        order.append(min(left, key=lambda n: apart[order[-1], n]))
        left.remove(order[-1])
    up = np.mean([(math.sin(card.pose[2]), -math.cos(card.pose[2])) for card in cards if card.pose], axis=0)
    along = places[order[-1]] - places[order[0]]
    if -up[1] * along[0] + up[0] * along[1] < 0:  # as they are read: from left to right
        order.reverse()
    return [cards[n] for n in order]

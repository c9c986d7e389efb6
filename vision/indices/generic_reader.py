"""Read French-suited cards of any deck in any picture by their printed indices, English or German.

Nothing is learned of the deck and nothing known of the view. Indices are detected and read by small networks, first in
the whole picture, then in each outline that may be a card, rectified to one size; readings whose positions fit one card
are one card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.geometry.quads import iou
from vision.images import Picture, checked_picture
from vision.indices.card_geometry import CardGeometry, estimate_card_geometry
from vision.indices.card_side import decide_sides
from vision.indices.pairing import IndexGroup, along_an_edge, in_corner, outline_of, pair_readings, proportions
from vision.indices.paper_outlines import outlines
from vision.indices.pips import PipEvidence, find_pips, paper_ends, straightened
from vision.indices.reading import LABELS, IndexReading, merge_readings
from vision.indices.slant import seen_from_above, view_from_above
from vision.recognition.card_reading import CardReading


class IndexReader(Protocol):
    """Detects and reads indices."""

    def anywhere(self, picture: Picture) -> list[IndexReading]:
        """Detect indices anywhere in a picture."""

    def in_corners(self, cards: Sequence[Picture], rim: float) -> list[list[IndexReading]]:
        """Read those in the corners of upright cards, each filling its picture but for ``rim`` px on all sides."""

    def again(self, picture: Picture, readings: Sequence[IndexReading]) -> list[IndexReading]:
        """Read the same indices, in their order, once more with more care."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericReaderLimits:
    """How sure a card must be to be reported, and named."""

    #: Probability of a label from which a card is named: with two indices read, and with one. 0.7 … 0.99.
    named: float = 0.80
    named_alone: float = 0.85
    #: Probability of the label that one of the indices must give by itself: doubts do not add up. 0.5 … 0.8.
    named_by_one: float = 0.6
    #: Probability from which a card is reported at all, with its choices; with one index read. 0.2 … 0.6.
    reported: float = 0.35
    reported_alone: float = 0.5
    #: Score times probability of an index from which pips that contradict it are taken for another card's. 0.85 … 0.95.
    overrules_pips: float = 0.9
    #: Score times probability below which a reading is rejected. 0.1 … 0.3.
    min_certainty: float = 0.2
    #: Score of a lone index in the open, and of one inside another card's outline, from which it counts. 0.3 … 0.9.
    lone_score: float = 0.5
    inside_score: float = 0.8
    #: Width and height, px, to which a possible card is rectified; indices are then about 40 px high.
    rectified_px: tuple[int, int] = (168, 240)
    #: Rim round it, as a share of its width: outlines are a little off.
    rim: float = 0.08
    #: Pips, and the probability of their suit, from which a card without any index is reported; or the one pip of an
    #: ace, if paper ends all round. 4 … 6; 0.8 … 0.95.
    min_pips: int = 4
    min_suit_probability: float = 0.85
    #: Most outlines in which indices are read. 8 … 40; each costs a small picture's search.
    max_outlines: int = 24


LIMITS = GenericReaderLimits()


def read_cards(frame: Picture, indices: IndexReader | None = None) -> list[CardReading]:
    """Read the cards in any picture, (H, W, 3) uint8 BGR, surest first; labels are suit (CSHD) and rank (AKQJT9 … 2).

    :param indices: how indices are found and read; by default with the networks of this package.
    :raises PictureError: a frame of another geometry or type
    """
    frame = checked_picture(frame)
    if indices is None:
        from vision.indices.detection import IndexNetworks

        indices = IndexNetworks()
    cards, readings = _read(frame, indices)
    view = view_from_above(readings, frame.shape)
    if view is None:
        return cards
    straight, whole = seen_from_above(frame, view, readings)
    seen, _ = _read(straight, indices)
    back = np.linalg.inv(whole)
    return _both_views(cards, [replace(card, quad=cv2.perspectiveTransform(card.quad[None], back)[0]) for card in seen])


def _both_views(slanted: Sequence[CardReading], above: Sequence[CardReading]) -> list[CardReading]:
    """Combine what a slanted picture shows with what it shows from above, where alone a card is a rectangle.

    Which cards there are is told from above; the picture itself names those that are in doubt there.
    """
    names = [card for card in slanted if card.label is not None]
    cards = []
    for card in above:
        if card.label is None:
            same = [name for name in names if name.label in dict(card.choices) and iou(name.quad, card.quad) > 0.3]
            free = [name for name in same if not any(_one_card(name, other) for other in above)]
            if free:
                card = replace(card, label=free[0].label, margin=free[0].margin, choices=free[0].choices)
                names = [name for name in names if name is not free[0]]
        cards.append(card)
    return sorted(cards, key=lambda card: -card.margin)


def _one_card(one: CardReading, other: CardReading) -> bool:
    """Check whether two readings of two views are one card that both name."""
    return one.label == other.label and iou(one.quad, other.quad) > 0.3


def _read(frame: Picture, indices: IndexReader) -> tuple[list[CardReading], list[IndexReading]]:
    """Read the cards of a picture that is taken as seen from above, and the indices that they were read by."""
    quads = outlines(frame)
    found = indices.anywhere(frame) + _in_outlines(frame, quads[: LIMITS.max_outlines], indices)
    readings = merge_readings(
        [reading for reading in found if reading.score * reading.probability > LIMITS.min_certainty]
    )
    geometry = estimate_card_geometry(readings, quads)
    groups = pair_readings(readings, quads, geometry)
    lone = [group.readings for group in groups if len(group.readings) == 1 and group.outline is None]
    if lone:  # the other indices, where the first one implies them
        usual = proportions(groups, geometry)
        there = [outline_of(reading, usual) for reading in lone]
        if geometry.four:
            there += [outline_of(reading, usual, right_hand=True) for reading in lone]
        found = _in_outlines(frame, there, indices)
        readings = merge_readings(
            [*readings, *(reading for reading in found if reading.score * reading.probability > LIMITS.min_certainty)]
        )
    readings = [
        reading
        for reading in indices.again(frame, readings)
        if reading.score * reading.probability > LIMITS.min_certainty
    ]
    geometry = estimate_card_geometry(readings, quads)
    groups = pair_readings(readings, quads, geometry)
    geometry = proportions(groups, geometry)
    if geometry.four is not False:
        groups = _upper_of_four(frame, groups, geometry)
    decide_sides(frame, groups, quads, geometry)
    for group in groups:
        if group.outline is not None:
            group.pips = find_pips(frame, group.outline)
            if group.readings and _contradicts(group.pips, group.readings):
                group.pips = None  # pips of another card, seen in an outline that is off
    return _cards(groups + _by_pips(frame, groups, quads)), readings


def _contradicts(pips: PipEvidence, readings: Sequence[IndexReading]) -> bool:
    """Check whether pips contradict an index that is certain by itself."""
    best = max(readings, key=lambda reading: reading.score * reading.probability)
    weights = pips.weights()
    return best.score * best.probability > LIMITS.overrules_pips and weights[best.best] < 0.1 * weights.max()


def _upper_of_four(frame: Picture, groups: list[IndexGroup], usual: CardGeometry) -> list[IndexGroup]:
    """Join two lone readings at both ends of an upper side, if beyond the right-hand one there is no paper.

    So it is with four indices; of two equal cards side by side the right-hand one would be there.
    """
    found: list[IndexGroup] = []
    for group in groups:
        for other in found:
            if len(group.readings) != 1 or len(other.readings) != 1 or group.readings[0].best != other.readings[0].best:
                continue
            one, two = group.readings[0], other.readings[0]
            if float(one.up @ two.up) < 0.95 or not along_an_edge(one, two, usual):
                continue
            left, right = (one, two) if float((two.centre - one.centre) @ one.right) > 0 else (two, one)
            across = right.centre - left.centre
            middle = (left.centre + right.centre) / 2
            tall = left.up * left.height * 0.5
            between = np.array([middle - across * 0.3 + tall, middle + across * 0.3 + tall])
            within = np.vstack([between, between[::-1] - 2 * tall])
            if _light(frame, within + across * 0.95) < 0.6 * _light(frame, within):
                found.remove(other)
                group = IndexGroup([left, right])
                break
        found.append(group)
    return found


def _by_pips(frame: Picture, groups: Sequence[IndexGroup], quads: Sequence[Array]) -> list[IndexGroup]:
    """Recognise number cards by their pips alone where no index was read."""
    found: list[IndexGroup] = []
    for quad in quads:
        known = [*groups, *found]
        if any(g.outline is not None and iou(quad, g.outline) > 0.3 for g in known):
            continue
        if any(
            cv2.pointPolygonTest(quad.astype(np.float32), _point(m.centre), False) >= 0
            for g in known
            for m in g.readings
        ):
            continue
        pips = find_pips(frame, quad)
        enough = pips.count >= LIMITS.min_pips or (pips.count == 1 and paper_ends(frame, quad))
        if enough and pips.suits.max() > LIMITS.min_suit_probability:
            found.append(IndexGroup([], quad, pips))
    return found


def _in_outlines(frame: Picture, quads: Sequence[Array], indices: IndexReader) -> list[IndexReading]:
    """Read indices at the corners of possible cards, in the cards rectified."""
    width, height = LIMITS.rectified_px
    rim = LIMITS.rim * width
    inner = np.array([[rim, rim], [width - rim, rim], [width - rim, height - rim], [rim, height - rim]])
    views = [cv2.getPerspectiveTransform(inner.astype(np.float32), quad.astype(np.float32)) for quad in quads]
    whole = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    cards = [straightened(frame, cv2.perspectiveTransform(whole, view)[0], LIMITS.rectified_px) for view in views]
    found = []
    for view, readings in zip(views, indices.in_corners(cards, rim), strict=True):
        found += [_moved(reading, view) for reading in readings if in_corner(reading, inner) is not None]
    return found


def _moved(reading: IndexReading, matrix: Array) -> IndexReading:
    """Project a reading by the homography between two views of a plane."""
    ends = [
        reading.centre,
        reading.centre + reading.up * reading.height / 2,
        reading.centre - reading.up * reading.height / 2,
    ]
    centre, top, bottom = cv2.perspectiveTransform(np.array([ends]), matrix)[0]
    along = top - bottom
    height = float(np.linalg.norm(along))
    return IndexReading(centre, along / max(height, 1e-6), height, reading.labels, reading.score)


def _cards(groups: Sequence[IndexGroup]) -> list[CardReading]:
    """Select the hypotheses that are cards, surest first (non-maximum suppression)."""
    cards: list[CardReading] = []
    for group in sorted(groups, key=_weight, reverse=True):
        alone = group.witnesses == 1 and bool(group.readings)
        if group.outline is None or group.probabilities.max() < (LIMITS.reported_alone if alone else LIMITS.reported):
            continue
        if group.readings and max(reading.probability for reading in group.readings) < LIMITS.reported_alone:
            continue
        if _is_card_beside(group, group.outline, cards):
            cards.append(_seen(group, group.outline))
    return cards


def _light(frame: Picture, quad: Array) -> float:
    """Measure the mean brightness of a card's area; dark where it is out of the picture."""
    return float(cv2.cvtColor(straightened(frame, quad, (24, 34)), cv2.COLOR_BGR2GRAY).mean())


def _weight(group: IndexGroup) -> float:
    score = max((reading.score for reading in group.readings), default=0.5)
    return group.witnesses + (group.outline is not None) * 0.5 + score * float(group.probabilities.max())


def _is_card_beside(group: IndexGroup, quad: Array, others: list[CardReading]) -> bool:
    """Check whether a hypothesis is a card beside those selected already."""
    name = LABELS[group.probabilities.argmax()]
    if any(iou(quad, other.quad) > (0.5 if other.label in (None, name) else 0.8) for other in others):
        return False  # two cards never have one place
    if len(group.readings) != 1:
        return True
    reading = group.readings[0]
    if reading.score < LIMITS.lone_score:
        return False
    for other in others:
        if cv2.pointPolygonTest(other.quad.astype(np.float32), _point(reading.centre), False) < 0:
            continue
        if reading.score < LIMITS.inside_score or reading.probability < LIMITS.named_alone:
            return False
    return True


def _point(place: Array) -> tuple[float, float]:
    return float(place[0]), float(place[1])


def _seen(group: IndexGroup, quad: Array) -> CardReading:
    order = np.argsort(-group.probabilities)[:4]
    choices = tuple((LABELS[k], float(group.probabilities[k])) for k in order if group.probabilities[k] > 0.01)
    first, second = (float(group.probabilities[k]) for k in order[:2])
    sure = max((float(reading.labels[order[0]]) for reading in group.readings), default=1.0)
    alone = group.witnesses == 1 and bool(group.readings)
    named = (
        first * group.readings[0].score >= LIMITS.named_alone
        if alone
        else first >= LIMITS.named and sure >= LIMITS.named_by_one
    )
    return CardReading(LABELS[order[0]] if named else None, first - second, choices, np.asarray(quad, np.float64))

"""The generic reader: French cards of any deck in any picture, by their indices, English or German.

Nothing is learned of the deck and nothing known of the view. Indices are found and read by a small network, freely in
the whole picture and once more in each outline that may be a card, straightened and brought to one size; those that
lie to each other as a card demands are one card.
"""

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np

from vision.body import Body, body_of, straightened
from vision.freehand import overlap
from vision.marks import LABELS, Mark, merged
from vision.pairing import Group, along_an_edge, in_corner, outline_of, paired, proportions
from vision.papers import outlines
from vision.pictures import Picture, checked
from vision.placing import place
from vision.reading import Seen
from vision.shape import Shape, shape_of
from vision.view import Array


class Indices(Protocol):
    """Finds and reads indices."""

    def anywhere(self, picture: Picture) -> list[Mark]:
        """Indices wherever they are in a picture."""

    def in_corners(self, cards: Sequence[Picture], rim: float) -> list[list[Mark]]:
        """Those in the corners of upright cards, each filling its picture but for ``rim`` px on all sides."""

    def again(self, picture: Picture, marks: Sequence[Mark]) -> list[Mark]:
        """The same marks, in their order, read once more with more care."""


#: Least probability of a label that is named, of a card with two indices read and with one. 0.7 … 0.99.
SURE, SURE_ALONE = 0.80, 0.85
#: Least probability of the label that one of the indices must give by itself: doubts do not add up. 0.5 … 0.8.
ONE = 0.6
#: Least probability from which a card is told at all, with its choices; with one reading. 0.2 … 0.6.
ASKED, ASKED_ALONE = 0.35, 0.5
#: Score times probability from which pips that say otherwise are taken for another card's. 0.85 … 0.95.
CLEAR = 0.9
#: Readings less sure than this are nothing: score times the likeliest label's probability. 0.1 … 0.3.
FAINT = 0.2
#: Least score of a lone index in the open, and of one inside another card's outline. 0.3 … 0.9.
ALONE, INSIDE = 0.5, 0.8
#: Width and height, px, to which a possible card is brought; indices are then about 40 px high.
STRAIGHT = (168, 240)
#: Rim round it, share of its width: outlines are a little off.
RIM = 0.08
#: Pips and the probability of their suit from which a card without any index is told. 4 … 6; 0.8 … 0.95.
PIPS, SUIT = 4, 0.85
#: Outlines looked into at most. 8 … 40; each costs a small picture's search.
LOOKED_INTO = 24


def read_cards(frame: Picture, indices: Indices | None = None) -> list[Seen]:
    """Cards in any picture ((H, W, 3) uint8, BGR), surest first; labels are suit (CSHD) and rank (AKQJT9 … 2).

    :param indices: how indices are found and read; by default with the networks of this package.
    :raises PictureError: a frame of another shape or type
    """
    frame = checked(frame)
    if indices is None:
        from vision.finding import Networks

        indices = Networks()
    quads = outlines(frame)
    found = indices.anywhere(frame) + _in_outlines(frame, quads[:LOOKED_INTO], indices)
    marks = merged([mark for mark in found if mark.score * mark.sure > FAINT])
    shape = shape_of(marks, quads)
    groups = paired(marks, quads, shape)
    lone = [group.marks for group in groups if len(group.marks) == 1 and group.outline is None]
    if lone:  # the other indices, where the first one says that they must be
        usual = proportions(groups, shape)
        there = [outline_of(mark, usual) for mark in lone]
        if shape.four:
            there += [outline_of(mark, usual, right_hand=True) for mark in lone]
        found = _in_outlines(frame, there, indices)
        marks = merged([*marks, *(mark for mark in found if mark.score * mark.sure > FAINT)])
    marks = [mark for mark in indices.again(frame, marks) if mark.score * mark.sure > FAINT]
    shape = shape_of(marks, quads)
    groups = paired(marks, quads, shape)
    shape = proportions(groups, shape)
    if shape.four is not False:
        groups = _upper_of_four(frame, groups, shape)
    place(frame, groups, quads, shape)
    for group in groups:
        if group.outline is not None:
            group.body = body_of(frame, group.outline)
            if group.marks and _contradicts(group.body, group.marks):
                group.body = None  # pips of another card, seen in an outline that is off
    return _cards(groups + _by_pips(frame, groups, quads))


def _contradicts(body: Body, marks: Sequence[Mark]) -> bool:
    """Whether pips tell another label than an index that is sure by itself."""
    best = max(marks, key=lambda mark: mark.score * mark.sure)
    weights = body.weights()
    return best.score * best.sure > CLEAR and weights[best.best] < 0.1 * weights.max()


def _upper_of_four(frame: Picture, groups: list[Group], usual: Shape) -> list[Group]:
    """Two lone marks at both ends of an upper side joined, if beyond the right-hand one there is no paper.

    So it is with four indices; of two equal cards side by side the right-hand one would be there.
    """
    found: list[Group] = []
    for group in groups:
        for other in found:
            if len(group.marks) != 1 or len(other.marks) != 1 or group.marks[0].best != other.marks[0].best:
                continue
            one, two = group.marks[0], other.marks[0]
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
                group = Group([left, right])
                break
        found.append(group)
    return found


def _by_pips(frame: Picture, groups: Sequence[Group], quads: Sequence[Array]) -> list[Group]:
    """Number cards of which no index was read but whose pips tell all."""
    found: list[Group] = []
    for quad in quads:
        known = [*groups, *found]
        if any(g.outline is not None and overlap(quad, g.outline) > 0.3 for g in known):
            continue
        if any(
            cv2.pointPolygonTest(quad.astype(np.float32), _point(m.centre), False) >= 0 for g in known for m in g.marks
        ):
            continue
        body = body_of(frame, quad)
        if body.pips >= PIPS and body.suits.max() > SUIT:
            found.append(Group([], quad, body))
    return found


def _in_outlines(frame: Picture, quads: Sequence[Array], indices: Indices) -> list[Mark]:
    """Indices at the corners of possible cards, read in the cards straightened."""
    width, height = STRAIGHT
    rim = RIM * width
    inner = np.array([[rim, rim], [width - rim, rim], [width - rim, height - rim], [rim, height - rim]])
    views = [cv2.getPerspectiveTransform(inner.astype(np.float32), quad.astype(np.float32)) for quad in quads]
    whole = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    cards = [straightened(frame, cv2.perspectiveTransform(whole, view)[0], STRAIGHT) for view in views]
    found = []
    for view, marks in zip(views, indices.in_corners(cards, rim), strict=True):
        found += [_moved(mark, view) for mark in marks if in_corner(mark, inner) is not None]
    return found


def _moved(mark: Mark, matrix: Array) -> Mark:
    """A mark as another view of the same plane has it."""
    ends = [mark.centre, mark.centre + mark.up * mark.height / 2, mark.centre - mark.up * mark.height / 2]
    centre, top, bottom = cv2.perspectiveTransform(np.array([ends]), matrix)[0]
    along = top - bottom
    height = float(np.linalg.norm(along))
    return Mark(centre, along / max(height, 1e-6), height, mark.labels, mark.score)


def _cards(groups: Sequence[Group]) -> list[Seen]:
    """The groups that stand as cards, surest first."""
    cards: list[Seen] = []
    for group in sorted(groups, key=_weight, reverse=True):
        alone = group.witnesses == 1 and bool(group.marks)
        if group.outline is None or group.probabilities.max() < (ASKED_ALONE if alone else ASKED):
            continue
        if group.marks and max(mark.sure for mark in group.marks) < ASKED_ALONE:
            continue
        if _stands(group, group.outline, cards):
            cards.append(_seen(group, group.outline))
    return cards


def _light(frame: Picture, quad: Array) -> float:
    """Mean brightness of a card's place; dark where it is out of the picture."""
    return float(cv2.cvtColor(straightened(frame, quad, (24, 34)), cv2.COLOR_BGR2GRAY).mean())


def _weight(group: Group) -> float:
    score = max((mark.score for mark in group.marks), default=0.5)
    return group.witnesses + (group.outline is not None) * 0.5 + score * float(group.probabilities.max())


def _stands(group: Group, quad: Array, others: list[Seen]) -> bool:
    """Whether a group is a card beside those that stand already."""
    name = LABELS[group.probabilities.argmax()]
    if any(overlap(quad, other.quad) > (0.5 if other.label in (None, name) else 0.8) for other in others):
        return False  # two cards never lie at one place
    if len(group.marks) != 1:
        return True
    mark = group.marks[0]
    if mark.score < ALONE:
        return False
    for other in others:
        if cv2.pointPolygonTest(other.quad.astype(np.float32), _point(mark.centre), False) < 0:
            continue
        if mark.score < INSIDE or mark.sure < SURE_ALONE:
            return False
    return True


def _point(place: Array) -> tuple[float, float]:
    return float(place[0]), float(place[1])


def _seen(group: Group, quad: Array) -> Seen:
    order = np.argsort(-group.probabilities)[:4]
    choices = tuple((LABELS[k], float(group.probabilities[k])) for k in order if group.probabilities[k] > 0.01)
    first, second = (float(group.probabilities[k]) for k in order[:2])
    sure = max((float(mark.labels[order[0]]) for mark in group.marks), default=1.0)
    alone = group.witnesses == 1 and bool(group.marks)
    named = first * group.marks[0].score >= SURE_ALONE if alone else first >= SURE and sure >= ONE
    return Seen(LABELS[order[0]] if named else None, first - second, choices, np.asarray(quad, np.float64))

"""Read the cards of a deck that was never taught by their printed indices, on a mat whose place is known.

Indices are detected in the rectified mat, poses come from straight edges. A card is a pose in whose corners indices
stand as one card has them: two turned by half, with the card's middle between them, or a lone one. ``MatIndexReader``
is a recogniser as the tracker calls it; it knows nothing of the faces, and no card without letters.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from vision.geometry.pose import Pose, poses_near
from vision.geometry.projection import Array, PlaneProjection, card_corners
from vision.geometry.rectification import SCALE, RectifiedPlane, plane_around
from vision.images import Picture
from vision.indices.detection import MIN_SCORE, IndexNetworks, reading_of
from vision.indices.networks import find_indices
from vision.indices.pips import PipEvidence, find_pips
from vision.indices.reading import LABELS, NUMBERS, IndexReading, fuse_labels
from vision.recognition.card_reading import CardReading
from vision.recognition.edge_proposals import EdgeProposals
from vision.recognition.whole_cards import fitted_whole, outline_at, pose_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MatIndexLimits:
    """How indices stand on a card, and how sure they must be."""

    #: Height of an index, rank and pip together, mm: least and most. Cards that are sold have 10 to 22.
    height_mm: tuple[float, float] = (8.0, 30.0)
    #: Score times probability below which an index is rejected. 0.1 … 0.3.
    min_certainty: float = 0.2
    #: Where an index's middle may be: mm from a long side, and from a short side, at most.
    from_side_mm: float = 14.0
    from_end_mm: float = 24.0
    #: Turn of an index against its card, rad, at most.
    turn_rad: float = 0.2
    #: mm by which the middle between two indices may be beside the card's.
    middle_mm: float = 3.0
    #: Probability of a label by all that shows of its card from which this is named; and its score times probability
    #: by one of two indices, or by a lone one. Of 479 cards rightly named by two indices one had 0.71 at least; of
    #: jacks of a screen's pictures that were taken for nines up to 0.43.
    named: float = 0.8
    named_by_one: float = 0.6
    named_alone: float = 0.9
    #: Probability by the better index from which a number is named though no pips are counted on a card seen all round.
    #: Of 458 so named rightly (ten decks, five lights) all had 0.91 or more, of eight queens taken for nines none.
    named_uncounted: float = 0.9
    #: Score times probability of a lone index from which it is a card in doubt.
    reported_alone: float = 0.5
    #: What a pose with no second index is worth beside one with two: its edges decide among its like.
    support_weight: float = 0.5
    #: Cards told of one look, at most.
    most_cards: int = 16


LIMITS = MatIndexLimits()


class CardSize(Protocol):
    """What is asked of a deck: width and height of its cards in mm."""

    @property
    def size_mm(self) -> tuple[float, float]: ...


class MatIndexReader:
    """Recognises French cards of any deck by their indices, in a view of the mat."""

    def __init__(self, labels: Collection[str] = LABELS) -> None:
        """Read cards of these labels alone: an index of any other is none."""
        self._networks = IndexNetworks()
        self._known = np.array([label in labels for label in LABELS])

    def __call__(
        self, frame: Picture, deck: CardSize, view: PlaneProjection | None = None, region: ArrayLike | None = None
    ) -> list[CardReading]:
        """Recognise the cards in ``region`` (n, 2 px), surest first; of the deck only its cards' size is asked.

        :raises PictureError: a frame of another shape or type
        :raises ValueError: no view
        """
        plane = plane_around(frame, deck.size_mm, view, region)
        return self.read(plane, EdgeProposals.of(plane, deck.size_mm), deck.size_mm)

    def read(self, plane: RectifiedPlane, proposals: EdgeProposals, size_mm: tuple[float, float]) -> list[CardReading]:
        """Recognise the cards of a rectified plane among the poses proposed there, surest first."""
        found = []
        for pose, indices in _cards(proposals.poses, proposals.support, self._indices(plane.fine), size_mm):
            outline = outline_at(plane.fine, pose, size_mm)
            place = pose if outline is None else pose_of(outline / SCALE, pose)
            if outline is None and (fitted := fitted_whole(plane, proposals, pose, size_mm)) is not None:
                outline = card_corners(fitted, size_mm) * SCALE
            middle = None if outline is None else find_pips(plane.fine, outline)
            found.append(_seen(place + np.append(plane.origin, 0.0), indices, middle, size_mm, plane.view))
        return found

    def _indices(self, fine: Picture) -> list[IndexReading]:
        """Read the indices of a rectified picture, each several times."""
        lowest, highest = (mm * SCALE for mm in LIMITS.height_mm)
        found = [reading_of(index) for index in find_indices(fine, lowest, highest, score=MIN_SCORE)]
        readings = [self._among_known(one) for one in self._networks.again(fine, found)]
        return [one for one in readings if one.score * one.probability > LIMITS.min_certainty]

    def _among_known(self, reading: IndexReading) -> IndexReading:
        """Give the labels that there are the probability, and take it from the index as a whole."""
        labels = np.where(self._known, reading.labels, 0.0)
        there = float(labels.sum())
        return replace(reading, labels=labels / max(there, 1e-9), score=reading.score * there)


def _cards(
    poses: Array, support: Array, readings: list[IndexReading], size_mm: tuple[float, float]
) -> list[tuple[Array, list[IndexReading]]]:
    """Share the indices out among the poses (n, 3 mm from the raster's corner), those with two equal ones first."""
    if not len(poses) or not readings:
        return []
    centres = np.array([one.centre for one in readings]) / SCALE
    ups = np.array([one.up for one in readings])
    certain = np.array([one.score * one.probability for one in readings])
    best = np.array([one.best for one in readings])
    cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
    x, y = centres[:, 0] - poses[:, :1], centres[:, 1] - poses[:, 1:2]
    across, along = cos * x + sin * y, cos * y - sin * x  # (poses, indices)
    end = np.where(along < 0, 1.0, -1.0)  # the upper end: the index stands upright there
    upright = end * (sin * ups[:, 0] - cos * ups[:, 1]) > np.cos(LIMITS.turn_rad)
    from_side, from_end = size_mm[0] / 2 - np.abs(across), size_mm[1] / 2 - np.abs(along)
    inside = (from_side > 1.0) & (from_side < LIMITS.from_side_mm) & (from_end > 2.0) & (from_end < LIMITS.from_end_mm)
    fits = upright & inside
    one, other = np.triu_indices(len(readings), 1)
    equal = best[one] == best[other]
    one, other = one[equal], other[equal]
    middle = np.hypot(across[:, one] + across[:, other], along[:, one] + along[:, other]) / 2
    pair = fits[:, one] & fits[:, other] & (middle < LIMITS.middle_mm) & (end[:, one] != end[:, other])
    # a pair's pose is the one with its middle: 1 mm beside counts like a tenth of the outline
    worth_pair = (certain[one] + certain[other]) * pair + pair * (support[:, None] - 0.1 * middle)
    free = np.ones(len(readings), bool)
    left = np.ones(len(poses), bool)
    found: list[tuple[Array, list[IndexReading]]] = []
    while len(found) < LIMITS.most_cards:
        pairs = worth_pair * (free[one] & free[other]) * left[:, None]
        if pairs.size and pairs.max() > 0:
            k, n = np.unravel_index(int(pairs.argmax()), pairs.shape)
            taken = [int(one[n]), int(other[n])]
        else:
            lone = fits * (free & (certain > LIMITS.reported_alone)) * left[:, None]
            alone = lone * (certain + LIMITS.support_weight * support[:, None])
            if not alone.size or alone.max() <= 0:
                break
            k, n = np.unravel_index(int(alone.argmax()), alone.shape)
            taken = [int(n)]
        pose = poses[k].copy()
        equal = fits[k] & (best == best[taken[0]])  # decks with four indices
        free &= ~equal
        free[taken] = False
        found.append((pose, [readings[t] for t in taken]))
        left &= ~poses_near(poses, pose, 15.0, 0.3)
    return found


def _seen(
    pose: Array,
    indices: list[IndexReading],
    middle: PipEvidence | None,
    size_mm: tuple[float, float],
    view: PlaneProjection,
) -> CardReading:
    labels = fuse_labels([one.labels for one in indices])
    if middle is not None:
        labels = labels * middle.weights()
        labels /= labels.sum()
    order = np.argsort(-labels)[:4]
    first, second = float(labels[order[0]]), float(labels[order[1]])
    # what indices do not show by themselves is a guess, however little else is left
    sure = max(one.score * float(one.labels[order[0]]) for one in indices)
    named = first >= LIMITS.named and sure >= (LIMITS.named_alone if len(indices) == 1 else LIMITS.named_by_one)
    if middle is not None and not middle.count and LABELS[order[0]][1] in NUMBERS:
        named &= max(float(one.labels[order[0]]) for one in indices) >= LIMITS.named_uncounted
    choices = tuple((LABELS[n], float(labels[n])) for n in order if labels[n] > 0)
    place: Pose = (float(pose[0]), float(pose[1]), float(pose[2]))
    quad = view.project(card_corners(pose, size_mm))
    return CardReading(LABELS[order[0]] if named else None, first - second, choices, quad, place)

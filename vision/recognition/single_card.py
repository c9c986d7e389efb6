"""Read single cards of which much is known already: the one that was just laid, and one whose place is known.

Nothing covers the newest card, and what changed in the picture bounds where it is. That leaves few poses to try, and
no other card to be separated from it, which takes a quarter of the time that reading all that lies there takes.
Where one card does not explain the change, or is not surely read, all has to be read.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry.pose import Pose, non_maximum_suppression, poses_near
from vision.geometry.projection import Array, PlaneProjection
from vision.geometry.rectification import RectifiedPlane
from vision.images import Picture, checked_picture
from vision.recognition.card_acceptance import is_card, reading_of
from vision.recognition.card_reading import CardReading
from vision.recognition.classification import CardHypothesis
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.edge_proposals import EdgeProposals
from vision.recognition.occlusion import PARAMS as OCCLUSION_PARAMS
from vision.recognition.placed_card import SHAKY_MOVES, classify_moved, classify_refined
from vision.recognition.pose_evidence import tile_centres
from vision.recognition.tiles import PARAMS as TILE_PARAMS
from vision.recognition.tiles import ReferenceTiles, ranking_score, tile_evidence
from vision.recognition.unexplained_paper import has_unexplained_paper


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleCardParams:
    """Parameters of the readings of single cards."""

    #: Poses compared with the faces, refined, and compared once more in detail. 8 … 40, 4 … 16, 1 … 6.
    poses_tried: int = 16
    poses_refined: int = 6
    poses_compared: int = 3
    #: Two poses closer than this are refined to one and the same. 2 … 4 mm, 0.03 … 0.06 rad.
    same_pose_mm: float = 3.0
    same_pose_rad: float = 0.04
    #: Refined poses closer than this, at any angle, are one.
    same_place_mm: float = 2.0
    #: Faces compared at each pose in detail. 4 … 12.
    faces_per_pose: int = 6
    #: How far a tile's centre must lie within another card to be compared there, mm. 1 … 4.
    inside_mm: float = 2.0
    #: What the shadow round a card and a blurred change may take, mm. 4 … 12.
    shadow_mm: float = 8.0
    #: Share of a card's area that may have changed outside it. 0.05 … 0.2.
    max_change_beside: float = 0.12
    #: Share of a card's area that must have changed inside it. 0.2 … 0.5.
    min_change_inside: float = 0.3
    #: Share that may have changed outside a card that a hand still holds, and how far the hand reaches, mm.
    max_change_beside_held: float = 1.5
    hand_mm: float = 24.0
    #: Margin from which a card that a hand still holds is reported.
    clear_margin: float = 0.6
    #: Mat cut out beyond the change, mm. 4 … 12.
    spare_mm: float = 7.0
    #: The same beyond a card whose place is known.
    known_spare_mm: float = 4.0
    #: Least evidence of a face that is still there, next to all that it could give. 0.15 … 0.3; those gone gave up to
    #: 0.12, those there 0.38 at least, in any light.
    min_evidence_share: float = 0.2


PARAMS = SingleCardParams()
#: Margin from which a reading is clear.
CLEAR_MARGIN = PARAMS.clear_margin


@dataclass(frozen=True, eq=False)
class ChangedPlaces:
    """Places where the picture has changed.

    ``places``: (n, 2) mm, spread evenly over what changed, each standing for ``area`` mm².
    """

    places: Array
    area: float

    def explained_by(
        self, poses: Array, size_mm: tuple[float, float], max_beside: float = PARAMS.max_change_beside
    ) -> Array:
        """Find the ``poses`` (n, 3), (n,) bool, at which a card explains the change.

        Enough of it must be in the card, and no more than the share ``max_beside`` of a card beside it.
        """
        cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
        x, y = self.places[:, 0] - poses[:, :1], self.places[:, 1] - poses[:, 1:2]
        across, along = np.abs(cos * x + sin * y), np.abs(cos * y - sin * x)
        width, height = size_mm[0] / 2, size_mm[1] / 2
        card = size_mm[0] * size_mm[1] / self.area
        shadow = PARAMS.shadow_mm
        inside = ((across < width) & (along < height)).sum(1)
        beside = len(self.places) - ((across < width + shadow) & (along < height + shadow)).sum(1)
        return np.asarray((inside > PARAMS.min_change_inside * card) & (beside < max_beside * card))


def read_newest(
    frame: Picture, features: DeckFeatures, view: PlaneProjection, change: ChangedPlaces
) -> CardReading | None:
    """Read the topmost card that explains a change, or None if all that lies there has to be read.

    :raises PictureError: a frame of another shape or type
    """
    reading, _ = _read_topmost(frame, features, view, change, PARAMS.max_change_beside, PARAMS.shadow_mm)
    return reading


def read_held(
    frame: Picture, features: DeckFeatures, view: PlaneProjection, change: ChangedPlaces, lying: Sequence[Pose]
) -> CardReading | None:
    """Read the topmost card of a change that a hand or a shadow has a part in, or None if all has to be read.

    None if it is not clear, or if paper is there that neither it nor the cards ``lying`` there explain, perhaps a
    second card.

    :raises PictureError: a frame of another shape or type
    """
    reading, plane = _read_topmost(frame, features, view, change, PARAMS.max_change_beside_held, PARAMS.hand_mm)
    if plane is None or reading is None or reading.pose is None or reading.margin < CLEAR_MARGIN:
        return None
    cards = np.array([reading.pose, *lying])
    return None if has_unexplained_paper(plane, cards, features.size_mm, change.places, change.area) else reading


def _read_topmost(
    frame: Picture, features: DeckFeatures, view: PlaneProjection, change: ChangedPlaces, beside: float, spare_mm: float
) -> tuple[CardReading | None, RectifiedPlane | None]:
    """Read the topmost card of a change that reaches ``spare_mm`` beyond it at most, and ``beside`` of its area."""
    frame = checked_picture(frame)
    if not len(change.places):
        return None, None
    low, high = change.places.min(0) - PARAMS.spare_mm, change.places.max(0) + PARAMS.spare_mm
    if (high - low > np.hypot(*features.size_mm) + 4 * spare_mm).any():
        return None, None  # more than a card
    plane = RectifiedPlane.of(frame, view, (low, high))
    origin = np.append(plane.origin, 0.0)
    poses = EdgeProposals.of(
        plane, features.size_mm, lambda poses: change.explained_by(poses + origin, features.size_mm, beside)
    ).poses
    if not len(poses):
        return None, plane
    card = _best_face(plane, features, poses + origin)
    if not is_card(card) or not change.explained_by(card.pose[None], features.size_mm, beside)[0]:
        return None, plane
    return reading_of(card, features.size_mm, view), plane


def _best_face(plane: RectifiedPlane, features: DeckFeatures, poses: Array) -> CardHypothesis:
    """Find the face that fits best at any of ``poses`` (n, 3; the likeliest first), nothing covering it."""
    coarse, fine = features.coarse, features.fine
    poses = poses[: PARAMS.poses_tried]
    score = ranking_score(coarse.weights, coarse.agreement_at(plane, poses))
    order = _distinct(
        poses, np.argsort(-score.max(1))[: PARAMS.poses_refined], PARAMS.same_pose_mm, PARAMS.same_pose_rad
    )
    poses = features.coarse_refiner.refine(plane, poses[order], score[order].argmax(1), 4)
    score = ranking_score(coarse.weights, coarse.agreement_at(plane, poses))
    kept = _distinct(poses, np.argsort(-score.max(1)), PARAMS.same_place_mm, np.pi)[: PARAMS.poses_compared]
    poses, rows = poses[kept], np.argsort(-score[kept], 1)[:, : PARAMS.faces_per_pose]
    evidence = tile_evidence(fine.weights[rows], fine.agreement(fine.tiles_at(plane, poses), rows))
    i, k = np.unravel_index(int(evidence.argmax()), evidence.shape)
    return _classify_near(plane, features, poses[i], rows[i, k], np.ones(len(fine.centres), bool), ())


def _distinct(poses: Array, order: Array, mm: float, rad: float) -> list[int]:
    """Select of the poses (n, 3), in this order, those that are not within ``mm`` and ``rad`` of one before."""
    return non_maximum_suppression(order, len(poses), lambda k: poses_near(poses, poses[k], mm, rad))


class KnownPlace:
    """Rectified mat round a card known to lie at ``pose``, with others ``above`` it.

    :raises PictureError: a frame of another shape or type
    """

    def __init__(
        self, frame: Picture, features: DeckFeatures, view: PlaneProjection, pose: Pose, above: Sequence[Pose] = ()
    ) -> None:
        self.features, self.view, self.above = features, view, above
        self.pose = np.array(pose, np.float64)
        reach = float(np.hypot(*features.size_mm)) / 2 + PARAMS.known_spare_mm
        self.plane = RectifiedPlane.of(checked_picture(frame), view, (self.pose[:2] - reach, self.pose[:2] + reach))
        fine = features.fine
        self.visible = np.ones(len(fine.centres), bool)  # tiles that those above hardly cover
        for other in above:
            away = distance_outside(fine, self.pose, np.array(other), features.size_mm)
            self.visible &= away > OCCLUSION_PARAMS.tile_reach_mm

    def read(self, label: str | None = None) -> CardReading | None:
        """Read the card once more; None if what shows is no card.

        ``label``: what alone is asked for; None comes sooner where it clearly is not there.
        """
        fine = self.features.fine
        rows = None
        if label is not None:
            face = 2 * fine.labels.index(label)
            rows = np.array([face, face + 1])
        found = self._evidence(self.pose, rows)
        row = int(found.argmax() if rows is None else rows[found.argmax()])
        least = self._least_evidence(row)
        if rows is not None and found.max() < least:
            refine = self.features.fine_refiner.refine
            (nudged,) = refine(self.plane, self.pose[None], np.array([row]), 3, self.visible[None])
            if self._evidence(nudged, rows).max() < least:
                return None
        card = _classify_near(self.plane, self.features, self.pose, row, self.visible, self.above)
        return reading_of(card, self.features.size_mm, self.view) if is_card(card) else None

    def among(self, labels: Sequence[str]) -> CardHypothesis:
        """Classify the card where one of some faces agrees best, within some 4 mm and 3 degrees of the pose."""
        faces = 2 * np.array([self.features.fine.labels.index(label) for label in labels])
        rows = np.concatenate([faces, faces + 1])
        above = np.array(self.above).reshape(-1, 3)
        return classify_moved(self.plane, self.features, self.pose + SHAKY_MOVES, rows, self.visible, above)

    def has_label(self, label: str) -> bool:
        """Check whether a face is the likeliest at the pose itself; costs a fifth of ``read``."""
        evidence = self._evidence(self.pose, None)
        row = int(evidence.argmax())
        return self.features.fine.labels[row // 2] == label and float(evidence[row]) >= self._least_evidence(row)

    def agreement(self, label: str, other: Pose) -> tuple[float, float]:
        """Average how well a face's print agrees where another card would be too, and beyond that; 0 where none is."""
        fine, row = self.features.fine, 2 * self.features.fine.labels.index(label)
        agreement = fine.agreement(fine.tiles_at(self.plane, self.pose[None]), np.array([row]))[0, 0]
        away = distance_outside(fine, self.pose, np.array(other), self.features.size_mm)
        common, beside = (
            float((fine.weights[row] * agreement * tiles).sum() / max(float((fine.weights[row] * tiles).sum()), 1e-6))
            for tiles in (away < -PARAMS.inside_mm, away > OCCLUSION_PARAMS.tile_reach_mm)
        )
        return common, beside

    def _evidence(self, pose: Array, rows: Array | None) -> Array:
        """Sum the evidence at a pose for some references, by default for all: (rows,)."""
        fine = self.features.fine
        agreement = fine.agreement(fine.tiles_at(self.plane, pose[None]), rows)[0]
        return tile_evidence(fine.weights if rows is None else fine.weights[rows], agreement, self.visible)

    def _least_evidence(self, row: int) -> float:
        """Compute the evidence that a face gives at least if it is there."""
        return PARAMS.min_evidence_share * float((self.features.fine.weights[row] * self.visible).sum())


def is_print_of_lower_card(
    frame: Picture, features: DeckFeatures, view: PlaneProjection, card: tuple[Pose, str], below: tuple[Pose, str]
) -> bool:
    """Check whether a card just read is only the print of one known to lie there.

    So it is if the known one's print is found where both would be, and beyond it nothing of the other's: for example,
    pips of a ten fit on those of a ten that lies across. ``card``, ``below``: poses and labels.

    :raises PictureError: a frame of another shape or type
    """
    common, beside = KnownPlace(frame, features, view, card[0]).agreement(card[1], below[0])
    known, _ = KnownPlace(frame, features, view, below[0]).agreement(below[1], card[0])
    return known > common and beside < TILE_PARAMS.explained_above


def distance_outside(references: ReferenceTiles, pose: Array, other: Array, size_mm: tuple[float, float]) -> Array:
    """Compute how far the centres of a card's tiles lie outside another card, (tiles,) mm; negative inside."""
    x, y = (centres[0] for centres in tile_centres(references, pose[None]))
    right, low = x - other[0], y - other[1]
    cos, sin = np.cos(other[2]), np.sin(other[2])
    sides = np.abs(cos * right + sin * low) - size_mm[0] / 2, np.abs(cos * low - sin * right) - size_mm[1] / 2
    return np.asarray(np.maximum(*sides))


def _classify_near(
    plane: RectifiedPlane, features: DeckFeatures, pose: Array, row: int, visible: Array, above: Sequence[Pose]
) -> CardHypothesis:
    """Classify the card near ``pose``, which face ``row`` fits; ``visible``: (tiles,) bool, hardly covered."""
    (pose,) = features.fine_refiner.refine(plane, pose[None], np.array([row]), 3, visible[None])
    return classify_refined(plane, features, pose, visible, np.array(above).reshape(-1, 3))

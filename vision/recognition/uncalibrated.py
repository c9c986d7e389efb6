"""Recognise cards in pictures without a mat: the view is found from the cards themselves.

Any card that is found whole, by its print or by its outline, shows where millimetres are round about it. If a face is
surely read there, all cards near it are read in its view as on a mat, and each is then fitted freely.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.geometry.projection import Array, PlaneProjection, card_corners
from vision.geometry.quads import iou
from vision.geometry.rectification import RectifiedPlane
from vision.images import Picture
from vision.recognition.card_acceptance import is_card, reading_of
from vision.recognition.card_reading import CardReading
from vision.recognition.classification import CardHypothesis, classify, padded_patch
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.edge_proposals import EdgeProposals
from vision.recognition.pipeline import find_cards
from vision.recognition.pose_refinement import refine_homography, warp_quad
from vision.recognition.quad_proposals import card_quads


@dataclass(frozen=True, slots=True, kw_only=True)
class UncalibratedParams:
    """Parameters of the search for views in a picture without a mat."""

    #: Longer side to which a picture is brought, px. 960 … 1920; small cards in wide pictures need more.
    long_side_px: int = 1280
    #: Factor by which small pictures are enlarged at most.
    max_enlargement: float = 2.0
    #: Views tried in vain before giving up. 4 … 24; time grows with it.
    max_failed_views: int = 12
    #: How far from a card others are searched for in its view, mm. 120 … 300.
    around_mm: float = 220.0
    #: How far from the view's middle the card that shows it may be read, mm.
    middle_mm: float = 6.0
    #: Overlap (intersection over union) from which two readings are of one card. 0.4 … 0.7.
    same_card_iou: float = 0.5
    #: Card sides in another card's view may be off by this factor.
    side_ratio: tuple[float, float] = (0.8, 1.25)


PARAMS = UncalibratedParams()


def scaled(picture: Picture) -> tuple[Picture, float]:
    """Scale a picture to the usual longer side, small ones at most to twice their size; and return the factor."""
    factor = PARAMS.long_side_px / max(picture.shape[:2])
    if 0.95 < factor < 1.05:
        return picture, 1.0
    factor = min(factor, PARAMS.max_enlargement)
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (0, 0), fx=factor, fy=factor, interpolation=way)), factor


def recognise_uncalibrated(frame: Picture, features: DeckFeatures) -> list[CardReading]:
    """Recognise cards in a frame whose view is not known, surest view first; none has a pose."""
    picture, factor = scaled(frame)
    quads = card_quads(picture, features.keypoint_index)
    found: list[CardReading] = []
    failed = 0
    for quad in quads:
        if failed >= PARAMS.max_failed_views:
            break
        if any(iou(quad, seen.quad) > PARAMS.same_card_iou for seen in found):
            continue
        view = view_of(quad, features.size_mm, picture)
        if not _verified(picture, features, view):
            failed += 1
            continue
        for card in _in_view(picture, features, view, quads):
            if not any(iou(card.quad, seen.quad) > PARAMS.same_card_iou for seen in found):
                found.append(card)
    return [replace(card, quad=card.quad / factor) for card in found]


def _verified(picture: Picture, features: DeckFeatures, view: PlaneProjection) -> bool:
    """Check whether a face is read where the view has its card: in the middle."""
    reach = features.size_mm[1] * 0.8
    plane = RectifiedPlane.of(picture, view, ((-reach, -reach), (reach, reach)))
    steps = [(a, b, 0.0) for a in (-1.5, 0, 1.5) for b in (-1.5, 0, 1.5)]
    found = find_cards(plane, features, np.array(steps))
    return bool(found) and is_card(found[0]) and np.hypot(*found[0].pose[:2]) < PARAMS.middle_mm


def _in_view(picture: Picture, features: DeckFeatures, view: PlaneProjection, quads: list[Array]) -> list[CardReading]:
    """Read cards round about the card in the view's middle."""
    poses = [pose for quad in quads if (pose := pose_of(quad, view, features.size_mm)) is not None]
    poses = [pose for pose in poses if np.hypot(pose[0], pose[1]) < PARAMS.around_mm] or [np.zeros(3)]
    around = PARAMS.around_mm
    plane = RectifiedPlane.of(picture, view, ((-around, -around), (around, around)))
    edges = EdgeProposals.of(plane, features.size_mm).poses + np.append(plane.origin, 0.0)
    cards: list[CardReading] = []
    for card in find_cards(plane, features, np.vstack([np.array(poses), edges])):
        if not is_card(card):
            continue
        fitted, quad = _fit_freely(picture, features, view, card)
        if is_card(fitted):
            cards.append(replace(reading_of(fitted, features.size_mm, view), quad=quad, pose=None))
    return cards


def _fit_freely(
    picture: Picture, features: DeckFeatures, view: PlaneProjection, card: CardHypothesis
) -> tuple[CardHypothesis, Array]:
    """Classify a card again where it agrees best, freed of the view; return it and its quad (4, 2 px)."""
    upright = card.pose.copy()
    turned = card.row % 2 == 1
    if turned:  # the row's reference stands on its head: so must the quad it is compared in
        upright[2] -= np.pi
    quad = view.project(card_corners(upright, features.size_mm))
    blur = 0.45 * view.pixels_per_mm(card.pose[:2]) / 2.0
    smooth = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur)) if blur > 0.8 else picture
    quad = refine_homography(smooth, features.fine, quad, card.row, card.visible)
    own = PlaneProjection.of_card(quad, features.size_mm, view.size)
    wide_mm, wide = padded_patch(features.sharp)
    patch = warp_quad(smooth, own.project(card_corners((0, 0, 0), wide_mm)), wide)
    again = classify(features.sharp, upright, patch, card.visible, card.open)
    return again, np.roll(quad, 2, axis=0) if again.row % 2 else quad


def view_of(quad: Array, size_mm: tuple[float, float], picture: Picture) -> PlaneProjection:
    """Find the view in which the card at ``quad`` is in the middle."""
    return PlaneProjection.of_card(quad, size_mm, (picture.shape[1], picture.shape[0]))


def pose_of(quad: Array, view: PlaneProjection, size_mm: tuple[float, float]) -> Array | None:
    """Find the pose (mm, mm, rad) of the card at ``quad`` in another card's view; None if it does not fit there."""
    mm = view.unproject(quad)
    if not np.isfinite(mm).all():
        return None
    middle = mm.mean(0)
    across, down = mm[1] + mm[2] - mm[0] - mm[3], mm[2] + mm[3] - mm[0] - mm[1]
    width, height = np.hypot(*across) / 2, np.hypot(*down) / 2
    low, high = PARAMS.side_ratio
    if not (low < width / size_mm[0] < high and low < height / size_mm[1] < high):
        return None
    turn = np.angle(
        np.exp(1j * np.arctan2(across[1], across[0])) + np.exp(1j * (np.arctan2(down[1], down[0]) - np.pi / 2))
    )
    return np.array([middle[0], middle[1], turn])

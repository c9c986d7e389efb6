"""Recognise the cards in one frame: pure functions, no memory."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.geometry.pose import Pose
from vision.geometry.projection import Array, PlaneProjection, card_corners
from vision.geometry.rectification import RectifiedPlane
from vision.images import PictureError, checked_picture
from vision.recognition.card_acceptance import is_card, reading_of
from vision.recognition.card_reading import CardReading
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.edge_proposals import EdgeProposals
from vision.recognition.pipeline import PARAMS, find_cards
from vision.recognition.uncalibrated import recognise_uncalibrated

__all__ = ["CardReading", "read_near", "recognise"]

#: Poses refined where a card is read again near its place.
POSES_REFINED_NEAR = 10


def recognise(
    frame: Array,
    features: DeckFeatures,
    view: PlaneProjection | None = None,
    region: ArrayLike | None = None,
    lying: Sequence[tuple[Pose, str]] = (),
) -> list[CardReading]:
    """Recognise cards of a deck in ``frame`` ((H, W, 3) uint8, BGR), likeliest first.

    With a ``view`` every card is on its plane and has three unknowns; without one the scale is found from the cards
    themselves. ``region`` is a polygon (n, 2) in pixels or a mask (H, W) uint8: only cards that are at least partly in
    it are searched for. ``lying``: poses and labels of cards known to lie there; if found, they are not doubted, which
    saves a third of the time.

    :raises PictureError: a frame of another shape or type
    """
    frame = checked_picture(frame)
    outline = None if region is None else _polygon(region, frame)
    if view is None:
        cards = recognise_uncalibrated(frame, features)
        return cards if outline is None else [card for card in cards if _meets(card.quad, outline)]
    if outline is None:
        plane = RectifiedPlane.of(frame, view)
        edges = EdgeProposals.of(plane, features.size_mm)
        found = find_cards(plane, features, edges.poses + np.append(plane.origin, 0.0), edges=edges, lying=lying)
    else:
        if len(outline) < 3:
            return []  # an empty mask
        area = view.unproject(outline)
        plane = RectifiedPlane.of(frame, view, _widened(view, outline, features.size_mm))
        inside = area - plane.origin
        edges = EdgeProposals.of(plane, features.size_mm, lambda poses: _near(inside, features.size_mm, poses))
        poses = edges.poses + np.append(plane.origin, 0.0)
        poses = poses[[_meets(card_corners(pose, features.size_mm), area) for pose in poses]]
        found = find_cards(plane, features, poses, PARAMS.refined // 2, lying=lying)  # a region is about a new card
    return [reading_of(card, features.size_mm, view) for card in found if is_card(card)]


def read_near(
    frame: Array, features: DeckFeatures, view: PlaneProjection, pose: tuple[float, float, float]
) -> CardReading:
    """Read the card near ``pose`` (x mm, y mm, angle rad; up to 3 mm and 3 degrees off) again.

    The label is None where nothing there is surely a card of the deck.

    :raises PictureError: a frame of another shape or type
    """
    frame = checked_picture(frame)
    x, y, angle = pose
    reach = float(np.hypot(*features.size_mm)) / 2 + 12
    plane = RectifiedPlane.of(frame, view, ((x - reach, y - reach), (x + reach, y + reach)))
    steps = [(0.0, 0.0, 0.0)] + [(a, b, c) for a in (-2, 0, 2) for b in (-2, 0, 2) for c in (-0.04, 0, 0.04)]
    found = find_cards(plane, features, np.array(pose, np.float64) + np.array(steps), POSES_REFINED_NEAR)
    if found:
        reading = reading_of(found[0], features.size_mm, view)
        return reading if is_card(found[0]) else replace(reading, label=None, margin=0.0)
    return CardReading(None, 0.0, (), view.project(card_corners(pose, features.size_mm)), (x, y, angle))


def _polygon(region: ArrayLike, frame: Array) -> Array:
    """Outline (n, 2 px) the convex hull of a region given as polygon or as mask.

    :raises PictureError: neither (n, 2) nor a mask of the frame's shape
    """
    region = np.asarray(region)
    if region.shape == frame.shape[:2]:
        points = cv2.findNonZero((region > 0).astype(np.uint8))
        if points is None:
            return np.zeros((0, 2))
        region = points.reshape(-1, 2)
    elif region.ndim != 2 or region.shape[1] != 2 or len(region) < 3:
        raise PictureError(f"region: expected a polygon (n, 2) or a mask {frame.shape[:2]}, got {region.shape}")
    return cv2.convexHull(np.asarray(region, np.float32)).reshape(-1, 2).astype(np.float64)


def _widened(view: PlaneProjection, corners: Array, size_mm: tuple[float, float]) -> tuple[Array, Array]:
    """Bound the polygon, (x, y) in mm, with three quarters of a card added, within the picture."""
    low, high = view.bounds(corners)
    reach = float(np.hypot(*size_mm)) * 0.75
    low_bound, high_bound = view.bounds()
    return np.maximum(low - reach, low_bound), np.minimum(high + reach, high_bound)


def _near(area: Array, size_mm: tuple[float, float], poses: Array) -> Array:
    """Find the ``poses`` (n, 3), (n,) bool, at which cards can reach into a convex area (k, 2)."""
    area = cv2.convexHull(area.astype(np.float32)).reshape(-1, 2)
    along = np.roll(area, -1, axis=0) - area
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.maximum(np.hypot(*along.T), 1e-6)[:, None]
    normal *= np.sign(((area.mean(0) - area) * normal).sum(1))[:, None]  # inwards
    inside = poses[:, :2] @ normal.T - (area * normal).sum(1)
    return np.asarray(inside.min(1) > -size_mm[1] / 2)


def _meets(card: Array, area: Array) -> bool:
    """Check whether at least a tenth of a card (4, 2) lies in a convex area (n, 2)."""
    if len(area) < 3:
        return False
    card = card.astype(np.float32)
    common = cv2.intersectConvexConvex(card, cv2.convexHull(area.astype(np.float32)))[0]
    return bool(common > 0.1 * cv2.contourArea(card))

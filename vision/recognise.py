"""Cards in one frame: pure functions, no memory."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.board import Pose
from vision.deck import Deck
from vision.freehand import freehand
from vision.outlines import Outlines
from vision.pictures import PictureError, checked
from vision.plane import Plane
from vision.reading import REFINED, Prepared, Seen, chosen, real, seen_of
from vision.view import Array, View, card_corners

__all__ = ["Seen", "recognise", "relabel"]


def recognise(
    frame: Array,
    deck: Deck,
    view: View | None = None,
    region: ArrayLike | None = None,
    lying: Sequence[tuple[Pose, str]] = (),
) -> list[Seen]:
    """Cards of ``deck`` in ``frame`` ((H, W, 3) uint8, BGR), likeliest first.

    With a ``view`` every card lies on its plane and has three unknowns; without one the scale is found from the
    cards themselves. ``region`` is a polygon (n, 2) in pixels or a mask (H, W) uint8: only cards that lie at least
    partly in it are looked for. ``lying``: poses and labels of cards known to lie there; if found, they are not
    doubted, which saves a third of the time.

    :raises PictureError: a frame of another shape or type
    """
    frame = checked(frame)
    if view is None:
        cards = freehand(frame, deck)
        if region is None:
            return cards
        there = _polygon(region, frame)
        return [card for card in cards if _meets(card.quad, there)]
    known = Prepared.of(deck)
    corners = None if region is None else _polygon(region, frame)
    if corners is not None and len(corners) < 3:
        return []  # an empty mask
    plane = Plane.of(frame, view, None if corners is None else _widened(view, corners, deck))
    area = None if corners is None else view.unproject(corners)
    outlines = Outlines.of(
        plane.fine, deck.size_mm, None if area is None else partial(_near, area - plane.origin, deck.size_mm)
    )
    poses = outlines.poses + np.append(plane.origin, 0.0)
    if not len(poses):
        return []
    most = REFINED
    if area is not None:
        most = REFINED // 2  # a region is about a new card
        poses = poses[[_meets(card_corners(pose, deck.size_mm), area) for pose in poses]]
    found = chosen(plane, known, poses, most, outlines if corners is None else None, lying)
    return [seen_of(choice, deck, view) for choice in found if real(choice)]


def _polygon(region: ArrayLike, frame: Array) -> Array:
    """The convex outline (n, 2 px) of a region given as polygon or as mask.

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


def _widened(view: View, corners: Array, deck: Deck) -> tuple[Array, Array]:
    """The least and greatest (x, y) in mm of the polygon with three quarters of a card added, within the picture."""
    low, high = view.bounds(corners)
    reach = float(np.hypot(*deck.size_mm)) * 0.75
    least, most = view.bounds()
    return np.maximum(low - reach, least), np.minimum(high + reach, most)


def _near(area: Array, size_mm: tuple[float, float], poses: Array) -> Array:
    """(n,) bool: whether cards at ``poses`` (n, 3) can reach into a convex area (k, 2)."""
    area = cv2.convexHull(area.astype(np.float32)).reshape(-1, 2)
    along = np.roll(area, -1, axis=0) - area
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.maximum(np.hypot(*along.T), 1e-6)[:, None]
    normal *= np.sign(((area.mean(0) - area) * normal).sum(1))[:, None]  # inwards
    inside = poses[:, :2] @ normal.T - (area * normal).sum(1)
    return np.asarray(inside.min(1) > -size_mm[1] / 2)


def _meets(card: Array, area: Array) -> bool:
    """Whether at least a tenth of a card (4, 2) lies in a convex area (n, 2)."""
    if len(area) < 3:
        return False
    card = card.astype(np.float32)
    common = cv2.intersectConvexConvex(card, cv2.convexHull(area.astype(np.float32)))[0]
    return bool(common > 0.1 * cv2.contourArea(card))


def relabel(frame: Array, deck: Deck, view: View, pose: tuple[float, float, float]) -> Seen:
    """The card that lies at ``pose`` (x mm, y mm, angle rad; up to 3 mm and 3 degrees off), read again.

    The label is None where nothing there is surely a card of the deck.

    :raises PictureError: a frame of another shape or type
    """
    frame = checked(frame)
    x, y, angle = pose
    reach = float(np.hypot(*deck.size_mm)) / 2 + 12
    plane = Plane.of(frame, view, ((x - reach, y - reach), (x + reach, y + reach)))
    steps = [(0.0, 0.0, 0.0)] + [(a, b, c) for a in (-2, 0, 2) for b in (-2, 0, 2) for c in (-0.04, 0, 0.04)]
    poses = np.array(pose, np.float64) + np.array(steps)
    choices = chosen(plane, Prepared.of(deck), poses, 10)
    if choices:
        seen = seen_of(choices[0], deck, view)
        return seen if real(choices[0]) else replace(seen, label=None, margin=0.0)
    return Seen(None, 0.0, (), view.project(card_corners(pose, deck.size_mm)), (x, y, angle))

"""Cards in one frame: pure functions, no memory."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.choose import FACES, Choice, Chooser
from vision.deck import Deck
from vision.outlines import outline_poses
from vision.pictures import PictureError, checked
from vision.plane import Plane
from vision.refine import Slopes, refined
from vision.tiles import References
from vision.view import Array, View, card_corners


@dataclass(frozen=True, eq=False)
class Seen:
    """One card in one frame.

    ``label`` is None where the label is in doubt; then ``choices`` names the likely ones. ``margin`` (0 … 1) says how
    far the best label is ahead of its rival. ``quad`` is (4, 2) float64, corners in pixels clockwise from the upper
    left corner of the card itself. ``pose`` is (x mm, y mm, angle rad) on the view's plane.
    """

    label: str | None
    margin: float
    choices: tuple[tuple[str, float], ...]
    quad: Array
    pose: tuple[float, float, float] | None = None
    face_down: bool = False


@dataclass(frozen=True, eq=False)
class Prepared:
    """What recognition computes once of a deck."""

    coarse: References
    fine: References
    slopes: Slopes
    fine_slopes: Slopes

    @classmethod
    def of(cls, deck: Deck) -> "Prepared":
        """Of ``deck``; kept with it after the first call."""
        kept = deck.__dict__.get("_prepared")
        if kept is None:
            coarse = References.of(deck, 8, 0.5)
            fine = References.of(deck, 16, 0.8)
            kept = cls(coarse, fine, Slopes.of(coarse), Slopes.of(fine))
            deck.__dict__["_prepared"] = kept
        return kept


#: Poses refined, the best by coarse agreement. 20 … 60.
REFINED = 36
#: Least evidence of printed tiles. 0.5 … 2; paper without print has at most 0.7.
PRINT = 0.8
#: Margin from which a label counts as read. 0 … 0.5.
SURE = 0.12


def recognise(frame: Array, deck: Deck, view: View | None = None, region: ArrayLike | None = None) -> list[Seen]:
    """Cards of ``deck`` in ``frame`` ((H, W, 3) uint8, BGR), likeliest first.

    With a ``view`` every card lies on its plane and has three unknowns; without one the scale is found from the
    cards themselves. ``region`` is a polygon (n, 2) in pixels or a mask (H, W) uint8: only cards that lie at least
    partly in it are looked for.

    :raises PictureError: a frame of another shape or type
    """
    frame = checked(frame)
    if view is None:
        return []
    known = Prepared.of(deck)
    corners = None if region is None else _polygon(region, frame)
    plane = Plane.of(frame, view, None if corners is None else _widened(view, corners, deck))
    poses, _ = outline_poses(plane.fine, deck.size_mm)
    if not len(poses):
        return []
    poses[:, :2] += plane.origin
    if corners is not None:
        poses = poses[[_overlaps(pose, view.unproject(corners), deck) for pose in poses]]
    choices = [choice for choice in chosen(plane, known, poses) if real(choice)]
    return [_seen(choice, deck, view) for choice in choices]


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


def _widened(view: View, corners: Array, deck: Deck) -> Array:
    """The polygon with a card's length added all round, (4, 2) px."""
    low, high = view.bounds(corners)
    reach = float(np.hypot(*deck.size_mm)) * 0.75
    (x0, y0), (x1, y1) = low - reach, high + reach
    (bx0, by0), (bx1, by1) = view.bounds()
    x0, y0, x1, y1 = max(x0, bx0), max(y0, by0), min(x1, bx1), min(y1, by1)
    return view.project([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _overlaps(pose: Array, region: Array, deck: Deck) -> bool:
    """Whether a card at ``pose`` covers at least a tenth of itself with the region (n, 2 mm, convex)."""
    card = card_corners(pose, deck.size_mm).astype(np.float32)
    common = cv2.intersectConvexConvex(card, cv2.convexHull(region.astype(np.float32)))[0]
    return bool(common > 0.1 * deck.size_mm[0] * deck.size_mm[1])


def real(choice: Choice) -> bool:
    """Whether a choice is a card at all: enough of its print is there, and little is not that should be."""
    return choice.printed >= PRINT and choice.refuted <= min(0.6, 0.15 + 0.2 * (choice.printed - PRINT))


def chosen(plane: Plane, known: Prepared, poses: Array) -> list[Choice]:
    if not len(poses):
        return []
    coarse = known.coarse
    agreement = coarse.agreement(coarse.seen(plane, poses, fine=False))
    score = (coarse.weights[None] * np.clip(agreement - 0.3, 0, 1)).sum(2)
    order = np.argsort(-score.max(1))[:REFINED]
    poses, score = poses[order], score[order]
    poses = refined(plane, coarse, known.slopes, poses, score.argmax(1), steps=4)
    agreement = coarse.agreement(coarse.seen(plane, poses, fine=False))
    score = (coarse.weights[None] * np.clip(agreement - 0.3, 0, 1)).sum(2)
    kept: list[int] = []
    for k in np.argsort(-score.max(1)):
        turn = np.abs(np.mod(poses[kept, 2] - poses[k, 2] + np.pi / 2, np.pi) - np.pi / 2)
        if not ((np.hypot(*(poses[kept, :2] - poses[k, :2]).T) < 1.0) & (turn < 0.03)).any():
            kept.append(int(k))
    kept = kept[:24]
    poses, score = poses[kept], score[kept]
    rows = np.argsort(-score, 1)[:, :FACES]
    return Chooser(plane, known.fine, known.fine_slopes, poses, rows).choices()


def _seen(choice: Choice, deck: Deck, view: View) -> Seen:
    quad = view.project(card_corners(choice.pose, deck.size_mm))
    sure = choice.margin >= SURE
    x, y, angle = (float(v) for v in choice.pose)
    return Seen(choice.labels[0][0] if sure else None, choice.margin, choice.labels, quad, (x, y, angle))


def relabel(frame: Array, deck: Deck, view: View, pose: tuple[float, float, float]) -> Seen:
    """The card that lies at ``pose`` (x mm, y mm, angle rad; up to 3 mm and 3 degrees off), read again.

    The label is None where nothing there is surely a card of the deck.

    :raises PictureError: a frame of another shape or type
    """
    frame = checked(frame)
    x, y, angle = pose
    reach = float(np.hypot(*deck.size_mm)) / 2 + 12
    around = view.project(
        [[x - reach, y - reach], [x + reach, y - reach], [x + reach, y + reach], [x - reach, y + reach]]
    )
    plane = Plane.of(frame, view, around)
    steps = [(0.0, 0.0, 0.0)] + [(a, b, c) for a in (-2, 0, 2) for b in (-2, 0, 2) for c in (-0.04, 0, 0.04)]
    poses = np.array(pose, np.float64) + np.array(steps)
    choices = chosen(plane, Prepared.of(deck), poses)
    if choices:
        seen = _seen(choices[0], deck, view)
        return seen if real(choices[0]) else replace(seen, label=None, margin=0.0)
    return Seen(None, 0.0, (), view.project(card_corners(pose, deck.size_mm)), (x, y, angle))

"""Pictures without a mat: the view is found from the cards themselves.

Any card that is found whole, by its print or by its outline, tells where millimetres lie round about it. If a face is
surely read there, all cards near it are read in its view as on a mat, and each is then fitted freely.
"""

from dataclasses import replace

import cv2
import numpy as np

from vision.deck import Deck
from vision.outlines import outline_poses
from vision.pictures import Picture
from vision.plane import Plane
from vision.quads import card_quads
from vision.reading import Prepared, Seen, chosen, real, seen_of
from vision.refine import flat, polished
from vision.settle import Choice, settled, widened
from vision.view import Array, View, card_corners

#: Longer side to which a picture is brought, px. 960 … 1920; small cards in wide pictures need more.
LONG_SIDE = 1280
#: Views tried in vain before giving up. 4 … 24; time grows with it.
VIEWS = 12
#: How far from a card (mm) others are looked for in its view. 120 … 300.
AROUND = 220.0
#: Overlap from which two readings are of one card. 0.4 … 0.7.
SAME_CARD = 0.5


def scaled(picture: Picture) -> tuple[Picture, float]:
    """The picture with a longer side of at most ``LONG_SIDE``, or small ones enlarged; and the factor."""
    longer = max(picture.shape[:2])
    factor = LONG_SIDE / longer
    if 0.95 < factor < 1.05:
        return picture, 1.0
    factor = min(factor, 2.0)
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (0, 0), fx=factor, fy=factor, interpolation=way)), factor


def freehand(frame: Picture, deck: Deck) -> list[Seen]:
    """Cards in a frame whose view is not known, surest view first; none has a pose."""
    picture, factor = scaled(frame)
    known = Prepared.of(deck)
    quads = card_quads(picture, known.print_index)
    found: list[Seen] = []
    failed = 0
    for quad in quads:
        if failed >= VIEWS:
            break
        if any(overlap(quad, seen.quad) > SAME_CARD for seen in found):
            continue
        view = view_of(quad, deck, picture)
        if not _verified(picture, known, deck, view):
            failed += 1
            continue
        for card in _in_view(picture, known, deck, view, quads):
            if not any(overlap(card.quad, seen.quad) > SAME_CARD for seen in found):
                found.append(card)
    return [replace(card, quad=card.quad / factor) for card in found]


def _verified(picture: Picture, known: Prepared, deck: Deck, view: View) -> bool:
    """Whether a face is read where the view says that a card lies: in its middle."""
    reach = deck.size_mm[1] * 0.8
    plane = Plane.of(picture, view, ((-reach, -reach), (reach, reach)))
    steps = [(a, b, 0.0) for a in (-1.5, 0, 1.5) for b in (-1.5, 0, 1.5)]
    choices = chosen(plane, known, np.array(steps))
    return bool(choices) and real(choices[0]) and np.hypot(*choices[0].pose[:2]) < 6


def _in_view(picture: Picture, known: Prepared, deck: Deck, view: View, quads: list[Array]) -> list[Seen]:
    """Cards round about the card in the view's middle."""
    poses = [pose for quad in quads if (pose := pose_of(quad, view, deck.size_mm)) is not None]
    poses = [pose for pose in poses if np.hypot(pose[0], pose[1]) < AROUND] or [np.zeros(3)]
    plane = Plane.of(picture, view, ((-AROUND, -AROUND), (AROUND, AROUND)))
    edges, _ = outline_poses(plane.fine, deck.size_mm)
    edges[:, :2] += plane.origin
    cards: list[Seen] = []
    for choice in chosen(plane, known, np.vstack([np.array(poses), edges])):
        if not real(choice):
            continue
        fitted, quad = _fitted(picture, known, deck, view, choice)
        if real(fitted):
            cards.append(replace(seen_of(fitted, deck, view), quad=quad, pose=None))
    return cards


def _fitted(picture: Picture, known: Prepared, deck: Deck, view: View, choice: Choice) -> tuple[Choice, Array]:
    """A choice settled anew where its card agrees best, freed of the view, and its quad (4, 2 px)."""
    upright = choice.pose.copy()
    turned = choice.row % 2 == 1
    if turned:  # the row's reference stands on its head: so must the quad it is compared in
        upright[2] -= np.pi
    quad = view.project(card_corners(upright, deck.size_mm))
    blur = 0.45 * view.pixels_per_mm(choice.pose[:2]) / 2.0
    smooth = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur)) if blur > 0.8 else picture
    quad = polished(smooth, known.fine, quad, choice.row, choice.visible)
    own = View.of_card(quad, deck.size_mm, view.size)
    wide_mm, wide = widened(known.sharp)
    patch = flat(smooth, own.project(card_corners((0, 0, 0), wide_mm)), wide)
    again = settled(known.sharp, upright, patch, choice.visible, choice.open)
    return again, np.roll(quad, 2, axis=0) if again.row % 2 else quad


def overlap(one: Array, other: Array) -> float:
    """Common area of two convex quads over the area of both together, 0 … 1."""
    one, other = one.astype(np.float32), other.astype(np.float32)
    common = float(cv2.intersectConvexConvex(one, other)[0])
    return common / max(cv2.contourArea(one) + cv2.contourArea(other) - common, 1e-6)


def view_of(quad: Array, deck: Deck, picture: Picture) -> View:
    """The view in which the card at ``quad`` lies in the middle."""
    return View.of_card(quad, deck.size_mm, (picture.shape[1], picture.shape[0]))


def pose_of(quad: Array, view: View, size_mm: tuple[float, float]) -> Array | None:
    """(x mm, y mm, rad) of the card at ``quad`` in another card's view, or None if it does not fit that plane."""
    mm = view.unproject(quad)
    if not np.isfinite(mm).all():
        return None
    middle = mm.mean(0)
    across, down = mm[1] + mm[2] - mm[0] - mm[3], mm[2] + mm[3] - mm[0] - mm[1]
    width, height = np.hypot(*across) / 2, np.hypot(*down) / 2
    if not (0.8 < width / size_mm[0] < 1.25 and 0.8 < height / size_mm[1] < 1.25):
        return None
    turn = np.angle(
        np.exp(1j * np.arctan2(across[1], across[0])) + np.exp(1j * (np.arctan2(down[1], down[0]) - np.pi / 2))
    )
    return np.array([middle[0], middle[1], turn])

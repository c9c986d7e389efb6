"""Single cards of which much is known already: the one that was just laid, and one whose place is known.

Nothing covers the newest card, and what changed in the picture bounds where it lies. That leaves few poses to try, and
no other card to be told apart from it, which takes a quarter of the time that a look at all that lies there takes.
Where one card does not explain the change, or is not surely read, that look is needed.
"""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from vision.board import Pose
from vision.choose import TILE_REACH, open_part, where_it_would_lie
from vision.deck import Deck
from vision.leftover import paper_beside
from vision.outlines import outline_poses
from vision.pictures import Picture, checked
from vision.plane import Plane
from vision.reading import Prepared, Seen, real, seen_of
from vision.refine import refined
from vision.settle import AGAINST, OWNS, SPEAKS, Choice, settled, widened
from vision.tiles import References
from vision.view import Array, View

#: Poses compared with the faces, refined, and compared once more in detail. 8 … 40, 4 … 16, 1 … 6.
TRIED, REFINED, COMPARED = 16, 6, 3
#: mm and rad within which two poses are refined to one and the same. 2 … 4, 0.03 … 0.06.
SAME = 3.0, 0.04
#: mm that a tile's centre must lie within another card to be compared there. 1 … 4.
EDGE = 2.0
#: Faces looked at for each pose in detail. 4 … 12.
FACES = 6
#: mm round a card that its shadow and a blurred change may take. 4 … 12.
ROUND = 8.0
#: Share of a card's area that may have changed outside it; and that must have changed inside. 0.05 … 0.2, 0.2 … 0.5.
BEYOND, WITHIN = 0.12, 0.3
#: The same outside one that a hand still holds, and how far the hand reaches, mm; and the margin from which it is told.
HELD, HAND, CLEAR = 1.5, 24.0, 0.6
#: mm of the table looked at beyond the change. 4 … 12.
SPARE = 7.0
#: Least evidence of a face that lies there still, next to all that it could give. 0.15 … 0.3; those gone gave up to
#: 0.12, those there 0.38 at least, in any light.
THERE = 0.2


def newest(frame: Picture, deck: Deck, view: View, places: Array, area: float) -> Seen | None:
    """The topmost card that explains a change, or None if it takes a closer look.

    ``places``: (n, 2) mm, spread evenly over what changed, each standing for ``area`` mm².

    :raises PictureError: a frame of another shape or type
    """
    look, _ = _topmost(frame, deck, view, places, area, BEYOND, ROUND)
    return look


def held(frame: Picture, deck: Deck, view: View, places: Array, area: float, lying: Sequence[Pose]) -> Seen | None:
    """The topmost card of a change that a hand or a shadow has a part in, or None if it takes a closer look: it is not
    clear, or paper lies there that neither it nor the cards ``lying`` there explain, perhaps a second one.

    :raises PictureError: a frame of another shape or type
    """
    look, plane = _topmost(frame, deck, view, places, area, HELD, HAND)
    if look is None or look.pose is None or look.margin < CLEAR:
        return None
    cards = np.array([look.pose, *lying])
    return None if plane is None or paper_beside(plane, cards, deck.size_mm, places, area) else look


def _topmost(
    frame: Picture, deck: Deck, view: View, places: Array, area: float, beyond: float, spare: float
) -> tuple[Seen | None, Plane | None]:
    """The topmost card of a change that reaches ``spare`` mm and the share ``beyond`` of a card beyond it at most."""
    frame = checked(frame)
    if not len(places):
        return None, None
    low, high = places.min(0) - SPARE, places.max(0) + SPARE
    if (high - low > np.hypot(*deck.size_mm) + 4 * spare).any():
        return None, None  # more than a card
    plane = Plane.of(frame, view, (low, high))

    def explains(poses: Array) -> Array:
        return explained(poses + np.append(plane.origin, 0.0), deck.size_mm, places, area, beyond)

    poses, _ = outline_poses(plane.fine, deck.size_mm, explains)
    if not len(poses):
        return None, plane
    poses[:, :2] += plane.origin
    choice = best(plane, Prepared.of(deck), poses)
    if not real(choice) or not explained(choice.pose[None], deck.size_mm, places, area, beyond)[0]:
        return None, plane
    return seen_of(choice, deck, view), plane


def explained(poses: Array, size_mm: tuple[float, float], places: Array, area: float, beyond: float = BEYOND) -> Array:
    """(n,) bool: whether a card at each of ``poses`` (n, 3) explains what changed: enough in it, and no more than the
    share ``beyond`` of a card beside it.
    """
    cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
    x, y = places[:, 0] - poses[:, :1], places[:, 1] - poses[:, 1:2]
    across, along = np.abs(cos * x + sin * y), np.abs(cos * y - sin * x)
    width, height = size_mm[0] / 2, size_mm[1] / 2
    card = size_mm[0] * size_mm[1] / area
    inside = ((across < width) & (along < height)).sum(1)
    beside = len(places) - ((across < width + ROUND) & (along < height + ROUND)).sum(1)
    return np.asarray((inside > WITHIN * card) & (beside < beyond * card))


def best(plane: Plane, known: Prepared, poses: Array) -> Choice:
    """The one face that fits best at any of ``poses`` (n, 3: mm, mm, rad; the likeliest first), nothing covering it."""
    coarse, fine = known.coarse, known.fine
    poses = poses[:TRIED]
    score = _score(coarse.agreement_at(plane, poses), coarse.weights)
    order = _apart(poses, np.argsort(-score.max(1))[:REFINED], *SAME)
    poses = refined(plane, coarse, known.slopes, poses[order], score[order].argmax(1), steps=4)
    score = _score(coarse.agreement_at(plane, poses), coarse.weights)
    kept = _apart(poses, np.argsort(-score.max(1)), 2.0, np.pi)[:COMPARED]
    poses, rows = poses[kept], np.argsort(-score[kept], 1)[:, :FACES]
    agreement = fine.agreement(fine.seen(plane, poses), rows)
    evidence = (fine.weights[rows] * np.clip(agreement - SPEAKS, -AGAINST, 1)).sum(2)
    i, k = np.unravel_index(int(evidence.argmax()), evidence.shape)
    free = np.ones(fine.grid[0] * fine.grid[1], bool)
    return _exactly(plane, known, poses[i], rows[i, k], free, ())


def reread(
    frame: Picture, deck: Deck, view: View, pose: Pose, above: Sequence[Pose] = (), label: str | None = None
) -> Seen | None:
    """The card known to lie at ``pose`` with others ``above`` it, read once more; None if what shows is no card.

    ``label``: what alone is asked for; None comes sooner where it clearly does not lie there.

    :raises PictureError: a frame of another shape or type
    """
    plane, free = _place(frame, deck, view, pose, above)
    known, at = Prepared.of(deck), np.array(pose, np.float64)
    fine = known.fine
    rows = None
    if label is not None:
        face = 2 * fine.labels.index(label)
        rows = np.array([face, face + 1])
    found = _evidence(fine, plane, at, free, rows)
    row = int(found.argmax() if rows is None else rows[found.argmax()])
    least = THERE * float((fine.weights[row] * free).sum())
    if rows is not None and found.max() < least:
        nudged = refined(plane, fine, known.fine_slopes, at[None], np.array([row]), 3, True, free[None])[0]
        if _evidence(fine, plane, nudged, free, rows).max() < least:
            return None
    choice = _exactly(plane, known, at, row, free, above)
    return seen_of(choice, deck, view) if real(choice) else None


def confirmed(frame: Picture, deck: Deck, view: View, pose: Pose, above: Sequence[Pose], label: str) -> bool:
    """Whether the face ``label`` is, at a glance, the likeliest at ``pose``; the glance costs a fifth of a look.

    :raises PictureError: a frame of another shape or type
    """
    plane, free = _place(frame, deck, view, pose, above)
    fine = Prepared.of(deck).fine
    evidence = _evidence(fine, plane, np.array(pose, np.float64), free, None)
    row = int(evidence.argmax())
    return fine.labels[row // 2] == label and float(evidence[row]) >= THERE * float((fine.weights[row] * free).sum())


def phantom(frame: Picture, deck: Deck, view: View, card: tuple[Pose, str], below: tuple[Pose, str]) -> bool:
    """Whether a card just read is but the print of one known to lie there: its print is seen where both would lie, and
    beyond it nothing of the other's.

    Pips of a ten, say, fit on those of a ten that lies across. ``card``, ``below``: poses and labels.

    :raises PictureError: a frame of another shape or type
    """
    common, beside = _agreeing(frame, deck, view, *card, below[0])
    known, _ = _agreeing(frame, deck, view, *below, card[0])
    return known > common and beside < OWNS


def _agreeing(frame: Picture, deck: Deck, view: View, pose: Pose, label: str, other: Pose) -> tuple[float, float]:
    """How well a card's print agrees where another would lie too, and beyond that; 0 where there is none."""
    fine = Prepared.of(deck).fine
    plane, _ = _place(frame, deck, view, pose, ())
    at, row = np.array(pose, np.float64), 2 * fine.labels.index(label)
    agreement = fine.agreement(fine.seen(plane, at[None]), np.array([[row]]))[0, 0]
    away = beyond(fine, at, np.array(other), deck.size_mm)
    common, beside = (
        float((fine.weights[row] * agreement * tiles).sum() / max(float((fine.weights[row] * tiles).sum()), 1e-6))
        for tiles in (away < -EDGE, away > TILE_REACH)
    )
    return common, beside


def _place(frame: Picture, deck: Deck, view: View, pose: Pose, above: Sequence[Pose]) -> tuple[Plane, Array]:
    """The table round a known card, and which of its tiles those ``above`` hardly cover, (tiles,) bool."""
    frame = checked(frame)
    fine = Prepared.of(deck).fine
    at = np.array(pose, np.float64)
    reach = float(np.hypot(*deck.size_mm)) / 2 + 4
    plane = Plane.of(frame, view, (at[:2] - reach, at[:2] + reach))
    across, down = fine.grid
    free = np.ones(across * down, bool)
    for other in above:
        free &= beyond(fine, at, np.array(other), deck.size_mm) > TILE_REACH
    return plane, free


def _evidence(fine: References, plane: Plane, pose: Array, free: Array, rows: Array | None) -> Array:
    """(rows,) evidence at a pose of some references, by default of all."""
    agreement = fine.agreement(fine.seen(plane, pose[None]), None if rows is None else rows[None])[0]
    weights = fine.weights if rows is None else fine.weights[rows]
    return np.asarray((weights * np.clip(agreement - SPEAKS, -AGAINST, 1) * free).sum(1))


def beyond(references: References, pose: Array, other: Array, size_mm: tuple[float, float]) -> Array:
    """(tiles,) mm by which the centres of a card's tiles lie outside another card; negative inside."""
    across, down = references.grid
    x, y = np.meshgrid(
        ((np.arange(across) + 0.5) / across - 0.5) * references.size_mm[0],
        ((np.arange(down) + 0.5) / down - 0.5) * references.size_mm[1],
    )
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    right = cos * x.ravel() - sin * y.ravel() + pose[0] - other[0]
    low = sin * x.ravel() + cos * y.ravel() + pose[1] - other[1]
    cos, sin = np.cos(other[2]), np.sin(other[2])
    sides = np.abs(cos * right + sin * low) - size_mm[0] / 2, np.abs(cos * low - sin * right) - size_mm[1] / 2
    return np.asarray(np.maximum(*sides))


def _exactly(plane: Plane, known: Prepared, pose: Array, row: int, free: Array, above: Sequence[Pose]) -> Choice:
    """The face near ``pose``, which face ``row`` fits; ``free``: (tiles,) bool, hardly covered by those ``above``."""
    fine, slopes, sharp = known.fine, known.fine_slopes, known.sharp
    pose = refined(plane, fine, slopes, pose[None], np.array([row]), 3, True, free[None])[0]
    patch = plane.sharp(pose[None], *widened(sharp))[0]
    look = partial(where_it_would_lie, plane, fine, slopes, sharp, pose, free)
    return settled(sharp, pose, patch, free, open_part(sharp, pose, np.array(above).reshape(-1, 3)), look)


def _apart(poses: Array, order: Array, mm: float, rad: float) -> list[int]:
    """Of the poses (n, 3) in this order those that are not within ``mm`` and ``rad`` of one before."""
    kept: list[int] = []
    for k in order.tolist():
        near = (
            abs(math.remainder(poses[j, 2] - poses[k, 2], math.pi)) < rad
            for j in kept
            if math.hypot(*(poses[j, :2] - poses[k, :2])) < mm
        )
        if not any(near):
            kept.append(k)
    return kept


def _score(agreement: Array, weights: Array) -> Array:
    return np.asarray((weights[None] * np.clip(agreement - 0.3, 0, 1)).sum(2))

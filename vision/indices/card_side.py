"""Decide on which side of a lone index its card is, by the paper there and by the card's edge beside the index."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.geometry.quads import iou
from vision.images import Picture
from vision.indices.card_geometry import CardGeometry, index_position
from vision.indices.pairing import IndexGroup, one_sided, outline_of
from vision.indices.pips import straightened
from vision.indices.reading import IndexReading


@dataclass(frozen=True, slots=True, kw_only=True)
class SideOdds:
    """Log-odds for an index at the card's left, by each kind of evidence."""

    #: For paper in all of the card's place, none in the other side's.
    paper: float = 8.0
    #: For an edge e times as strong beside the index.
    edge: float = 1.25
    #: For an outline of a card.
    outline: float = 0.7
    #: Where it is not known whether the deck has four indices: most have two, at the left.
    two_indices: float = 1.5
    #: Share of the neighbours' log-odds that counts as well: cards in a fan or a row have one direction.
    neighbours: float = 0.5
    #: Intersection over union of an outline and of what the index demands, from which the outline counts. 0.6 … 0.8.
    min_outline_iou: float = 0.7


ODDS = SideOdds()


def decide_sides(
    frame: Picture, groups: Sequence[IndexGroup], outlines: Sequence[Array], geometry: CardGeometry
) -> None:
    """Outline each hypothesis that has no outline, or whose readings leave its side open."""
    open_: list[tuple[IndexGroup, list[Array | None], float]] = []
    for group in groups:
        if not group.readings:
            continue
        if not one_sided(group.readings, geometry) or geometry.four is False:
            if group.outline is None:
                group.outline = outline_of(group.readings, geometry)
            continue
        reading = group.readings[0]
        guesses = [outline_of(group.readings, geometry, side == 1) for side in (0, 1)]
        known = [_standing_at(side, group, outlines, geometry) for side in (0, 1)]
        known = [
            a if a is not None and iou(a, b) > ODDS.min_outline_iou else None
            for a, b in zip(known, guesses, strict=True)
        ]
        papers = [paper_share(frame, quad, reading) for quad in guesses]
        left, right = edges_beside(frame, reading, geometry)
        odds = ODDS.paper * (papers[0] - papers[1]) + ODDS.edge * float(np.log((left + 2) / (right + 2)))
        odds += ODDS.outline * ((known[0] is not None) - (known[1] is not None)) + (
            ODDS.two_indices if geometry.four is None else 0.0
        )
        open_.append((group, [a if a is not None else b for a, b in zip(known, guesses, strict=True)], odds))
    for group, quads, odds in open_:
        reading = group.readings[0]
        total = odds
        for other, _, theirs in open_:
            apart = float(np.linalg.norm(other.readings[0].centre - reading.centre))
            turn = float(other.readings[0].up @ reading.up)
            if other is not group and apart < geometry.wide * reading.height and abs(turn) > 0.8:
                total += ODDS.neighbours * theirs
        group.outline = quads[0 if total > 0 else 1]


def _standing_at(side: int, group: IndexGroup, outlines: Sequence[Array], geometry: CardGeometry) -> Array | None:
    """Choose the outline in which the readings fit best at the left (0) or right (1), from the first one's left on."""
    best: tuple[float, Array] | None = None
    for quad in outlines:
        stands = [index_position(reading, quad) for reading in group.readings]
        if any(stand is None or not geometry.fits(stand) for stand in stands):
            continue
        first = stands[0]
        assert first is not None
        corners = {stand.corner for stand in stands if stand is not None}
        if (first.corner in (1, 3)) != (side == 1) or len(corners) < len(stands):
            continue
        cost = abs(first.across - geometry.across) + abs(first.along - geometry.along)
        if best is None or cost < best[0]:
            best = cost, quad if first.corner < 2 else np.roll(quad, 2, axis=0)
    return None if best is None else best[1]


def paper_share(frame: Picture, quad: Array, reading: IndexReading) -> float:
    """Measure the share, 0 … 1, of a card's area that is paper as it is round the card's index."""
    reach = np.array([(-0.5, -0.7), (0.5, -0.7), (0.5, 0.7), (-0.5, 0.7)]) * reading.height
    near = straightened(frame, reading.centre + reach[:, :1] * reading.right - reach[:, 1:] * reading.up, (16, 22))
    colour = np.maximum(np.percentile(near.reshape(-1, 3), 80, axis=0), 8.0)
    card = cv2.dilate(straightened(frame, quad, (24, 34)), np.ones((5, 5), np.uint8))  # print vanishes
    tone = card.astype(np.float64) / colour
    bright = np.maximum(tone.mean(2), 0.01)
    paper = (bright > 0.6) & (bright < 1.6) & (np.abs(tone / bright[..., None] - 1).max(2) < 0.2)
    inside = _inside(frame, quad)
    return float(paper[inside].mean()) if inside.any() else 0.0


def _inside(frame: Picture, quad: Array) -> Array:
    """Return (34, 24) bool: which cells of a card's area are in the picture."""
    corners = np.array([(-0.5, -0.5), (23.5, -0.5), (23.5, 33.5), (-0.5, 33.5)], np.float32)
    into = cv2.getPerspectiveTransform(corners, np.asarray(quad, np.float32))
    grid = np.stack(np.meshgrid(np.arange(24.0), np.arange(34.0)), 2).reshape(1, -1, 2)
    x, y = cv2.perspectiveTransform(grid, into)[0].T
    return np.asarray((x >= 0) & (y >= 0) & (x < frame.shape[1]) & (y < frame.shape[0])).reshape(34, 24)


def edges_beside(frame: Picture, reading: IndexReading, geometry: CardGeometry) -> tuple[float, float]:
    """Measure the step of brightness where the card's edge is if the index is a left-hand one, and a right-hand one."""
    aside = 1.5 * geometry.across * geometry.wide * reading.height
    above, below = -(geometry.along - 0.06) * geometry.high * reading.height, 0.2 * geometry.high * reading.height
    box = np.array([(-aside, above), (aside, above), (aside, below), (-aside, below)])
    part = straightened(frame, reading.centre + box[:, :1] * reading.right - box[:, 1:] * reading.up, (60, 40))
    grey = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0)
    step = np.abs((grey[:, 3:] - grey[:, :-3]).mean(0))
    return float(step[4:14].max()), float(step[43:53].max())

"""On which side of a lone index its card lies, by the paper that is there and by the card's edge beside the index."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.body import straightened
from vision.freehand import overlap
from vision.marks import Mark
from vision.pairing import Group, one_sided, outline_of
from vision.pictures import Picture
from vision.shape import Shape, standing
from vision.view import Array

#: Logarithm of the odds for the left-hand side: for all the paper there, for an edge e times as strong, for an outline.
PAPER, EDGE, OUTLINE = 8.0, 1.25, 0.7
#: The same where it is not known whether the deck has four indices: most have two.
TWO = 1.5
#: Common part of an outline and of what the index demands, from which the outline is believed. 0.6 … 0.8.
SAME = 0.7
#: Share of the neighbours' odds that counts: cards in a fan or a row lie alike.
ALIKE = 0.5


def place(frame: Picture, groups: Sequence[Group], outlines: Sequence[Array], shape: Shape) -> None:
    """Give each group without one, or whose marks leave its side open, an outline."""
    open_: list[tuple[Group, list[Array | None], float]] = []
    for group in groups:
        if not group.marks:
            continue
        if not one_sided(group.marks, shape) or shape.four is False:
            if group.outline is None:
                group.outline = outline_of(group.marks, shape)
            continue
        mark = group.marks[0]
        guesses = [outline_of(group.marks, shape, side == 1) for side in (0, 1)]
        known = [_standing_at(side, group, outlines, shape) for side in (0, 1)]
        known = [a if a is not None and overlap(a, b) > SAME else None for a, b in zip(known, guesses, strict=True)]
        papers = [paper_share(frame, quad, mark) for quad in guesses]
        left, right = edges_beside(frame, mark, shape)
        odds = PAPER * (papers[0] - papers[1]) + EDGE * float(np.log((left + 2) / (right + 2)))
        odds += OUTLINE * ((known[0] is not None) - (known[1] is not None)) + (TWO if shape.four is None else 0.0)
        open_.append((group, [a if a is not None else b for a, b in zip(known, guesses, strict=True)], odds))
    for group, quads, odds in open_:
        mark = group.marks[0]
        total = odds
        for other, _, theirs in open_:
            apart = float(np.linalg.norm(other.marks[0].centre - mark.centre))
            turn = float(other.marks[0].up @ mark.up)
            if other is not group and apart < shape.wide * mark.height and abs(turn) > 0.8:
                total += ALIKE * theirs
        group.outline = quads[0 if total > 0 else 1]


def _standing_at(side: int, group: Group, outlines: Sequence[Array], shape: Shape) -> Array | None:
    """The outline in which the marks stand best at the left (0) or right (1), beginning at the first one's left."""
    best: tuple[float, Array] | None = None
    for quad in outlines:
        stands = [standing(mark, quad) for mark in group.marks]
        if any(stand is None or not shape.fits(stand) for stand in stands):
            continue
        first = stands[0]
        assert first is not None
        corners = {stand.corner for stand in stands if stand is not None}
        if (first.corner in (1, 3)) != (side == 1) or len(corners) < len(stands):
            continue
        cost = abs(first.across - shape.across) + abs(first.along - shape.along)
        if best is None or cost < best[0]:
            best = cost, quad if first.corner < 2 else np.roll(quad, 2, axis=0)
    return None if best is None else best[1]


def paper_share(frame: Picture, quad: Array, mark: Mark) -> float:
    """0 … 1: how much of a card's place in the picture is paper as it is round the card's index."""
    reach = np.array([(-0.5, -0.7), (0.5, -0.7), (0.5, 0.7), (-0.5, 0.7)]) * mark.height
    near = straightened(frame, mark.centre + reach[:, :1] * mark.right - reach[:, 1:] * mark.up, (16, 22))
    colour = np.maximum(np.percentile(near.reshape(-1, 3), 80, axis=0), 8.0)
    card = cv2.dilate(straightened(frame, quad, (24, 34)), np.ones((5, 5), np.uint8))  # print vanishes
    tone = card.astype(np.float64) / colour
    bright = np.maximum(tone.mean(2), 0.01)
    paper = (bright > 0.6) & (bright < 1.6) & (np.abs(tone / bright[..., None] - 1).max(2) < 0.2)
    inside = _inside(frame, quad)
    return float(paper[inside].mean()) if inside.any() else 0.0


def _inside(frame: Picture, quad: Array) -> Array:
    """(34, 24) bool: which parts of a card's place are in the picture."""
    corners = np.array([(-0.5, -0.5), (23.5, -0.5), (23.5, 33.5), (-0.5, 33.5)], np.float32)
    into = cv2.getPerspectiveTransform(corners, np.asarray(quad, np.float32))
    grid = np.stack(np.meshgrid(np.arange(24.0), np.arange(34.0)), 2).reshape(1, -1, 2)
    x, y = cv2.perspectiveTransform(grid, into)[0].T
    return np.asarray((x >= 0) & (y >= 0) & (x < frame.shape[1]) & (y < frame.shape[0])).reshape(34, 24)


def edges_beside(frame: Picture, mark: Mark, shape: Shape) -> tuple[float, float]:
    """How strong the step of brightness is where the card's edge is if the index is a left-hand, a right-hand one."""
    aside = 1.5 * shape.across * shape.wide * mark.height
    above, below = -(shape.along - 0.06) * shape.high * mark.height, 0.2 * shape.high * mark.height
    box = np.array([(-aside, above), (aside, above), (aside, below), (-aside, below)])
    part = straightened(frame, mark.centre + box[:, :1] * mark.right - box[:, 1:] * mark.up, (60, 40))
    grey = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0)
    step = np.abs((grey[:, 3:] - grey[:, :-3]).mean(0))
    return float(step[4:14].max()), float(step[43:53].max())

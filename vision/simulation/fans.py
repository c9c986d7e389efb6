"""Lay cards open as people do, overlapping down to the indices, with their truth: a hand as a fan or in a row, a whole
deck in rows."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.mat.layout import MatLayout
from vision.simulation.artwork import BAVARIAN_MM, Art
from vision.simulation.geometry import SIZE, CardPose, Homography, in_view, look_down, visible
from vision.simulation.paint import EVERYDAY, Imaging
from vision.simulation.scene import Scene, render_scene

#: Share of a picture's height or width that the mat fills where a camera is set up over it.
MAT_SHARE = 0.93


def random_fan(
    seed: int,
    art: Art,
    count: int | None = None,
    *,
    labels: Sequence[str] | None = None,
    mat: MatLayout | None = None,
    imaging: Imaging = EVERYDAY,
    size: tuple[int, int] = SIZE,
    looks: int = 1,
) -> Scene:
    """Render a hand of 5 … 12 cards laid open on the mat, the lowest first, the same for the same seed.

    Of each card the strip along its left side shows, index and pip with it; each lies a little otherwise than the next.

    :param count: number of cards, if it is to be fixed.
    :param labels: the faces to draw from; French decks have two of each.
    :param looks: number of frames: it lies there for a while.
    """
    rng = np.random.default_rng([seed, 17])
    mat = mat or MatLayout()
    view = _view(rng, mat, size)
    number = count or int(rng.integers(5, 13))
    pool = list(labels if labels is not None else art.doppelkopf) * (1 if art.size_mm == BAVARIAN_MM else 2)
    chosen = [pool[n] for n in rng.permutation(len(pool))[:number]]
    while True:
        poses = _fanned(rng, art.size_mm, number) if rng.random() < 0.65 else _row(rng, art.size_mm, number)
        middle = np.mean([(pose.x, pose.y) for pose in poses], axis=0)
        at = rng.uniform(-0.5, 0.5, 2) * np.maximum(np.array(mat.size_mm) - 150, 0)
        poses = [_moved(pose, at - middle) for pose in poses]
        if all(in_view(view, pose.quad(art.size_mm), size=size) for pose in poses) and _shows(poses, art.size_mm):
            break
    if art.size_mm != BAVARIAN_MM:  # equal both ways round: nobody turns them
        poses = [replace(pose, angle=pose.angle + math.pi * (rng.random() < 0.3)) for pose in poses]
    laid = list(zip(chosen, poses, strict=True))
    return render_scene(seed, art, laid, view, mat=mat, imaging=imaging, size=size, looks=looks)


def spread_deck(
    seed: int,
    art: Art,
    labels: Sequence[str],
    *,
    rows: int = 4,
    mat: MatLayout | None = None,
    imaging: Imaging = EVERYDAY,
    size: tuple[int, int] = SIZE,
) -> Scene:
    """Render a deck spread out on the mat in rows, each over the lower part of the one before, the same for a seed.

    :param labels: its cards, which are shuffled; on A3 there is room for 48 in four rows.
    """
    rng = np.random.default_rng([seed, 23])
    mat = mat or MatLayout()
    view = _view(rng, mat, size)
    shuffled = [labels[n] for n in rng.permutation(len(labels))]
    w, h = art.size_mm
    a_row = math.ceil(len(shuffled) / rows)
    strip = min(0.62 * w, (0.9 * mat.size_mm[0] - w) / max(1, a_row - 1))
    step = min(0.68 * h, (0.95 * mat.size_mm[1] - h) / max(1, rows - 1))
    poses = [
        CardPose(
            (n % a_row - (a_row - 1) / 2) * strip + rng.normal(0, 1.0),
            (n // a_row - (rows - 1) / 2) * step + rng.normal(0, 1.5),
            rng.normal(0, 0.02),
        )
        for n in range(len(shuffled))
    ]
    if art.size_mm != BAVARIAN_MM:
        poses = [replace(pose, angle=pose.angle + math.pi * (rng.random() < 0.5)) for pose in poses]
    return render_scene(seed, art, list(zip(shuffled, poses, strict=True)), view, mat=mat, imaging=imaging, size=size)


def _view(rng: np.random.Generator, mat: MatLayout, size: tuple[int, int]) -> Homography:
    """Set a camera up over the mat, which fills the picture but for a rim."""
    scale = MAT_SHARE * min(size[0] / mat.size_mm[0], size[1] / mat.size_mm[1])
    focal, tilt = rng.uniform(1050, 1400) * size[0] / SIZE[0], math.radians(rng.uniform(1, 9))
    towards, turn, at = rng.uniform(0, 2 * math.pi), rng.normal(0, 0.02), (rng.normal(0, 4), rng.normal(0, 4))
    return look_down(focal, scale, tilt, towards, turn, at, size)


def _fanned(rng: np.random.Generator, size_mm: tuple[float, float], number: int) -> list[CardPose]:
    """Turn cards about a point near their lower ends, by about as much each."""
    spread = min(math.radians(rng.uniform(7, 15)), math.radians(150) / number)
    towards, pivot = rng.uniform(0, 2 * math.pi), size_mm[1] * rng.uniform(0.3, 0.6)
    turn, poses = 0.0, []
    for _ in range(number):
        angle = towards + turn + rng.normal(0, 0.02)
        c, s = math.cos(angle), math.sin(angle)
        along, aside = pivot + rng.normal(0, 2.0), rng.normal(0, 1.2)
        poses.append(CardPose(s * along + c * aside, -c * along + s * aside, angle))
        turn += spread * rng.uniform(0.75, 1.3)
    return poses


def _row(rng: np.random.Generator, size_mm: tuple[float, float], number: int) -> list[CardPose]:
    """Put each card a strip further to the right than the one below."""
    towards, strip = rng.uniform(0, 2 * math.pi), rng.uniform(0.2, 0.4) * size_mm[0]
    bend, x, poses = rng.uniform(-0.02, 0.04), 0.0, []
    for n in range(number):
        angle = towards + (n - number / 2) * bend + rng.normal(0, 0.025)
        y = rng.normal(0, 1.5)
        c, s = math.cos(towards), math.sin(towards)
        poses.append(CardPose(c * x - s * y, s * x + c * y, angle))
        x += strip * rng.uniform(0.85, 1.25)
    return poses


def _moved(pose: CardPose, by: np.ndarray) -> CardPose:
    return CardPose(pose.x + float(by[0]), pose.y + float(by[1]), math.remainder(pose.angle, 2 * math.pi))


def _shows(poses: Sequence[CardPose], size_mm: tuple[float, float]) -> bool:
    """Check whether of each card the upper end of the left side shows, as wide and high as an index is."""
    w, h = size_mm
    corner = np.array([(-w / 2, -h / 2), (-0.32 * w, -h / 2), (-0.32 * w, -0.24 * h), (-w / 2, -0.24 * h)])
    quads = [pose.quad(size_mm) for pose in poses]
    return all(visible(pose.place(corner), quads[n + 1 :]) >= 0.99 for n, pose in enumerate(poses))

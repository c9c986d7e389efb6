"""Render single pictures of cards on a table, with their ground truth."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry.lens import Lens
from vision.geometry.projection import PlaneProjection
from vision.mat.layout import MatLayout
from vision.simulation import paint
from vision.simulation.artwork import BACK, Art
from vision.simulation.geometry import (
    SIZE,
    CardPose,
    Homography,
    disturbed,
    in_view,
    index_corners,
    lens_of,
    look_down,
    overlap,
    through,
    to_mm,
    to_px,
    visible,
)
from vision.simulation.paint import EVERYDAY, LEARNING, Imaging
from vision.simulation.things import Thing, thing

#: How cards lie to each other. Overlapping: at least 40 % of each card and one of its indices is visible.
CONDITIONS = ("isolated", "touching", "overlapping")


@dataclass(frozen=True, slots=True, eq=False)
class SceneCard:
    """A card that lies there."""

    label: str
    pose: CardPose  # mm
    quad: np.ndarray  # (4, 2) float64 px, top left of the face first, clockwise


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture and its truth."""

    frame: np.ndarray  # (H, W, 3) uint8 BGR
    cards: tuple[SceneCard, ...]  # as laid, lowest first
    homography: Homography  # mm → px, true, before the lens bends it
    calibrated: Homography  # the same as a calibration would have it, off by about a pixel
    lens: Lens | None = None
    looks: tuple[np.ndarray, ...] = ()  # the frame and further ones of the same moment, with noise of their own

    @property
    def view(self) -> PlaneProjection:
        """The view as a calibration would have it."""
        return PlaneProjection(self.calibrated, (self.frame.shape[1], self.frame.shape[0]), self.lens)


def random_scene(
    seed: int,
    art: Art,
    condition: str = "overlapping",
    *,
    count: int | None = None,
    labels: Sequence[str] | None = None,
    card_px: float | None = None,
    mat: MatLayout | None = None,
    imaging: Imaging = EVERYDAY,
    backs: int = 0,
    objects: Sequence[str] = (),
    size: tuple[int, int] = SIZE,
    lens: str | None = None,
) -> Scene:
    """Render a table with 1 … 4 cards (2 … 4 unless isolated), the same for the same seed.

    Cards lie the same under another ``imaging``, with worn art, and with ``objects``.

    :param condition: one of ``CONDITIONS``.
    :param count: number of cards, if it is to be fixed; 0 with ``isolated`` is a table without cards.
    :param labels: the faces to draw from, each twice for French decks; by default ``art.doppelkopf``.
    :param card_px: width of a card in pixels, otherwise 110 … 160 in pictures 720 pixels high.
    :param mat: the printed sheet under the cards; otherwise felt, wood or cloth.
    :param backs: so many of the cards lie face down; the truth names them ``BACK``.
    :param objects: names of ``things.OBJECTS`` that lie beside the cards or, now and then, under them.
    :param size: width and height of the picture in pixels.
    :param lens: a name of ``geometry.LENSES``.
    :raises ValueError: for an unknown condition.
    """
    if condition not in CONDITIONS:
        raise ValueError(f"no condition {condition!r}; choose one of {', '.join(CONDITIONS)}")
    rng = np.random.default_rng(seed)
    while True:
        number = int(rng.integers(1 if condition == "isolated" else 2, 5)) if count is None else count
        view = _random_view(rng, art, card_px, mat, size)
        poses = _place(rng, condition, number, view, art.size_mm, size)
        if poses is not None:
            break
    copies = 1 if art.size_mm == (56.0, 100.0) else 2
    pool = list(labels if labels is not None else art.doppelkopf) * copies
    chosen = [pool[n] for n in rng.permutation(len(pool))[:number]]
    if copies == 2 and number > 1 and rng.random() < 0.2:
        chosen[1] = chosen[0]  # the second of two equal cards is easily taken for the first one's echo
    chosen[:backs] = [BACK] * min(backs, number)
    laid = list(zip(chosen, poses, strict=True))
    things = _strewn(np.random.default_rng([seed, 1]), objects, poses, view, art.size_mm, size)
    glass = lens_of(lens, size)
    frames, cards = _render(rng, art, laid, view, imaging, mat, things, size, glass)
    return Scene(frames[0], cards, view, disturbed(view, rng, size=size), glass, frames)


def learning_frames(
    art: Art, seed: int = 0, labels: Sequence[str] | None = None, card_px: float = 150.0
) -> Iterator[tuple[str, Scene]]:
    """Yield one camera frame a face, shown alone and held still: label and scene, for a deck to be learned from.

    ``labels`` may name ``back``.
    """
    rng = np.random.default_rng(seed)
    towards = rng.uniform(0, 2 * math.pi)
    view = look_down(rng.uniform(1000, 1500), card_px / art.size_mm[0], math.radians(8), towards)
    for label in labels if labels is not None else tuple(art.faces):
        pose = CardPose(rng.uniform(-30, 30), rng.uniform(-15, 15), math.pi / 2 + rng.uniform(-0.3, 0.3))
        frames, cards = _render(rng, art, [(label, pose)], view, LEARNING, None)
        yield label, Scene(frames[0], cards, view, disturbed(view, rng), looks=frames)


def render_scene(
    seed: int,
    art: Art,
    cards: Sequence[tuple[str, CardPose]],
    homography: Homography,
    *,
    mat: MatLayout | None = None,
    imaging: Imaging = EVERYDAY,
    size: tuple[int, int] = SIZE,
    looks: int = 1,
) -> Scene:
    """Render these cards, lowest first, under this view; the seed draws light and ground.

    :param looks: number of frames.
    """
    rng = np.random.default_rng(seed)
    frames, laid = _render(rng, art, list(cards), homography, imaging, mat, size=size, looks=looks)
    return Scene(frames[0], laid, homography, disturbed(homography, rng, size=size), looks=frames)


def _random_view(
    rng: np.random.Generator,
    art: Art,
    card_px: float | None,
    mat: MatLayout | None,
    size: tuple[int, int],
) -> Homography:
    focal, tilt, towards = (
        rng.uniform(1000, 1500) * size[0] / SIZE[0],
        math.radians(rng.uniform(0, 25)),
        rng.uniform(0, 2 * math.pi),
    )
    if mat is not None and card_px is None:  # a camera that is set up over a sheet has all of it in view
        fits = 0.9 * min(size[0] / mat.size_mm[0], size[1] / mat.size_mm[1])
        return look_down(focal, fits, tilt / 2, towards, rng.normal(0, 0.03), size=size)
    wide = card_px or rng.uniform(110, 160) * size[1] / SIZE[1]
    return look_down(focal, wide / art.size_mm[0], tilt, towards, size=size)


def _place(
    rng: np.random.Generator,
    condition: str,
    number: int,
    view: Homography,
    size: tuple[float, float],
    picture: tuple[int, int],
) -> list[CardPose] | None:
    """Draw poses under this condition; None if none was found in 200 tries."""
    for _ in range(200):
        poses: list[CardPose] = []
        while len(poses) < number:
            pose = next((p for p in (_try(rng, condition, poses, view, size, picture) for _ in range(120)) if p), None)
            if pose is None:
                break
            poses.append(pose)
        else:
            return poses
    return None


def _try(
    rng: np.random.Generator,
    condition: str,
    poses: list[CardPose],
    view: Homography,
    size: tuple[float, float],
    picture: tuple[int, int],
) -> CardPose | None:
    """Draw one more card's pose that fits the condition; None if it does not."""
    width, height = picture
    angle = rng.uniform(0, 2 * math.pi)
    if condition == "isolated":
        x, y = to_mm(view, np.array([(rng.uniform(40, width - 40), rng.uniform(40, height - 40))]))[0]
        pose = CardPose(float(x), float(y), angle)
        free = all(overlap(pose.quad(size, 2.5), other.quad(size, 0.5)) == 0 for other in poses)
        return pose if free and in_view(view, pose.quad(size), size=picture) else None
    if not poses:
        x, y = to_mm(view, np.array([(rng.uniform(0.3, 0.7) * width, rng.uniform(0.3, 0.7) * height)]))[0]
        pose = CardPose(float(x), float(y), angle)
        return pose if in_view(view, pose.quad(size), size=picture) else None
    beside, direction = poses[rng.integers(len(poses))], rng.uniform(0, 2 * math.pi)
    dx, dy = math.cos(direction), math.sin(direction)
    if condition == "touching":
        if rng.random() < 0.4:
            angle = beside.angle + rng.choice([0, 0.5, 1, -0.5]) * math.pi + rng.normal(0, 0.02)
        near, far = 0.0, 130.0
        for _ in range(12):
            half = (near + far) / 2
            hits = (
                overlap(CardPose(beside.x + dx * half, beside.y + dy * half, angle).quad(size), beside.quad(size)) > 0
            )
            near, far = (half, far) if hits else (near, half)
        away = far + rng.uniform(0, 0.8)
        pose = CardPose(beside.x + dx * away, beside.y + dy * away, angle)
        free = all(overlap(pose.quad(size), other.quad(size)) <= 2 for other in poses)
        return pose if free and in_view(view, pose.quad(size), size=picture) else None
    away = rng.uniform(15, 85)
    pose = CardPose(beside.x + dx * away, beside.y + dy * away, angle)
    if not in_view(view, pose.quad(size), size=picture):
        return None
    covered_share = max(overlap(pose.quad(size), other.quad(size)) for other in poses) / (size[0] * size[1])
    return pose if 0.03 <= covered_share <= 0.6 and readable([*poses, pose], size) else None


def readable(poses: Sequence[CardPose], size: tuple[float, float], share: float = 0.4) -> bool:
    """Check whether of each card, lowest first, at least this share and one index is visible."""
    quads = [pose.quad(size) for pose in poses]
    for n, pose in enumerate(poses[:-1]):
        above = quads[n + 1 :]
        if visible(quads[n], above) < share or max(visible(c, above) for c in index_corners(pose, size)) < 0.98:
            return False
    return True


def _render(
    rng: np.random.Generator,
    art: Art,
    cards: list[tuple[str, CardPose]],
    view: Homography,
    imaging: Imaging,
    mat: MatLayout | None,
    things: Sequence[tuple[Thing, CardPose]] = (),
    size: tuple[int, int] = SIZE,
    lens: Lens | None = None,
    looks: int = 1,
) -> tuple[tuple[np.ndarray, ...], tuple[SceneCard, ...]]:
    kind = str(rng.choice(["green", *paint.GROUNDS]))  # felt in green is the most common
    picture = paint.ground(rng, kind if mat is None else "wood", size)
    if mat is not None:
        paint.lay_mat(picture, mat, view, rng)
    if rng.random() < imaging.paper:
        _written_sheet(rng, picture, cards, view, art.size_mm)
    towards = tuple(rng.uniform(-6, 6, 2).tolist())
    laid = []
    for what, pose in things:
        paint.lay_card(picture, what.picture, to_px(view, pose.quad(what.size_mm)), rng, towards, 0.0)
    for label, pose in cards:
        drawn = to_px(view, pose.quad(art.picture_mm))
        paint.lay_card(picture, art.back if label == BACK else art.faces[label], drawn, rng, towards, imaging.wear)
        quad = to_px(view, pose.quad(art.size_mm))
        laid.append(SceneCard(label, pose, quad if lens is None else lens.distort(quad)))
    spots = to_px(view, np.array([(pose.x, pose.y) for _, pose in cards])) if cards else np.zeros((0, 2))
    paint.light(picture, rng, imaging, spots, [card.quad for card in laid])
    if lens is not None:
        picture = through(lens, picture)
    return paint.photographs(picture, rng, imaging, looks), tuple(laid)


def _strewn(
    rng: np.random.Generator,
    names: Sequence[str],
    poses: list[CardPose],
    view: Homography,
    size: tuple[float, float],
    picture: tuple[int, int],
) -> list[tuple[Thing, CardPose]]:
    """Draw things at places in view; three of four clear of cards and of each other, the rest may lie under cards."""
    lying = [pose.quad(size, 1) for pose in poses]
    strewn: list[tuple[Thing, CardPose]] = []
    for name in names:
        what, under = thing(name, int(rng.integers(1000))), rng.random() < 0.25
        for _ in range(40):
            x, y = to_mm(view, np.array([rng.uniform(0.05, 0.95, 2) * picture]))[0]
            pose = CardPose(float(x), float(y), rng.uniform(0, 2 * math.pi))
            quad = pose.quad(what.size_mm)
            if under or all(overlap(quad, other) == 0 for other in lying):
                strewn.append((what, pose))
                lying.append(quad)
                break
    return strewn


def _written_sheet(
    rng: np.random.Generator,
    picture: np.ndarray,
    cards: list[tuple[str, CardPose]],
    view: Homography,
    size: tuple[float, float],
) -> None:
    for _ in range(10):
        x, y = to_mm(view, np.array([rng.uniform(0, 1, 2) * picture.shape[1::-1]]))[0]
        quad = CardPose(float(x), float(y), rng.uniform(0, 6.3)).quad((rng.uniform(60, 120), rng.uniform(80, 150)))
        if all(overlap(quad, pose.quad(size, 1)) == 0 for _, pose in cards):
            paint.lay_paper(picture, to_px(view, quad), rng)
            return

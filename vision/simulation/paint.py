"""Paint in float pictures: grounds, cards with their shadows, light, and the errors of a cheap camera.

``picture`` is always (H, W, 3) float32 BGR, 0 … 255 before light, and is painted in place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

import cv2
import numpy as np

from vision.mat.layout import MatLayout
from vision.mat.printed_sheet import draw
from vision.simulation.geometry import SIZE, Homography, to_px
from vision.simulation.lights import LIGHTS, Light, colours, reflexes, side_shadow, sun_patch

#: Rows of a picture that are worked on at a time, so that they stay in the processor's cache.
ROWS = 40

GROUNDS = ("green", "wood", "blue", "red", "brown", "grey")
_COLOURS = {
    "green": (50, 95, 35),
    "wood": (70, 115, 165),
    "blue": (110, 65, 35),
    "red": (40, 35, 120),
    "brown": (50, 70, 95),
    "grey": (95, 95, 95),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Imaging:
    """Difficulty of the picture; ranges are drawn evenly, chances are 0 … 1."""

    blur: tuple[float, float] = (0.3, 1.3)  # sigma, px
    motion: float = 4.0  # longest smear, px
    glare: float = 0.5  # chance of up to three reflexes on cards
    noise: tuple[float, float] = (2.0, 7.0)  # sigma, grey levels
    jpeg: tuple[float, float] = (60.0, 95.0)  # quality
    paper: float = 0.12  # chance of a written sheet among the cards
    shadow: float = 0.6  # chance of one or two soft shadows across the table
    exposure: tuple[float, float] = (0.6, 1.2)
    temperature: float = 0.2  # red against blue, ±
    wear: float = 0.012  # unevenness of the cards' paper
    named: Light | None = None  # this light, in place of shadow, exposure and temperature


EVERYDAY = Imaging()
#: A person holds still and shows one card after the other.
LEARNING = Imaging(
    blur=(0.4, 0.7), motion=0, glare=0, noise=(2, 4), jpeg=(90, 95), paper=0, shadow=0, exposure=(0.9, 1.05),
    temperature=0.05, wear=0.008,
)  # fmt: skip


def _imaging_in(light: Light) -> Imaging:
    """Make the imaging of ``EVERYDAY`` in this light."""
    noise, blur = light.noise, light.blur
    return replace(
        EVERYDAY, named=light, noise=(0.8 * noise, 1.2 * noise), blur=(0.6 * blur, 1.4 * blur), glare=0, paper=0
    )


#: Name of a light → pictures in it.
IMAGING = MappingProxyType({name: _imaging_in(light) for name, light in LIGHTS.items()})


def each_channel(plane: np.ndarray, tint: Sequence[float] | np.ndarray = (1, 1, 1)) -> np.ndarray:
    """Weigh a plane (H, W) float32 by a number for each channel: (H, W, 3) float32.

    :mod:`numpy` is slow along an axis of three: to spread the plane over it by itself takes several times as long.
    """
    return cv2.merge([plane if weight == 1 else plane * np.float32(weight) for weight in tint])


def smooth_noise(
    rng: np.random.Generator, height: int, width: int, grain: float, along: float | None = None
) -> np.ndarray:
    """Draw noise (height, width) float32, about normal, with spots of ``grain`` px (``along`` px wide)."""
    along = along or grain
    coarse = rng.standard_normal((max(2, int(height / grain) + 2), max(2, int(width / along) + 2))).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)


def ground(rng: np.random.Generator, kind: str, size: tuple[int, int] = SIZE) -> np.ndarray:
    """Paint a table's top that fills the picture."""
    width, height = size
    base = np.array(_COLOURS[kind], np.float32) * rng.uniform(0.75, 1.3) + rng.uniform(-10, 10, 3).astype(np.float32)
    if kind == "wood":
        grain = smooth_noise(rng, height, width, rng.uniform(4, 14), rng.uniform(120, 400)) * 14
        grain += smooth_noise(rng, height, width, 2, 60) * 6
        picture: np.ndarray = cv2.merge(
            [grain * np.float32(share) + of for share, of in zip((0.8, 1, 1.1), base, strict=True)]
        )
        for _ in range(rng.integers(0, 4)):
            seam = int(rng.uniform(0, height))
            picture[seam : seam + 2] *= 0.6
        return picture
    felt = (
        1
        + 0.05 * smooth_noise(rng, height, width, rng.uniform(1.2, 2.5))
        + 0.025 * smooth_noise(rng, height, width, 60)
    )
    return each_channel(felt, base)


@cache
def _sheet(layout: MatLayout, scale: float) -> np.ndarray:
    return draw(layout, scale)


def lay_mat(picture: np.ndarray, layout: MatLayout, homography: Homography, rng: np.random.Generator) -> None:
    """Put the printed sheet on the table."""
    scale = 2.5
    sheet = _sheet(layout, scale)
    width, height = layout.size_mm
    # sheet px → mm → picture px
    from_sheet = np.array(
        [(1 / scale, 0, 0.5 / scale - width / 2), (0, 1 / scale, 0.5 / scale - height / 2), (0, 0, 1)]
    )
    into = homography @ from_sheet
    size = (picture.shape[1], picture.shape[0])
    ink = cv2.warpPerspective(sheet, into, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full(sheet.shape[:2], 255, np.uint8), into, size).astype(np.float32) / 255
    shadow = cv2.GaussianBlur(np.roll(mask, (2, 2), (0, 1)), (0, 0), 3)
    paper = smooth_noise(rng, size[1], size[0], 1.6)
    for top in range(0, size[1], ROWS):
        rows = np.s_[top : top + ROWS]
        part, cover = picture[rows], mask[rows]
        part *= each_channel(1 - 0.3 * shadow[rows] * (1 - cover))
        printed = ink[rows].astype(np.float32)
        printed *= each_channel(1 + 0.015 * paper[rows])
        part += (printed * 0.93 + 4 - part) * each_channel(cover)


def lay_card(
    picture: np.ndarray,
    face: np.ndarray,
    quad_px: np.ndarray,
    rng: np.random.Generator,
    towards: tuple[float, float],
    wear: float,
) -> None:
    """Lay a card with its shadow, which falls ``towards`` (px)."""
    size = (picture.shape[1], picture.shape[0])
    sprite, mask, corner = warp_face(prepared(face, quad_px), quad_px, margin=15, size=size)
    if not mask.size:
        return
    x, y = corner
    shadow = np.roll(mask, (round(towards[1] / 2), round(towards[0] / 2)), (0, 1))
    shadow = cv2.GaussianBlur(shadow, (0, 0), rng.uniform(1.2, 3.5))
    part = picture[y : y + mask.shape[0], x : x + mask.shape[1]]
    part *= (1 - rng.uniform(0.2, 0.5) * shadow)[..., None]
    paper = rng.uniform(0.95, 1.0) * (1 + wear * smooth_noise(rng, mask.shape[0], mask.shape[1], 16))
    if wear:  # handled cards are a little grey along their edges
        rim = mask - cv2.GaussianBlur(mask, (0, 0), 2.0)
        paper = paper - 4 * wear * np.clip(rim, 0, 1)
    part *= (1 - mask)[..., None]
    part += sprite * paper[..., None]


def prepared(face: np.ndarray, quad_px: np.ndarray) -> np.ndarray:
    """Scale a face, (h, w, 4) uint8 BGRA, to about the size it will have, and premultiply it by its alpha."""
    side = max(np.linalg.norm(quad_px[1] - quad_px[0]), np.linalg.norm(quad_px[2] - quad_px[3]))
    shrink = min(1.0, 1.15 * float(side) / face.shape[1])
    small = cv2.resize(face, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    cover = cv2.merge([small[..., 3]] * 3)
    return np.dstack([cv2.multiply(small[..., :3], cover, scale=1 / 255), small[..., 3]])


def warp_face(
    face: np.ndarray, quad_px: np.ndarray, margin: int = 0, size: tuple[int, int] = SIZE
) -> tuple[np.ndarray, np.ndarray, tuple[int, int]]:
    """Warp a ``prepared`` face to its quad in a picture of this size.

    :returns: colours weighed by the cover, (h, w, 3) float32; cover, (h, w) float32 0 … 1; their corner in px.
        Cut to the picture; empty arrays if the card is outside of it.
    """
    seen, corner = warp_bytes(face, quad_px, margin, size)
    if not seen.size:
        return np.zeros((0, 0, 3), np.float32), np.zeros((0, 0), np.float32), corner
    cover = cv2.extractChannel(seen, 3).astype(np.float32) / 255
    return cv2.cvtColor(seen, cv2.COLOR_BGRA2BGR).astype(np.float32), cover, corner


def warp_bytes(
    face: np.ndarray, quad_px: np.ndarray, margin: int = 0, size: tuple[int, int] = SIZE
) -> tuple[np.ndarray, tuple[int, int]]:
    """Warp a ``prepared`` face to its quad: (h, w, 4) uint8 with premultiplied alpha, and its corner in px."""
    height, width = face.shape[:2]
    x, y, *part = window(quad_px, margin, size)
    if min(part) <= 0:
        return np.zeros((0, 0, 4), np.uint8), (0, 0)
    edges = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    into = cv2.getPerspectiveTransform(edges, (quad_px - (x, y)).astype(np.float32))
    return cv2.warpPerspective(face, into, part, flags=cv2.INTER_LINEAR), (x, y)


def window(quad_px: np.ndarray, margin: int = 0, size: tuple[int, int] = SIZE) -> tuple[int, int, int, int]:
    """Compute left, top, width and height of the picture's part round a quad; not above 0 if it is outside."""
    low = np.maximum(0, np.floor(quad_px.min(0)).astype(int) - margin)
    high = np.minimum(size, np.ceil(quad_px.max(0)).astype(int) + 1 + margin)
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def lay_paper(picture: np.ndarray, quad_px: np.ndarray, rng: np.random.Generator) -> None:
    """Paint a white sheet with some lines of writing, which is no card."""
    cv2.fillConvexPoly(picture, quad_px.astype(np.int32), (215, 222, 225), cv2.LINE_AA)
    right, down = quad_px[1] - quad_px[0], quad_px[3] - quad_px[0]
    for _ in range(12):
        along = rng.uniform(0.1, 0.9)
        ends = [quad_px[0] + right * x + down * along for x in sorted(rng.uniform(0.05, 0.95, 2))]
        (x0, y0), (x1, y1) = (end.astype(int).tolist() for end in ends)
        cv2.line(picture, (x0, y0), (x1, y1), (120, 60, 40), 1, cv2.LINE_AA)


@cache
def rows_and_columns(height: int, width: int) -> np.ndarray:
    """Number each pixel's row and column: (2, height, width) float32, read-only."""
    numbers: np.ndarray = np.mgrid[0:height, 0:width].astype(np.float32)
    numbers.setflags(write=False)
    return numbers


def light(
    picture: np.ndarray,
    rng: np.random.Generator,
    imaging: Imaging,
    spots_px: np.ndarray,
    quads_px: Sequence[np.ndarray] = (),
) -> None:
    """Apply lamp, shadows, colour and reflexes; ``spots_px`` and ``quads_px`` are the cards' centres and corners."""
    if imaging.named is not None:
        _named_light(picture, rng, imaging.named, quads_px)
        return
    height, width = picture.shape[:2]
    yy, xx = rows_and_columns(height, width)
    slope = rng.uniform(-0.3, 0.3, 2)
    lamp = (1 + slope[0] * (xx / width - 0.5) + slope[1] * (yy / height - 0.5)).astype(np.float32)
    if rng.random() < imaging.shadow:
        for _ in range(rng.integers(1, 3)):
            shade: np.ndarray = np.zeros((height // 4, width // 4), np.float32)
            corners = (rng.uniform(-0.2, 1.2, (4, 2)) * (width / 4, height / 4)).astype(np.int32)
            cv2.fillConvexPoly(shade, cv2.convexHull(corners), 1.0)
            shade = cv2.resize(cv2.GaussianBlur(shade, (0, 0), rng.uniform(2, 15)), (width, height))
            lamp *= 1 - rng.uniform(0.2, 0.5) * shade
    warm = rng.uniform(-imaging.temperature, imaging.temperature)
    colour = 1 - warm, 1 + rng.uniform(-0.04, 0.04), 1 + warm
    picture *= each_channel(lamp * rng.uniform(*imaging.exposure), colour)
    if len(spots_px) and rng.random() < imaging.glare:
        for _ in range(rng.integers(1, 4)):
            centre = spots_px[rng.integers(len(spots_px))] + rng.normal(0, 60, 2)
            size, turn = rng.uniform(12, 50, 2), rng.uniform(0, np.pi)
            _reflex(picture, centre, size, turn, rng.uniform(50, 220))


def _reflex(picture: np.ndarray, centre: np.ndarray, size: np.ndarray, turn: float, strength: float) -> None:
    """Add a soft oval spot of light; its centre and half axes in px, its direction in rad, its strength in grey."""
    yy, xx = rows_and_columns(*picture.shape[:2])
    for top in range(0, len(picture), ROWS):
        rows = np.s_[top : top + ROWS]
        dx, dy = xx[rows] - centre[0], yy[rows] - centre[1]
        u = (dx * np.cos(turn) + dy * np.sin(turn)) / size[0]
        v = (dy * np.cos(turn) - dx * np.sin(turn)) / size[1]
        picture[rows] += each_channel((strength * np.exp(-0.5 * (u * u + v * v))).astype(np.float32))


def _named_light(picture: np.ndarray, rng: np.random.Generator, light: Light, quads_px: Sequence[np.ndarray]) -> None:
    """Apply a moment of this light."""
    height, width = picture.shape[:2]
    yy, xx = rows_and_columns(height, width)
    xx, yy = xx / width - 0.5, yy / height - 0.5
    turn = rng.uniform(0, 2 * np.pi)
    lamp = light.exposure * (1 + light.slope * (xx * np.cos(turn) + yy * np.sin(turn)))
    lamp *= 1 - light.corners * (xx * xx + yy * yy) / 0.5
    if light.side:
        lamp *= side_shadow(light, rng, (width, height))
    if light.sun:
        lamp *= 1 + light.sun * sun_patch(rng, size=(width, height))
    if light.switched and rng.random() < 0.5:
        lamp *= 1 - light.switched
    lamp *= np.float32(np.exp(rng.normal(0, 0.6) * (light.drift + light.automatic)))
    picture *= each_channel(lamp.astype(np.float32), colours(light))
    if light.gloss:  # what is varnished are the cards
        cards = np.zeros((height, width), np.uint8)
        for quad in quads_px:
            cv2.fillConvexPoly(cards, np.round(quad).astype(np.int32), 1, cv2.LINE_AA)
        picture += (light.gloss * reflexes(rng, 3, (width, height)) * cards)[..., None]
    if light.glare:
        centre = rng.uniform(0.25, 0.75, 2)
        far = ((xx + 0.5 - centre[0]) / 0.07) ** 2 + ((yy + 0.5 - centre[1]) / 0.08) ** 2
        picture += (light.glare * np.exp(-0.5 * far)).astype(np.float32)[..., None]


def photographs(picture: np.ndarray, rng: np.random.Generator, imaging: Imaging, number: int) -> tuple[np.ndarray, ...]:
    """Return so many frames (H, W, 3) uint8 of one moment: blur and smear are the same in all, noise is not."""
    soft: np.ndarray = cv2.GaussianBlur(picture, (0, 0), rng.uniform(*imaging.blur))
    smear = rng.uniform(0, imaging.motion)
    if smear > 1.2 and rng.random() < 0.5:
        side = int(np.ceil(smear)) | 1
        kernel, turn, middle = np.zeros((side, side), np.float32), rng.uniform(0, np.pi), side // 2
        step = np.array([np.cos(turn), np.sin(turn)]) * middle
        (x0, y0), (x1, y1) = (np.round(middle + sign * step).astype(int).tolist() for sign in (-1, 1))
        cv2.line(kernel, (x0, y0), (x1, y1), 1.0)
        soft = cv2.filter2D(soft, -1, kernel / kernel.sum())
    noise = rng.standard_normal(soft.shape, np.float32)
    strength = np.float32(rng.uniform(*imaging.noise))
    quality = int(rng.uniform(*imaging.jpeg))
    frames = [_exposed(soft, noise, strength, quality)]
    while len(frames) < number:
        rng.standard_normal(soft.shape, np.float32, out=noise)
        frames.append(_exposed(soft, noise, strength, quality))
    return tuple(frames)


def _exposed(soft: np.ndarray, noise: np.ndarray, strength: np.float32, quality: int) -> np.ndarray:
    """Expose a frame with noise, which is overwritten, and compress it as a camera does."""
    frame = np.empty(soft.shape, np.uint8)
    for top in range(0, len(soft), ROWS):
        rows = np.s_[top : top + ROWS]
        noisy = noise[rows]
        noisy *= strength
        noisy += soft[rows]
        frame[rows] = np.clip(noisy, 0, 255, out=noisy)
    _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    seen = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert seen is not None  # it was encoded a line above
    return seen


def px_per_mm(homography: Homography) -> float:
    """Scale at the origin."""
    ends = to_px(homography, np.array([(-10.0, 0), (10, 0), (0, -10), (0, 10)]))
    return float(np.linalg.norm(ends[1] - ends[0]) + np.linalg.norm(ends[3] - ends[2])) / 40

"""Augment training pictures: what light, lens, sensor and compression make of them."""

import math
from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True, slots=True)
class Harsh:
    """Ranges of the degradation of pictures."""

    coloured: float  # chance of coloured light
    blur: float  # px, of an index 22 px high
    out_of_focus: tuple[float, float, float]  # px: least, most for each px of the index's height, and beyond that
    lowest: float  # px, height of indices down to which pictures are shrunk and enlarged again
    streak: tuple[float, float]  # of moving cards, parts of the index's height
    quiet: float  # chance of little noise
    grain: float  # most noise, grey levels


MILD = Harsh(0.13, 0.5, (0.1, 0.05, 0.2), 10, (0.08, 0.22), 0.85, 11)
#: Many of these nobody can read.
ROUGH = Harsh(0.12, 0.55, (0.2, 0.055, 0.3), 9, (0.1, 0.28), 0.8, 13)


def photographed(picture: np.ndarray, rng: np.random.Generator, height: float, harsh: Harsh = MILD) -> np.ndarray:
    """Simulate how a camera takes a square picture (n, n, 3) float32; the bytes of a JPEG file.

    :param height: of its indices, px; no more is blurred away than leaves most of them readable.
    """
    picture = _shaded(picture, rng)
    picture, exposure = _exposed(picture, rng, harsh)
    picture = _focused(picture, rng, height, harsh)
    return _sensed(picture, rng, exposure, harsh)


def _shaded(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Add a shadow's edge, a slope of light and glare, each by chance."""
    size = picture.shape[0]
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    if rng.random() < 0.5:  # the edge of a shadow, hard or soft
        angle = rng.uniform(0, 2 * math.pi)
        d = (x - rng.uniform(0, size)) * math.cos(angle) + (y - rng.uniform(0, size)) * math.sin(angle)
        picture = (
            picture
            * (1 - rng.uniform(0.15, 0.65) / (1 + np.exp(-np.clip(d / rng.uniform(0.7, 40), -30, 30))))[..., None]
        )
    if rng.random() < 0.5:
        angle = rng.uniform(0, 2 * math.pi)
        picture = (
            picture
            * (1 + rng.uniform(0, 0.4) * ((x - size / 2) * math.cos(angle) + (y - size / 2) * math.sin(angle)) / size)[
                ..., None
            ]
        )
    if rng.random() < 0.2:  # glare on varnish
        sx, sy = np.exp(rng.uniform(1.5, 4.5, 2))
        blob = np.exp(-(((x - rng.uniform(0, size)) / sx) ** 2) - ((y - rng.uniform(0, size)) / sy) ** 2)
        picture = picture + rng.uniform(30, 200) * blob[..., None]
    return picture


def _exposed(picture: np.ndarray, rng: np.random.Generator, harsh: Harsh) -> tuple[np.ndarray, float]:
    """Apply the light's colour, exposure and haze; with the exposure, 1 as drawn."""
    warm = rng.uniform(-0.22, 0.22)
    cast = np.array([1 - warm, 1 + rng.uniform(-0.06, 0.06), 1 + warm])
    if rng.random() < harsh.coloured:
        if rng.random() < 0.4:
            cast = np.array([1.0, rng.uniform(0.2, 0.8), rng.uniform(0.15, 1.0)])[rng.permutation(3)]
        else:  # blue to pink
            cast = np.array([1.0, rng.uniform(0.3, 0.7), rng.uniform(0.25, 1.0)])
    exposure = math.exp(rng.uniform(math.log(0.22), math.log(1.35)))
    picture = picture * (cast * exposure).astype(np.float32)
    if rng.random() < 0.3:
        picture = picture * (1 - (f := rng.uniform(0, 0.2))) + 255 * f * rng.uniform(0.3, 1.0)  # haze
    return picture, exposure


def _focused(picture: np.ndarray, rng: np.random.Generator, height: float, harsh: Harsh) -> np.ndarray:
    """Blur, resample and sharpen as lens and firmware do; ``height`` of the indices in px."""
    size = picture.shape[0]
    blur = abs(rng.normal(0, harsh.blur)) * (height / 22) ** 0.5
    if rng.random() < 0.12:
        blur += rng.uniform(harsh.out_of_focus[0], harsh.out_of_focus[1] * height + harsh.out_of_focus[2])
    if rng.random() < 0.25:  # smaller and made larger again, as webcams do
        k = rng.uniform(max(0.45, harsh.lowest / height), 1.0) if height > harsh.lowest + 0.5 else 1.0
        small = cv2.resize(
            picture, None, fx=k, fy=k, interpolation=cv2.INTER_AREA if rng.random() < 0.6 else cv2.INTER_LINEAR
        )
        picture = cv2.resize(
            small, (size, size), interpolation=cv2.INTER_LINEAR if rng.random() < 0.5 else cv2.INTER_CUBIC
        )
    if blur > 0.25:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    if rng.random() < 0.15:
        picture = cv2.filter2D(picture, -1, _streak(rng, rng.uniform(*harsh.streak) * height))
    if rng.random() < 0.3:  # the camera's own sharpening
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 1.6))
        picture = picture + rng.uniform(0.2, 1.2) * (picture - soft)
    return picture


def _sensed(picture: np.ndarray, rng: np.random.Generator, exposure: float, harsh: Harsh) -> np.ndarray:
    """Apply gamma, noise and JPEG compression."""
    gamma = rng.uniform(0.75, 1.35) if rng.random() < 0.5 else 1.0
    picture = 255 * np.power(np.clip(picture, 0, 255) / 255, gamma)
    grain = rng.uniform(0.5, 5) if rng.random() < harsh.quiet else rng.uniform(5, harsh.grain)
    if harsh is MILD:
        grain *= min(1.0, 0.3 + 0.7 * exposure)
    rough = rng.standard_normal(picture.shape).astype(np.float32)
    if rng.random() < 0.3:
        rough = cv2.blur(rough, (2, 2)) * 1.6
    picture = np.clip(picture + grain * rough, 0, 255).astype(np.uint8)
    quality = ((30, 60) if rng.random() < 0.15 else (60, 97)) if harsh is MILD else (35, 97)
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*quality))])[1]


def _streak(rng: np.random.Generator, length: float) -> np.ndarray:
    side = max(3, int(length) // 2 * 2 + 3)
    kernel = np.zeros((side * 4, side * 4), np.float32)
    angle, c = rng.uniform(0, math.pi), side * 2
    d = (length * 2 * math.cos(angle), length * 2 * math.sin(angle))
    cv2.line(kernel, (round(c - d[0]), round(c - d[1])), (round(c + d[0]), round(c + d[1])), 1.0, 4)
    small = cv2.resize(kernel, (side, side), interpolation=cv2.INTER_AREA)
    blur: np.ndarray = small / small.sum()
    return blur

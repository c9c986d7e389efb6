"""Divide the light upon a card out of its picture, by the colour of the paper wherever it shows.

Sun between window bars, a head or a lamp's rim cast shadows with edges of a few millimetres across a card. Paper beside
the print shows what light falls there; below print it is filled in from round about, the nearest paper first (push-pull
interpolation: Gortler et al., The Lumigraph, 1996).
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.deck.deck import REFERENCE_SCALE
from vision.geometry.projection import Array
from vision.images import Picture
from vision.indices.networks import local_white


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLimits:
    """What counts as paper on a card, against the brightest round about."""

    #: Saturation at most, 0 … 1: shadows are bluer than the sun.
    most_saturation: float = 0.15
    #: Brightness at least, 0 … 1. Shadows in the sun had 0.5 … 0.6, grey print 0.35, black print up to 0.2.
    least_brightness: float = 0.42
    #: Width in mm of strokes that are print though they are no darker than a shadow, and how dark they are at most,
    #: against the paper at both sides.
    stroke_mm: float = 3.5
    stroke_brightness: float = 0.9
    #: px a mm at which light is measured.
    px_per_mm: float = 2.0


LIMITS = PaperLimits()
#: Brightness of paper in an even picture.
WHITE = 240.0
#: What the brightest round about counts for beside paper: it decides where there is none at all.
_PRIOR = 1e-3


def even_light(picture: Picture) -> Picture:
    """Make a card's picture as in even light: (height, width, 3) at ``REFERENCE_SCALE``, its paper ``WHITE``."""
    height, width = picture.shape[:2]
    light = cv2.resize(_light(picture), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(picture * (WHITE / np.maximum(light, 16.0)), 0, 255).astype(np.uint8))


def _light(picture: Picture) -> Array:
    """Measure the light upon a card: (h, w, 3) float32, at ``LIMITS.px_per_mm``."""
    scale = LIMITS.px_per_mm / REFERENCE_SCALE
    seen = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    brightest = cv2.resize(
        local_white(picture).astype(np.float32), seen.shape[1::-1], interpolation=cv2.INTER_LINEAR
    )  # within 6 mm, smoothed over 9
    paper = _paper(seen / brightest).astype(np.float32)
    return _filled(seen * paper[..., None] + _PRIOR * brightest, paper + _PRIOR)


def _paper(shine: Array) -> Array:
    """Tell where paper shows: (h, w) bool, of colours (h, w, 3) against the brightest round about."""
    highest, lowest = shine.max(2), shine.min(2)
    side = round(LIMITS.stroke_mm * LIMITS.px_per_mm)
    stroke = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    without_strokes = cv2.morphologyEx(lowest, cv2.MORPH_CLOSE, stroke)
    paper = highest - lowest < LIMITS.most_saturation * highest
    paper &= lowest > LIMITS.least_brightness
    paper &= lowest > LIMITS.stroke_brightness * without_strokes
    return np.asarray(paper)


def _filled(weighted: Array, weight: Array) -> Array:
    """Fill in what has no weight from the nearest that has: ``weighted`` (h, w, 3) holds colour times weight (h, w)."""
    levels = [(weighted, weight)]
    while min(levels[-1][1].shape) > 2:
        levels.append((cv2.pyrDown(levels[-1][0]), cv2.pyrDown(levels[-1][1])))
    weighted, weight = levels.pop()
    filled = weighted / weight[..., None]
    for weighted, weight in reversed(levels):
        trust = np.minimum(2 * weight, 1.0)[..., None]
        coarser = cv2.pyrUp(filled, dstsize=weight.shape[::-1])
        filled = trust * (weighted / weight[..., None]) + (1 - trust) * coarser
    return np.asarray(filled)

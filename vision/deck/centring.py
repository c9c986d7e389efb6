"""Centre the print of faces: as far from one edge as from the opposite one.

A face is learned from an outline that is a pixel off, and cards are cut a little off their print. Then the same face
turned by half has its print elsewhere, and so have the faces next to each other. The corners of nearly all decks are
the same turned by half; what is between them need not.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.images import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class CentringParams:
    """Parameters of how far the print is off the middle."""

    #: Windows at the corners, share of the card's width and height; the first alike counts: index and pip, index.
    corners: tuple[tuple[float, float], ...] = ((0.24, 0.26), (0.2, 0.14))
    #: Border left out, share of the width. 0.02 … 0.05; the table shows there.
    border_share: float = 0.04
    #: Farthest that print is moved, share of the width. 0.01 … 0.03.
    reach_share: float = 0.02
    #: Least correlation of the corners with themselves turned by half. 0.8 … 0.95; below, they are not alike.
    min_correlation: float = 0.85


PARAMS = CentringParams()


def centre_print(face: Picture) -> Picture:
    """Move a face's print, (h, w, 3) uint8, to its middle; the same face if its corners are not alike."""
    off = print_offset(face)
    if off is None:
        return face
    height, width = face.shape[:2]
    move = np.array([[1.0, 0.0, -off[0]], [0.0, 1.0, -off[1]]])
    moved = cv2.warpAffine(face, move, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def print_offset(face: Picture) -> tuple[float, float] | None:
    """Measure how far (px right, px down) the print is off the middle; None if the corners are not alike."""
    smooth = cv2.GaussianBlur(face, (0, 0), face.shape[1] / 240)
    reach = 2 * max(1, round(PARAMS.reach_share * face.shape[1]))
    for corner in PARAMS.corners:
        alike = _corner_correlation(smooth, corner, reach)
        y, x = (int(k) for k in np.unravel_index(int(alike.argmax()), alike.shape))
        if alike[y, x] > PARAMS.min_correlation and 0 < x < 2 * reach and 0 < y < 2 * reach:
            right, down = _parabola_peak(*alike[y, x - 1 : x + 2]), _parabola_peak(*alike[y - 1 : y + 2, x])
            return (x - reach + right) / 2, (y - reach + down) / 2  # turned by half it is twice as far off
    return None


def _corner_correlation(smooth: Picture, corner: tuple[float, float], reach: int) -> Array:
    """Correlate the four corners with those turned by half, at each shift: (2 reach + 1, 2 reach + 1)."""
    height, width = smooth.shape[:2]
    turned = cv2.rotate(smooth, cv2.ROTATE_180)
    border, wide, high = round(PARAMS.border_share * width), round(corner[0] * width), round(corner[1] * height)
    total, weights = np.zeros((2 * reach + 1, 2 * reach + 1)), 1.0
    for x in (border, width - border - wide):
        for y in (border, height - border - high):
            window = smooth[y : y + high, x : x + wide]
            inner = turned[y + reach : y + high - reach, x + reach : x + wide - reach]
            weight = float(np.std(inner.astype(np.float32), axis=(0, 1)).sum())
            total += weight * cv2.matchTemplate(window, inner, cv2.TM_CCOEFF_NORMED)
            weights += weight
    return np.asarray(total / weights)


def _parabola_peak(before: float, middle: float, after: float) -> float:
    """Find where between -1 and 1 the parabola through three samples is highest."""
    bend = before + after - 2 * middle
    return float(np.clip((before - after) / (2 * bend), -1, 1)) if bend < 0 else 0.0

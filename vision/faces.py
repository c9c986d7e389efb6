"""Is a picture of a face fit to learn from? Checks for a lesson, one face at a time, and for a whole deck."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.pictures import Picture
from vision.view import Array

#: Least width of a picture to learn from, px. 40 … 200; below about 60 the index is not legible.
LEAST_WIDTH = 60
#: Share of pixels at the top of the scale above which glare is suspected while neighbours are darker. 0.02 … 0.5.
GLARE_SHARE = 0.02
#: Correlation of two faces' small versions above which they count as the same picture. 0.97 … 1. The tens of Kreuz and
#: Pik may reach 0.991, two looks at one face seldom stay below 0.993.
SAME_FACE = 0.9935
#: Correlation of a picture with itself a few millimetres further from which it is a pattern: the back. Backs with a
#: regular pattern have 0.98 and more, faces at most 0.74.
PATTERN = 0.85


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a face cannot be learned. ``code``: missing | same | small | flat | glare | cut | down (face down)."""

    label: str
    code: str
    detail: str

    def __str__(self) -> str:
        return f"{self.label}: {self.detail}"


def check_face(label: str, picture: Picture) -> Problem | None:
    """What is wrong with one rectified picture (edge to edge), or None."""
    width = picture.shape[1]
    if width < LEAST_WIDTH:
        return Problem(label, "small", f"only {width} px wide; at least {LEAST_WIDTH} are needed, go closer")
    small = cv2.resize(picture, (59, 91), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    if float(grey.std()) < 6:
        return Problem(label, "flat", "shows nothing but one tone; is the card there, and the light on?")
    if label != "back" and _glare(grey):  # a back may be dark up to its white edge
        return Problem(label, "glare", "light is mirrored in the card; tilt the lamp or move the card")
    if side := _cut(small):
        return Problem(label, "cut", f"the card does not fill the picture at the {side}; show it whole")
    if label != "back" and _repeats(picture):
        return Problem(label, "down", "shows a regular pattern; does the card lie face down?")
    return None


def check_faces(
    faces: Mapping[str, Picture], *, originals: Mapping[str, Picture] | None = None, wanted: tuple[str, ...] = ()
) -> Iterator[Problem]:
    """What is wrong with a deck: faces missing of ``wanted``, unfit ones, and labels that share one picture."""
    if not faces and not wanted:
        yield Problem("deck", "missing", "has no face at all")
    for label in wanted:
        if label not in faces:
            yield Problem(label, "missing", "is missing; show it to the camera or label a picture of it")
    for label, picture in (originals or faces).items():
        if problem := check_face(label, picture):
            yield problem
    yield from _twins(faces)


def same_face(one: Picture, other: Picture) -> bool:
    """Whether two rectified pictures show the same face, upright or turned by half."""
    a, b = _signature(one), _signature(other)
    return max(float((a * b).mean()), float((a * b[::-1, ::-1]).mean())) > SAME_FACE


def _twins(faces: Mapping[str, Picture]) -> Iterator[Problem]:
    labels = list(faces)
    signs = [_signature(faces[label]) for label in labels]
    for i, label in enumerate(labels):
        for j in range(i):
            if max(float((signs[i] * signs[j]).mean()), float((signs[i] * signs[j][::-1, ::-1]).mean())) > SAME_FACE:
                yield Problem(label, "same", f"looks the same as {labels[j]}; one of the two labels is wrong")


def _signature(picture: Picture) -> Array:
    """(88, 56, 3): zero mean, unit variance, without the border."""
    small = cv2.GaussianBlur(cv2.resize(picture, (64, 96), interpolation=cv2.INTER_AREA), (0, 0), 0.8)[4:-4, 4:-4]
    small = small.astype(np.float32)
    small -= small.mean((0, 1))
    return np.asarray(small / (small.std() + 1e-6), np.float32)


def _glare(grey: Array) -> bool:
    """Whether a part is burnt out while the paper along the card's border is clearly darker: (h, w) float32 grey."""
    if float((grey >= 250).mean()) < GLARE_SHARE:
        return False
    inner = grey[2:-2, 2:-2]
    border = np.concatenate([inner[:3].ravel(), inner[-3:].ravel(), inner[:, :3].ravel(), inner[:, -3:].ravel()])
    return float(np.percentile(border, 70)) < 190


def _repeats(picture: Picture) -> bool:
    """Whether the print is a fine regular pattern: much the same a few millimetres further."""
    grey = cv2.cvtColor(cv2.resize(picture, (120, 184), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    fine = grey.astype(np.float32)
    fine = (fine - cv2.GaussianBlur(fine, (0, 0), 8.0))[8:-8, 8:-8]
    high, wide = 24, 22  # px by which it may be further
    likeness = cv2.matchTemplate(fine, fine[high:-high, wide:-wide], cv2.TM_CCOEFF_NORMED)
    likeness[high - 7 : high + 8, wide - 7 : wide + 8] = 0.0
    return bool(likeness.max() > PATTERN)


def _cut(small: Array) -> str:
    """The side at which the picture is black as beyond the camera's frame: left | right | top | bottom, or empty."""
    sides = {"left": small[:, :2], "right": small[:, -2:], "top": small[:2], "bottom": small[-2:]}
    for side, strip in sides.items():
        if float((strip.max(2) <= 2).mean()) > 0.3:
            return side
    return ""

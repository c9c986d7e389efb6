"""Check whether pictures of faces are fit to learn from, one at a time for a lesson, or a whole deck."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.images import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceQualityParams:
    """Parameters of what makes a face unfit to learn from."""

    #: Least width of a picture, px. 40 … 200; below about 60 the index is not legible.
    min_width_px: int = 60
    #: Least spread (standard deviation) of grey levels; below it there is only one tone.
    min_contrast: float = 6.0
    #: Share of pixels at ``glare_level`` from which glare is suspected while neighbours are darker. 0.02 … 0.5.
    glare_share: float = 0.02
    glare_level: int = 250
    #: Grey level of the paper along the card's border below which a burnt part is glare.
    glare_border_level: float = 190.0
    #: Correlation of two faces' small versions above which they count as the same picture. 0.97 … 1. The tens of Kreuz
    #: and Pik may reach 0.991, two pictures of one face seldom stay below 0.993.
    same_face_correlation: float = 0.9935
    #: Correlation of a picture with itself a few millimetres further from which it is a pattern: the back. Backs with a
    #: regular pattern have 0.98 and more, faces at most 0.74.
    pattern_correlation: float = 0.85
    #: Share of black pixels along a side from which the picture is cut off there.
    cut_share: float = 0.3


PARAMS = FaceQualityParams()


@dataclass(frozen=True, slots=True)
class FaceProblem:
    """Reason why a face cannot be learned. ``code``: missing | same | small | flat | glare | cut | down (face down)."""

    label: str
    code: str
    detail: str

    def __str__(self) -> str:
        return f"{self.label}: {self.detail}"


def check_face(label: str, picture: Picture) -> FaceProblem | None:
    """Check one rectified picture (edge to edge): what is wrong with it, or None."""
    width = picture.shape[1]
    if width < PARAMS.min_width_px:
        return FaceProblem(
            label, "small", f"only {width} px wide; at least {PARAMS.min_width_px} are needed, go closer"
        )
    small = cv2.resize(picture, (59, 91), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    if float(grey.std()) < PARAMS.min_contrast:
        return FaceProblem(label, "flat", "shows nothing but one tone; is the card there, and the light on?")
    if label != "back" and _glare(grey):  # a back may be dark up to its white edge
        return FaceProblem(label, "glare", "light is mirrored in the card; tilt the lamp or move the card")
    if side := _cut(small):
        return FaceProblem(label, "cut", f"the card does not fill the picture at the {side}; show it whole")
    if label != "back" and _repeats(picture):
        return FaceProblem(label, "down", "shows a regular pattern; does the card lie face down?")
    return None


def check_faces(
    faces: Mapping[str, Picture], *, originals: Mapping[str, Picture] | None = None, wanted: tuple[str, ...] = ()
) -> Iterator[FaceProblem]:
    """Check a deck: report faces missing of ``wanted``, unfit ones, and labels that share one picture."""
    if not faces and not wanted:
        yield FaceProblem("deck", "missing", "has no face at all")
    for label in wanted:
        if label not in faces:
            yield FaceProblem(label, "missing", "is missing; show it to the camera or label a picture of it")
    for label, picture in (originals or faces).items():
        if problem := check_face(label, picture):
            yield problem
    yield from _same_pictures(faces)


def same_face(one: Picture, other: Picture) -> bool:
    """Check whether two rectified pictures show the same face, upright or turned by half."""
    return _is_same(_normalised(one), _normalised(other))


def _same_pictures(faces: Mapping[str, Picture]) -> Iterator[FaceProblem]:
    """Find labels that share one picture."""
    small = {label: _normalised(face) for label, face in faces.items()}
    for i, label in enumerate(small):
        for other in list(small)[:i]:
            if _is_same(small[label], small[other]):
                yield FaceProblem(label, "same", f"looks the same as {other}; one of the two labels is wrong")


def _is_same(a: Array, b: Array) -> bool:
    """Check whether two normalised pictures correlate as pictures of one face, upright or turned by half."""
    return max(float((a * b).mean()), float((a * b[::-1, ::-1]).mean())) > PARAMS.same_face_correlation


def _normalised(picture: Picture) -> Array:
    """Normalise a picture to (88, 56, 3), zero mean and unit variance, without the border."""
    small = cv2.GaussianBlur(cv2.resize(picture, (64, 96), interpolation=cv2.INTER_AREA), (0, 0), 0.8)[4:-4, 4:-4]
    small = small.astype(np.float32)
    small -= small.mean((0, 1))
    return np.asarray(small / (small.std() + 1e-6), np.float32)


def _glare(grey: Array) -> bool:
    """Check whether a part is burnt out while the paper along the border is clearly darker: (h, w) float32 grey."""
    if float((grey >= PARAMS.glare_level).mean()) < PARAMS.glare_share:
        return False
    inner = grey[2:-2, 2:-2]
    border = np.concatenate([inner[:3].ravel(), inner[-3:].ravel(), inner[:, :3].ravel(), inner[:, -3:].ravel()])
    return float(np.percentile(border, 70)) < PARAMS.glare_border_level


def _repeats(picture: Picture) -> bool:
    """Check whether the print is a fine regular pattern: much the same a few millimetres further."""
    grey = cv2.cvtColor(cv2.resize(picture, (120, 184), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    fine = grey.astype(np.float32)
    fine = (fine - cv2.GaussianBlur(fine, (0, 0), 8.0))[8:-8, 8:-8]
    high, wide = 24, 22  # px by which it may be further
    likeness = cv2.matchTemplate(fine, fine[high:-high, wide:-wide], cv2.TM_CCOEFF_NORMED)
    likeness[high - 7 : high + 8, wide - 7 : wide + 8] = 0.0
    return bool(likeness.max() > PARAMS.pattern_correlation)


def _cut(small: Array) -> str:
    """Find the side at which the picture is black, beyond the camera's frame: left | right | top | bottom, or empty."""
    sides = {"left": small[:, :2], "right": small[:, -2:], "top": small[:2], "bottom": small[-2:]}
    for side, strip in sides.items():
        if float((strip.max(2) <= 2).mean()) > PARAMS.cut_share:
            return side
    return ""

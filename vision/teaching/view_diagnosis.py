"""Diagnose what is wrong with the camera's view of the mat, for setting up: facts with codes, no words.

Each check is a function of a picture and of where the mat lies in it. The mat is its own test chart: its marks are
black squares on white, so they show exposure and sharpness; its ground is plain, so it shows glare.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.card_outline import find_card
from vision.geometry.projection import PlaneProjection
from vision.mat.calibration import MIN_SCALE_PX_PER_MM, Calibration, MatNotSeen, find_mat
from vision.mat.layout import MatLayout, layout_of
from vision.messages import Finding

Image = NDArray[np.uint8]
Quad = NDArray[np.float64]

#: Findings that keep marks from being detected although nothing hides them.
HIDE_MARKS = {"blurred", "dim", "bright"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosisLimits:
    """From which values on a finding is reported."""

    #: Mean grey of a picture below which it is ``dark``, and above which it is ``bright``: the mat cannot be found.
    min_mean_grey: float = 14.0
    max_mean_grey: float = 235.0
    #: Grey of the marks' white below which it is ``dim``: the camera's noise drowns fine print. A dim hall gives
    #: 110 … 150.
    min_white_grey: float = 70.0
    #: Grey of the marks' black above which it is ``bright``: light colours are burnt out. Well lit it is 15 … 50.
    max_black_grey: float = 105.0
    #: Blur of the marks' edges, standard deviation in mm on the mat, from which it costs margin, and from which it is
    #: grave because small pips run together: lone cards were all read right up to 0.8.
    blur_mm: float = 0.62
    grave_blur_mm: float = 0.82
    #: Ratio of the scales along and across the camera's slope: 1.18 is a camera 32° off the vertical.
    foreshortening: float = 1.18
    #: Ratio of the scales at the sheet's nearest and farthest corner.
    corner_scale_ratio: float = 1.6
    #: Residual of the marks, px of a picture 1280 wide: a wavy sheet, a lens that bends much.
    residual_px: float = 2.0
    #: Grey levels that a reflex adds from which print below it is lost, and the area it must take.
    glare_grey: float = 95.0
    glare_area_cm2: float = 4.0
    #: The same for a patch of sunlight: times brighter than the sheet round it, its area, and the grey that paper would
    #: have in it: print on paper much beyond the scale's end (255) is burnt out.
    sun_ratio: float = 1.8
    sun_area_cm2: float = 8.0
    sun_paper_grey: float = 340.0
    #: mm by which mat or camera must have been pushed.
    moved_mm: float = 3.0
    #: mm of the sheet's corner that may be out of the picture: the rim without print.
    cut_corner_mm: float = 8.0
    #: Resolution at which light on the sheet is searched, px a mm: finer costs time, and finds no other patches.
    light_scale_px_per_mm: float = 0.5


LIMITS = DiagnosisLimits()


def diagnose_view(
    image: Image,
    layout: MatLayout | None = None,
    *,
    before: Calibration | None = None,
    cards: Iterable[Quad] = (),
    card_mm: tuple[float, float] = (59.0, 91.0),
) -> tuple[Calibration | None, tuple[Finding, ...]]:
    """Find the mat in a picture, (H, W, 3) uint8 BGR, and all that is wrong with the view, the gravest first.

    ``before`` is the last calibration known, ``cards`` are the outlines of cards that have been read, (4, 2) px.
    """
    if found := exposure(image):
        return None, (found,)
    try:
        seen = find_mat(image, layout)
    except MatNotSeen as error:
        return None, (missing(error),)
    findings = [
        *light_of_marks(image, seen.corners),
        *in_picture(seen),
        *hidden_marks(seen),
        *geometry(seen, card_mm),
        *sharpness(image, seen),
        *reflexes(image, seen, cards),
    ]
    if before is not None and (found := moved(before, seen)):
        findings.append(found)
    if found := unknown_card(image, seen, cards):
        findings.append(found)
    if any(one.code in HIDE_MARKS for one in findings):
        findings = [one for one in findings if one.code != "marks"]  # not hidden: they are not made out
    return seen, tuple(sorted(findings, key=lambda one: not one.grave))


def exposure(image: Image) -> Finding | None:
    """Report a picture so dark or so bright that the mat cannot be found."""
    mean = float(image[::8, ::8].mean())
    if mean < LIMITS.min_mean_grey:
        return Finding("dark", True, value=mean)
    if mean > LIMITS.max_mean_grey:
        return Finding("bright", True, value=mean)
    return None


def missing(error: MatNotSeen) -> Finding:
    """Report why the mat was not found."""
    if error.code == "dark":
        return Finding("dark", True)
    if error.code == "other":
        sheets = [sheet for sheet in map(layout_of, error.marks) if sheet is not None]
        name = f"{sheets[0].paper}, {sheets[0].seats}" if sheets else ""
        return Finding("other_mat", True, where=name)
    if error.code == "few":
        return Finding("few_marks", True, value=float(len(error.marks)))
    return Finding("no_mat", True)


def light_of_marks(image: Image, corners: Mapping[int, Quad]) -> list[Finding]:
    """Report too little or too much light, by the marks' white and black."""
    whites, blacks = [], []
    for quad in corners.values():
        white, black = _white_and_black(image, quad)
        whites.append(white)
        blacks.append(black)
    if not whites:
        return []
    white, black = float(np.median(whites)), float(np.median(blacks))
    if white < LIMITS.min_white_grey:
        return [Finding("dim", False, value=white)]
    if black > LIMITS.max_black_grey:
        return [Finding("bright", True, value=black)]
    return []


def _white_and_black(image: Image, quad: Quad) -> tuple[float, float]:
    """Measure the grey of the white round a mark, and of its black border, a sixth of its side wide."""
    return _ring(image, quad, 1.12), _ring(image, quad, 0.85)


def _paper(image: Image, corners: Mapping[int, Quad]) -> float:
    """Measure how much brighter paper is than the sheet's ground in the same light, by the marks' surroundings."""
    ratios = [_ring(image, quad, 1.14) / max(_ring(image, quad, 1.55), 1.0) for quad in corners.values()]
    return float(np.median(ratios)) if ratios else 1.0


def _ring(image: Image, quad: Quad, share: float) -> float:
    """Measure the median grey along a quad's outline scaled by ``share``."""
    middle = quad.mean(0)
    ring = middle + (quad - middle) * share
    points = np.concatenate([np.linspace(a, b, 12) for a, b in zip(ring, np.roll(ring, -1, 0), strict=True)])
    x, y = np.round(points).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < image.shape[1]) & (y < image.shape[0])
    return float(np.median(image[y[inside], x[inside]].mean(1))) if inside.any() else 128.0


def in_picture(seen: Calibration) -> list[Finding]:
    """Report a sheet or a middle that is not whole in the picture."""
    layout, view = seen.layout, seen.view
    if layout is None:
        return []
    width, height = view.size
    findings = []
    a, b = layout.middle
    reach = view.project([(-a - 40, -b - 40), (a + 40, -b - 40), (a + 40, b + 40), (-a - 40, b + 40)])
    if (reach < 0).any() or (reach > (width, height)).any():
        findings.append(Finding("middle_cut", True))
    half = np.array(layout.size_mm) / 2 - LIMITS.cut_corner_mm
    corners = view.project(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half)
    out = ((corners < 0) | (corners > (width, height))).any(1)
    if out.any():
        findings.append(Finding("cut", False, where=" ".join(_sides(view, corners[out]))))
    return findings


def _sides(view: PlaneProjection, places: Quad) -> list[str]:
    """Name the corners of the picture that points are nearest to: ``top_left`` …, each once."""
    width, height = view.size
    names = [f"{'top' if y < height / 2 else 'bottom'}_{'left' if x < width / 2 else 'right'}" for x, y in places]
    return list(dict.fromkeys(names))


def hidden_marks(seen: Calibration) -> list[Finding]:
    """Report marks that are in the picture but not detected."""
    if seen.layout is None:
        return []
    size = np.array(seen.view.size)
    hidden = []
    for number, corners in seen.layout.marks.items():
        px = seen.view.project(corners)
        if number not in seen.corners and (px > 2).all() and (px < size - 3).all():
            hidden.append(px.mean(0))
    if not hidden:
        return []
    where = " ".join(_sides(seen.view, np.array(hidden)))
    return [Finding("marks", False, where=where, value=float(len(hidden)))]


def geometry(seen: Calibration, card_mm: tuple[float, float] = (59.0, 91.0)) -> list[Finding]:
    """Report a camera too far away or too much from the side, and a sheet that is not flat."""
    findings = []
    if seen.scale < MIN_SCALE_PX_PER_MM:
        findings.append(Finding("small", True, value=seen.scale * card_mm[0]))
    places = [(0.0, 0.0)]
    if seen.layout is not None:
        half = np.array(seen.layout.size_mm) / 2
        places = [tuple(place) for place in np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half]
    scales = [seen.view.pixels_per_mm(place) for place in places]
    slant = _slant(seen.view)
    if slant > LIMITS.foreshortening or max(scales) > LIMITS.corner_scale_ratio * min(scales):
        findings.append(Finding("tilted", False, value=float(np.degrees(np.arccos(min(1.0, 1 / slant))))))
    unevenness = seen.residual * 1280 / seen.view.size[0]
    if unevenness > LIMITS.residual_px:
        findings.append(Finding("uneven", False, value=unevenness))
    return findings


def _slant(view: PlaneProjection) -> float:
    """Measure foreshortening in the middle: the ratio of the largest scale to the smallest."""
    o, x, y = view.project([(0, 0), (1, 0), (0, 1)])
    stretch = np.linalg.svd(np.array([x - o, y - o]).T, compute_uv=False)
    return float(stretch[0] / max(stretch[1], 1e-9))


def sharpness(image: Image, seen: Calibration) -> list[Finding]:
    """Report blur, measured where the marks' black meets white."""
    blur = edge_blur(image, seen)
    return (
        [Finding("blurred", blur > LIMITS.grave_blur_mm, value=blur)]
        if blur is not None and blur > LIMITS.blur_mm
        else []
    )


def edge_blur(image: Image, seen: Calibration) -> float | None:
    """Measure blur in mm on the mat by the marks' edges; None if no mark can be measured.

    It is the standard deviation of the Gaussian that blurs the edges so, the median over the marks' sides.
    """
    if seen.layout is None:
        return None
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    side = seen.layout.mark_mm
    out = np.linspace(-0.13, 0.13, 53) * side  # mm across the edge: a cell of a mark is a sixth of its side
    blurs = []
    for number in seen.corners:
        corners = seen.layout.marks[number]
        for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
            along = (b - a) / side
            across = np.array([along[1], -along[0]])  # outwards, as the corners run clockwise and y downwards
            points = a + along * side * np.linspace(0.12, 0.88, 24)[:, None, None] + across * out[:, None]
            px = seen.view.project(points.reshape(-1, 2)).reshape(24, len(out), 2).astype(np.float32)
            lines = cv2.remap(grey, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            if (width := _step_width(lines.astype(np.float32), out)) is not None:
                blurs.append(width)
    return float(np.median(blurs)) if blurs else None


def _step_width(lines: NDArray[np.float32], at: NDArray[np.float64]) -> float | None:
    """Measure the standard deviation in mm of the step that parallel lines (n, samples) cross; None if there is none.

    The derivative of a blurred step is the blur itself, so its spread is measured.
    """
    profile = lines.mean(0)
    low, high = float(np.mean(profile[:6])), float(np.mean(profile[-6:]))
    if high - low < 25:
        return None
    slope = np.clip(np.diff(profile), 0, None)
    slope[slope < 0.06 * slope.max()] = 0  # noise far from the edge would count by its distance squared
    places = (at[1:] + at[:-1]) / 2
    total = float(slope.sum())
    middle = float((slope * places).sum()) / total
    return float(np.sqrt((slope * (places - middle) ** 2).sum() / total))


def reflexes(image: Image, seen: Calibration, cards: Iterable[Quad] = ()) -> list[Finding]:
    """Report lamps mirrored in the sheet, and patches of sunlight, where cards are laid."""
    layout = seen.layout
    if layout is None:
        return []
    ground, to_mm = _from_above(image, seen.view, layout)
    free = _free_ground(ground, layout, [cv2.perspectiveTransform(_row(quad), to_mm)[0] for quad in cards])
    if free is None:
        return []
    plain = np.median(ground[free], axis=0)  # BGR of the sheet itself
    least = ground.min(2) - plain.min()  # a reflex adds white, and so most to the weakest channel
    soft = cv2.GaussianBlur(least, (0, 0), 3.0 * LIMITS.light_scale_px_per_mm)
    glare = _components(((soft > LIMITS.glare_grey) & free).astype(np.uint8), LIMITS.glare_area_cm2)
    findings = [
        Finding("glare", True, where=_place(patch, layout), value=float(soft[patch].max()))
        for patch in glare
        if not _sharp_edged(least, patch)
    ]
    ratio = ground.mean(2) / max(float(plain.mean()), 1.0)
    colour = ground / np.maximum(ground.sum(2, keepdims=True), 1.0) - plain / max(float(plain.sum()), 1.0)
    burnt = ground.mean(2) * _paper(image, seen.corners) > LIMITS.sun_paper_grey
    sunny = (ratio > LIMITS.sun_ratio) & burnt & (np.abs(colour).max(2) < 0.05) & free
    findings += [
        Finding("sun", True, where=_place(patch, layout), value=float(ratio[patch].max()))
        for patch in _components(sunny.astype(np.uint8), LIMITS.sun_area_cm2)
        if not any((patch & other).any() for other in glare)
    ]
    unique = {(one.code, one.where): one for one in findings}
    return list(unique.values())


def _row(quad: Quad) -> Quad:
    return np.asarray(quad, np.float64).reshape(1, -1, 2)


def _free_ground(
    ground: NDArray[np.float32], layout: MatLayout, cards: Iterable[NDArray[Any]]
) -> NDArray[np.bool_] | None:
    """Return where cards are laid and none is, (H, W) of the rectified sheet; None if cards cover nearly all of it."""
    reach = np.zeros(ground.shape[:2], np.uint8)
    half = np.array(ground.shape[1::-1]) / 2
    axes = (np.array(layout.middle) + 34) * LIMITS.light_scale_px_per_mm
    cv2.ellipse(reach, tuple((half).astype(int).tolist()), tuple(axes.astype(int).tolist()), 0, 0, 360, 255, -1)
    free = reach > 0
    for quad in cards:
        cover = np.zeros_like(reach)
        cv2.fillConvexPoly(cover, np.round(quad).astype(np.int32), 255)
        free &= cv2.dilate(cover, np.ones((7, 7), np.uint8)) == 0
    return None if free.sum() < 0.2 * (reach > 0).sum() else free


def _from_above(
    image: Image, view: PlaneProjection, layout: MatLayout
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Rectify the sheet at ``light_scale_px_per_mm``, float32 BGR; with the matrix from the picture to it."""
    width, height = (round(side * LIMITS.light_scale_px_per_mm) for side in layout.size_mm)
    shift = (
        np.array(
            [(LIMITS.light_scale_px_per_mm, 0, width / 2), (0, LIMITS.light_scale_px_per_mm, height / 2), (0, 0, 1)]
        )
        @ view.inverse
    )
    shrink = max(1.0, view.pixels_per_mm() / LIMITS.light_scale_px_per_mm)
    smooth = cv2.blur(image, (round(shrink) | 1, round(shrink) | 1))
    above = cv2.warpPerspective(smooth, shift, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return above.astype(np.float32), shift


def _components(mask: Image, area_cm2: float) -> list[NDArray[np.bool_]]:
    """Return the connected components of at least ``area_cm2``."""
    count, parts, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    least = area_cm2 * 100 * LIMITS.light_scale_px_per_mm * LIMITS.light_scale_px_per_mm
    return [parts == k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= least]


def _sharp_edged(value: NDArray[np.float32], patch: NDArray[np.bool_]) -> bool:
    """Check whether most of a patch's rim is a step, as of a thing on the mat; light fades."""
    rim = cv2.morphologyEx(patch.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((7, 7), np.uint8)) > 0
    slope = np.hypot(cv2.Sobel(value, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(value, cv2.CV_32F, 0, 1, scale=0.125))
    steps = cv2.dilate((slope > 14).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    return bool(steps[rim].mean() > 0.5) if rim.any() else False


def _place(patch: NDArray[np.bool_], layout: MatLayout) -> str:
    """Name the seat that a patch is in front of, or the middle."""
    y, x = np.nonzero(patch)
    half = np.array(patch.shape[::-1]) / 2
    place = (np.array([x.mean(), y.mean()]) - half) / LIMITS.light_scale_px_per_mm
    if float(np.hypot(*place)) < 22:
        return "middle"
    away = {seat: float(np.hypot(*(place - centre))) for seat, centre in layout.seat_places.items()}
    return f"seat {min(away, key=lambda seat: away[seat])}"


def moved(before: Calibration, now: Calibration) -> Finding | None:
    """Report that mat or camera were pushed since ``before``."""
    if before.view.size != now.view.size or before.layout != now.layout:
        return None
    away = before.shift(now) / max(now.scale, 1e-6)
    return Finding("moved", False, value=away) if away > LIMITS.moved_mm else None


def unknown_card(image: Image, seen: Calibration, cards: Iterable[Quad] = ()) -> Finding | None:
    """Report a lone card-shaped thing in the middle that is none of the cards read: another deck's, or face down."""
    layout = seen.layout
    if layout is None:
        return None
    a, b = layout.middle
    box = seen.view.project([(-a, -b), (a, -b), (a, b), (-a, b)])
    (x0, y0), (x1, y1) = np.floor(box.min(0)).astype(int), np.ceil(box.max(0)).astype(int)
    x0, y0, x1, y1 = max(0, int(x0)), max(0, int(y0)), min(image.shape[1], int(x1)), min(image.shape[0], int(y1))
    if min(x1 - x0, y1 - y0) < 60:
        return None
    quad = find_card(image, None, seen.view, (x0, y0, x1 - x0, y1 - y0))
    if quad is None:
        return None
    for card in cards:
        common = cv2.intersectConvexConvex(quad.astype(np.float32), np.asarray(card, np.float32))[0]
        if common > 0.3 * cv2.contourArea(quad.astype(np.float32)):
            return None
    return Finding("unknown", False) if _of_other_colour(image, quad) else None


def _of_other_colour(image: Image, quad: Quad) -> bool:
    """Check whether the rim of a thing differs in chromaticity from what is round it; a patch of light does not."""
    middle = quad.mean(0)
    colours = []
    for share in (0.93, 1.12):
        rim = np.round(middle + (quad - middle) * share).astype(np.int32)
        mask = np.zeros(image.shape[:2], np.uint8)
        cv2.polylines(mask, [rim], True, 255, 3)
        mean = np.array(cv2.mean(image, mask)[:3])
        colours.append(mean / max(float(mean.sum()), 1.0))
    return bool(np.abs(colours[0] - colours[1]).max() > 0.03)

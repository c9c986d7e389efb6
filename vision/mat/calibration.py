"""Calibrate the camera on the mat: a homography from the marks of its sheet, or from four corners set by hand."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.camera.source import Source
from vision.errors import CameraError, MatError
from vision.geometry.lens import Lens
from vision.geometry.projection import PlaneProjection
from vision.mat.layout import DICTIONARY, MatLayout, layout_of
from vision.mat.lens_calibration import fit_lens, trimmed

log = logging.getLogger(__name__)

#: Pixels a millimetre below which the index of a card is not legible, measured on simulated tables.
MIN_SCALE_PX_PER_MM = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationLimits:
    """What a picture must show for the mat to count as found."""

    #: Mean grey, 0 … 255, below which marks are not searched for.
    min_mean_grey: float = 14.0
    #: Residual in px above which a mark's corner is an outlier of the homography, 2 … 8: more forgives bent sheets, and
    #: misplaced marks.
    outlier_px: float = 4.0
    #: Standard deviation in px to which positions in the middle must be known, 0.5 … 4: cards are placed by the
    #: calibration, then refined.
    max_uncertainty_px: float = 2.0
    #: Residual of a plane, as a share of the picture's width, above which a lens is fitted; below, marks are as good as
    #: a detector gives them.
    lens_residual_share: float = 0.00028
    #: Largest share of that residual that may be left with a lens for it to be taken: more takes lenses that are noise.
    lens_improvement: float = 0.85


LIMITS = CalibrationLimits()


class MatNotSeen(MatError):
    """Error: too little of the mat is seen to calibrate on it.

    ``code``: ``dark``, ``none`` (no mark), ``few`` (too few, or too close together), ``other`` (another sheet's marks).
    ``marks`` were seen.
    """

    def __init__(self, code: str, text: str, marks: tuple[int, ...] = ()) -> None:
        super().__init__(text)
        self.code, self.marks = code, marks


@dataclass(frozen=True, eq=False)
class Calibration:
    """A projection of the mat with its errors. ``corners``: those of the marks, (4, 2) px each, as detected."""

    view: PlaneProjection
    layout: MatLayout | None  # None: set by hand
    residual: float  # px, root mean square over the corners that were used
    uncertainty: float  # px, at the worst place of the middle, for corners known to 0.3 px
    corners: Mapping[int, NDArray[np.float64]]

    @property
    def marks(self) -> tuple[int, ...]:
        """Numbers of the marks seen."""
        return tuple(sorted(self.corners))

    @cached_property
    def scale(self) -> float:
        """Pixels a millimetre in the middle."""
        return self.view.pixels_per_mm()

    def shift(self, other: "Calibration") -> float:
        """Measure by how many px the middle lies elsewhere in ``other``: how far mat or camera were pushed."""
        places = _middle_places(self.layout)
        return float(np.linalg.norm(self.view.project(places) - other.view.project(places), axis=1).max())


def find_marks(image: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
    """Detect marks in a picture, (H, W, 3) uint8 BGR: number → (4, 2) px, subpixel, clockwise from the top left."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found = _detect(grey)
    if len(found) < 4:  # dim or uneven light: once more with the contrast levelled out piece by piece
        found = _detect(cv2.createCLAHE(4.0, (8, 8)).apply(grey)) | found
    return found


def _detect(grey: NDArray[Any]) -> dict[int, NDArray[np.float64]]:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 4
    settings.minMarkerPerimeterRate = 0.05
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    corners, numbers, _ = detector.detectMarkers(grey)
    if numbers is None:
        return {}
    seen = [int(n) for n in np.asarray(numbers).ravel()]
    return {
        n: np.asarray(quad, np.float64).reshape(4, 2)
        for n, quad in zip(seen, corners, strict=True)
        if seen.count(n) == 1  # a mark seen twice is a reflection or another print
    }


def find_mat(image: NDArray[np.uint8], layout: MatLayout | None = None, lens: Lens | None = None) -> Calibration:
    """Calibrate on the mat in a picture, (H, W, 3) uint8 BGR; without ``layout`` the marks identify the sheet.

    ``lens``: as an earlier picture of this camera showed it. A lens is fitted only where it explains the marks better
    than a plain homography does.

    :raises MatNotSeen: with the reason, if the marks seen do not fix the plane
    """
    if float(image[::8, ::8].mean()) < LIMITS.min_mean_grey:
        raise MatNotSeen("dark", "the picture is too dark to find the mat; switch a lamp on, or uncover the camera")
    found = find_marks(image)
    if not found:
        raise MatNotSeen(
            "none", "no mark of the mat is seen; put the sheet under the camera, uncover its marks, avoid glare on it"
        )
    layout = layout or _sheet(found)
    places = {} if layout is None else layout.marks
    ours = tuple(sorted(set(found) & set(places)))
    if layout is None or not ours:
        raise MatNotSeen(
            "other",
            f"the marks seen ({_list(found)}) belong to {_sheets(found)}, not to the sheet that is set"
            f"{'' if layout is None else f' ({layout.paper}, {layout.seats} seats)'}; set paper and seats as printed",
            tuple(sorted(found)),
        )
    mm = np.concatenate([places[n] for n in ours])
    px = np.concatenate([found[n] for n in ours])
    size = (image.shape[1], image.shape[0])
    straight = px if lens is None else lens.undistort(px)
    homography, inliers = cv2.findHomography(mm, straight, cv2.RANSAC, LIMITS.outlier_px)
    if homography is None or inliers.sum() < 8:
        raise _few(layout, ours)
    used = np.asarray(inliers.ravel() > 0)
    for _ in range(2):
        homography, _ = cv2.findHomography(mm[used], straight[used], 0)
        if homography is None:
            raise _few(layout, ours)
        used = trimmed(cv2.perspectiveTransform(mm.reshape(-1, 1, 2), homography).reshape(-1, 2) - straight, used)
    view = PlaneProjection(homography, size, lens, layout.white_places)
    residual = _residual(view, mm[used], px[used])
    if residual > LIMITS.lens_residual_share * size[0] or not used.all():
        fit = fit_lens(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), layout, mm, px, lens)
        if fit is not None and fit.residual < LIMITS.lens_improvement * _residual(view, mm[fit.used], px[fit.used]):
            view = PlaneProjection(fit.H, size, fit.lens, layout.white_places)
            residual, used = fit.residual, fit.used
    uncertainty = _uncertainty(mm[used], view, layout)
    if uncertainty > LIMITS.max_uncertainty_px or _folded(view, layout):
        raise _few(layout, ours)
    return Calibration(view, layout, residual, uncertainty, {n: found[n] for n in ours})


def calibrate_from_corners(
    corners_px: ArrayLike, size: tuple[int, int], size_mm: tuple[float, float] = (420.0, 297.0)
) -> Calibration:
    """Calibrate a table without the sheet by four corners, in the picture, of a rectangle of known size in its middle.

    ``corners_px`` (4, 2), clockwise from the upper left as seen, for example of a sheet of A3 that is taken away
    afterwards; ``size`` of the picture and ``size_mm`` of the rectangle are (width, height).

    :raises MatError: corners that are no rectangle seen from above
    """
    corners = np.asarray(corners_px, np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise MatError(f"four corners are needed as x,y pairs, not {np.asarray(corners_px).tolist()}")
    ahead = np.roll(corners, -1, 0) - corners
    after = np.roll(ahead, -1, 0)
    turns = ahead[:, 0] * after[:, 1] - ahead[:, 1] * after[:, 0]
    if turns.min() <= 0 or cv2.contourArea(corners.astype(np.float32)) < 0.02 * size[0] * size[1]:
        raise MatError(
            f"the corners {corners.tolist()} are no rectangle seen from above; name them clockwise, upper left first"
        )
    width, height = size_mm
    if not (50 <= width <= 3000 and 50 <= height <= 3000):
        raise MatError(f"a rectangle of {width} x {height} mm cannot be the table's; measure it in millimetres")
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2
    view = PlaneProjection(cv2.getPerspectiveTransform(half.astype(np.float32), corners.astype(np.float32)), size)
    return Calibration(view, None, 0.0, 0.0, {})


def _middle_places(layout: MatLayout | None) -> NDArray[np.float64]:
    a, b = layout.middle if layout else (106.0, 70.0)
    return np.array([(0.0, 0.0), (a, 0.0), (-a, 0.0), (0.0, b), (0.0, -b)])


def _residual(view: PlaneProjection, mm: NDArray[np.float64], px: NDArray[np.float64]) -> float:
    """Compute the root mean square of the corners' residuals, px."""
    return float(np.sqrt(((view.project(mm) - px) ** 2).sum(1).mean()))


def _uncertainty(mm: NDArray[np.float64], view: PlaneProjection, layout: MatLayout) -> float:
    """Estimate by Monte Carlo the deviation in px of the worst position in the middle, for corners known to 0.3 px."""
    rng = np.random.default_rng(0)
    px = np.asarray(cv2.perspectiveTransform(mm.reshape(-1, 1, 2), view.H)).reshape(-1, 2)
    places = _middle_places(layout)
    tries = []
    for _ in range(12):
        homography, _ = cv2.findHomography(mm, px + rng.normal(0.0, 0.3, px.shape), 0)
        if homography is None:
            return float("inf")
        tries.append(cv2.perspectiveTransform(places.reshape(-1, 1, 2), homography).reshape(-1, 2))
    return float(np.linalg.norm(np.std(tries, axis=0), axis=1).max())


def _folded(view: PlaneProjection, layout: MatLayout) -> bool:
    """Check whether the horizon runs through the sheet, or it is seen from below: no camera sees that."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(layout.size_mm) / 2
    depth = np.c_[half, np.ones(4)] @ view.H[2]
    return bool(depth.min() <= 0 or cv2.contourArea(view.project(half).astype(np.float32), oriented=True) <= 0)


def _sheet(found: Mapping[int, object]) -> MatLayout | None:
    """Return the sheet that most of the marks belong to."""
    sheets = [sheet for sheet in map(layout_of, found) if sheet]
    return max(sheets, key=sheets.count) if sheets else None


def _list(marks: Mapping[int, object] | tuple[int, ...]) -> str:
    return ", ".join(map(str, sorted(marks)))


def _sheets(found: Mapping[int, object]) -> str:
    names = sorted({f"{s.paper} for {s.seats}" for s in map(layout_of, found) if s})
    return " and ".join(names) if names else "no sheet of ours"


def _few(layout: MatLayout, seen: tuple[int, ...]) -> MatNotSeen:
    missing = tuple(sorted(set(layout.marks) - set(seen)))
    return MatNotSeen(
        "few",
        f"of the mat only {'marks' if len(seen) > 1 else 'mark'} {_list(seen)} can be seen, too few or too close;"
        f" uncover more of {_list(missing)}, and see that the camera takes in the whole sheet",
        seen,
    )


def draw_calibration(image: NDArray[np.uint8], calibration: Calibration) -> NDArray[np.uint8]:
    """Draw the marks, the middle and the seats as the calibration places them into a copy of the picture."""
    picture = image.copy()
    view, layout = calibration.view, calibration.layout
    for number, quad in calibration.corners.items():
        cv2.polylines(picture, [_whole(quad)], True, (0, 255, 255), 2, cv2.LINE_AA)
        place = (_whole(quad.mean(0)) - (9, -9)).tolist()
        for colour, thick in (((0, 0, 0), 6), ((0, 255, 255), 2)):
            cv2.putText(picture, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, 1.0, colour, thick, cv2.LINE_AA)
    if layout:
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(layout.size_mm) / 2
        cv2.polylines(picture, [_whole(view.project(half))], True, (0, 255, 255), 2, cv2.LINE_AA)
    a, b = layout.middle if layout else (106.0, 70.0)
    turn = np.linspace(0, 2 * np.pi, 73)
    cv2.polylines(
        picture, [_whole(view.project(np.c_[a * np.cos(turn), b * np.sin(turn)]))], True, (255, 200, 0), 2, cv2.LINE_AA
    )
    for axis in (((0, 0), (50, 0)), ((0, 0), (0, 50))):
        start, end = _whole(view.project(axis)).tolist()
        cv2.arrowedLine(picture, start, end, (0, 160, 255), 2, cv2.LINE_AA)
    if layout:
        for seat, place in layout.seat_places.items():
            x, y = _whole(view.project([place]))[0].tolist()
            cv2.circle(picture, (x, y), 16, (255, 255, 255), -1, cv2.LINE_AA)
            cv2.putText(picture, str(seat), (x - 8, y + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2)
    return picture


def _whole(points: ArrayLike) -> NDArray[np.int32]:
    return np.round(np.asarray(points)).astype(np.int32)


def find_mat_in_frames(
    source: Source, layout: MatLayout | None = None, frames: int = 20
) -> tuple[NDArray[np.uint8], Calibration]:
    """Calibrate on some frames and return the best calibration with its frame.

    :raises MatNotSeen: no frame shows enough of the mat
    :raises CameraError: the source gave no frame
    """
    best: tuple[NDArray[np.uint8], Calibration] | None = None
    trouble: MatNotSeen | None = None
    for count, frame in enumerate(source, 1):
        try:
            calibration = find_mat(frame.image, layout, None if best is None else best[1].view.lens)
        except MatNotSeen as error:
            trouble = error
        else:
            if best is None or (-len(calibration.marks), calibration.residual) < (
                -len(best[1].marks),
                best[1].residual,
            ):
                best = frame.image, calibration
        if count >= frames:
            break
    if best:
        return best
    raise trouble or CameraError(f"camera {source.name!r} gave no frame")


def describe_calibration(calibration: Calibration) -> list[str]:
    """List the facts that a person who sets a table up needs, a line each."""
    layout, view = calibration.layout, calibration.view
    lines = []
    if layout:
        missing = sorted(set(layout.marks) - set(calibration.marks))
        lines.append(f"sheet: {layout.paper} for {layout.seats} seats")
        lines.append(
            f"marks seen: {_list(calibration.marks)}" + (f"; not seen: {_list(tuple(missing))}" if missing else "")
        )
        lines.append(
            f"error of the marks: {calibration.residual:.2f} px; middle known to {calibration.uncertainty:.2f} px"
        )
    if view.lens is not None:
        lines.append(
            f"lens: shifts the picture's corners by {view.lens.corner_shift:.0f} px"
            f" (k1 {view.lens.k1:.4f}, k2 {view.lens.k2:.4f}); taken out"
        )
    lines.append(f"scale: {calibration.scale:.2f} px per mm, a card is {59 * calibration.scale:.0f} px wide")
    if calibration.scale < MIN_SCALE_PX_PER_MM:
        lines.append(
            f"too small: at least {MIN_SCALE_PX_PER_MM} px per mm are needed; lower the camera or ask for more pixels"
        )
    a, b = layout.middle if layout else (106.0, 70.0)
    box = view.project([(-a - 50, -b - 50), (a + 50, -b - 50), (a + 50, b + 50), (-a - 50, b + 50)])
    width, height = view.size
    if (box < 0).any() or (box[:, 0] > width).any() or (box[:, 1] > height).any():
        lines.append("the middle and a card's length round it reach out of the picture; move the camera")
    return lines

"""Report whether the mat can be seen, and find it: dark, covered, missing, pushed, and hands in the way."""

import logging
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Frame
from vision.errors import CameraError
from vision.mat.calibration import Calibration, MatNotSeen, find_mat
from vision.mat.layout import MatLayout
from vision.messages import Blind, HandInTheWay, Report
from vision.tracking.cell_grid import MatRegions
from vision.tracking.change_detection import FrameChange
from vision.tracking.coarse_plane import count_cells

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilityLimits:
    """Limits of what hinders the view of the mat, and of when it is searched for."""

    #: Seconds that blindness must last to be reported: a sleeve passing the lens is none.
    blind_s: float = 0.5
    #: Share of the middle that must differ to count as covered, and to go on counting so; and seconds after which that
    #: is reported.
    covered_share: float = 0.5
    still_covered_share: float = 0.4
    covered_s: float = 3.0
    #: Cells that must move in the middle to count as a hand, and seconds without motion after which it is out of the
    #: way.
    hand_cells: int = 6
    hand_gone_s: float = 0.25
    #: Seconds between two searches for the mat: while it is missing, while it is known, and where it seems pushed.
    search_interval_s: float = 0.3
    recheck_interval_s: float = 10.0
    pushed_interval_s: float = 0.5
    #: Seconds that everything must have been at rest for a routine recheck.
    recheck_at_rest_s: float = 0.5
    #: Pixels by which the mat must have moved to count as pushed; and how many times the found view's uncertainty.
    pushed_px: float = 1.5
    pushed_uncertainties: float = 3.0
    #: Share of a mark's cells that differ when it is elsewhere, and marks that must: fewer are covered or lit
    #: otherwise.
    mark_changed_share: float = 0.3
    changed_marks: int = 3
    #: Share of the picture that changes when mat or camera are pushed, and of its cells that may still move then.
    upheaval_share: float = 0.3
    upheaval_moving_share: float = 0.1


LIMITS = VisibilityLimits()


class MatVisibility:
    """Keeps the calibration and reports what hinders the view.

    ``calibration`` fixes the view if it was set by hand; else the mat's marks are searched for, and watched.
    """

    def __init__(
        self, size_mm: tuple[float, float], layout: MatLayout | None, calibration: Calibration | None = None
    ) -> None:
        self._size_mm, self._layout = size_mm, layout
        self._fixed = calibration is not None and calibration.layout is None
        self.calibration: Calibration | None = None
        self.mat: MatRegions | None = None
        self.trouble = ""
        self.hand = False
        self._hand_last = -1e9
        self._checked_at = -1e9
        self._blind = ""
        self._blind_now, self._blind_since = "", 0.0
        self.covered = False
        self._marks: dict[int, NDArray[np.intp]] = {}  # cells (n,) of those seen when the mat was found
        self._checked_marks: frozenset[int] = frozenset()
        self._cover_since: float | None = None
        if calibration is not None:
            self._adopt(calibration)

    @property
    def why_blind(self) -> str:
        """As the report ``Blind`` has it."""
        return self._blind or ("covered" if self.covered else "")

    def take_size(self, size_mm: tuple[float, float]) -> None:
        """Take cards to be of this width and height (mm) from now on."""
        self._size_mm = size_mm
        if self.mat is not None and self.calibration is not None:
            self.mat = MatRegions.of(self.calibration, self._layout or MatLayout(), size_mm)

    def recheck(self) -> None:
        """Search for the mat with the next still frame."""
        self._checked_at = -1e9

    def update(self, change: FrameChange, frame: Frame, reports: list[Report]) -> MatRegions | None:
        """Report what hinders the view; the mat's regions, None if they cannot be seen in this frame."""
        self._fit(frame)
        why = change.blind
        if not why and self.mat is None:
            if frame.at - self._checked_at > LIMITS.search_interval_s:
                self._recalibrate(frame)
            why = "" if self.mat is not None else "mat"
        if why != self._blind_now:
            self._blind_now, self._blind_since = why, frame.at
        if why != self._blind and (not why or frame.at - self._blind_since >= LIMITS.blind_s):
            self._blind = why
            reports.append(Blind(at=frame.at, why=why))
        if why or self.mat is None:
            return None
        self._watch_hand(self.mat, change, frame.at, reports)
        self._watch_cover(self.mat, change, frame.at, reports)
        return self.mat

    def pushed(self, change: FrameChange, frame: Frame, at_rest_s: float) -> bool:
        """Check whether mat or camera were pushed: the view is another one, the cards are where they were."""
        if self._fixed:
            return False
        since = frame.at - self._checked_at
        if (
            count_cells(change.differs) >= LIMITS.upheaval_share * change.differs.size
            and float(np.quantile(change.rest, LIMITS.upheaval_moving_share)) >= at_rest_s
            and since >= LIMITS.pushed_interval_s
        ):
            return self._recalibrate(frame)
        shifted = self._shifted_marks(change, at_rest_s)
        if since >= LIMITS.pushed_interval_s and len(shifted - self._checked_marks) >= LIMITS.changed_marks:
            self._checked_marks = shifted  # a hand's sleeve or the sun on them: not again until others differ
            if self._recalibrate(frame):
                self._checked_marks = frozenset()
                return True
        if not shifted:
            self._checked_marks = frozenset()
        if since > LIMITS.recheck_interval_s and float(change.rest.min()) > LIMITS.recheck_at_rest_s:
            self._recalibrate(frame)  # by a few px, or the whole picture would differ
        return False

    def _shifted_marks(self, change: FrameChange, at_rest_s: float) -> frozenset[int]:
        """Find marks at rest that differ from the settled picture: a push by a px shows on their edges."""
        differs, rest = change.differs.ravel(), change.rest.ravel()
        if not differs.any():
            return frozenset()
        return frozenset(
            mark
            for mark, places in self._marks.items()
            if np.count_nonzero(differs[places]) > LIMITS.mark_changed_share * len(places)
            and float(rest[places].min()) >= at_rest_s
        )

    def _fit(self, frame: Frame) -> None:
        """Fit the calibration to the picture's size: a camera that comes back may give another one.

        :raises CameraError: if the corners set by hand are of another size
        """
        if self.calibration is None:
            return
        size = frame.size
        if size == self.calibration.view.size:
            return
        if self._fixed:
            width, height = self.calibration.view.size
            raise CameraError(
                f"the camera gives {size[0]}x{size[1]} pixels, but the table's corners were set for {width}x{height};"
                " set the camera to that size, or the corners anew"
            )
        log.warning("the camera gives %dx%d pixels now; looking for the mat anew", *size)
        self.calibration = self.mat = None

    def _recalibrate(self, frame: Frame) -> bool:
        """Search for the mat; True if it is elsewhere than thought."""
        self._checked_at = frame.at
        try:
            found = find_mat(frame.image, self._layout, self.calibration.view.lens if self.calibration else None)
        except MatNotSeen as error:
            self.trouble = str(error)
            return False
        self.trouble = ""
        if self.calibration is not None:
            shift = self.calibration.shift(found)
            if shift < max(LIMITS.pushed_px, LIMITS.pushed_uncertainties * found.uncertainty):
                return False
            log.info("the mat lies %.1f px elsewhere", shift)
        self._adopt(found)
        return True

    def _adopt(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self._layout = self._layout or calibration.layout
        self.mat = MatRegions.of(calibration, self._layout or MatLayout(), self._size_mm)
        places = calibration.layout.marks if calibration.layout else {}
        boxes = {mark: (*places[mark].min(0), *np.ptp(places[mark], axis=0)) for mark in calibration.marks}
        cells = {mark: self.mat.grid.boxes([box]) for mark, box in boxes.items()}
        self._marks = {mark: np.flatnonzero(inside) for mark, inside in cells.items() if inside.any()}

    def _watch_hand(self, mat: MatRegions, change: FrameChange, at: float, reports: list[Report]) -> None:
        moved = change.moved & mat.middle
        if count_cells(moved) >= LIMITS.hand_cells:
            self._hand_last = at
            if not self.hand:
                self.hand = True
                reports.append(HandInTheWay(at=at, gone=False))
        elif self.hand and at - self._hand_last >= LIMITS.hand_gone_s:
            self.hand = False
            reports.append(HandInTheWay(at=at, gone=True))

    def _watch_cover(self, mat: MatRegions, change: FrameChange, at: float, reports: list[Report]) -> None:
        """Report if something hides most of the middle for long: a newspaper, or a lamp that has sunk."""
        share = count_cells(change.differs & mat.middle) / max(1, count_cells(mat.middle))
        if share < (LIMITS.still_covered_share if self.covered else LIMITS.covered_share) or self._cover_since is None:
            self._cover_since = at
        covered = at - self._cover_since > LIMITS.covered_s
        if covered != self.covered:
            self.covered = covered
            reports.append(Blind(at=at, why="covered" if covered else ""))

"""Whether the mat can be seen, and where it lies: dark, covered, missing, pushed, and hands in the way."""

import logging

import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.calibrate import Calibration, MatNotSeen, find_mat
from vision.errors import CameraError
from vision.frames import Frame
from vision.gate import Change, count
from vision.mat import MatLayout
from vision.reports import Blind, HandInTheWay, Report

log = logging.getLogger(__name__)

#: Seconds that blindness must last to be said: a sleeve passing the lens is none.
BLINK = 0.5
#: Seconds after which something that hides half of the middle is said to cover it.
COVER = 3.0
#: Cells that must move in the middle to count as a hand, and seconds without motion after which it is out of the way.
HAND, FREE = 6, 0.25
#: Seconds between two looks for the mat: while it is missing, and while it is known.
SEARCH, RECHECK = 0.3, 10.0
#: Pixels by which the mat must have moved to count as pushed.
PUSHED = 1.5
#: Share of a mark's cells that differ when it lies elsewhere, and marks that must: fewer are covered or lit otherwise.
SHIFTED, FEW = 0.3, 3
#: Share of the picture that changes when mat or camera are pushed.
UPHEAVAL = 0.3


class Sight:
    """Keeps the calibration and says what hinders the view.

    ``calibration`` fixes the view if it was set by hand; else the mat's marks are looked for, and looked after.
    """

    def __init__(
        self, size_mm: tuple[float, float], layout: MatLayout | None, calibration: Calibration | None = None
    ) -> None:
        self._size_mm, self._layout = size_mm, layout
        self._fixed = calibration is not None and calibration.layout is None
        self.calibration: Calibration | None = None
        self.board: Board | None = None
        self.trouble = ""
        self.hand = False
        self._hand_last = -1e9
        self._checked_at = -1e9
        self._blind = ""
        self._blind_now, self._blind_since = "", 0.0
        self.covered = False
        self._marks: dict[int, NDArray[np.intp]] = {}  # cells (n,) of those seen when the mat was found
        self._looked_at: frozenset[int] = frozenset()
        self._cover_since: float | None = None
        if calibration is not None:
            self._adopt(calibration)

    @property
    def why_blind(self) -> str:
        """As the report ``Blind`` has it."""
        return self._blind or ("covered" if self.covered else "")

    def recheck(self) -> None:
        """Look for the mat with the next still frame."""
        self._checked_at = -1e9

    def look(self, change: Change, frame: Frame, reports: list[Report]) -> Board | None:
        """The board if it can be seen in this frame; reports what hinders."""
        self._fit(frame)
        why = change.blind
        if not why and self.board is None:
            if frame.at - self._checked_at > SEARCH:
                self._recalibrate(frame)
            why = "" if self.board is not None else "mat"
        if why != self._blind_now:
            self._blind_now, self._blind_since = why, frame.at
        if why != self._blind and (not why or frame.at - self._blind_since >= BLINK):
            self._blind = why
            reports.append(Blind(at=frame.at, why=why))
        if why or self.board is None:
            return None
        self._watch_hand(self.board, change, frame.at, reports)
        self._watch_cover(self.board, change, frame.at, reports)
        return self.board

    def pushed(self, change: Change, frame: Frame, settle: float) -> bool:
        """Whether mat or camera were pushed: the view is another one now, and the cards lie on the mat as before."""
        if self._fixed:
            return False
        since = frame.at - self._checked_at
        if (
            count(change.differs) >= UPHEAVAL * change.differs.size
            and float(np.quantile(change.rest, 0.1)) >= settle
            and since >= 0.5
        ):
            return self._recalibrate(frame)
        shifted = self._shifted_marks(change, settle)
        if since >= 0.5 and len(shifted - self._looked_at) >= FEW:
            self._looked_at = shifted  # a hand's sleeve or the sun on them: not again until others differ
            if self._recalibrate(frame):
                self._looked_at = frozenset()
                return True
        if not shifted:
            self._looked_at = frozenset()
        if since > RECHECK and float(change.rest.min()) > 0.5:
            self._recalibrate(frame)  # by little, or the picture would be in upheaval
        return False

    def _shifted_marks(self, change: Change, settle: float) -> frozenset[int]:
        """Marks that lie still and look otherwise than in the settled picture: a push by a px shows on their edges."""
        differs, rest = change.differs.ravel(), change.rest.ravel()
        if not differs.any():
            return frozenset()
        return frozenset(
            mark
            for mark, places in self._marks.items()
            if np.count_nonzero(differs[places]) > SHIFTED * len(places) and float(rest[places].min()) >= settle
        )

    def _fit(self, frame: Frame) -> None:
        """A camera that comes back may give pictures of another size.

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
        self.calibration = self.board = None

    def _recalibrate(self, frame: Frame) -> bool:
        """Look for the mat; True if it lies elsewhere than thought."""
        self._checked_at = frame.at
        try:
            found = find_mat(frame.image, self._layout, self.calibration.view.lens if self.calibration else None)
        except MatNotSeen as error:
            self.trouble = str(error)
            return False
        self.trouble = ""
        if self.calibration is not None:
            shift = self.calibration.shift(found)
            if shift < max(PUSHED, 3 * found.uncertainty):
                return False
            log.info("the mat lies %.1f px elsewhere", shift)
        self._adopt(found)
        return True

    def _adopt(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self._layout = self._layout or calibration.layout
        self.board = Board.of(calibration, self._layout or MatLayout(), self._size_mm)
        places = calibration.layout.marks if calibration.layout else {}
        boxes = {mark: (*places[mark].min(0), *np.ptp(places[mark], axis=0)) for mark in calibration.marks}
        cells = {mark: self.board.grid.boxes([box]) for mark, box in boxes.items()}
        self._marks = {mark: np.flatnonzero(inside) for mark, inside in cells.items() if inside.any()}

    def _watch_hand(self, board: Board, change: Change, at: float, reports: list[Report]) -> None:
        moved = change.moved & board.middle
        if count(moved) >= HAND:
            self._hand_last = at
            if not self.hand:
                self.hand = True
                reports.append(HandInTheWay(at=at, gone=False))
        elif self.hand and at - self._hand_last >= FREE:
            self.hand = False
            reports.append(HandInTheWay(at=at, gone=True))

    def _watch_cover(self, board: Board, change: Change, at: float, reports: list[Report]) -> None:
        """Say so if something hides most of the middle for long: a newspaper, or a lamp that has sunk."""
        share = count(change.differs & board.middle) / max(1, count(board.middle))
        if share < (0.4 if self.covered else 0.5) or self._cover_since is None:
            self._cover_since = at
        covered = at - self._cover_since > COVER
        if covered != self.covered:
            self.covered = covered
            reports.append(Blind(at=at, why="covered" if covered else ""))

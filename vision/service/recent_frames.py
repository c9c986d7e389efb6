"""Keep the last seconds of the mat as small pictures, in memory for whoever has to judge what happened.

Only the mat is kept: what lies beside it is cut away or black, so that no face gets into a recording.
"""

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera.frame import Frame
from vision.camera.jpeg import encode_jpeg
from vision.geometry.projection import PlaneProjection
from vision.images import Picture
from vision.mat.calibration import Calibration


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentLimits:
    """Which pictures are kept, and how."""

    #: Width of the pictures kept, px; more shows no more of a card's index than a referee needs.
    width_px: int = 720
    #: Quality of their JPEG, 0 … 100.
    quality: int = 75
    #: Bytes that are kept at most, whatever the seconds.
    most_bytes: int = 8_000_000
    #: Seconds after which a picture is kept although nothing has moved.
    still_s: float = 2.0
    #: Grey levels by which a sample must differ for something to have moved, how many of them must, and how far apart
    #: they are, px of a quarter of the picture's size. A hand or a card covers hundreds; camera noise stays below.
    moved_levels: int = 18
    moved_samples: int = 4
    sample_step_px: int = 5


LIMITS = RecentLimits()


class RecentFrames:
    """Keeps pictures of the last ``seconds``. Where nothing moves there is next to no work."""

    def __init__(self, seconds: float, limits: RecentLimits = LIMITS) -> None:
        self.seconds, self._limits = seconds, limits
        self._kept: deque[tuple[float, bytes]] = deque()
        self._bytes = 0
        self._before: np.ndarray | None = None
        self._view: PlaneProjection | None = None
        self._mask: Picture | None = None  # (h, w) uint8 of the picture kept
        self._box = (0, 0, 0, 0)  # left, top, right, bottom in the frame

    @property
    def pictures(self) -> tuple[tuple[float, bytes], ...]:
        """(time, JPEG), the oldest first."""
        return tuple(self._kept)

    def add(self, frame: Frame, calibration: Calibration | None) -> None:
        """Take one more frame; without a calibration nothing is known of the mat, and nothing is kept."""
        if calibration is None:
            return
        step = self._limits.sample_step_px
        samples = frame.quarter[step // 2 :: step, step // 2 :: step, 1].astype(np.int16)
        before, self._before = self._before, samples
        still = (
            before is not None
            and before.shape == samples.shape
            and np.count_nonzero(np.abs(samples - before) > self._limits.moved_levels) < self._limits.moved_samples
        )
        while self._kept and frame.at - self._kept[0][0] > self.seconds:
            self._forget()
        if still and self._kept and frame.at - self._kept[-1][0] < self._limits.still_s:
            return
        if self._view is not calibration.view:
            self._look_at(calibration, frame.image)
        left, top, right, bottom = self._box
        if self._mask is None or right - left < 2 or bottom - top < 2:
            return
        small = cv2.resize(frame.image[top:bottom, left:right], self._mask.shape[::-1], interpolation=cv2.INTER_AREA)
        small = cv2.bitwise_and(small, small, mask=self._mask)
        data = encode_jpeg(small, self._limits.quality)
        self._kept.append((frame.at, data))
        self._bytes += len(data)
        while self._bytes > self._limits.most_bytes:
            self._forget()

    def _forget(self) -> None:
        self._bytes -= len(self._kept.popleft()[1])

    def _look_at(self, calibration: Calibration, image: Picture) -> None:
        """Find where the mat is in the frame."""
        self._view = calibration.view
        height, width = image.shape[:2]
        if calibration.layout is None:  # set by hand: the frame is all that is known
            quad = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        else:
            x, y = calibration.layout.size_mm[0] / 2, calibration.layout.size_mm[1] / 2
            quad = calibration.view.project(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]))
        low = np.clip(np.floor(quad.min(0)), 0, (width, height)).astype(int)
        high = np.clip(np.ceil(quad.max(0)), 0, (width, height)).astype(int)
        self._box = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
        wide, tall = int(high[0] - low[0]), int(high[1] - low[1])
        scale = min(1.0, self._limits.width_px / max(1, wide))
        shape = (2 * max(1, round(tall * scale / 2)), 2 * max(1, round(wide * scale / 2)))  # players want even sides
        corner = np.round((quad - low) * (shape[1] / max(1, wide), shape[0] / max(1, tall))).astype(np.int32)
        self._mask = np.zeros(shape, np.uint8)
        cv2.fillConvexPoly(self._mask, corner, 255)

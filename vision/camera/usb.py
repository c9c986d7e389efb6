"""Read USB cameras with OpenCV through V4L2."""

import logging
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

from vision.camera.jpeg import jpeg_size
from vision.camera.live import LIMITS, ExposureWatch, LiveCamera, LiveLimits
from vision.errors import BadSource, CameraBusy, CameraError, CameraMissing

log = logging.getLogger(__name__)


def video_devices() -> list[str]:
    """List the video devices of this machine, by their stable names where there are such."""
    return [str(p) for pattern in ("v4l/by-id/*index0", "video*") for p in sorted(Path("/dev").glob(pattern))]


class UsbCamera(LiveCamera):
    """A camera read through V4L2 as MJPEG, because raw pictures of 720p fill a USB 2 line at 10 a second.

    ``capture`` opens a device like ``cv2.VideoCapture``; tests put their own in.
    """

    def __init__(
        self,
        spec: str,
        device: str,
        size: tuple[int, int],
        fps: float,
        capture: Callable[[str, int], Any] = cv2.VideoCapture,
        exists: Callable[[str], bool] = lambda path: Path(path).exists(),
        limits: LiveLimits = LIMITS,
    ) -> None:
        super().__init__(spec, limits)
        if re.fullmatch(r"\d+", device):
            device = f"/dev/video{device}"
        if not device.startswith("/dev/"):
            raise BadSource(f"camera {spec!r}: name a device as in v4l2:/dev/video0 or usb:0")
        self._device, self._size, self._fps = device, size, fps
        self._capture_class, self._exists = capture, exists
        self._capture: Any = None
        self._settled_at: float | None = None
        self._start()

    def _open(self) -> None:
        if not self._exists(self._device):
            there = ", ".join(video_devices()) or "none at all"
            raise CameraMissing(
                f"camera {self.name!r}: there is no {self._device}; plug it in, or name another (found: {there})"
            )
        capture = self._capture_class(self._device, cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise CameraBusy(
                f"camera {self.name!r}: {self._device} cannot be opened as a camera; another program may be using it,"
                " or this user is not in the group 'video'"
            )
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._capture = capture
        self._start_automatics()
        capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)  # JPEG data as they come, if the driver gives such
        data = self._read()
        if not isinstance(data, bytes) or jpeg_size(data) is None:
            capture.set(cv2.CAP_PROP_CONVERT_RGB, 1)
            data = self._read()
        try:
            size = self._frame(data, 0.0).size
        except CameraError:
            self._release()
            raise
        if size != self._size:
            log.warning("camera %s gives %dx%d instead of %dx%d", self.name, *size, *self._size)

    def _read(self) -> Any:
        ok, data = self._capture.read()
        if not ok:
            return None
        return data.tobytes() if data.ndim == 2 and 1 in data.shape else data

    def _grab(self) -> Any:
        data = self._read()
        if self._unsettle.is_set():
            self._unsettle.clear()
            self._start_automatics()
        elif self._settled_at is not None and time.monotonic() >= self._settled_at:
            self._hold_exposure()
        return data

    def _start_automatics(self) -> None:
        """Let exposure and white balance adjust before they are held: they would disturb change detection."""
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 3)  # V4L2_EXPOSURE_APERTURE_PRIORITY: automatic time
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)
        self._settled_at, self._held = time.monotonic() + self.limits.settle_s, None

    def _hold_exposure(self) -> None:
        """Hold what the automatics found; a driver that cannot answers False and goes on with them."""
        self._settled_at, self._held = None, ExposureWatch(self.limits)
        capture = self._capture
        exposure, white = capture.get(cv2.CAP_PROP_EXPOSURE), capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
        if exposure > 0 and capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1):  # V4L2_EXPOSURE_MANUAL
            capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        if white > 0 and capture.set(cv2.CAP_PROP_AUTO_WB, 0):
            capture.set(cv2.CAP_PROP_WB_TEMPERATURE, white)

    def _release(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

"""Read USB cameras with OpenCV through V4L2."""

import logging
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

from vision.camera.controls import Controls, controls_of
from vision.camera.identity import FoundCamera, same_camera, usb_cameras
from vision.camera.jpeg import jpeg_size
from vision.camera.kept import KeptCamera
from vision.camera.live import LIMITS, ExposureWatch, LiveCamera, LiveLimits
from vision.camera.source import SourceOptions
from vision.camera.webcam_settings import WebcamSettings
from vision.errors import BadSource, CameraBusy, CameraError, CameraMissing
from vision.messages import CameraState

log = logging.getLogger(__name__)


def _exists(path: str) -> bool:
    return Path(path).exists()


@dataclass(frozen=True, slots=True)
class UsbMachine:
    """What a camera needs of the machine; tests put their own in."""

    #: Opens a device like ``cv2.VideoCapture``.
    capture: Callable[[str, int], Any] = cv2.VideoCapture
    exists: Callable[[str], bool] = _exists
    #: Lists the cameras that are plugged in.
    cameras: Callable[[], Sequence[FoundCamera]] = usb_cameras
    #: Gives the controls of a device that is open.
    controls: Callable[[str, Any], Controls] = controls_of


MACHINE = UsbMachine()


def video_devices() -> list[str]:
    """List the video devices of this machine, by their stable names where there are such."""
    return [str(p) for pattern in ("v4l/by-id/*index0", "video*") for p in sorted(Path("/dev").glob(pattern))]


class UsbCamera(LiveCamera):
    """A camera read through V4L2 as MJPEG, because raw pictures of 720p fill a USB 2 line at 10 a second.

    The camera that a source was last is found again in another socket, or with another number. A name of a socket or of
    an id that is there says itself which camera is meant.
    """

    def __init__(
        self,
        spec: str,
        device: str,
        asked: SourceOptions,
        machine: UsbMachine = MACHINE,
        limits: LiveLimits = LIMITS,
    ) -> None:
        super().__init__(spec, limits)
        if re.fullmatch(r"\d+", device):
            device = f"/dev/video{device}"
        if not device.startswith("/dev/"):
            raise BadSource(f"camera {spec!r}: name a device as in v4l2:/dev/video0 or usb:0")
        self._device, self._asked, self._machine = device, asked, machine
        self._capture: Any = None
        self._settings: WebcamSettings | None = None
        self._settled_at: float | None = None
        self._start()

    def _find(self) -> tuple[str, FoundCamera | None]:
        """Find the device to be opened, and which camera it is, if that can be told.

        :raises CameraError: it is missing, or cannot be told from another one
        """
        cameras, known = self._machine.cameras(), self._asked.memory.of(self.name).identity
        there = self._machine.exists(self._device)
        numbered = re.fullmatch(r"/dev/video\d+", self._device) is not None
        again = same_camera(known, cameras) if known is not None and (numbered or not there) else None
        if again is not None:
            if known is not None and again.identity.path != known.path:
                log.info("camera %s was moved to another socket: %s", self.name, again.identity.path)
            return again.device, again
        if not there:
            found = ", ".join(video_devices()) or "none at all"
            raise CameraMissing(
                f"camera {self.name!r}: there is no {self._device}; plug it in, or name another (found: {found})"
            )
        node = str(Path(self._device).resolve())
        return self._device, next((camera for camera in cameras if camera.device == node), None)

    def _open(self) -> None:
        device, camera = self._find()
        capture = self._machine.capture(device, cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise CameraBusy(
                f"camera {self.name!r}: {device} cannot be opened as a camera; another program may be using it,"
                " or this user is not in the group 'video'"
            )
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._asked.size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._asked.size[1])
        capture.set(cv2.CAP_PROP_FPS, self._asked.fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._capture = capture
        self._know(device, camera)
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
        if size != self._asked.size:
            log.warning("camera %s gives %dx%d instead of %dx%d", self.name, *size, *self._asked.size)
        name, socket = (camera.name, camera.identity.path) if camera is not None else (device, "")
        self._state = CameraState(
            name=name, socket=socket, size=size, settings=self._settings.told() if self._settings else ()
        )

    def _know(self, device: str, camera: FoundCamera | None) -> None:
        """Keep which camera this source is; another one has its lens elsewhere."""
        memory = self._asked.memory
        kept, identity = memory.of(self.name), camera.identity if camera is not None else None
        same = kept.identity is None or identity is None or kept.identity.id == identity.id
        memory.keep(self.name, KeptCamera(identity=identity or kept.identity, focus=kept.focus if same else None))
        controls = self._machine.controls(device, self._capture)
        self._settings = WebcamSettings(self.name, controls, longest_us=1e6 / self._asked.fps)

    def _read(self) -> Any:
        ok, data = self._capture.read()
        if not ok:
            return None
        return data.tobytes() if data.ndim == 2 and 1 in data.shape else data

    def _grab(self) -> Any:
        if self._set_when_due():
            # A driver may take long for it: the picture that has waited meanwhile is old, and would get a new time.
            self._read()
        return self._read()

    def _set_when_due(self) -> bool:
        """Begin the automatics anew where somebody wants that, or hold what they found; report whether it was done."""
        if self._unsettle.is_set():
            self._unsettle.clear()
            if self._refocus.is_set():  # else the light has changed, not the distance
                self._refocus.clear()
                self._keep_focus(None)
            self._start_automatics()
            return True
        if self._settled_at is not None and time.monotonic() >= self._settled_at:
            self._hold()
            return True
        return False

    def _start_automatics(self) -> None:
        """Let focus, exposure and white balance adjust before they are held: they would disturb change detection."""
        if self._settings is not None:
            self._settings.start(self._asked.memory.of(self.name).focus)
        self._settled_at, self._held = time.monotonic() + self.limits.settle_s, None
        self._tell()

    def _hold(self) -> None:
        """Hold what the automatics found, and keep the lens's place."""
        self._settled_at, self._held = None, ExposureWatch(self.limits)
        if self._settings is not None:
            self._keep_focus(self._settings.hold())
        self._tell()

    def _keep_focus(self, focus: float | None) -> None:
        memory = self._asked.memory
        memory.keep(self.name, replace(memory.of(self.name), focus=focus))

    def _tell(self) -> None:
        if self._state is not None and self._settings is not None:
            self._state = replace(self._state, settings=self._settings.told())

    def _release(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

"""Cameras that run by themselves: a thread keeps only the newest picture, so that nothing ever lags behind."""

import logging
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.errors import CameraError
from vision.frames import Frame, JpegFrame, checked
from vision.jpegs import jpeg_size, split_jpegs
from vision.sources import Source

log = logging.getLogger(__name__)

#: Seconds without a frame after which a camera counts as gone; a USB camera in the dark may halve its rate, not more.
SILENCE = 2.0
#: Seconds that a camera program gets until its first picture.
START = 10.0
#: Seconds between attempts to find a camera again.
RETRY = 1.0
#: Seconds that automatic exposure and white balance get before they are held.
SETTLE = 2.5
#: Ratio by which the picture's light must differ, and seconds for which, before a held exposure is set anew.
DUSK, OUTSHONE = 1.4, 6.0
#: Microseconds of half a wave of the mains.
HALF_WAVE = 10_000


class LiveCamera(Source):
    """Base: ``_grab`` runs in a thread and gives pictures or JPEG data; ``next`` hands out the newest one, once.

    It also sees when the light has long been another one than that for which exposure is held, and has it set anew.
    """

    live = True

    def __init__(self, spec: str) -> None:
        self.name = spec
        self._fresh = threading.Condition()
        self._newest: tuple[Any, float] | None = None
        self._trouble = ""
        self._closing = threading.Event()
        self._unsettle = threading.Event()
        self._held: HeldLight | None = None  # while exposure is held
        self._thread = threading.Thread(target=self._run, name=f"camera {spec}", daemon=True)

    @abstractmethod
    def _open(self) -> None:
        """Open the device.

        :raises CameraError: if that fails
        """

    @abstractmethod
    def _grab(self) -> Any:
        """The next picture, or None if the camera is gone."""

    @abstractmethod
    def _release(self) -> None:
        """Let go of the device."""

    def resettle(self) -> None:
        self._unsettle.set()  # done by the thread that reads: the driver is asked by one thread only

    def _start(self) -> None:
        """Open the device in the caller's thread, so that a missing camera is told at once, then begin to read."""
        self._open()
        self._thread.start()

    def _run(self) -> None:
        is_open = True
        while not self._closing.is_set():
            if not is_open:
                try:
                    self._open()
                    is_open = True
                    log.info("camera %s is back", self.name)
                except CameraError as error:
                    self._say(str(error))
                    self._closing.wait(RETRY)
                    continue
            data = self._grab()
            if data is None:
                self._release()
                is_open = False
                if not self._closing.is_set():
                    log.warning("camera %s gave no more pictures", self.name)
                    self._say(f"camera {self.name!r} gave no more pictures; plug it in again, or check its cable")
                    self._closing.wait(RETRY)
                continue
            with self._fresh:
                self._newest, self._trouble = (data, time.monotonic()), ""
                self._fresh.notify_all()
        self._release()

    def _say(self, trouble: str) -> None:
        with self._fresh:
            self._newest, self._trouble = None, trouble
            self._fresh.notify_all()

    def __next__(self) -> Frame:
        frame, since = None, time.monotonic()
        while frame is None:
            data, at = self._fetch()
            try:
                frame = self._frame(data, at)
            except CameraError:
                if time.monotonic() - since > SILENCE:
                    raise  # else it was torn on the line, as happens; the next one will do
        held = self._held
        if held is not None and held.outshone(frame.quarter):
            log.info("camera %s: the light has changed; exposure is set anew", self.name)
            self._held = None
            self._unsettle.set()
        return frame

    def _fetch(self) -> tuple[Any, float]:
        """The newest picture as it came, and when; waits for it."""
        with self._fresh:
            if self._newest is None:
                self._fresh.wait_for(lambda: self._newest is not None or self._closing.is_set(), SILENCE)
            if self._newest is None:
                if self._closing.is_set():
                    raise StopIteration
                raise CameraError(
                    self._trouble or f"camera {self.name!r} is silent; check its cable, or plug it in again"
                )
            newest, self._newest = self._newest, None
            return newest

    def _frame(self, data: Any, at: float) -> Frame:
        """:raises CameraError: data that are no picture"""
        return JpegFrame(data, at, self.name) if isinstance(data, bytes) else Frame(checked(data, self.name), at)

    def close(self) -> None:
        self._closing.set()
        with self._fresh:
            self._fresh.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=3.0)


def video_devices() -> list[str]:
    """The video devices of this machine, by their lasting names where there are such."""
    return [str(p) for pattern in ("v4l/by-id/*index0", "video*") for p in sorted(Path("/dev").glob(pattern))]


class HeldLight:
    """Whether the picture's light has for long been another one than when exposure was held: dusk, a lamp."""

    def __init__(self) -> None:
        self._light, self._like_held = 0.0, 0.0  # mean of the first picture, and when it last was so

    def outshone(self, quarter: np.ndarray) -> bool:
        """Whether it has long been much darker or brighter. ``quarter``: as ``Frame.quarter``."""
        now, light = time.monotonic(), float(quarter[::4, ::4].mean())
        self._light = self._light or light
        if not light or 1 / DUSK < light / self._light < DUSK:
            self._like_held = now
        return now - self._like_held > OUTSHONE


class UsbCamera(LiveCamera):
    """A camera that OpenCV reads through V4L2, as MJPEG, because raw pictures of 720p fill a USB 2 line at 10 a second.

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
    ) -> None:
        super().__init__(spec)
        if re.fullmatch(r"\d+", device):
            device = f"/dev/video{device}"
        if not device.startswith("/dev/"):
            raise CameraError(f"camera {spec!r}: name a device as in v4l2:/dev/video0 or usb:0")
        self._device, self._size, self._fps = device, size, fps
        self._capture_class, self._exists = capture, exists
        self._capture: Any = None
        self._settled_at: float | None = None
        self._start()

    def _open(self) -> None:
        if not self._exists(self._device):
            there = ", ".join(video_devices()) or "none at all"
            raise CameraError(
                f"camera {self.name!r}: there is no {self._device}; plug it in, or name another (found: {there})"
            )
        capture = self._capture_class(self._device, cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise CameraError(
                f"camera {self.name!r}: {self._device} cannot be opened as a camera; another program may be using it,"
                " or this user is not in the group 'video'"
            )
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._capture = capture
        self._free()
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
            self._free()
        elif self._settled_at is not None and time.monotonic() >= self._settled_at:
            self._hold()
        return data

    def _free(self) -> None:
        """Automatic exposure and white balance for a while, then held: they would fight the change gate."""
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 3)  # V4L2_EXPOSURE_APERTURE_PRIORITY: automatic time
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)
        self._settled_at, self._held = time.monotonic() + SETTLE, None

    def _hold(self) -> None:
        """Keep what the automatics found; a driver that knows none of it answers False and goes on with them."""
        self._settled_at, self._held = None, HeldLight()
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


class RpiCamera(LiveCamera):
    """A camera on the Raspberry Pi's ribbon, through ``rpicam-vid`` writing MJPEG to a pipe.

    No Python binding: the system's libcamera binding wants the system's NumPy, which collides with OpenCV's. The
    program cannot be told anything while it runs; so it runs with automatic exposure and white balance first and
    writes down what it does, and is then started again with the last of it, fixed.
    """

    def __init__(self, spec: str, number: str, size: tuple[int, int], fps: float) -> None:
        super().__init__(spec)
        if not re.fullmatch(r"\d*", number):
            raise CameraError(f"camera {spec!r}: {number!r} is no number of a camera; write rpicam:0")
        program = shutil.which("rpicam-vid") or shutil.which("libcamera-vid")
        if program is None:
            raise CameraError(
                f"camera {spec!r}: the program rpicam-vid is missing; install it with 'sudo apt install rpicam-apps'"
            )
        self._command = [
            program, "--camera", number or "0", "--timeout", "0", "--nopreview", "--codec", "mjpeg", "--quality", "90",
            "--width", str(size[0]), "--height", str(size[1]), "--framerate", f"{fps:g}", "--flush", "--output", "-",
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None
        self._notes = Path(tempfile.gettempdir()) / f"stichwart-{os.getpid()}-{secrets.token_hex(4)}.txt"
        self._fixed: list[str] = []  # options that hold exposure and white balance
        self._can_tell = True
        self._settled_at: float | None = None
        self._buffer = bytearray()
        self._waiting: list[bytes] = []
        self._start()

    def _open(self) -> None:
        if self._can_tell and not self._fixed:
            try:
                self._launch(["--metadata", str(self._notes), "--metadata-format", "txt"])
                self._settled_at = time.monotonic() + SETTLE
                return
            except CameraError as error:
                self._launch([])  # an older program that knows nothing of notes; if it is the camera, this says so
                log.info("camera %s does not tell its exposure: %s", self.name, error)
                self._can_tell = False
                return
        self._launch(self._fixed)
        self._held = HeldLight() if self._fixed else None

    def _launch(self, options: list[str]) -> None:
        self._buffer.clear()
        self._waiting.clear()
        self._held = None
        # What it says on stderr would fill a pipe that nobody reads; the last words matter only if it dies at once.
        self._process = subprocess.Popen(
            [*self._command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
        )
        self._errors = _LastWords(self._process)
        hung = threading.Timer(START, self._process.kill)
        hung.start()
        first = self._read()
        hung.cancel()
        if first is None:
            code = self._process.poll()
            self._release()
            raise CameraError(
                f"camera {self.name!r}: rpicam-vid gave no picture and ended (code {code}):"
                f" {self._errors.text() or 'no word why'}; check the ribbon cable and 'rpicam-hello --list-cameras'"
            )
        self._waiting.append(first)

    def _grab(self) -> bytes | None:
        if self._unsettle.is_set():
            self._unsettle.clear()
            if self._fixed:
                self._restart([])
        elif self._settled_at is not None and time.monotonic() >= self._settled_at:
            self._settled_at = None
            fixed = fixed_options(self._notes)
            if fixed:
                self._restart(fixed)
            else:
                log.info("camera %s does not tell its exposure; it stays automatic", self.name)
        return self._read()

    def _restart(self, fixed: list[str]) -> None:
        """Start the program again with these options, empty for automatics; a failure counts as a camera gone."""
        self._release()
        self._fixed = fixed
        try:
            self._open()
        except CameraError as error:
            log.warning("camera %s: %s", self.name, error)
            self._fixed = []

    def _read(self) -> bytes | None:
        process = self._process
        if self._waiting:
            return self._waiting.pop()
        if process is None or process.stdout is None:
            return None
        while True:
            data = process.stdout.read1(1 << 18)  # type: ignore[attr-defined]
            if not data:
                return None
            self._buffer += data
            pictures = split_jpegs(self._buffer)
            if pictures:
                return pictures[-1]
            if len(self._buffer) > 1 << 25:
                log.error("camera %s: 32 MB without a JPEG picture", self.name)
                return None

    def _release(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._errors.join()
        if process.stdout is not None:
            process.stdout.close()
        self._notes.unlink(missing_ok=True)

    def close(self) -> None:
        process = self._process
        self._closing.set()
        if process is not None:
            process.terminate()  # ends the read that the thread may be waiting in
        super().close()


def fixed_options(notes: Path) -> list[str]:
    """Options of ``rpicam-vid`` that hold what the last of its notes say: shutter, gain, white balance; none if they
    do not tell.

    A shutter above 10 ms is rounded to whole half waves of the mains of 50 Hz, so that lamps do not beat against it.
    """
    try:
        text = notes.read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    number = r"(\d+(?:\.\d+)?)"
    shutters = re.findall(rf"\bExposureTime\W+{number}", text)
    gains = re.findall(rf"\bAnalogueGain\W+{number}", text)
    digital = re.findall(rf"\bDigitalGain\W+{number}", text)
    whites = re.findall(rf"\bColourGains\W+{number}\s*,\s*{number}", text)
    if not (shutters and gains and whites):
        return []
    shutter, gain = float(shutters[-1]), float(gains[-1]) * (float(digital[-1]) if digital else 1.0)
    whole = round(shutter / HALF_WAVE) * HALF_WAVE if shutter > HALF_WAVE else shutter
    gain *= shutter / max(whole, 1.0)
    red, blue = whites[-1]
    return ["--shutter", f"{whole:.0f}", "--gain", f"{max(gain, 1.0):.3f}", "--awbgains", f"{red},{blue}"]


class _LastWords:
    """Reads a program's stderr away and remembers its end."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._lines: list[str] = []
        self._stream = process.stderr
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        if self._stream is not None:
            with self._stream:
                for line in self._stream:
                    self._lines = [*self._lines[-2:], line.decode("utf-8", "replace").strip()]

    def join(self) -> None:
        self._thread.join(timeout=1.0)

    def text(self) -> str:
        self.join()
        return " / ".join(filter(None, self._lines))

"""Read live cameras in a thread of their own that keeps only the newest picture, so that reading never lags behind."""

import logging
import threading
import time
from abc import abstractmethod
from collections import deque
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vision.camera.frame import Frame, JpegFrame, checked
from vision.camera.source import Source
from vision.errors import CameraError, CameraSilent
from vision.messages import CameraState

log = logging.getLogger(__name__)

#: Pictures from whose times the rate is taken that people are told.
RATE_OF = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveLimits:
    """Time limits of live cameras, and the change of light at which their exposure is set again."""

    #: Seconds without a frame after which a camera counts as gone. A USB camera in the dark may halve its rate, not
    #: more; longer leaves the table blind without a message.
    silence_s: float = 2.0
    #: Seconds between two attempts to open a camera that is gone.
    retry_s: float = 1.0
    #: Seconds that automatic exposure and white balance get before they are held; less holds values on their way.
    settle_s: float = 2.5
    #: Seconds that a camera program gets until its first picture; then it is ended as hung.
    first_picture_s: float = 10.0
    #: Ratio of mean brightness, up or down, from which the light counts as another one than when exposure was held:
    #: dusk, a lamp. Hands and cards change it less.
    changed_light_ratio: float = 1.4
    #: Seconds for which it must stay changed before exposure is set again; a person who leans over the mat takes less.
    changed_light_s: float = 6.0


LIMITS = LiveLimits()


class LiveCamera(Source):
    """Base of live cameras: ``_grab`` runs in a thread and gives pictures or JPEG data; ``next`` gives the newest one.

    Has exposure set again when the light has long been another one than that for which exposure is held.
    """

    live = True

    def __init__(self, spec: str, limits: LiveLimits = LIMITS) -> None:
        self.name, self.limits = spec, limits
        self._fresh = threading.Condition()
        self._newest: tuple[Any, float] | None = None
        self._trouble: CameraError | None = None
        self._closing = threading.Event()
        self._unsettle, self._refocus = threading.Event(), threading.Event()
        self._state: CameraState | None = None
        self._times: deque[float] = deque(maxlen=RATE_OF)
        self._held: ExposureWatch | None = None  # while exposure is held
        self._thread = threading.Thread(target=self._run, name=f"camera {spec}", daemon=True)

    @abstractmethod
    def _open(self) -> None:
        """Open the device.

        :raises CameraError: if that fails
        """

    @abstractmethod
    def _grab(self) -> Any:
        """Read the next picture; None if the camera is gone."""

    @abstractmethod
    def _release(self) -> None:
        """Release the device."""

    @property
    def state(self) -> CameraState | None:
        times = list(self._times)
        span = times[-1] - times[0] if len(times) > 1 else 0.0
        fps = round((len(times) - 1) / span, 1) if span > 0 else 0.0
        return replace(self._state, fps=fps) if self._state is not None else None

    def resettle(self) -> None:
        self._refocus.set()
        self._unsettle.set()  # done by the reading thread: only one thread may use the driver

    def _start(self) -> None:
        """Open the device in the caller's thread, so that a missing camera is an error at once, then read."""
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
                    self._report_trouble(error)
                    self._closing.wait(self.limits.retry_s)
                    continue
            data = self._grab()
            if data is None:
                self._release()
                self._times.clear()
                is_open = False
                if not self._closing.is_set():
                    log.warning("camera %s gave no more pictures", self.name)
                    lost = f"camera {self.name!r} gave no more pictures; plug it in again, or check its cable"
                    self._report_trouble(CameraSilent(lost))
                    self._closing.wait(self.limits.retry_s)
                continue
            at = time.monotonic()
            self._times.append(at)
            with self._fresh:
                self._newest, self._trouble = (data, at), None
                self._fresh.notify_all()
        self._release()

    def _report_trouble(self, trouble: CameraError) -> None:
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
                if time.monotonic() - since > self.limits.silence_s:
                    raise  # else it was torn on the line, as happens; the next one will do
        held = self._held
        if held is not None and held.light_changed(frame.quarter):
            log.info("camera %s: the light has changed; exposure is set anew", self.name)
            self._held = None
            self._unsettle.set()
        return frame

    def _fetch(self) -> tuple[Any, float]:
        """Wait for the newest picture; return it as it came, and when."""
        with self._fresh:
            if self._newest is None:
                self._fresh.wait_for(lambda: self._newest is not None or self._closing.is_set(), self.limits.silence_s)
            if self._newest is None:
                if self._closing.is_set():
                    raise StopIteration
                silent = f"camera {self.name!r} is silent; check its cable, or plug it in again"
                raise self._trouble or CameraSilent(silent)
            newest, self._newest = self._newest, None
            return newest

    def _frame(self, data: Any, at: float) -> Frame:
        """Make a frame of what was grabbed.

        :raises CameraError: data that are no picture
        """
        return JpegFrame(data, at, self.name) if isinstance(data, bytes) else Frame(checked(data, self.name), at)

    def close(self) -> None:
        self._closing.set()
        with self._fresh:
            self._fresh.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=3.0)


class ExposureWatch:
    """Watches whether the light has long been another one than when exposure was held: dusk, a lamp."""

    def __init__(self, limits: LiveLimits) -> None:
        self._limits = limits
        self._held_brightness, self._last_alike_s = 0.0, 0.0  # mean of the first picture, and when it last was so

    def light_changed(self, quarter: np.ndarray) -> bool:
        """Check whether it has long been much darker or brighter. ``quarter``: as ``Frame.quarter``."""
        now, brightness = time.monotonic(), float(quarter[::4, ::4].mean())
        self._held_brightness = self._held_brightness or brightness
        ratio = self._limits.changed_light_ratio
        if not brightness or 1 / ratio < brightness / self._held_brightness < ratio:
            self._last_alike_s = now
        return now - self._last_alike_s > self._limits.changed_light_s

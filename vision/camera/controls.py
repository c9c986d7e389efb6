"""Read and set the controls of a V4L2 camera: focus, exposure, white balance, the frequency of the mains.

One small interface, ``Controls``, and two ways behind it: ``ProgramControls`` asks ``v4l2-ctl`` of Debian's
``v4l-utils``, which knows every control with its range; ``CaptureControls`` asks OpenCV, which knows some of them and
no range, where that program is missing. Controls are named by their numbers, for kernels have renamed them.
"""

import logging
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol

import cv2

from vision.errors import CameraError

log = logging.getLogger(__name__)

#: Seconds that the program gets to answer; a camera that hangs answers none at all.
ANSWER_S = 5.0


class ControlId(IntEnum):
    """Numbers of controls, as ``linux/v4l2-controls.h`` has them."""

    WHITE_AUTO = 0x0098090C
    MAINS = 0x00980918  # 0 none, 1 50 Hz, 2 60 Hz, 3 automatic
    WHITE_KELVIN = 0x0098091A
    EXPOSURE_AUTO = 0x009A0901  # 0 automatic, 1 manual, 2 time manual, 3 aperture manual and so time automatic
    EXPOSURE = 0x009A0902  # 100 µs
    FOCUS = 0x009A090A  # no unit; larger is nearer
    FOCUS_AUTO = 0x009A090C  # continuous autofocus


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A control as the driver states it; ``low``, ``high`` and ``default`` are None where they are not known."""

    name: str
    value: int
    low: int | None = None
    high: int | None = None
    default: int | None = None


class ControlError(CameraError):
    """A control that the camera has not, a value that it refuses, or a camera that does not answer."""


class Controls(Protocol):
    """The controls of one camera; ``tests/vision/camera/test_controls.py`` holds each way to this contract."""

    def read(self) -> Mapping[int, Control]:
        """Read every control that has a number as its value, by the control's number.

        :raises ControlError: the camera does not answer
        """

    def set(self, number: int, value: int) -> None:
        """Set a control. A number between or beyond its steps may become the nearest that the driver has: read it back.

        :raises ControlError: the camera has no such control, or refuses the value
        """


_LINE = re.compile(r"^\s*(\w+) 0x([0-9a-f]{8}) \((?:int|bool|menu|intmenu)\)\s*:\s(.*)$", re.MULTILINE)
_PART = re.compile(r"\b(min|max|default|value)=(-?\d+)")


def parse_controls(text: str) -> dict[int, Control]:
    """Parse what ``v4l2-ctl --list-ctrls`` prints; lines of other kinds (buttons, texts, bit masks) are left out."""
    found = {}
    for name, number, rest in _LINE.findall(text):
        parts = {key: int(value) for key, value in _PART.findall(rest)}
        if "value" in parts and "write-only" not in rest:
            low, high = parts.get("min"), parts.get("max")
            found[int(number, 16)] = Control(
                name=name, value=parts["value"], low=low, high=high, default=parts.get("default")
            )
    return found


class ProgramControls:
    """Controls by the program ``v4l2-ctl``, which opens the device besides whoever reads its pictures.

    :param device: path below ``/dev``.
    :param program: ``v4l2-ctl``, or what stands for it.
    """

    def __init__(self, device: str, program: str) -> None:
        self._device, self._program = device, program

    def read(self) -> Mapping[int, Control]:
        return parse_controls(self._ask("--list-ctrls"))

    def set(self, number: int, value: int) -> None:
        control = self.read().get(number)
        if control is None:
            raise ControlError(f"camera {self._device}: there is no control {number:#x}")
        if control.low is not None:  # uvcvideo takes what is too small for the greatest
            value = max(value, control.low)
        self._ask(f"--set-ctrl={control.name}={value}")

    def _ask(self, what: str) -> str:
        command = [self._program, "--device", self._device, what]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=ANSWER_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ControlError(f"camera {self._device}: {error}") from error
        if done.returncode or "VIDIOC_" in done.stderr:  # it has ended with 0 after a refusal
            said = " / ".join(done.stderr.split("\n")[:3]).strip()[:300]
            raise ControlError(f"camera {self._device}: v4l2-ctl {what}: {said or f'ended with {done.returncode}'}")
        return done.stdout


class CaptureControls:
    """Controls by OpenCV, where ``v4l2-ctl`` is missing: without ranges, and without that of the mains.

    :param capture: an open ``cv2.VideoCapture`` of V4L2.
    """

    KNOWN = {  # noqa: RUF012 - a constant
        ControlId.WHITE_AUTO: cv2.CAP_PROP_AUTO_WB,
        ControlId.WHITE_KELVIN: cv2.CAP_PROP_WB_TEMPERATURE,
        ControlId.EXPOSURE_AUTO: cv2.CAP_PROP_AUTO_EXPOSURE,
        ControlId.EXPOSURE: cv2.CAP_PROP_EXPOSURE,
        ControlId.FOCUS: cv2.CAP_PROP_FOCUS,
        ControlId.FOCUS_AUTO: cv2.CAP_PROP_AUTOFOCUS,
    }

    def __init__(self, capture: Any) -> None:
        self._capture = capture

    def read(self) -> Mapping[int, Control]:
        values = {number: self._capture.get(prop) for number, prop in self.KNOWN.items()}
        return {
            number: Control(name=number.name.lower(), value=round(value))
            for number, value in values.items()
            if value >= 0  # OpenCV says -1 of what is not there
        }

    def set(self, number: int, value: int) -> None:
        prop = self.KNOWN.get(ControlId(number)) if number in set(ControlId) else None
        if prop is None or not self._capture.set(prop, value):
            raise ControlError(f"the camera takes no {value} for control {number:#x}")


def controls_of(device: str, capture: Any) -> Controls:
    """Choose the way to a camera's controls: the program where it is installed, else OpenCV."""
    program = shutil.which("v4l2-ctl")
    if program is not None:
        return ProgramControls(device, program)
    log.warning("camera %s: no v4l2-ctl (sudo apt install v4l-utils): the mains' frequency is not set", device)
    return CaptureControls(capture)

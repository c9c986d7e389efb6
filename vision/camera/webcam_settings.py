"""Set a webcam for a table: automatics find focus, exposure and white balance, which are then held."""

import logging
from collections.abc import Mapping

from vision.camera.controls import Control, ControlError, ControlId, Controls
from vision.camera.mains import MAINS_HZ, steady_exposure
from vision.messages import CameraSetting

log = logging.getLogger(__name__)

#: Microseconds of the driver's unit of exposure.
EXPOSURE_UNIT_US = 100
#: Factor by which an exposure may become longer when it is rounded: a webcam's gain has no unit and cannot make up for
#: it, and more would whiten out the cards.
BRIGHTER = 1.3
#: What the driver calls the mains' frequencies.
MAINS = {0: 0, 1: 50, 2: 60}


class WebcamSettings:
    """The settings of one webcam. What it has not, or refuses, stays as it is: it still gives pictures.

    :param longest_us: the time from picture to picture, µs.
    """

    def __init__(self, name: str, controls: Controls, longest_us: float) -> None:
        self._name, self._controls, self._longest_us = name, controls, longest_us

    def start(self, focus: float | None) -> None:
        """Let the automatics work, by the light of the mains; ``focus``: where the lens is known to belong."""
        there = self._read()
        self._set(there, ControlId.MAINS, next(key for key, hz in MAINS.items() if hz == MAINS_HZ))
        if not self._set(there, ControlId.EXPOSURE_AUTO, 3):
            self._set(there, ControlId.EXPOSURE_AUTO, 0)
        self._set(there, ControlId.WHITE_AUTO, 1)
        if focus is None:
            self._set(there, ControlId.FOCUS_AUTO, 1)
        else:
            self._set(there, ControlId.FOCUS_AUTO, 0)
            self._set(there, ControlId.FOCUS, round(focus))

    def hold(self) -> float | None:
        """Hold what the automatics found, the exposure in whole half waves of the mains; return the lens's place.

        The lens stops where it is and is not set there: some cameras do not tell where autofocus has moved it. Of one
        that tells its default only, the place is not known.
        """
        there = self._read()
        exposure, white = there.get(ControlId.EXPOSURE), there.get(ControlId.WHITE_KELVIN)
        if exposure is not None and exposure.value > 0 and self._set(there, ControlId.EXPOSURE_AUTO, 1):
            steady = steady_exposure(exposure.value * EXPOSURE_UNIT_US, self._longest_us, BRIGHTER)
            self._set(there, ControlId.EXPOSURE, round(steady / EXPOSURE_UNIT_US))
        if white is not None and white.value > 0 and self._set(there, ControlId.WHITE_AUTO, 0):
            self._set(there, ControlId.WHITE_KELVIN, white.value)
        self._set(there, ControlId.FOCUS_AUTO, 0)
        focus = there.get(ControlId.FOCUS)
        return float(focus.value) if focus is not None and focus.value != focus.default else None

    def told(self) -> tuple[CameraSetting, ...]:
        """Read back how the camera is set."""
        there = self._read()

        def value(number: ControlId) -> int | None:
            return there[number].value if number in there else None

        told = []
        if ControlId.FOCUS in there or ControlId.FOCUS_AUTO in there:
            told.append(CameraSetting(code="focus", held=not value(ControlId.FOCUS_AUTO), value=value(ControlId.FOCUS)))
        if (exposure := value(ControlId.EXPOSURE)) is not None:
            ms = exposure * EXPOSURE_UNIT_US / 1000
            told.append(CameraSetting(code="exposure", held=value(ControlId.EXPOSURE_AUTO) == 1, value=ms))
        if ControlId.WHITE_AUTO in there:
            told.append(
                CameraSetting(code="white", held=value(ControlId.WHITE_AUTO) == 0, value=value(ControlId.WHITE_KELVIN))
            )
        if (mains := value(ControlId.MAINS)) is not None:
            told.append(CameraSetting(code="mains", held=mains in MAINS, value=MAINS.get(mains)))
        return tuple(told)

    def _read(self) -> Mapping[int, Control]:
        try:
            return self._controls.read()
        except ControlError as error:
            log.warning("camera %s: %s", self._name, error)
            return {}

    def _set(self, there: Mapping[int, Control], number: ControlId, value: int) -> bool:
        """Set a control that is there; False if it is not, or refuses."""
        if number not in there:
            return False
        try:
            self._controls.set(number, value)
        except ControlError as error:
            log.info("camera %s: %s", self._name, error)
            return False
        return True

"""What a webcam is set to at a table, what is held, and what people are told of it."""

from dataclasses import replace

import pytest

from tests.vision.camera.webcam import FakeControls, webcam
from vision.camera.controls import ControlError, ControlId
from vision.camera.mains import steady_exposure
from vision.camera.webcam_settings import WebcamSettings
from vision.messages import CameraSetting


def settings(controls: FakeControls, fps: float = 15.0) -> WebcamSettings:
    return WebcamSettings("usb:0", controls, 1e6 / fps)


@pytest.mark.parametrize(
    ("exposure_us", "fps", "brighter", "steady_us"),
    [
        (15_700, 15, 1.3, 20_000),
        (14_000, 15, 1.3, 10_000),  # 20 would be brighter by more than 1.3
        (14_500, 15, 2.0, 20_000),
        (8_000, 15, 1.3, 10_000),
        (5_000, 15, 1.3, 5_000),  # daylight: no half wave fits
        (33_300, 15, 1.3, 30_000),
        (66_600, 15, 4.0, 60_000),  # 70 would take longer than a picture has
        (33_300, 30, 4.0, 30_000),
        (38_000, 25, 4.0, 40_000),
        (100_000, 10, 1.0, 100_000),
        (0, 15, 1.3, 0),
    ],
)
def test_exposure_in_half_waves_of_the_mains(exposure_us: float, fps: float, brighter: float, steady_us: float) -> None:
    assert steady_exposure(exposure_us, 1e6 / fps, brighter) == steady_us


def test_automatics_work_first_by_50_hz_and_are_held_then() -> None:
    controls = FakeControls()
    controls.controls[ControlId.EXPOSURE_AUTO] = replace(webcam()[ControlId.EXPOSURE_AUTO], value=1)
    webcam_settings = settings(controls)
    webcam_settings.start(None)
    assert webcam_settings.told() == (
        CameraSetting(code="focus", held=False, value=35),
        CameraSetting(code="exposure", held=False, value=33.3),
        CameraSetting(code="white", held=False, value=4000),
        CameraSetting(code="mains", held=True, value=50),
    )
    assert webcam_settings.hold() == 35
    assert webcam_settings.told() == (
        CameraSetting(code="focus", held=True, value=35),
        CameraSetting(code="exposure", held=True, value=30.0),
        CameraSetting(code="white", held=True, value=4000),
        CameraSetting(code="mains", held=True, value=50),
    )


def test_a_focus_that_is_known_is_set_at_once() -> None:
    controls = FakeControls()
    settings(controls).start(80.0)
    assert (controls.controls[ControlId.FOCUS].value, controls.controls[ControlId.FOCUS_AUTO].value) == (80, 0)


def test_a_lens_that_does_not_tell_its_place_is_only_stopped() -> None:
    controls = FakeControls()
    controls.controls[ControlId.FOCUS] = replace(webcam()[ControlId.FOCUS], value=0)
    assert settings(controls).hold() is None
    assert controls.controls[ControlId.FOCUS_AUTO].value == 0


class NoAperture(FakeControls):
    """Of a camera that knows automatic (0) and manual (1) only."""

    def set(self, number: int, value: int) -> None:
        if number == ControlId.EXPOSURE_AUTO and value > 1:
            raise ControlError("no such choice")
        super().set(number, value)


def test_a_camera_with_another_kind_of_automatics() -> None:
    controls = NoAperture()
    controls.controls[ControlId.EXPOSURE_AUTO] = replace(webcam()[ControlId.EXPOSURE_AUTO], value=1)
    settings(controls).start(None)
    assert controls.controls[ControlId.EXPOSURE_AUTO].value == 0


def test_a_camera_without_controls_is_left_alone() -> None:
    bare = settings(FakeControls({}))
    bare.start(12.0)
    assert bare.hold() is None and bare.told() == ()


def test_a_camera_that_is_pulled_out_meanwhile_harms_nobody() -> None:
    controls = FakeControls()
    controls.gone = True
    gone = settings(controls)
    gone.start(None)
    assert gone.hold() is None and gone.told() == ()


def test_a_setting_that_is_refused_is_told_as_it_is() -> None:
    class Stubborn(FakeControls):
        def set(self, number: int, value: int) -> None:
            if number in (ControlId.MAINS, ControlId.FOCUS_AUTO):
                raise ControlError("refused")
            super().set(number, value)

    stubborn = settings(Stubborn())
    stubborn.start(None)
    stubborn.hold()
    told = {one.code: (one.held, one.value) for one in stubborn.told()}
    assert told["mains"] == (True, 60) and told["focus"] == (False, 35) and told["exposure"] == (True, 30.0)

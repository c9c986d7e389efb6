"""Cameras at USB, by a stand-in: its pictures, exposure, focus, and how it is found again."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.camera.pictures import asked, jpeg
from tests.vision.camera.webcam import FakeControls
from vision.camera.controls import CaptureControls, ControlId
from vision.camera.frame import JpegFrame
from vision.camera.identity import FoundCamera, UsbIdentity
from vision.camera.jpeg import split_jpegs
from vision.camera.kept import CameraMemory, KeptCamera
from vision.camera.live import LIMITS, LiveLimits
from vision.camera.source import Source
from vision.camera.usb import UsbCamera, UsbMachine
from vision.errors import CameraError


class FakeCapture:
    """Like cv2.VideoCapture of a webcam: pictures whose value counts up, until somebody pulls it out."""

    plugged = True
    shape: tuple[int, ...] = (120, 160, 3)
    opened = 0
    last: Any = None  # the one opened last

    def __init__(self, device: str, api: int) -> None:
        type(self).opened += 1
        type(self).last = self
        self.count = 0
        self.set_to: dict[int, float] = {}

    def isOpened(self) -> bool:
        return self.plugged

    def read(self) -> tuple[bool, np.ndarray | None]:
        time.sleep(0.005)
        self.count += 1
        return (True, np.full(self.shape, self.count % 200, np.uint8)) if self.plugged else (False, None)

    def set(self, key: int, value: float) -> bool:
        self.set_to[key] = value
        return True

    def get(self, key: int) -> float:
        return 157.0

    def release(self) -> None:
        pass


def usb(capture: type[FakeCapture], limits: LiveLimits = LIMITS) -> UsbCamera:
    machine = UsbMachine(capture, lambda path: capture.plugged, tuple, lambda device, opened: CaptureControls(opened))
    return UsbCamera("usb:0", "0", asked((160, 120)), machine, limits)


def test_usb_camera_asks_for_mjpeg_and_the_newest_frame() -> None:
    class Camera(FakeCapture):
        pass

    with usb(Camera) as source:
        first = next(source)
        time.sleep(0.1)
        later = next(source)
        held = Camera.last.set_to
    assert int(later.image[0, 0, 0]) - int(first.image[0, 0, 0]) > 3  # what nobody fetched was dropped
    assert later.at > first.at
    assert held[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert (held[cv2.CAP_PROP_FRAME_WIDTH], held[cv2.CAP_PROP_FRAME_HEIGHT]) == (160, 120)


def test_usb_camera_holds_exposure_once_settled() -> None:
    class Camera(FakeCapture):
        pass

    with usb(Camera, replace(LIMITS, settle_s=0.02)) as source:
        wanted = {cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_EXPOSURE: 200, cv2.CAP_PROP_AUTO_WB: 0}
        end = time.monotonic() + 5
        while time.monotonic() < end and not wanted.items() <= Camera.last.set_to.items():
            next(source)
        assert wanted.items() <= Camera.last.set_to.items()
        source.limits = replace(LIMITS, settle_s=60.0)
        source.resettle()
        while time.monotonic() < end and Camera.last.set_to[cv2.CAP_PROP_AUTO_EXPOSURE] != 3:
            next(source)
        assert Camera.last.set_to[cv2.CAP_PROP_AUTO_EXPOSURE] == 3


def test_the_time_of_a_picture_is_that_at_which_it_was_taken_whatever_was_set_meanwhile() -> None:
    taken_at: dict[int, float] = {}
    set_at: list[float] = []

    class Camera(FakeCapture):
        """Keeps the next picture for a reader who is busy, as the kernel's drivers do."""

        period_s, read_at = 0.005, float("inf")

        def read(self) -> tuple[bool, np.ndarray | None]:
            due = min(self.read_at, time.monotonic()) + self.period_s
            time.sleep(max(0.0, due - time.monotonic()))
            self.count += 1
            taken_at[self.count], self.read_at = due, time.monotonic()
            return True, np.full(self.shape, self.count, np.uint8)

        def set(self, key: int, value: float) -> bool:
            time.sleep(4 * self.period_s)
            set_at.append(time.monotonic())
            return super().set(key, value)

    with usb(Camera, replace(LIMITS, settle_s=0.02)) as source:
        before = len(set_at)
        frames = [next(source) for _ in range(40)]
    assert len(set_at) > before, "exposure was held meanwhile"
    for frame in frames:
        taken = taken_at[int(frame.image[0, 0, 0])]
        assert not [at for at in set_at if taken < at < frame.at]


def test_usb_camera_sets_its_exposure_anew_when_the_light_has_changed() -> None:
    changes: list[float] = []

    class Camera(FakeCapture):
        value = 100

        def read(self) -> tuple[bool, np.ndarray | None]:
            time.sleep(0.005)
            return True, np.full(self.shape, self.value, np.uint8)

        def set(self, key: int, value: float) -> bool:
            if key == cv2.CAP_PROP_AUTO_EXPOSURE:
                changes.append(value)
            return super().set(key, value)

    with usb(Camera, replace(LIMITS, settle_s=0.02, changed_light_s=0.05)) as source:
        end = time.monotonic() + 5
        while time.monotonic() < end and 1 not in changes:
            next(source)
        Camera.value = 50
        while time.monotonic() < end and changes[-2:] != [3, 1]:
            next(source)
    assert changes[-2:] == [3, 1]  # automatic, then held again


def test_usb_camera_pulled_out_says_so_and_comes_back() -> None:
    class Camera(FakeCapture):
        pass

    with usb(Camera, replace(LIMITS, retry_s=0.02, silence_s=0.2)) as source:
        next(source)
        Camera.plugged = False
        with pytest.raises(CameraError, match="plug it in"):
            for _ in range(50):
                next(source)
        Camera.plugged = True
        end = time.monotonic() + 5
        while time.monotonic() < end:
            try:
                next(source)
                break
            except CameraError:
                continue
        else:
            pytest.fail("the camera did not come back")
    assert Camera.opened == 2


class JpegCapture(FakeCapture):
    """Of a driver that hands its JPEG data out when asked not to convert them."""

    broken = False

    def read(self) -> tuple[bool, np.ndarray | None]:
        ok, image = super().read()
        if image is None or self.set_to.get(cv2.CAP_PROP_CONVERT_RGB) != 0:
            return ok, image
        data = np.frombuffer(b"none" if self.broken else jpeg(self.count % 200) + bytes(20), np.uint8)
        return ok, data[None]


@pytest.mark.parametrize("broken", [False, True], ids=["which it has", "which it has not"])
def test_usb_camera_takes_jpegs_as_they_are(broken: bool) -> None:
    class Camera(JpegCapture):
        pass

    Camera.broken = broken
    with usb(Camera) as source:
        frames = [next(source) for _ in range(3)]
        assert Camera.last.set_to[cv2.CAP_PROP_CONVERT_RGB] == broken
    for frame in frames:
        assert isinstance(frame, JpegFrame) is not broken
        assert frame.size == (160, 120)
        assert abs(float(frame.image.mean()) - float(frame.quarter.mean())) < 2


def without_tables(data: bytes) -> bytes:
    """Leave the Huffman tables out (DHT, ITU T.81, B.2.4.2), as many webcams do: those of its Annex K are meant."""
    made, at = bytearray(data[:2]), 2
    while data[at + 1] != 0xDA:
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        made += data[at:end] if data[at + 1] != 0xC4 else b""
        at = end
    return bytes(made + data[at:])


def test_usb_camera_that_leaves_the_huffman_tables_out() -> None:
    rng = np.random.default_rng(3)
    noise = cv2.GaussianBlur(rng.integers(0, 255, (120, 160, 3), np.uint8), (9, 9), 0)
    whole = cv2.imencode(".jpg", noise)[1].tobytes()
    bare = without_tables(whole)
    assert b"\xff\xc4" in whole and b"\xff\xc4" not in bare

    class Camera(FakeCapture):
        def read(self) -> tuple[bool, np.ndarray | None]:
            ok, image = super().read()
            as_it_is = self.set_to.get(cv2.CAP_PROP_CONVERT_RGB) == 0
            return ok, np.frombuffer(bare, np.uint8)[None] if as_it_is else image

    expected = JpegFrame(whole, 0.0, "whole")
    with usb(Camera) as source:
        frame = next(source)
        assert isinstance(frame, JpegFrame)
        assert np.array_equal(frame.image, expected.image) and np.array_equal(frame.quarter, expected.quarter)
    buffer = bytearray(bare + bare)
    assert split_jpegs(buffer) == [bare, bare]


@pytest.mark.parametrize("torn", [3, 10_000], ids=["for once", "always"])
def test_usb_camera_whose_pictures_are_torn(torn: int) -> None:
    class Camera(JpegCapture):
        def read(self) -> tuple[bool, np.ndarray | None]:
            ok, data = super().read()
            return ok, data[:, :400] if data is not None and 2 <= self.count < 2 + torn else data

    with usb(Camera, replace(LIMITS, silence_s=0.3)) as source:
        if torn < 10:
            assert [next(source).size for _ in range(3)] == [(160, 120)] * 3
        else:
            with pytest.raises(CameraError, match="gave no picture"):
                for _ in range(3):
                    next(source)
    assert Camera.opened == 1


def plugged_in(capture: type[FakeCapture], *found: FoundCamera, controls: FakeControls | None = None) -> UsbMachine:
    """A machine with these cameras: devices that are there are theirs."""
    devices = {camera.device for camera in found}
    return UsbMachine(capture, devices.__contains__, lambda: found, lambda device, opened: controls or FakeControls())


def camera(number: int, socket: str, serial: str = "") -> FoundCamera:
    identity = UsbIdentity(id=f"046d:0825:{serial}", path=socket)
    return FoundCamera(device=f"/dev/video{number}", name=f"Webcam {serial or socket}", identity=identity)


class Opened(FakeCapture):
    """Remembers which device was opened last."""

    device = ""

    def __init__(self, device: str, api: int) -> None:
        super().__init__(device, api)
        Opened.device = device


@pytest.mark.parametrize(
    ("spec", "now", "opened"),
    [
        ("/dev/video0", (camera(0, "1", "A"), camera(1, "2", "B")), "/dev/video0"),
        ("/dev/video0", (camera(0, "2", "B"), camera(1, "1", "A")), "/dev/video1"),  # numbers have changed places
        ("/dev/video0", (camera(2, "3", "A"),), "/dev/video2"),  # another socket
        ("/dev/video0", (camera(0, "1", "C"),), "/dev/video0"),  # another camera instead
        ("/dev/v4l/by-path/1", (camera(2, "3", "A"),), "/dev/video2"),
    ],
    ids=["where it was", "other numbers", "another socket", "another camera", "by its socket, moved"],
)
def test_usb_camera_is_found_again(spec: str, now: tuple[FoundCamera, ...], opened: str) -> None:
    memory = CameraMemory()
    memory.keep("v4l2", KeptCamera(identity=camera(0, "1", "A").identity, focus=80.0))
    options = replace(asked((160, 120)), memory=memory)
    with UsbCamera("v4l2", spec, options, plugged_in(Opened, *now)) as source:
        assert source.state is not None and source.state.name.startswith("Webcam")
    assert Opened.device == opened
    (used,) = (one for one in now if one.device == opened)
    kept = KeptCamera(identity=used.identity, focus=80.0 if used.name == "Webcam A" else None)
    assert memory.of("v4l2") == kept  # of another camera no focus is known


def test_usb_camera_that_cannot_be_told_from_another_is_not_opened() -> None:
    memory = CameraMemory()
    memory.keep("v4l2", KeptCamera(identity=camera(0, "1").identity))
    machine = plugged_in(Opened, camera(0, "2"), camera(1, "3"))
    with pytest.raises(CameraError, match="alike"):
        UsbCamera("v4l2", "/dev/video0", replace(asked((160, 120)), memory=memory), machine)


def wait_for(source: Source, what: Callable[[], bool]) -> None:
    """Read on until it is so."""
    end = time.monotonic() + 5
    while not what():
        next(source)
        assert time.monotonic() < end


def test_usb_camera_keeps_its_focus_and_tells_what_is_set() -> None:
    controls, memory = FakeControls(), CameraMemory()
    machine = plugged_in(Opened, camera(0, "1"), controls=controls)
    options = replace(asked((160, 120)), memory=memory)
    automatic = controls.controls[ControlId.FOCUS_AUTO]
    with UsbCamera("v4l2", "/dev/video0", options, machine, replace(LIMITS, settle_s=0.02)) as source:
        wait_for(source, lambda: memory.of("v4l2").focus == 35.0)
        controls.set(ControlId.FOCUS, 60)  # by hand of somebody, or a lens that has slipped
        source._unsettle.set()  # as a change of light does
        wait_for(source, lambda: controls.controls[ControlId.FOCUS].value == 35)
        wait_for(source, lambda: source._held is not None)
        source.limits = replace(LIMITS, settle_s=60)
        source.resettle()  # a person asks for it
        wait_for(source, lambda: controls.controls[ControlId.FOCUS_AUTO] == automatic)
        assert memory.of("v4l2").focus is None
        wait_for(source, lambda: source.state is not None and not source.state.settings[0].held)
        told = source.state
    assert told is not None and told.fps > 0
    assert (told.name, told.socket, told.size) == ("Webcam 1", "1", (160, 120))
    assert [(one.code, one.held) for one in told.settings] == [
        ("focus", False),
        ("exposure", False),
        ("white", False),
        ("mains", True),
    ]


def test_usb_camera_that_gives_grey_depth_pictures() -> None:
    class Camera(FakeCapture):
        shape = (120, 160)

    with pytest.raises(CameraError, match="colour stream"):
        usb(Camera)

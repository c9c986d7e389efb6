"""Sources of frames: each kind, what goes wrong with it, and that a live one never lags."""

import os
import stat
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.camera.webcam import FakeControls
from vision.camera.controls import CaptureControls, ControlId
from vision.camera.frame import JpegFrame
from vision.camera.identity import FoundCamera, UsbIdentity
from vision.camera.jpeg import split_jpegs
from vision.camera.kept import CameraMemory, KeptCamera
from vision.camera.live import LIMITS, LiveLimits
from vision.camera.rpicam import MAX_WORDS_BYTES, RpiCamera
from vision.camera.rpicam_notes import read_notes
from vision.camera.source import Source, SourceOptions, open_source
from vision.camera.usb import UsbCamera, UsbMachine
from vision.errors import CameraError


def picture(value: int) -> np.ndarray:
    return np.full((120, 160, 3), value, np.uint8)


def jpeg(value: int) -> bytes:
    return cv2.imencode(".jpg", picture(value))[1].tobytes()


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("usb", "no known form"),
        ("webcam:0", "no kind of camera"),
        ("usb:front", "name a device"),
        ("usb:97", "there is no /dev/video97"),
        ("v4l2:/dev/video98", "there is no /dev/video98"),
        ("rpicam:left", "no number of a camera"),
        ("file:/nowhere/film.mp4", "there is no file"),
        ("folder:/nowhere", "there is no folder"),
    ],
)
def test_what_is_not_there_is_told_with_the_way_out(spec: str, says: str) -> None:
    with pytest.raises(CameraError, match=says):
        open_source(spec)


def test_rpicam_without_its_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CameraError, match="apt install rpicam-apps"):
        open_source("rpicam:0")


def test_too_small_a_picture_is_refused() -> None:
    with pytest.raises(CameraError, match="64x48"):
        open_source("usb:0", size=(64, 48))


def test_folder_gives_its_pictures_in_order_and_holds_them(tmp_path: Path) -> None:
    for name, value in (("b.png", 90), ("a.png", 30)):
        cv2.imwrite(str(tmp_path / name), picture(value))
    (tmp_path / "labels.json").write_text("{}")
    with open_source(f"folder:{tmp_path}", fps=10, hold=2) as source:
        frames = list(source)
    assert [int(f.image[0, 0, 0]) for f in frames] == [30, 30, 90, 90]
    assert [f.at for f in frames] == pytest.approx([0.0, 0.1, 0.2, 0.3])


def test_folder_with_something_that_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_text("a text")
    with open_source(f"folder:{tmp_path}") as source, pytest.raises(CameraError, match=r"a\.jpg.*no picture"):
        next(source)


def test_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no picture"):
        open_source(f"folder:{tmp_path}")


@pytest.mark.parametrize("code", ["MJPG", "mp4v"])
def test_video_file_is_read_whatever_its_code(tmp_path: Path, code: str) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), 20.0, (160, 120))
    for value in (20, 120, 220):
        writer.write(picture(value))
    writer.release()
    with open_source(f"file:{path}") as source:
        frames = list(source)
    assert [f.at for f in frames] == pytest.approx([0.0, 0.05, 0.1])
    assert all(isinstance(f, JpegFrame) is (code == "MJPG") for f in frames)
    for f, value in zip(frames, (20, 120, 220), strict=True):
        assert f.image.shape == (120, 160, 3) and f.quarter.shape == (30, 40, 3)
        assert abs(float(f.image.mean()) - value) < 8 and abs(float(f.quarter.mean()) - value) < 8


def test_video_file_that_is_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"no film at all" * 100)
    with pytest.raises(CameraError, match="no video"):
        open_source(f"file:{path}")


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


def asked(size: tuple[int, int] = (1280, 720)) -> SourceOptions:
    return SourceOptions(size=size, fps=15.0, hold=1, memory=CameraMemory())


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


RPICAM = """\
    #!{python}
    import os, sys, time
    words = sys.argv[1:]
    assert words[words.index("--codec") + 1] == "mjpeg", words
    if words[words.index("--camera") + 1] == "3":
        sys.stderr.write("chatter " * 100_000)  # a line of 800 kB
        sys.exit("\\nERROR: *** no cameras available ***")
    if "--metadata" in words:
        if {old}:
            sys.exit("ERROR: *** unrecognised option '--metadata' ***")
        with open(words[words.index("--metadata") + 1], "w") as notes:
            for shutter in () if {silent} else (5000, 29000):
                print(f"ExposureTime={{shutter}}", "AnalogueGain=2.000000", "DigitalGain=1.100000",
                      "ColourGains=[ 1.512344, 2.250000 ]", "LensPosition=1.25" * {lens}, sep="\\n", file=notes)
    with open({data!r} + ".log", "a") as log:
        print(*words, file=log)
    with open({data!r} + ".pid", "w") as own:
        own.write(str(os.getpid()))
    data = open({data!r}, "rb").read()
    for _ in range({times}):
        for at in range(0, len(data), 700):  # in pieces, as a pipe gives them
            sys.stdout.buffer.write(data[at:at + 700])
            sys.stdout.buffer.flush()
        time.sleep(0.01)
    """


def fake_rpicam(folder: Path, times: int, old: bool = False, silent: bool = False, lens: bool = False) -> None:
    data = folder / "pictures"
    data.write_bytes(jpeg(40) + jpeg(200))
    program = folder / "rpicam-vid"
    filled = {"data": str(data), "times": times, "old": old, "silent": silent, "lens": lens}
    program.write_text(textwrap.dedent(RPICAM).format(python=sys.executable, **filled))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def on_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def test_rpicam_frames(on_path: Path) -> None:
    fake_rpicam(on_path, 10_000)
    with open_source("rpicam:0") as source:
        frames = [next(source) for _ in range(4)]
        program = int((on_path / "pictures.pid").read_text())
    assert all(f.image.shape == (120, 160, 3) for f in frames)
    assert {round(float(f.image.mean()), -1) for f in frames} <= {40.0, 200.0}
    with pytest.raises(ProcessLookupError):
        os.kill(program, 0)
    assert not [t for t in threading.enumerate() if t.name == "camera rpicam:0"]


def test_rpicam_that_finds_no_camera(on_path: Path) -> None:
    fake_rpicam(on_path, 1)
    with pytest.raises(CameraError, match="no cameras available") as told:
        open_source("rpicam:3")
    assert len(str(told.value)) < MAX_WORDS_BYTES + 300  # the end of what it said


def rpicam(**limits: float) -> RpiCamera:
    return RpiCamera("rpicam:0", "0", asked(), limits=replace(LIMITS, **limits))


@pytest.mark.slow
def test_rpicam_that_ends(on_path: Path) -> None:
    fake_rpicam(on_path, 3)
    with rpicam(retry_s=0.05) as source, pytest.raises(CameraError):
        for _ in range(1000):
            (on_path / "pictures").write_bytes(b"")
            next(source)


def runs(folder: Path, count: int, source: Source) -> list[str]:
    """What the program was started with so far, once it was started so often."""
    for _ in range(2000):
        next(source)
        lines = (folder / "pictures.log").read_text().splitlines()
        if len(lines) >= count:
            return lines
    raise AssertionError(lines)


def test_rpicam_holds_what_it_found(on_path: Path) -> None:
    fake_rpicam(on_path, 10_000)
    with rpicam(settle_s=0.05) as source:
        first, second = runs(on_path, 2, source)
        assert "--metadata" in first and "--shutter" not in first
        assert "--metadata" not in second
        assert second.endswith("--shutter 30000 --gain 2.127 --awbgains 1.512344,2.25")
        notes = Path(first.split("--metadata ")[1].split()[0])
        next(source)
        assert not notes.exists()
        source.resettle()
        third, fourth = runs(on_path, 4, source)[2:]
        assert "--metadata" in third and fourth == second


def test_an_rpicam_that_tells_no_exposure_goes_on_without_notes(on_path: Path) -> None:
    fake_rpicam(on_path, 10_000, silent=True)
    with rpicam(settle_s=0.05) as source:
        first, second = runs(on_path, 2, source)
    assert "--metadata" in first and "--metadata" not in second and "--shutter" not in second


def test_rpicam_keeps_its_lens_where_it_was(on_path: Path) -> None:
    """A kept place is fixed from the start; change of light keeps it, a person who asks has it found anew."""
    fake_rpicam(on_path, 10_000, lens=True)
    options = asked()
    with RpiCamera("rpicam:0", "0", options, limits=replace(LIMITS, settle_s=0.05)) as source:
        first, second = runs(on_path, 2, source)
        assert "--autofocus-mode" not in first and second.endswith("--autofocus-mode manual --lens-position 1.25")
        assert options.memory.of("rpicam:0").focus == 1.25
        source._unsettle.set()  # as a change of light does
        third, _ = runs(on_path, 4, source)[2:]
        assert "--metadata" in third and third.endswith("--lens-position 1.25")
        source.resettle()
        fifth, _ = runs(on_path, 6, source)[4:]
        assert "--metadata" in fifth and "--lens-position" not in fifth
        told = source.state
    assert told is not None and told.size == (1280, 720)
    assert {one.code: (one.held, one.value) for one in told.settings} == {
        "focus": (True, 1.25),
        "exposure": (True, 30.0),
        "white": (True, None),
    }
    with RpiCamera("rpicam:0", "0", options, limits=replace(LIMITS, settle_s=60)) as source:
        assert runs(on_path, 7, source)[6].endswith("--autofocus-mode manual --lens-position 1.25")


def test_of_notes_the_end_is_read(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    told = "ExposureTime={}\nAnalogueGain=1.000000\nColourGains=[ 1.5, 2.5 ]\n"
    with notes.open("w") as file:
        file.write(told.format(1000))
        file.truncate(10_000_000_000)  # with a hole: it takes no room, and no memory has as much
        file.seek(0, os.SEEK_END)
        file.write(told.format(5000))
    assert read_notes(notes).options(1e6 / 15) == ["--shutter", "5000", "--gain", "1.000", "--awbgains", "1.5,2.5"]


def test_an_older_rpicam_stays_automatic(on_path: Path) -> None:
    fake_rpicam(on_path, 10_000, old=True)
    with rpicam(settle_s=0.0) as source:
        (only,) = runs(on_path, 1, source)
        for _ in range(5):
            next(source)
        assert "--shutter" not in only and runs(on_path, 1, source) == [only]


@pytest.mark.parametrize(
    ("notes", "options"),
    [
        ("", ""),
        ("ExposureTime=8000\nAnalogueGain=1.5\n", ""),
        (
            "ExposureTime=8000\nAnalogueGain=1.5\nColourGains=[ 1.5, 2.0 ]\n",
            "--shutter 10000 --gain 1.200 --awbgains 1.5,2.0",
        ),
        (
            "ExposureTime=800\nAnalogueGain=1.0\nColourGains=[ 1.5, 2.0 ]\n",
            "--shutter 800 --gain 1.000 --awbgains 1.5,2.0",
        ),
        (
            "ExposureTime=16000\nAnalogueGain=1.0\nColourGains=[ 1.5, 2.0 ]\nAfState=2\nLensPosition=1.250000\n",
            "--shutter 10000 --gain 1.600 --awbgains 1.5,2.0 --autofocus-mode manual --lens-position 1.25",
        ),
        ("LensPosition=1.0\nLensPosition=0.0\n", "--autofocus-mode manual --lens-position 0"),
        (
            '"ExposureTime": 33000, "AnalogueGain": 4.0, "DigitalGain": 1.0, "ColourGains": [ 1.5, 2.0 ]',
            "--shutter 30000 --gain 4.400 --awbgains 1.5,2.0",
        ),
    ],
    ids=[
        "nothing",
        "no white balance",
        "short shutter",
        "daylight",
        "a lens, and no gain to take back",
        "a lens alone",
        "whole half waves",
    ],
)
def test_exposure_from_notes(tmp_path: Path, notes: str, options: str) -> None:
    (tmp_path / "notes").write_text(notes)
    assert " ".join(read_notes(tmp_path / "notes").options(1e6 / 15)) == options


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_jpegs_are_cut_where_they_end(step: int) -> None:
    thumbnail = b"\xff\xe1" + (2 + 6).to_bytes(2, "big") + b"\xff\xd8\xff\xd9ab"
    one, other = jpeg(50), jpeg(150)
    tricky = one[:2] + thumbnail + one[2:]
    stream, buffer, found = b"rest\xff" + tricky + b"\x00\x00" + other, bytearray(), []
    for at in range(0, len(stream), step):
        buffer += stream[at : at + step]
        found += split_jpegs(buffer)
    assert found == [tricky, other]
    assert not buffer


def test_a_film_with_torn_frames_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (640, 480))
    rng = np.random.default_rng(1)
    for _ in range(4):
        writer.write(rng.integers(0, 255, (480, 640, 3), np.uint8))
    writer.release()
    data = bytearray(path.read_bytes())
    second = data.find(b"\xff\xd8", data.find(b"\xff\xd8") + 2)
    data[second + 2 : second + 40] = bytes(38)
    fourth = data.rfind(b"\xff\xd8")
    path.write_bytes(data[: fourth + 5000])
    with open_source(f"file:{path}") as source:
        assert [f.at for f in source] == pytest.approx([0.0, 0.1])


@pytest.mark.slow
def test_finding_the_mat_does_not_load_the_simulator() -> None:
    """Nor does offering ``sim:``; a table with a camera never loads it."""
    program = (
        "import sys; import vision.mat.calibration;"
        "assert not [m for m in sys.modules if m.startswith('vision.simulation')];"
        "import vision.service.worker; from vision.camera.source import known_forms;"
        "assert known_forms().endswith('folder:PATH or sim:'), known_forms();"
        "assert 'vision.simulation.source' not in sys.modules and 'vision.simulation.film' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)

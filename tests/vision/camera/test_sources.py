"""Sources of frames: each kind, what goes wrong with it, and that a live one never lags."""

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.camera.pictures import jpeg, picture
from vision.camera.frame import JpegFrame
from vision.camera.jpeg import split_jpegs
from vision.camera.source import open_source
from vision.errors import CameraError


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

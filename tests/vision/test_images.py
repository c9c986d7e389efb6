"""Pictures from outside are measured before they are decoded: a file of a megabyte may want ten gigabytes."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.files import PictureFolder
from vision.camera.frame import JpegFrame
from vision.errors import CameraError, VisionError
from vision.images import MOST_PIXELS, PictureError, read_picture, read_shrunk
from vision.indices import networks
from vision.teaching.from_scans import cards_in


def png(width: int, height: int) -> bytes:
    """A PNG whose header says so, with nearly nothing in it."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(100))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def jpeg(width: int, height: int) -> bytes:
    """A JPEG whose header says so, whatever is in it."""
    data = bytearray(cv2.imencode(".jpg", np.zeros((64, 64, 3), np.uint8))[1].tobytes())
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", height, width)
    return bytes(data)


@pytest.fixture
def nothing_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def decode(*_: object) -> None:
        raise AssertionError("it was decoded")

    monkeypatch.setattr(cv2, "imdecode", decode)


@pytest.mark.parametrize(
    ("content", "size"),
    [
        pytest.param(png(20_000, 20_000), "20000 × 20000 pixels", id="png"),
        pytest.param(png(2**31 - 1, 1), "2147483647 × 1 pixels", id="long"),
        pytest.param(jpeg(65_000, 65_000), "65000 × 65000 pixels", id="jpeg"),
    ],
)
@pytest.mark.parametrize("way", ["picture", "shrunk", "camera", "scans"])
@pytest.mark.usefixtures("nothing_is_decoded")
def test_a_picture_that_is_too_large_is_told_by_its_header(tmp_path: Path, content: bytes, size: str, way: str) -> None:
    path = tmp_path / "SQ.png"
    path.write_bytes(content)
    with pytest.raises(VisionError) as told:
        if way == "picture":
            read_picture(path)
        elif way == "shrunk":
            read_shrunk(path, 1000)
        elif way == "camera":
            next(PictureFolder("folder:x", tmp_path, 15))
        else:
            cards_in(tmp_path)
    assert size in str(told.value) and "52 million" in str(told.value) and "SQ.png" in str(told.value)


def test_a_cameras_picture_that_is_too_large_is_told(nothing_is_decoded: None) -> None:
    with pytest.raises(CameraError, match=r"65000 × 65000 pixels; set camera\.width"):
        JpegFrame(jpeg(65_000, 65_000), 0.0, "usb:0")


@pytest.mark.parametrize("content", [b"", b"GIF89a", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"BM" + bytes(40)])
def test_what_is_no_picture_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(content)
    with pytest.raises(PictureError, match="is no picture that can be read"):
        read_picture(path)


@pytest.mark.parametrize("name", ["\0.jpg", "x" * 300, "."])
def test_a_path_that_cannot_be_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(PictureError, match="cannot be read"):
        read_picture(tmp_path / name)


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".tiff", ".bmp"])
def test_a_large_picture_is_read_at_half_its_size(tmp_path: Path, kind: str) -> None:
    rows = np.linspace(0, 255, 200).astype(np.uint8)
    path = tmp_path / f"a{kind}"
    cv2.imwrite(str(path), np.repeat(np.repeat(rows[:, None, None], 300, 1), 3, 2))
    whole, by = read_shrunk(path, 60_000)
    assert whole.shape == (200, 300, 3) and by == 1
    half, by = read_shrunk(path, 59_999)
    assert half.shape == (100, 150, 3) and by == 2
    assert np.abs(half[10:90, 75].astype(int) - whole[20:180:2, 150]).max() < 8


def test_the_finder_sees_the_same_in_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory that it takes is that of a strip."""
    random = np.random.default_rng(7)
    picture = cv2.resize(random.integers(0, 256, (90, 60, 3), np.uint8), (301, 453), interpolation=cv2.INTER_NEAREST)
    net, looks = networks._network("finder"), []
    monkeypatch.setattr(
        networks, "finder_input", lambda some, real=networks.finder_input: looks.append(1) or real(some)
    )
    whole = networks._in_strips(net, picture)
    assert len(looks) == 1
    monkeypatch.setattr(networks, "_STRIP_PIXELS", 301 * 64)
    strips = networks._in_strips(net, picture)
    assert len(looks) == 1 + 8
    assert whole.shape == strips.shape == (6, 114, 76)
    np.testing.assert_allclose(strips, whole, atol=1e-4)
    monkeypatch.setattr(networks, "_OVERLAP_PX", 16)
    assert np.abs(networks._in_strips(net, picture) - whole).max() > 0.01  # it looks further than that


def test_fifty_megapixels_are_the_most() -> None:
    assert 8192 * 6144 <= MOST_PIXELS < 60_000_000

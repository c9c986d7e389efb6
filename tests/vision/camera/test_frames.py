"""Frames decoded as far as somebody asks: the same picture whole and at a quarter of its size, whatever it came as."""

import cv2
import numpy as np
import pytest

from vision.camera.frame import Frame, JpegFrame
from vision.camera.jpeg import jpeg_size
from vision.errors import CameraError
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera


def gradient(width: int, height: int) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(20, 230, width), np.linspace(20, 230, height))
    return np.stack([x, y, 250 - x], 2).astype(np.uint8)


def encoded(image: np.ndarray, *options: int) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92, *options])[1].tobytes()


@pytest.mark.parametrize(
    ("width", "height"), [(160, 120), (1280, 720), (1296, 972), (643, 486), (161, 123)], ids=lambda n: str(n)
)
def test_a_quarter_shows_what_the_whole_shows(width: int, height: int) -> None:
    image = gradient(width, height)
    for frame in (Frame(image, 1.0), JpegFrame(encoded(image), 1.0, "usb:0")):
        assert frame.size == (width, height)
        assert frame.quarter.shape == (height // 4, width // 4, 3)
        assert frame.image.shape == (height, width, 3)
        shown = image[2::4, 2::4][: height // 4, : width // 4].astype(int)
        assert np.abs(frame.quarter - shown).max() <= 8


def test_a_frame_that_is_kept_shows_the_same_and_nothing_of_it_stays_decoded() -> None:
    frame = JpegFrame(encoded(gradient(160, 120)), 1.5, "usb:0")
    shown = frame.image
    kept = frame.kept()
    assert "image" in vars(frame) and "image" not in vars(kept)
    assert (kept.at, kept.size) == (1.5, (160, 120))
    assert np.array_equal(kept.image, shown)
    plain = Frame(gradient(160, 120), 1.5)
    assert plain.kept() is plain


def test_a_jpeg_is_seen_as_its_picture_is() -> None:
    """Both ways a scene comes to the change gate, in cells of 8 pixels: means of some of their pixels, and of all."""
    camera = SimCamera(load_art("stichwart"), seed=3)
    image = next(camera).image
    given, jpeg = (
        cv2.resize(frame.quarter, (160, 90), interpolation=cv2.INTER_AREA).astype(int)
        for frame in (Frame(image, 0.0), JpegFrame(encoded(image), 0.0, "usb:0"))
    )
    assert abs(float((given - jpeg).mean())) < 0.5
    assert np.abs(given - jpeg).mean() < 4


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xd8",
        b"no picture at all",
        b"\xff\xd8\xff\xe0\x00\x10JFIF",
        encoded(gradient(64, 48))[:150],
        encoded(gradient(640, 480))[:9000],
    ],
    ids=["nothing", "a mark", "a text", "a header without size", "a torn header", "a torn picture"],
)
def test_what_is_no_jpeg_is_told(data: bytes) -> None:
    with pytest.raises(CameraError, match="gave no picture"):
        JpegFrame(data, 0.0, "usb:0")


@pytest.mark.parametrize("progressive", [0, 1], ids=["baseline", "progressive"])
def test_the_size_is_read_off_the_header(progressive: int) -> None:
    data = encoded(gradient(641, 479), cv2.IMWRITE_JPEG_PROGRESSIVE, progressive)
    assert jpeg_size(data) == (641, 479)
    thumbnail = b"\xff\xd8\xff\xc0\x00\x11\x08\x00\x08\x00\x08"
    note = b"\xff\xe1" + (len(thumbnail) + 2).to_bytes(2, "big") + thumbnail  # has a size of its own
    assert jpeg_size(data[:2] + note + data[2:]) == (641, 479)
    tables = b"\xff\xc4\x00\x14\x00" + bytes(range(1, 18))  # of a code, by some before the frame
    assert jpeg_size(data[:2] + tables[:22] + data[2:]) == (641, 479)
    assert jpeg_size(data[:2] + b"\xff" + data[2:]) == (641, 479)  # a fill byte

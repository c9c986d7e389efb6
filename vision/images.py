"""Read pictures from files and check what recognition expects of them."""

import io
import struct
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError

Picture: TypeAlias = NDArray[Any]

#: Pixels of a picture that is decoded, at most: a telephone's 50 megapixels; each takes three bytes, for a while six.
MOST_PIXELS = 52_000_000
#: Pixels of a side: OpenCV's image operations go no further.
LONGEST_PX = 32_000
#: Bytes of a file: as many pixels, not compressed, and something more.
MOST_BYTES = 220_000_000
#: Formats whose header is read, by Pillow's names; those that OpenCV decodes, too.
FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP")


class PictureError(VisionError, ValueError):
    """A picture that cannot be read or has the wrong format."""


def read_picture(path: Path | str) -> Picture:
    """Read a picture, (H, W, 3) uint8 BGR, turned upright by its EXIF entry if it has one.

    :raises PictureError: the file is missing, too large, or no picture (JPEG, PNG, WebP, TIFF or BMP)
    """
    content = _content(Path(path))
    _size(Path(path), content)
    return _decoded(Path(path), content, cv2.IMREAD_COLOR)


def read_shrunk(path: Path | str, most_pixels: int) -> tuple[Picture, int]:
    """Read a picture as ``read_picture`` does, at a half of its width and height if it has more pixels than that.

    :returns: the picture, and how many pixels of the file's, each way, are one of it: 1 or 2.
    :raises PictureError: as ``read_picture``
    """
    path = Path(path)
    content = _content(path)
    width, height = _size(path, content)
    by = 1 if width * height <= most_pixels else 2
    return _decoded(path, content, cv2.IMREAD_COLOR if by == 1 else cv2.IMREAD_REDUCED_COLOR_2), by


def decoded(jpeg: bytes | None) -> Picture | None:
    """Decode a JPEG of our own, (H, W, 3) uint8 BGR; None where there is none."""
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    return None if picture is None else np.asarray(picture, np.uint8)


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PictureError(f"{path}: is larger than {MOST_BYTES // 1_000_000} MB; save it as JPEG")
        return path.read_bytes()
    except (OSError, ValueError) as why:
        told = getattr(why, "strerror", None) or why
        raise PictureError(f"{path}: cannot be read ({told}); check the path and its permissions") from why


def _size(path: Path, content: bytes) -> tuple[int, int]:
    """Read width and height from the header: nothing is decoded yet, for which a small file may want gigabytes.

    :raises PictureError: it is no picture, or too large
    """
    from PIL import Image  # a table at work reads no files

    Image.MAX_IMAGE_PIXELS = None  # the limit here is lower, and is told with the picture's size
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as opened:
            width, height = opened.size
    except (OSError, ValueError, SyntaxError, struct.error) as why:
        raise PictureError(f"{path}: is no picture that can be read; give a JPEG, PNG, WebP, TIFF or BMP file") from why
    check_size(width, height, str(path))
    return width, height


def check_size(width: int, height: int, what: str) -> None:
    """:raises PictureError: a picture of so many pixels is not decoded."""
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_PX:
        raise PictureError(
            f"{what}: has {width} × {height} pixels; at most {MOST_PIXELS // 1_000_000} million are read, and "
            f"{LONGEST_PX} each way: make it smaller"
        )


def _decoded(path: Path, content: bytes, how: int) -> Picture:
    try:
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), how)
    except cv2.error:
        picture = None
    if picture is None:
        raise PictureError(f"{path}: is no picture that can be read; give a JPEG, PNG, WebP, TIFF or BMP file")
    return checked_picture(np.asarray(picture, np.uint8), str(path))


def strongest_channel(picture: NDArray[Any]) -> Picture:
    """Take the largest of each pixel's three channels: (H, W) of (H, W, 3).

    :mod:`numpy` is slow along an axis of three: its own maximum takes twenty times as long.
    """
    blue, green, red = cv2.split(picture)
    return cv2.max(cv2.max(blue, green), red)


def checked_picture(frame: NDArray[Any], what: str = "frame") -> Picture:
    """Return ``frame`` itself if it is (H, W, 3) uint8 and at least 32 pixels each way.

    :raises PictureError: it is not
    """
    frame = np.asarray(frame)
    if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3:
        raise PictureError(f"{what}: expected (H, W, 3) uint8 BGR, got {frame.shape} {frame.dtype}; convert it first")
    if min(frame.shape[:2]) < 32:
        raise PictureError(f"{what}: {frame.shape[1]} × {frame.shape[0]} pixels are too few to show a card")
    return frame

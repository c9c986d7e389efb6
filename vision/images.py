"""Read pictures from files and check what recognition expects of them."""

from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError

Picture: TypeAlias = NDArray[Any]


class PictureError(VisionError, ValueError):
    """A picture that cannot be read or has the wrong format."""


def read_picture(path: Path | str) -> Picture:
    """Read a picture, (H, W, 3) uint8 BGR, turned upright by its EXIF entry if it has one.

    :raises PictureError: the file is missing, or is no picture that OpenCV reads (JPEG, PNG, WebP, TIFF, BMP …)
    """
    path = Path(path)
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as why:
        raise PictureError(
            f"{path}: cannot be read ({why.strerror or why}); check the path and its permissions"
        ) from why
    picture = None
    if data.size:
        try:
            picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        except cv2.error:  # a header that promises more than OpenCV accepts
            picture = None
    if picture is None:
        raise PictureError(f"{path}: is no picture that can be read; give a JPEG, PNG, WebP, TIFF or BMP file")
    return checked_picture(np.asarray(picture, np.uint8), str(path))


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

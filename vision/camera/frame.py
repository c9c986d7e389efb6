"""Decode camera pictures only as far as they are needed.

Nearly every frame of a table shows what the one before showed. Change detection needs a quarter of its size only, which
a JPEG gives at less than half of the cost; the whole is decoded where there is a card to read.
"""

from copy import copy
from functools import cached_property

import cv2
import numpy as np

from vision.camera.jpeg import jpeg_size
from vision.errors import CameraSilent, WrongPictures
from vision.images import MOST_PIXELS, Picture

#: Pixels of the picture for one of ``Frame.quarter``.
QUARTER = 4


def checked(image: object, name: str) -> Picture:
    """Return the picture, if it is one of (H, W, 3) uint8.

    :raises CameraError: otherwise, naming what the camera gave
    """
    if not isinstance(image, np.ndarray) or image.size == 0:
        raise CameraSilent(f"camera {name!r} gave no picture; check its cable and that no other program uses it")
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise WrongPictures(
            f"camera {name!r} gives pictures of shape {image.shape} and type {image.dtype}, not colour"
            " pictures of 8 bits; choose its colour stream (often another /dev/video number)"
        )
    return image


class Frame:
    """A camera picture, (H, W, 3) uint8 BGR, and its time in seconds of the source's monotonic clock."""

    def __init__(self, image: Picture, at: float) -> None:
        self._image, self.at = image, at

    @property
    def image(self) -> Picture:
        """The picture, which nobody may write to."""
        return self._image

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._image.shape[1], self._image.shape[0]

    def kept(self) -> "Frame":
        """The same picture, to be kept for later in as little memory as it came in."""
        return self

    @cached_property
    def quarter(self) -> Picture:
        """(H // 4, W // 4, 3) uint8: the picture at a quarter of its width and height."""
        width, height = self.size
        rows = self._image[QUARTER // 2 :: QUARTER, QUARTER // 2 :][: height // QUARTER]
        # One pixel of four, as a slice with steps has it in six times the time.
        every = cv2.resize(rows, (0, 0), fx=1 / QUARTER, fy=1, interpolation=cv2.INTER_NEAREST)
        return np.asarray(every[:, : width // QUARTER])


class JpegFrame(Frame):
    """A camera picture kept as JPEG and decoded when asked for.

    :raises CameraError: data that are no JPEG, or not all of one
    """

    def __init__(self, data: bytes, at: float, name: str) -> None:
        self._data, self._name, self.at = data, name, at
        self._size = width, height = jpeg_size(data) or (0, 0)
        if width * height > MOST_PIXELS:
            raise WrongPictures(
                f"camera {name!r} gives pictures of {width} × {height} pixels; set camera.width and camera.height lower"
            )
        self._quarter = self._decoded(cv2.IMREAD_REDUCED_COLOR_4)[: height // QUARTER, : width // QUARTER]

    @cached_property
    def image(self) -> Picture:
        return self._decoded(cv2.IMREAD_COLOR)

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def kept(self) -> "Frame":
        """The same picture, to be kept for later in as little memory as it came in."""
        kept = copy(self)
        kept.__dict__.pop("image", None)  # as it was decoded for this moment
        return kept

    @property
    def quarter(self) -> Picture:
        return self._quarter

    def _decoded(self, how: int) -> Picture:
        """Decode the JPEG.

        :raises CameraError: if that cannot be done
        """
        data = np.frombuffer(self._data, np.uint8)
        image = cv2.imdecode(data, how | cv2.IMREAD_IGNORE_ORIENTATION) if self._size[0] else None
        return checked(image, self._name)

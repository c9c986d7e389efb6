"""Read frames from video files and from folders of pictures."""

from pathlib import Path

import cv2
import numpy as np

from vision.camera.frame import Frame, JpegFrame, checked
from vision.camera.jpeg import jpeg_size
from vision.camera.source import Source
from vision.errors import CameraError
from vision.images import PictureError
from vision.images import read_picture as read_within_limits

#: Suffixes of picture files.
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")

#: Options of ``cv2.VideoCapture`` with which it gives frames as they are encoded.
UNDECODED = [cv2.CAP_PROP_FORMAT, -1]


class PictureFolder(Source):
    """The pictures of a folder, in the order of their names."""

    def __init__(self, spec: str, folder: Path, fps: float, hold: int = 1) -> None:
        self.name = spec
        if not folder.is_dir():
            raise CameraError(f"camera {spec!r}: there is no folder {folder}; name one that holds pictures")
        self.files = sorted(f for f in folder.iterdir() if f.suffix.lower() in PICTURE_SUFFIXES)
        if not self.files:
            raise CameraError(f"camera {spec!r}: no picture ({', '.join(PICTURE_SUFFIXES)}) in {folder}")
        self._step, self._hold, self._count = 1.0 / fps, max(1, hold), 0
        self._image: np.ndarray | None = None

    def __next__(self) -> Frame:
        index, again = divmod(self._count, self._hold)
        if index >= len(self.files):
            raise StopIteration
        at = self._count * self._step
        self._count += 1
        if again and self._image is not None:
            return Frame(self._image, at)
        self._image = None
        self._image = read_picture(self.files[index])
        return Frame(self._image, at)


def read_picture(path: Path) -> np.ndarray:
    """Read a picture file as (H, W, 3) uint8 BGR.

    :raises CameraError: if it is missing, too large or no picture
    """
    try:
        return read_within_limits(path)
    except PictureError as error:
        raise CameraError(f"picture {error}") from error


class VideoFile(Source):
    """The frames of a video file; their time is the file's."""

    def __init__(self, spec: str, path: Path, fps: float) -> None:
        self.name = spec
        if not path.is_file():
            raise CameraError(f"camera {spec!r}: there is no file {path}")
        self._jpegs = _holds_jpegs(path)
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG, UNDECODED if self._jpegs else [])
        if not self._capture.isOpened():
            raise CameraError(
                f"camera {spec!r}: {path} is no video that can be read; convert it to MP4 (H.264) or AVI (MJPEG)"
            )
        given = self._capture.get(cv2.CAP_PROP_FPS)
        self._step = 1.0 / (given if 0.5 <= given <= 240 else fps)
        self._count, self._some = 0, False

    def __next__(self) -> Frame:
        while True:
            ok, image = self._capture.read()
            if not ok:
                if not self._some:
                    raise CameraError(
                        f"camera {self.name!r}: the file holds no frame that can be read; convert it to MP4 (H.264)"
                    )
                raise StopIteration
            at = self._count * self._step
            self._count += 1
            try:
                frame = (
                    JpegFrame(image.tobytes(), at, self.name) if self._jpegs else Frame(checked(image, self.name), at)
                )
            except CameraError:
                continue  # torn, as the last one of a film that was cut off
            self._some = True
            return frame

    def close(self) -> None:
        self._capture.release()


def _holds_jpegs(path: Path) -> bool:
    """Check whether a video is a row of whole JPEG pictures, which need not be decoded to be taken out."""
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG, UNDECODED)
    size = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    data = capture.read()[1] if capture.isOpened() else None
    capture.release()
    return data is not None and jpeg_size(data.tobytes()) == size

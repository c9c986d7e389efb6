"""Frames with their time, from whatever gives pictures.

A source is named by a text:

``v4l2:/dev/video0`` or ``usb:0``
    a USB camera through OpenCV
``rpicam:0``
    a Raspberry Pi camera through the program ``rpicam-vid``
``file:PATH``
    a video file, as fast as it is asked for
``folder:PATH``
    the pictures of a folder in the order of their names
``sim:``
    the simulated scene (``vision.sim``)

``next(source)`` gives a ``Frame``. It raises ``CameraError`` when the source has nothing to give for the moment (a
camera pulled out); asking again goes on waiting for it, so a caller says that he is blind and asks again.
``StopIteration`` is the end of a file.
"""

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from vision.errors import CameraError
from vision.frames import Frame, JpegFrame, checked
from vision.jpegs import jpeg_size

#: Pictures that a folder may hold.
PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")

#: Has a film given as it is encoded.
ENCODED = [cv2.CAP_PROP_FORMAT, -1]
#: How to name a source, for messages.
FORMS = "v4l2:/dev/video0, usb:0, rpicam:0, file:PATH, folder:PATH or sim:"


class Source(Iterator[Frame]):
    """Frames one after the other; a context manager that lets go of the camera at its end."""

    name: str
    live: bool = False  # True: frames come at their own time, and those nobody fetched are dropped

    def __iter__(self) -> Self:
        return self

    @abstractmethod
    def __next__(self) -> Frame:
        """The next frame."""

    def resettle(self) -> None:
        """Let exposure and white balance find themselves again, then hold them; nothing where they cannot be set."""

    def close(self) -> None:
        """Let go of the camera or file; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_source(spec: str, *, size: tuple[int, int] = (1280, 720), fps: float = 15.0, hold: int = 1) -> Source:
    """The source that a text names, open.

    ``size`` (width, height in pixels) and ``fps`` are asked of a live camera, which may give its nearest. In a folder
    each picture is given ``hold`` times, ``1 / fps`` seconds apart.

    :raises CameraError: for an unknown form, a missing camera or file, a picture that is none
    """
    kind, colon, rest = spec.partition(":")
    if not colon:
        raise CameraError(f"camera {spec!r}: no known form; write {FORMS}")
    if size[0] < 160 or size[1] < 120:
        raise CameraError(f"camera {spec!r}: {size[0]}x{size[1]} pixels are too few to read cards; ask for 1280x720")
    if not 0.5 <= fps <= 240:
        raise CameraError(f"camera {spec!r}: {fps} frames a second cannot be; ask for 15")
    match kind:
        case "v4l2" | "usb":
            from vision.live import UsbCamera

            return UsbCamera(spec, rest, size, fps)
        case "rpicam":
            from vision.live import RpiCamera

            return RpiCamera(spec, rest, size, fps)
        case "file":
            return VideoFile(spec, Path(rest).expanduser(), fps)
        case "folder":
            return PictureFolder(spec, Path(rest).expanduser(), fps, hold)
        case "sim":
            from vision.sim.source import open_sim

            return open_sim(rest, size=size, fps=fps)
    raise CameraError(f"camera {spec!r}: {kind!r} is no kind of camera; write {FORMS}")


class PictureFolder(Source):
    """The pictures of a folder, in the order of their names."""

    def __init__(self, spec: str, folder: Path, fps: float, hold: int = 1) -> None:
        self.name = spec
        if not folder.is_dir():
            raise CameraError(f"camera {spec!r}: there is no folder {folder}; name one that holds pictures")
        self.files = sorted(f for f in folder.iterdir() if f.suffix.lower() in PICTURES)
        if not self.files:
            raise CameraError(f"camera {spec!r}: no picture ({', '.join(PICTURES)}) in {folder}")
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
    """A picture file as (H, W, 3) uint8 BGR.

    :raises CameraError: if it is missing or no picture
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise CameraError(f"picture {str(path)!r} cannot be read: {error.strerror}") from error
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if image is None:
        raise CameraError(f"picture {str(path)!r} is no picture that can be read; save it as JPEG or PNG")
    return image


class VideoFile(Source):
    """The frames of a video file; their time is the file's."""

    def __init__(self, spec: str, path: Path, fps: float) -> None:
        self.name = spec
        if not path.is_file():
            raise CameraError(f"camera {spec!r}: there is no file {path}")
        self._jpegs = _holds_jpegs(path)
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG, ENCODED if self._jpegs else [])
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
    """Whether a film is a row of whole JPEG pictures, which need not be decoded to be taken out."""
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG, ENCODED)
    size = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    data = capture.read()[1] if capture.isOpened() else None
    capture.release()
    return data is not None and jpeg_size(data.tobytes()) == size

"""Open a source of frames by its name.

A source is named by a text, ``KIND:REST``. The kinds of this package are always there:

``v4l2:/dev/video0`` or ``usb:0``
    a USB camera through OpenCV
``rpicam:0``
    a Raspberry Pi camera through the program ``rpicam-vid``
``file:PATH``
    a video file, as fast as it is asked for
``folder:PATH``
    the pictures of a folder in the order of their names

Other rooms add kinds with ``register_kind``; ``sim:`` is there once ``vision.simulation.registration`` is imported.

``next(source)`` gives a ``Frame``. It raises ``CameraError`` when the source has nothing to give for the moment (a
camera pulled out); asking again goes on waiting for it, so a caller reports blindness and asks again.
``StopIteration`` is the end of a file.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeAlias

from vision.camera.frame import Frame
from vision.camera.kept import CameraMemory
from vision.errors import BadSource
from vision.messages import CameraState


class Source(Iterator[Frame]):
    """Frames one after the other; a context manager that lets go of the camera at its end."""

    name: str
    live: bool = False  # True: frames come at their own time, and those nobody fetched are dropped

    def __iter__(self) -> Self:
        return self

    @abstractmethod
    def __next__(self) -> Frame:
        """Return the next frame."""

    def resettle(self) -> None:
        """Let focus, exposure and white balance find themselves again, then hold them, where they can be set."""

    @property
    def state(self) -> CameraState | None:
        """Which camera it is and how it is set, as read back; None of films."""
        return None

    def close(self) -> None:
        """Let go of the camera or file; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """Options of a source besides its name."""

    size: tuple[int, int]  # width, height in pixels; a live camera may give its nearest
    fps: float  # frames a second; a live camera may give its nearest
    hold: int  # times that each picture of a folder is given
    memory: CameraMemory  # what is kept of cameras


#: Opens the source that ``KIND:REST`` names; arguments are the whole name, REST and the options.
#: Raises CameraError for a REST that the kind does not know, a missing camera or file.
Opener: TypeAlias = Callable[[str, str, SourceOptions], Source]


@dataclass(frozen=True, slots=True)
class SourceKind:
    """A kind of source: how a person writes it, for messages, and how it is opened."""

    form: str
    open: Opener


_KINDS: dict[str, SourceKind] = {}


def register_kind(kind: str, form: str, opener: Opener) -> None:
    """Make ``open_source`` know a kind; ``form`` names an example for messages, as ``usb:0``."""
    _KINDS[kind] = SourceKind(form, opener)


def known_forms() -> str:
    """List how a source may be named, for messages."""
    *others, last = (kind.form for kind in _KINDS.values())
    return f"{', '.join(others)} or {last}"


def open_source(
    spec: str,
    *,
    size: tuple[int, int] = (1280, 720),
    fps: float = 15.0,
    hold: int = 1,
    memory: CameraMemory | None = None,
) -> Source:
    """Open the source that a text names.

    ``size`` (width, height in pixels) and ``fps`` are asked of a live camera, which may give its nearest. In a folder
    each picture is given ``hold`` times, ``1 / fps`` seconds apart. ``memory`` keeps focus and identity of cameras.

    :raises CameraError: for an unknown form, a missing camera or file, a picture that is none
    """
    kind, colon, rest = spec.partition(":")
    if not colon:
        raise BadSource(f"camera {spec!r}: no known form; write {known_forms()}")
    if size[0] < 160 or size[1] < 120:
        raise BadSource(f"camera {spec!r}: {size[0]}x{size[1]} pixels are too few to read cards; ask for 1280x720")
    if not 0.5 <= fps <= 240:
        raise BadSource(f"camera {spec!r}: {fps} frames a second cannot be; ask for 15")
    if kind not in _KINDS:
        raise BadSource(f"camera {spec!r}: {kind!r} is no kind of camera; write {known_forms()}")
    return _KINDS[kind].open(spec, rest, SourceOptions(size=size, fps=fps, hold=hold, memory=memory or CameraMemory()))

"""Define the errors that vision raises."""


class VisionError(Exception):
    """Base of vision's own errors; its text names the value and the way out."""


class CameraError(VisionError, OSError):
    """A source of frames that cannot be opened or has stopped; ``code`` is its cause, for people without English."""

    code = "camera"


class CameraMissing(CameraError):
    """A camera that is not plugged in."""

    code = "missing"


class CameraBusy(CameraError):
    """A camera that another program uses, or that this user may not open."""

    code = "busy"


class CameraSilent(CameraError):
    """A camera that is there and gives no pictures."""

    code = "silent"


class WrongPictures(CameraError):
    """A camera that gives pictures which cannot be read."""

    code = "pictures"


class NoCameraProgram(CameraError):
    """The program is missing that reads the Pi's own camera."""

    code = "program"


class BadSource(CameraError):
    """A name of a source that is none."""

    code = "setting"


class DeckError(VisionError, ValueError):
    """A deck that cannot be learned, read or used."""


class MatError(VisionError, ValueError):
    """A mat that cannot be printed or found."""

"""Define the errors that vision raises."""


class VisionError(Exception):
    """Base of vision's own errors; its text names the value and the way out."""


class CameraError(VisionError, OSError):
    """A source of frames that cannot be opened or has stopped."""


class DeckError(VisionError, ValueError):
    """A deck that cannot be learned, read or used."""


class MatError(VisionError, ValueError):
    """A mat that cannot be printed or found."""

"""What can go wrong in printing."""

from kiosk.errors import KioskError


class PaperError(KioskError):
    """Something that cannot be printed or written."""

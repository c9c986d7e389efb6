"""What can go wrong on the line, for those who call it."""

from kiosk.errors import KioskError


class LineError(KioskError):
    """The director did not give what was asked of it."""

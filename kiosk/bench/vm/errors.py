"""What can go wrong with a virtual machine."""

from kiosk.errors import KioskError


class MachineError(KioskError):
    """The virtual machine did not do what was asked of it; the text has the last lines of its console."""

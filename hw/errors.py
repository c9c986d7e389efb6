"""What can go wrong at the pins and ports."""


class HardwareError(Exception):
    """Base of the hardware's own errors; its text names the value and the way out."""

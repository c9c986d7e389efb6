"""Define the errors of pins and ports."""


class HardwareError(Exception):
    """Base of the hardware's own errors; its text names the value and the way out."""


class PinError(HardwareError, ValueError):
    """A pin map that cannot be wired, or pins that cannot be had."""


class ScannerError(HardwareError, OSError):
    """A serial port that cannot be opened or has gone."""


class SoundError(HardwareError, OSError):
    """A loudspeaker that cannot be used, or words that cannot be spoken."""

"""Hold what the screen shows while the direction has not admitted this device."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EnrolView:
    """A device that asks to be a table."""

    code: str
    address: str  # of the direction
    trouble: str = ""  # away, refused; "": the direction waits for the code
    why: str = ""  # what the direction says where it refuses

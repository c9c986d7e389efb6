"""Hold what the screen shows while the direction has not admitted this device."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EnrolView:
    """A device that asks to be a table."""

    code: str  # "": the direction has not answered yet
    address: str  # of the direction
    trouble: str = ""  # away, refused, false; "": the direction waits for the code
    why: str = ""  # what the direction says where it refuses
    changed: bool = False  # this table knows the direction by another certificate

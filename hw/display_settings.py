"""Set the clock display's address, brightness and colon."""

from dataclasses import dataclass

from hw.chips.chip import BRIGHTEST
from hw.errors import PinError

#: Addresses that an HT16K33 can have.
ADDRESSES = range(0x70, 0x78)

COLONS = ("colon", "point")


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplaySettings:
    """How the clock display is driven; what it is and where it is wired says the pin map.

    :raises PinError: an address, a brightness or a colon that it cannot have.
    """

    address: int = 0x70  # of an HT16K33, by its solder bridges
    brightness: int = 8  # 0 (dim, but lit) to 15; bare digits have but one
    colon: str = "colon"  # of an HT16K33: "point" where the module has decimal points and no colon

    def __post_init__(self) -> None:
        if self.address not in ADDRESSES:
            raise PinError(f"address = {self.address:#04x}: an HT16K33 has 0x70 to 0x77, as its bridges are soldered")
        if not 0 <= self.brightness <= BRIGHTEST:
            raise PinError(f"brightness = {self.brightness}: it lies between 0 (dim, but lit) and {BRIGHTEST}")
        if self.colon not in COLONS:
            raise PinError(f'colon = "{self.colon}": name "colon", or "point" where the module has points alone')

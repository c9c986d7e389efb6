"""What people ask for before they sit down, besides the round itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TakeList:
    """The list that the direction holds of this table goes on here."""

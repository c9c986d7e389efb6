"""A line of the table that ``stichwart bench`` prints."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """``met`` is None where nothing is wanted, or nothing was counted."""

    part: str
    what: str
    value: str
    wanted: str = ""
    met: bool | None = None

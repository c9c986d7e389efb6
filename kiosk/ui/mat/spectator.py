"""Define what people who watch a table may do: see the mat as the camera does, open the director's page."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Spectator:
    """A demo's wiring of the panel beside the table.

    ``watch`` asks for ``MatPicture`` values of at most so many px (0: for none any more); they come back to
    ``KioskApp.mat``. ``page`` is the director's address, ``open_page`` opens it in a browser and must not block.
    """

    watch: Callable[[int], None]
    page: str
    open_page: Callable[[], None]

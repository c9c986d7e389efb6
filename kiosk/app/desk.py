"""Serve one thing at a table beside play: sticks, releases, the referee's call …"""

from typing import Any, ClassVar

from kiosk.table.table import Table
from kiosk.ui.requests import ScreenRequest


class Desk:
    """What the kiosk's loop knows of a desk; each overrides what it needs. Called by that loop alone."""

    #: Kinds of messages that it hears.
    hears: ClassVar[tuple[type, ...]] = ()

    def begin(self) -> None:
        """The screen is up."""

    def sit(self, table: Table) -> None:
        """People play at this table from now on."""

    def takes(self, request: ScreenRequest) -> bool:
        """Carry out what somebody asks for on the screen; return False if it is nothing of this desk's.

        :raises Refused: it is not possible now.
        """
        return False

    def keeps(self, message: Any) -> bool:
        """Return True if nobody else shall act on this message, because it is being tried out here."""
        return False

    def heard(self, message: Any) -> None:
        """Process a message of a kind that it hears."""

    def beat(self) -> None:
        """Let time pass."""

    def tell_again(self) -> None:
        """Tell the screen what it was told, in another language now."""

    @property
    def busy(self) -> bool:
        """Whether somebody is in the middle of something that a restart would end."""
        return False

    @property
    def report(self) -> dict[str, Any]:
        """What the direction is told of the device."""
        return {}

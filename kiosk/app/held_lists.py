"""Take over what the direction holds of this table's lists: at once where nobody has begun any, else when asked."""

import logging
from collections.abc import Callable
from typing import Protocol

from kiosk.app.desk import Desk
from kiosk.errors import KioskError
from kiosk.sync.state import GiveWay, ListHeld
from kiosk.table.table import Table
from kiosk.ui.requests import ScreenRequest
from kiosk.ui.seats.seats_requests import TakeList

log = logging.getLogger(__name__)


class Holder(Protocol):
    """The lists of this table, as the table's wiring holds them."""

    def fetching(self) -> bool: ...
    def take(self, held: ListHeld) -> Table | None: ...
    def give_way(self, decided: GiveWay) -> bool: ...


class Seated(Protocol):
    """The place where a table is played at, as ``kiosk.app.kiosk.Kiosk`` is it."""

    table: Table | None

    def sit(self, table: Table) -> None: ...
    def leave(self) -> None: ...


class TakingScreen(Protocol):
    """What is needed of a screen, as ``kiosk.ui.app.KioskApp`` implements it."""

    def taking_over(self, state: str) -> None: ...
    @property
    def somebody_writes(self) -> bool: ...


class HeldLists(Desk):
    """Answers what the direction says of this table's lists; called in the loop that owns the table."""

    hears = (ListHeld, GiveWay)

    def __init__(self, kiosk: Seated, holder: Holder, screen: Callable[[], TakingScreen | None]) -> None:
        self._kiosk, self._holder, self._screen = kiosk, holder, screen
        self._offered: ListHeld | None = None  # people may take it over: somebody has written names here
        self._shown = ""

    def beat(self) -> None:
        """Show people who would sit down that a list of this table is fetched, or is there to be taken over."""
        if self._kiosk.table is not None:
            self._offered = None
        state = "offered" if self._offered is not None else "fetching" if self._holder.fetching() else ""
        if state != self._shown and (screen := self._screen()) is not None:
            self._shown = state
            screen.taking_over(state)

    def takes(self, request: ScreenRequest) -> bool:
        """Take the list that was offered; return False if something else is asked for."""
        if not isinstance(request, TakeList):
            return False
        if self._offered is not None:
            self._take(self._offered)
        return True

    def heard(self, message: ListHeld | GiveWay) -> None:
        """Take what the direction says of a list."""
        if isinstance(message, GiveWay):
            self._give_way(message)
            return
        screen = self._screen()
        if self._kiosk.table is None and message.after < 0 and screen is not None and screen.somebody_writes:
            self._offered = message
        else:
            self._take(message)

    def _take(self, held: ListHeld) -> None:
        self._offered = None
        try:
            table = self._holder.take(held)
        except KioskError as error:
            log.error("what the direction holds of round %d is not taken: %s", held.round, error)
            return
        if table is not None:
            self._kiosk.leave()
            self._kiosk.sit(table)

    def _give_way(self, message: GiveWay) -> None:
        try:
            if self._holder.give_way(message):
                self._kiosk.leave()
        except KioskError as error:
            log.error("the list of round %d is not put by: %s", message.round, error)

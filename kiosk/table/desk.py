"""The table as what the camera says is written to it, and its second thoughts."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from kiosk.errors import BadEvent
from kiosk.table.position import Lying, Position
from kiosk.table.seats import Place, best_order

Event = dict[str, Any]

log = logging.getLogger(__name__)


class Desk(Protocol):
    """The table as the observer writes to it."""

    notices: dict[tuple[str, int | None], int | None]  # (code, seat) → event, if any

    def position(self) -> Position:
        """The round as it stands now."""

    def deal(self) -> None:
        """The next dealer has dealt."""

    def note(self, event: Event, picture: bytes | None = None) -> int:
        """Number of the event, now in the log.

        :raises BadEvent: it cannot happen here.
        """


def second_thought(desk: Desk, event: Event) -> int | None:
    """Number of an event that the camera comes to later; None if something that happened since cannot be so then."""
    try:
        return desk.note(event)
    except BadEvent as error:
        log.warning("%s cannot stand: %s", event, error)
        return None


def seat_again(
    desk: Desk,
    centres: Mapping[int, Place],
    trick: tuple[Lying, ...],
    orders: Iterable[Sequence[int]],
    why: str,
    against: Sequence[tuple[int, ...]] = (),
) -> None:
    """Puts the cards of a trick to the seats in front of which they lie, as far as an order of seats allows.

    Turn order decides card by card while they are laid; seen together, their places say more.
    """
    places = [lying.place for lying in trick if lying.place is not None]
    if len(places) < len(trick) or any(lying.settled for lying in trick):
        return
    seats = best_order(places, orders, centres, against)
    changed = {str(lying.event): seat for lying, seat in zip(trick, seats, strict=True) if lying.seat != seat}
    if changed:
        second_thought(desk, {"event": "correct", "seats": changed, "by": "camera", "why": why})

"""Write what the camera reports to the table, and correct what it reported before."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from kiosk.errors import BadEvent
from kiosk.table.events.codec import encode
from kiosk.table.events.values import CardCorrected, CardRetracted, CardsReseated, Event
from kiosk.table.inference.position import Lying, Position
from kiosk.table.inference.seats import Place, best_order

log = logging.getLogger(__name__)


class Desk(Protocol):
    """The table as the observer writes to it."""

    notices: dict[tuple[str, int | None], int | None]  # (code, seat) → event, if any

    def position(self) -> Position:
        """Return the current position of the round."""

    def deal(self) -> None:
        """Note the deal of the next dealer."""

    def note(self, event: Event, picture: bytes | None = None) -> int:
        """Append an event to the log and return its number.

        :raises BadEvent: it cannot happen here.
        """

    def picture(self, number: int) -> bytes | None:
        """Return the picture (JPEG) of a card in doubt, if there is one."""

    def renew_picture(self, number: int, picture: bytes) -> None:
        """Show a later picture of a card in doubt from now on."""


def second_thought(desk: Desk, event: Event, picture: bytes | None = None) -> int | None:
    """Note an earlier event that the camera reports late; return its number, None if a later event excludes it."""
    try:
        return desk.note(event, picture)
    except BadEvent as error:
        log.warning("%s cannot stand: %s", encode(event), error)
        return None


def remove_card(desk: Desk, event: int | None, why: str) -> None:
    """Correct an event to have been no card."""
    if event is not None:
        second_thought(desk, CardCorrected(of=event, card=None, by="camera", why=why))


def take_back(desk: Desk, lying: Lying) -> None:
    """Note that a card was taken back by its player."""
    second_thought(desk, CardRetracted(seat=lying.seat, card=lying.card))


def put_to_seats(desk: Desk, seats: Mapping[int, int], why: str) -> None:
    """Move cards, by their events, to other seats, if there are any."""
    if seats:
        second_thought(desk, CardsReseated(seats=seats, by="camera", why=why))


def ask_whose(desk: Desk, seats: Mapping[int, int], perhaps: Mapping[int, int], at_once: bool = False) -> None:
    """Note that cards, by their events, may be of other seats than those they count for: the screen asks people.

    :param at_once: nobody has seen which of them was laid first.
    """
    if perhaps and perhaps not in desk.position().asked:
        why = "they may be each other's"
        second_thought(desk, CardsReseated(seats=seats, perhaps=perhaps, at_once=at_once, by="camera", why=why))


def seat_again(
    desk: Desk,
    centres: Mapping[int, Place],
    trick: tuple[Lying, ...],
    orders: Iterable[Sequence[int]],
    why: str,
    against: Sequence[tuple[int, ...]] = (),
) -> Collection[int]:
    """Move the cards of a trick to the seats that arms and places say together, as far as an order of seats allows.

    Turn order decides card by card while they are laid; seen together, they say more. Where that is a breach and not
    certain, people are asked.

    :returns: the events of the cards that were moved.
    """
    sights = [lying.sight for lying in trick if lying.sight is not None]
    if len(sights) < len(trick) or any(lying.settled for lying in trick):
        return ()
    best = best_order(sights, orders, centres, against)
    changed = {lying.event: seat for lying, seat in zip(trick, best.seats, strict=True) if lying.seat != seat}
    put_to_seats(desk, changed, why)
    if best.rival is not None and not desk.position().open_trick:  # else the cards to come may say more
        both = [(lying.event, *seats) for lying, *seats in zip(trick, best.seats, best.rival, strict=True)]
        unsure = [(event, seat, rival) for event, seat, rival in both if seat != rival]
        ask_whose(desk, {event: seat for event, seat, _ in unsure}, {event: rival for event, _, rival in unsure})
    return changed

"""Take what a table sends: check it, and store it up to the first decision that is not the table's own."""

import time
from typing import Any

from kiosk.director.access.devices import Device
from kiosk.director.key import ListKey
from kiosk.director.refusals import NotAnEvent, NotOrdered
from kiosk.director.storage.store import Append, StreamPosition
from kiosk.director.tables.desks import Message
from kiosk.director.tables.hall import Hall
from kiosk.director.tables.table_events import check_bounds, is_decision, need_orders, need_time
from kiosk.errors import shorten


async def store_events(hall: Hall, key: ListKey, device: Device, body: Message) -> dict[str, Any]:
    """Store a table's message, ``after``, ``chain`` and ``events``, and return how far its list has come here.

    :raises NotAnEvent: it is no such message, or holds nothing that a person could have typed or a camera seen.
    :raises NotOrdered: it holds a decision that nobody has ordered; what comes before it is stored.
    :raises DirectorError: see ``Store.append``.
    """
    stand = await _take(hall, key, device, _sent(key, body))
    return {"last": stand.last, "chain": stand.chain}


def usual_events(key: ListKey, body: Message) -> Append | None:
    """Read a table's message if it is what people at play make: nothing else has to be known to store it."""
    try:
        sent = _sent(key, body)
    except NotAnEvent:
        return None  # who stores it otherwise tells why it cannot be
    if sent.after < 0 or any("order_number" in event or is_decision(event) for event in sent.events):
        return None
    return sent


def _sent(key: ListKey, body: Message) -> Append:
    """Read a table's message.

    :raises NotAnEvent: it is no such message, or holds nothing that a person could have typed or a camera seen.
    """
    after, chain, events = body.get("after"), body.get("chain"), body.get("events")
    if not isinstance(after, int) or isinstance(after, bool) or after < -1 or not isinstance(chain, str):
        raise NotAnEvent(
            f"after is {shorten(after)} and chain {shorten(chain)}; a number from -1 and a text are wanted"
        )
    if not isinstance(events, list):
        raise NotAnEvent(f"events is {shorten(events)}; a list is wanted")
    check_bounds(events)
    return Append(key, after, chain, events)


async def _take(hall: Hall, key: ListKey, device: Device, sent: Append) -> StreamPosition:
    """Store what a table has sent, up to the first decision of the direction that was not ordered.

    :raises NotOrdered: it holds such a decision; the direction sees it from then on and what comes behind it.
    """
    found = None if device.rulings else await _first_unordered(hall, key, sent)
    if found is None:
        return await hall.append(key, sent.after, sent.chain, sent.events)
    index, refusal = found
    after, chain = sent.after, sent.chain
    if index:
        stand = await hall.append(key, after, chain, sent.events[:index])
        after, chain = stand.last, stand.chain
    await hall.hold_back(key, after, chain, sent.events[index:])
    raise refusal


async def _first_unordered(hall: Hall, key: ListKey, sent: Append) -> tuple[int, NotOrdered] | None:
    """Find the first decision that no order stands behind, and why; what is stored already was taken then."""
    decided = [index for index, event in enumerate(sent.events) if is_decision(event)]
    if not decided:
        return None
    stored = (await hall.threads.on_disk(hall.store.stand, key)).last
    orders = await hall.threads.on_disk(hall.store.orders, key.tournament, key.round)
    given = {order.number: order for order in orders if order.table in (None, key.table)}
    bodies = {number: order.body for number, order in given.items()}
    for index in decided:
        event = sent.events[index]
        if sent.after + 1 + index <= stored:
            continue  # the store compares it
        try:
            if event.get("event") == "time_up" and "order_number" not in event:
                first = (await hall.threads.on_disk(hall.store.read, key)) or sent.events
                releases = [order.at for order in given.values() if order.body.get("event") == "release"]
                need_time(first[0], min(releases, default=None), hall.store.now())
            else:
                need_orders([event], bodies)
        except NotOrdered as refusal:
            goes_on = hall.desk(key).goes_on
            if goes_on is None or not goes_on.takes(event, bodies.keys(), time.monotonic()):
                return index, refusal
    return None

"""Orders once: the table's inbox against the real store, with everything lost that can get lost."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.director.key import ListKey
from kiosk.director.storage.order_store import GivenOrder
from kiosk.director.storage.store import Store
from kiosk.sync.inbox import OrderInbox
from kiosk.sync.outbox import Outbox
from kiosk.sync.state import Order
from kiosk.table.events.codec import encode
from kiosk.table.events.values import Request

pytestmark = pytest.mark.slow

KEY = ListKey("herbst", 1, 7)


class World:
    """A table and a director with a line between them that breaks as it likes."""

    def __init__(self, url: str) -> None:
        self.url, self.store = url, Store(url)
        self.events: list[dict[str, Any]] = [{"event": "open"}]
        self.given: list[GivenOrder] = []
        self.shown: list[int] = []  # calls
        self.table_starts()

    def read(self, after: int = -1) -> list[tuple[int, dict[str, Any]]]:
        return [(number, event) for number, event in enumerate(self.events) if number > after]

    def table_starts(self) -> None:
        self.inbox, self.outbox = OrderInbox(self.events), Outbox(self)
        self.desk: list[Order] = []  # taken, not carried out yet: lost with the power
        self.under_way: list[GivenOrder] = []

    def director_starts(self) -> None:
        self.store.close()
        self.store = Store(self.url)
        self.under_way = []

    def give(self, body: dict[str, Any]) -> None:
        self.given.append(self.store.give("herbst", 1, 7, body))

    def connect(self) -> None:
        """A new socket: what is pending is sent, receipts are sent again."""
        self.under_way = self.store.pending(KEY)
        self.send_receipts(confirmed=True)

    def arrive(self) -> None:
        for one in self.under_way:
            order = self.inbox.take({"number": one.number, "age": 0.5, "body": one.body}, now=10.0)
            if order is not None:
                assert order.given == 9.5
                self.desk.append(order)
        self.under_way = []

    def carry_out(self) -> None:
        for order in self.desk:
            if order.call:
                self.shown.append(order.number)
                self.inbox.receipt(order.number, None)
            else:
                assert isinstance(order.request, Request)
                self.events.append(encode(order.request.event))
        self.desk = []

    def send_events(self, answered: bool) -> None:
        post = self.outbox.post()
        if post is not None:
            stand = self.store.append(KEY, post.after, post.chain, list(post.events))
            if answered:
                self.outbox.took(stand.last, stand.chain)

    def send_receipts(self, confirmed: bool) -> None:
        for number, receipt in list(self.inbox.receipts.items()):
            self.store.answer(KEY, number, receipt["refused"], receipt.get("why"))
            if confirmed:
                self.inbox.received(number)

    def settle(self) -> None:
        for _ in range(4):
            self.connect()
            self.arrive()
            self.carry_out()
            for _ in range(4):
                self.send_events(answered=True)
            self.send_receipts(confirmed=True)


FATES = {
    "order": lambda world: world.give({"event": "rule", "class": "none", "minutes": 5}),
    "call": lambda world: world.give({"call": "director"}),
    "socket opens": World.connect,
    "orders arrive": World.arrive,
    "socket breaks": lambda world: world.under_way.clear(),
    "carried out": World.carry_out,
    "events sent": lambda world: world.send_events(answered=True),
    "answer lost": lambda world: world.send_events(answered=False),
    "receipts sent": lambda world: world.send_receipts(confirmed=True),
    "receipts' answer lost": lambda world: world.send_receipts(confirmed=False),
    "director restarts": World.director_starts,
    "table loses power": World.table_starts,
}


@settings(deadline=None, max_examples=60)
@given(fates=st.lists(st.sampled_from(sorted(FATES)), max_size=50))
def test_whatever_breaks_each_order_is_carried_out_once(tmp_path_factory, fates):
    world = World(f"sqlite:///{tmp_path_factory.mktemp('orders') / 'director.sqlite'}")
    for fate in fates:
        FATES[fate](world)
    world.settle()
    wanted = [order.number for order in world.given if "call" not in order.body]
    done = [event["order_number"] for event in world.events[1:]]
    assert sorted(done) == wanted
    assert world.store.pending(KEY) == []
    assert world.store.read(KEY) == world.events
    calls = [order.number for order in world.given if "call" in order.body]
    assert set(world.shown) == set(calls)
    if "table loses power" not in fates:
        assert sorted(world.shown) == calls
    world.store.close()

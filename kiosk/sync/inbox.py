"""Take the director's orders, each once, and keep its receipt until the director has it."""

from collections.abc import Iterable, Mapping
from typing import Any

from kiosk.errors import Refused, shorten
from kiosk.sync.heard import whole
from kiosk.sync.state import Order
from kiosk.table.events.codec import decode_request


class OrderInbox:
    """Orders that were taken, and receipts still to be sent.

    :param events: the table's events: an order that one of them carries out (``order_number``) is not taken again.
    """

    def __init__(self, events: Iterable[Mapping[str, Any]]) -> None:
        self._taken = {number for event in events if isinstance(number := event.get("order_number"), int)}
        self.receipts: dict[int, Mapping[str, Any]] = {}  # number → the receipt's keys, as the protocol has them

    def take(self, message: Mapping[str, Any], now: float) -> Order | None:
        """Take the order of the director's message; None if it was taken before, or no table could carry it out.

        The second kind is refused at once: its receipt stands.

        :param now: seconds on the table's monotonic clock.
        :raises ValueError: the message is no order.
        """
        number, body, age = whole(message["number"], "an order's number"), message["body"], message["age"]
        if not isinstance(body, dict) or type(age) not in (int, float):
            raise ValueError(f"order {number}, {shorten(age)} seconds old, is {shorten(body)}")
        if number in self._taken:
            return None
        self._taken.add(number)
        call = body.get("call")
        if not isinstance(call, str | None):
            self.receipt(number, f"nobody can be called by {shorten(call)}")
            return None
        try:
            request = None if call else decode_request({**body, "order_number": number})
        except Refused as error:
            self.receipt(number, error)
            return None
        return Order(
            number=number,
            request=request,
            call=call,
            text=str(body.get("text", "")),
            given=now - float(age),
        )

    def receipt(self, number: int, refused: Refused | str | None) -> None:
        """Note that the table has carried the order out, or refused it; a page words a ``Refused`` in its language."""
        receipt: dict[str, Any] = {"refused": None if refused is None else str(refused)}
        if isinstance(refused, Refused):
            receipt["why"] = {"code": refused.code, "section": refused.section}
            if refused.way is not None:
                receipt["why"]["way"] = dict(refused.way)
        self.receipts[number] = receipt

    def received(self, number: int) -> None:
        """Note that the director has the receipt."""
        self.receipts.pop(number, None)

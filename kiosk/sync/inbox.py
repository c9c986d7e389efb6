"""The director's orders as they come in: each is taken once, and its receipt is kept until the director has it."""

from collections.abc import Iterable, Mapping
from typing import Any

from kiosk.sync.state import Order


class Inbox:
    """Knows which orders were taken and which receipts are still to be sent.

    :param events: the table's events: an order that one of them carries out (``order_number``) is not taken again.
    """

    def __init__(self, events: Iterable[Mapping[str, Any]]) -> None:
        self._taken = {number for event in events if isinstance(number := event.get("order_number"), int)}
        self.receipts: dict[int, str | None] = {}  # number → why it was refused; None: it was carried out

    def take(self, message: Mapping[str, Any], now: float) -> Order | None:
        """The order of the director's message; None if it was taken before.

        :param now: seconds on the table's monotonic clock.
        """
        number, body = int(message["number"]), dict(message["body"])
        if number in self._taken:
            return None
        self._taken.add(number)
        call = body.get("call")
        return Order(
            number=number,
            event=None if call else {**body, "order_number": number},
            call=call,
            text=str(body.get("text", "")),
            given=now - float(message["age"]),
        )

    def receipt(self, number: int, refused: str | None) -> None:
        """The table has carried the order out, or refused it."""
        self.receipts[number] = refused

    def received(self, number: int) -> None:
        """The director has the receipt."""
        self.receipts.pop(number, None)

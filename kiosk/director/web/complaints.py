"""Keep the log readable while somebody is hostile or broken: one line about each address and minute."""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable

#: Seconds between two lines about one address.
_SAID_S = 60.0

_REMEMBERED = 1000  # addresses


class Complaints:
    """Warnings about addresses, each at most once a minute, with how many were left out.

    :param now: seconds on a monotonic clock.
    """

    def __init__(self, log: logging.Logger, now: Callable[[], float] = time.monotonic) -> None:
        self._log, self._now = log, now
        self._said: OrderedDict[str, tuple[float, int]] = OrderedDict()  # address → when, how many since

    def say(self, address: str, text: str, *values: object) -> None:
        """Write a line about an address, unless one was written within the last minute."""
        now = self._now()
        at, left_out = self._said.get(address, (float("-inf"), 0))
        if now - at < _SAID_S:
            self._said[address] = (at, left_out + 1)
            return
        more = f" (and {left_out} times more since the last line about it)" if left_out else ""
        self._log.warning(text + "%s", *values, more)
        self._said[address] = (now, 0)
        self._said.move_to_end(address)
        while len(self._said) > _REMEMBERED:
            self._said.popitem(last=False)


class OnceAMinute(logging.Filter):
    """Lets what strangers cause through once a minute: uvicorn tells of each request that is none.

    :param now: seconds on a monotonic clock.
    """

    _CAUSED = (
        "Invalid HTTP request received.",
        "Unsupported upgrade request.",
        "No supported WebSocket library detected.",
        "ASGI callable returned without completing handshake.",
    )

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Report whether a record is to be written."""
        text = str(record.msg)
        if not text.startswith(self._CAUSED):
            return True
        now = self._now()
        if now - self._said.get(text, float("-inf")) < _SAID_S:
            return False
        self._said[text] = now
        return True

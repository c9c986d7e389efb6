"""Choose the director to speak to: the one of the table's file, and others on the same database that it has named."""

from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from kiosk.errors import LineError
from kiosk.sync.address import LineAddress

#: Directors that are remembered at most; a hall has two or four.
MOST = 8

_LONGEST = 200  # signs of an address


class Directors:
    """Addresses of the directors, one of which is spoken to. Belongs to the line's loop once that runs.

    :param first: the address in the table's file.
    :param others: addresses that were named before (``learn``).
    :param address: makes the line's address of a director's.
    :raises LineError: ``first`` is no address.
    """

    def __init__(self, first: str, others: Sequence[str], address: Callable[[str], LineAddress]) -> None:
        self._first, self._address = first.rstrip("/"), address
        self.now = address(self._first)
        self._urls = [self._first]
        self.learn(others)

    def learn(self, named: Sequence[str]) -> tuple[str, ...] | None:
        """Take the addresses that a director names in place of those named before; None where they are the same.

        One that is not encrypted like the first is left out: nobody is led to show the secret in the open.
        """
        fit = [self._first, *(url.rstrip("/") for url in named if self._fits(url))]
        urls = list(dict.fromkeys(fit))[:MOST]
        if set(urls) == set(self._urls):
            return None
        self._urls = urls
        return tuple(urls[1:])

    def add(self, found: Sequence[str]) -> None:
        """Try these addresses too, after those that are known; where too many are known the newest count."""
        self.learn([*found, *self._urls[1:]])

    def next(self) -> bool:
        """Go on to the next director, after the last to the first; whether it is another one."""
        events = [self._address(url).events for url in self._urls]
        at = events.index(self.now.events) + 1 if self.now.events in events else 0
        before, self.now = self.now, self._address(self._urls[at % len(self._urls)])
        return self.now.events != before.events

    def _fits(self, url: object) -> bool:
        if not isinstance(url, str) or len(url) > _LONGEST:
            return False
        try:
            self._address(url)
            return urlsplit(url).scheme == urlsplit(self._first).scheme
        except (LineError, ValueError):
            return False

"""Know tables by the secrets of their devices: all are looked up together, for each sends something all the time."""

import asyncio
import hmac
import time
from collections.abc import Mapping

from kiosk.director.access.accounts import digest
from kiosk.director.access.devices import Device, KnownDevices

#: Seconds after which all are looked up again: other processes tell what they change, and one may be silent.
_REMEMBERED_S = 30.0

#: Letters of a secret that are looked at.
_LONGEST = 200


class AdmittedTables:
    """The devices that are tables, as they were in the database half a minute ago at most. Lives on the event loop.

    A thousand devices that are looked up one by one hold a hall up for seconds: each table's first event did that.
    """

    def __init__(self, devices: KnownDevices) -> None:
        self._devices = devices
        self._known: Mapping[str, tuple[Device, str]] = {}  # by id, with the digest of the secret
        self._at = float("-inf")  # monotonic seconds
        self._forgotten = 0  # how often something has changed
        self._looking = asyncio.Lock()

    async def who(self, shown: str) -> Device | None:
        """Return the table whose secret is shown; None: nobody's.

        :raises StoreFailed: the database cannot be read.
        """
        if self._is_old:
            await self._look()
        if (device := self.at_hand(shown)) is not None:
            return device
        return await asyncio.to_thread(self._devices.who, shown[:_LONGEST])  # admitted just now, or nobody's

    def at_hand(self, shown: str) -> Device | None:
        """Return the table whose secret is shown, if it is known; None: look it up (``who``)."""
        id_, _, secret = shown[:_LONGEST].partition(".")
        device, kept = self._known.get(id_, (None, ""))
        return device if device is not None and hmac.compare_digest(kept, digest(secret)) else None

    @property
    def mark(self) -> object | None:
        """Another object whenever a device may have been admitted, withdrawn or changed; None: look it up again."""
        return None if self._is_old else self._known

    def forget(self) -> None:
        """Look all devices up again: one was admitted, withdrawn or changed."""
        self._forgotten += 1
        self._at = float("-inf")
        self._known = {}

    @property
    def _is_old(self) -> bool:
        return time.monotonic() - self._at >= _REMEMBERED_S

    async def _look(self) -> None:
        async with self._looking:
            if not self._is_old:
                return
            forgotten, at = self._forgotten, time.monotonic()
            known = await asyncio.to_thread(self._devices.tables)
            if forgotten == self._forgotten:  # else something has changed while it was read
                self._known, self._at = known, at

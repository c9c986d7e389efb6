"""Know which tables have a device at all: those without one keep their list on paper."""

import asyncio

from kiosk.director.access.access import Access
from kiosk.director.refusals import StoreFailed
from kiosk.director.tables.devices import Devices

#: Seconds until the register is read again where the database could not be read.
_AGAIN_S = 2.0


async def read_admitted(devices: Devices, access: Access) -> None:
    """Read which tables have a device.

    :raises StoreFailed: the database cannot be read.
    """
    devices.now_admitted(frozenset(one.table for one in await access.run(access.devices.all) if one.table is not None))


async def follow_admitted(devices: Devices, access: Access) -> None:
    """Read it again whenever a device was admitted or withdrawn; only cancelling ends it."""
    changed, loop = asyncio.Event(), asyncio.get_running_loop()

    def look_again() -> None:
        loop.call_soon_threadsafe(changed.set)

    access.on_tables.add(look_again)
    changed.set()  # what changed before that
    try:
        while True:
            await changed.wait()
            changed.clear()
            try:
                await read_admitted(devices, access)
            except StoreFailed:
                await asyncio.sleep(_AGAIN_S)
                changed.set()
    finally:
        access.on_tables.discard(look_again)

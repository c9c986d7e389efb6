"""Let the saver work beside the event loop, and offer the copies of other machines while this one is empty."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa

from hw.stick import StickError
from kiosk.director.refusals import NotFresh, StoreFailed, UnknownPlace
from kiosk.director.saving.places import Places
from kiosk.director.saving.saver import Saved, Saver
from kiosk.director.saving.stick_bundles import StickBundle, bring, bundles_on
from kiosk.director.saving.takeover import TLS, Offer, is_fresh, offers, take
from kiosk.director.settings import Settings
from kiosk.director.storage.backup import CONFIGURATION

log = logging.getLogger(__name__)
Value = TypeVar("Value")

#: Seconds between two looks at the kernel's disks.
_LOOK_S = 2.0


class SavingWork:
    """What the pages and the loop see of saving and taking over. The coroutines belong to the event loop.

    A stick that hangs holds up its own thread alone.

    :param settings: with ``saving`` and ``own``, and an SQLite database in a file.
    :param tables: that are saved.
    :param title: of the tournament that is held.
    """

    def __init__(self, settings: Settings, tables: Sequence[sa.Table], title: Callable[[], str]) -> None:
        assert settings.saving is not None and settings.own is not None
        self._settings, self._own, self._tables = settings, settings.own, tables
        self._database = Path(sa.make_url(settings.database).database or "")
        self._places = Places(settings.saving.sticks, self._own.data, settings.saving.second)
        self._saver = Saver(self._places, self._database, tables, self._own.data, self._files, title)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="saving")
        self._seen: tuple[str, ...] | None = None
        self._offers: list[Offer] = []

    @property
    def saved(self) -> Saved:
        """How the saving stands."""
        return self._saver.saved

    async def work_forever(self) -> None:
        """Save once a minute; only cancelling ends it."""
        while True:
            try:
                await self._run(lambda: self._saver.turn(time.monotonic()))
            except Exception as error:  # nothing that a stick brings ends the service, or the saving
                log.exception("saving failed (%r), it will be tried again", error)
            await asyncio.sleep(_LOOK_S)

    async def choose(self, id_: str) -> Saved:
        """Save to another place from now on; see ``Saver.choose``."""
        await self._run(lambda: self._choose(id_))
        return self.saved

    async def offered(self) -> list[Offer]:
        """List what this machine could go on with; nothing where it holds something of its own."""
        return await self._run(self._look_for_offers)

    async def take(self, id_: str) -> Offer:
        """Take what was offered; it counts from the next start of the service on.

        :raises NotFresh: this machine holds something of its own by now.
        """
        return await self._run(lambda: self._take(id_))

    async def bundles(self) -> list[StickBundle]:
        """List the releases on the sticks that are plugged in."""
        return await self._run(lambda: bundles_on(self._places))

    async def bring(self, place: str, file: str) -> Path:
        """Copy a release from a stick to this disk; whoever has it takes the file away.

        :raises UnknownPlace: it is not there.
        """
        into = self._own.data / "from-stick.part"
        try:
            await self._run(lambda: bring(self._places, place, file, into))
        except BaseException as error:
            into.unlink(missing_ok=True)
            if isinstance(error, OSError) and not isinstance(error, UnknownPlace):
                raise full(self._own.data, error) from error
            raise
        return into

    def stop(self) -> None:
        """End the thread once it has done what it does now."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self, call: Callable[[], Value]) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    def _look_for_offers(self) -> list[Offer]:
        if not is_fresh(self._database):
            return []
        seen = tuple(one.id for one in self.saved.places)
        if seen != self._seen:  # each look mounts the sticks
            self._seen, self._offers = seen, offers(self._places)
        return self._offers

    def _take(self, id_: str) -> Offer:
        if not is_fresh(self._database):
            raise NotFresh("not_fresh", "this machine holds a tournament of its own; take over on an empty one")
        try:
            return take(self._places, id_, self._own.data, self._tables)
        except StickError as error:
            raise UnknownPlace("no_stick", f"the stick cannot be read ({error}); plug it in again") from error
        except OSError as error:
            raise full(self._own.data, error) from error

    def _choose(self, id_: str) -> None:
        try:
            self._saver.choose(id_)
        except OSError as error:
            raise full(self._own.data, error) from error

    def _files(self) -> dict[str, bytes]:
        """The direction's authority, and its file."""
        found = {}
        tls = self._settings.tls
        if tls is not None and tls.folder.is_dir():
            found = {f"{TLS}{path.name}": path.read_bytes() for path in tls.folder.glob("authority*.pem")}
        if self._own.configuration is not None and self._own.configuration.exists():
            found[CONFIGURATION] = self._own.configuration.read_bytes()
        return found


def full(folder: Path, error: OSError) -> StoreFailed:
    """Return the refusal for a folder that cannot be written."""
    return StoreFailed(f"{folder}: {error.strerror or error}; look at its free space and rights, nothing was changed")

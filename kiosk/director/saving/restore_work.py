"""Let a backup be looked through and put back beside the event loop, into a file or into a server's database."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa

from kiosk.director.refusals import StoreFailed
from kiosk.director.saving.replacing import holds_nothing, replace_all
from kiosk.director.saving.restoring import Holding, Restored, accept, holding_of, look_through
from kiosk.director.saving.work import full
from kiosk.director.settings import Settings
from kiosk.director.storage.database import Database

Value = TypeVar("Value")


class RestoreWork:
    """What the page sees of putting a backup back. The coroutines belong to the event loop.

    :param settings: with ``own``: of this service, or of one club in it.
    """

    def __init__(self, settings: Settings, database: Database) -> None:
        assert settings.own is not None
        self._settings, self._own, self._database = settings, settings.own, database
        #: Held by who uploads: one at a time.
        self.uploading = asyncio.Lock()
        #: What was looked through and waits for a yes.
        self.restored: Restored | None = None

    @property
    def upload(self) -> Path:
        """Where a backup is written while it is uploaded."""
        return self._own.data / "restore.part"

    async def fresh(self) -> bool:
        """Whether nothing was entered here yet."""
        return await asyncio.to_thread(holds_nothing, self._database)

    async def look_through(self) -> Holding:
        """Look the uploaded backup through, which then waits for a yes (``restored``); return what is here now.

        :raises BadBackup: it is none.
        """
        self.restored = None
        self.restored = await self._writing(self._look_through)
        return await asyncio.to_thread(holding_of, self._database)

    async def accept(self) -> str:
        """Have the backup count when the service has started anew.

        :returns: the folder in which what is here now is put by; "": there is nothing.
        """
        self.restored = None
        if self._database.shared:
            return await self._writing(lambda: replace_all(self._database, self._settings))
        file = Path(sa.make_url(self._settings.database).database or "")
        return await self._writing(lambda: accept(self._own.data, file))

    def _look_through(self) -> Restored:
        try:
            named = self._settings.tournament
            return look_through(self.upload, self._own, named, files_count=self._database.shared)
        finally:
            self.upload.unlink(missing_ok=True)

    async def _writing(self, call: Callable[[], Value]) -> Value:
        try:
            return await asyncio.to_thread(call)
        except OSError as error:
            if isinstance(error, StoreFailed):
                raise
            raise full(self._own.data, error) from error

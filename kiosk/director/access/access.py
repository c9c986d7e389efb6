"""Let people and tables in: everything about accounts, sessions and devices in one place."""

import asyncio
import contextvars
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from kiosk.director.access.accounts import OF_FILE, Account, Accounts, Actor
from kiosk.director.access.acts import Acts
from kiosk.director.access.admitted import AdmittedTables
from kiosk.director.access.devices import Device, KnownDevices
from kiosk.director.access.limits import ACCOUNT, ADDRESS, Limits, address_key
from kiosk.director.access.refusals import NotAllowed, TooMany
from kiosk.director.access.schema import METADATA
from kiosk.director.settings import Settings
from kiosk.director.storage.actor import ACTOR
from kiosk.director.storage.database import Database

log = logging.getLogger(__name__)
Value = TypeVar("Value")

#: Seconds for which a session that was found is not looked for again: other processes tell what they end, and it may
#: end by itself a little late.
_REMEMBERED_S = 30.0

#: Sessions that are remembered.
_MOST = 5000


class Access:
    """Who may come in. The coroutines belong to the event loop; password hashes are made one at a time in a thread.

    :raises StoreFailed: the database cannot be read.
    """

    def __init__(self, database: Database, settings: Settings) -> None:
        database.make(METADATA)
        self._database = database
        self.accounts, self.acts = Accounts(database), Acts(database)
        self.devices = KnownDevices(database)
        self.accounts.keep_pin(settings.pin)
        self._code_for_more = settings.new_code
        #: With it the first director makes an account; "": there is one.
        self.first_code = "" if self.accounts.directed() and not settings.new_code else _code()
        self._addresses, self._names = Limits(ADDRESS), Limits(ACCOUNT)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="access")
        self._actors: dict[str, tuple[float, Actor | None]] = {}
        self._tables = AdmittedTables(self.devices)
        self._ends = 0  # sessions that were ended here
        #: Called when sessions may have ended: who sends to a page for long looks again whose it is.
        self.on_ended: set[Callable[[], None]] = set()

        #: Called when a device was admitted, withdrawn or changed; from whichever thread did that.
        self.on_tables: set[Callable[[], None]] = set()

    def stop(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def run(self, call: Callable[..., Value], *args: Any, **more: Any) -> Value:
        """Run a call of the accounts, devices or the record in the thread."""
        todo = partial(contextvars.copy_context().run, partial(call, *args, **more))
        return await asyncio.get_running_loop().run_in_executor(self._thread, todo)

    # people

    async def actor(self, session: str) -> Actor | None:
        """Return who has logged in with this session's secret; None: nobody."""
        return await self._remembered(session) if session else None

    async def login(self, name: str, password: str, address: str) -> str:
        """Check a name and password; return the secret of the new session. ``name`` "": the file's PIN.

        :raises NotAllowed: they do not fit.
        :raises TooMany: too many wrong ones came from this address, or for this account.
        """
        name = name.strip() or OF_FILE
        key = self._count(name, address)
        secret = await self.run(self.accounts.check, name, password)
        if secret is None:
            await self.run(self.acts.add, name[:60], address, "wrong_password", {})
            raise NotAllowed("wrong_password", "name or password is wrong")
        self._names.right(name.casefold())
        self._addresses.take_back(key)
        await self.run(self.acts.add, name, address, "login", {})
        return secret

    async def first(self, code: str, name: object, password: object, address: str) -> str:
        """Make the first director's account by the code that the service has printed; return a session's secret.

        :raises NotAllowed: the code is wrong or was used, or the account cannot be.
        :raises TooMany: too many wrong ones came.
        """
        key = self._check_code(code, address)
        if not self._code_for_more and await self.run(self.accounts.directed):  # by the code of another process
            self.first_code = ""
            raise NotAllowed("wrong_code", "there is a director's account by now; log in with it")
        account = await self.run(self.accounts.make, name, "director", password)
        self.first_code = ""
        self._names.right("")
        self._addresses.take_back(key)
        await self.run(self.acts.add, account.name, address, "first_account", {})
        return await self.login(account.name, str(password), address)

    def check_code(self, code: str, address: str) -> None:
        """Require the code that the service has printed; it stays.

        :raises NotAllowed: the code is wrong or was used.
        :raises TooMany: too many wrong ones came.
        """
        key = self._check_code(code, address)
        self._names.right("")
        self._addresses.take_back(key)

    def _check_code(self, code: str, address: str) -> str:
        key = self._count("", address)
        wanted, given = self.first_code, "".join(sign for sign in code if sign.isdigit())
        if not wanted or not secrets.compare_digest(wanted, given):
            raise NotAllowed("wrong_code", "this is not the code that the service printed when it started")
        return key

    async def logout(self, session: str) -> None:
        """End a session."""
        await self.run(self.accounts.end, session)
        await self._tell_ended()

    async def make_account(self, name: object, role: object, password: object, address: str) -> Account:
        """Make an account; see ``Accounts.make``."""
        account = await self.run(self.accounts.make, name, role, password)
        await self.act("account_made", address, {"name": account.name, "role": account.role})
        return account

    async def change_account(self, name: str, change: Mapping[str, Any], address: str) -> None:
        """Change or close an account; see ``Accounts.change``."""
        role, password, closed = change.get("role"), change.get("password"), change.get("closed") is True
        await self.run(self.accounts.change, name, role, password, closed)
        await self._tell_ended()
        told = {"role": role} if role is not None else {}
        told |= {"password": True} if password is not None else {}
        await self.act("account_closed" if closed else "account_changed", address, {"name": name, **told})

    # tables

    async def table(self, shown: str) -> Device | None:
        """Return the table whose secret is shown; None: nobody's."""
        return await self._tables.who(shown) if shown else None

    def table_at_hand(self, shown: str) -> Device | None:
        """Return the table whose secret is shown, if it is known without looking it up."""
        return self._tables.at_hand(shown)

    @property
    def tables_mark(self) -> object | None:
        """Another object whenever a device may have been admitted, withdrawn or changed; None: ask for it again."""
        return self._tables.mark

    def forget_tables(self) -> None:
        """Look for every device again: one was admitted, withdrawn or changed."""
        self._tables.forget()
        for call in tuple(self.on_tables):
            call()

    async def _tell_ended(self) -> None:
        self.forget_sessions()
        await self.run(self._database.tell, [["sessions"]])

    def forget_sessions(self) -> None:
        """Look for every session again: some may have ended."""
        self._ends += 1
        self._actors.clear()
        for call in tuple(self.on_ended):
            call()

    # all

    async def act(self, what: str, address: str, body: Mapping[str, Any]) -> None:
        """Record what is done now by who asks."""
        await self.run(self.acts.add, ACTOR.get(), address, what, body)

    def _count(self, name: str, address: str) -> str:
        """Count a try as wrong before it is looked at, so that many at once save none; return the address' key."""
        now, key = time.monotonic(), address_key(address)
        wait = max(self._addresses.wait(key, now), self._names.wait(name.casefold(), now))
        if wait > 0:
            seconds = int(wait) + 1
            raise TooMany("too_many", f"too many wrong tries; wait {seconds} seconds", seconds=seconds)
        self._addresses.count(key, now)
        self._names.count(name.casefold(), now)
        return key

    async def _remembered(self, session: str) -> Actor | None:
        at, found = self._actors.get(session, (float("-inf"), None))
        if time.monotonic() - at < _REMEMBERED_S:
            return found
        ends = self._ends
        found = await asyncio.to_thread(self.accounts.who, session[:200])
        if len(self._actors) >= _MOST:
            self._actors.clear()
        if found is not None and ends == self._ends:  # else it may have ended while it was looked for
            self._actors[session] = (time.monotonic(), found)
        else:
            self._actors.pop(session, None)
        return found


def _code() -> str:
    return f"{secrets.randbelow(10**8):08d}"

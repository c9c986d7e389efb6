"""Store the events of many tables in one transaction: what comes while the disk writes goes with the next one."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from kiosk.director.key import ListKey
from kiosk.director.refusals import DirectorError, NotAnEvent, StoreFailed
from kiosk.director.storage.store import Append, Store, StreamPosition
from kiosk.director.storage.threads import Threads

log = logging.getLogger(__name__)

#: Messages in one transaction at most, so that the first of them does not wait for long.
_MOST = 256


#: Called with where a table's list stands then, or why its message is refused; None: the service ends.
Done: TypeAlias = Callable[[StreamPosition | DirectorError | None], None]

#: What a table has sent, and who waits for the answer.
_Asked: TypeAlias = tuple[Append, Done]


class GroupCommit:
    """Appends to the store, on disk when it answers. Lives on the event loop."""

    def __init__(self, store: Store, threads: Threads) -> None:
        self._store, self._threads = store, threads
        self._waiting: list[_Asked] = []
        self._writes = False

    async def append(self, key: ListKey, after: int, chain: str, events: Sequence[Mapping[str, Any]]) -> StreamPosition:
        """Store a table's events; see ``Store.append``."""
        answer: asyncio.Future[StreamPosition] = asyncio.get_running_loop().create_future()

        def done(result: StreamPosition | DirectorError | None) -> None:
            if answer.done():  # whoever asked has gone
                return
            if result is None:
                answer.cancel()
            elif isinstance(result, Exception):
                answer.set_exception(result)
            else:
                answer.set_result(result)

        self.put(Append(key, after, chain, events), done)
        return await answer

    def put(self, sent: Append, done: Done) -> None:
        """Store a table's events, and call ``done`` on the event loop then: no task waits for it."""
        self._waiting.append((sent, done))
        if not self._writes:
            self._writes = True
            asyncio.get_running_loop().call_soon(self._write)

    def _write(self) -> None:
        batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
        self._writes = bool(batch)
        if not batch:
            return
        try:
            self._threads.writing(self._stored_all, batch, self._answer)
        except RuntimeError:  # the service ends
            ended, self._waiting, self._writes = [*batch, *self._waiting], [], False
            for _, done in ended:
                done(None)

    def _answer(self, batch: Sequence[_Asked], results: Sequence[StreamPosition | DirectorError]) -> None:
        self._write()  # the disk goes on while what is stored is folded
        for (sent, done), result in zip(batch, results, strict=True):
            try:
                done(result)
            except Exception:  # one table must not hold up the others
                log.exception("%s: what was stored could not be taken in", sent.key)

    def _stored_all(self, batch: Sequence[_Asked]) -> Sequence[StreamPosition | DirectorError]:
        return self._stored([one for one, _ in batch])

    def _stored(self, batch: list[Append]) -> Sequence[StreamPosition | DirectorError]:
        try:
            return self._store.append_all(batch)
        except StoreFailed as error:
            return [error] * len(batch)
        except Exception as error:  # what nobody thought of in one message must not hold up the other tables
            if len(batch) == 1:
                log.exception("%s: its message could not be stored", batch[0].key)
                return [NotAnEvent(f"{batch[0].key}: the message could not be stored: {error!r}")]
            return [result for one in batch for result in self._stored([one])]

"""Have lists folded by processes beside the service: at the first start of a version that folds otherwise, all are.

One process folds a thousand whole lists in a minute and a half, and the service has more to do then. What they make is
kept in the database, and taken from there in a tenth of the time.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import kiosk
from kiosk.director.key import ListKey

log = logging.getLogger(__name__)

#: What such a process runs.
MODULE = "kiosk.director.tables.fold_process"

#: Processes at most, so that a small machine's memory lasts; one processor is the service's own.
_MOST = 3

#: Lists that a process is given at a time.
_SOME = 4


class FoldBeside:
    """The lists that are folded beside the service. Lives on the event loop.

    :param url: of the database.
    :param changed: called whenever fewer are.
    """

    def __init__(self, url: str, changed: Callable[[], None]) -> None:
        self._url, self._changed = url, changed
        self._waiting: dict[ListKey, None] = {}  # no process has begun with them
        self._begun: set[ListKey] = set()

    def __contains__(self, key: ListKey) -> bool:
        return key in self._waiting or key in self._begun

    def give(self, keys: Iterable[ListKey]) -> None:
        """Give lists to be folded, in this order."""
        self._waiting |= dict.fromkeys(keys)

    def take_back(self, key: ListKey | None = None) -> ListKey | None:
        """Take a list back with which nobody has begun, by default the last one; None: there is none."""
        if key is None:
            return self._waiting.popitem()[0] if self._waiting else None
        if key not in self._waiting:
            return None
        del self._waiting[key]
        self._changed()
        return key

    async def work(self) -> None:
        """Fold what was given; what cannot be is taken back. Cancelling ends the processes."""
        many = min(max(1, min(_MOST, (os.cpu_count() or 1) - 1)), -(-len(self._waiting) // _SOME))
        try:
            await asyncio.gather(*(self._in_process() for _ in range(many)))
        except OSError as error:
            log.error("no process can be started to fold lists beside; the service folds them itself: %s", error)
        finally:
            self._waiting.clear()
            self._changed()

    async def _in_process(self) -> None:
        ours = str(Path(next(iter(kiosk.__path__))).parent)
        path = os.pathsep.join([ours, *filter(None, [os.environ.get("PYTHONPATH")])])
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", MODULE),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert process.stdin is not None and process.stdout is not None
        some: list[ListKey] = []
        try:
            process.stdin.write(json.dumps(self._url).encode() + b"\n")
            while self._waiting:
                some = [self._next() for _ in range(min(_SOME, len(self._waiting)))]
                process.stdin.write(json.dumps([key.parts for key in some]).encode() + b"\n")
                if not await process.stdout.readline():
                    log.error("the process that folds lists beside has ended; the service folds them itself")
                    break
                self._end(some)
        finally:
            self._end(some)
            process.stdin.close()
            if process.returncode is None:
                process.kill()
            ended = asyncio.gather(process.stdout.read(), process.wait())
            while not ended.done():  # whoever has no patience has a killed process to wait for
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.shield(ended)

    def _next(self) -> ListKey:
        key = next(iter(self._waiting))
        del self._waiting[key]
        self._begun.add(key)
        return key

    def _end(self, some: Iterable[ListKey]) -> None:
        self._begun.difference_update(some)
        self._changed()

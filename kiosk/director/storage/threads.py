"""Run the store's calls and the folding of lists in threads, away from the event loop."""

import asyncio
import contextlib
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

Value = TypeVar("Value")
Given = TypeVar("Given")


class Threads:
    """The director's threads: some wait for the disk, one of them writes what tables send, one folds."""

    def __init__(self) -> None:
        self._disk = ThreadPoolExecutor(4, thread_name_prefix="store")
        self._writes: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._writer = Thread(target=self._write_forever, name="write", daemon=True)
        self._ended = False
        self._writer.start()
        self._fold = ThreadPoolExecutor(1, thread_name_prefix="fold")

    async def on_disk(self, call: Callable[..., Value], *args: Any) -> Value:
        """Run a call of the store and return its answer."""
        return await asyncio.get_running_loop().run_in_executor(self._disk, _in_context(call, *args))

    def writing(self, call: Callable[[Given], Value], given: Given, done: Callable[[Given, Value], None]) -> None:
        """Run a call of the store that raises nothing, and then ``done`` on the event loop, with what it answered.

        It is done some ten times a second: a future for it costs as much as the call itself.

        :raises RuntimeError: the threads have ended.
        """
        if self._ended:
            raise RuntimeError("the threads have ended")
        loop = asyncio.get_running_loop()

        def write() -> None:
            answer = call(given)
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile: nobody waits
                loop.call_soon_threadsafe(done, given, answer)

        self._writes.put(write)

    def _write_forever(self) -> None:
        while (write := self._writes.get()) is not None:
            write()

    async def folding(self, call: Callable[..., Value], *args: Any) -> Value:
        """Run work on the copies in turn with the folding."""
        return await asyncio.get_running_loop().run_in_executor(self._fold, _in_context(call, *args))

    def stop(self) -> None:
        """End all threads once they have done what they do now."""
        self._fold.shutdown(wait=True, cancel_futures=True)
        self._ended = True
        self._writes.put(None)
        self._writer.join()
        self._disk.shutdown(wait=True, cancel_futures=True)


def _in_context(call: Callable[..., Value], *args: Any) -> Callable[[], Value]:
    """The call as the request's own: the store notes who asks (``storage.actor``)."""
    return partial(contextvars.copy_context().run, partial(call, *args))

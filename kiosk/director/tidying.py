"""Keep Python's full collections of dead objects away from tables and pages.

A thousand folded lists are millions of objects, and looking through them all holds everything up for seconds. They
refer to each other in no circles, so each goes as soon as nobody refers to it; what connections leave may wait.
"""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

#: Seconds from one full collection to the next, at least.
EVERY_S = 600.0

#: MB by which memory may have grown since the last full collection before one is made though tables play.
GROWN_MB = 200.0

#: Objects that are made before the youngest are looked through; Python's own 700 cost a tenth of all time in a hall.
_YOUNG = 10_000

_NEVER = 1_000_000


class Tidying:
    """Full collections, when nobody waits. Lives on the event loop.

    :param memory: MB that the process holds.
    """

    def __init__(self, memory: Callable[[], float] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._memory, self._now = memory or held_mb, now
        self._at, self._held = now(), self._memory()

    def begin(self) -> None:
        """Put off full collections from now on."""
        gc.set_threshold(_YOUNG, gc.get_threshold()[1], _NEVER)

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Look for nothing that is dead while millions of objects are made of which none is; leave them out then."""
        gc.disable()
        try:
            yield
        finally:
            gc.freeze()
            gc.enable()

    def tidy(self, quiet: bool) -> bool:
        """Collect what is dead if it is time; else only leave out what stands, from the next look on.

        :param quiet: no table has sent anything for a while.
        :returns: whether all was looked through.
        """
        due = self._now() - self._at >= EVERY_S
        all_ = due and (quiet or self._memory() - self._held >= GROWN_MB)
        if all_:
            gc.unfreeze()
        gc.collect(2 if all_ else 1)
        gc.freeze()
        if all_:
            self._at, self._held = self._now(), self._memory()
        return all_


def held_mb() -> float:
    """Return the memory that this process holds, MB; 0 where the system does not say."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1000
    except OSError:
        pass
    return 0.0

"""Start jobs beside the loop that owns the table: what waits for a disk, a network or another process."""

import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

log = logging.getLogger(__name__)

Job: TypeAlias = Callable[[], None]

#: Starts a job; tests run it at once.
StartJob: TypeAlias = Callable[[Job], None]


def in_thread(job: Job) -> None:
    """Start a job in a thread of its own, which ends with the process."""
    threading.Thread(target=job, name="job", daemon=True).start()


class InTurn:
    """Runs jobs one after another in a thread of its own, which ends with the process; calls start one.

    :param most: jobs that wait at most; where they are slower than what brings them, the newest are left out.
    """

    def __init__(self, name: str, most: int) -> None:
        self._name, self._jobs = name, queue.Queue[Job](most)
        self._thread: threading.Thread | None = None

    def __call__(self, job: Job) -> None:
        with suppress(queue.Full):
            self._jobs.put_nowait(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """Wait until all jobs are done."""
        self._jobs.join()

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                job()
            except Exception:
                log.exception("a job of %s failed", self._name)
            finally:
                self._jobs.task_done()

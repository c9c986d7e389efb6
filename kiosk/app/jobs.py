"""Start jobs beside the loop that owns the table: what waits for a disk, a network or another process."""

import threading
from collections.abc import Callable
from typing import TypeAlias

Job: TypeAlias = Callable[[], None]

#: Starts a job; tests run it at once.
StartJob: TypeAlias = Callable[[Job], None]


def in_thread(job: Job) -> None:
    """Start a job in a thread of its own, which ends with the process."""
    threading.Thread(target=job, name="job", daemon=True).start()

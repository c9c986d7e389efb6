"""Tell a process that is slow to answer from one that hangs: who works uses processor time."""

import os
from pathlib import Path

#: A silence may be so many times as long while its process works; then it goes round in circles.
WHILE_WORKING = 10


class Silence:
    """A silence from its beginning on; times are in seconds.

    :param patience: a process that was idle for so long hangs.
    :param spent: processor time that it has used so far.
    """

    def __init__(self, patience: float, now: float, spent: float) -> None:
        self._patience = patience
        self._began = self._worked = now
        self._spent = spent

    def hangs(self, now: float, spent: float) -> bool:
        """Report whether the process counts as hung."""
        if spent > self._spent:
            self._worked, self._spent = now, spent
        return now - self._worked >= self._patience or now - self._began >= WHILE_WORKING * self._patience


def processor_s(pid: int | None) -> float:
    """Read the processor time that the main thread of a process has used; 0 if there is none any more.

    Its other threads may well go on while it hangs (proc_pid_stat(5)).
    """
    try:
        words = Path(f"/proc/{pid}/task/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

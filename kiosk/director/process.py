"""Start the director as a process of its own. What it serves is loaded there, and not by who starts it."""

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from kiosk.director.refusals import DirectorError

log = logging.getLogger(__name__)

#: The line on standard output that says that tables and pages may come; the address follows.
READY = "director ready:"
#: The line on standard output that holds the code for the first account.
FIRST_CODE = "code for the first account:"


class DirectorProcess:
    """The director as a process of its own, ``stichwart director …``, ready when this returns.

    :param arguments: as on the command line after ``director``; a port of 0 takes a free one.
    :param within: a module, with its arguments, that runs it.
    :raises DirectorError: it ended at once, or was not ready within ``patience`` seconds.
    """

    def __init__(
        self,
        arguments: Sequence[str | Path],
        patience: float = 120.0,
        log_file: Path | None = None,
        within: Sequence[str | Path] = (),
    ) -> None:
        errors = open(log_file, "ab") if log_file is not None else None  # noqa: SIM115 - the process keeps it
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *map(str, within), "kiosk.cli", "director", "--leashed", *map(str, arguments)],
                stdin=subprocess.PIPE,  # closed with this process, however that ends
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        finally:
            if errors is not None:
                errors.close()
        self.url = ""
        self.first_code = ""  # makes the first account, as long as there is none
        self._said = threading.Event()
        self._listening = threading.Thread(target=self._listen, name="director-said", daemon=True)
        self._listening.start()
        if not self._said.wait(patience) or not self.url:
            self.stop()
            where = f"; see {log_file}" if log_file is not None else ""
            raise DirectorError(f"the director did not start (exit status {self._process.returncode}){where}")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as said:
            for line in said:
                if line.startswith(READY):
                    self.url = line.removeprefix(READY).strip()
                    self._said.set()
                elif line.startswith(FIRST_CODE) and not self.first_code:
                    self.first_code = "".join(line.removeprefix(FIRST_CODE).split()[:2])
        self._said.set()

    @property
    def pid(self) -> int:
        """Its process number."""
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.poll()

    def stop(self, patience: float = 10.0) -> None:
        """Stop it as systemd would, and by force if it does not end."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(patience)
            except subprocess.TimeoutExpired:
                log.error("the director did not end within %s seconds and is killed", patience)
                self._process.kill()
                self._process.wait()
        self._listening.join(patience)  # its output ends with it
        if self._process.stdin is not None:
            self._process.stdin.close()

    def __enter__(self) -> "DirectorProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

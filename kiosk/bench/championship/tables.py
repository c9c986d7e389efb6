"""Switch the hall's tables on and off, each a process, and hear what they tell."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kiosk.table.events.log_file import LogFile

_CODE = re.compile(r"code for the direction's page: (\S{4} \S{4})")


class TableProcess:
    """A table's device: its process, its folder, what it said.

    :param configuration: text of its file.
    :param arguments: what its module is given besides that file.
    """

    #: What the process runs.
    module = "kiosk.bench.championship.table"

    def __init__(self, folder: Path, configuration: str, table: int, *arguments: str) -> None:
        folder.mkdir(parents=True)
        self.folder, self.table = folder, table
        self.said: list[list[Any]] = []
        self.log = folder / "table.log"
        file = folder / "table.toml"
        file.write_text(configuration)
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", self.module, str(file), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        threading.Thread(target=self._listen, name=f"table {table}", daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(json.loads(line))

    def command(self, *what: object) -> None:
        """Tell its people something; a table that is dead hears nothing."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()
        except OSError:
            if self._process.poll() is None:
                raise

    def has_said(self, *what: object) -> bool:
        """Whether it has told so, or more of the same kind after it."""
        return any(one[0] == what[0] and tuple(one[1:]) >= tuple(what[1:]) for one in list(self.said))

    @property
    def code(self) -> str:
        """The code that it shows, "" while it shows none."""
        found = _CODE.findall(self.log.read_text())
        return str(found[-1]) if found else ""

    def kill(self) -> None:
        """Take its power away."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Switch it off."""
        if self._process.poll() is None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()

    def lists(self) -> Mapping[int, list[Any]]:
        """Read the events of each round from its disk."""
        with LogFile(self.folder / "data" / "table.sqlite") as file:
            found = {
                number: [body for _, body in file.log(tournament, table, number).read()]
                for tournament, table, number in file.logs()
            }
        return {number: events for number, events in found.items() if events}


def directed(folder: Path, url: str, tournament: str, table: int) -> str:
    """Write the file of a table that knows its direction; it has neither camera nor pins."""
    return (
        f"table = {table}\ndata = {json.dumps(str(folder / 'data'))}\n"
        f"[director]\nurl = {json.dumps(url)}\ntournament = {json.dumps(tournament, ensure_ascii=False)}\n"
        '[deck]\nname = "by-hand"\n[pins]\ndisplay = "none"\n[recordings]\nkeep = false\n'
    )


def command_all(tables: Iterable[TableProcess], *what: object) -> None:
    """Tell the people of all these tables the same."""
    for table in tables:
        table.command(*what)

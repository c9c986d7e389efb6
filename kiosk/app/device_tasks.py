"""Do what the direction asks of the device itself: start the program or the machine again, send a log for the maker."""

import dataclasses
import json
import logging
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from kiosk.app.config import TableConfig
from kiosk.app.desk import Desk
from kiosk.app.jobs import StartJob, in_thread
from kiosk.app.kept_seating import KEPT
from kiosk.release.log_bundle import make_log_bundle
from kiosk.sync.state import DeviceTask
from kiosk.sync.trust import trust
from kiosk.table.events.log import LogError
from kiosk.table.events.log_file import LogFile

log = logging.getLogger(__name__)

#: What can be asked of a device whose program systemd starts again.
TASKS = ("restart", "reboot", "log")

#: Keys of events and files behind which people, clubs and tournaments are named.
_NAMING = ("players", "name", "names", "tournament", "actor", "text", "by", "club")


def tasks() -> tuple[str, ...]:
    """Return what can be asked of this device: nothing where nobody would start the program again."""
    return TASKS if os.environ.get("INVOCATION_ID") else ()


class DeviceTasks(Desk):
    """Carries out tasks; told of them in the loop that owns the table.

    :param machine: what is told of the machine.
    :param end: ends the program in good order; systemd starts it again.
    :param run: starts a job beside the loop.
    """

    hears = (DeviceTask,)

    def __init__(
        self,
        config: TableConfig,
        machine: Callable[[], Mapping[str, Any]],
        *,
        end: Callable[[], None] = lambda: os.kill(os.getpid(), signal.SIGTERM),
        run: StartJob = in_thread,
    ) -> None:
        self._config, self._machine, self._end, self._run = config, machine, end, run

    def heard(self, task: DeviceTask) -> None:
        """Carry a task out."""
        log.warning("the direction asks: %s", task.what)
        if task.what == "restart":
            self._end()
        elif task.what == "reboot":
            self._run(_reboot)
        elif task.what == "log":
            machine = dict(self._machine())
            self._run(lambda: self._send_log(task, machine))

    def _send_log(self, task: DeviceTask, machine: Mapping[str, Any]) -> None:
        try:
            made = make_log_bundle(names_here(self._config), dataclasses.asdict(self._config), machine)
            with httpx.Client(verify=trust(task.authority), trust_env=False, timeout=60) as http:
                http.post(task.url, headers=dict(task.headers), content=made).raise_for_status()
        except (OSError, LogError, httpx.HTTPError) as error:
            log.error("the log for the maker was not sent: %s", error)


def _reboot() -> None:
    """systemd/polkit.rules lets the services' user do this."""
    done = subprocess.run(["systemctl", "reboot"], capture_output=True, text=True, timeout=30, check=False)
    if done.returncode:
        log.error("the machine does not start again: %s", done.stderr.strip())


def names_here(config: TableConfig) -> set[str]:
    """List the names of people, clubs and tournaments that this table knows: of its lists, its file, its seats.

    :raises LogError: the lists cannot be read.
    """
    found = set(_named({"tournament": config.director.tournament, "players": list(config.round.players)}))
    with suppress(OSError, ValueError):
        found |= set(_named(json.loads((config.data / KEPT).read_text(encoding="utf-8"))))
    path = config.data / "table.sqlite"
    if path.exists():
        found |= _of_lists(path)
    return {name for name in found if name.strip()}


def _of_lists(path: Path) -> set[str]:
    found: set[str] = set()
    with LogFile(path) as file:
        for tournament, table, number in file.logs():
            found.add(tournament)
            for _, body in file.log(tournament, table, number).read():
                found |= set(_named(body))
    return found


def _named(value: object, naming: bool = False) -> Iterator[str]:
    """The texts behind the keys that name somebody, however deep."""
    if isinstance(value, str):
        if naming:
            yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _named(inner, naming or key in _NAMING)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _named(inner, naming)

"""Bring a table through the direction's door: by the secret in its data folder, else by a code that it shows."""

import logging
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from kiosk.app.config import NOT_NUMBERED, DirectorLine, TableConfig
from kiosk.app.desk import Desk
from kiosk.app.version import version
from kiosk.sync.door import Door, keep_door, new_door, read_door, replaces, trace
from kiosk.sync.enrolling import Enroller, Enrolling
from kiosk.sync.state import LineState, OtherDirectors, RulingsAllowed

log = logging.getLogger(__name__)

#: The tournament of a file that says nothing of it: the direction does.
UNSAID = DirectorLine().tournament

#: Exit status of a table that was given its number: it starts anew with it.
ANEW = 75


def through_door(config: TableConfig) -> tuple[TableConfig, bool]:
    """Return the configuration with the secret and number that the direction knows, and whether rulings are allowed.

    A secret in the file counts first, unless the direction has turned it away and admitted this device since.
    """
    director = config.director
    door = read_door(config.data, director.url) if director.url else None
    if door is None or door.table is None or not replaces(door, director.token):
        return config, False
    if door.table != config.table:
        log.info("the direction has made this table %d, the file says %d", door.table, config.table)
    admitted = replace(
        director,
        token=door.shown,
        url=door.to or director.url,
        authority=door.authority,
        tournament=(door.tournament if director.tournament == UNSAID else "") or director.tournament,
    )
    return replace(config, table=door.table, director=admitted), door.rulings


def keep_rulings(config: TableConfig, allowed: bool) -> None:
    """Keep beside the secret whether rulings are allowed on this screen: it counts while the direction is away."""
    _keep(config, lambda door: replace(door, rulings=allowed))


def keep_others(config: TableConfig, urls: Sequence[str]) -> None:
    """Keep beside the secret where other directors are: they count while the table's own is away."""
    _keep(config, lambda door: replace(door, others=list(urls)))


def other_directors(config: TableConfig) -> Sequence[str]:
    """Return where other directors were when one was there last."""
    door = read_door(config.data, config.director.url) if config.director.url else None
    return door.others if door is not None and door.shown == config.director.token else ()


def _keep(config: TableConfig, change: Callable[[Door], Door]) -> None:
    door = read_door(config.data, config.director.url)
    if door is None or door.shown != config.director.token:
        return
    changed = change(door)
    if changed == door:
        return
    try:
        keep_door(config.data, changed)
    except OSError as error:
        log.error("what the direction says of this table is not kept: %s", error)


class SaidAtTheDoor(Desk):
    """Keeps what the direction says beside the secret."""

    hears = (RulingsAllowed, OtherDirectors)

    def __init__(self, config: TableConfig) -> None:
        self._config = config

    def heard(self, message: RulingsAllowed | OtherDirectors) -> None:
        """Keep whether a referee may rule here, or where other directors are."""
        if isinstance(message, RulingsAllowed):
            keep_rulings(self._config, message.allowed)
        else:
            keep_others(self._config, message.urls)


class Doorstep(Desk):
    """Asks the direction to admit this device, as long as it does not know it or shows another certificate.

    :param deliver: called from a thread with each ``Enrolling``.
    """

    hears = (LineState,)

    def __init__(self, config: TableConfig, deliver: Callable[[Enrolling], None]) -> None:
        self._config, self._deliver = config, deliver
        self._enroller: Enroller | None = None
        self._unsent = 0  # events that the direction does not have, as far as known

    def heard(self, line: LineState) -> None:
        """Take how the line stands: turned away it asks, let in again it does not."""
        self._unsent = max(0, line.waiting)
        if line.trouble in ("token", "certificate"):
            self.ask(changed=line.trouble == "certificate")
        elif line.connected and not line.trouble and self._enroller is not None:
            self._enroller.stop(wait=0)
            self._enroller = None
            self._deliver(Enrolling("", self._config.director.url, over=True))

    def ask(self, changed: bool = False) -> None:
        """Begin to ask; asked for twice, it goes on.

        :param changed: this table knows the direction by another certificate.
        """
        if self._enroller is not None:
            return
        config, director = self._config, self._config.director
        told: dict[str, object] = {"table": config.table} if config.table != NOT_NUMBERED else {}
        told |= {"seats": config.mat.seats, "source": config.camera.source, "version": version()}
        told |= {"unsent": self._unsent} if self._unsent else {}
        door = read_door(config.data, director.url)
        ours = door is not None and door.shown == director.token
        instead = door.instead if door is not None and ours else trace(director.token)
        new = new_door(door.url if door is not None else director.url, instead)  # what was encrypted stays so
        self._enroller = Enroller(director.url, config.data, told, self._deliver, new, changed).start()

    def turn_to(self, director: DirectorLine) -> None:
        """Ask this direction instead; one without an address: nobody."""
        if self._enroller is not None:
            self._enroller.stop(wait=0)
            self._enroller = None
            self._deliver(Enrolling("", self._config.director.url, over=True))
        self._config = replace(self._config, director=director)
        if director.url:
            self.ask()

    def stop(self) -> None:
        """End."""
        if self._enroller is not None:
            self._enroller.stop()


def start_anew() -> None:
    """Start this program anew in place of this process: it has another number now."""
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])

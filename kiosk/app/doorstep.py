"""Bring a table through the direction's door: by the secret in its data folder, else by a code that it shows."""

import logging
import os
import sys
from collections.abc import Callable
from dataclasses import replace

from kiosk.app.config import TableConfig
from kiosk.sync.door import keep_door, read_door, replaces, trace
from kiosk.sync.enrolling import Enroller, Enrolling

log = logging.getLogger(__name__)

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
    return replace(config, table=door.table, director=replace(director, token=door.shown)), door.rulings


def keep_rulings(config: TableConfig, allowed: bool) -> None:
    """Keep beside the secret whether rulings are allowed on this screen: it counts while the direction is away."""
    door = read_door(config.data, config.director.url)
    if door is None or door.rulings == allowed or door.shown != config.director.token:
        return
    try:
        keep_door(config.data, replace(door, rulings=allowed))
    except OSError as error:
        log.error("whether rulings are allowed here is not kept: %s", error)


def ask_to_enter(config: TableConfig, deliver: Callable[[Enrolling], None]) -> Enroller:
    """Ask the direction to admit this device, in a thread."""
    told = {"table": config.table, "seats": config.mat.seats, "camera": config.camera.source, "version": _version()}
    director = config.director
    door = read_door(config.data, director.url)
    withdrawn = door is not None and door.shown == director.token
    instead = door.instead if door is not None and withdrawn else trace(director.token)
    return Enroller(director.url, config.data, told, deliver, instead).start()


def start_anew() -> None:
    """Start this program anew in place of this process: it has another number now."""
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("stichwart")
    except PackageNotFoundError:
        return ""

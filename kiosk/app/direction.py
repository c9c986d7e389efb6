"""Run the director's service: configuration, store, page and systemd. Nothing of the table's is loaded for it."""

import logging
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import time
from pathlib import Path

import sqlalchemy as sa
from fastapi import FastAPI

from hw.hotspot import NetworkManagerHotspot
from hw.stick import UdisksSticks
from hw.wall_clock import TimedateClock
from kiosk.app.clubs import club_folder, database_of, load_clubs
from kiosk.app.config import DirectorConfig, load_director
from kiosk.app.rival import watch_for_rivals
from kiosk.app.updating import installed, say_healthy
from kiosk.app.version import version
from kiosk.app.watchdog import Watchdog
from kiosk.director.access.schema import METADATA as ACCESS
from kiosk.director.access.schema import SAVED
from kiosk.director.saving.replacing import settle
from kiosk.director.saving.takeover import put_in_place
from kiosk.director.serve import serve
from kiosk.director.settings import Own, Saving, Settings, Tls, is_exposed
from kiosk.director.storage.backup import CONFIGURATION, put_back
from kiosk.director.storage.database import METADATA
from kiosk.director.storage.store import Store
from kiosk.director.web.usual_port import handed_over
from kiosk.errors import KioskError
from kiosk.language.own_words import take_words
from kiosk.tournament.people import Person
from kiosk.tournament.tournament import Tournament, begin

log = logging.getLogger(__name__)

#: What a file says of the tournament; all else it says of its machine.
_OF_TOURNAMENT = ("tournament", "pin", "guests", "rules", "minutes", "rounds", "start", "day", "players", "options")


def run_director(
    path: Path | None,
    *,
    host: str | None,
    port: int | None,
    data: Path | None,
    new_code: bool = False,
    backup: Path | None = None,
) -> int:
    """Run the director's service until SIGTERM or Ctrl-C.

    :param new_code: print a code that makes another director's account: nobody knows a password any more.
    :param backup: is put into the database first, which must be empty.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it would tell of each question
    logging.getLogger("zeroconf").setLevel(logging.ERROR)  # it would tell of each address that is no way out
    own = load_director(path) if path is not None else DirectorConfig(tournament="turnier", host="127.0.0.1")
    for fault in take_words(own.words):
        log.warning("%s", fault.told("en"))
    folder, doors = _made(data or own.data), handed_over()
    watchdog = Watchdog(healthy=say_healthy("director"))
    again = True
    while again:
        _put_in_place(own, folder, folder / "tls")
        config = _continued(own, folder)
        clubs = _clubs(config, folder)
        settings = replace(
            _settings(config, folder, os.environ.get("STICHWART_DIRECTOR_PIN", config.pin)),
            host=host or config.host,
            port=config.port if port is None else port,
            new_code=new_code,
            tls=_tls(config, host or config.host, folder, tuple(name for club in clubs for name in club.names)),
            own=_own(path, folder),
            saving=None if clubs else Saving(sticks=UdisksSticks(), second=config.second_disk),
            clock=None if clubs else TimedateClock(),
            hotspot=None if clubs else NetworkManagerHotspot(),
            hotspot_password=config.hotspot_password,
        )
        if backup is not None:
            _restore(settings, folder / "tls", backup)
            backup = None
        again = serve(settings, lambda url: watchdog.ready(), watchdog.beat, clubs, doors, _watch(settings))
        if doors:
            break  # they are closed by now: systemd starts the service again, and hands them over
    watchdog.stopping()
    return 0


def _watch(settings: Settings) -> Callable[[FastAPI], Callable[[], None]] | None:
    """What looks for a second direction with the same authority; None: there may be several, or there is none."""
    return watch_for_rivals if settings.saving is not None and settings.database.startswith("sqlite") else None


def _put_in_place(config: DirectorConfig, folder: Path, tls: Path | None) -> None:
    """Go on with what was taken over from another machine, or put back, if anything was.

    :param tls: folder of the authority; None: of a club, which has none of its own.
    """
    url = database_of(config, folder)
    database = sa.make_url(url)
    if database.get_backend_name() == "sqlite":
        found = put_in_place(folder, Path(database.database or ""), tls)
    else:
        found = settle(folder, url, tls)
    if found:
        print("goes on with the tournament of another machine, or of a backup", flush=True)


def _continued(own: DirectorConfig, folder: Path) -> DirectorConfig:
    """This machine's file; of the tournament the file counts with which one was taken over from another machine."""
    taken = folder / CONFIGURATION
    if not taken.exists():
        return own
    log.warning("of the tournament %s counts: it was taken over. Delete it to have this machine's file count", taken)
    theirs = load_director(taken)
    return replace(own, **{key: getattr(theirs, key) for key in _OF_TOURNAMENT})


def _own(path: Path | None, folder: Path) -> Own:
    """What is kept beside the database; with it goes the file that says what the tournament is, for a third machine."""
    taken = folder / CONFIGURATION
    return Own(data=folder, configuration=taken if taken.exists() else path, check=_check)


def _check(path: Path) -> None:
    """Require that a service could start with a file.

    :raises KioskError: it could not.
    """
    _beginning(load_director(path))


def _clubs(config: DirectorConfig, folder: Path) -> list[Settings]:
    """The settings of the clubs that are held besides."""
    clubs = load_clubs(config.clubs, config, folder) if config.clubs is not None else {}
    return [
        _club(club, config.clubs / f"{name}.toml", _made(club_folder(folder, name)))
        for name, club in clubs.items()
        if config.clubs is not None
    ]


def _club(own: DirectorConfig, path: Path, folder: Path) -> Settings:
    """A club's settings; the authority is the service's."""
    _put_in_place(own, folder, None)
    config = _continued(own, folder)
    return replace(_settings(config, folder, config.pin), names=own.names, own=_own(path, folder))


def _restore(settings: Settings, tls: Path, backup: Path) -> None:
    """Put a backup into the service's database, and its authority beside it."""
    store = Store(settings.database)
    try:
        store.make(ACCESS)
        rows = put_back(store, (*METADATA.sorted_tables, *SAVED), tls, backup)
    finally:
        store.close()
    what = ", ".join(f"{count} {name}" for name, count in rows.items() if count)
    print(f"put back from {backup}: {what or 'nothing'}", flush=True)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KioskError(f"{folder}: the director's folder cannot be made: {error.strerror}; name another") from error
    return folder


def _settings(config: DirectorConfig, folder: Path, pin: str) -> Settings:
    """What a file says of its tournament and of who may come in."""
    if pin and not pin.startswith("$"):
        log.warning("pin stands in the file in plain text: replace the line by what 'stichwart director-pin' prints")
    if config.token:
        log.warning("token lets nobody in any more, each table has a secret of its own: delete the line")
    return Settings(
        tournament=config.tournament,
        database=database_of(config, folder),
        pin=pin,
        guests=config.guests,
        version=version(),
        releases=folder / "releases",
        installed=installed(),
        begins=_beginning(config),
    )


def _beginning(config: DirectorConfig) -> Tournament:
    """The tournament as a file describes it, before anything was noted of it."""
    return begin(
        config.tournament,
        rules=config.rules,
        options=config.options,
        rounds=config.rounds,
        minutes=config.minutes,
        start=time.fromisoformat(config.start) if config.start else None,
        day=config.day,
        people=[
            Person(name=player.name, substitute=player.substitute, number=player.number, club=player.club)
            for player in config.players
        ],
    )


def _tls(config: DirectorConfig, host: str, folder: Path, clubs: tuple[str, ...] = ()) -> Tls | None:
    """How the service encrypts; None: not at all, where only this machine comes or the file says so.

    :param clubs: names under which clubs are found.
    """
    exposed = is_exposed(host)
    if config.tls == "off" or (config.tls == "auto" and not exposed and config.certificate is None):
        if exposed:
            log.warning("tls is off: whoever listens in the hall's network reads passwords and secrets")
        return None
    names = config.names + clubs
    return Tls(folder=folder / "tls", certificate=config.certificate, key=config.certificate_key, names=names)

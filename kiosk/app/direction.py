"""Run the director's service: configuration, store, page and systemd. Nothing of the table's is loaded for it."""

import logging
import os
from datetime import time
from pathlib import Path

from kiosk.app.config import DirectorConfig, load_director
from kiosk.app.watchdog import Watchdog
from kiosk.director.serve import serve
from kiosk.director.settings import Settings
from kiosk.errors import KioskError
from kiosk.language.own_words import take_words
from kiosk.tournament.people import Person
from kiosk.tournament.tournament import begin

log = logging.getLogger(__name__)


def run_director(path: Path | None, *, host: str | None, port: int | None, data: Path | None) -> int:
    """Run the director's service until SIGTERM or Ctrl-C."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    config = load_director(path) if path is not None else DirectorConfig(tournament="turnier", host="127.0.0.1")
    for fault in take_words(config.words):
        log.warning("%s", fault.told("en"))
    folder = data or config.data
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KioskError(f"{folder}: the director's folder cannot be made: {error.strerror}; name another") from error
    watchdog = Watchdog()
    settings = Settings(
        tournament=config.tournament,
        database=config.database or f"sqlite:///{folder / 'director.sqlite'}",
        host=host or config.host,
        port=config.port if port is None else port,
        token=config.token,
        pin=os.environ.get("STICHWART_DIRECTOR_PIN", config.pin),
        begins=begin(
            config.tournament,
            rules=config.rules,
            options=config.options,
            rounds=config.rounds,
            minutes=config.minutes,
            start=time.fromisoformat(config.start) if config.start else None,
            day=config.day,
            people=[Person(name=player.name, substitute=player.substitute) for player in config.players],
        ),
    )
    if not settings.pin and settings.exposed:
        log.warning("no PIN is set: everybody in the network may press the buttons; put 'pin' into the configuration")
    if not settings.token and settings.exposed:
        log.warning(
            "no token is set: every device in the network is let in as a table; put 'token' into the configuration"
        )
    serve(settings, ready=lambda url: watchdog.ready(), beat=watchdog.beat)
    watchdog.stopping()
    return 0

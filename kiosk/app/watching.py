"""The camera's process at a table: its deck, its set-up, its films."""

import logging
import time
from collections.abc import Callable
from contextlib import ExitStack

from kiosk.app.config import TableConfig
from kiosk.app.confirm import Confirmer
from kiosk.app.deck_check_desk import DeckCheckDesk
from kiosk.app.decks import chosen_deck, fitting_deck
from kiosk.app.desk import Desk
from kiosk.app.kiosk import Kiosk
from kiosk.app.played_deck_desk import PlayedDeckDesk
from kiosk.app.recorder import Recorder
from kiosk.app.setup import QUIET, SetUp
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import RuleBook
from kiosk.table.recordings import Recordings
from kiosk.table.table import Table
from vision.deck.folder import default_folder
from vision.messages import Command, VisionSettings
from vision.service.process import VisionProcess

log = logging.getLogger(__name__)


def fit_deck(vision: VisionProcess, name: str, book: RuleBook) -> None:
    """Make the camera use a deck that has the book's cards: the direction may have chosen another book."""
    deck = fitting_deck(book, name, vision.settings.deck_folder)
    if deck is None:
        log.warning("no deck in %s has the cards of %s; it is learned in play", vision.settings.deck_folder, book.name)
        vision.expect(tuple(dict.fromkeys(book.deck)))
        if vision.settings.deck:
            vision.forget_deck()
    elif deck != vision.settings.deck:
        log.warning("the deck %r has not all cards of %s; %r has", vision.settings.deck, book.name, deck)
        vision.take_deck(deck)


def set_up(vision: VisionProcess, kiosk: Kiosk, configured: str, *, teachable: bool = True) -> SetUp:
    """Build the set-up of this table: look through the camera, teach a deck, choose one; and have decks checked."""

    def book() -> RuleBook | None:
        if kiosk.table is not None:
            return kiosk.table.round.book
        screen = kiosk.outputs.screen
        return BOOKS.get(screen.rules) if screen is not None else None  # as people see it who sit down

    kiosk.add(DeckCheckDesk(kiosk.outputs, lambda: kiosk.phase is None or kiosk.phase in QUIET, book, vision.send))
    return SetUp(
        vision,
        lambda: kiosk.outputs.screen,
        folder=vision.settings.deck_folder or default_folder(),
        configured=configured,
        phase=lambda: kiosk.phase,
        language=lambda: kiosk.outputs.language,
        teachable=teachable,
        book=book,
        ring=kiosk.outputs.signal,
    )


def recordings_of(config: TableConfig) -> Recordings:
    """Return where this table keeps films and pictures."""
    kept = config.recordings
    return Recordings(config.data / "recordings", megabytes=kept.megabytes, days=kept.days)


def _keep_what_is_seen(config: TableConfig, kiosk: Kiosk, send: Callable[[Command], None]) -> None:
    """Have pictures kept, doubts filmed and certain cards confirmed, as far as the configuration wants it."""
    recordings = recordings_of(config)
    if config.recordings.keep:
        recorder = Recorder(recordings, send, kiosk.deliver, time.monotonic, lambda: kiosk.opener.tournament)
        kiosk.referee.on_call = kiosk.add(recorder).call
    else:
        recordings.begin("")  # what was kept before it was turned off goes
    if config.deck.improve:
        kiosk.add(Confirmer(send))


class _Fitting(Desk):
    """Has the camera use a deck of the book that is played."""

    def __init__(self, vision: VisionProcess, config: TableConfig) -> None:
        self._vision, self._config = vision, config

    def sit(self, table: Table) -> None:
        deck = chosen_deck(self._config.deck_folder, self._config.deck.name)
        fit_deck(self._vision, deck, table.round.book)


def watch_mat(config: TableConfig, kiosk: Kiosk, stack: ExitStack) -> VisionProcess:
    """Start the camera's process, and set it up on the screen; return it."""
    camera = config.camera
    deck = chosen_deck(config.deck_folder, config.deck.name)
    if not deck:
        log.warning("no deck %r in %s: one is learned in play", config.deck.name, config.deck_folder)
    vision = VisionProcess(
        VisionSettings(
            deck=deck,
            deck_folder=config.deck_folder,
            source=camera.source,
            size=(camera.width, camera.height),
            fps=camera.fps,
            paper=config.mat.paper,
            seats=config.mat.seats,
            recent=config.recordings.seconds if config.recordings.keep else 0.0,
            camera_file=config.data / "camera.json",
        ),
        kiosk.deliver,
    )
    _keep_what_is_seen(config, kiosk, vision.send)
    kiosk.rest.send = vision.send
    stack.enter_context(vision)

    kiosk.add(_Fitting(vision, config))
    kiosk.add(PlayedDeckDesk(vision, config.deck_folder, kiosk.outputs.notice))
    kiosk.add(set_up(vision, kiosk, config.deck.name))
    return vision

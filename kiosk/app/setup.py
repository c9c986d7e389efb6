"""Set a table up: the camera's picture with its faults, the lesson of a deck, the choice of a deck."""

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from kiosk.app.decks import choose_deck, faces_of, fitting_decks, new_name, read_by_indices
from kiosk.app.desk import Desk
from kiosk.language import say
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import RuleBook
from kiosk.ui.camera.camera_view import CameraView
from kiosk.ui.camera.set_up_requests import BeginLesson, ChooseDeck, SetCameraAnew, ShowCamera
from kiosk.ui.requests import ScreenRequest
from vision.deck.folder import deck_names
from vision.errors import DeckError
from vision.messages import AskSnapshot, CameraTrouble, Finding, LessonKey, LessonStep, Recalibrate, Snapshot, Teach
from vision.service.process import PROCESS, VisionProcess
from vision.teaching.packs import COPIES, FACES

log = logging.getLogger(__name__)

#: Seconds between two pictures, and after which one that did not come is asked for again.
PICTURE_INTERVAL_S, PICTURE_TIMEOUT_S = 0.2, 2.0
#: Seconds between two looks at the decks there are.
DECK_CHECK_INTERVAL_S = 1.0
#: Width of the picture in pixels.
PICTURE_WIDTH_PX = 800
#: Verdicts of the lesson at which somebody must do something.
WRONG = {"cut", "odd", "small", "blur", "glare", "flat", "down", "same", "other", "dark", "unfit"}
#: Phases of a table in which no game is running.
QUIET = {"waiting", "scored", "over"}


class SetUpScreen(Protocol):
    """What setting up calls on a screen, as ``kiosk.ui.app.KioskApp`` implements it."""

    def camera(self, view: CameraView) -> None: ...
    def lesson(self, step: LessonStep | None, bavarian: bool = False) -> None: ...
    def notice(self, kind: str, text: str) -> None: ...


class SetUp(Desk):
    """Answers the requests of the screens for camera, deck and lesson.

    :param phase: the table's phase, None while nobody sits there.
    :param book: the book that is played by now.
    :param teachable: False where the people at the table are simulated and could not show cards.
    :param ring: gives a signal.
    """

    hears = (Snapshot, LessonStep, CameraTrouble)

    def __init__(
        self,
        vision: VisionProcess,
        screen: Callable[[], SetUpScreen | None],
        *,
        folder: Path,
        configured: str,
        phase: Callable[[], str | None],
        book: Callable[[], RuleBook | None],
        ring: Callable[[str], None] = lambda pattern: None,
        language: Callable[[], str] = lambda: "de",
        teachable: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._vision, self._screen, self._folder, self._configured = vision, screen, folder, configured
        self._phase, self._book, self._ring, self._now = phase, book, ring, now
        self._teachable, self._language = teachable, language
        self._open = False
        self._look_at_decks = 0.0
        self._missing: bool | None = None
        self._asked_at: float | None = None  # of a picture that has not come yet
        self._due = 0.0
        self._teaching: str | None = None  # the deck's name while there is a lesson
        self._bavarian = False
        self._done = False
        self._told: tuple[int, str] = (0, "")
        self._fitting: tuple[object, tuple[str, ...]] = (None, ())

    @property
    def busy(self) -> bool:
        """Whether a deck is being taught."""
        return self._teaching is not None

    def takes(self, request: ScreenRequest) -> bool:
        """Carry out a request of setting up; return False if it is none."""
        match request:
            case ShowCamera(wanted):
                self._open = wanted
                self._asked_at, self._due = None, 0.0
            case SetCameraAnew():
                self._vision.send(Recalibrate())
            case ChooseDeck(name):
                self._go_by(name)
            case BeginLesson(faces=faces, with_back=with_back) if faces in FACES:
                self._begin(faces, with_back)
            case LessonKey(do="stop"):
                self._end()
            case LessonKey():
                self._done = False
                self._vision.send(request)
            case _:
                return False
        return True

    def beat(self) -> None:
        """Request the next picture while the view is open; check for a deck of the chosen book."""
        now = self._now()
        if now >= self._look_at_decks and self._phase() is None:
            self._look_at_decks = now + DECK_CHECK_INTERVAL_S
            self._tell_deck()
        if not self._open or self._teaching is not None:
            return
        waiting = self._asked_at is not None and now - self._asked_at < PICTURE_TIMEOUT_S
        if now >= self._due and not waiting:
            if self._asked_at is not None:
                silent = Finding("camera", True, self._vision.trouble_code)
                self._show(Snapshot(at=0.0, picture=b"", facts=(self._vision.trouble,), findings=(silent,)))
            self._asked_at, self._due = now, now + PICTURE_INTERVAL_S
            self._vision.send(AskSnapshot(width=PICTURE_WIDTH_PX))

    def _tell_deck(self) -> None:
        """Say while people sit down that no deck has the cards of their book, or that there is one."""
        book, screen = self._book(), self._screen()
        if book is None or screen is None:
            return
        missing = not read_by_indices(book) and not self._fitting_for(book, self._vision.settings.deck)
        if missing != self._missing:
            self._missing = missing
            screen.notice("deck", say("setup_notices", "no_deck", self._language()) if missing else "")

    def tell_again(self) -> None:
        """Say once more, in the language that is spoken now, whether a deck is missing."""
        if self._missing:
            self._missing = None
            self._tell_deck()

    def heard(self, message: Snapshot | LessonStep | CameraTrouble) -> None:
        """Process a message of the camera's process; a lesson ends with the process that gave it."""
        if isinstance(message, CameraTrouble):
            if message.code == PROCESS and not self._done:
                self._end()
        elif isinstance(message, Snapshot):
            self._asked_at = None
            if self._open and self._teaching is None:
                self._show(message)
        elif self._teaching is not None:
            self._step(message)

    def _show(self, shot: Snapshot) -> None:
        screen = self._screen()
        if screen is None:
            return
        book = self._book() or next(iter(BOOKS.values()))
        deck = self._vision.settings.deck
        fitting = self._fitting_for(book, deck)
        screen.camera(
            CameraView(
                picture=shot.picture,
                findings=shot.findings,
                cards=shot.cards,
                card_px=shot.card_px,
                deck=deck,
                decks=fitting,
                fits=deck in fitting,
                in_play=not fitting and read_by_indices(book),
                faces=faces_of(book),
                may_learn=self._may_learn,
                camera=shot.camera,
            )
        )

    def _fitting_for(self, book: RuleBook, deck: str) -> tuple[str, ...]:
        """The decks that fit; read from the disk only when there are others than before."""
        key = (book.name, deck_names(self._folder))
        if self._fitting[0] != key:
            self._fitting = key, fitting_decks(book, deck, self._folder)
        return self._fitting[1]

    @property
    def _may_learn(self) -> bool:
        phase = self._phase()
        return self._teachable and (phase is None or phase in QUIET)

    # --- decks

    def _go_by(self, name: str) -> None:
        """Go by this deck from now on."""
        try:
            self._vision.take_deck(name)
        except DeckError as error:
            log.error("%s", error)
            return
        choose_deck(self._folder, name)
        self._missing = None
        screen = self._screen()
        if screen is not None:
            screen.notice("deck", "")
            screen.notice("camera", "")

    def _begin(self, faces: str, with_back: bool) -> None:
        if not self._may_learn:
            return
        self._teaching = new_name(faces, self._configured, self._folder)
        self._bavarian, self._done, self._told = faces == "schafkopf", False, (0, "")
        self._fitting = (None, ())
        self._vision.send(Teach(name=self._teaching, labels=FACES[faces], copies=COPIES[faces], with_back=with_back))

    def _step(self, step: LessonStep) -> None:
        state = step.state
        self._done = state.verdict == "done"
        learned, verdict = len(state.learned), state.verdict
        if learned > self._told[0]:
            self._ring("taken")
        elif verdict != self._told[1] and verdict in WRONG:
            self._ring("wrong")
        self._told = learned, verdict
        screen = self._screen()
        if screen is not None:
            screen.lesson(step, self._bavarian)

    def _end(self) -> None:
        """Close the lesson; a finished deck is used from now on."""
        name, self._teaching = self._teaching, None
        if name is None:
            return
        self._vision.send(LessonKey(do="stop"))
        if self._done:
            self._go_by(name)
        self._asked_at, self._due = None, 0.0
        screen = self._screen()
        if screen is not None:
            screen.lesson(None)

"""Run vision in a process of its own: neither a camera driver's crash nor the interpreter's lock stops the screen.

The parent holds a ``VisionProcess``: messages are handed to its ``deliver``, commands go in by ``send``. A watchdog
starts the child again when it is dead or silent, and reports ``Blind`` meanwhile.

Simulated time. With a simulated camera (``VisionSettings.sim``) the parent's commands are the acts at the table; they
reach the recogniser only as pixels. Without ``speed`` the child works as fast as it can, but never beyond the time that
the parent has granted by ``advance``: send the acts, grant the time, read up to its tick (``SteppedVision.until``),
decide, and so on. All that was sent before a grant is done before the frames of that grant, so that the same commands
give the same reports. With ``speed`` the child paces itself, that many simulated seconds a second, and needs no grants.
"""

import logging
import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any, Self

from vision.deck.folder import deck_labels
from vision.errors import VisionError
from vision.mat.layout import MatLayout
from vision.messages import (
    Act,
    ActArgument,
    Blind,
    CameraTrouble,
    CardGone,
    CardLaid,
    Command,
    Expect,
    ForgetDeck,
    Grant,
    PlayedFaces,
    Stop,
    Tick,
    TrickTaken,
    VisionMessage,
    VisionSettings,
    WorkerStatus,
)
from vision.service.silence import Silence, processor_s

log = logging.getLogger(__name__)

#: Seconds without a sign of life or any work after which the child counts as hung. Its longest honest silence is the
#: reading of a full table (0.2 s; ten times that on a slow machine, and more where others take the processor).
SILENT_S = 10.0
#: The same while it starts.
STARTING_S = 40.0
#: Seconds of silence after which the child that holds a simulated table is given up: it cannot be begun anew.
SIM_PATIENCE_S = 600.0
#: Seconds of silence after which it is looked whether it works.
LOOK_S = 1.0
#: The child's processor time counts for less by this: a finger is answered first, a card read a little later.
NICENESS = 5
#: Seconds between two starts of the child.
RESTART_INTERVAL_S = 1.0
#: Code of the trouble that the child is gone or silent.
PROCESS = "process"


class VisionProcess:
    """The child and its watchdog, as the parent holds them; a context manager.

    ``trouble`` states why vision is blind, empty while it sees.

    :param deliver: called with each message, in order, from the thread that listens to the child; it must not block.
    :param silent_s: seconds of silence after which the child counts as hung, if not ``SILENT_S``.
    :raises DeckError: at ``start``, a deck that is missing or cannot be read
    """

    def __init__(
        self, settings: VisionSettings, deliver: Callable[[VisionMessage], None], silent_s: float | None = None
    ) -> None:
        self.settings, self._silent_s = settings, silent_s
        self._deliver = deliver
        self.trouble = self.trouble_code = ""
        self.restarts = 0
        self.silences: list[float] = []  # s, of a child that holds a simulated table and spoke again
        self.ended = False  # the source has come to its end, or cannot be had again
        self._lying: dict[int, CardLaid] = {}
        self._next_card = settings.first_card
        self._at = 0.0
        self._commands: Connection | None = None
        self._child: Any = None
        self._lock = threading.Lock()
        self._stopping, self._changed = threading.Event(), threading.Event()
        self._watch: threading.Thread | None = None

    def start(self) -> Self:
        """Start the child; returns at once, reports follow."""
        if self.settings.deck:
            deck_labels(self.settings.deck, self.settings.deck_folder, whole=True)
        self._begin()
        return self

    def _begin(self) -> None:
        words = self._spawn()
        self._watch = threading.Thread(target=self._run, args=(words,), name="vision watchdog", daemon=True)
        self._watch.start()

    def take_deck(self, name: str) -> None:
        """Go on with another deck: the child is restarted; no card on the mat is known then.

        :raises DeckError: a deck that is missing or cannot be read; the one before stays
        """
        deck_labels(name, self.settings.deck_folder, whole=True)
        self.settings = replace(self.settings, deck=name)
        if self.ended and self._watch is not None:  # a film starts again
            self._watch.join()
            self.ended = False
            self._troubled("")
            self._lying.clear()
            self._begin()
            return
        self._changed.set()
        self._end_child()

    def expect(self, faces: tuple[str, ...]) -> None:
        """Have cards of these labels read by their indices, as long as there is no deck."""
        self.settings = replace(self.settings, faces=faces)
        if not self.settings.deck:
            self.send(Expect(faces=faces))

    def forget_deck(self) -> None:
        """Have cards read by their indices again: the deck that was learned in play is not to be trusted."""
        self.settings = replace(self.settings, deck="")
        self.send(ForgetDeck(faces=self.settings.faces))

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """The child's process number, while there is one."""
        return self._child.pid if self._child is not None else None

    def send(self, command: Command) -> None:
        """Send a command to the child; lost if there is none for the moment."""
        with self._lock:
            if self._commands is None:
                return
            try:
                self._commands.send(command)
            except (BrokenPipeError, OSError):
                log.warning("vision is gone; %s is lost", type(command).__name__)

    def act(self, name: str, *arguments: ActArgument, **named: ActArgument) -> None:
        """Do something at the simulated table: ``act("lay", "HT", 2)``, ``act("collect", 3)``."""
        self.send(Act(name=name, arguments=arguments, named=named))

    def advance(self, until: float) -> None:
        """Let simulated time run on up to ``until``."""
        self.send(Grant(until=until))

    def stop(self) -> None:
        """End the child; may be called twice."""
        self._stopping.set()
        self.send(Stop())
        child = self._child
        if child is not None:
            child.join(timeout=3.0)
            self._end_child()
        if self._watch is not None and self._watch is not threading.current_thread():
            self._watch.join(timeout=3.0)

    # --- the child's life ------------------------------------------------------------------------------------------

    def _spawn(self) -> Connection:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is loaded, so before the child starts
        context = multiprocessing.get_context("spawn")
        words_in, words_out = context.Pipe(duplex=False)
        commands_in, commands_out = context.Pipe(duplex=False)
        settings = replace(self.settings, lying=tuple(self._lying.values()), first_card=self._next_card)
        child = context.Process(target=_main, args=(settings, words_out, commands_in), name="vision", daemon=True)
        child.start()
        words_out.close()
        commands_in.close()
        with self._lock:
            self._commands, self._child = commands_out, child
        return words_in

    def _end_child(self) -> None:
        with self._lock:
            child, commands = self._child, self._commands
            self._commands = None
        if commands is not None:
            commands.close()
        if child is not None and child.is_alive():
            child.kill()  # one that hangs does not hear a request, and it has nothing to tidy up
            child.join()

    def _run(self, words: Connection) -> None:
        while True:
            why = self._listen(words)
            words.close()
            self._end_child()
            if self._stopping.is_set() or self.ended:
                return
            if self._changed.is_set():
                self._changed.clear()
                self._lying.clear()
                words = self._spawn()
                continue
            self._troubled(why, PROCESS)
            log.error("%s; starting it again", why)
            self._deliver(Blind(at=self._now(), why="camera"))
            if self.settings.sim is not None:
                self.ended = True  # the simulated table is gone with the process that held it
                return
            if self._stopping.wait(RESTART_INTERVAL_S):
                return
            self.restarts += 1
            words = self._spawn()

    def _now(self) -> float:
        """Return the time of the watchdog's reports: a live camera's clock runs on, a file's stands still."""
        live = self.settings.source.startswith(("v4l2", "usb", "rpicam")) and self.settings.sim is None
        return max(self._at, time.monotonic()) if live else self._at

    def _listen(self, words: Connection) -> str:
        """Pass the child's words on until it falls silent, and return why."""
        patience = STARTING_S
        while True:
            try:
                silent = self._silence(words, patience)
                if silent and not (self.settings.sim is not None and self._speaks_again(words, silent)):
                    return f"vision was silent for {silent:.0f} s"
                message = words.recv()
            except (EOFError, OSError):
                child = self._child
                if child is not None:
                    child.join(timeout=1.0)
                return f"vision ended with exit code {child.exitcode if child is not None else '?'}"
            patience = SILENT_S if self._silent_s is None else self._silent_s
            if isinstance(message, WorkerStatus):
                if message.kind == "trouble":
                    self._troubled(message.text, message.code)
                elif message.kind == "ended":
                    self.trouble, self.ended = message.text, True
                    return message.text
                elif message.kind == "failed":
                    self._troubled(message.text, message.code)
                    self.ended = True
                    log.error("vision: %s", message.text)
                    self._deliver(Blind(at=self._at, why="camera"))
                    return message.text
                continue
            if isinstance(message, Tick) and self.trouble_code == PROCESS:
                self._troubled("")  # it sees again; what hinders its view it tells itself
                self._deliver(Blind(at=message.at, why=""))
            self._note(message)
            self._deliver(message)

    def _speaks_again(self, words: Connection, silent: float) -> bool:
        """Wait on for a child that holds the simulated table, which would end with it; whether it speaks again.

        A camera's child is begun anew after such a silence, and the table goes on as it was: so does the simulated one.
        """
        since = time.monotonic() - silent
        self._troubled(f"vision was silent for {silent:.0f} s; waiting for it", PROCESS)
        self._deliver(Blind(at=self._at, why="camera"))
        while not self._stopping.is_set() and time.monotonic() - since < SIM_PATIENCE_S:
            if words.poll(LOOK_S):
                self.silences.append(time.monotonic() - since)
                log.warning("vision was silent for %.0f s, and goes on", self.silences[-1])
                return True
        return False

    def _silence(self, words: Connection, patience: float) -> float:
        """Wait for the child's next word; return the seconds after which it hangs, 0 once the word is there."""
        if words.poll(LOOK_S):
            return 0.0
        began = time.monotonic()
        silence = Silence(patience - LOOK_S, began, processor_s(self.pid))
        while not words.poll(LOOK_S):
            now = time.monotonic()
            if silence.hangs(now, processor_s(self.pid)):
                return LOOK_S + now - began
        return 0.0

    def _troubled(self, text: str, code: str = "") -> None:
        """Deliver what is wrong with the camera, or that it is over, if that is news."""
        if text != self.trouble:
            self.trouble, self.trouble_code = text, code
            self._deliver(CameraTrouble(text=text, code=code))

    def _note(self, message: VisionMessage) -> None:
        match message:
            case CardLaid():
                self._lying[message.card] = message
                self._next_card = max(self._next_card, message.card + 1)
            case CardGone():
                self._lying.pop(message.card, None)
            case TrickTaken():
                for card in message.cards:
                    self._lying.pop(card, None)
            case Tick():
                self._at = message.at
            case PlayedFaces(deck=deck) if deck:
                self.settings = replace(self.settings, deck=deck)  # by which a child that is begun anew reads


def _main(settings: VisionSettings, words: Connection, commands: Connection) -> None:
    """Run the child process."""
    import signal

    from vision.service.worker import Worker  # only here: the parent, which draws the screen, has no OpenCV

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the parent ends us
    os.nice(NICENESS)
    logging.basicConfig(level=logging.WARNING, format="vision: %(levelname)s %(message)s")
    try:
        Worker(settings, words, commands, MatLayout(settings.paper, settings.seats)).run()
    except (BrokenPipeError, EOFError):
        return  # the parent is gone
    except VisionError as error:
        words.send(WorkerStatus("failed", str(error)))

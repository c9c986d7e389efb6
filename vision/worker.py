"""What the vision process does: frames in, words out, commands between."""

import time
from multiprocessing.connection import Connection
from typing import Any

import cv2

from vision.adapt import Adapter
from vision.calibrate import set_by_hand
from vision.deck import Deck
from vision.errors import CameraError
from vision.frames import Frame
from vision.guide import Guide, Teaching, no_picture
from vision.mat import MatLayout
from vision.messages import (
    HEARTBEAT,
    TICKS,
    Act,
    Acted,
    AskRecording,
    AskSnapshot,
    Grant,
    Improve,
    LessonKey,
    Recalibrate,
    Recording,
    Stop,
    Teach,
    VisionSettings,
    Word,
)
from vision.recent import Recent
from vision.reports import Blind, Tick
from vision.sources import Source, open_source
from vision.track import Tracker

#: Acts that a parent may ask for.
ACTS = frozenset(
    {
        *("lay", "collect", "take_back", "clear", "put", "remove", "hover", "wait"),
        *("flicker", "drift", "darken", "push_mat"),
    }
)
#: Seconds between attempts to open a camera.
REOPEN = 2.0


class Worker:
    """One source, one tracker, two pipes."""

    def __init__(self, settings: VisionSettings, words: Connection, commands: Connection, layout: MatLayout) -> None:
        self.settings, self._words, self._commands = settings, words, commands
        cv2.setNumThreads(settings.threads)
        calibration = None
        if settings.corners is not None:
            calibration = set_by_hand(settings.corners, settings.size, settings.corners_mm)
        self.tracker: Tracker | None = None
        if settings.deck:
            deck = Deck.load(settings.deck, settings.deck_folder)
            self.tracker = Tracker(deck, layout, calibration, lying=settings.lying, first_card=settings.first_card)
        self._adapter: Adapter | None = None
        self._recent = Recent(settings.recent) if settings.recent > 0 else None
        self._guide = Guide(layout)
        self._teaching: Teaching | None = None
        self._layout = layout
        self._source: Source | None = None
        self._sim: Any = None
        self._granted = 0.0
        self._stopped = False
        self._asked: AskSnapshot | None = None
        self._blind = False
        self._at = 0.0
        self._began: tuple[float, float] | None = None  # wall and film time from which the pace is measured
        self._ticked, self._unsaid = -1e9, -1e9  # the last tick said, and the last one

    def run(self) -> None:
        """Until told to stop, or the source ends.

        :raises EOFError: the parent is gone
        """
        if self.settings.sim is not None:
            self._open()  # drawing the cards takes longer than a living child may be silent
        self._say(Word("alive"))
        while not self._stopped:
            self._obey(0.0)
            if self._stopped:
                break
            if self._source is None and not self._open():
                continue
            if not self._may_go_on():
                continue
            assert self._source is not None
            try:
                frame = next(self._source)
            except StopIteration:
                self._say(Word("ended", f"camera {self._source.name!r} has come to its end"))
                break
            except CameraError as error:
                self._say_blind(str(error))
                if not self._source.live:
                    self._say(Word("failed", str(error)))
                    break
                continue
            self._work(frame)
        if self._source is not None:
            self._source.close()

    def _open(self) -> bool:
        settings = self.settings
        try:
            if settings.sim is not None:
                from vision.sim.art import load_art
                from vision.sim.film import SimCamera
                from vision.sim.wear import WEAR, worn

                sim = settings.sim
                art = load_art(sim.art)
                self._sim = SimCamera(
                    worn(art, WEAR[sim.wear], sim.seed) if sim.wear else art,
                    self._layout,
                    sim.seed,
                    light=sim.light,
                    size=settings.size,
                    lens=sim.lens,
                    jpeg=sim.jpeg,
                    fps=settings.fps,
                    won_on_mat=sim.won_on_mat,
                )
                self._source = self._sim
            else:
                self._source = open_source(settings.source, size=settings.size, fps=settings.fps)
        except CameraError as error:
            self._say_blind(str(error))
            self._obey(REOPEN)
            return False
        return True

    def _say(self, word: Any) -> None:
        """Send a word, after the tick that came before it."""
        if self._unsaid > self._ticked:
            self._ticked = self._unsaid
            self._words.send(Tick(at=self._ticked))
        self._words.send(word)

    def _tick(self, at: float) -> None:
        """Say that a frame has been worked through; seldom while nothing else is said of frames to come."""
        sim = self.settings.sim
        self._unsaid = at
        if sim is None:
            seldom = TICKS
        elif self.settings.speed is None and self._sim.now <= self._granted + 1e-6:
            seldom = sim.ticks
        else:
            seldom = 0.0
        if 0 <= at - self._ticked < seldom - 1e-6:  # a film that is begun anew goes back in time
            return
        self._ticked = at
        self._words.send(Tick(at=at))

    def _say_blind(self, why: str) -> None:
        self._say(Word("trouble", why))
        if self._asked is not None:
            self._asked = None
            self._say(no_picture(self._now(), why))
        if not self._blind:
            self._blind = True
            self._say(Blind(at=self._now(), why="camera"))

    def _now(self) -> float:
        return time.monotonic() if self._source is None or self._source.live else self._at

    def _may_go_on(self) -> bool:
        """Whether the next frame is due; waits for its time or a grant, obeying meanwhile."""
        step = 1.0 / self.settings.fps
        if self._source is None or self._source.live:
            return True
        if self.settings.speed is None and self._sim is not None:
            if self._sim.now <= self._granted + 1e-6:
                return True
            self._obey(HEARTBEAT)
            return False
        speed = self.settings.speed or 1.0  # a film is seen in its own time, like a camera
        wall, film = self._began or (time.monotonic(), self._at)
        due = wall + (self._at + step - film) / speed
        late = time.monotonic() - due
        if self._began is None or late > 0.5:  # too slow for this speed: film time falls behind, nothing is left out
            self._began = time.monotonic(), self._at
            return True
        if late < 0:
            self._obey(min(-late, HEARTBEAT))
            return False
        return True

    def _work(self, frame: Frame) -> None:
        self._at = frame.at
        if self._blind:
            self._blind = False
            self._say(Word("trouble", ""))
            if self.tracker is None or not self.tracker.state.why_blind:
                self._say(Blind(at=frame.at, why=""))
        if self._teaching is not None:
            step = self._teaching.look(frame)
            if step is not None:
                self._say(step)
        elif self.tracker is not None:
            for report in self.tracker.look(frame):
                if isinstance(report, Blind):
                    self._say(Word("trouble", self.tracker.state.trouble if report.why else ""))
                self._say(report)
        if self._asked is not None:
            self._say(self._guide.snapshot(frame, self._asked, self.tracker))
            self._asked = None
        self._tick(frame.at)
        if self._recent is not None and self.tracker is not None:
            self._recent.add(frame, self.tracker.state.calibration)
        if self._adapter is not None and self._adapter.busy:
            self._improve(self._adapter)

    # --- commands --------------------------------------------------------------------------------------------------

    def _obey(self, wait: float) -> None:
        """Do all that was commanded; ``wait`` seconds for something if there is nothing.

        :raises EOFError: the parent is gone
        """
        if wait > 0 and not self._commands.poll(wait):
            self._say(Word("alive"))
            return
        while self._commands.poll(0):
            match self._commands.recv():
                case Act() as act:
                    self._act(act)
                case Grant(until=until):
                    self._granted = max(self._granted, until)
                case AskSnapshot() as asked:
                    self._asked = asked
                case AskRecording(name=name):
                    pictures = self._recent.pictures if self._recent is not None else ()
                    self._say(Recording(at=self._now(), name=name, pictures=pictures))
                case Teach() as teach:
                    self._teach(teach)
                case LessonKey(do="stop"):
                    self._teaching = None
                case LessonKey() as key:
                    if self._teaching is not None:
                        self._teaching.press(key)
                case Improve(cards=cards):
                    if self.tracker is not None:
                        self._adapter = self._adapter or Adapter(self.tracker.deck)
                        self._adapter.take(cards)
                case Recalibrate():
                    if self.tracker is not None:
                        self.tracker.recalibrate()
                        if self._adapter is not None:
                            self._adapter.forget()
                            self.tracker.take_deck(self._adapter.deck)
                    if self._source is not None:
                        self._source.resettle()
                case Stop():
                    self._stopped = True
                    return

    def _improve(self, adapter: Adapter) -> None:
        """A bit of work on the references, while no card lies there that somebody might wait for."""
        if self.tracker is None or self._teaching is not None or self.tracker.state.cards:
            return
        deck = adapter.step()
        if deck is not None:
            self.tracker.take_deck(deck)

    def _teach(self, teach: Teach) -> None:
        self._teaching = Teaching(teach, self.settings.deck_folder, lambda: self._say(Word("alive")))
        if self._source is not None and not self._source.live and self._sim is None:
            self._source.close()
            self._source = None  # opened anew: a film begins with the lesson
            self._began, self._at = None, 0.0

    def _act(self, act: Act) -> None:
        if self._sim is None:
            raise CameraError(f"camera {self.settings.source!r}: {act.name!r} can be done at a simulated table only")
        if act.name not in ACTS:
            raise CameraError(f"camera 'sim:': {act.name!r} is no act; there are {', '.join(sorted(ACTS))}")
        try:
            done = getattr(self._sim, act.name)(*act.arguments, **act.named)
        except (KeyError, ValueError, TypeError) as error:
            raise CameraError(f"camera 'sim:': {act.name}{act.arguments} cannot be done: {error}") from error
        start, end = getattr(done, "start", self._sim.now), getattr(done, "end", self._sim.free_at)
        self._say(
            Acted(
                name=act.name,
                start=start,
                end=end,
                at_rest=getattr(done, "at_rest", end),
                uncovered=getattr(done, "uncovered", end),
            )
        )

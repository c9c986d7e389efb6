"""Run the vision process: frames in, messages out, commands between."""

import time
from multiprocessing.connection import Connection
from typing import Any

import cv2

import vision.simulation.registration  # noqa: F401 - offers sim:
from vision.camera.kept import CameraMemory
from vision.camera.source import Source, open_source
from vision.errors import CameraError
from vision.mat.layout import MatLayout
from vision.messages import (
    Act,
    Acted,
    AskRecording,
    AskSnapshot,
    Command,
    Expect,
    ForgetDeck,
    Grant,
    Improve,
    LearnPlayed,
    LessonKey,
    NameFace,
    ReadHand,
    Recalibrate,
    Stop,
    Teach,
    VisionSettings,
    WatchCodes,
    WatchMat,
    WorkerStatus,
)
from vision.service.frame_processor import FrameProcessor
from vision.service.message_pipe import MessagePipe
from vision.service.pacing import Pacer

#: Acts that a parent may ask for.
ACTS = frozenset(
    {
        *("lay", "collect", "take_back", "clear", "put", "remove", "hover", "wait"),
        *("flicker", "drift", "darken", "push_mat", "lay_upon", "throw", "turn_up", "straighten", "pass_trick"),
        *("look_back", "open_hand", "deal", "lean", "reach_across", "dress", "put_card", "cover", "knock", "relight"),
    }
)
#: Seconds between attempts to open a camera.
REOPEN_S = 2.0
#: Seconds between signs of life while there are no frames.
HEARTBEAT_S = 1.0
#: Seconds between two ticks of a camera with no other report: each costs the parent's process as well.
TICK_INTERVAL_S = 0.2


class Worker:
    """One source, what is made of its frames, and two pipes: messages out, commands in."""

    def __init__(self, settings: VisionSettings, words: Connection, commands: Connection, layout: MatLayout) -> None:
        self.settings, self._commands, self._layout = settings, commands, layout
        cv2.setNumThreads(settings.threads)
        self._pipe = MessagePipe(words)
        self._frames = FrameProcessor(settings, layout, self._pipe, self._clock)
        self._pacer = Pacer(settings.fps, settings.speed or 1.0)  # a film is seen in its own time, like a camera
        self._memory = CameraMemory(settings.camera_file)
        self._source: Source | None = None
        self._sim: Any = None
        self._granted = 0.0
        self._stopped = False
        self._at = 0.0

    def run(self) -> None:
        """Process frames until a ``Stop``, or until the source ends.

        :raises EOFError: the parent is gone
        """
        if self.settings.sim is not None:
            self._open()  # drawing the cards takes longer than a living child may be silent
        self._pipe.alive()
        while not self._stopped:
            self._obey(0.0)
            if self._stopped:
                break
            if self._source is None and not self._open():
                continue
            if not self._may_go_on():
                continue
            assert self._source is not None
            if not self._process_next(self._source):
                break
        if self._source is not None:
            self._source.close()

    def _process_next(self, source: Source) -> bool:
        """Process the next frame; False if there is none to come."""
        try:
            frame = next(source)
        except StopIteration:
            self._pipe.send(WorkerStatus("ended", f"camera {source.name!r} has come to its end"))
            return False
        except CameraError as error:
            self._frames.no_frame(error, self._now())
            if not source.live:
                self._pipe.send(WorkerStatus("failed", str(error), error.code))
            return source.live
        self._at = frame.at
        self._frames.process(frame, self._tick_interval_s, source)
        return True

    def _open(self) -> bool:
        settings = self.settings
        try:
            if settings.sim is not None:
                from vision.simulation.source import open_table  # not loaded by a table that has a camera

                self._source = self._sim = open_table(settings.sim, self._layout, settings.size, settings.fps)
            else:
                self._source = open_source(settings.source, size=settings.size, fps=settings.fps, memory=self._memory)
        except CameraError as error:
            self._frames.no_frame(error, self._now())
            self._obey(REOPEN_S)
            return False
        return True

    # --- time

    def _tick_interval_s(self) -> float:
        """Return the seconds between two ticks: more while no other message about coming frames is sent."""
        sim = self.settings.sim
        if sim is None:
            return TICK_INTERVAL_S
        return sim.ticks if self.settings.speed is None and self._granted_now else 0.0

    @property
    def _granted_now(self) -> bool:
        """Whether the simulated table's time may run on."""
        return bool(self._sim.now <= self._granted + 1e-6)

    def _clock(self) -> float:
        """Return the seconds that pass for people who watch; granted time is the film's own."""
        granted = self.settings.sim is not None and self.settings.speed is None
        return self._at if granted else time.monotonic()

    def _now(self) -> float:
        return time.monotonic() if self._source is None or self._source.live else self._at

    def _may_go_on(self) -> bool:
        """Check whether the next frame is due; else wait for its time or a grant, obeying meanwhile."""
        if self._source is None or self._source.live:
            return True
        if self.settings.speed is None and self._sim is not None:
            wait = 0.0 if self._granted_now else HEARTBEAT_S
        else:
            wait = self._pacer.wait_s(self._at)
        if wait > 0:
            self._obey(min(wait, HEARTBEAT_S))
        return wait <= 0

    # --- commands

    def _obey(self, wait_s: float) -> None:
        """Do all that was commanded; wait so long for something if there is nothing.

        :raises EOFError: the parent is gone
        """
        if wait_s > 0 and not self._commands.poll(wait_s):
            self._pipe.alive()
            return
        while not self._stopped and self._commands.poll(0):
            self._do(self._commands.recv())

    def _do(self, command: Command) -> None:  # noqa: C901 - one case for each command of the contract
        match command:
            case Act():
                self._act(command)
            case Grant(until=until):
                self._granted = max(self._granted, until)
            case AskSnapshot():
                self._frames.ask(command)
            case WatchMat():
                self._frames.watch(command)
            case WatchCodes(on=on):
                self._frames.watch_codes(on)
            case AskRecording(name=name, latest=latest):
                self._frames.send_recording(name, self._now(), latest=latest)
            case Teach():
                self._teach(command)
            case LessonKey():
                self._frames.press(command)
            case Improve():
                self._frames.improve(command)
            case Expect(faces=faces):
                self._frames.expect(faces)
            case NameFace():
                self._frames.name_face(command)
            case LearnPlayed():
                self._frames.learn_played(command)
            case ReadHand():
                self._frames.read_hand(command)
            case ForgetDeck(faces=faces):
                self._frames.forget_deck(faces)
            case Recalibrate():
                self._frames.recalibrate()
                if self._source is not None:
                    self._source.resettle()
            case Stop():
                self._stopped = True

    def _teach(self, teach: Teach) -> None:
        self._frames.teach(teach)
        if self._source is not None and not self._source.live and self._sim is None:
            self._source.close()
            self._source = None  # reopened: a film starts with the lesson
            self._pacer.begin_anew()
            self._at = 0.0

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
        self._pipe.send(
            Acted(
                name=act.name,
                start=start,
                end=end,
                at_rest=getattr(done, "at_rest", end),
                uncovered=getattr(done, "uncovered", end),
            )
        )

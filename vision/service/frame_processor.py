"""Process frames: track cards or teach a deck, and make what was asked for of each picture."""

from collections.abc import Callable
from dataclasses import replace

from vision.camera.frame import Frame
from vision.camera.source import Source
from vision.deck.deck import Deck
from vision.errors import CameraError
from vision.mat.calibration import calibrate_from_corners
from vision.mat.layout import MatLayout
from vision.messages import (
    AskSnapshot,
    Blind,
    Improve,
    LearnPlayed,
    LessonKey,
    NameFace,
    ReadHand,
    Recording,
    Report,
    Teach,
    VisionSettings,
    WatchMat,
    WorkerStatus,
)
from vision.service.code_reader import CodeReader
from vision.service.guide import Guide, Teaching, no_picture
from vision.service.live_view import LiveView
from vision.service.message_pipe import MessagePipe
from vision.service.open_hand import OpenHand
from vision.service.recent_frames import RecentFrames
from vision.service.untaught import UntaughtReading
from vision.teaching.adaptation import DeckAdapter
from vision.tracking.tracker import Tracker


class FrameProcessor:
    """A tracker, or a lesson, with all that people may ask of the pictures.

    :param clock: seconds as people count them who watch.
    """

    def __init__(
        self, settings: VisionSettings, layout: MatLayout, pipe: MessagePipe, clock: Callable[[], float]
    ) -> None:
        self._settings, self._pipe, self._clock = settings, pipe, clock
        calibration = None
        if settings.corners is not None:
            calibration = calibrate_from_corners(settings.corners, settings.size, settings.corners_mm)
        self._tracker: Tracker | None = None
        self._untaught: UntaughtReading | None = None  # while there is no deck to read by
        if settings.deck:
            deck = Deck.load(settings.deck, settings.deck_folder)
            self._tracker = Tracker(deck, layout, calibration, lying=settings.lying, first_card=settings.first_card)
        elif settings.faces:
            self._untaught = UntaughtReading(settings.faces)
            self._tracker = self._untaught.tracker(layout, calibration, settings)
        self._layout, self._calibration = layout, calibration
        self._adapter: DeckAdapter | None = None
        self._recent = RecentFrames(settings.recent) if settings.recent > 0 else None
        self._guide = Guide(layout)
        self._teaching: Teaching | None = None
        self._asked: AskSnapshot | None = None
        self._live_view: LiveView | None = None  # while somebody watches the mat
        self._codes: CodeReader | None = None  # while somebody holds codes before the camera
        self._open_hand: OpenHand | None = None  # while somebody lays his hand open
        self._blind = False

    # --- frames

    def process(self, frame: Frame, tick_interval_s: Callable[[], float], source: Source) -> None:
        """Send all that a frame of a source gives rise to, its tick last."""
        if self._blind:
            self._see_again(frame.at)
        if self._teaching is not None:
            if (step := self._teaching.next_step(frame)) is not None:
                self._pipe.send(step)
        elif self._tracker is not None and not self._read_alone(self._tracker):
            self._track(self._tracker, frame)
        if self._asked is not None:
            shot = self._guide.snapshot(frame, self._asked, self._tracker)
            self._pipe.send(replace(shot, camera=source.state))
            self._asked = None
        self._answer_watchers(frame)
        self._pipe.tick(frame.at, tick_interval_s())
        if self._recent is not None and self._tracker is not None:
            self._recent.add(frame, self._tracker.state.calibration)
        if self._adapter is not None and self._adapter.busy:
            self._adapt(self._adapter)

    def _answer_watchers(self, frame: Frame) -> None:
        """Send what somebody wants to be told as long as he looks."""
        if self._live_view is not None and (picture := self._live_view.picture(frame, self._tracker)) is not None:
            self._pipe.send(picture)
        if self._codes is not None and (read := self._codes.read(frame)) is not None:
            self._pipe.send(read)
        if self._open_hand is not None and (hand := self._open_hand.read(frame, self._tracker)) is not None:
            self._pipe.send(hand)

    def _read_alone(self, tracker: Tracker) -> bool:
        """Whether what lies open is read, and nothing else; the tracker finds the mat first."""
        return self._open_hand is not None and self._open_hand.alone and tracker.state.calibration is not None

    def _track(self, tracker: Tracker, frame: Frame) -> None:
        reports = tracker.process(frame)
        for report in reports:
            if isinstance(report, Blind):
                self._pipe.send(WorkerStatus("trouble", tracker.state.trouble if report.why else "", report.why))
            self._pipe.send(report)
        if self._untaught is not None:
            self._learn_in_play(self._untaught, tracker, frame, reports)

    def _learn_in_play(self, untaught: UntaughtReading, tracker: Tracker, frame: Frame, reports: list[Report]) -> None:
        """Look at what was laid; learn from what was played, and read by it, while no card lies on the mat."""
        untaught.look(tracker, frame, reports)
        if not untaught.busy or tracker.state.cards:
            return
        told = untaught.step(tracker)
        if told is None:
            return
        if told.deck:
            self._untaught = None
        self._pipe.send(told)

    def no_frame(self, why: CameraError, at: float) -> None:
        """Report that the camera gives no picture."""
        self._pipe.send(WorkerStatus("trouble", str(why), why.code))
        if self._asked is not None:
            self._asked = None
            self._pipe.send(no_picture(at, why))
        if not self._blind:
            self._blind = True
            self._pipe.send(Blind(at=at, why="camera"))

    def _see_again(self, at: float) -> None:
        self._blind = False
        self._pipe.send(WorkerStatus("trouble", ""))
        if self._tracker is None or not self._tracker.state.why_blind:
            self._pipe.send(Blind(at=at, why=""))

    def _adapt(self, adapter: DeckAdapter) -> None:
        """Work a little on the references, while no card is on the mat that somebody might wait for."""
        if self._tracker is None or self._teaching is not None or self._tracker.state.cards:
            return
        deck = adapter.step()
        if deck is not None:
            self._tracker.take_deck(deck)

    # --- commands

    def ask(self, asked: AskSnapshot) -> None:
        """Answer with the next frame."""
        self._asked = asked

    def watch(self, watch: WatchMat) -> None:
        """Send live pictures from now on, or no longer."""
        self._live_view = LiveView(watch.width, self._clock) if watch.on else None

    def watch_codes(self, on: bool) -> None:
        """Read codes from now on, or no longer."""
        self._codes = CodeReader(self._clock) if on else None

    def read_hand(self, asked: ReadHand) -> None:
        """Read the hand that is laid open from now on, or no longer; asked for again it goes on."""
        if not asked.on:
            self._open_hand = None
        elif self._open_hand is None or (self._open_hand.faces, self._open_hand.alone) != (asked.faces, asked.alone):
            self._open_hand = OpenHand(asked.faces, cards=asked.cards, alone=asked.alone)
        else:
            self._open_hand.cards = asked.cards

    def send_recording(self, name: str, at: float, *, latest: bool = False) -> None:
        """Send the last seconds, or only their last picture."""
        pictures = self._recent.pictures if self._recent is not None else ()
        self._pipe.send(Recording(at=at, name=name, pictures=pictures[-1:] if latest else pictures))

    def teach(self, teach: Teach) -> None:
        """Begin a lesson; cards are not tracked meanwhile."""
        self._teaching = Teaching(teach, self._settings.deck_folder, self._pipe.alive)

    def press(self, key: LessonKey) -> None:
        """Do what a person presses during the lesson."""
        if key.do == "stop":
            self._teaching = None
        elif self._teaching is not None:
            self._teaching.press(key)

    def improve(self, improve: Improve) -> None:
        """Adapt the deck's references to these cards when there is nothing else to do."""
        if (tracker := self._tracker) is not None and self._untaught is None:
            self._adapter = self._adapter or DeckAdapter(lambda: tracker.features)
            self._adapter.take(improve.cards)

    def expect(self, faces: tuple[str, ...]) -> None:
        """Read cards of these labels, unless there is a deck."""
        if self._tracker is not None and self._untaught is None:
            return
        if self._untaught is None or self._tracker is None:
            self._untaught = UntaughtReading(faces)
            self._tracker = self._untaught.tracker(self._layout, self._calibration, self._settings)
        elif faces != self._untaught.faces:
            self._untaught.take_faces(self._tracker, faces)

    def name_face(self, named: NameFace) -> None:
        """Name cards that look like this one so, as long as there is no deck."""
        if self._untaught is not None and (told := self._untaught.name(named)).alike:
            self._pipe.send(told)

    def learn_played(self, learn: LearnPlayed) -> None:
        """Learn faces from cards of a game, when no card lies on the mat."""
        if self._untaught is not None:
            self._untaught.take(learn, self._settings.deck_folder)

    def forget_deck(self, faces: tuple[str, ...]) -> None:
        """Read by indices again; tracked cards keep their labels."""
        if self._tracker is not None and self._untaught is None:
            self._adapter = None
            self._untaught = UntaughtReading(faces)
            self._untaught.begin(self._tracker)

    def recalibrate(self) -> None:
        """Search for the mat again, and read by the deck as it was learned."""
        if self._tracker is not None:
            self._tracker.recalibrate()
            if self._adapter is not None:
                self._adapter.forget()
                self._tracker.take_deck(self._adapter.deck)

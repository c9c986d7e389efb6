"""Help people to set a table up: pictures with what is wrong in them, and the lesson of a deck."""

from collections.abc import Callable
from pathlib import Path

from vision.camera.frame import Frame
from vision.camera.jpeg import shrunk_jpeg
from vision.deck.deck import FRENCH_SIZE
from vision.errors import CameraError, DeckError
from vision.geometry.projection import card_corners
from vision.mat.calibration import Calibration, describe_calibration, draw_calibration
from vision.mat.layout import MatLayout
from vision.messages import (
    AskSnapshot,
    ConfusablePair,
    Finding,
    LessonKey,
    LessonState,
    LessonStep,
    Snapshot,
    Teach,
)
from vision.teaching.confusable_pairs import USUAL_SCALE_PX_PER_MM, confusable_pairs, too_similar
from vision.teaching.lesson import Lesson
from vision.teaching.view_diagnosis import diagnose_view
from vision.tracking.tracker import Tracker

#: Seconds for which it is reported that mat or camera were moved.
MOVED_SHOWN_S = 4.0
#: Seconds between two pictures of the lesson while nothing changes.
STEP_INTERVAL_S = 0.2
#: Width of the lesson's pictures in px.
STEP_WIDTH_PX = 640


class Guide:
    """Answers ``AskSnapshot``; remembers where the mat was, to report that it was moved."""

    def __init__(self, layout: MatLayout) -> None:
        self._layout = layout
        self._before: Calibration | None = None
        self._moved: tuple[Finding, float] | None = None

    def snapshot(self, frame: Frame, asked: AskSnapshot, tracker: Tracker | None) -> Snapshot:
        """Draw a frame for people who set the table up, with what is wrong in it."""
        state = tracker.state if tracker is not None else None
        size_mm = tracker.deck.size_mm if tracker is not None else FRENCH_SIZE
        lying = state.cards if state is not None else []
        quads = []
        if state is not None and state.calibration is not None:
            quads = [state.calibration.view.project(card_corners(card.pose, size_mm)) for card in lying]
        seen, found = diagnose_view(frame.image, self._layout, before=self._before, cards=quads, card_mm=size_mm)
        findings = [one for one in found if one.code != "unknown" or tracker is not None]
        self._note_moves(seen, findings, frame.at)
        if self._moved is not None and not any(one.code == "moved" for one in findings):
            findings.append(self._moved[0])
        facts: list[str] = []
        picture = frame.image
        if seen is not None:
            picture = draw_calibration(picture, seen)
            facts += describe_calibration(seen)
        if tracker is not None:
            picture = tracker.drawn(picture.copy() if picture is frame.image else picture)
        if state is not None and state.why_blind:
            facts.append(f"blind: {state.why_blind}")
        if state is not None and state.trouble:
            facts.append(state.trouble)
        return Snapshot(
            at=frame.at,
            picture=shrunk_jpeg(picture, asked.width)[0],
            facts=tuple(facts),
            findings=tuple(findings),
            cards=tuple(card.label or "?" for card in lying if not card.face_down),
            card_px=seen.scale * size_mm[0] if seen is not None else 0.0,
        )

    def _note_moves(self, seen: Calibration | None, findings: list[Finding], at: float) -> None:
        if self._moved is not None and at - self._moved[1] > MOVED_SHOWN_S:
            self._moved = None
        for one in findings:
            if one.code == "moved":
                self._moved = one, at
        self._before = seen or self._before


def no_picture(at: float, why: CameraError) -> Snapshot:
    """Make the answer for a camera that gives no picture."""
    return Snapshot(at=at, picture=b"", facts=(str(why),), findings=(Finding("camera", True, why.code),))


class Teaching:
    """A lesson in the vision process: frames in, steps out, the finished deck on the disk.

    After the last face the deck is kept and checked; faces that are alike may then be shown again, and the better deck
    takes the place of the first.
    """

    def __init__(self, asked: Teach, folder: Path | None, alive: Callable[[], None]) -> None:
        self.lesson = Lesson(asked.name, asked.labels, copies=asked.copies, with_back=asked.with_back)
        self._folder, self._alive = folder, alive
        self._sent: tuple[object, ...] | None = None
        self._sent_at = float("-inf")
        self._kept: LessonState | None = None
        self._pairs: tuple[ConfusablePair, ...] = ()

    def press(self, key: LessonKey) -> None:
        """Apply what a person presses, except for stopping."""
        self._kept = self._sent = None
        self._pairs = ()
        if key.do == "skip":
            self.lesson.skip()
        elif key.do == "back":
            self.lesson.back()
        elif key.do == "insist":
            self.lesson.insist()
        elif key.do == "again":
            for label in reversed(key.labels):
                if label in self.lesson.learned:
                    self.lesson.again(label)

    def next_step(self, frame: Frame) -> LessonStep | None:
        """Return the lesson's next step to be sent; None while it is too early for one."""
        state = self._kept or self.lesson.feed(frame)
        if self.lesson.done and self._kept is None:
            state = self._kept = self._keep()
        step = (state.asked, state.verdict, state.learned, state.rival)
        if step == self._sent and 0 <= frame.at - self._sent_at < STEP_INTERVAL_S:
            return None
        self._sent, self._sent_at = step, frame.at
        picture, scale = shrunk_jpeg(frame.image, STEP_WIDTH_PX)
        return LessonStep(at=frame.at, state=state.scaled(scale), picture=picture, pairs=self._pairs)

    def _keep(self) -> LessonState:
        """Save and check the deck; what stands in the way is the state's ``detail``."""
        try:
            deck = self.lesson.deck()
            deck.save(self._folder)
        except DeckError as error:
            return self.lesson.state("unfit", detail=str(error))
        self._alive()
        self._pairs = too_similar(confusable_pairs(deck, self.lesson.scale or USUAL_SCALE_PX_PER_MM, each=self._alive))
        return self.lesson.state("done")

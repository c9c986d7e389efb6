"""What the vision process does for people who set a table up: pictures with what is wrong, and the lesson of a deck."""

from collections.abc import Callable
from pathlib import Path

import cv2

from vision.calibrate import Calibration, annotated, describe
from vision.deck import FRENCH_SIZE
from vision.diagnose import Finding, diagnose
from vision.errors import DeckError
from vision.frames import Frame
from vision.jpegs import encoded
from vision.lesson import Lesson, LessonState
from vision.mat import MatLayout
from vision.messages import AskSnapshot, LessonKey, LessonStep, Snapshot, Teach
from vision.pictures import Picture
from vision.rivals import USUAL_SCALE, Rivals, alike, rivals
from vision.track import Tracker
from vision.view import card_corners

#: Seconds for which it is said that mat or camera were moved.
MOVED_STAYS = 4.0
#: Seconds between two pictures of the lesson while nothing changes, and their width in px.
STEP, STEP_WIDTH = 0.2, 640


class Guide:
    """Answers ``AskSnapshot``; remembers where the mat lay, to tell that it was moved."""

    def __init__(self, layout: MatLayout) -> None:
        self._layout = layout
        self._before: Calibration | None = None
        self._moved: tuple[Finding, float] | None = None

    def snapshot(self, frame: Frame, asked: AskSnapshot, tracker: Tracker | None) -> Snapshot:
        """A frame as people want to see it who set the table up."""
        state = tracker.state if tracker is not None else None
        size_mm = tracker.deck.size_mm if tracker is not None else FRENCH_SIZE
        lying = state.cards if state is not None else []
        quads = []
        if state is not None and state.calibration is not None:
            quads = [state.calibration.view.project(card_corners(card.pose, size_mm)) for card in lying]
        seen, found = diagnose(frame.image, self._layout, before=self._before, cards=quads, card_mm=size_mm)
        findings = [one for one in found if one.code != "unknown" or tracker is not None]
        self._note_moves(seen, findings, frame.at)
        if self._moved is not None and not any(one.code == "moved" for one in findings):
            findings.append(self._moved[0])
        facts: list[str] = []
        picture = frame.image
        if seen is not None:
            picture = annotated(picture, seen)
            facts += describe(seen)
        if tracker is not None:
            picture = tracker.drawn(picture.copy() if picture is frame.image else picture)
        if state is not None and state.why_blind:
            facts.append(f"blind: {state.why_blind}")
        if state is not None and state.trouble:
            facts.append(state.trouble)
        return Snapshot(
            at=frame.at,
            picture=_jpeg(picture, asked.width)[0],
            facts=tuple(facts),
            findings=tuple(findings),
            cards=tuple(card.label or "?" for card in lying if not card.face_down),
            card_px=seen.scale * size_mm[0] if seen is not None else 0.0,
        )

    def _note_moves(self, seen: Calibration | None, findings: list[Finding], at: float) -> None:
        if self._moved is not None and at - self._moved[1] > MOVED_STAYS:
            self._moved = None
        for one in findings:
            if one.code == "moved":
                self._moved = one, at
        self._before = seen or self._before


def no_picture(at: float, why: str) -> Snapshot:
    """The answer while the camera gives no picture."""
    return Snapshot(at=at, picture=b"", facts=(why,), findings=(Finding("camera", True),))


class Teaching:
    """A lesson in the vision process: frames in, steps out, the finished deck on the disk.

    After the last face the deck is kept and checked; faces that are alike may then be shown again, and the better deck
    takes the place of the first.
    """

    def __init__(self, asked: Teach, folder: Path | None, alive: Callable[[], None]) -> None:
        self.lesson = Lesson(asked.name, asked.labels, copies=asked.copies, with_back=asked.with_back)
        self._folder, self._alive = folder, alive
        self._said: tuple[object, ...] | None = None
        self._said_at = float("-inf")
        self._kept: LessonState | None = None
        self._rivals: tuple[Rivals, ...] = ()

    def press(self, key: LessonKey) -> None:
        """What a person presses, but for stopping."""
        self._kept = self._said = None
        self._rivals = ()
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

    def look(self, frame: Frame) -> LessonStep | None:
        """A step to be told; None while it is too early for the next one."""
        state = self._kept or self.lesson.look(frame)
        if self.lesson.done and self._kept is None:
            state = self._kept = self._keep()
        said = (state.asked, state.verdict, state.learned, state.rival)
        if said == self._said and 0 <= frame.at - self._said_at < STEP:
            return None
        self._said, self._said_at = said, frame.at
        picture, scale = _jpeg(frame.image, STEP_WIDTH)
        return LessonStep(at=frame.at, state=state.scaled(scale), picture=picture, rivals=self._rivals)

    def _keep(self) -> LessonState:
        """Save and check the deck; what stands in the way is the state's ``detail``."""
        try:
            deck = self.lesson.deck()
            deck.save(self._folder)
        except DeckError as error:
            return self.lesson.state("unfit", detail=str(error))
        self._alive()
        self._rivals = alike(rivals(deck, self.lesson.scale or USUAL_SCALE, each=self._alive))
        return self.lesson.state("done")


def _jpeg(picture: Picture, width: int) -> tuple[bytes, float]:
    """A smaller JPEG, and its scale."""
    scale = min(1.0, width / picture.shape[1])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    return encoded(small, 80), scale

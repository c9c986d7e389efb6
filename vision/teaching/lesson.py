"""Learn a deck from frames in which each face is shown once, and judge whether the card shown will do.

``Lesson`` is fed frames and answers each with a ``LessonState``; it has no display of its own.
``kiosk.app.commands.lesson`` is the lesson on a terminal, ``vision.service.guide`` the one of a table at work.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera.frame import Frame
from vision.camera.jpeg import encode_jpeg
from vision.deck.deck import BACK, Deck
from vision.deck.face_quality import check_face, same_face
from vision.errors import DeckError
from vision.geometry.card_outline import Quad, rectify_card, sharpness, touches_edge
from vision.images import Picture
from vision.indices.printed_label import contradicted
from vision.messages import LessonState
from vision.teaching.lone_card import LoneCardFinder, mean_width
from vision.tracking.change_detection import ChangeDetector
from vision.tracking.coarse_plane import CELL


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonLimits:
    """What a card must be like to be learned."""

    #: Seconds that a card must be still before it is read.
    still_s: float = 0.35
    #: Readings of one card that are averaged: noise falls by the square root, each costs a frame.
    readings: int = 4
    #: Pixels that the short side must have.
    min_width_px: float = 60.0
    #: Least ``sharpness``: below, fine print runs together and similar faces cannot be distinguished.
    min_sharpness: float = 0.15
    #: Times that people insist before the printed indices no longer count: this deck draws them in another way.
    insists_believed: int = 2
    #: Resolution of what is kept, px a mm.
    scale_px_per_mm: float = 4.0
    #: JPEG quality of the card just judged, as people see it; what is learned is not compressed.
    shown_quality: int = 95


LIMITS = LessonLimits()


class Lesson:
    """A lesson that learns ``labels`` one after the other from frames.

    ``size_mm`` is measured on the mat if it is in view, else guessed by the card's shape, where it is not given.
    """

    def __init__(
        self,
        name: str,
        labels: Iterable[str],
        *,
        size_mm: tuple[float, float] | None = None,
        copies: int | None = None,
        with_back: bool = False,
    ) -> None:
        self.name = name
        self.labels = tuple(dict.fromkeys(labels))
        if not self.labels:
            raise DeckError(f"deck {name!r}: no face is named to be learned")
        self._waiting = deque([*self.labels, *([BACK] if with_back else [])])
        self._total = len(self._waiting)
        self._pictures: dict[str, Picture] = {}
        self._given_size, self._copies = size_mm, copies
        self.finder = LoneCardFinder()
        self._gate = ChangeDetector()
        self._readings: list[Picture] = []
        self._last: str | None = None
        self._judged: LessonState | None = None  # holds while nothing moves
        self._widths: list[float] = []  # px, of cards learned
        self._doubted: tuple[str, Picture, Quad] | None = None  # contradicted by its indices
        self._insisted = 0

    @property
    def learned(self) -> tuple[str, ...]:
        """Labels learned so far, in the order of showing."""
        return tuple(self._pictures)

    @property
    def scale(self) -> float | None:
        """Px a mm of the camera, by the cards learned; None before the first."""
        return float(np.median(self._widths)) / self._size_mm()[0] if self._widths else None

    @property
    def asked(self) -> str | None:
        """The label to be shown next; None when all are learned."""
        return self._waiting[0] if self._waiting else None

    @property
    def done(self) -> bool:
        """Whether every face is learned."""
        return not self._waiting

    def skip(self) -> None:
        """Ask for this face last; the back, which a deck may lack, is not asked for again."""
        if self._waiting:
            label = self._waiting.popleft()
            if label == BACK:
                self._total -= 1
            else:
                self._waiting.append(label)
            self._forget_readings()

    def back(self) -> str | None:
        """Forget the face learned last and ask for it again; its label."""
        if not self._pictures:
            return None
        label = next(reversed(self._pictures))
        self.again(label)
        return label

    def again(self, label: str) -> None:
        """Forget a face and ask for it now.

        :raises DeckError: a label that is not learned
        """
        if label not in self._pictures:
            raise DeckError(f"{label!r} is not learned yet; learned are {', '.join(self._pictures) or 'none'}")
        del self._pictures[label]
        self._waiting.appendleft(label)
        self._last = None
        self._forget_readings()

    def insist(self) -> None:
        """Learn the card just called ``other`` as the one asked for; whoever insists twice is not asked again."""
        doubted, self._doubted = self._doubted, None
        if doubted is not None and doubted[0] == self.asked:
            self._learn(*doubted)
            self._insisted += 1
            self._forget_readings()

    def _learn(self, label: str, picture: Picture, quad: Quad) -> None:
        self._pictures[label] = picture
        self._last = label
        self._widths.append(mean_width(quad))
        self._waiting.popleft()

    def _forget_readings(self) -> None:
        self._readings.clear()
        self._judged = None

    def state(
        self,
        verdict: str,
        *,
        rival: str | None = None,
        detail: str = "",
        picture: Picture | None = None,
        outline: Quad | None = None,
    ) -> LessonState:
        """Report how the lesson stands, with this verdict; ``picture`` is (h, w, 3) uint8 BGR, the card rectified."""
        return LessonState(
            asked=self.asked,
            verdict=verdict,
            learned=tuple(self._pictures),
            total=self._total,
            rival=rival,
            detail=detail,
            picture=encode_jpeg(picture, LIMITS.shown_quality) if picture is not None else None,
            outline=tuple((float(x), float(y)) for x, y in outline) if outline is not None else None,
        )

    def feed(self, frame: Frame) -> LessonState:
        """Judge a frame and report how the lesson stands."""
        if self.done:
            return self.state("done")
        change = self._gate.update(frame.quarter, frame.at)
        if change.blind == "dark":
            return self.state("dark")
        if change.moving:
            self._forget_readings()
            return self.state("moving")
        if self._judged is not None:
            return self._judged
        if self.finder.background is None and float(change.rest.min()) < LIMITS.still_s:
            return self.state("moving")
        return self._read(frame.image, change.rest)

    def _read(self, image: Picture, rest: Picture) -> LessonState:
        """Add a reading of the card in a still frame; judge the card once there are enough."""
        quad = self.finder.find(image)
        if quad is None:
            still = float(np.quantile(rest, 0.1)) >= LIMITS.still_s
            return self.state(self.finder.explain_no_card(image, rest.size * CELL * CELL) if still else "nothing")
        if touches_edge(quad, (image.shape[1], image.shape[0])):
            return self.state("cut", outline=quad)
        if self._rest_in(quad, rest) < LIMITS.still_s:
            return self.state("reading", outline=quad)
        width = mean_width(quad)
        if width < LIMITS.min_width_px:
            return self.state("small", outline=quad, detail=f"{width:.0f} px")
        size = self._given_size or self.finder.measure_size(quad)
        scale = LIMITS.scale_px_per_mm
        self._readings.append(rectify_card(image, quad, (round(size[0] * scale), round(size[1] * scale))))
        if len(self._readings) < LIMITS.readings or len({r.shape for r in self._readings}) > 1:
            self._readings = [r for r in self._readings if r.shape == self._readings[-1].shape]
            return self.state("reading", outline=quad)
        picture = np.clip(np.mean(self._readings, axis=0) + 0.5, 0, 255).astype(np.uint8)
        self._readings.clear()
        alone = self.finder.is_alone(image, quad)
        self._judged = self._judge(picture, quad) if alone else self.state("odd", outline=quad)
        if self._judged.verdict != "good":
            return self._judged
        good, self._judged = self._judged, self.state("next", picture=picture, outline=quad)
        return good

    @staticmethod
    def _rest_in(quad: Quad, rest: Picture) -> float:
        """Return the seconds for which nearly all cells within a card have been still."""
        mask = np.zeros(rest.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad / CELL - 0.5).astype(np.int32), 1)
        inside = rest[mask > 0]
        return float(np.quantile(inside, 0.1)) if inside.size else 0.0

    def _judge(self, picture: Picture, quad: Quad) -> LessonState:
        """Learn the card, or give the reason against it as the verdict."""
        label = self._waiting[0]
        if self._last is not None and same_face(picture, self._pictures[self._last]):
            return self.state("next", picture=picture, outline=quad)
        if self.finder.drop_background_with_card(picture, quad):
            return self.state("nothing")
        problem = check_face(label, picture)
        if problem and problem.code != "missing":
            return self.state(problem.code, detail=problem.detail, picture=picture, outline=quad)
        if sharpness(picture) < LIMITS.min_sharpness:
            return self.state("blur", picture=picture, outline=quad)
        for shown, known in self._pictures.items():
            if same_face(picture, known):
                return self.state("same", rival=shown, picture=picture, outline=quad)
        if self._insisted < LIMITS.insists_believed and (other := contradicted(picture, label, self.labels)):
            self._doubted = label, picture, quad
            return self.state("other", rival=other, picture=picture, outline=quad)
        self._learn(label, picture, quad)
        return self.state("good", picture=picture, outline=quad)

    def deck(self) -> Deck:
        """Return the deck learned.

        :raises DeckError: faces missing, or unfit after all
        """
        wanted = tuple(label for label in self.labels if label not in self._pictures)
        if wanted:
            raise DeckError(f"deck {self.name!r}: not shown yet: {', '.join(wanted)}; go on with the lesson")
        size = self._size_mm()
        ordered = {label: self._pictures[label] for label in (*self.labels, BACK) if label in self._pictures}
        return Deck.learn(self.name, ordered, size, wanted=self.labels, copies=self._copies)

    def _size_mm(self) -> tuple[float, float]:
        if self._given_size is not None:
            return self._given_size
        height, width = next(iter(self._pictures.values())).shape[:2]
        return width / LIMITS.scale_px_per_mm, height / LIMITS.scale_px_per_mm

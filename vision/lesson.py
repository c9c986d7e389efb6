"""Learning a deck by showing each face once: what to ask for next, and whether the card shown will do.

``Lesson`` is fed frames and answers each with a ``LessonState``; it draws nothing and asks for nothing by itself.
``vision.lesson_terminal`` is the lesson on a terminal, ``vision.guide`` the one of a table at work.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.calibrate import Calibration, MatNotSeen, find_mat
from vision.deck import BACK, Deck
from vision.errors import DeckError
from vision.faces import check_face, same_face
from vision.frames import Frame
from vision.gate import CELL, Gate
from vision.outline import Quad, find_card, rectified, sharpness, things, touches_edge
from vision.pictures import Picture
from vision.printed import contradicted
from vision.view import View

#: Faces to be shown, by the names that the command line offers.
FACES: Mapping[str, tuple[str, ...]] = {
    "doppelkopf": tuple(s + r for s in "CSHD" for r in "ATKQJ9"),
    "doppelkopf-40": tuple(s + r for s in "CSHD" for r in "ATKQJ"),
    "schafkopf": tuple(s + r for s in "EGHS" for r in "ATKOU987"),
}
#: How many of each face a pack of these holds.
COPIES: Mapping[str, int] = {"doppelkopf": 2, "doppelkopf-40": 2, "schafkopf": 1}

#: Sizes of cards that are sold, width and height in mm; without a mat the nearest in shape is taken.
SIZES = ((59.0, 91.0), (56.0, 100.0), (63.0, 88.0), (56.0, 87.0))
#: Seconds that a card must lie still before it is read.
STILL = 0.35
#: Pictures of one card that are averaged: noise falls by the square root.
READINGS = 4
#: Pixels that the short side must have.
LEAST_WIDTH = 60.0
#: Least ``sharpness``: below, fine print runs together and rivals look alike.
LEAST_SHARPNESS = 0.15
#: Share of the picture that must differ from the empty ground for it to count as another ground.
CHANGED = 0.5
#: Times that people insist before their word is taken: the deck's indices are drawn otherwise then.
PATIENT = 2
#: Area of something beside a card, as a share of the card's, from which it is not shown alone.
BESIDE = 0.4
#: Resolution of what is kept, px a mm.
SCALE = 4.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LessonState:
    """Where the lesson stands after a frame.

    ``verdict``: ``nothing`` (no card seen), ``moving``, ``reading`` (hold still), ``good`` (learned just now), ``next``
    (that one is learned: show the card that is asked for), ``cut`` (reaches out of the picture, or a hand holds it),
    ``odd`` (not one whole card: two, or something beside it), ``small``, ``blur``, ``glare``, ``flat`` (no print),
    ``down`` (its back is seen), ``same`` (looks like ``rival``, which was shown before), ``other`` (by its indices it
    is ``rival``, not the card that is asked for: show that, or ``insist``), ``dark``, ``camera`` (no picture;
    ``detail`` says why), ``unfit`` (the deck cannot be kept; ``detail`` says why), ``done``.
    """

    asked: str | None  # label; None when all are learned
    verdict: str
    learned: tuple[str, ...]  # in the order of showing
    total: int
    rival: str | None = None
    detail: str = ""
    picture: Picture | None = None  # (h, w, 3) uint8 BGR, the card just judged, rectified
    outline: Quad | None = None  # (4, 2) px in the frame

    def scaled(self, scale: float) -> "LessonState":
        """The same for a frame made smaller by ``scale``."""
        return self if self.outline is None else replace(self, outline=self.outline * scale)


class Lesson:
    """Learns ``labels`` one after the other from frames.

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
        self._measured: list[tuple[float, float]] = []  # mm on the mat, or px
        self._view: View | None = None
        self._middle: tuple[int, int, int, int] | None = None
        self._gate = Gate()
        self._empty: Picture | None = None
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
        self._widths.append(float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2)
        self._waiting.popleft()

    def _forget_readings(self) -> None:
        self._readings.clear()
        self._judged = None

    def state(self, verdict: str, **more: object) -> LessonState:
        """How the lesson stands, with this verdict."""
        return LessonState(
            asked=self.asked,
            verdict=verdict,
            learned=tuple(self._pictures),
            total=self._total,
            **more,  # type: ignore[arg-type]
        )

    def look(self, frame: Frame) -> LessonState:
        """What a frame adds to the lesson."""
        if self.done:
            return self.state("done")
        image = frame.image
        change = self._gate.step(frame.quarter, frame.at)
        if change.blind == "dark":
            return self.state("dark")
        if change.moving:
            self._forget_readings()
            return self.state("moving")
        if self._judged is not None:
            return self._judged
        rest = float(change.rest.min())
        if self._empty is None and rest < STILL:
            return self.state("moving")
        quad = self._find(image)
        if quad is None:
            return self.state(self._other(image, change.rest))
        if touches_edge(quad, (image.shape[1], image.shape[0])):
            return self.state("cut", outline=quad)
        if self._rest_in(quad, change.rest) < STILL:
            return self.state("reading", outline=quad)
        width = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
        if width < LEAST_WIDTH:
            return self.state("small", outline=quad, detail=f"{width:.0f} px")
        size = self._size(quad)
        self._readings.append(rectified(image, quad, (round(size[0] * SCALE), round(size[1] * SCALE))))
        if len(self._readings) < READINGS or len({r.shape for r in self._readings}) > 1:
            self._readings = [r for r in self._readings if r.shape == self._readings[-1].shape]
            return self.state("reading", outline=quad)
        picture = np.clip(np.mean(self._readings, axis=0) + 0.5, 0, 255).astype(np.uint8)
        self._readings.clear()
        self._judged = self._judge(picture, quad) if self._is_alone(image, quad) else self.state("odd", outline=quad)
        if self._judged.verdict != "good":
            return self._judged
        good, self._judged = self._judged, self.state("next", picture=picture, outline=quad)
        return good

    def _find(self, image: Picture) -> Quad | None:
        """The card's outline. A still picture without a card becomes the ground that later ones are compared with."""
        if self._empty is not None:
            return find_card(image, self._empty, self._view)
        try:
            mat = find_mat(image)
            self._view, self._middle = mat.view, _middle_of(mat)
        except MatNotSeen:
            self._view = self._middle = None
        quad = find_card(image, None, self._view, self._middle)
        if quad is None:
            self._empty = image.copy()
        return quad

    def _other(self, image: Picture, rest: Picture) -> str:
        """What there is to see instead of a card, for a verdict."""
        if self._empty is None or float(np.quantile(rest, 0.1)) < STILL:
            return "nothing"
        seen = things(image, self._empty)
        if not seen:
            return "nothing"
        if sum(cv2.contourArea(np.asarray(thing, np.float32)) for thing in seen) > CHANGED * rest.size * CELL * CELL:
            self._empty = None  # light or camera have changed: another ground
            return "nothing"
        size = (image.shape[1], image.shape[0])
        return "cut" if touches_edge(seen[0], size, 6.0) else "odd"

    def _is_alone(self, image: Picture, quad: Quad) -> bool:
        """Whether nothing else that is large lies beside the card."""
        if self._empty is None:
            return True
        least = BESIDE * cv2.contourArea(quad.astype(np.float32))
        for thing in things(image, self._empty):
            middle = thing.mean(0)
            inside = cv2.pointPolygonTest(quad.astype(np.float32), (float(middle[0]), float(middle[1])), False) >= 0
            if not inside and cv2.contourArea(np.asarray(thing, np.float32)) > least:
                return False
        return True

    @staticmethod
    def _rest_in(quad: Quad, rest: Picture) -> float:
        mask = np.zeros(rest.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad / CELL - 0.5).astype(np.int32), 1)
        inside = rest[mask > 0]
        return float(np.quantile(inside, 0.1)) if inside.size else 0.0

    def _size(self, quad: Quad) -> tuple[float, float]:
        """Width and height in mm: given, measured on the mat over all cards so far, or the nearest that is sold."""
        if self._given_size:
            return self._given_size
        places = self._view.unproject(quad) if self._view else quad
        sides = np.linalg.norm(np.roll(places, -1, 0) - places, axis=1)
        self._measured = [*self._measured[-40:], (float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2)]
        width, height = np.median(np.array(self._measured), axis=0)
        if self._view:
            near = min(SIZES, key=lambda size: abs(size[0] - width) + abs(size[1] - height))
            if abs(near[0] - width) + abs(near[1] - height) < 3.0:
                return near
            return round(float(width) * 2) / 2, round(float(height) * 2) / 2
        return min(SIZES, key=lambda size: abs(size[1] / size[0] - height / width))

    def _judge(self, picture: Picture, quad: Quad) -> LessonState:
        label = self._waiting[0]
        more = {"picture": picture, "outline": quad}
        if self._last is not None and same_face(picture, self._pictures[self._last]):
            return self.state("next", **more)
        if self._empty is not None:
            before = rectified(self._empty, quad, (picture.shape[1], picture.shape[0]))
            if _contrast(before) > 1.5 * _contrast(picture):
                self._empty = None  # what was taken for the empty ground had a card on it, and now it is away
                return self.state("nothing")
        problem = check_face(label, picture)
        if problem and problem.code != "missing":
            return self.state(problem.code, detail=problem.detail, **more)
        if sharpness(picture) < LEAST_SHARPNESS:
            return self.state("blur", **more)
        for shown, known in self._pictures.items():
            if same_face(picture, known):
                return self.state("same", rival=shown, **more)
        if self._insisted < PATIENT and (other := contradicted(picture, label, self.labels)):
            self._doubted = label, picture, quad
            return self.state("other", rival=other, **more)
        self._learn(label, picture, quad)
        return self.state("good", **more)

    def deck(self) -> Deck:
        """The deck learned.

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
        return width / SCALE, height / SCALE


def _contrast(picture: Picture) -> float:
    return float(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).std())


def _middle_of(mat: Calibration) -> tuple[int, int, int, int] | None:
    """The plain part of the sheet in the picture: x, y, width, height; None if it reaches out of the picture."""
    if mat.layout is None:
        return None
    a, b = mat.layout.middle
    box = mat.view.project([(-a, -b), (a, -b), (a, b), (-a, b)])
    (x0, y0), (x1, y1) = np.floor(box.min(0)).astype(int).tolist(), np.ceil(box.max(0)).astype(int).tolist()
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(mat.view.size[0], x1), min(mat.view.size[1], y1)
    return (x0, y0, x1 - x0, y1 - y0) if min(x1 - x0, y1 - y0) > 60 else None

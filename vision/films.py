"""Cards in a film: single frames are read, several readings vote, and what lies there is told when it changes.

No mat and no fixed camera are needed. A frame that shows the same as the one read before costs nothing; the others are
read at most ``READINGS`` times a second of the film.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.pictures import Picture, PictureError
from vision.reading import Seen
from vision.view import Array

#: Files that are films.
FILMS = (".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".ogv", ".mjpeg", ".mjpg", ".wmv", ".3gp")
#: Readings a second of film. 1 … 10; time grows with it, a card shown shorter than two readings is not told.
READINGS = 4.0
#: Mean difference (grey levels) of small pictures below which a frame shows the same as the last one read. 1 … 4.
SAME = 1.6
#: Readings in which a card must be seen before it is told, and missed before it is gone. 2 … 3.
SETTLED = 2

Reader = Callable[[Picture], list[Seen]]


@dataclass(slots=True)
class _Lying:
    """A card followed through readings."""

    card: Seen
    votes: Counter[str] = field(default_factory=Counter)
    doubts: Counter[str] = field(default_factory=Counter)
    seen: int = 0
    missed: int = 0

    def told(self) -> Seen:
        """The card as all readings together have it: the label with most votes, if it is clearly ahead."""
        (best, most), *others = self.votes.most_common(2) or [("", 0)]
        rival = others[0][1] if others else 0
        if not most or (rival and most <= 2 * rival) or (self.card.label is None and self.seen > 2 * most + 2):
            named = [*self.votes, *(label for label in self.doubts if label not in self.votes)]
            return replace(self.card, label=None, choices=self.card.choices or tuple((label, 0.0) for label in named))
        return self.card if self.card.label == best else replace(self.card, label=best, margin=0.1)


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What lies there from ``at`` (seconds) on; ``changed`` if that is not what was told before."""

    at: float
    frame: Picture
    cards: tuple[Seen, ...]
    changed: bool


class FilmReader:
    """The cards that lie there, reading by reading."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._lying: list[_Lying] = []
        self._told: tuple[tuple[str, Array], ...] = ()
        self._small: Picture | None = None

    def read(self, frame: Picture, at: float) -> Told:
        """The next frame's cards, agreed with those before."""
        small = cv2.resize(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (160, 120), interpolation=cv2.INTER_AREA)
        same = self._small is not None and float(cv2.absdiff(small, self._small).mean()) < SAME
        if same and all(lying.seen >= SETTLED and not lying.missed for lying in self._lying):
            return Told(at, frame, self._settled(), False)
        self._small = small
        self._follow(self._reader(frame))
        cards = self._settled()
        now = tuple((card.label or "?", card.quad.mean(0)) for card in cards)
        changed = sorted(name for name, _ in now) != sorted(name for name, _ in self._told)
        if changed:
            self._told = now
        return Told(at, frame, cards, changed)

    def _settled(self) -> tuple[Seen, ...]:
        return tuple(lying.told() for lying in self._lying if lying.seen >= SETTLED)

    def _follow(self, seen: list[Seen]) -> None:
        left = list(range(len(self._lying)))
        for card in sorted(seen, key=lambda card: -card.margin):
            near = [(self._apart(card, self._lying[k]), k) for k in left]
            best = min(near, default=(9.0, -1))
            if best[0] < 1.0:
                left.remove(best[1])
                lying = self._lying[best[1]]
            else:
                lying = _Lying(card)
                self._lying.append(lying)
            lying.card, lying.missed = card, 0
            lying.seen += 1
            if card.label is not None:
                lying.votes[card.label] += 1
            for label, _ in card.choices[:2]:
                lying.doubts[label] += 1
        for k in left:
            self._lying[k].missed += 1
        self._lying = [
            lying for lying in self._lying if lying.missed < SETTLED and (lying.seen >= SETTLED or not lying.missed)
        ]

    @staticmethod
    def _apart(card: Seen, lying: _Lying) -> float:
        """How far from the same card: 0 the same place, from 1 on another one; a hand-held camera moves a little."""
        diagonal = float(np.linalg.norm(lying.card.quad[2] - lying.card.quad[0]))
        away = float(np.linalg.norm(card.quad.mean(0) - lying.card.quad.mean(0))) / max(diagonal, 1.0)
        same = card.label is None or not lying.votes or card.label == lying.votes.most_common(1)[0][0]
        return away / (0.7 if same else 0.2)


def read_film(path: Path, reader: Reader, every_frame: bool = False) -> Iterator[Told]:
    """What each reading of a film tells; with ``every_frame`` also the frames between, for drawing.

    :raises PictureError: no such file, or no film that can be read
    """
    if not path.is_file():
        raise PictureError(f"{path}: there is no such file; check the path")
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        if not capture.isOpened():
            raise PictureError(f"{path}: is no film that can be read; convert it to MP4 (H.264)")
        rate = frames_a_second(capture)
        film, due, number = FilmReader(reader), 0.0, 0
        told: Told | None = None
        while True:
            ok, frame = capture.read()
            if not ok:
                break
            at = number / rate
            if at + 1e-6 >= due:
                due = at + 1 / READINGS
                told = film.read(np.asarray(frame, np.uint8), at)
                yield told
            elif every_frame and told is not None:
                yield replace(told, at=at, frame=np.asarray(frame, np.uint8), changed=False)
            number += 1
        if not number:
            raise PictureError(f"{path}: holds no frame that can be read; convert it to MP4 (H.264)")
    finally:
        capture.release()


def frames_a_second(capture: cv2.VideoCapture) -> float:
    """As the file says, 25 where it says nothing likely."""
    rate = float(capture.get(cv2.CAP_PROP_FPS))
    return rate if 0.5 <= rate <= 240 else 25.0


class FilmWriter:
    """An annotated film, opened with its first frame; long sides above 1280 px are made smaller."""

    def __init__(self, path: Path, rate: float) -> None:
        self._path, self._rate = path, rate
        self._writer: cv2.VideoWriter | None = None
        self._size = (0, 0)

    def write(self, frame: Picture) -> None:
        """Adds a frame.

        :raises VisionError: the film cannot be written
        """
        if self._writer is None:
            factor = min(1.0, 1280 / max(frame.shape[:2]))
            # most coders want even sides
            self._size = (round(frame.shape[1] * factor) // 2 * 2, round(frame.shape[0] * factor) // 2 * 2)
            self._writer = cv2.VideoWriter(str(self._path), cv2.VideoWriter.fourcc(*"mp4v"), self._rate, self._size)
            if not self._writer.isOpened():
                raise VisionError(f"{self._path}: the annotated film cannot be written; check the folder")
        if (frame.shape[1], frame.shape[0]) != self._size:
            frame = np.asarray(cv2.resize(frame, self._size, interpolation=cv2.INTER_AREA))
        self._writer.write(frame)

    def close(self) -> None:
        """Ends the file."""
        if self._writer is not None:
            self._writer.release()

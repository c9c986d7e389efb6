"""Read the cards in a film: single frames are read, readings vote, and the cards are reported when they change.

No mat and no fixed camera are needed. A frame that shows the same as the one read before costs nothing; the others are
read at most ``FilmLimits.readings_per_s`` times a second of the film.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.geometry.projection import Array
from vision.images import Picture, PictureError, check_size
from vision.recognition.card_reading import CardReading

#: Files that are films.
FILMS = (".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".ogv", ".mjpeg", ".mjpg", ".wmv", ".3gp")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmLimits:
    """How often a film is read, and when what is seen in it counts."""

    #: Readings a second of film. 1 … 10; time grows with it, a card shown shorter than two readings is not reported.
    readings_per_s: float = 4.0
    #: Mean difference (grey levels) of small pictures below which a frame shows the same as the last one read. 1 … 4.
    same_levels: float = 1.6
    #: Readings in which a card must be seen before it is reported, and missed before it is gone. 2 … 3.
    settled_readings: int = 2
    #: How far a card may have moved between two readings, as a share of its diagonal, to be the same one; and one with
    #: another label: a hand-held camera moves a little.
    same_label_move: float = 0.7
    other_label_move: float = 0.2


LIMITS = FilmLimits()

FilmRecogniser = Callable[[Picture], list[CardReading]]


@dataclass(slots=True)
class _FollowedCard:
    """A card followed through readings."""

    card: CardReading
    votes: Counter[str] = field(default_factory=Counter)
    doubts: Counter[str] = field(default_factory=Counter)
    seen: int = 0
    missed: int = 0

    def combined(self) -> CardReading:
        """Combine the readings of a card: the label with most votes, if it is clearly ahead."""
        (best, votes), *others = self.votes.most_common(2) or [("", 0)]
        rival = others[0][1] if others else 0
        if not votes or (rival and votes <= 2 * rival) or (self.card.label is None and self.seen > 2 * votes + 2):
            named = [*self.votes, *(label for label in self.doubts if label not in self.votes)]
            return replace(self.card, label=None, choices=self.card.choices or tuple((label, 0.0) for label in named))
        return self.card if self.card.label == best else replace(self.card, label=best, margin=0.1)


@dataclass(frozen=True, slots=True, eq=False)
class FilmReading:
    """The cards from ``at`` (seconds) on; ``changed`` if they are not those reported before."""

    at: float
    frame: Picture
    cards: tuple[CardReading, ...]
    changed: bool


class FilmReader:
    """Follows the cards of a film, reading by reading."""

    def __init__(self, reader: FilmRecogniser) -> None:
        self._reader = reader
        self._followed: list[_FollowedCard] = []
        self._reported: tuple[tuple[str, Array], ...] = ()
        self._small: Picture | None = None

    def read(self, frame: Picture, at: float) -> FilmReading:
        """Read the next frame's cards and combine them with those before."""
        small = cv2.resize(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (160, 120), interpolation=cv2.INTER_AREA)
        same = self._small is not None and float(cv2.absdiff(small, self._small).mean()) < LIMITS.same_levels
        if same and all(
            followed.seen >= LIMITS.settled_readings and not followed.missed for followed in self._followed
        ):
            return FilmReading(at, frame, self._settled(), False)
        self._small = small
        self._follow(self._reader(frame))
        cards = self._settled()
        now = tuple((card.label or "?", card.quad.mean(0)) for card in cards)
        changed = sorted(name for name, _ in now) != sorted(name for name, _ in self._reported)
        if changed:
            self._reported = now
        return FilmReading(at, frame, cards, changed)

    def _settled(self) -> tuple[CardReading, ...]:
        return tuple(followed.combined() for followed in self._followed if followed.seen >= LIMITS.settled_readings)

    def _follow(self, seen: list[CardReading]) -> None:
        left = list(range(len(self._followed)))
        for card in sorted(seen, key=lambda card: -card.margin):
            near = [(self._apart(card, self._followed[k]), k) for k in left]
            best = min(near, default=(9.0, -1))
            if best[0] < 1.0:
                left.remove(best[1])
                followed = self._followed[best[1]]
            else:
                followed = _FollowedCard(card)
                self._followed.append(followed)
            followed.card, followed.missed = card, 0
            followed.seen += 1
            if card.label is not None:
                followed.votes[card.label] += 1
            for label, _ in card.choices[:2]:
                followed.doubts[label] += 1
        for k in left:
            self._followed[k].missed += 1
        self._followed = [
            followed
            for followed in self._followed
            if followed.missed < LIMITS.settled_readings
            and (followed.seen >= LIMITS.settled_readings or not followed.missed)
        ]

    @staticmethod
    def _apart(card: CardReading, followed: _FollowedCard) -> float:
        """Rate the distance of two readings: 0 the same place, from 1 on another card; a hand-held camera moves."""
        diagonal = float(np.linalg.norm(followed.card.quad[2] - followed.card.quad[0]))
        away = float(np.linalg.norm(card.quad.mean(0) - followed.card.quad.mean(0))) / max(diagonal, 1.0)
        same = card.label is None or not followed.votes or card.label == followed.votes.most_common(1)[0][0]
        return away / (LIMITS.same_label_move if same else LIMITS.other_label_move)


def read_film(path: Path, reader: FilmRecogniser, every_frame: bool = False) -> Iterator[FilmReading]:
    """Read a film; with ``every_frame`` also the frames between, for drawing.

    :raises PictureError: no such file, or no film that can be read
    """
    if not path.is_file():
        raise PictureError(f"{path}: there is no such file; check the path")
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        if not capture.isOpened():
            raise PictureError(f"{path}: is no film that can be read; convert it to MP4 (H.264)")
        check_size(int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)), str(path))
        rate = frames_a_second(capture)
        film, due, number = FilmReader(reader), 0.0, 0
        last: FilmReading | None = None
        while True:
            ok, frame = capture.read()
            if not ok:
                break
            at = number / rate
            if at + 1e-6 >= due:
                due = at + 1 / LIMITS.readings_per_s
                last = film.read(np.asarray(frame, np.uint8), at)
                yield last
            elif every_frame and last is not None:
                yield replace(last, at=at, frame=np.asarray(frame, np.uint8), changed=False)
            number += 1
        if not number:
            raise PictureError(f"{path}: holds no frame that can be read; convert it to MP4 (H.264)")
    finally:
        capture.release()


def frames_a_second(capture: cv2.VideoCapture) -> float:
    """Read the frame rate from the file; 25 where that is missing or unlikely."""
    rate = float(capture.get(cv2.CAP_PROP_FPS))
    return rate if 0.5 <= rate <= 240 else 25.0


class FilmWriter:
    """An annotated film, opened with its first frame; long sides above 1280 px are made smaller."""

    def __init__(self, path: Path, rate: float) -> None:
        self._path, self._rate = path, rate
        self._writer: cv2.VideoWriter | None = None
        self._size = (0, 0)

    def write(self, frame: Picture) -> None:
        """Add a frame.

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
        """Close the file."""
        if self._writer is not None:
            self._writer.release()

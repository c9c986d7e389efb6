"""Read the cards in a film: single frames are read, readings vote, and the cards are reported when they change.

No mat and no fixed camera are needed. A frame that shows the same as the one read before costs nothing; the others are
read at most ``FilmLimits.readings_per_s`` times a second of the film.
"""

from collections import Counter, deque
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
    #: Seconds until a name that one reading alone has given is read again. 0.05 … 0.25.
    confirmed_s: float = 0.1
    #: Mean difference (grey levels) of small pictures below which a frame shows the same as the last one read. 1 … 4.
    same_levels: float = 1.6
    #: The same of each tenth of the width and height: another card on a heap changes little else. 4 … 12.
    same_levels_of_part: float = 8.0
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
    """A place in which a card is followed through readings."""

    card: CardReading
    #: The likeliest label of the last readings, and whether it was their name.
    recent: deque[tuple[str, bool]] = field(default_factory=lambda: deque(maxlen=4))
    seen: int = 0
    missed: int = 0

    def add(self, card: CardReading) -> None:
        """Add a reading."""
        self.card, self.missed = card, 0
        self.seen += 1
        likeliest = card.label or (card.choices[0][0] if card.choices else None)
        if likeliest is not None:
            self.recent.append((likeliest, card.label is not None))

    @property
    def settled(self) -> bool:
        """Whether it was seen often enough and the last two readings agree: nothing is gained by another at once."""
        agree = len(self.recent) < 2 or self.recent[-1][0] == self.recent[-2][0]
        return self.seen >= LIMITS.settled_readings and agree

    @property
    def label(self) -> str | None:
        """Decide the name: what the last two readings agree on; one that contradicts them is outvoted once.

        Older readings may be of the card that lies below.
        """
        last = list(self.recent)
        for one, other in ((-1, -2), (-2, -3)):
            if len(last) >= -other and last[one][0] == last[other][0]:
                return last[one][0] if last[one][1] or last[other][1] else None
        (best, votes), *others = Counter(name for name, _ in last).most_common(2) or [("", 0)]
        return best if votes > 2 * (others[0][1] if others else 0) and (best, True) in last else None

    def combined(self) -> CardReading:
        """Combine the readings of a card."""
        label = self.label
        if label is None:
            named = dict.fromkeys(name for name, _ in self.recent)
            return replace(self.card, label=None, choices=self.card.choices or tuple((name, 0.0) for name in named))
        return self.card if self.card.label == label else replace(self.card, label=label, margin=0.1)


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
        same = self._small is not None and _same(small, self._small)
        if same and all(followed.settled and not followed.missed for followed in self._followed):
            return FilmReading(at, frame, self._settled(), False)
        self._small = small
        self._follow(self._reader(frame))
        cards = self._settled()
        now = tuple((card.label or "?", card.quad.mean(0)) for card in cards)
        changed = sorted(name for name, _ in now) != sorted(name for name, _ in self._reported)
        if changed:
            self._reported = now
        return FilmReading(at, frame, cards, changed)

    @property
    def next_s(self) -> float:
        """Seconds from one reading to the next."""
        unsettled = any(not followed.missed and not followed.settled for followed in self._followed)
        return LIMITS.confirmed_s if unsettled else 1 / LIMITS.readings_per_s

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
            followed.add(card)
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
        same = card.label is None or followed.label in (None, card.label)
        return away / (LIMITS.same_label_move if same else LIMITS.other_label_move)


def _same(one: Picture, other: Picture) -> bool:
    """Check whether two small grey pictures show the same, as a whole and in each part."""
    apart = cv2.absdiff(one, other)
    parts = cv2.resize(apart, (10, 10), interpolation=cv2.INTER_AREA)
    return float(apart.mean()) < LIMITS.same_levels and float(parts.max()) < LIMITS.same_levels_of_part


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
                last = film.read(np.asarray(frame, np.uint8), at)
                due = at + film.next_s
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

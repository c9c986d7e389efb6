"""Make the live picture of the mat with what was read of it, for people to watch."""

import time
from collections import deque
from collections.abc import Callable

import cv2
import numpy as np

from vision.camera.frame import Frame
from vision.camera.jpeg import shrunk_jpeg
from vision.messages import CardInPicture, MatPicture, Point
from vision.tracking.coarse_plane import CELL, Cells
from vision.tracking.tracked_card import TrackedCard
from vision.tracking.tracker import Tracker

#: Seconds between two pictures: one takes some 5 ms to encode, and a table at rest shall stay cool.
PICTURE_INTERVAL_S = 0.1
#: Frames over which the frame rate is measured.
RATE_FRAMES = 30


class LiveView:
    """Turns frames into ``MatPicture`` values of at most ``width`` px; made where ``WatchMat`` asks for it.

    :param clock: seconds; how often pictures are made depends on this alone, however fast a film runs.
    """

    def __init__(self, width: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._width, self._clock = width, clock
        self._due = float("-inf")
        self._times: deque[float] = deque(maxlen=RATE_FRAMES)

    def picture(self, frame: Frame, tracker: Tracker | None) -> MatPicture | None:
        """Draw up the picture of a frame that was processed; None while it is too early for the next one."""
        now = self._clock()
        self._times.append(now)
        if now < self._due:
            return None
        self._due = now + PICTURE_INTERVAL_S
        data, scale = shrunk_jpeg(frame.image, self._width)
        size = (round(frame.size[0] * scale), round(frame.size[1] * scale))
        span = now - self._times[0]
        fps = round((len(self._times) - 1) / span, 1) if span > 0 else 0.0
        state = tracker.state if tracker is not None else None
        if tracker is None or state is None or state.change is None:
            return MatPicture(at=frame.at, picture=data, size=size, fps=fps)
        return MatPicture(
            at=frame.at,
            picture=data,
            size=size,
            cards=tuple(_drawn_up(card, quad, scale) for card, quad in zip(state.cards, tracker.quads, strict=False)),
            changed=_outlines(state.change.differs, scale),
            moving=_outlines(state.change.moved, scale),
            fps=fps,
        )


def _drawn_up(card: TrackedCard, quad: np.ndarray, scale: float) -> CardInPicture:
    """Describe a card with its corners, (4, 2) px of the frame, scaled to the picture."""
    a, b, c, d = ((round(float(x) * scale, 1), round(float(y) * scale, 1)) for x, y in quad)
    best = card.ranked[0] if card.scores and not card.face_down else None
    return CardInPicture(
        card=card.number,
        quad=(a, b, c, d),
        label=best,
        margin=card.margin,
        doubt=not card.face_down and card.label is None,
        face_down=card.face_down,
        x=card.pose[0],
        y=card.pose[1],
        angle=card.pose[2],
    )


def _outlines(cells: Cells, scale: float) -> tuple[tuple[Point, ...], ...]:
    """Outline the patches of some cells, in px of the picture."""
    if not cells.any():
        return ()
    blocks = cv2.resize(cells.view(np.uint8), None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    contours, _ = cv2.findContours(blocks, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    px = scale * CELL / 2  # a cell is two blocks each way, so that a single one has an outline
    return tuple(tuple(((float(x) + 0.5) * px, (float(y) + 0.5) * px) for x, y in one[:, 0]) for one in contours)

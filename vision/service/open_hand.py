"""Read the hand that somebody lays open on the mat, once it lies still and whenever it has changed."""

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np

from vision.camera.frame import Frame
from vision.deck.deck import Deck
from vision.images import Picture
from vision.indices.hand import FaceIndices, in_order, read_hand_by_indices
from vision.indices.hand_print import read_beside_indices
from vision.indices.reading import LABELS
from vision.messages import HandRead, ShownCard
from vision.recognition.card_reading import CardReading
from vision.recognition.recognise import recognise
from vision.tracking.tracker import Tracker

#: Seconds for which nothing may have moved, and between two readings at least: the mat is not watched meanwhile.
STILL_S, INTERVAL_S = 0.4, 1.5
#: Grey levels by which the mean of a cell must differ for something to have moved, how many cells must, and their side,
#: px of a quarter of the picture's size: a card covers fifty of them, and noise, in dim light ten levels, is averaged.
MOVED_LEVELS, MOVED_CELLS, CELL_PX = 10, 3, 4
#: Pictures of the hand at rest that are added up: half the noise, so that what glare nearly hides can be read.
LOOKS = 6


class OpenHand:
    """The reading of an open hand while it is asked for.

    :param faces: labels that a card of it may have.
    :param cards: that lie open, 0: not known.
    :param alone: whether cards are not tracked meanwhile.
    """

    def __init__(self, faces: tuple[str, ...], *, cards: int = 0, alone: bool = False) -> None:
        self.faces, self.cards, self.alone = faces, cards, alone
        self._before: np.ndarray | None = None  # cells of the frame before
        self._moved_at = self._read_at = float("-inf")
        self._read: np.ndarray | None = None  # cells of what was read last
        self._looks: deque[Frame] = deque(maxlen=LOOKS)  # since it is at rest
        self._told: tuple[str, tuple[object, ...]] | None = None
        self._indices: tuple[Deck, FaceIndices] | None = None
        self._closer = False  # more of it may be read

    def read(self, frame: Frame, tracker: Tracker | None) -> HandRead | None:
        """Read what lies in a frame; None while it moves or is known."""
        height, width = frame.quarter.shape[:2]
        size = (max(1, width // CELL_PX), max(1, height // CELL_PX))
        samples = cv2.resize(frame.quarter[:, :, 1], size, interpolation=cv2.INTER_AREA).astype(np.int16)
        before, self._before = self._before, samples
        if before is None or _differ(samples, before):
            self._moved_at = frame.at
            self._looks.clear()
        self._looks.append(frame.kept())
        still = frame.at - self._moved_at >= STILL_S and frame.at - self._read_at >= INTERVAL_S
        known = self._read is not None and not _differ(samples, self._read)
        if not still or (known and not self._closer):
            return None
        self._read, self._read_at = samples, frame.at
        by, cards = self._cards(tracker, closely=known)
        self._closer = not known and by == "indices" and sum(card.label is not None for card in cards) < self.cards
        told = by, tuple((card.label, card.choices[:1]) for card in cards)
        if told == self._told or (self._told is None and told == ("indices", ())):  # nothing lies open yet
            return None
        self._told = told
        return HandRead(at=frame.at, cards=tuple(map(shown, cards)), by=by)

    def _cards(self, tracker: Tracker | None, *, closely: bool) -> tuple[str, list[CardReading]]:
        """How is read, and the cards; ``closely``: by faces, too, where the deck is learned."""
        calibration = tracker.state.calibration if tracker is not None else None
        if tracker is None or calibration is None:
            return "nothing", []
        deck, seen = tracker.deck, mean_of([one.image for one in self._looks])
        if not deck.faces:  # nobody has taught it: it is read by its indices
            return "indices", read_hand_by_indices(seen, calibration.view, self.faces)
        if self._indices is None or self._indices[0] is not deck:
            self._indices = deck, FaceIndices(deck.faces)
        indices = self._indices[1]
        if set(deck.faces) <= set(indices.patches) and set(self.faces) <= set(LABELS):
            cards = read_hand_by_indices(seen, calibration.view, self.faces, indices)
            if closely:
                cards = read_beside_indices(seen, calibration.view, tracker.features, indices, cards)
            return "indices", cards
        cards = recognise(seen, tracker.features, calibration.view)
        return "faces", in_order([card for card in cards if not card.face_down])


def mean_of(looks: Sequence[Picture]) -> Picture:
    """Average pictures of one scene at rest, (H, W, 3) uint8 each and all of one size: noise is averaged away."""
    total = np.zeros(looks[0].shape, np.uint16)
    for one in looks:
        total += one
    return ((total + len(looks) // 2) // len(looks)).astype(np.uint8)


def _differ(samples: np.ndarray, others: np.ndarray) -> bool:
    if samples.shape != others.shape:
        return True
    return int(np.count_nonzero(np.abs(samples - others) > MOVED_LEVELS)) >= MOVED_CELLS


def shown(card: CardReading) -> ShownCard:
    """Tell what was read of a card."""
    x, y, _ = card.pose or (0.0, 0.0, 0.0)
    return ShownCard(label=card.label, margin=card.margin, choices=card.choices, x=float(x), y=float(y))

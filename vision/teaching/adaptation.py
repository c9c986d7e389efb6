"""Adapt a learned deck to the table's light and its cards' wear, by cards of which it is certain what they were.

The picture of a confirmed card is registered on the learned face, must correlate with it better than with any other
face, and is blended in. The learned deck itself is never changed: ``DeckAdapter.deck`` is a second one, always
at least half the learned one, and gone with the process, so that no error lasts longer than a round.

Nothing is adopted that brings two faces nearer to each other, and nothing that reads the confirmed cards with less
margin than before: a face that fails keeps its learned picture.
"""

import contextlib
import ctypes
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np

from vision.deck.centring import centre_print
from vision.deck.deck import REFERENCE_SCALE, Deck
from vision.geometry.projection import Array
from vision.images import Picture, decoded
from vision.recognition.classification import classify, padded_patch
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.tiles import ReferenceTiles


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptationLimits:
    """How much of a deck may be adapted, and which pictures it is adapted by."""

    #: Largest weight of confirmed pictures in a face, reached with so many of them.
    max_weight: float = 0.5
    pictures_for_max_weight: int = 4
    #: Pictures of a face that are needed before any of them counts: one alone may be wrong in a way nobody sees.
    min_pictures: int = 2
    #: Pictures of a face that its running mean remembers; older ones are of another light.
    remembered_pictures: int = 6
    #: Resolution of the registration, px a mm.
    registration_px_per_mm: float = 2.0
    #: Correlation with the learned face that a confirmed picture must reach.
    min_correlation: float = 0.7
    #: Margin with which the learned deck must read a confirmed picture as its label: higher leaves faces as they were
    #: where light is worst, lower lets a misread card in that the whole table overlooked.
    min_margin: float = 0.2
    #: Fall of a margin from which a face counts as made worse.
    margin_loss: float = 0.02
    #: Share of the distance between two faces that may be lost: worn print differs less.
    distance_loss: float = 0.1
    #: Times that faces made worse are taken out and the rest is checked again; then nothing is adapted.
    passes: int = 3


LIMITS = AdaptationLimits()

#: Label → its new pictures as patches, each with the margin at which the learned deck reads it.
_Fresh: TypeAlias = dict[str, list[tuple[Picture, float]]]


class DeckAdapter:
    """Adapts a deck by confirmed cards, in small steps that fit between frames."""

    def __init__(self, features: Callable[[], DeckFeatures], limits: AdaptationLimits = LIMITS) -> None:
        """Adapt the deck of ``features``, by which cards are read at the moment."""
        self._features, self._limits = features, limits
        self.learned = self.deck = features().deck
        self._faces = features().centred.faces
        self.refused: list[str] = []  # labels whose pictures or improvement were refused, the last ones
        self._means: dict[str, tuple[Picture, int]] = {}  # of confirmed pictures, and how many they were
        self._waiting: deque[tuple[str, bytes]] = deque()
        self._work: Iterator[None] | None = None
        self._ready: Deck | None = None
        self._margins: dict[str, float] = {}  # with which the learned deck reads each of its own faces

    def take(self, cards: Iterable[tuple[str, bytes]]) -> None:
        """Queue cards of which it is certain what they are, each with its JPEG as in ``CardLaid``."""
        self._waiting.extend((label, jpeg) for label, jpeg in cards if label in self.learned.faces)
        if self._waiting and self._work is None:
            self._work = self._improve()

    @property
    def busy(self) -> bool:
        """Whether there is work left."""
        return self._work is not None

    def step(self) -> Deck | None:
        """Do one step of the work, and return the improved deck once it is ready; it must be taken then.

        A step takes some ten milliseconds, ten times that at the end.
        """
        if self._work is None:
            return None
        try:
            next(self._work)
        except StopIteration:
            self._work = self._improve() if self._waiting else None
        ready, self._ready = self._ready, None
        return ready

    def forget(self) -> None:
        """Return to the deck as it was learned."""
        self._means.clear()
        self._waiting.clear()
        self._work, self._ready, self.deck = None, None, self.learned

    # --- the work -----------------------------------------------------------------------------------------------

    def _improve(self) -> Iterator[None]:
        """Adapt the deck by the waiting pictures, some ten milliseconds a step."""
        sharp = self._features().sharp
        if not self._margins:  # nothing is adapted yet
            for label, face in self._faces.items():
                self._margins[label] = margin(sharp, label, face, self.learned)[0]
                yield
        fresh = yield from self._read_waiting(sharp)
        del sharp  # or what it belongs to would still be held when the new one is made
        changed = [label for label in fresh if self._means[label][1] >= self._limits.min_pictures]
        if not changed:
            return
        now = dict(self._faces if self.deck is self.learned else self.deck.faces)
        faces = dict(now)
        for label in changed:
            faces[label] = self._blended(label)
        yield
        if not (yield from self._withdraw_worse(faces, fresh)):
            return
        if all(face is now[label] for label, face in faces.items()):
            return
        deck = replace(self.learned, faces=faces)
        yield
        self.deck = self._ready = deck

    def _read_waiting(self, sharp: ReferenceTiles) -> Generator[None, None, _Fresh]:
        """Read the waiting pictures; add those that fit to their faces' means."""
        fresh: _Fresh = defaultdict(list)
        while self._waiting:
            label, jpeg = self._waiting.popleft()
            picture = self._fitting(label, jpeg)
            patch = None if picture is None else _as_compared(sharp, picture, self.learned)
            ahead = -1.0 if patch is None else _margin_of(sharp, label, patch)[0]
            if picture is None or patch is None or ahead < self._limits.min_margin:
                self._refuse(label)
            else:
                self._remember(label, picture)
                fresh[label].append((patch, ahead))
            yield
        return fresh

    def _withdraw_worse(self, faces: dict[str, Picture], fresh: _Fresh) -> Generator[None, None, bool]:
        """Put learned faces back where the adapted ones make the deck worse.

        False if that does not end, one face after the other: the light is too far from that of the lesson.
        """
        for _ in range(self._limits.passes):
            worse = yield from self._worse(replace(self.learned, faces=faces), fresh)
            blended = {label for label in worse if faces[label] is not self._faces[label]}
            for label in blended:
                self._refuse(label)
                faces[label] = self._faces[label]
            if not blended:
                return True
        return False

    def _refuse(self, label: str) -> None:
        self.refused = [*self.refused[-49:], label]

    def _remember(self, label: str, picture: Picture) -> None:
        mean, number = self._means.get(label, (picture, 0))
        number = min(number + 1, self._limits.remembered_pictures)
        mean = np.asarray(cv2.addWeighted(mean, 1 - 1 / number, picture, 1 / number, 0), np.uint8)
        self._means[label] = mean, number

    def _blended(self, label: str) -> Picture:
        """Blend the mean of a face's confirmed pictures into the learned one."""
        mean, number = self._means[label]
        weight = self._limits.max_weight * min(1.0, number / self._limits.pictures_for_max_weight)
        return np.asarray(cv2.addWeighted(self._faces[label], 1 - weight, mean, weight, 0), np.uint8)

    def _fitting(self, label: str, jpeg: bytes) -> Picture | None:
        """Register the picture on the learned face; None if it does not correlate with it."""
        picture = decoded(jpeg)
        face = self._faces[label]
        if picture is None or abs(picture.shape[0] / picture.shape[1] - face.shape[0] / face.shape[1]) > 0.02:
            return None
        picture = cv2.resize(picture, face.shape[1::-1], interpolation=cv2.INTER_AREA)
        laid = registered(np.asarray(picture, np.uint8), face, self.learned, self._limits.registration_px_per_mm)
        if laid is None:
            return None
        alike = float((small_face(laid, self.learned) * small_face(face, self.learned)).mean())
        return laid if alike >= self._limits.min_correlation else None

    def _worse(self, candidate: Deck, fresh: _Fresh) -> Generator[None, None, set[str]]:
        """Find faces that the candidate makes worse than as learned: nearer to another, or read with less margin."""
        worse: set[str] = set()
        labels = list(self._faces)
        nearer = _apart(candidate.faces, candidate) < (1 - self._limits.distance_loss) * _apart(self._faces, candidate)
        for one, other in np.argwhere(nearer):
            worse |= {labels[one], labels[other]}
        yield
        _give_back()  # what follows takes the most memory that this process ever has
        improved = _sharp(candidate)
        yield
        for label, learned in self._faces.items():
            for face in (learned, candidate.faces[label]):
                ahead, rival = margin(improved, label, face, candidate)
                if ahead < self._margins[label] - self._limits.margin_loss:
                    worse.update((label, rival))
            yield
        for label, readings in fresh.items():
            after = [_margin_of(improved, label, patch) for patch, _ in readings]
            before = sum(ahead for _, ahead in readings)
            if sum(ahead for ahead, _ in after) < before - self._limits.margin_loss * len(readings):
                worse.update((label, *(rival for _, rival in after)))
            yield
        return worse


def _give_back() -> None:
    """Return freed memory to the system, if the C library can."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _sharp(deck: Deck) -> ReferenceTiles:
    """Return the sharp references of the faces alone, which separate rivals."""
    return ReferenceTiles.of(replace(deck, back=None), 24, 0.6, centre_print)


def margin(ref: ReferenceTiles, label: str, picture: Picture, deck: Deck) -> tuple[float, str]:
    """Measure the lead (-1 … 1) of ``label`` on its rival in a picture of a whole card, edge to edge.

    :returns: the lead and the rival; ``label`` itself if there is none.
    """
    return _margin_of(ref, label, _as_compared(ref, picture, deck))


def _as_compared(ref: ReferenceTiles, picture: Picture, deck: Deck) -> Picture:
    """Convert a picture of a whole card, edge to edge, to a patch as of ``padded_patch``."""
    size_mm, shape = padded_patch(ref)
    step_x, step_y = size_mm[0] / shape[0], size_mm[1] / shape[1]
    across, down = picture.shape[1] / deck.size_mm[0], picture.shape[0] / deck.size_mm[1]
    edge_x, edge_y = (deck.size_mm[0] - size_mm[0]) / 2, (deck.size_mm[1] - size_mm[1]) / 2
    to_picture = np.array(
        [
            (step_x * across, 0, (edge_x + 0.5 * step_x) * across - 0.5),
            (0, step_y * down, (edge_y + 0.5 * step_y) * down - 0.5),
        ]
    )
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(picture, to_picture, shape, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


def _margin_of(ref: ReferenceTiles, label: str, patch: Picture) -> tuple[float, str]:
    """Measure ``margin`` of a patch ``_as_compared``."""
    whole = np.ones(ref.weights.shape[1], bool)
    choice = classify(ref, np.zeros(3), patch, whole, np.ones(ref.shape[::-1], np.uint8))
    named = [one for one, _ in choice.labels]
    rival = next((one for one in named if one != label), label)
    return choice.margin if named[0] == label else -choice.margin, rival


def small_face(picture: Picture, deck: Deck) -> Array:
    """Normalise a face to one that is small, smooth, of zero mean and unit variance: (h, w, 3) float32."""
    size = round(deck.size_mm[0]), round(deck.size_mm[1])
    small = cv2.GaussianBlur(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (0, 0), 0.7)[2:-2, 2:-2]
    small = small.astype(np.float32) - small.mean((0, 1), dtype=np.float32)
    return np.asarray(small / (small.std() + 1e-6), np.float32)


def correlation(one: Array, other: Array) -> float:
    """Correlate two small faces, upright or turned by half."""
    return float(max((one * other).mean(), (one * other[::-1, ::-1]).mean()))


def cut_to_size(picture: Picture, size_mm: tuple[float, float]) -> Picture:
    """Cut the middle of a picture of a card at ``REFERENCE_SCALE`` to another size of the card."""
    width, height = (round(side * REFERENCE_SCALE) for side in size_mm)
    middle = (picture.shape[1] - 1) / 2, (picture.shape[0] - 1) / 2
    return np.asarray(cv2.getRectSubPix(picture, (width, height), middle), np.uint8)


def _apart(faces: Mapping[str, Picture], deck: Deck) -> Array:
    """Compute the distances of faces, (faces, faces): 1 − correlation, 0 … 2; 0 on the diagonal."""
    small = np.stack([small_face(face, deck).ravel() for face in faces.values()])
    return np.asarray(np.maximum(1.0 - small @ small.T / small.shape[1], 0.0) * (1 - np.eye(len(small))))


#: mm by which a picture may be shifted for it to be known which way up it is; a pixel of a small face is 1 mm.
_SHIFTED_MM = 2


def registered(picture: Picture, face: Picture, deck: Deck, scale: float) -> Picture | None:
    """Register the picture on the face (ECC, affine, at ``scale`` px a mm), as bright; None if it does not fit."""
    upright = [picture, np.ascontiguousarray(picture[::-1, ::-1])]
    own = small_face(face, deck)[_SHIFTED_MM:-_SHIFTED_MM, _SHIFTED_MM:-_SHIFTED_MM]
    # Shifted by a millimetre many a face is more like itself turned by half.
    picture = max(upright, key=lambda one: cv2.matchTemplate(small_face(one, deck), own, cv2.TM_CCOEFF_NORMED).max())
    size = round(deck.size_mm[0] * scale), round(deck.size_mm[1] * scale)
    small = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (face, picture))
    there, here = (cv2.GaussianBlur(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), (0, 0), 1.0) for one in small)
    warp: Array = np.eye(2, 3, dtype=np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
    try:
        _, warp = cv2.findTransformECC(there, here, warp, cv2.MOTION_AFFINE, stop)
    except cv2.error:
        return None  # it does not converge: nothing alike is there
    if np.abs(warp[:, :2] - np.eye(2)).max() > 0.05 or np.abs(warp[:, 2]).max() > 4 * scale:
        return None
    warp[:, 2] *= face.shape[1] / size[0]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = cv2.warpAffine(picture, warp, face.shape[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)
    white = np.percentile(face, 90, axis=(0, 1)) / np.maximum(np.percentile(laid, 90, axis=(0, 1)), 1.0)
    matched: Picture = np.clip(laid * white, 0, 255).astype(np.uint8)
    return matched

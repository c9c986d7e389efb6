"""A deck's references for this light and this wear, improved by cards of which it is certain what they were.

A confirmed card's picture is laid over the learned face, must agree with it better than with any other face, and is
blended in. The learned deck itself is never changed: ``Adapter.deck`` is a second one beside it, always at least half
the learned one, and gone with the process, for one game teaches it anew and nothing wrong can last.

Nothing is adopted that brings two faces nearer to each other, and nothing that reads the confirmed cards with less
margin than before: a face that fails keeps its learned picture.
"""

import contextlib
import ctypes
from collections import defaultdict, deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import replace

import cv2
import numpy as np

from vision.centring import centred
from vision.deck import Deck
from vision.pictures import Picture
from vision.reading import Prepared
from vision.settle import settled, widened
from vision.tiles import References
from vision.view import Array

#: Share of a face that confirmed pictures may have at most, with so many of them.
MOST_SHARE, ENOUGH = 0.5, 4
#: Pictures of a face that are needed before anything of them counts: one alone may be wrong in a way nobody sees.
LEAST = 2
#: Pictures of a face that its mean remembers; older ones are of another light.
KEPT = 6
#: Scale of the registration, px a mm.
SCALE = 2.0
#: Correlation with the learned face that a confirmed picture must reach.
ALIKE = 0.7
#: Margin with which the learned deck must name a confirmed picture as what it is said to be: higher leaves faces as
#: they were where light is worst, lower lets a misread card in that the whole table overlooked.
SURE = 0.2
#: How far a margin may fall before a face counts as made worse.
SLACK = 0.02
#: Share of the distance between two faces that it may lose: print that is worn is less of a difference.
NEARER = 0.1
#: How often the faces that are made worse are taken out and the rest is checked again.
PASSES = 3


class Adapter:
    """Takes confirmed cards, works on them in small steps, and has an improved deck now and then."""

    def __init__(self, deck: Deck) -> None:
        self.learned = self.deck = deck
        self._faces = Prepared.of(deck).deck.faces  # centred, as recognition has them
        self.refused: list[str] = []  # labels whose pictures or improvement were refused, the last ones
        self._means: dict[str, tuple[Picture, int]] = {}  # of confirmed pictures, and how many they were
        self._waiting: deque[tuple[str, bytes]] = deque()
        self._work: Iterator[None] | None = None
        self._ready: Deck | None = None
        self._margins: dict[str, float] = {}  # with which the learned deck reads each of its own faces

    def take(self, cards: Iterable[tuple[str, bytes]]) -> None:
        """Cards of which it is certain what they are, each with its JPEG as ``CardLaid`` brought it."""
        self._waiting.extend((label, jpeg) for label, jpeg in cards if label in self.learned.faces)
        if self._waiting and self._work is None:
            self._work = self._improve()

    @property
    def busy(self) -> bool:
        """Whether there is work left."""
        return self._work is not None

    def step(self) -> Deck | None:
        """Do a bit of the work (some ten milliseconds, ten times that at the end); the improved deck once it is ready,
        which must be taken then."""
        if self._work is None:
            return None
        try:
            next(self._work)
        except StopIteration:
            self._work = self._improve() if self._waiting else None
        ready, self._ready = self._ready, None
        return ready

    def forget(self) -> None:
        """Back to the deck as it was learned."""
        self._means.clear()
        self._waiting.clear()
        self._work, self._ready, self.deck = None, None, self.learned

    # --- the work -----------------------------------------------------------------------------------------------

    def _improve(self) -> Iterator[None]:
        fresh: dict[str, list[Picture]] = defaultdict(list)
        before: dict[str, list[float]] = defaultdict(list)
        sharp = Prepared.of(self.deck).sharp
        if not self._margins:  # nothing is adapted yet
            for label, face in self._faces.items():
                self._margins[label] = margin(sharp, label, face, self.learned)[0]
                yield
        while self._waiting:
            label, jpeg = self._waiting.popleft()
            picture = self._fitting(label, jpeg)
            patch = None if picture is None else _as_compared(sharp, picture, self.learned)
            ahead = -1.0 if patch is None else _margin_of(sharp, label, patch)[0]
            if picture is None or patch is None or ahead < SURE:
                self._refuse(label)
            else:
                self._remember(label, picture)
                fresh[label].append(patch)
                before[label].append(ahead)
            yield
        del sharp  # or what it belongs to would still be held when the new one is made
        changed = [label for label in fresh if self._means[label][1] >= LEAST]
        if not changed:
            return
        now = dict(self._faces if self.deck is self.learned else self.deck.faces)
        faces = dict(now)
        for label in changed:
            faces[label] = _blended(self._faces[label], *self._means[label])
        yield
        for _ in range(PASSES):
            worse = yield from self._worse(replace(self.learned, faces=faces), fresh, before)
            blended = {label for label in worse if faces[label] is not self._faces[label]}
            for label in blended:
                self._refuse(label)
                faces[label] = self._faces[label]
            if not blended:
                break
        else:
            return  # one face after the other: the light is too far from that in which the deck was learned
        if all(face is now[label] for label, face in faces.items()):
            return
        deck = replace(self.learned, faces=faces)
        yield
        self.deck.__dict__.pop("_prepared", None)  # in one step, for two decks made ready take too much memory
        Prepared.of(deck)
        self.deck = self._ready = deck

    def _refuse(self, label: str) -> None:
        self.refused = [*self.refused[-49:], label]

    def _remember(self, label: str, picture: Picture) -> None:
        mean, number = self._means.get(label, (picture, 0))
        number = min(number + 1, KEPT)
        mean = np.asarray(cv2.addWeighted(mean, 1 - 1 / number, picture, 1 / number, 0), np.uint8)
        self._means[label] = mean, number

    def _fitting(self, label: str, jpeg: bytes) -> Picture | None:
        """The picture laid over the learned face; None if it is not like it."""
        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
        face = self._faces[label]
        if picture is None or abs(picture.shape[0] / picture.shape[1] - face.shape[0] / face.shape[1]) > 0.02:
            return None
        picture = cv2.resize(picture, face.shape[1::-1], interpolation=cv2.INTER_AREA)
        laid = _laid_over(np.asarray(picture, np.uint8), face, self.learned)
        if laid is None:
            return None
        alike = float((_small(laid, self.learned) * _small(face, self.learned)).mean())
        return laid if alike >= ALIKE else None

    def _worse(
        self, candidate: Deck, fresh: dict[str, list[Picture]], before: dict[str, list[float]]
    ) -> Generator[None, None, set[str]]:
        """Faces by which the candidate is worse than the learned deck: nearer to another, or read with less margin."""
        worse: set[str] = set()
        labels = list(self._faces)
        nearer = _apart(candidate.faces, candidate) < (1 - NEARER) * _apart(self._faces, candidate)
        for one, other in np.argwhere(nearer):
            worse |= {labels[one], labels[other]}
        yield
        _give_back()  # what follows takes the most memory that this process ever has
        improved = _sharp(candidate)
        yield
        for label, learned in self._faces.items():
            for face in (learned, candidate.faces[label]):
                ahead, rival = margin(improved, label, face, candidate)
                if ahead < self._margins[label] - SLACK:
                    worse.update((label, rival))
            yield
        for label, patches in fresh.items():
            after = [_margin_of(improved, label, patch) for patch in patches]
            if sum(ahead for ahead, _ in after) < sum(before[label]) - SLACK * len(patches):
                worse.update((label, *(rival for _, rival in after)))
            yield
        return worse


def _give_back() -> None:
    """Hands what was freed back to the system, if the C library can."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _sharp(deck: Deck) -> References:
    """The references that tell rivals apart, of the faces alone."""
    return References.of(replace(deck, back=None), 24, 0.6, centred)


def margin(ref: References, label: str, picture: Picture, deck: Deck) -> tuple[float, str]:
    """By how much (-1 … 1) a picture of a whole card, edge to edge, is read as ``label`` rather than its rival; the
    rival, ``label`` itself if there is none."""
    return _margin_of(ref, label, _as_compared(ref, picture, deck))


def _as_compared(ref: References, picture: Picture, deck: Deck) -> Picture:
    """A picture of a whole card, edge to edge, as a patch ``widened``."""
    size_mm, shape = widened(ref)
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


def _margin_of(ref: References, label: str, patch: Picture) -> tuple[float, str]:
    """As ``margin``, of a patch ``_as_compared``."""
    whole = np.ones(ref.weights.shape[1], bool)
    choice = settled(ref, np.zeros(3), patch, whole, np.ones(ref.shape[::-1], np.uint8))
    named = [one for one, _ in choice.labels]
    rival = next((one for one in named if one != label), label)
    return choice.margin if named[0] == label else -choice.margin, rival


def _small(picture: Picture, deck: Deck) -> Array:
    """A face small and smooth, of zero mean and unit variance: (h, w, 3) float32."""
    size = round(deck.size_mm[0]), round(deck.size_mm[1])
    small = cv2.GaussianBlur(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (0, 0), 0.7)[2:-2, 2:-2]
    small = small.astype(np.float32) - small.mean((0, 1), dtype=np.float32)
    return np.asarray(small / (small.std() + 1e-6), np.float32)


def _apart(faces: Mapping[str, Picture], deck: Deck) -> Array:
    """(faces, faces): how little alike they are, 0 … 2; nothing on the diagonal."""
    small = np.stack([_small(face, deck).ravel() for face in faces.values()])
    return np.asarray(np.maximum(1.0 - small @ small.T / small.shape[1], 0.0) * (1 - np.eye(len(small))))


def _laid_over(picture: Picture, face: Picture, deck: Deck) -> Picture | None:
    """The picture turned, shifted and stretched to lie on the face, as bright as it; None if it does not fit at all."""
    upright = [picture, np.ascontiguousarray(picture[::-1, ::-1])]
    own = _small(face, deck)
    picture = max(upright, key=lambda one: float((_small(one, deck) * own).mean()))
    size = round(deck.size_mm[0] * SCALE), round(deck.size_mm[1] * SCALE)
    small = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (face, picture))
    there, here = (cv2.GaussianBlur(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), (0, 0), 1.0) for one in small)
    warp: Array = np.eye(2, 3, dtype=np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
    try:
        _, warp = cv2.findTransformECC(there, here, warp, cv2.MOTION_AFFINE, stop)
    except cv2.error:
        return None  # it does not converge: nothing alike is there
    if np.abs(warp[:, :2] - np.eye(2)).max() > 0.05 or np.abs(warp[:, 2]).max() > 4 * SCALE:
        return None
    warp[:, 2] *= face.shape[1] / size[0]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = cv2.warpAffine(picture, warp, face.shape[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)
    white = np.percentile(face, 90, axis=(0, 1)) / np.maximum(np.percentile(laid, 90, axis=(0, 1)), 1.0)
    return np.clip(laid * white, 0, 255).astype(np.uint8)


def _blended(face: Picture, mean: Picture, number: int) -> Picture:
    share = MOST_SHARE * min(1.0, number / ENOUGH)
    return np.asarray(cv2.addWeighted(face, 1 - share, mean, share, 0), np.uint8)

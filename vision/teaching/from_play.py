"""Learn the faces of a deck from cards that were laid in a game, each with what it certainly was.

What a whole game agrees on may still be wrong: two faces taken for each other leave the count as it was. So the
pictures of one label must be nearer to each other than to any picture of another label; else none of them counts.
They are compared even in their light: a shadow across a card is more than what two cards differ by.
"""

from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import combinations
from statistics import median

import cv2
import numpy as np

from vision.deck.deck import REFERENCE_SCALE, Deck
from vision.deck.face_quality import check_face
from vision.geometry.projection import Array
from vision.images import Picture, decoded
from vision.teaching.adaptation import correlation, cut_to_size, registered, small_face
from vision.teaching.even_light import even_light


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedFaceLimits:
    """Which pictures of cards in play may make a face."""

    #: Pictures of a label that make a face, and that are kept, the newest: light changes.
    least: int = 2
    kept: int = 4
    #: Correlation of two pictures of one label, registered, at least: a hand or a card above covers part of one that
    #: has less. 0.8 … 0.95.
    min_correlation: float = 0.9
    #: mm from the edge of a card: its rim, and the paper beside it; and how much of each side belongs to the corners.
    rim_mm: tuple[float, float] = (0.1, 0.6)
    beside_mm: tuple[float, float] = (1.2, 2.2)
    corner_mm: float = 6.0
    #: CIELAB distance (8 bits) by which the rim may differ more from the paper beside it than in most pictures of a
    #: deck: with more the mat shows there, and a face cut out so lies 1 mm beside its place. Of 64 pictures of a deck
    #: 55 had at most 40 more than the median, the others 50 … 100.
    mat_in_rim: float = 40.0
    #: Correlation of a picture with itself made even in its light, from which the light upon it is even: 0.97 and more
    #: by a lamp, however warm; where a shadow or the sun's edge lies across it mostly 0.95 and less. 0.95 … 0.97.
    evenly_lit: float = 0.96
    #: Pictures of other labels with which each is compared closely: those that look most like it.
    rivals: int = 3
    #: mm by which the cards of a kept deck may be larger or smaller: it was measured, too.
    same_size_mm: float = 1.5
    #: mm by which a picture may be larger or smaller: the first cards are seen before any is measured.
    before_measured_mm: float = 2.0
    #: Resolution of the registration, px a mm.
    registration_px_per_mm: float = 2.0


LIMITS = PlayedFaceLimits()


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """A picture of a card that certainly has this label."""

    picture: Picture
    even: Picture  # the same, even in its light
    small: Array  # that, small and normalised
    evenly_lit: bool
    rim: float  # how much its rim differs from the paper beside it

    @classmethod
    def of(cls, picture: Picture, deck: Deck) -> "_Shown":
        even = even_light(picture)
        small = small_face(even, deck)
        alike = float((small * small_face(picture, deck)).mean())
        return cls(picture, even, small, alike >= LIMITS.evenly_lit, _rim(even))


class PlayedDeck:
    """The faces learned in play so far, of a deck that has ``labels``, ``copies`` of each."""

    def __init__(self, name: str, labels: Iterable[str], copies: int, size_mm: tuple[float, float]) -> None:
        self.labels, self.copies = tuple(labels), copies
        self._empty = Deck(name, size_mm, {})
        self._shown: defaultdict[str, list[_Shown]] = defaultdict(list)
        self._most_rim = 0.0  # with more the mat shows in it
        self.faces: dict[str, Picture] = {}

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of its cards."""
        return self._empty.size_mm

    @property
    def whole(self) -> bool:
        """Whether each face is known."""
        return len(self.faces) == len(self.labels)

    def learn(self, cards: Iterable[tuple[str, bytes]]) -> Iterator[None]:
        """Add certain cards with their JPEGs and make faces of what agrees; some ten milliseconds a step."""
        width, height = (round(side * REFERENCE_SCALE) for side in self._empty.size_mm)
        for label, jpeg in cards:
            picture = decoded(jpeg)
            if label not in self.labels or picture is None:
                continue
            off = max(abs(picture.shape[0] - height), abs(picture.shape[1] - width))
            if off <= LIMITS.before_measured_mm * REFERENCE_SCALE:
                shown = _Shown.of(cut_to_size(picture, self._empty.size_mm), self._empty)
                self._shown[label] = [*self._shown[label], shown][-LIMITS.kept :]
            yield
        rims = [one.rim for shown in self._shown.values() for one in shown]
        self._most_rim = LIMITS.mat_in_rim + median(rims or [0.0])
        faces: dict[str, Picture] = {}
        for label in self.labels:
            face = yield from self._face(label)
            if face is not None and check_face(label, face) is None:
                faces[label] = face
            yield
        self.faces = faces

    def deck(self) -> Deck:
        """Return the deck learned, without its back.

        :raises DeckError: faces are missing, or two labels show one picture
        """
        deck = Deck.learn(self._empty.name, self.faces, self._empty.size_mm, wanted=self.labels, copies=self.copies)
        return replace(deck, faces={label: deck.faces[label] for label in self.labels})

    def looks_like(self, deck: Deck) -> bool:
        """Check whether a kept deck has all these faces: then it is this one, perhaps in another light."""
        width, height = self.size_mm
        if abs(deck.size_mm[0] - width) > LIMITS.same_size_mm or abs(deck.size_mm[1] - height) > LIMITS.same_size_mm:
            return False
        if not set(self.labels) <= set(deck.faces):
            return False
        return all(
            laid_on(face, even_light(cv2.resize(deck.faces[label], face.shape[1::-1])), self._empty)[1]
            >= LIMITS.min_correlation
            for label, face in self.faces.items()
        )

    def drop(self) -> None:
        """Forget all pictures: the faces do not make a deck."""
        self._shown.clear()
        self.faces = {}

    def _face(self, label: str) -> Generator[None, None, Picture | None]:
        """Average the pictures of a label that agree and were cut out at their place, in steps; None if too few agree.

        Others may show a hand. If one of them shows another label's face nobody knows which of them is named rightly;
        if they agree among themselves two packs are played with.
        """
        shown = self._shown.get(label, [])
        for base in reversed([one for one in shown if one.rim <= self._most_rim]):
            laid: list[tuple[_Shown, Picture, float]] = []
            for one in shown:
                if one is not base:
                    laid.append((one, *laid_on(base.even, one.even, self._empty)))
                    yield
            agreeing = [one for one in laid if one[2] >= LIMITS.min_correlation]
            if len(agreeing) + 1 >= LIMITS.least:
                break
        else:
            return None
        least = min(alike for *_, alike in agreeing)
        strangers = [one for one, _, alike in laid if alike < LIMITS.min_correlation]
        for one, less_alike in [(base, least), *((one, LIMITS.min_correlation) for one in strangers)]:
            if self._nearest_rival(label, one) >= less_alike:
                return None
            yield
        if any(self._alike(one, two) >= LIMITS.min_correlation for one, two in combinations(strangers, 2)):
            return None
        at_place = [(one, laid) for one, laid, _ in agreeing if one.rim <= self._most_rim]
        evenly_lit = [one for one in (base, *(one for one, _ in at_place)) if one.evenly_lit]
        if evenly_lit:
            first, *others = (one.picture for one in evenly_lit)
            fitted = [laid_on(first, other, self._empty) for other in others]
            averaged = [first, *(laid for laid, alike in fitted if alike >= LIMITS.min_correlation)]
        else:
            averaged = [base.even, *(laid for _, laid in at_place)]
        return np.asarray(np.mean(averaged, axis=0) + 0.5, np.uint8)

    def _nearest_rival(self, label: str, picture: _Shown) -> float:
        """Measure the correlation with the nearest picture of another label."""
        others = [one for other, shown in self._shown.items() if other != label for one in shown]
        rivals = nlargest(LIMITS.rivals, others, key=lambda one: correlation(picture.small, one.small))
        return max((self._alike(picture, one) for one in rivals), default=0.0)

    def _alike(self, one: _Shown, other: _Shown) -> float:
        return laid_on(one.even, other.even, self._empty)[1]


def _rim(picture: Picture) -> float:
    """Measure the colour of a card's rim against that of the paper beside it, on the side where they differ most."""
    colours = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    corner = round(LIMITS.corner_mm * REFERENCE_SCALE)
    worst = 0.0
    for turns in range(4):
        side = np.rot90(colours, turns)[:, corner:-corner]
        rim, beside = (
            side[round(near * REFERENCE_SCALE) : round(far * REFERENCE_SCALE)].mean(0)
            for near, far in (LIMITS.rim_mm, LIMITS.beside_mm)
        )
        worst = max(worst, float(np.quantile(np.linalg.norm(rim - beside, axis=1), 0.75)))
    return worst


def laid_on(base: Picture, other: Picture, deck: Deck) -> tuple[Picture, float]:
    """Register a picture on another one, and correlate them; the picture itself and 0 if that does not succeed.

    :param deck: its cards' size counts.
    """
    laid = registered(other, base, deck, LIMITS.registration_px_per_mm)
    if laid is None:
        return other, 0.0
    return laid, correlation(small_face(base, deck), small_face(laid, deck))

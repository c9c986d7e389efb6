"""Tell cards by pictures of which it is known what they show, while too few faces are known for a deck.

Two pictures of one face, made even in their light and registered, are alike wherever there is print; those of two
faces are not where these differ, however little that is: a club and a spade. So the places that are least alike count.
"""

from dataclasses import dataclass, replace
from heapq import nlargest
from operator import itemgetter

import cv2
import numpy as np

from vision.deck.deck import Deck
from vision.geometry.projection import Array
from vision.images import Picture
from vision.teaching.adaptation import correlation, cut_to_size, registered, small_face
from vision.teaching.even_light import even_light


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFaceLimits:
    """What makes two pictures those of one face."""

    #: Correlation in small blocks, of the tenth of the print that is least alike, at least. Pictures of one face had
    #: 0.87 under glare and from 0.94 on without, those of two faces 0.89 at most (six decks).
    min_alike: float = 0.93
    #: Faces that are registered: those that look most like it as a whole, by this correlation at least. Pictures of one
    #: face that are 1.5 mm apart, in other light, had 0.53.
    rivals: int = 3
    min_whole: float = 0.5
    #: mm of a block, and px a mm.
    block_mm: float = 6.0
    px_per_mm: float = 2.0
    #: Variance within a block from which it is print, as a share of that of blocks full of it.
    min_print: float = 0.15
    #: The same of one picture as a share of the other's, below which the one shows nothing there.
    min_share: float = 0.05


LIMITS = KnownFaceLimits()


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A picture that somebody has named; None: two different cards were said to look like it, so it names none."""

    label: str | None
    picture: Picture
    even: Picture
    small: Array


class KnownFaces:
    """Pictures of faces of one deck whose labels are known, at ``REFERENCE_SCALE``.

    ``size_mm``: width and height of its cards.
    """

    def __init__(self, size_mm: tuple[float, float]) -> None:
        self._deck = Deck("known", size_mm, {})
        self._known: list[_Known] = []

    def __len__(self) -> int:
        return len(self._known)

    def add(self, label: str, picture: Picture) -> None:
        """Remember that a picture shows this card.

        Named otherwise than before the same picture is put right. If another one that looks like it was, it is a back,
        or somebody is wrong: then neither name counts from now on.
        """
        even = self._even(picture)
        like = [one for one, _ in self._alike(even)]
        differ = [one for one in like if one.label != label and not np.array_equal(one.picture, picture)]
        self._known = [one for one in self._known if one not in like and one.label != label]
        named = None if differ else label
        self._known.append(_Known(named, picture, even, small_face(even, self._deck)))

    def take_size(self, size_mm: tuple[float, float]) -> None:
        """Take its cards to be of another size: it has been measured by now."""
        self._deck = Deck("known", size_mm, {})
        for place, one in enumerate(self._known):
            even = self._even(one.picture)
            self._known[place] = replace(one, even=even, small=small_face(even, self._deck))

    def name(self, picture: Picture) -> tuple[str, float] | None:
        """Tell which of the known cards a picture shows, with the margin 0 … 1 to the next one; None if none surely."""
        alike = self._alike(self._even(picture))
        if not alike or alike[0][0].label is None:
            return None
        return alike[0][0].label, alike[0][1]

    def likeness(self, label: str, picture: Picture) -> float:
        """Measure how a picture is like that of a known card, 0.93 … 1; 0 if it is not of the same face."""
        one = next((one for one in self._known if one.label == label), None)
        even = self._even(picture)
        if one is None or correlation(small_face(even, self._deck), one.small) < LIMITS.min_whole:
            return 0.0
        value = self._likeness(even, one.even)
        return value if value >= LIMITS.min_alike else 0.0

    def _even(self, picture: Picture) -> Picture:
        """Cut a picture to the cards' size, and make it even in its light."""
        return even_light(cut_to_size(picture, self._deck.size_mm))

    def _alike(self, even: Picture) -> list[tuple[_Known, float]]:
        """List the pictures that may be of the same face, the likeliest first, each with its margin to the next one."""
        own = small_face(even, self._deck)
        whole = ((correlation(own, one.small), one) for one in self._known)
        nearest = nlargest(LIMITS.rivals, (pair for pair in whole if pair[0] >= LIMITS.min_whole), key=itemgetter(0))
        alike = sorted(((self._likeness(even, one.even), one) for _, one in nearest), key=itemgetter(0), reverse=True)
        found = []
        for value, one in alike:
            if value >= LIMITS.min_alike:
                rival = max((other for other, its in alike if its is not one), default=0.0)
                found.append((one, max(0.0, 1.0 - (1.0 - value) / max(1.0 - rival, 1e-6))))
        return found

    def _likeness(self, picture: Picture, face: Picture) -> float:
        """Correlate a picture with a face block by block: that of the print which is least alike, 0 … 1."""
        laid = registered(picture, face, self._deck, LIMITS.px_per_mm)
        if laid is None:
            return 0.0
        size = round(self._deck.size_mm[0] * LIMITS.px_per_mm), round(self._deck.size_mm[1] * LIMITS.px_per_mm)
        one, two = (
            cv2.GaussianBlur(cv2.resize(each, size, interpolation=cv2.INTER_AREA), (0, 0), 1.0).astype(np.float32)
            for each in (face, laid)
        )
        side = round(LIMITS.block_mm * LIMITS.px_per_mm)
        mean_one, mean_two = _mean(one, side), _mean(two, side)
        within = slice(side // 2, -(side // 2)), slice(side // 2, -(side // 2))
        power_one, power_two, both = (
            (_mean(product, side) - means).sum(2)[within]
            for product, means in (
                (one * one, mean_one * mean_one),
                (two * two, mean_two * mean_two),
                (one * two, mean_one * mean_two),
            )
        )
        most = np.maximum(power_one, power_two)
        alike = both / np.maximum(np.sqrt(power_one * power_two), 1e-3)
        alike[np.minimum(power_one, power_two) < LIMITS.min_share * most] = 0.0
        return float(np.quantile(alike[most > LIMITS.min_print * np.percentile(most, 95)], 0.1))


def _mean(picture: Array, side: int) -> Array:
    return np.asarray(cv2.boxFilter(picture, -1, (side, side)))

"""Check a card shown while a deck is learned against its printed indices."""

from collections.abc import Iterable

from vision.images import Picture
from vision.indices.networks import SUITS, find_indices

#: Height in px of an index on a card at 4 px a mm, least and most.
INDEX_HEIGHT_PX = (24.0, 120.0)
#: Certainty from which an index contradicts. On decks that the networks do not know, a wrong index had at most 0.86.
MIN_CONTRADICTION_CERTAINTY = 0.93
#: Certainty from which an index agrees.
MIN_AGREEMENT_CERTAINTY = 0.3


def contradicted(picture: Picture, label: str, labels: Iterable[str]) -> str | None:
    """Return the card that a rectified picture (4 px a mm) shows by its indices instead of ``label``; None: no other.

    Only French-suited cards among ``labels`` are known.
    """
    known = set(labels)
    if label not in known or any(one[0] not in SUITS for one in known):
        return None
    found = [(index.label, index.certainty) for index in find_indices(picture, *INDEX_HEIGHT_PX)]
    if any(one == label and certainty > MIN_AGREEMENT_CERTAINTY for one, certainty in found):
        return None
    return next((one for one, certainty in found if certainty > MIN_CONTRADICTION_CERTAINTY and one in known), None)

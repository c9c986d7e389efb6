"""Which card a picture says that it is, by its printed indices: a second opinion while a deck is learned."""

from collections.abc import Iterable

from vision.indices import SUITS, find_indices
from vision.pictures import Picture

#: Heights of an index on a card at 4 px a mm, px.
HEIGHTS = (24.0, 120.0)
#: Certainty from which an index contradicts, and from which one agrees. On decks that the networks do not know, a wrong
#: index had at most 0.86.
CONTRADICTS, AGREES = 0.93, 0.3


def contradicted(picture: Picture, label: str, labels: Iterable[str]) -> str | None:
    """The card that a rectified picture (4 px a mm) surely shows by its indices instead of ``label``; None: no word.

    Only French-suited cards among ``labels`` are known.
    """
    known = set(labels)
    if label not in known or any(one[0] not in SUITS for one in known):
        return None
    found = [(index.label, index.certainty) for index in find_indices(picture, *HEIGHTS)]
    if any(one == label and certainty > AGREES for one, certainty in found):
        return None
    return next((one for one, certainty in found if certainty > CONTRADICTS and one in known), None)

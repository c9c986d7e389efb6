"""Decks of the simulated cards, each learned once for all processes and loaded once in each of them."""

from functools import cache, lru_cache

from vision.deck.deck import Deck
from vision.recognition.deck_features import DeckFeatures
from vision.simulation.learning import kept_deck

#: What recognition knows of a deck: tens of megabytes, and up to a second to compute for 24 faces.
features = lru_cache(maxsize=6)(DeckFeatures)


@cache
def taught(name: str = "stichwart", labels: tuple[str, ...] | None = None) -> Deck:
    """Learn a deck; ``labels``: of these faces alone."""
    return kept_deck(name, labels)

"""Decks of the simulated cards, each learned once in a process and kept for all tests of it."""

from functools import cache

from vision.deck.deck import Deck
from vision.recognition.deck_features import DeckFeatures
from vision.simulation.art import load_art
from vision.simulation.learning import learn_simulated_deck

#: What recognition knows of a deck; it takes as long as to learn the deck.
features = cache(DeckFeatures)


@cache
def taught(name: str = "stichwart", labels: tuple[str, ...] | None = None) -> Deck:
    """Learn a deck; ``labels``: of these faces alone."""
    return learn_simulated_deck(load_art(name), labels=labels)

"""Define the notation for cards, suit then rank, as in logs, tests, vision and on the line.

French suits ``C S H D`` (Kreuz Pik Herz Karo), Bavarian suits ``E G H S`` (Eichel Gras Herz Schellen);
ranks ``A T K Q J 9`` and ``A T K O U 9 8 7``. A card is its text: ``"HT"`` is Herz 10.
"""

from typing import TypeAlias

Card: TypeAlias = str

FRENCH_SUITS = "CSHD"
BAVARIAN_SUITS = "EGHS"

#: Augen of a rank, the same in every book (eppstein 1.2.2, schaffkopf I 4).
AUGEN = {"A": 11, "T": 10, "K": 4, "Q": 3, "O": 3, "J": 2, "U": 2, "9": 0, "8": 0, "7": 0}


def augen(card: Card) -> int:
    """Return the Augen of a card."""
    return AUGEN[card[1]]


def deck(suits: str, ranks: str, copies: int) -> tuple[Card, ...]:
    """List all cards of a pack, suit by suit, each ``copies`` times."""
    return tuple(suit + rank for suit in suits for rank in ranks for _ in range(copies))

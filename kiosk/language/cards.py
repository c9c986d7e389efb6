"""Names and signs of cards: suits and ranks, French and Bavarian. Codes are the protocol's."""

from typing import Final

from kiosk.language import Words

SUIT_SIGNS: Final = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}

SUITS: Final[Words] = {
    "C": ("Kreuz", "clubs"),
    "S": ("Pik", "spades"),
    "H": ("Herz", "hearts"),
    "D": ("Karo", "diamonds"),
    "E": ("Eichel", "acorns"),
    "G": ("Gras", "leaves"),
}

#: Bavarian suits that share a letter with French ones.
BAVARIAN_SUITS: Final[Words] = {"H": ("Herz", "hearts"), "S": ("Schellen", "bells")}

#: Short rank on a card, the same in both languages: the cards on the table have German indices.
RANK_SIGNS: Final = {
    "A": "A", "T": "10", "K": "K", "Q": "D", "J": "B", "9": "9", "O": "O", "U": "U", "8": "8", "7": "7",
}  # fmt: skip

RANKS: Final[Words] = {
    "A": ("As", "ace"),
    "T": ("10", "10"),
    "K": ("König", "king"),
    "Q": ("Dame", "queen"),
    "J": ("Bube", "jack"),
    "O": ("Ober", "Ober"),
    "U": ("Unter", "Unter"),
    "9": ("9", "9"),
    "8": ("8", "8"),
    "7": ("7", "7"),
}


def card_sign(card: str) -> str:
    """Write a card as short as on its corner: ``♥10``, ``♣D``; Bavarian suits by their letter."""
    return SUIT_SIGNS.get(card[0], card[0]) + RANK_SIGNS[card[1]]


def rank_sign(rank: str) -> str:
    """Write a rank as on the card's corner: A 10 K D B 9."""
    return RANK_SIGNS[rank]


def suit_word(suit: str, language: str = "de", *, bavarian: bool = False) -> str:
    """Name a suit."""
    table = {**SUITS, **BAVARIAN_SUITS} if bavarian else SUITS
    return table[suit][language == "en"]


def suit_words(bavarian: bool = False) -> Words:
    """List the names of all suits of a deck, in the form of the other tables."""
    letters = "EGHS" if bavarian else "CSHD"
    return {
        suit: (suit_word(suit, "de", bavarian=bavarian), suit_word(suit, "en", bavarian=bavarian)) for suit in letters
    }


def card_word(card: str, language: str = "de", *, bavarian: bool = False) -> str:
    """Name a card: ``Herz 10``, ``Kreuz Dame``; ``10 of hearts``."""
    suit, rank = suit_word(card[0], language, bavarian=bavarian), RANKS[card[1]][language == "en"]
    return f"{rank} of {suit}" if language == "en" else f"{suit} {rank}"

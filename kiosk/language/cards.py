"""Names and signs of cards: suits and ranks, French and Bavarian. Codes are the protocol's."""

from typing import Final

from kiosk.language import has, say

SUIT_SIGNS: Final = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}

#: Short rank on a card, the same in every language: the cards on the table have German indices.
RANK_SIGNS: Final = {
    "A": "A", "T": "10", "K": "K", "Q": "D", "J": "B", "9": "9", "O": "O", "U": "U", "8": "8", "7": "7",
}  # fmt: skip


def card_sign(card: str) -> str:
    """Write a card as short as on its corner: ``♥10``, ``♣D``; Bavarian suits by their letter."""
    return SUIT_SIGNS.get(card[0], card[0]) + RANK_SIGNS[card[1]]


def rank_sign(rank: str) -> str:
    """Write a rank as on the card's corner: A 10 K D B 9."""
    return RANK_SIGNS[rank]


def suit_word(suit: str, language: str = "de", *, bavarian: bool = False) -> str:
    """Name a suit."""
    return say("bavarian_suits" if bavarian and has("bavarian_suits", suit) else "suits", suit, language)


def suit_words(bavarian: bool = False, language: str = "de") -> dict[str, str]:
    """List the names of all suits of a deck."""
    return {suit: suit_word(suit, language, bavarian=bavarian) for suit in ("EGHS" if bavarian else "CSHD")}


def card_word(card: str, language: str = "de", *, bavarian: bool = False) -> str:
    """Name a card: ``Herz 10``, ``Kreuz Dame``; ``10 of hearts``."""
    suit, rank = suit_word(card[0], language, bavarian=bavarian), say("ranks", card[1], language)
    return say("cards", "name", language, suit=suit, rank=rank)


def card_words(label: str, bavarian: bool = False, language: str = "de") -> str:
    """Name a face of a deck as it is spoken: ``Herz Zehn``, ``ten of hearts``; a label that is no card is the back."""
    if len(label) != 2:
        return say("cards", "back", language)
    rank = say("spoken_ranks" if has("spoken_ranks", label[1]) else "ranks", label[1], language)
    return say("cards", "name", language, suit=suit_word(label[0], language, bavarian=bavarian), rank=rank)

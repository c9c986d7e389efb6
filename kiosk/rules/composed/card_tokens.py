"""Write trumps in a club's file as people say them: a card, all of a rank, the rest of a suit."""

from collections.abc import Sequence

from kiosk.language import say
from kiosk.language.cards import card_word, suit_word
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.cards import FRENCH_SUITS, Card
from kiosk.rules.engine.contract import Contract

#: Stands for the suit that is named in a Farbsolo.
NAMED = "suit"


def tokens_of(contract: Contract, base: RuleBook, named: str | None = None) -> list[str]:
    """Return the trumps of a contract, the strongest first, in as few words as can be.

    :param named: the suit that this contract is for, where it is one of four.
    """
    cards, ranks = list(contract.trumps), base.normal.plain_ranks
    found: list[str] = []
    while cards:
        used = {card for card in contract.trumps if card not in cards}
        rank, suit = cards[0][1], cards[0][0]
        of_rank = [letter + rank for letter in FRENCH_SUITS]
        of_suit = [suit + one for one in ranks if suit + one not in used]
        if cards[: len(of_rank)] == of_rank:
            found.append(rank)
            cards = cards[len(of_rank) :]
        elif cards[: len(of_suit)] == of_suit:
            found.append(NAMED if suit == named else suit)
            cards = cards[len(of_suit) :]
        else:
            found.append(cards.pop(0))
    return found


def tokens_for(base: RuleBook, game: str, language: str) -> list[tuple[str, str]]:
    """List what trumps of a game may be made of, with words."""
    suits: Sequence[str] = FRENCH_SUITS
    ranks = base.normal.plain_ranks
    cards: list[Card] = [suit + rank for suit in suits for rank in ranks]
    found = [(rank, say("book_form", "all_of_rank", language, rank=say("ranks", rank, language))) for rank in ranks]
    found += [(suit, say("book_form", "rest_of_suit", language, suit=suit_word(suit, language))) for suit in suits]
    found += [(NAMED, say("book_form", "named_suit", language))] if game == "farbsolo" else []
    return found + [(card, card_word(card, language)) for card in cards]

"""Define a fact of a book, the unit of a description, and format its values."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from kiosk.language import has
from kiosk.language.cards import RANK_SIGNS, SUIT_SIGNS
from kiosk.rules.describe.told import value_words
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import TRUMP, Contract
from kiosk.rules.options.option import Options
from kiosk.rules.options.words import Filling, Text, Words, join


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One line of a description; equal facts of two books have the same key and the same value."""

    key: str
    label: Text
    value: Text
    section: str  # "" where the book has no point for it


class Sections:
    """Sections of a book's facts: an option's own section, or the one for facts that are no option."""

    def __init__(self, book: RuleBook) -> None:
        self._found = {option.name: option.section for option in book.options} | dict(book.fact_sections)

    def __call__(self, key: str) -> str:
        return self._found.get(key, "")


def words(code: str, **fill: Filling) -> Words:
    """Make a text of the description, with what is filled in."""
    return Words("rulebook", code, tuple(fill.items()))


NEVER: Text = words("never")
NONE: Text = words("none")
NO: Text = words("no")
YES: Text = words("yes")


def yes_no(holds: object) -> Text:
    """Format a truth value as ``ja`` or ``nein``."""
    return YES if holds else NO


def option_text(book: RuleBook, options: Options, name: str) -> Text:
    """Format the value of an option in its own words."""
    return value_words(book.option(name), options[name])


def signed(number: float) -> str:
    """Format a number of points with its sign: ``+3``, ``−1``, ``0``."""
    return f"{'+' if number > 0 else '−' if number < 0 else ''}{abs(number)}"


def is_bavarian(book: RuleBook) -> bool:
    """Report whether the book plays with a Bavarian deck."""
    return "EO" in book.deck


def suit_text(book: RuleBook, suit: str) -> Text:
    """Format a suit: its sign, a Bavarian one by name."""
    if not is_bavarian(book):
        return SUIT_SIGNS[suit]
    return Words("bavarian_suits" if has("bavarian_suits", suit) else "suits", suit)


def card_text(book: RuleBook, card: Card) -> Text:
    """Format a card: ``♥10``, ``Eichel O``."""
    between = "" if card[0] in SUIT_SIGNS and not is_bavarian(book) else " "
    return join((suit_text(book, card[0]), RANK_SIGNS[card[1]]), between)


_ALL_OF_RANK: dict[str, Text] = {
    "Q": words("queens"),
    "J": words("jacks"),
    "O": words("ober"),
    "U": words("unter"),
}


def _run(cards: Sequence[Card], place: int) -> Sequence[Card]:
    """The first cards as far as they have the same suit (place 0) or rank (1)."""
    return list(takewhile(lambda card: card[place] == cards[0][place], cards))


def trumps_text(book: RuleBook, contract: Contract) -> Text:
    """Format the trumps from the top, those of one rank and those of one suit taken together."""
    left, parts = list(contract.trumps), []
    while left:
        same_rank = _run(left, 1)
        if len(same_rank) > 1 and left[0][1] in _ALL_OF_RANK:
            suits = join([suit_text(book, card[0]) for card in same_rank], " ")
            parts.append(join((_ALL_OF_RANK[left[0][1]], suits), " "))
            left = left[len(same_rank) :]
        else:
            same_suit = _run(left, 0)
            ranks = " ".join(RANK_SIGNS[card[1]] for card in same_suit)
            parts.append(join((suit_text(book, left[0][0]), ranks), " "))
            left = left[len(same_suit) :]
    return join(parts, " · ") if parts else NONE


def plain_text(book: RuleBook, contract: Contract) -> Text:
    """Format the plain suits and their order, suits of equal ranks taken together."""
    ranks: dict[str, list[str]] = {}
    for suit in dict.fromkeys(card[0] for card in book.deck):
        cards = [rank for rank in contract.plain_ranks if contract.classes.get(suit + rank, TRUMP) != TRUMP]
        if cards:
            ranks.setdefault(" ".join(RANK_SIGNS[rank] for rank in cards), []).append(suit)
    parts = [join((join([suit_text(book, suit) for suit in suits], " "), order), " ") for order, suits in ranks.items()]
    return join(parts, " · ") if parts else NONE


def game_text(book: RuleBook, game: str, suit: str | None = None) -> Text:
    """Format a game's name, with its suit if it has one."""
    name = Words("games", game)
    return join((name, suit_text(book, suit)), " ") if suit else name


def calls_text(calls: Sequence[str]) -> Text:
    """Format calls by name."""
    return join([Words("calls", call) for call in calls])

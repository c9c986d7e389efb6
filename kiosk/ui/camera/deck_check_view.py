"""Define what the check of a deck has found so far: the cards that lay before the camera, against those of the book."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kiosk.rules.engine.cards import FRENCH_SUITS, Card


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckCheckView:
    """The cards of a deck that were seen.

    :ivar deck: the book's cards.
    :ivar missing: cards of the book, as often as they have not been seen yet.
    :ivar double: cards of the book, as often as they were seen too often.
    :ivar foreign: cards that the book has not.
    :ivar unread: cards seen that could not be read: of another pack, or covered.
    :ivar spread: whether they lie open all at once.
    :ivar readable: False where the camera cannot read them so: it does not see the mat, or knows no letters.
    """

    deck: tuple[Card, ...]
    seen: int
    missing: tuple[Card, ...]
    double: tuple[Card, ...]
    foreign: tuple[Card, ...]
    unread: int
    spread: bool = False
    readable: bool = True

    @property
    def right(self) -> bool:
        """Whether it is the whole deck and nothing else."""
        return not (self.missing or self.double or self.foreign or self.unread)


def may_be_spread(deck: Sequence[Card]) -> bool:
    """Whether cards of this deck have letters in their corners, by which they are read where they overlap."""
    return {card[0] for card in deck} <= set(FRENCH_SUITS)


def checked(
    deck: Sequence[Card], seen: Iterable[Card | None], *, spread: bool = False, readable: bool = True
) -> DeckCheckView:
    """Compare the cards seen, None for one that could not be read, with those of a deck."""
    read = list(seen)
    named = Counter(card for card in read if card is not None)
    wanted = Counter(deck)
    foreign = sorted(card for card in named.elements() if card not in wanted)
    return DeckCheckView(
        deck=tuple(deck),
        seen=len(read),
        missing=tuple((wanted - named).elements()),
        double=tuple(card for card in (named - wanted).elements() if card in wanted),
        foreign=tuple(foreign),
        unread=read.count(None),
        spread=spread,
        readable=readable,
    )

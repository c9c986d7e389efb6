"""Draw cards: a face, and the picker with which a finger names a card."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from kivy.metrics import Metrics
from kivy.properties import (
    BooleanProperty,
    ColorProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.relativelayout import RelativeLayout

from kiosk.language import Language
from kiosk.language.cards import SUIT_SIGNS, rank_sign
from kiosk.rules.engine.cards import Card
from kiosk.ui.parts import look, suits
from kiosk.ui.parts.look import Key, kv
from kiosk.ui.parts.touchable import Touchable

#: Between a sign and its rank.
NO_BREAK = "\u00a0"

#: Colours of the Bavarian suits on paper.
BAVARIAN_INK = {"E": "#7A4A12", "G": "#2E7D32", "H": look.CARD_RED, "S": "#8F5F00"}


class Faces:
    """The notation of a deck's cards with the signs of their suits."""

    def __init__(self, deck: Iterable[Card], language: Language) -> None:
        cards = list(deck)
        self.suits = "".join(dict.fromkeys(card[0] for card in cards))
        self.ranks = "".join(dict.fromkeys(card[1] for card in cards))
        self.copies = Counter(cards)
        self.bavarian = "E" in self.suits
        self.keys: dict[float, Any] = {}  # the picker's rows, by the size that they were made for
        self.written_for = tuple(cards), language

    def rank(self, card: Card) -> str:
        """Write a card's rank: ``"10"`` for ``"HT"``."""
        return rank_sign(card[1])

    def suit(self, suit: str) -> str:
        """Write the sign of a suit, as markup."""
        if self.bavarian:
            return suits.sign(suit)
        return look.sign(SUIT_SIGNS[suit])

    def printed(self, suit: str) -> str:
        """Write the sign of a suit as on paper, in its colour and with room around it, as markup for a light key."""
        return f"[color={self.ink(suit)}]{self.suit(suit)}[/color]\u2009"

    def ink(self, card: Card) -> str:
        """Return the colour of a card's print."""
        if self.bavarian:
            return BAVARIAN_INK[card[0]]
        return look.CARD_RED if card[0] in "HD" else look.CARD_BLACK

    def name(self, card: Card) -> str:
        """Write a card's short name within a text, as markup: ``♥ 10``."""
        return f"{self.suit(card[0])}{NO_BREAK}{self.rank(card)}"


class CardFace(Touchable, RelativeLayout):
    """A card on the table; an empty place where there is none.

    ``card`` is the notation, ``""`` an empty place; ``mark`` is "", "doubt", "winner", "breach" or "turn".
    """

    card = StringProperty("")
    rank = StringProperty("")
    suit = StringProperty("")
    ink = ListProperty([0, 0, 0, 1])
    down = BooleanProperty(False)
    mark = StringProperty("")
    event = NumericProperty(-1)
    seat = NumericProperty(0)

    def collide_point(self, x: float, y: float) -> bool:
        """Ignore touches of a hidden place (a disabled one would swallow them)."""
        return bool(self.opacity and super().collide_point(x, y))

    def draw(self, faces: Faces, card: Card) -> None:
        """Show this card; ``""`` empties the place."""
        self.card = card
        if card:
            self.rank, self.suit = faces.rank(card), faces.suit(card[0])
            self.ink = look.hex(faces.ink(card))


class SuitRow(BoxLayout):
    """One suit of the picker."""


class CardKey(Key):
    """A card of the picker, in the colour of its print also while and after a finger is on it."""

    card = StringProperty("")
    paper = BooleanProperty(True)
    printed = ColorProperty(look.CARD_BLACK)

    def _paint(self, *_: object) -> None:
        super()._paint()
        self.ink = self.printed


class CardPicker(BoxLayout):
    """All faces of the deck, suit by rank; ``go(card)`` is called with the one touched."""

    go: Callable[[Card], None] | None = ObjectProperty(None, allownone=True)

    def deal(self, faces: Faces, likely: Iterable[Card] = ()) -> None:
        """Lay the keys out; ``likely`` ones have a golden edge."""
        self.clear_widgets()
        gold = set(likely)
        for row in _rows_of(faces):
            if row.parent is not None:
                row.parent.remove_widget(row)
            for key in row.children:
                key.paper = key.card not in gold
            self.add_widget(row)

    def touched(self, card: Card) -> None:
        """Hand on the card of a key that was touched."""
        if self.go is not None:
            self.go(card)


def _rows_of(faces: Faces) -> list[SuitRow]:
    """Return the keys of a deck; made once, because a card that is laid by finger needs them every time."""
    made = faces.keys.get(Metrics.density)
    if made is None:
        made = faces.keys[Metrics.density] = [_row(faces, suit) for suit in faces.suits]
    return made


def _row(faces: Faces, suit: str) -> SuitRow:
    row = SuitRow()
    for rank in faces.ranks:
        card = suit + rank
        words = f"[b]{faces.rank(card)}[/b] {faces.suit(suit)}"
        key = CardKey(card=card, text=words, printed=faces.ink(card))
        key.bind(on_release=lambda key: key.parent.parent.touched(key.card))
        row.add_widget(key)
    return row


kv(__file__)

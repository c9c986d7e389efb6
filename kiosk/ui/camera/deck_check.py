"""Show whether a deck that is laid before the camera is whole: what is missing, double or foreign."""

from collections import Counter
from typing import Any

from kivy.properties import BooleanProperty, StringProperty

from kiosk.rules.engine.cards import Card
from kiosk.ui.camera.deck_check_view import DeckCheckView, may_be_spread
from kiosk.ui.camera.set_up_requests import CheckDeck
from kiosk.ui.parts.cards import Faces
from kiosk.ui.parts.look import Sheet, kv

#: Cards that are named one by one; of more only their number is said.
MOST_NAMED = 14
#: Cards in a line.
A_LINE = 7


class DeckCheckSheet(Sheet):
    """The check of a deck, from its first card to its last."""

    text = StringProperty("")
    whole = BooleanProperty(False)
    spread = BooleanProperty(False)  # the deck lies there open all at once
    may_be_spread = BooleanProperty(False)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["deck_check"]
        self.text = app.words["deck_check_hint"]

    def draw(self, view: DeckCheckView) -> None:
        """Show what was seen so far."""
        text = self.app.words
        self.spread, self.may_be_spread = view.spread, may_be_spread(view.deck)
        lines = [text["deck_check_seen"].format(n=view.seen, of=len(view.deck))]
        for what, cards in (("double", view.double), ("foreign", view.foreign), ("missing", view.missing)):
            if cards:
                lines.append(f"[b]{text['deck_check_' + what]}[/b]  {self._named(view, cards)}")
        if view.unread:
            lines.append(text["deck_check_unread"].format(n=view.unread))
        self.whole = view.right
        if view.right:
            lines.append(f"[b]{text['deck_check_right']}[/b]")
        elif not view.readable:
            lines = [text["deck_check_unreadable"]]
        elif not view.seen:
            lines = [text["deck_check_spread_hint" if view.spread else "deck_check_hint"]]
        self.text = "\n".join(lines)

    def _named(self, view: DeckCheckView, cards: tuple[Card, ...]) -> str:
        if len(cards) > MOST_NAMED:
            return str(self.app.words["deck_check_n"].format(n=len(cards)))
        faces = Faces((*view.deck, *view.foreign), self.app.language)
        names = [faces.name(card) + (f" × {n}" if n > 1 else "") for card, n in Counter(cards).items()]
        return "\n".join("  ".join(names[n : n + A_LINE]) for n in range(0, len(names), A_LINE))

    def again(self) -> None:
        """Begin anew."""
        self.app.request(CheckDeck(True, spread=self.spread))

    def change(self) -> None:
        """Begin anew, with the deck spread out, or card by card again."""
        self.app.request(CheckDeck(True, spread=not self.spread))

    def close(self) -> None:
        """End the check."""
        self.app.request(CheckDeck(False))
        super().close()


kv(__file__)

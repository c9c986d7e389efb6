"""Show finished tricks: the last one while the book allows it, all of them once the game is over."""

from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.table.view.table_view import TableView, TrickView
from kiosk.ui.parts.cards import CardFace
from kiosk.ui.parts.look import Sheet, Text, dp, hex, kv, plain
from kiosk.ui.parts.played_view import LookAtGame


class CardColumn(BoxLayout):
    """A card and its player."""

    units = NumericProperty(112)  # width


class TricksSheet(Sheet):
    """The tricks of the game that ended, one after the other; a touched card may be corrected."""

    number = NumericProperty(0)
    paging = BooleanProperty(True)
    points = StringProperty("")

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._shown: TrickView | None = None
        self._view: TableView | None = None
        super().__init__(app, **kwargs)

    def _tricks(self, view: TableView) -> tuple[TrickView, ...]:
        return view.result.tricks if view.result is not None else ()

    def show(self, view: TableView) -> None:
        self._view = view
        tricks = self._tricks(view)
        if not tricks:
            self.close()
            return
        self.number = min(self.number, len(tricks) - 1)
        trick = tricks[int(self.number)]
        text = self.app.words
        title = text["trick_n"].format(n=int(self.number) + 1) if self.paging else text["last_trick"]
        if trick.winner is not None:
            title += " " + text["last_trick_to"].format(name=plain(view.seat(trick.winner).name))
        self.title = title
        if trick == self._shown:
            return
        self._shown = trick
        self.points = "" if trick.points is None else f"{trick.points} {text['augen_word']}   ·   "
        box = self.ids.cards
        box.clear_widgets()
        for card in trick.cards:
            column = CardColumn(units=90 if self.upended else 112)
            face = CardFace(event=card.event, seat=card.seat)
            face.size = dp(column.units), dp(column.units * 1.4)
            face.down = card.down
            face.draw(self.app.faces, card.card)
            face.mark = "doubt" if card.doubt else "winner" if card.seat == trick.winner else ""
            face.bind(on_release=lambda face: self.app.sheets.open("correct", of=face.event))
            column.add_widget(face)
            name = Text(text=plain(view.seat(card.seat).name), halign="center", size_hint_y=None, height=dp(26))
            name.color = hex("#EDB93F") if card.seat == trick.winner else hex("#F6F0DF")
            column.add_widget(name)
            box.add_widget(column)

    def on_upended(self, *_: object) -> None:
        """Draw the cards as they fit."""
        self._shown = None
        if self._view is not None:
            self.show(self._view)

    def look(self) -> None:
        """Ask for this game with the pictures of its cards."""
        self.app.request(LookAtGame())

    def step(self, by: int) -> None:
        """Show another trick."""
        if self._view is not None:
            self.number = (int(self.number) + by) % len(self._tricks(self._view))
            self.show(self._view)


class LastTrickSheet(TricksSheet):
    """The last trick, until the book no longer allows it (eppstein 4.4.4)."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.paging = False

    def _tricks(self, view: TableView) -> tuple[TrickView, ...]:
        return (view.last_trick,) if view.last_trick is not None else ()


kv(__file__)

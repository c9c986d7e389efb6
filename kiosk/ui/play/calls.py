"""Ask who said something or shortens, and in which order the cards of a shortening come."""

from typing import Any

from kivy.properties import StringProperty

from kiosk.rules.engine.cards import Card
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.look import Key, Sheet, kv, plain, two_lines


class WhoSheet(Sheet):
    """Who of the players it is; the choices of that kind unfold in his own area.

    :param choices: what unfolds.
    :param title: code of the question.
    """

    def __init__(self, app: Any, choices: str, title: str, **kwargs: Any) -> None:
        self.choices = choices
        super().__init__(app, **kwargs)
        self.title = app.words[title]
        for seat in app.view.seats:
            if not seat.sits_out:
                key = Key(text=plain(seat.name), tone="ivory")
                key.bind(on_release=lambda _, number=seat.seat: self._who(number))
                self.ids.choices.add_widget(key)

    def show(self, view: TableView) -> None:
        if view.phase != "playing":
            self.close()

    def _who(self, seat: int) -> None:
        self.app.go("play")
        self.app.screen("play").unfold(seat, self.choices)


class ClaimSheet(Sheet):
    """The order in which who shortens will lay his cards; then all are asked, each in his own area.

    eppstein 4.3.4, schaffkopf II 4.2.1.
    """

    text = StringProperty("")

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        self.order: list[Card] = []
        super().__init__(app, **kwargs)
        self.name = plain(app.view.seat(seat).name)
        self.pick()

    def show(self, view: TableView) -> None:
        if view.phase != "playing":
            self.close()

    def pick(self) -> None:
        """Let the cards be touched in the order in which they will be laid."""
        text = self.app.words
        self.ids.picker.go = self._add
        self.ids.picker.deal(self.app.faces)
        self.title = text["claim_order"].format(name=self.name)
        self._done = Key(tone="gold", on_release=lambda _: self.ask())
        self._offer(Key(text=text["claim_undo"], on_release=lambda _: self._undo()), self._done)
        self._draw()

    def _add(self, card: Card) -> None:
        left = self.app.view.seat(self.seat).cards_left
        if len(self.order) < left and self.order.count(card) < self.app.faces.copies[card]:
            self.order.append(card)
        self._draw()

    def _undo(self) -> None:
        del self.order[-1:]
        self._draw()

    def _draw(self) -> None:
        left = self.app.view.seat(self.seat).cards_left
        self.text = "   ".join(map(self.app.faces.name, self.order)) or self.app.words["claim_order_hint"]
        done = self.app.words["claim_ordered" if self.order else "claim_unordered"]
        self._done.text = two_lines(done, f"{len(self.order)} / {left}" if self.order else "")

    def ask(self) -> None:
        """Ask who claims to show the cards, and then the others."""
        self.close()
        self.app.go("play")
        self.app.screen("play").ask_claim(self.seat, tuple(self.order))

    def _offer(self, *keys: Key) -> None:
        self.ids.key_box.clear_widgets()
        for key in keys:
            self.ids.key_box.add_widget(key)


kv(__file__)

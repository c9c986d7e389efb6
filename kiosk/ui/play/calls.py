"""Ask who said something or shortens, and in which order the cards of a shortening come."""

from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, StringProperty

from kiosk.rules.engine.cards import Card
from kiosk.table.consent import held
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import GameClaimed
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.hold import HoldKey
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
    """The shortening: who shows the cards takes the rest in the order stated.

    All look at the cards now: in which order they come, and whether the others agree (eppstein 4.3, bsv 5.4, schaffkopf
    II 4.2.1).
    """

    text = StringProperty("")
    picking = BooleanProperty(False)

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
        self.picking = True
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
        """Ask the others to inspect the cards and agree or not."""
        text = self.app.words
        self.picking = False
        self.ids.picker.clear_widgets()
        self.title = text["claim_title"].format(name=self.name)
        self.text = text["claim_rest_hint"].format(name=self.name)
        if self.order:
            self.text += "\n\n" + "   ".join(map(self.app.faces.name, self.order))
        self._offer(
            HoldKey(calm_text=f"[b]{text['claim_accept']}[/b]", calm_tone="gold", go=partial(self.rest, True)),
            HoldKey(calm_text=text["claim_reject"], go=partial(self.rest, False)),
        )

    def _offer(self, *keys: Key) -> None:
        self.ids.key_box.clear_widgets()
        for key in keys:
            self.ids.key_box.add_widget(key)

    def rest(self, accepted: bool) -> None:
        """Claim the rest; the order stated and whether the others agreed go with it."""
        self.close()
        order: dict[str, Any] = {"order": tuple(self.order)} if self.order else {}
        self.app.request(held(request_for(GameClaimed, seat=self.seat, kind="rest", accepted=accepted, **order)))


kv(__file__)

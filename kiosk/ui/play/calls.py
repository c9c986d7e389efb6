"""Ask who said something or shortens, and in which order the cards of a shortening come."""

from typing import Any

from kivy.properties import StringProperty

from kiosk.rules.engine.cards import Card
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.look import Key, Sheet, kv, plain, two_lines
from kiosk.ui.play.claim_question import ClaimQuestion

#: Cards in a line beside a name.
CARDS_A_LINE = 7


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
        self._undone = Key(text=text["claim_undo"], on_release=lambda _: self._undo())
        self._any = Key(text=text["claim_unordered"], on_release=lambda _: self.ask(in_order=False))
        self._done = Key(tone="gold", on_release=lambda _: self.ask())
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
        counted = f"{len(self.order)} / {left}" if self.order and not self._whole else ""  # three keys leave it no room
        self._done.text = two_lines(done, counted)
        self._offer(self._undone, *([self._any] if self._whole else []), self._done)

    @property
    def _whole(self) -> bool:
        """Whether his whole hand is entered: the table can find out whether he is right."""
        return bool(0 < len(self.order) == self.app.view.seat(self.seat).cards_left)

    def ask(self, in_order: bool = True) -> None:
        """Ask who claims to show the cards, and then the others.

        :param in_order: what is entered is an order, not the hand alone.
        """
        cards = tuple(self.order)
        hand = cards if self._whole else ()
        self.close()
        self.app.go("play")
        self.app.screen("play").ask_claim(self.seat, cards if in_order else (), hand)

    def _offer(self, *keys: Key) -> None:
        self.ids.key_box.clear_widgets()
        for key in keys:
            self.ids.key_box.add_widget(key)


class ClaimLostSheet(Sheet):
    """How a claimed rest would be lost: cards that the others may hold, and the tricks up to the lost one."""

    text = StringProperty("")

    def __init__(self, app: Any, question: ClaimQuestion, **kwargs: Any) -> None:
        self.question = question
        super().__init__(app, **kwargs)
        self.title = app.words["rest_lost_title"]
        self.text = self._told(app.view)

    def show(self, view: TableView) -> None:
        if not self.question.stands(view):
            self.close()

    def _told(self, view: TableView) -> str:
        text, answer = self.app.words, self.question.answer
        assert answer is not None
        verdict = answer.verdict

        def cards(some: tuple[Card, ...]) -> str:
            names = list(map(self.app.faces.name, some))
            rows = [names[n : n + CARDS_A_LINE] for n in range(0, len(names), CARDS_A_LINE)]
            return "\n".join("  ".join(row) for row in rows)  # else a line may break between suit and rank

        def name(seat: int) -> str:
            return plain(view.seat(seat).name)

        laid = [*answer.trick, *verdict.line]
        tricks = [laid[n : n + 4] for n in range(0, len(laid), 4)]
        lines = [text["rest_if_held"]]
        lines += [f"[b]{name(seat)}[/b]  {cards(hand)}" for seat, hand in verdict.hands.items()]
        if tricks[:-1]:
            leads = tuple(trick[0][1] for trick in tricks[:-1])
            lines.append(text["rest_led_before"].format(cards=cards(leads)))
        last = [f"{name(seat)} {cards((card,))}" for seat, card in tricks[-1]]
        lines.append(text["rest_lost_trick"].format(trick=", ".join(last[:2]) + ",\n" + ", ".join(last[2:])))
        lines.append(text["rest_taken_by"].format(name=name(verdict.taken_by)))
        if verdict.trumps_first:
            lines.append(text["rest_trumps_first"])
        return "\n".join(lines)


kv(__file__)

"""Ask who said something or shortens, and in which order the cards of a shortening come."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, OptionProperty, StringProperty

from kiosk.rules.engine.cards import Card
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.look import Key, Sheet, kv, plain, two_lines
from kiosk.ui.play.claim_question import ClaimQuestion, HandSeen
from kiosk.ui.play.claimed_hand import ClaimedHand

#: Cards in a line beside a name.
CARDS_A_LINE = 7


#: Cards of a hand that are shown at most: one more than the largest hand, where the camera has read one too many.
MOST_SLOTS = 13


class Slot(Key):
    """A card of the hand: in the order, as the camera has read it, in doubt, or not known yet."""

    kind = OptionProperty("none", options=("order", "read", "doubt", "none"))
    chosen = BooleanProperty(False)
    number = NumericProperty(0)
    go: Callable[[int], None] | None = ObjectProperty(None, allownone=True)

    def on_release(self) -> None:
        """Take it out of the order, or choose it, to say what it is."""
        if self.go is not None:
            self.go(int(self.number))


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
    """The hand of who shortens, and the order in which he will lay it; then all are asked, each in his own area.

    eppstein 4.3.4, schaffkopf II 4.2.1. What the camera reads of the hand laid open is there already.
    """

    text = StringProperty("")

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        play, holder = app.screen("play"), app.view.seat(seat)
        asked = play.claiming if play.claiming is not None and play.claiming.seat == seat else None
        hand = ClaimedHand(size=holder.cards_left, copies=app.faces.copies)
        for card in asked.order if asked is not None else ():
            hand = hand.touch(card)
        self.hand = hand
        self.seen: HandSeen | None = None
        super().__init__(app, **kwargs)
        self.name = plain(holder.name)
        self._slots = [Slot() for _ in range(MOST_SLOTS)]
        self.ids.picker.go = self._touched
        self.title = app.words["claim_order"].format(name=self.name)
        self._undone = Key(on_release=lambda _: self._do(self.hand.undo()))
        self._any = Key(text=app.words["claim_unordered"], on_release=lambda _: self.ask(in_order=False))
        self._done = Key(tone="gold", on_release=lambda _: self.ask())
        self._dealt: tuple[Card, ...] | None = None
        self._draw()
        if play.seen is not None:
            self.see(play.seen)

    def show(self, view: TableView) -> None:
        if view.phase != "playing":
            self.close()
        elif view.seat(self.seat).cards_left != self.hand.size:
            self._do(replace(self.hand, size=view.seat(self.seat).cards_left))

    def see(self, seen: HandSeen) -> None:
        """Take what the camera reads of the hand by now."""
        if seen.seat == self.seat:
            self.seen = seen
            self._do(self.hand.see(seen.cards))

    def _touched(self, card: Card) -> None:
        self._do(self.hand.touch(card))

    def _do(self, hand: ClaimedHand) -> None:
        self.hand = hand
        self._draw()

    def _draw(self) -> None:
        hand, text = self.hand, self.app.words
        self.text = self._told()
        self._draw_slots()
        chosen = None if hand.chosen is None else hand.seen[hand.chosen]
        likely = () if chosen is None else chosen.choices
        if likely != self._dealt:
            self._dealt = likely
            self.ids.picker.deal(self.app.faces, likely)
        done = text["claim_ordered" if hand.order else "claim_unordered"]
        counted = f"{len(hand.order)} / {hand.size}" if hand.order and not hand.cards else ""  # three keys: no room
        self._undone.text = text["claim_undo" if chosen is None else "claim_away"]
        self._done.text = two_lines(done, counted)
        self._offer(self._undone, *([self._any] if hand.cards and hand.order else []), self._done)

    def _told(self) -> str:
        """Say what is to be done, and how much of the hand the camera has read."""
        hand, seen, text = self.hand, self.seen, self.app.words
        if hand.chosen is not None:
            return str(text["claim_which"])
        if seen is None:
            return str(text["claim_order_hint"])
        if len(hand.order) + len(hand.seen) > hand.size:
            return str(text["claim_too_many"]).format(n=hand.size)
        if hand.cards:
            return str(text["claim_read"])
        if not hand.known and not hand.doubts:
            return str(text["claim_unseen"])
        code = "claim_read_faces" if seen.by == "faces" else "claim_read_part"
        return str(text[code]).format(n=hand.known, all=hand.size)

    def _draw_slots(self) -> None:
        """Draw a key for each card: those of the order with their numbers, then those that the camera has read."""
        hand, name = self.hand, self.app.faces.name
        slots = self.ids.slots
        count = max(hand.size, len(hand.order) + len(hand.seen))
        shown = self._slots[: min(count, MOST_SLOTS)]
        if [one for one in self._slots if one.parent] != shown:
            slots.clear_widgets()
            for slot in shown:
                slots.add_widget(slot)
        for number, slot in enumerate(shown):
            place = number - len(hand.order)
            seen = hand.seen[place] if 0 <= place < len(hand.seen) else None
            slot.number = number
            slot.chosen = seen is not None and place == hand.chosen
            slot.disabled = seen is None and place >= 0
            slot.go = self._touch_slot
            if place < 0:
                slot.text = f"{name(hand.order[number])}\n{number + 1}."
            else:
                slot.text = "" if seen is None else "[b]?[/b]" if seen.card is None else name(seen.card)
            slot.kind = "order" if place < 0 else "none" if seen is None else "read" if seen.card else "doubt"

    def _touch_slot(self, number: int) -> None:
        """Take a card out of the order again, or choose one that was read, to say what it is."""
        place = number - len(self.hand.order)
        self._do(self.hand.take_out(number) if place < 0 else self.hand.choose(place))

    def ask(self, in_order: bool = True) -> None:
        """Ask who claims to show the cards, and then the others.

        :param in_order: what is touched is an order, not the hand alone.
        """
        hand, play = self.hand, self.app.screen("play")
        if hand.put_right and self.seen is not None:
            play.seen = replace(self.seen, cards=hand.all_seen, by="finger")
        self.close()
        self.app.go("play")
        play.ask_claim(self.seat, hand.order if in_order else (), hand.cards)

    def _offer(self, *keys: Key) -> None:
        box = self.ids.key_box
        if [*reversed(box.children)] != [*keys]:
            box.clear_widgets()
            for key in keys:
                box.add_widget(key)


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

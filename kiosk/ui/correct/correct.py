"""Correct a card that was misread: touch the card, touch the right one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kivy.properties import ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.rules.engine.cards import Card
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import CardCorrected, CardInserted, CardPlayed, CardRetracted, CardsReseated
from kiosk.table.view.table_view import CardView, DoubtView, TableView, TrickView
from kiosk.ui.correct.change import game_noted, put_right
from kiosk.ui.correct.film import film_of
from kiosk.ui.parts.cards import CardFace
from kiosk.ui.parts.look import Key, Sheet, dp, kv, plain
from kiosk.ui.parts.pictures import texture_of

#: Who corrects: a finger on the table's screen.
FINGER = "table"
WHY = "finger"


def tricks_of(view: TableView) -> tuple[TrickView, ...]:
    """List all tricks whose cards may be touched now."""
    ended = view.result.tricks if view.result is not None else ()
    return tuple(trick for trick in (view.trick, view.last_trick, *ended) if trick is not None)


def card_of(view: TableView, event: int) -> CardView | None:
    """Find the card that an event laid, where it may be seen."""
    return next((card for trick in tricks_of(view) for card in trick.cards if card.event == event), None)


def _doubt_of(view: TableView, event: int) -> DoubtView | None:
    """Find the question what an event's card is."""
    return next((one for one in view.doubts if one.event == event and not one.perhaps), None)


class SeatChoice(BoxLayout):
    """A key for each player."""

    tone = StringProperty("green")

    def offer(self, view: TableView, go: Any, without: tuple[int, ...] = (), text: str = "{name}") -> None:
        """Lay out a key for each player who plays this game, ``without`` some."""
        sitting_out = tuple(seat.seat for seat in view.seats if seat.sits_out)
        self.offer_all(view, go, (*without, *sitting_out), text)

    def offer_all(self, view: TableView, go: Any, without: tuple[int, ...] = (), text: str = "{name}") -> None:
        """Lay out a key for each player at the table, ``without`` some."""
        self.clear_widgets()
        for seat in view.seats:
            if seat.seat not in without:
                key = Key(text=text.format(name=plain(seat.name)), tone=self.tone)
                key.bind(on_release=lambda _, number=seat.seat: go(number))
                self.add_widget(key)


class CorrectSheet(Sheet):
    """The correction of one card: its label, its seat, or that there was none; its picture while it is in doubt."""

    texture = ObjectProperty(None, allownone=True)

    def __init__(self, app: Any, of: int, **kwargs: Any) -> None:
        self.of = of
        self._card: CardView | None = None
        self._missing_before = False
        super().__init__(app, **kwargs)
        self.ids.picker.go = self._pick

    def show(self, view: TableView) -> None:
        card = card_of(view, self.of)
        doubt = _doubt_of(view, self.of)
        if card is None and doubt is None:
            self.close()
            return
        if card == self._card and card is not None:
            return
        self._card = card
        seat = card.seat if card is not None else doubt.seat if doubt is not None else 0
        name = plain(view.seat(seat).name)
        self.title = self.app.words["correct_title"].format(name=name)
        if doubt is None and card is not None:
            self.title = f"{self.app.faces.name(card.card)}   {self.title}"
        self.texture = texture_of(doubt.picture) if doubt is not None else None
        self.ids.picker.deal(self.app.faces, doubt.choices if doubt is not None else [card.card] if card else ())
        self.ids.back.disabled = card is None or not card.retractable
        self.ids.seat_key.disabled = card is None

    def _pick(self, card: Card) -> None:
        self._settle(card)

    def phantom(self) -> None:
        """Report that there was no card."""
        self._settle(None)

    def _settle(self, card: Card | None) -> None:
        before = self._card
        self.close()
        names = self.app.faces.name
        right = names(card) if card is not None else self.app.words["no_card"]
        told = f"{names(before.card)} › {right}" if before is not None else right
        request = request_for(CardCorrected, of=self.of, card=card, by=FINGER, why=WHY)
        put_right(self.app, request, told, game_noted(self.app.view))

    def taken_back(self) -> None:
        """Report that the player took the card back: a player's act, not a misread."""
        card = self._card
        self.close()
        if card is not None:
            self.app.request(request_for(CardRetracted, seat=card.seat, card=card.card))

    def whose(self) -> None:
        """Ask for the seat of the card."""
        if self._card is not None:
            self.app.sheets.open("whose", event=self.of, seat=self._card.seat, card=self._card.card)

    def missing(self) -> None:
        """Ask for a card that nobody saw, right after this one."""
        self.app.sheets.open("missing", after=self.of)


class WhoseSheet(Sheet):
    """The seat of a card that another player laid.

    :param seat: that it is noted for.
    :param asked: the table's question: it may as well be that seat's.
    """

    asked: DoubtView | None = ObjectProperty(None, allownone=True)
    texture = ObjectProperty(None, allownone=True)
    where = StringProperty("")

    def __init__(
        self, app: Any, event: int, seat: int, card: Card, asked: DoubtView | None = None, **kwargs: Any
    ) -> None:
        self.event, self.seat, self.card = event, seat, card
        super().__init__(app, asked=asked, **kwargs)
        self.title = f"{app.faces.name(card)}   {app.words['choose_first']}"
        if asked is not None:
            self.where = app.words["doubt_where"].format(game=asked.game, trick=asked.trick)
            self.texture = texture_of(asked.picture)
        self.ids.seats.offer(app.view, self._give, without=() if asked else (seat,))

    def show(self, view: TableView) -> None:
        asked = self.asked
        if asked is not None and all(replace(one, picture=asked.picture) != asked for one in view.doubts):
            self.close()  # it is settled, or another question by now

    def _give(self, seat: int) -> None:
        self.close()
        event, view, asked = self.event, self.app.view, self.asked
        told = f"{self.app.faces.name(self.card)}: {plain(view.seat(self.seat).name)} › {plain(view.seat(seat).name)}"
        seats = self._each_others(view, seat)
        if seats:
            request = request_for(CardsReseated, seats=seats, by=FINGER, why=WHY)
        else:
            request = request_for(CardCorrected, of=event, card=self.card, seat=seat, by=FINGER, why=WHY)
        put_right(self.app, request, told, game_noted(view) or (asked is not None and asked.game < view.game))

    def _each_others(self, view: TableView, seat: int) -> Mapping[int, int]:
        """The seats of cards that have each been laid by who another one is noted for; empty: it is this one alone."""
        if self.asked is not None and self.asked.perhaps[self.event] == seat:
            return self.asked.perhaps
        trick = next((one.cards for one in tricks_of(view) if any(card.event == self.event for card in one.cards)), ())
        other = next((one for one in trick if one.seat == seat and one.event != self.event), None)
        return {self.event: seat, other.event: self.seat} if other is not None else {}


class MissingSheet(Sheet):
    """A card that nobody saw, after the event ``after``: its seat, then its label."""

    seat: int | None = ObjectProperty(None, allownone=True)

    def __init__(self, app: Any, after: int, **kwargs: Any) -> None:
        self.after = after
        super().__init__(app, **kwargs)
        self.title = app.words["missing_whose"]
        self.ids.picker.go = self._pick
        self.ids.seats.offer(app.view, self._chose)

    def _chose(self, seat: int) -> None:
        self.seat = seat
        name = plain(self.app.view.seat(seat).name)
        self.title = self.app.words["missing_card"].format(name=name)
        self.ids.seats.clear_widgets()
        self.ids.seats.size_hint_y, self.ids.seats.height = None, 0
        self.ids.picker.size_hint_y = 1
        self.ids.picker.deal(self.app.faces)

    def _pick(self, card: Card) -> None:
        self.close()
        if self.seat is not None:
            told = f"{plain(self.app.view.seat(self.seat).name)}: {self.app.faces.name(card)}"
            request = request_for(CardInserted, after=self.after, seat=self.seat, card=card, by=FINGER, why=WHY)
            put_right(self.app, request, told, game_noted(self.app.view))


class LaySheet(Sheet):
    """A card laid by finger, where the camera cannot see."""

    covers = ListProperty([])

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        super().__init__(app, **kwargs)
        self.ids.picker.deal(app.faces)
        self.ids.picker.go = self._pick

    def show(self, view: TableView) -> None:
        seat = view.seat(self.seat)
        self.title = self.app.words["lay_for"].format(name=plain(seat.name))
        self.covers = list(seat.covers)
        if not seat.turn or view.phase != "playing":
            self.close()

    def _pick(self, card: Card) -> None:
        self.close()
        self.app.request(request_for(CardPlayed, seat=self.seat, card=card))

    def cover(self) -> None:
        """Lay a card face down: nobody may see which (durchgaenge 4b); the game's last cards will tell."""
        likely = tuple(self.covers)
        self.close()
        self.app.request(request_for(CardPlayed, seat=self.seat, card=likely[0], down=True, doubt=likely, unseen=True))


class DoubtSheet(Sheet):
    """The question about a doubtful card, with its picture and the likeliest answers; play goes on meanwhile."""

    texture = ObjectProperty(None, allownone=True)
    where = StringProperty("")
    choices = ListProperty([])

    def __init__(self, app: Any, of: int, **kwargs: Any) -> None:
        self.of = of
        self._doubt: DoubtView | None = None
        super().__init__(app, **kwargs)

    def show(self, view: TableView) -> None:
        doubt = _doubt_of(view, self.of)
        if doubt is None:
            self.close()
            return
        self.ids.film.disabled = film_of(view, self.of) is None
        if doubt == self._doubt:
            return
        self._doubt = doubt
        text = self.app.words
        self.title = text["doubt_title"].format(name=plain(view.seat(doubt.seat).name))
        self.where = text["doubt_where"].format(game=doubt.game, trick=doubt.trick)
        self.texture = texture_of(doubt.picture)
        box = self.ids.faces
        box.clear_widgets()
        for card in doubt.choices[:4]:
            face = CardFace()
            face.size = self._size(len(doubt.choices[:4]))
            face.draw(self.app.faces, card)
            face.bind(on_release=lambda face: self._settle(face.card))
            box.add_widget(face)

    def on_upended(self, *_: object) -> None:
        """Draw the cards as they fit."""
        self._doubt = None
        if self.app.view is not None:
            self.show(self.app.view)

    def _size(self, count: int) -> tuple[float, float]:
        if self.upended:
            return (dp(132), dp(185)) if count <= 2 else (dp(92), dp(129))
        return (dp(150), dp(210)) if count <= 2 else (dp(112), dp(157))

    def _settle(self, card: Card | None) -> None:
        view, doubt = self.app.view, self._doubt
        self.close()
        told = self.app.faces.name(card) if card is not None else self.app.words["no_card"]
        request = request_for(CardCorrected, of=self.of, card=card, by=FINGER, why=WHY)
        noted = game_noted(view) or (doubt is not None and doubt.game < view.game)
        put_right(self.app, request, f"{self.title} {told}", noted, self._next)

    def _next(self) -> None:
        """Ask about the next card in doubt."""
        left = [one for one in self.app.view.doubts if one.event != self.of]
        if left:
            self.app.sheets.ask_about(left[0].event)

    def film(self) -> None:
        """Open the film of the seconds before it."""
        self.app.sheets.open("film", of=self.of)

    def phantom(self) -> None:
        """Report that there was no card."""
        self._settle(None)

    def other(self) -> None:
        """Choose from the whole deck."""
        self.app.sheets.open("correct", of=self.of)


kv(__file__)

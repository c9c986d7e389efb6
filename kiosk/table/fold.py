"""The round as a value computed from its events: what each event does to it.

``open_round`` starts with the first event, ``Round.apply`` gives the round after the next one, ``fold`` runs through a
whole list. A round keeps its events; a ``correct`` event folds them anew with the corrected facts, so that everything
after counts as if they had always been so.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kiosk.errors import BadEvent
from kiosk.rules import steps
from kiosk.rules.book import BadOption
from kiosk.rules.books import BOOKS, settle
from kiosk.rules.cards import Card
from kiosk.rules.evolve import evolve
from kiosk.rules.game import Game, deal
from kiosk.rules.money import cents
from kiosk.rules.result import payments
from kiosk.rules.tricks import Laid
from kiosk.rules.values import Impossible, Objection, Ruling
from kiosk.table.events import Event, check
from kiosk.table.frame import Change, Doubt, Fined, Frame, Replay

__all__ = ["Doubt", "Round", "fold", "open_round"]

#: Events of a round's log that are copied with each new one, at most.
_LATELY = 64


@dataclass(frozen=True, kw_only=True)
class Round(Frame):
    """A table's round after some events."""

    def apply(self, event: Event, number: int | None = None) -> "Round":
        """The round after the next event; ``number`` is its line if lines were left out before it.

        :raises BadEvent: if it is malformed or cannot happen here; the round is unchanged.
        """
        check(event)
        number = self.events if number is None else number
        name = event["event"]
        if name == "open":
            raise BadEvent("open: a round is opened only once; another round belongs into a file of its own")
        if self.closed and name not in ("strike", "correct", "sign", "time_up"):
            raise BadEvent(f"{name}: the list is handed in; only strike, correct, sign and time_up are possible")
        noted = evolve(self, **self._noting(number, event), events=number + 1)
        try:
            return _STEPS[name](noted, number, event)
        except (Impossible, BadEvent) as error:
            raise BadEvent(f"{name}: {error}") from error

    def _noting(self, number: int, event: Event) -> dict[str, Any]:
        """What changes in the round's log with one more event."""
        if len(self.lately) < _LATELY:
            return {"lately": (*self.lately, (number, event))}
        return {"earlier": self.log, "lately": ((number, event),)}

    def _seat(self, seat: int) -> int:
        if seat not in self.seats:
            raise BadEvent(f"unknown seat {seat}; this table has seats 1 to {len(self.players)}")
        return seat

    def _card(self, card: Card) -> Card:
        if card not in self.book.normal.classes:
            raise BadEvent(
                f"unknown card {card!r}; {self.book.name} plays with {' '.join(dict.fromkeys(self.book.deck))}"
            )
        return card

    def _cards(self, cards: Sequence[Card], most: int, what: str) -> tuple[Card, ...]:
        if len(cards) > most:
            raise BadEvent(f"{what} has {most} cards at most, not {len(cards)}")
        return tuple(map(self._card, cards))

    def _number(self, number: int | None, now: int) -> int | None:
        if number is not None and number > now:  # its own line at most, which is what it means if it names none
            raise BadEvent(f"event {number} has not happened yet; this is event {now}")
        return number

    def _still_running(self) -> BadEvent:
        number = self.game.number if self.game else 0
        return BadEvent(f"game {number} is still running; it ends with its last card, a claim, a ruling or void")

    def _current(self) -> Game:
        if self.game is None:
            raise BadEvent("no game is running; deal first")
        return self.game

    def _play(self, game: Game) -> "Round":
        """The round with its current game changed; a game that ended with a result is listed."""
        listed = self.games
        if listed and listed[-1].number == game.number:
            listed = listed[:-1]
        if game.result is not None:
            listed = (*listed, game)
        elif listed is self.games:
            return evolve(self, game=game)
        return evolve(self, game=game, games=listed)

    def _release(self, number: int, event: Event) -> "Round":
        return evolve(self, released=True)

    def _deal(self, number: int, event: Event) -> "Round":
        dealer = self._seat(event["dealer"])
        if self.running:
            raise self._still_running()
        if self.over:
            more = "; Nachspielzeit would open it again" if self.time_up else "; a game struck with replay would be"
            raise BadEvent(f"the round is complete, nothing is left to be dealt{more}")
        rotation, replays = self.turn_to_deal()
        replaying = replays[0] if replays else None
        if replaying is None:
            rotation = self.next_dealer
        owing = frozenset(seat for seat, left in self.duties_left.items() if left)
        game = deal(
            self.book,
            self.options,
            event=number,
            number=len(self.games) + 1,
            dealer=dealer,
            due=self.next_dealer,
            seats=self.playing(dealer),
            must_play=self.vorgefuehrt(dealer),
            duties_open=owing,
            lost=self.solos_lost,
            doubled=self.bock_left > 0,
        )
        return evolve(
            self,
            game=game,
            rotation=rotation,
            replays=replays[1:],
            replaying=replaying,
            before=(number, self._lighter()),
            leads=(),
        )

    def _lighter(self) -> "Round":
        """The round to be kept at a deal: only of the last game it knows where its tricks began."""
        if self.before is None:
            return self
        number, kept = self.before
        return evolve(self, before=(number, evolve(kept, leads=())))

    def _hand(self, number: int, event: Event) -> "Round":
        cards = self._cards(event["cards"], len(self.book.deck), "a hand")
        return self._play(steps.scan(self._current(), number, self._seat(event["seat"]), cards))

    def _call(self, number: int, event: Event) -> "Round":
        return self._play(steps.answer(self._current(), number, self._seat(event["seat"]), event["call"]))

    def _bid(self, number: int, event: Event) -> "Round":
        return self._play(steps.bid(self._current(), number, self._seat(event["seat"]), event["class"]))

    def _leave(self, number: int, event: Event) -> "Round":
        granted = event.get("granted", True)
        return self._play(steps.leave(self._current(), number, self._seat(event["seat"]), granted))

    def _declare(self, number: int, event: Event) -> "Round":
        return self._play(
            steps.declare(
                self._current(),
                number,
                self._seat(event["seat"]),
                event["game"],
                event.get("suit"),
                event.get("duty", False),
                event.get("condition"),
                event.get("card"),
                event.get("renonce", False),
                event.get("raise") or (),
            )
        )

    def _announce(self, number: int, event: Event) -> "Round":
        return self._play(
            steps.announce(
                self._current(),
                number,
                self._seat(event["seat"]),
                event["call"],
                event.get("side"),
                event.get("together", False),
            )
        )

    def _card_event(self, number: int, event: Event) -> "Round":
        if self.game is None or self.game.open_trick:
            return self._lay(number, event)
        return evolve(self, leads=(*self.leads, (number, self)))._lay(number, event)

    def _lay(self, number: int, event: Event) -> "Round":
        seat, card = self._seat(self.reseated.get(number, event["seat"])), self._card(event["card"])
        doubt = tuple(self._card(choice) for choice in event.get("doubt", ()))
        read, settled = card, False
        correction = self.corrections.get(number)
        if correction is not None:
            settled = True
            if correction["card"] is None:
                return self
            card, seat = self._card(correction["card"]), self._seat(correction.get("seat", seat))
        laid = Laid(
            number,
            seat,
            card,
            read if read != card else None,
            event.get("down", False),
            () if settled else doubt,
        )
        return self._play(steps.lay(self._current(), laid))

    def _retract(self, number: int, event: Event) -> "Round":
        seat, card = self._seat(event["seat"]), self._card(event["card"])
        return self._play(steps.retract(self._current(), number, seat, card))

    def _claim(self, number: int, event: Event) -> "Round":
        order = self._cards(event.get("order", ()), self.book.hand_size, "a claim's order")
        seat = self._seat(event["seat"])
        return self._play(steps.claim(self._current(), number, seat, event["kind"], order, event.get("accepted", True)))

    def _object(self, number: int, event: Event) -> "Round":
        against = event.get("against")
        made = Objection(
            event=number,
            seat=self._seat(event["seat"]),
            against=against if against is None else self._seat(against),
            code=event.get("code"),
            breach=self._number(event.get("breach"), number),
        )
        game = self._current()
        if game.ended == "void":
            raise BadEvent("no game is running; the last deal was void")
        return self._play(steps.object_(game, made))

    def _rule(self, number: int, event: Event) -> "Round":
        if not event.get("answers", True):
            return self._time_given(event)
        apart = event["class"] == "none" and (event.get("minutes") or event.get("fines"))  # needs no game
        game = self.game if apart else self._current()
        if game is not None and game.ended == "void" and event["class"] != "none":
            raise BadEvent("no game is running; the last deal was void")
        offender = event.get("offender")
        last = game.objections[-1] if game is not None and game.objections else None
        breach = self._number(event.get("breach"), number)
        if breach is None:
            breach = number if last is None else last.event if last.breach is None else last.breach
        scores, fines = event.get("scores"), event.get("fines") or {}
        ruling = Ruling(
            event=number,
            offender=offender if offender is None else self._seat(offender),
            kind=event["class"],
            breach=breach,
            harms_soloist=event.get("harms_soloist", False),
            scores=None if scores is None else {self._seat(int(seat)): points for seat, points in scores.items()},
            fines={self._seat(int(seat)): euros for seat, euros in fines.items()},
            minutes=event.get("minutes") or 0,
            resume=event.get("resume", False),
        )
        booked = self if game is None else self._play(steps.rule(game, ruling))
        deal_ = None if game is None else game.dealt
        fined = [one for one in self.fined if not (one.preset and game is not None and one.deal == deal_)]
        for of, owed in payments(booked.game).items() if game is not None and booked.game is not None else ():
            fined.append(Fined(event=of, deal=deal_, preset=True, amounts=_cents(owed)))
        if ruling.fines:
            fined.append(Fined(event=number, deal=deal_, preset=False, amounts=_cents(ruling.fines)))
        fined.sort(key=lambda one: one.event)
        # Nachspielzeit opens the table's time again, also where the ruling comes after its end (eppstein 7.4.1).
        time_up = self.time_up and not ruling.minutes
        return evolve(booked, fined=tuple(fined), extra_minutes=self.extra_minutes + ruling.minutes, time_up=time_up)

    def _time_given(self, event: Event) -> "Round":
        """The direction writes Nachspielzeit and answers no Reklamation by it: play that rests goes on resting."""
        minutes = event.get("minutes") or 0
        if event["class"] != "none" or minutes <= 0:
            raise BadEvent("a ruling that answers nothing is of class none and gives minutes")
        return evolve(self, extra_minutes=self.extra_minutes + minutes, time_up=False)

    def _substitute(self, number: int, event: Event) -> "Round":
        """Somebody else takes a seat for the rest of the round (schaffkopf III 1.3)."""
        seat, came = self._seat(event["seat"]), event["player"]
        if came in self.players:
            raise BadEvent(f"{came!r} sits at this table already")
        changed = Change(event=number, seat=seat, left=self.players[seat - 1], came=came, games=len(self.games))
        ranked = event.get("ranked", False)
        return evolve(
            self,
            players=tuple(came if one == seat else name for one, name in enumerate(self.players, start=1)),
            substitutes=self.substitutes - {seat} if ranked else self.substitutes | {seat},
            changes=(*self.changes, changed),
            signed=tuple(one for one in self.signed if one != seat),
        )

    def _swap(self, number: int, event: Event) -> "Round":
        """Two who sat down on each other's seats change places: possible until the first deal."""
        if self.game is not None:
            raise BadEvent("seats are put right before the first deal; whoever comes later is a substitute")
        one, other = map(self._seat, event["seats"])
        other_of = {one: other, other: one}
        return evolve(
            self,
            players=tuple(self.players[other_of.get(seat, seat) - 1] for seat in self.seats),
            substitutes=frozenset(other_of.get(seat, seat) for seat in self.substitutes),
            signed=tuple(seat for seat in self.signed if seat not in other_of),
        )

    def _void(self, number: int, event: Event) -> "Round":
        return self._play(steps.void(self._current(), number))

    def _strike(self, number: int, event: Event) -> "Round":
        struck = event["game"]
        game = next((game for game in self.games if game.number == struck), None)
        if game is None:
            raise BadEvent(f"game {struck} is not on the list; it has {len(self.games)} games")
        if struck in self.struck:
            raise BadEvent(f"game {struck} is struck already")
        again = event.get("replay", False)
        if again and self.closed:
            raise BadEvent("after the round a game is struck without replacement (eppstein 8.2.2)")
        replays = self.replays
        if again and game.result and game.result.counted:
            replays += (Replay(game.dealer, not self.used_turn(game)),)
        return evolve(self, struck={**self.struck, struck: again}, replays=replays)

    def _time_up(self, number: int, event: Event) -> "Round":
        return evolve(self, time_up=True, time_up_at=number)

    def _sign(self, number: int, event: Event) -> "Round":
        seat = self._seat(event["seat"])
        if self.running:
            raise self._still_running()
        return self if seat in self.signed else evolve(self, signed=(*self.signed, seat))

    def _close(self, number: int, event: Event) -> "Round":
        if self.running:
            raise self._still_running()
        return evolve(self, closed=True)

    # Corrections

    def _correct(self, number: int, event: Event) -> "Round":
        """A misread card put right, a phantom removed or an unseen card inserted; what follows is folded anew."""
        known = dict(self.log)
        if "seats" in event:
            return self._reseat(event["seats"])
        if ("of" in event) == ("after" in event) or "card" not in event:
            raise BadEvent(
                "correct needs 'card' and either 'of', a card's event, or 'after', the event before a card nobody saw"
            )
        if event["card"] is not None:
            self._card(event["card"])
        if "seat" in event:
            self._seat(event["seat"])
        if "of" in event:
            place = event["of"]
            target = known.get(place)
            if target is None or target is event or not (target["event"] == "card" or "after" in target):
                raise BadEvent(f"event {place} is no card that could be corrected; name the line of a card")
            place = target.get("after", place)
            corrections = {**self.corrections, event["of"]: {**self.corrections.get(event["of"], {}), **event}}
            changed = evolve(self, corrections=corrections)
        else:
            place = event["after"]
            if place >= number or place not in known:
                raise BadEvent(f"there is no event {place} before it")
            if event["card"] is None or "seat" not in event:
                raise BadEvent("a card that nobody saw needs its seat and card")
            after = self.inserted.get(place, ())
            changed = evolve(self, inserted={**self.inserted, place: (*after, number)})
        return changed._again(place)

    def _reseat(self, seats: Mapping[str, int]) -> "Round":
        """Some cards belong to other seats than it seemed; what they are stays as it is, a doubt too."""
        known = dict(self.log)
        numbers = sorted(int(number) for number in seats)
        for number in numbers:
            if number not in known or known[number]["event"] != "card":
                raise BadEvent(f"event {number} is no card that could be corrected; name the line of a card")
        reseated = {**self.reseated, **{int(number): self._seat(seat) for number, seat in seats.items()}}
        return evolve(self, reseated=reseated)._again(numbers[0])

    def supposing(self, event: int, card: Card) -> "Round | None":
        """The round if the card of that event were another one; None if that cannot be."""
        supposed = {**self.corrections.get(event, {}), "event": "correct", "of": event, "card": card}
        place = dict(self.log)[event].get("after", event)
        try:
            return evolve(self, corrections={**self.corrections, event: supposed})._again(place)
        except BadEvent:
            return None

    def _nearest(self, place: int) -> "tuple[int, Round] | None":
        """The last event up to ``place`` that led a trick or dealt, and the round before it."""
        at: Frame = self
        while at.before is not None:
            for kept in (*reversed(at.leads), at.before):
                if kept[0] <= place:
                    number, found = kept
                    assert isinstance(found, Round)
                    return number, found
            at = at.before[1]
        return None

    def _again(self, place: int) -> "Round":
        """The round folded anew with its corrections, from the trick or deal on in which event ``place`` happened."""
        log = self.log
        known = dict(log)
        first, start = self._nearest(place) or (log[0][0], open_round(log[0][1], log[0][0]))
        result = evolve(
            start,
            earlier=self.earlier,
            lately=self.lately,
            corrections=self.corrections,
            reseated=self.reseated,
            inserted=self.inserted,
        )
        for number, event in log:
            if number < first:
                continue
            try:
                if event["event"] not in ("open", "correct"):
                    result = _STEPS[event["event"]](result, number, event)
                for insertion in self.inserted.get(number, ()):
                    result = result._lay(insertion, known[insertion])
            except (BadEvent, Impossible) as error:
                name = event["event"]
                raise BadEvent(f"with this correction event {number} cannot stand: {name}: {error}") from error
        return evolve(result, events=self.events)


def _cents(euros: Mapping[int, float]) -> dict[int, int]:
    return {seat: cents(amount) for seat, amount in euros.items()}


_STEPS: dict[str, Callable[[Round, int, Event], Round]] = {
    "release": Round._release,
    "deal": Round._deal,
    "hand": Round._hand,
    "call": Round._call,
    "bid": Round._bid,
    "leave": Round._leave,
    "declare": Round._declare,
    "announce": Round._announce,
    "card": Round._card_event,
    "retract": Round._retract,
    "correct": Round._correct,
    "claim": Round._claim,
    "object": Round._object,
    "rule": Round._rule,
    "void": Round._void,
    "strike": Round._strike,
    "time_up": Round._time_up,
    "sign": Round._sign,
    "substitute": Round._substitute,
    "swap": Round._swap,
    "close": Round._close,
}


def open_round(event: Event, number: int = 0) -> Round:
    """The round after its first event.

    :raises BadEvent: if it is no ``open`` event, or names a book, number of players or option that does not exist.
    """
    check(event)
    if event["event"] != "open":
        raise BadEvent(f"{event['event']}: the first event must be open")
    name = event["rules"]
    if name not in BOOKS:
        raise BadEvent(f"open: unknown rule set {name!r}; known are {', '.join(BOOKS)}")
    book = BOOKS[name]
    players = tuple(event["players"])
    if len(players) not in book.tables:
        allowed = " or ".join(map(str, book.tables))
        raise BadEvent(f"open: {name} is played by {allowed} at a table, not {len(players)}")
    try:
        options = settle(book, event.get("options", {}))
    except BadOption as error:
        raise BadEvent(f"open: {error}") from error
    return Round(
        book=book,
        options=options,
        table=event.get("table", 0),
        round=event.get("round", 0),
        players=players,
        substitutes=frozenset(_seated(event.get("substitutes") or (), len(players))),
        lately=((number, event),),
        events=number + 1,
        struck={},
        rotation=book.first_dealer(options),
        corrections={},
        reseated={},
        inserted={},
    )


def _seated(seats: Iterable[int], players: int) -> Iterable[int]:
    for seat in seats:
        if seat > players:
            raise BadEvent(f"open: unknown seat {seat}; this table has seats 1 to {players}")
        yield seat


def fold(events: Iterable[Event]) -> Round:
    """The round after all events.

    :raises BadEvent: at the first that is malformed or cannot happen.
    """
    result: Round | None = None
    for event in events:
        result = open_round(event) if result is None else result.apply(event)
    if result is None:
        raise BadEvent("no events; a round starts with open")
    return result

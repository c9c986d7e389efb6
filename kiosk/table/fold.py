"""The round as a value computed from its events: whose turn, which game, who deals next, totals.

``open_round`` starts with the first event, ``Round.apply`` gives the round after the next one, ``fold`` runs through a
whole list. A round keeps its events; a ``correct`` event folds them anew with the corrected facts, so that everything
after counts as if they had always been so.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from kiosk.errors import BadEvent
from kiosk.rules import steps
from kiosk.rules.book import BadOption, RuleBook
from kiosk.rules.books import BOOKS
from kiosk.rules.cards import Card
from kiosk.rules.evolve import evolve
from kiosk.rules.game import Game, deal
from kiosk.rules.scoring import Options
from kiosk.rules.tricks import Laid
from kiosk.rules.values import Impossible, Objection, Offence, Ruling
from kiosk.table.events import Event, check

#: The protocol's rule sets; those not in BOOKS are not filled in.
RULE_SETS = ("eppstein", "bsv", "durchgaenge", "schnittchen", "schaffkopf")


@dataclass(frozen=True, slots=True)
class Replay:
    """A struck game that is to be played again (eppstein 8.2.1)."""

    dealer: int
    kept_dealer: bool  # the struck one had not used up its dealer's turn (a Pflichtsolo)


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A card read with doubt that nobody has settled."""

    event: int
    seat: int
    card: Card  # as it counts meanwhile
    choices: tuple[Card, ...]  # likeliest first
    game: int  # running number
    trick: int  # 1 is the first


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A table's round after some events."""

    book: RuleBook
    options: Options
    table: int
    round: int
    players: tuple[str, ...]  # seat 1 first
    log: tuple[tuple[int, Event], ...]  # all events with their numbers
    events: int = 1  # the number of the next event
    released: bool = False
    time_up: bool = False
    closed: bool = False
    game: Game | None = None  # in play, or the last one until the next deal
    games: tuple[Game, ...] = ()  # all that are printed: ended games but those dealt again
    struck: Mapping[int, bool]  # numbers of struck games → replayed
    rotation: int  # whose turn to deal it was in the running or last deal, by the list
    replays: tuple[Replay, ...] = ()  # struck games still to be dealt again
    replaying: Replay | None = None  # what the running or last deal makes up for
    extra_minutes: float = 0  # Nachspielzeit that rulings have given this table (eppstein 7.4.1)
    fines: Mapping[int, float]  # euros by seat
    signed: tuple[int, ...] = ()
    corrections: Mapping[int, Event]  # card event → what it counts as
    reseated: Mapping[int, int]  # card event → the seat that it turned out to belong to
    inserted: Mapping[int, tuple[int, ...]]  # event → numbers of correct events that insert a card after it
    before: "tuple[int, Round] | None" = field(default=None, compare=False, repr=False)  # last deal's event, round then

    # The round's frame

    @property
    def seats(self) -> range:
        """All seats at the table."""
        return range(1, len(self.players) + 1)

    @property
    def running(self) -> bool:
        """Whether a game is dealt and not ended."""
        return self.game is not None and self.game.ended is None

    @property
    def totals(self) -> dict[int, int]:
        """Points by seat, struck games left out."""
        totals = dict.fromkeys(self.seats, 0)
        for game in self.games:
            if game.number not in self.struck and game.result:
                for seat, points in game.result.score.items():
                    totals[seat] += points
        return totals

    @property
    def played(self) -> int:
        """Games of the round used up."""
        return sum(1 for game in self.games if self._counts(game))

    def _counts(self, game: Game) -> bool:
        return bool(game.result and game.result.counted and not self.struck.get(game.number, False))

    @property
    def duties_left(self) -> dict[int, int]:
        """Pflichtsoli still to be played, by seat; {} where the book has none (eppstein 7.5)."""
        if not self.book.duties:
            return {}
        left = dict.fromkeys(self.seats, self.book.duties)
        for game in self.games:
            if self._counts(game) and game.result and game.result.duty and game.result.declarer:
                left[game.result.declarer] = max(0, left[game.result.declarer] - 1)
        return left

    @property
    def games_left(self) -> int | None:
        """Games still to be ended, Pflichtsoli included; None where the book leaves it open."""
        number = self.book.games[len(self.players)]
        if number is None:
            return None
        left = max(0, number - self.played)
        if self.time_up:
            left = min(left, sum(self.duties_left.values()) + self._finishing())
        return left

    def _finishing(self) -> bool:
        """Whether the game in play is one that is none of the outstanding Pflichtsoli."""
        game = self.game
        if game is None or game.ended:
            return False
        return game.must_play is None and not (game.declaration is not None and game.declaration.duty)

    @property
    def over(self) -> bool:
        """Whether nothing is left to be dealt."""
        return self.games_left == 0 and not self.running

    def _owing(self) -> tuple[int, ...]:
        """Seats that are to be vorgeführt from the next deal on (eppstein 3.2.3, 7.5.1)."""
        duties = self.duties_left
        owing = tuple(seat for seat, number in duties.items() if number)
        left = self.games_left
        return owing if left is not None and owing and sum(duties.values()) >= left else ()

    def _turn_to_deal(self) -> tuple[int, tuple[Replay, ...]]:
        """Whose turn to deal it is by the list once the last deal is accounted for, and what is to be replayed."""
        game, rotation, replays = self.game, self.rotation, self.replays
        if game is None or game.ended is None:
            return rotation, replays
        used = self._used_turn(game)
        if self.replaying is not None:
            done = used or (self.replaying.kept_dealer and bool(game.result and game.result.counted))
            return rotation, replays if done else (self.replaying, *replays)
        return (self._after(rotation) if used else rotation), replays

    def _used_turn(self, game: Game) -> bool:
        """Whether a deal used up its dealer's turn (eppstein 2.2.1)."""
        if game.result is None or not game.result.counted:
            return False
        return not self.book.same_dealer(game)

    def _after(self, seat: int) -> int:
        return seat % len(self.players) + 1

    @property
    def next_dealer(self) -> int:
        """Who deals next; while a game runs, who would if it did not count."""
        rotation, replays = self._turn_to_deal()
        dealer = replays[0].dealer if replays else rotation
        owing = self._owing()
        if len(self.players) > 4 and owing == (dealer,):
            dealer = self._after(dealer)  # who is to be vorgeführt cannot sit out (RULES, Fine points)
        return dealer

    def _vorgefuehrt(self, dealer: int) -> int | None:
        """Who must play a Pflichtsolo in a deal by ``dealer``: the next left of him who owes one (eppstein 3.2.3)."""
        owing = self._owing()
        return next((seat for seat in self._playing(dealer) if seat in owing), None)

    def _playing(self, dealer: int) -> tuple[int, ...]:
        """The four who play, forehand first; of five the dealer sits out (eppstein 2.2.7)."""
        seats = []
        seat = dealer
        for _ in range(4):
            seat = self._after(seat)
            seats.append(seat)
        return tuple(seats)

    @property
    def must_play(self) -> int | None:
        """The seat vorgeführt in the running deal, else in the coming one; None if nobody is."""
        if self.game is not None and self.game.ended is None:
            return self.game.must_play
        return None if self.over else self._vorgefuehrt(self.next_dealer)

    @property
    def offences(self) -> tuple[Offence, ...]:
        """All certain offences of the round, games that were dealt again left out."""
        found = [offence for game in self.games for offence in game.offences]
        if self.game is not None and (not self.games or self.games[-1].number != self.game.number):
            found += self.game.offences
        return tuple(found)

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """All cards read with doubt that nobody has settled, oldest game first."""
        all_games = list(self.games)
        if self.game is not None and self.game.ended is None:
            all_games.append(self.game)
        return tuple(
            Doubt(event=laid.event, seat=laid.seat, card=laid.card, choices=laid.doubt, game=game.number, trick=trick)
            for game in all_games
            for trick, laid in game.doubts
        )

    # Applying events

    def apply(self, event: Event, number: int | None = None) -> "Round":
        """The round after the next event; ``number`` is its line if lines were left out before it.

        :raises BadEvent: if it is malformed or cannot happen here; the round is unchanged.
        """
        check(event)
        number = self.events if number is None else number
        name = event["event"]
        step = _STEPS.get(name)
        if step is None:
            raise BadEvent("a round is opened only once" if name == "open" else f"{self.book.name} knows no {name}")
        if self.closed and name not in ("strike", "correct", "sign", "time_up"):
            raise BadEvent("the list is handed in; only strike, correct, sign and time_up are possible")
        noted = evolve(self, log=(*self.log, (number, event)), events=number + 1)
        try:
            return step(noted, number, event)
        except Impossible as error:
            raise BadEvent(str(error)) from error

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

    def _number(self, number: int | None, now: int) -> int | None:
        if number is not None and number >= now:
            raise BadEvent(f"event {number} has not happened yet")
        return number

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
            raise BadEvent(f"game {self.game.number if self.game else 0} is still running")
        if self.over:
            raise BadEvent("the round is complete, nothing is left to be dealt")
        rotation, replays = self._turn_to_deal()
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
            seats=self._playing(dealer),
            must_play=self._vorgefuehrt(dealer),
            duties_open=owing,
        )
        return evolve(
            self, game=game, rotation=rotation, replays=replays[1:], replaying=replaying, before=(number, self)
        )

    def _hand(self, number: int, event: Event) -> "Round":
        cards = tuple(self._card(card) for card in event["cards"])
        return self._play(steps.scan(self._current(), number, self._seat(event["seat"]), cards))

    def _call(self, number: int, event: Event) -> "Round":
        return self._play(steps.answer(self._current(), number, self._seat(event["seat"]), event["call"]))

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
        order = tuple(self._card(card) for card in event.get("order", ()))
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
        paid = dict(self.fines)
        for seat, euros in ruling.fines.items():
            paid[seat] = paid.get(seat, 0) + euros
        # Nachspielzeit opens the table's time again, also where the ruling comes after its end (eppstein 7.4.1).
        time_up = self.time_up and not ruling.minutes
        return evolve(booked, fines=paid, extra_minutes=self.extra_minutes + ruling.minutes, time_up=time_up)

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
            replays += (Replay(game.dealer, not self._used_turn(game)),)
        return evolve(self, struck={**self.struck, struck: again}, replays=replays)

    def _time_up(self, number: int, event: Event) -> "Round":
        return evolve(self, time_up=True)

    def _sign(self, number: int, event: Event) -> "Round":
        seat = self._seat(event["seat"])
        if self.running:
            raise BadEvent("a list is signed between the games, not while one runs")
        return self if seat in self.signed else evolve(self, signed=(*self.signed, seat))

    def _close(self, number: int, event: Event) -> "Round":
        if self.running:
            raise BadEvent(f"game {self.game.number if self.game else 0} is still running")
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
                raise BadEvent(f"event {place} is no card that could be corrected")
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
                raise BadEvent(f"event {number} is no card that could be corrected")
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

    def _again(self, place: int) -> "Round":
        """The round folded anew with its corrections, from the deal on in which event ``place`` happened."""
        known = dict(self.log)
        kept = self.before
        while kept is not None and kept[0] > place:
            kept = kept[1].before
        first, start = kept or (self.log[0][0], open_round(self.log[0][1], self.log[0][0]))
        result = evolve(
            start, log=self.log, corrections=self.corrections, reseated=self.reseated, inserted=self.inserted
        )
        for number, event in self.log:
            if number < first:
                continue
            try:
                if event["event"] not in ("open", "correct"):
                    result = _STEPS[event["event"]](result, number, event)
                for insertion in self.inserted.get(number, ()):
                    result = result._lay(insertion, known[insertion])
            except (BadEvent, Impossible) as error:
                raise BadEvent(f"with this correction event {number} cannot stand: {error}") from error
        return evolve(result, events=self.events)


_STEPS: dict[str, Callable[[Round, int, Event], Round]] = {
    "release": Round._release,
    "deal": Round._deal,
    "hand": Round._hand,
    "call": Round._call,
    "declare": Round._declare,
    "announce": Round._announce,
    "card": Round._lay,
    "retract": Round._retract,
    "correct": Round._correct,
    "claim": Round._claim,
    "object": Round._object,
    "rule": Round._rule,
    "void": Round._void,
    "strike": Round._strike,
    "time_up": Round._time_up,
    "sign": Round._sign,
    "close": Round._close,
}


def open_round(event: Event, number: int = 0) -> Round:
    """The round after its first event.

    :raises BadEvent: if it is no ``open`` event, or names a book, number of players or option that does not exist.
    """
    check(event)
    if event["event"] != "open":
        raise BadEvent(f"the first event must be open, not {event['event']}")
    name = event["rules"]
    if name not in RULE_SETS:
        raise BadEvent(f"unknown rule set {name!r}; known are {', '.join(RULE_SETS)}")
    if name not in BOOKS:
        raise BadEvent(f"the rule set {name!r} is not filled in yet; there is {', '.join(BOOKS)}")
    book = BOOKS[name]
    players = tuple(event["players"])
    if len(players) not in book.games:
        allowed = " or ".join(map(str, book.games))
        raise BadEvent(f"{name} is played by {allowed} at a table, not {len(players)}")
    try:
        options = book.settle(event.get("options", {}))
    except BadOption as error:
        raise BadEvent(str(error)) from error
    return Round(
        book=book,
        options=options,
        table=event.get("table", 0),
        round=event.get("round", 0),
        players=players,
        log=((number, event),),
        events=number + 1,
        struck={},
        fines={},
        rotation=book.first_dealer(options),
        corrections={},
        reseated={},
        inserted={},
    )


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

"""The frame of a round: what is kept of it, and what follows for dealers, Pflichtsoli, totals and games left.

Events are applied in :mod:`kiosk.table.fold`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kiosk.rules.announcements import KONTRA
from kiosk.rules.book import RuleBook
from kiosk.rules.cards import Card
from kiosk.rules.game import Game
from kiosk.rules.money import in_euros
from kiosk.rules.option import Options
from kiosk.rules.values import Offence
from kiosk.table.events import Event


@dataclass(frozen=True, slots=True)
class Replay:
    """A struck game that is to be played again (eppstein 8.2.1)."""

    dealer: int
    kept_dealer: bool  # the struck one had not used up its dealer's turn (a Pflichtsolo)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fined:
    """What a ruling has seats pay."""

    event: int  # the ruling's number
    deal: int | None  # number of its game's deal, None: it was about no game
    preset: bool  # as the book has it; a later ruling on the same game may take it back
    amounts: Mapping[int, int]  # cents that a seat pays (+) or gets (−)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Somebody left the table during the round and somebody else took the seat (schaffkopf III 1.3)."""

    event: int
    seat: int
    left: str
    came: str
    games: int  # how many games the list had by then: those that ended before the change


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A card read with doubt that nobody has settled."""

    event: int
    seat: int
    card: Card  # as it counts meanwhile
    choices: tuple[Card, ...]  # likeliest first
    game: int  # running number
    trick: int  # 1 is the first


@dataclass(frozen=True, kw_only=True)  # no slots: copied with every event, see evolve
class Frame:
    """What is kept of a round, and what follows from it."""

    book: RuleBook
    options: Options
    table: int
    round: int
    players: tuple[str, ...]  # who sits there now, seat 1 first
    substitutes: frozenset[int] = frozenset()  # seats of those who are counted here and left out of the standing
    changes: tuple[Change, ...] = ()  # of persons, in order
    earlier: tuple[tuple[int, Event], ...] = ()  # all events with their numbers, but
    lately: tuple[tuple[int, Event], ...]  # the last ones: only these are copied with each event
    events: int = 1  # the number of the next event
    released: bool = False
    time_up: bool = False
    time_up_at: int = 0  # the last event that signalled it
    closed: bool = False
    game: Game | None = None  # in play, or the last one until the next deal
    games: tuple[Game, ...] = ()  # all that are printed: ended games but those dealt again
    struck: Mapping[int, bool]  # numbers of struck games → replayed
    rotation: int  # whose turn to deal it was in the running or last deal, by the list
    replays: tuple[Replay, ...] = ()  # struck games still to be dealt again
    replaying: Replay | None = None  # what the running or last deal makes up for
    extra_minutes: float = 0  # Nachspielzeit that rulings have given this table (eppstein 7.4.1)
    fined: tuple[Fined, ...] = ()  # for rulings, in their order
    signed: tuple[int, ...] = ()
    corrections: Mapping[int, Event]  # card event → what it counts as
    reseated: Mapping[int, int]  # card event → the seat that it turned out to belong to
    inserted: Mapping[int, tuple[int, ...]]  # event → numbers of correct events that insert a card after it
    before: "tuple[int, Frame] | None" = field(default=None, compare=False, repr=False)  # last deal's event, round then
    # The same for the cards that led a trick of the last deal: a correction folds anew from the nearest.
    leads: "tuple[tuple[int, Frame], ...]" = field(default=(), compare=False, repr=False)

    # The round's frame

    @property
    def log(self) -> tuple[tuple[int, Event], ...]:
        """All events with their numbers."""
        return self.earlier + self.lately

    @property
    def seats(self) -> range:
        """All seats at the table."""
        return range(1, len(self.players) + 1)

    @property
    def left(self) -> frozenset[str]:
        """Names of those who were replaced: they have not played the round in full."""
        return frozenset(one.left for one in self.changes)

    @property
    def running(self) -> bool:
        """Whether a game is dealt and not ended."""
        return self.game is not None and self.game.ended is None

    @property
    def totals(self) -> dict[int, int]:
        """Points by seat, struck games left out."""
        totals = dict.fromkeys(self.seats, 0)
        for game in self.games:
            if game.result and not self.is_struck(game):
                for seat, points in game.result.score.items():
                    totals[seat] += points
        return totals

    @property
    def fines(self) -> dict[int, int | float]:
        """Euros that each seat that was ever fined or paid has to pay (+) or gets (−)."""
        found: dict[int, int] = {}
        for one in self.fined:
            for seat, amount in one.amounts.items():
                found[seat] = found.get(seat, 0) + amount
        return {seat: in_euros(amount) for seat, amount in found.items()}

    def is_struck(self, game: Game) -> bool:
        """Whether a game is left out of every total: by a strike, or because its leave was missing."""
        return game.number in self.struck or bool(game.result and game.result.struck)

    @property
    def solos_lost(self) -> dict[int, int]:
        """Declared solos that each seat has lost in this round, struck ones left out (schaffkopf II 2.2)."""
        lost = dict.fromkeys(self.seats, 0)
        for game in self.games:
            result = game.result
            if result and result.declarer and result.won_by == KONTRA and game.contract.solo:
                lost[result.declarer] += not self.is_struck(game)
        return lost

    @property
    def played(self) -> int:
        """Games of the round used up."""
        return sum(1 for game in self.games if self.counts(game))

    def counts(self, game: Game) -> bool:
        return bool(game.result and game.result.counted and not self.struck.get(game.number, False))

    @property
    def duties_left(self) -> dict[int, int]:
        """Pflichtsoli still to be played, by seat; {} where the book has none (eppstein 7.5)."""
        number = self.book.duties(self.options)
        if not number:
            return {}
        left = dict.fromkeys(self.seats, number)
        for game in self.games:
            if self.counts(game) and game.result and game.result.duty and game.result.declarer:
                left[game.result.declarer] = max(0, left[game.result.declarer] - 1)
        return left

    @property
    def minutes(self) -> float | None:
        """Playing time without Nachspielzeit: what the opening event gives, else the book; None: none."""
        return self.log[0][1].get("minutes") or self.book.minutes(len(self.players), self.options)

    @property
    def games_left(self) -> int | None:
        """Games still to be ended, Pflichtsoli included; None where the book leaves it open."""
        number = self.book.games(len(self.players), self.options)
        owed = sum(self.duties_left.values()) + self.finishing() if self.time_up else None
        if number is None:
            return owed
        left = max(0, number - self.played)
        return left if owed is None else min(left, owed)

    def finishing(self) -> bool:
        """Whether a game that was begun is still to be finished, and is none of the outstanding Pflichtsoli.

        A deal that was thrown in or did not count is dealt again also if the time ran out meanwhile: with the dealing a
        game has begun (eppstein 7.4.1, bsv 8.5).
        """
        game = self.game
        if game is None or (game.ended and not self._begun_and_dealt_again(game)):
            return False
        return game.must_play is None and not (game.declaration is not None and game.declaration.duty)

    def _begun_and_dealt_again(self, game: Game) -> bool:
        return game.result is None and game.ended in ("dealt_again", "void") and game.last_event > self.time_up_at

    @property
    def over(self) -> bool:
        """Whether nothing is left to be dealt."""
        return self.games_left == 0 and not self.running

    @property
    def bock_left(self) -> int:
        """Games from the next deal on that count double: Bockrunden queue up, one game uses one up (RULES, Rulings)."""
        left = 0
        for game in self.games:
            if game.number in self.struck or game.result is None:
                continue
            if game.doubled and not game.result.void:
                left = max(0, left - 1)
            left += self.book.bock_games(game, len(self.players))
        return left

    def owing(self) -> tuple[int, ...]:
        """Seats that are to be vorgeführt from the next deal on (eppstein 3.2.3, 7.5.1)."""
        duties = self.duties_left
        owing = tuple(seat for seat, number in duties.items() if number)
        left = self.games_left
        return owing if left is not None and owing and sum(duties.values()) >= left else ()

    def turn_to_deal(self) -> tuple[int, tuple[Replay, ...]]:
        """Whose turn to deal it is by the list once the last deal is accounted for, and what is to be replayed."""
        game, rotation, replays = self.game, self.rotation, self.replays
        if game is None or game.ended is None:
            return rotation, replays
        used = self.used_turn(game)
        if self.replaying is not None:
            done = used or (self.replaying.kept_dealer and bool(game.result and game.result.counted))
            return rotation, replays if done else (self.replaying, *replays)
        return (self.after(rotation) if used else rotation), replays

    def used_turn(self, game: Game) -> bool:
        """Whether a deal used up its dealer's turn (eppstein 2.2.1)."""
        if game.ended == "dealt_again" or game.dealt_again:
            return not self.book.thrown_in_same_dealer(game.options)
        if game.result is None or not game.result.counted:
            return False
        return not self.book.same_dealer(game)

    def after(self, seat: int) -> int:
        return seat % len(self.players) + 1

    @property
    def next_dealer(self) -> int:
        """Who deals next; while a game runs, who would if it did not count."""
        rotation, replays = self.turn_to_deal()
        dealer = replays[0].dealer if replays else rotation
        owing = self.owing()
        if len(self.players) > 4 and owing == (dealer,):
            dealer = self.after(dealer)  # who is to be vorgeführt cannot sit out (RULES, Fine points)
        return dealer

    def vorgefuehrt(self, dealer: int) -> int | None:
        """Who must play a Pflichtsolo in a deal by ``dealer``: the next left of him who owes one (eppstein 3.2.3)."""
        owing = self.owing()
        return next((seat for seat in self.playing(dealer) if seat in owing), None)

    def playing(self, dealer: int) -> tuple[int, ...]:
        """The four who play, forehand first; of five the dealer sits out (eppstein 2.2.7)."""
        seats = []
        seat = dealer
        for _ in range(4):
            seat = self.after(seat)
            seats.append(seat)
        return tuple(seats)

    @property
    def must_play(self) -> int | None:
        """The seat vorgeführt in the running deal, else in the coming one; None if nobody is."""
        if self.game is not None and self.game.ended is None:
            return self.game.must_play
        return None if self.over else self.vorgefuehrt(self.next_dealer)

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

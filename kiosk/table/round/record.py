"""Keep the record of a round, and compute its list and its money from it.

Who deals and what is left to be played follows in :mod:`kiosk.table.round.state`; events are applied in
:mod:`kiosk.table.round.fold`.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter

from kiosk.rules.engine.announcements import KONTRA
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.evolve import remembered
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.money import in_euros
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import Offence
from kiosk.rules.options.option import Options
from kiosk.table.events.values import Event, RoundOpened


@dataclass(frozen=True, slots=True)
class Replay:
    """A struck game that is to be played again (eppstein 8.2.1)."""

    dealer: int
    kept_dealer: bool  # the struck one had not used up its dealer's turn (a Pflichtsolo)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fined:
    """Payments that a ruling orders."""

    event: int  # the ruling's number
    deal: int | None  # number of its game's deal, None: it was about no game
    preset: bool  # as the book has it; a later ruling on the same game may take it back
    amounts: Mapping[int, int]  # cents that a seat pays (+) or gets (−)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatChange:
    """Somebody left the table during the round and somebody else took the seat (schaffkopf III 1.3)."""

    event: int
    seat: int
    left: str
    came: str
    games: int  # how many games the list had by then: those that ended before the change


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A card read with doubt, or one that may be another seat's, that nobody has settled."""

    event: int
    seat: int
    card: Card  # as it counts meanwhile
    choices: tuple[Card, ...]  # likeliest first; the card alone, where it is asked whose it is
    game: int  # running number
    trick: int  # 1 is the first
    perhaps: Mapping[int, int]  # cards of its trick, by their events, that may be of these seats instead


@dataclass(frozen=True, slots=True)
class CountsAs:
    """The label a corrected card counts as."""

    card: Card | None  # None: there was no card
    seat: int | None  # None: as it was noted
    readable: bool = False  # the camera has read it, so it lies open


@dataclass(frozen=True, kw_only=True)  # no slots: copied with every event, see evolve
class RoundRecord:
    """The record of a round, with what follows from it for its list and its money."""

    book: RuleBook
    options: Options
    table: int
    round: int
    players: tuple[str, ...]  # who sits there now, seat 1 first
    substitutes: frozenset[int] = frozenset()  # seats of those who are counted here and left out of the standing
    changes: tuple[SeatChange, ...] = ()  # of persons, in order
    earlier: Sequence[tuple[int, Event]] = ()  # all events with their numbers (a tuple, or packed), but
    lately: tuple[tuple[int, Event], ...]  # the last ones: only these are copied with each event
    events: int  # the number of the next event
    released: bool = False
    released_at: float | None = None  # when it was released first, ms since the epoch; None: not, or nobody knows
    paused: bool = False  # the table has a break
    time_up: bool = False
    time_up_from: int = 0  # deals from this event on are finished after it: the game that ran, and those that follow
    closed: bool = False
    game: Game | None = None  # in play, or the last one until the next deal
    games: tuple[Game, ...] = ()  # all that are printed: ended games but those dealt again
    ended_at: float | None = None  # when the last of them ended, ms since the epoch; None: none, or nobody knows
    struck: Mapping[int, bool]  # numbers of struck games → replayed
    rotation: int  # whose turn to deal it was in the running or last deal, by the list
    replays: tuple[Replay, ...] = ()  # struck games still to be dealt again
    replaying: Replay | None = None  # what the running or last deal makes up for
    extra_minutes: float = 0  # Nachspielzeit that rulings have given this table (eppstein 7.4.1)
    fined: tuple[Fined, ...] = ()  # for rulings, in their order
    signed: tuple[int, ...] = ()
    signed_from: int = 0  # the last event that has changed a signed list: signatures before it do not count
    corrections: Mapping[int, CountsAs]  # card event → what it counts as
    reseated: Mapping[int, int]  # card event → the seat that it turned out to belong to
    perhaps: tuple[Mapping[int, int], ...] = ()  # card events → the seats that they may be of instead, not settled
    at_once: tuple[Mapping[int, int], ...] = ()  # cards of which nobody saw which was first → whose turn it was there
    order: Mapping[int, int]  # place of a card event in the log → the card event that counts there
    inserted: Mapping[int, tuple[int, ...]]  # event → numbers of correct events that insert a card after it
    words: Mapping[int, Event | None]  # event → what counts as said in its place, None: nothing
    corrected: int = 0  # how often a word was put right
    told: Mapping[tuple[str, int, int], int]  # breach → the correction that settled the doubt on which it hung
    before: "tuple[int, RoundRecord] | None" = field(
        default=None, compare=False, repr=False
    )  # last deal's event, round then
    # The same for the cards that led a trick of the last deal: a correction folds anew from the nearest.
    leads: "tuple[tuple[int, RoundRecord], ...]" = field(default=(), compare=False, repr=False)

    @property
    def log(self) -> tuple[tuple[int, Event], ...]:
        """All events with their numbers."""
        return (*self.earlier, *self.lately)

    @property
    def in_order(self) -> Iterator[tuple[int, Event]]:
        """All events with their numbers, one after the other: for what stands at the beginning."""
        return chain(self.earlier, self.lately)

    @property
    def latest_first(self) -> Iterator[tuple[int, Event]]:
        """All events with their numbers, from the last one back."""
        return chain(reversed(self.lately), reversed(self.earlier))

    def noted(self, number: int) -> Event | None:
        """Look an event up by its number; None: there is none."""
        for events in (self.lately, self.earlier):
            place = bisect_left(events, number, key=itemgetter(0))
            if place < len(events) and events[place][0] == number:
                return events[place][1]
        return None

    @property
    def facts(self) -> tuple[tuple[int, Event], ...]:
        """All events with their numbers as they count: words corrected, and without those that were not said."""
        if not self.words:
            return self.log
        told = ((number, self.words.get(number, event)) for number, event in self.log)
        return tuple((number, event) for number, event in told if event is not None)

    @property
    def clock_stands(self) -> bool:
        """Whether the table has a break in which its clock stops."""
        return self.paused and bool(self.options["break_stops_clock"])

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
    def games_and_running(self) -> tuple[Game, ...]:
        """All games that are printed, and the one in play."""
        in_play = (self.game,) if self.game is not None and self.game.ended is None else ()
        return self.games + in_play

    @property
    def totals(self) -> dict[int, int]:
        """Points by seat, struck games left out."""
        return dict(remembered(self, "kept_totals", (self.games, self.struck, self.players), self._totals))

    def _totals(self) -> dict[int, int]:
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
        """Report whether a game is left out of every total: by a strike, or because its leave was missing."""
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
        return remembered(self, "kept_played", (self.games, self.struck), self._played)

    def _played(self) -> int:
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
    def opening(self) -> RoundOpened:
        """The round's first event."""
        first = self.earlier[0][1] if self.earlier else self.lately[0][1]
        assert isinstance(first, RoundOpened)
        return first

    @property
    def offences(self) -> tuple[Offence, ...]:
        """All certain offences of the round, games that were dealt again left out."""
        found = [offence for game in self.games for offence in game.offences]
        if self.game is not None and (not self.games or self.games[-1].number != self.game.number):
            found += self.game.offences
        return tuple(found)

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """All doubts about cards and their seats that nobody has settled, oldest game first."""
        ended = remembered(self, "kept_doubts", (self.games, self.perhaps), lambda: _doubts(self.games, self.perhaps))
        if self.game is not None and self.game.ended is None:
            return ended + _doubts((self.game,), self.perhaps)
        return ended


def _doubts(games: Sequence[Game], perhaps: Sequence[Mapping[int, int]]) -> tuple[Doubt, ...]:
    found = []
    for game in games:
        found += [_doubt(game, trick, laid, laid.doubt, {}) for trick, laid in game.doubts]
        for seats in perhaps:
            cards = [(trick, laid) for trick, laid in game.laid if laid.event in seats]
            if len(cards) == len(seats):  # else one of them was taken back
                trick, laid = next((one for one in cards if not one[1].doubt), cards[0])  # one that was seen
                found.append(_doubt(game, trick, laid, (laid.card,), seats))
    return tuple(found)


def _doubt(game: Game, trick: int, laid: Laid, choices: tuple[Card, ...], perhaps: Mapping[int, int]) -> Doubt:
    return Doubt(
        event=laid.event,
        seat=laid.seat,
        card=laid.card,
        choices=choices,
        game=game.number,
        trick=trick,
        perhaps=perhaps,
    )

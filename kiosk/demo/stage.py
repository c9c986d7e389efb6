"""Play a round before the simulated camera: cards become acts of hands, everything spoken becomes a request.

The script is a truth round of ``kiosk.demo.play``. What the table makes of it is none of this module's business, but
for two things: like people at a table, the players answer a question that is still open when a game is over, and say
that it is over if the table lacks cards of it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from kiosk.demo.answering import answer_of, put_to_owner
from kiosk.demo.manners import Manners, card_place
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.game import Game
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round
from kiosk.table.view.table_view import TableView
from vision.messages import ActArgument

Event = dict[str, Any]

#: Seconds of the table's time after which somebody speaks once a card is uncovered.
SPEAK_S = 0.7
#: Seconds for which a full trick stays.
LOOK_S = 0.8
#: Seconds for which people look at a hand laid open before all have answered.
CLAIM_S = 5.0
#: Seconds for which people talk about a game.
TALK_S = 1.5
#: Seconds after an answer until the next question is looked at.
ANSWER_S = 0.2
#: Seconds between two frames: nothing is timed finer.
FRAME = 1 / 15
#: Seconds that a player thinks, at least and at most.
THINK_S = (0.05, 0.5)

#: In haste a card comes every so many seconds, and a hand takes this share of its time; a slow one so many times as
#: long, after so many seconds.
HASTE_S, HASTY = 0.4, 0.55
SLOW, SLOW_S = 3.0, 4.0
#: Seconds before the last card of a trick is seen uncovered at which somebody already reaches for the trick.
EARLY_S = 0.6
#: Seconds after which a trick that went to the wrong player is handed over, or looked at again.
SORTED_OUT_S = (0.5, 2.5)

#: What the direction says, not the players.
_DIRECTION = ("leave", "substitute", "time_up")


class Hands(Protocol):
    """The acting hands at the simulated table, as ``vision.service.process.VisionProcess`` has them."""

    def act(self, name: str, *arguments: ActArgument, **named: ActArgument) -> None: ...


class Seated(Protocol):
    """The table as people use it, as ``kiosk.table.table.Table`` is."""

    round: Round

    def view(self) -> TableView: ...


@dataclass(frozen=True, slots=True)
class ActTimes:
    """Times of a card's uncovering and of an act's end, in seconds of the camera's time."""

    uncovered: float
    end: float


class DemoStage:
    """Player of a script; call ``step`` when camera time has reached ``due`` and every act was answered.

    :param ask: takes a player's request, as a finger's on the screen.
    :param order: takes what the direction orders at the director's.
    :param manners: what people do besides; None: nothing.
    :param tell: tells the card that the picture of a question shows; None: that cannot be seen.
    :param claims: takes that a seat claims the rest, as its key on the screen does, with the hand that it lays open;
        None: what is claimed is noted at once, and nobody lays cards open unless it is his manner.
    """

    def __init__(
        self,
        script: list[Event],
        hands: Hands,
        ask: Callable[[Event], None],
        order: Callable[[Event], None],
        table: Seated,
        seed: int,
        manners: Manners | None = None,
        claims: Callable[[int, tuple[Card, ...]], None] | None = None,
        tell: Callable[[bytes | None], Card | None] = lambda picture: None,
    ) -> None:
        self.script, self._manners, self._claims = script, manners, claims
        self.truth: Round = open_round(decode(script[0]))
        self.due = 0.5
        self.done = False
        self.cards = 0
        self.answered = 0  # questions that a player had to answer
        self.waiting = False  # for the answer to an act
        self.direction_asked = False  # and its word has not come to the table yet
        self._hands, self._ask, self._order, self._table, self._tell = hands, ask, order, table, tell
        self._random = Random(seed)
        self._settled = 0.0  # the last card lies uncovered
        self._overlapping: float | None = None  # the next hand sets out then, whatever others do
        self._lying = 0  # cards in the middle
        self._won = 0  # tricks on the piles
        self._steps = self._play()

    def acted(self, uncovered: float, end: float) -> None:
        """Take the camera's answer: the times of the act requested last."""
        self.waiting = False
        self._last = ActTimes(uncovered, end)

    def step(self, now: float) -> None:
        """Play the next step if it is time."""
        while not self.done and not self.waiting and now > self.due - FRAME + 1e-6:
            try:
                self.due = next(self._steps)
            except StopIteration:
                self.done = True

    def _act(self, name: str, *arguments: ActArgument, **named: ActArgument) -> None:
        self.waiting = True
        self._hands.act(name, *arguments, **named)

    def _play(self) -> Iterator[float]:
        """Yields the time from which to go on."""
        for number, event in enumerate(self.script[1:], start=1):
            before = self.truth
            self.truth = before.apply(decode(event))
            match event["event"]:
                case "release":  # the director's
                    if self._manners is not None:
                        for act, arguments in self._manners.dress():
                            yield from self._done(act, *arguments)
                    continue
                case "deal":  # the table's own
                    yield from self._deal()
                case "card":
                    yield from self._lay(event["seat"], event["card"], event.get("down", False))
                case "retract":
                    self._act("take_back", event["card"], event["seat"])
                    self._lying -= 1
                    yield self.due
                    self._settled = self._last.end
                    yield self._settled + SPEAK_S
                case "claim" if self.truth.game is not None:
                    yield max(self.due, self._settled + SPEAK_S)
                    yield from self._claim(number, event, self.truth.game)
                case _:
                    yield max(self.due, self._settled + SPEAK_S)
                    yield from self._say(number, event)
            if before.running and not self.truth.running:
                yield from self._game_over()

    def _lay(self, seat: int, card: Card, down: bool) -> Iterator[float]:
        game = self.truth.game
        assert game is not None
        full, manner = bool(game.tricks and not game.open_trick), None
        if self._manners is not None and not down:
            manner = self._manners.with_card(card_place(game, seat), self._lying, full)
        at, began = self._overlapping, self.due
        self._overlapping = None
        yield from self._bring(seat, card, manner, down, at)
        self.cards += 1
        self._lying += 1
        if self._manners is not None and manner is not None:
            for act, arguments in self._manners.after(manner, seat):
                yield from self._done(act, *arguments)
        if self._manners is not None:
            self._manners.laid(self._settled)
        if full:
            yield from self._take_in(game.tricks[-1].winner, game.seats, manner)
        elif manner in ("haste", "two-at-once"):
            self._overlapping = 0.0
            yield began + (HASTE_S if manner == "haste" else self._random.uniform(0.05, 0.2))
            return
        yield self._settled + self._random.uniform(*THINK_S)

    def _bring(self, seat: int, card: Card, manner: str | None, down: bool, at: float | None) -> Iterator[float]:
        """Let a card come to lie, in whichever way."""
        manners = self._manners
        named: dict[str, ActArgument] = {"face_down": True} if down else {}
        named |= {"at": at} if at is not None else {}
        name = "lay"
        if manners is not None:
            match manner:
                case "taken-back":
                    yield from self._done("lay", card, seat)
                    yield self._settled + manners.shown_s()
                    yield from self._done("take_back", card, seat)
                    yield self._last.end + SPEAK_S
                case "face-down":
                    yield from self._done("lay", card, seat, face_down=True)
                    yield self._settled + manners.shown_s()
                    yield from self._done("turn_up", card, seat)
                    return
                case "upon-another":
                    name = "lay_upon"
                case "thrown":
                    name, named = "throw", {**named, "to_rim": int(manners.to_rim())}
                case "haste":
                    named["tempo"] = HASTY
                case "slowness":
                    yield self.due + SLOW_S
                    named["tempo"] = SLOW
        yield from self._done(name, card, seat, **named)

    def _done(self, name: str, *arguments: ActArgument, **named: ActArgument) -> Iterator[float]:
        """Let something be done; what it changes is seen from then on."""
        self._act(name, *arguments, **named)
        yield self.due  # the answer says when
        self._settled = max(self._settled, self._last.uncovered)

    def _take_in(self, winner: int, seats: Sequence[int], manner: str | None) -> Iterator[float]:
        """Let a full trick be taken in, in whichever way."""
        manners = self._manners
        if manners is None or manner not in ("gathered-early", "wrong-winner", "last-trick"):
            yield self._settled + LOOK_S
            yield from self._collect(winner)
            return
        if manner == "gathered-early":  # the hand comes while the last card is being laid
            yield from self._collect(winner, self._settled - EARLY_S)
            return
        yield self._settled + LOOK_S
        taker = manners.other(seats, winner) if manner == "wrong-winner" else winner
        yield from self._collect(taker)
        yield self._settled + self._random.uniform(*SORTED_OUT_S)
        if manner == "wrong-winner":
            yield from self._done("pass_trick", taker, winner)
        else:
            yield from self._done("look_back", winner, self._random.uniform(1.0, 2.5), int(manners.in_the_middle()))
        self._settled = self._last.end

    def _collect(self, seat: int, at: float | None = None) -> Iterator[float]:
        if at is None:
            self._act("collect", seat)
        else:
            self._act("collect", seat, at)
        self._lying = 0
        self._won += 1
        yield self.due
        self._settled = self._last.end

    def _deal(self) -> Iterator[float]:
        """Let cards be dealt across the mat, and the like."""
        game = self.truth.game
        if self._manners is None or game is None:
            return
        for act, arguments in self._manners.at_deal(game.dealer, (game.number, 1, game.seats[0])):
            yield from self._done(act, *arguments)
            self._settled = self._last.end
            yield self._settled

    def _claim(self, number: int, event: Event, game: Game) -> Iterator[float]:
        """Let a claim be said and the hand be laid open, before or after; then all look at it before they answer."""
        seat, cards = event["seat"], tuple(event.get("order", ()))
        first: bool | None = None
        if cards and self._manners is not None:
            first = self._manners.at_claim((game.number, len(game.tricks) + 1, seat))
        elif cards and self._claims is not None:
            first = False
        if first is None:
            yield from self._say(number, event)
            return
        if first:
            yield from self._done("open_hand", seat, " ".join(cards))
            yield self._settled + SPEAK_S
        if self._claims is not None:
            self._claims(seat, cards)
        if not first:
            yield self.due + SPEAK_S
            yield from self._done("open_hand", seat, " ".join(cards))
        yield self._settled + CLAIM_S
        yield from self._say(number, event)
        self._won += 1  # it is cleared away with the tricks

    # --- what is said

    def _say(self, number: int, event: Event) -> Iterator[float]:
        request = dict(event)
        if request["event"] in _DIRECTION:
            yield from self._ask_the_direction(request)
            return
        if request["event"] == "void" and not self._table.round.running:  # before anybody has said a word
            self._ask({"event": "deal", "dealer": self._table.round.next_dealer})
        if request.get("breach") is not None:
            request["breach"] = self._noted(request["breach"])
        if any(offence.event == number for offence in self.truth.offences):
            request["anyway"] = True  # the word is out
        self._ask(request)

    def _ask_the_direction(self, order: Event) -> Iterator[float]:
        heard = self._heard(order)
        self._order(order)
        self.direction_asked = True
        while self._heard(order) == heard:
            yield self.due + FRAME
        self.direction_asked = False
        yield self.due + SPEAK_S

    def _heard(self, order: Event) -> int:
        """How often the table has noted the direction's word."""
        return sum(event.name == order["event"] for _, event in self._table.round.log)

    def _noted(self, number: int) -> int:
        """The table's number of an event of the script's game in play or just ended."""
        truth, told = self.truth.game, self._table.round.game
        if truth is None or told is None:
            return number
        places = {event: place for place, event in _events(truth)}
        there = dict(_events(told))
        return there.get(places.get(number, ()), told.last_event)

    # --- after a game

    def _game_over(self) -> Iterator[float]:
        if self._lying:
            dealer = self.truth.game.dealer if self.truth.game is not None else 1
            yield from self._collect(dealer)
        if self._won:
            self._act("clear")
            self._won = 0
            yield self.due
            self._settled = self._last.end
        yield self._settled + TALK_S
        told = self._table.round
        if told.running and told.game is not None and told.game.cards_laid:  # it has missed cards, and is told so
            self._ask({"event": "finish"})
        yield from self._answer_all()
        yield self.due

    def _answer_all(self) -> Iterator[float]:
        """Answer one question after the other, each once: an answer may settle others, and raise new ones."""
        asked: set[tuple[int, bool]] = set()
        while True:
            left = (one for one in self._table.view().doubts if (one.event, bool(one.perhaps)) not in asked)
            doubt = next(left, None)
            if doubt is None:
                return
            asked.add((doubt.event, bool(doubt.perhaps)))
            shown = self._tell(doubt.picture)
            answer = answer_of(doubt, self.truth.games, shown)
            if answer is not None:
                self.answered += 1
                self._ask(answer)
                yield self.due + ANSWER_S
                swap = put_to_owner(doubt, self.truth.games, self._table.round.games_and_running, shown)
                if swap is not None:
                    self._ask(swap)
                    yield self.due + ANSWER_S


def _events(game: Game) -> Iterator[tuple[tuple[Any, ...], int]]:
    """What was laid and said in a game by what it was, with its event."""
    for number, cards in enumerate([*(trick.cards for trick in game.tricks), game.open_trick]):
        yield from (((number, laid.seat), laid.event) for laid in cards)
    yield from (((said.seat, said.call, said.side), said.event) for said in game.said)
    yield from ((("call", answer.seat, answer.call), answer.event) for answer in game.answers)
    if game.declaration is not None:
        yield ("declare", game.declaration.seat), game.declaration.event

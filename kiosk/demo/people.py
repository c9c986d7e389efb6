"""Simulate the people of a table: their hands, their lawful cards, the course of a round.

How they find their game and what they say is in :mod:`kiosk.demo.doppelkopf` and :mod:`kiosk.demo.schafkopf`, what goes
wrong in :mod:`kiosk.demo.slips`.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from kiosk.demo.players import CardOrder, PlayerSight, avoid, card_order, choose
from kiosk.errors import BadEvent
from kiosk.rules.engine.cards import Card, augen
from kiosk.rules.engine.game import Game
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round

Event = dict[str, Any]

NAMES = ("Anna", "Bernd", "Cem", "Dora", "Emil")

#: Share of the deals that are stacked with a hand that chance would bring once in many rounds: so a few rounds show
#: everything that a book has. A round's first deal is not.
RARE_HANDS = 1 / 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """Probabilities of events at a table besides lawful play."""

    offences: float = 0.0  # chance, for each card, of a breach; some are objected to and ruled
    shorten: float = 0.0  # chance that who can lays down or throws in the rest, where the book allows it
    mishaps: float = 0.0  # chance, for each deal, that it is void; that a game is struck; that a word is corrected
    time_up: bool = False  # the playing time ends, after Nachspielzeit, before all games are played


#: A table as they are.
PLAUSIBLE = Habits(offences=0.002, shorten=0.5, mishaps=0.02)


class People(ABC):
    """Four or five at a table, their hands and their round; the seed decides everything."""

    def __init__(self, opening: Event, seed: int, games: int | None, habits: Habits) -> None:
        players = len(opening["players"])
        self.rng = Random(f"{opening['rules']} {seed} {players}")
        self.opening, self.games, self.habits = opening, games, habits
        self.round: Round = open_round(decode(opening))
        self.daring = {seat: self.rng.uniform(0.92, 1.1) for seat in range(1, players + 1)}
        self.hands: dict[int, list[Card]] = {}
        self.dealt: dict[int, tuple[Card, ...]] = {}
        self.judged: set[tuple[int, str]] = set()  # breaches that somebody has thought about, by event and code

    @property
    def game(self) -> Game:
        """The one in play, or the last."""
        assert self.round.game is not None
        return self.round.game

    def say(self, event: Event) -> Event:
        """Add the event to the round and return it."""
        self.round = self.after(event)
        return event

    def after(self, event: Event) -> Round:
        """Return the round after one more event.

        :raises BadEvent: it cannot happen now.
        """
        return self.round.apply(decode(event))

    def can_be(self, event: Event) -> bool:
        """Report whether the event can happen now."""
        try:
            self.after(event)
        except BadEvent:
            return False
        return True

    def lawful(self, event: Event) -> bool:
        """Report whether the event breaks no rule that shows at once."""
        try:
            after = self.after(event).game
        except BadEvent:
            return False
        assert after is not None
        return not any(o.seat == event["seat"] and o.event == after.last_event for o in after.offences)

    # --- the deal

    def cards_dealt(self) -> list[list[Card]]:
        """Return the four hands, forehand's first."""
        book = self.round.book
        deck = list(book.deck)
        self.rng.shuffle(deck)
        stacked = self._rare_hand() if self.round.games and self.rng.random() < RARE_HANDS else ()
        if stacked:
            for card in stacked:
                deck.remove(card)
            deck = [*stacked, *deck]
        hands = [deck[n * book.hand_size : (n + 1) * book.hand_size] for n in range(4)]
        if stacked:
            self.rng.shuffle(hands)
        for hand in hands:
            self.rng.shuffle(hand)
        return hands

    @abstractmethod
    def _rare_hand(self) -> tuple[Card, ...]:
        """Cards that one hand gets, at most a whole hand."""

    @abstractmethod
    def find(self) -> Iterator[Event]:
        """Yield the events of the asking, the bidding and the naming."""

    @abstractmethod
    def speak(self) -> Iterator[Event]:
        """Yield the announcements before the next card."""

    @abstractmethod
    def side(self, seat: int) -> str | None:
        """Return the side a player knows himself to be on."""

    @abstractmethod
    def _with(self, seat: int) -> dict[int, bool]:
        """The other seats whose side this player knows: True is his own."""

    # --- cards

    def order(self) -> CardOrder:
        """Return the order of cards in this game."""
        book = self.round.book
        second_wins = frozenset(book.second_wins(self.game.contract, self.game.options))
        return card_order(self.game.contract, book.deck, second_wins)

    def legal(self, seat: int) -> tuple[Card, ...]:
        """List the cards that the seat may lay now."""
        hand, trick = self.hands[seat], self.game.open_trick
        if not trick:
            return tuple(hand)
        classes = self.game.contract.classes
        following = tuple(card for card in hand if classes[card] == classes[trick[0].card])
        return following or tuple(hand)

    def covering(self, seat: int) -> Card | None:
        """Return the card that the seat would lay face down; None: it would not."""
        return None

    def lay(self, seat: int, card: Card, down: bool = False) -> Iterator[Event]:
        """Lay a card from the hand on the table."""
        self.hands[seat].remove(card)
        yield self.say({"event": "card", "seat": seat, "card": card, **({"down": True} if down else {})})

    def chosen(self, seat: int) -> Card:
        """Choose the card that this player wants to lay."""
        game, order = self.game, self.order()
        start = game.seats.index(seat)
        laid = {card.seat for card in game.open_trick} | {seat}
        around = game.seats[start:] + game.seats[:start]
        fallen = Counter(card.card for trick in game.tricks for card in trick.cards)
        fallen.update(card.card for card in game.open_trick)
        led = {game.contract.classes[trick.cards[0].card] for trick in game.tricks} - {order.trump}
        side = self.side(seat)
        sight = PlayerSight(
            seat=seat,
            hand=tuple(self.hands[seat]),
            legal=self.legal(seat),
            order=order,
            trick=tuple((card.seat, card.card) for card in game.open_trick),
            to_come=tuple(other for other in around if other not in laid),
            with_me=self._with(seat),
            alone=game.soloist or (seat if self._alone_unknown(seat) else None),
            strong=bool(side and game.judged()[1].level[side]),
            laid=fallen,
            led=frozenset(led),
        )
        return avoid(sight) if game.each_alone else choose(sight, self.rng)

    def _alone_unknown(self, seat: int) -> bool:
        """Whether the seat plays alone and nobody knows yet."""
        re_card = self.game.contract.re_card
        return re_card is not None and self.dealt[seat].count(re_card) == 2 and not self.game.declaration

    # --- cards that change hands

    def give_away(self, seat: int, event: Event) -> Event | None:
        """Name a game in which all trumps go to the strongest other player, who gives his lowest cards back.

        :return: the event, with who takes them; None: nobody wants them.
        """
        classes, power = self.game.book.normal.classes, self.game.book.normal.power
        trumps = {one: [card for card in self.dealt[one] if classes[card] == "trump"] for one in self.game.seats}
        partner = max((one for one in self.game.seats if one != seat), key=lambda one: (len(trumps[one]), one))
        if len(trumps[partner]) < self.game.book.hand_size / 2:
            return None
        given = trumps[seat]
        held = [*self.dealt[partner], *given]
        back = sorted(held, key=lambda card: (classes[card] == "trump", power[card], card))[: len(given)]
        for card in back:
            held.remove(card)
        mine = [card for card in self.dealt[seat] if card not in given]
        self.hands[seat], self.hands[partner] = [*mine, *back], held
        for one in (seat, partner):
            self.dealt[one] = tuple(self.hands[one])
        kind = next(kind for kind in self.game.book.kinds if kind.game == event["game"])
        told = {"trumps": sum(classes[card] == "trump" for card in back)} if kind.told_back else {}
        return {**event, "partner": partner, **told}

    # --- shortening

    def shorten(self) -> Iterator[Event]:
        """Shorten the game: a hand of sure tricks is laid down, a lost one given away.

        eppstein 4.3, bsv 5.4, schaffkopf II 4.2.1.
        """
        game, hand_size = self.game, self.round.book.hand_size
        if game.open_trick or not game.tricks or game.each_alone or self.rng.random() >= self.habits.shorten:
            return
        seat = game.next_to_lay
        own, classes, power = tuple(self.hands[seat]), game.contract.classes, game.contract.power
        others = [card for other, hand in self.hands.items() if other != seat for card in hand]
        late = len(game.tricks) >= hand_size // 2 and len(own) > 1
        if late and game.book.may_claim(game, "rest", own, seat):
            sure = all(
                power[card] >= power[other] for card in own for other in others if classes[card] == classes[other]
            )
            hopes = self.rng.random() < 0.004  # to be right, and is not
            if (sure and not any(classes[card] == "trump" for card in others)) or hopes:
                accepted = {} if not hopes else {"accepted": False}
                yield self.say({"event": "claim", "seat": seat, "kind": "rest", "order": list(own), **accepted})
                return
        soloist = game.soloist
        if soloist is None or not game.book.may_claim(game, "concede", (), soloist):
            return
        lost = sum(trick.points for trick in game.tricks if trick.winner != soloist)
        whole = sum(trick.points for trick in game.tricks) + sum(augen(card) for card in (*own, *others))
        needs_all = "tout" in game.kind
        hopeless = any(trick.winner != soloist for trick in game.tricks) if needs_all else lost > 0.6 * whole
        if hopeless and self.rng.random() < (0.8 if needs_all else 0.3):
            yield self.say({"event": "claim", "seat": soloist, "kind": "concede"})

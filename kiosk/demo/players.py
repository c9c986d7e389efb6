"""Simulate players: how four people at a table might play their hands.

They see what people see: their own cards, the cards laid, what was said. They are no champions, but they lead aces,
pull trumps, give Augen to a partner they know and trump what is worth it.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from kiosk.rules.engine.cards import AUGEN, Card
from kiosk.rules.engine.contract import TRUMP, Contract


class CardOrder:
    """The order of cards in a game for a player's decisions.

    ``second_wins``: the cards of which the second in a trick beats the first (eppstein 4.4.2).
    """

    trump = TRUMP

    def __init__(self, contract: Contract, deck: Sequence[Card], second_wins: Collection[Card]) -> None:
        self.deck = tuple(deck)
        self._contract, self._second_wins = contract, frozenset(second_wins)
        self._groups: dict[str, list[Card]] = {}
        for card in sorted(set(deck), key=lambda card: (-contract.power[card], card)):
            self._groups.setdefault(contract.classes[card], []).append(card)
        self._lengths = Counter(contract.classes[card] for card in deck)

    def suit(self, card: Card) -> str:
        """Return the suit that a card belongs to in this game, one name for all trumps."""
        return self._contract.classes[card]

    def beats(self, later: Card, earlier: Card) -> bool:
        """Report whether a card laid later wins over one that leads the trick so far."""
        if later == earlier:
            return later in self._second_wins
        if self.suit(later) == self.suit(earlier):
            return self._contract.power[later] > self._contract.power[earlier]
        return self.suit(later) == TRUMP

    @property
    def suits(self) -> tuple[str, ...]:
        """All suits of this game, trumps among them."""
        return tuple(self._groups)

    def group(self, suit: str) -> list[Card]:
        """List the cards of a suit, each once, strongest first."""
        return self._groups[suit]

    def length(self, suit: str) -> int:
        """Count the cards of a suit in the whole deck."""
        return self._lengths[suit]


@lru_cache(maxsize=64)
def card_order(contract: Contract, deck: tuple[Card, ...], second_wins: frozenset[Card]) -> CardOrder:
    """Return the order of cards in a game: made once, as players ask for it with each card."""
    return CardOrder(contract, deck, second_wins)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSight:
    """What a player knows when a card is due."""

    seat: int
    hand: tuple[Card, ...]
    legal: tuple[Card, ...]
    order: CardOrder
    trick: tuple[tuple[int, Card], ...]  # (seat, card) as laid
    to_come: tuple[int, ...]  # seats that lay after this one
    with_me: Mapping[int, bool]  # seats whose side this player knows: True is mine
    alone: int | None  # the known soloist
    strong: bool  # my side has announced, or I mean to win
    laid: Mapping[Card, int]  # how often each card has fallen in this game
    led: frozenset[str]  # plain suits led so far


@lru_cache(maxsize=64)  # asked for before each card, of the hands as they were dealt
def expected_tricks(hand: tuple[Card, ...], order: CardOrder) -> float:
    """Estimate the tricks that a hand takes alone against three, with the lead."""
    total = 0.0
    held: dict[str, Counter[Card]] = {}
    for card in hand:
        held.setdefault(order.suit(card), Counter())[card] += 1
    for suit in order.suits:
        mine = held.get(suit)
        if mine is None:
            continue
        run, stopped = 0, False
        for card in order.group(suit):
            copies = mine[card]
            if not stopped:
                run += copies
                stopped = copies < 2
            elif copies and run:
                total += 0.35 * copies  # the other copy of a higher card may have fallen by then
        length = sum(mine.values())
        outside = order.length(suit) - length
        rounds = outside / 3 * 1.35 + 0.3  # how often it must be led until nobody else follows
        long_cards = max(0.0, length - max(rounds, run))
        total += run + (long_cards if suit == order.trump else 0.6 * long_cards)
    return min(total, float(len(hand)))


#: What a card of a normal game is worth to its holder; 13 is a strong hand.
_WORTH = {"HT": 2.4, "CQ": 1.6, "SQ": 1.4, "HQ": 1.2, "DQ": 1.0, "CJ": 0.8, "SJ": 0.7, "HJ": 0.7, "DJ": 0.6}


@lru_cache(maxsize=64)
def strength(hand: tuple[Card, ...]) -> float:
    """Estimate the strength of a hand in a normal game: about 7 on average, 11 for a confident announcement."""
    total = sum(_WORTH.get(card, 0.4 if card[0] == "D" else 0.0) for card in hand)
    for suit in "CSH":
        plain = [card for card in hand if card[0] == suit and card not in _WORTH]
        total += 1.1 * min(plain.count(suit + "A"), 1) if len(plain) <= 4 else 0.3
        total += (1.2, 0.4)[len(plain)] if len(plain) < 2 else 0.0
    return total


def choose(sight: PlayerSight, rng: Random) -> Card:
    """Choose the card that this player lays."""
    return _lead(sight, rng) if not sight.trick else _follow(sight)


def avoid(sight: PlayerSight) -> Card:
    """Choose the card of who wants no trick: the highest that takes none, else the lowest, with the most Augen last."""
    order = sight.order
    if not sight.trick:
        return min(sight.legal, key=lambda card: (order.suit(card) == order.trump, _power(sight, card), card))
    best = sight.trick[0][1]
    for _, card in sight.trick[1:]:
        best = card if order.beats(card, best) else best
    under = [card for card in sight.legal if not order.beats(card, best)]
    if under:
        return max(under, key=lambda card: (_augen(card), _power(sight, card), card))
    if sight.to_come:
        return min(sight.legal, key=lambda card: (_power(sight, card), card))
    return max(sight.legal, key=lambda card: (_power(sight, card), card))


def _augen(card: Card) -> int:
    return AUGEN[card[1]]


def _power(sight: PlayerSight, card: Card) -> int:
    group = sight.order.group(sight.order.suit(card))
    return len(group) - group.index(card)


def _cheapest(sight: PlayerSight, cards: Sequence[Card]) -> Card:
    """The card one misses least: few Augen, and no high trump or fox thrown away."""

    def loss(card: Card) -> tuple[float, int, Card]:
        trump = sight.order.suit(card) == sight.order.trump
        fox = 6.0 if card == "DA" and trump else 0.0
        return (_augen(card) + fox + (0.6 * _power(sight, card) if trump else 0.0), _power(sight, card), card)

    return min(cards, key=loss)


def _fattest(sight: PlayerSight, cards: Sequence[Card]) -> Card:
    """The most Augen that cost no high trump."""
    return max(cards, key=lambda card: (_augen(card) - 0.3 * _power(sight, card) * (_augen(card) < 10), card))


def _lead(sight: PlayerSight, rng: Random) -> Card:
    order = sight.order
    mine = sight.alone == sight.seat
    aces = [
        card
        for card in sight.legal
        if card[1] == "A" and order.suit(card) != order.trump and (mine or order.suit(card) not in sight.led)
    ]
    trumps = sorted(
        (card for card in sight.legal if order.suit(card) == order.trump), key=lambda card: -_power(sight, card)
    )
    if mine:
        if trumps and (len(trumps) >= 4 or not aces) and _is_boss(sight, trumps[0]):
            return trumps[0]
        boss = [card for card in sight.legal if _is_boss(sight, card)]
        if boss:
            return max(boss, key=lambda card: (sum(order.suit(c) == order.suit(card) for c in sight.hand), card))
        return trumps[len(trumps) // 2] if trumps else _cheapest(sight, sight.legal)
    if aces:
        # A short suit first: the others will have more of it, and it walks through more often.
        return min(aces, key=lambda card: (sum(order.suit(c) == order.suit(card) for c in sight.hand), card))
    if sight.strong and len(trumps) >= 3:
        return trumps[0] if _is_boss(sight, trumps[0]) else trumps[1]
    plain = [card for card in sight.legal if order.suit(card) != order.trump and _augen(card) < 10]
    if plain and rng.random() < 0.6:
        return _cheapest(sight, plain)
    return _cheapest(sight, sight.legal)


def _is_boss(sight: PlayerSight, card: Card) -> bool:
    """Whether nothing that is still out beats the card when it is led."""
    order = sight.order
    group = order.group(order.suit(card))
    own = Counter(sight.hand)
    whole = Counter(order.deck)
    above = group[: group.index(card)]
    return all(whole[higher] - sight.laid.get(higher, 0) - own[higher] <= 0 for higher in above)


def _follow(sight: PlayerSight) -> Card:
    order = sight.order
    winner, best = sight.trick[0]
    for seat, card in sight.trick[1:]:
        if order.beats(card, best):
            winner, best = seat, card
    lying = sum(_augen(card) for _, card in sight.trick)
    winning = [card for card in sight.legal if order.beats(card, best)]
    enemies_to_come = [seat for seat in sight.to_come if not sight.with_me.get(seat, False)]
    ours = sight.with_me.get(winner, False)
    if ours and (not enemies_to_come or (_is_boss(sight, best) and order.suit(best) == order.trump)):
        return _fattest(sight, sight.legal)
    if ours and not winning:
        return _cheapest(sight, sight.legal)
    if winning and not enemies_to_come:
        # Last to decide: take it as cheaply as possible, or with a fat card that is safe here.
        if lying >= 4 or len(winning) == len(sight.legal) or not sight.to_come:
            safe = [card for card in winning if _augen(card) >= 10 and order.suit(card) != order.trump]
            return _fattest(sight, safe) if safe else min(winning, key=lambda card: (_power(sight, card), card))
        return _cheapest(sight, sight.legal)
    if winning and (lying + 6 * len(sight.to_come) >= 14 or best[1] in "AT"):
        aces = [card for card in winning if card[1] == "A" and order.suit(card) != order.trump]
        if aces:
            return aces[0]
        bosses = [card for card in winning if _is_boss(sight, card)]
        if lying >= 14 and bosses:
            return min(bosses, key=lambda card: (_power(sight, card), card))
        ranked = sorted(winning, key=lambda card: (_power(sight, card), card))
        return ranked[len(ranked) // 2]
    return _cheapest(sight, sight.legal)

"""Search for a way in which a claimed rest is lost: the unseen cards are dealt as they are laid.

Where who claims leads and all others play against him no search is needed. One of them has to beat one lead, and what
the other two lay does not matter. He can keep a higher card of the suit if he holds one card more for each earlier lead
of it; he can trump if he has followed with all his cards of the suit, and with one trump less than he holds.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import NamedTuple, TypeAlias

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import TRUMP
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.tricks import Laid, best
from kiosk.rules.engine.unseen import Places, Unseen

Cards: TypeAlias = tuple[Card, ...]


class TooMany(Exception):
    """More positions than may be tried."""


class Called(NamedTuple):
    """The called card that has not been laid yet (schaffkopf II 4.1.6)."""

    card: Card
    suit: frozenset[Card]
    enough: int  # cards of the suit in hand, itself included, with which its holder may lead another of them
    free: bool  # whether it binds no more once he has


@dataclass(frozen=True, slots=True)
class Loss:
    """A way to lose: the distributions that are left when it is lost, and what was laid."""

    unseen: Unseen
    line: tuple[tuple[int, Card], ...] = ()


@dataclass(frozen=True, slots=True)
class _State:
    own: Cards
    order: Cards  # said and not laid yet
    unseen: Unseen
    trick: tuple[Laid, ...]
    free: frozenset[int]  # seats that the called card does not bind if it is theirs
    holder: int = 0  # who has laid the called card since


def may_have_run(unseen: Unseen, place: int, called: Called, need: int) -> list[Unseen]:
    """List the distributions after a place has led another card of the called suit: without the called card, or enough.

    :param need: cards of the suit that it must still hold then, the called one included.
    """
    found = [unseen.lacking(place, called.card.__eq__)]
    left = [card for card, places in unseen.cards if card in called.suit - {called.card} and places >> place & 1]
    for others in combinations(left, max(0, need - 1)):
        held = unseen.holding(place, (called.card, *others))
        if held is not None:
            found.append(held)
    return found


class RestSearch:
    """The rest of a game, claimed by one seat."""

    def __init__(
        self, game: Game, seat: int, foes: Mapping[int, bool | None], called: Called | None, most: int
    ) -> None:
        """:param foes: whether each other plays against him; None: by who holds the called card."""
        self._game, self._contract, self._seat, self._foes = game, game.contract, seat, foes
        self._called = called
        self._second = game.book.second_wins(game.contract, game.options)
        self._others = [one for one in game.seats if one != seat]
        self._alone = all(foes.values())
        named = game.declaration
        self._holder_is_foe = named is not None and named.seat != seat
        self._held: set[object] = set()  # positions at the beginning of a trick that cannot be lost
        self._most, self.tried = most, 0

    def lost(
        self, own: Cards, order: Cards, unseen: Unseen, trick: tuple[Laid, ...], free: frozenset[int]
    ) -> Loss | None:
        """Return a way to lose, None if there is none.

        :raises TooMany: if it would take too long to know.
        """
        state = _State(own, order, unseen, trick, free)
        return self._open(state, self._game.leader) if trick else self._led(state, self._game.leader)

    def hands(self, loss: Loss) -> dict[int, Cards]:
        """Return cards that the others can hold now so that it is lost in that way."""
        power, classes = self._contract.power, self._contract.classes
        hands = dict(zip(self._others, loss.unseen.one(), strict=False))
        for seat, card in loss.line:
            if seat != self._seat:
                hands[seat].append(card)
        return {
            seat: tuple(sorted(cards, key=lambda card: (classes[card] != TRUMP, classes[card], -power[card])))
            for seat, cards in hands.items()
        }

    # Tricks

    def _round(self, leader: int) -> tuple[int, ...]:
        at = self._game.seats.index(leader)
        return self._game.seats[at:] + self._game.seats[:at]

    def _led(self, state: _State, leader: int) -> Loss | None:
        if not state.own:
            return None
        if leader == self._seat:
            loss = self._leads(state)
            if loss is None or self._alone:
                return loss
        key = leader, self._key(state)
        if key in self._held:
            return None
        loss = self._open(state, leader)
        if loss is None:
            self._held.add(key)
        return loss

    def _open(self, state: _State, leader: int) -> Loss | None:
        laid = {one.seat for one in state.trick}
        turn = next((seat for seat in self._round(leader) if seat not in laid), None)
        if turn is None:
            winner = best(self._contract, self._game.book.equal_order(state.trick), self._second).seat
            if winner != self._seat:
                lost = self._as_foe(winner, state)
                if lost is not None:
                    return Loss(lost)
            return self._led(replace(state, trick=()), winner)
        if turn == self._seat:
            return self._own_turn(state, leader)
        place = self._others.index(turn)
        for card, after in self._moves(state, turn, place):
            loss = self._open(after, leader)
            if loss is not None:
                return Loss(loss.unseen, ((turn, card), *loss.line))
        return None

    def _as_foe(self, seat: int, state: _State) -> Unseen | None:
        """The distributions in which ``seat`` plays against who claims; None if there is none."""
        foe = self._foes[seat]
        if foe is None:
            if self._called is None or state.holder:
                foe = (seat == state.holder) == self._holder_is_foe
            else:
                place, card = self._others.index(seat), self._called.card
                if self._holder_is_foe:
                    left = state.unseen.holding(place, (card,))
                else:
                    left = state.unseen.lacking(place, card.__eq__)
                return left if left is not None and left.possible else None
        return state.unseen if foe else None

    def _lay(self, state: _State, seat: int, card: Card) -> tuple[Laid, ...]:
        return (*state.trick, Laid(self._game.last_event + 1 + len(state.trick), seat, card))

    # Who claims

    def _own_turn(self, state: _State, leader: int) -> Loss | None:
        may = self._lawful(state)
        said = next((card for card in state.order if card in may), None)
        if said is not None:
            options, trusted = [said], False
        elif not state.trick:
            options, trusted = self._tops(may), False
        elif self._game.book.claimant_takes_with_any:
            over = [card for card in may if self._takes(self._lay(state, self._seat, card))]
            options, trusted = over or may, False
        else:
            options, trusted = may, True
        first: Loss | None = None
        for card in options:
            own, order = list(state.own), list(state.order)
            own.remove(card)
            if card in order:
                order.remove(card)
            free = state.free
            if self._called and not state.trick and card in self._called.suit and card != self._called.card:
                free |= {self._seat}
            trick = self._lay(state, self._seat, card)
            loss = self._open(replace(state, own=tuple(own), order=tuple(order), trick=trick, free=free), leader)
            if loss is not None:
                loss = Loss(loss.unseen, ((self._seat, card), *loss.line))
            if (loss is None) == trusted:
                return loss
            first = first or loss
        return first

    def _takes(self, trick: tuple[Laid, ...]) -> bool:
        return best(self._contract, self._game.book.equal_order(trick), self._second).event == trick[-1].event

    def _tops(self, cards: list[Card]) -> list[Card]:
        """The highest card of each class."""
        tops: dict[str, Card] = {}
        for card in sorted(cards, key=self._contract.power.__getitem__):
            tops[self._contract.classes[card]] = card
        return list(tops.values())

    def _lawful(self, state: _State) -> list[Card]:
        """The cards that who claims may lay."""
        own, called = list(dict.fromkeys(state.own)), self._called
        bound = called is not None and called.card in own and not (called.free and self._seat in state.free)
        if not state.trick:
            if bound and called and sum(card in called.suit for card in own) < called.enough:
                return [card for card in own if card not in called.suit or card == called.card]
            return own
        first = state.trick[0].card
        follow = [card for card in own if self._contract.classes[card] == self._contract.classes[first]]
        if bound and called and first in called.suit:
            return [called.card]
        if bound and called and not follow and len(state.own) > 1:
            return [card for card in own if card != called.card]
        return follow or own

    # The others

    def _moves(self, state: _State, seat: int, place: int) -> Iterator[tuple[Card, _State]]:
        """The cards that a place may lay, and what is left then."""
        classes = self._contract.classes
        led = classes[state.trick[0].card] if state.trick else None
        for card, places in self._different(state, place, led):
            self.tried += 1
            if self.tried > self._most:
                raise TooMany
            unseen = state.unseen.laid(card, places, place)
            if led is not None and classes[card] != led:
                unseen = unseen.lacking(place, self._contract.members[led].__contains__)
            free, holder = state.free, state.holder
            worlds = [unseen]
            if self._called is not None and not holder:
                if card == self._called.card:
                    holder = seat
                worlds, free = self._with_called(state, unseen, seat, place, card, self._called)
            for world in worlds:
                if world.possible:
                    trick = self._lay(state, seat, card)
                    yield card, replace(state, unseen=world, trick=trick, free=free, holder=holder)

    def _with_called(
        self, state: _State, unseen: Unseen, seat: int, place: int, card: Card, called: Called
    ) -> tuple[list[Unseen], frozenset[int]]:
        """What is left of the distributions by the rules of the called card, after ``card`` of the place."""
        if (called.free and seat in state.free) or called.card in state.own:
            return [unseen], state.free
        led = state.trick[0].card if state.trick else None
        if led is None and card in called.suit and card != called.card:
            return may_have_run(unseen, place, called, called.enough - 1), state.free | {seat}
        if led is not None and led in called.suit and card in called.suit and card != called.card:
            return [unseen.lacking(place, called.card.__eq__)], state.free
        if led is not None and led not in called.suit and card == called.card and unseen.room[place]:
            return [], state.free
        return [unseen], state.free

    def _bands(self, state: _State) -> Callable[[Card], object]:
        """What makes two unseen cards differ: a card seen between them, or a rule that is one's own."""
        classes, power = self._contract.classes, self._contract.power
        seen = [*state.own, *(one.card for one in state.trick)]
        called = self._called.card if self._called else None
        suit = self._called.suit if self._called else frozenset()

        def band(card: Card) -> object:
            if card in self._second or card == called:
                return card
            below = sum(classes[one] == classes[card] and power[one] < power[card] for one in seen)
            same = sum(classes[one] == classes[card] and power[one] == power[card] for one in seen)
            return classes[card], card in suit, below, same > 0

        return band

    def _different(self, state: _State, place: int, led: str | None) -> list[tuple[Card, Places]]:
        """Of cards that come to the same the lowest and the highest that a place may hold, of the suit led first."""
        band, power, classes = self._bands(state), self._contract.power, self._contract.classes
        alike: dict[object, list[tuple[Card, Places]]] = {}
        for one in state.unseen.held(place):
            alike.setdefault((band(one[0]), one[1]), []).append(one)
        found: list[tuple[Card, Places]] = []
        for group in alike.values():
            group.sort(key=lambda one: power[one[0]])
            found += [group[0], group[-1]] if len(group) > 1 else group
        return sorted(found, key=lambda one: (classes[one[0]] != led, -power[one[0]]))

    def _key(self, state: _State) -> object:
        band = self._bands(state)
        count: dict[object, int] = {}
        for (card, places), number in state.unseen.cards.items():
            count[band(card), places] = count.get((band(card), places), 0) + number
        free = state.free if self._called and not state.holder else frozenset()
        return state.own, state.order, frozenset(count.items()), state.unseen.room, free, state.holder

    # Who claims leads, and all others play against him

    def _leads(self, state: _State) -> Loss | None:
        classes, power = self._contract.classes, self._contract.power
        gone: dict[str, int] = {}
        leads: list[Card] = []
        own = list(state.own)
        for card in state.order:
            leads.append(card)
            loss = self._beaten(state, leads, gone, classes[card], gone.get(classes[card], 0))
            if loss is not None:
                return loss
            gone[classes[card]] = gone.get(classes[card], 0) + 1
            own.remove(card)
        for suit in dict.fromkeys(map(classes.__getitem__, own)):
            left = sorted((card for card in own if classes[card] == suit), key=power.__getitem__, reverse=True)
            for n in range(len(left)):
                loss = self._beaten(state, [*leads, *left[: n + 1]], gone, suit, gone.get(suit, 0) + n)
                if loss is not None:
                    return loss
        return None

    def _beaten(self, state: _State, leads: list[Card], gone: Mapping[str, int], suit: str, before: int) -> Loss | None:
        """A distribution in which the last of these leads is beaten, ``before`` others of its suit led before."""
        members = self._contract.members
        trumps = members.get(TRUMP, frozenset())
        for place, size in enumerate(state.unseen.room):
            self.tried += 1
            beats = partial(self._beats, leads[-1])
            ways: list[list[tuple[int, Callable[[Card], bool]]]]
            ways = [[(1, beats), (before, members[suit].__contains__)]]
            if suit != TRUMP and trumps:
                keeps = gone.get(TRUMP, 0) + 1
                others = max(0, size - keeps - before)
                ways.append([(keeps, trumps.__contains__), (others, lambda card: card not in members[suit])])
            for parts in ways:
                left = state.unseen.split(place, parts)
                if left is not None and left.possible:
                    return self._line(state, leads, left, place)
        return None

    def _beats(self, led: Card, card: Card) -> bool:
        """Whether a card of the suit led beats it."""
        if card == led:
            return card in self._second
        contract = self._contract
        return contract.classes[card] == contract.classes[led] and contract.power[card] > contract.power[led]

    def _line(self, state: _State, leads: list[Card], left: Unseen, place: int) -> Loss:
        """Lay the leads and what the others lay: who can takes the trick, else he keeps the suit of the last lead."""
        contract = self._contract
        dealt = left.one()
        hands = dealt[: len(self._others)]
        for part in dealt[len(self._others) :]:
            hands[place] = hands[place] + part
        wanted = contract.classes[leads[-1]]
        line: list[tuple[int, Card]] = []
        for lead in leads:
            trick = self._lay(replace(state, trick=()), self._seat, lead)
            for seat in self._round(self._seat)[1:]:
                hand = hands[self._others.index(seat)]
                follow = [card for card in hand if contract.classes[card] == contract.classes[lead]] or hand
                over = [one for one in follow if self._takes(self._lay(replace(state, trick=trick), seat, one))]
                keep = sorted(follow, key=lambda card: (contract.classes[card] == wanted, contract.power[card]))
                card = over[0] if over else keep[0]
                hand.remove(card)
                trick = self._lay(replace(state, trick=trick), seat, card)
            line += [(one.seat, one.card) for one in trick]
            if not self._takes(trick[:1]) or best(contract, trick, self._second).seat != self._seat:
                break
        cards: dict[tuple[Card, Places], int] = {}
        for n, hand in enumerate(hands):
            for card in hand:
                cards[card, 1 << n] = cards.get((card, 1 << n), 0) + 1
        return Loss(Unseen(cards, tuple(map(len, hands))), tuple(line))

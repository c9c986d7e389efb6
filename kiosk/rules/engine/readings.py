"""Decide what hands can have been dealt where cards are in doubt: read so or so, not seen, misread, or scanned wrongly.

A world is a reading of every card on the table together with a placing of the unseen ones. Each card that is not
certain is a slot with the kinds that it may be, each unseen card of a hand a slot that may be any; kinds have the room
that the deck gives them. Whether a world exists in which some slots are of certain kinds is a bipartite matching (Kuhn,
*The Hungarian Method*, 1955), so all doubts are taken together, exactly, however many they are.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.proof import Knowledge, copies, know
from kiosk.rules.engine.tricks import Laid

if TYPE_CHECKING:
    from kiosk.rules.engine.game import Game

#: Ways in which cards taken back can be the ones that lie or are held now; with more of them such cards prove nothing.
MOST_WAYS = 64

#: The kinds that a slot is restricted to, by the event of its card.
Restriction: TypeAlias = Mapping[int, frozenset[Card]]


@dataclass(frozen=True, slots=True)
class Slot:
    """A card on the table that may be of several kinds."""

    event: int
    seat: int
    trick: int  # from 0
    card: Card  # as it counts meanwhile
    kinds: frozenset[Card]


@dataclass(frozen=True, slots=True)
class Shown:
    """A card that a seat has shown and does not lie: taken back in ``trick``, or named in a claim's order."""

    seat: int
    trick: int
    kinds: frozenset[Card]


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which the cards shown and taken back are among those that lie now, or are held."""

    slots: tuple[Slot, ...]
    free: Mapping[int, int]  # unseen cards by seat
    room: Mapping[int, Mapping[Card, int]]  # by pool: a scanned seat's own, or 0 for all others
    held: Mapping[int, tuple[Card, ...]]  # cards certain in this way that do not lie


def placed(wants: Sequence[Collection[Card]], room: Mapping[Card, int]) -> list[Card] | None:
    """Find a kind for each card out of those that it may be, within the room of each kind; None if there is none."""
    chosen: list[Card | None] = [None] * len(wants)
    holders: dict[Card, list[int]] = {}

    def put(unit: int, tried: set[Card]) -> bool:
        for kind in wants[unit]:
            if kind not in tried and len(holders.setdefault(kind, [])) < room.get(kind, 0):
                holders[kind].append(unit)
                chosen[unit] = kind
                return True
        for kind in wants[unit]:
            if kind in tried:
                continue
            tried.add(kind)
            for other in holders.get(kind, ()):
                if put(other, tried):
                    holders[kind].remove(other)
                    holders[kind].append(unit)
                    chosen[unit] = kind
                    return True
        return False

    if any(not put(unit, set()) for unit in range(len(wants))):
        return None
    return [kind for kind in chosen if kind is not None]


class Readings:
    """All worlds that the cards of a game leave open.

    :ivar lying: the cards on the table, each with its trick, from 0.
    :ivar over: kinds of which more lie clearly than the deck has; each card read so may be another one.
    :ivar too_many: how many more of them.
    :ivar aside: seats whose scanned hand is not used, because with the cards that lie it is too many for the deck.
    :ivar contradicted: seats whose scanned hand does not hold what they have laid, whatever that is.
    """

    def __init__(self, game: "Game", freed: Collection[int] = ()) -> None:
        """:param freed: events of cards that are taken to be of any kind, however clearly they were read."""
        self.game, self._of = game, copies(game.book.deck)
        self._every = frozenset(self._of)
        self.lying = [(n, laid) for n, trick in enumerate(game.tricks) for laid in trick.cards]
        self.lying += [(len(game.tricks), laid) for laid in game.open_trick]
        clear = Counter(laid.card for _, laid in self.lying if not laid.doubt and laid.event not in freed)
        self._taken_back = [(n, laid) for n, laid in game.taken_back if laid.event not in freed]
        clear.update(self._shown_beside())
        self.over = frozenset(card for card, number in clear.items() if number > self._of[card])
        self.too_many = sum(clear[card] - self._of[card] for card in self.over)
        self._slots = tuple(self._slot(n, laid) for n, laid in self.lying if self._open(laid, freed))
        open_events = {slot.event for slot in self._slots}
        self._clear: dict[int, list[tuple[int, Card]]] = {seat: [] for seat in game.seats}
        for n, laid in self.lying:
            if laid.event not in open_events:
                self._clear[laid.seat].append((n, laid.card))
        self.contradicted = frozenset(seat for seat in game.hands if not self._holds_all(seat))
        self.scans, self.aside = self._usable()
        self.ways = tuple(self._ways())
        self.kinds = {slot.event: slot.kinds for slot in self._slots}

    def _shown_beside(self) -> Iterator[Card]:
        """The cards shown clearly that are none of those that lie clearly: taken back and still held, or claimed."""
        game = self.game
        named = () if game.claim is None else game.claim.order
        back = {(laid.seat, laid.card): n for n, laid in self._taken_back if not laid.doubt}
        for (seat, card), trick in back.items():
            later = (laid for n, laid in self.lying if n >= trick and laid.seat == seat)
            if game.claim is not None and seat == game.claim.seat and card in named:
                continue  # held, and named now
            if not any(card == laid.card or card in laid.doubt for laid in later):
                yield card
        yield from named

    def _open(self, laid: Laid, freed: Collection[int]) -> bool:
        return bool(laid.doubt) or laid.card in self.over or laid.event in freed

    def _slot(self, trick: int, laid: Laid) -> Slot:
        kinds = frozenset((laid.card, *laid.doubt)) if laid.doubt else self._every
        return Slot(laid.event, laid.seat, trick, laid.card, kinds)

    @property
    def suspects(self) -> tuple[int, ...]:
        """The events of the cards of which one at least has been misread: too many of them lie."""
        return tuple(slot.event for slot in self._slots if slot.card in self.over and slot.kinds == self._every)

    # How scans and cards shown fit together

    def _holds_all(self, seat: int) -> bool:
        """Whether the scanned hand of ``seat`` can hold all that it has laid."""
        room = Counter(self.game.hands[seat])
        room.subtract(card for _, card in self._clear[seat])
        wants = [slot.kinds & room.keys() for slot in self._slots if slot.seat == seat]
        return min(room.values(), default=0) >= 0 and placed(wants, room) is not None

    def _usable(self) -> tuple[dict[int, tuple[Card, ...]], frozenset[int]]:
        """The scanned hands that the deck's count leaves standing, and the seats of the others."""
        scans = {seat: hand for seat, hand in self.game.hands.items() if seat not in self.contradicted}
        aside: set[int] = set()
        while True:
            count = Counter(card for hand in scans.values() for card in hand)
            count.update(card for seat, cards in self._clear.items() if seat not in scans for _, card in cards)
            wrong = {seat for seat, hand in scans.items() if self._too_many(seat, hand, count)}
            if not wrong:
                return scans, frozenset(aside)
            aside |= wrong
            scans = {seat: hand for seat, hand in scans.items() if seat not in wrong}

    def _too_many(self, seat: int, hand: tuple[Card, ...], count: Mapping[Card, int]) -> bool:
        """Whether a scanned hand holds a card, beyond those laid of it, that the deck has not for it."""
        own = Counter(card for _, card in self._clear[seat])
        return any(
            card in self.over or (count[card] > self._of[card] and hand.count(card) > own[card]) for card in set(hand)
        )

    # The ways

    def _ways(self) -> Iterator[Way]:
        room = self._room()
        free = {seat: self._unseen(seat) for seat in self.game.seats}
        start = Way(self._slots, free, room, dict.fromkeys(self.game.seats, ()))
        ways = [start]
        for shown in self._shown():
            if any(card in shown.kinds for n, card in self._clear[shown.seat] if n >= shown.trick):
                continue
            ways = [after for way in ways for after in self._settled(way, shown)] or ways
            if len(ways) > MOST_WAYS:
                return iter((start,))
        return iter(ways)

    def _room(self) -> dict[int, dict[Card, int]]:
        """What each pool has left of each kind once the clear cards are out."""
        room = {0: dict(self._of)}
        for seat, hand in self.scans.items():
            room[seat] = dict(Counter(hand))
            for card in hand:
                room[0][card] -= 1
        for seat, cards in self._clear.items():
            for _, card in cards:
                room[self.pool(seat)][card] -= 1
        return room

    def pool(self, seat: int) -> int:
        """Return the pool that the cards of a seat come from: its scanned hand's own, else 0."""
        return seat if seat in self.scans else 0

    def _unseen(self, seat: int) -> int:
        size = len(self.scans[seat]) if seat in self.scans else self.game.book.hand_size
        laid = len(self._clear[seat]) + sum(slot.seat == seat for slot in self._slots)
        return max(0, size - laid)

    def _shown(self) -> list[Shown]:
        """Cards shown that do not lie, each kind of a seat with the last trick in which it was taken back.

        Those named in a claim come first: each of them is held, and one taken back may be one of them.
        """
        last: dict[tuple[int, frozenset[Card]], int] = {}
        for trick, laid in self._taken_back:
            kinds = frozenset((laid.card, *laid.doubt))
            if laid.card not in self.over:
                last[laid.seat, kinds] = max(trick, last.get((laid.seat, kinds), 0))
        claim, end = self.game.claim, len(self.game.tricks) + 1
        named = () if claim is None else (Shown(claim.seat, end, frozenset((card,))) for card in claim.order)
        return [*named, *(Shown(seat, trick, kinds) for (seat, kinds), trick in last.items())]

    def _settled(self, way: Way, shown: Shown) -> Iterator[Way]:
        """All ways in which a card shown is held, or is a doubtful card that lies since."""
        seat, pool = shown.seat, self.pool(shown.seat)
        claimed = shown.trick > len(self.game.tricks)
        if not claimed and any(card in shown.kinds for card in way.held[seat]):
            yield way
            return
        for kind in shown.kinds:
            if way.free[seat] and way.room[pool].get(kind, 0):
                left = {**way.room, pool: {**way.room[pool], kind: way.room[pool][kind] - 1}}
                held = {**way.held, seat: (*way.held[seat], kind)}
                yield Way(way.slots, {**way.free, seat: way.free[seat] - 1}, left, held)
        for index, slot in enumerate(way.slots):
            if slot.seat == seat and slot.trick >= shown.trick and slot.kinds & shown.kinds:
                sure = Slot(slot.event, seat, slot.trick, slot.card, slot.kinds & shown.kinds)
                yield Way((*way.slots[:index], sure, *way.slots[index + 1 :]), way.free, way.room, way.held)

    # Whether a world exists

    @property
    def consistent(self) -> bool:
        """Whether there is any world at all."""
        return self.reading is not None

    @cached_property
    def reading(self) -> dict[int, Card] | None:
        """One reading of all slots that the deck has room for, the cards as they count where that can be."""
        as_read = {slot.event: frozenset((slot.card,)) for slot in self._slots}
        for way in self.ways:
            if self._fits(way, as_read):
                return {slot.event: slot.card for slot in way.slots}
        for way in self.ways:
            found: dict[int, Card] = {}
            for pool in way.room:
                slots = [slot for slot in way.slots if self.pool(slot.seat) == pool]
                wants = [self._as_it_counts_first(slot) for slot in slots]
                kinds = placed(wants, way.room[pool])
                if kinds is None:
                    break
                found.update(zip((slot.event for slot in slots), kinds, strict=True))
            else:
                return found
        return None

    @staticmethod
    def _as_it_counts_first(slot: Slot) -> list[Card]:
        return sorted(slot.kinds, key=lambda kind: (kind != slot.card, kind))

    def possible(
        self, only: Restriction, seat: int = 0, none_of: frozenset[Card] = frozenset(), since: int = 0
    ) -> bool:
        """Report whether a world exists with the slots restricted.

        :param none_of: cards of which ``seat`` shall have held none from trick ``since`` on.
        """
        if none_of and any(card in none_of for n, card in self._clear[seat] if n >= since):
            return False
        return any(self._fits(way, only, seat, none_of, since) for way in self.ways)

    def _fits(
        self, way: Way, only: Restriction, seat: int = 0, none_of: frozenset[Card] = frozenset(), since: int = 0
    ) -> bool:
        if none_of and any(card in none_of for card in way.held[seat]):
            return False
        wants: dict[int, list[Collection[Card]]] = {}
        for slot in way.slots:
            kinds = slot.kinds & only.get(slot.event, slot.kinds)
            if slot.seat == seat and slot.trick >= since:
                kinds -= none_of
            if not kinds:
                return False
            wants.setdefault(self.pool(slot.seat), []).append(kinds)
        if none_of and way.free[seat]:
            pool = self.pool(seat)
            allowed = [card for card in way.room[pool] if card not in none_of]
            wants.setdefault(pool, []).extend([allowed] * way.free[seat])
        return all(placed(sorted(units, key=len), way.room[pool]) is not None for pool, units in wants.items())

    # What is asked of cards

    def of(self, laid: Laid) -> frozenset[Card]:
        """Return the kinds that a card on the table may be."""
        return self.kinds.get(laid.event, frozenset((laid.card,)))

    def all(self, most: int, tricks: float = inf) -> list[dict[int, Card]] | None:
        """List all readings of the slots that some world has; None if they may be more than ``most``.

        :param tricks: of so many tricks from the first one on.
        """
        found = []
        for reading in self._chosen(8 * most, tricks):
            if reading is None:
                return None
            if self.possible({event: frozenset((card,)) for event, card in reading.items()}):
                found.append(reading)
                if len(found) > most:
                    return None
        return found

    def as_it_counts(self, reading: Mapping[int, Card]) -> bool:
        """Report whether in a reading each slot is the card that it counts as."""
        return all(reading.get(slot.event, slot.card) == slot.card for slot in self._slots)

    def _chosen(self, most: int, tricks: float) -> Sequence[dict[int, Card] | None]:
        """All choices for the slots that the deck's count allows; a None if they are more than ``most``."""
        room = dict(self._of)
        for cards in self._clear.values():
            for _, card in cards:
                room[card] -= 1
        begun: list[tuple[dict[int, Card], dict[Card, int]]] = [({}, room)]
        for slot in [slot for slot in self._slots if slot.trick < tricks]:
            longer = []
            for reading, left in begun:
                for kind in slot.kinds:
                    if left[kind] > 0:
                        longer.append(({**reading, slot.event: kind}, {**left, kind: left[kind] - 1}))
                if len(longer) > most:
                    return (None,)
            begun = longer
        return [reading for reading, _ in begun]

    # What is asked of hands

    @property
    def shown(self) -> dict[int, tuple[Card, ...]]:
        """The certain cards that lie, by seat."""
        return {seat: tuple(card for _, card in cards) for seat, cards in self._clear.items()}

    def known_by(self, reading: Mapping[int, Card]) -> Iterator[Knowledge]:
        """List what is known of the dealt hands if the slots are of these kinds, for each way that leaves them so."""
        shown = self.shown
        for slot in self._slots:
            shown[slot.seat] += (reading[slot.event],)
        so = {event: frozenset((card,)) for event, card in reading.items()}
        for way in self.ways:
            if self._fits(way, so):
                own = {seat: cards + way.held[seat] for seat, cards in shown.items()}
                yield know(self.game.book.deck, self.game.book.hand_size, own, self.scans)

    def hands(self, seat: int) -> Iterator[tuple[Way, list[Card], list[Slot]]]:
        """List for each way the certain cards of a hand and its slots."""
        for way in self.ways:
            own = [card for _, card in self._clear[seat]] + list(way.held[seat])
            yield way, own, [slot for slot in way.slots if slot.seat == seat]

    def match(self, way: Way, seat: int, own: Restriction, unseen: Sequence[Collection[Card]]) -> bool:
        """Report whether a world exists with the slots of ``seat`` restricted, in which its unseen cards are these."""
        pool = self.pool(seat)
        wants = [slot.kinds & own.get(slot.event, slot.kinds) for slot in way.slots if self.pool(slot.seat) == pool]
        return placed(sorted([*wants, *unseen], key=len), way.room[pool]) is not None

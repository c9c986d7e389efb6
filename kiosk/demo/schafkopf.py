"""Simulate people who play Schafkopf: who plays, who asks for leave, and what the called card forbids."""

from collections.abc import Iterator
from typing import Any

from kiosk.demo.people import Habits, People
from kiosk.demo.players import card_order, expected_tricks
from kiosk.rules.books.schaffkopf import CALLED_SUITS, TOP_EIGHT
from kiosk.rules.describe import probe
from kiosk.rules.engine.announcements import KLOPFEN, KONTRA, RE
from kiosk.rules.engine.called_card import suit_cards
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.values import Bid

Event = dict[str, Any]

#: Tricks that a hand must promise to be played as Solo, Wenz, Tout.
_SOLO_TRICKS = 6.2
_WENZ_TRICKS = 5.6
_TOUT_TRICKS = 7.95

#: Trumps that a Rufspiel wants, and Ober and Unter among them.
_RUFSPIEL_TRUMPS = 4
_RUFSPIEL_HIGH = 2

#: How often the direction gives its leave: to a Sie it has looked at, to a Tout, to who has lost too many Alleinspiele.
_LEAVE = {"sie": 1.0, "solo-tout": 0.7, "wenz-tout": 0.7}
_LEAVE_AFTER_LOST = 0.6

#: Ober and Unter among the first cards with which somebody knocks.
_KNOCKS_WITH = 2

_ACES = tuple(suit + "A" for suit in CALLED_SUITS)
_TENS = tuple(suit + "T" for suit in CALLED_SUITS)

#: Hands that chance brings once in hundreds of rounds: a Sie, Touts, and Muss-Spiele with Renonce, ten and king.
_RARE: tuple[tuple[Card, ...], ...] = (
    tuple(sorted(TOP_EIGHT)),
    ("EO", "GO", "HO", "SO", "EU", "GU", "HU", "GA"),
    ("EU", "GU", "HU", "SU", "EA", "GA", "SA", "HA"),
    ("EO", "SU", "H9", "H8", "H7", "EA", "SA", "ST"),
    ("EO", "SU", "H7", *_ACES),
    ("EO", "H7", *_ACES),
    ("EO", *_ACES, *_TENS),
)


#: A hand for a Hochzeit, in books that have one.
_ONE_TRUMP: tuple[Card, ...] = ("H7", "EA", "EK", "E9", "GA", "GK", "G9", "S9")


class SchafkopfPeople(People):
    """Four who play a round of Schafkopf."""

    def __init__(self, opening: Event, seed: int, games: int | None, habits: Habits) -> None:
        super().__init__(opening, seed, games, habits)
        self.classes = self.round.book.classes
        self.least: dict[int, int] = {}  # class that who comes in a place must name
        self.timid = False  # nobody wants to play: a rare Muss-Spiel is to be seen

    def cards_dealt(self) -> list[list[Card]]:
        self.timid = False
        return super().cards_dealt()

    def _rare_hand(self) -> tuple[Card, ...]:
        married = any(kind.game == "hochzeit" for kind in self.round.book.kinds)
        hand = self.rng.choice((*_RARE, _ONE_TRUMP) if married else _RARE)
        self.timid = hand == _ONE_TRUMP or ("EO" in hand and "EA" in hand)
        return hand

    # --- finding the game

    def find(self) -> Iterator[Event]:
        plans = {seat: None if self.timid else self._plan(seat) for seat in self.game.seats}
        yield from self._knock()
        yield from self._ask(plans)
        yield from self._bid(plans)
        yield from self._name(plans)

    def _knock(self) -> Iterator[Event]:
        """Who has much in his first packet knocks, where the book has it."""
        first = self.round.book.packets(self.round.options)[0]
        for seat in self.game.may_knock:
            high = sum(card[1] in "OU" for card in self.dealt[seat][:first])
            if seat in self.game.may_knock and high >= _KNOCKS_WITH:
                yield self.say({"event": "announce", "seat": seat, "call": KLOPFEN})

    def _ask(self, plans: dict[int, Event | None]) -> Iterator[Event]:
        wanting = 0
        for seat in self.game.seats:
            wants = self._class(plans[seat]) >= self._demanded(min(wanting, 3))
            yield self.say({"event": "call", "seat": seat, "call": self._word(wants, wanting > 0)})
            wanting += wants

    @staticmethod
    def _word(wants: bool, somebody: bool) -> str:
        return ("auch" if somebody else "spielen") if wants else "recht" if somebody else "weiter"

    def _bid(self, plans: dict[int, Event | None]) -> Iterator[Event]:
        """Several who want to play name classes in turn (II 2.1.3)."""
        wanting = self._wanting()
        highest = -1
        for seat in wanting if len(wanting) > 1 else ():
            rank = self._class(plans[seat])
            yield self.say({"event": "bid", "seat": seat, "class": self.classes[rank] if rank > highest else None})
            highest = max(highest, rank)

    def _wanting(self) -> list[int]:
        wants = dict.fromkeys(answer.seat for answer in self.game.answers if answer.call in self.game.book.wanting)
        return [seat for seat in wants if self.game.spoken[seat] in self.game.book.wanting]

    def _name(self, plans: dict[int, Event | None]) -> Iterator[Event]:
        """The highest bidder names his game, with the direction's leave where it needs one (II 2.2)."""
        while True:
            wanting = self._wanting()
            seat = max(wanting, key=lambda one: (self._class(plans[one]), -wanting.index(one)), default=None)
            plan = plans[seat] if seat is not None else None
            if seat is None and (event := self._hochzeit()) is not None:
                yield self.say(event)
                return
            if self.game.each_alone:
                return
            if seat is None or plan is None:
                holder = next(one for one, hand in self.dealt.items() if "EO" in hand)
                yield self.say({"event": "declare", "seat": holder, **self._muss(self.dealt[holder])})
                return
            event = {"event": "declare", "seat": seat, **plan}
            after = self.after(event).game
            if after is not None and after.leave_missing and self.rng.random() >= 20 * self.habits.offences:
                granted = self.rng.random() < _LEAVE.get(plan["game"], _LEAVE_AFTER_LOST)
                yield self.say({"event": "leave", "seat": seat, "granted": granted})
                if not granted:
                    yield from self._lower(seat, plans)
                    continue
            yield self.say(event)
            return

    def _lower(self, seat: int, plans: dict[int, Event | None]) -> Iterator[Event]:
        """Leave refused: a Tout becomes its plain game; what is too low then is given up (II 2.2)."""
        plan, wanting = plans[seat], self._wanting()
        assert plan is not None
        lower = {**plan, "game": plan["game"].removesuffix("-tout")}
        if lower == plan:  # after three lost Alleinspiele a Rufspiel is left to him
            suits = self._callable(self.dealt[seat])
            lower = {"game": "rufspiel", "card": self._short(self.dealt[seat], suits) + "A"} if suits else {}
        demanded = self._demanded(wanting.index(seat))
        others = any(self._class(plans[one]) >= self._class(lower or None) for one in wanting if one != seat)
        if lower and self._class(lower) >= demanded and not others:
            plans[seat] = lower
            if len(wanting) > 1:
                yield self.say({"event": "bid", "seat": seat, "class": lower["game"]})
            return
        plans[seat] = None
        somebody = len(wanting) > 1
        yield self.say({"event": "call", "seat": seat, "call": self._word(False, somebody)})

    def _hochzeit(self) -> Event | None:
        """Who has one trump offers it, where the book has a Hochzeit and somebody takes it."""
        trumps = self.game.book.normal.trumps
        single = [seat for seat in self.game.seats if sum(card in trumps for card in self.dealt[seat]) == 1]
        if not single or all(kind.game != "hochzeit" for kind in self.game.book.kinds):
            return None
        return self.give_away(single[0], {"event": "declare", "seat": single[0], "game": "hochzeit"})

    def _class(self, plan: Event | None) -> int:
        return self.classes.index(plan["game"]) if plan else -1

    def _demanded(self, place: int) -> int:
        """The least class that whoever comes in that place, from 0, must name (II 2)."""
        book, known = self.round.book, self.least
        if place not in known:
            asked = probe.wanting(probe.fresh(book, self.round.options), place + 1)
            bids = (book.bid_fault(asked, Bid(9, place + 1, name))[0] for name in self.classes)
            known[place] = next(rank for rank, fault in enumerate(bids) if fault != "not_entitled")
        return known[place]

    def _plan(self, seat: int) -> Event | None:
        """The highest game that this hand is worth to its player, None: he does not want to play."""
        hand, book = self.dealt[seat], self.round.book
        if set(hand) == TOP_EIGHT and "sie" in self.classes:
            return {"game": "sie"}
        best: list[tuple[float, int, Event]] = []
        for (name, suit), contract in book.contracts.items():
            if not contract.solo or name == "sie" or name.endswith("-tout"):
                continue
            if name == "bettel":
                if self._may_lose_all(hand):
                    best.append((0.0, self.classes.index(name), {"game": name}))
                continue
            tricks = expected_tricks(hand, card_order(contract, book.deck, frozenset()))
            needed = _SOLO_TRICKS if name == "solo" else _WENZ_TRICKS
            keys = {"suit": suit} if suit else {}
            if tricks >= _TOUT_TRICKS and f"{name}-tout" in self.classes:
                best.append((tricks, self.classes.index(f"{name}-tout"), {"game": f"{name}-tout", **keys}))
            high = sum(card[1] == contract.trumps[0][1] for card in hand)
            if tricks >= needed * self.daring[seat] and (name == "solo" or high > 1):
                best.append((tricks - needed, self.classes.index(name), {"game": name, **keys}))
        if best:
            return max(best, key=lambda plan: (plan[1], plan[0]))[2]
        callable_suits = self._callable(hand)
        trumps = [card for card in hand if card in book.contracts["rufspiel", None].trumps]
        high = sum(card[1] in "OU" for card in trumps)
        if callable_suits and len(trumps) >= _RUFSPIEL_TRUMPS and high >= _RUFSPIEL_HIGH and self.rng.random() < 0.9:
            return {"game": "rufspiel", "card": self._short(hand, callable_suits) + "A"}
        return None

    @staticmethod
    def _may_lose_all(hand: tuple[Card, ...]) -> bool:
        """Whether a hand has nothing but low cards, as a Bettel wants."""
        return all(card[1] in "987U" for card in hand)

    @staticmethod
    def _callable(hand: tuple[Card, ...]) -> list[str]:
        """Suits whose ace may be called (schaffkopf II 3.1.6)."""
        return [suit for suit in CALLED_SUITS if suit + "A" not in hand and suit_cards(suit) & set(hand)]

    @staticmethod
    def _short(hand: tuple[Card, ...], suits: list[str]) -> str:
        """The suit that he soon can trump."""
        return min(suits, key=lambda suit: (len(suit_cards(suit) & set(hand)), suit))

    def _muss(self, hand: tuple[Card, ...]) -> Event:
        """The forced game with what its holder must call (schaffkopf II 3.1.7)."""
        suits = self._callable(hand)
        if suits:
            return {"game": "muss", "card": self._short(hand, suits) + "A"}
        card = next(suit + rank for rank in "ATK" for suit in CALLED_SUITS if suit + rank not in hand)
        return {"game": "muss", "card": card, **({"renonce": True} if card[1] == "A" else {})}

    # --- play

    def speak(self) -> Iterator[Event]:
        yield from ()

    def side(self, seat: int) -> str | None:
        game = self.game
        if game.declarer is None:
            return None
        return RE if seat == game.declarer or game.contract.re_card in self.dealt[seat] else KONTRA

    def _with(self, seat: int) -> dict[int, bool]:
        """Whose side he knows: the holder of the called card everybody's, the others the Spielmacher's."""
        game = self.game
        known = dict(game.known_sides)
        mine = self.side(seat)
        if game.contract.re_card is not None and game.contract.re_card in self.dealt[seat]:
            known = {other: RE if other in (seat, game.declarer) else KONTRA for other in game.seats}
        return {other: side == mine for other, side in known.items() if other != seat}

    def legal(self, seat: int) -> tuple[Card, ...]:
        """List the cards that the book allows, the called card's rules included (II 4.1.6)."""
        hand, called = tuple(self.hands[seat]), self.game.contract.re_card
        following = super().legal(seat)
        if called is None or called not in hand or len(hand) == 1:
            return following
        suit = suit_cards(called[0])
        if any(trick.leader == seat and trick.card_of(seat) in suit for trick in self.game.tricks):
            return following  # davongelaufen
        if not self.game.open_trick:
            enough = 3 if called[1] == "K" else 4
            runs = len(suit & set(hand)) >= enough and self.rng.random() < 0.5
            return tuple(card for card in hand if runs or card not in suit or card == called)
        if self.game.open_trick[0].card in suit:
            return (called,)
        return tuple(card for card in following if card != called)

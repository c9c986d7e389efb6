"""Rounds of Schafkopf as four people might play them: who plays what, and what the called card forbids."""

from collections.abc import Iterator
from typing import Any

from kiosk.demo.play import SimulatedTable
from kiosk.demo.players import Order, expected_tricks
from kiosk.rules.announcements import KONTRA, RE
from kiosk.rules.called_card import suit_cards
from kiosk.rules.cards import Card
from kiosk.rules.schaffkopf import CALLED_SUITS, CLASSES, DEMANDED, TOP_EIGHT

Event = dict[str, Any]

#: Tricks that a Solo and a Wenz promise from which on a player plays them, and a Tout.
_SOLO_TRICKS, _WENZ_TRICKS, _TOUT_TRICKS = 6.2, 5.6, 7.95

#: Trumps, and Ober and Unter among them, that a Rufspiel wants.
_TRUMPS, _HIGH = 4, 2


class SchafkopfTable(SimulatedTable):
    """Four who play a round of Schafkopf."""

    def _find(self) -> Iterator[Event]:
        plans = {seat: self._plan(seat) for seat in self.game.seats}
        wanting: list[int] = []
        for seat in self.game.seats:
            least = CLASSES.index(DEMANDED[min(len(wanting), 3)])
            wants = plans[seat] is not None and self._class(plans[seat]) >= least
            call = ("auch" if wanting else "spielen") if wants else "recht" if wanting else "weiter"
            if wants:
                wanting.append(seat)
            yield self.say({"event": "call", "seat": seat, "call": call})
        player, highest = (wanting[0] if wanting else None), -1
        for seat in wanting if len(wanting) > 1 else ():
            rank = self._class(plans[seat])
            bid = CLASSES[rank] if rank > highest else None
            yield self.say({"event": "bid", "seat": seat, "class": bid})
            if bid:
                player, highest = seat, rank
        plan = plans[player] if player else None
        if player is None or plan is None:
            player = next(seat for seat, hand in self.dealt.items() if "EO" in hand)
            plan = self._muss(self.dealt[player])
        event = {"event": "declare", "seat": player, **plan}
        after = self.round.apply(event).game
        if after is not None and after.leave_missing:
            yield self.say({"event": "leave", "seat": player, "granted": True})
        yield self.say(event)

    @staticmethod
    def _class(plan: Event | None) -> int:
        return CLASSES.index(plan["game"]) if plan else -1

    def _plan(self, seat: int) -> Event | None:
        """The highest game that this hand is worth to its player, None: he does not want to play."""
        hand, book = self.dealt[seat], self.round.book
        if set(hand) == TOP_EIGHT:
            return {"game": "sie"}
        best: list[tuple[float, int, Event]] = []
        for (name, suit), contract in book.contracts.items():
            if name not in ("solo", "wenz"):
                continue
            tricks = expected_tricks(hand, Order(contract, book.deck, ()))
            needed = _SOLO_TRICKS if name == "solo" else _WENZ_TRICKS
            keys = {"suit": suit} if suit else {}
            if tricks >= _TOUT_TRICKS:
                best.append((tricks, CLASSES.index(f"{name}-tout"), {"game": f"{name}-tout", **keys}))
            unter = sum(card[1] == "U" for card in hand)
            if tricks >= needed * self.daring[seat] and (name == "solo" or unter > 1):
                best.append((tricks - needed, CLASSES.index(name), {"game": name, **keys}))
        if best:
            return max(best, key=lambda plan: (plan[1], plan[0]))[2]
        callable_suits = self._callable(hand)
        trumps = [card for card in hand if card in book.contracts["rufspiel", None].trumps]
        high = sum(card[1] in "OU" for card in trumps)
        if callable_suits and len(trumps) >= _TRUMPS and high >= _HIGH and self.rng.random() < 0.9:
            return {"game": "rufspiel", "card": self._short(hand, callable_suits) + "A"}
        return None

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

    def _speak(self) -> Iterator[Event]:
        yield from ()

    def _side(self, seat: int) -> str | None:
        game = self.game
        if game.declarer is None:
            return None
        return RE if seat == game.declarer or game.contract.re_card in self.dealt[seat] else KONTRA

    def _with(self, seat: int) -> dict[int, bool]:
        """Whose side he knows: the holder of the called card everybody's, the others the Spielmacher's."""
        game = self.game
        known = dict(game.known_sides)
        mine = self._side(seat)
        if game.contract.re_card is not None and game.contract.re_card in self.dealt[seat]:
            known = {other: RE if other in (seat, game.declarer) else KONTRA for other in game.seats}
        return {other: side == mine for other, side in known.items() if other != seat}

    def _legal(self, seat: int) -> tuple[Card, ...]:
        """What the book allows, the called card's rules included (II 4.1.6)."""
        hand, called = tuple(self.hands[seat]), self.game.contract.re_card
        following = super()._legal(seat)
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

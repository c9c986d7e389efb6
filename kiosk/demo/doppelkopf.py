"""Simulate people who play Doppelkopf: which game they name, when they lay a card face down."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kiosk.demo.doppelkopf_calls import AnnouncingPeople
from kiosk.demo.people import Habits
from kiosk.demo.players import card_order, expected_tricks, strength
from kiosk.rules.engine.announcements import ABSAGEN, RE
from kiosk.rules.engine.book import Kind
from kiosk.rules.engine.cards import Card, augen
from kiosk.rules.engine.proof import know
from kiosk.rules.engine.schweinchen import UNTIL, card_of, may_say, raising_calls
from kiosk.rules.engine.values import Declaration

Event = dict[str, Any]

#: Share of the tricks that a solo must promise to be played as Pflichtsolo, and of free will.
_DUTY_TRICKS = 9.0 / 12
_LUST_TRICKS = 10.4 / 12

#: Share of the tricks from which on a soloist raises his solo by a step, and how much more each further step needs.
_RAISE_TRICKS = 11.0 / 12
_NEXT_STEP = 0.6 / 12

#: Solos and how much players overrate them: without trumps the tricks are fewer, but safe to reckon.
_SOLOS = {"trumpfsolo": 0.0, "damensolo": 0.0, "bubensolo": 0.0, "farbsolo": 0.3, "fleischlos": 0.8}

_STEPS = (RE, *ABSAGEN)


@dataclass(frozen=True, slots=True)
class SoloPlan:
    """A solo that a player would like to play, and the tricks that it promises."""

    game: str
    suit: str | None
    tricks: float

    @property
    def wish(self) -> Event:
        """The declaration of this plan."""
        return {"game": self.game, **({"suit": self.suit} if self.suit else {})}


class DoppelkopfPeople(AnnouncingPeople):
    """Four or five who play a round of Doppelkopf."""

    def __init__(self, opening: Event, seed: int, games: int | None, habits: Habits) -> None:
        super().__init__(opening, seed, games, habits)
        self.taste = {(seat, game): self.rng.uniform(-0.7, 0.7) for seat in self.daring for game in _SOLOS}

    def _rare_hand(self) -> tuple[Card, ...]:
        """Both Kreuz Damen and nothing but trumps: the Hochzeit of durchgaenge 4b, or a stilles Solo.

        Or both cards that a word raises, where the book has that.
        """
        book = self.round.book
        raising = raising_calls(self.round.options)
        if raising and self.rng.random() < 0.8:
            return (card_of(raising[-1], self.round.options),) * 2
        trumps = [card for card in book.deck if card in book.normal.trumps and card != "CQ"]
        return ("CQ", "CQ", *self.rng.sample(trumps, book.hand_size - 2))

    # --- finding the game

    def find(self) -> Iterator[Event]:
        self.refrained = set()
        wishes = {seat: self._wish(seat) for seat in self.game.seats}
        for seat in self.game.seats:
            call = "vorbehalt" if wishes[seat] else "gesund"
            if call == "vorbehalt" and self.rng.random() < 2 * self.habits.mishaps:
                yield self.say({"event": "call", "seat": seat, "call": "gesund"})  # and thinks better of it
            yield self.say({"event": "call", "seat": seat, "call": call})
        ranks = {seat: self._rank(wish) for seat, wish in wishes.items() if wish is not None}
        named = sorted((rank, place, seat) for place, seat in enumerate(self.game.seats) if (rank := ranks.get(seat)))
        if not named:
            return
        _, _, first = named[0]
        raising = [seat for _, _, seat in named if self._raises(wishes[seat])]
        if len(raising) > 1:
            yield from self._outbid(raising, wishes)
            return
        wish = wishes[first]
        assert wish is not None
        if raising and self.rng.random() < 0.5:  # nobody forces him
            wish = self._raised(wish, self._steps(first))
        event = {"event": "declare", "seat": first, **wish}
        if wish["game"] == "armut":
            event = self.give_away(first, event) or event
        yield self.say(event)

    def _raises(self, wish: Event | None) -> tuple[str, ...]:
        """The calls that may raise it (durchgaenge 5b, schnittchen 4)."""
        return next((kind.raises for kind in self.round.book.kinds if wish and kind.game == wish["game"]), ())

    def _steps(self, seat: int) -> int:
        """By how many steps this soloist would raise his solo."""
        share = self._best_solo(seat).tricks / self.round.book.hand_size
        return max(0, min(len(_STEPS), 1 + int((share - _RAISE_TRICKS) / _NEXT_STEP) if share >= _RAISE_TRICKS else 0))

    @staticmethod
    def _raised(wish: Event, steps_: int) -> Event:
        return {**wish, "raise": list(_STEPS[:steps_])} if steps_ else wish

    def _outbid(self, seats: list[int], wishes: dict[int, Event | None]) -> Iterator[Event]:
        """Several solos: a raised one beats one that is not, then the solos rank, then who sits further forward."""
        places = {seat: place for place, seat in enumerate(self.game.seats)}

        def height(seat: int, raised: int) -> tuple[int, int, int]:
            return -raised, self._rank(wishes[seat]), places[seat]

        said = dict.fromkeys(seats, 0)
        holder: int | None = None
        for seat in [*seats, *seats, *seats]:
            wish = wishes[seat]
            if wish is None or seat == holder:
                continue
            needed = next(
                (n for n in range(6) if holder is None or height(seat, n) < height(holder, said[holder])), None
            )
            if needed is None or needed > max(self._steps(seat), said[seat]):
                continue
            holder, said[seat] = seat, needed
            yield self.say({"event": "declare", "seat": seat, **self._raised(wish, needed)})

    def _wish(self, seat: int) -> Event | None:
        """What a player wants to name, None for gesund."""
        hand, game = self.dealt[seat], self.game
        plan = self._best_solo(seat)
        if game.must_play == seat:
            return {**plan.wish, "duty": True}
        size, left = self.round.book.hand_size, self.round.games_left or 16
        if seat in game.duties_open:
            # The fewer games are left, the less a player waits for a better hand.
            patience = min(1.0, left / 16)
            if plan.tricks >= (_DUTY_TRICKS * size - 1.2 * (1 - patience)) * self.daring[seat]:
                return {**plan.wish, "duty": True}
        elif plan.tricks >= _LUST_TRICKS * size * self.daring[seat]:
            return plan.wish
        kinds = {kind.game: kind for kind in self.round.book.kinds}
        for kind in kinds.values():
            if (
                (kind.ends_deal or kind.exchange)
                and game.must_play is None
                and self._entitled(seat, kind)
                and self.rng.random() < 0.8
            ):
                return {"game": kind.game}
        silent = strength(hand) > 11 and self.rng.random() < 0.5  # a stilles Solo instead (eppstein 3.5.5)
        if hand.count("CQ") == 2 and not silent and "hochzeit" in kinds:
            condition = self.rng.choices(["first", "plain", "trump"], [8, 1, 1])[0]
            if not kinds["hochzeit"].conditions:
                condition = "first"
            return {"game": "hochzeit", **({} if condition == "first" else {"condition": condition})}
        return None

    def _entitled(self, seat: int, kind: Kind) -> bool:
        """Whether the hand entitles its player to a game."""
        book = self.round.book
        known = know(book.deck, book.hand_size, dict.fromkeys(self.game.seats, ()), {seat: self.dealt[seat]})
        return kind.allowed(self.game, known, Declaration(event=0, seat=seat, game=kind.game))

    def _best_solo(self, seat: int) -> SoloPlan:
        book, plans = self.round.book, []
        for (name, suit), contract in book.contracts.items():
            if contract.solo:
                second_wins = frozenset(book.second_wins(contract, self.game.options))
                order = card_order(contract, book.deck, second_wins)
                liked = _SOLOS.get(name, 0.0) + self.taste.get((seat, name), 0.0)
                plans.append(SoloPlan(name, suit, expected_tricks(self.dealt[seat], order) + liked))
        none = SoloPlan("", None, 0.0)  # where no solo is played
        return max(plans, key=lambda plan: (plan.tricks, plan.game, plan.suit or ""), default=none)

    def _rank(self, wish: Event | None) -> int:
        """Place of a Vorbehalt among others, by the book, from 1 (eppstein 3.1.5, bsv 4.1, durchgaenge 5)."""
        if wish is None:
            return 99
        rank = next(kind.rank for kind in self.round.book.kinds if kind.game == wish["game"])
        return 1 if wish.get("duty") else rank

    # --- cards

    def speak(self) -> Iterator[Event]:
        yield from self._raise()
        yield from super().speak()

    def _raise(self, just_laid: Card = "") -> Iterator[Event]:
        """Who holds both cards that a word raises says it: at once, or, where the book has it so, with the first."""
        options = self.round.options
        for seat in self.game.seats:
            for call in may_say(self.game, seat):
                card = card_of(call, options)
                both = self.hands[seat].count(card) + (just_laid == card and self._laid_last(seat)) == 2
                if both and (options[UNTIL] == "first_card" or just_laid == card or self.rng.random() < 0.05):
                    yield self.say({"event": "announce", "seat": seat, "call": call})

    def _laid_last(self, seat: int) -> bool:
        """Whether the last card on the table is of that seat."""
        cards = self.game.open_trick or (self.game.tricks[-1].cards if self.game.tricks else ())
        return bool(cards) and cards[-1].seat == seat

    def lay(self, seat: int, card: Card, down: bool = False) -> Iterator[Event]:
        yield from super().lay(seat, card, down)
        yield from self._raise(just_laid=card)

    def covering(self, seat: int) -> Card | None:
        """Return the card that a Hochzeiter with only trumps puts face down so as not to be alone (durchgaenge 4b)."""
        game, hand = self.game, self.hands[seat]
        if seat != game.declarer or any(game.contract.classes[card] != "trump" for card in hand):
            return None
        for card in sorted(hand, key=lambda card: (game.contract.power[card], augen(card), card)):
            event = {"event": "card", "seat": seat, "card": card, "down": True}
            if self.lawful(event):
                return card
        return None

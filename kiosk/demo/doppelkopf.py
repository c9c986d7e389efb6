"""People who play Doppelkopf: which game they name, what they announce, when they lay a card face down."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kiosk.demo.people import Habits, People
from kiosk.demo.players import Order, expected_tricks, may_throw_in, strength
from kiosk.rules import steps
from kiosk.rules.announcements import ABSAGEN, OTHER, RE
from kiosk.rules.cards import Card, augen

Event = dict[str, Any]

#: Share of the tricks that a solo promises, from which on a player plays it: his Pflichtsolo, and one for pleasure.
_DUTY_TRICKS, _LUST_TRICKS = 9.0 / 12, 10.4 / 12

#: Share of the tricks from which on a soloist raises his solo by a step, and by each step more.
_RAISE_TRICKS, _NEXT_STEP = 11.0 / 12, 0.6 / 12

#: Strength of a hand (``players.strength``) from which on its holder announces.
_CALL, _ABSAGE = 10.8, 12.8

#: How much stronger a hand seems to who wants to answer the other side's announcement.
_ANSWER = 1.2

#: Solos and how much players overrate them: without trumps the tricks are fewer, but safe to reckon.
_SOLOS = {"trumpfsolo": 0.0, "damensolo": 0.0, "bubensolo": 0.0, "farbsolo": 0.3, "fleischlos": 0.8}

_STEPS = (RE, *ABSAGEN)


@dataclass(frozen=True, slots=True)
class Plan:
    """A solo somebody would like to play, and the tricks that it promises."""

    game: str
    suit: str | None
    tricks: float

    @property
    def wish(self) -> Event:
        """What is named with it."""
        return {"game": self.game, **({"suit": self.suit} if self.suit else {})}


class DoppelkopfPeople(People):
    """Four or five who play a round of Doppelkopf."""

    def __init__(self, opening: Event, seed: int, games: int | None, habits: Habits) -> None:
        super().__init__(opening, seed, games, habits)
        self.taste = {(seat, game): self.rng.uniform(-0.7, 0.7) for seat in self.daring for game in _SOLOS}
        self.refrained: set[tuple[int, str]] = set()  # calls that a player has thought about and left

    def _rare_hand(self) -> tuple[Card, ...]:
        """Both Kreuz Damen and nothing but trumps: the Hochzeit of durchgaenge 4b, or a stilles Solo."""
        book = self.round.book
        trumps = [card for card in book.deck if card in book.normal.trumps and card != "CQ"]
        return ("CQ", "CQ", *self.rng.sample(trumps, book.hand_size - 2))

    # --- finding the game

    def _find(self) -> Iterator[Event]:
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
        yield self.say({"event": "declare", "seat": first, **wish})

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
        if "schmeissen" in kinds and game.must_play is None and may_throw_in(hand) and self.rng.random() < 0.8:
            return {"game": "schmeissen"}
        trumps = sum(card in self.round.book.normal.trumps for card in hand)
        if "trumpfschwach" in kinds and trumps <= 3 and self.rng.random() < 0.8:
            return {"game": "trumpfschwach"}
        silent = strength(hand) > 11 and self.rng.random() < 0.5  # a stilles Solo instead (eppstein 3.5.5)
        if hand.count("CQ") == 2 and not silent:
            condition = self.rng.choices(["first", "plain", "trump"], [8, 1, 1])[0]
            if not kinds["hochzeit"].conditions:
                condition = "first"
            return {"game": "hochzeit", **({} if condition == "first" else {"condition": condition})}
        return None

    def _best_solo(self, seat: int) -> Plan:
        book, plans = self.round.book, []
        for (name, suit), contract in book.contracts.items():
            if contract.solo:
                order = Order(contract, book.deck, book.second_wins(contract, self.game.options))
                liked = _SOLOS.get(name, 0.0) + self.taste.get((seat, name), 0.0)
                plans.append(Plan(name, suit, expected_tricks(self.dealt[seat], order) + liked))
        return max(plans, key=lambda plan: (plan.tricks, plan.game, plan.suit or ""))

    def _rank(self, wish: Event | None) -> int:
        """Place of a Vorbehalt among others, by the book, from 1 (eppstein 3.1.5, bsv 4.1, durchgaenge 5)."""
        if wish is None:
            return 99
        rank = next(kind.rank for kind in self.round.book.kinds if kind.game == wish["game"])
        return 1 if wish.get("duty") else rank

    # --- announcements

    def _speak(self) -> Iterator[Event]:
        yield from self._announce()
        yield from self._duty()

    def _announce(self) -> Iterator[Event]:
        """Whoever wants to announce something now does."""
        if self.game.open_trick and self.rng.random() < 0.6:
            return
        for seat in self.rng.sample(self.game.seats, len(self.game.seats)):
            call = self._call(seat)
            if call is None or (seat, call) in self.refrained:
                continue
            if self.rng.random() < 0.25:
                self.refrained.add((seat, call))
                continue
            event = self._called(seat, call)
            if self.lawful(event):
                yield self.say(event)
                yield from self._echo(event)
            else:
                self.refrained.add((seat, call))

    def _called(self, seat: int, call: str) -> Event:
        event: Event = {"event": "announce", "seat": seat, "call": call}
        side = self.side(seat)
        if call not in ("re", "kontra") and seat not in self.game.known_sides and side:
            event["side"] = side  # eppstein 5.5.5
        return event

    def _echo(self, event: Event) -> Iterator[Event]:
        """Now and then the partner says the same in the same breath (eppstein 5.5.7)."""
        if self.rng.random() >= 0.04 or event["call"] == "bock":
            return
        side = self.side(event["seat"])
        for seat in self.game.seats:
            if seat != event["seat"] and self.side(seat) == side and strength(self.dealt[seat]) > _CALL - 2:
                again = {**self._called(seat, event["call"]), "together": True}
                if self.lawful(again):
                    yield self.say(again)
                return

    def _duty(self) -> Iterator[Event]:
        """Who must announce does, with the least that is enough (bsv 6.3.1, durchgaenge 2c)."""
        game = self.game
        if game.ended or game.lapsed or self.round.book.must_announce is None or game.open_trick:
            return
        seat = game.next_to_lay
        lead = {"event": "card", "seat": seat, "card": self.hands[seat][0]}
        if (seat, "duty") in self.refrained or not self._misses(lead):
            return
        if self.rng.random() < min(0.2, 20 * self.habits.offences):
            self.refrained.add((seat, "duty"))  # forgotten
            return
        side = self.side(seat) or RE
        for call in (side, *ABSAGEN):
            event: Event = {"event": "announce", "seat": seat, "call": call}
            if call != side and seat not in game.known_sides:
                event["side"] = side
            if self.lawful(event):
                before, self.round = self.round, self.round.apply(event)
                done = not self._misses(lead)
                self.round = before
                if done:
                    yield self.say(event)
                    return

    def _misses(self, lead: Event) -> bool:
        after = self.round.apply(lead).game
        dealt = self.dealt[lead["seat"]]
        if after is None or after.lapsed is None:
            return False
        known = steps.scan(after, after.last_event + 1, lead["seat"], dealt)  # he knows his own side
        return any(offence.code == "missed_duty" for offence in known.offences)

    def _call(self, seat: int) -> str | None:
        """The next call of this player's side that he believes in."""
        side = self.side(seat)
        if side is None:
            return None
        game, hand = self.game, self.dealt[seat]
        judge = game.judged()[1]
        levels = judge.level
        if "bock" in game.calls.words and not judge.bock and all(levels.values()) and strength(hand) > _CALL - 3:
            return "bock"
        alone = game.soloist_at(game.last_event + 1)
        if alone is not None or game.contract.solo:
            soloist = alone if alone is not None else game.declarer
            tricks = expected_tricks(hand, self.order())
            power = _CALL + 1.6 * (tricks - 8.4) if seat == soloist else strength(hand) - 2.5
        else:
            power = strength(hand)
        power *= 2 - self.daring[seat]
        mine = {other for other, with_me in self._with(seat).items() if with_me} | {seat}
        won = sum(trick.points for trick in game.tricks if trick.winner in mine)
        power += 0.03 * (won - 20 * len(game.tricks))  # better or worse than half so far
        wanted = (side, *ABSAGEN)
        level = levels[side]
        if not level and levels[OTHER[side]]:
            power += _ANSWER
        if level >= len(wanted) or power < (_CALL if not level else _ABSAGE + 1.5 * (level - 1)):
            return None
        if 0 < level < 4 and power > _ABSAGE + 1.5 * level and game.calls.leaving_out and self.rng.random() < 0.3:
            return wanted[level + 1]  # steps may be left out (eppstein 5.5.3)
        return wanted[level]

    def side(self, seat: int) -> str | None:
        game = self.game
        known = game.known_sides.get(seat)
        if known:
            return known
        if game.declaration is not None and not game.contract.solo:
            return "re" if seat == game.declarer else None  # a Hochzeit before its Klärungsstich
        return "re" if "CQ" in self.dealt[seat] else "kontra"

    def _with(self, seat: int) -> dict[int, bool]:
        game, mine = self.game, self.side(seat)
        if mine is None:
            return {}
        known = dict(game.known_sides)
        queens = Counter({seat: self.dealt[seat].count("CQ")}) if not game.declaration else Counter[int]()
        for _, other in game.queens:
            if other != seat:
                queens[other] += 1
        if sum(queens.values()) == 2:
            known.update({other: "re" if queens[other] else "kontra" for other in game.seats})
        return {other: side == mine for other, side in known.items() if other != seat}

    # --- cards

    def _card(self) -> Iterator[Event]:
        seat = self.game.next_to_lay
        covered = self._face_down(seat)
        if covered is not None and self.rng.random() < 0.8:
            yield from self.lay(seat, covered, down=True)
        else:
            yield from super()._card()

    def _face_down(self, seat: int) -> Card | None:
        """The card that a Hochzeiter with nothing but trumps puts face down so as not to be alone (durchgaenge 4b)."""
        game, hand = self.game, self.hands[seat]
        if seat != game.declarer or any(game.contract.classes[card] != "trump" for card in hand):
            return None
        for card in sorted(hand, key=lambda card: (game.contract.power[card], augen(card), card)):
            event = {"event": "card", "seat": seat, "card": card, "down": True}
            if self.lawful(event):
                return card
        return None

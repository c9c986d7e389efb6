"""Rounds as four people might play them: real hands from a seed, played by the book, as events of the protocol.

What comes out is the truth of a round: an event file that ``stichwart replay`` accepts, and the script by which the
demo lays cards before its camera and lets players speak. Everything is decided by the seed.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from kiosk.demo.players import Order, Sight, choose, expected_tricks, may_throw_in, strength
from kiosk.errors import BadEvent
from kiosk.rules import steps
from kiosk.rules.books import BOOKS
from kiosk.rules.cards import Card
from kiosk.rules.game import Game
from kiosk.table.fold import Round, open_round

Event = dict[str, Any]

NAMES = ("Anna", "Bernd", "Cem", "Dora", "Emil")

#: Share of the tricks that a solo promises, from which on a player plays it: his Pflichtsolo, and one for pleasure.
_DUTY_TRICKS, _LUST_TRICKS = 9.0 / 12, 10.4 / 12

#: Games of a round that its book leaves open.
_OPEN_ROUND = 16

#: Strength of a hand (``players.strength``) from which on its holder announces.
_CALL, _ABSAGE = 10.8, 12.8

#: Solos and how much players overrate them: without trumps the tricks are fewer, but safe to reckon.
_SOLOS = {"trumpfsolo": 0.0, "damensolo": 0.0, "bubensolo": 0.0, "farbsolo": 0.3, "fleischlos": 0.8}


@dataclass(frozen=True, slots=True)
class Plan:
    """A game somebody would like to play."""

    game: str
    suit: str | None
    tricks: float


def simulate(
    rules: str,
    seed: int,
    games: int | None = None,
    players: int = 4,
    mistakes: float = 0.0,
    *,
    shorten: float = 0.0,
    table: int = 1,
    round_number: int = 1,
) -> Iterator[Event]:
    """The events of a round, from ``open`` on, in order; with the book's number of games it ends signed and handed in.

    :param games: stop after this many games of the list; None: the whole round.
    :param mistakes: chance, for each card, of a revoke, a card out of turn or a call too late; some are objected to
        and ruled, some nobody claims.
    :param shorten: chance that a soloist who has the rest lays it down.
    """
    from kiosk.demo.schafkopf import SchafkopfTable  # which builds on this module

    bidding = rules in BOOKS and bool(BOOKS[rules].classes)
    kind = SchafkopfTable if bidding else SimulatedTable
    yield from kind(rules, seed, games, players, mistakes, shorten, table, round_number).play()


class SimulatedTable:
    """Four or five who play a round of Doppelkopf."""

    def __init__(
        self,
        rules: str,
        seed: int,
        games: int | None,
        players: int,
        mistakes: float,
        shorten: float,
        table: int,
        round_number: int,
    ) -> None:
        self.rng = Random(f"{rules} {seed} {players}")
        self.games, self.mistakes, self.shorten = games, mistakes, shorten
        self.opening: Event = {
            "event": "open",
            "format": 1,
            "rules": rules,
            "table": table,
            "round": round_number,
            "players": list(NAMES[:players]),
        }
        self.round: Round = open_round(self.opening)
        self.daring = {seat: self.rng.uniform(0.92, 1.1) for seat in range(1, players + 1)}
        self.taste = {(seat, game): self.rng.uniform(-0.7, 0.7) for seat in self.daring for game in _SOLOS}
        self.hands: dict[int, list[Card]] = {}
        self.dealt: dict[int, tuple[Card, ...]] = {}
        self.refrained: set[tuple[int, str]] = set()  # calls that a player has thought about and left

    @property
    def game(self) -> Game:
        assert self.round.game is not None
        return self.round.game

    def say(self, event: Event) -> Event:
        """The event, once the round has taken it."""
        self.round = self.round.apply(event)
        return event

    def play(self) -> Iterator[Event]:
        yield self.opening
        yield self.say({"event": "release"})
        games = _OPEN_ROUND if self.games is None and self.round.games_left is None else self.games
        while not self.round.over and (games is None or len(self.round.games) < games):
            yield from self._game()
        if self.round.over or (self.games is None and self.round.games_left is None):
            for seat in range(1, len(self.opening["players"]) + 1):
                yield self.say({"event": "sign", "seat": seat})
            yield self.say({"event": "close"})

    def _game(self) -> Iterator[Event]:
        yield self.say({"event": "deal", "dealer": self.round.next_dealer})
        deck = list(self.round.book.deck)
        self.rng.shuffle(deck)
        size = self.round.book.hand_size
        self.hands = {seat: deck[n * size : (n + 1) * size] for n, seat in enumerate(self.game.seats)}
        self.dealt = {seat: tuple(hand) for seat, hand in self.hands.items()}
        self.refrained = set()
        yield from self._find()
        while not self.game.ended:
            yield from self._speak()
            yield from self._shorten()
            yield from self._duty()
            if not self.game.ended:
                yield from self._card()

    # --- finding the game

    def _find(self) -> Iterator[Event]:
        wishes = {seat: self._wish(seat) for seat in self.game.seats}
        for seat in self.game.seats:
            call = "vorbehalt" if wishes[seat] else "gesund"
            yield self.say({"event": "call", "seat": seat, "call": call})
        ranks = {seat: self._rank(wishes[seat]) for seat in self.game.seats}
        named = [(ranks[seat], place, seat) for place, seat in enumerate(self.game.seats) if ranks[seat] < 9]
        if not named:
            return
        if len(named) > 1 and all(wishes[seat] == {"game": "hochzeit"} for _, _, seat in named):
            raise AssertionError("two players with both queens of clubs")
        _, _, seat = min(named)
        wish = wishes[seat]
        assert wish is not None
        yield self.say({"event": "declare", "seat": seat, **wish})

    def _wish(self, seat: int) -> Event | None:
        """What a player wants to name, None for gesund."""
        hand, game = self.dealt[seat], self.game
        plan = self._best_solo(seat)
        wish: Event = {"game": plan.game, **({"suit": plan.suit} if plan.suit else {})}
        if game.must_play == seat:
            return {**wish, "duty": True}
        size, left = self.round.book.hand_size, self.round.games_left or 16
        if seat in game.duties_open:
            # The fewer games are left, the less a player waits for a better hand.
            patience = min(1.0, left / 16)
            if plan.tricks >= (_DUTY_TRICKS * size - 1.2 * (1 - patience)) * self.daring[seat]:
                return {**wish, "duty": True}
        elif plan.tricks >= _LUST_TRICKS * size * self.daring[seat]:
            return wish
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

    # --- calls

    def _speak(self) -> Iterator[Event]:
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
            event: Event = {"event": "announce", "seat": seat, "call": call}
            side = self._side(seat)
            if call not in ("re", "kontra") and seat not in self.game.known_sides and side:
                event["side"] = side  # eppstein 5.5.5
            if self._lawful(event, seat):
                yield self.say(event)
            else:
                self.refrained.add((seat, call))

    def _duty(self) -> Iterator[Event]:
        """Who must announce does, with the least that is enough (bsv 6.3.1, durchgaenge 2c)."""
        game = self.game
        if game.ended or game.lapsed or self.round.book.must_announce is None or game.open_trick:
            return
        seat = game.next_to_lay
        lead = {"event": "card", "seat": seat, "card": self.hands[seat][0]}
        if not self._misses(lead):
            return
        side = self._side(seat) or "re"
        for call in (side, "keine90", "keine60", "keine30", "schwarz"):
            event: Event = {"event": "announce", "seat": seat, "call": call}
            if call != side and seat not in game.known_sides:
                event["side"] = side
            if self._lawful(event, seat):
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
        side = self._side(seat)
        if side is None:
            return None
        if (
            "bock" in self.game.calls.words
            and all(self.game.judged()[1].level.values())
            and strength(self.dealt[seat]) > _CALL - 2
        ):
            return "bock"
        game, hand = self.game, self.dealt[seat]
        level = game.judged()[1].level[side]
        alone = game.soloist_at(game.last_event + 1)
        if alone is not None or game.contract.solo:
            soloist = alone if alone is not None else game.declarer
            tricks = expected_tricks(self.dealt[seat], self._order())
            power = _CALL + 1.6 * (tricks - 8.4) if seat == soloist else strength(hand) - 2.5
        else:
            power = strength(hand)
        power *= 2 - self.daring[seat]
        mine = {other for other, with_me in self._with(seat).items() if with_me} | {seat}
        won = sum(trick.points for trick in game.tricks if trick.winner in mine)
        power += 0.03 * (won - 20 * len(game.tricks))  # better or worse than half so far
        wanted = ("re" if side == "re" else "kontra", "keine90", "keine60", "keine30", "schwarz")
        if level >= len(wanted) or power < (_CALL if not level else _ABSAGE + 1.5 * (level - 1)):
            return None
        return wanted[level]

    def _side(self, seat: int) -> str | None:
        """The side a player knows himself to be on."""
        game = self.game
        known = game.known_sides.get(seat)
        if known:
            return known
        if game.declaration is not None and not game.contract.solo:
            return "re" if seat == game.declarer else None  # a Hochzeit before its Klärungsstich
        return "re" if "CQ" in self.dealt[seat] else "kontra"

    def _with(self, seat: int) -> dict[int, bool]:
        """The other seats whose side this player knows: True is his own."""
        game, mine = self.game, self._side(seat)
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

    def _lawful(self, event: Event, seat: int) -> bool:
        """Whether the event breaks no rule that shows at once."""
        try:
            after = self.round.apply(event).game
        except BadEvent:
            return False
        assert after is not None
        return not any(o.seat == seat and o.event == after.last_event for o in after.offences)

    # --- cards

    def _order(self) -> Order:
        book = self.round.book
        return Order(self.game.contract, book.deck, book.second_wins(self.game.contract, self.game.options))

    def _legal(self, seat: int) -> tuple[Card, ...]:
        hand, trick = self.hands[seat], self.game.open_trick
        if not trick:
            return tuple(hand)
        classes = self.game.contract.classes
        following = tuple(card for card in hand if classes[card] == classes[trick[0].card])
        return following or tuple(hand)

    def _card(self) -> Iterator[Event]:
        game = self.game
        seat = game.next_to_lay
        if self.mistakes and self.rng.random() < self.mistakes:
            before = len(game.offences)
            done = list(self._mistake(seat))
            yield from done
            if done:
                yield from self._aftermath(before)
                return
        yield from self._lay(seat, self._chosen(seat))

    def _chosen(self, seat: int) -> Card:
        game = self.game
        order = self._order()
        start = game.seats.index(seat)
        laid = {card.seat for card in game.open_trick} | {seat}
        around = game.seats[start:] + game.seats[:start]
        fallen = Counter(card.card for trick in game.tricks for card in trick.cards)
        fallen.update(card.card for card in game.open_trick)
        led = {game.contract.classes[trick.cards[0].card] for trick in game.tricks} - {order.trump}
        side = self._side(seat)
        sight = Sight(
            seat=seat,
            hand=tuple(self.hands[seat]),
            legal=self._legal(seat),
            order=order,
            trick=tuple((card.seat, card.card) for card in game.open_trick),
            to_come=tuple(other for other in around if other not in laid),
            with_me=self._with(seat),
            alone=game.soloist or (seat if self.dealt[seat].count("CQ") == 2 and not game.declaration else None),
            strong=bool(side and game.judged()[1].level[side]),
            laid=fallen,
            led=frozenset(led),
        )
        return choose(sight, self.rng)

    def _lay(self, seat: int, card: Card) -> Iterator[Event]:
        self.hands[seat].remove(card)
        yield self.say({"event": "card", "seat": seat, "card": card})

    def _shorten(self) -> Iterator[Event]:
        """A soloist with nothing but sure tricks may lay them down (eppstein 4.3.3)."""
        game = self.game
        seat = game.soloist
        if (
            not self.shorten
            or seat is None
            or not game.book.may_claim(game, "rest", (), seat)
            or game.open_trick
            or game.next_to_lay != seat
            or len(game.tricks) < 6
        ):
            return
        own, classes, power = self.hands[seat], game.contract.classes, game.contract.power
        others = [card for other, hand in self.hands.items() if other != seat for card in hand]
        sure = all(power[card] >= power[other] for card in own for other in others if classes[card] == classes[other])
        trumps_out = any(classes[card] == "trump" for card in others)
        if sure and not trumps_out and self.rng.random() < self.shorten:
            yield self.say({"event": "claim", "seat": seat, "kind": "rest", "order": list(own)})

    # --- mistakes

    def _mistake(self, seat: int) -> Iterator[Event]:
        game = self.game
        kind = self.rng.choice(["revoke", "verwerfen", "out_of_turn", "late" if game.book.calls.words else "revoke"])
        wrong = [card for card in self.hands[seat] if card not in self._legal(seat)]
        if kind in ("revoke", "verwerfen") and wrong:
            card = self.rng.choice(wrong)
            if kind == "revoke":
                yield from self._lay(seat, card)
                return
            yield from self._lay(seat, card)
            if not self.game.ended:
                yield self.say({"event": "retract", "seat": seat, "card": card})
                self.hands[seat].append(card)
                yield from self._lay(seat, self._chosen(seat))
        elif kind == "out_of_turn" and game.open_trick and len(game.open_trick) < 3:
            start = game.seats.index(seat)
            hasty = (game.seats[start:] + game.seats[:start])[1]
            yield from self._lay(hasty, self._chosen(hasty))
            yield from self._lay(seat, self._chosen(seat))
        elif kind == "late" and len(game.tricks) > 5:
            side = self._side(seat)
            if side and not any(said.seat == seat and said.call == side for said in game.said):
                yield self.say({"event": "announce", "seat": seat, "call": side})

    def _aftermath(self, before: int) -> Iterator[Event]:
        """Some breaches are objected to and ruled (eppstein 8.8), some stand as valid moves."""
        new = self.game.offences[before:]
        if not new or self.game.ended or self.rng.random() < 0.5:
            return
        offence = self.rng.choice(new)
        others = [seat for seat in self.game.seats if seat != offence.seat]
        yield self.say(
            {
                "event": "object",
                "seat": self.rng.choice(others),
                "against": offence.seat,
                "code": offence.code,
                "breach": offence.event,
            }
        )
        serious = offence.code == "revoke" and self.rng.random() < 0.7
        ruling: Event = {
            "event": "rule",
            "offender": offence.seat,
            "class": "serious" if serious else "minor",
            "breach": offence.event,
            "minutes": self.rng.choice([0, 2, 5]),
        }
        try:
            self.round.apply(ruling)
        except BadEvent:  # the book leaves the points to the referee (bsv 7.3)
            points = {str(seat): -15 if seat == offence.seat else 5 for seat in self.game.seats}
            ruling["scores"] = points
        yield self.say(ruling)

    def _rank(self, wish: Event | None) -> int:
        """Place of a Vorbehalt among others, by the book; 9: none (eppstein 3.1.5, bsv 4.1)."""
        if wish is None:
            return 9
        rank = next(kind.rank for kind in self.round.book.kinds if kind.game == wish["game"])
        return 1 if wish.get("duty") else rank

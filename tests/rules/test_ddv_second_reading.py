"""Rounds of ddv at random agree with the second reading of its text: what it says of each deal the engine says too.

Compared are the asking, who leads and who takes a trick, sides and what of them all can know, calls, breaches, Augen,
winners, values, Strafpunkte, dealers, Pflichtsoli, totals. 400 rounds more:

    STICHWART_ROUNDS=8 python -m pytest tests/rules/test_ddv_second_reading.py -k thousands
"""

import os
import random
from typing import Any

import pytest

from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round
from tests.rules.ddv_as_read import CARDS, STEP, Breach, Deal, Event, Laid


class Players:
    """Play a round at random, lawfully and not; note by the second reading what must come of it."""

    def __init__(self, seed: int) -> None:
        self.rnd = random.Random(f"ddv {seed}")
        self.players = self.rnd.choice((4, 4, 5))
        self.unlawful = self.rnd.choice((0.0, 0.05, 0.3))
        self.talk = self.rnd.choice((0.02, 0.1, 0.3))
        self.games = self.rnd.choice((5, 6, 8, 24))
        options = {"games": self.games, "games_5": self.games}
        names = list("ABCDE")[: self.players]
        self.events: list[Event] = [
            {"event": "open", "format": 1, "rules": "ddv", "table": 1, "round": 1, "players": names, "options": options}
        ]
        self.round: Round = open_round(decode(self.events[0]))
        self.owed = set(range(1, self.players + 1))
        self.dealer, self.left = 1, self.games
        self.totals = dict.fromkeys(range(1, self.players + 1), 0)
        self.deal: Deal

    def chance(self, probability: float) -> bool:
        return self.rnd.random() < probability

    def do(self, event: str, **keys: Any) -> int:
        made = {"event": event, **keys}
        self.round = self.round.apply(decode(made))
        self.events.append(made)
        return len(self.events) - 1

    def play(self, deals: int) -> None:
        for _ in range(deals):
            if self.left <= 0:
                break
            self.one_deal()
        assert self.round.totals == self.totals
        assert self.round.games_left == self.left

    def one_deal(self) -> None:
        """4.2: vorgeführt is the next left of the dealer as soon as Pflichtsoli are all that is left."""
        dealer = self.dealer
        must = len(self.owed) >= self.left
        if must and self.players == 5 and self.owed == {dealer}:
            dealer = dealer % 5 + 1
        assert self.round.next_dealer == dealer
        seats = [(dealer + n - 1) % self.players + 1 for n in range(1, 5)]
        led_up = next((seat for seat in seats if seat in self.owed), None) if must else None
        assert self.round.must_play == led_up
        self.do("deal", dealer=dealer)
        cards = list(CARDS)
        self.rnd.shuffle(cards)
        if self.chance(0.3):  # both CQ in one hand
            rest = [card for card in cards if card != "CQ"]
            cards = [*rest[:10], "CQ", "CQ", *rest[10:]]
        hands = {seat: cards[12 * n : 12 * n + 12] for n, seat in enumerate(self.rnd.sample(seats, 4))}
        scanned = self.chance(0.5)
        self.deal = Deal(seats, {s: list(c) for s, c in hands.items()}, set(self.owed), led_up, scanned)
        self.hands = hands
        for seat in seats:
            if scanned or self.chance(0.1):
                self.do("hand", seat=seat, cards=list(hands[seat]))
        if self.chance(0.04):
            self.do("void", why="count")
            return  # the same dealer deals again (3.3)
        self.find()
        while not self.ended():
            self.step()
        self.close(dealer)

    def ended(self) -> bool:
        deal = self.deal
        return len(deal.tricks) == 12 or deal.claim is not None or any(
            r["class"] in ("serious", "decided") for _, r in deal.rulings
        )  # fmt: skip

    # Finding the game

    def answer(self, seat: int, word: str) -> None:
        """4.1: round the table; a correction until the next has spoken, the last one's until play or several."""
        deal = self.deal
        spoken = {one: said for _, one, said in deal.answers}
        named = deal.who
        if seat in spoken:
            if seat == deal.seats[-1]:
                several = list(spoken.values()).count("vorbehalt") > 1
                late = bool(deal.calls) or (named is not None and several)
            else:
                late = deal.seats[deal.seats.index(seat) + 1] in spoken
        else:
            due = next(one for one in deal.seats if one not in spoken and one != named)
            late = seat not in (due, named)
            late = late or (named not in (None, seat) and word == "vorbehalt")
        event = self.do("call", seat=seat, call=word)
        deal.answers.append((event, seat, word))
        if late:
            deal.breaches.add(("call_out_of_turn", event, seat, "4.1"))

    def wish(self, seat: int) -> Event | None:
        if self.chance(0.08) or (seat in self.owed and self.chance(0.1)):
            game = self.rnd.choice(("farbsolo", "damensolo", "bubensolo", "fleischlos"))
            suit = {"suit": self.rnd.choice("CSHD")} if game == "farbsolo" else {}
            duty = seat in self.owed and not self.chance(0.1)
            return {"seat": seat, "game": game, "duty": duty, **suit}
        if self.deal.hands[seat].count("CQ") == 2 and self.chance(0.7):
            return {"seat": seat, "game": "hochzeit"}
        return {"seat": seat, "game": "hochzeit"} if self.chance(0.005) else None

    def rank(self, wish: Event) -> tuple[int, int]:
        """4.1: Pflichtsolo, Lustsolo, Hochzeit; then who sits further forward."""
        place = 1 if wish.get("duty") else 3 if wish["game"] == "hochzeit" else 2
        return place, self.deal.seats.index(wish["seat"])

    def name(self, wish: Event) -> None:
        deal, seat = self.deal, wish["seat"]
        before = deal.named[-1][1] if deal.named else None
        event = self.do("declare", **wish)
        solo = wish["game"] != "hochzeit"
        broken = ""
        if deal.led_up not in (None, seat):
            broken = "4.2"
        elif solo and not wish.get("duty") and seat in deal.owed:
            broken = "4.3"
        elif before is not None and before["seat"] != seat and self.rank(before) < self.rank(wish):
            broken = "4.1"
        if broken:
            deal.breaches.add(("not_entitled", event, seat, broken))
        elif not solo and deal.hands[seat].count("CQ") < 2:  # one naming is one breach
            deal.breaches.add(("not_entitled", event, seat, "4.4"))
        deal.named.append((event, wish))

    def find(self) -> None:  # noqa: C901 - people do all sorts of things
        deal = self.deal
        if deal.led_up is not None:
            game = self.rnd.choice(("farbsolo", "damensolo", "bubensolo", "fleischlos"))
            suit = {"suit": "H"} if game == "farbsolo" else {}
            if self.chance(0.1):
                other = self.rnd.choice([seat for seat in deal.seats if seat != deal.led_up])
                self.name({"seat": other, "game": "fleischlos", "duty": other in self.owed})
            self.name({"seat": deal.led_up, "game": game, "duty": True, **suit})
            return
        if self.chance(0.2):
            return  # the first card says that all are gesund
        wishes = {seat: self.wish(seat) for seat in deal.seats}
        waiting = list(deal.seats)
        while waiting:
            seat = waiting.pop(0 if not self.chance(0.05) else self.rnd.randrange(len(waiting)))
            if self.chance(0.02):
                self.call()
            self.answer(seat, "vorbehalt" if wishes[seat] else "gesund")
            wish = wishes[seat]
            if wish and wish.get("duty") and not deal.named and self.chance(0.3):
                self.name(wish)  # nobody comes before him, he says
                for other in waiting:
                    if self.chance(0.3):
                        self.answer(other, "vorbehalt" if wishes[other] else "gesund")
                break
            if self.chance(0.03):
                self.answer(seat, "gesund")
                wishes[seat] = None
        left = sorted((wish for wish in wishes.values() if wish), key=self.rank)
        if not deal.named and left:
            if len(left) > 1 and self.chance(0.2):
                self.name(left[1])
            self.name(left[0])
            if len(left) > 1 and self.chance(0.2):
                self.name(left[1])
                self.name(left[0])
            last = deal.seats[-1]
            if self.chance(0.05) and last != deal.who:
                self.answer(last, "gesund")

    # Calls, cards and endings

    def call(self) -> None:
        seat = self.rnd.choice(self.deal.seats)
        word = self.rnd.choice(("re", "kontra", "re", "kontra", "keine90", "keine60", "keine30", "schwarz"))
        if STEP[word] == 1 and not self.chance(0.1) and not self.deal.is_solo:
            word = "re" if "CQ" in self.deal.hands[seat] else "kontra"
        keys: Event = {"seat": seat, "call": word}
        if STEP[word] > 1 and self.chance(0.3):
            keys["side"] = self.rnd.choice(("re", "kontra"))
        if self.deal.calls and self.chance(0.1):
            keys["together"] = True
        self.deal.calls.append((self.do("announce", **keys), keys))

    def step(self) -> None:
        deal = self.deal
        if self.chance(self.talk):
            self.call()
        self.card()
        game = self.round.game
        assert game is not None
        if len(deal.tricks) < 12 and (self.chance(0.2) or len(deal.open) == 0):
            known = deal.known()
            assert dict(game.known_sides) == known, f"known sides {self.events[-1]}"
            assert game.clear == (len(known) == 4)
        if len(deal.tricks) == 12:
            return
        settled = deal.game != "hochzeit" or deal.klaerung is not None
        if deal.scanned and self.chance(0.02) and settled:
            self.rule(self.rnd.choice(("minor", "minor", "serious", "decided")))
        alone = deal.soloist(10**9)
        if deal.scanned and alone is not None and not self.ended() and self.chance(0.02):
            keys: Event = {"seat": alone, "kind": self.rnd.choice(("rest", "concede")), "accepted": self.chance(0.6)}
            self.do("claim", **keys)
            deal.claim = keys

    def rule(self, kind: str) -> None:
        laid = [one for trick in (*self.deal.tricks, self.deal.open) for one in trick]
        breach = self.rnd.choice(laid)
        keys: Event = {
            "class": kind,
            "offender": breach.seat if self.chance(0.7) else self.rnd.choice(self.deal.seats),
            "breach": breach.event,
            "harms_soloist": self.chance(0.5),
        }
        self.deal.rulings.append((self.do("rule", **keys), keys))

    def card(self) -> None:
        """5.1, 5.2."""
        deal = self.deal
        due = seat = deal.due()
        if self.chance(self.unlawful / 4):
            free = [one for one in deal.seats if all(laid.seat != one for laid in deal.open)]
            seat = self.rnd.choice(free)
        led = deal.kind(deal.open[0].card) if deal.open else None
        following = [card for card in self.hands[seat] if deal.kind(card) == led]
        card = self.rnd.choice(following or self.hands[seat])
        if self.chance(self.unlawful):
            card = self.rnd.choice(self.hands[seat])
        self.hands[seat].remove(card)
        event = self.do("card", seat=seat, card=card)
        found: set[Breach] = set()
        if seat != due:
            found.add(("out_of_turn", event, seat, "5.2" if deal.open else "5.1"))
        if led and following and deal.kind(card) != led:
            found.add(("revoke", event, seat, "5.2"))
        whole = [*deal.open, Laid(event, seat, card)]
        if ("revoke" in {one[0] for one in found}) and card != "CQ" and len(deal.tricks) < 11 and self.chance(0.3):
            self.do("retract", seat=seat, card=card)
            self.hands[seat].append(card)
            return
        deal.breaches |= found
        deal.open = whole
        if len(whole) == 4:
            deal.takers.append(deal.taker(whole))
            deal.tricks.append(whole)
            deal.open = []

    def close(self, dealer: int) -> None:
        """Compare the row, then go on by it: dealer, Pflichtsoli, games left, totals."""
        deal, game = self.deal, self.round.games[-1]
        assert game.result is not None
        points, won, score, counted = deal.result()
        where = f"deal {len(self.round.games)}, {self.events[-1]}"
        assert [trick.winner for trick in game.tricks] == deal.takers, where
        assert set(game.result.re) == deal.re(), where
        void = any(ruling["class"] == "serious" for _, ruling in deal.rulings)
        if not void:
            assert dict(game.result.points) == points, where
            assert game.result.won_by == won, where
        assert {seat: game.result.score.get(seat, 0) for seat in deal.seats} == {
            seat: score.get(seat, 0) for seat in deal.seats
        }, where
        assert sum(game.result.score.values()) == 0, where
        assert (game.result.counted, game.result.void) == (counted, void), where
        if len(deal.tricks) == 12:
            expected = deal.breaches | deal.judged()[1]
            found = {(one.code, one.event, one.seat, one.section.removeprefix("ddv ")) for one in game.offences}
            assert found == expected, f"{where}: {sorted(found ^ expected, key=str)}"
        for seat, number in score.items():
            self.totals[seat] += number
        if not counted:
            return
        self.left -= 1
        if deal.duty and deal.who is not None:
            self.owed.discard(deal.who)
        if not deal.duty or deal.led_up is not None:  # 3.3, 4.2
            self.dealer = dealer % self.players + 1


def differ(seed: int) -> None:
    """Play one round by both readings."""
    try:
        Players(seed).play(8)
    except AssertionError as error:
        raise AssertionError(f"seed {seed}: {error}") from error


@pytest.mark.parametrize("first", range(0, 16, 8))
def test_both_readings_agree(first: int) -> None:
    for seed in range(first, first + 8):
        differ(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 1000 + 50 * int(os.environ.get("STICHWART_ROUNDS", "1")), 50))
def test_thousands_of_games(first: int) -> None:
    """``STICHWART_ROUNDS`` × 50 rounds of at most 8 deals."""
    for seed in range(first, first + 50):
        differ(seed)

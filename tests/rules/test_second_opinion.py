"""A second, plain reading of the book, written without the engine's parts, agrees on rounds played at random.

It looks at a whole game at once, where the engine goes event by event.
"""

import importlib.util
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import replay_data

pytestmark = pytest.mark.slow

_spec = importlib.util.spec_from_file_location("random_games", Path(__file__).with_name("test_random_games.py"))
assert _spec and _spec.loader
_random_games = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_random_games)

AUGEN = dict(zip("ATKQJ9", (11, 10, 4, 3, 2, 0), strict=True))
NORMAL = ["HT", "CQ", "SQ", "HQ", "DQ", "CJ", "SJ", "HJ", "DJ", "DA", "DT", "DK", "D9"]
TRUMPS = {
    "damensolo": ["CQ", "SQ", "HQ", "DQ"],
    "bubensolo": ["CJ", "SJ", "HJ", "DJ"],
    "fleischlos": [],
}
LIMIT = {"re": 11, "kontra": 11, "keine90": 10, "keine60": 9, "keine30": 8, "schwarz": 7}
STEPS = ["call", "keine90", "keine60", "keine30", "schwarz"]


def split(events: list[dict[str, Any]]) -> list[list[tuple[int, dict[str, Any]]]]:
    """The events of each deal with their numbers."""
    deals: list[list[tuple[int, dict[str, Any]]]] = []
    for number, event in enumerate(events):
        if event["event"] == "deal":
            deals.append([])
        if deals:
            deals[-1].append((number, event))
    return deals


class Second:
    """One deal, read a second time; ``players`` at the table, ``owed``: seats whose Pflichtsolo is outstanding."""

    def __init__(self, deal: list[tuple[int, dict[str, Any]]], players: int) -> None:
        self.deal = deal
        dealer = deal[0][1]["dealer"]
        self.seats = [(dealer + step) % players + 1 for step in range(4)]
        named = [event for _, event in deal if event["event"] == "declare"]
        self.named = named[-1] if named else None
        self.game = self.named["game"] if self.named else "normal"
        self.solo = self.game.endswith("solo") or self.game == "fleischlos"
        if self.game == "farbsolo":
            assert self.named
            self.trumps = [self.named["suit"] + rank for rank in "ATKQJ9"]
        else:
            self.trumps = TRUMPS.get(self.game, NORMAL)
        self.offences: list[tuple[str, int, int, int]] = []
        self.play()
        self.sides()
        self.calls()
        self.revokes()
        self.result()

    def kind(self, card: str) -> str:
        return "T" if card in self.trumps else card[0]

    def beats(self, new: str, old: str, led: str) -> bool:
        if new == old:
            return new == "HT" and self.trumps[:1] == ["HT"]
        if new in self.trumps:
            return old not in self.trumps or self.trumps.index(new) < self.trumps.index(old)
        if old in self.trumps or self.kind(new) != led:
            return False
        return "ATKQJ9".index(new[1]) < "ATKQJ9".index(old[1])

    def play(self) -> None:
        """Tricks from the cards that stayed on the table."""
        self.tricks: list[list[tuple[int, int, str]]] = [[]]  # (event, seat, card)
        self.winners: list[int] = []
        forehand = self.named["seat"] if self.named and self.solo else self.seats[0]
        for number, event in self.deal:
            if event["event"] == "retract":
                if not self.tricks[-1]:
                    self.tricks.pop()
                    self.winners.pop()
                gone = self.tricks[-1].pop()[0]
                self.offences = [o for o in self.offences if o[1] != gone]
            if event["event"] != "card":
                continue
            trick, seat = self.tricks[-1], event["seat"]
            first = trick[0][1] if trick else self.winners[-1] if self.winners else forehand
            around = self.seats[self.seats.index(first) :] + self.seats[: self.seats.index(first)]
            due = next(s for s in around if s not in [other for _, other, _ in trick])
            if seat != due:
                self.offences.append(("out_of_turn", number, number, seat))
            trick.append((number, seat, event["card"]))
            if len(trick) == 4:
                led, best = self.kind(trick[0][2]), trick[0]
                for one in trick[1:]:
                    if self.beats(one[2], best[2], led):
                        best = one
                self.winners.append(best[1])
                self.tricks.append([])
        self.tricks.pop()

    def sides(self) -> None:
        """Re by the cards, the named solo or the Klärungsstich."""
        self.shift, self.cleared, self.alone = 0, -1, None
        if self.named and self.solo:
            self.re = {self.named["seat"]}
            self.alone = self.named["seat"]
        elif self.named:
            seat = self.named["seat"]
            other = [n for n in range(3) if self.winners[n] != seat]
            self.shift = other[0] if other else 2
            self.cleared = self.tricks[self.shift][3][0]
            self.re = {seat, self.winners[self.shift]}
            self.alone = None if other else seat
        else:
            self.re = {seat for trick in self.tricks for _, seat, card in trick if card == "CQ"}
            self.alone = next(iter(self.re)) if len(self.re) == 1 else None

    def side(self, seat: int) -> str:
        return "re" if seat in self.re else "kontra"

    def clear(self, number: int, told: dict[int, str]) -> bool:
        """Every division into sides that the public facts before event ``number`` leave open."""
        if self.named and (self.solo or number > self.cleared):
            return True
        if self.named:
            return False
        queens = [e["seat"] for n, e in self.deal if n < number and e["event"] == "card" and e["card"] == "CQ"]
        taken = Counter(
            (e["seat"]) for n, e in self.deal if n < number and e["event"] == "retract" and e["card"] == "CQ"
        )
        queens = [s for s in set(queens) for _ in range(min(2, max(1, queens.count(s) - taken[s])))]
        if len(queens) >= 2:  # "both CQ seen", whatever was called
            return True
        told = {seat: side for seat, side in told.items() if seat not in queens}
        fits = 0
        for a in self.seats:
            for b in self.seats:
                if a <= b and all((s in (a, b)) == (side == "re") for s, side in told.items()):
                    dealt = [a, b]
                    fits += all(dealt.count(s) >= queens.count(s) for s in queens)
        return fits == 1

    def calls(self) -> None:  # noqa: C901 - a second opinion, written down as the book tells it
        """Windows, replies, steps and repetitions (5.2 to 5.5)."""
        self.level = {"re": 0, "kontra": 0}
        reply_only = {"re": False, "kontra": False}
        words: list[tuple[str, str, int]] = []
        told: dict[int, str] = {}
        clear = False
        declared = max([n for n, e in self.deal if e["event"] == "declare"], default=-1)
        for number, event in self.deal:
            if event["event"] != "announce":
                continue
            seat, word = event["seat"], event["call"]
            laid = sum(
                (e["event"] == "card") - (e["event"] == "retract")
                for n, e in self.deal
                if n < number and e.get("seat") == seat
            )
            hand = 12 - laid
            side = word if word in ("re", "kontra") else event.get("side") or self.side(seat)
            other = "kontra" if side == "re" else "re"
            if not event.get("together"):
                clear = self.clear(number, told)
            only = [s for s in ("re", "kontra") if self.level[s]]
            step = 1 if word == side else 1 + STEPS.index(word)
            mine = (side, word, seat) in words
            repeated = any(w[:2] == (side, word) for w in words)
            if mine:
                continue
            early = number < declared or (self.named is not None and not self.solo and number < self.cleared)
            own = hand >= LIMIT[word] - self.shift
            normal = hand >= 11 - self.shift
            standing = [11, 10, 9, 8, 7][self.level[other] - 1] if self.level[other] else None
            reply = standing is not None and not self.level[side] and hand >= standing - 1 - self.shift
            code = None
            if early:
                code = "early_announcement"
            elif not own and not (step == 1 and reply):
                code = "late_announcement"
            elif step > 1 and (reply_only[side] if self.level[side] else not normal):
                code = "unfounded_announcement"
            elif step > 1 and any(
                hand < [11, 10, 9, 8, 7][k - 1] - self.shift for k in range(max(2, self.level[side] + 1), step)
            ):
                code = "skipped_step"
            elif repeated and clear and not event.get("together"):
                code = "repeated_announcement"
            if code:
                self.offences.append((code, number, number, seat))
            if step == 1:
                if not self.level[side]:
                    reply_only[side] = not normal and code is None
                elif normal:
                    reply_only[side] = False
                told.setdefault(seat, side)
            elif event.get("side") or only == [side]:
                told.setdefault(seat, side)
            self.level[side] = max(self.level[side], min(5, step + 1) if repeated and not clear else step)
            words.append((side, word, seat))

    def revokes(self) -> None:
        """The first event after which the others' hands have no room for the suit that he did not follow."""
        scans: dict[int, list[str]] = {}
        table: dict[int, list[str]] = {seat: [] for seat in self.seats}
        shown: dict[int, Counter[str]] = {seat: Counter() for seat in self.seats}
        trick: list[tuple[int, int, str]] = []
        undone: list[list[tuple[int, int, str]]] = []
        open_moves: list[tuple[int, int, str, int]] = []
        deck = Counter({suit + rank: 2 for suit in "CSHD" for rank in "ATKQJ9"})
        for number, event in self.deal:
            if event["event"] == "hand":
                scans[event["seat"]] = event["cards"]
            elif event["event"] == "retract":
                if not trick:
                    trick = undone.pop()
                gone = trick.pop()
                table[event["seat"]].remove(event["card"])
                open_moves = [move for move in open_moves if move[0] != gone[0]]
                self.offences = [o for o in self.offences if o[1] != gone[0] or o[0] != "revoke"]
            elif event["event"] == "card":
                seat, card = event["seat"], event["card"]
                if trick and self.kind(card) != self.kind(trick[0][2]):
                    led = self.kind(trick[0][2])
                    open_moves.append((number, seat, led, sum(self.kind(c) == led for c in table[seat])))
                trick.append((number, seat, card))
                table[seat].append(card)
                shown[seat] |= Counter(table[seat])
                if len(trick) == 4:
                    undone.append(trick)
                    trick = []
            else:
                continue
            known = {s: Counter(scans[s]) if s in scans else shown[s] for s in self.seats}
            unseen = deck - sum(known.values(), Counter())
            for move in list(open_moves):
                breach, seat, led, before = move
                sure = sum(n for c, n in known[seat].items() if self.kind(c) == led) > before
                suit = sum(n for c, n in unseen.items() if self.kind(c) == led)
                elsewhere = sum(12 - known[s].total() for s in self.seats if s != seat)
                if sure or suit > elsewhere:
                    open_moves.remove(move)
                    self.offences.append(("revoke", breach, number, seat))

    def result(self) -> None:  # noqa: C901 - a second opinion, written down as the book tells it
        """Winner, value and score (6.1, 6.2)."""
        points, tricks = Counter({"re": 0, "kontra": 0}), Counter({"re": 0, "kontra": 0})
        for trick, winner in zip(self.tricks, self.winners, strict=True):
            points[self.side(winner)] += sum(AUGEN[card[1]] for _, _, card in trick)
            tricks[self.side(winner)] += 1
        self.points = dict(points)
        level = self.level
        need = {"re": 121, "kontra": 120} if not (level["kontra"] and not level["re"]) else {"re": 120, "kontra": 121}
        won = []
        for side, other in (("re", "kontra"), ("kontra", "re")):
            if level[side] == 5:
                good = tricks[other] == 0
            elif level[side] > 1:
                good = points[side] >= {2: 151, 3: 181, 4: 211}[level[side]]
            elif level[other] == 5:
                good = tricks[side] > 0
            elif level[other] > 1:
                good = points[side] >= {2: 90, 3: 60, 4: 30}[level[other]]
            else:
                good = points[side] >= need[side]
            if good:
                won.append(side)
        assert len(won) < 2
        self.won = won[0] if won else None
        ahead = self.won or "re"
        value = int(bool(won)) + int(self.won == "kontra" and self.alone is None)
        for loser in ("re", "kontra"):
            if self.won is None or loser != self.won:
                sign = -1 if self.won is None and loser == "re" else 1
                value += sign * (sum(points[loser] < limit for limit in (90, 60, 30)) + (tricks[loser] == 0))
        if self.won:
            value += sum(max(0, level[side] - 1) for side in level)
            value *= 2 ** sum(bool(level[side]) for side in level)
        if self.alone is None:
            for n, (trick, winner) in enumerate(zip(self.tricks, self.winners, strict=True)):
                sign = 1 if self.side(winner) == ahead else -1
                value += sign * (sum(AUGEN[card[1]] for _, _, card in trick) >= 40)
                value += sign * sum(card == "DA" and self.side(s) != self.side(winner) for _, s, card in trick)
                taking = next(card for _, s, card in trick if s == winner)
                value += sign * (n == 11 and taking in ("CJ", "DA"))
        gets = ahead
        if value < 0:
            gets, value = ("kontra" if ahead == "re" else "re"), -value
        self.score = {
            seat: value * (3 if seat == self.alone else 1) if self.side(seat) == gets else 0 for seat in self.seats
        }


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10**6),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.sampled_from([0.0, 0.4, 1.0]),
    st.sampled_from([0.02, 0.1]),
)
def test_both_readings_agree(seed: int, unlawful: float, scans: float, talk: float) -> None:
    events, _ = _random_games.random_round(seed, 2, unlawful, scans, talk)
    *games, _ = replay_data(fold(map(decode, events)))
    players = len(events[0]["players"])
    for deal, game in zip(split(events), games, strict=True):
        second = Second(deal, players)
        assert [trick["winner"] for trick in game["tricks"]] == second.winners
        assert set(game["re"]) == second.re
        assert game["points"] == second.points
        assert game["won_by"] == second.won
        assert {int(s): p for s, p in game["score"].items() if int(s) in second.seats} == second.score
        judged = ("revoke", "out_of_turn")
        found = {
            (o["code"], o["event"], o["proved"], o["seat"])
            for o in game["offences"]
            if o["code"] in judged or o["code"].endswith(("announcement", "step"))
        }
        assert found == set(second.offences)

"""A second reading of ddv, made from its text alone: it looks at a whole deal at once, the engine at each event.

It imports nothing of the rules and knows all hands. The sections are those of ``ddv``.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

AUGEN = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}  # 2.1
CARDS = [suit + rank for suit in "CSHD" for rank in "ATKQJ9"] * 2  # 2.1
QUEENS = ["CQ", "SQ", "HQ", "DQ"]
JACKS = ["CJ", "SJ", "HJ", "DJ"]
LATEST = {"re": 11, "kontra": 11, "keine90": 10, "keine60": 9, "keine30": 8, "schwarz": 7}  # 6.3, 6.4
STEP = {"re": 1, "kontra": 1, "keine90": 2, "keine60": 3, "keine30": 4, "schwarz": 5}
OTHER = {"re": "kontra", "kontra": "re"}

Event = dict[str, Any]
Breach = tuple[str, int, int, str]  # code, event, seat, section


class Laid(NamedTuple):
    """A card on the table."""

    event: int
    seat: int
    card: str


def trumps_of(game: str, suit: str | None) -> list[str]:
    """2.2: trumps from the top."""
    if game == "fleischlos":
        return []
    if game in ("damensolo", "bubensolo"):
        return QUEENS if game == "damensolo" else JACKS
    rest = [(suit or "D") + rank for rank in "ATK9"]
    return ["HT", *QUEENS, *JACKS, *(card for card in rest if card != "HT")]


@dataclass
class Deal:
    """What happened in a deal; seats from forehand on, who was dealt what."""

    seats: list[int]
    hands: dict[int, list[str]]
    owed: set[int]  # seats whose Pflichtsolo is outstanding
    led_up: int | None
    scanned: bool  # all hands were
    answers: list[tuple[int, int, str]] = field(default_factory=list)
    named: list[tuple[int, Event]] = field(default_factory=list)
    calls: list[tuple[int, Event]] = field(default_factory=list)
    tricks: list[list[Laid]] = field(default_factory=list)
    takers: list[int] = field(default_factory=list)
    open: list[Laid] = field(default_factory=list)
    breaches: set[Breach] = field(default_factory=set)
    claim: Event | None = None
    rulings: list[tuple[int, Event]] = field(default_factory=list)
    void: bool = False

    # The game

    @property
    def game(self) -> str:
        return self.named[-1][1]["game"] if self.named else "normal"

    @property
    def who(self) -> int | None:
        return self.named[-1][1]["seat"] if self.named else None

    @property
    def duty(self) -> bool:
        return bool(self.named) and bool(self.named[-1][1].get("duty"))

    @property
    def is_solo(self) -> bool:
        return self.game not in ("normal", "hochzeit")

    @property
    def trumps(self) -> list[str]:
        return trumps_of(self.game, self.named[-1][1].get("suit") if self.named else None)

    def kind(self, card: str) -> str:
        return "trump" if card in self.trumps else card[0]

    def taker(self, trick: list[Laid]) -> int:
        """5.3: the highest; of two equal ones that of the seat further forward."""
        first = self.seats.index(trick[0].seat)
        trumps, led = self.trumps, trick[0].card

        def height(laid: Laid) -> tuple[int, int]:
            if laid.card in trumps:
                return 2, -trumps.index(laid.card)
            follows = led not in trumps and laid.card[0] == led[0]
            return int(follows), -"ATKQJ9".index(laid.card[1])

        return max(sorted(trick, key=lambda one: (self.seats.index(one.seat) - first) % 4), key=height).seat

    def due(self) -> int:
        """5.1, 5.2: who is to lay; 4.2: the soloist leads a Pflichtsolo, 4.3: forehand a Lustsolo."""
        if self.open:
            first = self.seats.index(self.open[0].seat)
            laid = {one.seat for one in self.open}
            return next(seat for seat in self.seats[first:] + self.seats[:first] if seat not in laid)
        if self.takers:
            return self.takers[-1]
        return self.who if self.duty and self.who is not None else self.seats[0]

    def laid(self, seat: int) -> int:
        return sum(one.seat == seat for trick in (*self.tricks, self.open) for one in trick)

    # Sides

    @property
    def klaerung(self) -> tuple[int, int] | None:
        """4.4: the Klärungsstich of a Hochzeit and the event with which it was complete."""
        if self.game != "hochzeit":
            return None
        for number, taker in enumerate(self.takers[:3]):
            if taker != self.who or number == 2:
                return number, max(one.event for one in self.tricks[number])
        return None

    def re(self) -> set[int] | None:
        """2.3; None as long as a Hochzeit is not settled."""
        if self.is_solo:
            return {self.who or 0}
        if self.game == "hochzeit":
            return None if self.klaerung is None else {self.who or 0, self.takers[self.klaerung[0]]}
        return {seat for seat, cards in self.hands.items() if "CQ" in cards}

    def queens(self, until: int) -> list[int]:
        found = [one for trick in (*self.tricks, self.open) for one in trick if one.card == "CQ" and one.event <= until]
        return [one.seat for one in found]

    def soloist(self, event: int) -> int | None:
        """Who plays alone for all to see by an event: named, alone after the Klärungsstich, both CQ laid (4.4)."""
        if self.is_solo:
            return self.who
        if self.game == "hochzeit":
            alone = self.klaerung is not None and self.takers[self.klaerung[0]] == self.who
            return self.who if alone and self.klaerung is not None and event > self.klaerung[1] else None
        return next((seat for seat, number in Counter(self.queens(event)).items() if number == 2), None)

    def known(self) -> dict[int, str]:  # noqa: C901 - a second reading, written down as the book tells it
        """5.5: sides that are clear to all now."""
        re = self.re()
        if self.is_solo or (self.game == "hochzeit" and re is not None):
            return {seat: "re" if seat in (re or ()) else "kontra" for seat in self.seats}
        if self.game == "hochzeit":
            return {self.who or 0: "re"}
        queens = Counter(self.queens(10**9))
        told: dict[int, str] = {}
        spoken: set[str] = set()
        for _, call in self.calls:
            word = call["call"]
            side = word if STEP[word] == 1 else call.get("side")
            if side is None:
                side = told.get(call["seat"]) or (next(iter(spoken)) if len(spoken) == 1 else None)
                if side is None:
                    continue
            spoken.add(side)
            if STEP[word] == 1 or call.get("side") or spoken == {side}:
                told.setdefault(call["seat"], side)
        for trick in (*self.tricks, self.open):
            if trick and self.kind(trick[0].card) == "trump":
                told |= {one.seat: "kontra" for one in trick[1:] if self.kind(one.card) != "trump"}
        fits = []
        for first in self.seats:
            for second in self.seats:
                dealt = Counter((first, second))
                if all(dealt[seat] >= number for seat, number in queens.items()):
                    words = [(seat, side) for seat, side in told.items() if seat not in queens]
                    if queens.total() == 2 or all((seat in dealt) == (side == "re") for seat, side in words):
                        fits.append(set(dealt))
        found = {}
        for seat in self.seats:
            sides = {"re" if seat in fit else "kontra" for fit in fits}
            if len(sides) == 1:
                found[seat] = sides.pop()
        return found

    # Calls

    def judged(self, until: int = 10**9) -> tuple[dict[str, int], set[Breach]]:
        """6.3 to 6.5: the step of each side and what was wrong; all sides are known."""
        re = self.re() or set()
        real = {seat: "re" if seat in re else "kontra" for seat in self.seats}
        shift = self.klaerung[0] if self.klaerung else 0
        step, by_reply = {"re": 0, "kontra": 0}, {"re": False, "kontra": False}
        wrong: set[Breach] = set()
        said: list[tuple[str, str, int]] = []
        for event, call in self.calls:
            if event > until:
                break
            seat, word = call["seat"], call["call"]
            side = word if STEP[word] == 1 else call.get("side") or real[seat]
            if side != real[seat]:
                wrong.add(("wrong_side", event, seat, "6.3"))
            if (side, word, seat) in said:
                continue  # his own hint (6.5)
            code = self._wrong(event, call, side, step, by_reply, said, shift)
            if code:
                wrong.add((code[0], event, seat, code[1]))
            if STEP[word] == 1:
                in_time = self._hand(event, seat) >= 11 - shift
                by_reply[side] = (not in_time and code is None) if not step[side] else by_reply[side] and not in_time
            step[side] = max(step[side], STEP[word])
            said.append((side, word, seat))
        return step, wrong

    def _hand(self, event: int, seat: int) -> int:
        return 12 - sum(one.seat == seat and one.event < event for t in (*self.tricks, self.open) for one in t)

    def _wrong(
        self, event: int, call: Event, side: str, step: dict[str, int], by_reply: dict[str, bool],
        said: list[tuple[str, str, int]], shift: int,
    ) -> tuple[str, str] | None:  # fmt: skip
        word, hand = call["call"], self._hand(event, call["seat"])
        theirs, own = step[OTHER[side]], step[side]
        limits = {1: 11, 2: 10, 3: 9, 4: 8, 5: 7}
        if event < self.found_at() or (self.game == "hochzeit" and event < (self.klaerung or (0, 10**9))[1]):
            return "early_announcement", "6.3"
        if STEP[word] == 1:
            reply = theirs > 0 and not own and hand >= limits[theirs] - 1 - shift
            if hand < 11 - shift and not reply:
                return "late_announcement", "6.5" if theirs and not own else "6.3"
        else:
            if hand < limits[STEP[word]] - shift:
                return "late_announcement", "6.4"
            if not own and hand < 11 - shift:
                return "unfounded_announcement", "6.4"
            if own and by_reply[side]:
                return "unfounded_announcement", "6.5"
            if any(hand < limits[left_out] - shift for left_out in range(max(2, own + 1), STEP[word])):
                return "skipped_step", "6.5"
        if any(one[:2] == (side, word) for one in said) and not call.get("together"):
            return "repeated_announcement", "6.5"
        return None

    def found_at(self) -> int:
        """6.3: the event with which the game was found."""
        if self.named:
            return self.named[-1][0]
        cards = [one.event for trick in (*self.tricks, self.open) for one in trick]
        if not self.answers:
            return -1
        spoken: dict[int, str] = {}
        for event, seat, word in self.answers:
            spoken[seat] = word
            if len(spoken) == 4 and "vorbehalt" not in spoken.values():
                return event
        return min(cards, default=10**9)

    # The result

    def result(self) -> tuple[dict[str, int], str | None, dict[int, int], bool]:
        """7, 9: Augen of the finished tricks and the rest, who has won, what is written, whether it counts."""
        re = self.re() or set()
        ends = next(((e, r) for e, r in self.rulings if r["class"] in ("serious", "decided")), None)
        points, taken, kept = Counter({"re": 0, "kontra": 0}), Counter[str](), len(self.tricks)
        if ends and ends[1]["class"] == "decided":  # 9.5
            kept = next((n for n, t in enumerate(self.tricks) if max(o.event for o in t) >= ends[1]["breach"]), kept)
        for trick, taker in list(zip(self.tricks, self.takers, strict=True))[:kept]:
            side = "re" if taker in re else "kontra"
            points[side] += sum(AUGEN[one.card[1]] for one in trick)
            taken[side] += 1
        rest = None
        if ends and ends[1]["class"] == "decided":
            rest = "kontra" if ends[1]["offender"] in re else "re"
        elif self.claim is not None:  # 5.4
            own = self.claim["kind"] == "rest" and self.claim.get("accepted", True)
            rest = "re" if own else "kontra"
        if rest:
            points[rest] += 240 - points.total()
            taken[rest] += 1
        penalties = Counter[int]()
        for _, ruling in self.rulings:
            penalties.update(self.penalty(ruling))
        if ends and ends[1]["class"] == "serious":
            alone = self.soloist(ends[1]["breach"])
            return dict(points), None, dict(penalties), alone is not None and ends[1]["offender"] != alone
        won, score = self.scored(points, taken, re, kept, whole=rest is None)
        return dict(points), won, {seat: score[seat] + penalties[seat] for seat in self.seats}, True

    def penalty(self, ruling: Event) -> dict[int, int]:
        """9.3, 9.4, 9.5."""
        offender, alone = ruling["offender"], self.soloist(ruling["breach"])
        if ruling["class"] == "serious":
            side = "kontra" if offender in (self.re() or ()) else "re"
            steps = max(0, self.judged(ruling["breach"])[0][side] - 1)
            points = 12 + 3 * steps
            to_soloist = alone is not None and alone != offender
        else:
            points = 3
            to_soloist = alone is not None and alone != offender and ruling["harms_soloist"]
        if to_soloist and alone is not None:
            return {offender: -points, alone: points}
        return {seat: -points if seat == offender else points // 3 for seat in self.seats}

    def winner(self, points: Counter[str], taken: Counter[str], step: dict[str, int]) -> str | None:
        """7.1."""
        for side, other in OTHER.items():
            own, theirs = step[side], step[other]
            if own == 5:
                good = not taken[other]
            elif own >= 2:
                good = points[side] >= {2: 151, 3: 181, 4: 211}[own]
            elif theirs == 5:
                good = taken[side] > 0
            elif theirs >= 2:
                good = points[side] >= {2: 90, 3: 60, 4: 30}[theirs]
            else:
                only_kontra = step["kontra"] > 0 and not step["re"]
                good = points[side] >= (120 if (side == "kontra") != only_kontra else 121)
            if good:
                return side
        return None

    def scored(
        self, points: Counter[str], taken: Counter[str], re: set[int], kept: int, *, whole: bool
    ) -> tuple[str | None, dict[int, int]]:
        """7.2: value and score."""
        step = self.judged()[0]
        won = self.winner(points, taken, step)
        ahead = won or "re"
        alone = next(iter(re)) if len(re) == 1 else None
        value = 0
        for side, other in OTHER.items():
            sign = 1 if side == ahead else -1
            if won in (side, None):  # under what the other side stayed
                value += sign * (sum(points[other] < limit for limit in (90, 60, 30)) + (not taken[other]))
            for theirs, needed in ((2, 120), (3, 90), (4, 60), (5, 30)):
                value += sign * (step[other] >= theirs and points[side] >= needed)
            if won:
                value += 2 * (step[side] > 0) + max(0, step[side] - 1)
        value += won is not None
        if alone is None:
            value += won == "kontra"
            for number, (trick, taker) in enumerate(zip(self.tricks[:kept], self.takers, strict=False)):
                side = "re" if taker in re else "kontra"
                special = sum(AUGEN[one.card[1]] for one in trick) >= 40
                special += sum(one.card == "DA" and (one.seat in re) != (taker in re) for one in trick)
                best = next(one.card for one in trick if one.seat == taker)
                special += whole and number == 11 and best == "CJ"
                value += special if side == ahead else -special
        score = {seat: value if (seat in re) == (ahead == "re") else -value for seat in self.seats}
        if alone is not None:
            score[alone] *= 3
        return won, score

"""Play simulated rounds before a camera that is none: cards are reported as vision would, without a pixel.

It lets ten thousand cards be laid in a minute, to count what the table makes of arms, places and pauses of the camera.
How arms are seen is drawn from what films have shown (docs/measurements.md, *Who laid it*).
"""

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import quantiles
from typing import Any, TypeAlias

import numpy as np

from kiosk.bench.seeds import HELD_OUT
from kiosk.demo.answering import answer_of
from kiosk.demo.play import simulate
from kiosk.demo.report import misnoted_cards
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.round.fold import Round, open_round
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import ArmReached, CardGone, CardLaid, Report, Tick, TrickTaken
from vision.simulation.geometry import CardPose
from vision.simulation.habits import free_pose

#: The number of the game, the event that broke the rule, the breach's code, the seat.
Breach: TypeAlias = tuple[int, int, str, int]

CARD_MM = (59.0, 91.0)
#: Seconds for which an arm has been over the middle when its card lies there.
REACHED_S = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeing:
    """How a camera sees: pictures a second, how often (a second) and how long (s) it stalls, what it makes of arms."""

    fps: float = 15.0
    stalls: float = 0.0
    stall_s: tuple[float, float] = (0.5, 4.0)
    all_seen: bool = True  # nobody takes a trick in before the camera has seen it whole
    no_arm: float = 0.04  # share of the cards whose arm is not seen, as in films
    wrong_arm: float = 0.004  # and of those where another's is taken for it
    arm_rad: float = 0.07  # about a person's own bearing, which is beside the seat by
    shoulder_rad: float = 0.25


@dataclass(slots=True)
class _Lying:
    """A card on the mat that the camera may not have seen yet."""

    number: int
    seat: int
    card: str
    laid: float
    pose: CardPose
    seen: bool = False
    gone: float = math.inf
    trick: int = 0


class SightedTable:
    """A table before which a script is played.

    :param pace: seconds between two cards, at least and at most.
    """

    def __init__(
        self,
        script: Sequence[dict[str, Any]],
        seed: int = 0,
        seeing: Seeing | None = None,
        pace: tuple[float, float] = (0.6, 2.5),
    ) -> None:
        self.script, self.seeing, self.pace = script, seeing or Seeing(), pace
        #: Breaches ever shown, as (code, seat, game).
        self.accused: set[tuple[str, int, int]] = set()
        #: Since when each breach has stood in the game, s; after how many seconds it was shown, if it was.
        self._stood: dict[Breach, float] = {}
        self.shown_after_s: dict[Breach, float] = {}
        #: Questions who laid some cards, as their events.
        self.asked: set[frozenset[int]] = set()
        self._random, self._rng = Random(f"sighted {seed}"), np.random.default_rng([seed, 9])
        opening = decode_opening(script[0])
        self._layout = MatLayout(seats=5 if len(script[0]["players"]) == 5 else 4)
        self.table = Table(MemoryLog(), now=0.0, opening=opening, centres=self._layout.seat_places, wall=lambda: 0)
        self.truth: Round = open_round(opening)
        self._now, self._picture, self._stalled = 20.0, 20.0, 0.0
        self._lying: list[_Lying] = []
        self._left = {seat: self._random.random() < 0.12 for seat in self.table.round.seats}
        self._numbers = 0

    def play(self) -> Round:
        """Play the whole script; what the table has noted then."""
        for event in self.script[1:]:
            before = self.truth
            self.truth = before.apply(decode(event))
            match event["event"]:
                case "deal":
                    self._run(15.0)
                case "card":
                    self._lay(event["seat"], event["card"])
                case "retract":
                    self._run(0.8)
                    back = [one for one in self._lying if one.gone == math.inf and one.card == event["card"]]
                    back[-1].gone = self._now
                    self._run(2.5)
                case _:
                    self._run(0.7)
                    with contextlib.suppress(Refused):
                        self.table.request(decode_request({**event, "anyway": True}, BY_ALL))
            self._answer()
            if before.running and not self.truth.running:
                self._take()
                self._run(2.0)
                if self.table.round.running:
                    with contextlib.suppress(Refused):
                        self.table.request(decode_request({"event": "finish"}, BY_ALL))
        return self.table.round

    def _answer(self) -> None:
        """Say whose cards were, where that is asked: nobody who leads is accused before."""
        if not self.table.round.perhaps:
            return
        for doubt in self.table.view(self._now).doubts:
            said = answer_of(doubt, self.truth.games) if doubt.perhaps else None
            if said is not None:
                self.table.request(decode_request(said, BY_ALL))

    def _lay(self, seat: int, card: str) -> None:
        self._run(self._random.uniform(*self.pace))
        there = [one.pose for one in self._lying if one.gone == math.inf]
        pose = free_pose(self._layout, seat, there, CARD_MM, self._rng, lambda _: True)
        self._numbers += 1
        self._lying.append(_Lying(self._numbers, seat, card, self._now, pose))
        game = self.truth.game
        if game is not None and game.tricks and not game.open_trick:
            self._run(self._random.uniform(0.8, 1.6))
            while self.seeing.all_seen and any(not one.seen for one in self._lying):
                self._run(0.2)
            self._take()

    def _take(self) -> None:
        for one in self._lying:
            if one.gone == math.inf:
                one.gone, one.trick = self._now, self._numbers
        self._run(0.5)

    # --- what the camera sees of it

    def _run(self, seconds: float) -> None:
        """Let time go on, with the pictures that are taken in it."""
        self._now += seconds
        while True:
            next_ = max(self._picture + 1 / self.seeing.fps, self._stalled)
            if next_ > self._now:
                return
            self._look(next_)
            self._picture = next_
            if self._random.random() < self.seeing.stalls / self.seeing.fps:
                self._stalled = next_ + self._random.uniform(*self.seeing.stall_s)

    def _look(self, at: float) -> None:
        for report in (*self._departures(at), *self._arrivals(at), Tick(at=at)):
            self.table.observe(report, at)
            if not isinstance(report, Tick):
                self.asked |= {frozenset(asked) for asked in self.table.round.perhaps}
            self._watch_breaches(at)

    def _watch_breaches(self, at: float) -> None:
        game = self.table.round.game
        if game is None or not game.offences:
            return
        self.accused |= {(one.code, one.seat, game.number) for one in game.offences}
        for one in game.offences:
            self._stood.setdefault((game.number, one.event, one.code, one.seat), at)
        if self._stood.keys() - self.shown_after_s.keys():
            for shown in self.table.view(at).offences:
                breach = game.number, shown.event, shown.code, shown.seat
                self.shown_after_s.setdefault(breach, at - self._stood[breach])

    def standing_breaches(self) -> list[Breach]:
        """List the breaches that the table has noted in the end."""
        games = self.table.round.games
        return [(game.number, one.event, one.code, one.seat) for game in games for one in game.offences]

    def _departures(self, at: float) -> list[Report]:
        gone = [one for one in self._lying if one.gone <= at]
        self._lying = [one for one in self._lying if one.gone > at]
        tricks = {
            one.trick: [other.number for other in gone if other.trick == one.trick and other.seen] for one in gone
        }
        return [
            TrickTaken(at=at, cards=tuple(numbers)) if trick else CardGone(at=at, card=numbers[0])
            for trick, numbers in tricks.items()
            if numbers
        ]

    def _arrivals(self, at: float) -> list[Report]:
        new = [one for one in self._lying if not one.seen and one.laid <= at]
        self._random.shuffle(new)
        found: list[Report] = []
        for one in new:
            one.seen = True
            arm, share = self._arm(one.seat)
            found.append(
                CardLaid(
                    at=at,
                    card=one.number,
                    label=one.card,
                    margin=0.8,
                    choices=((one.card, 0.9),),
                    x=one.pose.x,
                    y=one.pose.y,
                    angle=one.pose.angle,
                    not_before=self._picture,
                    rested=at,
                    arm=arm,
                    arm_share=share,
                )
            )
            if arm is not None:
                found.append(ArmReached(at=at, since=one.laid - REACHED_S, until=at, bearing=arm))
        return found

    def _arm(self, seat: int) -> tuple[float | None, float]:
        chance = self._random.random()
        if chance < self.seeing.no_arm:
            return None, 0.0
        whose = seat
        if chance > 1 - self.seeing.wrong_arm:
            whose = self._random.choice([other for other in self._left if other != seat])
        beside = self.seeing.shoulder_rad * (-1 if self._left[whose] else 1)
        away = beside + self._random.gauss(0, self.seeing.arm_rad)
        return self._layout.seat_angle(whose) - away, self._random.choice((0.6, 0.8, 1.0, 1.0, 1.0, 1.0))


def judged(rounds: int) -> Iterator[tuple[str, str, str, bool | None]]:
    """Play rounds of all books and count cards of other seats and false accusations: what, value, wanted, met."""
    for what, offences, seeing, games in (
        ("breaches at one card in ten, arms as in films", 0.1, Seeing(), 9),
        ("the same, no arm seen", 0.1, Seeing(no_arm=1.0, wrong_arm=0.0), 9),
        ("no breaches, the camera stalls for up to 4 s", 0.0, Seeing(stalls=0.15), 4),
    ):
        cards = wrong = asked = accused = noted = 0
        shown_after_s: list[float] = []
        for seed in range(rounds):
            script = list(simulate(sorted(BOOKS)[seed % len(BOOKS)], HELD_OUT + seed, games, mistakes=offences))
            table = SightedTable(script, seed, seeing)
            told = table.play()
            cards += sum(event["event"] == "card" for event in script)
            found = misnoted_cards(table.truth, told, frozenset().union(*table.asked))
            wrong += sum(card.other_seat and not card.asked for card in found)
            asked += len(table.asked)
            stand = table.standing_breaches()
            noted += len(stand)
            shown_after_s += [table.shown_after_s[one] for one in stand if one in table.shown_after_s]
            accused += sum(code == "out_of_turn" for code, _, _ in table.accused) if not offences else 0
        if offences:
            met = None if seeing.no_arm == 1 else wrong <= cards / 10_000
            yield f"{what}: cards for another seat, nothing asked", f"{wrong} of {cards}", "≤ 1 in 10,000", met
            yield f"{what}: asked whose card it is", str(asked), "", None
            shown = f"{len(shown_after_s)} of {noted}, 95 % within {quantiles(shown_after_s, n=20)[-1]:.1f} s"
            yield f"{what}: breaches noted that were shown", shown, "all", len(shown_after_s) == noted
        else:
            yield f"{what}: ever accused of laying out of turn", f"{accused} in {cards} cards", "0", accused == 0

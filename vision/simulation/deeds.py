"""Animate what people do at a card table besides laying cards in turn and taking tricks in."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from vision.simulation.acts import COME_S, LEAVE_S, ActTarget, TimedAct, between, ease
from vision.simulation.geometry import CardPose
from vision.simulation.lights import Light
from vision.simulation.tabletop import PlacedCard

#: Seconds in which a thrown card leaves the hand, and flies and slides until it lies.
FLICK_S, THROWN_S = 0.25, 0.6
#: mm above the table at which a thrown card sets out, and its turns on the way.
THROWN_MM, SPIN_RAD = 60.0, 4.5
#: Seconds in which lying cards are pushed together, and in which a dealt packet comes across the mat.
PUSHED_S, DEALT_S = 0.5, 0.4
#: Seconds for which a camera that was knocked swings, and swings a second.
SWINGS_S, SWINGS_HERTZ = 0.7, 6.0

Place = tuple[float, float]
#: A card that lies there, with how it comes to lie: place, and whether its back is seen.
Change = tuple[PlacedCard, CardPose, bool]


@dataclass(slots=True, kw_only=True, eq=False)
class Throw(TimedAct):
    """A card is thrown from the rim: it flies, slides and turns until it lies somewhere."""

    seat: int
    card: PlacedCard
    release: Place  # mm, where it leaves the hand
    spin: float  # rad that it turns on its way

    @property
    def at_rest(self) -> float:
        """When the card lies still."""
        return self.start + FLICK_S + THROWN_S

    @property
    def uncovered(self) -> float:
        """When it is seen: no hand has been over it."""
        return self.at_rest

    def change(self, stage: ActTarget, now: float) -> None:
        self.once("laid", now >= self.at_rest, lambda: stage.lay_down(self.card))

    def draw(self, stage: ActTarget, picture: np.ndarray, now: float) -> None:
        away = stage.outside(self.seat, self.release)
        flown = min(1.0, max(0.0, (now - self.start - FLICK_S) / THROWN_S))
        share = 1 - (1 - flown) ** 2  # friction slows it down
        if now < self.at_rest:
            goal, speed = self.card.pose, 2 * (1 - flown) / THROWN_S
            tip = between(away, self.release, ease((now - self.start) / FLICK_S))
            x, y = between(self.release, (goal.x, goal.y), share) if flown else tip
            pose = CardPose(x, y, goal.angle - self.spin * (1 - share))
            held = PlacedCard(self.card.label, pose, self.card.face_down)
            way = (goal.x - self.release[0], goal.y - self.release[1])
            moves = (speed * way[0], speed * way[1]) if flown else (0.0, 0.0)
            stage.draw_card(picture, held, THROWN_MM * max(0.0, 1 - 2 * flown), moves)
        back = ease((now - self.start - FLICK_S) / LEAVE_S)
        reach = ease((now - self.start) / FLICK_S)
        stage.draw_hand(picture, self.seat, between(away, self.release, reach * (1 - back)), self.release)


@dataclass(slots=True, kw_only=True, eq=False)
class Arrange(TimedAct):
    """A hand pushes lying cards about or turns one over, where they are in the heap."""

    seat: int
    changes: list[Change]
    told: Callable[[PlacedCard, PlacedCard], None]  # takes a card as it lay and as it lies
    _now: dict[int, PlacedCard] = field(default_factory=dict)

    @property
    def at_rest(self) -> float:
        """When the cards lie as they are meant to."""
        return self.start + COME_S + PUSHED_S

    @property
    def uncovered(self) -> float:
        """When no hand hides them."""
        return self.at_rest + 0.65 * LEAVE_S

    def change(self, stage: ActTarget, now: float) -> None:
        share = ease((now - self.start - COME_S) / PUSHED_S)
        if share <= 0 or "lying" in self._done:
            return
        for place, (card, goal, face_down) in enumerate(self.changes):
            x, y = between((card.pose.x, card.pose.y), (goal.x, goal.y), share)
            angle = card.pose.angle + share * math.remainder(goal.angle - card.pose.angle, 2 * math.pi)
            back = face_down if share > 0.5 else card.face_down
            lying = stage.change_card(self._lying(place), CardPose(x, y, angle), back)
            self.told(self._lying(place), lying)
            self._now[place] = lying
        if share >= 1:
            self._done.add("lying")

    def _lying(self, place: int) -> PlacedCard:
        return self._now.get(place, self.changes[place][0])

    def draw(self, stage: ActTarget, picture: np.ndarray, now: float) -> None:
        def middle(share: float) -> Place:
            ways = [between((card.pose.x, card.pose.y), (goal.x, goal.y), share) for card, goal, _ in self.changes]
            return sum(x for x, _ in ways) / len(ways), sum(y for _, y in ways) / len(ways)

        touched = middle(ease((now - self.start - COME_S) / PUSHED_S))
        away = stage.outside(self.seat, touched)
        share = min(ease((now - self.start) / COME_S), 1 - ease((now - self.at_rest) / LEAVE_S))
        stage.draw_hand(picture, self.seat, between(away, touched, share), touched)


@dataclass(slots=True, kw_only=True, eq=False)
class Show(TimedAct):
    """A hand lays cards open for a while, as the last trick or a hand of cards, in the place of others."""

    seat: int
    cards: list[PlacedCard]
    instead: list[PlacedCard]  # what lies there before and after
    grip: Place
    stays: bool = False  # they go on lying there

    @property
    def at_rest(self) -> float:
        """When the cards lie open."""
        return self.start + COME_S

    @property
    def uncovered(self) -> float:
        """When no hand hides them."""
        return self.at_rest + 0.65 * LEAVE_S

    def change(self, stage: ActTarget, now: float) -> None:
        self.once("open", now >= self.at_rest, lambda: self._exchange(stage, self.instead, self.cards))
        if not self.stays:
            self.once("shut", now >= self.end - LEAVE_S, lambda: self._exchange(stage, self.cards, self.instead))

    def _exchange(self, stage: ActTarget, gone: list[PlacedCard], come: list[PlacedCard]) -> None:
        stage.pick_up(gone)
        for card in come:
            stage.lay_down(card)

    def draw(self, stage: ActTarget, picture: np.ndarray, now: float) -> None:
        away = stage.outside(self.seat, self.grip)
        moments = [self.at_rest] if self.stays else [self.at_rest, self.end - LEAVE_S]
        share = max(1 - ease(abs(now - at) / COME_S) for at in moments)
        stage.draw_hand(picture, self.seat, between(away, self.grip, share), self.grip)


@dataclass(slots=True, kw_only=True, eq=False)
class DealOut(TimedAct):
    """A packet of cards slides face down across the mat from who deals to somebody."""

    seat: int
    card: PlacedCard
    release: Place

    def change(self, stage: ActTarget, now: float) -> None:
        self.once("laid", now >= self.start + DEALT_S, lambda: stage.lay_down(self.card))

    def draw(self, stage: ActTarget, picture: np.ndarray, now: float) -> None:
        goal, share = self.card.pose, ease((now - self.start) / DEALT_S)
        if share < 1:
            x, y = between(self.release, (goal.x, goal.y), share)
            flying = PlacedCard(self.card.label, CardPose(x, y, goal.angle), True)
            stage.draw_card(picture, flying, 8.0, ((goal.x - x) / DEALT_S, (goal.y - y) / DEALT_S))
        stage.draw_hand(picture, self.seat, between(self.release, (goal.x, goal.y), 0.25 * share), self.release)


@dataclass(slots=True, kw_only=True, eq=False)
class Lean(TimedAct):
    """Somebody leans over the table: his head comes into the picture."""

    seat: int
    aim: Place

    def draw(self, stage: ActTarget, picture: np.ndarray, now: float) -> None:
        away = stage.outside(self.seat, self.aim)
        share = min(ease((now - self.start) / COME_S), ease((self.end - now) / LEAVE_S))
        x, y = between(away, self.aim, share)
        t = now - self.start
        stage.draw_head(picture, self.seat, (x + 7 * math.sin(1.3 * t), y + 6 * math.sin(1.9 * t)))


@dataclass(slots=True, kw_only=True, eq=False)
class Knock(TimedAct):
    """The camera is knocked: it swings and hangs otherwise then; px and rad from how it hung at first."""

    before: tuple[float, float, float]
    after: tuple[float, float, float]

    def change(self, stage: ActTarget, now: float) -> None:
        since = now - self.start
        left = max(0.0, 1 - since / SWINGS_S) ** 2 if now < self.end else 0.0
        swing = left * math.cos(2 * math.pi * SWINGS_HERTZ * since)
        x, y, turn = (b + (a - b) * swing for a, b in zip(self.before, self.after, strict=True))
        stage.change_view((x, y), turn)


@dataclass(slots=True, kw_only=True, eq=False)
class Relight(TimedAct):
    """Another lamp is lit, and stays."""

    light: Light
    shine: Callable[[Light], None]

    def change(self, stage: ActTarget, now: float) -> None:
        self.once("lit", True, lambda: self.shine(self.light))

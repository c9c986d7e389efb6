"""Animate what people do at the simulated table, each act drawn for a moment of its time."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from vision.simulation.geometry import CardPose
from vision.simulation.tabletop import PlacedCard

#: Seconds in which a hand comes in, sets a card down, and leaves.
COME_S = 0.42
SET_DOWN_S = 0.14
LEAVE_S = 0.4
#: Seconds in which a hand gathers a trick, and carries it off.
GATHER_S = 0.42
CARRY_S = 0.5
#: Height in mm of a held card above the table.
HELD_MM = 45.0


class ActTarget(Protocol):
    """Table that acts change; ``vision.simulation.film.SimCamera`` is one."""

    def lay_down(self, card: PlacedCard) -> None:
        """Put a card at rest on the table."""

    def pick_up(self, cards: list[PlacedCard]) -> None:
        """Take cards off the table."""

    def change_card(self, card: PlacedCard, pose: CardPose, face_down: bool) -> PlacedCard:
        """Change how a card lies, in its place in the heap; returns it as it lies now."""

    def draw_head(self, picture: np.ndarray, seat: int, at: tuple[float, float]) -> None:
        """Draw a seat's head from above with its middle at ``at`` (mm)."""

    def change_view(self, shift: tuple[float, float], turn: float) -> None:
        """Move the camera: everything is seen by so many px and rad elsewhere than at first."""

    def draw_card(self, picture: np.ndarray, card: PlacedCard, lift: float, speed: tuple[float, float]) -> None:
        """Draw a card in the air; ``speed`` in mm a second."""

    def draw_hand(self, picture: np.ndarray, seat: int, tip: tuple[float, float], aim: tuple[float, float]) -> None:
        """Draw a seat's hand with its finger tips at ``tip`` (mm), reaching for ``aim``."""

    def outside(self, seat: int, aim: tuple[float, float]) -> tuple[float, float]:
        """Compute where the finger tips are, in mm, when the hand that reaches for ``aim`` is out of the picture."""

    def exposed(self) -> float:
        """Return the exposure to which the camera has drifted, 1 at first."""

    def expose(self, level: float) -> None:
        """Set the exposure from now on."""

    def shine(self, level: float) -> None:
        """Set the lamp from now on, 1 when nothing is wrong with it."""

    def shift_mat(self, dx: float, dy: float, turn: float) -> None:
        """Move the mat there, measured from its first place: mm and radians."""


def end_of_laying(start: float, tempo: float = 1.0) -> float:
    """Return when a hand that sets out at ``start`` to lay a card has left; ``tempo``: times as long as usual."""
    return start + tempo * (COME_S + SET_DOWN_S + LEAVE_S)


def ease(share: float) -> float:
    """Map time, 0 … 1, to the share of a way that people move by then: slowly off, slowly to rest (minimum jerk)."""
    s = min(1.0, max(0.0, share))
    return s * s * s * (10 - 15 * s + 6 * s * s)


def between(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    """Return the point on the way from a to b."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


@dataclass(slots=True, kw_only=True, eq=False)
class TimedAct:
    """Something that takes time; ``start`` and ``end`` in seconds of the camera's clock."""

    start: float
    end: float
    _done: set[str] = field(default_factory=set)

    def once(self, what: str, due: bool, do: Callable[[], None]) -> None:
        """Do something the first time that it is due."""
        if due and what not in self._done:
            self._done.add(what)
            do()

    def change(self, stage: ActTarget, now: float) -> None:
        """Lay down or pick up what is due by now."""

    def draw(self, stage: ActTarget, picture: np.ndarray, now: float) -> None:
        """Draw hands and what they hold."""


@dataclass(slots=True, kw_only=True, eq=False)
class Lay(TimedAct):
    """A hand brings a card, lays it down and goes."""

    seat: int
    card: PlacedCard
    grip: tuple[float, float]  # where the finger tips are when it lies, mm
    tempo: float = 1.0  # times as long as usual

    @property
    def at_rest(self) -> float:
        """When the card lies still; the hand is still over it."""
        return self.start + self.tempo * (COME_S + SET_DOWN_S)

    @property
    def uncovered(self) -> float:
        """When the hand no longer hides it."""
        return self.at_rest + 0.65 * self.tempo * LEAVE_S

    def change(self, stage: ActTarget, now: float) -> None:
        self.once("laid", now >= self.at_rest, lambda: stage.lay_down(self.card))

    def draw(self, stage: ActTarget, picture: np.ndarray, now: float) -> None:
        away = stage.outside(self.seat, self.grip)
        come, down = self.tempo * COME_S, self.tempo * SET_DOWN_S
        if now < self.at_rest:
            share = ease((now - self.start) / come)
            tip = between(away, self.grip, share)
            lift = HELD_MM * (1 - ease((now - self.start - 0.5 * come) / (0.5 * come + down)))
            pose = self.card.pose
            turn = 0.35 * (1 - share)
            held = PlacedCard(
                self.card.label,
                CardPose(pose.x + tip[0] - self.grip[0], pose.y + tip[1] - self.grip[1], pose.angle + turn),
                self.card.face_down,
                self.card.thing,
            )
            ahead = between(away, self.grip, ease((now + 0.02 - self.start) / come))
            stage.draw_card(picture, held, lift, ((ahead[0] - tip[0]) / 0.02, (ahead[1] - tip[1]) / 0.02))
        else:
            tip = between(self.grip, away, ease((now - self.at_rest) / (self.tempo * LEAVE_S)))
        stage.draw_hand(picture, self.seat, tip, self.grip)


@dataclass(slots=True, kw_only=True, eq=False)
class Take(TimedAct):
    """A hand takes cards together, then lays them face down on a pile or carries them off."""

    seat: int
    cards: list[PlacedCard]
    target: CardPose | None  # None: out of the picture
    lays: PlacedCard | None  # what lies on the pile afterwards

    @property
    def lifted(self) -> float:
        """When the cards begin to move."""
        return self.start + COME_S

    @property
    def gone(self) -> float:
        """When they have left the middle."""
        return self.start + COME_S + self._gather + CARRY_S

    @property
    def _gather(self) -> float:
        return GATHER_S if len(self.cards) > 1 else SET_DOWN_S

    @property
    def _middle(self) -> tuple[float, float]:
        poses = [card.pose for card in self.cards]
        return sum(p.x for p in poses) / len(poses), sum(p.y for p in poses) / len(poses)

    def change(self, stage: ActTarget, now: float) -> None:
        self.once("lifted", now >= self.lifted, lambda: stage.pick_up(self.cards))
        lays = self.lays
        if lays is not None:
            self.once("put", now >= self.gone, lambda: stage.lay_down(lays))

    def draw(self, stage: ActTarget, picture: np.ndarray, now: float) -> None:
        middle = self._middle
        away = stage.outside(self.seat, middle)
        if now < self.lifted:
            stage.draw_hand(picture, self.seat, between(away, middle, ease((now - self.start) / COME_S)), middle)
            return
        goal = (self.target.x, self.target.y) if self.target is not None else away
        if now < self.gone:
            together = ease((now - self.lifted) / self._gather)
            share = ease((now - self.lifted - self._gather) / CARRY_S)
            tip = between(middle, goal, share)
            for n, card in enumerate(self.cards):
                x, y = between((card.pose.x, card.pose.y), middle, 0.93 * together)
                angle = card.pose.angle
                if self.target is not None:  # the shorter way round to the pile's angle
                    angle += math.remainder(self.target.angle - angle, math.pi) * max(0.6 * together, share)
                face_down = card.face_down or (share > 0.55 and self.lays is not None)
                moved = CardPose(x + tip[0] - middle[0], y + tip[1] - middle[1], angle)
                flying = PlacedCard(card.label, moved, face_down, card.thing)
                stage.draw_card(picture, flying, 12 * together * (1 - 0.8 * share) + 0.5 * n, (0.0, 0.0))
            stage.draw_hand(picture, self.seat, tip, middle)
            return
        if self.target is not None:
            stage.draw_hand(
                picture,
                self.seat,
                between(goal, stage.outside(self.seat, goal), ease((now - self.gone) / LEAVE_S)),
                goal,
            )


@dataclass(slots=True, kw_only=True, eq=False)
class Hover(TimedAct):
    """A hand stays over the table and lays nothing."""

    seat: int
    aim: tuple[float, float]

    def draw(self, stage: ActTarget, picture: np.ndarray, now: float) -> None:
        away = stage.outside(self.seat, self.aim)
        share = min(ease((now - self.start) / COME_S), ease((self.end - now) / LEAVE_S))
        x, y = between(away, self.aim, share)
        t = now - self.start
        stage.draw_hand(picture, self.seat, (x + 6 * math.sin(2.1 * t), y + 5 * math.sin(2.9 * t)), self.aim)


@dataclass(slots=True, kw_only=True, eq=False)
class LampChange(TimedAct):
    """The lamp flickers or goes down for a while: ``depth`` 0.3 is 30 % darker, 1 black."""

    depth: float
    hertz: float  # 0: once down and up again

    def change(self, stage: ActTarget, now: float) -> None:
        share = (now - self.start) / (self.end - self.start)
        if now >= self.end:
            stage.shine(1.0)
        elif self.hertz:
            stage.shine(1 - self.depth * (0.5 - 0.5 * math.cos(2 * math.pi * self.hertz * (now - self.start))))
        else:
            stage.shine(1 - self.depth * min(1.0, 6 * min(share, 1 - share)))


@dataclass(slots=True, kw_only=True, eq=False)
class Drift(TimedAct):
    """The camera's exposure drifts to a level and stays there."""

    level: float
    _first: float | None = None

    def change(self, stage: ActTarget, now: float) -> None:
        if self._first is None:
            self._first = stage.exposed()
        share = ease((now - self.start) / (self.end - self.start))
        stage.expose(self._first + (self.level - self._first) * share)


@dataclass(slots=True, kw_only=True, eq=False)
class Push(TimedAct):
    """The mat is pushed with all that lies on it; measured from its first place, mm and radians."""

    before: tuple[float, float, float]
    after: tuple[float, float, float]

    def change(self, stage: ActTarget, now: float) -> None:
        share = ease((now - self.start) / (self.end - self.start))
        dx, dy, turn = (a + (b - a) * share for a, b in zip(self.before, self.after, strict=True))
        stage.shift_mat(dx, dy, turn)

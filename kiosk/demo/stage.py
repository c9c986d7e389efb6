"""A round played before the simulated camera: cards become acts of hands, everything that is said becomes a request.

The script is a truth round of ``kiosk.demo.play``. What the table makes of it is none of this module's business, but
for one thing: like people at a table, the players answer a question that is still open when a game is over.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from kiosk.rules.cards import Card
from kiosk.table.fold import Round, open_round
from kiosk.table.view import TableView

Event = dict[str, Any]

#: Seconds of the table's time: after a card lies uncovered somebody speaks; a full trick is looked at; a game is talked
#: over.
SPEAK, LOOK, TALK = 0.7, 0.8, 1.5
#: Seconds between two frames: nothing is timed finer.
FRAME = 1 / 15
#: Seconds that a player thinks, at least and at most.
THINK = (0.05, 0.5)


class Hands(Protocol):
    """Who does things at the simulated table; ``vision.process.VisionProcess`` is one."""

    def act(self, name: str, *arguments: Any, **named: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class Acted:
    """When a card lies uncovered, or an act is over, in seconds of the camera's time."""

    uncovered: float
    end: float


class Stage:
    """Plays a script; call ``step`` whenever camera time has reached ``due`` and every act was answered.

    :param ask: takes a player's request, as a finger's on the screen.
    :param view: the table as it shows itself.
    """

    def __init__(
        self, script: list[Event], hands: Hands, ask: Callable[[Event], None], view: Callable[[], TableView], seed: int
    ) -> None:
        self.script = script
        self.truth: Round = open_round(script[0])
        self.due = 0.5
        self.done = False
        self.cards = 0
        self.answered = 0  # questions that a player had to answer
        self.waiting = False  # for the answer to an act
        self._hands, self._ask, self._view = hands, ask, view
        self._random = Random(seed)
        self._settled = 0.0  # the last card lies uncovered
        self._lying = 0
        self._steps = self._play()

    def acted(self, uncovered: float, end: float) -> None:
        """The camera says when the act asked for last takes place."""
        self.waiting = False
        self._last = Acted(uncovered, end)

    def step(self, now: float) -> None:
        """Go on, if it is time."""
        while not self.done and not self.waiting and now > self.due - FRAME + 1e-6:
            try:
                self.due = next(self._steps)
            except StopIteration:
                self.done = True

    def _act(self, name: str, *arguments: Any) -> None:
        self.waiting = True
        self._hands.act(name, *arguments)

    def _play(self) -> Iterator[float]:
        """Yields the time from which to go on."""
        for event in self.script[1:]:
            before = self.truth
            self.truth = before.apply(event)
            match event["event"]:
                case "release" | "deal":  # the director's, and the table's own
                    continue
                case "card":
                    yield from self._lay(event["seat"], event["card"])
                case "retract":
                    self._act("take_back", event["card"], event["seat"])
                    self._lying -= 1
                    yield self.due
                    self._settled = self._last.end
                    yield self._settled + SPEAK
                case _:
                    yield max(self.due, self._settled + SPEAK)
                    self._ask(dict(event))
            if len(self.truth.games) > len(before.games):
                yield from self._game_over()

    def _lay(self, seat: int, card: Card) -> Iterator[float]:
        self._act("lay", card, seat)
        self.cards += 1
        self._lying += 1
        yield self.due  # the answer says when
        self._settled = self._last.uncovered
        game = self.truth.game
        assert game is not None
        if game.tricks and not game.open_trick:
            yield self._settled + LOOK
            winner = game.tricks[-1].winner
            self._act("collect", winner)
            self._lying = 0
            yield self.due
            self._settled = self._last.end
        yield self._settled + self._random.uniform(*THINK)

    def _game_over(self) -> Iterator[float]:
        if self._lying:
            self._act("clear")
            self._lying = 0
            yield self.due
            self._settled = self._last.end
        yield self._settled + TALK
        for doubt in self._view().doubts:
            card = self._laid(doubt.game, doubt.trick, doubt.seat)
            self.answered += 1
            self._ask({"event": "correct", "of": doubt.event, "card": card, "by": f"seat {doubt.seat}", "why": "asked"})
        yield self.due

    def _laid(self, game: int, trick: int, seat: int) -> Card:
        """What a player knows to have laid."""
        played = next(one for one in self.truth.games if one.number == game)
        return next(laid.card for laid in played.tricks[trick - 1].cards if laid.seat == seat)

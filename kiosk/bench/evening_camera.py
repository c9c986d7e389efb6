"""Lay cards before the simulated camera of an evening, in granted time."""

from collections.abc import Callable
from contextlib import ExitStack
from random import Random

from kiosk.app.kiosk import Kiosk
from kiosk.app.watching import set_up
from kiosk.demo.decks import deck_for, simulated_deck_file
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.cards import Card
from vision.messages import ActArgument, Acted, SimSettings, Tick, VisionSettings
from vision.service.stepped import SteppedVision

#: Seconds of the table's time: after which somebody speaks once a card is uncovered, for which a full trick stays, for
#: which people talk about a game, between two frames.
SPEAK_S, LOOK_S, TALK_S, FRAME_S = 0.7, 0.8, 1.5, 1 / 15
#: Seconds that a player thinks, at least and at most; and after which a card that was laid must have been seen.
THINK_S, SEEN_S = (0.05, 0.5), 3.0


class Camera:
    """The simulated camera with hands before it; its time is the table's.

    :param after: called after each step of its time: what has come is shown.
    """

    def __init__(self, stack: ExitStack, book: str, seed: int, seats: int, after: Callable[[], None]) -> None:
        rules = BOOKS[book]
        self.deck = deck_for(rules, None)
        self.folder = simulated_deck_file(self.deck, rules).parent
        self.vision = stack.enter_context(
            SteppedVision(
                VisionSettings(
                    deck=self.deck,
                    deck_folder=self.folder,
                    source="sim:",
                    seats=seats,
                    sim=SimSettings(art=self.deck, seed=seed, ticks=0.3),
                )
            )
        )
        self.now = 0.0
        self._after, self._rng = after, Random(f"camera {seed}")
        self._kiosk: Kiosk | None = None
        self._acted: Acted | None = None
        self._settled = 0.0
        self.lying = 0  # cards in the middle of the mat
        self._won = 0

    def join(self, kiosk: Kiosk) -> None:
        """Report to this table from now on."""
        self._kiosk = kiosk
        kiosk.add(set_up(self.vision, kiosk, self.deck, teachable=False))

    def advance(self, until: float) -> None:
        """Let its time run on."""
        assert self._kiosk is not None
        self.vision.advance(until)
        for message in self.vision.until(until):
            if isinstance(message, Acted):
                self._acted = message
            elif isinstance(message, Tick):
                self.now = message.at
            self._kiosk.deliver(message)
            self._kiosk.beat()
        self._after()

    def wait(self, seconds: float) -> None:
        """Let so much time pass after the last act has come to rest."""
        until = max(self.now, self._settled) + seconds
        while self.now < until - FRAME_S:
            self.advance(min(until, self.now + 1.0))

    def _act(self, name: str, *arguments: ActArgument, **named: ActArgument) -> Acted:
        self._acted = None
        self.vision.act(name, *arguments, **named)
        while self._acted is None:
            self.advance(self.now + FRAME_S)
        return self._acted

    def lay(self, card: Card, seat: int, *, down: bool = False) -> None:
        """A hand lays a card; returns when it lies uncovered and a player has thought."""
        self._settled = self._act("lay", card, seat, **({"face_down": True} if down else {})).uncovered
        self.lying += 1
        self.wait(self._rng.uniform(*THINK_S))

    def take_back(self, card: Card, seat: int) -> None:
        """A hand takes a card back."""
        self._settled = self._act("take_back", card, seat).end
        self.lying -= 1
        self.wait(SPEAK_S)

    def collect(self, seat: int) -> None:
        """A full trick goes to who has won it."""
        self.wait(LOOK_S)
        self._settled = self._act("collect", seat).end
        self.lying = 0
        self._won += 1

    def clear(self, seat: int) -> None:
        """The game is over: all cards are taken from the mat."""
        if self.lying:
            self.collect(seat)
        if self._won:
            self._settled = self._act("clear").end
            self._won = 0
        self.wait(TALK_S)

"""What people do at a card table besides laying cards in turn: a repertoire from a seed, each with its frequency.

None of it changes what is played: the truth stays the script's, so each card, before and after, can be compared.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from kiosk.errors import KioskError
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.tricks import Laid
from kiosk.table.round.fold import Round
from vision.messages import ActArgument

#: An act of the simulated table with its arguments.
Doing = tuple[str, tuple[ActArgument, ...]]

#: Seconds for which a card lies that is taken back.
SHOWN_S = (0.3, 1.4)
#: Of what was done last, so many are watched until the table agrees.
WATCHED = 8


@dataclass(frozen=True, slots=True)
class Manner:
    """Something that people do; ``chance`` for each card laid."""

    name: str
    chance: float


MANNERS = {
    one.name: one
    for one in (
        Manner("hand-stays", 0.04),  # over the table, for a moment or long
        Manner("upon-another", 0.03),  # right upon the card laid last
        Manner("taken-back", 0.02),  # within two seconds, and laid after all
        Manner("thing", 0.01),  # a telephone, a glass and the like is put down, or taken away
        Manner("mat-pushed", 0.006),
        Manner("lamp", 0.006),  # it flickers, or goes out for a moment
    )
}
#: All of them together.
ALL = "all"
_THINGS = ("phone", "glass", "beer mat", "visiting card")


def manners_named(name: str) -> dict[str, float]:
    """Return what people do, with its chances: all together, or one alone and often.

    :raises KioskError: there is no such manner.
    """
    if name == ALL:
        return {one.name: one.chance for one in MANNERS.values()}
    if name not in MANNERS:
        raise KioskError(f"no manner {name!r}; choose one of {', '.join((ALL, *MANNERS))}")
    return {name: 0.15}


#: Where a card is: number of its game and trick, and its seat.
CardPlace = tuple[int, int, int]


def card_place(game: Game, seat: int) -> CardPlace:
    """Find the place of the card that a seat has just laid."""
    return game.number, len(game.tricks) + (1 if game.open_trick else 0), seat


@dataclass(slots=True)
class Done:
    """Something that somebody did with a card; ``agreed``: seconds until the table had noted the card as laid."""

    name: str
    place: CardPlace
    laid: float = 0.0
    agreed: float | None = None


class Manners:
    """The manners of the people in a round; ``done``: what they did."""

    def __init__(self, chances: dict[str, float], seed: int) -> None:
        self._chances, self._random = chances, Random(f"manners {seed}")
        self._things: list[tuple[str, int]] = []
        self.done: list[Done] = []

    def with_card(self, place: CardPlace, lying: int) -> str | None:
        """Choose what is done with a card, or after it; ``lying``: cards that lie in its trick before it."""
        for name, chance in self._chances.items():
            if self._random.random() < chance and (lying or name != "upon-another"):
                self.done.append(Done(name, place))
                return name
        return None

    def laid(self, at: float) -> None:
        """Note when the card that was chosen last was uncovered, s."""
        self.done[-1].laid = at

    def watch(self, truth: Round, told: Round, at: float) -> None:
        """Note which cards the table has rightly by now."""
        for one in self.done[-WATCHED:]:
            if one.agreed is None and one.laid:
                was, noted = _laid(truth, one.place), _laid(told, one.place)
                if was is not None and noted is not None and was.card == noted.card:
                    one.agreed = max(0.0, at - one.laid)

    def after(self, name: str, seat: int) -> Iterator[Doing]:
        """Yield what is done after a card was laid."""
        rng = self._random
        match name:
            case "hand-stays":
                yield "hover", (rng.randint(1, 4), rng.choice((0.8, 1.5, 4.0)))
            case "thing" if self._things and rng.random() < 0.6:
                yield "remove", self._things.pop()
            case "thing":
                free = [one for one in _THINGS if one not in {put for put, _ in self._things}]
                if free:
                    self._things.append((rng.choice(free), seat))
                    yield "put", self._things[-1]
            case "mat-pushed":
                yield "push_mat", (rng.gauss(0, 6), rng.gauss(0, 6), rng.gauss(0, 0.012))
            case "lamp" if rng.random() < 0.5:
                yield "flicker", ()
            case "lamp":
                yield "darken", (rng.uniform(0.5, 1.5),)

    def shown_s(self) -> float:
        """Return for how long a card lies that is taken back."""
        return self._random.uniform(*SHOWN_S)

    def figures(
        self, told: Round, misnoted: Collection[CardPlace], doubted: Collection[int]
    ) -> dict[str, dict[str, Any]]:
        """Count by name: how often, cards right, noted in doubt at first, seconds until table and truth agreed.

        :param doubted: events of cards that were noted in doubt.
        """
        found: dict[str, dict[str, Any]] = {}
        for one in self.done:
            row = found.setdefault(one.name, {"often": 0, "right": 0, "asked": 0, "seconds": []})
            row["often"] += 1
            row["right"] += one.place not in misnoted
            laid = _laid(told, one.place)
            row["asked"] += laid is not None and laid.event in doubted
            row["seconds"] += [] if one.agreed is None else [round(one.agreed, 2)]
        return found


def _laid(round: Round, place: CardPlace) -> Laid | None:
    number, trick, seat = place
    games = [*round.games, *([round.game] if round.game is not None else [])]
    game = next((game for game in reversed(games) if game.number == number), None)
    tricks = [*(one.cards for one in game.tricks), game.open_trick] if game is not None else []
    cards = tricks[trick - 1] if trick <= len(tricks) else ()
    return next((laid for laid in cards if laid.seat == seat), None)

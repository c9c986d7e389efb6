"""What people do at a card table besides laying cards in turn: a repertoire from a seed, each with its frequency.

None of it changes what is played: the truth stays the script's, so each card, before and after, can be compared.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from random import Random
from typing import Any

from kiosk.demo.afterwards import AFTERWARDS, LAMPS, Doing
from kiosk.errors import KioskError, shorten
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.tricks import Laid
from kiosk.table.round.fold import Round
from vision.simulation.busy_table import FOREIGN

#: Seconds for which a card lies that is taken back, or lies face down before it is turned over.
SHOWN_S = (0.3, 1.4)
#: Of what was done last, so many are watched until the table agrees.
WATCHED = 40


class When(Enum):
    """Moments of a game at which something is done."""

    CARD = auto()  # with a card, or after it
    ON_CARDS = auto()  # the same, once a card lies there
    NOT_LAST = auto()  # the same, with a card that others of its trick follow
    LEAD = auto()  # with a whole trick
    FULL = auto()  # with the last card of a trick
    DEAL = auto()
    CLAIM = auto()
    ALWAYS = auto()  # with all cards of a person


@dataclass(frozen=True, slots=True)
class Manner:
    """Something that people do; ``chance`` for each card laid, each deal, each claim, or for each person."""

    name: str
    chance: float
    when: When = When.CARD


MANNERS = {
    one.name: one
    for one in (
        Manner("hand-stays", 0.03),  # over the table, for a moment or long
        Manner("upon-another", 0.02, When.ON_CARDS),  # right upon the card laid last
        Manner("taken-back", 0.015),  # within two seconds, and laid after all
        Manner("thrown", 0.03),  # from far: it slides and turns, and one in three stops at the rim, half outside
        Manner("face-down", 0.012),  # it falls face down, and is turned over
        Manner("two-at-once", 0.02, When.NOT_LAST),  # the next one lays at the same time
        Manner("haste", 0.02, When.LEAD),  # a trick with a card every 0.4 s
        Manner("slowness", 0.008),  # a hand that takes three times as long, and thinks
        Manner("pushed-straight", 0.02),  # cards of the trick, by anybody
        Manner("leaning", 0.012),  # a head over the mat, or a sleeve right across it
        Manner("under-sheet", 0.01),  # the score sheet is put upon a part of the card
        Manner("thing", 0.01),  # a telephone, a glass, a card of another deck is put down, or taken away
        Manner("gathered-early", 0.02, When.FULL),  # before the last card has come to rest
        Manner("wrong-winner", 0.03, When.FULL),  # takes the trick in, and hands it over to the right one
        Manner("last-trick", 0.03, When.FULL),  # is looked at: on its pile, or in the middle again
        Manner("mat-pushed", 0.006),  # and now and then turned
        Manner("camera-knocked", 0.004),
        Manner("lamp", 0.006),  # it flickers, or goes out for a moment
        Manner("lamp-changed", 0.003),  # another one is lit, in the middle of a trick
        Manner("dealt-across", 0.15, When.DEAL),  # packets slide over the mat
        Manner("lamp-between", 0.05, When.DEAL),  # another lamp is lit between two games
        Manner("hand-open", 0.7, When.CLAIM),  # who claims the rest lays it open, before or after he says it
        Manner("left", 0.1, When.ALWAYS),
        Manner("child", 0.08, When.ALWAYS),
        Manner("gloves", 0.05, When.ALWAYS),
        Manner("rings", 0.15, When.ALWAYS),
        Manner("nails", 0.1, When.ALWAYS),
        Manner("checks", 0.15, When.ALWAYS),  # on the sleeve
    )
}
#: All of them together.
ALL = "all"
#: How often something alone is done, by when it is.
_ALONE = {When.ALWAYS: 1.0, When.DEAL: 1.0, When.CLAIM: 1.0, When.LEAD: 0.5, When.FULL: 0.5}
_THINGS = ("phone", "glass", "beer mat", "visiting card", FOREIGN)


def manners_named(name: str) -> dict[str, float]:
    """Return what people do, with its chances: all together, or one alone and often.

    :raises KioskError: there is no such manner.
    """
    if name == ALL:
        return {one.name: one.chance for one in MANNERS.values()}
    if name not in MANNERS:
        raise KioskError(f"no manner {shorten(name)}; choose one of {', '.join((ALL, *MANNERS))}")
    return {name: _ALONE.get(MANNERS[name].when, 0.15)}


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

    def __init__(self, chances: dict[str, float], seed: int, seats: Sequence[int] = (1, 2, 3, 4)) -> None:
        self._chances, self._random, self._seats = chances, Random(f"manners {seed}"), seats
        self._things: list[tuple[str, int]] = []
        self._dressed: dict[int, str] = {}
        self._hasty: tuple[int, int] | None = None  # game and trick that is played in haste
        self._begun: list[Done] = []  # what is done with the card that is being laid
        self.done: list[Done] = []

    def dress(self) -> Iterator[Doing]:
        """Yield who has what hands."""
        for seat in self._seats:
            name = self._drawn(When.ALWAYS)
            if name is not None:
                self._dressed[seat] = name
                yield "dress", (seat, name)

    def with_card(self, place: CardPlace, lying: int, last: bool) -> str | None:
        """Choose what is done with a card, or after it.

        :param lying: cards that lie in its trick before it; ``last``: it makes the trick full.
        """
        whens = [When.CARD, When.FULL if last else When.NOT_LAST, When.ON_CARDS if lying else When.LEAD]
        name = self._drawn(*whens) if self._hasty != place[:2] else "haste"
        self._hasty = place[:2] if name == "haste" else None
        names = [one for one in (name, self._dressed.get(place[2])) if one is not None]
        self._begun = [Done(one, place) for one in names]
        self.done += self._begun
        return name

    def at_deal(self, dealer: int, place: CardPlace) -> Iterator[Doing]:
        """Yield what is done when cards are dealt."""
        name = self._drawn(When.DEAL)
        if name == "dealt-across":
            yield "deal", (dealer,)
        elif name == "lamp-between":
            yield "relight", (self._random.choice(LAMPS),)
        if name is not None:
            self.done.append(Done(name, place))

    def at_claim(self, place: CardPlace) -> bool | None:
        """Choose whether a hand is laid open with a claim: before it is said, after it, or (None) not."""
        if self._drawn(When.CLAIM) is None:
            return None
        self.done.append(Done("hand-open", place))
        return self._random.random() < 0.5

    def _drawn(self, *whens: When) -> str | None:
        for name, chance in self._chances.items():
            if MANNERS[name].when in whens and self._random.random() < chance:
                return name
        return None

    def laid(self, at: float) -> None:
        """Note when the card that was chosen last was uncovered, s."""
        for one in self._begun:
            one.laid = at

    def watch(self, truth: Round, told: Round, at: float) -> None:
        """Note which cards the table has rightly by now."""
        for one in self.done[-WATCHED:]:
            if one.agreed is None and one.laid:
                was, noted = _laid(truth, one.place), _laid(told, one.place)
                if was is not None and noted is not None and was.card == noted.card:
                    one.agreed = max(0.0, at - one.laid)

    def after(self, name: str, seat: int) -> Iterator[Doing]:
        """Yield what is done after a card was laid."""
        if name == "thing":
            yield from self._thing(seat)
        elif name in AFTERWARDS:
            yield from AFTERWARDS[name](self._random, seat, self._seats)

    def _thing(self, seat: int) -> Iterator[Doing]:
        if self._things and self._random.random() < 0.6:
            yield "remove", self._things.pop()
            return
        free = [one for one in _THINGS if one not in {put for put, _ in self._things}]
        if free:
            self._things.append((self._random.choice(free), seat))
            thing = self._things[-1]
            yield ("put_card", (seat,)) if thing[0] == FOREIGN else ("put", thing)

    def to_rim(self) -> bool:
        """Choose whether a card that is thrown stops at the rim of the middle."""
        return self._random.random() < 0.35

    def other(self, seats: Sequence[int], seat: int) -> int:
        """Choose another seat."""
        return self._random.choice([one for one in seats if one != seat])

    def in_the_middle(self) -> bool:
        """Choose whether the last trick is looked at in the middle of the mat."""
        return self._random.random() < 0.3

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

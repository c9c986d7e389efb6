"""Decide who loses a Ramsch, in which everybody plays for himself: who has taken the most Augen.

Who loses, or wins it with every trick, is written as the Re side, so that the book's own rules count and write it. What
follows is as clubs have it (docs/books.md): no book of the six has a Ramsch.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kiosk.rules.engine.announcements import KONTRA, RE
from kiosk.rules.engine.scoring import Item, Part, Tally, number
from kiosk.rules.engine.tricks import Trick
from kiosk.rules.options.option import Options

if TYPE_CHECKING:
    from kiosk.rules.engine.game import Game


class Apart(NamedTuple):
    """Those whom the others are set against, and which of the two have won; nobody: all are equal."""

    seats: frozenset[int]
    winner: str


def apart(game: "Game", offender: int | None) -> Apart:
    """Return who has lost a Ramsch, or won it alone.

    :param offender: whose breach has ended it, who has lost it by that; None: nobody's.
    """
    if offender is not None:
        return Apart(frozenset({offender}), KONTRA)
    if game.ended != "cards":
        return Apart(frozenset(), KONTRA)
    taken = [trick.winner for trick in game.tricks]
    if len(set(taken)) == 1 and game.options["durchmarsch"]:
        return Apart(frozenset(taken), RE)
    losing = losers(game.seats, game.tricks, game.options)
    if len(losing) == len(game.seats):
        return Apart(frozenset(), KONTRA)
    if len(losing) == len(game.seats) - 1:  # three lose as much as they do to one who plays alone
        return Apart(frozenset(game.seats) - losing, RE)
    return Apart(losing, KONTRA)


def losers(seats: Sequence[int], tricks: Sequence[Trick], options: Options) -> frozenset[int]:
    """Return who has the most Augen; of several, by the option ``ramsch_equal``, one or all."""
    augen = {seat: sum(trick.points for trick in tricks if trick.winner == seat) for seat in seats}
    most = [seat for seat in seats if augen[seat] == max(augen.values())]
    taken = [trick.winner for trick in tricks]
    if options["ramsch_equal"] == "tricks":
        most = [seat for seat in most if taken.count(seat) == max(map(taken.count, most))]
    elif options["ramsch_equal"] == "last_trick":
        most = [next(seat for seat in reversed(taken) if seat in most)]
    return frozenset(most)


def jungfrauen(tally: Tally) -> Sequence[Item]:
    """Double a Ramsch for each player without a trick, a usual rule of clubs; not where one took them all and won."""
    if tally.game != "ramsch" or not tally.complete:
        return ()
    none = set(tally.seats) - {trick.winner for trick in tally.tricks}
    if tally.winner == RE and len(none) == len(tally.seats) - 1:
        return ()
    return [Item("jungfrau", number(tally.options, "factor_jungfrau"), Part.FACTOR) for _ in none]

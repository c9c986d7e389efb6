"""What every step of a game needs: that a game runs, a breach with its section, its end."""

from collections.abc import Sequence

from kiosk.errors import shorten
from kiosk.rules.engine.book import Kind, RuleBook
from kiosk.rules.engine.evolve import evolve, forget
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.result import score
from kiosk.rules.engine.values import Impossible, Offence


def check_playing(game: Game, seat: int | None = None) -> None:
    """Check that a game runs, and that ``seat`` plays in it.

    :raises Impossible: naming who does.
    """
    if game.ended:
        raise Impossible("no game is running; deal first")
    if seat is not None and seat not in game.seats:
        raise Impossible(f"seat {seat} does not play in this game; {listed(game.seats)} do")


def listed(seats: Sequence[int]) -> str:
    """Return the seats for an error's text."""
    return "seats " + ", ".join(map(str, sorted(seats)))


def kind_of(book: RuleBook, game: str) -> Kind:
    """Return the declarable game of that name.

    :raises Impossible: if the book does not have it.
    """
    for kind in book.kinds:
        if kind.game == game:
            return kind
    raise Impossible(f"{book.name} has no game {shorten(game)}; it has {', '.join(kind.game for kind in book.kinds)}")


def fault(game: Game, code: str, seat: int, event: int, section: str, proved: int | None = None) -> Offence:
    """Return a breach by ``event``, certain with the event ``proved``, or at once; its section names the book."""
    return Offence(
        code=code,
        seat=seat,
        event=event,
        proved=event if proved is None else proved,
        section=game.book.cite(section),
    )


def end(game: Game, how: str) -> Game:
    """Return the game ended and scored; ``how``: cards, claim, ruling or not_played."""
    game = evolve(game, ended=how, objection=None)
    return forget(evolve(game, result=score(game)))

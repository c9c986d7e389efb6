"""Whole rounds of the demo: a book's round is laid before the simulated camera, the director's list compared.

The list of rounds goes over all books, all decks that a book is played with, and all lights. The same number is always
the same round.
"""

import contextlib
import io
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from statistics import median
from typing import Any

from kiosk.bench.vision import Row, Told
from kiosk.bench.work import Done, Piece, together
from kiosk.demo.decks import fitting
from kiosk.rules.books import BOOKS
from vision.bench import HELD_OUT
from vision.intervals import at_most, share
from vision.sim.lights import LIGHTS

#: Rounds on the list, and of a quick measurement with its games.
COUNT, QUICK, QUICK_GAMES = 120, 2, 1
#: Rounds of the list that are played again before a camera that gives JPEG pictures, and their quality.
AGAIN, JPEG = 24, 90


@dataclass(frozen=True, slots=True)
class Planned:
    """One round of the list."""

    rules: str
    deck: str
    players: int
    light: str
    seed: int
    offences: float


def planned(count: int = COUNT) -> Iterator[Planned]:
    """The first rounds of the list: book after book, each with its decks and the lights in turn.

    Where a book is played by five, every fourth round is; in every third round people make mistakes.
    """
    books, lights = list(BOOKS), list(LIGHTS)
    for number in range(count):
        turn, place = divmod(number, len(books))
        book = BOOKS[books[place]]
        decks = fitting(book)
        yield Planned(
            rules=books[place],
            deck=decks[turn % len(decks)],
            players=5 if 5 in book.tables and turn % 4 == 3 else 4,
            light=lights[(turn + place + turn // len(lights)) % len(lights)],
            seed=HELD_OUT + number,
            offences=0.002 if number % 3 == 0 else 0.0,
        )


def play(games: int | None = None, **planned_: Any) -> dict[str, Any]:
    """One round from its first card to the director's list.

    :returns: the demo's figures; ``notes`` of what was not as it was played; ``outcome``: right, asked (the list is not
        right, but of each game that is wrong something is asked) or silent; seconds of processor time ``cpu``.
    """
    from kiosk.demo.run import Demo, DemoTable

    start = _used()
    with contextlib.redirect_stdout(io.StringIO()), DemoTable(Demo(games=games, headless=True, **planned_)) as table:
        table.play_headless()
        figures, notes = table.figures, table.notes
    outcome = "silent" if figures.silent else "asked" if figures.wrong else "right"
    return {**asdict(figures), "notes": notes, "outcome": outcome, "cpu": round(_used() - start, 1)}


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + usage.ru_utime + usage.ru_stime


def _pieces(quick: bool, jpeg: bool = False) -> list[Piece]:
    count = QUICK if quick else AGAIN if jpeg else COUNT
    return [
        Piece(
            "rounds-jpeg" if jpeg else "rounds",
            f"{one.rules}, {one.deck}, {one.players} players, {one.light}, seed {one.seed}",
            "kiosk.bench.rounds:play",
            {**asdict(one), "games": QUICK_GAMES if quick else None, **({"jpeg": JPEG} if jpeg else {})},
        )
        for one in planned(count)
    ]


def tell(done: Sequence[Done]) -> Told:
    """How many rounds were right, asked, silently wrong; and each that was not right."""
    if not done:
        return
    all_ = together({**piece.result, "outcome": [piece.result["outcome"]]} for piece in done)
    outcomes, count = all_["outcome"], len(done)
    right, silent = outcomes.count("right"), outcomes.count("silent")
    yield "rounds with every row right", share(right, count), "≥ 0.99", right / count >= 0.99
    yield "rounds with a wrong row of which nothing is asked", at_most(silent, count), "none", silent == 0
    yield "rounds with a wrong row, and asked", str(outcomes.count("asked")), "", None
    yield "cards laid / noted", f"{all_['cards']} / {all_['seen']}", "", None
    games = all_["games"]
    often = 2 * all_["answered"] / games
    value = f"{all_['answered']} in {games} games ({often:.2f} in two)"
    yield "questions that people had to answer", value, "≤ 1 in two", often <= 1
    yield "cards noted in doubt at first", str(all_["asked"]), "", None
    yield "requests refused", str(all_["refused"]), "", None
    per_card = [piece.result["cpu"] / max(1, piece.result["cards"]) for piece in done]
    yield "processor time a card, s, median", f"{median(per_card):.3f}", "", None
    for piece in done:
        if piece.result["outcome"] != "right" or piece.result["refused"]:
            yield piece.piece.what, "; ".join([piece.result["outcome"], *piece.result["notes"][:6]]), "", None


ROUNDS = {
    row.name: row
    for row in (
        Row("rounds", "whole rounds", _pieces, tell),
        Row("rounds-jpeg", "some before a camera that gives JPEG pictures", partial(_pieces, jpeg=True), tell),
    )
}

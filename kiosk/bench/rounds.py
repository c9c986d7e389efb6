"""Measure whole rounds of the demo: a book's round before the simulated camera against the director's list.

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

from kiosk.bench.figure import FigureLines
from kiosk.bench.intervals import at_most, share
from kiosk.bench.pieces import Piece, PieceResult, summed
from kiosk.bench.seeds import HELD_OUT
from kiosk.bench.vision_rows import FigureRow
from kiosk.demo.decks import fitting
from kiosk.demo.manners import ALL
from kiosk.rules.books import BOOKS
from vision.simulation.lights import LIGHTS

#: Rounds on the list; of a quick measurement, with so many games each.
COUNT = 120
#: And with all that people do besides.
PEOPLE_ROUNDS = 200
QUICK_ROUNDS = 2
QUICK_GAMES = 1
#: Rounds of the list that are played again before a camera that gives JPEG pictures, and their quality.
JPEG_ROUNDS = 24
JPEG_QUALITY = 90


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """One round of the list."""

    rules: str
    deck: str
    players: int
    light: str
    seed: int
    offences: float


def planned_rounds(count: int = COUNT) -> Iterator[PlannedRound]:
    """List the first rounds: book after book, each with its decks and the lights in turn.

    Where a book is played by five, every fourth round is; in every third round people make mistakes.
    """
    books, lights = list(BOOKS), list(LIGHTS)
    for number in range(count):
        turn, place = divmod(number, len(books))
        book = BOOKS[books[place]]
        decks = fitting(book)
        yield PlannedRound(
            rules=books[place],
            deck=decks[turn % len(decks)],
            players=5 if 5 in book.tables and turn % 4 == 3 else 4,
            light=lights[(turn + place + turn // len(lights)) % len(lights)],
            seed=HELD_OUT + number,
            offences=0.002 if number % 3 == 0 else 0.0,
        )


def play_round(games: int | None = None, **planned_: Any) -> dict[str, Any]:
    """Play one round from its first card to the director's list.

    :returns: the demo's figures; ``notes`` of what was not as it was played; ``outcome``: right, asked (the list is not
        right, but of each game that is wrong something is asked) or silent; seconds of processor time ``cpu``.
    """
    from kiosk.demo.demo_table import Demo, DemoTable
    from kiosk.demo.run import play_headless

    start = _used()
    with contextlib.redirect_stdout(io.StringIO()), DemoTable(Demo(games=games, headless=True, **planned_)) as table:
        play_headless(table)
        figures, notes = table.figures, table.notes
    outcome = "silent" if figures.silent else "asked" if figures.wrong else "right"
    return {**asdict(figures), "notes": notes, "outcome": outcome, "cpu": round(_used() - start, 1)}


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + usage.ru_utime + usage.ru_stime


def _pieces(quick: bool, jpeg: bool = False, people: str | None = None, untaught: bool = False) -> list[Piece]:
    count = QUICK_ROUNDS if quick else JPEG_ROUNDS if jpeg else PEOPLE_ROUNDS if people else COUNT
    row = "rounds-untaught" if untaught else "rounds-people" if people else "rounds-jpeg" if jpeg else "rounds"
    return [
        Piece(
            row,
            f"{one.rules}, {one.deck}, {one.players} players, {one.light}, seed {one.seed}",
            "kiosk.bench.rounds:play_round",
            {
                **asdict(one),
                "games": QUICK_GAMES if quick else None,
                **({"jpeg": JPEG_QUALITY} if jpeg else {}),
                **({"people": people} if people else {}),
                **({"untaught": True} if untaught else {}),
            },
        )
        for one in planned_rounds(count)
    ]


def round_lines(done: Sequence[PieceResult]) -> FigureLines:
    """Count rounds that were right, asked, silently wrong; and describe each that was not right."""
    if not done:
        return
    all_ = summed({**piece.result, "outcome": [piece.result["outcome"]], "people": 0} for piece in done)
    outcomes, count = all_["outcome"], len(done)
    right, silent = outcomes.count("right"), outcomes.count("silent")
    yield "rounds with every row right", share(right, count), "≥ 0.99", right / count >= 0.99
    yield "rounds with a wrong row of which nothing is asked", at_most(silent, count), "none", silent == 0
    yield "rounds with a wrong row, and asked", str(outcomes.count("asked")), "", None
    yield "cards laid / noted", f"{all_['cards']} / {all_['seen']}", "", None
    misnoted, misplaced = all_["misnoted"], all_["misplaced"]
    value = f"{misnoted} ({misplaced} for another seat)"
    yield "cards noted otherwise than laid, nothing asked", value, "≤ 1 in 10,000", misnoted <= all_["cards"] / 10_000
    accused = all_["accused"]
    yield "accused at any time of what nobody did", str(accused), "none", accused == 0
    games = all_["games"]
    often = 2 * all_["answered"] / games
    value = f"{all_['answered']} in {games} games ({often:.2f} in two)"
    yield "questions that people had to answer", value, "≤ 1 in two", often <= 1
    yield "cards noted in doubt at first", str(all_["asked"]), "", None
    yield from _untaught_lines([piece.result for piece in done if piece.result.get("untaught")])
    yield "requests refused", str(all_["refused"]), "", None
    per_card = [piece.result["cpu"] / max(1, piece.result["cards"]) for piece in done]
    yield "processor time a card, s, median", f"{median(per_card):.3f}", "", None
    yield from _people_lines([piece.result.get("people", {}) for piece in done])
    for piece in done:
        not_right = piece.result["outcome"] != "right" or piece.result["misnoted"] or piece.result["accused"]
        if not_right or piece.result["refused"]:
            yield piece.piece.what, "; ".join([piece.result["outcome"], *piece.result["notes"][:6]]), "", None


def _untaught_lines(rounds: Sequence[dict[str, Any]]) -> FigureLines:
    """Count the questions until a deck that nobody had taught was learned in play, and after that."""
    if not rounds:
        return
    first = [one["answered_untaught"] for one in rounds]
    later = [one["answered"] - one["answered_untaught"] for one in rounds if one["learned_after"]]
    yield "questions until the deck was learned, most of a round", str(max(first)), "≤ 6", max(first) <= 6
    if later:
        yield "questions after that, most of a round", str(max(later)), "≤ 1", max(later) <= 1
    games = sorted(one["learned_after"] for one in rounds if one["learned_after"])
    value = f"{len(games)} of {len(rounds)} rounds" + (f", after {median(games):.0f} games (median)" if games else "")
    yield "deck learned in play", value, "", None


def _people_lines(rounds: Sequence[dict[str, dict[str, Any]]]) -> FigureLines:
    """Count what people did besides: cards right, noted in doubt at first, seconds until table and truth agreed."""
    for name in dict.fromkeys(name for one in rounds for name in one):
        row = summed(one[name] for one in rounds if name in one)
        took = sorted(row["seconds"]) or [0.0]
        value = f"{row['asked']} in doubt at first; agreed after {median(took):.1f} s, {took[-1]:.1f} s at most"
        yield f"{name}: cards right", share(row["right"], row["often"]), "≥ 0.995", row["right"] >= 0.995 * row["often"]
        yield f"{name}", value, "", None


ROUNDS = {
    row.name: row
    for row in (
        FigureRow("rounds", "whole rounds", _pieces, round_lines),
        FigureRow(
            "rounds-jpeg", "some before a camera that gives JPEG pictures", partial(_pieces, jpeg=True), round_lines
        ),
        FigureRow("rounds-untaught", "with a deck that nobody taught", partial(_pieces, untaught=True), round_lines),
        FigureRow("rounds-people", "with all that people do besides", partial(_pieces, people=ALL), round_lines),
    )
}

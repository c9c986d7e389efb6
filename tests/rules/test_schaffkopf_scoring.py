"""Who has won a game of Schafkopf and for how much (schaffkopf II 5)."""

from typing import Any

import pytest

from kiosk.rules.books import SCHAFFKOPF
from kiosk.rules.engine.announcements import KONTRA, RE
from kiosk.rules.engine.scoring import Tally


def tally(game: str, re: int, taken: tuple[int, int], alone: bool, winner: str | None = None, **options: Any) -> Tally:
    return Tally(
        seats=(2, 3, 4, 1),
        re=frozenset((2,)) if alone else frozenset((2, 4)),
        soloist=2 if alone else None,
        tricks=(),
        complete=True,
        points={RE: re, KONTRA: 120 - re},
        taken={RE: taken[0], KONTRA: taken[1]},
        level={RE: 0, KONTRA: 0},
        options=SCHAFFKOPF.settle(options),
        winner=winner,
        bock=False,
        doubled=False,
        game=game,
    )


def scored(game: str, re: int, taken: tuple[int, int] = (4, 4), **options: Any) -> tuple[str, str, list[int]]:
    """Winner, reasons, what the seats are written (seat 2 first, who plays, then 3, 4, 1)."""
    alone = game not in ("rufspiel", "muss")
    won = SCHAFFKOPF.winner(tally(game, re, taken, alone, **options))
    done = tally(game, re, taken, alone, won, **options)
    items = tuple(item for rule in SCHAFFKOPF.scoring for item in rule(done))
    score = SCHAFFKOPF.write(done, items)
    assert sum(score.values()) == 0
    return won or "", " ".join(f"{item.name}{item.number}" for item in items), [score[seat] for seat in (2, 3, 4, 1)]


def row(game: str, re: int, taken: tuple[int, int], won: str, reasons: str, score: list[int], name: str) -> Any:
    return pytest.param(game, re, taken, won, reasons, score, id=name)


W, L = RE, KONTRA
RUF, RUF_LOST = [1, -1, 1, -1], [-1, 1, -1, 1]


def times(score: list[int], factor: int) -> list[int]:
    return [factor * number for number in score]


@pytest.mark.parametrize(
    ("game", "re", "taken", "won", "reasons", "score"),
    [
        # II 5.2, the table of values, won and lost
        row("sie", 120, (1, 0), W, "base12", [36, -12, -12, -12], "5.2 Sie"),
        row("solo-tout", 120, (8, 0), W, "base6", [18, -6, -6, -6], "5.2 Solo-Tout"),
        row("wenz-tout", 120, (8, 0), W, "base6", [18, -6, -6, -6], "5.2 Wenz-Tout"),
        row("solo", 120, (8, 0), W, "base3 schneider1 schwarz1", [15, -5, -5, -5], "5.2 Solo Schneider schwarz"),
        row("solo", 91, (5, 3), W, "base3 schneider1", [12, -4, -4, -4], "5.2 Solo Schneider"),
        row("solo", 61, (4, 4), W, "base3", [9, -3, -3, -3], "5.2 Solo"),
        row("wenz", 120, (8, 0), W, "base3 schneider1 schwarz1", [15, -5, -5, -5], "5.2 Wenz Schneider schwarz"),
        row("wenz", 91, (5, 3), W, "base3 schneider1", [12, -4, -4, -4], "5.2 Wenz Schneider"),
        row("wenz", 61, (4, 4), W, "base3", [9, -3, -3, -3], "5.2 Wenz"),
        row("rufspiel", 120, (8, 0), W, "base1 schneider1 schwarz1", times(RUF, 3), "5.2 Rufspiel Schneider schwarz"),
        row("rufspiel", 91, (5, 3), W, "base1 schneider1", times(RUF, 2), "5.2 Rufspiel Schneider"),
        row("rufspiel", 61, (4, 4), W, "base1", RUF, "5.2 Rufspiel"),
        row("solo", 0, (0, 8), L, "base3 schneider1 schwarz1", [-15, 5, 5, 5], "5.2 Solo lost schwarz"),
        row("rufspiel", 0, (0, 8), L, "base1 schneider1 schwarz1", times(RUF_LOST, 3), "5.2 Rufspiel lost schwarz"),
        # II 5.1.1: all tricks, whatever the Augen; no Schneider, no schwarz
        row("solo-tout", 120, (7, 1), L, "base6", [-18, 6, 6, 6], "5.1.1 Tout with a trick of 0 Augen given away"),
        row("wenz-tout", 0, (0, 8), L, "base6", [-18, 6, 6, 6], "5.1.1 Tout lost without a trick"),
        # II 5.1.2: more than 60; Schneider at 30 and below 30; schwarz without a trick
        row("solo", 60, (4, 4), L, "base3", [-9, 3, 3, 3], "5.1.2 60 is lost"),
        row("rufspiel", 60, (4, 4), L, "base1", RUF_LOST, "5.1.2 Rufspiel 60:60 is lost"),
        row("rufspiel", 31, (3, 5), L, "base1", RUF_LOST, "5.1.2 31 is no Schneider"),
        row("rufspiel", 30, (3, 5), L, "base1 schneider1", times(RUF_LOST, 2), "5.1.2 30:90 is Schneider"),
        row("rufspiel", 90, (5, 3), W, "base1", RUF, "5.1.2 the others with 30 are no Schneider"),
        row("rufspiel", 91, (5, 3), W, "base1 schneider1", times(RUF, 2), "5.1.2 the others with 29 are Schneider"),
        row("wenz", 120, (7, 1), W, "base3 schneider1", [12, -4, -4, -4], "5.1.2 a trick of 0 Augen is not schwarz"),
        # II 5.1.3: as if the sides were swapped
        row("muss", 60, (4, 4), W, "base1", RUF, "5.1.3 60:60 is won"),
        row("muss", 59, (4, 4), L, "base1", RUF_LOST, "5.1.3 59 is lost"),
        row("muss", 30, (3, 5), L, "base1", RUF_LOST, "5.1.3 30:90 against the players is no Schneider"),
        row("muss", 29, (3, 5), L, "base1 schneider1", times(RUF_LOST, 2), "5.1.3 29 is Schneider"),
        row("muss", 90, (5, 3), W, "base1 schneider1", times(RUF, 2), "5.1.3 the others with 30 are Schneider"),
        row("muss", 89, (5, 3), W, "base1", RUF, "5.1.3 the others with 31 are not"),
        row("muss", 120, (8, 0), W, "base1 schneider1 schwarz1", times(RUF, 3), "5.1.3 schwarz as in a Rufspiel"),
        row("muss", 0, (0, 8), L, "base1 schneider1 schwarz1", times(RUF_LOST, 3), "5.1.3 lost schwarz"),
    ],
)
def test_values(game: str, re: int, taken: tuple[int, int], won: str, reasons: str, score: list[int]) -> None:
    assert scored(game, re, taken) == (won, reasons, score)


@pytest.mark.parametrize(
    ("options", "game", "re", "taken", "won", "reasons"),
    [
        pytest.param({"win_points": 60}, "solo", 60, (4, 4), W, "base3", id="win_points"),
        pytest.param({"win_points": 62}, "muss", 59, (4, 4), W, "base1", id="win_points of a Muss-Spiel"),
        pytest.param({"schneider_points": 29}, "solo", 30, (3, 5), L, "base3", id="schneider_points"),
        pytest.param({"value_sie": 10}, "sie", 120, (1, 0), W, "base10", id="value_sie"),
        pytest.param({"value_tout": 8}, "wenz-tout", 120, (8, 0), W, "base8", id="value_tout of a Wenz"),
        pytest.param({"value_tout": 8}, "solo-tout", 120, (8, 0), W, "base8", id="value_tout of a Solo"),
        pytest.param({"value_solo": 5}, "solo", 61, (4, 4), W, "base5", id="value_solo"),
        pytest.param({"value_wenz": 2}, "wenz", 61, (4, 4), W, "base2", id="value_wenz"),
        pytest.param({"value_rufspiel": 2}, "rufspiel", 61, (4, 4), W, "base2", id="value_rufspiel"),
        pytest.param({"value_muss": 2}, "muss", 61, (4, 4), W, "base2", id="value_muss"),
        pytest.param({"value_schneider": 2}, "solo", 91, (4, 4), W, "base3 schneider2", id="value_schneider"),
        pytest.param({"value_schwarz": 3}, "solo", 120, (8, 0), W, "base3 schneider1 schwarz3", id="value_schwarz"),
    ],
)
def test_numbers_as_options(
    options: dict[str, Any], game: str, re: int, taken: tuple[int, int], won: str, reasons: str
) -> None:
    assert scored(game, re, taken, **options)[:2] == (won, reasons)

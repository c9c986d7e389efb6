"""Who has won and for how much (eppstein 6.1, 6.2)."""

from typing import Any

import pytest

from kiosk.rules.books import EPPSTEIN
from kiosk.rules.engine.announcements import KONTRA, RE
from kiosk.rules.engine.scoring import Tally, total
from kiosk.rules.engine.tricks import Laid, Trick

LEVELS = {"": 0, "R": 1, "K": 1, "90": 2, "60": 3, "30": 4, "s": 5}


def tally(
    re_points: int,
    re_level: str = "",
    kontra_level: str = "",
    *,
    taken: tuple[int, int] | None = None,
    soloist: int | None = None,
    tricks: tuple[Trick, ...] = (),
    complete: bool = True,
    winner: str | None = None,
    **options: Any,
) -> Tally:
    re = frozenset((1,)) if soloist else frozenset((1, 3))
    if taken is None:
        taken = (int(re_points > 0) * 6, int(re_points < 240) * 6)
    return Tally(
        seats=(1, 2, 3, 4),
        re=re,
        soloist=soloist,
        tricks=tricks,
        complete=complete,
        points={RE: re_points, KONTRA: 240 - re_points},
        taken={RE: taken[0], KONTRA: taken[1]},
        level={RE: LEVELS[re_level], KONTRA: LEVELS[kontra_level]},
        options=EPPSTEIN.settle(options),
        winner=winner,
        bock=False,
        doubled=False,
    )


def limit(re_level: str, kontra_level: str, points: int, at: str | None, below: str | None, name: str) -> Any:
    """At ``points`` Augen of Re ``at`` has won, with one less ``below``."""
    return pytest.param(re_level, kontra_level, points, at, below, id=name)


@pytest.mark.parametrize(
    ("re_level", "kontra_level", "points", "at", "below"),
    [
        limit("", "", 121, RE, KONTRA, "6.1.2, 6.1.3 no call: 121 and 120"),
        limit("R", "", 121, RE, KONTRA, "6.1.2, 6.1.3 only Re: 121 and 120"),
        limit("R", "K", 121, RE, KONTRA, "6.1.2, 6.1.3 Re and Kontra: 121 and 120"),
        limit("", "K", 120, RE, KONTRA, "6.1.2, 6.1.3 only Kontra: 120 and 121"),
        limit("90", "", 151, RE, KONTRA, "6.1.2 Re keine 90: 151; 6.1.3 Kontra with the 90th"),
        limit("60", "", 181, RE, KONTRA, "6.1.2 Re keine 60: 181; 6.1.3 Kontra with the 60th"),
        limit("30", "", 211, RE, KONTRA, "6.1.2 Re keine 30: 211; 6.1.3 Kontra with the 30th"),
        limit("", "90", 90, RE, KONTRA, "6.1.3 Kontra keine 90: 151; 6.1.2 Re with the 90th"),
        limit("", "60", 60, RE, KONTRA, "6.1.3 Kontra keine 60: 181; 6.1.2 Re with the 60th"),
        limit("", "30", 30, RE, KONTRA, "6.1.3 Kontra keine 30: 211; 6.1.2 Re with the 30th"),
        limit("R", "90", 90, RE, KONTRA, "6.1.2 Re does not bind itself"),
        limit("90", "90", 151, RE, None, "6.1.4 both keine 90, Re short by one"),
        limit("60", "90", 181, RE, None, "6.1.4 Re keine 60, Kontra keine 90"),
        limit("90", "90", 90, None, KONTRA, "6.1.4 both keine 90, Kontra reaches 151"),
    ],
)
def test_who_has_won(re_level: str, kontra_level: str, points: int, at: str | None, below: str | None) -> None:
    assert EPPSTEIN.winner(tally(points, re_level, kontra_level)) == at
    assert EPPSTEIN.winner(tally(points - 1, re_level, kontra_level)) == below


@pytest.mark.parametrize(
    ("game", "winner"),
    [
        pytest.param(tally(240, "s", taken=(12, 0)), RE, id="6.1.2 Re schwarz, all tricks"),
        pytest.param(tally(240, "s", taken=(11, 1)), KONTRA, id="6.1.3 a trick without Augen beats Re's schwarz"),
        pytest.param(tally(0, "", "s", taken=(0, 12)), KONTRA, id="6.1.3 Kontra schwarz, all tricks"),
        pytest.param(tally(0, "", "s", taken=(1, 11)), RE, id="6.1.2 Re with its first trick"),
        pytest.param(tally(20, "90", "s", taken=(1, 11)), None, id="6.1.4 Re bound by keine 90 against schwarz"),
        pytest.param(
            tally(20, "90", "s", taken=(1, 11), bound_side_must_reach=False), RE, id="option bound_side_must_reach off"
        ),
        pytest.param(
            tally(150, "s", "s", taken=(6, 6), bound_side_must_reach=False), None, id="option off, both schwarz"
        ),
        pytest.param(tally(160, "90", "s", taken=(6, 6)), RE, id="6.1.2 Re reaches its keine 90"),
    ],
)
def test_who_has_won_by_tricks(game: Tally, winner: str | None) -> None:
    assert EPPSTEIN.winner(game) == winner


def scored(game: Tally) -> tuple[list[tuple[str, int]], dict[int, int]]:
    from dataclasses import replace

    game = replace(game, winner=EPPSTEIN.winner(game))
    items = tuple(item for rule in EPPSTEIN.scoring for item in rule(game))
    return [(item.name, item.number) for item in items], EPPSTEIN.write(game, items)


@pytest.mark.parametrize(
    ("game", "value", "scores"),
    [
        pytest.param(tally(121), [("won", 1)], (1, 0, 1, 0), id="6.2.2 a Grundwert"),
        pytest.param(tally(120), [("won", 1), ("against_queens", 1)], (0, 2, 0, 2), id="6.2.2 a gegen die Kreuz Damen"),
        pytest.param(tally(151), [("won", 1), ("under90", 1)], (2, 0, 2, 0), id="6.2.2 a unter 90"),
        pytest.param(
            tally(240, taken=(12, 0)),
            [("won", 1), ("under90", 1), ("under60", 1), ("under30", 1), ("schwarz", 1)],
            (5, 0, 5, 0),
            id="6.2.2 a schwarz",
        ),
        pytest.param(
            tally(240, taken=(11, 1)),
            [("won", 1), ("under90", 1), ("under60", 1), ("under30", 1)],
            (4, 0, 4, 0),
            id="6.2.2 a not schwarz with a trick of no Augen",
        ),
        pytest.param(
            tally(185, "60"),
            [("won", 1), ("under90", 1), ("under60", 1), ("said_keine90", 1), ("said_keine60", 1), ("re", 2)],
            (10, 0, 10, 0),
            id="6.2.2 b, c keine 60 made",
        ),
        pytest.param(
            tally(150, "90"),
            [("won", 1), ("against_queens", 1), ("said_keine90", 1), ("re", 2)],
            (0, 6, 0, 6),
            id="6.2.2 b the losers' Absage counts for the winners",
        ),
        pytest.param(
            tally(121, "R", "K"), [("won", 1), ("re", 2), ("kontra", 2)], (4, 0, 4, 0), id="6.2.2 c vervierfacht"
        ),
        pytest.param(
            tally(200, "90", "90"),
            [
                ("won", 1),
                ("under90", 1),
                ("under60", 1),
                ("said_keine90", 1),
                ("said_keine90", 1),
                ("re", 2),
                ("kontra", 2),
            ],
            (20, 0, 20, 0),
            id="6.2.2 b each side's Absage counts",
        ),
        pytest.param(
            tally(70, "", "60"),
            [("won", 1), ("said_keine90", 1), ("said_keine60", 1), ("kontra", 2)],
            (6, 0, 6, 0),
            id="Re wins under 90 against keine 60: no 'unter 90' for anybody",
        ),
        pytest.param(tally(130, "90", "90"), [], (0, 0, 0, 0), id="6.1.4 nobody: nothing but (a)"),
        pytest.param(tally(155, "60", "60"), [("under90", 1)], (1, 0, 1, 0), id="6.1.4 nobody, Kontra under 90"),
        pytest.param(tally(85, "60", "60"), [("under90", -1)], (0, 1, 0, 1), id="6.1.4 nobody, Re under 90"),
        pytest.param(
            tally(155, "60", "60", soloist=1), [("under90", 1)], (3, 0, 0, 0), id="6.1.4 nobody, soloist threefold"
        ),
        pytest.param(
            tally(85, "60", "60", soloist=1), [("under90", -1)], (0, 1, 1, 1), id="6.1.4 nobody, against a soloist"
        ),
        pytest.param(tally(121, soloist=1), [("won", 1)], (3, 0, 0, 0), id="6.2.4 solo won"),
        pytest.param(tally(120, soloist=1), [("won", 1)], (0, 1, 1, 1), id="6.2.4 solo lost, nothing 'gegen'"),
        pytest.param(
            tally(120, soloist=1, against_queens_in_solo=True),
            [("won", 1), ("against_queens", 1)],
            (0, 2, 2, 2),
            id="option against_queens_in_solo",
        ),
    ],
)
def test_value(game: Tally, value: list[tuple[str, int]], scores: tuple[int, ...]) -> None:
    assert scored(game) == (value, dict(zip((1, 2, 3, 4), scores, strict=True)))


def trick(cards: str, winner: int, points: int) -> Trick:
    return Trick(
        cards=tuple(Laid(n, n, card) for n, card in enumerate(cards.split(), start=1)),
        leader=1,
        winner=winner,
        points=points,
    )


PLAIN = trick("S9 S9 C9 C9", 1, 0)


@pytest.mark.parametrize(
    ("game", "value", "scores"),
    [
        pytest.param(
            tally(121, tricks=(trick("CT CA CT CA", 2, 42), PLAIN)),
            [("won", 1), ("doppelkopf", -1)],
            (0, 0, 0, 0),
            id="6.2.3 Doppelkopf of the losers set off",
        ),
        pytest.param(
            tally(121, tricks=(trick("CT CA CT SK", 1, 35), PLAIN)), [("won", 1)], (1, 0, 1, 0), id="35 Augen are none"
        ),
        pytest.param(
            tally(121, tricks=(trick("CT CA CT D9", 1, 40), PLAIN)),
            [("won", 1), ("doppelkopf", 1)],
            (2, 0, 2, 0),
            id="6.2.3 40 Augen",
        ),
        pytest.param(
            tally(121, "R", tricks=(trick("SQ DA D9 DK", 1, 18), PLAIN)),
            [("won", 1), ("re", 2), ("fuchs", 1)],
            (3, 0, 3, 0),
            id="6.2.3 Fuchs caught, not doubled",
        ),
        pytest.param(
            tally(121, tricks=(trick("SQ D9 DA DK", 1, 18), PLAIN)),
            [("won", 1)],
            (1, 0, 1, 0),
            id="the partner's Fuchs",
        ),
        pytest.param(
            tally(121, tricks=(trick("SQ DA D9 DA", 1, 25), PLAIN)),
            [("won", 1), ("fuchs", 1), ("fuchs", 1)],
            (3, 0, 3, 0),
            id="6.2.3 two Füchse",
        ),
        pytest.param(
            tally(121, tricks=(PLAIN, trick("CJ D9 D9 DK", 1, 6))),
            [("won", 1), ("karlchen", 1)],
            (2, 0, 2, 0),
            id="6.2.3 Karlchen",
        ),
        pytest.param(
            tally(121, tricks=(trick("CJ D9 D9 DK", 1, 6), PLAIN)), [("won", 1)], (1, 0, 1, 0), id="Karlchen not last"
        ),
        pytest.param(
            tally(121, tricks=(PLAIN, trick("CJ D9 D9 DK", 1, 6)), complete=False),
            [("won", 1)],
            (1, 0, 1, 0),
            id="8.5.1 broken off",
        ),
        pytest.param(
            tally(121, tricks=(PLAIN, trick("D9 DK D9 DA", 4, 15))),
            [("won", 1), ("fuchs_last", -1)],
            (0, 0, 0, 0),
            id="6.2.3 Fuchs wins the last trick, for the losers",
        ),
        pytest.param(
            tally(121, tricks=(trick("SQ DA D9 DA", 2, 25), trick("DA D9 CJ D9", 3, 13), PLAIN)),
            [("won", 1)],
            (1, 0, 1, 0),
            id="own Füchse are not caught",
        ),
        pytest.param(
            tally(121, tricks=(trick("DA SQ DA CT", 2, 35), trick("CT CA CT CA", 2, 42), PLAIN)),
            [("won", 1), ("doppelkopf", -1), ("fuchs", -1), ("fuchs", -1)],
            (0, 2, 0, 2),
            id="D: a negative balance goes to the other side",
        ),
        pytest.param(
            tally(121, tricks=(trick("DA SQ DA CT", 2, 35), PLAIN), losers_special_points="ignored"),
            [("won", 1), ("fuchs", -1), ("fuchs", -1)],
            (1, 0, 1, 0),
            id="option ignored",
        ),
        pytest.param(
            tally(121, tricks=(trick("DA SQ DA CT", 2, 35), PLAIN), losers_special_points="each_side"),
            [("won", 1), ("fuchs", -1), ("fuchs", -1)],
            (1, 2, 1, 2),
            id="option each_side",
        ),
        pytest.param(
            tally(
                121,
                tricks=(trick("CT CA CT CA", 1, 42), trick("DA SQ DA CT", 2, 35), PLAIN),
                losers_special_points="each_side",
            ),
            [("won", 1), ("doppelkopf", 1), ("fuchs", -1), ("fuchs", -1)],
            (2, 2, 2, 2),
            id="option each_side, of both sides",
        ),
        pytest.param(
            tally(130, "90", "90", tricks=(trick("DA SQ D9 CT", 2, 24), PLAIN)),
            [("fuchs", -1)],
            (0, 1, 0, 1),
            id="6.1.4 nobody: special points",
        ),
        pytest.param(
            tally(121, soloist=1, tricks=(trick("DA SQ DA CT", 2, 35), trick("CJ D9 D9 DK", 1, 6))),
            [("won", 1)],
            (3, 0, 0, 0),
            id="6.2.4 none in a solo",
        ),
    ],
)
def test_special_points(game: Tally, value: list[tuple[str, int]], scores: tuple[int, ...]) -> None:
    assert scored(game) == (value, dict(zip((1, 2, 3, 4), scores, strict=True)))


def test_total_is_the_sum_of_its_reasons() -> None:
    from dataclasses import replace

    game = replace(tally(200, "90", "90"), winner=RE)
    assert total([item for rule in EPPSTEIN.scoring for item in rule(game)]) == 20

"""ddv: who has won and for how much, special points, the list.

Sections are those of the Turnierspielregeln of the Deutscher Doppelkopf-Verband (2000).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from kiosk.rules.books import DDV
from kiosk.rules.engine.announcements import KONTRA, RE
from kiosk.rules.engine.listing import ListRow, ListWords
from kiosk.rules.engine.scoring import Tally
from kiosk.rules.engine.tricks import Laid, Trick

LEVELS = {"": 0, "R": 1, "K": 1, "90": 2, "60": 3, "30": 4, "s": 5}


def tally(
    points: int,
    re: str = "",
    kontra: str = "",
    *,
    taken: tuple[int, int] | None = None,
    soloist: int | None = None,
    tricks: Sequence[Trick] = (),
    **options: Any,
) -> tuple[str | None, dict[str, int], dict[int, int]]:
    """Who has won, the reasons by name, the score; seats 1 and 3 are Re, alone seat 1."""
    found = Tally(
        seats=(1, 2, 3, 4),
        re=frozenset((1,)) if soloist else frozenset((1, 3)),
        soloist=soloist,
        tricks=tuple(tricks),
        complete=True,
        points={RE: points, KONTRA: 240 - points},
        taken=dict(zip((RE, KONTRA), taken or (int(points > 0) * 5, int(points < 240) * 5), strict=True)),
        level={RE: LEVELS[re], KONTRA: LEVELS[kontra]},
        options=DDV.settle(options),
        bock=False,
        doubled=False,
    )
    found = replace(found, winner=DDV.winner(found))
    items = tuple(item for rule in DDV.scoring for item in rule(found))
    value: dict[str, int] = {}
    for item in items:
        value[item.name] = value.get(item.name, 0) + item.number
    return found.winner, value, DDV.write(found, items)


def trick(cards: str, leader: int = 1, winner: int = 1, points: int = 20) -> Trick:
    seats = [(leader - 1 + step) % 4 + 1 for step in range(4)]
    laid = tuple(Laid(n, seat, card) for n, (seat, card) in enumerate(zip(seats, cards.split(), strict=True)))
    return Trick(cards=laid, leader=leader, winner=winner, points=points)


@pytest.mark.parametrize(
    ("points", "re", "kontra", "winner"),
    [
        pytest.param(121, "", "", RE, id="7.1 Re 1"),
        pytest.param(120, "", "", KONTRA, id="7.1 Kontra 1"),
        pytest.param(120, "R", "", KONTRA, id="7.1 Kontra 2"),
        pytest.param(121, "R", "", RE, id="7.1 Re 2"),
        pytest.param(121, "R", "K", RE, id="7.1 Re 3"),
        pytest.param(120, "R", "K", KONTRA, id="7.1 Kontra 3"),
        pytest.param(120, "", "K", RE, id="7.1 Re 4"),
        pytest.param(119, "", "K", KONTRA, id="7.1 Kontra 4"),
        pytest.param(151, "90", "", RE, id="7.1 Re 5, 151"),
        pytest.param(150, "90", "", KONTRA, id="7.1 Kontra 7, 90"),
        pytest.param(181, "60", "", RE, id="7.1 Re 5, 181"),
        pytest.param(180, "60", "", KONTRA, id="7.1 Kontra 7, 60"),
        pytest.param(211, "30", "", RE, id="7.1 Re 5, 211"),
        pytest.param(210, "30", "", KONTRA, id="7.1 Kontra 7, 30"),
        pytest.param(240, "s", "", RE, id="7.1 Re 6"),
        pytest.param(239, "s", "", KONTRA, id="7.1 Kontra 8"),
        pytest.param(90, "", "90", RE, id="7.1 Re 7, 90"),
        pytest.param(89, "", "90", KONTRA, id="7.1 Kontra 5, 151"),
        pytest.param(90, "R", "90", RE, id="7.1 Re 7 with an Ansage"),
        pytest.param(60, "", "60", RE, id="7.1 Re 7, 60"),
        pytest.param(59, "", "60", KONTRA, id="7.1 Kontra 5, 181"),
        pytest.param(30, "", "30", RE, id="7.1 Re 7, 30"),
        pytest.param(29, "", "30", KONTRA, id="7.1 Kontra 5, 211"),
        pytest.param(1, "", "s", RE, id="7.1 Re 8"),
        pytest.param(0, "", "s", KONTRA, id="7.1 Kontra 6"),
        pytest.param(130, "90", "90", None, id="6.4 both missed"),
        pytest.param(150, "90", "s", None, id="7.1 Re 8 only without an own Absage"),
    ],
)
def test_who_has_won(points: int, re: str, kontra: str, winner: str | None) -> None:
    assert tally(points, re, kontra)[0] == winner


@pytest.mark.parametrize(
    ("points", "re", "kontra", "more", "value", "score"),
    [
        pytest.param(121, "", "", {}, {"won": 1}, (1, -1, 1, -1), id="7.2 won"),
        pytest.param(
            120, "", "", {}, {"won": 1, "against_queens": 1}, (-2, 2, -2, 2), id="7.2 against the queens"
        ),
        pytest.param(151, "", "", {}, {"won": 1, "under90": 1}, (2, -2, 2, -2), id="7.2 under 90"),
        pytest.param(
            240, "", "", {}, {"won": 1, "under90": 1, "under60": 1, "under30": 1, "schwarz": 1}, (5, -5, 5, -5),
            id="7.2 schwarz",
        ),
        pytest.param(121, "R", "K", {}, {"won": 1, "re": 2, "kontra": 2}, (5, -5, 5, -5), id="7.2 Re and Kontra"),
        pytest.param(
            185, "60", "", {},
            {"won": 1, "under90": 1, "under60": 1, "re": 2, "said_keine90": 1, "said_keine60": 1}, (7, -7, 7, -7),
            id="7.2 Absagen",
        ),
        pytest.param(
            125, "", "60", {},
            {"won": 1, "kontra": 2, "said_keine90": 1, "said_keine60": 1, "reached120": 1, "reached90": 1},
            (7, -7, 7, -7), id="7.2 reached against an Absage",
        ),
        pytest.param(
            115, "90", "", {},
            {"won": 1, "re": 2, "said_keine90": 1, "reached120": 1, "against_queens": 1},
            (-6, 6, -6, 6), id="7.2 125 against keine 90",
        ),
        pytest.param(
            200, "R", "s", {}, {"won": 1, "re": 2, "kontra": 2, "under90": 1, "under60": 1, "said_keine90": 1,
            "said_keine60": 1, "said_keine30": 1, "said_schwarz": 1, "reached120": 1, "reached90": 1,
            "reached60": 1, "reached30": 1}, (15, -15, 15, -15), id="7.2 all that is reached",
        ),
        pytest.param(
            170, "", "", {"soloist": 1}, {"won": 1, "under90": 1}, (6, -2, -2, -2), id="7.2 a solo won",
        ),
        pytest.param(100, "", "", {"soloist": 1}, {"won": 1}, (-3, 1, 1, 1), id="7.2 lost: no special points"),
        pytest.param(
            125, "90", "90", {}, {"reached120": 1}, (1, -1, 1, -1), id="6.4 nobody: no Absagen, no Ansagen"
        ),
        pytest.param(
            120, "90", "90", {}, {}, (0, 0, 0, 0), id="6.4 nobody: both reached 120",
        ),
    ],
)  # fmt: skip
def test_value(
    points: int, re: str, kontra: str, more: dict[str, Any], value: dict[str, int], score: tuple[int, ...]
) -> None:
    _, found, written = tally(points, re, kontra, **more)
    assert {name: number for name, number in found.items() if number} == value
    assert tuple(written.values()) == score and sum(score) == 0


def test_nobody_has_won_by_option() -> None:
    """6.4: what is written then is left open; the balance of the rest, or nothing."""
    fox = trick("DK DA CT CK", winner=1)
    assert tally(125, "90", "90", tricks=[fox])[1:] == ({"reached120": 1, "fuchs": 1}, {1: 2, 2: -2, 3: 2, 4: -2})
    assert tally(125, "90", "90", tricks=[fox], nobody_has_won="nothing")[1:] == ({}, dict.fromkeys((1, 2, 3, 4), 0))
    assert tally(121, tricks=[fox], nobody_has_won="nothing")[1] == {"won": 1, "fuchs": 1}


@pytest.mark.parametrize(
    ("tricks", "value", "score"),
    [
        pytest.param([trick("CA CA CT CT", points=42)], {"doppelkopf": 1}, 2, id="Doppelkopf"),
        pytest.param([trick("CA CA CT CK", points=39)], {}, 1, id="39 Augen are none"),
        pytest.param([trick("CA CA CT HT", points=40)], {"doppelkopf": 1}, 2, id="40 Augen"),
        pytest.param([trick("HT DA DK DK")], {"fuchs": 1}, 2, id="Fuchs of the other side"),
        pytest.param([trick("HT DK DA DK")], {}, 1, id="Fuchs of one's own side"),
        pytest.param([trick("HT DA DK DA")], {"fuchs": 2}, 3, id="both"),
        pytest.param([trick("DA DK DK HT", winner=4)], {"fuchs": -1}, 0, id="the losers catch one"),
        pytest.param([trick("CJ DK DK DK")], {"karlchen": 1}, 2, id="Karlchen in the last trick"),
        pytest.param([trick("CJ DK DK DK"), trick("HT DK DK DK")], {}, 1, id="not before it"),
        pytest.param([trick("DA DK DK DK")], {}, 1, id="a Fuchs in the last trick is nothing"),
        pytest.param([trick("DK CJ DK DK", winner=2)], {"karlchen": -1}, 0, id="the losers' Karlchen"),
    ],
)
def test_special_points(tricks: list[Trick], value: dict[str, int], score: int) -> None:
    """7.2: set off against each other and the rest; none in a solo, a Stille Hochzeit is one."""
    _, found, written = tally(125, tricks=tricks)
    assert found == {"won": 1, **value} and written == {1: score, 2: -score, 3: score, 4: -score}
    _, alone, _ = tally(125, tricks=tricks, soloist=1)
    assert alone == {"won": 1}


def row(game: int, scores: Sequence[int], alone: int | None = None) -> ListRow:
    score = dict(enumerate(scores, start=1))
    return ListRow(
        game=game, dealer=1, due=1, kind="normal", suit=None, declarer=alone, duty=False, alone=alone, score=score,
        total=score, won=frozenset(), points=1, void=False, struck=False, open=False,
    )  # fmt: skip


WORDS = ListWords(game=lambda row: row.kind, word=lambda code: code)


def test_the_list() -> None:
    """7.3: sum of a row 0, all even or all odd but for Strafpunkte to a soloist, winners marked; 10.1 at five."""
    rows = [row(1, (1, -1, 1, -1)), row(2, (3, 0, 0, -3), alone=1), row(3, (2, -1, -1, 0)), row(4, (1, 1, 1, 0))]
    made = DDV.list_of("ABCD", rows, WORDS)
    assert made["columns"] == [*"ABCD", "winners", "value", "game"]
    assert made["winners"] == [[1, 3], [1], [1], [1, 2, 3]]
    sums, even, winners = made["checks"]
    assert (sums["section"], sums["games"]) == ("ddv 7.3", [4])
    assert (even["section"], even["games"], even["excused"]) == ("ddv 7.3", [3, 4], [2])
    assert (winners["section"], winners["ok"]) == ("ddv 7.3", True)
    five = DDV.list_of("ABCDE", [row(1, (0, 1, -1, 1, -1))], WORDS)["checks"][1]
    assert (five["section"], five["ok"]) == ("ddv 10.1", True)

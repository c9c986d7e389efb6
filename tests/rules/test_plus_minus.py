"""Who has won and for how much where plus and minus are written: bsv 7, schnittchen 6; durchgaenge 3 and 6."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.announcements import KONTRA, RE
from kiosk.rules.engine.scoring import Tally
from kiosk.rules.engine.tricks import Laid, Trick

LEVELS = {"": 0, "R": 1, "K": 1, "90": 2, "60": 3, "30": 4, "s": 5}
BSV, DURCH, SCHNITT = "bsv", "durchgaenge", "schnittchen"


def tally(
    book: str,
    points: int,
    re: str = "",
    kontra: str = "",
    *,
    taken: tuple[int, int] | None = None,
    soloist: int | None = None,
    tricks: tuple[Trick, ...] = (),
    complete: bool = True,
    bock: bool = False,
    doubled: bool = False,
    **options: Any,
) -> tuple[Tally, dict[str, int], dict[int, int]]:
    """The tally with its winner, the value by name, and the score; seats 1 and 3 are Re, alone seat 1."""
    row = BOOKS[book]
    found = Tally(
        seats=(1, 2, 3, 4),
        re=frozenset((1,)) if soloist else frozenset((1, 3)),
        soloist=soloist,
        tricks=tricks,
        complete=complete,
        points={RE: points, KONTRA: 240 - points},
        taken=dict(zip((RE, KONTRA), taken or (int(points > 0) * 5, int(points < 240) * 5), strict=True)),
        level={RE: LEVELS[re], KONTRA: LEVELS[kontra]},
        options=row.settle(options),
        bock=bock,
        doubled=doubled,
    )

    found = replace(found, winner=row.winner(found))
    items = tuple(item for rule in row.scoring for item in rule(found))
    value: dict[str, int] = {}
    for item in items:
        value[item.name] = value.get(item.name, 0) + item.number
    return found, value, row.write(found, items)


def trick(cards: str, leader: int = 1, winner: int = 1, points: int = 20) -> Trick:
    seats = [(leader - 1 + step) % 4 + 1 for step in range(4)]
    laid = tuple(Laid(n, seat, card) for n, (seat, card) in enumerate(zip(seats, cards.split(), strict=True)))
    return Trick(cards=laid, leader=leader, winner=winner, points=points)


@pytest.mark.parametrize(
    ("books", "re", "kontra", "points", "at", "below"),
    [
        pytest.param((BSV, SCHNITT, DURCH), "", "", 121, RE, KONTRA, id="bsv 7.1.1 no call"),
        pytest.param((BSV, SCHNITT, DURCH), "R", "", 121, RE, KONTRA, id="bsv 7.1.2 only Re"),
        pytest.param((BSV, SCHNITT, DURCH), "R", "K", 121, RE, KONTRA, id="bsv 7.1.3 both"),
        pytest.param((BSV, SCHNITT), "", "K", 120, RE, KONTRA, id="bsv 7.1.4, schnittchen 6.1 only Kontra"),
        pytest.param((DURCH,), "", "K", 121, RE, KONTRA, id="durchgaenge 6a always 121"),
        pytest.param((BSV, SCHNITT, DURCH), "90", "", 151, RE, KONTRA, id="bsv 7.1.5 Re keine 90"),
        pytest.param((BSV, SCHNITT, DURCH), "60", "", 181, RE, KONTRA, id="bsv 7.1.5 Re keine 60"),
        pytest.param((BSV, SCHNITT, DURCH), "30", "", 211, RE, KONTRA, id="bsv 7.1.5 Re keine 30"),
        pytest.param((BSV, SCHNITT, DURCH), "", "90", 90, RE, KONTRA, id="bsv 7.1.7 against keine 90, durchgaenge 6b"),
        pytest.param((BSV, SCHNITT, DURCH), "R", "60", 60, RE, KONTRA, id="bsv 7.1.7 against keine 60"),
        pytest.param((BSV, SCHNITT, DURCH), "", "30", 30, RE, KONTRA, id="bsv 7.1.7 against keine 30"),
        pytest.param((BSV, SCHNITT, DURCH), "90", "90", 151, RE, None, id="bsv 7.1 both keine 90, Re reaches it"),
        pytest.param((BSV, SCHNITT, DURCH), "60", "90", 90, None, KONTRA, id="bsv 7.1.7 Kontra needs 151 itself"),
    ],
)
def test_targets(books: tuple[str, ...], re: str, kontra: str, points: int, at: Any, below: Any) -> None:
    for book in books:
        assert tally(book, points, re, kontra)[0].winner == at
        assert tally(book, points - 1, re, kontra)[0].winner == below


@pytest.mark.parametrize("book", [BSV, SCHNITT, DURCH])
def test_schwarz(book: str) -> None:
    """bsv 7.1.6, 7.1.8: every trick; against it the first."""
    assert tally(book, 240, "s", taken=(10, 0))[0].winner == RE
    assert tally(book, 232, "s", taken=(9, 1))[0].winner == KONTRA
    assert tally(book, 8, "", "s", taken=(1, 9))[0].winner == RE
    assert tally(book, 150, "s", "90", taken=(9, 1))[0].winner is None


@pytest.mark.parametrize(("exact", "winner"), [(True, RE), (False, None)])
def test_durchgaenge_exact_against_absage(exact: bool, winner: str | None) -> None:
    """6a asks 91 (61) of Re, 6b exactly the Augen: D."""
    assert tally(DURCH, 90, "", "90", exact_against_absage=exact)[0].winner == winner
    assert tally(DURCH, 91, "", "90", exact_against_absage=exact)[0].winner == RE
    assert tally(DURCH, 150, "90", exact_against_absage=exact)[0].winner == KONTRA  # 90 are enough for Kontra


@pytest.mark.parametrize(
    ("book", "points", "re", "kontra", "value", "winners"),
    [
        pytest.param(BSV, 121, "", "", {"won": 1}, 1, id="bsv 7.2 a"),
        pytest.param(BSV, 120, "", "", {"won": 1, "against_queens": 1}, 2, id="bsv 7.2 gegen"),
        pytest.param(BSV, 151, "", "", {"won": 1, "under90": 1}, 2, id="bsv 7.2 unter 90"),
        pytest.param(BSV, 150, "", "", {"won": 1}, 1, id="bsv 7.2 90 are not under"),
        pytest.param(
            BSV, 240, "", "", {"won": 1, "under90": 1, "under60": 1, "under30": 1, "schwarz": 1}, 5, id="bsv schwarz"
        ),
        pytest.param(BSV, 121, "R", "K", {"won": 1, "re": 2, "kontra": 2}, 5, id="bsv 7.2 b"),
        pytest.param(
            BSV,
            181,
            "60",
            "",
            {"won": 1, "under90": 1, "under60": 1, "re": 2, "said_keine90": 1, "said_keine60": 1},
            7,
            id="bsv 7.2 c",
        ),
        pytest.param(
            BSV,
            120,
            "90",
            "",
            {"won": 1, "re": 2, "said_keine90": 1, "reached120": 1, "against_queens": 1},
            6,
            id="bsv 7.2 f 120 against keine 90",
        ),
        pytest.param(
            BSV,
            119,
            "60",
            "",
            {
                "won": 1,
                "re": 2,
                "said_keine90": 1,
                "said_keine60": 1,
                "reached120": 1,
                "reached90": 1,
                "against_queens": 1,
            },
            8,
            id="bsv 7.2 f all that apply",
        ),
        pytest.param(
            BSV, 180, "30", "", {"won": 1, "re": 2, "said_keine90": 1, "said_keine60": 1, "said_keine30": 1,
                                 "reached60": 1, "against_queens": 1}, 8,
            id="bsv 7.2 f 60 against keine 30",
        ),
        pytest.param(
            BSV, 181, "30", "", {"won": 1, "re": 2, "said_keine90": 1, "said_keine60": 1, "said_keine30": 1,
                                 "against_queens": 1}, 7,
            id="bsv 7.2 f 59 against keine 30",
        ),
        pytest.param(
            BSV, 210, "s", "", {"won": 1, "re": 2, "said_keine90": 1, "said_keine60": 1, "said_keine30": 1,
                                "said_schwarz": 1, "reached30": 1, "against_queens": 1}, 9,
            id="bsv 7.2 f 30 against schwarz",
        ),
        pytest.param(
            BSV, 211, "s", "", {"won": 1, "re": 2, "said_keine90": 1, "said_keine60": 1, "said_keine30": 1,
                                "said_schwarz": 1, "against_queens": 1}, 8,
            id="bsv 7.2 f 29 against schwarz",
        ),
        pytest.param(BSV, 120, "90", "90", {"reached120": 0}, 0, id="bsv 7.1 both failed: set against each other"),
        pytest.param(BSV, 110, "90", "60", {"reached120": -1, "reached90": 1}, 0, id="bsv 7.1 nobody has won"),
        pytest.param(SCHNITT, 121, "R", "K", {"won": 1, "re": 2, "kontra": 2}, 4, id="schnittchen 6.2 point 2"),
        pytest.param(SCHNITT, 119, "R", "", {"won": 1, "re": 2, "against_queens": 1}, 4, id="schnittchen all doubled"),
        pytest.param(
            SCHNITT, 120, "90", "", {"won": 1, "re": 2, "said_keine90": 1, "reached120": 1, "against_queens": 1}, 8,
            id="schnittchen 6.2 point 5",
        ),
        pytest.param(DURCH, 121, "R", "", {"won": 1, "re": 1}, 7, id="durchgaenge 6c with 5 Bonuspunkte"),
        pytest.param(DURCH, 120, "", "K", {"won": 1, "kontra": 1, "against_queens": 1}, 8, id="durchgaenge 3b"),
        pytest.param(
            DURCH, 181, "60", "", {"won": 1, "under90": 1, "under60": 1, "re": 1, "said_keine90": 1, "said_keine60": 1},
            11,
            id="durchgaenge 6a, 2b",
        ),
    ],
)  # fmt: skip
def test_value(book: str, points: int, re: str, kontra: str, value: dict[str, int], winners: int) -> None:
    found, names, score = tally(book, points, re, kontra)
    assert names == value
    ahead = found.winner or RE
    assert {score[seat] for seat in (1, 3)} == {winners if ahead == RE else (-winners if book != DURCH else 0)}
    assert {score[seat] for seat in (2, 4)} == {winners if ahead == KONTRA else (-winners if book != DURCH else 0)}


def test_durchgaenge_example() -> None:
    """6c: keine 120, Re, Fuchs gefangen = 3 Punkte + 5 Bonuspunkte = 8 Spielpunkte."""
    caught = trick("HT DA CQ SA", winner=1)
    _, names, score = tally(DURCH, 125, "R", tricks=(caught,))
    assert names == {"won": 1, "re": 1, "fuchs": 1}
    assert score == {1: 8, 2: 0, 3: 8, 4: 0}


@pytest.mark.parametrize(
    ("book", "points", "options", "score"),
    [
        pytest.param(BSV, 151, {}, {1: 6, 2: -2, 3: -2, 4: -2}, id="bsv 7.2 won"),
        pytest.param(BSV, 120, {}, {1: -3, 2: 1, 3: 1, 4: 1}, id="bsv 7.2 lost: no gegen"),
        pytest.param(SCHNITT, 120, {}, {1: -3, 2: 1, 3: 1, 4: 1}, id="schnittchen 6.2 lost"),
        pytest.param(DURCH, 151, {}, {1: 11, 2: 0, 3: 0, 4: 0}, id="durchgaenge 6d won 3 x 2 + 5"),
        pytest.param(DURCH, 120, {}, {1: -21, 2: 7, 3: 7, 4: 7}, id="durchgaenge 6d lost 3 x 2 + 15, gegen too"),
        pytest.param(
            DURCH, 120, {"against_queens_in_solo": False}, {1: -18, 2: 6, 3: 6, 4: 6}, id="durchgaenge D no gegen"
        ),
    ],
)
def test_solo(book: str, points: int, options: dict[str, Any], score: dict[int, int]) -> None:
    assert tally(book, points, soloist=1, **options)[2] == score


@pytest.mark.parametrize(
    ("book", "names"),
    [
        pytest.param(BSV, {"won": 1, "doppelkopf": 1, "fuchs": 1, "karlchen": 1}, id="bsv 7.2"),
        pytest.param(DURCH, {"won": 1, "doppelkopf": 1, "fuchs": 1}, id="durchgaenge 3a has no Karlchen"),
        pytest.param(SCHNITT, {"won": 1, "doppelkopf": 1, "fuchs": 1, "karlchen": 1, "dulle": 1}, id="schnittchen 6.2"),
    ],
)
def test_special_points(book: str, names: dict[str, int]) -> None:
    tricks = (
        trick("HT HT DT DT", winner=1, points=40),
        trick("SQ DA DK DQ", winner=1, points=39),
        trick("DK DQ CJ SJ", winner=3),
    )
    assert tally(book, 125, tricks=tricks)[1] == names
    assert tally(book, 125, tricks=tricks, soloist=1)[1] == {"won": 1}  # none in a solo
    if book != DURCH:
        assert "karlchen" not in tally(book, 125, tricks=tricks, complete=False)[1]


def test_durchgaenge_fuchs_am_end() -> None:
    """3a."""
    last = trick("DA SA CA HA", winner=1)
    assert tally(DURCH, 125, tricks=(last,))[1] == {"won": 1, "fuchs_last": 1}
    assert tally(BSV, 125, tricks=(last,))[1] == {"won": 1}
    assert tally(SCHNITT, 125, tricks=(last,))[1] == {"won": 1}


@pytest.mark.parametrize(
    ("book", "option", "score"),
    [
        pytest.param(BSV, None, -1, id="bsv 7.2 set off, below nothing"),
        pytest.param(SCHNITT, "set_off", -2, id="schnittchen D set off before doubling"),
        pytest.param(SCHNITT, "ignored", 2, id="schnittchen D ignored"),
        pytest.param(DURCH, "ignored", 7, id="durchgaenge D ignored"),
        pytest.param(DURCH, "set_off", 5, id="durchgaenge D set off"),
    ],
)
def test_losers_special_points(book: str, option: str | None, score: int) -> None:
    lost = (trick("DA HT DK DK", winner=2, points=40),)  # Doppelkopf and Fuchs of Kontra
    options = {"losers_special_points": option} if option else {}
    level = "" if book == BSV else "R"
    assert tally(book, 125, level, tricks=lost, **options)[2][1] == score


def test_durchgaenge_special_points_set_off_below_nothing() -> None:
    """D: winners may be written less than the Bonuspunkte."""
    lost = (trick("DA HT DK DA", winner=2, points=40), trick("DK HT DA DQ", winner=2, points=28))
    options = {"losers_special_points": "set_off"}
    assert tally(DURCH, 121, tricks=lost, **options)[1:] == (
        {"won": 1, "doppelkopf": -1, "fuchs": -2}, {1: 3, 2: 0, 3: 3, 4: 0}
    )  # fmt: skip


@pytest.mark.parametrize(("whose", "points"), [("other_side", 0), ("any", 1)])
def test_schnittchen_second_dulle(whose: str, points: int) -> None:
    own = (trick("HT SA HT CA", winner=1),)
    assert tally(SCHNITT, 125, tricks=own, second_dulle=whose)[1].get("dulle", 0) == points
    other = (trick("HT HT DK CA", winner=1),)
    assert tally(SCHNITT, 125, tricks=other, second_dulle=whose)[1]["dulle"] == 1


@pytest.mark.parametrize(
    ("bock", "doubled", "score"), [(False, False, 4), (True, False, 8), (False, True, 8), (True, True, 16)]
)
def test_schnittchen_doublings(bock: bool, doubled: bool, score: int) -> None:
    """6.2 point 2, "Bockrunde"."""
    _, names, written = tally(SCHNITT, 121, "R", "K", bock=bock, doubled=doubled)
    assert written == {1: score, 2: -score, 3: score, 4: -score}
    assert names.get("bock", 1) == 1 + bock and names.get("bockrunde", 1) == 1 + doubled


def test_schnittchen_nobody_has_won_without_any_factor() -> None:
    """6.2: only points 3, 5 and 6."""
    _, names, score = tally(SCHNITT, 130, "90", "60", bock=True, doubled=True)
    assert names == {"reached120": 1, "reached90": 1} and score == {1: 2, 2: -2, 3: 2, 4: -2}


def test_nobody_has_won_from_res_side() -> None:
    """bsv 7.1: what was held under counts for the other side, with what the direction has set for it."""
    assert tally(BSV, 80, "60", "60", value_under=3)[1]["under90"] == -3
    assert tally(BSV, 160, "60", "60", value_under=3)[1]["under90"] == 3


@pytest.mark.parametrize(("option", "score"), [("nothing", 0), ("net", 1)])
def test_durchgaenge_nobody_has_won(option: str, score: int) -> None:
    caught = (trick("HT DA CQ SA", winner=1),)
    lost = (trick("DA HT CQ SA", winner=2),)
    assert tally(DURCH, 130, "90", "60", tricks=lost, nobody_has_won=option)[2] == {1: 0, 2: score, 3: 0, 4: score}
    found, names, written = tally(DURCH, 130, "90", "60", tricks=caught, nobody_has_won=option)
    assert found.winner is None and written == {1: score, 2: 0, 3: score, 4: 0}
    assert names == ({} if option == "nothing" else {"fuchs": 1})

"""What clubs count beside the shipped books: Karlchen caught, Herzstich, doubled special points, Bockrunden."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.rules.describe import probe
from kiosk.rules.engine.announcements import Moment, Said
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.scoring import total
from kiosk.rules.engine.tricks import Trick
from tests.rules.composed.books import made

SPECIAL = ["fuchs", "karlchen", "karlchen_caught", "herzstich"]


def counted(book: RuleBook, *tricks: Trick, soloist: int | None = None) -> dict[str, int]:
    """For what these tricks counted in a game that Re, seats 1 and 3, has won without more."""
    ended = probe.tally(book, book.settle({}), 125, tricks=tricks, soloist=soloist)
    found: dict[str, int] = {}
    for item in probe.items(book, ended):
        found[item.name] = found.get(item.name, 0) + item.number
    return found


@pytest.mark.parametrize(
    ("cards", "winner", "points"),
    [("CQ CJ DA SJ", 1, 1), ("CQ DK CJ SJ", 1, None), ("DQ CJ DK CJ", 1, 2), ("DK CQ CJ DA", 2, -1)],
    ids=["of the other side", "of one's own", "two of them", "by the losers"],
)
def test_a_karlchen_is_caught_in_the_last_trick(cards: str, winner: int, points: int | None) -> None:
    book = made("bsv", points={"special": SPECIAL})
    assert counted(book, probe.trick(cards, winner)).get("karlchen_caught") == points
    later = probe.trick("CK CA CT SK", 2)
    assert "karlchen_caught" not in counted(book, probe.trick(cards, winner), later)


def test_a_karlchen_that_only_the_karo_dame_catches() -> None:
    book = made("bsv", points={"special": SPECIAL}, options={"karlchen_caught_by": "DQ"})
    assert counted(book, probe.trick("DQ CJ DK SJ", 1))["karlchen_caught"] == 1
    assert "karlchen_caught" not in counted(book, probe.trick("CQ CJ DK SJ", 1))


def test_a_herzstich_is_four_plain_hearts_and_nothing_in_a_solo() -> None:
    book = made("bsv", points={"special": SPECIAL})
    hearts = probe.trick("HA HK HK HA", 1)
    assert counted(book, hearts, probe.trick("HA HK HA HK", 2), probe.trick("CK CA CT SK", 2))["herzstich"] == 0
    assert counted(book, hearts)["herzstich"] == 1
    assert "herzstich" not in counted(book, probe.trick("HA HK HT HK", 3))
    assert "herzstich" not in counted(book, hearts, soloist=1)


def test_special_points_are_doubled_where_the_club_says_so() -> None:
    tricks = (probe.trick("DQ DA DK SJ", 1),)
    for doubled, value in ((True, 4), (False, 3)):
        book = made("bsv", points={"calls": "doubled", "special": ["fuchs"], "special_doubled": doubled})
        ended = probe.tally(book, book.settle({}), 125, levels=(1, 0), tricks=tricks)
        assert total(probe.items(book, ended)) == value


def said(book: RuleBook, call: str, seat: int) -> Said:
    now = Moment(hand=book.hand_size, laid=0, shift=0, early=False, ruled=None, queens=())
    return Said(event=1, seat=seat, call=call, side=call, together=False, moment=now)


@pytest.mark.parametrize(
    ("option", "changes", "calls", "games"),
    [
        ("bock_even", {"points": {"re": 120, "kontra": 120}, "won_by": "kontra"}, (), 4),
        ("bock_even", {"points": {"re": 121, "kontra": 119}}, (), 0),
        ("bock_lost_call", {"won_by": "kontra"}, (("re", 1),), 4),
        ("bock_lost_call", {"won_by": "re"}, (("re", 1),), 0),
        ("bock_lost_call", {"won_by": "kontra"}, (), 0),
        ("bock_lost_call", {"won_by": None}, (("re", 1),), 0),
        ("bock_lost_solo", {"won_by": "kontra", "re": (1,)}, (), 4),
        ("bock_lost_solo", {"won_by": "re", "re": (1,)}, (), 0),
        ("bock_lost_solo", {"won_by": "kontra", "re": (1, 3)}, (), 0),
        ("bock_even", {"points": {"re": 120, "kontra": 120}, "void": True}, (), 0),
    ],
    ids=["even", "not even", "lost Re", "won Re", "no call", "nobody", "lost solo", "won solo", "no solo", "void"],
)
def test_what_brings_a_bockrunde(option: str, changes: Any, calls: Any, games: int) -> None:
    events = ("bock_herzstich", "bock_even", "bock_lost_call", "bock_lost_solo")
    options = {"bockrunde": "four"} | {name: name == option for name in events}
    book = made("bsv", rules={"bock": "rounds"}, options=options)
    game = probe.finished(probe.fresh(book, book.settle({})))
    assert game.result is not None
    result = replace(game.result, **({"re": (1, 3), "won_by": "re"} | changes))
    ended = evolve(game, result=result, said=tuple(said(book, call, seat) for call, seat in calls))
    assert book.bock_games(ended, 4) == games
    none = made("bsv", rules={"bock": "rounds"}, options=dict.fromkeys(events, False))
    assert none.bock_games(evolve(ended, book=none, options=none.settle({})), 4) == 0

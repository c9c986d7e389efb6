"""A rest that is claimed and not settled stands after a restart, in the game that it is about and no other."""

import json
from collections.abc import Callable

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.standing_claim import StandingClaim
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardLaid

MAT = MatLayout("A3", 4).seat_places
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}
CLAIM = StandingClaim(seat=2, game=(1, 0), order=("HT",), hand=("HT", "CQ"), agreed=frozenset({2, 4}))


def table(log: MemoryLog) -> Table:
    return Table(log, now=0.0, opening=decode_opening(OPEN), centres=MAT, wall=lambda: 0)


def playing(log: MemoryLog) -> Table:
    made = table(log)
    for request in ({"event": "release"}, {"event": "deal", "dealer": 4}, {"event": "rest"}):
        made.request(decode_request(request, BY_ALL), 0.0)
    return made


def laid(label: str, seat: int) -> CardLaid:
    x, y = MAT[seat]
    seen = {"label": label, "choices": ((label, 0.9),), "margin": 0.9, "not_before": 0.5, "rested": 0.8}
    return CardLaid(at=1.0, card=1, x=x, y=y, angle=0.0, **seen)


def nothing(_: Table) -> None:
    """It stands."""


def void(at: Table) -> None:
    at.request(decode_request({"event": "void", "reason": "count"}, BY_ALL), 1.0)


def next_game(at: Table) -> None:
    void(at)
    at.request(decode_request({"event": "deal", "dealer": 1}, BY_ALL), 1.0)
    at.request(decode_request({"event": "rest"}, BY_ALL), 1.0)


@pytest.mark.parametrize(
    ("then", "left"),
    [
        (nothing, CLAIM),
        (lambda at: at.show_hand(True, 1.0, CLAIM), CLAIM),
        (lambda at: at.show_hand(False, 1.0), None),
        (void, None),
        (next_game, None),
    ],
    ids=["it stands", "said twice", "withdrawn", "the game is over", "the next game"],
)
def test_a_claim_stands_after_a_restart(then: Callable[[Table], object], left: StandingClaim | None) -> None:
    log = MemoryLog()
    before = playing(log)
    assert before.claim_left is None
    before.show_hand(True, 1.0, CLAIM)
    then(before)
    after = table(log)
    assert after.claim_left == left
    game = after.round.game
    assert game is not None
    after.observe(laid("CQ", game.next_to_lay or 1), 1.0)
    game = after.round.game
    assert game is not None
    assert after.round.running is False or len(game.open_trick) == (left is None), "nobody lays while it stands"


def test_settled_after_the_restart_it_is_gone() -> None:
    log = MemoryLog()
    playing(log).show_hand(True, 1.0, CLAIM)
    after = table(log)
    after.show_hand(False, 2.0)
    assert after.claim_left is None and table(log).claim_left is None


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "{",
        "[]",
        "7",
        json.dumps({"seat": 2}),
        json.dumps({"dealt": 2, "seat": 2, "game": [1], "order": [], "hand": [], "agreed": []}),
        json.dumps({"dealt": 2, "seat": 9, "game": [1, 0], "order": [], "hand": [], "agreed": []}),
        json.dumps({"dealt": 2, "seat": 2, "game": [1, 0], "order": 7, "hand": [], "agreed": []}),
    ],
)
def test_what_cannot_be_read_is_said_again(kept: str) -> None:
    log = MemoryLog()
    playing(log)
    log.keep("claim", kept)
    assert table(log).claim_left is None

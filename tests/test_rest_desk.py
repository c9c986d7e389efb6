"""Whether a claimed rest holds is found out beside play, by what everybody can know."""

import queue
from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.app.rest_desk import RestDesk
from kiosk.errors import Refused
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round
from kiosk.ui.play.claim_question import CheckRest, RestChecked

HANDS = {
    1: ["HT", "HT", "CQ", "CQ", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CJ", "SJ"],
    2: ["CJ", "SJ", "HJ", "DJ", "DA", "DT", "DK", "D9", "CA", "CT", "CK", "C9"],
    3: ["HJ", "DJ", "DA", "DT", "DK", "D9", "CA", "CT", "CK", "C9", "SA", "ST"],
}


def solo(*scanned: int) -> Round:
    opened = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": list("ABCD")}
    round = open_round(decode(opened)).apply(decode({"event": "deal", "dealer": 4}))
    for seat in scanned:
        round = round.apply(decode({"event": "hand", "seat": seat, "cards": HANDS[seat]}))
    return round.apply(decode({"event": "declare", "seat": 1, "game": "trumpfsolo"}))


def desk(round: Round) -> tuple[RestDesk, "queue.Queue[RestChecked]", list[Any]]:
    answers: queue.Queue[RestChecked] = queue.Queue()
    shown: list[Any] = []
    outputs: Any = SimpleNamespace(rest_checked=shown.append)
    made = RestDesk(outputs, answers.put)
    table: Any = SimpleNamespace(round=round)
    made.sit(table)
    return made, answers, shown


ASKED = CheckRest(seat=1, hand=tuple(HANDS[1]), order=(), game=(1, 0))


@pytest.mark.parametrize("scanned", [(), (2, 3)], ids=["nothing scanned", "the others' hands scanned"])
def test_a_claim_is_checked_by_what_everybody_knows(scanned: tuple[int, ...]) -> None:
    """The second CJ may lie above his SJ: so nobody knows, though a scanner has read whose it is."""
    made, answers, shown = desk(solo(*scanned))
    assert made.takes(ASKED)
    answer = answers.get(timeout=60)
    assert answer.asked == ASKED and answer.verdict.holds is False and answer.trick == ()
    assert answer.verdict.taken_by != 1 and answer.verdict.line[-4:][0] == (1, "SJ")
    made.heard(answer)
    assert shown == [answer]


def test_what_is_no_claim_is_left_to_others() -> None:
    request: Any = object()
    assert not desk(solo())[0].takes(request)


def test_no_claim_between_games() -> None:
    over = solo().apply(decode({"event": "void", "reason": "count"}))
    with pytest.raises(Refused, match="seat 1"):
        desk(over)[0].takes(ASKED)

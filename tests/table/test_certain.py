"""What a call, or a duty to announce, broke is judged by the course of the game in every joint reading."""

from typing import Any

import pytest

from kiosk.table.events.codec import decode
from kiosk.table.inference.certain import certain
from kiosk.table.round.fold import Round, fold

OPEN = {"event": "open", "format": 1, "rules": "bsv", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}
REST = "1SA 2SK 3SQ 4ST"  # led by the winner of the first trick, whose time to announce runs out


def game(cards: str, *more: dict[str, Any]) -> Round:
    laid = []
    for one in cards.split():
        choices = one[1:].split("/")
        doubt = {"doubt": choices} if choices[1:] else {}
        laid.append({"event": "card", "seat": int(one[0]), "card": choices[0], **doubt})
    return fold(map(decode, [OPEN, {"event": "deal", "dealer": 4}, *laid, *more]))


def codes(round: Round) -> list[str]:
    return [one.code for one in certain(round)]


@pytest.mark.parametrize(
    ("first", "owed"),
    [
        pytest.param("1CA 2CT 3CT 4CK", True, id="35 Augen"),
        pytest.param("1CA 2CK 3CK 4CT", False, id="29 Augen"),
        pytest.param("1CA 2CT/CK 3CT 4CK", False, id="29 or 35"),
        pytest.param("1CA 2CT/CA 3CT 4CK", True, id="35 or 36"),
        pytest.param("1CA 2CT/CK 3CT/CK 4CA", True, id="30 to 42"),
        pytest.param("1CA 2CK/CT 3CT 4CK", False, id="as it counts there is none"),
        pytest.param("1CA 2CT/CA 3CT/CA 4CK", True, id="two in doubt, and both of no account"),
    ],
)
def test_a_duty_is_missed_in_each_reading(first: str, owed: bool) -> None:
    round = game(f"{first} {REST}")
    assert ("missed_duty" in codes(round)) == owed


def test_without_a_game_nothing_is_certain() -> None:
    assert certain(fold([decode(OPEN)])) == ()

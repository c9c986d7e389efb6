"""What a call, or a duty to announce, broke is judged by the course of the game in every joint reading."""

from typing import Any

import pytest

from kiosk.bench.proof_games import Noise, folded, play
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
        pytest.param("1CA 2CT/CA/CK 3CT/CA/CK/CJ 4CK", False, id="too many to be tried"),
    ],
)
@pytest.mark.parametrize("later", ["", "1HA/HK 2HK/HJ 3HT/SA/CQ 4DK/DA"], ids=["", "and more in doubt since"])
def test_a_duty_is_missed_in_each_reading(first: str, owed: bool, later: str) -> None:
    round = game(f"{first} {REST} {later}")
    assert ("missed_duty" in codes(round)) == owed


@pytest.mark.parametrize(
    ("book", "seed", "noise"),
    [
        pytest.param("schnittchen", 15, Noise(doubt=0.06, unseen=0.01, retracted=0.02, calls=0.1), id="doubts"),
        pytest.param("ddv", 30, Noise(misread=0.015, evidence=True, calls=0.1), id="cards that come to be doubtful"),
    ],
)
def test_what_is_folded_on_is_what_is_folded_anew(book: str, seed: int, noise: Noise) -> None:
    """Calls and duties are judged after each event by what was folded of each reading before."""
    events, told = play(book, seed, noise).events, 0
    for number, round in folded(events):
        found = certain(round)
        if number % 16 == 0 or number >= len(events) - 3:
            assert found == certain(fold(event for _, event in round.log))
            told += len(found)
    assert told > 8


def test_a_correction_is_counted_in_each_reading() -> None:
    round = game(f"1CA 2CA/CK 3CT 4CT {REST}")
    assert "missed_duty" in codes(round)
    assert "missed_duty" not in codes(round.apply(decode({"event": "correct", "of": 5, "card": "CK", "by": "seat 4"})))


def test_without_a_game_nothing_is_certain() -> None:
    assert certain(fold([decode(OPEN)])) == ()

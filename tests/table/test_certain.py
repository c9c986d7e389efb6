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


def told(script: str, book: str = "bsv") -> list[tuple[str, int]]:
    """Breaches and their seats: ``2CA`` is laid by seat 2, ``2CA/SA`` in doubt, ``2:kontra`` said."""
    events: list[dict[str, Any]] = [{**OPEN, "rules": book}, {"event": "deal", "dealer": 4}]
    for one in script.split():
        seat, what = int(one[0]), one[1:]
        if what.startswith(":"):
            named = what[1:] in ("hochzeit", "damensolo")
            said = {"event": "declare", "game": what[1:]} if named else {"event": "announce", "call": what[1:]}
            events.append({**said, "seat": seat})
        else:
            choices = what.split("/")
            doubt = {"doubt": choices} if choices[1:] else {}
            events.append({"event": "card", "seat": seat, "card": choices[0], **doubt})
    return [(one.code, one.seat) for one in certain(fold(map(decode, events)))]


SEVEN = "CK/CA/SA/SK/ST/HK/HA"  # more readings than calls are judged by


@pytest.mark.parametrize(
    ("script", "found"),
    [
        pytest.param("2:kontra 1CQ 2DK 3DK 4DT 1CA 2CT 3CK 4CT 1:keine90", ["unfounded_announcement"], id="unfounded"),
        pytest.param("2:kontra 1CQ/SQ 2DK 3DK 4DT 1CA 2CT 3CK 4CT 1:keine90", [], id="for whom it is said is in doubt"),
        pytest.param(
            "2:kontra 3:re 2:keine90 1CQ 2DK 3DK 4DT 1CA 2CT 3CK 4CT 1HA 1:keine60", ["skipped_step"], id="skipped"
        ),
        pytest.param("2:kontra 3:re 2:keine90 1CQ/SQ 2DK 3DK 4DT 1CA 2CT 3CK 4CT 1HA 1:keine60", [], id="or not"),
        pytest.param("2:kontra 2:keine90 1SQ 2DK 3CQ 4CQ 1:keine90", ["repeated_announcement"], id="repeated"),
        pytest.param("2:kontra 3:re 2:keine90 1SQ/CQ 2DK 3DK 4CQ 1:keine90", [], id="perhaps repeated"),
        pytest.param("2:kontra 1CQ 2DQ 3DQ 3:keine90 4CJ 2:keine90", ["repeated_announcement"], id="Kontra again"),
        pytest.param("2:kontra 1CQ 2DQ/CQ 3DQ 3:keine90 4CJ 2:keine90", [], id="Kontra again, or Re"),
        pytest.param(f"1CA 2{SEVEN} 3CT 4CT {REST}", [], id="a duty with more readings than are judged"),
        pytest.param(f"2:kontra 1CA 2CT/CA 3CT 4CK {REST} 3DK 4DT 1CQ", ["missed_duty"], id="his side has not spoken"),
        pytest.param(f"2:kontra 1CA 2CT/CA 3CT 4CK {REST} 3DK 4DT 1CQ/SQ", [], id="or it has: in doubt since then"),
        pytest.param(f"1CA 2{SEVEN.removesuffix('/HA')} 3CT 4CT {REST}", ["missed_duty"], id="and with as many"),
        pytest.param(
            "2:kontra 1CQ 2DT/DA 3DT 4DA 1SA 2SK 3CQ 4ST 3HA 2:keine90 4:keine90",
            ["missed_duty", "repeated_announcement"], id="a duty, and a call after it",
        ),
    ],
)  # fmt: skip
def test_what_hangs_on_sides_in_doubt(script: str, found: list[str]) -> None:
    assert [code for code, _ in told(script)] == found


@pytest.mark.parametrize(
    ("script", "found"),
    [
        pytest.param("1:hochzeit 1CA 2CT 3CK 4C9 3:kontra", ["early_announcement"], id="before it is settled"),
        pytest.param("1:hochzeit 1CK 2CA 3CT 4C9 3:kontra", [], id="when it is settled"),
        pytest.param("1:hochzeit 1CA/CK 2CT 3CA/CK 4C9 3:kontra", [], id="perhaps it is"),
        pytest.param("1:hochzeit 1CK 2CA 3CT 4C9 2HA 3HK 3:kontra", ["late_announcement"], id="when it was settled"),
        pytest.param("1:hochzeit 1CK/CA 2CA 3CT 4C9 2HA 3HK 3:kontra", [], id="perhaps it is only now"),
        pytest.param(
            f"1:damensolo 1CA 2{SEVEN} 3CT 4C9 1DA 2DK 3D9 4DA 1:re", ["not_entitled", "late_announcement"],
            id="a solo, and his Pflichtsolo is not played",
        ),
        pytest.param(f"1CA 2{SEVEN} 3CT 4C9 1DA 2DK 3D9 4DA 1:re", ["late_announcement"], id="no Hochzeit: late"),
    ],
)  # fmt: skip
def test_when_a_call_is_in_time(script: str, found: list[str]) -> None:
    assert [code for code, _ in told(script, "eppstein") if code != "wrong_side"] == found


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

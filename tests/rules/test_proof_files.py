"""Event files of games that were read wrongly: who is accused at their end, and what was withdrawn.

Those of ``tests/data/proof`` were made by the random player of ``kiosk.bench.proof_games``, who knows the true cards:
``revoked`` are the cards that truly did not follow. Others may stand beside the project.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from kiosk.bench.figure import SHARED
from kiosk.rules.engine.rights import claimants
from kiosk.table.events.codec import parse
from kiosk.table.inference.certain import certain
from kiosk.table.round.fold import Round, fold

FILES = Path(__file__).parents[1] / "data" / "proof"
CASES = SHARED / "data" / "proof-cases"

Named = tuple[str, int, int]


def folded(path: Path) -> Round:
    return fold(parse(line) for line in path.read_text(encoding="utf-8").splitlines() if line)


def told(round: Round) -> set[Named]:
    """What everybody is accused of in all games, as it was shown at the end of each."""
    ended = {(one.code, one.seat, one.event) for game in round.games for one in game.offences}
    return ended | {(one.code, one.seat, one.event) for one in certain(round)}


@pytest.mark.parametrize("name", sorted(path.stem for path in FILES.glob("*.jsonl")))
def test_own_files(name: str) -> None:
    round = folded(FILES / f"{name}.jsonl")
    expected: dict[str, Any] = json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))
    assert [[one.code, one.seat, one.event] for one in certain(round)] == expected["shown"]
    assert round.game is not None
    assert [[one.code, one.seat, one.event] for one in round.game.withdrawn] == expected["withdrawn"]
    assert all(event in expected["revoked"] for code, _, event in expected["shown"] if code == "revoke")


#: What must be among the breaches of a file beside the project, and what must not.
BESIDE: dict[str, tuple[set[Named], set[Named]]] = {
    "joint_doubt_false_accusation": (set(), {("revoke", 2, 3)}),
    "unseen_card_blinds_proof": ({("revoke", 2, 3)}, set()),
    "both_codes_one_card_eppstein-13_line396": ({("impossible_card", 2, 396)}, {("card_not_held", 2, 396)}),
    "doubt_under_bsv_0": ({("revoke", 4, 6), ("revoke", 2, 24)}, set()),
    "doubt_under_eppstein_0": ({("revoke", 3, 7), ("revoke", 2, 19), ("revoke", 3, 20)}, set()),
    "doubt_under_schaffkopf_0": ({("revoke", 3, 9), ("revoke", 3, 30)}, set()),
    "false_bsv_5001": (set(), {("revoke", 3, 33), ("revoke", 3, 19)}),
    "false_durchgaenge_5025": ({("revoke", 3, 7)}, {("revoke", 4, 28)}),
    "false_eppstein_5040": ({("revoke", 1, 12)}, {("revoke", 2, 14)}),
    "false_schaffkopf_5006": ({("revoke", 3, 23)}, {("revoke", 3, 14), ("revoke", 3, 18)}),
    "false_schnittchen_5107": (set(), {("revoke", 3, 13)}),
    "false_durchgaenge_9008": ({("revoke", 3, 5)}, {("revoke", 2, 13)}),
    "false_eppstein_9019": ({("revoke", 3, 7)}, {("revoke", 2, 20)}),
    "false_schnittchen_9004": (set(), {("revoke", 3, 14)}),
    "false_revoke_schnittchen-69": (set(), {("revoke", 2, 340)}),
    "false_not_entitled_scans_schaffkopf-451": (set(), {("not_entitled", 3, 57), ("impossible_card", 2, 52)}),
    "false_not_entitled_misread_schaffkopf-449": ({("impossible_card", 3, 1098)}, {("not_entitled", 3, 1073)}),
    "impossible_at_scan_eppstein-5": (set(), {("impossible_card", 2, 64)}),
}


@pytest.mark.skipif(not CASES.is_dir(), reason="these files stand beside the project, not in it")
@pytest.mark.parametrize("name", BESIDE)
def test_files_beside_the_project(name: str) -> None:
    among, never = BESIDE[name]
    found = told(folded(CASES / f"{name}.jsonl"))
    assert among <= found
    assert not never & found


def test_a_third_copy_may_have_followed() -> None:
    """Seat 4 laid ST on a trump and had trumps. With a third ST it may be DK, a trump, which is missing."""
    lines = (FILES.parent / "agreed" / "schnittchen_1.jsonl").read_text(encoding="utf-8").splitlines()
    before, after = (fold(map(parse, lines[:last])) for last in (72, 73))
    assert ("revoke", 4, 42) in told(before) and ("revoke", 4, 42) not in told(after)
    assert after.game is not None and [(one.code, one.event) for one in after.game.withdrawn] == [("revoke", 42)]


@pytest.mark.skipif(not CASES.is_dir(), reason="these files stand beside the project, not in it")
def test_bock_without_kontra_counts() -> None:
    """Unfounded by schnittchen 5.2, and nobody has claimed it: 3 points, doubled by Re, Kontra and Bock."""
    (game,) = folded(CASES / "schnittchen_bock_unfounded.jsonl").games
    assert [one.code for one in game.offences] == ["unfounded_announcement"]
    assert game.result is not None and sorted(game.result.score.values()) == [-24, -24, 24, 24]


@pytest.mark.skipif(not CASES.is_dir(), reason="these files stand beside the project, not in it")
def test_who_may_object_to_a_breach_that_was_settled_late() -> None:
    round = folded(CASES / "doubt_settled_late_nobody_may_claim.jsonl")
    assert [(one.code, claimants(round.game, one)) for one in certain(round) if round.game] == [("revoke", (1, 3, 4))]

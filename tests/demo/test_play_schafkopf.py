"""Rounds of Schafkopf as four people might play them: lawful, whole, the list without fault."""

from collections import Counter

import pytest

from kiosk.demo.play import simulate
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import replay_data

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(4))
def test_a_lawful_round(seed: int) -> None:
    state = fold(map(decode, simulate("schaffkopf", seed)))
    *games, last = replay_data(state)
    assert state.closed and len(games) == 32
    assert [game["offences"] for game in games if game["offences"]] == []
    assert all(check["ok"] for check in last["list"]["checks"])
    for game in games:
        assert sum(game["points"].values()) == 120 and sum(game["score"].values()) == 0
        assert game["won_by"] in ("re", "kontra")


def test_many_kinds_of_games() -> None:
    kinds = Counter(
        game["kind"] for seed in range(6) for game in replay_data(fold(map(decode, simulate("schaffkopf", seed))))[:-1]
    )
    assert {"rufspiel", "wenz", "solo", "muss"} <= set(kinds)
    assert kinds["rufspiel"] > kinds["wenz"] > kinds["wenz-tout"]


def test_a_round_with_mistakes() -> None:
    games = replay_data(fold(map(decode, simulate("schaffkopf", 5, mistakes=0.03))))[:-1]
    assert {offence["code"] for game in games for offence in game["offences"]} >= {"revoke", "out_of_turn"}


def test_the_same_seed_plays_the_same_round() -> None:
    assert list(simulate("schaffkopf", 5, 2)) == list(simulate("schaffkopf", 5, 2))
    assert list(simulate("schaffkopf", 5, 2)) != list(simulate("schaffkopf", 6, 2))

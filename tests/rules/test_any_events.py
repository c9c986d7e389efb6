"""Whatever comes: an event is applied or refused with BadEvent; the round is the fold of what was applied."""

import importlib.util
import random
from pathlib import Path
from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import EPPSTEIN
from kiosk.rules.proof import know
from kiosk.table.fold import fold
from kiosk.table.spielliste import replay_data, text

_spec = importlib.util.spec_from_file_location("random_games", Path(__file__).with_name("test_random_games.py"))
assert _spec and _spec.loader
_random_games = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_random_games)

CARDS = sorted(set(EPPSTEIN.deck))
EVENTS = [
    "deal",
    "hand",
    "call",
    "declare",
    "announce",
    "card",
    "card",
    "card",
    "card",
    "retract",
    "claim",
    "object",
    "rule",
    "rule",
    "void",
    "strike",
    "sign",
    "correct",
    "correct",
    "release",
    "bid",
    "leave",
    "time_up",
    "close",
]


def anything(rnd: random.Random, number: int) -> dict[str, Any]:
    """An event of any kind with keys that may fit or not."""

    def seat() -> Any:
        return rnd.choice([1, 2, 3, 4] * 5 + [5, 0, None, "1"])

    def card() -> Any:
        return rnd.choice([*CARDS, "XX"])

    name = rnd.choice(EVENTS)
    if name in ("close", "time_up") and rnd.random() < 0.8:
        name = "card"
    keys: dict[str, Any] = {
        "deal": {"dealer": seat()},
        "hand": {"cards": [card() for _ in range(rnd.choice([12, 12, 11, 0]))]},
        "call": {"call": rnd.choice(["gesund", "vorbehalt", "weiter"])},
        "declare": {
            "game": rnd.choice(["hochzeit", "damensolo", "farbsolo", "schmeissen", "wenz"]),
            "suit": rnd.choice("CSHD"),
            "duty": rnd.random() < 0.5,
            "condition": rnd.choice([None, "first", "plain", "x"]),
        },
        "announce": {
            "call": rnd.choice(["re", "kontra", "keine90", "keine60", "schwarz", "bock"]),
            "side": rnd.choice([None, "re", "kontra"]),
            "together": rnd.random() < 0.3,
        },
        "card": {"card": card(), "doubt": [card(), card()]},
        "retract": {"card": card()},
        "claim": {"kind": rnd.choice(["rest", "concede"]), "order": [card()], "accepted": rnd.random() < 0.5},
        "object": {"against": seat(), "code": "revoke", "breach": rnd.choice([None, rnd.randrange(number + 2)])},
        "rule": {
            "offender": seat(),
            "class": rnd.choice(["none", "minor", "serious", "decided", "custom"]),
            "resume": rnd.random() < 0.5,
            "harms_soloist": rnd.random() < 0.5,
            "scores": rnd.choice([None, {"1": 3, "2": -3}]),
        },
        "strike": {"game": rnd.randrange(5), "replay": rnd.random() < 0.5},
        "correct": rnd.choice(
            [{"of": rnd.randrange(number + 2), "card": card()}, {"after": rnd.randrange(number + 2), "card": card()}]
        ),
    }.get(name, {})
    if name in ("hand", "call", "declare", "announce", "card", "retract", "claim", "object", "sign", "leave", "bid"):
        keys["seat"] = seat()
    if "after" in keys:
        keys["seat"] = seat()
    return {"event": name, **keys}


@pytest.mark.parametrize("seed", range(12))
def test_anything(seed: int) -> None:
    rnd = random.Random(seed)
    events, _ = _random_games.random_round(seed, 2, 0.1, 0.3)
    state = fold(events[: rnd.randrange(1, len(events))])
    refused = 0
    for _ in range(60):
        try:
            state = state.apply(anything(rnd, state.events))
        except BadEvent as error:
            refused += 1
            assert str(error)
            continue
        assert replay_data(state)[-1]["list"]["total"] == {str(s): p for s, p in state.totals.items()}
        assert text(state)
        game = state.game
        if game is not None:
            assert (game.turn is None) == (game.phase in ("resting", "scored"))
            assert set(game.known_sides) <= set(game.seats)
            assert game.known == know(game.book.deck, game.book.hand_size, game.shown, game.hands)
        assert state.must_play in (None, *state.seats) and state.next_dealer in state.seats
    assert 0 < refused < 60
    assert fold([event for _, event in state.log]) == state

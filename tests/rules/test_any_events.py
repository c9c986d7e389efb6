"""Whatever comes: an event is applied or refused with BadEvent; the round is the fold of what was applied."""

import random
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.proof import know
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import replay_data, text

pytestmark = pytest.mark.slow

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


def anything(rnd: random.Random, book: RuleBook, number: int) -> dict[str, Any]:
    """An event of any kind with keys that may fit or not."""
    cards, size = sorted(set(book.deck)), book.hand_size

    def seat() -> Any:
        return rnd.choice([1, 2, 3, 4] * 5 + [5, 0, None, "1"])

    def card() -> Any:
        return rnd.choice([*cards, "XX"])

    name = rnd.choice(EVENTS)
    if name in ("close", "time_up") and rnd.random() < 0.8:
        name = "card"
    keys: dict[str, Any] = {
        "deal": {"dealer": seat()},
        "hand": {"cards": [card() for _ in range(rnd.choice([size, size, size - 1, 0]))]},
        "call": {"call": rnd.choice([*book.answers, "weiter", "gesund"])},
        "bid": {"class": rnd.choice([*book.classes, None, "wenz"])},
        "leave": {"granted": rnd.random() < 0.5},
        "declare": {
            "game": rnd.choice([*(kind.game for kind in book.kinds), "skat"]),
            "suit": rnd.choice("CSHDEG"),
            "card": rnd.choice(cards),
            "renonce": rnd.random() < 0.3,
            "raise": rnd.choice([[], ["keine90"], ["re"]]),
            "duty": rnd.random() < 0.5,
            "condition": rnd.choice([None, "first", "plain", "x"]),
        },
        "announce": {
            "call": rnd.choice(["re", "kontra", "keine90", "keine60", "schwarz", "bock"]),
            "side": rnd.choice([None, "re", "kontra"]),
            "together": rnd.random() < 0.3,
        },
        "card": {"card": card(), "doubt": [card(), card()], "down": rnd.random() < 0.1},
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
            [
                {"of": rnd.randrange(number + 2), "card": card()},
                {"after": rnd.randrange(number + 2), "card": card()},
                {"of": rnd.randrange(number + 2), "word": rnd.choice([None, {"event": "sign", "seat": 2}])},
            ]
        ),
    }.get(name, {})
    if name in ("hand", "call", "declare", "announce", "card", "retract", "claim", "object", "sign", "leave", "bid"):
        keys["seat"] = seat()
    if "after" in keys:
        keys["seat"] = seat()
    return {"event": name, **keys}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", BOOKS)
def test_anything(name: str, seed: int) -> None:
    rnd, book = random.Random(f"{name} {seed}"), BOOKS[name]
    events = list(simulate(name, seed, 2, mistakes=0.05))
    state = fold(map(decode, events[: rnd.randrange(1, len(events))]))
    refused = 0
    for _ in range(80):
        try:
            state = state.apply(decode(anything(rnd, book, state.events)))
        except BadEvent as error:
            refused += 1
            assert str(error)
            continue
        assert replay_data(state)[-1]["list"]["total"] == {str(s): p for s, p in state.totals.items()}
        assert text(state)
        game = state.game
        if game is not None:
            assert game.turn is None or game.phase not in ("resting", "scored")
            assert set(game.known_sides) <= set(game.seats)
            assert game.known == know(book.deck, book.hand_size, game.shown, game.hands)
        assert state.must_play in (None, *state.seats) and state.next_dealer in state.seats
    assert 0 < refused < 80
    assert fold([event for _, event in state.log]) == state

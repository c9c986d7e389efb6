"""What the table offers and explains in a game of Schafkopf."""

from typing import Any

import pytest

from kiosk.table import offers
from kiosk.table.fold import Round, fold
from kiosk.table.show import view
from kiosk.table.words import explain

NAMES = ["Anna", "Bernd", "Cem", "Dora"]
START = [
    {"event": "open", "format": 1, "rules": "schaffkopf", "players": NAMES},
    {"event": "release"},
    {"event": "deal", "dealer": 1},
]


def said(*words: str) -> list[dict[str, Any]]:
    return [{"event": "call", "seat": seat, "call": word} for seat, word in zip((2, 3, 4, 1), words, strict=False)]


def table(*more: dict[str, Any], calls: tuple[str, ...] = ()) -> Round:
    return fold([*START, *said(*calls), *more])


def game(state: Round) -> Any:
    assert state.game is not None
    return state.game


@pytest.mark.parametrize(
    ("calls", "seat", "asks"),
    [
        ((), 2, ("weiter", "spielen")),
        ((), 3, ()),
        (("weiter",), 3, ("weiter", "spielen")),
        (("spielen",), 3, ("recht", "auch")),
        (("spielen",), 2, ()),
    ],
)
def test_answers(calls: tuple[str, ...], seat: int, asks: tuple[str, ...]) -> None:
    assert offers.answers(game(table(calls=calls)), seat) == asks


def test_bids() -> None:
    """II 2: the second needs a Wenz at least, and may pass only if the first bid as much."""
    calls = ("spielen", "auch", "recht", "recht")
    state = game(table(calls=calls))
    assert offers.bids(state, 2) == ("rufspiel", "wenz", "solo", "wenz-tout", "solo-tout", "sie")
    assert offers.bids(state, 3) == ()
    low = game(table({"event": "bid", "seat": 2, "class": "rufspiel"}, calls=calls))
    assert offers.bids(low, 3) == ("wenz", "solo", "wenz-tout", "solo-tout", "sie")
    high = game(table({"event": "bid", "seat": 2, "class": "solo"}, calls=calls))
    assert offers.bids(high, 3) == (None, "wenz-tout", "solo-tout", "sie")


def test_games_of_the_spielmacher() -> None:
    state = game(table(calls=("spielen", "recht", "recht", "recht")))
    names = [form["game"] for form in offers.games(state, 2)]
    assert set(names) == {"sie", "solo-tout", "wenz-tout", "solo", "wenz", "rufspiel"} and names.count("rufspiel") == 3
    assert offers.games(state, 3) == ()


def test_games_when_nobody_plays() -> None:
    state = game(table(calls=("weiter",) * 4))
    forms = offers.games(state, 4)
    assert {form["game"] for form in forms} == {"muss"} and len(forms) == 12
    assert {"game": "muss", "card": "EA", "renonce": True} in forms


@pytest.mark.parametrize(
    ("hand", "card", "text"),
    [
        pytest.param(
            "EA ET", "ET", "Stich 1: Cem legt Eichel 10 und hat dabei die gerufene Karte Eichel As", id="kept"
        ),
        pytest.param("EA SA", "EA", "Stich 1: Cem wirft die gerufene Karte Eichel As ab.", id="thrown away"),
        pytest.param("EA SA", "SA", "Stich 1: Cem legt Schellen As auf", id="not followed"),
    ],
)
def test_explained(hand: str, card: str, text: str) -> None:
    led = "E7" if card != "EA" else "G7"
    rest = "GA GT GK G9 H7 H8" if led == "E7" else "ST SK S9 S8 H7 H8"
    state = table(
        {"event": "hand", "seat": 3, "cards": [*hand.split(), *rest.split()]},
        {"event": "declare", "seat": 2, "game": "rufspiel", "card": "EA"},
        {"event": "card", "seat": 2, "card": led},
        {"event": "card", "seat": 3, "card": card},
        calls=("spielen", "recht", "recht", "recht"),
    )
    (found,) = view(state).offences
    assert found.code == "revoke" and explain(found, NAMES).startswith(text)
    assert explain(found, NAMES, "en").startswith("Trick 1: Cem")

"""What the table offers and explains in a game of Schafkopf."""

from typing import Any

import pytest

from kiosk.rules.engine.evolve import evolve
from kiosk.rules.steps import asking
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.view import offers
from kiosk.table.view.explanation import explain
from kiosk.table.view.show import view

NAMES = ["Anna", "Bernd", "Cem", "Dora"]
START = [
    {"event": "open", "format": 1, "rules": "schaffkopf", "players": NAMES},
    {"event": "release"},
    {"event": "deal", "dealer": 1},
]


def said(*words: str) -> list[dict[str, Any]]:
    return [{"event": "call", "seat": seat, "call": word} for seat, word in zip((2, 3, 4, 1), words, strict=False)]


def table(*more: dict[str, Any], calls: tuple[str, ...] = ()) -> Round:
    return fold(map(decode, [*START, *said(*calls), *more]))


ONE_PLAYS = ("spielen", "recht", "recht", "recht")


def cards(text: str) -> list[dict[str, Any]]:
    return [{"event": "card", "seat": int(word[0]), "card": word[1:]} for word in text.split()]


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


@pytest.mark.parametrize(
    "laid",
    ["2H7 3H8 4H9 1HT", "2E7 3E8 4E9 1H7 1H8 2H9 3EA 4HA", "2GA 3H7 4G7 1G8 3E7 4E9 1EA 2EK"],
    ids=["not seen yet", "thrown away", "another's"],
)
def test_who_has_not_run_away(laid: str) -> None:
    state = table({"event": "declare", "seat": 2, "game": "rufspiel", "card": "EA"}, *cards(laid), calls=ONE_PLAYS)
    assert not any(seat.ran for seat in view(state).seats)


def test_running_away_shows_when_the_called_card_falls() -> None:
    """II 4.1.6: Cem leads the suit under the called ace, which falls later; leading it after that is nothing."""
    declared = {"event": "declare", "seat": 3, "game": "rufspiel", "card": "EA"}
    calls = ("weiter", "spielen", "recht", "recht")
    state = table(declared, *cards("2E7 3ET 4E8 1E9"), calls=calls)
    assert not any(seat.ran for seat in view(state).seats)
    state = table(declared, *cards("2E7 3ET 4E8 1EK 3H7 4H8 1HO 2H9 1EO 2EA 3H9 4HT"), calls=calls)
    assert [seat.ran for seat in view(state).seats] == [False, True, False, False]
    fell = table(declared, *cards("2EA 3ET 4E8 1EK 2E7 3H7 4H8 1H9"), calls=calls)
    assert not any(seat.ran for seat in view(fell).seats)


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ([], None),
        (["bid"], "asked"),
        (["bid", "yes"], "granted"),
        (["bid", "no"], "refused"),
        (["yes", "bid"], "granted"),
        (["bid", "no", "bid"], "asked"),
        (["declare"], "asked"),
        (["bid", "yes", "declare"], "granted"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_leave(events: list[str], state: str | None) -> None:
    """II 2.2: asked for by bidding the class; the direction's last word since counts."""
    known = {
        "bid": {"event": "bid", "seat": 2, "class": "wenz-tout"},
        "declare": {"event": "declare", "seat": 2, "game": "wenz-tout"},
        "yes": {"event": "leave", "seat": 2, "granted": True},
        "no": {"event": "leave", "seat": 2, "granted": False},
    }
    leave = view(table(*(known[name] for name in events), calls=ONE_PLAYS)).leave
    assert (leave.state if leave else None) == state
    assert leave is None or leave.section == "schaffkopf II 4.1.3"


def test_what_needs_leave_is_offered_as_a_class() -> None:
    forms = offers.games(game(table(calls=ONE_PLAYS)), 2)
    assert [form for form in forms if form.get("leave")] == [
        {"game": name, "leave": True} for name in ("sie", "solo-tout", "wenz-tout")
    ]
    asked = table({"event": "bid", "seat": 2, "class": "sie"}, calls=ONE_PLAYS)
    assert offers.games(game(asked), 2) == ()
    refused = table(
        {"event": "bid", "seat": 2, "class": "sie"}, {"event": "leave", "seat": 2, "granted": False}, calls=ONE_PLAYS
    )
    assert "sie" not in {form["game"] for form in offers.games(game(refused), 2)}
    assert offers.answers(game(refused), 2) == ("weiter",)
    assert offers.answers(game(refused), 3) == ()


def test_after_an_annulled_word_the_others_may_revise_theirs() -> None:
    """II 2.2: as if nobody had announced a game; the following may speak anew."""
    state = table(
        {"event": "bid", "seat": 2, "class": "sie"},
        {"event": "leave", "seat": 2, "granted": False},
        {"event": "call", "seat": 2, "call": "weiter"},
        calls=ONE_PLAYS,
    )
    assert offers.answers(game(state), 3) == ("weiter", "spielen")


def test_after_three_lost_every_alleinspiel_is_asked_for() -> None:
    """II 2.2: any Alleinspiel of one who has lost three in the round; a Rufspiel is none."""
    lost = evolve(game(table(calls=ONE_PLAYS)), lost={1: 0, 2: 3, 3: 0, 4: 0})
    asked = {form["game"] for form in offers.games(lost, 2) if form.get("leave")}
    assert asked == {"sie", "solo-tout", "wenz-tout", "solo", "wenz"}
    bid = asking.bid(lost, lost.last_event + 1, 2, "solo")
    leave = offers.leave(bid)
    assert leave is not None
    assert (leave.state, leave.section) == ("asked", "schaffkopf II 2.2")
    granted = asking.leave(bid, bid.last_event + 1, 2, True)
    assert {"game": "solo", "suit": "S"} in offers.games(granted, 2)


def test_a_sie_is_over_with_its_name() -> None:
    """II 4.1.1: not played out; its leave comes before."""
    state = table(
        {"event": "bid", "seat": 2, "class": "sie"},
        {"event": "leave", "seat": 2, "granted": True},
        {"event": "declare", "seat": 2, "game": "sie"},
        calls=ONE_PLAYS,
    )
    shown = view(state)
    assert shown.phase == "scored" and shown.leave is None and shown.result is not None
    assert (shown.result.score, shown.result.points, shown.result.tricks) == ((-12, 36, -12, -12), (120, 0), ())
    assert shown.sheet is not None and shown.sheet.lines[0][:4] == ("", "12", "36", "")

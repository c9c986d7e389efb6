"""Rounds of every book as people might play them: lawful, whole, the list without fault; and all that a book has."""

from collections import Counter
from typing import Any

import pytest

from kiosk.demo import people
from kiosk.demo.people import PLAUSIBLE
from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.spielliste import replay_data

pytestmark = pytest.mark.slow

TABLES = [(book, players) for book, row in BOOKS.items() for players in row.tables]


@pytest.mark.parametrize(("book", "players"), TABLES)
def test_a_lawful_round(book: str, players: int) -> None:
    state = fold(map(decode, simulate(book, 3, players=players, shorten=0.5, mishaps=0.02)))
    *games, last = replay_data(state)
    assert state.closed and state.offences == ()
    assert all(check["ok"] for check in last["list"]["checks"])
    whole = 120 if len(state.book.deck) == 32 else 240
    for game in games:
        assert game["void"] or sum(game["points"].values()) == whole
        assert game["won_by"] in ("re", "kontra", None)


@pytest.mark.parametrize(("book", "players"), TABLES)
def test_a_round_where_much_goes_wrong(book: str, players: int) -> None:
    minutes = BOOKS[book].minutes(players, BOOKS[book].settle({}))
    events = list(simulate(book, 5, None, players, 0.02, shorten=0.9, mishaps=0.1, time_up=minutes is not None))
    state = fold(map(decode, events))
    words = {event["event"] for event in events}
    assert state.closed and state.offences and {"object", "rule"} <= words
    assert state.time_up == (minutes is not None) and not any(state.duties_left.values())


def several(book: str, count: int, **habits: Any) -> tuple[list[dict[str, Any]], list[Round]]:
    """All events of some rounds, and the rounds."""
    rounds = [list(simulate(book, seed, **habits)) for seed in range(count)]
    return [event for one in rounds for event in one], [fold(map(decode, one)) for one in rounds]


def test_solos_are_raised_and_a_card_lies_face_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "RARE_HANDS", 0.3)
    events, rounds = several("durchgaenge", 3)
    declared = [event for event in events if event["event"] == "declare"]
    assert any(event.get("raise") for event in declared)
    assert any(event.get("down") for event in events)
    assert all(round.offences == () for round in rounds)


def test_deals_are_void_and_games_struck() -> None:
    events, rounds = several("eppstein", 1, mishaps=0.2)
    assert {"void", "strike", "substitute"} <= {event["event"] for event in events}
    assert rounds[0].closed and rounds[0].offences == ()


def test_bock_is_said_and_a_bockrunde_played() -> None:
    events, rounds = several("schnittchen", 2, players=5)
    assert "bock" in {event.get("call") for event in events}
    assert any(game.doubled for round in rounds for game in round.games)


def test_trumpfschwach_throws_in_and_duties_are_met() -> None:
    events, rounds = several("bsv", 2)
    assert any(event.get("game") == "trumpfschwach" for event in events)
    lapsed = [game for round in rounds for game in round.games if game.lapsed]
    assert lapsed and not any(game.offences for game in lapsed)


def test_every_muss_spiel_and_leave_given_and_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "RARE_HANDS", 1.0)
    events, rounds = several("schaffkopf", 2)
    forced = {(event["card"][1], event.get("renonce", False)) for event in events if event.get("game") == "muss"}
    assert {("A", True), ("T", False), ("K", False)} <= forced
    assert {event["granted"] for event in events if event["event"] == "leave"} == {True, False}
    kinds = Counter(game.kind for round in rounds for game in round.games)
    assert {"sie", "solo-tout", "wenz-tout"} <= set(kinds)
    assert all(round.offences == () for round in rounds)


def test_the_same_seed_plays_the_same_round() -> None:
    habits = {"mistakes": PLAUSIBLE.offences, "shorten": PLAUSIBLE.shorten, "mishaps": PLAUSIBLE.mishaps}
    assert list(simulate("durchgaenge", 5, **habits)) == list(simulate("durchgaenge", 5, **habits))

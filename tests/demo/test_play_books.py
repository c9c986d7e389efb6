"""Rounds of every Doppelkopf book as four people might play them: lawful, whole, the list without fault."""

import pytest

from kiosk.demo.play import simulate
from kiosk.table.fold import fold
from kiosk.table.spielliste import replay_data

BOOKS = {"bsv": 24, "durchgaenge": 12, "schnittchen": 16}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", [4, 5])
def test_a_lawful_round(book: str, players: int) -> None:
    if book == "durchgaenge" and players == 5:
        players = 4
    for seed in range(2):
        state = fold(simulate(book, seed, players=players))
        *games, last = replay_data(state)
        assert state.closed and [game["offences"] for game in games if game["offences"]] == []
        assert len(games) == (30 if (book, players) == ("bsv", 5) else BOOKS[book])
        assert all(check["ok"] for check in last["list"]["checks"])
        for game in games:
            assert sum(game["points"].values()) == 240 and game["won_by"] in ("re", "kontra", None)
            if book != "durchgaenge":
                assert sum(game["score"].values()) == 0


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_with_mistakes(book: str) -> None:
    state = fold(simulate(book, 5, mistakes=0.03))
    games = replay_data(state)[:-1]
    assert state.closed and any(game["offences"] for game in games)


def test_bock_is_said() -> None:
    words = [event.get("call") for event in simulate("schnittchen", 3)]
    assert "bock" in words

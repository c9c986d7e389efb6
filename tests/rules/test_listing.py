"""The list of eppstein 6.3."""

from typing import Any

from kiosk.table.spielliste import list_data, replay_data, rows, text


def test_checks_and_solos(play: Any) -> None:
    """6.3.5: cumulated, the dealers, who played a solo and when."""
    table = play()
    table.deal()
    table.finish()
    table.deal()
    table.do("declare", seat=4, game="farbsolo", suit="H", duty=True)
    table.finish()
    data = list_data(table.round)
    assert data["solos"] == [{"game": 2, "seat": 4, "kind": "farbsolo", "duty": True}]
    assert data["checks"] == [
        {"check": "cumulated", "section": "eppstein 6.3.5", "ok": True},
        {"check": "dealers", "section": "eppstein 6.3.5", "ok": True, "games": []},
    ]
    assert "Farbsolo Herz (Pflicht) Dora" in data["lines"][1][-1]
    table.deal(4)  # seat 2 again, after a Pflichtsolo
    table.finish()
    assert list_data(table.round)["checks"][1] == {
        "check": "dealers",
        "section": "eppstein 6.3.5",
        "ok": False,
        "games": [3],
    }


def test_a_struck_row_stays_and_counts_nothing(play: Any) -> None:
    """8.2.1."""
    table = play()
    for _ in range(3):
        table.deal()
        table.finish()
    table.do("strike", game=2, replay=True)
    games = replay_data(table.round)[:-1]
    assert [game["void"] for game in games] == [False, True, False]
    assert set(games[1]["score"].values()) == {0}
    assert games[1]["total"] == games[0]["total"]
    assert games[2]["total"] == {seat: games[0]["total"][seat] + p for seat, p in games[2]["score"].items()}
    assert list_data(table.round)["total"] == games[2]["total"]
    assert "gestrichen" in text(table.round)
    assert [row.void for row in rows(table.round)] == [False, True, False]


def test_the_scorer_and_the_signatures(play: Any) -> None:
    """6.3.1."""
    for players, scorer in ((4, 4), (5, 5)):
        table = play(players)
        table.do("sign", seat=2)
        data = list_data(table.round)
        assert data["scorer"] == scorer
        assert data["signatures"] == {str(seat): seat == 2 for seat in range(1, players + 1)}

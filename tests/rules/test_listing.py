"""The lists: at the table that of eppstein 6.3, by themselves those of every book."""

from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.listing import (
    ListRow,
    ListWords,
    note,
)
from kiosk.table.scoresheet.rows import rows
from kiosk.table.scoresheet.spielliste import list_data, replay_data, text


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


# The lists by themselves, with words that show their codes.

WORDS = ListWords(game=lambda row: row.kind.title(), word=lambda code: f"<{code}>")
ABCD = ("Anna", "Bernd", "Cem", "Dora")


def made(*scores: str, **more: dict[int, dict[str, Any]]) -> list[ListRow]:
    """Rows with these scores, seat 1 first; ``more``: other fields by game."""
    found: list[ListRow] = []
    total: dict[int, int] = {}
    for game, text_ in enumerate(scores, start=1):
        score = dict(enumerate(map(int, text_.split()), start=1))
        total = {seat: total.get(seat, 0) + points for seat, points in score.items()}
        fields: dict[str, Any] = {
            "game": game,
            "dealer": (game - 1) % len(score) + 1,
            "due": (game - 1) % len(score) + 1,
            "kind": "normal",
            "suit": None,
            "declarer": None,
            "duty": False,
            "alone": None,
            "score": score,
            "total": total,
            "won": frozenset(seat for seat, points in score.items() if points > 0),
            "points": max(score.values()),
            "void": False,
            "struck": False,
            "open": False,
        }
        found.append(ListRow(**{**fields, **more.get("of", {}).get(game, {})}))
    return found


@pytest.mark.parametrize(
    ("fields", "text_"),
    [
        pytest.param({}, "", id="a normal game"),
        pytest.param({"kind": "hochzeit"}, "Hochzeit", id="nobody alone"),
        pytest.param({"kind": "still", "who": "Anna"}, "Still Anna", id="who played alone"),
        pytest.param({"kind": "hochzeit", "solo": "hochzeit", "who": "Cem"}, "Hochzeit Cem, <alone>", id="alone"),
        pytest.param({"bock": True}, "<doubled>", id="in a Bockrunde"),
        pytest.param({"struck": True, "void": True}, "<struck>", id="struck"),
        pytest.param({"struck": True, "again": True}, "<struck_again>", id="struck and to be played again"),
        pytest.param({"void": True, "ruled": True}, "<broken_off>", id="broken off"),
        pytest.param({"ruled": True}, "<ruled>", id="ruled"),
        pytest.param({"kind": "sie", "who": "Dora", "leave": True}, "Sie Dora, <leave>", id="with leave"),
        pytest.param({"leave": True, "struck": True}, "<struck>", id="leave does not matter where it is struck"),
        pytest.param({"bock": True, "ruled": True}, "<doubled>, <ruled>", id="several"),
    ],
)
def test_what_is_noted_of_a_game(fields: dict[str, Any], text_: str) -> None:
    (row,) = made("1 0 1 0", of={1: fields})
    assert note(row, WORDS) == text_


def test_the_list_of_eppstein() -> None:
    """6.3.2, 6.3.5."""
    solo = {"alone": 2, "kind": "damensolo", "duty": True, "who": "Bernd"}
    rows = made("2 0 2 0", "0 6 0 0", "-12 4 4 4", of={2: solo, 3: {"void": True, "dealer": 2}})
    found = BOOKS["eppstein"].list_of(ABCD, rows, WORDS)
    assert found == {
        "name": "<list>",
        "columns": [*ABCD, "<value_of_this_game>", "<kind_of_game>"],
        "fields": [
            *({"kind": "total", "seat": seat} for seat in (1, 2, 3, 4)),
            {"kind": "value", "seat": None},
            {"kind": "game", "seat": None},
        ],
        "lines": [
            [2, 0, 2, 0, 2, ""],
            [2, 6, 2, 0, 6, "Damensolo Bernd"],
            [-10, 10, 6, 4, "", "<broken_off>"],
        ],
        "foot": [["<result>", [-10, 10, 6, 4, "", ""]]],
        "sums": [-10, 10, 6, 4],
        "solos": [{"game": 2, "seat": 2, "kind": "damensolo", "duty": True}],
        "checks": [
            {"check": "cumulated", "section": "eppstein 6.3.5", "ok": True},
            {"check": "dealers", "section": "eppstein 6.3.5", "ok": False, "games": [3]},
        ],
    }
    wrong = made("2 0 2 0", "0 1 0 1", of={2: {"total": {1: 2, 2: 2, 3: 2, 4: 1}}})
    assert BOOKS["eppstein"].list_of(ABCD, wrong, WORDS)["checks"][0]["ok"] is False
    assert BOOKS["eppstein"].list_of(ABCD, [], WORDS)["checks"] == [
        {"check": "cumulated", "section": "eppstein 6.3.5", "ok": True},
        {"check": "dealers", "section": "eppstein 6.3.5", "ok": True, "games": []},
    ]


def test_the_list_of_bsv() -> None:
    """7.3: who gained is noted by position; the checks."""
    rows = made("1 -1 1 -1", "6 -2 -2 -2", "0 0 0 0", of={2: {"alone": 1, "kind": "fleischlos", "who": "Anna"}})
    found = BOOKS["bsv"].list_of(ABCD, rows, WORDS)
    assert found["columns"] == [*ABCD, "<winners>", "<value>", "<game>"]
    assert [one["kind"] for one in found["fields"]] == ["total"] * 4 + ["winners", "value", "game"]
    assert [one["seat"] for one in found["fields"]] == [1, 2, 3, 4, None, None, None]
    assert found["lines"] == [
        [1, -1, 1, -1, "1 3", 1, ""],
        [7, -3, -1, -3, "1", 6, "Fleischlos Anna"],
        [7, -3, -1, -3, "", 0, ""],
    ]
    assert found["foot"] == [["<result>", [7, -3, -1, -3, "", "", ""]]]
    assert found["winners"] == [[1, 3], [1], []]
    assert found["name"] == "<list>" and found["solos"][0]["game"] == 2
    assert found["checks"] == [
        {"check": "row_sums", "section": "bsv 7.3", "ok": True, "games": []},
        {"check": "even_odd", "section": "bsv 7.3", "ok": True, "games": [], "excused": []},
        {"check": "winners", "section": "bsv 7.3", "ok": True, "games": []},
    ]


@pytest.mark.parametrize(
    ("score", "alone", "excused"),
    [
        pytest.param("3 0 0 -3", 1, True, id="7.3 +3, 0, 0, -3"),
        pytest.param("15 0 -15 0", 1, True, id="7.3 +15, 0, 0, -15"),
        pytest.param("9 -2 -2 -5", 1, True, id="upon a solo won, 6 -2 -2 -2"),
        pytest.param("-3 2 2 -1", 1, True, id="upon a solo lost, -6 2 2 2"),
        pytest.param("-3 3 0 0", 1, False, id="a soloist's own penalty"),
        pytest.param("3 0 0 -3", None, False, id="no solo"),
        pytest.param("3 0 -1 -2", 1, False, id="of two opponents"),
        pytest.param("2 0 0 -3", 1, False, id="not what the opponent lost"),
        pytest.param("3 0 0 0", 1, False, id="of nobody"),
    ],
)
def test_even_odd_and_its_exception(score: str, alone: int | None, excused: bool) -> None:
    """7.3: violated only by Strafpunkte in favour of a soloist."""
    rows = made("2 -2 2 -2", score, "1 -1 1 -1", of={2: {"alone": alone}})
    check = BOOKS["bsv"].list_of(ABCD, rows, WORDS)["checks"][1]
    assert (check["ok"], check["games"], check["excused"]) == (excused, [] if excused else [2], [2] * excused)


def test_checks_of_bsv_that_fail() -> None:
    """7.3; 10.1: the even-odd rule is not asked for at a table of five."""
    rows = made("1 -1 1 0", "-1 -1 0 0")
    found = BOOKS["bsv"].list_of(ABCD, rows, WORDS)["checks"]
    assert [(one["ok"], one["games"]) for one in found] == [(False, [1, 2]), (False, [1, 2]), (False, [2])]
    five = BOOKS["bsv"].list_of((*ABCD, "Emil"), made("0 1 -1 1 -1"), WORDS)["checks"][1]
    assert (five["section"], five["ok"], five["games"]) == ("bsv 10.1", True, [])


def test_the_list_of_durchgaenge() -> None:
    found = BOOKS["durchgaenge"].list_of(ABCD, made("8 0 8 0", "-21 7 7 7"), WORDS)
    assert found["columns"] == [*ABCD, "<value_without_bonus>", "<game>"] and found["checks"] == []
    assert found["lines"] == [[8, 0, 8, 0, 8, ""], [-13, 7, 15, 7, 7, ""]]


def test_the_list_of_schnittchen() -> None:
    """6.2; "Pokale": equal sums share a place, the lower seat stands first."""
    found = BOOKS["schnittchen"].list_of(ABCD, made("1 -1 1 -1", "2 -2 2 -1"), WORDS)
    assert found["ranking"] == [
        {"place": 1, "seat": 1, "points": 3},
        {"place": 1, "seat": 3, "points": 3},
        {"place": 3, "seat": 4, "points": -2},
        {"place": 4, "seat": 2, "points": -3},
    ]
    assert found["checks"] == [{"check": "row_sums", "section": "schnittchen 6.2", "ok": False, "games": [2]}]
    assert found["columns"] == [*ABCD, "<value>", "<game>"]


def test_the_list_of_schaffkopf() -> None:
    """III 3.2: a column + and one − for each player, single games; III 3.1: a row must come to 0."""
    alone = {"kind": "wenz", "who": "Anna", "dealer": 3}
    found = BOOKS["schaffkopf"].list_of(ABCD, made("1 -1 1 -1", "-9 3 3 3", "0 0 2 -1", of={2: alone}), WORDS)
    heads = [f"{name} {sign}" for name in ABCD for sign in "+−"]
    assert found == {
        "name": "<turnierliste>",
        "columns": [*heads, "<game_note>"],
        "fields": [
            *({"kind": kind, "seat": seat} for seat in (1, 2, 3, 4) for kind in ("plus", "minus")),
            {"kind": "game", "seat": None},
        ],
        "lines": [
            [1, "", "", 1, 1, "", "", 1, ""],
            ["", 9, 3, "", 3, "", 3, "", "Wenz Anna"],
            ["", "", "", "", 2, "", "", 1, ""],
        ],
        "sums": [[1, 9], [3, 1], [6, 0], [3, 2]],
        "results": [-8, 2, 6, 1],
        "foot": [
            ["Σ", [1, 9, 3, 1, 6, 0, 3, 2, ""]],
            ["<result>", [-8, "", 2, "", 6, "", 1, "", ""]],
        ],
        "checks": [
            {"check": "row_sums", "section": "schaffkopf III 3.1", "ok": False, "games": [3]},
            {"check": "dealers", "section": "schaffkopf II 1", "ok": False, "games": [2]},
        ],
    }
    clean = BOOKS["schaffkopf"].list_of(ABCD, made("1 -1 1 -1"), WORDS)["checks"]
    assert [(one["ok"], one["games"]) for one in clean] == [(True, []), (True, [])]

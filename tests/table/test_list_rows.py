"""Rows of the list, each by what its game came to: who played alone and how, what it was worth, what else it says."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.listing import ListRow
from kiosk.rules.engine.scoring import Item, Part
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.grid import as_csv, as_text
from kiosk.table.scoresheet.rows import result_of, rows, says_otherwise

Body = dict[str, Any]
SCORED: Body = {"event": "rule", "class": "custom", "scores": {"1": 2, "2": 2, "3": 0, "4": 0}}


def after(*bodies: Body, rules: str = "eppstein") -> Round:
    opening = {"event": "open", "format": 1, "rules": rules, "players": ["Anna", "Bernd", "Cem", "Dora"]}
    return fold(map(decode, [opening, *bodies]))


def deal(dealer: int = 1) -> Body:
    return {"event": "deal", "dealer": dealer}


def solo(duty: bool = False) -> list[Body]:
    declared = {"event": "declare", "seat": 3, "game": "damensolo", **({"duty": True} if duty else {})}
    return [declared, {"event": "claim", "seat": 3, "kind": "concede"}]


def row_of(round_: Round, **result: Any) -> ListRow:
    """The row of a round's last game, with another result."""
    game = round_.games[-1]
    assert game.result is not None
    return rows(evolve(round_, games=(*round_.games[:-1], evolve(game, result=replace(game.result, **result)))))[-1]


def test_rows_add_up_and_a_struck_one_counts_nothing() -> None:
    round_ = after(deal(), SCORED, deal(), *solo(), deal(2), SCORED)
    first, second, third = rows(round_)
    lost = second.score
    assert (first.score, first.total) == ({1: 2, 2: 2, 3: 0, 4: 0},) * 2 and second.won == result_of(
        round_.games[1]
    ).won
    assert (
        second.won and not second.struck and not second.void and not second.again and not second.ruled and first.ruled
    )
    assert second.total == {seat: first.score[seat] + lost[seat] for seat in lost}
    assert third.total == {seat: second.total[seat] + third.score[seat] for seat in lost}
    for replay in (True, False):
        struck = round_.apply(decode({"event": "strike", "game": 2, "replay": replay}))
        _, row, last = rows(struck)
        assert (row.struck, row.void, row.again, row.won) == (True, True, replay, frozenset())
        assert set(row.score.values()) == {0} and row.total == first.total and last.total[1] == 4
    assert [(one.game, one.own, one.dealer, one.due) for one in rows(round_)] == [
        (1, 1, 1, 1),
        (2, 2, 1, 1),
        (3, 3, 2, 2),
    ]


@pytest.mark.parametrize(("doubled", "void", "bock"), [(True, False, True), (True, True, False), (False, False, False)])
def test_a_game_that_counted_double(doubled: bool, void: bool, bock: bool) -> None:
    round_ = after(deal(), *solo())
    game = evolve(round_.games[0], doubled=doubled)
    row = row_of(evolve(round_, games=(game,)), void=void)
    assert row.bock is bock and row.void is void


@pytest.mark.parametrize(
    ("result", "alone", "how", "who"),
    [
        pytest.param({"kind": "normal", "re": (1, 2)}, None, None, "", id="two against two"),
        pytest.param({"kind": "normal", "re": (2,)}, None, None, "", id="sides that are not known yet"),
        pytest.param({"kind": "still", "re": (2,)}, 2, "still", "Bernd", id="silently"),
        pytest.param({"kind": "hochzeit", "re": (4,), "declarer": 4}, 4, "hochzeit", "Dora", id="found nobody"),
        pytest.param({"kind": "hochzeit", "re": (2, 4), "declarer": 4}, None, None, "Dora", id="found somebody"),
    ],
)
def test_who_played_alone_undeclared(result: Body, alone: int | None, how: str | None, who: str) -> None:
    row = row_of(after(deal(), SCORED), **result)
    assert (row.alone, row.solo, row.who) == (alone, how, who)


@pytest.mark.parametrize(
    ("rules", "duty", "how"), [("eppstein", True, "duty"), ("eppstein", False, "lust"), ("bsv", False, "solo")]
)
def test_who_played_alone_declared(rules: str, duty: bool, how: str) -> None:
    row = rows(after(deal(), *solo(duty), rules=rules))[0]
    assert (row.alone, row.solo, row.who, row.duty, row.declarer, row.kind) == (3, how, "Cem", duty, 3, "damensolo")


def test_a_game_is_its_players_whoever_came_later() -> None:
    came = {"event": "substitute", "seat": 3, "player": "Gerd"}
    other = {"event": "substitute", "seat": 4, "player": "Hans"}
    round_ = after(deal(), *solo(), came, other, deal(2), *solo(), came | {"player": "Ida"}, deal(3), *solo())
    assert [row.who for row in rows(round_)] == ["Cem", "Gerd", "Ida"]


@pytest.mark.parametrize(
    ("items", "value"),
    [
        pytest.param([], 0, id="nothing"),
        pytest.param([(2, Part.BASE), (1, Part.BASE)], 3, id="added"),
        pytest.param([(2, Part.BASE), (2, Part.FACTOR), (1, Part.BASE), (2, Part.FACTOR)], 12, id="doubled twice"),
        pytest.param([(3, Part.BASE), (2, Part.FACTOR), (1, Part.SPECIAL), (-2, Part.SPECIAL)], 5, id="and special"),
        pytest.param([(1, Part.BASE), (-4, Part.SPECIAL)], 3, id="whoever they are for"),
    ],
)
def test_what_a_game_was_worth(items: list[tuple[int, Part]], value: int) -> None:
    found = tuple(Item("x", number, part) for number, part in items)
    assert row_of(after(deal(), *solo()), value=found).points == value


def test_a_game_without_a_result() -> None:
    game: Game | None = after(deal(), SCORED, deal()).game
    assert game is not None
    with pytest.raises(ValueError, match=r"^game 2 has not ended$"):
        result_of(game)


def test_when_a_list_says_something_else() -> None:
    """Points and payments are what people have signed; names are signed by whoever sits there, doubts count already."""
    doubtful = {"event": "card", "seat": 2, "card": "CA", "doubt": ["CA", "CK"]}
    before = after(deal(), doubtful, SCORED, deal(), *solo())
    same = [
        {"event": "correct", "of": 2, "card": "CA"},
        {"event": "substitute", "seat": 3, "player": "Gerd"},
        {"event": "sign", "seat": 1},
    ]
    assert not any(says_otherwise(before, before.apply(decode(body))) for body in same)
    fined = before.apply(decode({"event": "rule", "class": "none", "fines": {"1": 1}}))
    assert says_otherwise(before, fined) and fined.totals == before.totals
    struck = before.apply(decode({"event": "strike", "game": 2, "replay": False}))
    assert says_otherwise(before, struck) and struck.fines == before.fines
    assert rows(before)[0].open and not rows(before)[1].open


def test_a_table_of_cells_as_text() -> None:
    assert as_text(["a", "bb"], [[1, "x"], ["yyy", 22]], left=[1]) == ["  a  bb", "---  --", "  1  x", "yyy  22"]
    assert as_text(["a", "bb"], [[1, "x"]]) == ["a  bb", "-  --", "1   x"]
    assert as_text(["long", "b"], []) == ["long  b", "----  -"]


def test_a_table_of_cells_for_a_spreadsheet() -> None:
    """Amounts stay numbers."""
    cells = [["1,5", "+x"], [3, "-2.50"], ["-", "x-1"], ["12.", "a;b"]]
    assert as_csv(["=a", "b"], cells) == "'=a;b\r\n1,5;'+x\r\n3;-2.50\r\n'-;x-1\r\n12.;\"a;b\"\r\n"

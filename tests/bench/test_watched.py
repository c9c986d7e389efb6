"""Games with one manner each: which are planned, and what is told of them."""

from typing import Any

import pytest

from kiosk.bench.pieces import PieceResult
from kiosk.bench.seeds import HELD_OUT
from kiosk.bench.watched import GAMES, WATCHED, play_game
from kiosk.demo.manners import MANNERS

RESULT: dict[str, Any] = {
    "cards": 48, "games": 1, "wrong": 0, "silent": 0, "misnoted": 0, "misplaced": 0, "asked": 0, "answered": 0,
    "questions": {}, "accused": [], "people": {}, "notes": [],
}  # fmt: skip


def test_each_manner_has_its_games() -> None:
    pieces = WATCHED["rounds-manners"].pieces(False)
    assert len(pieces) == GAMES * len(MANNERS) and {piece.what for piece in pieces} == set(MANNERS)
    assert len({piece.key for piece in pieces}) == len(pieces)
    assert min(piece.options["seed"] for piece in pieces) >= HELD_OUT
    assert {tuple(piece.options["size"]) for piece in pieces} == {(640, 480), (1280, 720), (960, 540)}


def told(row: str, *changes: dict[str, Any]) -> dict[str, tuple[str, bool | None]]:
    pieces = [piece for piece in WATCHED[row].pieces(False) if piece.what not in MANNERS or piece.what == "thrown"]
    done = [PieceResult(piece, {**RESULT, **change}, "x") for piece, change in zip(pieces, changes, strict=False)]
    return {figure.what: (figure.value, figure.met) for figure in WATCHED[row].figures(done)}


def test_what_is_told_of_a_manner() -> None:
    right = {"people": {"thrown": {"often": 3, "right": 3, "asked": 0, "seconds": [0.1, 0.0, 2.0]}}}
    wrong = {"people": {"thrown": {"often": 1, "right": 0, "asked": 1, "seconds": []}}, "misnoted": 1, "notes": ["HT"]}
    lines = told("rounds-manners", right, {**wrong, "questions": {"missed_card": 2}, "answered": 2, "silent": 1})
    assert lines["thrown: cards right"][0].startswith("0.750 (3/4, ") and lines["thrown: cards right"][1] is False
    assert lines["thrown: agreed after, median / most"][0] == "0.1 / 2.0 s; 1 in doubt at first"
    assert lines["thrown: answered, other questions"] == ("2 and 2 in 2 games, 96 cards", False)
    assert lines["thrown: rows wrong, nothing asked"][1] is False
    assert told("rounds-manners", right)["thrown: rows wrong, nothing asked"][1] is True
    accused = told("rounds-manners", {**right, "accused": ["out_of_turn"]})
    assert accused["thrown: accused of what nobody did"] == ("1", False)


def test_what_is_told_of_breaches() -> None:
    lines = told("rounds-breaches", {}, {"misnoted": 2, "misplaced": 1, "notes": ["HT"]})
    assert lines["cards for another seat, nothing asked"][1] is False
    assert told("rounds-breaches", {})["cards for another seat, nothing asked"][1] is True
    assert sum("HT" in value for value, _ in lines.values()) == 1


@pytest.mark.slow
def test_a_game_is_played_before_the_camera() -> None:
    found = play_game(
        rules="schaffkopf", deck="stichwart-bavarian", seed=13, people="thrown", size=[640, 480], fps=10.0, games=1
    )
    assert found["cards"] and found["people"]["thrown"]["often"] == found["people"]["thrown"]["right"] > 0
    assert (found["games"], found["wrong"], found["misnoted"], found["notes"]) == (1, 0, 0, [])

"""Rows of the recognition's figures: what they measure, and what they tell of counts."""

import importlib
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kiosk.bench import vision_rows
from kiosk.bench.command import run
from kiosk.bench.figure import Figure
from kiosk.bench.named import measure_named
from kiosk.bench.pieces import Piece, PieceResult
from kiosk.bench.scenes import measure_scenes
from kiosk.bench.seeds import HELD_OUT
from kiosk.bench.tracking import measure_film
from kiosk.bench.vision_rows import BAVARIAN, FRENCH, ROWS, TUNED
from kiosk.errors import BadConfig

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
@pytest.mark.parametrize("quick", [True, False], ids=["quick", "whole"])
def test_pieces_can_be_called_and_written(row: vision_rows.FigureRow, quick: bool) -> None:
    pieces = row.pieces(quick)
    assert len({piece.key for piece in pieces}) == len(pieces)
    for piece in pieces:
        module, _, name = piece.call.partition(":")
        inspect.signature(getattr(importlib.import_module(module), name)).bind(**piece.options)
        assert json.loads(json.dumps(piece.options)) == piece.options
        assert piece.row == row.name


def test_no_row_has_the_scenes_of_another_and_none_was_tuned_on() -> None:
    seen: dict[tuple[Any, ...], str] = {}
    for row in ROWS.values():
        for piece in row.pieces(False):
            options = piece.options
            first = options.get("first", options.get("seed", HELD_OUT))
            assert first >= HELD_OUT, piece
            for seed in range(first, first + options.get("number", 0)):
                told = [options[name] for name in options if name not in ("first", "number")]
                assert seen.setdefault((seed, *map(str, told)), row.name) == row.name


def test_the_counts_that_are_promised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision_rows, "SHARED", tmp_path)
    (tmp_path / "data" / BAVARIAN[0]).mkdir(parents=True)

    def scenes(row: str, decks: tuple[str, ...]) -> int:
        return sum(p.options["number"] for p in ROWS[row].pieces(False) if p.options["deck"] in decks)

    assert scenes("single", (*FRENCH, *BAVARIAN, *TUNED)) >= 2000 and scenes("single", BAVARIAN) >= 300
    assert scenes("overlapping", FRENCH) >= 600 and scenes("overlapping", BAVARIAN) >= 200
    assert sum(4 * piece.options["tricks"] for piece in ROWS["newest"].pieces(False)) >= 10_000


COUNT = {"scenes": 40, "clean": 39, "right": 99, "wrong": 0, "missed": 1, "doubts": 1, "seconds": [0.1], "notes": []}


def told(row: str, options: dict[str, Any], change: dict[str, Any]) -> dict[str, Figure]:
    pieces = [Piece(row, what, "kiosk.bench.scenes:measure_scenes", options) for what in ("berlin", "bavarian-scans")]
    figures = ROWS[row].figures([PieceResult(piece, {**COUNT, **change}, "x") for piece in pieces])
    return {figure.what: figure for figure in figures}


def test_misses_and_false_names_are_told_apart() -> None:
    figures = told("overlapping", {}, {})
    assert figures["French: recall"].value.startswith("0.990 (99/100, ") and figures["French: recall"].met is False
    assert figures["French: precision"].value.startswith("1.000 (99/99, ") and figures["French: precision"].met
    assert figures["Bavarian scans: false names"].value == "0 of 99 (≤ 3.7 in 100)"
    assert figures["French: scenes wholly right"].wanted == "≥ 0.985"
    assert told("overlapping", {}, {"wrong": 1})["French: precision"].met is False


def test_what_is_left_out_is_said() -> None:
    left_out = PieceResult(Piece("small", "white", "x:y"), {"left_out": "not installed"}, "x")
    figures = list(ROWS["small"].figures([left_out]))
    assert (figures[0].what, figures[0].value) == ("white: left out", "not installed")


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_nothing_measured_is_no_figure(row: vision_rows.FigureRow) -> None:
    assert all(figure.met is None for figure in row.figures([]))


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: run(["vision"], only=["doubles"]), "no row 'doubles'.*overlapping"),
        (lambda: run(["sleep"]), "no part 'sleep'.*vision.*rounds"),
    ],
    ids=["row", "part"],
)
def test_what_is_not_there_is_named(ask: Callable[[], int], words: str) -> None:
    with pytest.raises(BadConfig, match=words):
        ask()


def test_scenes_are_counted() -> None:
    options: dict[str, Any] = {"deck": "stichwart", "condition": "isolated", "first": 100, "number": 1, "count": 2}
    whole = measure_scenes(**options)
    assert (whole["scenes"], whole["clean"], whole["right"], whole["wrong"]) == (1, 1, 2, 0)
    down = measure_scenes(**options, backs=2)
    assert (down["clean"], down["right"], down["wrong"], down["missed"]) == (1, 0, 0, 0)
    assert json.dumps(whole) and len(whole["seconds"]) == 1


def test_a_film_is_counted() -> None:
    result = measure_film("stichwart", 101, 1, "lamp")
    assert (result["cards"], result["right"], result["wrong"], result["missed"]) == (4, 4, [], [])
    assert result["frames"] > 60 and json.dumps(result)
    figures = {
        figure.what: figure
        for figure in ROWS["newest"].figures([PieceResult(Piece("newest", "x", "y:z"), result, "v")])
    }
    assert figures["newly laid cards right in the end"].value.startswith("1.000 (4/4, ")
    assert figures["wrong and accepted"].met and figures["questions in two games of 48 cards"].value == "0.00 (0 of 4)"


def test_cards_without_indices_are_told_and_named_by_their_look() -> None:
    count = measure_named("stichwart-bavarian", HELD_OUT, "lamp", games=2, cards=8)
    assert count == {"laid": 8, "told": 8, "again": 8, "right": 8, "doubted": 0, "wrong": 0, "missed": 0}


def test_a_name_given_wrongly_by_a_look_is_no_promise_kept() -> None:
    count = {"laid": 32, "told": 31, "again": 64, "right": 62, "doubted": 1, "wrong": 1, "missed": 0}
    done = [PieceResult(Piece("named", "a deck, lamp", "", {}), count, "")]
    lines = {what: (value, met) for what, value, _, met in ROWS["named"].lines(done)}
    assert lines["a deck, lamp: named wrongly"] == ("1", False)
    assert lines["a deck, lamp: named by their look from then on"][0].startswith("0.968 (62/64")

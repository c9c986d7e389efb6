"""Long measurements are kept piece by piece and gone on with."""

import json
from pathlib import Path

import pytest

from kiosk.bench import pieces as pieces_module
from kiosk.bench.pieces import Piece, ResultsFile, interleaved, measure_pieces, summed
from kiosk.errors import BadConfig

PIECE = Piece("network", "network", "kiosk.bench.vision_process:measure_networks")


@pytest.mark.slow
def test_what_is_known_is_not_measured_again(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    other = Piece("row", "no such deck", "vision.simulation.art:labels_of", {"name": "uno"})
    told: list[str] = []
    first = list(measure_pieces([PIECE, other], ResultsFile(file), 2, told.append))
    assert {one.piece.what: sorted(one.result) for one in first} == {
        "network": ["bytes", "names"],
        other.what: ["left_out"],
    }
    assert len(told) == 3 and "uno" in next(one.result["left_out"] for one in first if one.piece == other)
    told.clear()
    again = list(measure_pieces([PIECE], ResultsFile(file), 1, told.append))
    assert told == [] and again == [one for one in first if one.piece == PIECE]
    assert len(file.read_text().splitlines()) == 1  # what was left out may be there tomorrow


@pytest.mark.slow
def test_a_crash_is_told_and_the_rest_is_measured() -> None:
    crash = Piece("row", "crash", "kiosk.bench.intervals:interval", {"part": 2, "whole": 1})
    done = list(measure_pieces([crash, PIECE], ResultsFile(None), 1))
    assert done[0].result["failed"] and "ValueError: 2 of 1 is no share" in done[0].result["left_out"]
    assert done[1].result["bytes"]


def test_lines_take_turns_and_what_is_known_can_be_told_alone(tmp_path: Path) -> None:
    pieces = [Piece("network", what, PIECE.call, {"n": n}) for what in "ab" for n in range(2)]
    results = ResultsFile(tmp_path / "results.jsonl")
    results.add(pieces[3], {"bytes": [1]}, 0.1)
    assert [done.piece for done in measure_pieces(pieces, results, 0)] == [pieces[3]]
    assert interleaved(pieces) == [pieces[0], pieces[2], pieces[1], pieces[3]]


def test_other_code_is_other_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "results.jsonl"
    ResultsFile(file).add(PIECE, {"bytes": [1]}, 0.1)
    monkeypatch.setattr(pieces_module, "code_hash", lambda: "another")
    assert ResultsFile(file).of(PIECE) is None
    known = ResultsFile(file, mixed=True).of(PIECE)
    assert known is not None and known.result == {"bytes": [1]} and known.version


def test_a_torn_last_line_costs_itself(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    ResultsFile(file).add(PIECE, {"bytes": [1]}, 0.1)
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:40])
    results = ResultsFile(file)
    other = Piece("network", "second", PIECE.call)
    results.add(other, {"bytes": [2]}, 0.1)
    assert [json.loads(line)["what"] for line in file.read_text().splitlines()] == ["network", "second"]
    assert ResultsFile(file).of(other) is not None


@pytest.mark.parametrize("text", ["no json\n", '{"row": 1}\n', "[1]\n"])
def test_a_file_that_is_none_of_ours(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text)
    with pytest.raises(BadConfig, match=r"notes.txt, line 1.*another file"):
        ResultsFile(file)
    with pytest.raises(BadConfig, match="cannot be kept"):
        ResultsFile(tmp_path / "none" / "results.jsonl")


def test_results_are_added_up() -> None:
    assert summed([{"right": 2, "seconds": [0.1]}, {"right": 3, "seconds": [0.2]}]) == {
        "right": 5,
        "seconds": [0.1, 0.2],
    }

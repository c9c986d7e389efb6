"""``stichwart simulate``: an event file that replays, with times as people take them."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from kiosk.cli import main
from kiosk.rules.books import BOOKS


@pytest.mark.parametrize("book", BOOKS)
def test_a_file_replays(book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "round.jsonl"
    assert main(["simulate", book, "--seed", "4", "--games", "3", "--out", str(path)]) == 0
    assert main(["replay", str(path), "--json"]) == 0
    *games, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert len(games) >= 3 and "list" in last


def test_the_same_seed_is_the_same_file(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", "schnittchen", "--seed", "7", "--games", "2", "--players", "5"]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert main(command) == 0
    assert capsys.readouterr().out == first and first.count("\n") > 80


def test_things_happen_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "eppstein", "--games", "2"]) == 0
    times = [json.loads(line)["at"] for line in capsys.readouterr().out.splitlines()]
    assert all(before <= after for before, after in pairwise(times))
    assert 120 < (times[-1] - times[0]) / 1000 < 1500


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["skat"], "rule book 'skat' is not known; there are eppstein"),
        (["schaffkopf", "--players", "5"], "schaffkopf is played by 4 at a table, not by 5"),
        (["durchgaenge", "--time-up"], "durchgaenge has no playing time that could end"),
        (["bsv", "--out", "/nowhere/round.jsonl"], "cannot write /nowhere/round.jsonl"),
    ],
    ids=["book", "players", "time", "file"],
)
def test_what_cannot_be_is_said(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *arguments]) == 2
    assert words in capsys.readouterr().err

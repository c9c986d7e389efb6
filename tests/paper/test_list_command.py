"""``stichwart list``: what is written where, and what is said if it cannot be."""

import json
from pathlib import Path
from typing import Any

import pytest

from kiosk.cli import main
from kiosk.demo.play import simulate
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import list_data, text
from kiosk.table.scoresheet.written import as_csv


def write(path: Path, events: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    return [
        write(tmp_path / f"{book}.jsonl", list(simulate(book, 2, 3, table=number)))
        for number, book in enumerate(("bsv", "schaffkopf"), start=1)
    ]


def test_text_is_the_lists_text(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", str(files[0]), "--tournament", "Herbst"]) == 0
    said = capsys.readouterr().out
    plain = text(fold(map(decode, simulate("bsv", 2, 3, table=1))))
    assert said == plain.replace("Runde 1, Tisch 1", "Herbst, Runde 1, Tisch 1")
    assert main(["list", *map(str, files), "--language", "en"]) == 0
    said = capsys.readouterr().out
    assert "Table 1" in said and "Table 2" in said and "Game, note" in said


def test_pdf_and_csv(files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdf, csv = tmp_path / "lists.pdf", tmp_path / "list.csv"
    assert main(["list", *map(str, files), "--pdf", str(pdf)]) == 0
    assert pdf.read_bytes()[:5] == b"%PDF-" and "2 lists" in capsys.readouterr().out
    assert main(["list", str(files[1]), "--csv", str(csv)]) == 0
    assert csv.read_bytes().decode("utf-8-sig") == as_csv(
        list_data(fold(map(decode, simulate("schaffkopf", 2, 3, table=2))))
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--csv", "{tmp}/x.csv"], "a CSV file holds one list, but 2 files are given", id="two lists"),
        pytest.param(["--pdf", "{tmp}/none/x.pdf"], "No such file or directory; choose another file", id="no folder"),
        pytest.param(["--pdf", "{tmp}"], "Is a directory; choose another file", id="a folder"),
        pytest.param(["--pdf", "{tmp}/./bsv.jsonl"], "is an event file that is read here", id="an event file"),
    ],
)
def test_what_cannot_be_written(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["list", *map(str, files), *(one.replace("{tmp}", str(tmp_path)) for one in arguments)]) == 2
    assert said in capsys.readouterr().err


def test_a_broken_file_is_named_and_the_others_listed(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = write(tmp_path / "broken.jsonl", [{"event": "open", "format": 1, "rules": "skat", "players": ["A"] * 4}])
    missing = tmp_path / "missing.jsonl"
    pdf = tmp_path / "x.pdf"
    assert main(["list", str(broken), str(missing), str(files[0]), "--pdf", str(pdf)]) == 2
    said = capsys.readouterr()
    assert f"({broken})" in said.err and "skat" in said.err and f"cannot read {missing}" in said.err
    assert "1 list" in said.out and pdf.exists()
    assert main(["list", str(broken)]) == 2
    assert capsys.readouterr().out == ""


def test_a_file_that_is_cut_off_is_listed_with_a_warning(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    whole = files[0].read_bytes()
    files[0].write_bytes(whole[:-20])
    assert main(["list", str(files[0])]) == 0
    said = capsys.readouterr()
    assert "is cut off" in said.err and "Spiel" in said.out


@pytest.mark.slow
@pytest.mark.parametrize("command", ["standings", "cash", "year"])
def test_an_event_file_is_never_written_over(command: str, files: list[Path]) -> None:
    before = files[0].read_bytes()
    assert main([command, str(files[0]), "--csv", str(files[0])]) == 2
    assert main([command, str(files[0]), "--pdf", str(files[0])]) == 2
    assert files[0].read_bytes() == before


def test_one_file_is_not_both(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    out = files[0].with_name("out")
    assert main(["standings", str(files[0]), "--csv", str(out), "--pdf", str(out)]) == 2
    assert "--csv and --pdf name the same file" in capsys.readouterr().err and not out.exists()


def test_what_stood_there_stays_if_there_is_no_room(
    files: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = files[0].with_name("list.csv")
    assert main(["list", str(files[0]), "--csv", str(out)]) == 0
    before, there = out.read_bytes(), sorted(out.parent.iterdir())

    def full(path: Path, content: bytes) -> int:
        with path.open("wb") as half:
            half.write(content[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert main(["list", str(files[0]), "--csv", str(out)]) == 2
    assert "No space left on device; choose another file" in capsys.readouterr().err
    assert out.read_bytes() == before and sorted(out.parent.iterdir()) == there

"""stichwart replay: files in, games and list out, and what is wrong in which line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from kiosk.table.events.codec import format_body
from kiosk.table.replay import replay_files

ROUNDS = Path(__file__).parents[1] / "data" / "rounds"
AGREED = Path(__file__).parents[1] / "data" / "agreed"
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}
DEAL = {"event": "deal", "dealer": 4}


def replay(*paths: Path, as_json: bool = True) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    return replay_files(paths, as_json, out, err), out.getvalue(), err.getvalue()


def write(path: Path, *lines: Any) -> Path:
    """Lines as events, or as they are."""
    text = "".join((line if isinstance(line, str) else format_body(line)) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", sorted(path.stem for path in ROUNDS.glob("*.jsonl")))
def test_recorded_rounds(name: str) -> None:
    """Rounds written by hand with results worked out from the book, not copied from output."""
    status, out, err = replay(ROUNDS / f"{name}.jsonl")
    assert (status, err) == (0, "")
    *games, last = map(json.loads, out.splitlines())
    expected = json.loads((ROUNDS / f"{name}.json").read_text(encoding="utf-8"))
    assert [{key: game[key] for key in wanted} for game, wanted in zip(games, expected, strict=True)] == expected
    assert last["list"]["total"] == expected[-1]["total"]
    assert [row["void"] for row in last["list"]["rows"]] == [game["void"] for game in expected]


@pytest.mark.parametrize("name", sorted(path.stem for path in AGREED.glob("*.jsonl")))
def test_agreed_rounds(name: str) -> None:
    """Fine points on which two separate readings of a book came to the same; eppstein's were checked by hand."""
    status, out, err = replay(AGREED / f"{name}.jsonl")
    assert (status, err) == (0, "")
    *games, last = map(json.loads, out.splitlines())
    *expected, total = json.loads((AGREED / f"{name}.json").read_text(encoding="utf-8"))
    assert games == expected
    assert {key: last["list"][key] for key in total["list"]} == total["list"]


def test_the_books_example_of_a_list(tmp_path: Path) -> None:
    """6.3.7: 2 2 0 0, then 7 2 5 0: the second game is written cumulated."""
    ruled = [
        {"event": "rule", "class": "custom", "scores": {"1": 2, "2": 2}},
        {"event": "rule", "class": "custom", "scores": {"1": 5, "3": 5}},
    ]
    deals = [{"event": "deal", "dealer": 1}, ruled[0], {"event": "deal", "dealer": 1}, ruled[1]]
    status, out, _ = replay(write(tmp_path / "r.jsonl", OPEN, *deals))
    assert status == 0
    lines = json.loads(out.splitlines()[-1])["list"]["lines"]
    assert [line[:4] for line in lines] == [[2, 2, 0, 0], [7, 2, 5, 0]]


def card(seat: int, name: str, **more: Any) -> dict[str, Any]:
    return {"event": "card", "seat": seat, "card": name, **more}


@pytest.mark.parametrize(
    ("lines", "number", "says"),
    [
        pytest.param([], 0, "empty", id="empty file"),
        pytest.param([DEAL], 0, "open", id="no open"),
        pytest.param([OPEN, "{"], 1, "JSON", id="broken JSON"),
        pytest.param([OPEN, "[]"], 1, "object", id="no object"),
        pytest.param([OPEN, "[" * 100_000], 1, "JSON", id="nested without end"),
        pytest.param([OPEN, '{"event": "release", "at": NaN}'], 1, "NaN", id="not a number"),
        pytest.param([OPEN, '{"event": "void", "why": "\\ud800"}'], 1, "JSON", id="half a character"),
        pytest.param([OPEN, {"event": "fold"}], 1, "'fold'", id="unknown event"),
        pytest.param([OPEN, {}], 1, "None", id="no event"),
        pytest.param([OPEN, OPEN], 1, "once", id="two opens"),
        pytest.param([{**OPEN, "format": 2}], 0, "format", id="format"),
        pytest.param([{**OPEN, "rules": "skat"}], 0, "'skat'", id="unknown rule set"),
        pytest.param([{**OPEN, "players": ["A", "B", "C"]}], 0, "3", id="three players"),
        pytest.param([{**OPEN, "options": {"x": 1}}], 0, "'x'", id="unknown option"),
        pytest.param([{**OPEN, "options": {"second_ht": "maybe"}}], 0, "'maybe'", id="option's value"),
        pytest.param([{**OPEN, "options": {"against_queens_in_solo": 1}}], 0, "against_queens", id="option's type"),
        pytest.param([OPEN, {"event": "deal", "dealer": 5}], 1, "seat 5", id="unknown seat"),
        pytest.param([OPEN, {"event": "deal", "dealer": True}], 1, "True", id="seat of a wrong kind"),
        pytest.param([OPEN, {"event": "deal"}], 1, "dealer", id="key missing"),
        pytest.param([OPEN, card(1, "CA")], 1, "no game", id="card without a deal"),
        pytest.param([OPEN, DEAL, DEAL], 2, "running", id="deal while a game runs"),
        pytest.param([OPEN, DEAL, card(1, "C8")], 2, "'C8'", id="unknown card"),
        pytest.param([OPEN, DEAL, card(1, "CA"), card(1, "CA")], 3, "already", id="second card in the open trick"),
        pytest.param([OPEN, DEAL, {"event": "claim", "seat": 1, "kind": "rest"}], 2, "may not claim", id="claim"),
        pytest.param([OPEN, DEAL, {"event": "bid", "seat": 1, "class": None}], 2, "bid", id="bid is not eppstein's"),
        pytest.param([OPEN, DEAL, {"event": "leave", "seat": 1}], 2, "leave", id="leave is not eppstein's"),
        pytest.param(
            [OPEN, DEAL, {"event": "call", "seat": 1, "call": "weiter"}], 2, "'weiter'", id="other book's word"
        ),
        pytest.param(
            [OPEN, DEAL, {"event": "declare", "seat": 1, "game": "wenz"}], 2, "'wenz'", id="game of another book"
        ),
        pytest.param([OPEN, DEAL, {"event": "declare", "seat": 1, "game": "farbsolo"}], 2, "suit", id="no suit"),
        pytest.param([OPEN, DEAL, {"event": "announce", "seat": 1, "call": "bock"}], 2, "'bock'", id="bock"),
        pytest.param([OPEN, DEAL, {"event": "announce", "seat": 1, "call": "contra"}], 2, "'contra'", id="call"),
        pytest.param([OPEN, DEAL, {"event": "retract", "seat": 1, "card": "CA"}], 2, "taken back", id="retract"),
        pytest.param([OPEN, {"event": "rule", "class": "none"}], 1, "no game", id="ruling without a game"),
        pytest.param([OPEN, DEAL, {"event": "rule", "class": "harsh"}], 2, "'harsh'", id="class"),
        pytest.param(
            [OPEN, DEAL, {"event": "object", "seat": 1, "breach": 3}],
            2,
            "event 3 has not happened",
            id="breach to come",
        ),
        pytest.param([OPEN, DEAL, {"event": "rule", "class": "none", "breach": 9}], 2, "event 9", id="ruled before it"),
        pytest.param([OPEN, {"event": "strike", "game": 1, "replay": True}], 1, "game 1", id="strike"),
        pytest.param([OPEN, "", {"event": "void"}], 2, "no game", id="empty lines count"),
        pytest.param([OPEN, DEAL, {"event": "correct", "of": 1, "card": "CA"}], 2, "no card", id="correct no card"),
        pytest.param([OPEN, "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")], 1, "JSON", id="garbage"),
    ],
)
def test_errors(tmp_path: Path, lines: list[Any], number: int, says: str) -> None:
    status, out, err = replay(write(tmp_path / "r.jsonl", *lines))
    assert (status, out) == (2, "")
    assert err.startswith(f"line {number}: ") and says in err and err.count("\n") == 1


def test_a_breach_may_be_the_ruling_itself(tmp_path: Path) -> None:
    """What it is anyway where nothing names one."""
    ruled = {"event": "rule", "class": "serious", "offender": 1}
    own = replay(write(tmp_path / "own.jsonl", OPEN, DEAL, {**ruled, "breach": 2}))
    assert own == replay(write(tmp_path / "none.jsonl", OPEN, DEAL, ruled)) and own[0] == 0


def test_not_utf8(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", OPEN)
    path.write_bytes(path.read_bytes() + b'{"event": "void", "why": "\xff"}\n')
    status, _, err = replay(path)
    assert status == 2 and err.startswith("line 1: not UTF-8")


def test_a_broken_file_does_not_stop_the_others(tmp_path: Path) -> None:
    good, bad = write(tmp_path / "good.jsonl", OPEN), write(tmp_path / "bad.jsonl", DEAL)
    status, out, err = replay(bad, good, tmp_path / "none.jsonl")
    assert status == 2
    assert len(out.splitlines()) == 1 and json.loads(out)["list"]["games_left"] == 16
    assert err.startswith("line 0: ") and f"({bad})" in err and "none.jsonl" in err


def test_unknown_keys_and_byte_order_mark_are_ignored(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", {**OPEN, "colour": "red"}, {"event": "release", "by": "x", "at": 1795186800123})
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert replay(path)[0] == 0


def test_text(tmp_path: Path) -> None:
    status, out, _ = replay(ROUNDS / "eppstein_five_games.jsonl", as_json=False)
    assert status == 0
    assert "   10  Damensolo (Pflicht) Bernd" in out
    assert "Cem, Nicht bedient" in out and "Eppstein Abschnitt 4.2.4" in out
    assert "Pflichtsolo offen: Anna, Cem, Dora" in out
    assert len([line for line in out.splitlines() if line.startswith("    ")]) == 5 + 1  # games, and the result

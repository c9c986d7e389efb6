"""Files that were cut off, damaged or made up: a line is named and a reason, never more than one, or they replay."""

import io
import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import format_body
from kiosk.table.replay import replay_files

pytestmark = pytest.mark.slow


def replay(data: bytes, path: Path, as_json: bool = True) -> tuple[int, str, str]:
    path.write_bytes(data)
    out, err = io.StringIO(), io.StringIO()
    return replay_files([path], as_json, out, err), out.getvalue(), err.getvalue()


@cache
def file(book: str, games: int = 2) -> bytes:
    """The file of a simulated round, with a name that takes several bytes a letter."""
    events = list(simulate(book, 3, games, mistakes=0.04))
    events[0]["players"][0] = "Änne-𝒳"
    return b"".join(format_body(event).encode() + b"\n" for event in events)


@pytest.mark.parametrize("book", BOOKS)
def test_cut_anywhere_replays_to_the_last_whole_event_and_says_so(book: str, tmp_path: Path) -> None:
    whole, path = file(book), tmp_path / "cut.jsonl"
    rng = random.Random(book)
    lines = whole.splitlines(keepends=True)
    opening = len(lines[0])
    for end in (*rng.sample(range(opening, len(whole)), 60), opening, len(whole) - 1, len(whole)):
        status, out, err = replay(whole[:end], path)
        assert status == 0
        complete = whole[:end].count(b"\n")
        torn = whole[:end].rpartition(b"\n")[2]
        if torn and torn + b"\n" != lines[complete]:
            assert err == f"line {complete} is cut off; replayed to line {complete - 1}\n"
            assert out == replay(b"".join(lines[:complete]), path)[1]
        else:
            assert err == ""


def test_cut_in_a_letter(tmp_path: Path) -> None:
    whole = file("eppstein")
    whole += b'{"event": "void", "why": "\xc3\xa4"}\n'
    status, out, err = replay(whole[: whole.rindex(b"\xa4")], tmp_path / "cut.jsonl")
    number = whole.count(b"\n") - 1
    assert (status, err) == (0, f"line {number} is cut off; replayed to line {number - 1}\n") and out


def test_a_disk_that_wrote_nothing_but_noughts(tmp_path: Path) -> None:
    """After a power cut a file may end in zero bytes."""
    whole = file("eppstein")
    status, out, err = replay(whole + b"\n\n" + bytes(512), tmp_path / "cut.jsonl")
    number = whole.count(b"\n")
    assert (status, err) == (0, f"line {number + 2} is cut off; replayed to line {number - 1}\n")
    assert out == replay(whole, tmp_path / "whole.jsonl")[1]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b'{"event": "open", "form', "line 0: not JSON", id="nothing whole before it"),
        pytest.param(file("eppstein") + b'{"event": "void', "", id="cut"),
        pytest.param(file("eppstein") + b'{"event": "void\n', "not JSON", id="broken, but its line has ended"),
        pytest.param(file("eppstein") + b'{"event": "void\n\n', "not JSON", id="broken, an empty line after it"),
        pytest.param(file("eppstein") + b'{"event": "voi"}', "unknown event 'voi'", id="whole, but no event"),
        pytest.param(file("eppstein") + b"12", "an event is an object", id="a number at the end"),
    ],
)
def test_only_a_last_line_without_end_that_is_no_json_is_cut_off(data: bytes, says: str, tmp_path: Path) -> None:
    status, out, err = replay(data, tmp_path / "file.jsonl")
    assert (status, bool(out)) == ((2, False) if says else (0, True))
    assert says in err and re.match(r"line \d+", err) and err.count("\n") == 1


def test_of_several_files_the_cut_one_is_named(tmp_path: Path) -> None:
    cut, good = tmp_path / "cut.jsonl", tmp_path / "good.jsonl"
    good.write_bytes(file("schaffkopf"))
    cut.write_bytes(file("schaffkopf")[:-3])
    out, err = io.StringIO(), io.StringIO()
    assert replay_files([cut, good], True, out, err) == 0
    assert err.getvalue().endswith(f"({cut})\n") and err.getvalue().count("\n") == 1
    assert sum('"list"' in line for line in out.getvalue().splitlines()) == 2


# Whatever a file holds

#: What may stand where a value should: text of JSON or what looks like it.
VALUES = [
    *("null", "true", "false", "0", "-1", "1", "2", "5", "6", "1.5", "-0.0", "1e308", "1e999", "-1e999", "NaN", "00"),
    *('""', '"x"', '"CA"', '"EA"', '"re"', '"XX"', '"seat 1"', '"seat "', '"a', "+1", "tru", "Infinity"),
    *('"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', "[]", "[[]]", "[1]", "[null]", '["CA"]', '["re","re"]'),
    *("{}", '{"1":1}', '{"1":null}', '{"9":1}', '{"1":1e300}', '{"3":2}', '{"\\u0661":1}', "100000000000000000000"),
    "1" * 4000,
    "1" * 5000,
    "[" * 3000,
    "[" * 970 + "]" * 970,
    '{"a":' * 480 + "1" + "}" * 480,
    "[" + ",".join(['"CA"'] * 40_000) + "]",
    "[" + ",".join(['"EA"'] * 40_000) + "]",
    '{"' + "9" * 5000 + '":1}',
    json.dumps({"1": 10**30, "2": -1}),
]

KEYS = ("at", "suit", "card", "order", "minutes", "scores", "fines", "options", "of", "after", "seats", "seat", "raise")
KEYS += ("doubt", "down", "by", "breach", "cards", "class", "call", "game", "players", "dealer", "granted", "condition")


def damaged(lines: list[bytes], others: list[bytes], rng: random.Random) -> list[bytes]:  # noqa: C901 - every damage that a file may have
    """Some lines left out, doubled, moved, brought from elsewhere, changed in a key, a value or a byte."""
    lines = list(lines)
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(len(lines))
        line = lines[at].decode("utf-8", "replace")
        match rng.randrange(7):
            case 0:
                del lines[at : at + rng.choice([1, 1, 5])]
            case 1:
                lines.insert(at, rng.choice(lines))
            case 2:
                other = min(at + rng.choice([1, 1, 3]), len(lines) - 1)
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines.insert(at, rng.choice(others))
            case 4:  # one key more, or the same key twice
                lines[at] = (line[:-1] + f', "{rng.choice(KEYS)}": {rng.choice(VALUES)}}}').encode()
            case 5:  # a value
                found = rng.choice(list(re.finditer(r'": ("[^"]*"|[^",{}\[\]]+|\[[^\]]*\])', line)) or [None])
                if found:
                    lines[at] = (line[: found.start(1)] + rng.choice(VALUES) + line[found.end(1) :]).encode()
            case 6 if lines[at]:
                place = rng.randrange(len(lines[at]))
                lines[at] = lines[at][:place] + bytes([rng.randrange(256)]) + lines[at][place + 1 :]
        if not lines:
            return [b""]
    return lines


def strict(text: str) -> Any:
    def refuse(name: str) -> None:
        raise ValueError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("book", BOOKS)
def test_damaged_files_replay_or_say_why_not(book: str, tmp_path: Path) -> None:
    rng = random.Random(book)
    others = [line for other in BOOKS for line in file(other).splitlines()]
    path, replayed = tmp_path / "file.jsonl", 0
    for _ in range(120):
        lines = file(book).splitlines()
        lines = damaged(lines[: rng.randrange(2, len(lines))] if rng.random() < 0.5 else lines, others, rng)
        data = b"\n".join(lines) + rng.choice([b"\n", b"\n", b"", b"\r\n"])
        status, out, err = replay(data, path)
        assert status in (0, 2) and err.count("\n") <= 1
        if status:
            assert re.match(r"line \d+: \w", err) and not out
        else:
            replayed += 1
            assert not err or re.fullmatch(r"line \d+ is cut off; replayed to line \d+\n", err)
            assert [strict(line) for line in out.splitlines()]
            assert replay(data, path, as_json=False)[0] == 0
    assert 5 < replayed < 115

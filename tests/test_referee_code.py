"""The referee's code: kept as a hash; five wrong ones, then a wait, also over a restart."""

import queue
import runpy
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.app import referee_code
from kiosk.app.commands.referee_code import BadCode, make_code
from kiosk.app.config import load_table
from kiosk.app.referee_code import PAUSE_S, TRIES, WRONG_CODES, CodeChecked, RefereeCode, fits, hashed, is_hash
from kiosk.errors import BadConfig

RIGHT = "1932"
#: A cost of the hash that tests can pay; ``test_a_try_costs_what_it_should`` has the real one.
quickly = patch.object(referee_code, "_N", 2**4)
with quickly:
    KEPT = hashed(RIGHT)


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with quickly:
        yield


def test_a_try_costs_what_it_should() -> None:
    real = runpy.run_path(referee_code.__file__)
    assert real["hashed"](RIGHT).startswith("scrypt:16384:") and real["_R"] == 8


class Door:
    """A checker with time by hand; each answer is waited for."""

    def __init__(self, folder: Path | None, kept: str = KEPT) -> None:
        self.at = 100.0
        self.answers: queue.Queue[CodeChecked] = queue.Queue()
        self.code = RefereeCode(kept, folder, self.answers.put, lambda: self.at)

    def ask(self, code: str) -> CodeChecked:
        self.code.ask(code)
        return self.answers.get(timeout=20)


def test_a_hash_tells_the_code_to_nobody_and_fits_it_alone() -> None:
    assert RIGHT not in KEPT and is_hash(KEPT)
    assert hashed(RIGHT) != KEPT, "each has a salt of its own"
    assert fits(RIGHT, KEPT)
    assert not any(fits(code, KEPT) for code in ("", "1933", "19320", " 1932"))


@settings(max_examples=25)
@given(st.text(max_size=60))
def test_what_is_no_hash_fits_nothing(text: str) -> None:
    assert not is_hash(text)
    assert not fits(RIGHT, text)


@pytest.mark.parametrize("kept", [KEPT, RIGHT], ids=["hash", "plain, as in an old file"])
def test_the_right_code_is_right(kept: str) -> None:
    door = Door(None, kept)
    assert [door.ask(code) for code in ("1111", RIGHT)] == [CodeChecked(False), CodeChecked(True)]


def test_after_five_wrong_codes_even_the_right_one_waits(tmp_path: Path) -> None:
    door = Door(tmp_path)
    assert [door.ask("0000") for _ in range(WRONG_CODES)] == [*4 * [CodeChecked(False)], CodeChecked(False, PAUSE_S)]
    door.at += PAUSE_S - 1
    assert door.ask(RIGHT) == CodeChecked(False, 1.0)
    door.at += 1
    assert door.ask(RIGHT) == CodeChecked(True)


def test_after_the_wait_there_are_five_again_and_the_right_one_forgets_the_wrong(tmp_path: Path) -> None:
    door = Door(tmp_path)
    for _ in range(WRONG_CODES):
        door.ask("0000")
    door.at += PAUSE_S
    assert [door.ask("0000").wait for _ in range(WRONG_CODES)] == [0, 0, 0, 0, PAUSE_S]
    door.at += PAUSE_S
    assert door.ask(RIGHT).right
    assert [door.ask("0000").wait for _ in range(WRONG_CODES)] == [0, 0, 0, 0, PAUSE_S]


def test_a_restart_saves_neither_tries_nor_time(tmp_path: Path) -> None:
    for _ in range(WRONG_CODES - 1):
        assert Door(tmp_path).ask("0000") == CodeChecked(False)
    assert Door(tmp_path).ask("0000") == CodeChecked(False, PAUSE_S)
    again = Door(tmp_path)
    assert again.ask(RIGHT) == CodeChecked(False, PAUSE_S)
    again.at += PAUSE_S
    assert again.ask(RIGHT).right


def test_a_try_counts_before_it_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pulling the plug while a code is checked saves nothing."""

    def plug_pulled(code: str, kept: str) -> bool:
        raise SystemExit

    monkeypatch.setattr("kiosk.app.referee_code.fits", plug_pulled)
    door = Door(tmp_path)
    with pytest.raises(SystemExit):
        door.code._answer("0000")
    assert door.code._read() == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"wrong": "many"}'])
def test_a_damaged_count_waits_once(tmp_path: Path, text: str) -> None:
    (tmp_path / TRIES).write_text(text)
    door = Door(tmp_path)
    assert door.ask(RIGHT) == CodeChecked(False, PAUSE_S)
    door.at += PAUSE_S
    assert door.ask(RIGHT).right


def test_a_folder_that_cannot_be_written_still_counts(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    door = Door(tmp_path / "file")
    door.at += PAUSE_S  # the count cannot be read either
    assert [door.ask("0000").wait for _ in range(WRONG_CODES)] == [0, 0, 0, 0, PAUSE_S]


def test_of_two_codes_at_once_one_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looking, go_on = threading.Event(), threading.Event()

    def slow(code: str, kept: str) -> bool:
        looking.set()
        assert go_on.wait(20)
        return code == RIGHT

    monkeypatch.setattr("kiosk.app.referee_code.fits", slow)
    door = Door(None)
    door.code.ask("0000")
    assert looking.wait(20)
    door.code.ask(RIGHT)
    go_on.set()
    assert door.answers.get(timeout=20) == CodeChecked(False)
    assert door.answers.empty()


def test_the_command_makes_a_line_that_the_file_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Typed("2468\n"))
    assert make_code() == 0
    line = capsys.readouterr().out
    (tmp_path / "table.toml").write_text(f'table = 7\n[deck]\nname = "d"\n[referee]\n{line}')
    assert fits("2468", load_table(tmp_path / "table.toml").referee.code)


class Typed:
    def __init__(self, line: str) -> None:
        self._line = line

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        return self._line


@pytest.mark.parametrize("line", ["", "abc\n", "123\n", "1234567890123\n"])
def test_the_command_refuses_what_is_no_code(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setattr("sys.stdin", Typed(line))
    with pytest.raises(BadCode, match="type 4 to 12 digits"):
        make_code()


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ('code = "2468"', "stichwart referee-code"),
        (f'code = "{KEPT}"\npin = "2468"', "delete the line of pin"),
        ('pin = "12"', "4 to 12 digits"),
    ],
)
def test_a_file_says_what_is_wrong_with_its_code(tmp_path: Path, lines: Any, wrong: str) -> None:
    (tmp_path / "table.toml").write_text(f'table = 7\n[deck]\nname = "d"\n[referee]\n{lines}\n')
    with pytest.raises(BadConfig, match=wrong):
        load_table(tmp_path / "table.toml")

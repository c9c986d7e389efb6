"""The commands as a person types them: bad input gets one line that names the value and the way out, and status 2."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from kiosk.cli import main, parse, parser
from kiosk.demo.play import simulate
from kiosk.table.events.codec import format_body

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    said = capsys.readouterr().out
    for command in ("demo", "table", "director", "wiring", "deck", "mat", "recognise", "replay", "bench", "test"):
        assert command in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["demo", "--headless", "--rules", "skat"], ["skat", "eppstein"], id="unknown-book"),
        pytest.param(["demo", "--headless", "--deck", "uno"], ["uno", "stichwart"], id="unknown-deck-drawn"),
        pytest.param(["table", "--config", "{}/none.toml"], ["none.toml", "cannot be read"], id="no-configuration"),
        pytest.param(
            ["demo", "--headless", "--rules", "schnittchen", "--time-up"], ["schnittchen"], id="no-time-to-end"
        ),
        pytest.param(["wiring", "--config", "{}/none.toml"], ["none.toml", "cannot be read"], id="wiring-of-nothing"),
        pytest.param(["wiring", "--svg", "{}/none/x.svg"], ["x.svg", "cannot be written"], id="wiring-nowhere"),
        pytest.param(["bench", "sleep"], ["sleep", "replay"], id="unknown-part"),
        pytest.param(["recognise", "x.jpg", "--deck", "none", "--folder", "{}"], ["none"], id="unknown-deck"),
        pytest.param(["deck", "learn", "d", "--labels", "{}/l.json", "--folder", "{}"], ["l.json"], id="no-labels"),
        pytest.param(["deck", "--folder", "{}", "show", "none"], ["none"], id="show-unknown-deck"),
        pytest.param(["mat", "calibrate", "--camera", "folder:{}/none"], ["none"], id="no-pictures"),
        pytest.param(["mat", "calibrate", "--camera", "telescope:1"], ["telescope:1", "v4l2"], id="unknown-camera"),
    ],
)
def test_bad_input(arguments: list[str], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([argument.replace("{}", str(tmp_path)) for argument in arguments]) == 2
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("stichwart: ")]
    assert len(told) == 1, "other lines are of threads that tests before this one have left"
    for word in words:
        assert word in told[0]


def test_a_port_in_use_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["director", "--port", port, "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert port in said
    assert "--port" in said


def test_replay_prints_games_and_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.jsonl"
    file.write_text("".join(format_body(event) + "\n" for event in simulate("eppstein", 4, 2)))
    assert main(["replay", str(file), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("game") for line in lines] == [1, 2, None]
    assert len(lines[-1]["list"]["rows"]) == 2
    assert main(["replay", str(file)]) == 0
    assert "Anna" in capsys.readouterr().out


def test_replay_loads_no_screen_and_no_camera() -> None:
    code = "import sys; from kiosk.cli import main; main(['replay', '/dev/null']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    for heavy in ("'kivy'", "'cv2'", "'numpy'", "'fastapi'", "'sqlalchemy'"):
        assert heavy not in done.stdout


def test_the_mat_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mat", "print", "--out", str(tmp_path / "mat.pdf"), "--paper", "A2", "--seats", "5"]) == 0
    assert (tmp_path / "mat.pdf").read_bytes().startswith(b"%PDF")
    assert "A2" in capsys.readouterr().out


@pytest.mark.parametrize("place", [["deck", "--folder", "F", "list"], ["deck", "list", "--folder", "F"]], ids=str)
def test_the_decks_folder_may_stand_before_or_behind(place: list[str]) -> None:
    assert parser().parse_args(place).folder == Path("F")


@pytest.mark.parametrize("value", ["0", "-1", "x"])
def test_games_and_speed_are_checked(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--games", "--speed"):
        with pytest.raises(SystemExit) as stop:
            main(["demo", option, value])
        assert stop.value.code == 2
        assert value in capsys.readouterr().err


def test_a_game_before_the_simulated_camera(tmp_path: Path) -> None:
    """The whole way: pixels, recogniser, table, line, director, list; a game that is bid for and given up early."""
    words = ("--headless", "--rules", "schaffkopf", "--seed", "1", "--games", "1", "--jpeg", "90")
    done = subprocess.run(
        [sys.executable, "-m", "kiosk.cli", "demo", *words], capture_output=True, text=True, cwd=ROOT, timeout=500
    )
    said = done.stdout
    assert done.returncode == 0, said + done.stderr
    assert "deck stichwart-bavarian" in said and "cards laid 12, cards seen 12" in said
    assert "rows 1, rows wrong 0" in said and "requests refused 0" in said


def test_options_of_pytest_are_handed_on():
    assert parse(["test", "-q", "tests/hw", "-k", "panel"]).arguments == ["-q", "tests/hw", "-k", "panel"]
    assert parse(["test"]).arguments == []
    with pytest.raises(SystemExit):
        parse(["test", "--help"])


@pytest.mark.parametrize(("arguments", "where"), [(["-m", "fast"], "/dev/shm"), ([], None)], ids=["fast", "all"])
def test_fast_tests_keep_their_files_in_memory(
    arguments: list[str], where: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[dict[str, str]] = []
    monkeypatch.setattr("os.chdir", lambda path: None)
    monkeypatch.setattr("os.access", lambda path, mode: True)
    monkeypatch.setattr("os.execve", lambda program, words, environment: started.append(environment))
    monkeypatch.delenv("PYTEST_DEBUG_TEMPROOT", raising=False)
    main(["test", *arguments])
    assert started[0].get("PYTEST_DEBUG_TEMPROOT") == where


def test_byte_code_is_kept_for_the_processes_that_tests_start(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[dict[str, str]] = []
    monkeypatch.setattr("os.chdir", lambda path: None)
    monkeypatch.setattr("os.execve", lambda program, words, environment: started.append(environment))
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"):
        monkeypatch.delenv(name, raising=False)
    main(["test"])
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    main(["test"])
    usual, kept = started
    assert "PYTHONPYCACHEPREFIX" not in usual
    assert "PYTHONDONTWRITEBYTECODE" not in kept and kept["PYTHONPYCACHEPREFIX"].endswith("stichwart/bytecode")

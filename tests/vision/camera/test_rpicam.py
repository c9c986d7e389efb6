"""The ribbon's camera, by a program that stands for rpicam-vid: its pictures, notes and settings."""

import os
import stat
import sys
import textwrap
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.vision.camera.pictures import asked, jpeg
from vision.camera.live import LIMITS
from vision.camera.rpicam import MAX_WORDS_BYTES, RpiCamera
from vision.camera.rpicam_notes import read_notes
from vision.camera.source import Source, open_source
from vision.errors import CameraError

RPICAM = """\
    #!{python}
    import os, sys, time
    words = sys.argv[1:]
    assert words[words.index("--codec") + 1] == "mjpeg", words
    if words[words.index("--camera") + 1] == "3":
        sys.stderr.write("chatter " * 100_000)  # a line of 800 kB
        sys.exit("\\nERROR: *** no cameras available ***")
    if "--metadata" in words:
        if {old}:
            sys.exit("ERROR: *** unrecognised option '--metadata' ***")
        with open(words[words.index("--metadata") + 1], "w") as notes:
            for shutter in () if {silent} else (5000, 29000):
                print(f"ExposureTime={{shutter}}", "AnalogueGain=2.000000", "DigitalGain=1.100000",
                      "ColourGains=[ 1.512344, 2.250000 ]", "LensPosition=1.25" * {lens}, sep="\\n", file=notes)
    with open({data!r} + ".log", "a") as log:
        print(*words, file=log)
    with open({data!r} + ".pid", "w") as own:
        own.write(str(os.getpid()))
    data = open({data!r}, "rb").read()
    for _ in range({times}):
        for at in range(0, len(data), 700):  # in pieces, as a pipe gives them
            sys.stdout.buffer.write(data[at:at + 700])
            sys.stdout.buffer.flush()
        time.sleep(0.01)
    """


def fake_rpicam(folder: Path, times: int, old: bool = False, silent: bool = False, lens: bool = False) -> None:
    data = folder / "pictures"
    data.write_bytes(jpeg(40) + jpeg(200))
    program = folder / "rpicam-vid"
    filled = {"data": str(data), "times": times, "old": old, "silent": silent, "lens": lens}
    program.write_text(textwrap.dedent(RPICAM).format(python=sys.executable, **filled))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def on_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def test_rpicam_frames(on_path: Path) -> None:
    fake_rpicam(on_path, 10_000)
    with open_source("rpicam:0") as source:
        frames = [next(source) for _ in range(4)]
        program = int((on_path / "pictures.pid").read_text())
    assert all(f.image.shape == (120, 160, 3) for f in frames)
    assert {round(float(f.image.mean()), -1) for f in frames} <= {40.0, 200.0}
    with pytest.raises(ProcessLookupError):
        os.kill(program, 0)
    assert not [t for t in threading.enumerate() if t.name == "camera rpicam:0"]


def test_rpicam_that_finds_no_camera(on_path: Path) -> None:
    fake_rpicam(on_path, 1)
    with pytest.raises(CameraError, match="no cameras available") as told:
        open_source("rpicam:3")
    assert len(str(told.value)) < MAX_WORDS_BYTES + 300  # the end of what it said


def rpicam(**limits: float) -> RpiCamera:
    return RpiCamera("rpicam:0", "0", asked(), limits=replace(LIMITS, **limits))


@pytest.mark.slow
def test_rpicam_that_ends(on_path: Path) -> None:
    fake_rpicam(on_path, 3)
    with rpicam(retry_s=0.05) as source, pytest.raises(CameraError):
        for _ in range(1000):
            (on_path / "pictures").write_bytes(b"")
            next(source)


def runs(folder: Path, count: int, source: Source) -> list[str]:
    """What the program was started with so far, once it was started so often."""
    for _ in range(2000):
        next(source)
        lines = (folder / "pictures.log").read_text().splitlines()
        if len(lines) >= count:
            return lines
    raise AssertionError(lines)


def test_rpicam_holds_what_it_found(on_path: Path) -> None:
    fake_rpicam(on_path, 10_000)
    with rpicam(settle_s=0.05) as source:
        first, second = runs(on_path, 2, source)
        assert "--metadata" in first and "--shutter" not in first
        assert "--metadata" not in second
        assert second.endswith("--shutter 30000 --gain 2.127 --awbgains 1.512344,2.25")
        notes = Path(first.split("--metadata ")[1].split()[0])
        next(source)
        assert not notes.exists()
        source.resettle()
        third, fourth = runs(on_path, 4, source)[2:]
        assert "--metadata" in third and fourth == second


def test_an_rpicam_that_tells_no_exposure_goes_on_without_notes(on_path: Path) -> None:
    fake_rpicam(on_path, 10_000, silent=True)
    with rpicam(settle_s=0.05) as source:
        first, second = runs(on_path, 2, source)
    assert "--metadata" in first and "--metadata" not in second and "--shutter" not in second


def test_rpicam_keeps_its_lens_where_it_was(on_path: Path) -> None:
    """A kept place is fixed from the start; change of light keeps it, a person who asks has it found anew."""
    fake_rpicam(on_path, 10_000, lens=True)
    options = asked()
    with RpiCamera("rpicam:0", "0", options, limits=replace(LIMITS, settle_s=0.05)) as source:
        first, second = runs(on_path, 2, source)
        assert "--autofocus-mode" not in first and second.endswith("--autofocus-mode manual --lens-position 1.25")
        assert options.memory.of("rpicam:0").focus == 1.25
        source._unsettle.set()  # as a change of light does
        third, _ = runs(on_path, 4, source)[2:]
        assert "--metadata" in third and third.endswith("--lens-position 1.25")
        source.resettle()
        fifth, _ = runs(on_path, 6, source)[4:]
        assert "--metadata" in fifth and "--lens-position" not in fifth
        told = source.state
    assert told is not None and told.size == (1280, 720)
    assert {one.code: (one.held, one.value) for one in told.settings} == {
        "focus": (True, 1.25),
        "exposure": (True, 30.0),
        "white": (True, None),
    }
    with RpiCamera("rpicam:0", "0", options, limits=replace(LIMITS, settle_s=60)) as source:
        assert runs(on_path, 7, source)[6].endswith("--autofocus-mode manual --lens-position 1.25")


def test_of_notes_the_end_is_read(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    told = "ExposureTime={}\nAnalogueGain=1.000000\nColourGains=[ 1.5, 2.5 ]\n"
    with notes.open("w") as file:
        file.write(told.format(1000))
        file.truncate(10_000_000_000)  # with a hole: it takes no room, and no memory has as much
        file.seek(0, os.SEEK_END)
        file.write(told.format(5000))
    assert read_notes(notes).options(1e6 / 15) == ["--shutter", "5000", "--gain", "1.000", "--awbgains", "1.5,2.5"]


def test_an_older_rpicam_stays_automatic(on_path: Path) -> None:
    fake_rpicam(on_path, 10_000, old=True)
    with rpicam(settle_s=0.0) as source:
        (only,) = runs(on_path, 1, source)
        for _ in range(5):
            next(source)
        assert "--shutter" not in only and runs(on_path, 1, source) == [only]


@pytest.mark.parametrize(
    ("notes", "options"),
    [
        ("", ""),
        ("ExposureTime=8000\nAnalogueGain=1.5\n", ""),
        (
            "ExposureTime=8000\nAnalogueGain=1.5\nColourGains=[ 1.5, 2.0 ]\n",
            "--shutter 10000 --gain 1.200 --awbgains 1.5,2.0",
        ),
        (
            "ExposureTime=800\nAnalogueGain=1.0\nColourGains=[ 1.5, 2.0 ]\n",
            "--shutter 800 --gain 1.000 --awbgains 1.5,2.0",
        ),
        (
            "ExposureTime=16000\nAnalogueGain=1.0\nColourGains=[ 1.5, 2.0 ]\nAfState=2\nLensPosition=1.250000\n",
            "--shutter 10000 --gain 1.600 --awbgains 1.5,2.0 --autofocus-mode manual --lens-position 1.25",
        ),
        ("LensPosition=1.0\nLensPosition=0.0\n", "--autofocus-mode manual --lens-position 0"),
        (
            '"ExposureTime": 33000, "AnalogueGain": 4.0, "DigitalGain": 1.0, "ColourGains": [ 1.5, 2.0 ]',
            "--shutter 30000 --gain 4.400 --awbgains 1.5,2.0",
        ),
    ],
    ids=[
        "nothing",
        "no white balance",
        "short shutter",
        "daylight",
        "a lens, and no gain to take back",
        "a lens alone",
        "whole half waves",
    ],
)
def test_exposure_from_notes(tmp_path: Path, notes: str, options: str) -> None:
    (tmp_path / "notes").write_text(notes)
    assert " ".join(read_notes(tmp_path / "notes").options(1e6 / 15)) == options

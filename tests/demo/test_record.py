"""The demo as an animation, and the window that it chooses."""

import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from kiosk.cli import main
from kiosk.demo.run import window_for

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("desktop", "window"),
    [
        ((1920, 1080), (1600, 900)),
        ((1600, 900), (1280, 720)),
        ((1366, 768), (1024, 600)),
        ((1024, 600), None),  # it fills the screen: with a frame around it, its rail would hang over the edge
        ((800, 480), None),
        (None, None),  # on KMS/DRM nobody knows it before there is a window
    ],
)
def test_the_window_fits_the_desktop(desktop: tuple[int, int] | None, window: tuple[int, int] | None) -> None:
    assert window_for(desktop) == window


@pytest.mark.slow
def test_the_demo_records_itself(tmp_path: Path) -> None:
    file = tmp_path / "demo.webp"
    command = [sys.executable, "-m", "kiosk.cli", "demo", "--record", str(file), "--seconds", "1", "--games", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert f"{file}: 8 pictures" in done.stdout
    read, animation = cv2.imreadanimation(str(file))
    assert read and len(animation.frames) == 8
    table, mat = animation.frames[-1][:, :768], animation.frames[-1][:, 768:]
    assert table.std() > 10 and mat.std() > 10  # both are drawn


def test_an_animation_of_a_kind_that_cannot_be_written_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--record", str(tmp_path / "demo.txt"), "--games", "1"]) == 2
    assert ".webp" in capsys.readouterr().err

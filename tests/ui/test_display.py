"""A kiosk that nobody could see says so."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from kiosk.errors import KioskError
from kiosk.ui import build_app, check_visible, display


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(display.glob, "glob", lambda pattern: [])


def test_no_display_at_all() -> None:
    with pytest.raises(KioskError, match=r"no display.*--headless"):
        check_visible()


@pytest.mark.slow
def test_a_display_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":4711")
    with pytest.raises(KioskError, match="':4711' does not answer"):
        check_visible()


def test_a_wayland_socket_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(KioskError, match="wayland-9"):
        check_visible()
    (tmp_path / "wayland-9").touch()
    check_visible()


def test_a_graphics_card_without_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display.glob, "glob", lambda pattern: ["/dev/dri/card7"])
    with pytest.raises(KioskError, match="no permission to use /dev/dri/card7"):
        check_visible()


def test_offscreen_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    check_visible()
    monkeypatch.setattr(display, "video_driver", lambda: "offscreen")
    display.check_driver()
    monkeypatch.delenv("SDL_VIDEODRIVER")
    with pytest.raises(KioskError, match=r"fell back.*'offscreen'"):
        display.check_driver()


def test_an_unknown_language() -> None:
    with pytest.raises(ValueError, match="'fr'"):
        build_app(lambda request: None, "fr", (800, 480))


def test_the_ui_is_imported_without_kivy() -> None:
    script = "import sys, kiosk.ui; raise SystemExit('kivy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.fixture
def x_server(tmp_path: Path) -> Iterator[str]:
    """A bare X server without a window manager."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1024x600x24"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)


def test_a_bare_x_screen_is_filled(x_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", x_server)
    check_visible()
    assert display.bare_x_screen() == (1024, 600)
    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    assert display.bare_x_screen() is None


@pytest.mark.slow
def test_a_kiosk_on_a_real_x_screen(x_server: str) -> None:
    """In a process of its own: the whole screen, drawn by the driver that people see."""
    script = """
from kivy.clock import Clock
from kivy.core.window import Window
from kiosk.ui.display import video_driver
Clock.schedule_once(lambda _: (print(video_driver(), *Window.size, app.current), app.stop()), 1)
app.run()
"""
    start = "from kiosk.ui import build_app, check_visible; check_visible(); app = build_app(print)\n"
    surroundings = {**os.environ, "DISPLAY": x_server, "PYTHONPATH": os.pathsep.join(sys.path)}
    surroundings.pop("SDL_VIDEODRIVER", None)
    command = [sys.executable, "-c", start + script]
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.split() == ["x11", "1024", "600", "seats"], done.stderr


class Window:
    """A window whose pictures are handed over by hand."""

    def __init__(self) -> None:
        self.flipped: list[Callable[[object], object]] = []

    def bind(self, on_flip: Callable[[object], object]) -> None:
        self.flipped.append(on_flip)


@pytest.mark.parametrize(("driver", "finished"), [("offscreen", 3), ("x11", 0)])
def test_offscreen_each_picture_is_drawn_when_it_is_handed_over(
    monkeypatch: pytest.MonkeyPatch, driver: str, finished: int
) -> None:
    """Else drawing by the processor keeps picture upon picture, and 150 MB."""
    made: list[str] = []
    window = Window()
    opengl = SimpleNamespace(glFinish=lambda: made.append("finished"))
    monkeypatch.setitem(sys.modules, "kivy.core.window", cast(ModuleType, SimpleNamespace(Window=window)))
    monkeypatch.setitem(sys.modules, "kivy.graphics.opengl", cast(ModuleType, opengl))
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    display.show_each_picture()
    for _ in range(3):
        for call in window.flipped:
            call(window)
    assert len(made) == finished

"""A kiosk that nobody could see says so."""

import subprocess
import sys
from pathlib import Path

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

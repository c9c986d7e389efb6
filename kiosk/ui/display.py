"""The window, and whether anybody can see it."""

import ctypes
import glob
import logging
import os
import re
from pathlib import Path

from kiosk.errors import KioskError

#: Video drivers of SDL that draw where nobody looks.
BLIND_DRIVERS = {"offscreen", "dummy"}


class NoDisplay(KioskError, OSError):
    """There is no screen on which the table could be shown."""


def prepare(size: tuple[int, int] | None) -> None:
    """Set Kivy up before it is imported: no arguments, no files of its own, the window's size in pixels."""
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    os.environ.setdefault("KIVY_NO_CONFIG", "1")
    os.environ.setdefault("KIVY_NO_FILELOG", "1")
    os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
    logging.getLogger("kivy").setLevel(logging.WARNING)
    from kivy.config import Config

    Config.set("kivy", "exit_on_escape", "0")
    Config.set("kivy", "log_level", "warning")
    Config.set("input", "mouse", "mouse,disable_multitouch")
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        # The desktop hands touches over as a mouse; a second reader of the device would double each of them.
        Config.remove_option("input", "%(name)s")
    Config.set("graphics", "resizable", "0")
    Config.set("graphics", "multisamples", "0")
    if size is None:
        Config.set("graphics", "fullscreen", "auto")
        Config.set("graphics", "show_cursor", "0")
    else:
        Config.set("graphics", "fullscreen", "0")
        Config.set("graphics", "width", str(size[0]))
        Config.set("graphics", "height", str(size[1]))


def check_visible() -> None:
    """Nothing, if a window will be seen or drawing offscreen was asked for.

    Without a display SDL would draw into nothing and say nothing; a kiosk may not.

    :raises NoDisplay: with the way out.
    """
    asked = os.environ.get("SDL_VIDEODRIVER", "")
    if asked in BLIND_DRIVERS:
        return
    ways_out = (
        "start it from the desktop, set DISPLAY, give the service access to /dev/dri (groups video, render and input), "
        "or ask for no screen with --headless"
    )
    display = os.environ.get("DISPLAY", "")
    if display and asked in ("", "x11"):
        if _x_answers(display):
            return
        raise NoDisplay(f"the display DISPLAY={display!r} does not answer: {ways_out}")
    wayland = os.environ.get("WAYLAND_DISPLAY", "")
    if wayland and asked in ("", "wayland"):
        if (Path(os.environ.get("XDG_RUNTIME_DIR", "/run/user/0")) / wayland).exists():
            return
        raise NoDisplay(f"there is no Wayland socket {wayland!r}: {ways_out}")
    cards = glob.glob("/dev/dri/card*")
    if any(os.access(card, os.R_OK | os.W_OK) for card in cards):
        return
    if cards:
        raise NoDisplay(f"no permission to use {', '.join(cards)}: {ways_out}")
    raise NoDisplay(f"there is no display (neither DISPLAY nor WAYLAND_DISPLAY nor /dev/dri): {ways_out}")


def _x_answers(display: str) -> bool:
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        number = re.search(r":(\d+)", display)
        return number is None or Path(f"/tmp/.X11-unix/X{number[1]}").exists()
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XOpenDisplay.argtypes = [ctypes.c_char_p]
    opened = x11.XOpenDisplay(display.encode())
    if not opened:
        return False
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    x11.XCloseDisplay(opened)
    return True


def video_driver() -> str:
    """The driver that SDL took in the end (``x11``, ``KMSDRM``, ``offscreen`` …); "" before there is a window."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        if "libSDL2-2" in line:
            sdl = ctypes.CDLL(line.split(maxsplit=5)[5])
            sdl.SDL_GetCurrentVideoDriver.restype = ctypes.c_char_p
            return (sdl.SDL_GetCurrentVideoDriver() or b"").decode()
    return ""


def check_driver() -> None:
    """Nothing, if SDL took a driver that is seen or was asked for; called once the window stands.

    :raises NoDisplay: if SDL fell back to drawing into nothing.
    """
    driver = video_driver()
    if driver in BLIND_DRIVERS and os.environ.get("SDL_VIDEODRIVER", "") != driver:
        raise NoDisplay(
            f"SDL fell back to the video driver {driver!r}, which nobody can see: check the display, its cable and the "
            "service's access to /dev/dri, or ask for no screen with --headless"
        )

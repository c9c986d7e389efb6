"""Prepare the window, and check that somebody can see it."""

import ctypes
import glob
import logging
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kiosk.errors import KioskError

# Kivy reads these when any part of it is first imported, and every module of this package is imported after this one.
os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_CONFIG", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")
os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
# Kivy would load Pillow as well, 3 MB; SDL reads all pictures that there are.
os.environ.setdefault("KIVY_IMAGE", "sdl2")
# SDL would ask after joysticks each time that the loop looks for a touch.
os.environ.setdefault("SDL_AUTO_UPDATE_JOYSTICKS", "0")

#: Frames a second at most unless somebody says otherwise (``graphics.maxfps``).
KIVY_MAX_FPS = 60

#: Times that a picture is handed over again on KMS/DRM; a screen has up to three buffers.
SHOWN_AGAIN = 2

#: Video drivers of SDL that draw where nobody looks.
BLIND_DRIVERS = {"offscreen", "dummy"}


class NoDisplay(KioskError, OSError):
    """No screen on which the table could be shown."""


def prepare(size: tuple[int, int] | None) -> None:
    """Set Kivy's configuration up before there is a window: quiet, touches once, the window's size in pixels."""
    # A filter, because Kivy sets a level of its own while it is imported.
    logger = logging.getLogger("kivy")
    if _warnings_only not in logger.filters:
        logger.addFilter(_warnings_only)
    from kivy.config import Config

    Config.set("kivy", "exit_on_escape", "0")
    Config.set("kivy", "log_level", "warning")
    Config.set("input", "mouse", "mouse,disable_multitouch")
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        # The desktop hands touches over as a mouse; a second reader of the device would double each of them.
        Config.remove_option("input", "%(name)s")
    Config.set("graphics", "multisamples", "0")
    # What moves does so 30 times a second: Kivy's own 60 cost twice the processor time. Whoever measures or tests has
    # set another number before.
    if Config.getint("graphics", "maxfps") == KIVY_MAX_FPS:
        Config.set("graphics", "maxfps", "30")
    if size is None:
        Config.set("graphics", "show_cursor", "0")
        bare = bare_x_screen()
        Config.set("graphics", "fullscreen", "0" if bare else "auto")
        if bare:
            # Without a window manager nobody makes a window fill the screen: it is made as large as that.
            Config.set("graphics", "borderless", "1")
            Config.set("graphics", "position", "custom")
            Config.set("graphics", "left", "0")
            Config.set("graphics", "top", "0")
            Config.set("graphics", "width", str(bare[0]))
            Config.set("graphics", "height", str(bare[1]))
    else:
        Config.set("graphics", "fullscreen", "0")
        Config.set("graphics", "resizable", "0")  # full screen on KMS/DRM, such a window would never be seen
        Config.set("graphics", "width", str(size[0]))
        Config.set("graphics", "height", str(size[1]))


def show_each_picture() -> None:
    """See to it that each picture handed over is drawn and shown, where SDL leaves that to the next ones."""
    driver = os.environ.get("SDL_VIDEODRIVER", "").lower()
    if driver == "kmsdrm":
        _hand_over_again()
    elif driver == "offscreen":
        _finish_each()


def _finish_each() -> None:
    """Have OpenGL draw each picture that is handed over offscreen, where nothing else makes it.

    A window that is shown makes it draw. Offscreen, handing over does nothing (EGL 1.5, 3.10.1), and drawing by the
    processor keeps picture upon picture until it has to begin: 150 MB.
    """
    from kivy.core.window import Window
    from kivy.graphics.opengl import glFinish

    Window.bind(on_flip=lambda _: glFinish())


def _hand_over_again() -> None:
    """Hand each new picture over again on KMS/DRM: there SDL shows one only once the next is there.

    Kivy draws only what has changed; the last change would stay unseen until another came.
    """
    from kivy.clock import Clock
    from kivy.core.window import Window

    left, again = 0, False

    def flipped(*_: object) -> None:
        nonlocal left
        if not again:
            left = SHOWN_AGAIN
            repeat()

    def show_again(_: float) -> None:
        nonlocal left, again
        if Window.canvas.needs_redraw:
            return  # a new picture comes in this turn
        left -= 1
        if left:
            repeat()
        again = True
        Window.dispatch("on_draw")
        Window.dispatch("on_flip")
        again = False

    repeat = Clock.create_trigger(show_again)
    Window.bind(on_flip=flipped)


def _warnings_only(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING


def check_visible() -> None:
    """Check that a window will be seen, or that drawing offscreen was asked for.

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
    x11 = _x11()
    if x11 is None:
        number = re.search(r":(\d+)", display)
        return number is None or Path(f"/tmp/.X11-unix/X{number[1]}").exists()
    opened = _open(x11, display)
    if not opened:
        return False
    x11.XCloseDisplay(opened)
    return True


def _open(x11: ctypes.CDLL, display: str) -> int | None:
    """Open a display; a server that starts anew after its last client has gone is given a second."""
    for _ in range(10):
        opened: int | None = x11.XOpenDisplay(display.encode())
        if opened:
            return opened
        time.sleep(0.1)
    return None


def _x11() -> ctypes.CDLL | None:
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return None
    display, long, window = ctypes.c_void_p, ctypes.c_long, ctypes.c_ulong
    x11.XOpenDisplay.restype, x11.XOpenDisplay.argtypes = display, [ctypes.c_char_p]
    x11.XCloseDisplay.argtypes = [display]
    x11.XDefaultRootWindow.restype, x11.XDefaultRootWindow.argtypes = window, [display]
    x11.XDisplayWidth.argtypes = x11.XDisplayHeight.argtypes = [display, ctypes.c_int]
    x11.XInternAtom.restype, x11.XInternAtom.argtypes = window, [display, ctypes.c_char_p, ctypes.c_int]
    x11.XGetWindowProperty.argtypes = [
        display,
        window,
        window,
        long,
        long,
        ctypes.c_int,
        window,
        *[ctypes.c_void_p] * 5,
    ]
    return x11


def desktop_size() -> tuple[int, int] | None:
    """Return width and height in pixels of the X screen; None where there is none, or it cannot be asked."""
    name, driver = os.environ.get("DISPLAY", ""), os.environ.get("SDL_VIDEODRIVER", "")
    x11 = _x11() if name and driver in ("", "x11") else None
    opened = _open(x11, name) if x11 is not None else None
    if x11 is None or not opened:
        return None
    try:
        return x11.XDisplayWidth(opened, 0), x11.XDisplayHeight(opened, 0)
    finally:
        x11.XCloseDisplay(opened)


def bare_x_screen() -> tuple[int, int] | None:
    """Return width and height in pixels of an X screen without a window manager; None where there is none."""
    name, driver = os.environ.get("DISPLAY", ""), os.environ.get("SDL_VIDEODRIVER", "")
    if not name or driver not in ("", "x11"):
        return None
    x11 = _x11()
    opened = _open(x11, name) if x11 is not None else None
    if x11 is None or not opened:
        return None
    try:
        # A manager names itself by this property of the root window (Extended Window Manager Hints).
        check = x11.XInternAtom(opened, b"_NET_SUPPORTING_WM_CHECK", 0)
        kind, shape, count, left = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
        value = ctypes.c_void_p()
        root = x11.XDefaultRootWindow(opened)
        found = [ctypes.byref(one) for one in (kind, shape, count, left, value)]
        x11.XGetWindowProperty(opened, root, check, 0, 1, 0, 0, *found)
        if count.value:
            return None
        return x11.XDisplayWidth(opened, 0), x11.XDisplayHeight(opened, 0)
    finally:
        x11.XCloseDisplay(opened)


def sdl() -> ctypes.CDLL | None:
    """Return the SDL that Kivy brings and has loaded; None before there is a window."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        if "libSDL2-2" in line:
            return ctypes.CDLL(line.split(maxsplit=5)[5])
    return None


def of_opengl(name: str, *kinds: Any) -> Callable[..., None] | None:
    """Find a function of OpenGL that Kivy does not have, by the kinds of what it is given; None where there is none."""
    loaded = sdl()
    if loaded is None:
        return None
    loaded.SDL_GL_GetProcAddress.restype, loaded.SDL_GL_GetProcAddress.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    place = loaded.SDL_GL_GetProcAddress(name.encode())
    return ctypes.CFUNCTYPE(None, *kinds)(place) if place else None


def video_driver() -> str:
    """Return the driver that SDL took (``x11``, ``KMSDRM``, ``offscreen`` …); "" before there is a window."""
    loaded = sdl()
    if loaded is None:
        return ""
    loaded.SDL_GetCurrentVideoDriver.restype = ctypes.c_char_p
    return (loaded.SDL_GetCurrentVideoDriver() or b"").decode()


def check_driver() -> None:
    """Check that SDL took a driver that is seen or was asked for; called once the window is there.

    :raises NoDisplay: if SDL fell back to drawing into nothing.
    """
    driver = video_driver()
    if driver in BLIND_DRIVERS and os.environ.get("SDL_VIDEODRIVER", "") != driver:
        raise NoDisplay(
            f"SDL fell back to the video driver {driver!r}, which nobody can see: check the display, its cable and the "
            "service's access to /dev/dri, or ask for no screen with --headless"
        )

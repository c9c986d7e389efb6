"""Import all that a role may start with, ``python -m kiosk.release.warm ROLE``: it is compiled, and what lacks is told.

Only that has byte code afterwards: that of every package would be larger than many of them.
"""

import importlib
import os
import pkgutil
import sys

#: Role → rooms that it loads; of both what they need of others comes with them.
_ROOMS = {
    "table": ("kiosk.app", "kiosk.ui", "kiosk.sync", "kiosk.table", "kiosk.paper", "kiosk.release", "vision", "hw"),
    "director": ("kiosk.director", "kiosk.app.direction", "kiosk.release"),
}

#: The direction's, the commands' of developers, and what draws tables for tests: no table loads them.
_NOT = ("kiosk.app.direction", "kiosk.app.clubs", "vision.simulation", "vision.training")


def warm(role: str) -> int:
    """Import the rooms of a role and return how many modules that were.

    :raises ImportError: something is missing.
    """
    os.environ.update(SDL_VIDEODRIVER="offscreen", KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", KIVY_NO_FILELOG="1")
    names = [name for room in _ROOMS[role] for name in _modules(room)]
    for name in names:
        if role != "table" or not name.startswith(_NOT):
            importlib.import_module(name)
    return len(names)


def _modules(room: str) -> list[str]:
    top = importlib.import_module(room)
    inner = pkgutil.walk_packages(getattr(top, "__path__", ()), prefix=room + ".")
    return [room, *(one.name for one in inner if not one.name.endswith("__main__"))]


if __name__ == "__main__":
    print(warm(sys.argv[1]))

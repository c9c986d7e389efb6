"""Be a table that is switched on for the first time: the kiosk as it is shipped, and somebody's finger on its screen.

    python -m kiosk.bench.setting_up.table TABLE.TOML NAME

``NAME`` is that of the direction it belongs to. Each answer is a touch of what the screen shows. Standard output tells,
a JSON array a line: ``["step", name]``, ``["code", code]``, ``["seats", names, book]`` once the direction's plan is
shown, ``["sat", names]`` once people sit; ``["picture", path]`` of what was seen. When standard input is closed the
table is switched off.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kiosk.app.doorstep import ANEW
from kiosk.app.inbox import Asked
from kiosk.app.kiosk import Kiosk
from kiosk.app.start import run_table
from kiosk.demo.touching import Touching

#: Seconds between two looks of somebody who sets up, and of somebody who has sat down: thirty tables share a machine.
LOOK_S, SAT_S = 0.1, 0.5

SIZE_PX = (800, 480)


def say(*what: object) -> None:
    """Tell something on standard output."""
    print(json.dumps(what, ensure_ascii=False), flush=True)


class Newcomer(Touching):
    """Who sets the table up, as its screen asks for it.

    :param direction: name of the tournament whose direction the table belongs to.
    """

    def __init__(self, stage: Any, kiosk: Kiosk, direction: str, pictures: Path) -> None:
        super().__init__(stage, None)
        self._kiosk, self._direction, self._pictures = kiosk, direction, pictures
        self._told: list[object] = []

    def act(self) -> None:
        """Do what the screen asks for next; nothing while it asks for nothing."""
        sheet = self.app.sheets.current
        code = str(getattr(sheet, "code", ""))
        if self.app.view is not None:
            self._tell("sat", [seat.name for seat in self.app.view.seats])
        elif sheet is not None and hasattr(sheet, "spot_x"):
            self._touch_spot(sheet)
        elif code:
            self._tell("code", code)
        elif self.app.current == "first_start":
            self._answer(self.app.screen("first_start"))
        elif self.app.current == "seats":
            self._sit(self.app.screen("seats"))

    def _touch_spot(self, sheet: Any) -> None:
        """Touch the circle of the check of touches."""
        width, height = self.app.root.get_root_window().size
        self.stage.touch_at(sheet.spot_x * width, sheet.spot_y * height)
        self.stage.step(3)

    def _answer(self, screen: Any) -> None:
        step = screen.view.step
        self._tell("step", step)
        if step != "direction":
            self.touch(self.saying(screen, self.word("start_on")))
            return
        found = [key for key in self.keys(screen) if self._direction in getattr(key, "text", "")]
        if found and not screen.view.url:
            self.touch(found[0])

    def _sit(self, screen: Any) -> None:
        """Hold the key with which all sit, once the direction's plan is up."""
        plan = (self._kiosk.opener.plan.plan if self._kiosk.opener.plan is not None else None) or {}
        if not plan.get("players") or list(screen.names) != list(plan["players"]) or not screen.may_start:
            return
        self._tell("seats", list(screen.names), screen.book)
        self.hold(next(key for key in self.keys(screen) if getattr(key, "calm_tone", "") == "gold"))

    def _tell(self, *what: object) -> None:
        """Tell it once, with a picture of what is seen."""
        if list(what) in self._told:
            return
        self._told.append(list(what))
        path = self._pictures / f"{len(list(self._pictures.glob('*.png'))):02}-{what[0]}.png"
        self.stage.picture(path)
        say(*what)


def run_by_finger(
    kiosk: Kiosk, *, language: str, ready: Callable[[], None], direction: str, pictures: Path, **screen: Any
) -> int:
    """Run the kiosk from a screen that nobody but a finger sees."""
    from kiosk.ui import build_app
    from kiosk.ui.display import prepare
    from kiosk.ui.stage import Stage

    screen["size"] = SIZE_PX
    prepare(SIZE_PX)
    app = build_app(lambda request: kiosk.deliver(Asked(request)), language, on_language=kiosk.speak, **screen)
    stage = Stage(app).up()
    kiosk.outputs.screen = app
    kiosk.begin()
    ready()
    newcomer = Newcomer(stage, kiosk, direction, pictures)
    while not kiosk.anew:
        kiosk.beat()
        stage.step()
        newcomer.act()
        time.sleep(LOOK_S if app.view is None else SAT_S)
    return ANEW


def _end_with_input() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> int:
    """Run the table; it starts anew by itself once it has its number."""
    path, direction = Path(sys.argv[1]), sys.argv[2]
    pictures = path.parent / "pictures"
    pictures.mkdir(exist_ok=True)
    threading.Thread(target=_end_with_input, name="input", daemon=True).start()
    return run_table(path, show=partial(run_by_finger, direction=direction, pictures=pictures))


if __name__ == "__main__":
    sys.exit(main())

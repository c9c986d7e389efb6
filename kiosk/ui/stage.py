"""Drive the app frame by frame: for pictures of the screens, for tests and for measuring.

Set ``SDL_VIDEODRIVER=offscreen`` before the first import to draw real pictures without a screen.
"""

import itertools
from pathlib import Path
from typing import Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glPixelStorei, glReadPixels
from kivy.input.motionevent import MotionEvent
from kivy.lang import Builder

from kiosk.ui.app import KioskApp
from kiosk.ui.parts.hold import HOLD_S
from kiosk.ui.parts.touchable import QUIET_S

#: Time moves on in such steps, seconds.
FRAME_S = 0.05
#: The same while somebody only looks, where fewer frames do.
LOOK_S = 0.2

_GL_PACK_ALIGNMENT = 0x0D05


class Finger(MotionEvent):
    """A touch at a place of the window, in pixels from the lower left."""

    def __init__(self, number: int, x: float, y: float) -> None:
        super().__init__("finger", number, {"x": x, "y": y}, is_touch=True, type_id="touch")

    def depack(self, args: Any) -> None:
        self.sx, self.sy = args["x"] / Window.width, args["y"] / Window.height
        self.profile = ["pos"]
        super().depack(args)


class Stage:
    """One app on the stage; the process has one window, so there is one stage at a time.

    Its time can be moved on (``wait``), so that nobody waits for a key that wants to be held.

    :param still: time goes on by ``wait`` alone, so that a slow machine sees the same as a fast one.
    """

    def __init__(self, app: KioskApp, still: bool = False) -> None:
        self.app = app
        self._numbers = itertools.count(1)
        self._waited = 0.0
        real, began = Clock.time, Clock.time()
        Clock.time = lambda: (began if still else real()) + self._waited
        # Else each tick sleeps until a sixtieth of a second is over. Kivy reads its configuration for this only while
        # its clock is imported, which may be long before there is a stage.
        Clock._max_fps = 0

    def up(self) -> "Stage":
        """Put the app's widgets into the window."""
        from kivy.app import App

        App._running_app = self.app
        for child in list(Window.children):
            Window.remove_widget(child)
        Window.add_widget(self.app.build())
        EventLoop.status = "started"
        EventLoop.quit = False
        self.step(3)
        return self

    def size(self, width: int, height: int) -> None:
        """Change the window's size and build the tree anew."""
        Window.size = (width, height)
        self.step(2)
        self.app.rebuild()
        self.step(3)

    def step(self, frames: int = 1, draw: bool = False) -> None:
        """Run the loop once: clock, input, layout; and drawing, if requested."""
        for _ in range(frames):
            if draw:
                EventLoop.idle()
                continue
            Clock.tick()
            EventLoop.dispatch_input()
            Builder.sync()
            Clock.tick_draw()
            Builder.sync()

    def find(self, kind: type[Any], **properties: object) -> Any:
        """Find the one visible widget of that class with those properties; nested ones included."""
        found = [
            widget
            for widget in self.app.root.walk()
            if isinstance(widget, kind)
            and not widget.disabled
            and widget.opacity
            and all(getattr(widget, name) == value for name, value in properties.items())
        ]
        if len(found) != 1:
            raise LookupError(f"{len(found)} widgets {kind.__name__} with {properties}")
        return found[0]

    def key(self, words: str) -> Any:
        """Find the one key whose text has these words."""
        from kiosk.ui.parts.look import Key

        found = [
            widget
            for widget in self.app.root.walk()
            if isinstance(widget, Key) and words in widget.text and not widget.disabled and widget.opacity
        ]
        if len(found) != 1:
            raise LookupError(f"{len(found)} keys with {words!r}: {[one.text for one in found]}")
        return found[0]

    def wait(self, seconds: float, frame_s: float = FRAME_S) -> None:
        """Let time pass for the app, in steps as frames are; nobody waits."""
        while seconds > 0:
            step = min(seconds, frame_s)
            self._waited += step
            seconds -= step
            self.step()

    def touch(self, widget: Any, seconds: float = 0.0) -> None:
        """Touch a widget's middle and let go, through the window as a finger would."""
        self.touch_at(*self.middle_of(widget), seconds)

    def hold(self, widget: Any) -> None:
        """Hold a widget's middle until its ring is full."""
        self.touch(widget, HOLD_S + 2 * FRAME_S)

    def middle_of(self, widget: Any) -> tuple[float, float]:
        """Return a widget's middle in the window, in pixels from the lower left."""
        x, y = widget.to_window(*(widget.pos if _relative(widget) else widget.center))
        if _relative(widget):
            x, y = x + widget.width / 2, y + widget.height / 2
        return x, y

    def touch_at(self, x: float, y: float, seconds: float = 0.0) -> None:
        """Look, as people do, and touch a place of the window for the given time; pixels from the lower left."""
        self.wait(QUIET_S + FRAME_S, LOOK_S)
        finger = self.put(x, y)
        self.wait(seconds)
        self.lift(finger)

    def put(self, x: float, y: float) -> Finger:
        """Put a finger down, at once; it is one of several until it is lifted."""
        finger = Finger(next(self._numbers), x, y)
        EventLoop.post_dispatch_input("begin", finger)
        self.step()
        return finger

    def drag(self, finger: Finger, x: float, y: float) -> None:
        """Move a finger that is down."""
        finger.move({"x": x, "y": y})
        EventLoop.post_dispatch_input("update", finger)
        self.step()

    def lift(self, finger: Finger) -> None:
        """Lift a finger."""
        EventLoop.post_dispatch_input("end", finger)
        self.step(2)

    def frame(self) -> tuple[int, int, bytes]:
        """Read width, height and RGB rows from the top of what the window shows."""
        self.step(1, draw=True)
        return window_pixels()

    def picture(self, path: Path) -> None:
        """Write what the window shows as PNG."""
        import cv2
        import numpy

        self.step(2)
        width, height, rows = self.frame()
        image = numpy.frombuffer(rows, numpy.uint8).reshape(height, width, 3)
        cv2.imwrite(str(path), image[..., ::-1])


def window_pixels() -> tuple[int, int, bytes]:
    """Draw the window and read its width, height and RGB rows from the top."""
    Window.dispatch("on_draw")
    width, height = Window.size
    glPixelStorei(_GL_PACK_ALIGNMENT, 1)
    pixels = bytes(glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE))
    Window.dispatch("on_flip")
    row = width * 3
    return width, height, b"".join(pixels[at : at + row] for at in range(len(pixels) - row, -1, -row))


def _relative(widget: Any) -> bool:
    from kivy.uix.relativelayout import RelativeLayout

    return isinstance(widget, RelativeLayout)

"""Keep the picture that is drawn, and draw anew only the places of a clock that goes on and of keys under a finger.

Kivy draws the whole window for each change. Where the processor draws (llvmpipe), that is twenty milliseconds of its
time a picture. So all is drawn into a picture that is kept, and that one is put on the window, which forgets what it
showed: two milliseconds. A second of the clock, a key that darkens and its ring that grows are drawn over the kept
picture, each in its own place, which is two more.
"""

import ctypes
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Fbo
from kivy.graphics import opengl as gl
from kivy.graphics.instructions import InstructionGroup
from kivy.metrics import dp

from kiosk.ui.display import of_opengl

#: What OpenGL calls drawing by the processor.
BY_PROCESSOR = (b"llvmpipe", b"softpipe", b"SWR")

#: Seconds after a picture until its triangles are let go: whoever touches waits for the picture, not for this.
LET_GO_S = 0.1

#: So far a key draws beyond itself: its ring, the number of a pad's key.
KEY_EDGE_DP = 10

_READ_FRAMEBUFFER = 0x8CA8  # of OpenGL 3.0, which Kivy does not name

#: Left, low, right and top in the window's pixels.
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Drawn:
    """How a label or key was drawn: where its text or it lies, and what stood on each canvas above its own."""

    box: Box
    above: tuple[tuple[object, ...], ...]
    answers: bool  # a key under a finger: all of it may change in its box; of a label the text alone, in any


class KeptPicture:
    """Draws a window in Kivy's place.

    :param window: Kivy's ``Window``.
    :param ticking: the labels that may change while nothing else does; asked anew for each picture.
    """

    def __init__(self, window: Any, ticking: Callable[[], Iterable[Any]]) -> None:
        self._window, self._ticking = window, ticking
        self._picture: Fbo | None = None
        self._put = _blit()
        self._answering: list[Any] = []  # keys under a finger
        self._drawn: dict[Any, _Drawn] = {}
        self._let_triangles_go = Clock.create_trigger(lambda _: let_triangles_go(), LET_GO_S)
        self.whole = self.parts = 0  # pictures drawn, wholly and in part

    def begin(self) -> None:
        """Draw each picture from now on."""
        self._window.bind(on_draw=self.draw)

    def end(self) -> None:
        """Leave the drawing to Kivy again."""
        self._window.unbind(on_draw=self.draw)
        self._let_triangles_go.cancel()
        self._picture, self._drawn, self._answering = None, {}, []

    def will_answer(self, key: Any) -> None:
        """Draw the place of this key alone, if nothing else changes: a finger comes to it or goes.

        It is called before the key changes. What has changed already since the last picture is drawn with all else.
        """
        if key.canvas.needs_redraw or key.children or self._picture is None:
            return
        drawn = _as_drawn(key, answers=True)
        if drawn is not None:
            self._drawn[key] = drawn
            self._answering.append(key)

    def draw(self, *_: object) -> bool:
        """Draw the window; return True, by which Kivy does not."""
        self._renew(self._changed() if self._fits() else None)
        self._put_on_window()
        self._answering = [key for key in self._answering if key.state == "down"]
        of_clocks = {label: _as_drawn(label) for label in self._ticking()}
        of_keys = {key: _as_drawn(key, answers=True) for key in self._answering}
        self._drawn = {label: one for label, one in {**of_clocks, **of_keys}.items() if one is not None}
        return True

    def _fits(self) -> bool:
        """Report whether there is a picture of the window's size; begin one."""
        size = tuple(self._window.size)
        if self._picture is not None and self._picture.size == size:
            return True
        self._picture = Fbo(size=size, with_stencilbuffer=True)
        return False

    def _put_on_window(self) -> None:
        picture: Any = self._picture
        width, height = picture.size
        picture.bind()
        of_picture = gl.glGetIntegerv(gl.GL_FRAMEBUFFER_BINDING)[0]
        picture.release()
        of_window = gl.glGetIntegerv(gl.GL_FRAMEBUFFER_BINDING)[0]
        gl.glBindFramebuffer(_READ_FRAMEBUFFER, of_picture)
        self._put(0, 0, width, height, 0, 0, width, height, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, of_window)

    def _renew(self, places: list[Box] | None) -> None:
        """Draw these places of the kept picture; None: all of it."""
        picture: Any = self._picture
        gl.glFinish()  # else llvmpipe keeps this picture's triangles beside those of one that is not finished
        picture.bind()
        if places is None:
            self._draw_all()
            self.whole += 1
        for left, low, right, top in places or ():
            gl.glEnable(gl.GL_SCISSOR_TEST)
            gl.glScissor(left, low, right - left, top - low)
            self._draw_all()
            gl.glDisable(gl.GL_SCISSOR_TEST)
            self.parts += 1
        picture.release()
        self._let_triangles_go()

    def _draw_all(self) -> None:
        """Draw as Kivy does."""
        self._window.clear()
        self._window.render_context.draw()

    def _changed(self) -> list[Box] | None:
        """Find the places in which alone something has changed since the last picture; None: it may be anywhere."""
        canvas = self._window.canvas
        if not canvas.needs_redraw:
            return []
        known = {id(widget.canvas): (widget, one.answers) for widget, one in self._drawn.items()}
        boxes = []
        for widget in _changed_widgets(canvas, known) or ():
            before, now = self._drawn[widget], _as_drawn(widget, answers=self._drawn[widget].answers)
            if now is None or now.above != before.above or (now.answers and now != before):
                return None
            boxes.append(_around(before.box, now.box))
        return boxes or None  # nothing found: the window itself wants to be drawn


def let_triangles_go() -> None:
    """Have llvmpipe free the triangles of the picture that it has drawn, some MB of many keys.

    It frees those of a finished one only when it begins another: a pixel of the window, which the picture is put over.
    """
    gl.glFinish()
    gl.glEnable(gl.GL_SCISSOR_TEST)
    gl.glScissor(0, 0, 1, 1)
    gl.glClear(gl.GL_COLOR_BUFFER_BIT)
    gl.glDisable(gl.GL_SCISSOR_TEST)
    gl.glFinish()


def drawn_by_processor() -> bool:
    """Report whether no graphics processor draws the window, once there is one."""
    return any(name in bytes(gl.glGetString(gl.GL_RENDERER)) for name in BY_PROCESSOR)


def _blit() -> Callable[..., None]:
    """Find OpenGL's ``glBlitFramebuffer``, which Kivy does not have; every OpenGL by the processor does."""
    found = of_opengl("glBlitFramebuffer", *[ctypes.c_int] * 8, ctypes.c_uint, ctypes.c_uint)
    assert found is not None  # there is a window
    return found


def _changed_widgets(canvas: Any, known: dict[int, tuple[Any, bool]]) -> list[Any] | None:
    """Find the widgets below a changed canvas that alone have changed; None: something else has, too.

    Kivy marks what has changed and every group above it, until that group is drawn. Single instructions that hold a
    colour or a place stay marked for ever, so that a canvas with such ones of its own says nothing.

    :param known: by a canvas' ``id`` its widget, and whether more than its text may change.
    """
    found: list[Any] = []
    for one in canvas.children:
        if not isinstance(one, InstructionGroup):
            return None
        if not one.needs_redraw:
            continue
        widget, answers = known.get(id(one), (None, False))
        if widget is not None and not (answers or _text_alone(one)):
            return None
        below = _changed_widgets(one, known) if widget is None else [widget]
        if below is None:
            return None
        found += below
    return found or None


def _text_alone(canvas: Any) -> bool:
    """Report whether nothing but a label's text has changed on its canvas: no ground, no edge."""
    return not any(isinstance(one, InstructionGroup) and one.needs_redraw for one in canvas.children)


def _as_drawn(widget: Any, *, answers: bool = False) -> _Drawn | None:
    """How a label, or a key that answers, stands now; None: it is not on the window."""
    above, one = [], widget.parent
    while one is not None and one is not one.parent:
        above.append((one.canvas.opacity, *map(id, one.canvas.children)))
        one = one.parent
    if one is None:
        return None
    if answers:
        edge = dp(KEY_EDGE_DP)
        left, low, width, height = widget.x - edge, widget.y - edge, widget.width + 2 * edge, widget.height + 2 * edge
    else:
        width, height = widget.texture_size
        left, low = int(widget.center_x - width / 2), int(widget.center_y - height / 2)  # as Kivy lays a label's text
    corners = [widget.to_window(x, y) for x in (left, left + width) for y in (low, low + height)]
    xs, ys = zip(*corners, strict=True)
    return _Drawn((floor(min(xs)), floor(min(ys)), ceil(max(xs)), ceil(max(ys))), tuple(above), answers)


def _around(first: Box, second: Box) -> Box:
    left, low, right, top = zip(first, second, strict=True)
    return min(left), min(low), max(right), max(top)

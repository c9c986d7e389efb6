"""Keep the picture that is drawn, and draw anew only a clock's place where nothing but the clock goes on.

Kivy draws the whole window for each change. Where the processor draws (llvmpipe), that is twenty milliseconds of its
time a picture; a table at rest changes nothing but its clock, once a second. When the clock goes on, all is drawn into
a picture that is kept, and that one is put on the window, which forgets what it showed; from then on the clock's place
alone. Whatever else changes is drawn straight on the window: who touches waits for no copy.
"""

import ctypes
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from kivy.graphics import Fbo
from kivy.graphics import opengl as gl
from kivy.graphics.instructions import InstructionGroup

from kiosk.ui.display import sdl

#: What OpenGL calls drawing by the processor.
BY_PROCESSOR = (b"llvmpipe", b"softpipe", b"SWR")

_READ_FRAMEBUFFER = 0x8CA8  # of OpenGL 3.0, which Kivy does not name

#: Left, low, right and top in the window's pixels.
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Drawn:
    """How a label was drawn: where its text lies, and what stood on each canvas above its own."""

    text: Box
    above: tuple[tuple[object, ...], ...]


class KeptPicture:
    """Draws a window in Kivy's place.

    :param window: Kivy's ``Window``.
    :param ticking: the labels that may change while nothing else does; asked anew for each picture.
    """

    def __init__(self, window: Any, ticking: Callable[[], Iterable[Any]]) -> None:
        self._window, self._ticking = window, ticking
        self._picture: Fbo | None = None
        self._put = _blit()
        self._drawn: dict[Any, _Drawn] = {}
        self._valid = False  # the kept picture shows what the window does
        self.whole = self.parts = 0  # pictures drawn, wholly and in part

    def begin(self) -> None:
        """Draw each picture from now on."""
        self._window.bind(on_draw=self.draw)

    def end(self) -> None:
        """Leave the drawing to Kivy again."""
        self._window.unbind(on_draw=self.draw)
        self._picture, self._valid = None, False

    def draw(self, *_: object) -> bool:
        """Draw the window; return True, by which Kivy does not."""
        self._fit()
        changed = self._changed()
        if changed is None or not (changed or self._valid):
            self._valid = False
            self._draw_whole()
        else:
            self._renew(changed)
            self._put_on_window()
        self._drawn = {label: one for label in self._ticking() if (one := _as_drawn(label)) is not None}
        return True

    def _fit(self) -> None:
        """Begin another picture where the window has another size."""
        size = tuple(self._window.size)
        if self._picture is None or self._picture.size != size:
            self._picture, self._valid = Fbo(size=size, with_stencilbuffer=True), False

    def _draw_whole(self) -> None:
        """Draw as Kivy does."""
        self._window.clear()
        self._window.render_context.draw()
        self.whole += 1

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

    def _renew(self, places: list[Box]) -> None:
        """Draw these places of the kept picture, or all of it where it is not valid."""
        picture: Any = self._picture
        picture.bind()
        if not self._valid:
            self._draw_whole()
            places, self._valid = [], True
        for left, low, right, top in places:
            gl.glEnable(gl.GL_SCISSOR_TEST)
            gl.glScissor(left, low, right - left, top - low)
            self._window.clear()
            self._window.render_context.draw()
            gl.glDisable(gl.GL_SCISSOR_TEST)
            self.parts += 1
        picture.release()

    def _changed(self) -> list[Box] | None:
        """Find the places in which alone something has changed since the last picture; None: it may be anywhere."""
        canvas = self._window.canvas
        if not canvas.needs_redraw:
            return []
        known = {id(label.canvas): label for label in self._drawn}
        labels = _changed_labels(canvas, known)
        boxes = []
        for label in labels or ():
            before, now = self._drawn[label], _as_drawn(label)
            if now is None or now.above != before.above:
                return None
            boxes.append(_around(before.text, now.text))
        return boxes or None  # nothing found: the window itself wants to be drawn


def drawn_by_processor() -> bool:
    """Report whether no graphics processor draws the window, once there is one."""
    return any(name in bytes(gl.glGetString(gl.GL_RENDERER)) for name in BY_PROCESSOR)


def _blit() -> Callable[..., None]:
    """Find OpenGL's ``glBlitFramebuffer``, which Kivy does not have; every OpenGL by the processor does."""
    loaded = sdl()
    assert loaded is not None  # there is a window
    loaded.SDL_GL_GetProcAddress.restype, loaded.SDL_GL_GetProcAddress.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    place = loaded.SDL_GL_GetProcAddress(b"glBlitFramebuffer")
    return ctypes.CFUNCTYPE(None, *[ctypes.c_int] * 8, ctypes.c_uint, ctypes.c_uint)(place)


def _changed_labels(canvas: Any, known: dict[int, Any]) -> list[Any] | None:
    """Find the labels below a changed canvas of which the text alone has changed; None: something else has, too.

    Kivy marks what has changed and every group above it, until that group is drawn. Single instructions that hold a
    colour or a place stay marked for ever, so that a canvas with such ones of its own says nothing.
    """
    found: list[Any] = []
    for one in canvas.children:
        if not isinstance(one, InstructionGroup):
            return None
        if not one.needs_redraw:
            continue
        label = known.get(id(one))
        below = _changed_labels(one, known) if label is None else [label] if _text_alone(one) else None
        if below is None:
            return None
        found += below
    return found or None


def _text_alone(canvas: Any) -> bool:
    """Report whether nothing but a label's text has changed on its canvas: no ground, no edge."""
    return not any(isinstance(one, InstructionGroup) and one.needs_redraw for one in canvas.children)


def _as_drawn(label: Any) -> _Drawn | None:
    """How a label stands now; None: it is not on the window."""
    above, one = [], label.parent
    while one is not None and one is not one.parent:
        above.append((one.canvas.opacity, *map(id, one.canvas.children)))
        one = one.parent
    if one is None:
        return None
    width, height = label.texture_size
    left, low = int(label.center_x - width / 2), int(label.center_y - height / 2)  # as Kivy lays a label's text
    corners = [label.to_window(x, y) for x in (left, left + width) for y in (low, low + height)]
    xs, ys = zip(*corners, strict=True)
    return _Drawn((floor(min(xs)), floor(min(ys)), ceil(max(xs)), ceil(max(ys))), tuple(above))


def _around(first: Box, second: Box) -> Box:
    left, low, right, top = zip(first, second, strict=True)
    return min(left), min(low), max(right), max(top)

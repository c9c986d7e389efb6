"""Look for dead objects when nobody waits: Python's own full collection may come between a touch and its answer."""

import ctypes
import gc
from collections.abc import Callable

from kiosk.ui.display import of_opengl

#: Nobody has touched the screen for so long, seconds: a pause of some hundredths is not felt.
QUIET_S = 2.0
#: Collections of the middle generation after which all are looked through. A sheet that was closed is two of them, and
#: keeps four to eight MB, of most of which Python knows nothing: OpenGL and SDL hold them.
AFTER = 1
#: Python looks through all by itself only after so many, if somebody touches without a pause.
AT_LATEST = 30
#: Not more often than this, seconds: what lives costs some hundredths each time.
APART_S = 5.0
#: After so long what was collected is given back to the machine, seconds: Kivy has OpenGL free textures a frame later.
GIVE_BACK_S = 0.5
#: And after so long without a collection, seconds: most of what is freed is OpenGL's, and no collection's work. A
#: second of play frees two MB; in five they came to ten.
GIVE_BACK_ANYHOW_S = 1.0
#: After so long what was left out of collections is looked through again, seconds: a round that was in play then, some
#: MB, is dead when the next one begins.
LOOK_AGAIN_S = 600.0

#: Parameters of glibc's ``mallopt``: from which size on a piece has pages of its own, how much free memory at the
#: heap's end is kept, the number of heaps.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8

#: Pieces as large as this have pages of their own, bytes: glibc begins so, and then takes the size of the largest piece
#: freed so far, a picture of MBs, between which the heap's end never falls.
OWN_PAGES_FROM = 128 * 1024
#: So much free memory at the heap's end is kept for the next picture, bytes.
KEPT_AT_END = 2 * 1024 * 1024


def share_one_heap() -> None:
    """Let all threads that are yet to come take their memory from one heap, and large pieces from none.

    glibc gives each a heap of its own, and what is freed on one serves no other thread: drawing by software, with its
    compiler and a thread a processor, keeps 20 to 40 MB so. Large pieces in the heap leave gaps in it.
    """
    limit = getattr(ctypes.CDLL(None), "mallopt", None)
    if limit is not None:
        limit(_M_ARENA_MAX, 1)
        limit(_M_MMAP_THRESHOLD, OWN_PAGES_FROM)
        limit(_M_TRIM_THRESHOLD, KEPT_AT_END)


class Tidying:
    """Full collections of dead objects, between touches."""

    def __init__(self) -> None:
        self._touched_at = self._tidied_at = float("-inf")
        self._give_back_at = float("-inf")
        self._look_again_at: float | None = None  # None: nothing was collected yet
        self._give_back = _giving_back()
        self._let_compiler_go: Callable[[], object] = lambda: None

    def begin(self) -> None:
        """Put off full collections from now on, and leave out what stands: the screen, 200,000 objects."""
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, AT_LATEST)
        self._collect_all()
        self._let_compiler_go = of_opengl("glReleaseShaderCompiler") or self._let_compiler_go
        self._give_all_back()

    def touched(self, now: float) -> None:
        """Wait: somebody touches the screen, at this time in seconds."""
        self._touched_at = now

    def tidy(self, now: float) -> bool:
        """Collect what is dead and give back what is free, if it is time and nobody waits.

        :returns: whether it has collected.
        """
        if now - self._touched_at < QUIET_S:
            return False
        if now >= self._give_back_at:
            self._give_back_at = now + GIVE_BACK_ANYHOW_S
            self._give_all_back()
        if now - self._tidied_at < APART_S or gc.get_count()[2] < AFTER:
            return False
        if self._look_again_at is None:
            self._look_again_at = now + LOOK_AGAIN_S
        if now >= self._look_again_at:
            self._look_again_at = now + LOOK_AGAIN_S
            self._collect_all()
        else:
            gc.collect()
        self._tidied_at, self._give_back_at = now, now + GIVE_BACK_S
        return True

    def _collect_all(self) -> None:
        """Collect what is dead of all, and leave out what lives from then on."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def _give_all_back(self) -> None:
        """Give back what is free, and what OpenGL compiles shaders with: 7 MB, which it makes anew if it must."""
        self._let_compiler_go()
        self._give_back()


def _giving_back() -> Callable[[], object]:
    """Find what gives freed memory back to the machine: glibc keeps it all, up to the highest piece in use.

    Elsewhere (musl, macOS) the C library does that by itself, or has no such call.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return (lambda: None) if trim is None else lambda: trim(0)

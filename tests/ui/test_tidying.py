"""Dead objects are looked for between touches, never just after one."""

import ctypes
import gc
import resource
import subprocess
import sys
import weakref
from itertools import islice
from pathlib import Path

import pytest

from kiosk.app.kiosk import Kiosk
from kiosk.demo.play import simulate
from kiosk.table.events.codec import decode, decode_opening
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table
from kiosk.ui import tidying as of_screen
from kiosk.ui.tidying import AFTER, APART_S, GIVE_BACK_ANYHOW_S, GIVE_BACK_S, LOOK_AGAIN_S, QUIET_S, Tidying


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done by full collections, while it has long been time for one."""
    made: list[str] = []
    monkeypatch.setattr(gc, "collect", lambda: made.append("full"))
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, AFTER))
    monkeypatch.setattr(of_screen, "_giving_back", lambda: lambda: made.append("given back"))
    return made


def test_nothing_is_done_while_somebody_touches(full: list[str]) -> None:
    made, tidying = full, Tidying()
    tidying.touched(10.0)
    assert not tidying.tidy(10.0 + 0.9 * QUIET_S)
    assert not made
    assert tidying.tidy(10.0 + QUIET_S)
    assert made == ["given back", "full"]


def test_nothing_is_collected_before_its_time(full: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, AFTER - 1))
    assert not Tidying().tidy(100.0)
    assert "full" not in full


def test_between_two_collections_there_is_time(full: list[str]) -> None:
    made, tidying = full, Tidying()
    assert tidying.tidy(100.0)
    assert not tidying.tidy(100.0 + 0.9 * APART_S)
    assert tidying.tidy(100.0 + APART_S)
    assert made.count("full") == 2


def test_what_was_collected_is_given_back_once_opengl_has_freed_it(full: list[str]) -> None:
    made, tidying = full, Tidying()
    tidying.tidy(100.0)
    made.clear()
    assert not tidying.tidy(100.0 + 0.9 * GIVE_BACK_S)
    assert not made
    for _ in range(2):
        assert not tidying.tidy(100.0 + GIVE_BACK_S)
    assert made == ["given back"]
    tidying.touched(200.0)
    assert not tidying.tidy(200.0 + 0.9 * QUIET_S)
    assert made == ["given back"]


def test_what_was_freed_without_a_collection_is_given_back_too(
    full: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, AFTER - 1))
    made, tidying = full, Tidying()
    for _ in range(2):
        tidying.tidy(100.0)
        tidying.tidy(100.0 + 0.9 * GIVE_BACK_ANYHOW_S)
    assert made == ["given back"]
    tidying.tidy(100.0 + GIVE_BACK_ANYHOW_S)
    assert made == ["given back"] * 2


def test_freed_memory_goes_back_where_the_c_library_would_keep_it() -> None:
    give_back = of_screen._giving_back()
    if not hasattr(ctypes.CDLL(None), "malloc_trim"):
        assert give_back() is None
        return
    pieces = [bytes(60_000) for _ in range(2_000)]  # below glibc's threshold: they lie on its heap
    last = bytes(60_000)
    del pieces
    full = _resident_pages()
    give_back()
    assert (full - _resident_pages()) * resource.getpagesize() > 60_000_000
    assert last


#: In a process of its own: what ``mallopt`` is told holds for good. It prints how many of two pieces have own pages.
_PIECES_WITH_OWN_PAGES = """
import ctypes
from kiosk.ui.tidying import share_one_heap
names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
Info = type("Info", (ctypes.Structure,), {"_fields_": [(name, ctypes.c_size_t) for name in names]})
info = ctypes.CDLL(None).mallinfo2
info.restype = Info
share_one_heap()
large = bytes(8_000_000)
del large
before = info().hblks
pieces = [bytes(4_000_000) for _ in range(2)]  # more than there is room for at the heap's end
print(info().hblks - before)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="another C library has other heaps")
def test_large_pieces_leave_no_gaps_in_the_heap_after_larger_ones() -> None:
    ran = subprocess.run([sys.executable, "-c", _PIECES_WITH_OWN_PAGES], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["2"]


def _resident_pages() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1])


@pytest.mark.slow
def test_what_stands_is_left_out() -> None:
    thresholds = gc.get_threshold()
    gc.unfreeze()
    try:
        Tidying().begin()
        assert gc.get_freeze_count() > len(gc.get_objects())
        assert gc.get_threshold()[2] > AFTER
    finally:
        gc.set_threshold(*thresholds)  # what is frozen stays so: the suite leaves it out too


@pytest.mark.slow
def test_a_round_that_was_in_play_at_the_start_goes_some_time_after_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, AFTER))
    thresholds = gc.get_threshold()
    kiosk = Kiosk(None, now=lambda: 0.0)
    try:
        first, tidying = _seated(kiosk, 1), Tidying()
        tidying.begin()
        second = _seated(kiosk, 2)
        assert tidying.tidy(100.0)
        assert tidying.tidy(100.0 + 0.9 * LOOK_AGAIN_S)
        assert first() is not None
        assert tidying.tidy(100.0 + LOOK_AGAIN_S)
        assert first() is None
        assert second() is kiosk.table
        assert gc.get_freeze_count() > len(gc.get_objects())  # what lives is left out anew
    finally:
        gc.set_threshold(*thresholds)


def _seated(kiosk: Kiosk, number: int) -> weakref.ref[Table]:
    """Sit down to a round in which somebody has dealt."""
    events = simulate("eppstein", number, None)
    opening = decode_opening({**next(events), "round": number})
    table = Table(MemoryLog(), now=0.0, opening=opening)
    kiosk.sit(table)
    for event in islice(events, 20):
        table.note(decode({key: value for key, value in event.items() if key != "at"}))
    return weakref.ref(table)

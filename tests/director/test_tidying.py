"""Full collections wait for a quiet moment, and what is dead goes then."""

import gc
import mmap
import weakref

import pytest

from kiosk.director import tidying
from kiosk.director.tidying import EVERY_S, GROWN_MB, Tidying


class Ring:
    """Refers to itself: only a collection finds it dead."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def as_before():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


CASES = {
    "too soon": (EVERY_S - 1, True, GROWN_MB * 2, False),
    "quiet": (EVERY_S, True, 0.0, True),
    "tables play": (EVERY_S, False, GROWN_MB - 1, False),
    "tables play, but memory has grown": (EVERY_S, False, GROWN_MB, True),
}


@pytest.mark.slow
@pytest.mark.parametrize(("after", "quiet", "grown", "all_"), CASES.values(), ids=CASES)
def test_all_is_looked_through_when_it_is_time(after, quiet, grown, all_):
    now, held = 1000.0, 100.0
    one = Tidying(lambda: held, lambda: now)
    ring = Ring()
    dead = weakref.ref(ring)
    assert not one.tidy(quiet)  # the ring lives and is left out from now on
    del ring
    now, held = now + after, held + grown
    assert one.tidy(quiet) is all_
    assert (dead() is None) is all_
    assert one.tidy(True) is (not all_ and after >= EVERY_S), "not twice"


def test_python_itself_makes_no_full_collection_any_more():
    Tidying(lambda: 0.0).begin()
    assert gc.get_threshold()[2] > 100_000


def test_the_memory_is_what_the_system_says():
    size = 50_000_000
    with mmap.mmap(-1, size) as more:  # pages of its own: what was freed on the heap is not taken again
        held = tidying.held_mb()
        for at in range(0, size, mmap.PAGESIZE):
            more[at] = 1
        assert 40 < tidying.held_mb() - held < 60

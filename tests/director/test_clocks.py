"""The director keeps each table's clock as told, and counts the time since."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kiosk.director.key import ListKey
from kiosk.director.storage.clock_store import ToldClock
from kiosk.director.storage.database import now
from kiosk.director.storage.store import Store
from kiosk.director.storage.threads import Threads
from kiosk.director.tables.clocks import Clocks

KEY = ListKey("t", 1, 7)
FIRST = {"event": "open", "at": 1795186800123}
CLOCK = {"of": 1795186800123, "running": True, "remaining": 1200.0, "extra": 0.0, "over": False, "limited": True}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(f"sqlite:///{tmp_path / 'd.sqlite'}")
    yield made
    made.close()


def told(store: Store, *statuses: tuple[float, dict[str, Any]]) -> tuple[Any, int]:
    """What is given back after these reports at these seconds, and how often something was written."""
    written = []
    keep, threads = store.keep_clocks, Threads()
    store.keep_clocks = lambda clocks: (written.append(len(clocks)), keep(clocks))[1]  # type: ignore[method-assign]

    async def tell() -> Any:
        clocks = Clocks(store, threads)
        for at, clock in statuses:
            clocks.told(KEY, {"clock": clock}, at)
            await clocks._keep()
        found = await clocks.of_list(KEY, FIRST)
        await clocks.stop()
        return found

    try:
        return asyncio.run(tell()), sum(written)
    finally:
        threads.stop()


def test_a_clock_that_only_runs_on_is_written_once(store: Store) -> None:
    found, written = told(
        store, (0.0, CLOCK), (10.0, CLOCK | {"remaining": 1190.4}), (20.0, CLOCK | {"remaining": 1180})
    )
    assert written == 1 and found["remaining"] == pytest.approx(1200, abs=5) and found["running"]


@pytest.mark.parametrize(
    "change",
    [{"remaining": 1800.0, "extra": 600.0}, {"running": False}, {"over": True}, {"given": 600.0}, {"cut": 30.0}],
    ids=["longer", "stands", "over", "given", "cut"],
)
def test_another_clock_replaces_it(store: Store, change: dict[str, Any]) -> None:
    found, written = told(store, (0.0, CLOCK), (0.0, CLOCK | change))
    assert written == 2
    assert all(found[name] == pytest.approx(value, abs=5) for name, value in change.items())


def test_the_time_since_is_counted_while_it_runs(store: Store) -> None:
    for of, running in ((1, True), (2, False)):
        store.keep_clocks([ToldClock(KEY, of, now() - 420_000, CLOCK | {"running": running})])
    assert store.clock(KEY, 1)["remaining"] == pytest.approx(780, abs=5)
    assert store.clock(KEY, 2)["remaining"] == 1200
    assert store.clock(KEY, 3) is None  # another list of this table


@pytest.mark.parametrize(
    "clock",
    [
        None, 7, [], {}, CLOCK | {"of": None}, CLOCK | {"of": True}, CLOCK | {"of": -1}, CLOCK | {"of": 10**30},
        CLOCK | {"remaining": "1200"}, CLOCK | {"remaining": float("nan")}, CLOCK | {"remaining": 10**30},
        CLOCK | {"extra": True}, CLOCK | {"given": None},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_clock_is_not_kept(store: Store, clock: Any) -> None:
    assert told(store, (0.0, clock)) == (None, 0)

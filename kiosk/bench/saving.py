"""Measure what a copy of the director's database costs: ``python -m kiosk.bench.saving [TABLES [FOLDER]]``.

Lists of 870 events each; both copies made, then minutes in which every table has seven new events (a game in three
minutes). FOLDER: on the disk that is measured, by default the one of temporary files.
"""

import json
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from kiosk.demo.play import simulate
from kiosk.director.access.schema import METADATA as ACCESS
from kiosk.director.access.schema import SAVED
from kiosk.director.saving.mirror import About, bring_up_to_date
from kiosk.director.saving.saver import COPIES
from kiosk.director.storage.database import EVENTS, METADATA, TABLES
from kiosk.director.storage.store import Store
from kiosk.rules.books import DEFAULT

_EACH, _A_MINUTE, _MINUTES = 870, 7, 4
_ALL = (*METADATA.sorted_tables, *SAVED)


def measure(tables: int, folder: Path) -> None:
    """Print processor time, time and bytes written of each copy."""
    live = folder / "live.sqlite"
    bodies = [json.dumps(event) for event in simulate(DEFAULT, 16, 3, table=1)]
    with closing(Store(f"sqlite:///{live}")) as store:
        store.make(ACCESS)
        _grow(store, tables, range(_EACH), bodies)
        print(f"{tables} lists, {tables * _EACH} events", flush=True)
        for number, what in enumerate(("first copy", "second copy", "nothing new")):
            _copy(live, folder / COPIES[number % 2], number, what)
        for minute in range(_MINUTES):
            begin = _EACH + minute * _A_MINUTE
            _grow(store, tables, range(begin, begin + _A_MINUTE), bodies)
            _copy(live, folder / COPIES[(minute + 1) % 2], 3 + minute, f"a minute, {tables * _A_MINUTE} events")


def _grow(store: Store, tables: int, numbers: range, bodies: list[str]) -> None:
    with store.engine.begin() as db:
        for table in range(1, tables + 1):
            key = {"tournament": "t", "round": 1, "table": table}
            rows = [
                {**key, "aside": 0, "number": one, "body": bodies[one % len(bodies)], "received": one}
                for one in numbers
            ]
            db.execute(EVENTS.insert(), rows)
            if numbers.start == 0:
                db.execute(TABLES.insert().values(**key, last=numbers[-1], chain="0" * 32, heard=1))
            else:
                moved = TABLES.update().where(TABLES.c.table == table)
                db.execute(moved.values(last=numbers[-1], heard=numbers[-1]))


def _copy(live: Path, copy: Path, number: int, what: str) -> None:
    cpu, begun, written = time.process_time(), time.monotonic(), _written()
    bring_up_to_date(live, copy, _ALL, {}, About(number=number, at=1, title="t", machine="m"))
    cpu, took, written = time.process_time() - cpu, time.monotonic() - begun, _written() - written
    print(f"{what}: {cpu * 1000:.0f} ms of processor time, {took * 1000:.0f} ms, {written / 1e6:.2f} MB written")


def _written() -> int:
    """Bytes that this process has had written to disks (proc(5), io)."""
    line = next(one for one in Path("/proc/self/io").read_text().splitlines() if one.startswith("write_bytes"))
    return int(line.split()[1])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as made:
        measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, Path(made))

"""Play the evening: seat and release, let the faults come, mend all, play to the end, and compare every list."""

import queue
import tempfile
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from kiosk.bench.championship.play import done_at_table, played, rows_of
from kiosk.bench.faults.checks import wrong_with
from kiosk.bench.faults.devices import TableDevice
from kiosk.bench.faults.direction import Direction
from kiosk.bench.faults.hall import PATIENCE_S, Hall
from kiosk.bench.faults.outcome import Outcome
from kiosk.bench.faults.plan import Evening, Fault
from kiosk.bench.faults.proxy import Cable, Network
from kiosk.bench.faults.table import opening
from kiosk.bench.waiting import until
from kiosk.errors import KioskError

#: Seconds between two copies of the direction's database, and between two looks at the hall.
_BACKUP_S, _LOOK_S = 15.0, 0.1


def evening(plan: Evening, keep: Path | None = None) -> Outcome:
    """Play an evening and say what came of it.

    :param keep: folder in which its logs stay.
    """
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        return _play(plan, Path(tempfile.mkdtemp(prefix=f"seed-{plan.seed}-", dir=keep)))
    with tempfile.TemporaryDirectory(prefix="stichwart-faults-") as name:
        return _play(plan, Path(name))


def _play(plan: Evening, folder: Path) -> Outcome:
    with ExitStack() as stack:
        network = stack.enter_context(Network())
        direction = Direction(folder / "direction", plan.tables)
        stack.callback(direction.close)
        options: dict[str, Any] = {} if plan.games == 16 else {"games": plan.games}
        devices = {}
        for table, secret in direction.secrets.items():
            cable = Cable(network, lambda: direction.port)
            devices[table] = TableDevice(folder / f"table-{table}", table, cable, secret, options)
            stack.callback(devices[table].close)
        hall = Hall(plan, direction, devices)
        _begin(hall)
        _let_fail(hall)
        _play_out(hall)
        _compare(hall, options)
        hall.outcome.seconds = time.monotonic() - hall.begun
        return hall.outcome


def _begin(hall: Hall) -> None:
    """Switch all on, let people sit down, release the round."""
    hall.log(f"seed {hall.plan.seed}: {hall.plan.tables} tables, {hall.plan.faults} faults")
    hall.direction.switch_on()
    hall.direction.keep_backup()
    for device in hall.devices.values():
        device.switch_on("first")
    until(lambda: all(hall.whole(table, 0.0) for table in hall.devices), 300, "all tables are seated")
    hall.direction.release()
    until(lambda: all(one.shown is not None and one.shown.events > 1 for one in hall.devices.values()), 120, "released")
    length = len(done_at_table(played(opening(1, {} if hall.plan.games == 16 else {"games": hall.plan.games}))))
    for device in hall.devices.values():
        device.keep_pace(max(0.05, 1.1 * hall.plan.seconds / length))
    hall.log("all tables play")


def _let_fail(hall: Hall) -> None:
    """Let the faults come: those of a lane one after another, the others at once."""
    lanes: dict[tuple[int, str], queue.SimpleQueue[Fault | None]] = {}
    faults, start = hall.plan.planned(), time.monotonic()
    over, done = threading.Event(), queue.SimpleQueue[Fault]()

    def work(lane: queue.SimpleQueue[Fault | None]) -> None:
        while (fault := lane.get()) is not None:
            try:
                hall.fail(fault)
            except Exception as error:  # noqa: BLE001 - it is a fault of the evening, and the others are still to come
                hall.outcome.wrong.append(f"{fault}: {type(error).__name__}: {error}")
            done.put(fault)

    def look() -> None:
        kept = time.monotonic()
        while not over.wait(_LOOK_S):
            hall.look_after()
            hall.decide()
            if time.monotonic() - kept >= min(_BACKUP_S, hall.plan.seconds / 4):
                kept = time.monotonic()
                with hall.direction.settled:
                    hall.direction.keep_backup()

    names = {fault.lane for fault in faults}
    with ThreadPoolExecutor(len(names) + 1) as pool:
        looking = pool.submit(look)
        for name in names:
            lanes[name] = queue.SimpleQueue()
            pool.submit(work, lanes[name])
        try:
            for fault in faults:
                time.sleep(max(0.0, start + fault.at - time.monotonic()))
                lanes[fault.lane].put(fault)
            _wait_for_all(done, len(faults))
        finally:
            for lane in lanes.values():
                lane.put(None)
            over.set()
        looking.result()


def _wait_for_all(done: queue.SimpleQueue[Fault], number: int) -> None:
    """Wait until so many faults are over, one after the other: a starved machine takes longer for all, not for one.

    :raises KioskError: for minutes none has come to its end.
    """
    for n in range(1, number + 1):
        until(partial(lambda n: done.qsize() >= n, n), 300, f"fault {n} of {number} is over")


def _play_out(hall: Hall) -> None:
    """Let people play to the end as fast as they can; then the direction has everything."""
    hall.log("nothing fails any more")
    for device in hall.devices.values():
        device.keep_pace(0.0)
    end = time.monotonic() + 300
    while not all(one.closed for one in hall.devices.values()) and time.monotonic() < end:
        hall.look_after()
        hall.decide()
        time.sleep(_LOOK_S)
    for table, device in hall.devices.items():
        if not device.closed:
            hall.outcome.wrong.append(
                f"table {table}: its round is not at its end: {device.shown}, {device.stuck[-1:]}"
            )
    now = time.monotonic()
    try:
        until(lambda: all(hall.whole(table, now) for table in hall.devices), PATIENCE_S)
    except KioskError:
        away = [f"{n}: {one.shown}" for n, one in hall.devices.items() if not hall.whole(n, now)]
        hall.outcome.wrong.append(f"the direction does not have all at the end: {away}; {hall.direction.stored()}")
    hall.log("all lists are handed in")


def _compare(hall: Hall, options: Mapping[str, Any]) -> None:
    """Compare each list with what was played, with what the table had shown, and with the direction's."""
    outcome = hall.outcome
    told = {table: hall.direction.events(table) for table in hall.devices}
    for table, device in hall.devices.items():
        device.kill()
        events, wanted = device.events(), done_at_table(played(opening(table, options)))
        outcome.events += len(events)
        outcome.rows += len(rows_of(events)) if events else 0
        outcome.wrong += device.faults
        outcome.wrong += [f"table {table}: {one}" for one in wrong_with(events, told[table], wanted, device.expected)]

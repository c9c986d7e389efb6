"""Let a hall of tables fail, one fault after another and several at once, and see when it is whole again."""

import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from kiosk.bench.faults.devices import TableDevice
from kiosk.bench.faults.direction import Direction
from kiosk.bench.faults.disk import take_nothing
from kiosk.bench.faults.jumping import let_jump
from kiosk.bench.faults.outcome import Healed, Outcome
from kiosk.bench.faults.plan import Evening, Fault, Kind
from kiosk.bench.waiting import until
from kiosk.errors import KioskError

#: Seconds within which a table is whole again after a fault has ended, or something is wrong.
PATIENCE_S = 120.0
#: Seconds after which a release that a table has not taken is given again.
_AGAIN_S = 5.0


class Hall:
    """The direction and its tables, while they play."""

    def __init__(self, plan: Evening, direction: Direction, devices: Mapping[int, TableDevice]) -> None:
        self.plan, self.direction, self.devices = plan, direction, devices
        self.outcome = Outcome()
        self._took_nothing: dict[int, float] = {}  # until when it was so at a table, monotonic
        self._released: dict[int, float] = {}  # when a table that had begun anew was released, monotonic
        self.begun = time.monotonic()
        self._carry_out: dict[Kind, Callable[[Fault], None]] = {
            Kind.KILL: self._kill,
            Kind.STOP: self._stop,
            Kind.SPARE: self._spare,
            Kind.CUT: self._cut,
            Kind.STALL: self._stall,
            Kind.FULL: self._full,
            Kind.BROKEN: self._broken,
            Kind.CLOCK: self._jump,
            Kind.DIRECTOR_KILL: self._kill_direction,
            Kind.DIRECTOR_STOP: self._stop_direction,
            Kind.DIRECTOR_FULL: self._fill_direction,
            Kind.DIRECTOR_BROKEN: self._break_direction,
            Kind.DIRECTOR_CLOCK: self._jump_direction,
            Kind.BACKUP: self._put_back,
            Kind.HALL_CUT: self._cut_hall,
        }

    def log(self, text: str) -> None:
        """Tell on standard error how far it is."""
        print(f"{time.monotonic() - self.begun:6.1f} s  {text}", file=sys.stderr, flush=True)

    def fail(self, fault: Fault) -> None:
        """Let it fail, end that, and wait until all is whole again."""
        self.log(str(fault))
        self._carry_out[fault.kind](fault)
        ended = time.monotonic()
        tables = [fault.table] if fault.table else list(self.devices)
        try:
            until(lambda: all(self.whole(table, ended) for table in tables), PATIENCE_S)
        except KioskError:
            away = [table for table in tables if not self.whole(table, ended)]
            told = [f"{table}: {self.devices[table].shown}" for table in away]
            self.outcome.wrong.append(f"{fault}: not whole again after {PATIENCE_S:.0f} s: {told}")
            self.outcome.healed.append(Healed(fault, None))
        else:
            self.outcome.healed.append(Healed(fault, time.monotonic() - ended))

    def whole(self, table: int, since: float) -> bool:
        """Whether a table has shown since then that all is on its disk, and the direction has it."""
        shown = self.devices[table].shown
        if shown is None or shown.at < since or shown.saved < shown.events:
            return False
        if not shown.connected or shown.waiting or shown.trouble:
            return False
        return (self.direction.stored() or {}).get(table, 0) >= shown.events

    def decide(self) -> None:
        """Be the direction that looks at its page: where two lists differ, that of the device counts.

        A table that has begun anew, because nobody had its list any more, is released anew.
        """
        for table, device in self.devices.items():
            anew = device.shown is not None and device.shown.events == 1 and device.shown.connected
            if anew and time.monotonic() - self._released.get(table, 0.0) > _AGAIN_S:
                self._released[table] = time.monotonic()
                self.direction.release(table)
            if device.shown is not None and device.shown.trouble == "contradiction":
                differs = self.direction.decide_for_device(table)
                if differs is not None:
                    self.outcome.decided += 1
                    self.outcome.notes.append(
                        f"table {table}: two lists differ from event {differs}, the device's counts"
                    )
                    self.log(self.outcome.notes[-1])

    def look_after(self) -> None:
        """Start each table again that has ended by itself, as its unit would.

        None may, but one that starts while it may write no file at all, in memory neither (``take_nothing``).
        """
        for table, device in self.devices.items():
            status = device.ended_by_itself()
            if status is not None:
                told = f"table {table} ended by itself with status {status}"
                no_file = time.monotonic() - self._took_nothing.get(table, 0.0) < _AGAIN_S
                (self.outcome.notes if no_file else self.outcome.wrong).append(told)
                self.log(told)

    # --- a table

    def _kill(self, fault: Fault) -> None:
        device = self.devices[fault.table]
        device.kill()
        time.sleep(fault.seconds)
        device.switch_on("again")

    def _stop(self, fault: Fault) -> None:
        device = self.devices[fault.table]
        device.send(signal.SIGSTOP)
        time.sleep(fault.seconds)
        device.send(signal.SIGCONT)

    def _spare(self, fault: Fault) -> None:
        device = self.devices[fault.table]
        with self.direction.settled:  # a device and the direction's disk at once: nobody has what only they had
            device.kill()
            held = self._held(fault.table)
            if held < device.saved:
                self.outcome.lost += device.saved - held
                self.outcome.notes.append(f"{fault}: {device.saved - held} events were on its disk alone")
            device.forget_after(held)
            time.sleep(fault.seconds)
            device.shown = None
            device.switch_on("spare" if held else "first")
            until(lambda: device.shown is not None, PATIENCE_S, f"{fault}: the spare shows no list")
        if device.shown is not None and device.shown.events < held:
            self.outcome.wrong.append(
                f"{fault}: the spare shows {device.shown.events} events, the direction held {held}"
            )

    def _held(self, table: int) -> int:
        """How many events of a table the direction has on its disk."""
        found: list[dict[int, int]] = []

        def read() -> bool:
            stored = self.direction.stored()
            found.extend([] if stored is None else [stored])
            return bool(found)

        until(read, PATIENCE_S, "the direction's database can be read")
        return found[0].get(table, 0)

    def _cut(self, fault: Fault) -> None:
        cable = self.devices[fault.table].cable
        cable.cut()
        time.sleep(fault.seconds)
        cable.mend()

    def _stall(self, fault: Fault) -> None:
        cable = self.devices[fault.table].cable
        cable.stall()
        time.sleep(fault.seconds)
        cable.mend()

    def _full(self, fault: Fault) -> None:
        disk = self.devices[fault.table].disks[-1]
        disk.fill()
        time.sleep(fault.seconds)
        disk.clear()

    def _broken(self, fault: Fault) -> None:
        end = time.monotonic() + fault.seconds
        self._took_nothing[fault.table] = end
        with _taking_nothing(self.devices[fault.table].pid):
            time.sleep(fault.seconds)

    def _jump(self, fault: Fault) -> None:
        let_jump(self.devices[fault.table].clock, fault.jump)

    # --- the direction

    def _kill_direction(self, fault: Fault) -> None:
        self.direction.kill()
        time.sleep(fault.seconds)
        self.direction.switch_on()

    def _stop_direction(self, fault: Fault) -> None:
        self.direction.send(signal.SIGSTOP)
        time.sleep(fault.seconds)
        self.direction.send(signal.SIGCONT)

    def _fill_direction(self, fault: Fault) -> None:
        self.direction.disk.fill()
        time.sleep(fault.seconds)
        self.direction.disk.clear()

    def _break_direction(self, fault: Fault) -> None:
        with _taking_nothing(self.direction.pid):
            time.sleep(fault.seconds)

    def _jump_direction(self, fault: Fault) -> None:
        let_jump(self.direction.clock, fault.jump)

    def _put_back(self, fault: Fault) -> None:
        with self.direction.settled:
            self.direction.stop()
            self.direction.put_back(fault.pick)
            time.sleep(fault.seconds)
            self.direction.switch_on()

    def _cut_hall(self, fault: Fault) -> None:
        for device in self.devices.values():
            device.cable.cut()
        time.sleep(fault.seconds)
        for device in self.devices.values():
            device.cable.mend()


@contextmanager
def _taking_nothing(pid: int) -> Iterator[None]:
    mend = None
    if pid:
        try:
            mend = take_nothing(pid)
        except ProcessLookupError:  # it has just been killed
            mend = None
    try:
        yield
    finally:
        if mend is not None:
            mend()

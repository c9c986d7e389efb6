"""What happens to a virtual machine: a process that stops, a power cut at any flush of its card."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kiosk.bench.vm.machine import Machine
from tests.vm.booted import START, UP

#: Tells systemd something in the name of another process, which root may.
NOTIFY = (
    "import socket, struct, sys; line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM);"
    'whose = (socket.SOL_SOCKET, socket.SCM_CREDENTIALS, struct.pack("3i", int(sys.argv[1]), 0, 0));'
    'line.sendmsg([sys.argv[2].encode()], [whose], 0, "/run/systemd/notify")'
)


def ended_by_the_watchdog(machine: Machine, service: str) -> None:
    """Stop a service's process, and wait until systemd has ended it, as its unit says, after 10 seconds."""
    shell = machine.shell
    shell.run(f"until [ $(systemctl show -P SubState {service}) = running ]; do sleep 1; done", timeout=START)
    begun = shell.run(f"systemctl show -P MainPID {service}").strip()
    # The patience that this machine has without acceleration, back to what the unit says.
    shell.run(f"python3 -c '{NOTIFY}' {begun} WATCHDOG_USEC=10000000 && kill -STOP {begun}")
    shell.run(f"while kill -0 {begun} 2>/dev/null; do sleep 0.2; done")
    assert "Watchdog timeout (limit 10s)!" in shell.run(f"journalctl -u {service} --no-pager")


def go_back_logged(machine: Machine) -> tuple[int, Path, Path]:
    """Have it go on from its first page with a log of what is written onto its card.

    :return: where its data partition begins, bytes; a copy of that as it was; the log.
    """
    machine.cut_power()
    machine.put_back(UP)
    start, data = machine.data_partition()
    log = machine.folder / "log"
    machine.on()
    machine.go_back(UP, log)
    return start, data, log


@contextmanager
def mounted(data: Path) -> Iterator[Path]:
    """Mount a copy of a data partition as a start would, its journal played back."""
    copy, place = data.with_name("cut.img"), data.with_name("mounted")
    subprocess.run(["cp", "--sparse=always", data, copy], check=True)
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "loop", copy, place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)

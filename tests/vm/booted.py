"""A card image that has been started, and what is on its screen.

``./stichwart image --for amd64 --out build/stichwart-amd64.img`` makes the image that is looked for;
``STICHWART_IMAGE`` names another, also of the other architecture.
"""

import base64
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from kiosk.bench.vm.machine import KINDS, ONE_PROCESSOR, TO_KERNEL, Machine, Picture, kind_of, missing
from tests.release import tiny

IMAGE = Path(os.environ.get("STICHWART_IMAGE", Path(__file__).parents[2] / "build" / "stichwart-amd64.img"))
#: Its architecture and its processor, as Python's packages name it.
ARCHITECTURE = kind_of(IMAGE) if IMAGE.exists() else "amd64"
PROCESSOR = KINDS[ARCHITECTURE].processor
#: Where machines are kept that are up.
KEPT = Path(__file__).parents[2] / "build" / "machines"
WHY_NOT = missing(ARCHITECTURE) if IMAGE.exists() else f"there is no image {IMAGE}; ./stichwart image makes it"

#: For a start without acceleration on a machine that does other things as well, seconds.
START = 1500
#: What a machine is kept as that has come up to the first page of its first start.
UP = "up"


def drawn(picture: Picture) -> bool:
    """Report whether the table's screen is there: many shades, and felt where a console or the firmware is black."""
    if float(np.mean(picture.max(axis=2) == 0)) >= 0.5:
        return False
    shades = picture.astype(np.uint32) @ np.array((1, 1 << 8, 1 << 16), np.uint32)
    return len(np.unique(shades)) > 60


def changed(one: Picture, other: Picture) -> float:
    """Return the share of pixels that differ."""
    return float(np.mean(np.any(one != other, axis=2)))


def golden(picture: Picture) -> float:
    """Return the share of golden pixels."""
    blue, green, red = (picture[..., channel].astype(int) for channel in range(3))
    return float(np.mean((red > 200) & (green > 140) & (blue < 120)))


def warned(picture: Picture) -> bool:
    """Report whether the first start's heading is golden: it says that the storage is broken."""
    return golden(picture[:36]) > 0.005


def checked(picture: Picture) -> bool:
    """Report whether the first start's check of touches has ended: its circle is gone and the arrow is there."""
    return drawn(picture) and golden(picture[:120, :200]) == 0 and golden(picture[200:330, 340:460]) > 0.02


def started() -> Path:
    """Return the folder of a machine that is up to its first page, with a touch panel, kept so; it is to be copied.

    An image is started once, by whoever of several processes asks first, and again when it, QEMU or what the kernel is
    told is another one.
    Beside the machine lie the keys of the maker whose releases it takes, ``maker.key`` and ``maker.pub``.
    """
    qemu = subprocess.check_output([KINDS[ARCHITECTURE].program, "--version"])
    about = IMAGE.stat()
    told = f"{IMAGE.absolute()} {about.st_size} {about.st_mtime_ns} {TO_KERNEL} {ONE_PROCESSOR}"
    name = hashlib.sha256(qemu + told.encode()).hexdigest()[:16]
    KEPT.mkdir(parents=True, exist_ok=True)
    with open(KEPT / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (KEPT / name).exists():
            for old in KEPT.glob("*/"):
                shutil.rmtree(old)
            _start(KEPT / f"{name}.new").rename(KEPT / name)
    return KEPT / name


def _start(folder: Path) -> Path:
    folder.mkdir()
    _, public = tiny.maker(folder)
    with Machine(IMAGE, folder) as machine:
        machine.lay({"stichwart/maker.pub": public.read_bytes()})
        machine.on()
        machine.plug_in_panel()
        machine.wait_for_screen(checked, START)
        machine.keep(UP)
    return folder


def in_order(machine: Machine) -> None:
    """Check what must hold whenever its screen is there; on a slow machine systemd hears of that a while later."""
    shell = machine.shell
    assert shell.run("findmnt -no FSTYPE /").strip() == "overlay"
    shell.run("while [ $(systemctl is-active stichwart-table) = activating ]; do sleep 1; done", timeout=START)
    assert shell.run("systemctl is-active stichwart-table").strip() == "active"
    assert shell.run("systemctl --failed --no-legend").strip() == ""


def configure(machine: Machine, text: str) -> None:
    """Make the machine a table with this file, from its next start on."""
    given, file = base64.b64encode(text.encode()).decode(), "/etc/stichwart/table.toml"
    machine.shell.run(f"echo {given} | base64 -d >{file} && chgrp stichwart {file} && chmod 640 {file}")


def listed(machine: Machine) -> list[str]:
    """Read the table's list where it keeps it; it is stopped for that."""
    return _with_log(machine, "for _, body in log.read(): print(json.dumps(body))").splitlines()


def lay_list(machine: Machine, events: Sequence[Mapping[str, object]]) -> None:
    """Have the table have noted these events in its first round; it is stopped for that."""
    given = base64.b64encode(json.dumps(list(events)).encode()).decode()
    machine.shell.run(f"echo {given} | base64 -d >/run/list.json")
    _with_log(machine, 'log.add(json.loads(Path("/run/list.json").read_text()))')
    machine.shell.run("chown stichwart: /var/lib/stichwart/table.sqlite*")


def _with_log(machine: Machine, line: str) -> str:
    machine.shell.run("systemctl stop stichwart-table", timeout=START)
    program = "import json; from pathlib import Path; from kiosk.table.events.log_file import LogFile\n"
    program += (
        f'with LogFile(Path("/var/lib/stichwart/table.sqlite")) as file:\n    log = file.log("cup", 7, 1)\n    {line}'
    )
    run = f"cd /opt/stichwart/current && PYTHONPATH=. .venv/bin/python -c '{program}'"
    return machine.shell.run(run, timeout=START)

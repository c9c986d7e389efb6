"""Run suites of this checkout inside a virtual machine, by the Python of the release that runs there, on its kernel."""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kiosk.bench.vm.errors import MachineError
from kiosk.bench.vm.machine import Machine
from kiosk.release.make import for_platform

HERE = Path(__file__).parents[3]
#: What the suites need besides what a release has.
_TOOLS = ("pytest", "pluggy", "iniconfig", "packaging", "pygments", "hypothesis", "sortedcontainers", "attrs")
_PLACE = "/run/suites"
_REPORT = "/run/suites.xml"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a test.

    :param name: module and test. :param state: ``passed``, ``failed`` or ``skipped``. :param why: pytest's words.
    """

    name: str
    state: str
    why: str


def make_disk(out: Path, processor: str, python: str = "3.13") -> Path:
    """Write a disk with this checkout and the tools of its suites, as squashfs.

    :param out: a folder. :param processor: the machine's, as ``Kind`` has it, and ``python`` its Python.
    :raises MachineError: pip cannot fetch the tools.
    """
    tree, wanted, disk = out / "checkout", out / "tools.txt", out / "suites.img"
    files = subprocess.check_output(["git", "-C", HERE, "ls-files", "-z"], text=True).split("\0")
    for name in files:
        if name and (HERE / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(HERE / name, tree / name)
    lock = for_platform((HERE / "requirements-dev.lock").read_text(encoding="utf-8"), processor, python)
    blocks = re.split(r"\n(?=\S)", lock)
    kept = [block for block in blocks if block.partition("==")[0] in _TOOLS]
    wanted.write_text("\n".join(kept) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += [
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--python-version",
        python,
        "--target",
        str(tree / ".site"),
    ]
    command += [word for one in ("_2_17", "_2_28", "2014") for word in ("--platform", f"manylinux{one}_{processor}")]
    done = subprocess.run([*command, "-r", str(wanted)], capture_output=True, text=True)
    if done.returncode:
        raise MachineError(f"pip cannot fetch the suites' tools: {done.stderr.strip()[-300:]}")
    words = ["-noappend", "-quiet", "-no-progress", "-comp", "zstd", "-Xcompression-level", "3"]
    subprocess.run(["mksquashfs", tree, disk, *words], check=True)
    shutil.rmtree(tree)
    return disk


def run(
    machine: Machine, disk: Path, suites: Sequence[str], chosen: str, prepare: str, timeout: float
) -> list[Outcome]:
    """Run suites in a machine that is on, as root; the disk is a stick meanwhile.

    :param chosen: which of their tests, as pytest's ``-k`` has it: what starts many programs takes long there.
    :param prepare: a command of the shell before them. :param timeout: seconds.
    :raises MachineError: pytest said nothing, or did not end.
    """
    shell = machine.shell
    machine.plug_in_stick(disk)
    found = "$(lsblk -nro PATH,FSTYPE | sed -n 's/ squashfs$//p' | grep /dev/sd)"
    shell.run(f'until [ -n "{found}" ]; do sleep 0.5; done; mkdir -p {_PLACE}; mount {found} {_PLACE}')
    shell.run(prepare)
    python = "/opt/stichwart/current/.venv/bin/python"
    # No byte code: the disk takes none; no warnings as errors: the machine's Python may know newer ones.
    pytest = f"cd {_PLACE} && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={_PLACE}:{_PLACE}/.site {python} -m pytest -q"
    pytest += f" -p no:cacheprovider -o filterwarnings=default --junitxml={_REPORT} -k '{chosen}' {' '.join(suites)}"
    said = shell.run(pytest, timeout=timeout, check=False)
    report = shell.run(f"cat {_REPORT}", check=False)
    shell.run(f"cd / && umount {_PLACE}", check=False)
    machine.pull_out_stick()
    if "<testsuite" not in report:
        raise MachineError(f"pytest wrote no report: {said[-1500:]}")
    return _read(report[report.index("<") :])


def _read(report: str) -> list[Outcome]:
    found = []
    for case in ElementTree.fromstring(report).iter("testcase"):
        told = next((part for part in case if part.tag in ("failure", "error", "skipped")), None)
        state = "passed" if told is None else "skipped" if told.tag == "skipped" else "failed"
        why = "" if told is None else f"{told.get('message', '')} {(told.text or '')[-1500:]}"
        found.append(Outcome(f"{case.get('classname')}.{case.get('name')}", state, why.strip()))
    return found

"""Build what gives a virtual machine a Raspberry Pi's pins: the kernel's simulated chip (gpio-sim), and lgpio for it.

Debian's kernels leave gpio-sim out, and for a PC's Python 3.13 neither Debian nor the package index has lgpio. Both are
built here, on the developer's machine and for tests alone, out of Debian's own source of the very kernel that an image
has and of lgpio's own project; a Debian root of its own has compiler and headers, and is gone afterwards.
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from kiosk.bench.vm.errors import MachineError
from kiosk.image.mirror import Mirror
from kiosk.image.root import SUITE
from kiosk.image.tools import run

_LGPIO = "lgpio==0.2.2.0 --hash=sha256:11372e653b200f76a0b3ef8a23a0735c85ec678a9f8550b9893151ed0f863fff\n"
#: What the root has besides the headers and what they want.
_PACKAGES = ("gcc", "make", "xz-utils", "swig", "python3-dev", "python3-setuptools")
_MODULE = "gpio-sim-for-tests"
#: Interrupts that are simulated are left out as well, so they go into the same module. They look a line up by what the
#: kernel keeps to itself (irq_to_desc); by the line's number, as any module may, the same handler is called.
_BUILD = f"""\
set -eu
mkdir /build /build/kit
cd /build
tar -xf /usr/src/linux-source-*.tar.xz --strip-components=3 --wildcards \
    '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' '*/kernel/irq/irq_sim.c'
sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' irq_sim.c
printf '%s\\n' 'obj-m := {_MODULE}.o' '{_MODULE}-y := gpio-sim.o irq_sim.o' >Makefile
make -C /lib/modules/*/build M=/build modules
mkdir lgpio
tar -xf /lgpio.tar.gz --strip-components=1 -C lgpio
(cd lgpio && PYPI=1 python3 setup.py -q build --build-lib ../kit)
cp {_MODULE}.ko kit
tar -cf kit.tar -C kit .
"""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of Debian's.

    :param name: as ``uname -r`` says it. :param version: of its packages.
    """

    name: str
    version: str


def kernel_of(image: Path) -> Kernel:
    """Return which kernel an image has, by the list of packages beside it.

    :raises MachineError: there is no such list, or no kernel in it.
    """
    listed = image.with_name(f"{image.name}.packages")
    try:
        found = re.search(r"^linux-image-(\d\S+) (\S+)", listed.read_text(encoding="utf-8"), re.MULTILINE)
    except OSError as error:
        raise MachineError(f"{listed}: {error.strerror}; ./stichwart image writes it beside the image") from error
    if found is None:
        raise MachineError(f"{listed} names no kernel")
    return Kernel(*found.groups())


def make_kit(kernel: Kernel, mirror: Mirror, cache: Path) -> Path:
    """Return an archive with the module and lgpio, built once for each kernel.

    :param cache: a folder that keeps it.
    :raises ImageError: Debian has this kernel's headers no longer, or they could not be built.
    :raises MachineError: pip cannot fetch lgpio.
    """
    kit = cache / f"pins-{kernel.name}.tar"
    if kit.exists():
        return kit
    cache.mkdir(parents=True, exist_ok=True)
    packages = (f"linux-headers-{kernel.name}={kernel.version}", f"{_source_of(kernel)}={kernel.version}", *_PACKAGES)
    with tempfile.TemporaryDirectory(prefix=".pins-", dir=cache) as folder:
        work = Path(folder)
        lgpio = _fetch_lgpio(work)
        (work / "build.sh").write_text(_BUILD, encoding="utf-8")
        hooks = (
            f"upload {lgpio} /lgpio.tar.gz",
            f"upload {work / 'build.sh'} /build.sh",
            'chroot "$1" sh /build.sh >&2',
            f"download /build/kit.tar {work / 'kit.tar'}",
        )
        run(
            *("mmdebstrap", "--architectures=amd64", "--variant=apt", "--format=null"),
            *("--include=" + ",".join(packages), '--aptopt=Apt::Install-Recommends "false"'),
            *("--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/doc/*"),
            "--dpkgopt=force-unsafe-io",
            *(f"--customize-hook={hook}" for hook in hooks),
            *(SUITE, "/dev/null", *mirror.sources(SUITE)),
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        (work / "kit.tar").rename(kit)
    return kit


def _source_of(kernel: Kernel) -> str:
    """The package with a kernel's source: ``linux-source-6.12``."""
    return "linux-source-" + ".".join(kernel.version.split(".")[:2])


def _fetch_lgpio(work: Path) -> Path:
    (work / "lgpio.txt").write_text(_LGPIO, encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-binary", ":all:", "--require-hashes", "-d", str(work), "-r", str(work / "lgpio.txt")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise MachineError(f"pip cannot fetch lgpio: {done.stderr.strip()[-300:]}")
    (found,) = work.glob("lgpio-*.tar.gz")
    return found

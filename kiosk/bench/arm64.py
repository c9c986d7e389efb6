"""Compare what is read on an emulated arm64 processor with what is read here: ``python -m kiosk.bench.arm64``.

A folder (``--root``, kept for the next time) gets Debian's Python for arm64 and packages of the lock, unpacked and not
installed, so that nothing of it needs root's rights or runs but Python itself, by ``qemu-aarch64-static``: some thirty
times as slow as here.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from kiosk.bench.figure import SHARED
from kiosk.bench.photographs import photo_sets
from kiosk.bench.same_labels import compare, save_cases
from kiosk.image.mirror import Mirror, usual_mirror
from kiosk.image.root import HERE, PYTHON, SUITE, wheels_of
from kiosk.image.tools import run

EMULATOR = "qemu-aarch64-static"
#: That of a Raspberry Pi 4. QEMU's usual one has SVE, for which OpenBLAS has kernels of its own: with QEMU 7.2 products
#: of matrices are wrong there (50 × 64 by 64 × 50: a sum of 3608 for 2993), and cards have no name.
PROCESSOR = "cortex-a72"
#: What of Debian the wheels of NumPy and OpenCV load.
PACKAGES = "python3,libgl1,libglib2.0-0t64"
#: Of the lock, what recognition imports.
WHEELS = ("numpy", "opencv_python", "pillow", "platformdirs", "orjson", "filetype")


def make_python(root: Path, cache: Path, mirror: Mirror) -> None:
    """Unpack a Python for arm64 with the locked wheels into ``root``, which does not exist.

    :param cache: as of ``./stichwart image --cache``.
    :raises ImageError: Debian's packages cannot be fetched. :raises NoBundle: a wheel cannot.
    """
    with tempfile.TemporaryDirectory(prefix=".new-", dir=root.parent) as folder:
        new = Path(folder) / "root"
        run(
            *("mmdebstrap", "--quiet", "--architectures=arm64", "--variant=extract", f"--include={PACKAGES}"),
            *('--aptopt=Apt::Install-Recommends "false"', "--dpkgopt=path-exclude=/usr/share/*"),
            *(SUITE, new, f"deb {mirror.url} {SUITE} main"),
        )
        # What the packages' scripts would have done.
        (new / "lib").symlink_to("usr/lib")
        for wheel in wheels_of("arm64", cache):
            if wheel.name.split("-")[0] in WHEELS:
                zipfile.ZipFile(wheel).extractall(new / "site")
        new.rename(root)


def read_here(folder: Path) -> list[str]:
    """Read the cases with this Python."""
    return _lines([sys.executable, "-m", "kiosk.bench.same_labels", str(folder)], {})


def read_emulated(folder: Path, root: Path) -> list[str]:
    """Read the cases with the Python of ``root``."""
    python = root / "usr" / "bin" / f"python{PYTHON}"
    return _lines(
        [EMULATOR, "-L", str(root), str(python), "-m", "kiosk.bench.same_labels", str(folder)],
        {"PYTHONHOME": "/usr", "PYTHONPATH": f"{HERE}:{root / 'site'}", "QEMU_CPU": PROCESSOR},
    )


def _lines(command: list[str], further: dict[str, str]) -> list[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "OPENBLAS_NUM_THREADS": "1"}
    lines, begun = [], time.monotonic()
    with subprocess.Popen(command, cwd=HERE, env=environment | further, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            print(f"{time.monotonic() - begun:6.0f} s: {line[:70]}…", file=sys.stderr)
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with status {process.returncode}")
    return lines


def main() -> int:
    """Print the figures; 1 if a label differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("build/arm64"), help="of the emulated Python; kept")
    parser.add_argument("--cache", type=Path, default=Path("build/cache"), help="as of ./stichwart image")
    parser.add_argument("--mirror", metavar="URL", help="of Debian (default: as this machine's apt has it)")
    parser.add_argument("--scenes", type=int, default=2, help="of each deck and each way of lying")
    parser.add_argument("--tricks", type=int, default=1, help="of the film")
    parser.add_argument("--photographs", type=int, default=2, help="of each set that is here")
    words = parser.parse_args()
    if shutil.which(EMULATOR) is None:
        raise SystemExit(f"{EMULATOR} is missing: apt install qemu-user-static mmdebstrap")
    root = words.root.absolute()
    if not root.exists():
        root.parent.mkdir(parents=True, exist_ok=True)
        make_python(root, words.cache.absolute(), Mirror(words.mirror) if words.mirror else usual_mirror())
    taken = [file for one in photo_sets(SHARED / "data" / "photos") for file in _pictures(one)[: words.photographs]]
    with tempfile.TemporaryDirectory() as place:
        save_cases(Path(place), words.scenes, words.tricks, taken)
        found = compare(read_here(Path(place)), read_emulated(Path(place), root))
    print(f"cases with the same readings to the last bit: {found.same_cases} of {found.cases}")
    print(f"readings and reports with the same label: {found.same_labels} of {found.readings}")
    print(f"of these the same to the last bit: {found.same_bits}; greatest difference of a margin {found.margin:.2g},")
    print(f"of a place {found.place:.2g} (px, of the film mm)")
    for note in found.notes:
        print(f"another label (here / arm64): {note}")
    return bool(found.notes)


def _pictures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png"))


if __name__ == "__main__":
    sys.exit(main())

"""Make wheels thin: without what nobody runs at a table (tests, headers, types, debugging symbols), their lists true.

A release is made on one machine and installed on many; what is left out here is neither sent nor stored there. The
symbols are taken out by ``eu-strip`` (elfutils), which moves nothing that is loaded and works for other processors too;
GNU strip breaks libraries that auditwheel has packed.
"""

import base64
import csv
import hashlib
import io
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from kiosk.errors import KioskError

#: Folders of a package that only its makers use.
_FOLDERS = {"tests", "include"}

#: Headers, sources of compiled modules, types: nothing of it is read while a program runs.
_ENDINGS = {".pyi", ".pxd", ".pxi", ".pyx", ".h", ".hpp", ".c", ".a"}

#: Of single packages: what nothing of ours imports. Pillow goes on without AVIF where its module is missing.
_PARTS = (
    *("kivy/tools/", "sqlalchemy/testing/", "numpy/f2py/", "PIL/_avif.", "pillow.libs/libavif-"),
    *(f"sqlalchemy/dialects/{name}/" for name in ("mssql", "mysql", "oracle")),
)

_STRIP = "eu-strip"


class NoStrip(KioskError, RuntimeError):
    """The program that takes symbols out is not there, or failed."""


def thin(wheel: Path, into: Path) -> Path:
    """Write a wheel without what nobody runs into a folder, under the same name.

    :raises NoStrip: eu-strip is not there, or cannot read a library of the wheel.
    """
    made = into / wheel.name
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(wheel) as whole:
        folder = Path(place)
        kept = [entry for entry in whole.infolist() if not entry.is_dir() and not _unneeded(entry.filename)]
        for entry in kept:
            whole.extract(entry, folder)
        _strip([folder / entry.filename for entry in kept if ".so" in PurePosixPath(entry.filename).suffixes])
        record = next(name for name in whole.namelist() if name.endswith(".dist-info/RECORD"))
        (folder / record).write_text(_record(folder, [entry.filename for entry in kept], record), encoding="utf-8")
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as thinner:
            for entry in kept:
                told = zipfile.ZipInfo(entry.filename, entry.date_time)
                told.external_attr, told.compress_type = entry.external_attr, zipfile.ZIP_DEFLATED
                thinner.writestr(told, (folder / entry.filename).read_bytes())
    return made


def _unneeded(name: str) -> bool:
    path = PurePosixPath(name)
    if path.parts[0].endswith(".dist-info"):
        return False
    folders = set(path.parts[:-1])
    return bool(folders & _FOLDERS) or path.suffix in _ENDINGS or name.startswith(_PARTS)


def _strip(libraries: list[Path]) -> None:
    if not libraries:
        return
    if shutil.which(_STRIP) is None:
        raise NoStrip(f"{_STRIP} is missing; apt install elfutils")
    done = subprocess.run([_STRIP, *libraries], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoStrip(f"{_STRIP} failed: {done.stderr.strip()[-300:]}")


def _record(folder: Path, names: list[str], record: str) -> str:
    """The list of a wheel's files with hash and size (PyPA, binary distribution format)."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    for name in names:
        if name == record:
            lines.writerow((name, "", ""))
            continue
        data = (folder / name).read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.writerow((name, f"sha256={digest}", len(data)))
    return text.getvalue()

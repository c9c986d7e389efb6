"""A program as small as one can be that is installed as a release, and a key to sign it with."""

import platform
import sys
from pathlib import Path

from kiosk.release.bundle import Release, listed, write
from kiosk.release.signing import new_key

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def maker(folder: Path, name: str = "maker") -> tuple[Path, Path]:
    """A key pair: private, public."""
    private, public = folder / f"{name}.key", folder / f"{name}.pub"
    new_key(private, public)
    return private, public


def program(folder: Path, works: str = "print('works')") -> Path:
    """A program that a release's installation can try."""
    inner = folder / "kiosk" / "release"
    inner.mkdir(parents=True)
    (folder / "kiosk" / "__init__.py").touch()
    (inner / "__init__.py").touch()
    (inner / "warm.py").write_text(works + "\n")
    start = folder / "stichwart"
    start.write_text("#!/bin/sh\nexit 0\n")
    start.chmod(0o755)
    return folder


def bundle(folder: Path, key: Path, out: Path, *, version: str = "0.2", made: int = 2000, **other: str) -> Path:
    """A signed bundle of a folder."""
    files = {path.relative_to(folder).as_posix(): listed(path) for path in folder.rglob("*") if path.is_file()}
    kind = {"machine": platform.machine(), "python": PYTHON, **other}
    write(Release(version=version, made=made, files=files, **kind), folder, out, key)
    return out

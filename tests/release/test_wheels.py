"""Wheels made thin: what nobody runs is gone, what is left works, and the list of files is true."""

import base64
import csv
import hashlib
import io
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

from kiosk.release.make import for_platform
from kiosk.release.wheels import NoStrip, thin

stripping = pytest.mark.skipif(shutil.which("eu-strip") is None, reason="eu-strip is missing; apt install elfutils")


def wheel(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, content in {**files, "x-1.dist-info/RECORD": b"", "x-1.dist-info/METADATA": b"Name: x\n"}.items():
            made.writestr(name, content)
    return path


def test_what_nobody_runs_is_left_out_and_notices_stay(tmp_path: Path) -> None:
    files = {
        "x/__init__.py": b"works = True\n",
        "x/contests.py": b"",
        "x/tests/test_x.py": b"",
        "x/inner/tests/data.bin": b"",
        "x/include/x.h": b"",
        "x/fast.pyx": b"",
        "x/__init__.pyi": b"",
        "x-1.dist-info/licenses/include/tests/LICENSE.c": b"MIT",
    }
    (tmp_path / "thin").mkdir()
    made = thin(wheel(tmp_path / "x-1-py3-none-any.whl", files), tmp_path / "thin")
    with zipfile.ZipFile(made) as found:
        names = set(found.namelist())
        rows = list(csv.reader(io.StringIO(found.read("x-1.dist-info/RECORD").decode())))
        for name, digest, size in rows:
            if not name.endswith("RECORD"):
                data = found.read(name)
                told = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert (digest, int(size)) == (f"sha256={told}", len(data))
    kept = {"x/__init__.py", "x/contests.py", "x-1.dist-info/licenses/include/tests/LICENSE.c"}
    assert names == kept | {"x-1.dist-info/RECORD", "x-1.dist-info/METADATA"} == {row[0] for row in rows}


@stripping
def test_a_library_without_its_symbols_still_works(tmp_path: Path) -> None:
    """httptools brings its compiled parser with debugging symbols."""
    package = distribution("httptools")
    found = {file.as_posix(): Path(str(file.locate())) for file in package.files or []}
    files = {
        name: path.read_bytes() for name, path in found.items() if name.startswith("httptools/") and path.is_file()
    }
    before = sum(len(one) for one in files.values())
    (tmp_path / "thin").mkdir()
    made = thin(wheel(tmp_path / "x-1-py3-none-any.whl", files), tmp_path / "thin")
    with zipfile.ZipFile(made) as whole:
        whole.extractall(tmp_path / "site")
        assert sum(one.file_size for one in whole.infolist()) < before / 2
    words = "import httptools; print(httptools.__file__); "
    words += "httptools.HttpRequestParser(object()).feed_data(b'GET / HTTP/1.1\\r\\n\\r\\n')"
    done = subprocess.run(
        [sys.executable, "-c", words],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and str(tmp_path) in done.stdout, done.stderr


def test_without_the_program_that_strips_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "thin").mkdir()
    with pytest.raises(NoStrip, match="apt install elfutils"):
        thin(
            wheel(tmp_path / "x-1-py3-none-any.whl", {"x/fast.cpython-311-x86_64-linux-gnu.so": b""}), tmp_path / "thin"
        )


LOCK = """\
a==1 ; sys_platform == 'linux' \\
    --hash=sha256:aa
    # via x
b==2 ; platform_machine == 'x86_64' and sys_platform == 'linux' \\
    --hash=sha256:bb
c==3 ; python_full_version < '3.12' \\
    --hash=sha256:cc
c==4 ; python_full_version >= '3.12' \\
    --hash=sha256:dd
"""


@pytest.mark.parametrize(
    ("machine", "python", "kept"),
    [("x86_64", "3.11", ["a==1", "b==2", "c==3"]), ("aarch64", "3.13", ["a==1", "c==4"])],
)
def test_the_lock_for_another_platform(machine: str, python: str, kept: list[str]) -> None:
    lines = for_platform(LOCK, machine, python).splitlines()
    assert [line.removesuffix(" \\") for line in lines if "==" in line and "hash" not in line] == kept
    assert sum("--hash" in line for line in lines) == len(kept)

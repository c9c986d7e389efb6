"""A browser for the pages; a PostgreSQL of one's own, where Debian's is installed: for what several directors share."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.director.full_hall import CHROMIUM, QUIET

#: Where Debian puts the programs of each version of PostgreSQL.
SERVERS = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))


def _server() -> Path:
    """The newest server's folder of programs."""
    if not SERVERS:
        pytest.skip("PostgreSQL is not installed here (Debian package postgresql)")
    return SERVERS[-1].parent


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, one for a module: what is tested with it is marked ``browser``."""
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as started:
        made = started.chromium.launch(executable_path=str(CHROMIUM), args=QUIET)
        yield made
        made.close()


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """Start a server that only this machine reaches, without fsync; give its address without the database's name."""
    programs = _server()
    # a socket's path may have 107 characters: the suite's own folder is too deep
    with tempfile.TemporaryDirectory(prefix="stichwart-pg-") as name:
        folder = Path(name)
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            shutil.chown(folder, "postgres", "postgres")

        def run(*command: str | Path) -> None:
            alone: Sequence[str] = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
            words = [*(alone if os.geteuid() == 0 else ()), *map(str, command)]
            subprocess.run(words, check=True, cwd=folder, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

        run(programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "stichwart", "--no-sync")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        control = (programs / "pg_ctl", "-w", "-D", folder / "data", "-o", options, "-l", folder / "log")
        run(*control, "start")
        try:
            yield f"host={folder} user=stichwart"
        finally:
            run(programs / "pg_ctl", "-m", "immediate", "-D", folder / "data", "stop")


@pytest.fixture
def new_database(cluster: str) -> Iterator[Callable[[], str]]:
    """Make empty databases; each call gives the SQLAlchemy URL of one."""
    made: list[str] = []

    def make() -> str:
        with psycopg.connect(f"{cluster} dbname=postgres", autocommit=True) as db:
            (count,) = db.execute("SELECT count(*) FROM pg_database").fetchone() or (0,)
            name = f"t{count}"
            db.execute(f'CREATE DATABASE "{name}"')
        made.append(name)
        host = cluster.partition("host=")[2].partition(" ")[0]
        return f"postgresql+psycopg://stichwart@/{name}?host={host}"

    yield make
    with psycopg.connect(f"{cluster} dbname=postgres", autocommit=True) as db:
        for name in made:
            db.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

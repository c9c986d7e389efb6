"""Start a PostgreSQL of one's own, where Debian's is installed: for what several directors share."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg

#: Where Debian puts the programs of each version.
PROGRAMS = sorted(
    (path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")), key=lambda path: int(path.parts[4])
)


class OwnServer:
    """A server that only this machine reaches, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made = 0

    @property
    def address(self) -> str:
        """What psycopg connects with."""
        return f"host={self.folder} user=stichwart dbname=postgres"

    def new_database(self) -> str:
        """Make an empty database and return its SQLAlchemy URL."""
        self._made += 1
        with psycopg.connect(self.address, autocommit=True) as db:
            db.execute(f'CREATE DATABASE "t{self._made}"'.encode())
        return f"postgresql+psycopg://stichwart@/t{self._made}?host={self.folder}"


@contextmanager
def own_server(durable: bool) -> Iterator[OwnServer]:
    """Start a server of the newest version in ``PROGRAMS``, which must hold one, and end it.

    :param durable: what is committed is on disk, as in a hall.
    """
    programs = PROGRAMS[-1]
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
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync={'on' if durable else 'off'}"
        run(programs / "pg_ctl", "-w", "-D", folder / "data", "-o", options, "-l", folder / "log", "start")
        try:
            yield OwnServer(folder)
        finally:
            run(programs / "pg_ctl", "-m", "immediate", "-D", folder / "data", "stop")

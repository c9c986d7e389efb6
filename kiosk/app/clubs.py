"""Load the files of the clubs that one service of the direction holds."""

import contextlib
import re
from dataclasses import replace
from pathlib import Path

from kiosk.app.config import DirectorConfig, load_director
from kiosk.app.toml_file import bad_value
from kiosk.director.refusals import StoreFailed
from kiosk.director.storage.database import identity
from kiosk.errors import BadConfig

#: What a club's file leaves to that of the service.
_OF_SERVICE = ("host", "port", "data", "words", "tls", "certificate", "certificate_key", "clubs")


#: A name under which a host is found (RFC 1123, 2.1), or its address; as ASCII.
_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*|\[[0-9a-f:.]+\]"
)

#: Names of this machine for itself: under them the service's own tournament is found.
_ITSELF = ("localhost", "127.0.0.1", "[::1]")


def load_clubs(folder: Path, own: DirectorConfig, data: Path) -> dict[str, DirectorConfig]:
    """Load the files of the clubs that a service holds, by the file's name without ``.toml``.

    :param own: the service's own file; no club has its names, or its database.
    :param data: folder of the service's data; each club has one of its own in there.
    :raises BadConfig: the folder holds none, a file cannot be used as it is, or two have the same name or database.
    """
    clubs: dict[str, DirectorConfig] = {}
    taken = dict.fromkeys((*_ITSELF, *map(_host, own.names)), "the service itself")
    databases = {identity(database_of(own, data)): "the service itself"}
    for path in sorted(folder.glob("*.toml")):
        config = load_director(path)
        _leave_to_service(path, config)
        names = tuple(_host(name) for name in config.names)
        if not names:
            raise bad_value(path, "names", [], 'a club is found by its names, like ["skatfreunde.example.org"]')
        for name, written in zip(names, config.names, strict=True):
            if not _HOST.fullmatch(name):
                raise bad_value(
                    path, "names", written, 'a host\'s name without port is wanted, like "asse.example.org"'
                )
            if name in taken:
                raise bad_value(path, "names", written, f"{taken[name]} has that name; each belongs to one club")
            taken[name] = path.name
        try:
            database = identity(database_of(config, club_folder(data, path.stem)))
        except StoreFailed as error:
            raise bad_value(path, "database", config.database, str(error)) from error
        if database in databases:
            why = f"{databases[database]} has that database; each has one of its own"
            raise bad_value(path, "database", config.database, why)
        databases[database] = path.name
        clubs[path.stem] = replace(config, names=tuple(dict.fromkeys(names)))
    if not clubs:
        raise BadConfig(f"{folder}: there is no file of a club (like skatfreunde.toml) in this folder")
    return clubs


def club_folder(data: Path, name: str) -> Path:
    """Return the folder of a club's data."""
    return data / "clubs" / name


def database_of(config: DirectorConfig, data: Path) -> str:
    """Return the address of the database that a file names, else of the one in this folder of data."""
    return config.database or f"sqlite:///{data / 'director.sqlite'}"


def _leave_to_service(path: Path, config: DirectorConfig) -> None:
    default = DirectorConfig(tournament=config.tournament)
    for key in _OF_SERVICE:
        if getattr(config, key) != getattr(default, key):
            raise bad_value(path, key, str(getattr(config, key)), "that stands in the service's own file; delete it")


def _host(name: str) -> str:
    """A host's name as browsers send it: in small letters, no dot at its end, other letters by RFC 3490."""
    with contextlib.suppress(UnicodeError):
        name = name.strip().encode("idna").decode("ascii")
    return name.lower().rstrip(".")

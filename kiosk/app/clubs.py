"""Load the files of the clubs that one service of the direction holds."""

from dataclasses import replace
from pathlib import Path

from kiosk.app.config import DirectorConfig, load_director
from kiosk.app.toml_file import bad_value
from kiosk.errors import BadConfig

#: What a club's file leaves to that of the service.
_OF_SERVICE = ("host", "port", "data", "words", "tls", "certificate", "certificate_key", "clubs")


def load_clubs(folder: Path, own_database: str = "") -> dict[str, DirectorConfig]:
    """Load the files of the clubs that a service holds, by the file's name without ``.toml``.

    :param own_database: the service's; with one database two clubs would have the same accounts and tables.
    :raises BadConfig: the folder holds none, a file cannot be used as it is, or two have the same name or database.
    """
    clubs: dict[str, DirectorConfig] = {}
    taken: dict[str, Path] = {}
    databases = {own_database}
    for path in sorted(folder.glob("*.toml")):
        config = load_director(path)
        default = DirectorConfig(tournament=config.tournament)
        for key in _OF_SERVICE:
            if getattr(config, key) != getattr(default, key):
                raise bad_value(
                    path, key, str(getattr(config, key)), "that stands in the service's own file; delete it"
                )
        names = tuple(name.lower().rstrip(".") for name in config.names)
        if not names:
            raise bad_value(path, "names", [], 'a club is found by its names, like ["skatfreunde.example.org"]')
        if config.database and config.database in databases:
            raise bad_value(
                path, "database", config.database, "the service or another club has it; each has one of its own"
            )
        databases.add(config.database)
        for name in names:
            if name in taken:
                raise bad_value(path, "names", name, f"{taken[name].name} has that name; each belongs to one club")
            taken[name] = path
        clubs[path.stem] = replace(config, names=names)
    if not clubs:
        raise BadConfig(f"{folder}: there is no file of a club (like skatfreunde.toml) in this folder")
    return clubs

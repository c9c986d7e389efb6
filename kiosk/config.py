"""Configuration files → frozen values: ``table.toml`` for a table, ``director.toml`` for the director.

Nothing is guessed: a file that cannot be read, broken TOML, an unknown key, a value of the wrong type or one that
cannot be is a ``BadConfig`` naming file, key, value and the way out. A key that is left out has the value written
beside it here; the commented examples in ``systemd/`` name every key.
"""

import datetime
import difflib
import os
import tomllib
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import platformdirs

from hw.errors import PinError
from hw.pinmap import PinMap
from kiosk.errors import BadConfig
from kiosk.rules.book import BadOption
from kiosk.rules.books import BOOKS, settle

Value = TypeVar("Value")
Check = Callable[[Any], str | None]  # a value → what is wrong with it and the way out, or None


def state_folder() -> Path:
    """Where this machine keeps Stichwart's data: systemd's StateDirectory, else the user's data folder."""
    given = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(given) if given else Path(platformdirs.user_data_dir("stichwart"))


def _between(low: float, high: float) -> Check:
    return lambda value: None if low <= value <= high else f"it must lie between {low} and {high}"


def _one_of(*choices: object) -> Check:
    def check(value: object) -> str | None:
        if value in choices:
            return None
        near = difflib.get_close_matches(str(value), [str(choice) for choice in choices], 1)
        guess = f"did you mean {near[0]!r}? " if near else ""
        return f"{guess}Known are {', '.join(str(choice) for choice in choices)}"

    return check


def _players(value: tuple[str, ...]) -> str | None:
    if len(value) not in (4, 5):
        return f"{len(value)} names; a table has 4 or 5 players, seat 1 first, then clockwise"
    if any(not name.strip() for name in value):
        return "a name is empty; give each player one"
    if len(set(value)) != len(value):
        return "two players have the same name; make them differ"
    return None


def _url(value: str) -> str | None:
    if value == "" or (value.startswith(("http://", "https://")) and value.split("://", 1)[1].strip("/")):
        return None
    return 'write the director\'s whole address, like "http://192.168.1.10:8377"'


def _pin(value: str) -> str | None:
    if value == "" or (value.isascii() and value.isdigit() and 4 <= len(value) <= 12):
        return None
    return 'a PIN is 4 to 12 digits in quotes, like "2468"'


def _filled(value: str) -> str | None:
    return None if value.strip() else "it must not be empty"


def _deck_name(value: str) -> str | None:
    if value and not value.startswith(".") and all(sign.isalnum() or sign in "-_." for sign in value):
        return None
    return "a deck's name is letters, digits, - and _, as it was learned"


def _token(value: str) -> str | None:
    if value == "" or (value.isascii() and value.isprintable() and " " not in value):
        return None
    return "a token is letters, digits and signs without blanks, the same at the director and its tables"


def _clock(value: str) -> str | None:
    try:
        datetime.time.fromisoformat(value or "00:00")
    except ValueError:
        return 'a time in quotes is wanted, like "19:30"'
    return None


def _different(value: tuple["PlayerConfig", ...]) -> str | None:
    names = [player.name.casefold() for player in value]
    twice = next((player.name for player in value if names.count(player.name.casefold()) > 1), None)
    return f"{twice!r} stands there twice; add a first name or a place to tell the two apart" if twice else None


def key(check: Check | None = None, default: Any = MISSING, factory: Any = MISSING) -> Any:
    """A field with a check of its value."""
    metadata = {"check": check} if check else {}
    if factory is not MISSING:
        return field(default_factory=factory, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorLine:
    """The line to the director."""

    url: str = key(_url, "")  # empty: the table works on its own
    token: str = key(_token, "")  # shared secret of the tables and the director
    tournament: str = key(_filled, "turnier")  # as the director calls it


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundConfig:
    """The round that the table opens with; the director's release may bring another."""

    number: int = key(_between(1, 99), 1)
    rules: str = key(_one_of(*BOOKS), "eppstein")
    options: dict[str, Any] = field(default_factory=dict)  # the book's open points, by name, decided otherwise
    players: tuple[str, ...] = key(_players, ("Platz 1", "Platz 2", "Platz 3", "Platz 4"))
    minutes: float | None = key(_between(1, 999), None)  # playing time; None: the book's (eppstein 7.4.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenConfig:
    """The touchscreen."""

    width: int = key(_between(480, 3840), 1280)
    height: int = key(_between(320, 2160), 720)
    fullscreen: bool = True
    language: str = key(_one_of("de", "en"), "de")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeConfig:
    """The referee at the table."""

    pin: str = key(_pin, "")  # opens rulings on the screen; empty: the director's page rules


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraConfig:
    """The camera above the mat."""

    source: str = key(_filled, "v4l2:/dev/video0")  # as vision.sources names them
    width: int = key(_between(320, 4096), 1280)
    height: int = key(_between(240, 3072), 720)
    fps: float = key(_between(1, 120), 15)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatConfig:
    """The printed mat."""

    paper: str = key(_one_of("A3", "A2"), "A3")
    seats: int = key(_one_of(4, 5), 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckConfig:
    """The deck that is played with, as learned by ``stichwart deck learn``."""

    name: str = key(_deck_name)
    folder: Path | None = None  # None: "decks" in the data folder
    improve: bool = True  # adapt what was learned to light and wear, by cards that were certain, until switched off


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingsConfig:
    """Short films of the mat, kept with a doubt or a call for the referee."""

    keep: bool = True
    seconds: float = key(_between(1, 15), 6.0)
    megabytes: float = key(_between(1, 100_000), 200.0)  # in sum; the oldest go
    days: float = key(_between(0.04, 60), 2.0)  # how long at most


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannerConfig:
    """The serial scanner for badges and barcoded cards."""

    port: str = ""  # /dev/serial/by-id/…, a pattern with * allowed; empty: none
    baud: int = key(_one_of(1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200), 9600)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """Everything a table's kiosk has to be told."""

    table: int = key(_between(1, 999))  # number of the table
    data: Path = field(default_factory=state_folder)  # log, learned decks
    director: DirectorLine = DirectorLine()
    round: RoundConfig = RoundConfig()
    screen: ScreenConfig = ScreenConfig()
    referee: RefereeConfig = RefereeConfig()
    camera: CameraConfig = CameraConfig()
    mat: MatConfig = MatConfig()
    deck: DeckConfig
    pins: PinMap = field(default_factory=PinMap)
    scanner: ScannerConfig = ScannerConfig()
    recordings: RecordingsConfig = RecordingsConfig()

    @property
    def minutes(self) -> float | None:
        """Playing time; None where neither the configuration nor the book has one."""
        book = BOOKS[self.round.rules]
        return self.round.minutes or book.minutes(len(self.round.players), book.settle(self.round.options))

    @property
    def deck_folder(self) -> Path:
        """Where the decks are."""
        return self.deck.folder or self.data / "decks"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerConfig:
    """Somebody who takes part; a name alone in quotes does as well."""

    name: str = key(_filled)
    substitute: bool = False  # fills in; left out of the standing


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorConfig:
    """Everything the director's service has to be told."""

    tournament: str = key(_filled)
    host: str = key(_filled, "0.0.0.0")  # address to listen on; 127.0.0.1: this machine alone
    port: int = key(_between(1, 65535), 8377)
    data: Path = field(default_factory=state_folder)
    database: str = ""  # SQLAlchemy URL; empty: SQLite in the data folder
    token: str = key(_token, "")  # tables must show it; empty: every table is let in
    pin: str = key(_pin, "")  # asked for on the page before releases and rulings; empty: nobody is asked
    rules: str | None = key(_one_of(*BOOKS), None)  # the book; "none": eppstein, and the tables go by their own files
    minutes: float | None = key(_between(1, 999), None)  # playing time of a round; "none": as book and options say
    rounds: int | None = key(_between(1, 99), None)  # "none": as book and options say
    start: str = key(_clock, "")  # when the evening begins, "19:30"; who comes later is late
    day: datetime.date | None = None  # the tournament's day; its year counts for the year's ranking
    players: tuple[PlayerConfig, ...] = key(_different, ())  # the page can enter them as well
    options: dict[str, Any] = field(default_factory=dict)  # the book's points that are decided otherwise, by name

    @property
    def database_url(self) -> str:
        """Where the store is."""
        return self.database or f"sqlite:///{self.data / 'director.sqlite'}"


def load_table(path: Path | str) -> TableConfig:
    """A table's configuration.

    :raises BadConfig: the file cannot be used as it is, or the deck that it names has not been learned.
    """
    path = Path(path)
    config = load(path, TableConfig)
    book = BOOKS[config.round.rules]
    if len(config.round.players) not in book.tables:
        allowed = " or ".join(str(number) for number in book.tables)
        raise _bad(path, "round.players", config.round.players, f"{book.name} is played by {allowed}")
    try:
        settle(book, config.round.options)
    except BadOption as error:
        raise BadConfig(f"{path}: round.options: {error}") from error
    if len(config.round.players) > config.mat.seats:
        raise _bad(
            path,
            "mat.seats",
            config.mat.seats,
            f"{len(config.round.players)} players are named; take a mat for as many",
        )
    return config


def load_director(path: Path | str) -> DirectorConfig:
    """The director's configuration.

    :raises BadConfig: the file cannot be used as it is, or an option is none of the book's.
    """
    path = Path(path)
    config = load(path, DirectorConfig)
    try:
        settle(BOOKS[config.rules or "eppstein"], config.options)
    except BadOption as error:
        raise BadConfig(f"{path}: options: {error}") from error
    return config


def load(path: Path, kind: type[Value]) -> Value:
    """A configuration file as ``kind``, a frozen dataclass. Paths in it are relative to the file.

    :raises BadConfig: see the module.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadConfig(
            f"{path}: cannot be read: {error.strerror}; name an existing file that this user may read"
        ) from error
    except UnicodeDecodeError as error:
        raise BadConfig(f"{path}: is not UTF-8 text (byte {error.start}); save it as UTF-8") from error
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError; so is a number of 5000 digits
        raise BadConfig(f"{path}: is not TOML: {error}; put it right there") from error
    return _build(path, (), kind, content)


def _bad(path: Path, name: str, value: object, why: str) -> BadConfig:
    return BadConfig(f"{path}: {name} = {_toml(value)}: {why}")


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | Path):
        return '"' + str(value).replace('"', '\\"') + '"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml(item)}" for name, item in value.items()) + "}"
    return str(value)


def _build(path: Path, at: tuple[str, ...], kind: type[Value], content: Mapping[str, Any]) -> Value:
    known = {item.name: item for item in fields(kind)}  # type: ignore[arg-type]
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for name, value in content.items():
        dotted = ".".join((*at, name))
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            way = f"did you mean {near[0]!r}? " if near else ""
            raise BadConfig(f"{path}: {dotted}: unknown key; {way}Known here are {', '.join(known)}")
        converted = _convert(path, (*at, name), hints[name], value)
        check = known[name].metadata.get("check")
        wrong = check(converted) if check and converted is not None else None
        if wrong:
            raise _bad(path, dotted, value, wrong)
        values[name] = converted
    for name, item in known.items():
        if name not in values and item.default is MISSING and item.default_factory is MISSING:
            dotted = ".".join((*at, name))
            section = is_dataclass(hints[name])
            raise BadConfig(f"{path}: {'section [' + dotted + ']' if section else dotted} is missing; add it")
    try:
        return kind(**values)
    except PinError as error:
        raise BadConfig(f"{path}: {'.'.join(at)}.{error}") from error


_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text in quotes",
    datetime.date: "a date without quotes, like 2026-11-21,",
    Path: "a path in quotes",
}


def _convert(path: Path, at: tuple[str, ...], wanted: Any, value: Any) -> Any:
    """A TOML value as the wanted type; the text ``"none"`` stands for nothing where nothing is allowed."""
    dotted = ".".join(at)
    if get_origin(wanted) in (Union, types.UnionType):
        if value == "none":
            return None
        (wanted,) = (option for option in get_args(wanted) if option is not types.NoneType)
    if wanted is PlayerConfig and isinstance(value, str):
        value = {"name": value}
    if is_dataclass(wanted):
        if not isinstance(value, dict):
            raise _bad(path, dotted, value, f"it is a section; write [{dotted}] and its keys below")
        return _build(path, at, wanted, value)  # type: ignore[arg-type]
    if get_origin(wanted) is tuple:
        if not isinstance(value, list):
            raise _bad(path, dotted, value, "a list is needed here, like [1, 2]")
        return tuple(_convert(path, at, get_args(wanted)[0], item) for item in value)
    if get_origin(wanted) is dict:
        if not isinstance(value, dict):
            raise _bad(path, dotted, value, f"it is a section; write [{dotted}] and its keys below")
        return dict(value)
    if wanted is float and type(value) is int:
        return float(value)
    if wanted is Path and isinstance(value, str) and value:
        return (path.parent / Path(value).expanduser()).resolve()
    if type(value) is not wanted:
        raise _bad(path, dotted, value, f"{_WORDS[wanted]} is needed here")
    return value

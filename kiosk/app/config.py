"""Load the configuration files ``table.toml`` and ``director.toml`` into frozen values.

Nothing is guessed: a file that cannot be read, broken TOML, an unknown key, a value of the wrong type or one that
cannot be is a ``BadConfig`` naming file, key, value and the way out. A key that is left out has the value written
beside it here; the commented examples in ``systemd/`` name every key.
"""

import datetime
import difflib
import logging
import os
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar

import platformdirs

from hw.display_settings import DisplaySettings
from hw.key_layouts import LAYOUTS
from hw.network import NetworkError, check_password
from hw.pinmap import PinMap
from kiosk.app.referee_code import is_hash
from kiosk.app.toml_file import (
    IS_FOLDER,
    LIST,
    OR_NONE,
    PATH,
    SECTION,
    STRICT,
    Before,
    bad_value,
    between,
    checked,
    load,
    none_or,
    one_of,
    path_in,
)
from kiosk.director.access.passwords import is_hash as is_password_hash
from kiosk.director.settings import check_title
from kiosk.errors import BadConfig, shorten
from kiosk.language.own_words import FOLDER, NAME
from kiosk.parcel.settings import bad_hours
from kiosk.rules.books import BOOKS, DEFAULT, settle
from kiosk.rules.composed.file import NAME as NAME_OF_BOOK
from kiosk.rules.composed.known import ENDING, put_books, read_book
from kiosk.rules.describe.told import refusal_named
from kiosk.rules.engine.book import BadOption
from kiosk.tournament.people import LARGEST_NUMBER, BadName

log = logging.getLogger(__name__)


def state_folder() -> Path:
    """Return the folder of Stichwart's data: systemd's StateDirectory, else the user's data folder."""
    given = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(given) if given else Path(platformdirs.user_data_dir("stichwart"))


#: Number of a table whose file names none.
NOT_NUMBERED = 0


def _number(value: object) -> object:
    if value == "none":
        return NOT_NUMBERED
    if type(value) is int and not 1 <= value <= 999:
        raise ValueError('it must lie between 1 and 999; "none" lets the first start ask')
    return value


def _players(value: tuple[str, ...]) -> str | None:
    if len(value) not in (4, 5):
        return f"{len(value)} names; a table has 4 or 5 players, seat 1 first, then clockwise"
    if any(not name.strip() for name in value):
        return "a name is empty; give each player one"
    if len(set(value)) != len(value):
        return "two players have the same name; make them differ"
    return None


def check_url(value: str) -> str | None:
    if value == "" or (value.startswith(("http://", "https://")) and value.split("://", 1)[1].strip("/")):
        return None
    return 'write the director\'s whole address, like "http://192.168.1.10:8377"'


def bad_pin(value: str) -> str | None:
    """Say what is wrong with a PIN, and what one is; None if nothing is."""
    if value == "" or (value.isascii() and value.isdigit() and 4 <= len(value) <= 12):
        return None
    return 'a PIN is 4 to 12 digits in quotes, like "2468"'


def _director_pin(value: str) -> str | None:
    if is_password_hash(value) or bad_pin(value) is None:
        return None
    return 'let "stichwart director-pin" make a line for this file'


def _code(value: str) -> str | None:
    if value == "" or is_hash(value):
        return None
    return 'this is no hash of a code; let "stichwart referee-code" make one'


def _filled(value: str) -> str | None:
    return None if value.strip() else "it must not be empty"


def _title(value: str) -> str | None:
    if value.strip() and ("/" in value or not value.strip(" .")):
        return "a tournament's name stands in addresses, where / means something else; write 2025-26"
    try:
        check_title(value)
    except BadName:
        return f"the service has an address of that name; write it otherwise, like {value.title() + ' 2026'!r}"
    return _filled(value)


def _deck_name(value: str) -> str | None:
    if value and not value.startswith(".") and all(sign.isalnum() or sign in "-_." for sign in value):
        return None
    return "a deck's name is letters, digits, - and _, as it was learned"


def _language(value: str) -> str | None:
    return None if NAME.fullmatch(value) else "a language's code is wanted, like de, en or bar"


def _token(value: str) -> str | None:
    if value == "" or (value.isascii() and value.isprintable() and " " not in value):
        return None
    return "a token is letters, digits and signs without blanks, the same at the director and its tables"


def _wifi_password(value: str) -> str | None:
    try:
        if value:
            check_password(value, "wpa")
    except NetworkError as error:
        return str(error)
    return None


def _sockets(value: tuple[str, ...]) -> str | None:
    plugged = [socket for socket in value if socket]
    if len(value) > 5 or len(set(plugged)) != len(plugged):
        return "a socket for each of at most five seats, each its own; teach them on the screen, or write []"
    return None


def _clock(value: str) -> str | None:
    try:
        datetime.time.fromisoformat(value or "00:00")
    except ValueError:
        return 'a time in quotes is wanted, like "19:30"'
    return None


def _different(value: tuple["PlayerConfig", ...]) -> str | None:
    names = [player.name.casefold() for player in value]
    twice = next((player.name for player in value if names.count(player.name.casefold()) > 1), None)
    return f"{shorten(twice)} stands there twice; add a first name or a place to tell the two apart" if twice else None


def _pins(content: object) -> object:
    """Convert ``"none"`` and lists for ``hw``, whose fields cannot be marked: it knows nothing of TOML.

    A file from the time when bare digits were the only display names their segments and no display.
    """
    if not isinstance(content, dict):
        return content
    whole = {item.name for item in fields(PinMap) if isinstance(item.default, tuple | str)}
    bare = {"display": "digits"} if content.get("segments") and "display" not in content else {}
    return bare | {
        name: tuple(value) if isinstance(value, list) else value if name in whole else none_or(value)
        for name, value in content.items()
    }


def _text_of_file(value: object, folder: Path) -> object:
    """Read the file that a key names; "" is none."""
    if not isinstance(value, str) or not value:
        return value
    path = path_in(value, folder)
    try:
        text = path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no plain text"
        raise ValueError(f"it cannot be read ({why}); name the one that the direction hands out") from error
    if "-----BEGIN CERTIFICATE-----" not in text:
        raise ValueError("no certificate as text (PEM); take the one for Firefox from the direction's /zertifikat")
    return text


_PINS = Before(lambda value, _: _pins(value))
_NAME_ALONE = Before(lambda value, _: {"name": value} if isinstance(value, str) else value)


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorLine:
    """The line to the director."""

    url: Annotated[str, checked(check_url)] = ""  # empty: the table works on its own
    token: Annotated[str, checked(_token)] = ""  # this table's secret, where it is not kept in the data folder
    authority: Annotated[str, Before(_text_of_file)] = ""  # PEM: by which the director is recognised
    tournament: Annotated[str, checked(_filled)] = "turnier"  # as the director calls it


#: Where clubs' own books lie, beside the file.
_OWN_BOOKS = "books"


def _book(value: object, folder: Path) -> object:
    """Return the full name of a book; a club's own lies in ``books`` beside the file.

    :raises ValueError: there is no such book, or what its file has wrong.
    """
    if not isinstance(value, str) or value in BOOKS:
        return BOOKS[value].name if isinstance(value, str) else value
    path = folder / _OWN_BOOKS / f"{value}{ENDING}"
    if NAME_OF_BOOK.fullmatch(value) and path.is_file():
        return read_book(path).name
    known = [book.own.name if book.own else book.name for book in BOOKS.values()]
    near = difflib.get_close_matches(value, known, 1)
    guess = f"did you mean {near[0]!r}? " if near else ""
    raise ValueError(f"{guess}Known are {', '.join(known)}; a club's own lies as a file in {path.parent}")


_BOOK = Before(_book)


def take_own_books(path: Path) -> None:
    """Put the clubs' books beside a configuration on the shelf; what is wrong with one is told."""
    for wrong in put_books(path.parent / _OWN_BOOKS):
        log.error("%s", wrong)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundConfig:
    """The round that the table opens with; the director's release may bring another."""

    number: Annotated[int, checked(between(1, 99))] = 1
    rules: Annotated[str, _BOOK] = DEFAULT
    options: dict[str, Any] = field(default_factory=dict)  # the book's open points, by name, decided otherwise
    players: Annotated[tuple[str, ...], LIST, checked(_players)] = ("Platz 1", "Platz 2", "Platz 3", "Platz 4")
    minutes: Annotated[float | None, checked(between(1, 999)), OR_NONE] = (
        None  # playing time; None: the book's (eppstein 7.4.1)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenConfig:
    """The touchscreen."""

    width: Annotated[int, checked(between(480, 3840))] = 1280
    height: Annotated[int, checked(between(320, 2160))] = 720
    fullscreen: bool = True
    seat: Annotated[int, checked(between(1, 5))] = 1  # who sits before the screen and reads it upright
    flat: bool = False  # it lies, in the middle or at a corner: each panel is turned towards its seat
    language: Annotated[str, checked(_language)] = "de"  # or "en", or one that a club has added (docs/words.md)
    turn: Annotated[int, checked(one_of(0, 90, 180, 270))] = 0  # by which the picture is turned, counterclockwise
    touch: Annotated[str, checked(one_of("", "x", "y", "xy", "t", "tx", "ty", "txy"))] = (
        ""  # how the panel lies on it, as the screen finds out
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeConfig:
    """The referee at the table."""

    code: Annotated[str, checked(_code)] = ""  # hash of the code that opens rulings on the screen
    pin: Annotated[str, checked(bad_pin)] = (
        ""  # the code itself, as older files have it; both empty: the director rules
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraConfig:
    """The camera above the mat."""

    source: Annotated[str, checked(_filled)] = "v4l2:/dev/video0"  # as vision.camera.source names them
    width: Annotated[int, checked(between(320, 4096))] = 1280
    height: Annotated[int, checked(between(240, 3072))] = 720
    fps: Annotated[float, checked(between(1, 120))] = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class MatConfig:
    """The printed mat."""

    paper: Annotated[str, checked(one_of("A3", "A2"))] = "A3"
    seats: Annotated[int, checked(one_of(4, 5))] = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckConfig:
    """The deck that is played with, as learned by ``stichwart deck learn``."""

    name: Annotated[str, checked(_deck_name)]
    folder: Annotated[Path | None, PATH, IS_FOLDER, OR_NONE] = None  # None: "decks" in the data folder
    improve: bool = True  # adapt what was learned to light and wear, by cards that were certain, until switched off


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingsConfig:
    """Short films of the mat, kept with a doubt or a call for the referee."""

    keep: bool = True
    seconds: Annotated[float, checked(between(1, 15))] = 6.0
    megabytes: Annotated[float, checked(between(1, 100_000))] = 200.0  # in sum; the oldest go
    days: Annotated[float, checked(between(0.04, 60))] = 2.0  # how long at most


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannerConfig:
    """The scanner for badges and barcoded cards: at a serial port, or a keyboard."""

    port: str = ""  # /dev/serial/by-id/…, a pattern with * allowed; empty: none
    baud: Annotated[int, checked(one_of(1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200))] = 9600
    keyboard: str = ""  # of a scanner that is a keyboard: name or "05e0:1200", * allowed; empty: none, or as taught
    layout: Annotated[str, checked(one_of(*LAYOUTS))] = "us"  # as which keyboard it is set


@dataclass(frozen=True, slots=True, kw_only=True)
class PadsConfig:
    """Number pads at the seats, known by the socket that each is plugged in."""

    sockets: Annotated[tuple[str, ...], LIST, checked(_sockets)] = ()  # seat 1 first; "": none there; best taught


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundConfig:
    """Signals and spoken words by a loudspeaker; the screen may set each of these otherwise."""

    device: str = ""  # as aplay -L names it: "default", "plughw:CARD=Device"; empty: none, the buzzer gives the signals
    volume: Annotated[int, checked(between(0, 100))] = 70  # percent
    quiet: Annotated[str, checked(bad_hours)] = ""  # hours in which the screen alone gives them, "22:00-07:00"
    speak: bool = False  # say aloud what was announced, by espeak-ng


@dataclass(frozen=True, slots=True, kw_only=True)
class LightConfig:
    """The screen's brightness; the screen may set each of these otherwise."""

    brightness: Annotated[int, checked(between(10, 100))] = 100  # percent
    rest: Annotated[int, checked(between(10, 100))] = 30  # percent, at rest
    rest_after: Annotated[int, checked(between(0, 240))] = 10  # minutes without a touch or an event; 0: never


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """Configuration of one table's kiosk."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    table: Annotated[int, Before(lambda value, _: _number(value))]  # its number; "none": the first start asks
    data: Annotated[Path, PATH, IS_FOLDER] = field(default_factory=state_folder)  # log, learned decks
    words: Annotated[Path, PATH, IS_FOLDER] = FOLDER  # a club's own words
    director: Annotated[DirectorLine, SECTION] = DirectorLine()
    round: Annotated[RoundConfig, SECTION] = RoundConfig()
    screen: Annotated[ScreenConfig, SECTION] = ScreenConfig()
    referee: Annotated[RefereeConfig, SECTION] = RefereeConfig()
    camera: Annotated[CameraConfig, SECTION] = CameraConfig()
    mat: Annotated[MatConfig, SECTION] = MatConfig()
    deck: Annotated[DeckConfig, SECTION]
    pins: Annotated[PinMap, SECTION, _PINS] = field(default_factory=PinMap)
    display: Annotated[DisplaySettings, SECTION] = field(default_factory=DisplaySettings)
    scanner: Annotated[ScannerConfig, SECTION] = ScannerConfig()
    pads: Annotated[PadsConfig, SECTION] = PadsConfig()
    sound: Annotated[SoundConfig, SECTION] = SoundConfig()
    light: Annotated[LightConfig, SECTION] = LightConfig()
    recordings: Annotated[RecordingsConfig, SECTION] = RecordingsConfig()

    @property
    def minutes(self) -> float | None:
        """Playing time; None where neither the configuration nor the book has one."""
        book = BOOKS[self.round.rules]
        return self.round.minutes or book.minutes(len(self.round.players), book.settle(self.round.options))

    @property
    def deck_folder(self) -> Path:
        """Folder of the decks."""
        return self.deck.folder or self.data / "decks"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerConfig:
    """A participant; a bare name in quotes is accepted too."""

    name: Annotated[str, checked(_filled)]
    substitute: bool = False  # fills in; left out of the standing
    number: Annotated[int | None, checked(between(1, LARGEST_NUMBER))] = None  # start number, on the badge
    club: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorConfig:
    """Configuration of the director's service."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    tournament: Annotated[str, checked(_title)]
    host: Annotated[str, checked(_filled)] = "0.0.0.0"  # address to listen on; 127.0.0.1: this machine alone
    port: Annotated[int, checked(between(1, 65535))] = 8377
    data: Annotated[Path, PATH, IS_FOLDER] = field(default_factory=state_folder)
    words: Annotated[Path, PATH, IS_FOLDER] = FOLDER  # a club's own words
    database: str = ""  # SQLAlchemy URL; empty: SQLite in the data folder
    second_disk: Annotated[Path | None, PATH, IS_FOLDER, OR_NONE] = (
        None  # a folder on another disk, to which the page may have the database saved
    )
    hotspot_password: Annotated[str, checked(_wifi_password)] = (
        ""  # of the network that is opened where there is none; empty: on the page alone, with a password made there
    )
    token: Annotated[str, checked(_token)] = ""  # of older files: it lets nobody in any more
    pin: Annotated[str, checked(_director_pin)] = (
        ""  # of the account PIN: its hash, or in older files the PIN itself; empty: only the page's accounts
    )
    guests: bool = False  # who has no account may look at the page
    tls: Annotated[str, checked(one_of("auto", "on", "off"))] = "auto"  # encryption; auto: not for this machine alone
    certificate: Annotated[Path | None, PATH, OR_NONE] = None  # a chain as PEM that browsers know; "none": its own
    certificate_key: Annotated[Path | None, PATH, OR_NONE] = None
    names: Annotated[tuple[str, ...], LIST] = ()  # of this machine in the hall, besides its own name and addresses
    clubs: Annotated[Path | None, PATH, IS_FOLDER, OR_NONE] = (
        None  # folder with a file for each club that is held besides
    )
    rules: Annotated[str | None, _BOOK, OR_NONE] = (
        None  # the book; "none": the default one, and the tables go by their own files
    )
    minutes: Annotated[float | None, checked(between(1, 999)), OR_NONE] = (
        None  # playing time of a round; "none": as book and options say
    )
    rounds: Annotated[int | None, checked(between(1, 99)), OR_NONE] = None  # "none": as book and options say
    start: Annotated[str, checked(_clock)] = ""  # when the evening begins, "19:30"; who comes later is late
    day: Annotated[datetime.date | None, OR_NONE] = None  # the tournament's day; its year counts for the year's ranking
    players: Annotated[
        tuple[Annotated[PlayerConfig, SECTION, _NAME_ALONE], ...], LIST, checked(_different)
    ] = ()  # the page can enter them as well
    options: dict[str, Any] = field(default_factory=dict)  # the book's points that are decided otherwise, by name


def load_table(path: Path | str) -> TableConfig:
    """Load a table's configuration.

    :raises BadConfig: the file cannot be used as it is, or the deck that it names has not been learned.
    """
    path = Path(path)
    take_own_books(path)
    config = load(path, TableConfig)
    book = BOOKS[config.round.rules]
    if len(config.round.players) not in book.tables:
        allowed = " or ".join(str(number) for number in book.tables)
        raise bad_value(path, "round.players", config.round.players, f"{book.name} is played by {allowed}")
    try:
        settle(book, config.round.options)
    except BadOption as error:
        raise BadConfig(f"{path}: round.options: {refusal_named(error)}") from error
    if config.referee.code and config.referee.pin:
        raise bad_value(path, "referee.pin", "…", "referee.code is there as well; delete the line of pin")
    if len(config.round.players) > config.mat.seats:
        raise bad_value(
            path,
            "mat.seats",
            config.mat.seats,
            f"{len(config.round.players)} players are named; take a mat for as many",
        )
    return config


def load_director(path: Path | str) -> DirectorConfig:
    """Load the director's configuration.

    :raises BadConfig: the file cannot be used as it is, or an option is none of the book's.
    """
    path = Path(path)
    take_own_books(path)
    config = load(path, DirectorConfig)
    try:
        settle(BOOKS[config.rules or DEFAULT], config.options)
    except BadOption as error:
        raise BadConfig(f"{path}: options: {refusal_named(error)}") from error
    if (config.certificate is None) != (config.certificate_key is None):
        raise bad_value(path, "certificate", str(config.certificate), "certificate and certificate_key go together")
    return config

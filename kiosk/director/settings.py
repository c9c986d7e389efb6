"""Define the settings of the director's service."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hw.hotspot import Hotspot
from hw.stick import Sticks
from hw.wall_clock import WallClock
from kiosk.errors import shorten
from kiosk.release.layout import Layout
from kiosk.tournament.people import BadName
from kiosk.tournament.tournament import Tournament, begin

#: What stands in the service's own addresses where others have a tournament's name (``/api/devices``, ``/api/NAME/…``).
FIXED = frozenset(
    {
        *("accounts", "backup", "begin", "book", "certificate", "devices", "first", "fleet"),
        *(
            "labels",
            "login",
            "logout",
            "me",
            "network",
            "books",
            "parcels",
            "password",
            "restore",
            "saving",
            "takeover",
            "time",
            "words",
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """How the service encrypts: by its own authority's certificate, or by one from files."""

    folder: Path  # where its own authority and certificate are kept
    certificate: Path | None = None  # a chain as PEM that browsers know; None: its own authority's
    key: Path | None = None  # the chain's key as PEM
    names: tuple[str, ...] = ()  # hosts and addresses that its own certificate holds for besides those of this machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """Where the service's database may be saved to once a minute; the page chooses."""

    sticks: Sticks | None  # of this machine; None: it has none
    second: Path | None = None  # a folder on a second disk


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """What a service keeps beside its database."""

    data: Path  # folder of what is chosen on its page, of what is taken over, and of what was here before that
    configuration: Path | None = None  # the file of the service, saved with its database
    check: Callable[[Path], None] = lambda _path: None  # whether it could go on with another one's file: ``KioskError``


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """Another machine that is this direction as well: one of both has been taken over."""

    url: str
    takeovers: int  # how often its tournament was taken over
    newer: bool  # more often than this one's: it is the one that counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One tournament's service; the wiring makes it from the configuration file."""

    tournament: str
    database: str  # SQLAlchemy URL
    host: str = "127.0.0.1"
    port: int = 8377  # 0: any free one
    pin: str = ""  # of the file's own account: its hash, or in older files the PIN itself; "": no such account
    guests: bool = True  # who has no account may look
    new_code: bool = False  # print a code for a director's account although there is one: its password is lost
    rounds: int | None = None  # of the tournament, where ``begins`` does not say more
    names: tuple[str, ...] = ()  # hosts under which this club is reached, beside others in the same service
    version: str = ""  # of the program, by which tables of another version are told
    tls: Tls | None = None  # None: plain HTTP
    releases: Path | None = None  # folder of the releases that tables get from here; None: none are taken
    installed: Layout | None = None  # where this program's own releases lie; None: it is none, but a checkout
    hotspot: Hotspot | None = None  # the Wi-Fi network of this machine's own, where the page may open one
    hotspot_password: str = ""  # of it; it is opened without being asked then, where there is no other network
    clock: WallClock | None = None  # this machine's, where the page may set it
    own: Own | None = None  # None: nothing is kept beside the database, nothing taken over or put back
    saving: Saving | None = None  # None: the database is saved by somebody else
    begins: Tournament | None = None  # as its file describes it; None: by its name alone

    @property
    def beginning(self) -> Tournament:
        """The tournament before anything was noted of it."""
        return self.begins or begin(self.tournament, rounds=self.rounds)


def is_exposed(host: str) -> bool:
    """Report whether other machines can reach a service that listens there."""
    return host not in ("localhost", "::1") and not host.startswith("127.")


def check_title(name: str) -> None:
    """Require of a tournament's name that it is none of the service's own addresses.

    :raises BadName: it is one: the tournament could not be told from it.
    """
    if name in FIXED:
        raise BadName(
            "fixed_title",
            f"name {shorten(name)}: the service has an address of that name; write it otherwise, like "
            f"'{name.title()} 2026'",
            name=name,
            instead=f"{name.title()} 2026",
        )

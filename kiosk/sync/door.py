"""Keep what a table shows at the direction's door: its own secret and its number."""

import hashlib
import json
import logging
import os
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

log = logging.getLogger(__name__)

#: Name of the file in the table's data folder; nobody but the table's user reads it.
DOOR = "door.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A table's way in to one direction."""

    url: str  # of the direction that this is for, as the table's file has it
    id: str
    secret: str
    table: int | None = None  # as the direction has chosen; None: not admitted yet
    instead: str = ""  # SHA-256 of the secret in the table's file that this one took the place of; "": none stood there
    rulings: bool = False  # a referee may rule on this table's screen
    to: str = ""  # where the direction was when it admitted this table, encrypted where it can be; "": ``url``
    authority: str = ""  # by which it is recognised, PEM; "": as this machine's own authorities say
    tournament: str = ""  # under which the direction takes this table's lists; "": as the table's file says
    others: Sequence[str] = ()  # addresses of other directors, for the time when that one is away

    @property
    def shown(self) -> str:
        """The secret as it goes over the line."""
        return f"{self.id}.{self.secret}"

    @property
    def digest(self) -> str:
        """What the direction keeps of the secret: SHA-256, hexadecimal."""
        return hashlib.sha256(self.secret.encode()).hexdigest()


def new_door(url: str, instead: str = "") -> Door:
    """Make a new secret for a direction.

    :param instead: ``trace`` of the secret in the table's file, which the direction does not take.
    """
    return Door(url=url, id=secrets.token_hex(16), secret=secrets.token_urlsafe(32), instead=instead)


def read_door(folder: Path, url: str) -> Door | None:
    """Read the door to this direction; None: there is none, or the file is broken."""
    try:
        door = Door(**json.loads((folder / DOOR).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        log.error("%s cannot be read, the table asks to be admitted anew: %s", folder / DOOR, error)
        return None
    return door if url.rstrip("/") in (door.url.rstrip("/"), door.to or door.url) else None


def replaces(door: Door, token: str) -> bool:
    """Report whether this door counts instead of the secret in the table's file: a newer one there counts itself."""
    return not token or door.instead == trace(token)


def keep_door(folder: Path, door: Door) -> None:
    """Write the door, whole or not at all, readable by this user alone.

    :raises OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / f"{DOOR}.new"
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(json.dumps(asdict(door)) + "\n")
        file.flush()
        os.fsync(file.fileno())
    beside.replace(folder / DOOR)


def trace(token: str) -> str:
    """Compute by what a secret of the table's file is recognised: SHA-256; "": there is none."""
    return hashlib.sha256(token.encode()).hexdigest() if token else ""

"""Keep the direction's own Wi-Fi network: its name and password, made once, and whether it is open."""

import json
import logging
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from hw.hotspot import ADDRESS, Hotspot, HotspotState
from hw.network import NetworkError

log = logging.getLogger(__name__)

#: The file in the data folder that holds name and password.
FILE: Final = "hotspot.json"

#: Seconds without any network after which one of its own is opened, where the file has given its password.
ALONE_S: Final = 60.0

#: Signs that nobody takes for one another on a printed card.
_SIGNS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNetworkState:
    """How the network stands, as a page shows it."""

    possible: bool = False
    on: bool = False
    joined: bool = False  # this machine is in a network of the hall's
    doing: str = ""  # "" opening closing
    wrong: str = ""  # why the last wish failed, a code of ``NetworkError``
    detail: str = ""  # for an administrator, English


class OwnNetwork:
    """Opens and closes the network. Its calls may block; ``state`` is for any thread.

    :param folder: in which name and password are kept.
    :param password: of the configuration; "": one is made here, and the network is opened on the page alone.
    :raises OSError: they cannot be kept.
    """

    address = ADDRESS

    def __init__(self, hotspot: Hotspot, folder: Path, password: str = "") -> None:
        self._hotspot, self._by_itself = hotspot, bool(password)
        self.name, kept = _kept(folder)
        self.password = password or kept
        #: How it stands; replaced as a whole.
        self.state = OwnNetworkState()
        self._alone_since: float | None = None

    def look(self, now: float) -> None:
        """See how it stands; open it where this machine has been without any network and may do so by itself.

        :param now: monotonic seconds.
        """
        try:
            seen = self._hotspot.stand()
        except NetworkError as error:
            self.state = replace(self.state, possible=False, on=False, detail=str(error))
            return
        self._saw(seen)
        alone = seen.possible and not seen.on and not seen.joined
        if not alone:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = now
        elif self._by_itself and now - self._alone_since >= ALONE_S:
            self._alone_since = now  # what fails is tried again after the same time
            log.info("no network for a minute: opening %s", self.name)
            self.turn(True)

    def turn(self, on: bool) -> None:
        """Open or close it; what stands in the way is told by ``state``."""
        self.state = replace(self.state, doing="opening" if on else "closing", wrong="", detail="")
        try:
            if on:
                self._hotspot.open(self.name, self.password)
            else:
                self._hotspot.close()
            self._saw(self._hotspot.stand())
        except NetworkError as error:
            log.error("the direction's own network: %s", error)
            self.state = replace(self.state, wrong=error.code, detail=str(error))
        finally:
            self.state = replace(self.state, doing="")

    def _saw(self, seen: HotspotState) -> None:
        self.state = replace(self.state, possible=seen.possible, on=seen.on, joined=seen.joined)


def _kept(folder: Path) -> tuple[str, str]:
    """The network's name and password: those of before, or new ones."""
    path, kept = folder / FILE, dict[str, Any]()
    with suppress(OSError, ValueError):
        read = json.loads(path.read_text(encoding="utf-8"))
        kept = read if isinstance(read, dict) else {}
    name, password = kept.get("name"), kept.get("password")
    if isinstance(name, str) and isinstance(password, str) and 8 <= len(password) <= 63 and 0 < len(name) <= 32:
        return name, password
    name = "Stichwart-" + "".join(secrets.choice(_SIGNS) for _ in range(3)).upper()
    password = "-".join("".join(secrets.choice(_SIGNS) for _ in range(4)) for _ in range(3))
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"name": name, "password": password}, file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    return name, password

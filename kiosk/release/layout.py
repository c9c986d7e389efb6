"""Where releases lie: ``releases/NAME`` side by side, ``current`` a link to one of them, and what people ask for."""

import json
import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

from kiosk.release.bundle import LIST

#: The mark of a release that is whole; it is written last.
READY = "ready"


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders of an installation; systemd/launch knows the same names."""

    program: Path = Path("/opt/stichwart")  # root's
    state: Path = Path("/var/lib/stichwart/updates")  # the services' user's

    @property
    def keys(self) -> Path:
        """The makers' public keys, a line each."""
        return self.program / "maker.pub"

    @property
    def incoming(self) -> Path:
        """Where the services' user lays bundles for root to take; the installer makes it."""
        return self.state / "incoming"

    @property
    def answer(self) -> Path:
        """What root says of the bundles that lay there, for everybody to read."""
        return self.program / "update.json"

    def release(self, name: str) -> Path:
        """Folder of a release."""
        return self.program / "releases" / name

    def is_ready(self, name: str) -> bool:
        """Report whether a release lies there whole."""
        return (self.release(name) / READY).exists()

    @property
    def current(self) -> str:
        """Name of the release that starts; "": none."""
        try:
            return Path(os.readlink(self.program / "current")).name
        except OSError:
            return ""

    @property
    def failed(self) -> str:
        """Name of the release that did not come up and was left again; "": none."""
        try:
            return (self.program / "failed").read_text(encoding="utf-8").strip()
        except OSError:
            return ""

    @property
    def lasts(self) -> bool:
        """Report whether what is laid here outlives the machine: a card that takes nothing leaves room in memory.

        The mark is that of systemd/image/root/usr/lib/stichwart/no-data.
        """
        return not (self.state.parent / "in-memory").exists()

    def made(self, name: str) -> int:
        """When a release was made, seconds since the epoch; 0: not known."""
        try:
            return int(json.loads((self.release(name) / LIST).read_text(encoding="utf-8"))["made"])
        except (OSError, ValueError, KeyError, TypeError):
            return 0

    @property
    def wanted(self) -> str:
        """Name of the release that shall start at the next start; "": none other."""
        try:
            return (self.state / "switch").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def want(self, name: str) -> None:
        """Ask that a release is started from the next start on; systemd/launch does it."""
        self.state.mkdir(parents=True, exist_ok=True)
        put(self.state / "switch", name)

    def want_no_other(self) -> None:
        """Take the wish for another release back."""
        (self.state / "switch").unlink(missing_ok=True)


def put(path: Path, text: str) -> None:
    """Write a small file so that after a power loss it is there wholly or not at all.

    No link is followed: root writes where the services' user may lay one.
    """
    partial = path.with_name(path.name + ".new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with open(os.open(partial, flags, 0o644), "w", encoding="utf-8") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def this_machine() -> tuple[str, str]:
    """Machine and Python as a release names them."""
    return platform.machine(), f"{sys.version_info.major}.{sys.version_info.minor}"

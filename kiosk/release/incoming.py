"""Bring a bundle from the services' user to root: one lays it into a folder, the other takes it and says how that went.

The services' user may write neither releases nor root's answer; root writes nothing where that user may. So whoever has
the user's rights can have root read a file, and nothing else: what is run of it its maker has signed.
"""

import json
import logging
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from kiosk.release.bundle import BadBundle
from kiosk.release.layout import Layout, put
from kiosk.release.signing import BadKey
from kiosk.release.take import take

log = logging.getLogger(__name__)

#: What a bundle's name ends with; nothing else is looked at.
ENDING = ".bundle"

#: Seconds between two answers about the same step.
_TELL_S = 1.0

#: A bundle during which the machine, or root's service, has gone down so many times is not tried any more.
_TRIES = 3

#: Answers after which nothing more comes of a bundle.
DONE = ("ready", "refused")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What root says of a bundle."""

    file: str  # its name in the folder; "": there was none yet
    state: str = ""  # check unpack install try ready refused
    share: float = 0.0  # of the unpacking
    release: str = ""  # where it is ready
    code: str = ""  # why it was refused, with its values; the text is for administrators
    values: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    tries: int = 0  # how often it was begun


def answered(layout: Layout) -> Answer:
    """Read what root says; an empty answer where it has said nothing that can be read."""
    try:
        return Answer(**json.loads(layout.answer.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return Answer(file="")


def take_incoming(layout: Layout, roles: Sequence[str], now: Callable[[], float] = time.monotonic) -> int:
    """Take each bundle of the folder in, as root; return how many could be used. The folder is empty then.

    What was laid waits until the services' user asks for it; nothing is switched here.
    """
    used = 0
    with _folder(layout) as folder:
        while (name := _next(folder)) is not None:
            try:
                used += _take(layout, folder, name, roles, now)
            finally:
                os.unlink(name, dir_fd=folder)
    return used


@contextmanager
def _folder(layout: Layout) -> Iterator[int]:
    """The folder, without following a link below the state's own: the services' user may lay one there."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    opened = [os.open(layout.state.parent, flags)]
    try:
        for name in (layout.state.name, layout.incoming.name):
            opened.append(os.open(name, flags, dir_fd=opened[-1]))
        yield opened[-1]
    finally:
        for one in opened:
            os.close(one)


def _next(folder: int) -> str | None:
    """The oldest bundle; what is none goes, or systemd would start this again for it."""
    found = []
    for entry in os.scandir(folder):
        if entry.is_file(follow_symlinks=False) and entry.name.endswith(ENDING):
            found.append((entry.stat(follow_symlinks=False).st_mtime, entry.name))
            continue
        log.warning("%r in the folder of bundles is none; it is removed", entry.name)
        with suppress(OSError):
            (os.rmdir if entry.is_dir(follow_symlinks=False) else os.unlink)(entry.name, dir_fd=folder)
    return min(found)[1] if found else None


def _take(layout: Layout, folder: int, name: str, roles: Sequence[str], now: Callable[[], float]) -> bool:
    before = answered(layout)
    where = f"/proc/self/fd/{folder}"  # the folder that was opened, whatever stands under its name by now
    tries = before.tries + 1 if before.file == name and before.state not in DONE else 1
    teller = _Teller(layout, Answer(file=name, state="check", tries=tries), now)
    try:
        if tries > _TRIES:
            raise BadBundle("bundle_died", f"{name}: the machine went down {_TRIES} times while it was taken")
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise BadBundle("bundle_none", f"{name}: is no file", name=name)
        release = take(Path(where, name), layout, roles=roles, step=teller.step)
    except BadBundle as error:
        teller.refused(error.code, error.values, str(error).replace(where, str(layout.incoming)))
    except BadKey as error:
        teller.refused("bundle_key", {}, str(error))
    except OSError as error:
        teller.refused("bundle_disk", {"why": error.strerror or str(error)}, repr(error))
    else:
        log.info("%s is there", release)
        teller.tell(replace(teller.answer, state="ready", share=1.0, release=release, tries=0))
        return True
    return False


class _Teller:
    """Writes root's answer, about the same step once a second."""

    def __init__(self, layout: Layout, answer: Answer, now: Callable[[], float]) -> None:
        self._layout, self._now = layout, now
        self.tell(answer)

    def tell(self, answer: Answer) -> None:
        """Write an answer."""
        self.answer, self._told_at = answer, self._now()
        put(self._layout.answer, json.dumps(asdict(answer)))

    def step(self, what: str, share: float) -> None:
        """Tell what is being done, and how much of it is."""
        if what != self.answer.state or self._now() - self._told_at >= _TELL_S:
            self.tell(replace(self.answer, state=what, share=round(share, 3)))

    def refused(self, code: str, values: Mapping[str, Any], text: str) -> None:
        """Tell why nothing comes of it."""
        log.error("%s", text)
        self.tell(replace(self.answer, state="refused", code=code, values=dict(values), text=text, tries=0))


def lay_down(part: Path, layout: Layout, name: str) -> None:
    """Hand a bundle that is whole to root, as the services' user: by one rename, so that it is never seen in part.

    :param part: where it was written, on the same disk.
    :raises BadBundle: this machine takes none.
    :raises OSError: the disk does not take it.
    """
    if not layout.incoming.is_dir():
        raise BadBundle("bundle_nobody", f"{layout.incoming} is missing: run systemd/install.sh again")
    os.chmod(part, 0o640)  # root's service reads it as the group, without any capability
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.rename(layout.incoming / name)

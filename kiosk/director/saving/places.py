"""Name the places that a database is saved to: sticks, and a folder on a second disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from hw.stick import Stick, StickError, Sticks

#: The folder of a place in which each machine that saves there has one of its own.
FOLDER: Final = "Stichwart"

_SECOND: Final = "second disk"


class Places:
    """The sticks of this machine, and a folder on another disk as one more of them.

    :param own: a folder on the disk that is saved from.
    :param second: on the other disk; None: there is none.
    """

    def __init__(self, sticks: Sticks | None, own: Path, second: Path | None = None) -> None:
        self._sticks, self._own, self._second = sticks, own, second

    def look(self) -> tuple[Stick, ...]:
        """List the places that are there; one without an id has no file system and can only be shown.

        :raises StickError: nobody can tell.
        """
        found = self._sticks.look() if self._sticks is not None else ()
        if self._second is None or not self._is_another_disk(self._second):
            return found
        disk = os.statvfs(self._second)
        size = disk.f_blocks * disk.f_frsize
        name = str(self._second)
        return (*found, Stick(device=name, name=name, size_bytes=size, filesystem="ext4", id=f"{_SECOND} {name}"))

    @contextmanager
    def mounted(self, place: Stick) -> Iterator[Path]:
        """Make a place's files reachable; a stick can be pulled afterwards.

        :raises StickError: it cannot be read or written.
        """
        if place.id.startswith(_SECOND):
            yield Path(place.device)
            return
        assert self._sticks is not None
        folder = self._sticks.mount(place)
        try:
            yield folder
        finally:
            with suppress(StickError):  # pulled by then: what was written before is synced
                self._sticks.unmount(place)

    def _is_another_disk(self, folder: Path) -> bool:
        """Whether a disk is mounted there: else the folder lies on the very disk that may die."""
        try:
            return folder.stat().st_dev != self._own.stat().st_dev
        except OSError:
            return False

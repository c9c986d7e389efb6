"""Find releases on the sticks of the direction's machine, and bring one to its disk."""

import contextlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hw.stick import StickError, copy_file
from kiosk.director.refusals import UnknownPlace
from kiosk.director.saving.places import Places
from kiosk.errors import shorten
from kiosk.release.bundle import BadBundle, look
from kiosk.release.incoming import ENDING

log = logging.getLogger(__name__)

#: Folders of a stick in which bundles are looked for, and how many are shown of each stick.
_FOLDERS, _MOST = ("", "stichwart"), 6


@dataclass(frozen=True, slots=True, kw_only=True)
class StickBundle:
    """A bundle on a stick, as far as its beginning tells; the whole of it is compared when it is taken in."""

    place: str  # the stick's id
    stick: str  # its name
    file: str  # below the stick's folder
    version: str = ""  # "": it cannot be read
    machine: str = ""
    python: str = ""
    code: str = ""  # why it cannot be taken: words of the subject bundles
    values: Mapping[str, Any] = field(default_factory=dict)


def bundles_on(places: Places) -> list[StickBundle]:
    """List the bundles on the sticks that are plugged in; a stick that cannot be read has none."""
    found: list[StickBundle] = []
    with contextlib.suppress(StickError):
        for place in places.look():
            with contextlib.suppress(StickError, OSError), places.mounted(place) as top:
                found += [_shown(place.id, place.name, top, path) for path in _bundles(top)]
    return found


def bring(places: Places, id_: str, file: str, into: Path) -> None:
    """Copy a bundle that is on a stick to this disk.

    :raises UnknownPlace: stick or bundle is not there, or cannot be read.
    :raises OSError: ``into`` cannot be written.
    """
    try:
        place = next((one for one in places.look() if one.id == id_), None)
        if place is None:
            raise UnknownPlace("no_stick", f"there is no stick with {shorten(id_)}; plug it in and try again")
        with places.mounted(place) as top:
            path = next((one for one in _bundles(top) if one.relative_to(top).as_posix() == file), None)
            if path is None:  # no other file of a stick is ever read
                raise UnknownPlace("no_bundle", f"{place.name}: no release {shorten(file)} is on it")
            copy_file(path, into, lambda share: None)
    except StickError as error:
        raise UnknownPlace("no_stick", f"the stick cannot be read ({error}); plug it in again") from error


def _bundles(top: Path) -> list[Path]:
    """The bundles of a stick, the newest first."""
    inside = [top / name for name in _FOLDERS if (top / name).is_dir()]
    paths = [path for one in inside for path in one.iterdir() if path.name.endswith(ENDING) and path.is_file()]
    return sorted(paths, key=lambda path: -path.stat().st_mtime)[:_MOST]


def _shown(place: str, stick: str, top: Path, path: Path) -> StickBundle:
    told: dict[str, Any] = {"place": place, "stick": stick, "file": path.relative_to(top).as_posix()}
    try:
        release = look(path, None)
    except BadBundle as error:
        return StickBundle(**told, code=error.code, values=error.values)
    return StickBundle(**told, version=release.version, machine=release.machine, python=release.python)

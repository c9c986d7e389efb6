"""Bring a bundle to where root takes it: look through a stick, copy from it, or fetch it from the direction.

All of this works beside the table's loop.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hw.stick import Stick, StickError, Sticks, copy_file
from kiosk.errors import LineError
from kiosk.release.bundle import BadBundle, look
from kiosk.release.incoming import ENDING, lay_down
from kiosk.release.layout import Layout
from kiosk.release.signing import BadKey
from kiosk.release.take import check_fits
from kiosk.sync.fetching import Fetching
from kiosk.ui.hardware.release_view import BundleLine

log = logging.getLogger(__name__)

#: Folders of a stick in which bundles are looked for, and how many are shown at most.
_FOLDERS, _MOST = ("", "stichwart"), 4


@dataclass(frozen=True, slots=True)
class SticksSearched:
    """The sticks were looked through for bundles."""

    found: tuple[BundleLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A bundle is on its way, lies where root takes it, or could not be brought."""

    job: int
    state: str  # copying fetching laid failed
    percent: int = 0
    code: str = ""  # why it failed: words of the subject bundles
    values: dict[str, Any] = field(default_factory=dict)
    again: bool = False  # it failed for the moment alone: it is tried again


ReleaseMessage = SticksSearched | Brought


def part_of(layout: Layout, name: str) -> Path:
    """Return where a bundle is written until it is whole; all others there are removed."""
    folder = layout.state / "fetching"
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name != name:
            path.unlink(missing_ok=True)
    return folder / name


def search(sticks: Sticks, seen: tuple[Stick, ...], layout: Layout) -> SticksSearched:
    """Look for bundles on the sticks; each is checked as far as its beginning tells."""
    found: list[BundleLine] = []
    for stick in seen:
        try:
            folder = sticks.mount(stick, to_read=True)
            try:
                found += [_line(stick, path, folder, layout) for path in _bundles(folder)]
            finally:
                sticks.unmount(stick)
        except StickError as error:
            log.error("%s: %s", stick.device, error)
            found.append(BundleLine(device=stick.device, stick=stick.name, file="", code=f"stick_{error.code}"))
        except OSError as error:
            log.error("%s: %s", stick.device, error)
            found.append(BundleLine(device=stick.device, stick=stick.name, file="", code="stick_gone"))
    return SticksSearched(tuple(found[:_MOST]))


def _bundles(folder: Path) -> list[Path]:
    """The bundles of a stick, the newest first."""
    inside = [folder / name for name in _FOLDERS if (folder / name).is_dir()]
    paths = [path for one in inside for path in one.iterdir() if path.name.endswith(ENDING) and path.is_file()]
    return sorted(paths, key=lambda path: -path.stat().st_mtime)[:_MOST]


def _line(stick: Stick, path: Path, folder: Path, layout: Layout) -> BundleLine:
    told: dict[str, Any] = {"device": stick.device, "stick": stick.name, "file": path.relative_to(folder).as_posix()}
    try:
        release = look(path, layout.keys)
        if release.version == layout.current:
            return BundleLine(**told, release=release.version, code="bundle_same", values={"version": release.version})
        check_fits(release, layout)
    except BadBundle as error:
        return BundleLine(**told, release=str(error.values.get("version", "")), code=error.code, values=error.values)
    except BadKey as error:
        log.error("%s", error)
        return BundleLine(**told, code="bundle_key")
    return BundleLine(**told, release=release.version)


def copy(
    sticks: Sticks, stick: Stick, file: str, layout: Layout, name: str, told: Callable[[str, int], None]
) -> tuple[str, str]:
    """Copy a bundle from a stick and lay it down for root; return why not, as code and reason; "" where it lies there.

    :param name: under which root is given it.
    :param told: called with ``copying`` and the percent that is done.
    """
    part = layout.state / "fetching" / "stick.part"
    try:
        part = part_of(layout, "stick.part")
        folder = sticks.mount(stick, to_read=True)
        try:
            copy_file(folder / file, part, lambda share: told("copying", round(100 * share)))
        finally:
            sticks.unmount(stick)
        lay_down(part, layout, name)
    except StickError as error:
        log.error("%s: %s", stick.device, error)
        part.unlink(missing_ok=True)
        return f"stick_{error.code}", ""
    except (BadBundle, OSError) as error:
        return _failed(error, part)
    return "", ""


def fetch(fetching: Fetching, layout: Layout, sha256: str, name: str) -> tuple[str, str]:
    """Fetch a bundle from the direction, from where it was broken off, and lay it down; as ``copy``.

    :param sha256: of the bundle, by which the part that is there is known.
    :raises LineError: the direction is away, or has taken it back: what is there stays for the next try.
    """
    part = layout.state / "fetching" / f"{sha256}.part"
    try:
        part = part_of(layout, part.name)
        fetching.run(part)
        lay_down(part, layout, name)
    except LineError:
        raise
    except (BadBundle, OSError) as error:
        return _failed(error, part)
    return "", ""


def _failed(error: BadBundle | OSError, part: Path) -> tuple[str, str]:
    log.error("a bundle could not be brought: %s", error)
    if isinstance(error, BadBundle):
        part.unlink(missing_ok=True)
        return error.code, ""
    return "bundle_disk", error.strerror or str(error)

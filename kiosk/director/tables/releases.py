"""Keep the releases that the direction has for its tables: bundles on its disk, and which table shall run which.

Bundles and wishes are files in a folder, written whole or not at all: a director that is killed goes on with them.
Lives on the event loop; what reads or writes a bundle works in a thread.
"""

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from kiosk.director.refusals import TooLarge, TooSlow
from kiosk.director.tables.line_end import LineEnd
from kiosk.errors import LocalisedError, shorten
from kiosk.release.bundle import BadBundle, unpack
from kiosk.release.incoming import ENDING
from kiosk.release.layout import Layout, put
from kiosk.release.signing import BadKey

log = logging.getLogger(__name__)

#: Bytes that a bundle may have; one for a table has 125 MB.
LARGEST = 600_000_000

#: Bytes that are written at once, and seconds without any after which an upload has ended.
_PIECE, _SILENCE_S = 1 << 20, 30.0

_WISHES = "wishes.json"


class NoRelease(LocalisedError):
    """A release that is not here, or cannot be taken in here; the text says the way out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A bundle on this disk."""

    sha256: str
    version: str
    machine: str
    python: str
    made: int  # seconds since the epoch
    size: int  # bytes
    checked: bool  # signed by a maker whose key is installed here; False: there is no key here, tables look themselves

    @property
    def kind(self) -> tuple[str, str]:
        """For which machine and Python it is."""
        return self.machine, self.python


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """That a table shall run a release."""

    order: int  # a later one counts before an earlier one
    version: str


class Releases:
    """The bundles and the wishes.

    :param folder: where both are kept; None: nothing is taken in.
    :param installed: where this program's own releases lie, and the makers' keys.
    """

    def __init__(self, folder: Path | None, installed: Layout | None) -> None:
        self._folder, self._installed = folder, installed
        self.bundles: dict[str, Bundle] = {}  # by SHA-256
        self.for_all: Wish | None = None
        self.for_tables: dict[int, Wish] = {}
        self._last = 0  # number of the last order
        if folder is not None and folder.is_dir():
            self._read(folder)

    # --- bundles

    def path(self, bundle: Bundle) -> Path:
        """Return where a bundle lies."""
        return self._need_folder() / f"{bundle.sha256}{ENDING}"

    def of(self, version: str, kind: tuple[str, str]) -> Bundle | None:
        """Return the bundle of a version for a kind of machine; None: there is none here."""
        return next((one for one in self.bundles.values() if (one.version, one.kind) == (version, kind)), None)

    async def take_in(self, parts: AsyncIterator[bytes]) -> Bundle:
        """Take a bundle in as it comes, and compare all of it with its signed list.

        :raises NoRelease: it cannot be kept here, or the key of this machine is none.
        :raises BadBundle: it is none, foreign, changed or cut off.
        :raises TooLarge: it is larger than any.
        :raises TooSlow: nothing comes any more.
        """
        folder = self._need_folder()
        part = folder / f"{secrets.token_hex(8)}.part"
        try:
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
            digest, size = await _write(part, parts)
            bundle = await asyncio.to_thread(self._look, part, digest, size)
            await asyncio.to_thread(part.replace, self.path(bundle))
            await asyncio.to_thread(put, folder / f"{digest}.json", json.dumps(asdict(bundle)))
        except OSError as error:
            raise NoRelease(
                "release_disk", f"{folder}: {error.strerror or error}; make room", why=error.strerror or str(error)
            ) from error
        finally:
            await asyncio.to_thread(part.unlink, missing_ok=True)
        self.bundles[digest] = bundle
        await asyncio.to_thread(self._tidy, bundle)
        log.info("%s for %s, Python %s was taken in", bundle.version, bundle.machine, bundle.python)
        return bundle

    def _look(self, part: Path, digest: str, size: int) -> Bundle:
        keys = self._installed.keys if self._installed is not None and self._installed.keys.exists() else None
        try:
            release = unpack(part, keys, None)
        except BadKey as error:
            raise NoRelease("bundle_key", str(error)) from error
        told = {"version": release.version, "machine": release.machine, "python": release.python, "made": release.made}
        return Bundle(sha256=digest, size=size, checked=keys is not None, **told)  # type: ignore[arg-type]

    def _tidy(self, new: Bundle) -> None:
        """Remove bundles of the same kind that nobody wishes and that a newer one has replaced."""
        wished = {wish.version for wish in (self.for_all, *self.for_tables.values()) if wish is not None}
        for old in list(self.bundles.values()):
            if old.kind == new.kind and old.sha256 != new.sha256 and old.version not in wished:
                self._remove(old)

    def _remove(self, bundle: Bundle) -> None:
        self.bundles.pop(bundle.sha256, None)
        self.path(bundle).with_suffix(".json").unlink(missing_ok=True)
        self.path(bundle).unlink(missing_ok=True)

    # --- wishes

    async def wish(self, version: str, tables: Collection[int] | None) -> int:
        """Wish that tables run a release; return how many files there are of it.

        :param tables: None: all, those that come later too.
        :raises NoRelease: there is none of that version.
        """
        fit = [one for one in self.bundles.values() if one.version == version]
        if not fit:
            raise NoRelease(
                "release_gone", f"{shorten(version)}: no such release here; upload it", version=version[:80]
            )
        self._last += 1
        wish = Wish(order=self._last, version=version)
        if tables is None:
            self.for_all, self.for_tables = wish, {}
        else:
            self.for_tables |= dict.fromkeys(tables, wish)
        await asyncio.to_thread(self._write_wishes)
        return len(fit)

    async def withdraw(self) -> None:
        """Take all wishes back; what a table has switched to already stays."""
        self.for_all, self.for_tables = None, {}
        await asyncio.to_thread(self._write_wishes)

    def wished(self, table: int) -> Wish | None:
        """Return what is wished of a table."""
        found = [wish for wish in (self.for_all, self.for_tables.get(table)) if wish is not None]
        return max(found, key=lambda wish: wish.order, default=None)

    async def offer(self, table: int, end: LineEnd) -> None:
        """Tell a table's device which release it shall run, if it takes any and that has changed."""
        if end.takes is None:
            return
        wish = self.wished(table)
        bundle = None if wish is None else self.of(wish.version, end.takes)
        told: dict[str, Any] | None = None
        if wish is not None and bundle is not None:
            told = {"order": wish.order, "version": bundle.version, "made": bundle.made}
            told |= {"sha256": bundle.sha256, "size": bundle.size}
        if told != end.offered:
            end.offered = told
            await end.send({"release": told})

    # --- the disk

    def _need_folder(self) -> Path:
        if self._folder is None:
            raise NoRelease("release_folder", "this service has no folder for releases")
        return self._folder

    def _write_wishes(self) -> None:
        folder = self._need_folder()
        kept = {
            "last": self._last,
            "all": None if self.for_all is None else asdict(self.for_all),
            "tables": {str(table): asdict(wish) for table, wish in self.for_tables.items()},
        }
        try:
            put(folder / _WISHES, json.dumps(kept))
        except OSError as error:
            raise NoRelease(
                "release_disk", f"{folder}: {error.strerror or error}", why=error.strerror or str(error)
            ) from error

    def _read(self, folder: Path) -> None:
        for part in folder.glob("*.part"):  # an upload that was cut off
            part.unlink(missing_ok=True)
        for path in folder.glob(f"*{ENDING}"):
            try:
                bundle = Bundle(**json.loads(path.with_suffix(".json").read_text(encoding="utf-8")))
            except (OSError, ValueError, TypeError) as error:
                log.warning("%s is left out: %s", path, error)
                continue
            if path.stat().st_size == bundle.size:
                self.bundles[bundle.sha256] = bundle
        try:
            self._take_wishes(json.loads((folder / _WISHES).read_text(encoding="utf-8")))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            log.error("%s: which table shall run which release is not known any more: %s", folder, error)

    def _take_wishes(self, kept: Mapping[str, Any]) -> None:
        self._last = int(kept["last"])
        self.for_all = None if kept["all"] is None else Wish(**kept["all"])
        self.for_tables = {int(table): Wish(**wish) for table, wish in kept["tables"].items()}


async def _write(part: Path, parts: AsyncIterator[bytes]) -> tuple[str, int]:
    """Write what comes into a file; return its SHA-256 and size."""
    digest, size, held = sha256(), 0, bytearray()
    with part.open("wb") as file:

        def flush() -> None:
            digest.update(held)
            file.write(held)
            held.clear()

        coming = aiter(parts)
        while True:
            try:
                async with asyncio.timeout(_SILENCE_S):
                    piece = await anext(coming, None)
            except TimeoutError:
                raise TooSlow(f"nothing came for {_SILENCE_S:.0f} seconds; upload it again") from None
            if piece is None:
                break
            size += len(piece)
            if size > LARGEST:
                raise TooLarge(f"more than {LARGEST} bytes; that is no bundle of Stichwart")
            held += piece
            if len(held) >= _PIECE:
                await asyncio.to_thread(flush)
        await asyncio.to_thread(flush)
    if not size:
        raise BadBundle("bundle_none", "the file is empty", name="")
    return digest.hexdigest(), size

"""Write and check a bundle: one file (tar) with its list, the list's signature, program and wheels of one platform.

The list stands first and is checked before anything else is looked at; then each file is checked against it while it is
unpacked. So what was cut off, changed or added is found wherever the bundle lies, and nothing of it is ever run.
"""

import hashlib
import io
import json
import os
import re
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from kiosk.errors import LocalisedError, shorten

LIST, SIGNATURE = "release.json", "release.sig"

#: Of an Ed25519 signature.
SIGNATURE_BYTES = 64

#: What a list may be at most, bytes; one of 1,500 files has 200,000.
_LARGEST_LIST = 4_000_000

#: What a release may be at most, bytes: a stranger's bundle never gets so far, a maker's mistake does.
_LARGEST = 2_000_000_000

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,60}")

_CHUNK = 1 << 20


class BadBundle(LocalisedError):
    """A bundle that is not taken; the code says why and the text the way out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A file of a release as its list has it."""

    sha256: str
    size: int  # bytes
    program: bool = False  # it may be run


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What a bundle holds."""

    version: str  # its name, too: "0.3.0+23e0a29"
    made: int  # seconds since the epoch; a later one replaces an earlier one
    machine: str  # "aarch64", "x86_64"
    python: str  # "3.11"
    files: Mapping[str, Listed]

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(one.size for one in self.files.values())


def listed(path: Path) -> Listed:
    """Describe a file for the list."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(_CHUNK):
            digest.update(part)
    return Listed(sha256=digest.hexdigest(), size=path.stat().st_size, program=bool(path.stat().st_mode & 0o100))


def write(release: Release, folder: Path, out: Path, key: Path) -> None:
    """Write a bundle of a folder's files, signed by the maker.

    :raises BadKey: it cannot be signed.
    """
    from kiosk.release.signing import sign  # a checkout is installed before cryptography is there

    content = json.dumps(asdict(release), sort_keys=True).encode()
    beginning = {LIST: content, SIGNATURE: sign(content, key)}
    partial = out.with_name(out.name + ".partial")
    with tarfile.open(partial, "w") as tar:
        for name, data in beginning.items():
            told = tarfile.TarInfo(name)
            told.size, told.mtime = len(data), release.made
            tar.addfile(told, io.BytesIO(data))
        for name in sorted(release.files):
            told = tarfile.TarInfo(name)
            told.size, told.mtime = release.files[name].size, release.made
            with (folder / name).open("rb") as file:
                tar.addfile(told, file)
    partial.replace(out)


def look(bundle: Path, keys: Path | None) -> Release:
    """Read what a bundle holds, once its maker is known to be ours.

    :param keys: the makers' public keys; None: whoever made it, for those who only hand it on.
    :raises BadBundle: it is none, cut off in its beginning, or nobody's whose key is here.
    :raises BadKey: there is no key to compare with.
    """
    with _opened(bundle) as tar:
        return _beginning(tar, bundle, keys)


def unpack(
    bundle: Path, keys: Path | None, into: Path | None, *, step: Callable[[float], None] = lambda _: None
) -> Release:
    """Unpack a bundle into a folder that is empty; whatever differs from the list ends it.

    :param keys: as of ``look``.
    :param into: None: it is only compared with its list.
    :param step: called with the share that is done.
    :raises BadBundle: as ``look``; or a file is missing, changed, too much, or cannot be read to its end.
    """
    with _opened(bundle) as tar:
        release = _beginning(tar, bundle, keys)
        left, done = dict(release.files), 0
        try:
            while (entry := tar.next()) is not None:
                expected = left.pop(entry.name, None)
                content = tar.extractfile(entry) if entry.isreg() else None
                if expected is None or content is None:
                    raise BadBundle(
                        "bundle_changed", f"{bundle}: holds {shorten(entry.name)}, which its maker did not list"
                    )
                what = f"{bundle}: {entry.name}"
                if into is None:
                    _compare(content, len, expected, what)
                else:
                    _copy(content, into / entry.name, expected, what)
                done += expected.size
                step(done / max(1, release.size))
        except (OSError, tarfile.TarError, EOFError) as error:
            if isinstance(error, OSError) and error.filename is not None:  # our own disk
                raise
            raise _cut(bundle, error) from error
        if left:
            raise _cut(bundle, f"{len(left)} files are missing, the first {shorten(min(left))}")
    return release


def _opened(bundle: Path) -> tarfile.TarFile:
    try:
        return tarfile.open(bundle, "r:")
    except (OSError, tarfile.TarError, EOFError) as error:
        raise BadBundle(
            "bundle_none", f"{bundle}: cannot be read as a bundle ({error}); copy it there again", name=bundle.name
        ) from error


def _beginning(tar: tarfile.TarFile, bundle: Path, keys: Path | None) -> Release:
    from kiosk.release.signing import is_signed

    content = _first(tar, bundle, LIST, _LARGEST_LIST)
    signature = _first(tar, bundle, SIGNATURE, SIGNATURE_BYTES)
    if keys is not None and not is_signed(content, signature, keys):
        raise BadBundle(
            "bundle_foreign",
            f"{bundle}: not signed by the maker whose key is installed ({keys}); get it from who maintains this table",
            name=bundle.name,
        )
    return _read_list(content, bundle)


def _first(tar: tarfile.TarFile, bundle: Path, name: str, largest: int) -> bytes:
    try:
        entry = tar.next()
        file = tar.extractfile(entry) if entry is not None and entry.isreg() else None
        if entry is None or entry.name != name or entry.size > largest or file is None:
            raise BadBundle(
                "bundle_none", f"{bundle}: is no bundle of Stichwart; copy it there again", name=bundle.name
            )
        content = file.read()
        if len(content) != entry.size:
            raise _cut(bundle, "its beginning")
        return content
    except (OSError, tarfile.TarError, EOFError) as error:
        raise _cut(bundle, error) from error


def _read_list(content: bytes, bundle: Path) -> Release:
    """The list, which its maker has signed; what it says is checked all the same: a mistake is not run as root."""
    try:
        told: dict[str, Any] = json.loads(content)
        files = {name: Listed(**one) for name, one in told.pop("files").items()}
        release = Release(**told, files=files)
        sound = (
            _NAME.fullmatch(release.version) is not None
            and all(_is_inside(name) and one.size >= 0 for name, one in files.items())
            and release.size <= _LARGEST
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadBundle("bundle_none", f"{bundle}: its list cannot be read ({error})", name=bundle.name) from error
    if not sound:
        raise BadBundle(
            "bundle_none", f"{bundle}: its list names files outside a release, or too much", name=bundle.name
        )
    return release


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and str(path) == name and name not in ("", ".")


def _copy(content: IO[bytes], path: Path, expected: Listed, what: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755 if expected.program else 0o644), "wb") as file:
        _compare(content, file.write, expected, what)


def _compare(content: IO[bytes], write: Callable[[bytes], object], expected: Listed, what: str) -> None:
    digest, size = hashlib.sha256(), 0
    while part := content.read(_CHUNK):
        digest.update(part)
        size += len(part)
        write(part)
    if size != expected.size or digest.hexdigest() != expected.sha256:
        raise BadBundle("bundle_changed", f"{what}: is not as its maker listed it; copy the bundle again")


def _cut(bundle: Path, why: object) -> BadBundle:
    return BadBundle(
        "bundle_cut", f"{bundle}: broken off ({why}); copy it again and wait until the stick is free", name=bundle.name
    )

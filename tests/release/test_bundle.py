"""Bundles: whole and their maker's, or refused with the way out, and nothing of them is left."""

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.release.bundle import LIST, SIGNATURE, BadBundle, look, unpack
from kiosk.release.signing import BadKey, is_signed, new_key, sign
from tests.release import tiny

MISSING = object()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """A bundle, its maker's private and public key."""
    folder = tmp_path_factory.mktemp("maker")
    private, public = tiny.maker(folder)
    return tiny.bundle(tiny.program(folder / "program"), private, folder / "x.bundle"), private, public


def entries(bundle: Path) -> list[tuple[str, bytes]]:
    with tarfile.open(bundle) as tar:
        return [(one.name, tar.extractfile(one).read()) for one in tar.getmembers()]  # type: ignore[union-attr]


def packed(path: Path, parts: list[tuple[str, bytes]], kind: bytes = tarfile.REGTYPE) -> Path:
    with tarfile.open(path, "w") as tar:
        for name, content in parts:
            told = tarfile.TarInfo(name)
            told.size, told.type = len(content), kind if name not in (LIST, SIGNATURE) else tarfile.REGTYPE
            tar.addfile(told, io.BytesIO(content))
    return path


def test_what_was_packed_comes_out(made: Any, tmp_path: Path) -> None:
    bundle, _, public = made
    shares: list[float] = []
    release = unpack(bundle, public, tmp_path, step=shares.append)
    assert release == look(bundle, public) and release.version == "0.2"
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} == set(
        release.files
    )
    assert (tmp_path / "stichwart").stat().st_mode & 0o777 == 0o755
    assert shares == sorted(shares) and shares[-1] == 1.0


#: What is done to a bundle's entries → the code of the refusal.
DAMAGES: dict[str, tuple[Callable[[list[tuple[str, bytes]]], list[tuple[str, bytes]]], str]] = {
    "a byte of a file": (lambda e: [*e[:-1], (e[-1][0], b"X" + e[-1][1][1:])], "bundle_changed"),
    "a file longer": (lambda e: [*e[:-1], (e[-1][0], e[-1][1] + b"X")], "bundle_changed"),
    "a file missing": (lambda e: e[:-1], "bundle_cut"),
    "a file more": (lambda e: [*e, ("more", b"x")], "bundle_changed"),
    "a file twice": (lambda e: [*e, e[-1]], "bundle_changed"),
    "a file outside": (lambda e: [*e, ("../outside", b"x")], "bundle_changed"),
    "the list": (lambda e: [(LIST, e[0][1].replace(b'"0.2"', b'"0.9"')), *e[1:]], "bundle_foreign"),
    "the signature": (lambda e: [e[0], (SIGNATURE, bytes(64)), *e[2:]], "bundle_foreign"),
    "a short signature": (lambda e: [e[0], (SIGNATURE, b"x"), *e[2:]], "bundle_foreign"),
    "no signature": (lambda e: [e[0], *e[2:]], "bundle_none"),
    "another order": (lambda e: [e[1], e[0], *e[2:]], "bundle_none"),
    "nothing": (lambda e: [], "bundle_none"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_was_changed_is_refused(made: Any, tmp_path: Path, damage: str) -> None:
    bundle, _, public = made
    change, code = DAMAGES[damage]
    with pytest.raises(BadBundle) as refused:
        unpack(packed(tmp_path / "x.bundle", change(entries(bundle))), public, tmp_path / "out")
    assert refused.value.code == code
    assert not (tmp_path / "outside").exists()


def test_a_link_is_no_file(made: Any, tmp_path: Path) -> None:
    bundle, _, public = made
    with pytest.raises(BadBundle):
        unpack(packed(tmp_path / "x.bundle", entries(bundle), tarfile.SYMTYPE), public, tmp_path / "out")


@settings(max_examples=60, deadline=None)
@given(share=st.floats(0, 1, exclude_max=True))
def test_a_bundle_cut_off_anywhere_is_refused(
    made: Any, tmp_path_factory: pytest.TempPathFactory, share: float
) -> None:
    bundle, _, public = made
    folder = tmp_path_factory.mktemp("cut")
    content = bundle.read_bytes()
    end = len(content.rstrip(b"\0"))  # what follows is tar's padding
    (folder / "x.bundle").write_bytes(content[: int(share * end)])
    with pytest.raises(BadBundle):
        unpack(folder / "x.bundle", public, folder / "out")


def test_a_stranger_is_refused_and_another_of_our_makers_is_not(made: Any, tmp_path: Path) -> None:
    bundle, _, public = made
    _, other = tiny.maker(tmp_path, "other")
    with pytest.raises(BadBundle) as refused:
        look(bundle, other)
    assert refused.value.code == "bundle_foreign"
    other.write_text(other.read_text() + public.read_text())
    assert look(bundle, other).version == "0.2"


@pytest.mark.parametrize("content", [None, "", "x", "AAAA", "ä"], ids=["none", "empty", "letter", "short", "umlaut"])
def test_a_key_that_is_none_is_told(made: Any, tmp_path: Path, content: str | None) -> None:
    keys = tmp_path / "maker.pub"
    if content is not None:
        keys.write_text(content, encoding="utf-8")
    with pytest.raises(BadKey, match=r"maker\.pub"):
        look(made[0], keys)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("version", "../../etc"), ("version", ""), ("version", "a b"), ("version", 7),
        ("files", {"/etc/passwd": {"sha256": "", "size": 1}}), ("files", {"a/../../b": {"sha256": "", "size": 1}}),
        ("files", {"a": {"sha256": "", "size": 10**12}}), ("files", []), ("made", MISSING),
    ],
)  # fmt: skip
def test_a_list_that_is_wrong_is_refused_although_it_is_signed(
    made: Any, tmp_path: Path, key: str, value: object
) -> None:
    bundle, private, public = made
    parts = entries(bundle)
    told = json.loads(parts[0][1])
    told = {name: one for name, one in {**told, key: value}.items() if one is not MISSING}
    content = json.dumps(told).encode()
    with pytest.raises(BadBundle) as refused:
        look(packed(tmp_path / "x.bundle", [(LIST, content), (SIGNATURE, sign(content, private))]), public)
    assert refused.value.code == "bundle_none"


def test_a_key_is_not_overwritten_and_nobody_else_reads_it(tmp_path: Path) -> None:
    private, public = tiny.maker(tmp_path)
    assert private.stat().st_mode & 0o777 == 0o600
    assert is_signed(b"x", sign(b"x", private), public) and not is_signed(b"y", sign(b"x", private), public)
    with pytest.raises(BadKey, match="not overwritten"):
        new_key(private, tmp_path / "new.pub")
    with pytest.raises(BadKey):
        sign(b"x", public)

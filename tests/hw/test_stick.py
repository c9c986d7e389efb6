"""USB sticks: what lsblk says, and one contract for a fake stick and a real file system of the kernel's."""

# ruff: noqa: E501

import errno
import json
import os
import shutil
import stat
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hw.stick import Stick, StickError, Sticks, UdisksSticks, sticks_in, write_files

pytestmark = pytest.mark.hardware


def part(path: str, fstype: str | None = "vfat", label: str | None = None, *places: str, ro: bool = False) -> Any:
    return {"path": path, "type": "part", "tran": None, "ro": ro, "size": 8_000_000_000, "fstype": fstype,
            "label": label, "model": None, "mountpoints": list(places) or [None]}  # fmt: skip


def disk(path: str, *parts: Any, **other: Any) -> Any:
    found = {"path": path, "type": "disk", "tran": "usb", "ro": False, "size": 8_000_000_000, "fstype": None,
             "label": None, "model": "Ultra Fit ", "mountpoints": [None], "children": list(parts)}  # fmt: skip
    if not parts:
        del found["children"]
    return {**found, **other}


@pytest.mark.parametrize(
    ("tree", "seen"),
    [
        ([], []),
        ([disk("/dev/sda", part("/dev/sda1", label="VEREIN"))], [("/dev/sda1", "VEREIN", "vfat", False)]),
        ([disk("/dev/sda", fstype="exfat")], [("/dev/sda", "Ultra Fit", "exfat", False)]),
        ([disk("/dev/sda", part("/dev/sda1", "ext4"), part("/dev/sda2", "vfat"))], [("/dev/sda2", "Ultra Fit", "vfat", False)]),
        ([disk("/dev/sda", part("/dev/sda1", None))], [("/dev/sda", "Ultra Fit", "", False)]),
        ([disk("/dev/sda", part("/dev/sda1", "apfs"))], [("/dev/sda1", "Ultra Fit", "apfs", False)]),
        ([disk("/dev/sda", part("/dev/sda1", ro=True))], [("/dev/sda1", "Ultra Fit", "vfat", True)]),
        ([disk("/dev/sda", part("/dev/sda1"), ro=True)], [("/dev/sda1", "Ultra Fit", "vfat", True)]),
        ([disk("/dev/sda"), disk("/dev/sdb", part("/dev/sdb1"))], [("/dev/sda", "Ultra Fit", "", False), ("/dev/sdb1", "Ultra Fit", "vfat", False)]),
        ([disk("/dev/sda", part("/dev/sda1"), size=0)], []),
        ([disk("/dev/sda", part("/dev/sda1"), tran="sata")], []),
        ([disk("/dev/mmcblk0", part("/dev/mmcblk0p1"), tran=None)], []),
        ([disk("/dev/sda", part("/dev/sda1", "vfat", "bootfs", "/boot/firmware"), part("/dev/sda2", "ext4", None, "/"))], []),
        ([disk("/dev/sda", part("/dev/sda1", "swap", None, "[SWAP]"))], []),
        ([disk("/dev/sda", part("/dev/sda1", "vfat", "A", "/media/stichwart/A"))], [("/dev/sda1", "A", "vfat", False)]),
        ([disk("/dev/sda", {**part("/dev/sda1", "crypto_LUKS"), "children": [part("/dev/dm-0", "ext4", None, "/home")]})], []),
    ],
    ids=["none", "one", "no partition", "two parts", "not formatted", "Apple", "locked part", "locked", "two sticks",
         "reader without card", "inside disk", "the machine's card", "the machine runs from it", "swap", "mounted already",
         "home on it"],
)  # fmt: skip
def test_what_is_a_stick(tree: list[Any], seen: list[tuple[str, str, str, bool]]) -> None:
    found = sticks_in(json.loads(json.dumps({"blockdevices": tree})))
    assert [(one.device, one.name, one.filesystem, one.read_only) for one in found] == seen


def test_this_machines_own_disks_are_no_sticks() -> None:
    assert UdisksSticks().look() == ()  # a real lsblk; nothing is plugged in where tests run


# --- the contract


class Plug(ABC):
    """A stick in the hand of a test: what is on it, and how it is pulled, filled and locked."""

    stick: Stick
    sticks: Sticks
    fill: Callable[[], None]
    pull: Callable[[], None]

    @abstractmethod
    def files(self) -> dict[str, bytes]:
        """What lies on it once it is in another computer."""


class FakeSticks(Sticks):
    """A stick that is a folder; it is there while it is mounted."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.there, self.mounted = folder, True, False
        self.stick = Stick(device="/dev/fake1", name="FAKE", size_bytes=1_000_000, filesystem="vfat")

    def look(self) -> tuple[Stick, ...]:
        return (self.stick,) if self.there else ()

    def mount(self, stick: Stick, *, to_read: bool = False) -> Path:
        if not self.there:
            raise StickError("gone", "pulled")
        if stick.read_only and not to_read:
            raise StickError("read_only", "locked")
        if stick.filesystem != "vfat":
            raise StickError("format", stick.filesystem)
        self.mounted = True
        return self.folder

    def unmount(self, stick: Stick) -> None:
        if not self.there:
            raise StickError("gone", "pulled")
        self.mounted = False


class FakePlug(Plug):
    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.patch = folder, monkeypatch
        self.sticks = self.fake = FakeSticks(folder)
        self.stick = self.fake.stick

    def files(self) -> dict[str, bytes]:
        assert not self.fake.mounted
        return read(self.folder)

    def fill(self) -> None:
        self._refuse(errno.ENOSPC)

    def pull(self) -> None:
        self.fake.there = False
        self._refuse(errno.EIO)

    def _refuse(self, number: int) -> None:
        def fsync(descriptor: int) -> None:
            raise OSError(number, os.strerror(number))

        self.patch.setattr(os, "fsync", fsync)


#: Stands for udisks2 where it does not run: mounts and unmounts for real, says what udisksctl says.
UDISKSCTL = """#!/bin/sh
case $1 in
mount) mkdir -p {at} && mount -t {kind} {options} "$4" {at} ;;
unmount) umount {at} ;;
esac
"""


class LoopPlug(Plug):
    """An image with a file system of the kernel's, mounted by mount(8)."""

    def __init__(self, folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at, self.kind, self.image = folder / "media" / "at", kind, folder / "image"
        self.sticks, self.folder = UdisksSticks(), folder
        self.image.write_bytes(b"\0" * 8_000_000)
        make(kind, self.image)
        self.device = run("losetup", "--find", "--show", str(self.image))
        self.stick = Stick(device=self.device, name=kind, size_bytes=8_000_000, filesystem=kind)
        tool = folder / "udisksctl"
        tool.write_text(UDISKSCTL.format(at=self.at, kind=kind, options=""))
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def files(self) -> dict[str, bytes]:
        """Mounted anew, from what the device has."""
        assert f" {self.at} " not in Path("/proc/self/mountinfo").read_text(), "it is mounted still"
        run("mount", "-t", self.kind, "-o", "ro", self.device, str(self.at))
        try:
            return read(self.at)
        finally:
            run("umount", str(self.at))

    def fill(self) -> None:
        folder = self.sticks.mount(self.stick)
        with pytest.raises(OSError, match="No space"), (folder / "other").open("wb") as file:
            while True:
                file.write(b"x" * 65536)
                file.flush()

    def pull(self) -> None:
        subprocess.run(["umount", "-l", str(self.at)], check=False, capture_output=True)
        Path(self.folder / "udisksctl").write_text("#!/bin/sh\necho 'Error looking up object' >&2; exit 1\n")

    def away(self) -> None:
        subprocess.run(["umount", "-l", str(self.at)], check=False, capture_output=True)
        subprocess.run(["losetup", "-d", self.device], check=False, capture_output=True)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this machine cannot: {' '.join(command)}: {done.stderr.strip()}")
    return done.stdout.strip()


def make(kind: str, image: Path) -> None:
    known = Path("/proc/filesystems").read_text().split()
    if kind not in known:
        pytest.skip(f"this machine's kernel has no {kind}")
    maker = shutil.which(f"mkfs.{kind}", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if maker is None or os.geteuid() != 0:
        pytest.skip(f"mkfs.{kind} and root are needed")
    run(maker, *(["-q"] if kind == "ext4" else []), str(image))


def read(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "other"
    }


@pytest.fixture(params=["fake", "ext4", "vfat", "exfat"])
def plug(request: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plug]:
    if request.param == "fake":
        (tmp_path / "stick").mkdir()
        yield FakePlug(tmp_path / "stick", monkeypatch)
        return
    loop = LoopPlug(tmp_path, request.param, monkeypatch)
    yield loop
    loop.away()


FILES = [
    ("2026-11-22 Fest/Tisch 1 Runde 1.pdf", b"p" * 70_000),
    ("2026-11-22 Fest/Größe ß.csv", b"c"),
    ("x.jsonl", b""),
]


def put(plug: Plug, files: Any, told: Callable[[int, str], None] = lambda number, name: None) -> int:
    """Write as the desk does."""
    folder = plug.sticks.mount(plug.stick)
    try:
        return write_files(folder, files, told)
    finally:
        plug.sticks.unmount(plug.stick)


def test_files_are_there_once_it_is_unmounted(plug: Plug) -> None:
    told: list[tuple[int, str]] = []
    assert put(plug, iter(FILES), lambda number, name: told.append((number, name))) == 3
    assert plug.files() == dict(FILES)
    assert told == [(number, name) for number, (name, _) in enumerate(FILES, 1)]


def test_a_second_time_takes_the_newer_file(plug: Plug) -> None:
    put(plug, FILES)
    put(plug, [(FILES[0][0], b"newer")])
    assert plug.files() == {**dict(FILES), FILES[0][0]: b"newer"}


def test_mounted_already_is_no_mistake(plug: Plug) -> None:
    assert plug.sticks.mount(plug.stick) == plug.sticks.mount(plug.stick)
    assert put(plug, FILES) == 3


def test_a_full_stick_keeps_the_older_file_and_no_half_one(plug: Plug) -> None:
    put(plug, [(FILES[0][0], b"older")])
    plug.fill()
    with pytest.raises(StickError) as caught:
        put(plug, FILES)
    assert caught.value.code == "full"
    assert plug.files() == {FILES[0][0]: b"older"}


def test_pulled_in_the_middle(plug: Plug) -> None:
    put(plug, [(FILES[0][0], b"older")])

    def pull(number: int, name: str) -> None:
        if number == 2:
            plug.pull()

    with pytest.raises(StickError) as caught:
        put(plug, FILES, pull)
    assert caught.value.code == "gone"


@pytest.mark.parametrize(
    ("other", "code"), [({"read_only": True}, "read_only"), ({"filesystem": "apfs"}, "format"), ({"filesystem": ""}, "format")]
)  # fmt: skip
def test_a_stick_that_cannot_be_written(plug: Plug, other: dict[str, Any], code: str) -> None:
    from dataclasses import replace

    with pytest.raises(StickError) as caught:
        plug.sticks.mount(replace(plug.stick, **other))
    assert caught.value.code == code


@pytest.mark.parametrize("after", ["open", "write", "fsync", "replace"])
def test_power_that_goes_leaves_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str) -> None:
    """Whatever was done last, under the name lies a whole file, and the next writing clears up."""
    write_files(tmp_path, [("a", b"older")], lambda number, name: None)

    class PowerCutError(BaseException):
        pass

    def cut(*_: object) -> None:
        raise PowerCutError

    if after == "fsync":
        monkeypatch.setattr(os, "fsync", cut)
    elif after == "replace":
        monkeypatch.setattr(Path, "replace", cut)
    else:
        monkeypatch.setattr(Path, "unlink", lambda *_, **__: None)
        monkeypatch.setattr(os, "fsync", cut)
    with pytest.raises(PowerCutError):
        write_files(tmp_path, [("a", b"newer")], lambda number, name: None)
    assert (tmp_path / "a").read_bytes() == b"older"
    monkeypatch.undo()
    write_files(tmp_path, [("a", b"newer")], lambda number, name: None)
    assert read(tmp_path) == {"a": b"newer"}


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (
            "echo 'GDBus.Error:org.freedesktop.UDisks2.Error.NotAuthorizedCanObtain: Not authorized' >&2; exit 1",
            "denied",
        ),
        ("echo 'GDBus.Error:org.freedesktop.UDisks2.Error.DeviceBusy: target is busy' >&2; exit 1", "busy"),
        ("echo 'Error looking up object for device /dev/sdz1' >&2; exit 1", "gone"),
        ("echo 'wrong fs type, bad option, bad superblock' >&2; exit 1", "format"),
        ("echo 'Could not connect: No such file or directory' >&2; exit 1", "tools"),
        ("exit 3", "failed"),
        ("exit 0", "gone"),
    ],
    ids=["polkit", "busy", "object", "damaged", "no bus", "silent", "vanished"],
)
def test_what_udisks_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, code: str) -> None:
    tool = tmp_path / "udisksctl"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(StickError) as caught:
        UdisksSticks().mount(Stick(device="/dev/sdz1", name="", size_bytes=1, filesystem="vfat"))
    assert caught.value.code == code


def test_a_machine_without_the_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StickError) as caught:
        UdisksSticks().look()
    assert caught.value.code == "tools"

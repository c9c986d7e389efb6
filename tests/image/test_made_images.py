"""Card images that have been made: what each must have on its two partitions, read without starting it.

``./stichwart image --for pi4 pi5 generic-arm64 --out build/stichwart.img`` makes images that are looked for;
``STICHWART_IMAGES`` names another folder.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from kiosk.image import disk
from kiosk.image.targets import TARGETS

FOLDER = Path(os.environ.get("STICHWART_IMAGES", Path(__file__).parents[2] / "build"))
MADE = {name: FOLDER / f"stichwart-{name}.img" for name in TARGETS if (FOLDER / f"stichwart-{name}.img").exists()}
PROGRAMS = ("sfdisk", "mcopy", "mdir", "unsquashfs", "zstd")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not MADE, reason=f"there is no image in {FOLDER}; ./stichwart image makes it"),
    pytest.mark.skipif(
        any(shutil.which(program) is None for program in PROGRAMS),
        reason=f"wants {', '.join(PROGRAMS)}; apt install fdisk mtools squashfs-tools zstd",
    ),
]

#: The drivers by which its initrd finds a card; a Pi 5's has its voltage and its detection at pins of their own.
DRIVERS: dict[str, tuple[str, ...]] = {
    "amd64": ("nvme", "ahci", "sd_mod", "usb-storage", "sdhci-pci", "virtio_blk"),
    "generic-arm64": ("nvme", "sd_mod", "usb-storage", "sdhci-pci", "virtio_blk"),
    "pi4": ("sdhci-iproc", "usb-storage"),
    "pi5": ("sdhci-brcmstb", "gpio-brcmstb", "pinctrl-brcmstb-bcm2712", "nvme"),
}
#: What makes the data partition, mounts it and the root, and stands in where it is dead.
IN_THE_INITRD = (
    "usr/bin/systemd-repart",
    "usr/lib/repart.d/50-data.conf",
    "usr/lib/systemd/system/systemd-repart.service.d/initrd.conf",
    "usr/sbin/mkfs.ext4",
    "usr/sbin/e2fsck",
    "usr/lib/stichwart/no-data",
    "usr/lib/systemd/system/initrd.target.wants/stichwart-no-data.service",
)


class Card:
    """An image, read by the programs that made it."""

    def __init__(self, image: Path, name: str) -> None:
        self.image, self.name, self.target = image, name, TARGETS[name]
        self.table = json.loads(subprocess.check_output(["sfdisk", "--json", image]))["partitiontable"]
        self.boot, self.root = self.table["partitions"]
        self._fat = f"{image}@@{self.boot['start'] * 512}"
        self._from = ["-o", str(self.root["start"] * 512)]
        listed = subprocess.check_output(["unsquashfs", *self._from, "-ll", image], text=True)
        #: Path → what ``ls -l`` says before it, and where a link leads to.
        self.tree = {path: (told[0], link) for told, path, link in map(self._line, listed.splitlines()) if path}

    @staticmethod
    def _line(line: str) -> tuple[list[str], str, str]:
        told, _, path = line.partition(" squashfs-root/")
        path, _, link = path.partition(" -> ")
        return told.split(), path, link

    def first(self) -> dict[str, bytes]:
        """Return the firmware partition's files."""
        listed = subprocess.check_output(["mdir", "-b", "-s", "-i", self._fat, "::"], text=True).splitlines()
        names = [name.removeprefix("::/") for name in listed if not name.endswith("/")]
        return {name: subprocess.check_output(["mcopy", "-n", "-i", self._fat, f"::/{name}", "-"]) for name in names}

    def read(self, path: str) -> str:
        """Read a file of the root."""
        return subprocess.check_output(["unsquashfs", *self._from, "-cat", self.image, path], text=True)


@pytest.fixture(scope="module", params=MADE)
def card(request: pytest.FixtureRequest) -> Card:
    return Card(MADE[request.param], request.param)


@pytest.fixture(scope="module")
def first(card: Card) -> dict[str, bytes]:
    return card.first()


def unpacked(initrd: bytes) -> dict[str, bytes]:
    """Unpack an archive of cpio's "newc" form that zstd has packed: names and contents."""
    data = subprocess.run(["zstd", "-dcq"], input=initrd, stdout=subprocess.PIPE, check=True).stdout
    files, at = {}, 0
    while True:
        assert data[at : at + 6] == b"070701", "each entry begins so"
        size, length = int(data[at + 54 : at + 62], 16), int(data[at + 94 : at + 102], 16)
        name = data[at + 110 : at + 110 + length - 1].decode()
        if name == "TRAILER!!!":
            return files
        begins = -(-(at + 110 + length) // 4) * 4
        files[name] = data[begins : begins + size]
        at = -(-(begins + size) // 4) * 4


def test_partitions_are_those_of_its_machine(card: Card) -> None:
    assert card.table["label"] == "gpt"
    assert [part["name"] for part in (card.boot, card.root)] == ["stichwart-boot", "stichwart-root"]
    assert card.root["type"].upper() == disk.ROOT[card.target.architecture]


def test_the_kernel_is_told_this_card_s_root(card: Card, first: dict[str, bytes]) -> None:
    text = first.get("cmdline.txt", first.get("loader/entries/stichwart.conf", b"")).decode()
    (root,) = re.findall(r"root=PARTUUID=(\S+)", text)
    assert root.upper() == card.root["uuid"].upper()
    assert card.target.command_line in text
    assert "{" not in text, "all its places are filled"


def test_its_firmware_finds_all_that_it_is_told_of(card: Card, first: dict[str, bytes]) -> None:
    assert all(first.values()), "no file is empty"
    assert sum(map(len, first.values())) < card.boot["size"] * 512 * 0.75, "and there is room for what people lay there"
    if "config.txt" not in first:
        kernel, initrd = re.findall(r"^(?:linux|initrd) /(.*)$", first["loader/entries/stichwart.conf"].decode(), re.M)
        assert {kernel, initrd} <= first.keys()
        return
    config = first["config.txt"].decode()
    (kernel,), (initrd,) = re.findall(r"^kernel=(.*)$", config, re.M), re.findall(r"^initramfs (\S+)", config, re.M)
    assert initrd in first
    # It unpacks gzip alone, and takes no EFI image that is packed by itself.
    assert first[kernel][56:60] == b"ARM\x64"
    trees = {name for name in first if name.endswith(".dtb")}
    wanted = "bcm2711" if card.name == "pi4" else "bcm2712"
    assert trees and all(wanted in name and first[name][:4] == b"\xd0\x0d\xfe\xed" for name in trees)
    if card.name == "pi4":
        assert {f"{stem}{kind}" for stem in ("start4", "fixup4") for kind in (".elf", ".dat")} & first.keys() == {
            "start4.elf",
            "fixup4.dat",
        }


def test_its_initrd_finds_the_card_and_makes_the_data_partition(card: Card, first: dict[str, bytes]) -> None:
    files = unpacked(first["initrd" if "initrd" in first else "stichwart/initrd"])
    assert [name for name in IN_THE_INITRD if not files.get(name)] == []
    built_in = b"\n".join(text for name, text in files.items() if name.endswith("/modules.builtin")).decode()
    there = {Path(name).name.partition(".ko")[0] for name in (*files, *built_in.split()) if ".ko" in name}
    there = {name.replace("_", "-") for name in there}
    for name in (*DRIVERS[card.name], "squashfs", "overlay", "ext4", "loop"):
        assert name.replace("_", "-") in there, f"no driver {name}"


def test_its_root_has_the_program_that_runs_on_its_processor(card: Card) -> None:
    release = f"opt/stichwart/{card.tree['opt/stichwart/current'][1]}"
    assert f"{release}/ready" in card.tree
    suffix = {"amd64": "x86_64", "arm64": "aarch64"}[card.target.architecture]
    built = [path for path in card.tree if path.startswith(release) and ".cpython-" in path and path.endswith(".so")]
    assert len(built) > 20
    assert [path for path in built if suffix not in path] == []
    told = dict(line.split("=", 1) for line in card.read("usr/lib/os-release").splitlines())
    assert (told["IMAGE_ID"], told["IMAGE_VERSION"]) == (f"stichwart-{card.name}", Path(release).name)
    wants = "etc/systemd/system/multi-user.target.wants"
    for unit in ("stichwart-table", "stichwart-director", "stichwart-data", "NetworkManager", "avahi-daemon", "ssh"):
        assert f"{wants}/{unit}.service" in card.tree
    kernels = {path.split("/")[3] for path in card.tree if path.startswith("usr/lib/modules/") and path.count("/") == 3}
    assert len(kernels) == 1


def test_nothing_in_it_is_anybody_s_and_nobody_logs_in(card: Card) -> None:
    assert card.read("etc/machine-id") == ""
    keys = re.compile(r"ssh_host_.*key|/random-seed$|authorized_keys|maker\.pub$|\.nmconnection$|/dbus/machine-id$")
    assert [path for path in card.tree if keys.search(path)] == []
    own = ("etc/stichwart/", "var/lib/stichwart/", "data/", "home/")
    assert [path for path in card.tree if path.startswith(own)] == []
    open_accounts = [line for line in card.read("etc/shadow").splitlines() if line.split(":")[1][:1] not in ("!", "*")]
    assert open_accounts == []
    for unit in ("getty@", "serial-getty@", "console-getty"):
        assert card.tree[f"etc/systemd/system/{unit}.service"][1] == "/dev/null"


def test_its_list_names_the_packages_of_its_machine(card: Card) -> None:
    listed = card.image.with_name(f"{card.image.name}.packages").read_text().splitlines()
    there = {line.split()[0] for line in listed if line.count(" ") == 2}
    assert set(card.target.packages) <= there
    assert [line for line in listed if line.startswith("Suite ")], "it says of which day the archives were"

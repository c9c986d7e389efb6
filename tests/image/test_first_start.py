"""What the first start makes of a card: systemd-repart itself, on a file instead of a card."""

import json
import os
import shutil
import subprocess

import pytest

from kiosk.image import disk
from kiosk.image.root import RECIPE

ROOT = RECIPE / "root"
FAT_BYTES = 40 * disk.MIB
PROGRAMS = ("systemd-repart", "sfdisk", "mkfs.vfat", "mcopy", "mkfs.ext4", "debugfs", "e2fsck")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        any(shutil.which(program) is None for program in PROGRAMS) or os.getuid() != 0,
        reason=f"wants to be root and {', '.join(PROGRAMS)}",
    ),
]


@pytest.fixture
def card(tmp_path):
    """A card image with a small root, and a root folder as the machine has it at that moment."""
    (tmp_path / "root.squashfs").write_bytes(b"hsqs" + bytes(3 * disk.MIB))
    disk.fat(tmp_path / "boot.fat", {"config.txt": b"kernel=linux\n"}, FAT_BYTES, 1_800_000_000)
    image = tmp_path / "card.img"
    disk.assemble(image, tmp_path / "boot.fat", tmp_path / "root.squashfs", "amd64", "seed")
    data = tmp_path / "root/usr/share/stichwart/data"
    data.mkdir(parents=True)
    (data / "machine-id").touch()
    return image


def start(card, mebibytes: int) -> list[dict]:
    """Put it onto a card of this size and do what the initrd does; return its partitions."""
    os.truncate(card, mebibytes * disk.MIB)
    done = subprocess.run(
        [
            "systemd-repart",
            "--dry-run=no",
            f"--definitions={ROOT}/usr/lib/repart.d",
            f"--root={card.parent}/root",
            card,
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(subprocess.check_output(["sfdisk", "--json", card]))["partitiontable"]["partitions"]


def in_data(card, part: dict, *words: str) -> str:
    """Run a program of e2fsprogs on the data partition."""
    with open(card, "rb") as whole, open(card.with_name("data.img"), "wb") as alone:
        whole.seek(part["start"] * 512)
        alone.write(whole.read(part["size"] * 512))
    done = subprocess.run([*words, alone.name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_data_partition_takes_what_the_card_has_left_and_grows_with_it(card):
    before = json.loads(subprocess.check_output(["sfdisk", "--json", card]))["partitiontable"]["partitions"]
    boot, root, data = start(card, 400)
    assert [part["start"] for part in (boot, root)] == [part["start"] for part in before]
    assert [part["size"] for part in (boot, root)] == [part["size"] for part in before], "the root is not taken for it"
    assert data["name"] == "stichwart-data"
    assert data["size"] * 512 > 350 * disk.MIB
    assert "machine-id" in in_data(card, data, "debugfs", "-R", "ls -p /")
    in_data(card, data, "e2fsck", "-f", "-n")

    again = start(card, 400)
    assert again == [boot, root, data]
    larger = start(card, 500)
    assert larger[:2] == [boot, root]
    assert larger[2]["uuid"] == data["uuid"] and larger[2]["size"] * 512 > 450 * disk.MIB
    assert "machine-id" in in_data(card, larger[2], "debugfs", "-R", "ls -p /")


def test_a_card_without_room_is_told(card):
    os.truncate(card, 100 * disk.MIB)
    with pytest.raises(AssertionError, match="free space"):
        start(card, 100)

"""Where the data partition cannot be mounted: what the initrd puts at its place, in a mount namespace of its own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kiosk.image.root import RECIPE
from kiosk.table.events.emergency import IN_MEMORY

ROOT = RECIPE / "root"
CARD = "/dev/disk/by-partlabel/stichwart-data"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.getuid() != 0 or any(shutil.which(name) is None for name in ("unshare", "mkfs.ext4", "losetup")),
        reason="wants to be root, and unshare, mkfs.ext4 and losetup",
    ),
]


@pytest.fixture
def initrd(tmp_path):
    """Run the script on a root of its own; what lies at the data partition's place then is kept in ``seen``."""
    skeleton = tmp_path / "root/usr/share/stichwart/data"
    (skeleton / "program/upper").mkdir(parents=True)
    (skeleton / "machine-id").touch()
    for folder in ("root/data", "root/etc", "run"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "root/etc/machine-id").write_text("of the root\n")
    script = tmp_path / "no-data"

    def start(card: Path, before: str = "") -> Path:
        text = (ROOT / "usr/lib/stichwart/no-data").read_text(encoding="utf-8")
        assert CARD in text
        script.write_text(text.replace(CARD, str(card)))
        look = f"{before}sh {script} {tmp_path}/root {tmp_path}/run && cp -a {tmp_path}/root/data {tmp_path}/seen"
        look += f" && cat {tmp_path}/root/etc/machine-id >{tmp_path}/id"
        look += f" && grep -c ' {tmp_path}/root/[de]' /proc/self/mountinfo >{tmp_path}/mounts"
        done = subprocess.run(["unshare", "--mount", "sh", "-c", look], capture_output=True, text=True)
        if "mount failed" in done.stderr or "permission denied" in done.stderr.lower():
            pytest.skip(f"nothing can be mounted here: {done.stderr}")
        assert done.returncode == 0, done.stderr
        assert int((tmp_path / "mounts").read_text()) == 2, "the card has made way"
        return tmp_path / "seen"

    return start


def test_a_partition_that_is_gone_leaves_a_machine_of_the_first_start_and_its_mark(initrd, tmp_path):
    seen = initrd(tmp_path / "none")
    assert (seen / "lists" / IN_MEMORY).exists()
    assert (seen / "program/upper").is_dir()
    assert (tmp_path / "id").read_text() == "", "systemd gives it an id for this start"
    unit = (tmp_path / "run/systemd/system/data.mount").read_text()
    assert "Where=/data\n" in unit and "Type=tmpfs\n" in unit
    growing = tmp_path / "run/systemd/system/systemd-growfs@data.service"
    assert os.readlink(growing) == "/dev/null", "memory does not grow"
    assert not os.path.ismount(tmp_path / "root/data")


@pytest.mark.parametrize("mounted", [pytest.param(False, id="not mounted"), pytest.param(True, id="mounted read-only")])
def test_what_can_be_read_of_a_card_that_takes_nothing_comes_with_it(initrd, tmp_path, mounted):
    old = tmp_path / "old"
    for name, text in {
        "lists/table.sqlite": "list",
        "lists/recordings/1.avi": "film",
        "lists/updates/switch": "0.9",
        "configuration/table.toml": "table = 7",
        "networks/halle.nmconnection": "wifi",
        "program/upper/releases/0.9/ready": "",
        "systemd/random-seed": "1",
        "machine-id": "of the card",
    }.items():
        (old / name).parent.mkdir(parents=True, exist_ok=True)
        (old / name).write_text(text)
    image = tmp_path / "card.img"
    subprocess.run(["mkfs.ext4", "-q", "-d", old, image, "8M"], check=True)
    device = subprocess.run(["losetup", "--find", "--show", "-r", image], capture_output=True, text=True)
    if device.returncode:
        pytest.skip(f"no loop device: {device.stderr.strip()}")
    try:
        card, root = device.stdout.strip(), tmp_path / "root"
        # A card that was switched off in good order: mount(8) takes it, read-only, and the bind of /etc/fstab follows.
        before = f"mount -r {card} {root}/data && mount --bind {root}/data/machine-id {root}/etc/machine-id && "
        seen = initrd(Path(card), before if mounted else "")
    finally:
        subprocess.run(["losetup", "--detach", card], check=True)
    kept = {str(path.relative_to(seen)): path.read_text() for path in seen.rglob("*") if path.is_file()}
    assert kept == {
        "lists/table.sqlite": "list",
        f"lists/{IN_MEMORY}": "",
        "configuration/table.toml": "table = 7",
        "networks/halle.nmconnection": "wifi",
        "machine-id": "",
    }

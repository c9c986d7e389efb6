"""The recipe of card images: what can be checked without making one."""

import json
import os
import re
import shutil
import subprocess
from contextlib import nullcontext

import pytest

from kiosk.image import disk, firmware
from kiosk.image.mirror import Mirror, usual_mirror
from kiosk.image.root import RECIPE, Recipe, Source, common_packages, finish, own_packages, tarred, wheels_of
from kiosk.image.targets import MODULES, TARGETS
from kiosk.image.tools import PROGRAMS, ImageError, need_programs, run

MOMENT = 1_800_000_000
ROOT = RECIPE / "root"

disks = pytest.mark.skipif(
    any(shutil.which(program) is None for program in ("sfdisk", "mkfs.vfat", "mcopy", "mdir")),
    reason="programs for disks are missing; apt install fdisk dosfstools mtools",
)


@pytest.fixture
def boot(tmp_path):
    """``/boot`` as the recipe leaves it, of every kind of machine at once."""
    folder = tmp_path / "boot"
    (folder / "raspi-firmware").mkdir(parents=True)
    names = ("vmlinuz-6.12", "initrd.img-6.12", "systemd-bootx64.efi", "systemd-bootaa64.efi", "bcm2711-rpi-4-b.dtb")
    for name in (*names, "bcm2712-rpi-5-b.dtb", "raspi-firmware/start4.elf", "raspi-firmware/fixup4.dat"):
        (folder / name).write_bytes(name.encode())
    return folder


@pytest.mark.parametrize("name", TARGETS)
def test_every_machine_has_kernel_initrd_and_the_command_line(boot, name):
    files = TARGETS[name].lay_out(boot, "root=PARTUUID=1234 quiet")
    content = b"\n".join(files.values())
    assert b"vmlinuz-6.12" in files.values() and b"initrd.img-6.12" in files.values()
    assert b"root=PARTUUID=1234 quiet\n" in content
    assert "authorized_keys" in files["README.txt"].decode()


def test_uefi_finds_the_loader_at_the_place_of_removable_disks(boot):
    assert TARGETS["amd64"].lay_out(boot, "")["EFI/BOOT/BOOTX64.EFI"] == b"systemd-bootx64.efi"
    assert TARGETS["generic-arm64"].lay_out(boot, "")["EFI/BOOT/BOOTAA64.EFI"] == b"systemd-bootaa64.efi"


def test_a_raspberry_pi_finds_what_its_config_names(boot):
    files = TARGETS["pi4"].lay_out(boot, "")
    config = dict(
        line.split("=", 1) for line in files["config.txt"].decode().splitlines() if line[:1].isalpha() and "=" in line
    )
    assert config["kernel"] in files
    assert "initramfs initrd followkernel" in files["config.txt"].decode() and "initrd" in files
    assert {"start4.elf", "fixup4.dat", "bcm2711-rpi-4-b.dtb"} <= files.keys()


def test_a_kernel_without_the_board_is_told(boot):
    (boot / "bcm2712-rpi-5-b.dtb").unlink()
    with pytest.raises(ImageError, match=r"bcm2712-rpi-5-b\.dtb"):
        TARGETS["pi5"].lay_out(boot, "")


def test_two_kernels_are_a_mistake(boot):
    (boot / "vmlinuz-6.13").touch()
    with pytest.raises(ValueError):
        firmware.one(boot, "vmlinuz-*")


@pytest.mark.slow
@disks
def test_a_disk_has_both_partitions_where_the_table_says_and_is_the_same_twice(tmp_path):
    files = {"config.txt": b"kernel=linux\n", "loader/entries/stichwart.conf": b"title Stichwart\n"}
    root = tmp_path / "root.squashfs"
    root.write_bytes(b"hsqs" + bytes(3 * disk.MIB))
    made = []
    for name in ("first.img", "second.img"):
        disk.fat(tmp_path / "boot.fat", files, 40 * disk.MIB, MOMENT)
        disk.assemble(tmp_path / name, tmp_path / "boot.fat", root, "amd64", "seed")
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    table = json.loads(
        subprocess.run(["sfdisk", "--json", tmp_path / "first.img"], capture_output=True, check=True).stdout
    )
    parts = table["partitiontable"]["partitions"]
    assert [part["name"] for part in parts] == ["stichwart-boot", "stichwart-root"]
    assert parts[1]["uuid"].lower() == str(disk.identity("seed", "root"))
    start = parts[1]["start"] * 512
    assert made[0][start : start + 4] == b"hsqs"
    listed = subprocess.run(
        ["mdir", "-b", "-s", "-i", f"{tmp_path}/first.img@@1M", "::"], capture_output=True, text=True
    )
    assert sorted(listed.stdout.split()) == [
        "::/config.txt",
        "::/loader/",
        "::/loader/entries/",
        "::/loader/entries/stichwart.conf",
    ]


@disks
def test_a_partition_that_is_too_small_is_told(tmp_path, capfd):
    with pytest.raises(ImageError, match="mcopy"):
        disk.fat(tmp_path / "boot.fat", {"linux": bytes(50 * disk.MIB)}, 40 * disk.MIB, MOMENT)
    assert "full" in capfd.readouterr().err


def test_an_archive_belongs_to_root_and_depends_on_its_files_alone(tmp_path):
    file = tmp_path / "prepare"
    file.write_text("#!/bin/sh\n")
    file.chmod(0o700)
    entries = {"usr/lib/prepare": file}
    first = tarred(entries, MOMENT, tmp_path / "first.tar").read_bytes()
    os.utime(file, (1, 1))
    assert tarred(entries, MOMENT, tmp_path / "second.tar").read_bytes() == first
    listed = subprocess.run(
        ["tar", "-tvf", tmp_path / "first.tar", "--numeric-owner"], capture_output=True, text=True
    ).stdout
    assert listed.startswith("-rwxr-xr-x 0/0")


def test_wheels_are_kept_in_a_cache_that_is_not_there_yet(monkeypatch, tmp_path):
    asked = []

    def fetched(lock, into, machine, python):
        asked.append((machine, python))
        into.mkdir()
        (into / "one-1-py3-none-any.whl").touch()

    monkeypatch.setattr("kiosk.image.root.fetch_wheels_for", fetched)
    for _ in range(2):
        assert [file.name for file in wheels_of("arm64", tmp_path / "image" / "cache")] == ["one-1-py3-none-any.whl"]
    assert asked == [("aarch64", "3.13")], "what was fetched is kept"
    assert [one.name for one in tmp_path.rglob(".new-*")] == []


def test_newer_packages_come_from_the_backports_and_only_where_they_are_asked_for():
    assert "linux-image-arm64/trixie-backports" in own_packages(TARGETS["pi5"])
    assert "linux-image-arm64" in own_packages(TARGETS["pi4"])
    mirror = Mirror("http://mirror.example/archive/debian/20261121T000000Z")
    assert [line.split()[1] for line in mirror.sources("trixie")] == [
        "http://mirror.example/archive/debian/20261121T000000Z",
        "http://mirror.example/archive/debian/20261121T000000Z",
        "http://mirror.example/archive/debian-security/20261121T000000Z",
        "http://mirror.example/archive/debian/20261121T000000Z",
    ]


@pytest.mark.skipif(shutil.which("apt-config") is None, reason="there is no apt here")
def test_debconf_looks_through_no_packages_beforehand(monkeypatch, tmp_path):
    """As apt itself reads the settings, its own and after them those that mmdebstrap lays there."""
    words = []
    monkeypatch.setattr("kiosk.image.root.run", lambda *all_of, env: words.extend(map(str, all_of)))
    program = Source(version="1", moment=MOMENT, files=())
    recipe = Recipe(role="table", program=program, mirror=Mirror("http://mirror.example"), cache=tmp_path)
    tarred({}, MOMENT, tmp_path / "boot.tar")
    finish(tmp_path / "common.tar", "pi4", TARGETS["pi4"], recipe, tmp_path)
    settings = tmp_path / "etc/apt/apt.conf.d"
    settings.mkdir(parents=True)
    (settings / "70debconf").write_text('DPkg::Pre-Install-Pkgs {"/usr/sbin/dpkg-preconfigure --apt || true";};\n')
    ours = [word.removeprefix("--aptopt=") for word in words if word.startswith("--aptopt=")]
    (settings / "99mmdebstrap").write_text("".join(f"{line};\n" for line in ours))
    (tmp_path / "here").write_text(f'Dir "{tmp_path}";\n')
    told = subprocess.run(
        ["apt-config", "dump"], capture_output=True, text=True, env={**os.environ, "APT_CONFIG": str(tmp_path / "here")}
    ).stdout
    assert 'APT::Install-Recommends "false";' in told.splitlines()
    assert "dpkg-preconfigure" not in told


@pytest.mark.parametrize("architecture", MODULES)
def test_the_common_root_has_no_kernel(architecture):
    own = {name.partition("/")[0] for target in TARGETS.values() for name in own_packages(target)}
    assert not own & set(common_packages(architecture))
    assert any(name.startswith("linux-image-") for name in own)


@pytest.mark.parametrize(
    ("said", "url"),
    [
        (
            "Other|Other|http://other.example\nDebian|Debian|http://mirror.example/debian/\n",
            "http://mirror.example/debian",
        ),
        ("Debian|Debian-Security|http://mirror.example/debian-security\n", None),
        (None, None),
    ],
    ids=["the one of Debian itself", "of security alone", "no apt"],
)
def test_the_mirror_is_the_machines_own(monkeypatch, tmp_path, said, url):
    monkeypatch.setenv("PATH", str(tmp_path))
    if said is not None:
        apt = tmp_path / "apt-get"
        apt.write_text(f"#!/bin/sh\nprintf '{said}'\n")
        apt.chmod(0o755)
    if url is None:
        with pytest.raises(ImageError, match="--mirror URL"):
            usual_mirror()
    else:
        assert usual_mirror() == Mirror(url)


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ({}, "apt install arch-test dosfstools elfutils fdisk mmdebstrap mtools squashfs-tools"),
        (dict.fromkeys(PROGRAMS, 1), "no programs of arm64: apt install qemu-user-static"),
        (dict.fromkeys(PROGRAMS, 0), ""),
    ],
    ids=["no program", "no emulation", "all"],
)
def test_what_is_missing_is_told_before_the_work_begins(monkeypatch, tmp_path, there, told):
    for name, status in there.items():
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ImageError, match=told) if told else nullcontext():
        need_programs(["arm64"])


def test_a_tool_that_fails_is_named():
    with pytest.raises(ImageError, match="false ended with status 1"):
        run("false")


# ---------------------------------------------------------------------------------------------- what lies in the root


def mounts() -> list[list[str]]:
    lines = (ROOT / "etc/fstab").read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def test_what_must_outlive_a_power_cut_lies_on_the_data_partition():
    bound = {target: what for what, target, _, options, *_ in mounts() if "bind" in options}
    assert bound.keys() >= {
        "/var/lib/stichwart",
        "/etc/stichwart",
        "/etc/NetworkManager/system-connections",
        "/etc/machine-id",
    }
    assert all(what.startswith("/data/") for what in bound.values())
    assert len(set(bound.values())) == len(bound)


def test_later_releases_lie_over_the_one_of_the_root():
    (over,) = [options for _, target, kind, options, *_ in mounts() if (target, kind) == ("/opt/stichwart", "overlay")]
    words = dict(word.split("=", 1) for word in over.split(",") if "=" in word)
    assert words["lowerdir"] == "/opt/stichwart"
    assert words["upperdir"].startswith("/data/") and words["workdir"].startswith("/data/")
    assert all(
        folder.removeprefix("/data/") in (RECIPE / "customize.sh").read_text()
        for folder in (words["upperdir"], words["workdir"])
    )


def test_no_dead_disk_stops_the_start():
    assert all("nofail" in options for _, _, _, options, *_ in mounts())


def test_what_is_read_from_the_card_is_mounted_before_anything_reads_it():
    early = [target for _, target, _, options, *_ in mounts() if "x-systemd.before=" in options]
    assert early == [target for _, target, *_ in mounts()], "with nofail alone nothing waits for it"


def test_the_data_partition_is_the_one_that_is_made():
    label = dict(
        line.split("=", 1) for line in (ROOT / "usr/lib/repart.d/50-data.conf").read_text().splitlines() if "=" in line
    )["Label"]
    assert f"PARTLABEL={label}" in [what for what, *_ in mounts()]


@pytest.fixture
def prepare(tmp_path):
    """The script that puts configurations in their place, on folders instead of a machine."""
    text = (ROOT / "usr/lib/stichwart/prepare-data").read_text(encoding="utf-8")
    for name in ("/etc/stichwart", "/boot/firmware/stichwart", "/usr/share/stichwart/configuration", "/opt/stichwart"):
        assert name in text
        (tmp_path / name[1:]).mkdir(parents=True)
        text = text.replace(name, f"{tmp_path}{name}")
    script = tmp_path / "prepare-data"
    script.write_text(text.replace("-o root -g stichwart ", ""), encoding="utf-8")
    (tmp_path / "usr/share/stichwart/configuration/table.toml").write_text("table = 1\n")

    def start() -> dict[str, str]:
        subprocess.run(["sh", script], check=True)
        etc = tmp_path / "etc/stichwart"
        return {path.name: path.read_text() for path in etc.iterdir() if not path.name.startswith(".")}

    return start


def test_the_first_start_takes_the_images_configuration_and_keeps_what_was_changed(prepare, tmp_path):
    assert prepare() == {"table.toml": "table = 1\n"}
    (tmp_path / "etc/stichwart/table.toml").write_text("table = 9\n")
    assert prepare() == {"table.toml": "table = 9\n"}


def test_a_file_on_the_card_counts_once_and_again_when_it_is_changed(prepare, tmp_path):
    given = tmp_path / "boot/firmware/stichwart/table.toml"
    given.write_text("table = 7\n")
    assert prepare() == {"table.toml": "table = 7\n"}
    (tmp_path / "etc/stichwart/table.toml").write_text("table = 9\n")
    assert prepare() == {"table.toml": "table = 9\n"}
    given.write_text("table = 8\n")
    assert prepare() == {"table.toml": "table = 8\n"}


def test_a_card_with_a_directions_file_makes_a_direction(prepare, tmp_path):
    (tmp_path / "boot/firmware/stichwart/director.toml").write_text('tournament = "herbst"\n')
    assert prepare() == {"director.toml": 'tournament = "herbst"\n'}


def test_a_key_on_the_card_says_whose_releases_are_taken(prepare, tmp_path):
    prepare()
    key = tmp_path / "opt/stichwart/maker.pub"
    assert not key.exists()
    (tmp_path / "boot/firmware/stichwart/maker.pub").write_text("AAAA\n")
    prepare()
    assert key.read_text() == "AAAA\n" and key.stat().st_mode & 0o777 == 0o644
    (tmp_path / "boot/firmware/stichwart/maker.pub").unlink()
    prepare()
    assert key.read_text() == "AAAA\n", "it stays"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing; apt install systemd")
def test_the_recipes_unit_is_known_to_systemd(tmp_path):
    text = (ROOT / "etc/systemd/system/stichwart-data.service").read_text().replace("/usr/lib/stichwart", str(tmp_path))
    (tmp_path / "prepare-data").write_text("#!/bin/sh\n")
    (tmp_path / "prepare-data").chmod(0o755)
    unit = tmp_path / "stichwart-data.service"
    unit.write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit],
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C"},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_scripts_can_be_run():
    scripts = [RECIPE / "customize.sh", RECIPE / "boot.sh", *(ROOT / "usr/lib/stichwart").iterdir()]
    assert all(
        os.access(script, os.X_OK) and subprocess.run(["sh", "-n", script]).returncode == 0 for script in scripts
    )


def test_the_installer_finds_all_its_packages_there():
    """Else it fetches them when the image is made, past the list and the cache."""
    text = (RECIPE.parents[1] / "stichwart").read_text(encoding="utf-8")
    asked = re.search(r"^packages='(.*)'$", text, re.M)[1].split()
    asked += re.search(r"--debian-packagestable\) packages=\"\$packages (.*)\" ;;", text)[1].split()
    there = [*common_packages("amd64"), *own_packages(TARGETS["amd64"])]
    assert len(asked) > 8
    assert [names for names in asked if not {*names.split("|")} & {*there}] == []

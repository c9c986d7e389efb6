"""Lay out the firmware partition: what the machine's own firmware reads before there is a kernel."""

from collections.abc import Callable
from pathlib import Path

from kiosk.image.tools import ImageError

LayOut = Callable[[Path, str], dict[str, bytes]]

#: Told to whoever opens the card on another computer.
README = """\
Stichwart
=========

Files that you may lay on this partition; they count from the next start on.

stichwart/table.toml      this machine is a table, with this configuration (docs/install.md)
stichwart/director.toml   this machine is the direction, with this configuration
stichwart/maker.pub       whose releases this machine takes (docs/updates.md)
network/NAME.nmconnection a network as NetworkManager writes it (Wi-Fi with its password)
authorized_keys           who holds one of these keys may log in as root by ssh; without this file nobody can
"""


def one(folder: Path, pattern: str) -> bytes:
    """Read the only file of that name; two kernels in an image would be a mistake of the recipe."""
    (found,) = sorted(folder.glob(pattern))
    return found.read_bytes()


def systemd_boot(machine: str) -> LayOut:
    """Return how UEFI starts it: systemd-boot at the place of removable disks, kernel and initrd beside it.

    :param machine: UEFI's name of the processor, as in ``BOOTX64.EFI``.
    """

    def lay_out(boot: Path, command_line: str) -> dict[str, bytes]:
        entry = f"title Stichwart\nlinux /stichwart/linux\ninitrd /stichwart/initrd\noptions {command_line}\n"
        return {
            f"EFI/BOOT/BOOT{machine.upper()}.EFI": one(boot, f"systemd-boot{machine}.efi"),
            # Hidden keys and no editor: nobody at a table changes the kernel's words with a keyboard.
            "loader/loader.conf": b"timeout 0\neditor no\nauto-entries no\n",
            "loader/entries/stichwart.conf": entry.encode(),
            "stichwart/linux": one(boot, "vmlinuz-*"),
            "stichwart/initrd": one(boot, "initrd.img-*"),
            "README.txt": README.encode(),
        }

    return lay_out


#: config.txt of a Raspberry Pi, https://www.raspberrypi.com/documentation/computers/config_txt.html
_CONFIG = """\
# Read by the Raspberry Pi's firmware.
arm_64bit=1
kernel=linux
initramfs initrd followkernel
# The kernel drives the screen by itself (KMS).
disable_fw_kms_setup=1
disable_splash=1
disable_overscan=1
# No dtparam: Debian's device trees know none. I2C is on in them; SPI is not, and its pins are clocked by hand.
# Serial line for who looks for a fault, at GPIO 14 and 15.
enable_uart=1
"""


def raspberry(*trees: str) -> LayOut:
    """Return how a Raspberry Pi starts it: its own firmware reads config.txt, device tree, kernel and initrd.

    :param trees: the device trees of the boards, as Debian's kernel names them; those that it lacks are left out.
    :raises ImageError: it has none of them.
    """

    def lay_out(boot: Path, command_line: str) -> dict[str, bytes]:
        boards = {tree: (boot / tree).read_bytes() for tree in trees if (boot / tree).exists()}
        if not boards:
            raise ImageError(f"this kernel has none of the device trees {', '.join(trees)}")
        started = {file.name: file.read_bytes() for file in sorted(boot.glob("raspi-firmware/*"))}
        return {
            **started,
            **boards,
            "config.txt": _CONFIG.encode(),
            "cmdline.txt": f"{command_line}\n".encode(),
            "linux": one(boot, "vmlinuz-*"),
            "initrd": one(boot, "initrd.img-*"),
            "README.txt": README.encode(),
        }

    return lay_out

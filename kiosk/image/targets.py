"""List the kinds of machine that an image can be made for, a row each."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kiosk.image import firmware


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A kind of machine.

    :param architecture: Debian's name.
    :param packages: Debian packages besides those of ``systemd/image/packages.txt``: kernel, firmware, loader.
    :param newer: those of them that come from the backports, for the stable release is older than the machine.
    :param command_line: the kernel's words of this machine, besides those that all have.
    :param lay_out: from the root's ``/boot`` and the whole command line to the files of the firmware partition.
    """

    architecture: str
    packages: tuple[str, ...]
    newer: tuple[str, ...] = ()
    command_line: str
    lay_out: Callable[[Path, str], dict[str, bytes]]


#: A camera's, a scanner's and a Wi-Fi stick's firmware for ordinary computers.
_FIRMWARE = ("firmware-linux-free", "firmware-realtek", "firmware-iwlwifi", "firmware-atheros")
_RASPBERRY = ("raspi-firmware", "firmware-brcm80211", "libcamera-tools")

#: What the package index has no wheels of, by Debian's name of the processor.
MODULES: dict[str, tuple[str, ...]] = {"amd64": (), "arm64": ("python3-evdev",)}

TARGETS: dict[str, Target] = {
    "amd64": Target(
        architecture="amd64",
        packages=("linux-image-amd64", "systemd-boot-efi", *_FIRMWARE),
        command_line="console=ttyS0 console=tty0",
        lay_out=firmware.systemd_boot("x64"),
    ),
    "generic-arm64": Target(
        architecture="arm64",
        packages=("linux-image-arm64", "systemd-boot-efi", *_FIRMWARE),
        command_line="console=tty0",
        lay_out=firmware.systemd_boot("aa64"),
    ),
    "pi4": Target(
        architecture="arm64",
        packages=("linux-image-arm64", *_RASPBERRY),
        command_line="console=tty0",
        lay_out=firmware.raspberry("bcm2711-rpi-4-b.dtb", "bcm2711-rpi-400.dtb", "bcm2711-rpi-cm4-io.dtb"),
    ),
    "pi5": Target(
        architecture="arm64",
        packages=("linux-image-arm64", *_RASPBERRY),
        newer=("linux-image-arm64",),
        command_line="console=tty0",
        lay_out=firmware.raspberry("bcm2712-rpi-5-b.dtb", "bcm2712-d-rpi-5-b.dtb"),
    ),
}

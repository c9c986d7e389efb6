"""A virtual machine that starts from a card image: switch it on, look at its screen, touch it, cut its power."""

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import TracebackType

import cv2
import numpy as np
from numpy.typing import NDArray

from kiosk.bench.vm import finger, shell
from kiosk.bench.vm.errors import MachineError
from kiosk.bench.vm.monitor import Monitor
from kiosk.image.disk import ROOT

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of virtual machine.

    :param processor: as Python's packages name it.
    :param firmware: UEFI as flash: its code and the form of its variables, from Debian's packages.
    """

    processor: str
    program: str
    words: tuple[str, ...]
    firmware: tuple[Path, Path]


#: systemd-boot hands these words on to the kernel. One that gets little processor time takes its timer for broken, and
#: stops; the machine's own watchdog would start it again when systemd only reads its units anew; and udev is not done
#: with the devices in the 90 s that systemd waits for one. What a kernel does against leaks of a processor that is
#: computed here costs QEMU all that it has translated of addresses, at each call of the kernel. And QEMU translates a
#: library once for each address at which programs have it: at the same one in each process half of all that is saved.
_PATIENT = (
    "no_timer_check mitigations=off norandmaps systemd.watchdog_sec=600 systemd.default_device_timeout_sec=1800"
    " systemd.default_timeout_start_sec=1800"
)
TO_KERNEL = f"type=11,value=io.systemd.boot.kernel-cmdline-extra={_PATIENT} {shell.kernel_words()}"

#: What another processor would do is computed here as well, and two wait for each other.
ONE_PROCESSOR = ("-accel", "tcg,thread=single", "-smp", "1")

#: Like the machines of the images. Without acceleration a processor with fewer abilities is the faster one.
KINDS = {
    "amd64": Kind(
        processor="x86_64",
        program="qemu-system-x86_64",
        words=("-machine", "q35", "-cpu", "Nehalem", "-vga", "none"),
        firmware=(Path("/usr/share/OVMF/OVMF_CODE_4M.fd"), Path("/usr/share/OVMF/OVMF_VARS_4M.fd")),
    ),
    "arm64": Kind(
        processor="aarch64",
        program="qemu-system-aarch64",
        words=("-machine", "virt", "-cpu", "cortex-a72"),
        firmware=(Path("/usr/share/AAVMF/AAVMF_CODE.fd"), Path("/usr/share/AAVMF/AAVMF_VARS.fd")),
    ),
}


def kind_of(image: Path) -> str:
    """Return for which kind of machine a card image is, by the type of its root partition.

    :raises MachineError: it has none.
    """
    table = json.loads(subprocess.check_output(["sfdisk", "--json", image]))["partitiontable"]
    for part in table["partitions"]:
        for kind in KINDS:
            if part["type"].upper() == ROOT[kind]:
                return kind
    raise MachineError(f"{image}: no partition of it is a root of {' or '.join(KINDS)}")


def missing(kind: str) -> str:
    """Say what is not installed for this kind of machine; empty: nothing."""
    wanted = KINDS[kind]
    if shutil.which(wanted.program) is None:
        return f"{wanted.program} is missing; apt install qemu-system-{'x86' if kind == 'amd64' else 'arm'}"
    for file in wanted.firmware:
        if not file.exists():
            return f"{file} is missing; apt install {'ovmf' if kind == 'amd64' else 'qemu-efi-aarch64'}"
    return ""


class Machine:
    """A machine with a card in it, switched off.

    :param image: the card image; it stays as it is. :param folder: its card and its lines are kept here, so that it may
        be switched on again. :param gibibytes: the card's size. :param screen: in pixels.
    :param like: the folder of one that is off, of the same image: its card is copied, and what it was kept as.
    :param nice: how far it makes way for others here, as ``nice`` has it.
    """

    def __init__(
        self,
        image: Path,
        folder: Path,
        gibibytes: int = 4,
        screen: tuple[int, int] = (800, 480),
        like: Path | None = None,
        nice: int = 5,
    ) -> None:
        self.folder, self.kind, self.screen, self._nice = folder, KINDS[kind_of(image)], screen, nice
        self._memory = 2048
        self.card = folder / "card.qcow2"
        self.console = folder / "console.txt"
        self._qemu: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        if like is not None:
            for file in ("card.qcow2", "variables.qcow2"):
                subprocess.run(["cp", "--reflink=auto", "--sparse=always", like / file, folder / file], check=True)
        elif not self.card.exists():
            create = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(image.absolute())]
            subprocess.run([*create, str(self.card), f"{gibibytes}G"], check=True)
            # In a form that holds snapshots, as the card.
            convert = ["qemu-img", "convert", "-f", "raw", "-O", "qcow2", str(self.kind.firmware[1])]
            subprocess.run([*convert, str(folder / "variables.qcow2")], check=True)

    def on(self, *more: str, protected: bool = False) -> "Machine":
        """Switch it on, with these words for QEMU besides; the lines to it are there when this returns.

        :param protected: the card takes nothing: each write onto it is refused.
        """
        for name in ("monitor", "shell"):
            (self.folder / name).unlink(missing_ok=True)
        code, variables = self.kind.firmware[0], self.folder / "variables.qcow2"
        card = {"driver": "qcow2", "file": {"driver": "file", "filename": str(self.card)}}
        disk = {"node-name": "card", "read-only": protected, **card}
        width, height = self.screen
        self._qemu = subprocess.Popen(
            [
                *("nice", "-n", str(self._nice), self.kind.program),
                *(*self.kind.words, *ONE_PROCESSOR),
                *("-m", str(self._memory), "-display", "none", "-nodefaults"),
                *("-drive", f"if=pflash,format=raw,readonly=on,file={code}"),
                *("-drive", f"if=pflash,format=qcow2,file={variables}"),
                *("-blockdev", json.dumps(disk), "-device", "virtio-blk-pci,drive=card,id=disk"),
                *("-device", f"virtio-gpu-pci,xres={width},yres={height}"),
                *("-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net"),
                *("-device", "qemu-xhci,id=usb"),
                *("-device", "i6300esb", "-action", "watchdog=reset"),
                *("-serial", f"file:{self.console}"),
                *("-qmp", f"unix:{self.folder}/monitor,server=on,wait=off"),
                *("-chardev", f"socket,id=shell,path={self.folder}/shell,server=on,wait=off"),
                *shell.words("shell"),
                *("-smbios", TO_KERNEL),
                *more,
            ],
            stdin=subprocess.DEVNULL,
        )
        self._wait_for_lines()
        self.monitor = Monitor(self.folder / "monitor")
        self.shell = shell.Shell(self.folder / "shell")
        return self

    def _wait_for_lines(self) -> None:
        assert self._qemu is not None
        for _ in range(600):
            if (self.folder / "monitor").exists() and (self.folder / "shell").exists():
                return
            try:
                status = self._qemu.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
            raise MachineError(f"QEMU ended at once with status {status}")
        raise MachineError("QEMU does not open its lines")

    def off(self, timeout: float) -> None:
        """Shut it down in good order, as a person would who pulls the plug afterwards.

        :raises MachineError: it is still on after this time, seconds.
        """
        assert self._qemu is not None
        self.shell.run("systemctl poweroff --no-block")
        try:
            self._qemu.wait(timeout)
        except subprocess.TimeoutExpired as error:
            raise MachineError(f"not off after {timeout} s") from error
        self.cut_power()

    def reach(self, port: int) -> int:
        """Return a port of this computer, for itself alone, that leads to one of the machine's."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            here = int(free.getsockname()[1])
        self._say(f"hostfwd_add net tcp:127.0.0.1:{here}-:{port}")
        return here

    def cut_power(self) -> None:
        """Take the power away: what the card has not been told to keep may be lost."""
        if self._qemu is None:
            return
        self._qemu.send_signal(signal.SIGKILL)
        self._qemu.wait()
        self.monitor.close()
        self.shell.close()
        self._qemu = None

    def lay(self, files: Mapping[str, bytes]) -> None:
        """Lay files on the firmware partition, as from any computer; the machine is off.

        :param files: path there → content.
        """
        whole, part = self.folder / "whole.img", self.folder / "boot.fat"
        subprocess.run(["qemu-img", "convert", "-O", "raw", str(self.card), str(whole)], check=True)
        table = json.loads(subprocess.check_output(["sfdisk", "--json", whole]))["partitiontable"]
        (boot,) = [one for one in table["partitions"] if one.get("name") == "stichwart-boot"]
        start, size = boot["start"] * 512, boot["size"] * 512
        for name, content in files.items():
            at = f"{whole}@@{start}"
            for folder in reversed(PurePosixPath(name).parents[:-1]):
                # There already, where it may be: then this says so and nothing else.
                subprocess.run(["mmd", "-D", "s", "-i", at, f"::{folder}"], check=False, capture_output=True)
            subprocess.run(["mcopy", "-o", "-i", at, "-", f"::{name}"], input=content, check=True)
        cut = [f"skip={start}", f"count={size}", "iflag=skip_bytes,count_bytes", "bs=1M"]
        subprocess.run(["dd", f"if={whole}", f"of={part}", *cut, "conv=sparse", "status=none"], check=True)
        write = f"write -q -s {part} {start} {size}"
        subprocess.run(["qemu-io", "-f", "qcow2", "-c", write, str(self.card)], check=True)
        whole.unlink()
        part.unlink()

    def plug_in_stick(self, file: Path) -> None:
        """Plug in a USB stick whose content is a file's."""
        disk = {"driver": "file", "filename": str(file.absolute())}
        self.monitor.ask("blockdev-add", **{"node-name": "stick", "driver": "raw", "file": disk})
        self.monitor.ask("device_add", driver="usb-storage", id="stick", bus="usb.0", drive="stick", removable=True)

    def pull_out_stick(self) -> None:
        """Pull the USB stick out, whatever is being done with it.

        :raises MachineError: QEMU still held its content after five minutes.
        """
        self.monitor.ask("device_del", id="stick")
        until = time.monotonic() + 300
        while True:
            try:
                self.monitor.ask("blockdev-del", **{"node-name": "stick"})
            except MachineError:  # what was on its way is still being written
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)
            else:
                return

    def plug_in_program(self, name: str) -> Path:
        """Plug in a USB device that is a program (:mod:`kiosk.bench.vm.redirection`); return its line's socket."""
        path = self.folder / name
        path.unlink(missing_ok=True)
        address = {"type": "unix", "data": {"path": str(path)}}
        backend = {"type": "socket", "data": {"addr": address, "server": True, "wait": False}}
        self.monitor.ask("chardev-add", id=name, backend=backend)
        self.monitor.ask("device_add", driver="usb-redir", id=name, chardev=name, bus="usb.0")
        return path

    def pull_out_program(self, name: str) -> None:
        """Pull it out again; QEMU gives up its line with it, by itself."""
        self.monitor.ask("device_del", id=name)

    def network(self, *, plugged: bool) -> None:
        """Pull the network's cable out, or put it in."""
        self.monitor.ask("set_link", name="net", up=plugged)

    def data_partition(self) -> tuple[int, Path]:
        """Copy the data partition of a machine that is off; return where it begins on the card, bytes, and the copy."""
        whole, copy = self.folder / "whole.img", self.folder / "data.img"
        subprocess.run(["qemu-img", "convert", "-O", "raw", str(self.card), str(whole)], check=True)
        table = json.loads(subprocess.check_output(["sfdisk", "--json", whole]))["partitiontable"]
        (data,) = [part for part in table["partitions"] if part.get("name") == "stichwart-data"]
        cut = [f"skip={data['start'] * 512}", f"count={data['size'] * 512}", "iflag=skip_bytes,count_bytes", "bs=1M"]
        subprocess.run(["dd", f"if={whole}", f"of={copy}", *cut, "conv=sparse", "status=none"], check=True)
        os.truncate(copy, data["size"] * 512)
        whole.unlink()
        return data["start"] * 512, copy

    def spoil_data(self) -> None:
        """Overwrite what makes the data partition a filesystem, with all its copies; the machine is off."""
        start, data = self.data_partition()
        size = data.stat().st_size
        data.unlink()
        # ext4 keeps copies of its superblock in these groups of 128 MiB.
        places = [group << 27 for group in (0, 1, 3, 5, 7, 9, 25, 27, 49) if group << 27 < size]
        words = [word for place in places for word in ("-c", f"write -q -P 0x5a {start + place} {1 << 20}")]
        subprocess.run(["qemu-io", "-f", "qcow2", *words, str(self.card)], check=True)

    def picture(self, path: Path | None = None) -> Picture:
        """Return what its screen shows, (height, width, 3) uint8 BGR; kept as a PNG file where one is named.

        :raises MachineError: it shows nothing yet.
        """
        file = path or self.folder / "screen.ppm"  # QEMU computes nothing else while it compresses one
        self.monitor.ask("screendump", filename=str(file.absolute()), format=file.suffix[1:])
        picture = cv2.imread(str(file))
        if picture is None:
            raise MachineError(f"no picture in {file}")
        # Gone back, QEMU shows the whole buffer that the machine draws into until it draws again: the screen and more.
        width, height = self.screen
        return np.asarray(picture[:height, :width], np.uint8)

    def wait_for_screen(self, shows: Callable[[Picture], bool], timeout: float) -> Picture:
        """Wait until its screen shows something.

        :param timeout: in seconds of this machine, on which the other runs slowly.
        :raises MachineError: with the last lines of its console.
        """
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            picture = self.picture()
            if shows(picture):
                return picture
            time.sleep(1)
        end = self.console.read_text(errors="replace")[-1500:] if self.console.exists() else ""
        raise MachineError(f"not on the screen after {timeout} s ({self.folder}/screen.ppm); its console ends: {end}")

    def plug_in_panel(self) -> None:
        """Give it a touch panel; the table looks for one every two seconds."""
        width, height = self.screen
        coded = base64.b64encode(finger.PROGRAM.encode()).decode()
        start = f"modprobe uinput && echo {coded} | base64 -d >/run/finger.py"
        start += f" && (setsid python3 /run/finger.py {width} {height} {finger.PIPE} >/dev/null 2>&1 &)"
        # While it still starts, the shell answers when it is up.
        self.shell.run(f"{start}; until [ -p {finger.PIPE} ]; do sleep 0.2; done", timeout=1500)

    def touch(self, x: float, y: float, seconds: float = 0.2) -> None:
        """Lay a finger on the screen at a place in its pixels, from the upper left."""
        self.shell.run(f"echo {x} {y} {seconds} >{finger.PIPE}")

    @contextmanager
    def finger(self, x: float, y: float) -> Iterator[None]:
        """Hold a finger on the screen at a place meanwhile."""
        self.shell.run(f"echo {x} {y} >{finger.PIPE}")
        try:
            yield
        finally:
            self.shell.run(f"echo up >{finger.PIPE}")

    def touch_until(self, place: tuple[float, float], shows: Callable[[Picture], bool], timeout: float) -> Picture:
        """Touch a place until the screen shows something: the table looks for a new panel now and then.

        :raises MachineError: it did not in this time, seconds.
        """
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            self.touch(*place)
            for _ in range(20):
                if shows(picture := self.picture()):
                    return picture
                time.sleep(1)
        raise MachineError(f"a touch at {place} did nothing within {timeout} s ({self.folder}/screen.ppm)")

    def keep(self, name: str) -> None:
        """Keep the whole machine as it is now: its memory, its card, its time."""
        self._say(f"savevm {name}")

    def go_back(self, name: str, log: Path | None = None) -> None:
        """Have it go on from where it was kept, also right after it was switched on; its clock is set.

        :param log: every write onto the card from there on is kept in this file (:mod:`kiosk.bench.vm.flushes`).
        """
        self.monitor.ask("stop")
        self._say(f"loadvm {name}")
        if log is not None:
            log.write_bytes(b"")
            kept = {"driver": "file", "filename": str(log)}
            self.monitor.ask(
                "blockdev-add", **{"node-name": "logged", "driver": "blklogwrites", "file": "card", "log": kept}
            )
            self.monitor.ask("qom-set", path="/machine/peripheral/disk", property="drive", value="logged")
        self.monitor.ask("cont")
        self.shell.forget()
        self.shell.run(f"date -s @{time.time():.0f}")

    def put_back(self, name: str) -> None:
        """Have its card be as it was when it was kept; the machine is off."""
        subprocess.run(["qemu-img", "snapshot", "-a", name, str(self.card)], check=True)

    def _say(self, line: str) -> None:
        said = self.monitor.ask("human-monitor-command", **{"command-line": line}).strip()
        if said:
            raise MachineError(f"{line}: {said}")

    def __enter__(self) -> "Machine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut_power()

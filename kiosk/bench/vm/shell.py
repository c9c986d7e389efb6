"""Run commands inside a virtual machine whose image lets nobody log in.

A credential that QEMU hands over brings systemd a unit of its own: a shell at a virtual serial line. Nothing of the
image is changed for it, and on a real machine nobody hands such a thing over.
"""

import base64
import contextlib
import secrets
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from kiosk.bench.vm.errors import MachineError

_PORT = "stichwart.shell"
_LINE = f"/dev/virtio-ports/{_PORT}"
#: It tries until the line is there: systemd waits 90 s for a device, in which a slow machine may not have looked.
_UNIT = f"""\
[Unit]
ConditionPathExists=!/etc/initrd-release
DefaultDependencies=no
StartLimitIntervalSec=0
[Service]
ExecStart=sh -c '[ -c {_LINE} ] && exec sh <>{_LINE} >&0 2>&0'
Restart=always
RestartSec=1
"""
_WANT = "[Unit]\nWants=vm-shell.service\n"
#: Without acceleration the first page is drawn in more than the watchdog's seconds, that of play in minutes.
_PATIENCE = "[Service]\nWatchdogSec=600\nTimeoutStartSec=900\n"


def words(chardev: str) -> list[str]:
    """Return what QEMU's command line needs for the line, with this character device as its other end."""
    return ["-device", "virtio-serial-pci", "-device", f"virtserialport,chardev={chardev},name={_PORT}"]


def kernel_words() -> str:
    """Return what the kernel's command line needs: the unit, as credentials of systemd.

    Not as SMBIOS strings of their own: systemd looks for those in the initrd only, whose kernel has no module for them.
    """

    def credential(name: str, text: str) -> str:
        return f"systemd.set_credential_binary={name}:{base64.b64encode(text.encode()).decode()}"

    return " ".join(
        [
            credential("systemd.extra-unit.vm-shell.service", _UNIT),
            credential("systemd.unit-dropin.sysinit.target", _WANT),
            credential("systemd.unit-dropin.stichwart-table.service", _PATIENCE),
            credential("systemd.unit-dropin.stichwart-director.service", _PATIENCE),
        ]
    )


class Shell:
    """The shell's other end.

    :param path: of the UNIX socket of QEMU's character device.
    """

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))

    def run(self, command: str, timeout: float = 600, check: bool = True) -> str:
        """Run a command of the shell and return what it says.

        :raises MachineError: no answer in time, or it failed.
        """
        return "".join(self.follow(command, timeout, check))

    def follow(self, command: str, timeout: float = 600, check: bool = True) -> Iterator[str]:
        """Run a command of the shell and give each line that it says when it comes.

        :raises MachineError: no end in time, or it failed.
        """
        mark = secrets.token_hex(8)
        until = time.monotonic() + timeout
        # Before the shell is there its words wait in the line.
        self._socket.sendall(f"{{ {command}\n}} </dev/null 2>&1; echo {mark[:8]}''{mark[8:]} $?\n".encode())
        got, said = b"", ""
        while True:
            self._socket.settimeout(max(0.01, until - time.monotonic()))
            try:
                piece = self._socket.recv(65536)
            except (TimeoutError, OSError) as error:
                raise MachineError(f"{command!r} has no end after {timeout} s: {(said + str(got))[-500:]}") from error
            if not piece:
                raise MachineError(f"{command!r}: the machine is gone")
            *lines, got = (got + piece).split(b"\n")
            for line in lines:
                text, found, status = line.decode(errors="replace").partition(f"{mark} ")
                if not found:
                    said += f"{text}\n"
                    yield f"{text}\n"
                    continue
                if text:
                    yield text
                if check and int(status):
                    raise MachineError(f"{command!r} ended with status {int(status)}: {said}{text}")
                return

    def forget(self) -> None:
        """Drop what is still on the line: the machine has gone back to a time before it."""
        self._socket.settimeout(0.5)
        with contextlib.suppress(TimeoutError):
            while self._socket.recv(65536):
                pass

    def close(self) -> None:
        """Let go of the line; the machine goes on."""
        self._socket.close()

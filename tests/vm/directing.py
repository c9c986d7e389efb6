"""A direction in a virtual machine, and its page as a browser on another machine reaches it."""

import base64
import ssl
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from kiosk.bench.vm.machine import Machine
from kiosk.director.access.passwords import hashed
from kiosk.errors import KioskError
from kiosk.release.make import copy_program
from tests.release import tiny
from tests.vm.booted import PROCESSOR

ROOT = Path(__file__).parents[2]
_PIN = "271828182"
_FILE = "/etc/stichwart/director.toml"
_AUTHORITY = "/var/lib/stichwart/tls/authority.pem"
#: Of the machine's image.
KIND = {"machine": PROCESSOR, "python": "3.13"}


class Page:
    """The page of a machine that is made a direction.

    :param timeout: for the service's start, seconds.
    """

    def __init__(self, machine: Machine, timeout: float) -> None:
        shell = machine.shell
        text = (ROOT / "systemd/director.toml").read_text(encoding="utf-8")
        given = base64.b64encode(text.replace('pin = ""', f'pin = "{hashed(_PIN)}"', 1).encode()).decode()
        shell.run(f"echo {given} | base64 -d >{_FILE} && chgrp stichwart {_FILE} && chmod 640 {_FILE}")
        shell.run("systemctl start stichwart-director", timeout=timeout)
        authority = ssl.create_default_context(cadata=shell.run(f"openssl x509 -in {_AUTHORITY}"))
        self._http = httpx.Client(verify=authority, trust_env=False, timeout=timeout)
        self.reach(machine)
        self.post("/api/login", {"pin": _PIN})

    def reach(self, machine: Machine) -> None:
        """Reach the page of a machine that has been switched on; whoever had logged in still is."""
        self._http.base_url = f"https://127.0.0.1:{machine.reach(8377)}"

    def get(self, path: str) -> Any:
        """What an address of the page says."""
        answer = self._http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, wish: dict[str, Any]) -> Any:
        """Press a button of the page."""
        answer = self._http.post(path, json=wish)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def until(self, path: str, shows: Callable[[Any], Any], timeout: float) -> Any:
        """Wait until an address says something, and return all that it says; the service may be away meanwhile."""
        end = time.monotonic() + timeout
        told: Any = None
        while time.monotonic() < end:
            try:
                if shows(told := self.get(path)):
                    return told
            except httpx.TransportError as error:
                told = repr(error)
            time.sleep(0.5)
        raise KioskError(f"{path} says after {timeout} s: {told}")

    def take(self, bundle: Path, version: str, timeout: float) -> None:
        """Bring a release to this machine and wait until it only needs a restart."""
        with bundle.open("rb") as content:
            assert self._http.post("/api/fleet/bundles", content=content).status_code == 200
        self.post("/api/fleet/own", {"version": version})
        told = self.until("/api/fleet", lambda fleet: fleet["own"]["waits"] or fleet["own"].get("code"), timeout)
        assert told["own"]["waits"] == version, told

    def close(self) -> None:
        """Let go of it."""
        self._http.close()


def whole_release(folder: Path, key: Path, version: str, beside: str) -> Path:
    """Make a bundle of this checkout's program; its packages are those of a release that is there.

    :param beside: that release's name. The machine keeps it, as the one before.
    """
    program = folder / "program"
    copy_program(ROOT, program, version.partition("+")[2])
    (program / "wheels").mkdir()
    about = "neighbour-1.dist-info"
    with zipfile.ZipFile(program / "wheels" / "neighbour-1-py3-none-any.whl", "w") as wheel:
        packages = f"/opt/stichwart/releases/{beside}/.venv/lib/python{KIND['python']}/site-packages"
        wheel.writestr("neighbour.pth", packages + "\n")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: neighbour\nVersion: 1\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", f"neighbour.pth,,\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n")
    return tiny.bundle(program, key, folder / "whole.bundle", version=version, made=int(time.time()), **KIND)


def broken_release(folder: Path, key: Path, version: str) -> Path:
    """Make a bundle of a program that can be laid, and ends at once when it is started."""
    program = tiny.program(folder / "broken")
    (program / "stichwart").write_text('#!/bin/sh\n[ "${1-}" = --link-modules ]\n')
    return tiny.bundle(program, key, folder / "broken.bundle", version=version, made=int(time.time()), **KIND)

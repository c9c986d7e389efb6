"""Run ``stichwart bundle`` and ``stichwart update``."""

import logging
import os
import subprocess
import tempfile
from pathlib import Path

from kiosk.app.version import version
from kiosk.errors import BadConfig, KioskError
from kiosk.release.bundle import unpack
from kiosk.release.incoming import take_incoming
from kiosk.release.layout import Layout
from kiosk.release.make import make
from kiosk.release.signing import new_key
from kiosk.release.take import take

_ROOT = Path(__file__).parents[3]


def make_key(name: Path) -> int:
    """Make a maker's key pair."""
    private, public = name.with_name(name.name + ".key"), name.with_name(name.name + ".pub")
    new_key(private, public)
    print(f"{private}: keep it, and a copy, where nobody else comes; who has it can bring any program to your tables")
    print(f"{public}: sudo systemd/install.sh table --key {public}")
    return 0


def make_bundle(key: Path, machine: str, python: str, out: Path) -> int:
    """Make a bundle of this checkout, as it was committed."""
    git = ["git", "-C", str(_ROOT)]
    changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=False)
    if changed.returncode or changed.stdout.strip():
        raise BadConfig(
            "the checkout differs from its last commit; commit first, so that everybody knows what it holds"
        )
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    name = f"{version().partition('+')[0]}+{commit.stdout.strip()}"
    made = make(_ROOT, out, key, machine=machine, python=python, version=name)
    print(f"{made}: {made.stat().st_size / 1e6:.0f} MB")
    return 0


def check_bundle(bundle: Path, key: Path) -> int:
    """Say what a bundle holds, after all of it was read."""
    with tempfile.TemporaryDirectory(prefix="stichwart-check-") as place:
        release = unpack(bundle, key, Path(place))
    told = (
        f"for {release.machine} with Python {release.python}, {len(release.files)} files, {release.size / 1e6:.0f} MB"
    )
    print(f"{release.version}: whole and signed; {told}")
    return 0


def take_bundle(bundle: Path, program: Path, state: Path, role: str, *, older: bool) -> int:
    """Lay a bundle's release beside the running one, and have it started when the table rests."""
    layout = Layout(program, state / "updates")
    said = ""

    def step(what: str, _: float) -> None:
        nonlocal said
        if what != said:
            said = what
            print({"unpack": "unpacking", "install": "installing", "try": "trying"}[what], flush=True)

    try:
        name = take(bundle, layout, older=older, roles=(role,), step=step)
        if name == layout.current:
            print(f"{name} runs already")
            return 0
        layout.want(name)
        _to_the_service(layout.state)
    except OSError as error:
        place = error.filename or program
        raise KioskError(
            f"{place}: {error.strerror or error}; what runs is unchanged: run it as root, and look at the disk"
        ) from error
    print(f"{name} is there; it starts when the table rests, or by: systemctl restart stichwart-{role}")
    return 0


def take_laid_down(program: Path, state: Path, configuration: Path = Path("/etc/stichwart")) -> int:
    """Take in the bundles that the services' user has laid down; what came of each stands in the answer's file.

    :param configuration: folder whose files say what this machine is.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    roles = [role for role in ("table", "director") if (configuration / f"{role}.toml").exists()]
    take_incoming(Layout(program, state / "updates"), roles or ["table"])
    return 0


def _to_the_service(folder: Path) -> None:
    """Give the folder to the service's user: as root we may have made it."""
    owner = folder.parent.stat()
    for path in (folder, *folder.iterdir()):
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)  # the user may have laid links there

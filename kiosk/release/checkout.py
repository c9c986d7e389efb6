"""Install this checkout as a release: ``python -m kiosk.release.checkout ROLE PROGRAM STATE [--program-only]``.

The installer calls it (systemd/install.sh), with the standard library and pip alone: nothing of the lock is there yet.
"""

import json
import subprocess
import sys
import time
import tomllib
from pathlib import Path

from kiosk.errors import KioskError
from kiosk.release.bundle import LIST
from kiosk.release.layout import Layout
from kiosk.release.make import copy_program, fetch_wheels
from kiosk.release.take import lay

#: What the thin wheels of the lock have together, bytes.
_SIZE = 130_000_000


def main(role: str, program: Path, state: Path, program_only: bool) -> int:
    """Lay the release and have it started from the next start on; nothing has changed if that fails."""
    source = Path(__file__).parents[2]
    number = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    build = _build(source)
    name = f"{number}+{build}" if build else f"{number}+{int(time.time())}"
    layout = Layout(program, state)

    def fill(folder: Path) -> None:
        copy_program(source, folder, build)
        (folder / LIST).write_text(json.dumps({"version": name, "made": int(time.time())}), encoding="utf-8")
        if not (program_only or (folder / "wheels").exists()):  # a card image's recipe has fetched them
            fetch_wheels(source / "requirements.lock", folder / "wheels")

    if program_only:
        folder = layout.release(name)
        folder.mkdir(parents=True, exist_ok=True)
        fill(folder)
    else:
        lay(name, layout, (role,), fill, _SIZE, lambda what, _: print(f"install: {what} {name}", flush=True))
        if layout.current not in ("", name):
            layout.want(name)
    if not layout.current:
        (program / "current").symlink_to(f"releases/{name}")
    return 0


def _build(source: Path) -> str:
    """The commit, and a time where the checkout differs from it: what was changed by hand is another release."""
    git = ["git", "-C", str(source)]
    try:
        commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
        changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=False)
    except OSError:
        return _noted(source)
    if commit.returncode:
        return _noted(source)
    return commit.stdout.strip() + (f".{int(time.time())}" if changed.stdout.strip() else "")


def _noted(source: Path) -> str:
    """The commit that a copy without git names, as a card image's recipe writes it down."""
    noted = source / "build.txt"
    return noted.read_text(encoding="ascii").strip()[:40] if noted.exists() else ""


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), "--program-only" in sys.argv))
    except KioskError as error:
        sys.exit(f"install: {error}")

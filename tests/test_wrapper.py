"""The script ``stichwart`` of a release: it starts the program beside it, prepares nothing, and asks no network."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_a_release_starts_its_own_program_wherever_it_is_called(tmp_path: Path) -> None:
    """Also by the link that is turned to another release while it runs."""
    release, other = tmp_path / "releases" / "0.2", tmp_path / "elsewhere"
    for folder, says in ((release, "the release"), (other, "what lies around")):
        (folder / "kiosk").mkdir(parents=True)
        (folder / "kiosk" / "__init__.py").touch()
        (folder / "kiosk" / "cli.py").write_text(f"import sys; print({says!r}, *sys.argv[1:], sys.path[0])\n")
    shutil.copy(ROOT / "stichwart", release / "stichwart")
    (release / "requirements.lock").touch()
    (release / ".venv" / "bin").mkdir(parents=True)
    (release / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (release / "ready").touch()
    (tmp_path / "current").symlink_to("releases/0.2")
    done = subprocess.run(
        [tmp_path / "current" / "stichwart", "table", "--config", "x"],
        cwd=other,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[0] == f"the release table --config x {release.resolve()}"
    assert not done.stderr

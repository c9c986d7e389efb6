"""Name the program's version."""

import tomllib
from pathlib import Path

_ROOT = Path(__file__).parents[2]


def version() -> str:
    """Return the program's version, with its build where the installer has noted it: "0.1.0", "0.1.0+23e0a29"."""
    try:
        project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        number = str(project["project"]["version"])
    except (OSError, ValueError, KeyError):
        return "?"
    try:
        build = (_ROOT / "build.txt").read_text(encoding="ascii").strip()[:40]
    except (OSError, UnicodeDecodeError):
        build = ""
    return f"{number}+{build}" if build else number

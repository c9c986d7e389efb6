"""Two lists of packages: what runs, and that with the developers' tools; every line hashed and without an address."""

import re
import tomllib
from pathlib import Path

import pytest

from kiosk.release.make import for_platform

ROOT = Path(__file__).parents[1]
LOCKS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("requirements.lock", "requirements-dev.lock")}

#: What no table needs: what checks types and style, drives browsers, runs tests, makes pages.
TOOLS = ("pytest", "hypothesis", "ruff", "mypy", "playwright", "pdoc", "cyclonedx-bom", "atheris")


def pinned(text: str) -> set[str]:
    """The lines that name a package with its version and for which machines it is."""
    return {line.rstrip(" \\") for line in text.splitlines() if re.match(r"[a-z0-9]", line)}


def names(text: str) -> set[str]:
    return {line.partition("==")[0] for line in pinned(text)}


def plain(requirement: str) -> str:
    return re.split(r"[\[;<>=~! ]", requirement)[0]


def test_what_runs_is_the_same_for_developers() -> None:
    assert len(pinned(LOCKS["requirements.lock"])) > 30
    assert pinned(LOCKS["requirements.lock"]) <= pinned(LOCKS["requirements-dev.lock"])


def test_a_raspberry_pi_s_pins_can_be_had_without_a_package_of_its_system() -> None:
    """With Debian 13's Python; with 12's the script ``stichwart`` links what Raspberry Pi OS has."""
    for python, there in (("3.13", True), ("3.11", False)):
        lock = for_platform(LOCKS["requirements.lock"], "aarch64", python)
        assert ("adafruit-lgpio" in names(lock)) is there


def test_what_runs_has_no_tools() -> None:
    assert not names(LOCKS["requirements.lock"]) & set(TOOLS)
    assert set(TOOLS) <= names(LOCKS["requirements-dev.lock"])


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_hashed_and_without_an_address(name: str) -> None:
    text = LOCKS[name]
    assert "://" not in text
    parts = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert parts and all(re.search(r"--hash=sha256:[0-9a-f]{64}", part) for part in parts)


def test_the_lists_are_of_this_project_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    runs = {plain(one) for one in project["project"]["dependencies"]}
    tools = {plain(one) for one in project["dependency-groups"]["dev"]}
    assert runs <= names(LOCKS["requirements.lock"])
    assert tools <= names(LOCKS["requirements-dev.lock"])

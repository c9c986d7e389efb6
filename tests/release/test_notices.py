"""The notices of everything that is not ours: whole, and of all that is installed."""

import re
from importlib.metadata import distribution
from pathlib import Path

import pytest

from kiosk.release.notices import notices

ROOT = Path(__file__).parents[2]

#: Brings no text of its licence in its wheel; what it says of itself is shown.
WITHOUT_TEXT = {"pyserial"}


def running() -> set[str]:
    """What is locked to run on this machine, as PEP 503 compares names."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return {line.partition("==")[0] for line in lines if re.match(r"[a-z0-9]", line)}


@pytest.fixture(scope="module")
def found():
    return {re.sub(r"[-_.]+", "-", one.name).lower(): one for one in notices()}


def test_ours_stands_first_and_each_once():
    names = [one.name for one in notices()]
    assert names[0] == "Stichwart" and "MIT License" in notices()[0].text
    assert len(names) == len(set(names))


def test_every_package_that_runs_has_its_licence_whole(found):
    installed = {name for name in running() if name in found}
    assert len(installed) > 40
    short = {name for name in installed if len(found[name].text) < 500}
    assert short <= WITHOUT_TEXT
    assert not {name for name in installed if found[name].licence in ("", "?")}


@pytest.mark.parametrize("name", ["opencv-python", "numpy", "uvloop"])
def test_a_package_of_several_licences_shows_all(found, name):
    package = distribution(name)
    named = package.metadata.get_all("License-File")
    assert len(named) > 1
    for file in package.files or []:
        if file.parts[0].endswith(".dist-info") and file.name in {Path(one).name for one in named}:
            assert file.read_text(encoding="utf-8").strip() in found[name].text


def test_kept_code_is_named(found):
    assert "Google LLC" in found["lit-html"].text

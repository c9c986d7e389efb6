"""Releases on a stick of the direction's machine: listed, taken in whole, and nothing else of the stick is read."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from kiosk.app.self_report import STORED, SelfReport
from kiosk.director.serve import Service
from tests.director.test_releases import Makes
from tests.director.test_saving import FolderSticks, settings_of

pytestmark = pytest.mark.slow

WORD = "pikbube9"


@pytest.fixture
def sticks(tmp_path: Path) -> FolderSticks:
    (tmp_path / "sticks").mkdir()
    return FolderSticks(tmp_path / "sticks")


@pytest.fixture
def page(tmp_path: Path, sticks: FolderSticks) -> Iterator[httpx.Client]:
    settings = replace(settings_of(tmp_path / "data", sticks), releases=tmp_path / "releases")
    with Service(settings) as service, httpx.Client(base_url=service.url, verify=False) as client:
        code = service.app.state.access.first_code
        client.post("/api/first", json={"code": code, "name": "L", "password": WORD}).raise_for_status()
        yield client


def test_from_a_stick_to_the_direction(page: httpx.Client, sticks: FolderSticks, tmp_path: Path) -> None:
    assert page.get("/api/fleet/sticks").json() == {"bundles": []}
    (tmp_path / "maker").mkdir()
    content, stick = Makes(tmp_path / "maker").bundle(), sticks.plug("AA-1")
    (stick / "stichwart").mkdir()
    (stick / "stichwart" / "new.bundle").write_bytes(content)
    (stick / "cut.bundle").write_bytes(content[:200])
    (stick / "secret.txt").write_text("nobody's")
    found = {one["file"]: one for one in page.get("/api/fleet/sticks").json()["bundles"]}
    assert found.keys() == {"stichwart/new.bundle", "cut.bundle"}
    assert (found["stichwart/new.bundle"]["version"], found["stichwart/new.bundle"]["stick"]) == ("0.2", "STICK AA-1")
    assert found["cut.bundle"]["code"].startswith("bundle_")

    def take(file: str, place: str = "AA-1") -> httpx.Response:
        return page.post("/api/fleet/sticks", json={"place": place, "file": file})

    assert take("stichwart/new.bundle").json()["version"] == "0.2"
    (kept,) = page.get("/api/fleet").json()["bundles"]
    assert kept["version"] == "0.2" and kept["size"] == len(content)
    assert take("cut.bundle").status_code == 400
    for file in ("secret.txt", "../AA-1/secret.txt", "/etc/passwd", "none.bundle"):
        assert take(file).json()["code"] == "no_bundle"
    assert take("stichwart/new.bundle", "BB-2").json()["code"] == "no_stick"
    sticks.refuses = "gone"
    assert take("stichwart/new.bundle").json()["code"] == "no_stick"
    assert not (tmp_path / "data" / "from-stick.part").exists()
    whats = [one["what"] for one in page.get("/api/t/protocol.json?language=de").json()["acts"]]
    assert whats.count("release_taken_in") == 1


def test_when_all_was_saved_last_stands_at_the_devices(page: httpx.Client, sticks: FolderSticks) -> None:
    saved = page.get("/api/devices").json()["saved"]
    assert saved["file"] == 0 and saved["stick"]["at"] == 0
    sticks.plug("AA-1")
    page.post("/api/saving", json={"place": "AA-1"}).raise_for_status()
    page.get("/api/backup").raise_for_status()
    saved = page.get("/api/devices").json()["saved"]
    assert saved["file"] > 0 and saved["stick"]["at"] > 0 and saved["stick"]["name"] == "STICK AA-1"


def test_a_table_tells_when_its_lists_went_to_a_stick_after_a_restart_too(tmp_path: Path) -> None:
    report = SelfReport(tmp_path, "", lambda: 0.0)
    assert "stored_at" not in report.now()
    report.stored()
    told = report.now()["stored_at"]
    assert told > 1_600_000_000_000 and SelfReport(tmp_path, "", lambda: 0.0).now()["stored_at"] == told
    (tmp_path / STORED).write_text("x")
    assert "stored_at" not in SelfReport(tmp_path, "", lambda: 0.0).now()

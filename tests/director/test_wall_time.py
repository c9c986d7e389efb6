"""The direction's clock is set by a browser's, by who directs alone; one that the network keeps stays."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from hw.wall_clock import EARLIEST
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from tests.hw.test_wall_clock import Fake

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


@pytest.mark.parametrize(
    ("clock", "given", "code"),
    [
        (Fake(), 1_900_000_000_000, None),
        (Fake(synchronised=True), 1_900_000_000_000, "time_kept"),
        (Fake(refuses=True), 1_900_000_000_000, "time_denied"),
        (None, 1_900_000_000_000, "time_denied"),
        (Fake(), "now", "odd_time"),
        (Fake(), EARLIEST * 1000 - 1, "odd_time"),
        (Fake(), 10**15, "odd_time"),
    ],
    ids=["set", "kept", "refused", "not here", "text", "too early", "too late"],
)
def test_set_by_the_browser(tmp_path: Path, clock: Fake | None, given: Any, code: str | None) -> None:
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin="2468", clock=clock)
    with Service(settings) as service, httpx.Client(base_url=service.url, trust_env=False) as page:
        assert page.post("/api/time", json={"time": given}).status_code == 403
        assert page.post("/api/login", json={"pin": "2468"}).status_code == 200
        answer = page.post("/api/time", json={"time": given})
    if code is None:
        assert answer.status_code == 200 and clock is not None
        assert clock.was_set == [pytest.approx(1_900_000_000, abs=30)]
    else:
        assert (answer.json()["code"], clock.was_set if clock else []) == (code, [])


def test_the_page_says_that_the_clocks_differ_and_sets_it(browser, tmp_path: Path) -> None:
    clock = Fake()
    settings = Settings(
        tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, guests=False, clock=clock
    )
    with Service(replace(settings)) as service:
        service.app.state.access.accounts.make("Leitung", "director", "karo-neun-8")
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="de-DE")
        page = context.new_page()
        page.clock.install(time=time.time() + 3600)
        page.request.post(f"{service.url}/api/login", data={"name": "Leitung", "password": "karo-neun-8"})
        page.goto(f"{service.url}/#/access")
        page.get_by_role("button", name="Uhrzeit dieses Geräts übernehmen").click()
        playwright.expect(page.get_by_text("Die Uhr ist gestellt")).to_be_visible()
        assert clock.was_set == [pytest.approx(time.time() + 3600, abs=120)]
        context.close()

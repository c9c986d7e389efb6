"""The direction's own Wi-Fi on the page: opened, read by a telephone's code, printed, closed again."""

import io
from pathlib import Path

import httpx
import pytest

from hw.hotspot import HotspotState
from kiosk.director.serve import Service
from kiosk.director.settings import Own, Settings
from kiosk.paper.network_card import wifi_code
from tests.hw.test_hotspot import ALONE, FakeHotspot

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


def settings_of(folder: Path, hotspot: FakeHotspot | None) -> Settings:
    database = f"sqlite:///{folder / 'd.sqlite'}"
    own = Own(data=folder)
    return Settings(tournament="t", database=database, port=0, pin="2468", guests=False, hotspot=hotspot, own=own)


@pytest.mark.parametrize(
    "hotspot",
    [None, FakeHotspot(HotspotState(possible=False, on=False, joined=True))],
    ids=["not of this service", "no Wi-Fi"],
)
def test_a_machine_that_can_have_none(tmp_path: Path, hotspot: FakeHotspot | None) -> None:
    with (
        Service(settings_of(tmp_path, hotspot)) as service,
        httpx.Client(base_url=service.url, trust_env=False) as page,
    ):
        assert page.post("/api/login", json={"pin": "2468"}).status_code == 200
        assert page.get("/api/network").json() == {"possible": False}
        for answer in (page.post("/api/network", json={"on": True}), page.get("/api/network/card.pdf")):
            assert answer.json()["code"] == "no_wifi"
    assert hotspot is None or hotspot.asked == []


def test_opened_read_printed_and_closed(browser, tmp_path: Path) -> None:
    zxing = pytest.importorskip("zxingcpp")
    image = pytest.importorskip("PIL.Image")
    hotspot, expect = FakeHotspot(ALONE), playwright.expect
    with Service(settings_of(tmp_path, hotspot)) as service:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="de-DE")
        page = context.new_page()
        page.request.post(f"{service.url}/api/login", data={"pin": "2468"})
        page.goto(f"{service.url}/#/access")
        expect(page.get_by_text("Die Turnierleitung ist in keinem Netz.")).to_be_visible()
        page.get_by_role("button", name="Eigenes WLAN aufmachen").click()
        own = service.app.state.own_network
        expect(page.get_by_role("dialog")).to_contain_text(own.password)
        page.get_by_role("dialog").get_by_role("button", name="Eigenes WLAN aufmachen").click()
        picture = page.get_by_alt_text("QR-Code des WLANs")
        expect(picture).to_be_visible()
        seen = image.open(io.BytesIO(picture.screenshot())).convert("L")
        assert [one.text for one in zxing.read_barcodes(seen)] == [wifi_code(own.name, own.password)]
        expect(page.get_by_text("http://10.42.0.1:")).to_be_visible()
        printed = page.request.get(f"{service.url}/api/network/card.pdf")
        assert printed.body().startswith(b"%PDF")
        page.get_by_role("button", name="Zurück ins Netz des Hauses").click()
        page.get_by_role("dialog").get_by_role("button", name="Zurück ins Netz des Hauses").click()
        expect(page.get_by_text("Die Turnierleitung ist im Netz des Hauses.")).to_be_visible()
        assert hotspot.asked == [(own.name, own.password), ()]
        context.close()


@pytest.mark.parametrize(
    ("name", "password", "text"),
    [
        ("Stichwart-ABC", "abcd-efgh-jkmn", "WIFI:T:WPA;S:Stichwart-ABC;P:abcd-efgh-jkmn;;"),
        ("A;b", 'p"x:y', 'WIFI:T:WPA;S:A\\;b;P:p\\"x\\:y;;'),
    ],
)
def test_the_code_of_a_network(name: str, password: str, text: str) -> None:
    assert wifi_code(name, password) == text

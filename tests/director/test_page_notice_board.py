"""Announcements and the club's sign: from the direction's page to the projector's."""

import io

import httpx
import pytest
from PIL import Image

from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from tests.director.full_hall import NAME, PIN, evening, hall

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    rounds, notes = evening()
    with hall(tmp_path_factory.mktemp("hall"), rounds, notes) as running:
        yield running


def picture(width: int = 1600, height: int = 800) -> bytes:
    """A sign with a transparent ground, as clubs have them."""
    made = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    made.paste((200, 20, 20, 255), (width // 4, height // 4, width // 2, height // 2))
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


def test_what_is_put_up_is_on_the_projector_at_once(browser, service, tmp_path):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="de-DE")
    page, beamer = context.new_page(), context.new_page()
    page.goto(f"{service.url}/#pin={PIN}")
    beamer.goto(f"{service.url}/beamer?seconds=600&look=dark")
    beamer.locator("header h1").wait_for()
    page.locator("[data-do=announce]").click()
    page.locator("dialog[open] input[name=text]").fill("Suppe ist fertig – Pause bis 20:15")
    page.locator("dialog[open] button.main").click()
    page.locator(".board li").wait_for()
    playwright.expect(beamer.locator(".notice")).to_have_text("Suppe ist fertig – Pause bis 20:15")
    (tmp_path / "zeichen.png").write_bytes(picture())
    page.locator("input[name=sign]").set_input_files(tmp_path / "zeichen.png")
    beamer.locator("header img").wait_for()
    assert beamer.evaluate("document.querySelector('header img').naturalWidth") == 800
    page.locator("[data-do=takeDown]").click()
    playwright.expect(beamer.locator(".notice")).to_have_count(0)
    page.locator("[data-do=noSign]").click()
    playwright.expect(beamer.locator("header img")).to_have_count(0)
    context.close()
    kept = service.app.state.hall.office.tournament.board
    assert kept.announcements == () and kept.sign == 0


@pytest.fixture
def http(tmp_path):
    settings = Settings(tournament=NAME, database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin=PIN)
    with Service(settings) as running, httpx.Client(base_url=running.url, trust_env=False) as client:
        yield client


def test_the_sign_is_taken_from_the_director_alone_and_seen_by_all(http):
    assert http.post(f"/api/{NAME}/sign", content=picture()).status_code == 403
    http.post("/api/login", json={"pin": PIN})
    number = http.post(f"/api/{NAME}/sign", content=picture()).json()["picture"]
    http.cookies.clear()
    with Image.open(io.BytesIO(http.get(f"/api/{NAME}/sign/{number}.jpg").content)) as kept:
        assert kept.format == "JPEG" and kept.size == (800, 400)
        assert min(kept.getpixel((5, 5))) > 250, "what is transparent is white"
    assert http.get(f"/api/{NAME}/sign/{number + 1}.jpg").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"GIF89a", b"<svg/>", picture()[:300]], ids=["empty", "gif", "svg", "half"])
def test_what_is_no_picture_is_refused(http, content):
    http.post("/api/login", json={"pin": PIN})
    assert http.post(f"/api/{NAME}/sign", content=content).status_code in (400, 422)

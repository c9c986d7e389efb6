"""What the service is made of, to read on its page."""

import html

import httpx
import pytest

from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.release.notices import notices

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("path", "word"), [("/ueber", "vollständig"), ("/about", "whole")])
def test_every_notice_is_on_the_page_whole(tmp_path, path, word):
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, version="0.9+test")
    with Service(settings) as service:
        page = httpx.get(service.url + path, trust_env=False, timeout=60)
    assert page.status_code == 200 and word in page.text and "0.9+test" in page.text
    missing = [one.name for one in notices() if html.escape(one.text) not in page.text]
    assert not missing

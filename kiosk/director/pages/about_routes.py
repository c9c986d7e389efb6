"""Show what the service is made of: version, packages, and the notice of each whole."""

import asyncio
import html
from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from kiosk.director.pages.page_routes import FILES, HEADERS
from kiosk.director.settings import Settings
from kiosk.language import say
from kiosk.release.notices import notices

router = APIRouter()

#: Where the page stands in each language.
_PAGES = {"de": "/ueber", "en": "/about"}


@router.get("/ueber")
@router.get("/about")
async def about_page(request: Request) -> HTMLResponse:
    """Send the page with version, packages and notices, in German or English; the doorway lets in who may look."""
    settings: Settings = request.app.state.settings
    language = "en" if request.url.path == _PAGES["en"] else "de"
    other = "de" if language == "en" else "en"
    places = {code: html.escape(say("about", code, language)) for code in ("title", "others", "other", "back")}
    places |= {"lang": language, "other_path": _PAGES[other], "other_lang": other}
    places |= {"version": html.escape(settings.version), "notices": await asyncio.to_thread(_told)}
    text = (FILES / "about.html").read_text(encoding="utf-8")
    for place, content in places.items():
        text = text.replace(f"{{{place}}}", content)
    return HTMLResponse(text, headers=HEADERS)


@cache
def _told() -> str:
    """All notices as HTML; what is installed changes with the program alone."""
    parts = (
        f"<details><summary>{html.escape(f'{one.name} {one.version}'.strip())} <span>{html.escape(one.licence)}</span>"
        f"</summary><pre>{html.escape(one.text)}</pre></details>"
        for one in notices()
    )
    return "\n".join(parts)

"""Serve the director's page: its files, its words, who may press its buttons."""

import html
import time
from pathlib import Path as File
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

from kiosk.director.access.access import Access
from kiosk.director.access.roles import acts_of
from kiosk.director.pages import guard
from kiosk.director.pages.saving_routes import saving_told
from kiosk.director.settings import Rival
from kiosk.director.tables.hall import Hall
from kiosk.director.tls.certificates import Certificates
from kiosk.language import languages, say, texts
from kiosk.language.cards import RANK_SIGNS, SUIT_SIGNS, suit_words
from kiosk.rules.engine.standings import YEAR
from kiosk.tournament import cash, tally

router = APIRouter()

FILES = File(__file__).parents[1] / "page"
#: What goes with each page and its files.
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
#: How the subjects begin of which the page speaks.
_SUBJECTS = (
    "page",
    "language",
    "numbers",
    "games",
    "calls",
    "phases",
    "reasons",
    "notices",
    "books",
    "ranking",
    "cash",
    "bundles",
    "parcels",
)


class _Files(StaticFiles):
    """Files that a browser asks for again each time, so that a new version of the page shows at once."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        response = super().file_response(*args, **more)
        response.headers.update(HEADERS)
        return response


def mount_files(app: FastAPI) -> None:
    """Serve the page's files, which come with the package."""
    app.mount("/page", _Files(directory=FILES), name="page")


@router.get("/")
async def index() -> HTMLResponse:
    """Send the page."""
    return _page("index.html")


@router.get("/beamer")
async def beamer() -> HTMLResponse:
    """Send the page for a projector: seats by name, tables and standing in turn, without controls."""
    return _page("beamer.html")


def _page(name: str) -> HTMLResponse:
    told = " · ".join(say("page", "needs_script", language) for language in languages())
    page = (FILES / name).read_text(encoding="utf-8")
    return HTMLResponse(page.replace("{needs_script}", html.escape(told)), headers=HEADERS)


def _rival(rival: Rival | None) -> dict[str, Any] | None:
    return {"url": rival.url, "newer": rival.newer} if rival is not None else None


@router.get("/health")
async def health(request: Request) -> dict[str, Any]:
    """Report whether the service and its database work."""
    hall: Hall = request.app.state.hall
    await hall.threads.on_disk(hall.store.keys, hall.tournament)
    state = request.app.state
    return {"ok": True, "tournament": hall.tournament, "process": state.process, "takeovers": state.takeovers}


@router.get("/api/words")
async def all_words() -> dict[str, Any]:
    """Send all words of the page in every language."""
    same = {"suit_signs": SUIT_SIGNS, "rank_signs": RANK_SIGNS}
    return {
        language: {
            **same,
            **{subject: found for subject, found in texts(language).items() if subject.startswith(_SUBJECTS)},
            "suits": suit_words(language=language),
            "bavarian_suits": suit_words(bavarian=True, language=language),
        }
        for language in languages()
    }


@router.get("/api/me")
async def me(request: Request) -> dict[str, Any]:
    """Send who has logged in on the page, what that account may do, and the available views."""
    hall: Hall = request.app.state.hall
    access: Access = request.app.state.access
    actor, tournament = guard.actor(request), hall.office.tournament
    certificates: Certificates | None = request.app.state.certificates
    explained = certificates is not None and certificates.own
    if actor is None and not hall.settings.guests:
        return {
            "director": False,
            "name": "",
            "role": "",
            "may": [],
            "first": bool(access.first_code),
            "shut": True,
            "certificate": explained,
            "tournament": "",
            "tournaments": {},
            "money": False,
            "years": False,
            "series": False,
            "now": 1,
        }
    seen = hall.desks.rounds()
    others = sorted({name for name, _ in seen} - {tournament.name})
    return {
        "director": guard.is_director(request),
        "name": actor.name if actor is not None else "",
        "role": actor.role if actor is not None else "",
        "may": acts_of(actor.role) if actor is not None else [],
        "first": bool(access.first_code) and actor is None,
        "rival": _rival(request.app.state.rival) if guard.is_director(request) else None,
        "time": time.time_ns() // 1_000_000,
        "saving": saving_told(request.app.state.saving) if guard.is_director(request) else None,
        "certificate": explained,
        "tournament": tournament.name,
        "tournaments": {
            name: sorted(
                {number for other, number in seen if other == name}
                | (set(range(1, tournament.rounds + 1)) if name == tournament.name else set())
            )
            for name in (tournament.name, *others)
        },
        "money": any(
            tally.money_there(tournament, [desk.copy.round] if desk.copy.round else [])
            for desk in hall.desks.of_tournament(tournament.name)
        )
        or bool(tournament.purse.fees)
        or (tournament.chosen and cash.has_money(tournament.book)),
        "series": bool(tournament.series),
        "years": any(
            desk.copy.round is not None and YEAR in desk.copy.round.book.standing.trophies for desk in hall.desks
        ),
        "now": max((number for name, number in seen if name == tournament.name), default=1),
    }

"""Serve the page for who may do what: log in, accounts, the record of acts."""

import csv
import io
from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from kiosk.director.access.access import Access
from kiosk.director.access.accounts import HOURS
from kiosk.director.access.acts import Act, chosen
from kiosk.director.access.doorway import COOKIE, session_of
from kiosk.director.access.refusals import NotAllowed
from kiosk.director.access.roles import ROLES
from kiosk.director.pages import guard
from kiosk.director.web.body import SMALL, read_object
from kiosk.director.web.files import file
from kiosk.director.web.languages import Language
from kiosk.director.web.paths import Asked
from kiosk.language import say
from kiosk.table.scoresheet.written import cell

router = APIRouter()

_COLUMNS = (
    *("column_at", "column_actor", "column_address", "column_what", "column_round", "column_table", "column_more"),
)

#: Acts that one page of the record shows.
_SHOWN = 500


@router.post("/api/login")
async def login(request: Request) -> JSONResponse:
    """Log in by ``{"name": …, "password": …}``, or by ``{"pin": …}`` where the director's file holds one."""
    wish = await read_object(request, SMALL)
    name, password = _text(wish, "name"), _text(wish, "password") or _text(wish, "pin")
    secret = await _access(request).login(name, password, guard.address(request))
    return _let_in(request, secret)


@router.post("/api/first")
async def first(request: Request) -> JSONResponse:
    """Make the first director's account by the code printed: ``{"code": …, "name": …, "password": …}``."""
    wish = await read_object(request, SMALL)
    name, password = wish.get("name"), wish.get("password")
    secret = await _access(request).first(_text(wish, "code"), name, password, guard.address(request))
    return _let_in(request, secret)


@router.post("/api/logout")
async def logout(request: Request) -> JSONResponse:
    """End this page's session."""
    await _access(request).logout(session_of(request.headers))
    response = JSONResponse({"director": False})
    response.delete_cookie(COOKIE)
    return response


@router.get("/api/accounts")
async def accounts(request: Request) -> dict[str, Any]:
    """List the accounts, without their passwords, and the kinds that there are."""
    guard.need(request, "direct")
    found = await _access(request).run(_access(request).accounts.all)
    return {
        "roles": list(ROLES),
        "accounts": [{"name": one.name, "role": one.role, "made": one.made, "closed": one.closed} for one in found],
    }


@router.post("/api/accounts")
async def make_account(request: Request) -> dict[str, Any]:
    """Make an account: ``{"name": …, "role": "referee", "password": …}``."""
    guard.need(request, "direct")
    wish = await read_object(request)
    made = await _access(request).make_account(
        wish.get("name"), wish.get("role"), wish.get("password"), guard.address(request)
    )
    return {"name": made.name, "role": made.role}


@router.post("/api/accounts/change")
async def change_account(request: Request) -> dict[str, Any]:
    """Change an account: ``{"name": …}`` and ``"role"``, ``"password"`` or ``"closed": true``."""
    guard.need(request, "direct")
    wish = await read_object(request)
    await _access(request).change_account(_text(wish, "name"), wish, guard.address(request))
    return {"name": wish["name"]}


@router.post("/api/password")
async def change_password(request: Request) -> JSONResponse:
    """Change one's own password: ``{"before": …, "password": …}``; every other session of the account ends."""
    actor = guard.need(request, "look")
    wish = await read_object(request)
    access = _access(request)
    await access.login(actor.name, _text(wish, "before"), guard.address(request))
    password = wish.get("password")
    if password is None:
        raise NotAllowed("short_password", "a new password is wanted")
    await access.change_account(actor.name, {"password": password}, guard.address(request))
    return _let_in(request, await access.login(actor.name, _text(wish, "password"), guard.address(request)))


@router.get("/api/{tournament}/protocol.{kind}")
async def the_protocol(
    request: Request,
    tournament: str,
    kind: Literal["json", "csv"],
    actor: str = "",
    of: str = "",
    what: str = "",
    before: Asked = 0,
    language: Language = "de",
) -> Response:
    """Send who did what when, newest first.

    ``actor``, ``of`` (note, order, access) and ``what`` choose; ``before`` (ms) turns the page.
    """
    guard.need(request, "direct")
    access = _access(request)
    whole = await access.run(access.acts.all, tournament)
    found = chosen(whole, actor, of, what)
    if kind == "csv":
        return file("\ufeff" + _csv(found, language), f"{tournament}-protokoll.csv", "text/csv")
    page = [act for act in found if not before or act.at < before][:_SHOWN]
    return JSONResponse(
        {
            "acts": [act.data() for act in page],
            "more": len(page) == _SHOWN,
            "actors": sorted({act.actor for act in whole if act.actor}),
            "whats": sorted({(act.kind, act.what) for act in whole}),
        }
    )


def _csv(acts: list[Act], language: str) -> str:
    written = io.StringIO()
    lines = csv.writer(written, delimiter=";", lineterminator="\r\n")
    lines.writerow([say("page_access", head, language) for head in _COLUMNS])
    for act in acts:
        more = ", ".join(f"{key}: {value}" for key, value in act.body.items() if value not in ("", None))
        at = datetime.fromtimestamp(act.at / 1000).isoformat(" ", "seconds")
        cells = (act.actor, act.address, act.what, act.round or "", act.table or "", more)
        lines.writerow([at, *(cell(str(one)) for one in cells)])
    return written.getvalue()


def _access(request: Request) -> Access:
    access: Access = request.app.state.access
    return access


def _text(wish: dict[str, Any], key: str) -> str:
    value = wish.get(key)
    return value if isinstance(value, str) else ""


def _let_in(request: Request, secret: str) -> JSONResponse:
    response = JSONResponse({"director": True})
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, secret, max_age=HOURS * 3600, httponly=True, samesite="strict", secure=secure)
    return response

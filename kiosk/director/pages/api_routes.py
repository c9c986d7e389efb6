"""Describe the service's addresses for programs: as OpenAPI, and as a page to read."""

import html
import json
import re
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse

from kiosk.director.pages.page_routes import HEADERS

router = APIRouter()

_METHODS = ("get", "post", "put", "delete")

#: A message's object in a docstring: ``{"code": …, "table": 7}``.
_BODY = re.compile(r"``(\{.*?\})``", re.DOTALL)

#: In place of any value there, and outside of quotes.
_ANY = re.compile(r"(?<=[:,\[{ ])…(?=[,\]} ])")

_ERROR = {
    "type": "object",
    "properties": {"error": {"type": "string"}, "code": {"type": "string"}, "message": {"type": "string"}},
}


@router.get("/openapi.json")
async def openapi(request: Request) -> dict[str, Any]:
    """Send the description of all addresses (OpenAPI 3.1)."""
    return description(request.app)


@router.get("/openapi", response_class=HTMLResponse, include_in_schema=False)
async def openapi_page(request: Request) -> HTMLResponse:
    """Send the description as a page."""
    entries = [
        f"<h2><code>{method.upper()} {html.escape(path)}</code></h2><p>{_marked(told.get('description', ''))}</p>"
        for path, methods in sorted(description(request.app)["paths"].items())
        for method, told in methods.items()
    ]
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stichwart API</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/page/look.css"><link rel="stylesheet" href="/page/certificate.css"></head>'
        '<body><main class="certificate"><h1>Stichwart API</h1><p><a href="/openapi.json">openapi.json</a></p>'
        f"{''.join(entries)}</main></body></html>"
    )
    return HTMLResponse(page, headers=HEADERS)


def description(app: FastAPI) -> dict[str, Any]:
    """Build the description from the routes and their docstrings, once."""
    if app.openapi_schema is None:
        app.openapi_schema = _describe(app)
    return app.openapi_schema


def _describe(app: FastAPI) -> dict[str, Any]:
    found = get_openapi(
        title="Stichwart",
        version=app.state.settings.version or "0",
        routes=app.routes,
        description="The direction of a card tournament: see docs/director.md. A page's session is the cookie; tables "
        "show their secret as Bearer.",
    )
    for path, methods in found["paths"].items():
        for method in _METHODS:
            if method not in methods:
                continue
            told = methods[method]
            told["description"] = _plain(told.get("description", ""))
            told["security"] = [{"device": []}] if path.startswith(("/line/", "/enrol")) else [{"session": []}]
            told["responses"]["4XX"] = {"description": "refused", "content": {"application/json": {"schema": _ERROR}}}
            if method == "post" and "requestBody" not in told:
                told["requestBody"] = _body(told["description"])
    found.setdefault("components", {})["securitySchemes"] = {
        "session": {"type": "apiKey", "in": "cookie", "name": "stichwart"},
        "device": {"type": "http", "scheme": "bearer"},
    }
    return found


def _body(told: str) -> dict[str, Any]:
    """What a message holds, as far as its docstring gives an example of it."""
    schema: dict[str, Any] = {"type": "object"}
    for example in _BODY.findall(told):
        try:
            values = json.loads(_ANY.sub('"…"', example))
        except ValueError:
            continue
        schema["properties"] = {name: _kind(value) for name, value in values.items()}
        schema["example"] = values
        break
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _kind(value: object) -> dict[str, Any]:
    if value == "…" or value is None:
        return {}
    kinds = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"))
    return {"type": next(name for kind, name in kinds if isinstance(value, kind))}


def _plain(told: str) -> str:
    """A docstring without what concerns the code alone."""
    return re.split(r"\n\s*:(?:param|raises|returns)", told)[0].strip()


def _marked(told: str) -> str:
    return re.sub(r"``(.*?)``", r"<code>\1</code>", html.escape(told), flags=re.DOTALL).replace("\n\n", "</p><p>")

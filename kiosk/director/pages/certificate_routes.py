"""Explain the director's certificate to people whose browser warns of it, and hand it out. Anybody may ask."""

import html
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from kiosk.director.access.refusals import Unknown
from kiosk.director.pages import guard
from kiosk.director.pages.page_routes import FILES, HEADERS
from kiosk.director.tls.authority import der, spoken
from kiosk.director.tls.certificates import Certificates
from kiosk.director.tls.plain_door import PAGES, encrypted
from kiosk.language import say

router = APIRouter()

#: What a browser is told that it gets: telephones and Windows offer to install it.
_KIND = "application/x-x509-ca-cert"

#: Whose browser does it how: heading → steps.
_DEVICES = {
    "android": "android_how",
    "iphone": "iphone_how",
    "windows": "windows_how",
    "mac": "mac_how",
    "firefox": "firefox_how",
    "linux": "linux_how",
}


@router.get("/zertifikat")
@router.get("/certificate")
async def certificate_page(request: Request) -> HTMLResponse:
    """Send the page that explains the certificate and how it is installed, in German or English."""
    language = "en" if request.url.path == PAGES["en"] else "de"
    certificates = _certificates(request)
    text = (FILES / "certificate.html").read_text(encoding="utf-8")
    for place, content in _places(request, certificates, language).items():
        text = text.replace(f"{{{place}}}", content)
    return HTMLResponse(text, headers=HEADERS)


@router.get("/zertifikat/stichwart.{kind}")
async def certificate(request: Request, kind: Literal["crt", "pem"]) -> Response:
    """Send the authority's certificate: ``crt`` in its binary form (DER), ``pem`` as text, which tables ask for."""
    certificates = _certificates(request)
    if not certificates.authority:
        raise Unknown("no_authority", "browsers and tables know this certificate already; nothing is to be installed")
    content = certificates.authority.encode() if kind == "pem" else der(certificates.authority)
    named = {"Content-Disposition": f'attachment; filename="stichwart.{kind}"'}
    return Response(content, media_type=_KIND if kind == "crt" else "application/x-pem-file", headers=named)


@router.get("/api/certificate")
async def what_is_shown(request: Request) -> dict[str, Any]:
    """Send what the direction has to know of the encryption: fingerprint, end, names; nothing where there is none."""
    guard.need(request, "direct")
    found: Certificates | None = request.app.state.certificates
    if found is None:
        return {"encrypted": False}
    return {
        "encrypted": True,
        "own": found.own,
        "fingerprint": spoken(found.fingerprint),
        "ends": int(found.ends.timestamp() * 1000),
        "names": found.names,
    }


def _places(request: Request, certificates: Certificates, language: str) -> dict[str, str]:
    def word(code: str) -> str:
        return html.escape(say("certificate", code, language))

    told = ("title", "why", "compare", "how", "der", "pem", "go_on", "other", "without")
    places = {code: word(code) for code in told}
    steps = [(word(device), word(how)) for device, how in _DEVICES.items()]
    other = "de" if language == "en" else "en"
    return {
        **places,
        "lang": language,
        "other_path": PAGES[other],
        "other_lang": other,
        "fingerprint": spoken(certificates.fingerprint).replace(":", ":<wbr>"),
        "page": html.escape(encrypted(request.scope)) + "/",
        "none": "" if certificates.authority else word("none"),
        "hide": "" if certificates.authority else "hidden",
        "steps": "".join(f"<details><summary>{name}</summary><p>{how}</p></details>" for name, how in steps),
    }


def _certificates(request: Request) -> Certificates:
    """:raises Unknown: the service is not encrypted."""
    found: Certificates | None = request.app.state.certificates
    if found is None:
        raise Unknown("not_encrypted", "this service is not encrypted: it shows no certificate")
    return found

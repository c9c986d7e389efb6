"""Send files for download."""

from fastapi import Response


def file(text: str, name: str, kind: str) -> Response:
    """Send text as a download."""
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=_named(name, "attachment"))


def pdf(content: bytes, name: str) -> Response:
    """Send a PDF that the browser shows, to be printed from there."""
    return Response(content, media_type="application/pdf", headers=_named(name, "inline"))


def _named(name: str, how: str) -> dict[str, str]:
    safe = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-._") else "_" for sign in name)
    return {"Content-Disposition": f'{how}; filename="{safe}"'}

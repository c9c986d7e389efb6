"""Recognise the direction: by the authority that was pinned when it admitted this table, else as browsers do.

A direction's own authority signs its certificate and nothing else, so neither names nor dates are looked at: a spare
director answers under another address, and a Pi without a battery clock starts in another year. A root from the
direction's files signs others' certificates too: with it the name counts.
"""

import hashlib
import ipaddress
import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urlsplit

import httpx

from kiosk.errors import LineError

#: X509_V_FLAG_NO_CHECK_TIME of OpenSSL, which Python's ``ssl`` does not name.
_ANY_TIME = 0x200000

#: Where the direction hands out its authority.
_AUTHORITY = "/zertifikat/stichwart.pem"

#: What every direction's own authority is called (``kiosk.director.tls.authority``), as ``ssl`` tells it.
_OWN = (("organizationName", "Stichwart"),)

_LARGEST = 20_000  # bytes of an authority


@dataclass(frozen=True, slots=True)
class Direction:
    """The way to a direction."""

    url: str  # "http://director.local:8377" or "https://…"
    token: str = ""  # this table's secret
    authority: str = ""  # by which it is recognised, PEM; "": as this machine's own authorities say
    others: Sequence[str] = ()  # where other directors were, for the time when that one is away


@lru_cache(maxsize=4)
def trust(authority: str) -> ssl.SSLContext:
    """Make what a connection to the direction is checked with.

    :param authority: PEM; "": the machine's own authorities, names and dates count.
    :raises LineError: that is no certificate.
    """
    if not authority:
        return ssl.create_default_context()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VerifyFlags(_ANY_TIME)
    try:
        context.load_verify_locations(cadata=authority)
    except (ssl.SSLError, ValueError) as error:
        raise LineError(f"the direction's authority is no certificate (PEM): {error}") from error
    context.check_hostname = not all(_OWN in one["subject"] for one in context.get_ca_certs())
    return context


def fingerprint(authority: str) -> str:
    """Compute an authority's fingerprint: SHA-256 of its binary form, 64 hexadecimal signs.

    :raises ValueError: this is no certificate.
    """
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(authority.strip())).hexdigest()


def meet(direction: Direction) -> Direction:
    """Find out how a direction is reached that this table does not know yet: encrypted wherever it can be.

    Nothing that it says is believed before the code on this table's screen has come back from it
    (:mod:`kiosk.table.enrolment`). An address that begins with ``http`` in an older file is tried encrypted first.

    :raises httpx.HTTPError: it is away, or answers something else.
    """
    parts = urlsplit(direction.url)
    if parts.scheme == "http" and _is_loopback(parts.hostname or ""):
        return direction
    encrypted = parts._replace(scheme="https").geturl().rstrip("/")
    unchecked = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    try:
        with httpx.Client(verify=unchecked, trust_env=False, timeout=10) as http:
            answer = http.get(encrypted + _AUTHORITY)
    except httpx.TransportError as error:
        if parts.scheme == "http" and speaks_plainly(error):
            return direction
        raise
    if answer.status_code == 404:
        return replace(direction, url=encrypted, authority="")
    answer.raise_for_status()
    if len(answer.content) > _LARGEST:
        raise httpx.DecodingError("the direction's authority is too large for one")
    try:
        fingerprint(answer.text)
        trust(answer.text)
    except (ValueError, LineError) as error:
        raise httpx.DecodingError(f"the direction's authority is none: {error}") from error
    return replace(direction, url=encrypted, authority=answer.text)


def speaks_plainly(error: BaseException) -> bool:
    """Report whether a handshake failed because the other side does not encrypt."""
    return any(
        isinstance(one, ssl.SSLError) and not isinstance(one, ssl.SSLCertVerificationError) for one in _causes(error)
    )


def is_another(error: BaseException) -> bool:
    """Report whether a connection failed because the direction's certificate is not the one expected."""
    return any(isinstance(one, ssl.SSLCertVerificationError) for one in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

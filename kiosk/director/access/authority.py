"""Make the direction's own certificate authority, and the server's certificate that it signs."""

import datetime
import hashlib
import ssl
from collections.abc import Sequence

import sqlalchemy as sa
import trustme
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from kiosk.director.access.schema import AUTHORITY
from kiosk.director.storage.database import Database

#: Days for which a server's certificate is good, made at each start: browsers refuse more than 825 (Apple, HT210176).
_DAYS = 800

_NAME = "Stichwart"


class Authority:
    """The certificate authority of one direction: made once, kept in its database, never sent anywhere with its key."""

    def __init__(self, database: Database) -> None:
        self._ca = self._kept(database)

    @staticmethod
    def _kept(database: Database) -> trustme.CA:
        query = sa.select(AUTHORITY.c.certificate, AUTHORITY.c.key).where(AUTHORITY.c.id == 1)
        with database.failing(), database.engine.begin() as db:
            row = db.execute(query).first()
            if row is None:
                made = trustme.CA(organization_name=_NAME, organization_unit_name="Turnierleitung", path_length=0)
                values = {"certificate": made.cert_pem.bytes(), "key": made.private_key_pem.bytes()}
                db.execute(AUTHORITY.insert().values(id=1, **values))
                return made
        return trustme.CA.from_pem(bytes(row[0]), bytes(row[1]))

    @property
    def pem(self) -> bytes:
        """The certificate that tables pin and browsers may install, PEM."""
        return bytes(self._ca.cert_pem.bytes())

    @property
    def der(self) -> bytes:
        """The same as DER."""
        return x509.load_pem_x509_certificate(self.pem).public_bytes(Encoding.DER)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate, as browsers show it."""
        found = hashlib.sha256(self.der).hexdigest().upper()
        return ":".join(found[i : i + 2] for i in range(0, len(found), 2))

    def server_context(self, names: Sequence[str]) -> ssl.SSLContext:
        """Make the server's side of TLS, with a certificate for these names and addresses."""
        day = datetime.timedelta(days=1)
        now = datetime.datetime.now(datetime.UTC)
        leaf = self._ca.issue_cert(
            *names,
            organization_name=_NAME,
            organization_unit_name="Turnierleitung",
            not_before=now - day,
            not_after=now + _DAYS * day,
        )
        context = _context()
        leaf.configure_cert(context)
        return context


def context_of_files(certificate: str, key: str) -> ssl.SSLContext:
    """Make the server's side of TLS from files.

    :raises OSError: a file cannot be read; ``ssl.SSLError`` is one: they are no certificate and its key.
    """
    context = _context()
    context.load_cert_chain(certificate, key or None)
    return context


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context

"""Show the director's certificate: its own authority's, renewed in time and for each address, or one from files."""

import contextlib
import ipaddress
import logging
import os
import socket
import ssl
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import Encoding

from kiosk.director.refusals import BadCertificate
from kiosk.director.settings import Tls
from kiosk.director.tls.authority import RENEWED, Authority, fingerprint, own_authority, write_secret
from kiosk.table.enrolment import PUBLIC

log = logging.getLogger(__name__)

#: Names and addresses in a certificate at most.
_MOST = 100


class Certificates:
    """The director's certificate and what it is recognised by. Not safe to use from several threads at once.

    ``context`` stays the same; a new certificate counts from the next connection on.

    :raises BadCertificate: a file cannot be read or used.
    """

    def __init__(self, settings: Tls) -> None:
        self._settings = settings
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.set_alpn_protocols(["http/1.1"])
        self._own: Authority | None = None if settings.certificate else own_authority(settings.folder)
        self._seen: set[str] = set()  # addresses of this machine by which somebody came
        self._named: frozenset[str] = frozenset()
        self._foreign: set[str] = set()  # names of the settings that are not of a local network
        self.ends = datetime.fromtimestamp(0, UTC)
        self._files: tuple[int, ...] = ()  # when the files were written
        #: The certificate to be installed or pinned, PEM; "": the machines that come know the one from files.
        self.authority = self._own.pem if self._own is not None else ""
        if self._own is not None:
            self._look_at_own()
        else:
            self._take_files()

    @property
    def own(self) -> bool:
        """Whether the certificate is of the direction's own authority, which browsers do not know."""
        return self._own is not None

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the authority, 64 hexadecimal signs; "": none is to be pinned."""
        return fingerprint(self.authority) if self.authority else ""

    @property
    def pinned(self) -> str:
        """By what tables recognise this service: the authority's fingerprint, or that browsers know it anyway."""
        return self.fingerprint or PUBLIC

    @property
    def names(self) -> list[str]:
        """Hosts and addresses for which the certificate holds."""
        return sorted(self._named)

    def came_by(self, address: str) -> None:
        """Note an address of this machine by which somebody comes: the certificate shall hold for it."""
        name = _plain(address)
        if self._own is not None and name not in self._seen and name not in self._named and len(self._seen) < _MOST:
            self._seen.add(name)
            self._look_at_own()

    def look(self) -> None:
        """Renew the certificate if it is about to end or lacks a name; take files that were written anew."""
        if self._own is not None:
            self._look_at_own()
        elif self._written() != self._files:
            try:
                self._take_files()
            except BadCertificate as error:  # perhaps only one of the two is there yet: the one before counts
                log.error("%s; the certificate before goes on", error)

    # its own

    def _look_at_own(self) -> None:
        assert self._own is not None
        path, now = self._settings.folder / "server.pem", datetime.now(UTC)
        wanted = self._wanted()
        if not self._named:
            self._take_kept(path)
        ending = now >= self.ends - RENEWED
        if not ending and wanted <= self._named:
            return
        content = self._own.sign(frozenset(sorted(wanted)[:_MOST]))
        log.info("a new certificate for %s", ", ".join(sorted(wanted)))
        try:
            write_secret(path.with_name(f"server.{os.getpid()}.new"), content).replace(path)
            self.context.load_cert_chain(path)
        except OSError as error:
            raise BadCertificate(f"{path}: the certificate cannot be kept: {error.strerror or error}") from error
        self._took(content)

    def _take_kept(self, path: Path) -> None:
        """Take the certificate of the time before, if it is this authority's and whole; else a new one is made."""
        assert self._own is not None
        with contextlib.suppress(OSError, ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound):
            content = path.read_bytes()
            x509.load_pem_x509_certificate(content).verify_directly_issued_by(self._own.certificate)
            self.context.load_cert_chain(path)
            self._took(content)

    def _wanted(self) -> frozenset[str]:
        assert self._own is not None
        host = socket.gethostname().lower()
        short = host.partition(".")[0]
        given = {host, short, f"{short}.local", "localhost", "127.0.0.1", "::1", *self._settings.names}
        names = {_plain(name) for name in given | set(lan_addresses()) | self._seen if name}
        found = frozenset(name for name in names if self._own.may_name(name))
        foreign = {_plain(name) for name in self._settings.names} - found
        for name in sorted(foreign - self._foreign):
            log.error("names: %r is not of a local network; for it the service wants a certificate from files", name)
        self._foreign = foreign
        return found

    def _took(self, content: bytes) -> None:
        certificate = x509.load_pem_x509_certificate(content)
        self.ends = certificate.not_valid_after_utc
        named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        self._named = frozenset(
            [*named.get_values_for_type(x509.DNSName), *map(str, named.get_values_for_type(x509.IPAddress))]
        )

    # from files

    def _take_files(self) -> None:
        chain, key = self._settings.certificate, self._settings.key
        assert chain is not None
        written = self._written()
        try:
            content = chain.read_bytes()
            shown = x509.load_pem_x509_certificates(content)
            trial = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)  # a mistake leaves the one in use alone
            trial.load_cert_chain(chain, key, password=_no_password)
            self.context.load_cert_chain(chain, key, password=_no_password)
            self._took(content)
        except (OSError, ValueError, x509.ExtensionNotFound) as error:
            raise BadCertificate(
                f"certificate {str(chain)!r}, key {str(key)!r}: {error}; chain and key are wanted as PEM, without a "
                "password, readable by the service's user"
            ) from error
        self._files = written
        root = shown[-1]
        self.authority = (
            root.public_bytes(Encoding.PEM).decode() if len(shown) > 1 and root.subject == root.issuer else ""
        )
        log.info("certificate for %s until %s", ", ".join(self.names), self.ends.date())

    def _written(self) -> tuple[int, ...]:
        paths = (self._settings.certificate, self._settings.key)
        with contextlib.suppress(OSError):
            return tuple(path.stat().st_mtime_ns for path in paths if path is not None)
        return ()


def lan_addresses() -> list[str]:
    """List addresses under which other machines may reach this one; empty without a network."""
    found = []
    # TEST-NET-1 and the documentation's network (RFC 5737, 3849): nothing is sent, only the way out is chosen
    for family, anywhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((anywhere, 9))
            found.append(str(probe.getsockname()[0]))
    return [address for address in found if not ipaddress.ip_address(address).is_loopback]


def _plain(name: str) -> str:
    """A host or address as a certificate writes it."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return name.lower()
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def _no_password() -> str:
    raise ValueError("the key has a password")

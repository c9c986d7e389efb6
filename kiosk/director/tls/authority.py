"""Make and keep the direction's own certificate authority, by which its tables recognise it (X.509, RFC 5280).

Whoever installs it in a browser trusts it for nothing but a hall's network: its name constraints leave private
addresses and names of local networks, so that a stolen key impersonates no other site.
"""

import contextlib
import hashlib
import ipaddress
import os
import socket
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from kiosk.director.refusals import BadCertificate

#: Networks that are nobody's on the internet (RFC 1918, 3927, 4193, 4291, 6598) and this machine itself.
_NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
_PRIVATE = tuple(ipaddress.ip_network(network) for network in _NETWORKS)

#: Names that only a local network gives (RFC 6762, 6761, 8375, ICANN's "internal"), and those of common routers.
_DOMAINS = ("local", "localhost", "home.arpa", "internal", "lan", "fritz.box", "speedport.ip")

#: A Pi without a battery clock may make its authority in 1970: nothing begins before the program was written.
_WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)

#: The organization that each authority names: by that tables tell it from one that signs for others, too.
ORGANIZATION = "Stichwart"

#: How long the authority holds, and a server's certificate (Apple takes no more than 825 days).
_AUTHORITY = timedelta(days=30 * 365)
_SERVER = timedelta(days=400)

#: Days before its end from which on a server's certificate is made anew.
RENEWED = timedelta(days=130)

#: Clocks of telephones that are behind.
_SLACK = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Authority:
    """The direction's authority: its certificate and the key that signs."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> str:
        """The certificate as text (PEM)."""
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def may_name(self, name: str) -> bool:
        """Report whether its certificates may name this host or address."""
        constraints = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        permitted = constraints.permitted_subtrees or []
        address = _address(name)
        if address is not None:
            return any(
                isinstance(one, x509.IPAddress)
                and isinstance(one.value, ipaddress.IPv4Network | ipaddress.IPv6Network)
                and address.version == one.value.version
                and address in one.value
                for one in permitted
            )
        return any(
            isinstance(one, x509.DNSName) and (name == one.value or name.endswith(f".{one.value}")) for one in permitted
        )

    def sign(self, names: frozenset[str]) -> bytes:
        """Make a server's key and certificate; return both and the authority's certificate as PEM.

        :param names: hosts and addresses, each permitted.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        begin = _now() - _SLACK
        shown = [_general(name) for name in sorted(names)]
        usage = x509.KeyUsage(True, *(False,) * 8)
        signer = self.certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
        certificate = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Stichwart")]))
            .issuer_name(self.certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin)
            .not_valid_after(begin + _SERVER)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName(shown), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(signer), critical=False)
            .sign(self.key, hashes.SHA256())
        )
        return _key_text(key) + certificate.public_bytes(serialization.Encoding.PEM) + self.pem.encode()


def own_authority(folder: Path) -> Authority:
    """Return the authority kept in this folder, made at the first call.

    It is never replaced: all tables pin it. Two services that begin at once get the same.

    :raises BadCertificate: it cannot be read, or not be kept.
    """
    path = folder / "authority.pem"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            authority = _new_authority()
            beside = write_secret(
                folder / f"authority.{os.getpid()}.new", _key_text(authority.key) + authority.pem.encode()
            )
            with contextlib.suppress(FileExistsError):  # another service was first
                os.link(beside, path)
            beside.unlink()
        return _read(path.read_bytes())
    except OSError as error:
        raise BadCertificate(
            f"{path}: the authority cannot be kept or read: {error.strerror}; give the service's user the folder"
        ) from error
    except (ValueError, TypeError) as error:
        raise BadCertificate(
            f"{path}: this is no authority ({error}); put it back from a copy. Where there is none delete it: a new "
            "authority is made, and every table has to be admitted again"
        ) from error


def fingerprint(pem: str) -> str:
    """Compute a certificate's fingerprint: SHA-256, 64 hexadecimal signs."""
    der = x509.load_pem_x509_certificate(pem.encode()).public_bytes(serialization.Encoding.DER)
    return hashlib.sha256(der).hexdigest()


def spoken(digest: str) -> str:
    """Format a fingerprint to be compared, as browsers show it: pairs of signs."""
    return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2)).upper()


def der(pem: str) -> bytes:
    """Return a certificate in its binary form (DER)."""
    return x509.load_pem_x509_certificate(pem.encode()).public_bytes(serialization.Encoding.DER)


def write_secret(path: Path, content: bytes) -> Path:
    """Write a file that this user alone reads, on the disk when this returns.

    :raises OSError: it cannot be written.
    """
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return path


def _read(content: bytes) -> Authority:
    key = serialization.load_pem_private_key(content, None)
    certificate = x509.load_pem_x509_certificate(content)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise ValueError("key and certificate do not belong together")
    return Authority(certificate, key)


def _new_authority() -> Authority:
    host = socket.gethostname()[:40] or "Stichwart"
    key = ec.generate_private_key(ec.SECP256R1())
    begin = _now() - _SLACK
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, ORGANIZATION),
            x509.NameAttribute(NameOID.COMMON_NAME, f"Stichwart {host} {_now():%Y-%m-%d}"),
        ]
    )
    permitted: list[x509.GeneralName] = [x509.IPAddress(network) for network in _PRIVATE]
    permitted += [x509.DNSName(domain) for domain in dict.fromkeys((*_DOMAINS, *_single(host)))]
    signs = dict.fromkeys(("key_cert_sign", "crl_sign"), True)
    other = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    usage = x509.KeyUsage(**dict.fromkeys((*other, "encipher_only", "decipher_only"), False), **signs)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + _AUTHORITY)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate, key)


def _now() -> datetime:
    return max(datetime.now(UTC).replace(microsecond=0), _WRITTEN)


def _single(host: str) -> tuple[str, ...]:
    """The machine's bare name, by which routers and Windows find it."""
    host = host.lower()
    return (host,) if "." not in host and host.isascii() and host.replace("-", "").isalnum() else ()


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _general(name: str) -> x509.GeneralName:
    address = _address(name)
    return x509.DNSName(name) if address is None else x509.IPAddress(address)


def _key_text(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )

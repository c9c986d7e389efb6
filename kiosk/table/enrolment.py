"""Compute the code by which a table's device and the direction recognise each other.

Encrypted, the code is a random one that stands on the device's screen and goes over no line. The device sends a check
of it, a person types the code in, and the direction answers a proof that it knows it. Both sides mix in the direction's
authority as they see it, so that whoever sits in between can hand on neither check nor proof. Without encryption, and
for devices of before, the code follows from the digest of the device's secret alone.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

#: Signs of a code: none that is taken for another one.
SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

#: Signs of a code: 32 to the power of 8 codes, each at the cost of a scrypt (RFC 7914, 16 MB, about 50 ms).
LENGTH = 8

#: In place of an authority's fingerprint where the device knows the direction's certificate as browsers do.
PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class CodeKeys:
    """What follows from a code and the direction's authority."""

    check: str  # by which the direction finds the device that shows a code, 16 hexadecimal signs
    key: bytes  # with which it proves that somebody has typed the code in there

    def proof(self, id_: str, secret_digest: str, table: int) -> str:
        """Compute the direction's proof that it has admitted this device as that table (HMAC-SHA256)."""
        return hmac.new(self.key, f"{id_}.{secret_digest}.{table}".encode(), hashlib.sha256).hexdigest()


def enrolment_code(secret_digest: str) -> str:
    """Compute the code of a device's secret, where nothing is encrypted.

    :param secret_digest: SHA-256 of the secret, hexadecimal.
    """
    found = _slow(secret_digest, b"stichwart enrolment", LENGTH)
    return "".join(SIGNS[byte % len(SIGNS)] for byte in found)


def fresh_code() -> str:
    """Draw a code."""
    return "".join(secrets.choice(SIGNS) for _ in range(LENGTH))


def code_keys(code: str, authority: str) -> CodeKeys:
    """Compute what follows from a code.

    :param authority: fingerprint of the direction's authority, or ``PUBLIC``.
    """
    found = _slow(code, f"stichwart enrolment {authority}".encode(), 40)
    return CodeKeys(found[:8].hex(), found[8:])


def spoken(code: str) -> str:
    """Format a code to be read: two groups of four."""
    return f"{code[:4]} {code[4:]}"


def _slow(text: str, salt: bytes, length: int) -> bytes:
    return hashlib.scrypt(text.encode(), salt=salt, n=2**14, r=8, p=1, maxmem=64 * 2**20, dklen=length)

"""Compute the code by which a table's device and the direction recognise each other."""

import hashlib

#: Signs of a code: none that is taken for another one.
SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

#: Signs of a code: 32 to the power of 8 codes, each at the cost of a scrypt (RFC 7914, 16 MB, about 50 ms).
LENGTH = 8


def enrolment_code(secret_digest: str) -> str:
    """Compute the code of a device's secret.

    :param secret_digest: SHA-256 of the secret, hexadecimal.
    """
    salt = b"stichwart enrolment"
    found = hashlib.scrypt(secret_digest.encode(), salt=salt, n=2**14, r=8, p=1, maxmem=64 * 2**20, dklen=LENGTH)
    return "".join(SIGNS[byte % len(SIGNS)] for byte in found)


def spoken(code: str) -> str:
    """Format a code to be read: two groups of four."""
    return f"{code[:4]} {code[4:]}"

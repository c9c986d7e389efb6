"""Sign bundles and check who made them: Ed25519 (RFC 8032), the maker's public key pinned at each installation."""

import base64
import binascii
import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from kiosk.errors import KioskError


class BadKey(KioskError, ValueError):
    """A file that holds no key, or no key that can be read."""


def new_key(private: Path, public: Path) -> None:
    """Make a maker's key pair: the private key for this user alone (PEM), the public one as a line of base64.

    :raises BadKey: one of the files is there already; a key is never overwritten.
    """
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    raw = key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    for path, content, mode in ((private, pem, 0o600), (public, base64.b64encode(raw) + b"\n", 0o644)):
        try:
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
                file.write(content)
        except FileExistsError:
            raise BadKey(f"{path} is there already; a key is not overwritten: name another file") from None


def sign(content: bytes, private: Path) -> bytes:
    """Sign by the maker's private key.

    :raises BadKey: the file is no such key.
    """
    try:
        key = serialization.load_pem_private_key(private.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise BadKey(f"{private}: no private key can be read there ({error})") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey(f"{private}: not a key as 'stichwart bundle key' makes it")
    return key.sign(content)


def is_signed(content: bytes, signature: bytes, public: Path) -> bool:
    """Report whether one of the makers whose keys stand in the file, a line each, has signed.

    :raises BadKey: the file is missing, empty, or a line is no key.
    """
    try:
        lines = public.read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError) as error:
        raise BadKey(f"{public}: the maker's key is missing ({error}); install with it: docs/updates.md") from error
    try:
        keys = [Ed25519PublicKey.from_public_bytes(base64.b64decode(line, validate=True)) for line in lines]
    except (ValueError, binascii.Error) as error:
        raise BadKey(f"{public}: a line is no public key ({error})") from error
    if not keys:
        raise BadKey(f"{public}: holds no key; install with the maker's: docs/updates.md")
    return any(_by(key, content, signature) for key in keys)


def _by(key: Ed25519PublicKey, content: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, content)
    except InvalidSignature:
        return False
    return True

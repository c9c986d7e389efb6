"""Hash passwords and PINs (Argon2id) and say which ones will do."""

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

#: 19 MiB and two passes, as OWASP recommends for Argon2id: about 30 ms, on a Pi 4 about 150 ms.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

#: Signs that a password has at least; a PIN of digits as well.
SHORTEST = 6
_LONGEST = 200

#: What is tried first; no part of them will do.
_ROWS = ("01234567890", "09876543210", "abcdefghijklmnopqrstuvwxyz", "qwertzuiop", "qwertyuiop", "password", "passwort")


def hashed(password: str) -> str:
    """Hash a password with a salt of its own, in the text form of Argon2 (PHC)."""
    return _HASHER.hash(password)


def fits(password: str, kept: str) -> bool:
    """Report whether a password is the one that was hashed; what is no hash fits nothing."""
    try:
        return _HASHER.verify(kept, password[: _LONGEST + 1])
    except (Argon2Error, InvalidHashError):
        return False


def is_hash(kept: str) -> bool:
    """Report whether this is a hash that ``hashed`` has made."""
    try:
        _HASHER.check_needs_rehash(kept)
    except InvalidHashError:
        return False
    return True


def bad_password(password: object) -> str | None:
    """Return the code of what is wrong with a password; None if it will do."""
    if not isinstance(password, str) or len(password) < SHORTEST:
        return "short_password"
    if len(password) > _LONGEST or not password.isprintable():
        return "odd_password"
    if len(set(password)) < 3 or any(password.casefold() in row for row in _ROWS):
        return "easy_password"
    return None

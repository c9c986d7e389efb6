"""Make the hash of a PIN for the director's file: ``stichwart director-pin``."""

import getpass
import sys

from kiosk.director.access.passwords import bad_password, hashed
from kiosk.errors import KioskError


class BadDirectorPin(KioskError, ValueError):
    """A PIN that anybody guesses, or that was typed in two ways."""


def make_pin() -> int:
    """Ask for a PIN or password, twice where somebody types it, and print the line for the file.

    :raises BadDirectorPin: it will not do, or the second one differs.
    """
    typed = sys.stdin.isatty()
    pin = getpass.getpass("PIN or password (6 signs at least): ") if typed else sys.stdin.readline().rstrip("\n")
    if (wrong := bad_password(pin)) is not None:
        raise BadDirectorPin(f"this PIN will not do ({wrong}): 6 signs at least, and none that anybody guesses")
    if typed and getpass.getpass("once more: ") != pin:
        raise BadDirectorPin("the two differ; start again")
    print(f'pin = "{hashed(pin)}"')
    return 0

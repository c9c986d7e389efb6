"""Make the hash of a referee's code for the tables' files: ``stichwart referee-code``."""

import getpass
import sys

from kiosk.app.config import bad_pin
from kiosk.app.referee_code import hashed
from kiosk.errors import KioskError


class BadCode(KioskError, ValueError):
    """A code that cannot be the referee's."""


def make_code() -> int:
    """Ask for a code, twice where somebody types it, and print the line for the file.

    :raises BadCode: it is no code, or the second one differs.
    """
    typed = sys.stdin.isatty()
    code = getpass.getpass("referee's code (4 to 12 digits): ") if typed else sys.stdin.readline().strip()
    if not code or (wrong := bad_pin(code)):
        raise BadCode(f"this is no code: {wrong if code else 'nothing was typed'}; type 4 to 12 digits")
    if typed and getpass.getpass("once more: ") != code:
        raise BadCode("the two differ; start again")
    if typed:
        print("put this line below [referee] in the file of each table, in place of pin:", file=sys.stderr)
    print(f'code = "{hashed(code)}"')
    return 0

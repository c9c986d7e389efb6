"""Decode the keys of a scanner that is a keyboard into text, by its keyboard layout.

Numbers of keys are Linux' (``input-event-codes.h``); a key means its place, the layout what is printed there.
"""

from typing import Final

ENTER: Final = frozenset({28, 96})  # KEY_ENTER, KEY_KPENTER
SHIFT: Final = frozenset({42, 54})  # left, right
BACKSPACE, ESCAPE = 14, 1

#: First key of each row of letters and signs.
_ROWS = (2, 16, 30, 44)
#: Signs of the rows, plain and with shift; then those of the keys 43 (beside Enter) and 86 (beside the left shift).
_SIGNS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "us": (
        ("1234567890-=", "!@#$%^&*()_+"),
        ("qwertyuiop[]", "QWERTYUIOP{}"),
        ("asdfghjkl;'`", 'ASDFGHJKL:"~'),
        ("zxcvbnm,./", "ZXCVBNM<>?"),
        ("\\<", "|>"),
    ),
    "de": (
        ("1234567890ß´", '!"§$%&/()=?`'),
        ("qwertzuiopü+", "QWERTZUIOPÜ*"),
        ("asdfghjklöä^", "ASDFGHJKLÖÄ°"),
        ("yxcvbnm,.-", "YXCVBNM;:_"),
        ("#<", "'>"),
    ),
}
#: The block of digits, the same on every keyboard.
KEYPAD: Final = {
    71: "7",
    72: "8",
    73: "9",
    74: "-",
    75: "4",
    76: "5",
    77: "6",
    78: "+",
    79: "1",
    80: "2",
    81: "3",
    82: "0",
    83: ".",
    55: "*",
    98: "/",
}

LAYOUTS = tuple(_SIGNS)


def _table(name: str) -> dict[int, tuple[str, str]]:
    *rows, (plain, shifted) = _SIGNS[name]
    keys = {57: (" ", " "), 43: (plain[0], shifted[0]), 86: (plain[1], shifted[1])}
    keys |= {number: (sign, sign) for number, sign in KEYPAD.items()}
    for first, (low, high) in zip(_ROWS, rows, strict=True):
        keys |= {first + offset: pair for offset, pair in enumerate(zip(low, high, strict=True))}
    return keys


_TABLES = {name: _table(name) for name in LAYOUTS}


def sign_of(key: int, *, shift: bool, layout: str) -> str:
    """Return the sign that a key types; empty: none that a code has."""
    return _TABLES[layout].get(key, ("", ""))[shift]


def key_of(sign: str, layout: str) -> tuple[int, bool]:
    """Return the key that types a sign, and whether with shift.

    :raises KeyError: no key of this layout does.
    """
    for number, signs in _TABLES[layout].items():
        if sign in signs:
            return number, signs[0] != sign
    raise KeyError(sign)

"""Read JSON of strangers: nothing that a database, a page or another program could not keep."""

import json
import re
from typing import Any

import orjson

#: Whole numbers that a database keeps, in both directions.
_LARGEST_KEPT = 2**63 - 1

#: The largest number that JSON's readers and databases all keep as it is (RFC 8259, 6).
LARGEST = 2**53 - 1

#: Half of a character beyond U+FFFF; alone it is none, and cannot be written as UTF-8.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

#: What may be a number that is too large, a half character or NUL.
_ODD = re.compile(r"\d{18}|\d[eE]|\\u")


def parsed(content: bytes | str) -> Any:
    """Parse a message.

    :raises ValueError: it is no JSON (RFC 8259), or holds a number that is none or too large, or half a character.
    """
    text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
    if not _ODD.search(text):  # nearly all messages: a fifth of the time
        try:
            return orjson.loads(text)
        except ValueError:
            pass  # what is wrong with it is said below
    try:
        found = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if "\\u0000" in text:
        raise ValueError("it holds a NUL character")
    if _SURROGATE.search(text):
        json.dumps(found, ensure_ascii=False).encode()  # a UnicodeEncodeError is a ValueError
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text[:40]} is too large a number")
    return number


def _whole(text: str) -> int:
    if len(text) > 20 or abs(int(text)) > _LARGEST_KEPT:
        raise ValueError(f"{text[:40]} is too large a number")
    return int(text)


_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite, parse_int=_whole)

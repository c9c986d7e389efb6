"""Compute the chain over a table's events: a short text that is equal only if all events up to a number are equal.

The table and the director each compute it, so that nobody appends to a list that began differently.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping

#: The chain before the first event.
START = ""


_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical(event: Mapping[str, object]) -> str:
    """Format the event as JSON, the same for equal events: keys sorted, no blanks.

    :raises ValueError: the event holds a number that JSON does not have (NaN, infinity).
    """
    return _CANONICAL.encode(event)


def link(chain: str, event: Mapping[str, object]) -> str:
    """Extend the chain by one event: 32 hexadecimal digits (SHA-256, cut to 128 bits)."""
    return link_canonical(chain, canonical(event))


def link_canonical(chain: str, event: str) -> str:
    """Extend the chain by one event that was formatted by ``canonical``."""
    return hashlib.sha256(f"{chain}\n{event}".encode()).hexdigest()[:32]


def chain_over(events: Iterable[Mapping[str, object]]) -> str:
    """Compute the chain over a list's events, from the first on."""
    chain = START
    for event in events:
        chain = link(chain, event)
    return chain

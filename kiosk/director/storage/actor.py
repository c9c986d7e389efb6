"""Keep in mind who asks, so that every note and order carries the name whatever way it takes to the store."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

#: Name of the account that asks, by request; "": the service itself.
ACTOR: ContextVar[str] = ContextVar("actor", default="")


def signed(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a note's or order's body with its ``actor``; what the body itself says of one does not count."""
    unsigned = {key: value for key, value in body.items() if key != "actor"}
    return {**unsigned, "actor": ACTOR.get()} if ACTOR.get() else unsigned

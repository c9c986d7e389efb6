"""Define the notes of a tournament, and which of them are in force: a later note may undo an earlier one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

#: The note that takes another one back: ``{"note": "undo", "number": 7, "why": …}``.
UNDO = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A note of a tournament: people, seats, options, payments; ``body`` has the key ``note``."""

    number: int
    at: int  # ms since the epoch
    body: dict[str, Any]


def undone_by(notes: Sequence[Noted]) -> dict[int, Noted]:
    """Find the notes that are undone, each with the note that did it; an undoing may itself be undone."""
    found: dict[int, Noted] = {}
    for one in reversed(notes):
        number = one.body.get("number")
        if one.body.get("note") == UNDO and one.number not in found and type(number) is int:
            found.setdefault(number, one)
    return found


def in_force(notes: Sequence[Noted]) -> list[Noted]:
    """List the notes that count: those undone and the undoings are left out."""
    gone = undone_by(notes)
    return [one for one in notes if one.number not in gone and one.body.get("note") != UNDO]

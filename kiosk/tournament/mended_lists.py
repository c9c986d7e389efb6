"""Make what tables are told of their lists: the direction's notes on them, to be folded over what they wrote."""

from typing import Any

from kiosk.table.scoresheet.berichtigung import PHOTO, note_data
from kiosk.tournament.berichtigung import ListNotes


def mended_lists(lists: ListNotes) -> dict[int, dict[str, list[dict[str, Any]]]]:
    """Return, by table, its rounds of which something was noted, with the notes in their order; no photographs."""
    found: dict[int, dict[str, list[dict[str, Any]]]] = {}
    for (round_, table), notes in lists.items():
        told = [note_data(one) for one in notes if one.body.get("note") != PHOTO]
        if told:
            found.setdefault(table, {})[str(round_)] = told
    return found

"""Take back a note by another one, where nothing later stands on it."""

from collections.abc import Callable, Sequence
from typing import Any

from kiosk.errors import BadNote, shorten
from kiosk.rules.engine.listing import RowId
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.berichtigung import replayed
from kiosk.tournament.notes import UNDO, Noted, in_force, undone_by
from kiosk.tournament.tournament import Tournament, folded_with

#: What cannot be taken back: the lists of a tournament that was begun stand on it, an order is given anew.
_NEVER = ("begin", "order_undone")


def undo_note(
    start: Tournament,
    notes: Sequence[Noted],
    number: object,
    why: object,
    written: Callable[[Tournament, int, int], Round | None],
) -> dict[str, Any]:
    """Make the note that takes note ``number`` back; an undoing may itself be taken back.

    :param start: the tournament as its file has it.
    :param notes: all, those undone too.
    :param written: a table's list as it wrote it, or the empty one of a table on paper.
    :raises BadNote: there is no such note, it is undone already, or later notes stand on it.
    """
    one = next((one for one in notes if one.number == number), None)
    if one is None or one.body.get("note") in _NEVER:
        raise BadNote("no_note", f"note {shorten(number)} is none that can be taken back; look at the record again")
    by = undone_by(notes).get(one.number)
    if by is not None:
        raise BadNote(
            "undone_already", f"note {number} is undone already, by {shorten(by.body.get('actor'))}",
            name=str(by.body.get("actor") or "–"),
        )  # fmt: skip
    body = {"note": UNDO, "number": one.number, "why": " ".join(str(why or "").split())[:200]}
    after = [*notes, Noted(number=notes[-1].number + 1, at=notes[-1].at, body=body)]
    before, then = _at_work(start, in_force(notes), written), _at_work(start, in_force(after), written)
    stands = sorted(number for number, did in before.items() if did is not False and then.get(number, did) != did)
    if stands:
        later = next(other for other in notes if other.number == stands[0])
        raise BadNote(
            "stands_on",
            f"note {stands[0]} ({later.body.get('note')}) stands on it; take that one back first",
            number=stands[0],
            what=str(later.body.get("note")),
        )
    return body


def _at_work(
    start: Tournament, notes: Sequence[Noted], written: Callable[[Tournament, int, int], Round | None]
) -> dict[int, RowId | bool]:
    """What each note does: changes that row of its list, takes effect (True), or is passed over (False).

    It is passed over if it does not fit: in the tournament, on its list, or on a list that is none any more.
    """
    now, passed = folded_with(start, notes)
    found: dict[int, RowId | bool] = {one.number: one.number not in passed for one in notes}
    for (round_, table), of_list in now.lists.items():
        own = written(now, round_, table)
        if own is None:
            found |= dict.fromkeys((one.number for one in of_list), False)
            continue
        again = replayed(own, of_list)
        found |= dict.fromkeys(again.passed, False)
        found |= dict(again.touched)
    return found

"""Refuse to write over what somebody has not seen: each value that is saved as a whole knows its last note.

Who saves one may say by ``based_on`` which note it followed from, as the form showed it; programs need not.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kiosk.errors import BadNote
from kiosk.tournament.notes import UNDO, Noted

#: Notes that set a whole value anew: book and options, programme, wishes of draws, fee and prizes, when a table is
#: named to the direction, the series, whether an evening counts for its year, the club's sign.
WHOLE: Final = frozenset({"setup", "programme", "seat_wishes", "purse", "watch", "series", "year_counts", "sign"})

#: What was never saved is as the file and the book have it.
NEVER: Final = -1

BASED_ON: Final = "based_on"


class Overtaken(BadNote):
    """Somebody has saved another value meanwhile; ``values`` say who, when, and by which note."""


def based(saved: Mapping[str, int], body: Mapping[str, Any], notes: Callable[[], Sequence[Noted]]) -> Mapping[str, Any]:
    """Return the note without its ``based_on``, which must be the last note of that value.

    :param saved: what each value's last note in force is (``Tournament.saved``).
    :param notes: reads all notes of the tournament, those undone too.
    :raises Overtaken: it is another one by now.
    """
    if BASED_ON not in body or body.get("note") not in WHOLE:
        return body
    kind, last = str(body["note"]), saved.get(str(body["note"]), NEVER)
    if body[BASED_ON] != last:
        raise overtaken(kind, last, lambda note: note.get("note") == kind, notes())
    return {key: value for key, value in body.items() if key != BASED_ON}


def based_by(wish: Mapping[str, Any], note: Mapping[str, Any]) -> dict[str, Any]:
    """Return a note that was made of a wish with what the wish says it follows from."""
    return {**note, **({BASED_ON: wish[BASED_ON]} if BASED_ON in wish else {})}


def overtaken(what: str, last: int, concerns: Callable[[Mapping[str, Any]], bool], notes: Sequence[Noted]) -> Overtaken:
    """Make the refusal that names who has changed it last, by a note or by undoing one.

    :param last: number of the note that it stands by now.
    :param concerns: whether a note changes it.
    """
    known = {one.number: one for one in notes}

    def meant(one: Noted) -> Noted:
        while one.body.get("note") == UNDO and one.body.get("number") in known:
            one = known[one.body["number"]]
        return one

    one = next((one for one in reversed(notes) if concerns(meant(one).body)), None)
    actor = "" if one is None else str(one.body.get("actor") or "")
    undone = one is not None and one.body.get("note") == UNDO
    return Overtaken(
        "overtaken",
        f"{what}: {actor or 'somebody'} has {'taken back' if undone else 'changed'} it meanwhile (note {last}); look "
        "at what stands there now, and save again if yours shall count",
        what=what,
        name=actor,
        at=0 if one is None else one.at,
        undone=undone,
        number=last,
    )

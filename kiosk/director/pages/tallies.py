"""Make standing, cash book and what else is computed of a whole tournament, once for all who ask."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from fastapi import Request

from kiosk.director.refusals import StillReading, UnknownTournament
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.hall import Hall
from kiosk.errors import shorten
from kiosk.table.round.fold import Round
from kiosk.tournament.notes import Noted, in_force
from kiosk.tournament.tournament import Tournament

#: Seconds that who asks for a standing waits for lists that are still read after a start; a thousand take a minute.
_PATIENCE_S = 60

Made = TypeVar("Made")


async def of_all_lists(hall: Hall, make: Callable[[], Made]) -> Made:
    """Compute something of all lists on the thread that folds, once those that were stored at the start are read.

    :raises StillReading: they are not read yet; half a hall would be a standing that is wrong and looks right.
    """
    try:
        await asyncio.wait_for(hall.copies.caught_up.wait(), _PATIENCE_S)
    except TimeoutError:
        raise StillReading("the lists are still being read after the start; try again in a minute") from None
    return await hall.threads.folding(make)


def known_of(hall: Hall, name: str) -> tuple[Tournament, list[Copy], list[Noted]]:
    """Return a tournament as it stands, its tables' copies and its notes."""
    copies = [desk.copy for desk in hall.desks.of_tournament(name)]
    hall.office.catch_up()
    notes = hall.store.notes(name)
    if name == hall.tournament:
        return hall.office.tournament, copies, notes
    if not copies and not notes:
        raise UnknownTournament(f"tournament {shorten(name)} was never heard of")
    return hall.office.named(name), copies, notes


def rounds_of(copies: Iterable[Copy]) -> list[Round]:
    """Return the rounds of the copies that have one."""
    return [copy.round for copy in copies if copy.round is not None]


async def tally_of(
    request: Request, name: str, what: Callable[..., Mapping[str, Any]], *more: object
) -> Mapping[str, Any]:
    """Return what is made of a tournament; once for all pages while nothing changes, on the thread that folds."""
    state = request.app.state
    if not hasattr(state, "tallies"):
        state.tallies = {}

    def made() -> dict[str, Any]:
        known, copies, notes = known_of(state.hall, name)
        stand = (known, len(notes), [(id(copy), copy.count) for copy in copies])
        kept = state.tallies.get((name, what, more))
        if kept is None or kept[0] != stand:
            made_of = what(known, rounds_of(copies), in_force(notes), *more)
            kept = state.tallies[name, what, more] = stand, made_of, copies
        return dict(kept[1])

    hall: Hall = state.hall
    return await of_all_lists(hall, made)

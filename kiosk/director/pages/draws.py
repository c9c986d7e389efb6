"""Note the draw of a round, and who is seated or taken out after it."""

from collections.abc import Mapping
from typing import Any

from fastapi import Request

from kiosk.director.pages.begun import begun_tables
from kiosk.director.pages.drawing import drawn
from kiosk.director.pages.tallies import tally_of
from kiosk.director.tables.hall import Hall
from kiosk.errors import BadNote
from kiosk.tournament import drawing, tally
from kiosk.tournament.draws.adjust import Standing, adjusted
from kiosk.tournament.draws.draw import new_seed
from kiosk.tournament.draws.wish import Drawn, Wish
from kiosk.tournament.tournament import Tournament

#: How often a draw is begun anew because people came or left meanwhile.
_TRIES = 3


class _Changed(Exception):
    """What the draw followed from is not so any more."""


async def draw_round(request: Request, hall: Hall, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Draw a round: ``{"round": 2, "kind": "company", "seed": "", "fives": false, "finalists": 16, "seen": 41}``.

    ``seen``: the number of the last note that changed the round's seats, as the page shows them; -1: there are none. If
    somebody else has drawn meanwhile, or the same button was pressed twice, the draw is refused.
    """
    seed = "".join(str(asked.get("seed") or "").split())[:40] or new_seed()
    for _ in range(_TRIES):
        now = hall.office.tournament
        need_seen(now, asked)
        wish = drawing.wish_for(now, asked, await _standing(request, hall.tournament, now, asked), seed)
        result = await drawn(wish)

        def note(known: Tournament, wish: Wish = wish, result: Drawn = result) -> Mapping[str, Any]:
            need_seen(known, asked)
            if drawing.wish_for(known, asked, wish.people, seed) != wish:
                raise _Changed
            return drawing.draw_note(wish, result)

        try:
            noted = await hall.note(note)
        except _Changed:
            continue
        return {"number": noted.number, "met_again": result.met_again, "together": result.together}
    raise BadNote("people_changed", "people came or left all the time; draw again when all are there")


def seats_note(known: Tournament, wish: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the note that swaps seats, or gives the plan to the tables or takes it back, as the page asks for it.

    :raises BadNote: the seats are not those that the page shows, or somebody else has just done the same.
    """
    plan = known.plan(wish.get("round"))
    need_seen(known, wish)
    if "seen" in wish and wish.get("note") == ("publish" if plan.published else "withdraw"):
        code = "published_already" if plan.published else "withdrawn_already"
        raise BadNote(code, f"round {plan.round}: it is so already, somebody was faster")
    return {key: value for key, value in wish.items() if key != "seen"}


async def reseat(_request: Request, hall: Hall, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Seat who came after the draw and take out who left: ``{"round": 1, "fives": false}``; all others stay."""

    def note(known: Tournament) -> Mapping[str, Any]:
        plan = known.plan(asked.get("round"))
        need_seen(known, asked)
        book = known.rules_of(plan.round).book
        players, substitutes = known.present()
        now = Standing(seats=plan.seats, begun=begun_tables(hall, plan.round), players=players, substitutes=substitutes)
        fives = bool(asked.get("fives", not book.seating.fives_section))
        seats = adjusted(book, now, fives, plan.seed, plan.round)
        if seats == plan.seats:
            raise BadNote("nobody_new", "everybody who is here has a seat, and nobody else; nothing is to be changed")
        return {
            "note": "reseat",
            "round": plan.round,
            "seats": {str(table): list(names) for table, names in seats.items()},
        }

    return {"number": (await hall.note(note)).number}


def need_seen(now: Tournament, asked: Mapping[str, Any]) -> None:
    """:raises BadNote: the round's seats are not those that the page shows."""
    plan = now.plans.get(asked["round"]) if type(asked.get("round")) is int else None
    if "seen" in asked and asked["seen"] != (plan.changed if plan is not None else -1):
        raise BadNote("drawn_meanwhile", "somebody has changed this round's seats meanwhile; look at them first")


async def _standing(request: Request, name: str, now: Tournament, asked: Mapping[str, Any]) -> list[str]:
    """Names by the standing, the best first, where the draw goes by it."""
    if drawing.kind_of(now, asked) not in drawing.BY_STANDING:
        return []
    data = await tally_of(request, name, tally.standing)
    if not data["places"]:
        raise BadNote("no_standing", "no list is there yet, so nobody has a place; draw by lot")
    return [one["name"] for one in data["places"]]

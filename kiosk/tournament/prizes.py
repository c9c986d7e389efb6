"""Say who gets which prize, and make the note by which prizes are given."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kiosk.errors import BadNote
from kiosk.rules.engine.money import CLUB
from kiosk.rules.engine.standings import draw
from kiosk.table.round.fold import Round
from kiosk.tournament.fees import awarded, income, payers
from kiosk.tournament.notes import Noted
from kiosk.tournament.overtaken import NEVER
from kiosk.tournament.purse import AWARDED, PURSE, Division, divided
from kiosk.tournament.tally import cash, standing
from kiosk.tournament.tournament import Tournament


def prizes(tournament: Tournament, played: Iterable[Round], notes: Sequence[Noted]) -> dict[str, Any]:
    """Compute what the page and the paper show: what comes in, who gets what as it stands, and what was given."""
    played = list(played)
    data = standing(tournament, played, notes)
    now = divided(tournament.purse, income(tournament), _places(data, ""))
    given = awarded(notes)
    open_ = [one for one in cash(tournament, played, notes)["open"] if CLUB in (one["payer"], one["payee"])]
    return {
        "tournament": tournament.name,
        "fee": tournament.purse.fee,
        "gift": tournament.purse.gift,
        "reserve_share": tournament.purse.reserve_share,
        "reserve_cents": tournament.purse.reserve_cents,
        "prizes": [asdict(one) for one in tournament.purse.prizes],
        "saved": tournament.saved.get(PURSE, NEVER),
        "payers": len(payers(tournament)),
        "unpaid": [one["payer"] for one in open_ if one["payee"] is CLUB],
        "final": data["final"] and not data["to_draw"],
        "now": _told(now),
        "given": None if given is None else _given(tournament, given),
        "closed": given is not None and not open_,
    }


def awarded_note(
    tournament: Tournament, played: Iterable[Round], notes: Sequence[Noted], seen: object = None
) -> dict[str, Any]:
    """Make the note by which prizes are given, by the standing as it is now.

    :param seen: who gets what as it was shown to who gives them (``now`` of ``prizes``); None: it was not looked at.
    :raises BadNote: they were given already, the standing is not final, more is promised than comes in, or it is not
        what was seen: somebody has changed fee, prizes or a list meanwhile.
    """
    if awarded(notes) is not None:
        raise BadNote("awarded_already", "the prizes were given already; take that note back first")
    data = standing(tournament, played, notes)
    if not data["final"] or data["to_draw"]:
        raise BadNote("not_final", "the standing is not final yet: lists are open, or a lot is to be drawn")
    seed = secrets.token_hex(4)
    division = divided(tournament.purse, income(tournament), _places(data, seed))
    if seen is not None and seen != _told(divided(tournament.purse, income(tournament), _places(data, ""))):
        raise BadNote("prizes_meanwhile", "who gets what has changed meanwhile; look at it again, then give the prizes")
    if not division.awards:
        raise BadNote("no_prizes", "no prize is set; name them first")
    if division.rest < 0:
        raise BadNote("too_much", f"{-division.rest} cents more are promised than come in; lower a prize",
                      cents=-division.rest)  # fmt: skip
    return {"note": AWARDED, "seed": seed if division.lots else "", **_told(division)}


def _places(data: Mapping[str, Any], seed: str) -> list[tuple[int, str]]:
    """Places and names, best first; equal ones by the lot that is drawn for things."""
    places = [(one["place"], one["name"]) for one in data["places"] if one["place"] is not None]
    order = {name: number for number, name in enumerate(draw([name for _, name in places], seed))}
    return sorted(places, key=lambda one: (one[0], order[one[1]]))


def _given(tournament: Tournament, note: Noted) -> dict[str, Any]:
    """What was given, to people as they are called today."""
    awards = [{**one, "name": tournament.called(one["name"])} for one in note.body["awards"]]
    return {**note.body, "awards": awards, "number": note.number, "at": note.at}


def _told(division: Division) -> dict[str, Any]:
    return {
        "income": division.income,
        "reserve": division.reserve,
        "rest": division.rest,
        "awards": [{**asdict(one), "things": list(one.things)} for one in division.awards],
        "lots": [list(names) for names in division.lots],
    }

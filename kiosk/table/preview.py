"""Compute what a request would change in the list, on a copy of the round: people see it before they agree."""

from collections.abc import Mapping
from dataclasses import dataclass

from kiosk.errors import BadEvent, Refused
from kiosk.table.consent import check_consent
from kiosk.table.decide import decide
from kiosk.table.events.values import Request
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.rows import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Numbers by seat, seat 1 first, before and after; None: there is no such row then."""

    before: tuple[float, ...] | None
    after: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a request would change."""

    request: Request
    rows: Mapping[int, Change]  # game of the list → its points, where they change
    total: Change | None = None  # points of the whole round
    euros: Change | None = None  # to pay, negative: to get
    refused: Refused | None = None  # it cannot be: nobody need be asked


def preview(round: Round, request: Request, directed: bool = True) -> Preview:
    """Compute the preview of a request that stands with the consent it names; the round stays as it is."""
    try:
        check_consent(round, request)
        after = round.apply(decide(round, request, directed))
    except Refused as refused:
        return Preview(request=request, rows={}, refused=refused)
    except BadEvent as error:
        return Preview(request=request, rows={}, refused=Refused("not_now", "", str(error)))
    old, new = _points(round), _points(after)
    changed = {
        game: Change(before=old.get(game), after=new.get(game))
        for game in sorted(old | new)
        if old.get(game) != new.get(game)
    }
    return Preview(
        request=request,
        rows=changed,
        total=_change(*(tuple(one.totals[seat] for seat in one.seats) for one in (round, after))),
        euros=_change(*(tuple(one.fines.get(seat, 0) for seat in one.seats) for one in (round, after))),
    )


def _points(round: Round) -> dict[int, tuple[float, ...]]:
    return {row.game: tuple(row.score[seat] for seat in round.seats) for row in rows(round)}


def _change(before: tuple[float, ...], after: tuple[float, ...]) -> Change | None:
    return Change(before=before, after=after) if before != after else None

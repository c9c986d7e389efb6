"""What a correction would change in the list is known before anybody agrees to it."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.consent import BY_ALL, by_direction
from kiosk.table.events.codec import decode, request_for
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import GameStruck, Request, RoundOpened, RulingGiven, WordCorrected
from kiosk.table.preview import Change
from kiosk.table.table import Table


def table_of(rules: str, seed: int, until: Any = lambda table: False, **chances: Any) -> Table:
    """A table of a simulated round, up to the event after which ``until`` holds, else the whole of it."""
    opening, *events = map(decode, simulate(rules, seed, **chances))
    assert isinstance(opening, RoundOpened)
    table = Table(MemoryLog(), now=0.0, opening=opening)
    for event in events:
        table.note(event)
        if until(table):
            break
    return table


def ruled_before_the_last_deal(table: Table) -> bool:
    """A minor breach was ruled two games ago."""
    found = [one for one in table.round.games if any(ruling.kind == "minor" for ruling in one.rulings)]
    return bool(found) and len(table.round.games) > found[0].number + 1


def by_all(request: Request) -> Request:
    return replace(request, consent=BY_ALL)


def withdrawn(table: Table) -> Request:
    of = next(number for number, event in enumerate(table.events) if isinstance(event, RulingGiven))
    return by_all(request_for(WordCorrected, of=of, word=None))


@pytest.fixture(scope="module")
def ruled() -> Table:
    return table_of("eppstein", 1, ruled_before_the_last_deal, mistakes=0.05)


def test_a_ruling_taken_back_shows_its_row_and_notes_nothing(ruled: Table) -> None:
    before, events = ruled.view(), len(ruled.events)
    shown = ruled.preview(withdrawn(ruled))
    assert (ruled.view(), len(ruled.events)) == (before, events)
    assert shown.refused is None and len(shown.rows) == 1
    ((game, change),) = shown.rows.items()
    assert change.before == before.rows[game - 1].score != change.after


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
def test_it_comes_as_was_shown(rules: str) -> None:
    """A game struck, a ruling with points of its own: what was shown before is what the list says then."""
    table = table_of(rules, 4, lambda table: len(table.round.games) == 2)
    points = {1: 6, 2: -2, 3: -2, 4: -2}
    requests = [
        by_direction(request_for(RulingGiven, offender=None, kind="custom", scores=points, resume=False)),
        by_all(request_for(GameStruck, game=1, replay=False)),
    ]
    changed = 0
    for request in requests:
        shown = table.preview(request)
        before, totals = [row.score for row in table.view().rows], tuple(table.round.totals.values())
        table.request(request)
        after = [row.score for row in table.view().rows]
        differ = {
            number: Change(before=one, after=other)
            for number, (one, other) in enumerate(zip(before, after, strict=True), 1)
            if one != other
        }
        assert shown.rows == differ
        now = tuple(table.round.totals.values())
        assert shown.total == (Change(before=totals, after=now) if now != totals else None)
        changed += len(differ)
    assert changed >= 2


def test_what_cannot_stand_is_told_before(ruled: Table) -> None:
    """A serious ruling ends the game in which cards were laid afterwards."""
    of = withdrawn(ruled).event
    assert isinstance(of, WordCorrected)
    was = ruled.events[of.of]
    assert isinstance(was, RulingGiven)
    shown = ruled.preview(by_all(request_for(WordCorrected, of=of.of, word=replace(was, kind="serious", body=None))))
    assert shown.refused is not None and shown.refused.way is not None and not shown.rows


def test_it_is_shown_for_those_who_would_agree(ruled: Table) -> None:
    alone = replace(withdrawn(ruled), consent=replace(BY_ALL, seats=frozenset({1, 2})))
    shown = ruled.preview(alone)
    assert shown.refused is not None and shown.refused.code == "needs_all"


def test_fines_in_euro_are_shown() -> None:
    table = table_of("schaffkopf", 2, lambda table: len(table.round.games) == 2)
    fine = by_direction(request_for(RulingGiven, offender=None, kind="none", fines={2: 5}))
    shown = table.preview(fine)
    assert shown.euros == Change(before=(0, 0, 0, 0), after=(0, 5, 0, 0)) and not shown.rows

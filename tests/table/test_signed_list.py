"""A list that somebody has signed, or that is handed in, is changed by nobody alone: in every book."""

from dataclasses import replace

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.table.consent import BY_ALL, by_direction
from kiosk.table.events.codec import decode, request_for
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import (
    CardCorrected,
    CardSeen,
    Consent,
    GameStruck,
    ListHandedIn,
    ListSigned,
    PlayingTimeEnded,
    Request,
)
from kiosk.table.preview import preview
from kiosk.table.table import Table

REFEREE = Consent(deliberate=True, referee=True)
THREE = Consent(deliberate=True, seats=frozenset({1, 2, 4}))


def played(rules: str, directed: bool = True, signed: tuple[int, ...] = (2,)) -> Table:
    """A table at the end of its round, after two games."""
    events = [decode(one) for one in simulate(rules, 3, 2)]
    table = Table(MemoryLog(), now=0.0, opening=events[0], directed=directed)  # type: ignore[arg-type]
    for event in events[1:]:
        if not isinstance(event, ListSigned | ListHandedIn):
            table.note(event)
    if not table.round.over:
        table.request(replace(request_for(PlayingTimeEnded), consent=BY_ALL))
    for seat in signed:
        table.request(replace(request_for(ListSigned, seat=seat), consent=BY_ALL))
    return table


def another_card(table: Table) -> Request:
    """The last card of the round as another one that it may have been."""
    number = max(place for place, event in enumerate(table.events) if isinstance(event, CardSeen))
    for card in dict.fromkeys(table.round.book.deck):
        request = request_for(CardCorrected, of=number, card=card, by="table", why="finger")
        asked = replace(request, consent=BY_ALL)
        if card != table.events[number].card and preview(table.round, asked, directed=False).refused is None:  # type: ignore[attr-defined]
            return request
    raise LookupError(number)


def refused(table: Table, request: Request) -> str:
    events = len(table.events)
    with pytest.raises(Refused) as refusal:
        table.request(request)
    assert len(table.events) == events
    return refusal.value.code


@pytest.mark.parametrize("rules", BOOKS)
def test_a_card_of_an_unsigned_list_is_put_right_by_a_touch(rules: str) -> None:
    table = played(rules, signed=())
    assert "correct" not in table.view().needs_all
    assert table.request(another_card(table))


@pytest.mark.parametrize("rules", BOOKS)
def test_a_card_of_a_signed_list_is_put_right_by_all_or_the_referee(rules: str) -> None:
    """It was once put right by two touches of one finger, and the signatures stood below other points."""
    for consent in (BY_ALL, REFEREE):
        table = played(rules)
        request = another_card(table)
        assert "correct" in table.view().needs_all
        assert refused(table, request) == "needs_all"
        assert refused(table, replace(request, consent=THREE)) == "needs_all"
        assert table.request(replace(request, consent=consent))


CHANGES = {
    "card": another_card,
    "struck": lambda _: request_for(GameStruck, game=1),
    "time": lambda _: request_for(PlayingTimeEnded),
}


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("kind", CHANGES)
def test_a_list_that_is_handed_in_is_the_directions(rules: str, kind: str) -> None:
    """All four at a table, or the referee, could once change what the direction had already."""
    table = played(rules)
    request = CHANGES[kind](table)
    table.request(replace(request_for(ListHandedIn), consent=BY_ALL))
    for consent in (BY_ALL, REFEREE):
        assert refused(table, replace(request, consent=consent)) == "needs_direction"
    if kind != "time":
        assert table.order(by_direction(request))


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("kind", ["card", "struck"])
def test_at_a_table_that_nobody_directs_all_agree(rules: str, kind: str) -> None:
    table = played(rules, directed=False)
    request = CHANGES[kind](table)
    table.request(replace(request_for(ListHandedIn), consent=BY_ALL))
    assert refused(table, replace(request, consent=THREE)) == "needs_all"
    assert table.request(replace(request, consent=BY_ALL))

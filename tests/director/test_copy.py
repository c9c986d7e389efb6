"""The director's copy is the table's round, though it keeps less of it."""

from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from kiosk.director.tables.copy import Copy
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import list_data


def copied(events: list[dict[str, Any]]) -> Copy:
    copy = Copy(ListKey("t", 1, 1))
    copy.add(events)
    assert not copy.trouble and copy.round is not None
    return copy


@pytest.mark.parametrize("book", sorted(BOOKS))
def test_a_copy_has_the_tables_list(book: str) -> None:
    events = list(simulate(book, 7, 4, mistakes=0.03, mishaps=0.3))
    copy = copied(events)
    assert copy.round is not None
    assert list_data(copy.round) == list_data(fold(map(decode, events)))
    assert copy.count == len(events) and copy.has("deal") and not copy.has("close")


def test_a_card_of_an_earlier_game_is_put_right() -> None:
    events = list(simulate("eppstein", 3, 3))
    first = next(number for number, event in enumerate(events) if event["event"] == "card")
    taken = {event["card"] for event in events[first : first + 4]}
    for card in ("H9", "C9", "D9", "S9", "CJ", "SJ", "HJ", "DJ"):
        put_right = [*events, {"event": "correct", "of": first, "card": card}]
        if card not in taken:
            break
    copy = copied(put_right)
    assert copy.round is not None
    whole = fold(map(decode, put_right))
    assert copy.round.games[0].tricks[0].cards[0].card == card == whole.games[0].tricks[0].cards[0].card
    assert list_data(copy.round) == list_data(whole)

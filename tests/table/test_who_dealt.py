"""Who really dealt: a deal by somebody who was not due, noted so at once or put right later (eppstein 2.2.11)."""

from typing import Any

import pytest

from kiosk.errors import Refused
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import Consent
from kiosk.table.table import Table

Event = dict[str, Any]


def opened(**options: object) -> Table:
    names = ["Anna", "Bernd", "Cem", "Dora"]
    body = {"event": "open", "format": 1, "rules": "eppstein", "players": names, "options": options}
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(body), boot="b", wall=lambda: 1)
    table.request(decode_request({"event": "release"}, BY_ALL), 0.0)
    return table


def ask(table: Table, *requests: Event, consent: Consent = BY_ALL) -> None:
    for request in requests:
        table.request(decode_request(request, consent), 0.0)


def correct(dealer: int, of: int = 2) -> Event:
    return {"event": "correct", "of": of, "word": {"event": "deal", "dealer": dealer}}


WAYS: dict[str, tuple[Event, ...]] = {
    "as it was": ({"event": "deal", "dealer": 3},),
    "put right": ({"event": "deal", "dealer": 1}, correct(3)),
    "put right twice": ({"event": "deal", "dealer": 1}, correct(4), correct(3)),
}


@pytest.mark.parametrize("deals", WAYS.values(), ids=WAYS)
def test_the_game_is_that_of_who_dealt_and_the_next_goes_by_the_list(deals: tuple[Event, ...]) -> None:
    table = opened()
    ask(table, *deals)
    game = table.round.game
    assert game is not None and (game.dealer, game.due, game.seats[0], game.turn) == (3, 1, 4, 4)
    ask(table, {"event": "card", "seat": 4, "card": "CA"})
    assert not table.round.offences, "who sits left of the real dealer leads"
    ask(table, {"event": "void"})
    assert table.round.next_dealer == 1


def test_the_list_goes_on_from_who_was_due() -> None:
    """The next game is dealt by who deals it by the regular list: Bernd after Anna, though Cem dealt hers."""
    table = opened(pflichtsoli=0)
    ask(table, {"event": "deal", "dealer": 1}, correct(3))
    ask(table, {"event": "call", "seat": 4, "call": "vorbehalt"}, {"event": "declare", "seat": 4, "game": "damensolo"})
    ask(table, {"event": "claim", "seat": 4, "kind": "concede"})
    assert table.view(0.0).rows[0].dealer == 3 and table.round.next_dealer == 2


@pytest.mark.parametrize(
    ("consent", "code"),
    [(Consent(), "needs_all"), (Consent(deliberate=True, seats=frozenset({1, 2, 3})), "needs_all")],
    ids=["a touch", "three of four"],
)
def test_one_alone_does_not_change_the_dealer(consent: Consent, code: str) -> None:
    table = opened()
    ask(table, {"event": "deal", "dealer": 1})
    with pytest.raises(Refused) as refused:
        ask(table, correct(3), consent=consent)
    assert refused.value.code == code and table.round.game is not None and table.round.game.dealer == 1


def test_a_game_that_cannot_have_been_so_is_refused() -> None:
    """Of five the dealer sits out: who has laid a card did not deal."""
    body = {"event": "open", "format": 1, "rules": "eppstein", "players": list("ABCDE")}
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(body), boot="b", wall=lambda: 1)
    ask(table, {"event": "release"}, {"event": "deal", "dealer": 1}, {"event": "card", "seat": 2, "card": "CA"})
    with pytest.raises(Refused, match="cannot stand"):
        ask(table, correct(2))

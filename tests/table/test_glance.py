"""A table at a glance is the table's view, only cheaper."""

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import open_round
from kiosk.table.view.glance import glance
from kiosk.table.view.show import view


@pytest.mark.slow
@pytest.mark.parametrize("book", sorted(BOOKS))
def test_a_glance_says_what_the_view_says(book: str) -> None:
    events = [decode(event) for event in simulate(book, 5, 3, mistakes=0.05, shorten=0.4, mishaps=0.3)]
    round_, breaches = open_round(events[0]), 0
    for number, event in enumerate(events[1:], start=1):
        round_ = round_.apply(event, number)
        if number % 5 and event.name == "card":
            continue
        whole, short = view(round_, whole=True), glance(round_)
        breaches += len(short.offences)
        for same in ("phase", "game", "games_left", "kind", "declarer", "must_play", "objection", "paused", "leave"):
            assert getattr(short, same) == getattr(whole, same), same
        assert short.trick == whole.trick_number
        assert short.dealer == next((seat.seat for seat in whole.seats if seat.dealer), None)
        assert short.totals == tuple(seat.total for seat in whole.seats)
        assert short.duty_open == tuple(seat.seat for seat in whole.seats if seat.duty_open)
        assert short.doubts == len(whole.doubts)
        assert short.open_rows == tuple(row.game for row in whole.rows if row.open)
        assert [(one.code, one.seat, one.event) for one in short.offences] == [
            (one.code, one.seat, one.event) for one in whole.offences if not one.ruled
        ]
    assert breaches


def test_a_misread_card_is_no_breach_at_a_glance() -> None:
    opening = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": [*"ABCD"]}
    cards = [
        {"event": "card", "seat": seat, "card": card} for seat, card in ((2, "CA"), (3, "CA"), (4, "CK"), (1, "CA"))
    ]
    round_ = open_round(decode(opening))
    for number, event in enumerate([{"event": "release"}, {"event": "deal", "dealer": 1}, *cards], start=1):
        round_ = round_.apply(decode(event), number)
    assert [one.code for one in round_.offences] == ["impossible_card"]
    assert glance(round_).offences == ()
    assert glance(round_).doubts == 1

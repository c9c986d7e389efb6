"""The engine plays by the book it is given: a made-up one with forty cards, ten in a hand, plus and minus points."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from kiosk.rules.books import BOOKS, EPPSTEIN
from kiosk.rules.engine.announcements import by_cards_in_hand
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.cards import FRENCH_SUITS, deck
from kiosk.rules.engine.contract import contract
from kiosk.rules.engine.scoring import Item, Tally, total
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold, open_round
from kiosk.table.scoresheet.spielliste import list_data, replay_data

FORTY = deck(FRENCH_SUITS, "ATKQJ", 2)
LIMITS = (9, 8, 7, 6, 5)
GAMES = {"games": 24, "games_5": 0}  # 0: open


def plus_minus(tally: Tally, items: Sequence[Item]) -> dict[int, int]:
    ahead = tally.winner or "re"
    value = total(items)
    others = len(tally.seats) - 1
    return {
        seat: (value if tally.side(seat) == ahead else -value) * (others if seat == tally.soloist else 1)
        for seat in tally.seats
    }


def made_up() -> RuleBook:
    normal = contract(
        game="normal",
        suit=None,
        solo=False,
        re_card="CQ",
        trumps=EPPSTEIN.normal.trumps,
        plain_ranks="ATKQJ",
        deck=FORTY,
    )
    return replace(
        EPPSTEIN,
        name="bsv",
        deck=FORTY,
        hand_size=10,
        duties=lambda options: 0,
        calls_by=lambda calls, options: calls,
        options=tuple(
            replace(o, default=GAMES.get(o.name, o.default), values=range(201)) if o.name in GAMES else o
            for o in EPPSTEIN.options
        ),
        normal=normal,
        second_wins=lambda contract, options: frozenset(),
        calls=replace(EPPSTEIN.calls, left=by_cards_in_hand(LIMITS), reply_left=None, leaving_out=False),
        write=plus_minus,
    )


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch) -> RuleBook:
    book = made_up()
    monkeypatch.setitem(BOOKS, "bsv", book)
    return book


def opened(players: int) -> dict[str, Any]:
    return {"event": "open", "format": 1, "rules": "bsv", "table": 1, "round": 1, "players": list("ABCDE")[:players]}


def test_a_game(book: RuleBook) -> None:
    events: list[dict[str, Any]] = [opened(4), {"event": "deal", "dealer": 4}]
    hands = {seat: list(FORTY[seat - 1 :: 4]) for seat in (1, 2, 3, 4)}
    events += [{"event": "announce", "seat": 1, "call": "re"}, {"event": "announce", "seat": 1, "call": "keine60"}]
    state = fold(map(decode, events))
    while state.running:
        assert state.game is not None and state.game.turn is not None
        seat = state.game.turn
        classes = state.game.contract.classes
        led = classes[state.game.open_trick[0].card] if state.game.open_trick else None
        card = next((card for card in hands[seat] if classes[card] == led), hands[seat][0])
        hands[seat].remove(card)
        state = state.apply(decode({"event": "card", "seat": seat, "card": card}))
    game, last = replay_data(state)
    assert len(game["tricks"]) == 10 and sum(game["points"].values()) == 240
    assert sum(game["score"].values()) == 0
    codes = [(o["code"], o["section"]) for o in game["offences"]]
    assert ("skipped_step", "bsv 5.5.3") in codes and "revoke" not in dict(codes)
    assert last["list"]["duties_left"] == {} and last["list"]["games_left"] == 23
    assert state.must_play is None and state.next_dealer == 2  # seat 1 was due, seat 4 dealt


def test_a_book_that_leaves_the_number_open(book: RuleBook) -> None:
    state = open_round(decode(opened(5)))
    assert state.games_left is None and not state.over
    assert list_data(state)["games_left"] is None


def test_no_reply_where_the_book_has_none(book: RuleBook) -> None:
    state = fold(
        map(decode, [opened(4), {"event": "deal", "dealer": 4}, {"event": "announce", "seat": 1, "call": "re"}])
    )
    hands = {seat: list(FORTY[seat - 1 :: 4]) for seat in (1, 2, 3, 4)}
    for _ in range(8):
        assert state.game is not None and state.game.turn is not None
        state = state.apply(decode({"event": "card", "seat": state.game.turn, "card": hands[state.game.turn].pop()}))
    state = state.apply(decode({"event": "announce", "seat": 2, "call": "kontra"}))
    assert state.game is not None
    assert ("late_announcement", "bsv 5.2.2") in [(o.code, o.section) for o in state.game.offences]

"""Answers that nobody has to touch: a normal Rufspiel takes one word, a normal game of Doppelkopf none."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.table.consent import BY_ALL
from kiosk.table.decide import decide
from kiosk.table.events.codec import decode_opening, decode_request, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import AskingAnswered, Request
from kiosk.table.table import Table

Event = dict[str, Any]

RUF = {"event": "declare", "game": "rufspiel", "card": "EA", "ahead": True}
REST = {"event": "rest"}


def opened(rules: str = "schaffkopf", *before: Event) -> Table:
    """A table at which seat 1 has dealt, perhaps after something else."""
    body = {"event": "open", "format": 1, "rules": rules, "players": ["Anna", "Bernd", "Cem", "Dora"]}
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(body), boot="b", wall=lambda: 1)
    ask(table, {"event": "release"}, *before, {"event": "deal", "dealer": 1})
    return table


def ask(table: Table, *requests: Event) -> None:
    for request in requests:
        table.request(decode_request(request, BY_ALL), 0.0)


def call(seat: int, word: str) -> Event:
    return {"event": "call", "seat": seat, "call": word}


def card(text: str) -> Event:
    return {"event": "card", "seat": int(text[0]), "card": text[1:]}


def ruf(seat: int, **other: Any) -> Event:
    return {**RUF, "seat": seat, **other}


def noted(table: Table) -> list[str]:
    """The words noted: 2 weiter, 3 spielen …, those that nobody has spoken in brackets."""
    words = []
    for event in map(encode, table.events):
        if event["event"] == "call":
            word = f"{event['seat']} {event['call']}"
            words.append(f"({word})" if event.get("implied") else word)
        elif event["event"] in ("declare", "card"):
            words.append(f"{event['seat']} {event['card']}")
    return words


SAID = {
    "forehand in one go": ([ruf(2)], ["2 spielen", "2 EA"]),
    "who speaks has been asked: those before him are weiter": (
        [ruf(4)], ["(2 weiter)", "(3 weiter)", "4 spielen", "4 EA"]),
    "the first card makes it recht to the others": (
        [ruf(2), card("2SA")], ["2 spielen", "2 EA", "(3 recht)", "(4 recht)", "(1 recht)", "2 SA"]),
    "one key makes it recht to the others": (
        [ruf(3), REST], ["(2 weiter)", "3 spielen", "3 EA", "(4 recht)", "(1 recht)"]),
    "somebody has said it himself": (
        [ruf(2), call(3, "recht"), REST], ["2 spielen", "2 EA", "3 recht", "(4 recht)", "(1 recht)"]),
    "spielen first, then the others' recht": (
        [call(3, "spielen"), REST], ["(2 weiter)", "3 spielen", "(4 recht)", "(1 recht)"]),
    "nobody plays": ([REST], ["(2 weiter)", "(3 weiter)", "(4 weiter)", "(1 weiter)"]),
    "the same word twice": ([call(2, "spielen"), call(2, "spielen")], ["2 spielen"]),
    "named otherwise before it is told": ([ruf(2), ruf(2, card="GA")], ["2 spielen", "2 EA", "2 GA"]),
}  # fmt: skip


@pytest.mark.parametrize(("requests", "words"), SAID.values(), ids=SAID)
def test_what_is_noted(requests: list[Event], words: list[str]) -> None:
    table = opened()
    ask(table, *requests)
    assert noted(table) == words and not table.round.offences
    again = Table(table.log, now=0.0, boot="b", wall=lambda: 1)
    assert again.round == table.round and again.view(0.0) == table.view(0.0)


#: Nobody loses a right: what is said then, who bids how much at least (II 2), and who is to speak.
RIGHTS = {
    "behind the one who plays": ([ruf(2), call(4, "auch")], (2, 4), "asking", 1),
    "recht was implied by a key": ([ruf(2), REST, call(3, "auch"), REST], (2, 3), "bidding", 2),
    "weiter was implied by another's word": ([ruf(4), call(2, "spielen")], (2,), "asking", 3),
    "it was implied, and the one behind plays, too": (
        [ruf(4), call(2, "spielen"), call(3, "recht"), call(4, "auch"), REST],
        (2, 4),
        "bidding",
        2,
    ),
    "the game was named after an implied recht": (
        [call(3, "spielen"), REST, {"event": "declare", "seat": 3, "game": "wenz"}, call(1, "auch")],
        (3, 1),
        "bidding",
        3,
    ),
    "a Muss-Spiel was named after an implied weiter": (
        [REST, {"event": "declare", "seat": 4, "game": "muss", "card": "EA"}, call(2, "spielen")],
        (2,),
        "asking",
        3,
    ),
    "all were weiter by a key": ([REST, call(3, "spielen"), REST], (3,), "declaring", 3),
}


@pytest.mark.parametrize(("requests", "players", "phase", "turn"), RIGHTS.values(), ids=RIGHTS)
def test_who_wants_to_play_still_may_until_the_first_card(
    requests: list[Event], players: tuple[int, ...], phase: str, turn: int
) -> None:
    table = opened()
    ask(table, *requests)
    game = table.round.game
    assert game is not None and game.declaration is None and not game.offences
    assert game.reserved == players
    shown = table.view(0.0)
    assert (shown.phase, [seat.seat for seat in shown.seats if seat.turn]) == (phase, [turn])


def test_the_one_passed_over_bids_first() -> None:
    """II 2: who sits further forward needs a Rufspiel, the one behind him a Wenz."""
    table = opened()
    ask(table, ruf(4), call(2, "spielen"), call(3, "recht"), call(4, "auch"), REST)
    ask(table, {"event": "bid", "seat": 2, "class": "rufspiel"})
    assert table.view(0.0).seat(4).bids == ("wenz", "solo", "wenz-tout", "solo-tout", "sie")


REFUSED = {
    "after the first card": ([ruf(2), card("2SA")], call(4, "auch"), "call_out_of_turn"),
    "one's own word back": ([ruf(2)], call(2, "weiter"), "call_out_of_turn"),
    "weiter before one's turn": ([], call(4, "weiter"), "call_out_of_turn"),
    "the rest when all have spoken": ([REST], REST, "not_now"),
    "the rest while a trick lies": ([ruf(2), card("2SA")], REST, "not_now"),
}


@pytest.mark.parametrize(("before", "request_", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(before: list[Event], request_: Event, code: str) -> None:
    table = opened()
    ask(table, *before)
    events = len(table.events)
    with pytest.raises(Refused) as refused:
        ask(table, request_)
    assert refused.value.code == code and len(table.events) == events


def test_nothing_of_the_game_is_told_before_it_is_the_spielmachers() -> None:
    """II 2.3: no called ace before all have spoken; then, or with the first card, all is shown."""
    table = opened()
    ask(table, ruf(3))
    shown = table.view(0.0)
    assert (shown.phase, shown.plays, shown.rest, shown.rest_by_card) == ("asking", 3, "recht", True)
    assert (shown.kind, shown.called, shown.declarer, shown.suit) == ("normal", None, None, None)
    assert {seat.seat: seat.asks for seat in shown.seats} == {
        1: ("recht", "auch"), 2: ("spielen",), 3: (), 4: ("recht", "auch")}  # fmt: skip
    assert [seat.implied for seat in shown.seats] == [False, True, False, False]
    ask(table, REST)
    told = table.view(0.0)
    assert (told.phase, told.kind, told.called, told.declarer) == ("playing", "rufspiel", "EA", 3)
    assert told.seat(4).asks == ("auch",) and told.rest is None


@st.composite
def askings(draw: st.DrawFn) -> list[Event]:
    """Whatever four people touch before the first card, lawful or not."""
    words = [call(seat, word) for seat in (1, 2, 3, 4) for word in ("weiter", "spielen", "recht", "auch")]
    named = [ruf(seat) for seat in (1, 2, 3, 4)]
    muss = {"event": "declare", "seat": 2, "game": "muss", "card": "GA"}
    return draw(st.lists(st.sampled_from([*words, *named, muss, REST, REST, REST]), max_size=12))


@pytest.mark.slow
@given(asked=askings())
@settings(max_examples=150, deadline=None)
def test_whatever_is_touched_nobody_is_robbed_and_nobody_offends(asked: list[Event]) -> None:
    """Who has not spoken himself may say that he plays, now or when it is his turn; and a restart shows the same."""
    table = opened()
    for request in asked:
        with suppress(Refused):
            ask(table, request)
    game = table.round.game
    assert game is not None and not game.offences
    shown = table.view(0.0)
    for seat in shown.seats:
        silent = seat.seat in game.implied and seat.seat != game.declarer
        assert not silent or game.book.wanting.intersection(seat.asks), (seat.seat, noted(table))
    for seat in shown.seats:
        for word in seat.asks:
            again = Table(table.log, now=0.0, boot="b", wall=lambda: 1)
            assert again.round == table.round
            decide(again.round, Request(event=AskingAnswered(seat=seat.seat, call=word)))


@pytest.mark.parametrize("seat", [2, 3, 4, 1])
def test_a_game_is_offered_in_one_go_while_nobody_else_plays(seat: int) -> None:
    table = opened()
    offered = table.view(0.0).seat(seat).games
    assert {game["game"] for game in offered} == {"rufspiel", "wenz", "solo"}  # no leave is asked for by the way
    assert all(game["ahead"] for game in offered)
    ask(table, call(2, "spielen"))
    assert bool(table.view(0.0).seat(seat).games) == (seat == 2)


@pytest.mark.parametrize("rules", [name for name, book in BOOKS.items() if not book.classes])
def test_a_normal_game_of_doppelkopf_needs_no_word(rules: str) -> None:
    table = opened(rules)
    shown = table.view(0.0)
    assert (shown.phase, shown.rest, shown.rest_by_card) == ("asking", "gesund", True)
    ask(table, card("2CA"))
    assert table.view(0.0).phase == "playing" and noted(table) == ["2 CA"]
    other = opened(rules)
    ask(other, call(2, "gesund"), REST)
    assert noted(other) == ["2 gesund", "(3 gesund)", "(4 gesund)", "(1 gesund)"]
    ask(other, call(3, "vorbehalt"))  # it has not said gesund itself
    assert other.round.game is not None and not other.round.offences
    shown = other.view(0.0)
    assert shown.phase == "asking" and [seat.seat for seat in shown.seats if seat.turn] == [4]


def test_who_is_vorgefuehrt_is_not_answered_for() -> None:
    table = opened("eppstein", {"event": "time_up"})
    assert table.view(0.0).must_play and table.view(0.0).rest is None
    with pytest.raises(Refused):
        ask(table, REST)

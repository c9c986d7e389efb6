"""Klopfen (Legen): who has much among his first cards doubles the game before the asking."""

from contextlib import suppress
from typing import Any

import pytest

from kiosk.errors import BadEvent, Refused
from kiosk.rules.composed.file import BadBook
from kiosk.table.consent import BY_ALL
from kiosk.table.decide import decide
from kiosk.table.events.codec import decode, decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import Request
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.table import Table
from kiosk.table.view.offers import calls
from tests.rules.composed.books import made
from tests.rules.composed.test_ramsch import RULES, THREE, asked, laid

WORDS = ("weiter",) * 4


def dealt(**options: Any) -> Round:
    rules = {**RULES, "klopfen": "before_the_asking"}
    return asked(made("schaffkopf", rules=rules, options={"first_dealer": 4} | options), ())


def said(state: Round, *events: dict[str, Any]) -> Round:
    for event in events:
        state = state.apply(decode(event))
    return state


def knock(seat: int) -> dict[str, Any]:
    return {"event": "announce", "seat": seat, "call": "klopfen"}


def answers(words: tuple[str, ...] = WORDS) -> list[dict[str, Any]]:
    return [{"event": "call", "seat": seat, "call": word} for seat, word in enumerate(words, start=1)]


def offered(state: Round) -> set[int]:
    assert state.game is not None
    return {seat for seat, found in calls(state.game).items() if any(one.call == "klopfen" for one in found)}


def test_each_knock_doubles_a_ramsch_as_any_game() -> None:
    state = laid(said(dealt(), knock(2), knock(4), *answers()), THREE)
    result = state.game.result if state.game else None
    assert result is not None
    factors = [(item.name, item.number) for item in result.value if item.name == "klopfen"]
    assert factors == [("klopfen", 2), ("klopfen", 2)]
    assert dict(result.score) == {1: 16, 2: -48, 3: 16, 4: 16}
    assert list_data(state)["rows"][0]["score"] == {"1": 16, "2": -48, "3": 16, "4": 16}


def test_who_may_knock_and_until_when() -> None:
    state = dealt(klopfen_most=2)
    assert offered(state) == {1, 2, 3, 4}
    one = said(state, knock(3))
    assert offered(one) == {1, 2, 4}
    assert offered(said(one, knock(1))) == set()
    assert offered(said(one, *answers()[:1])) == set()


def test_a_late_knock_is_refused_and_counts_where_it_was_said_all_the_same() -> None:
    state = said(dealt(), *answers()[:1])
    with pytest.raises(Refused) as refused:
        decide(state, Request(event=decode(knock(2))))
    assert refused.value.code == "late_announcement"
    late = said(state, knock(2))
    assert late.game is not None and [one.code for one in late.game.offences] == ["late_announcement"]
    assert len(late.game.knocks) == 1


@pytest.mark.parametrize(
    ("before", "event"),
    [
        ([knock(2)], knock(2)),
        ([*answers(("spielen", "recht", "recht", "recht")), {"event": "declare", "seat": 1, "game": "wenz"}], knock(2)),
    ],
    ids=["twice", "after the game is named"],
)
def test_what_cannot_be(before: list[dict[str, Any]], event: dict[str, Any]) -> None:
    with pytest.raises(BadEvent, match="knock"):
        said(said(dealt(), *before), event)


@pytest.mark.parametrize(("knocked", "seat"), [((2,), 2), ((2, 3), 1)], ids=["who has knocked", "as many as may have"])
def test_nobody_knocks_too_often(knocked: tuple[int, ...], seat: int) -> None:
    state = said(dealt(klopfen_most=2), *map(knock, knocked))
    with pytest.raises(BadEvent, match=f"seat {seat} cannot knock: each may once, and at most 2 in a game"):
        said(state, knock(seat))


def test_nobody_knocks_after_the_end() -> None:
    with pytest.raises(BadEvent, match="no game is running; deal first"):
        said(laid(said(dealt(), *answers()), THREE), knock(2))


def test_a_knock_taken_back_counts_no_more() -> None:
    state = said(dealt(), knock(2))
    number = state.events - 1
    back = said(state, {"event": "correct", "of": number, "word": None, "by": "referee", "why": "verhört"})
    assert back.game is not None and not back.game.knocks and offered(back) == {1, 2, 3, 4}


def test_a_book_without_it_knows_no_such_call() -> None:
    state = asked(made("schaffkopf", rules=RULES, options={"first_dealer": 4}), ())
    assert offered(state) == set()
    with pytest.raises(BadEvent, match="no announcement"):
        said(state, knock(2))
    with pytest.raises(BadBook, match=r"\[rules\] klopfen"):
        made("schaffkopf", options={"klopfen_most": 2})


@pytest.mark.parametrize("known", [True, False], ids=["in its book", "in no other"])
def test_a_knock_says_that_was_dealt(known: bool) -> None:
    """As the first answer does; a second press of the same seat, or a word that the book has not, notes nothing."""
    book = made("schaffkopf", rules={**RULES, **({"klopfen": "before_the_asking"} if known else {})})
    assert book.own is not None
    opening = {"event": "open", "format": 1, "rules": book.name, "players": list("ABCD"), "book": book.own.content}
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(opening), boot="b", wall=lambda: 1)
    table.request(decode_request({"event": "release"}, BY_ALL), 0.0)
    if not known:
        with pytest.raises(Refused):
            table.request(decode_request(knock(2), BY_ALL), 0.0)
        assert [event.name for event in table.events] == ["open", "release"]
        return
    table.request(decode_request(knock(2), BY_ALL), 0.0)
    assert [event.name for event in table.events] == ["open", "release", "deal", "announce"]
    with suppress(Refused):
        table.request(decode_request(knock(2), BY_ALL), 0.0)
    assert len(table.events) == 4

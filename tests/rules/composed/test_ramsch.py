"""A Ramsch where nobody wants to play: everybody for himself, who has most Augen loses."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.composed.file import BadBook
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.ramsch import losers
from kiosk.rules.engine.result import score as scored
from kiosk.rules.engine.tricks import Trick
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.rows import rows
from kiosk.table.view.offers import calls, claims
from tests.rules.composed.books import made

RULES = {"nobody_plays": "ramsch", "bidding": "free", "leave": "none", "calls": "kontra_re", "bock": "rounds"}


def ramsch(**options: Any) -> RuleBook:
    return made("schaffkopf", rules=RULES, options={"first_dealer": 4} | options)


def asked(book: RuleBook, words: Sequence[str] = ("weiter",) * 4) -> Round:
    assert book.own is not None
    content = json.loads(json.dumps(dict(book.own.content)))
    opening = {"event": "open", "format": 1, "rules": book.name, "players": list("ABCD"), "book": content}
    events = [opening, {"event": "release"}, {"event": "deal", "dealer": 4}]
    events += [{"event": "call", "seat": seat, "call": word} for seat, word in enumerate(words, start=1)]
    return fold(map(decode, events))


def laid(state: Round, hands: dict[int, str], tricks: int = 8) -> Round:
    """The round after the hands were laid from the left, whoever leads."""
    left = {seat: cards.split() for seat, cards in hands.items()}
    for _ in range(4 * tricks):
        assert state.game is not None and state.game.turn is not None
        seat = state.game.turn
        state = state.apply(decode({"event": "card", "seat": seat, "card": left[seat].pop(0)}))
    return state


#: Seat 1 takes every trick with trumps.
ALL = {
    1: "EO GO HO SO EU GU HU SU",
    2: "HA HT HK H9 H8 H7 EA ET",
    3: "EK E9 E8 E7 GA GT GK G9",
    4: "SA ST SK S9 S8 S7 G8 G7",
}
#: Seat 1 takes three tricks with 38 Augen, seat 2 the others.
THREE = {
    1: "EO GO HO S9 S8 S7 G8 G7",
    2: "HA HT HK SO EU GU HU SU",
    3: "EK E9 E8 E7 GA GT GK G9",
    4: "H9 H8 H7 SA ST SK EA ET",
}


@pytest.mark.parametrize(
    ("hands", "options", "re", "value", "score"),
    [
        (ALL, {}, (1,), [("durchmarsch", 3)], (9, -3, -3, -3)),
        (
            ALL,
            {"durchmarsch": False},
            (1,),
            [("base", 1), ("jungfrau", 2), ("jungfrau", 2), ("jungfrau", 2)],
            (-24, 8, 8, 8),
        ),
        (THREE, {}, (2,), [("base", 1), ("jungfrau", 2), ("jungfrau", 2)], (4, -12, 4, 4)),
        (THREE, {"factor_jungfrau": 1, "value_ramsch": 5}, (2,), [("base", 5)], (5, -15, 5, 5)),
    ],
    ids=["every trick", "no Durchmarsch", "most Augen", "no Jungfrau"],
)
def test_who_loses_and_what_he_pays(
    hands: dict[int, str], options: dict[str, Any], re: Any, value: Any, score: Any
) -> None:
    game = laid(asked(ramsch(**options)), hands).game
    assert game is not None and game.result is not None
    result = game.result
    assert (result.kind, result.re, result.declarer) == ("ramsch", re, None)
    assert [(item.name, item.number) for item in result.value if item.number != 1 or item.name == "base"] == value
    assert sum(result.points.values()) == 120
    assert tuple(result.score[seat] for seat in (1, 2, 3, 4)) == score
    assert sum(result.score.values()) == 0


@pytest.mark.parametrize(
    ("winners", "by", "losing"),
    [
        ("1 1 1 2 3 3 4 4", "tricks", {1}),
        ("1 2 1 2 1 2 3 3", "tricks", {1, 2}),
        ("1 2 1 2 1 2 3 3", "last_trick", {2}),
        ("1 2 1 2 1 2 3 3", "all", {1, 2}),
        ("1 2 3 1 2 3 4", "all", {1, 2, 3}),
        ("1 2 3 4 1 2 3 4", "tricks", {1, 2, 3, 4}),
    ],
    ids=["one", "as many tricks", "the last trick", "all of them", "three", "four"],
)
def test_equal_augen(winners: str, by: str, losing: set[int]) -> None:
    taken = [int(seat) for seat in winners.split()]
    tricks = [Trick(cards=(), leader=1, winner=seat, points=10) for seat in taken]
    assert losers((1, 2, 3, 4), tricks, ramsch(ramsch_equal=by).settle({})) == losing


@pytest.mark.parametrize(
    ("points", "score"),
    [
        ({1: 60, 2: 60, 3: 0, 4: 0}, (-1, -1, 1, 1)),
        ({1: 40, 2: 40, 3: 40, 4: 0}, (-1, -1, -1, 3)),
        ({1: 30, 2: 30, 3: 30, 4: 30}, (0, 0, 0, 0)),
    ],
    ids=["two", "three", "four"],
)
def test_several_lose_to_the_others(points: dict[int, int], score: tuple[int, ...]) -> None:
    """Their tricks are given the Augen; two tricks each, so nobody is a Jungfrau."""
    game = laid(asked(ramsch(ramsch_equal="all")), THREE).game
    assert game is not None
    tricks = []
    for number, trick in enumerate(game.tricks):
        seat = number % 4 + 1
        worth = points[seat] if number < 4 else 0
        tricks.append(replace(trick, winner=seat, points=worth))
    result = scored(evolve(game, tricks=tuple(tricks)))
    assert tuple(result.score[seat] for seat in (1, 2, 3, 4)) == score
    assert sum(result.score.values()) == 0


def test_nobody_announces_or_shortens_and_the_row_says_ramsch() -> None:
    state = asked(ramsch())
    game = state.game
    assert game is not None and game.kind == "ramsch" and game.turn == 1 and not game.known_sides
    assert not any(calls(game).values()) and not claims(game, 1)
    for event in ({"event": "announce", "seat": 2, "call": "kontra"}, {"event": "claim", "seat": 1, "kind": "concede"}):
        with pytest.raises(BadEvent, match="Ramsch"):
            state.apply(decode(event))
    (row,) = rows(laid(state, THREE))
    assert (row.kind, row.who, row.alone, row.points) == ("ramsch", "", None, 4)


def test_it_is_none_while_somebody_wants_to_play() -> None:
    state = asked(ramsch(), ("weiter", "spielen", "recht", "recht"))
    assert state.game is not None and state.game.phase == "declaring" and state.game.kind == "normal"
    after = state.apply(decode({"event": "declare", "seat": 2, "game": "rufspiel", "card": "EA"}))
    assert after.game is not None and after.game.kind == "rufspiel"


def test_whose_revoke_ends_it_has_lost_it() -> None:
    state = laid(asked(ramsch()), THREE, tricks=3)
    ruled = state.apply(decode({"event": "rule", "class": "serious", "offender": 3, "resume": False}))
    result = ruled.game.result if ruled.game else None
    assert result is not None and result.re == (3,) and result.counted
    assert Counter(result.score) == Counter({1: 1, 2: 1, 3: -3, 4: 1})
    assert result.points == {"re": 120 - 38, "kontra": 38}


@pytest.mark.parametrize(
    ("event", "bock"),
    [("bock_herz_solo", 4), ("bock_lost_solo", 0)],
)
def test_a_herz_solo_brings_a_bockrunde(event: str, bock: int) -> None:
    brings = {"bock_lost_solo": False} | {event: True}
    state = asked(ramsch(**brings), ("spielen", "recht", "recht", "recht"))
    state = state.apply(decode({"event": "declare", "seat": 1, "game": "solo", "suit": "H"}))
    assert laid(state, ALL).bock_left == bock


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"games": {"played": ["solo", "rufspiel", "muss"]}}, r"games.played = \"muss\" \(against rules.nobody_plays"),
        ({"games": {"played": ["solo", "rufspiel", "ramsch"]}}, "nobody names a Ramsch"),
        ({"options": {"value_muss": 2}}, "no such option|nothing reads it"),
    ],
    ids=["a Muss-Spiel beside it", "as a game to be played", "a Muss-Spiel's value"],
)
def test_a_ramsch_and_a_muss_spiel_exclude_each_other(content: dict[str, Any], says: str) -> None:
    with pytest.raises(BadBook, match=says):
        made("schaffkopf", rules=RULES, **content)

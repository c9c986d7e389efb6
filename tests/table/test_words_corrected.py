"""Words put right: the round is as if they had been said so from the start, or not at all."""

import random
import re
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.evolve import evolve
from kiosk.table.events.codec import decode
from kiosk.table.events.values import WORDS, Event
from kiosk.table.round.fold import Round, fold, open_round

Body = dict[str, Any]
OPEN: Body = {
    "event": "open",
    "format": 1,
    "rules": "eppstein",
    "table": 7,
    "round": 1,
    "players": ["A", "B", "C", "D"],
}
DEAL: Body = {"event": "deal", "dealer": 4}
SOLO: Body = {"event": "declare", "seat": 1, "game": "damensolo", "duty": True}


def card(text: str) -> Body:
    return {"event": "card", "seat": int(text[0]), "card": text[1:]}


def say(seat: int, call: str) -> Body:
    return {"event": "announce", "seat": seat, "call": call}


def correct(of: int, word: Body | None, **other: Any) -> Body:
    return {"event": "correct", "of": of, "word": word, **other}


def played(*bodies: Body) -> Round:
    return fold(map(decode, bodies))


def said_from_the_start(events: list[Event], of: int, word: Event | None) -> Round:
    """The round of these events with another one in that place, numbered as they were."""
    result = open_round(events[0])
    for number, event in enumerate(events[1:], start=1):
        counts = word if number == of else event
        if counts is not None:
            result = result.apply(counts, number)
    return result


def bare(round_: Round) -> Round:
    """A round without what tells how it came to be."""
    return evolve(round_, earlier=(), lately=(), events=0, words={}, corrected=0)


@pytest.mark.parametrize(
    ("events", "of", "word"),
    [
        pytest.param([DEAL, say(2, "re")], 2, None, id="an announcement not said"),
        pytest.param([DEAL, say(2, "re"), card("1CA")], 2, say(2, "kontra"), id="another announcement"),
        pytest.param([DEAL, say(2, "re"), card("1CA")], 2, say(3, "re"), id="another seat announced"),
        pytest.param(
            [DEAL, {"event": "call", "seat": 1, "call": "vorbehalt"}, SOLO, card("1CA")],
            3, {**SOLO, "game": "farbsolo", "suit": "H"}, id="another game"),
        pytest.param(
            [DEAL, {"event": "call", "seat": 1, "call": "vorbehalt"}], 2,
            {"event": "call", "seat": 1, "call": "gesund"}, id="another answer"),
        pytest.param([DEAL, SOLO, {"event": "claim", "seat": 1, "kind": "concede"}], 3, None, id="a claim not made"),
        pytest.param(
            [DEAL, SOLO, {"event": "claim", "seat": 1, "kind": "concede"}],
            3, {"event": "claim", "seat": 1, "kind": "rest"}, id="another claim"),
        pytest.param([DEAL, card("1CA"), {"event": "void"}], 3, None, id="the deal stands"),
        pytest.param([DEAL, card("1CA"), {"event": "object", "seat": 2}], 3, None, id="no Reklamation"),
        pytest.param([{"event": "sign", "seat": 2}], 1, None, id="not signed"),
        pytest.param([{"event": "sign", "seat": 2}], 1, {"event": "sign", "seat": 3}, id="another seat signed"),
        pytest.param([{"event": "close"}], 1, None, id="not handed in"),
        pytest.param([DEAL, {"event": "time_up"}], 2, None, id="the time was not over"),
        pytest.param(
            [DEAL, card("1CA"), {"event": "rule", "class": "minor", "offender": 2}],
            3, {"event": "rule", "class": "minor", "offender": 3}, id="another ruling"),
        pytest.param([DEAL, card("1CA")], 1, {"event": "deal", "dealer": 3}, id="another dealer"),
        pytest.param([{"event": "substitute", "seat": 1, "player": "X"}], 1, None, id="nobody was replaced"),
        pytest.param([{"event": "swap", "seats": [1, 3]}], 1, None, id="seats as they were"),
    ],
)  # fmt: skip
def test_each_kind_of_word(events: list[Body], of: int, word: Body | None) -> None:
    noted = [decode(body) for body in (OPEN, *events)]
    before = fold(noted)
    after = before.apply(decode(correct(of, word)))
    assert bare(after) == bare(said_from_the_start(noted, of, None if word is None else decode(word)))
    assert bare(after) != bare(before)
    assert after.events == before.events + 1
    restored = after.apply(decode(correct(of, encode_of(noted[of]))))
    assert bare(restored) == bare(before)  # a correction is put right by another of the same word


def encode_of(event: Event) -> Body:
    assert event.body is not None
    return dict(event.body)


def test_the_later_correction_counts() -> None:
    events = [OPEN, DEAL, say(2, "re")]
    round_ = played(*events, correct(2, None), correct(2, say(2, "kontra")), correct(2, say(3, "kontra")))
    assert round_.game is not None and [(one.seat, one.call) for one in round_.game.said] == [(3, "kontra")]


def test_what_follows_counts_anew() -> None:
    """Without the solo seat 1 has not to lead, and the queens are trumps among others."""
    round_ = played(OPEN, DEAL, {**SOLO, "seat": 2}, card("2CA"))
    assert round_.game is not None and not round_.game.offences
    changed = round_.apply(decode(correct(2, None)))
    assert changed.game is not None
    assert [(one.code, one.seat) for one in changed.game.offences] == [("out_of_turn", 2)]


def test_a_card_put_in_after_a_word_stays() -> None:
    missed: Body = {"event": "correct", "after": 3, "seat": 2, "card": "CT"}
    round_ = played(OPEN, DEAL, card("1CA"), say(2, "re"), missed, correct(3, None))
    assert round_.game is not None
    assert [laid.card for laid in round_.game.open_trick] == ["CA", "CT"] and not round_.game.said


def test_what_counts_as_said() -> None:
    round_ = played(OPEN, DEAL, say(2, "re"), say(3, "kontra"), correct(2, None), correct(3, say(4, "kontra")))
    assert [(number, event.name) for number, event in round_.facts if number in (2, 3)] == [(3, "announce")]


@pytest.mark.parametrize(
    ("of", "word", "says"),
    [
        pytest.param(0, None, "event 0 is nothing that was said", id="the opening"),
        pytest.param(3, None, "event 3 is nothing that was said", id="a card"),
        pytest.param(9, None, "event 9 is nothing that was said", id="what has not happened"),
        pytest.param(4, None, "event 4 is nothing that was said", id="a correction"),
        pytest.param(2, {"event": "sign", "seat": 1}, "another announce, or nothing", id="another kind of event"),
        pytest.param(2, say(5, "re"), "seat 5", id="an unknown seat"),
        pytest.param(1, None, "event 2 cannot stand: announce: .*put event 2 right first", id="a deal with words"),
    ],
)
def test_refused(of: int, word: Body | None, says: str) -> None:
    round_ = played(OPEN, DEAL, say(2, "re"), card("1CA"), correct(2, None), correct(2, say(2, "re")))
    with pytest.raises(BadEvent, match=says):
        round_.apply(decode(correct(of, word)))
    with pytest.raises(BadEvent, match="seat 5"):
        round_.apply(decode(correct(2, None, agreed=[1, 5])))


def test_a_deal_after_it_stands_in_the_way() -> None:
    round_ = played(OPEN, DEAL, {"event": "void"}, {**DEAL}, card("1CA"))
    with pytest.raises(BadEvent, match=re.escape("event 3 cannot stand: deal: game 1 is still running")):
        round_.apply(decode(correct(2, None)))


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_corrected_to_a_word_is_as_if_that_had_been_said(book: str) -> None:
    """Any word of a round, put right to any other of its kind that was ever said, or to none."""
    rng = random.Random(book)
    pool: dict[str, list[Body | None]] = {}
    for seed in range(3):
        for body in simulate(book, seed, 5, mistakes=0.05, shorten=0.3, mishaps=0.2):
            pool.setdefault(body["event"], [None]).append(body)
    stood = refused = 0
    for seed in range(10, 16):
        bodies = list(simulate(book, seed, 3, mistakes=0.05, shorten=0.3, mishaps=0.2))
        events = [decode(body) for body in bodies[: rng.randrange(20, len(bodies))]]
        round_ = fold(events)
        words = [number for number, event in enumerate(events) if isinstance(event, WORDS)]
        for of in rng.sample(words, min(len(words), 12)):
            body = rng.choice(pool.get(events[of].name, [None]))
            word = None if body is None else decode(body)
            try:
                expected = said_from_the_start(events, of, word)
            except BadEvent:
                refused += 1
                with pytest.raises(BadEvent, match="cannot stand"):
                    round_.apply(decode(correct(of, body)))
                continue
            after = round_.apply(decode(correct(of, body)))
            assert bare(after) == bare(expected)
            assert fold(event for _, event in after.log) == after
            stood += 1
    assert stood > 20 and refused

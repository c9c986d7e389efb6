"""Bodies become events and events bodies: what was recorded is written again byte for byte."""

import json
import os
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent, Refused
from kiosk.rules.books import BOOKS
from kiosk.table.events import codec, values
from kiosk.table.events.codec import decode, decode_request, encode, format_body, parse, request_for, spell_out
from kiosk.table.events.values import (
    CardCorrected,
    CardInserted,
    CardPlayed,
    CardsReseated,
    FinishGame,
    GameClaimed,
    GameDeclared,
    ListSigned,
    Request,
    RulingGiven,
    TableEvent,
    WordCorrected,
    stamped,
)

RECORDED = sorted((Path(__file__).parents[2] / "data").rglob("*.jsonl"))
#: A folder of other event files, where a machine has them.
SHARED = Path(os.environ.get("STICHWART_SHARED", Path(__file__).parents[3].parent / "shared"))
ELSEWHERE = sorted((SHARED / "data" / "proof-cases").glob("*.jsonl"))

KINDS = list(get_args(values.Event))


def same_again(path: Path) -> int:
    """How many lines of a file were decoded and encoded to the very line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines:
        assert format_body(encode(parse(line))) == line
    return len(lines)


def test_every_recorded_line_comes_back() -> None:
    assert len(RECORDED) > 40
    assert sum(map(same_again, RECORDED)) > 4000


def test_every_line_of_other_files_comes_back() -> None:
    if not ELSEWHERE:
        pytest.skip(f"{SHARED} holds no event files")
    assert sum(map(same_again, ELSEWHERE)) > 0


@pytest.mark.parametrize("rules", BOOKS)
def test_every_line_of_a_simulated_round_comes_back(rules: str) -> None:
    events = list(simulate(rules, 3, 6, mistakes=0.05, shorten=0.3, mishaps=0.2, time_up=True))
    assert [format_body(encode(decode(event))) for event in events] == list(map(format_body, events))


def of_type(hint: Any, name: str) -> st.SearchStrategy[Any]:
    """Values of a field that the protocol allows."""
    special = {
        "at": st.integers(0, 10**14) | st.floats(0, 1e14),
        "by": st.sampled_from(["table", "camera", "composition", "referee", "seat 2", "all", "direction"]),
        "call": st.sampled_from(codec.CALLS),
        "dealer": st.integers(1, 5),
        "offender": st.integers(1, 5) | st.none(),
        "against": st.integers(1, 5) | st.none(),
        "contested": st.integers(1, 5) | st.none(),
        "partner": st.integers(1, 5) | st.none(),
        "seat": st.integers(1, 5),
        "side": st.sampled_from(["re", "kontra", None]),
        "player": st.text(min_size=1).filter(str.strip),
        "players": st.lists(st.text(min_size=1).filter(str.strip)).map(tuple),
        "book": st.none() | st.dictionaries(st.text(), st.text() | st.dictionaries(st.text(), st.integers())),
        "options": st.dictionaries(st.text(), st.integers() | st.booleans() | st.text()),
        "substitutes": st.lists(st.integers(1, 5)).map(tuple),
        "word": st.none() | st.sampled_from(values.WORDS).flatmap(events_of),
        "agreed": st.lists(st.integers(1, 5)).map(tuple),
        "of": st.integers(0, 9999),
        "after": st.integers(0, 9999),
        "breach": st.integers(0, 9999) | st.none(),
        "format": st.just(1),
        "fines": st.none() | st.dictionaries(st.integers(1, 5), st.integers(-99, 99) | st.sampled_from([0.5, -1.25])),
        "scores": st.none() | st.dictionaries(st.integers(1, 5), st.integers(-99, 99)),
    }
    if name == "kind":
        raise AssertionError("by class")
    if name in special and not (name == "scores" and get_origin(hint) is tuple):
        return special[name]
    if get_origin(hint) in (Union, UnionType):
        return st.one_of(*(st.none() if one is NoneType else of_type(one, name) for one in get_args(hint)))
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        return (
            st.lists(of_type(inner[0], "")).map(tuple)
            if inner[-1] is ...
            else st.tuples(*(of_type(o, "") for o in inner))
        )
    kinds = {
        str: st.text(),
        int: st.integers(-(10**6), 10**6),
        bool: st.booleans(),
        float: st.floats(-1e6, 1e6) | st.integers(-(10**6), 10**6),
    }
    return kinds[hint]


@cache  # a strategy takes as long to build as twenty examples to draw
def events_of(kind: type[TableEvent]) -> st.SearchStrategy[TableEvent]:
    """Any event of a class, made by the table."""
    hints = get_type_hints(kind)
    given_: dict[str, st.SearchStrategy[Any]] = {}
    for one in fields(kind):
        if one.name == "body":
            continue
        if one.name == "kind":
            words = codec.CLASSES if kind is values.RulingGiven else ("rest", "concede")
            strategy: st.SearchStrategy[Any] = st.sampled_from(words)
        elif one.name in ("seats", "perhaps"):
            seats = st.permutations(range(1, 6)).map(lambda order: tuple(order[:2]))
            by_card = st.dictionaries(st.integers(0, 9999), st.integers(1, 5), min_size=1)
            strategy = by_card if kind is CardsReseated else seats
        else:
            strategy = of_type(hints[one.name], one.name)
        if one.default is not MISSING:
            strategy = st.just(one.default) | strategy
        given_[one.name] = strategy
    return st.builds(kind, **given_)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(data=st.data())
@pytest.mark.slow
def test_what_is_encoded_is_decoded_to_the_same(kind: type[TableEvent], data: st.DataObject) -> None:
    event = data.draw(events_of(kind))
    line = format_body(encode(event))
    again = parse(line)
    assert again == event and type(again) is kind
    assert format_body(encode(again)) == line


def test_unknown_keys_their_order_and_null_come_back_also_with_a_time() -> None:
    line = '{"seat": 3, "shoe": {"size": [44, 45.0]}, "game": "damensolo", "event": "declare", "suit": null}'
    event = parse(line)
    assert event == GameDeclared(seat=3, game="damensolo")
    assert format_body(encode(event)) == line
    assert format_body(encode(stamped(event, 5))) == line[:-1] + ', "at": 5}'
    assert stamped(event, 5).at == 5


def test_what_only_tells_of_a_reading_is_passed_over_if_it_is_not_as_expected() -> None:
    body = {"event": "card", "seat": 1, "card": "HT", "place": "there", "margin": "much", "unseen": 3, "scores": [None]}
    assert decode(body) == CardPlayed(seat=1, card="HT")
    assert encode(decode(body)) == body


@pytest.mark.parametrize(
    ("body", "event"),
    [
        ({"of": 7, "card": None}, CardCorrected(of=7, card=None)),
        ({"of": 7, "card": "HT", "seat": 2, "by": "seat 2"}, CardCorrected(of=7, card="HT", seat=2, by="seat 2")),
        ({"after": 7, "card": "HT", "seat": 2}, CardInserted(after=7, card="HT", seat=2)),
        ({"seats": {"7": 2, "8": 3}}, CardsReseated(seats={7: 2, 8: 3})),
        (
            {"seats": {"7": 2, "8": 3}, "perhaps": {"7": 3, "8": 2}, "at_once": True, "by": "camera"},
            CardsReseated(seats={7: 2, 8: 3}, perhaps={7: 3, 8: 2}, at_once=True, by="camera"),
        ),
        ({"of": 7, "word": None, "by": "seat 2"}, WordCorrected(of=7, word=None, by="seat 2")),
        (
            {"of": 7, "word": {"event": "sign", "seat": 3}, "by": "all", "agreed": [1, 2, 3, 4], "why": "slipped"},
            WordCorrected(of=7, word=ListSigned(seat=3), by="all", agreed=(1, 2, 3, 4), why="slipped"),
        ),
    ],
)
def test_four_kinds_of_corrections(body: dict[str, Any], event: TableEvent) -> None:
    assert decode({"event": "correct", **body}) == event
    assert encode(event) == {"event": "correct", **body}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"word": None}, id="of nothing"),
        pytest.param({"of": 3, "word": {"event": "card", "seat": 1, "card": "CA"}}, id="a card is no word"),
        pytest.param({"of": 3, "word": {"event": "correct", "of": 2, "word": None}}, id="a correction is no word"),
        pytest.param({"of": 3, "word": {"event": "sign"}}, id="a word without its seat"),
        pytest.param({"of": 3, "word": "re"}, id="no event"),
        pytest.param({"of": 3, "word": None, "agreed": [9]}, id="a seat that nobody has"),
        pytest.param({"of": 3, "word": None, "by": "everybody"}, id="by nobody"),
    ],
)
def test_what_is_no_correction_of_a_word(body: dict[str, Any]) -> None:
    with pytest.raises(BadEvent):
        decode({"event": "correct", **body})


def test_the_first_wrong_key_of_the_event_is_named() -> None:
    with pytest.raises(BadEvent, match="claim: needs the key 'seat', a seat"):
        decode({"event": "claim", "accepted": 5})
    with pytest.raises(BadEvent, match="claim: 'kind' must be rest or concede, not 'all'"):
        decode({"event": "claim", "accepted": 5, "kind": "all", "seat": 2})
    with pytest.raises(BadEvent, match="sign: 'at' must be milliseconds since 1970, not None"):
        decode({"event": "sign", "at": None, "seat": 2})


def test_requests() -> None:
    body = {"event": "declare", "seat": 3, "game": "damensolo", "anyway": True, "at": 12}
    request = decode_request(body)
    assert request == Request(event=GameDeclared(seat=3, game="damensolo"), anyway=True)
    assert isinstance(request, Request)
    assert encode(request.event) == {"event": "declare", "seat": 3, "game": "damensolo"}
    assert decode_request({"event": "finish"}) == FinishGame()


def test_a_request_made_here_writes_all_that_was_given_in_its_order() -> None:
    ruling = request_for(RulingGiven, offender=None, kind="minor", scores={1: 5, 2: -5}, resume=False)
    text = '{"event": "rule", "offender": null, "class": "minor", "scores": {"1": 5, "2": -5}, "resume": false}'
    assert format_body(encode(ruling.event)) == text
    assert decode_request(json.loads(text)) == ruling
    claim = spell_out(GameClaimed, seat=2, kind="rest", accepted=True, order=("CA", "HT"))
    assert format_body(encode(claim)) == (
        '{"event": "claim", "seat": 2, "kind": "rest", "accepted": true, "order": ["CA", "HT"]}'
    )
    assert decode(encode(claim)) == claim


@pytest.mark.parametrize("body", [None, [], {}, {"event": "open"}, {"event": "dance"}, {"event": "sign", "seat": 9}])
def test_what_nobody_can_ask_for(body: object) -> None:
    with pytest.raises(Refused) as refused:
        decode_request(body)
    assert refused.value.code == "bad_request" and refused.value.detail

"""A round held in little room: its events are what they were, whoever asks for them and in whatever order."""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode, decode_opening, encode
from kiosk.table.events.values import RoundOpened
from kiosk.table.round import packed
from kiosk.table.round.book_played import book_of, with_its_book
from kiosk.table.round.fold import Round, fold
from kiosk.table.round.packed import PackedEvents, compact
from tests.rules.composed.books import made

OPEN: dict[str, Any] = {
    "event": "open",
    "format": 1,
    "rules": "eppstein",
    "table": 1,
    "round": 1,
    "players": list("ABCD"),
}
EVENTS: list[dict[str, Any]] = [
    OPEN,
    {"event": "release", "at": 5},
    {"event": "deal", "dealer": 1},
    {"event": "card", "seat": 2, "card": "CA"},
    {"event": "card", "seat": 3, "card": "HT", "doubt": ["HT", "DT"], "scores": [0.5, 0.25]},
]


@pytest.fixture
def round_() -> Round:
    return fold(map(decode, EVENTS))


def test_its_events_are_the_same(round_: Round) -> None:
    small = compact(round_)
    events, was = small.earlier, round_.log
    assert isinstance(events, PackedEvents) and small.lately == () and small.log == was
    assert len(events) == 5 and tuple(events) == was and tuple(reversed(events)) == was[::-1]
    assert [events[place] for place in range(5)] == list(was) and (events[-1], events[-5]) == (was[4], was[0])
    assert events[1:3] == was[1:3] and events[:] == was
    assert events == was and events != was[:4] and events != "events" and events == compact(round_).earlier
    assert events != compact(fold(map(decode, EVENTS[:4]))).earlier
    assert small.noted(3) == decode(EVENTS[3]) and small.noted(9) is None and small.opening == round_.opening
    assert small.before is None and small.leads == ()
    assert events[1][1].body is None and was[1][1].body is not None, "what they were decoded from is not kept"


def test_what_is_asked_for_most_needs_no_reading(round_: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each card of a hall asks for the opening and the last event."""
    events = compact(round_).earlier

    def never(of: bytes) -> tuple[Any, ...]:
        raise AssertionError("read")

    monkeypatch.setattr(packed, "_unpacked", never)
    assert events[0] == round_.log[0] and next(iter(events)) == round_.log[0]
    assert next(reversed(events)) == round_.log[-1]


def test_once_is_enough_and_it_goes_on(round_: Round) -> None:
    small = compact(round_)
    assert compact(small) is small
    card = decode({"event": "card", "seat": 4, "card": "C9"})
    longer, expected = small.apply(card), round_.apply(card)
    assert longer.log == expected.log and longer.game == expected.game and isinstance(longer.earlier, PackedEvents)
    again = compact(longer)
    assert again is not longer and again.lately == () and again.log == expected.log
    dealt = compact(longer.apply(decode({"event": "void"})).apply(decode({"event": "deal", "dealer": 1})))
    assert dealt.before is None and dealt.log[-1][0] == 7


def test_of_a_long_round_the_last_events_alone_are_copied_with_each_new_one(round_: Round) -> None:
    """As long as it is not packed: what is packed stays so."""
    assert round_.earlier == () and len(round_.lately) == 5
    long, small = round_, compact(round_)
    for number in range(5, 105):
        pause = decode({"event": "resume" if number % 2 == 0 else "pause"})
        long, small = long.apply(pause), small.apply(pause)
    assert len(long.lately) < len(long.earlier) and len(small.earlier) == 5
    assert long.log == small.log and [number for number, _ in long.log] == list(range(105))


def test_what_is_put_right_in_it_is_put_right_from_the_beginning(round_: Round) -> None:
    correction = decode({"event": "correct", "of": 4, "card": "DT"})
    small, whole = compact(round_).apply(correction), round_.apply(correction)
    assert small.game == whole.game and small.log == whole.log and small.doubts == ()


@pytest.mark.parametrize("back", [(), BadEvent("no")], ids=["other events", "none that can be read"])
def test_what_would_not_come_back_stays_as_it_is(round_: Round, back: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(of: bytes) -> Any:
        if isinstance(back, Exception):
            raise back
        return back

    monkeypatch.setattr(packed, "_unpack", read)
    assert compact(round_) is round_


# the book that goes with a round


def opening(rules: str, **more: Any) -> RoundOpened:
    return decode_opening({**OPEN, "rules": rules, **more})


def test_the_book_by_which_a_round_is_played() -> None:
    own = made("bsv")
    assert own.own is not None
    content = dict(own.own.content)
    assert book_of(opening("bsv")) is BOOKS["bsv"]
    assert book_of(opening(own.name, book=content)) is own
    with pytest.raises(BadEvent, match=r"^open: unknown rule set 'skat'; known are eppstein, bsv, ddv, "):
        book_of(opening("skat"))
    with pytest.raises(BadEvent, match=f"^open: {own.own.name} is a club's own book; its content"):
        book_of(opening(own.name))
    with pytest.raises(BadEvent, match=r"^open: "):
        book_of(opening("mittwoch.0000", book=content))


def test_a_clubs_own_book_goes_with_its_round() -> None:
    own = made("bsv")
    assert own.own is not None
    plain, named = opening("bsv"), opening(own.name)
    carried = with_its_book(named)
    assert (carried.rules, carried.book) == (own.name, own.own.content) and with_its_book(carried) is carried
    assert encode(carried) == {**encode(named), "book": dict(own.own.content)}
    assert with_its_book(plain) is plain
    unknown = opening("skat")
    assert with_its_book(unknown) is unknown

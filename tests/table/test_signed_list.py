"""A list that somebody has signed, or that is handed in, is changed by nobody alone, and signed anew then."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.table.consent import BY_ALL, by_direction
from kiosk.table.events.codec import decode, encode, request_for
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import (
    CardCorrected,
    CardSeen,
    Consent,
    GameStruck,
    ListHandedIn,
    ListSigned,
    PlayingTimeEnded,
    Request,
    RulingGiven,
    SeatNamed,
    WordCorrected,
)
from kiosk.table.preview import preview
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.counted import as_written
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.scoresheet.written import as_csv, as_text
from kiosk.table.table import Table

REFEREE = Consent(deliberate=True, referee=True)
THREE = Consent(deliberate=True, seats=frozenset({1, 2, 4}))


def played(
    rules: str, directed: bool = True, signed: tuple[int, ...] = (2,), options: dict[str, int] | None = None
) -> Table:
    """A table at the end of its round, after two games."""
    events = [decode(one) for one in simulate(rules, 3, 2, options=options)]
    table = Table(MemoryLog(), now=0.0, opening=events[0], directed=directed)  # type: ignore[arg-type]
    for event in events[1:]:
        if not isinstance(event, ListSigned | ListHandedIn):
            table.note(event)
    if not table.round.over:
        table.request(replace(request_for(PlayingTimeEnded), consent=BY_ALL))
    for seat in signed:
        table.request(replace(request_for(ListSigned, seat=seat), consent=BY_ALL))
    return table


def another_card(table: Table) -> Request:
    """The last card of the round as another one that it may have been."""
    number = max(place for place, event in enumerate(table.events) if isinstance(event, CardSeen))
    for card in dict.fromkeys(table.round.book.deck):
        request = request_for(CardCorrected, of=number, card=card, by="table", why="finger")
        asked = replace(request, consent=BY_ALL)
        if card != table.events[number].card and preview(table.round, asked, directed=False).refused is None:  # type: ignore[attr-defined]
            return request
    raise LookupError(number)


def refused(table: Table, request: Request) -> str:
    events = len(table.events)
    with pytest.raises(Refused) as refusal:
        table.request(request)
    assert len(table.events) == events
    return refusal.value.code


@pytest.mark.parametrize("rules", BOOKS)
def test_a_card_of_an_unsigned_list_is_put_right_by_a_touch(rules: str) -> None:
    table = played(rules, signed=())
    assert "correct" not in table.view().needs_all
    assert table.request(another_card(table))


@pytest.mark.parametrize("rules", BOOKS)
def test_a_card_of_a_signed_list_is_put_right_by_all_or_the_referee(rules: str) -> None:
    """It was once put right by two touches of one finger, and the signatures stood below other points."""
    for consent in (BY_ALL, REFEREE):
        table = played(rules)
        request = another_card(table)
        assert "correct" in table.view().needs_all
        assert refused(table, request) == "needs_all"
        assert refused(table, replace(request, consent=THREE)) == "needs_all"
        assert table.request(replace(request, consent=consent))


CHANGES = {
    "card": another_card,
    "struck": lambda _: request_for(GameStruck, game=1),
    "time": lambda _: request_for(PlayingTimeEnded),
}


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("kind", CHANGES)
def test_a_list_that_is_handed_in_is_the_directions(rules: str, kind: str) -> None:
    """All four at a table, or the referee, could once change what the direction had already."""
    table = played(rules)
    request = CHANGES[kind](table)
    table.request(replace(request_for(ListHandedIn), consent=BY_ALL))
    for consent in (BY_ALL, REFEREE):
        assert refused(table, replace(request, consent=consent)) == "needs_direction"
    if kind != "time":
        assert table.order(by_direction(request))


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("kind", ["card", "struck"])
def test_at_a_table_that_nobody_directs_all_agree(rules: str, kind: str) -> None:
    table = played(rules, directed=False)
    request = CHANGES[kind](table)
    table.request(replace(request_for(ListHandedIn), consent=BY_ALL))
    assert refused(table, replace(request, consent=THREE)) == "needs_all"
    assert table.request(replace(request, consent=BY_ALL))


def telling_card(table: Table) -> Request:
    """A card as another one that it may have been, with which the list says something else."""
    for number in (place for place, event in reversed(list(enumerate(table.events))) if isinstance(event, CardSeen)):
        for card in dict.fromkeys(table.round.book.deck):
            request = request_for(CardCorrected, of=number, card=card, by="table", why="finger")
            found = preview(table.round, replace(request, consent=BY_ALL), directed=False)
            if found.refused is None and found.rows:
                return request
    raise LookupError("no card")


def same_card(table: Table) -> Request:
    """The card that it was: nothing changes."""
    number = max(place for place, event in enumerate(table.events) if isinstance(event, CardSeen))
    return request_for(CardCorrected, of=number, card=table.events[number].card, by="table", why="finger")  # type: ignore[attr-defined]


def unstruck(table: Table) -> Request:
    """A strike taken back that was noted before anybody signed."""
    number = next(place for place, event in enumerate(table.events) if isinstance(event, GameStruck))
    return request_for(WordCorrected, of=number, word=None, by="all", why="")


def ruled(_: Table) -> Request:
    scores = {seat: 3 if seat > 1 else -9 for seat in range(1, 5)}
    return request_for(RulingGiven, kind="custom", offender=1, scores=scores, resume=True)


#: What changes the list, or does not, and whether signatures fall by it.
AFTER_SIGNING: dict[str, tuple[Callable[[Table], Request], bool]] = {
    "card": (telling_card, True),
    "the same card": (same_card, False),
    "struck": (lambda _: request_for(GameStruck, game=2), True),
    "strike taken back": (unstruck, True),
    "ruling": (ruled, True),
    "fine": (lambda _: request_for(RulingGiven, kind="none", fines={1: 5.0, 2: -5.0}), True),
    "minutes": (lambda _: request_for(RulingGiven, kind="none", minutes=5.0), False),
    "name": (lambda _: request_for(SeatNamed, seat=3, player="Zenzi"), False),
}
#: Who changes it: the consent of a request, or the direction's order.
CHANGERS = {"all": BY_ALL, "referee": REFEREE, "direction": None}


def struck_first(signed: tuple[int, ...], directed: bool = True) -> Table:
    """A table at the end of its round, the first game struck before anybody signs."""
    table = played("eppstein", directed, (), {"pflichtsoli": 0})
    table.request(replace(request_for(GameStruck, game=1), consent=REFEREE))
    for seat in signed:
        table.request(replace(request_for(ListSigned, seat=seat), consent=BY_ALL))
    return table


def change(table: Table, request: Request, by: Consent | None) -> list[int]:
    return table.order(request) if by is None else table.request(replace(request, consent=by))


@pytest.mark.parametrize("by", CHANGERS)
@pytest.mark.parametrize(
    "signed", [pytest.param((2,), id="one", marks=pytest.mark.slow), pytest.param((1, 2, 3, 4), id="all four")]
)
@pytest.mark.parametrize("kind", AFTER_SIGNING)
def test_signatures_fall_when_the_list_says_something_else(kind: str, signed: tuple[int, ...], by: str) -> None:
    """They once stood below points that nobody had signed."""
    make, falls = AFTER_SIGNING[kind]
    table = struck_first(signed)
    before = table.round.time_up
    assert table.round.signed == signed and ("close" in table.view().needs_all) is (len(signed) < 4)
    (number,) = change(table, make(table), CHANGERS[by])
    view = table.view()
    assert table.events[number].sign_anew is falls and table.round.time_up is (before and kind != "minutes")
    assert table.round.signed == (() if falls else signed)
    if not falls:
        assert "sign_anew" not in encode(table.events[number]) and not view.sign_anew
        return
    assert view.sign_anew and view.may_sign == (1, 2, 3, 4) and "close" in view.needs_all
    data = list_data(as_written(table.round))
    for text in (as_text(data), as_csv(data)):
        assert "Liste geändert: bitte neu unterschreiben" in text
    assert all(one.said["event"] != "sign" for one in view.spoken)  # what has fallen is not taken back
    for seat in range(1, 5):
        assert table.view().sign_anew
        table.request(replace(request_for(ListSigned, seat=seat), consent=BY_ALL))
    view = table.view()
    assert view.signed == (1, 2, 3, 4) and not view.sign_anew and "close" not in view.needs_all
    assert "neu unterschreiben" not in as_text(list_data(as_written(table.round)))
    assert fold([decode(encode(event)) for event in table.events]) == table.round


def test_a_signature_that_has_fallen_stays_so_whatever_is_put_right_later() -> None:
    table = struck_first((1, 2, 3))
    correction = telling_card(table)
    change(table, correction, REFEREE)
    table.request(replace(request_for(ListSigned, seat=4), consent=BY_ALL))
    change(table, correction, REFEREE)  # folds the cards anew, and all that follows them; the list stays as it is
    assert table.round.signed == (4,)
    change(table, unstruck(table), REFEREE)
    assert table.round.signed == ()
    table.request(replace(request_for(ListSigned, seat=1), consent=BY_ALL))
    assert table.round.signed == (1,)
    own = [one for one in table.view().spoken if one.said["event"] == "sign" and one.word is not None]
    assert [(one.said["seat"], one.alone) for one in own] == [(1, 1)]  # the new one can be taken back, the old one not


def test_who_signed_before_nachspielzeit_has_not_signed_what_was_played_in_it() -> None:
    events = [decode(one) for one in simulate("eppstein", 3, 3, options={"pflichtsoli": 0})]
    deals = [place for place, event in enumerate(events) if event.name == "deal"]
    table = Table(MemoryLog(), now=0.0, opening=events[0])  # type: ignore[arg-type]
    for event in events[1 : deals[2]]:
        table.note(event)
    table.request(replace(request_for(PlayingTimeEnded), consent=BY_ALL))
    table.request(replace(request_for(ListSigned, seat=1), consent=BY_ALL))
    table.request(replace(request_for(RulingGiven, kind="none", minutes=5.0), consent=REFEREE))
    for event in events[deals[2] :]:
        if not isinstance(event, ListSigned | ListHandedIn):
            table.note(event)
    assert len(table.round.games) == 3 and table.round.signed == ()
    change(table, telling_card(table), REFEREE)  # folds anew from a round in which that signature counted
    assert table.round.signed == ()


def test_a_list_of_before_keeps_its_signatures() -> None:
    """Old files have no such mark; they fold as they did."""
    table = struck_first((1, 2))
    change(table, telling_card(table), REFEREE)
    bodies = [{key: value for key, value in encode(event).items() if key != "sign_anew"} for event in table.events]
    assert fold([decode(body) for body in bodies]).signed == (1, 2)


def test_an_older_direction_takes_the_mark_as_a_key_that_it_does_not_know() -> None:
    table = struck_first((1,))
    (number,) = change(table, telling_card(table), REFEREE)
    body = encode(table.events[number])
    assert body["sign_anew"] is True
    assert {key: value for key, value in body.items() if key not in ("sign_anew", "at")} == {
        "event": "correct",
        "of": table.events[number].of,  # type: ignore[union-attr]
        "card": table.events[number].card,  # type: ignore[union-attr]
        "by": "table",
        "why": "finger",
    }


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "alone"])
def test_after_hand_in_the_directions_changes_leave_signatures_and_those_of_the_table_do_not(directed: bool) -> None:
    table = struck_first((1, 2, 3, 4), directed)
    table.request(replace(request_for(ListHandedIn), consent=BY_ALL))
    change(table, telling_card(table), None if directed else BY_ALL)
    view = table.view()
    assert view.closed and view.sign_anew is not directed
    assert (view.signed, view.may_sign) == (((1, 2, 3, 4), ()) if directed else ((), (1, 2, 3, 4)))
    if not directed:
        assert "nicht von allen neu unterschrieben" in as_text(list_data(as_written(table.round)))
        table.request(replace(request_for(ListSigned, seat=3), consent=BY_ALL))
        assert table.view().signed == (3,)

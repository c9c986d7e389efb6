"""Each button in each state of a list: what the page offers is what the table takes, and the service."""

from functools import cache
from typing import Any
from unittest.mock import patch

import pytest

from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from kiosk.director.pages.offered import check_open, offered
from kiosk.director.tables.copy import Copy
from kiosk.errors import BadEvent, BadNote, Refused
from kiosk.rules.books import BOOKS
from kiosk.table import table as table_module
from kiosk.table.events.codec import decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import Event
from kiosk.table.restoring import restored_round
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.counted import as_written
from kiosk.table.table import Table
from kiosk.tournament.berichtigung import on_paper

STATES = ("waiting", "dealing", "asking", "playing", "scored", "resting", "over", "closed")

#: Button → the order that it gives; the seats' points and names do not matter.
ORDERS: dict[str, dict[str, Any]] = {
    "release": {"event": "release"},
    "timeUp": {"event": "time_up"},
    "extra": {"event": "rule", "offender": None, "class": "none", "minutes": 5, "answers": False},
    "rule": {"event": "rule", "offender": 1, "class": "custom", "scores": {"1": -3, "2": 1, "3": 1, "4": 1}},
    "leave": {"event": "leave", "seat": 1, "granted": True},
    "strike": {"event": "strike", "game": 1, "replay": False},
    "replacePlayer": {"event": "substitute", "seat": 1, "player": "Xaver", "ranked": False},
}


@cache
def simulated(rules: str) -> tuple[dict[str, Any], ...]:
    return tuple(simulate(rules, 5, table=1, round_number=1, games=3))


def events_of(rules: str, state: str) -> tuple[dict[str, Any], ...]:
    events = simulated(rules)
    names = [one["event"] for one in events]
    deals = [at for at, name in enumerate(names) if name == "deal"]
    card = names.index("card", deals[1])
    found = {
        "waiting": events[: names.index("release")],
        "dealing": events[: names.index("release") + 1],
        "asking": events[: deals[1] + 1],
        "playing": events[: card + 2],
        "resting": (*events[: card + 2], {"event": "object", "seat": 1, "against": 2, "code": "revoke"}),
        "scored": events[: deals[2]],
        "over": events,
        "closed": (*events, {"event": "close"}),
    }
    return found[state]


@cache
def restored(rules: str, state: str) -> tuple[list[Event], Round]:
    """What a table has that opens with these events, as ``restored_round`` has it."""
    return restored_round(events_of(rules, state), None)


def table_at(rules: str, state: str) -> Table:
    """A table in that state; its events, which are the same for each button, are not folded anew."""
    log = MemoryLog()
    log.add(events_of(rules, state))
    events, round_ = restored(rules, state)
    with patch.object(table_module, "restored_round", lambda *_: (list(events), round_)):
        return Table(log, now=0.0)


def taken(rules: str, state: str, order: dict[str, Any]) -> bool:
    """Whether the table itself carries an order out, and something comes of it."""
    table = table_at(rules, state)
    seats = (1, 2, 3, 4) if order["event"] == "leave" else (order.get("seat"),)
    for seat in seats:
        body = {**order, "order_number": 1, **({} if seat is None else {"seat": seat})}
        try:
            if table.order(decode_request(body), 0.0):
                return True
        except (Refused, BadEvent):
            continue
    return False


@cache
def shown_in(rules: str, state: str) -> list[str]:
    round_ = restored(rules, state)[1]
    return offered(round_, as_written(round_))


@pytest.mark.slow
@pytest.mark.parametrize("button", sorted(ORDERS))
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("rules", sorted(BOOKS))
def test_what_is_offered_is_what_the_table_takes(rules: str, state: str, button: str) -> None:
    round_ = restored(rules, state)[1]
    wanted = taken(rules, state, ORDERS[button])
    if button in ("timeUp", "extra") and round_.minutes is None:
        wanted = False  # no playing time, so there is no end of it and nothing to add
    if button == "timeUp" and state in ("waiting", "closed"):
        wanted = False  # it would be taken, and say nothing to anybody
    if button == "release" and round_.released:
        wanted = False
    assert (button in shown_in(rules, state)) == wanted


@cache
def closed(rules: str) -> Copy:
    copy = Copy(ListKey("t", 1, 1))
    copy.add(events_of(rules, "closed"))
    assert copy.round is not None
    return copy


@pytest.mark.parametrize("button", [*sorted(ORDERS), "callTable"])
@pytest.mark.parametrize("rules", sorted(BOOKS))
def test_the_service_takes_for_a_list_that_was_handed_in_what_is_offered(rules: str, button: str) -> None:
    copy = closed(rules)
    order = ORDERS.get(button, {"call": "director", "text": ""})
    if button in offered(copy.round, as_written(copy.round)):
        check_open(copy, order)
    else:
        with pytest.raises(BadNote) as refused:
            check_open(copy, order)
        assert refused.value.code == "handed_in"


def test_words_are_put_right_where_there_are_any_and_calls_taken_back_where_play_rests() -> None:
    shown = {state: shown_in("eppstein", state) for state in STATES}
    assert [state for state in STATES if "clearCall" in shown[state]] == ["resting"]
    assert [state for state in STATES if "putRight" not in shown[state]] == ["waiting", "dealing"]
    assert all({"callTable", "mend"} <= set(one) for one in shown.values())


def test_a_table_without_a_list_and_one_on_paper() -> None:
    paper = on_paper(BOOKS["bsv"], ("A", "B", "C", "D"), round_=1, table=1, options={})
    assert offered(None, None) == ["callTable", "release"]
    assert offered(None, as_written(paper)) == ["mend"]

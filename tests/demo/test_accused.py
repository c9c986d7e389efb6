"""Whom the table accuses is held against what the script has."""

from typing import Any

import pytest

from kiosk.demo.accused import Accused
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table

OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}
EARLY = "game 1, seat 3: accused of out_of_turn for 2.5 s, and nobody did it"


def table_after(*events: dict[str, Any]) -> Table:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), wall=lambda: 0)
    begun: list[dict[str, Any]] = [{"event": "release"}, {"event": "deal", "dealer": 1}]
    for event in (*begun, *events):
        table.request(decode_request({**event, "anyway": True}, BY_ALL))
    return table


OUT_OF_TURN = ({"event": "card", "seat": 3, "card": "HA"},)


@pytest.mark.parametrize(
    ("shown", "played", "falsely"),
    [
        pytest.param((), (), [], id="nobody is accused"),
        pytest.param(OUT_OF_TURN, OUT_OF_TURN, [], id="of what he did"),
        pytest.param(OUT_OF_TURN, (), [EARLY], id="of what he did not do"),
        pytest.param((), OUT_OF_TURN, [], id="nobody, of what somebody did"),
    ],
)
def test_who_is_accused(
    shown: tuple[dict[str, Any], ...], played: tuple[dict[str, Any], ...], falsely: list[str]
) -> None:
    table, truth = table_after(*shown), table_after(*played)
    watched = Accused()
    for now in (10.0, 11.0, 12.5):
        watched.watch(table, truth.round, now)
    assert watched.falsely() == falsely


def test_what_somebody_did_and_took_back_is_no_false_accusation() -> None:
    table, truth = table_after(*OUT_OF_TURN), table_after(*OUT_OF_TURN)
    watched = Accused()
    watched.watch(table, truth.round, 10.0)
    truth.request(decode_request({"event": "retract", "seat": 3, "card": "HA", "anyway": True}, BY_ALL))
    assert truth.round.game is not None and not truth.round.game.offences
    watched.watch(table, truth.round, 12.5)
    assert watched.falsely() == []

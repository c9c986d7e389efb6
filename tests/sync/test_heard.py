"""What the director says and no table can use is told and left out; what comes after it is heard."""

import json
import logging
import threading
import time
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from kiosk.errors import LineError
from kiosk.sync import heard
from kiosk.sync.address import line_address, stored_of
from kiosk.sync.line import Line
from kiosk.sync.state import GiveWay, LineMessage, Order, Planned
from kiosk.table.events.log import MemoryLog

PLAN = {
    "tournament": "t", "round": 2, "table": 7, "rules": "eppstein", "options": {}, "minutes": None,
    "players": ["A", "B", "C", "D"], "substitutes": [], "numbers": {"3": "A"},
}  # fmt: skip
ODD = {
    "huge": 10**30,
    "huge with a point": 1e30,
    "negative": -1,
    "a fraction": 1.5,
    "a truth value": True,
    "a text": "7",
    "a list": [7],
    "an object": {"7": 7},
}


@pytest.mark.parametrize("value", [*ODD.values(), None], ids=[*ODD, "nothing"])
def test_only_whole_numbers_that_all_can_keep_are_numbers(value):
    with pytest.raises(ValueError, match="a whole number is wanted"):
        heard.whole(value, "an order's number")
    with pytest.raises(LineError) if value != -1 else pytest.raises(AssertionError):  # -1: nothing is stored
        assert stored_of({"last": value, "chain": ""}) != (-1, "")


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
@pytest.mark.parametrize("key", ["round", "players", "substitutes", "options", "tournament"])
def test_a_plan_that_no_table_can_follow_is_none(key, value):
    if key in ("options", "tournament") and isinstance(value, dict if key == "options" else str):
        value = None
    with pytest.raises(ValueError, match=f"{key} of the plan"):
        heard.planned({**PLAN, key: value})


@pytest.mark.parametrize("said", [*ODD.values(), {}, {**PLAN, "round": None}], ids=[*ODD, "empty", "in no round"])
def test_what_is_no_plan_is_told(said):
    with pytest.raises(ValueError, match="plan"):
        heard.planned(said)


def test_a_plan_is_taken_as_it_is():
    assert heard.planned(PLAN) == Planned(PLAN)
    assert heard.planned(None) == Planned(None)
    rules_alone = {"tournament": "t", "round": None, "players": []}
    plan = heard.planned(rules_alone).plan
    assert plan is not None and plan["options"] == {} and plan["substitutes"] == []


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
@pytest.mark.parametrize("place", [0, 1, 2, 3], ids=["tournament", "round", "last", "chain"])
def test_a_list_gives_way_only_by_its_right_name(place, value):
    if place in (0, 3) and isinstance(value, str):
        value = None
    said = ["t", 1, 5, "abc"]
    with pytest.raises(ValueError, match="wanted"):
        heard.give_way([*said[:place], value, *said[place + 1 :]])
    assert heard.give_way(said) == GiveWay("t", 1, 5, "abc")


NONSENSE = [
    *(json.dumps({key: value}) for key in ("answered", "plan") for value in ODD.values()),
    *(json.dumps({"ping": 1, "time": value}) for value in ("x", None, [], True)),
    *(json.dumps({"orders": [{"number": value, "age": 1, "body": {}}]}) for value in ODD.values()),
    *(json.dumps({"orders": [{"number": 1, "age": value, "body": {}}]}) for value in ("x", None, True)),
    '{"orders": 7}',
    '{"give_way": ["t", 1e300, 5, "abc"]}',
    '{"send": [["t", 1e300]]}',
    '{"answered": NaN}',
    '{"plan": "\\ud800"}',
    '{"plan": ' + "[" * 5000 + "]" * 5000 + "}",
    "[]",
    "{",
]


@pytest.mark.slow
def test_after_nonsense_an_order_is_heard(caplog: pytest.LogCaptureFixture) -> None:
    sockets: list[ServerConnection] = []

    def speak(socket: ServerConnection) -> None:
        sockets.append(socket)
        call = {"age": 0, "body": {"call": "people"}}
        orders: list[Any] = [{"number": 1e30, **call}, {"number": 11, **call}]
        for text in (*NONSENSE, json.dumps({"orders": orders})):
            socket.send(text)
        with suppress(ConnectionClosed):
            socket.recv(timeout=60)
            while True:
                socket.recv()

    came: list[LineMessage] = []
    with serve(speak, "127.0.0.1", 0) as director, caplog.at_level(logging.ERROR):
        threading.Thread(target=director.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{director.socket.getsockname()[1]}"
        line = Line(url, "t7.geheim", "t", 7, 1, MemoryLog(), came.append, ask_plan=True)
        line.start()
        end = time.monotonic() + 30
        while not any(isinstance(one, Order) for one in came) and time.monotonic() < end:
            time.sleep(0.01)
        line.stop()
        director.shutdown()
    assert [one.number for one in came if isinstance(one, Order)] == [11]
    assert len(sockets) == 1  # it was never closed
    told = [one for one in caplog.records if "cannot be understood" in one.getMessage()]
    assert len(told) == len(NONSENSE) + 1 and max(len(one.getMessage()) for one in told) < 400
    assert [one for one in caplog.records if one.name == "kiosk.sync.order_socket" and one.exc_info] == []


ASKED = {"ask": "0f" * 16, "tournament": "t", "round": 2, "of": [[17, 1795186800123], [18, 0]]}


def test_pictures_that_are_asked_for_go_to_the_director_alone():
    address = line_address("http://director:8377", "id.secret", "t", 7, 2)
    wanted = heard.pictures_wanted(ASKED, address)
    assert (wanted.ask, wanted.tournament, wanted.round, wanted.of) == (
        "0f" * 16,
        "t",
        2,
        ((17, 1795186800123), (18, 0)),
    )
    assert wanted.url == f"http://director:8377/line/pictures/{'0f' * 16}"
    assert wanted.headers["Authorization"] == "Bearer id.secret"


@pytest.mark.parametrize(
    "changed",
    [
        None, [], "x", {"ask": "../../x"}, {"ask": "0f"}, {"ask": 7}, {"tournament": None}, {"round": 0},
        {"round": True}, {"round": "2"}, {"of": None},
        {"of": [[1, 2]] * 401}, {"of": [7]}, {"of": [[1]]}, {"of": [[1, 2, 3]]},
        {"of": [["1", 2]]}, {"of": [[1, -2]]}, {"of": [[1.5, 2]]},
    ],
    ids=str,
)  # fmt: skip
def test_pictures_that_nobody_can_ask_for_are_none(changed):
    said = {**ASKED, **changed} if isinstance(changed, dict) else changed
    with pytest.raises(ValueError, match=r"pictures|picture|an event"):
        heard.pictures_wanted(said, line_address("http://director:8377", "id.secret", "t", 7, 2))

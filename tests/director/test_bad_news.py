"""What is wrong with the tables' devices, and that the worst stands first."""

import json
import time
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.sync.client import connect

from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.tables.bad_news import MANY_COMINGS, Look, bad_news


def codes(told: dict[str, Any] | None = None, **more: Any) -> list[str]:
    return [one.code for one in bad_news(Look(told=told or {}, **{"connected": True, **more}))]


@pytest.mark.parametrize(
    ("told", "more", "found"),
    [
        pytest.param({}, {}, [], id="nothing is known"),
        pytest.param(
            {"version": "1", "disk_low": False, "under_voltage": None, "clock_off_s": 0, "camera": None, "unsaved": 0},
            {"version": "1"},
            [],
            id="all right",
        ),
        pytest.param({"camera": "covered"}, {}, ["no_camera"], id="the camera is covered in play"),
        pytest.param({"no_camera": "missing"}, {}, ["no_camera"], id="no camera, and nobody sits there"),
        pytest.param({"no_camera": "missing"}, {"connected": False}, ["not_connected"], id="away: who knows"),
        pytest.param({"disk_low": True, "free_gb": 0}, {}, ["disk_low"], id="disk nearly full"),
        pytest.param({"unsaved": 3}, {}, ["unsaved"], id="disk full"),
        pytest.param({"under_voltage": True, "was_under_voltage": True}, {}, ["under_voltage"], id="power now"),
        pytest.param({"was_under_voltage": True}, {}, ["was_under_voltage"], id="power before"),
        pytest.param({"hot": True}, {}, ["hot"], id="hot"),
        pytest.param({"clock_off_s": -180}, {}, ["clock_off"], id="its clock is behind"),
        pytest.param({"version": "0.1.0"}, {"version": "0.1.0+abc"}, ["other_version"], id="another version"),
        pytest.param({"version": "0.1.0"}, {"version": ""}, [], id="the direction does not know its own"),
        pytest.param({}, {"comings": MANY_COMINGS - 1}, [], id="a few connections"),
        pytest.param({}, {"comings": MANY_COMINGS}, ["many_comings"], id="many connections"),
        pytest.param({}, {"plain": True}, ["plain"], id="not encrypted"),
        pytest.param(
            {"hot": True, "disk_low": True},
            {"plain": True, "conflict": True, "held": True},
            ["two_lists", "held", "disk_low", "hot", "plain"],
            id="the worst first",
        ),
    ],
)
def test_what_is_wrong_with_a_device(told, more, found):
    assert codes(told, **more) == found


def test_what_its_words_tell():
    (clock,) = bad_news(Look(told={"clock_off_s": -180}, connected=True))
    assert clock.values == {"minutes": 3}
    (disk,) = bad_news(Look(told={"disk_low": True, "free_gb": None}, connected=True))
    assert disk.values == {"gb": 0}


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5), lambda x: st.lists(x), max_leaves=5
)
_KEYS = ("version", "disk_low", "free_gb", "clock_off_s", "no_camera", "under_voltage", "unsaved")


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(_KEYS), _ANY))
def test_whatever_a_device_tells_is_listed(told):
    """It is a table's own word, and no table may break the list."""
    found = bad_news(Look(told=told, connected=True, version="1"))
    assert [one.badness for one in found] == sorted((one.badness for one in found), reverse=True)
    json.dumps([dict(one.values) for one in found], allow_nan=False)


@pytest.mark.slow
def test_the_worst_device_stands_first_in_the_list(tmp_path):
    database = f"sqlite:///{tmp_path / 'd.sqlite'}"
    settings = Settings(tournament="t", database=database, port=0, pin="24681357", version="2", guests=False)
    with Service(settings) as service, httpx.Client(base_url=service.url, trust_env=False) as director:
        secrets = {table: service.enrol(table) for table in (1, 2, 3, 4)}
        director.post("/api/login", json={"pin": "24681357"})
        statuses = {2: {"version": "2"}, 3: {"version": "1"}, 4: {"version": "2", "disk_low": True, "free_gb": 0}}
        with ExitStack() as sockets:
            for table, status in statuses.items():
                address = f"{service.url.replace('http', 'ws')}/line/t/1/{table}"
                shown = {"Authorization": f"Bearer {secrets[table]}"}
                socket = sockets.enter_context(connect(address, proxy=None, additional_headers=shown))
                socket.send(json.dumps({"status": status}))
            deadline = time.monotonic() + 30
            listed: list[dict[str, Any]] = []
            while [one["table"] for one in listed] != [4, 1, 3, 2] and time.monotonic() < deadline:
                listed = director.get("/api/devices").json()["devices"]
    assert [(one["table"], [bad["code"] for bad in one["bad"]]) for one in listed] == [
        (4, ["disk_low"]),
        (1, ["not_connected"]),
        (3, ["other_version"]),
        (2, []),
    ]

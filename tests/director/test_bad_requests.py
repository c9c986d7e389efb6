"""Requests that no program of ours sends: none is answered by an error of the service, and nothing is disturbed."""

import asyncio
import json
import logging
from itertools import islice
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi.routing import APIRoute
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kiosk.bench.attack import Outcome, attack
from kiosk.bench.bad_requests import Prey, bad_requests, operations
from kiosk.director.access.passwords import hashed
from kiosk.director.app import _ROUTES
from kiosk.director.pages.api_routes import description
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.web.complaints import OnceAMinute
from kiosk.table.events.json_text import parsed

pytestmark = pytest.mark.slow

PIN = "24681357"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    database = f"sqlite:///{tmp_path_factory.mktemp('attacked') / 'd.sqlite'}"
    with Service(Settings(tournament="t", database=database, port=0, pin=hashed(PIN), guests=False)) as running:
        yield running


@pytest.fixture
def director(service):
    with httpx.Client(base_url=service.url, trust_env=False) as http:
        assert http.post("/api/login", json={"pin": PIN}).status_code == 200
        yield http


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_bad_request_makes_the_service_fail(service, director, caplog, seed):
    """Ten thousand of them: ``./stichwart bench attack``."""
    parts = urlsplit(service.url)
    prey = Prey(
        host=parts.netloc,
        described=director.get("/openapi.json").json(),
        session=director.cookies["stichwart"],
        secret=service.enrol(99),
        tournament="t",
        table=99,
    )
    outcome = Outcome()
    asyncio.run(attack((parts.hostname, parts.port), islice(bad_requests(prey, seed), 250), outcome))
    assert outcome.failed == [] and outcome.echoed == [] and outcome.answers[1] == 0
    assert sum(outcome.answers.values()) == 250
    assert {200, 101, 400, 403, 404, 405, 422} <= set(outcome.answers)  # they get in, and everywhere
    assert [one.getMessage() for one in caplog.records if one.exc_info] == []
    assert director.get("/health").json()["ok"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b'{"last": 1e999, "stands": true}', id="endless"),
        pytest.param(b'{"last": NaN, "stands": true}', id="no number"),
        pytest.param(b'{"last": 9223372036854775808, "stands": true}', id="larger than the database keeps"),
        pytest.param(b'{"last": ' + b"9" * 6000 + b', "stands": true}', id="more digits than Python reads"),
        pytest.param(b'{"last": "\\ud800", "stands": true}', id="half a character"),
        pytest.param(b'{"last": "\\u0000", "stands": true}', id="NUL"),
        pytest.param(b"[" * 100_000, id="deep"),
        pytest.param(b"\xff\xfe{", id="no UTF-8"),
    ],
)
def test_a_message_that_nobody_could_keep_is_refused(service, director, content):
    service.enrol(98)
    said = director.post("/api/devices/issue", content=content)
    assert said.status_code == 422 and said.json()["error"] == "not_an_event"


@pytest.mark.parametrize(
    "number",
    ["1" + "0" * 30, "1e30", "-1", "1.5", "true", '"7"', "[7]", "null", "NaN", '"\\ud800"', "[" * 5000 + "]" * 5000],
    ids=["huge", "huge with a point", "negative", "fraction", "true", "text", "list", "null", "NaN", "half", "deep"],
)
def test_a_receipt_is_for_an_order_by_its_number(service, caplog, number):
    secret = service.enrol(96)
    address = service.url.replace("http", "ws") + "/line/t/1/96?device=x"
    with connect(address, proxy=None, additional_headers={"Authorization": f"Bearer {secret}"}) as socket:
        socket.send(f'{{"answer": {number}}}')
        with pytest.raises(ConnectionClosed):
            while True:
                socket.recv(timeout=30)
    said = [one for one in caplog.records if "cannot be understood" in one.getMessage()]
    assert len(said) == 1 and len(said[0].getMessage()) < 450
    assert [one for one in caplog.records if one.exc_info] == []


@pytest.mark.parametrize(
    "path",
    [
        "/api/t/1/7/events.jsonl?aside=361803955790773762392064",
        "/api/t/1/7/events.jsonl?aside=-1",
        "/api/t/protocol.json?before=99999999999999999999",
        "/api/t/1/7/photos/99999999999999999999.jpg",
        "/years/99999999999999999999.json",
    ],
)
def test_numbers_of_an_address_are_bounded(director, path):
    assert director.get(path).status_code == 422


def test_every_whole_number_of_an_address_is_bounded(service):
    """Whoever adds an address forgets it, and a larger one breaks the database's adapter."""
    endless = [
        (path, one["name"])
        for _, path, told in operations(description(service.app))
        for one in told.get("parameters", ())
        for kind in one["schema"].get("anyOf", [one["schema"]])
        if kind.get("type") == "integer" and "maximum" not in kind
    ]
    assert endless == []


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
    lambda part: st.lists(part) | st.dictionaries(st.text(st.characters(codec="ascii", min_codepoint=32)), part),
)


@settings(max_examples=40)
@given(_JSON, st.booleans())
def test_every_message_that_can_be_kept_is_read_as_it_is(value, as_ascii):
    assert parsed(json.dumps(value, ensure_ascii=as_ascii).encode()) == value


# the description


def test_every_address_is_described(service):
    described = {(method, path) for method, path, _ in operations(description(service.app))}
    routes = {
        (method, route.path_format)  # without the parameters' kinds
        for routes in _ROUTES
        for route in routes.router.routes
        if isinstance(route, APIRoute) and route.include_in_schema
        for method in route.methods
    }
    assert described == routes and len(described) > 40
    assert all(told["description"] for _, _, told in operations(description(service.app)))


def test_what_a_message_holds_follows_from_its_docstring(service):
    told_of = operations(description(service.app))
    posts = {path: told["requestBody"] for method, path, told in told_of if method == "POST"}
    schema = posts["/api/devices/issue"]["content"]["application/json"]["schema"]
    assert schema["properties"] == {"table": {"type": "integer"}, "replace": {"type": "boolean"}}
    assert schema["example"] == {"table": 7, "replace": False}
    assert all(":raises" not in told["description"] for _, _, told in told_of)


def test_the_description_is_a_page_without_scripts_for_who_has_logged_in(service, director):
    page = director.get("/openapi")
    assert "<script" not in page.text and "<code>POST /api/devices/issue</code>" in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]
    with httpx.Client(base_url=service.url, trust_env=False) as stranger:
        assert stranger.get("/openapi.json").status_code == 403


# the log


def test_what_strangers_cause_is_logged_once_a_minute():
    now = [0.0]
    once = OnceAMinute(lambda: now[0])

    def written(text: str) -> bool:
        return once.filter(logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, text, (), None))

    assert [written("Invalid HTTP request received.") for _ in range(3)] == [True, False, False]
    assert written("Exception in ASGI application") and written("Exception in ASGI application")
    now[0] = 61.0
    assert written("Invalid HTTP request received.")


def test_an_event_that_is_no_order_is_refused(service, director):
    service.enrol(97)
    said = director.post("/api/t/1/orders", json={"table": None, "body": {"event": "call"}})
    assert said.status_code == 422 and "who calls" in said.json()["message"]

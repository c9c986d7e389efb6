"""Who may do what: every address of the service stands here with the right that it needs, and is tried by all."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import Mount

from kiosk.director.access.passwords import hashed
from kiosk.director.serve import Service
from kiosk.director.settings import Settings

pytestmark = pytest.mark.slow

PIN, PASSWORD = "24681357", "pikbube9"

#: Right → the accounts that have it; "": nobody has logged in.
HAVE = {
    "all": {"", "viewer", "desk", "referee", "director"},
    "look": {"viewer", "desk", "referee", "director"},
    "enter": {"desk", "director"},
    "cash": {"desk", "director"},
    "order": {"referee", "director"},
    "order or enter": {"referee", "desk", "director"},
    "direct": {"director"},
    "table": set(),  # by the secret of a table's device
}
ROLES = ("", "viewer", "desk", "referee", "director")

#: Address → the right that it needs, at least.
RIGHTS = {
    "GET /": "all",
    "GET /health": "all",
    "GET /zertifikat": "all",
    "GET /certificate": "all",
    "GET /zertifikat/stichwart.{kind}": "all",
    "GET /api/words": "all",
    "GET /api/me": "all",
    "POST /api/login": "all",
    "POST /api/logout": "all",
    "POST /api/first": "all",
    "MOUNT /page": "all",
    "POST /enrol": "all",
    "POST /line/{tournament}/{round_}/{table}/events": "table",
    "GET /line/{tournament}/{round_}/{table}/events": "table",
    "SOCKET /line/{tournament}/{round_}/{table}": "table",
    "SOCKET /live": "look",
    "GET /beamer": "all",
    "GET /ueber": "look",
    "GET /about": "look",
    "GET /openapi": "look",
    "GET /openapi.json": "look",
    "POST /api/password": "look",
    "GET /api/labels": "look",
    "GET /api/book/{rules}": "look",
    "GET /api/{tournament}/setup": "look",
    "GET /api/{tournament}/standings.{kind}": "look",
    "GET /api/{tournament}/tables.{kind}": "look",
    "GET /api/{tournament}/draws/{number}": "look",
    "GET /api/{tournament}/{round_}/lists.pdf": "look",
    "GET /api/{tournament}/{round_}/{table}/list.{kind}": "look",
    "GET /api/{tournament}/{round_}/{table}/asides": "look",
    "GET /api/{tournament}/sign/{number}.jpg": "look",
    "POST /api/{tournament}/sign": "direct",
    "GET /series.json": "look",
    "GET /series/{name:path}.{kind}": "look",
    "GET /years.json": "look",
    "GET /years/{year}.{kind}": "look",
    "POST /api/{tournament}/people/preview": "enter",
    "POST /api/{tournament}/people/import": "enter",
    "GET /api/{tournament}/labels.pdf": "enter",
    "GET /api/{tournament}/cash.{kind}": "cash",
    "POST /api/{tournament}/paid": "cash",
    "POST /api/{tournament}/paid/{number}/back": "cash",
    "GET /api/{tournament}/prizes.json": "cash",
    "GET /api/{tournament}/receipts.pdf": "cash",
    "GET /api/{tournament}/{round_}/{table}/mending": "order or enter",
    "POST /api/{tournament}/{round_}/{table}/paper": "order or enter",
    "POST /api/{tournament}/{round_}/{table}/photos": "order or enter",
    "GET /api/{tournament}/{round_}/{table}/photos/{number}.jpg": "order or enter",
    "POST /api/{tournament}/{round_}/orders": "order",
    "POST /api/{tournament}/{round_}/orders/{number}/undo": "order",
    "POST /api/{tournament}/{round_}/{table}/mend": "order",
    "POST /api/{tournament}/{round_}/{table}/substitute": "order",
    "GET /api/{tournament}/{round_}/{table}/events.jsonl": "order",
    "GET /api/accounts": "direct",
    "POST /api/accounts": "direct",
    "POST /api/accounts/change": "direct",
    "GET /api/backup": "direct",
    "GET /api/saving": "direct",
    "POST /api/saving": "direct",
    "POST /api/time": "direct",
    "GET /api/network": "direct",
    "POST /api/network": "direct",
    "GET /api/network/code.svg": "direct",
    "GET /api/network/card.pdf": "direct",
    "POST /api/restore": "direct",
    "POST /api/restore/yes": "direct",
    "GET /api/takeover": "all",
    "POST /api/takeover": "all",
    "POST /api/begin": "direct",
    "GET /api/certificate": "direct",
    "GET /api/devices": "direct",
    "GET /api/fleet": "direct",
    "GET /api/fleet/log.zip": "direct",
    "GET /api/fleet/sticks": "direct",
    "POST /api/fleet/sticks": "direct",
    "POST /api/fleet/bundles": "direct",
    "POST /api/fleet/own": "direct",
    "POST /api/fleet/restart": "direct",
    "POST /api/fleet/wish": "direct",
    "POST /api/fleet/withdraw": "direct",
    "GET /line/releases/{sha256}": "table",
    "GET /api/parcels": "direct",
    "POST /api/parcels": "direct",
    "POST /api/parcels/back": "direct",
    "POST /api/parcels/{number}/give": "direct",
    "POST /api/parcels/{number}/remove": "direct",
    "GET /api/parcels/{number}/file": "direct",
    "GET /line/parcels/{sha256}": "table",
    "GET /api/books": "direct",
    "GET /api/books/{number}": "direct",
    "GET /api/books/{number}/book.{kind}": "direct",
    "POST /api/books/form": "direct",
    "POST /api/books/save": "direct",
    "POST /api/books/remove": "direct",
    "POST /api/books/try": "direct",
    "POST /line/parcels": "table",
    "POST /api/devices/admit": "direct",
    "POST /api/devices/issue": "direct",
    "POST /api/devices/{id_}": "direct",
    "POST /api/devices/{id_}/task": "direct",
    "GET /api/devices/{id_}/log.zip": "direct",
    "POST /line/log": "table",
    "POST /line/pictures/{ask}": "table",
    "GET /api/{tournament}/{round_}/{table}/games/{number}": "order",
    "POST /api/{tournament}/{round_}/{table}/games/{number}/pictures": "order",
    "GET /api/{tournament}/protocol.{kind}": "direct",
    "POST /api/{tournament}/award": "direct",
    "POST /api/{tournament}/counts": "direct",
    "POST /api/{tournament}/lot": "direct",
    "GET /api/{tournament}/series": "direct",
    "POST /api/{tournament}/series": "direct",
    "POST /api/{tournament}/undo": "direct",
    "POST /api/{tournament}/notes": "direct",
    "POST /api/{tournament}/{round_}/aside": "direct",
    "POST /api/{tournament}/{round_}/{table}/aside": "direct",
    "POST /api/{tournament}/{round_}/{table}/conflict": "direct",
    "POST /api/{tournament}/{round_}/{table}/held": "direct",
    "GET /api/{tournament}/held": "direct",
    "POST /api/{tournament}/held": "direct",
}

#: What must stand behind the question mark for a request to be looked at.
QUERIES = {
    "POST /api/parcels": {"kind": "deck", "name": "a"},
    "POST /line/parcels": {"name": "a"},
    "POST /api/{tournament}/people/import": {"stamp": "x"},
    "GET /api/{tournament}/labels.pdf": {"what": "badges", "form": "x"},
}

#: Kind of note → the right that it needs.
NOTES = {
    **dict.fromkeys(("enter", "check_in", "check_out", "mark", "gone", "back", "fee", "club", "numbers"), "enter"),
    **dict.fromkeys(("person", "merge", "remove", "rename"), "enter"),
    **dict.fromkeys(("court", "court_ends"), "order"),
    **dict.fromkeys(("setup", "programme", "seat_wishes", "purse", "watch", "draw", "reseat", "swap"), "direct"),
    **dict.fromkeys(("announcement", "sign"), "direct"),
    **dict.fromkeys(("publish", "withdraw", "awarded", "paid", "paid_back", "undo", "begin", "lot", "mend"), "direct"),
}

#: Body of an order → the right that it needs.
ORDERS = {
    '{"table": null, "body": {"event": "release"}}': "direct",
    '{"table": null, "body": {"call": true}}': "direct",
    '{"table": 7, "body": {"event": "release"}}': "direct",
    '{"table": 7, "body": {"event": "time_up"}}': "direct",
    '{"table": 7, "body": {"call": true}}': "order",
}


@pytest.fixture(scope="module", params=[False, True], ids=["with accounts", "guests too"])
def hall(request, tmp_path_factory) -> Iterator[tuple[Service, dict[str, httpx.Client], bool]]:
    """A service, and a client of each kind of account."""
    database = f"sqlite:///{tmp_path_factory.mktemp('rights') / 'd.sqlite'}"
    settings = Settings(tournament="t", database=database, port=0, pin=hashed(PIN), guests=request.param)
    with Service(settings) as service:
        people = {role: httpx.Client(base_url=service.url, trust_env=False) for role in ROLES}
        assert people["director"].post("/api/login", json={"pin": PIN}).status_code == 200
        for role in ("viewer", "desk", "referee"):
            account = {"name": f"Eine {role}", "role": role, "password": PASSWORD}
            assert people["director"].post("/api/accounts", json=account).status_code == 200
            assert people[role].post("/api/login", json={**account}).status_code == 200
        assert people["director"].post(
            "/api/t/notes", json={"note": "enter", "names": ["A", "B", "C", "D"], "here": True}
        )
        yield service, people, request.param
        for http in people.values():
            http.close()


def addresses(service: Service) -> set[str]:
    found = set()
    routers = [getattr(one, "original_router", None) for one in service.app.routes]  # FastAPI keeps them apart
    inner = [route for router in routers if router is not None for route in router.routes]
    for route in [*inner, *(one for one, router in zip(service.app.routes, routers, strict=True) if router is None)]:
        if isinstance(route, APIRoute):
            found |= {f"{method} {route.path}" for method in route.methods}
        elif isinstance(route, APIWebSocketRoute):
            found.add(f"SOCKET {route.path}")
        else:
            assert isinstance(route, Mount), route
            found.add(f"MOUNT {route.path}")
    return found


def refused(said: httpx.Response) -> bool:
    """Whether who asked has not the right, whatever else may be wrong with what they asked."""
    return said.status_code == 403 and said.json()["code"] in ("login", "not_yours")


def may(right: str, role: str, guests: bool) -> bool:
    return role in HAVE[right] or (guests and right == "look" and not role)


def test_every_address_stands_in_the_table_of_rights(hall):
    assert addresses(hall[0]) == RIGHTS.keys()


@pytest.mark.parametrize(
    "address", [one for one, right in RIGHTS.items() if right not in ("table", "all") and not one.startswith("SOCKET")]
)
def test_who_has_not_the_right_is_refused_and_who_has_it_is_heard(hall, address):
    _, people, guests = hall
    method, path = address.split()
    values = {"tournament": "t", "round_": 1, "table": 7, "kind": "json", "number": 1, "rules": "bsv", "year": 2026}
    asked = path.replace(":path", "").format(**values, id_="x", name="x")
    content: dict[str, Any] = {} if method == "GET" else {"json": {}}
    for role, http in people.items():
        said = http.request(method, asked, params=QUERIES.get(address), **content)
        heard = may(RIGHTS[address], role, guests and method == "GET")
        assert refused(said) is not heard, (role, said.status_code, said.text[:200])
        assert said.status_code < 500


@pytest.mark.parametrize(("kind", "right"), NOTES.items(), ids=NOTES)
def test_each_kind_of_note_needs_its_right(hall, kind, right):
    for role, http in hall[1].items():
        said = http.post("/api/t/notes", json={"note": kind})
        assert refused(said) is not may(right, role, False), (role, said.status_code, said.text[:200])


@pytest.mark.parametrize(("order", "right"), ORDERS.items(), ids=ORDERS)
def test_each_kind_of_order_needs_its_right(hall, order, right):
    for role, http in hall[1].items():
        said = http.post("/api/t/1/orders", content=order)
        assert refused(said) is not may(right, role, False), (role, said.status_code, said.text[:200])

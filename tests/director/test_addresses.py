"""No name that people choose makes two of the service's addresses one."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.routing import Match

from kiosk.app.config import load_director
from kiosk.director.app import create_app
from kiosk.director.office import Office
from kiosk.director.settings import FIXED, Settings
from kiosk.director.storage.store import Store
from kiosk.errors import BadConfig
from kiosk.tournament.people import BadName

#: What people name, as addresses have it; other places hold numbers, or what the service has named.
CHOSEN = ("tournament", "name")
_PLACE = re.compile(r"\{(\w+)(?::\w+)?\}")


@pytest.fixture(scope="module")
def routes(tmp_path_factory) -> list[Any]:
    """All addresses of the service."""
    url = f"sqlite:///{tmp_path_factory.mktemp('addresses') / 'd.sqlite'}"
    app = create_app(Settings(tournament="t", database=url))
    app.state.access.stop()
    routers = [getattr(one, "original_router", None) for one in app.routes]  # FastAPI keeps them apart
    return [route for router in routers if router is not None for route in router.routes]


def words(routes: list[Any]) -> set[str]:
    """What stands in addresses, piece by piece."""
    pieces = {piece for route in routes for piece in route.path.split("/") if piece and "{" not in piece}
    return pieces | {piece.rpartition(".")[0] for piece in pieces if "." in piece}


def at(route: Any, named: dict[str, str]) -> dict[str, Any]:
    """A request for an address, with ``7`` in places that are not named."""
    path = _PLACE.sub(lambda place: named.get(place[1], "7"), route.path)
    kind = "websocket" if not getattr(route, "methods", None) else "http"
    return {"type": kind, "path": path, "method": min(getattr(route, "methods", None) or {"GET"}), "headers": []}


def collisions(routes: list[Any]) -> Iterator[tuple[str, str, str]]:
    """Address, name, and the other address that is found instead."""
    for route, name in itertools.product(routes, sorted(words(routes))):
        for place in set(_PLACE.findall(route.path)) & set(CHOSEN):
            scope = at(route, {place: name})
            found = next(one for one in routes if one.matches(scope)[0] is Match.FULL)
            if found is not route:
                yield route.path, name, found.path


@pytest.mark.slow
def test_no_tournament_is_named_so_that_another_address_is_found(routes):
    found = list(collisions(routes))
    assert {name for _, name, _ in found} <= FIXED, found


def test_every_word_that_stands_where_a_tournament_does_is_kept(routes):
    first = {route.path.split("/")[2] for route in routes if route.path.startswith("/api/")}
    assert {word for word in first if "{" not in word} == FIXED


@pytest.mark.parametrize("name", sorted(FIXED))
def test_a_tournament_named_like_an_address_is_refused_with_its_name(tmp_path, name):
    file = tmp_path / "director.toml"
    file.write_text(f'tournament = "{name}"\n', encoding="utf-8")
    with pytest.raises(BadConfig, match=f'tournament = "{name}"'):
        load_director(file)
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}")
    store = Store(settings.database)
    with pytest.raises(BadName, match=name) as refused:
        Office(store, settings).begin(name, keep_people=False)
    assert refused.value.code == "fixed_title" and store.tournaments() == []
    Office(store, settings).begin(f"{name} 2026", keep_people=False)
    store.close()

"""A table with a game dealt, and the camera above it."""

from collections.abc import Iterator

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_request
from tests.table.ideal_camera import Camera, new_table


@pytest.fixture
def camera() -> Iterator[Camera]:
    """A table with a game dealt, all gesund, before the first card: forehand is seat 2."""
    table = new_table()
    table.request(decode_request({"event": "release"}, BY_ALL))
    table.request(decode_request({"event": "deal", "dealer": 1}, BY_ALL))
    camera = Camera(table)
    camera.spread = 0.0
    yield camera

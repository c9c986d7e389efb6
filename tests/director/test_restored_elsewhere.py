"""A direction put back from its backup on another machine: tables go to it and to nobody who only says to be it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kiosk.app.moved import Moved
from kiosk.director.access.schema import METADATA as ACCESS
from kiosk.director.access.schema import SAVED
from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.storage.backup import put_back, save
from kiosk.director.storage.database import METADATA
from kiosk.director.storage.store import Store
from kiosk.sync.line import Line
from kiosk.sync.state import FoundDirection, LineState
from kiosk.sync.trust import fingerprint
from tests.director.encrypted import ROUND, settings

pytestmark = pytest.mark.slow

ALL = (*METADATA.sorted_tables, *SAVED)
KEY = ListKey("t", 1, 7)


class Log:
    """The table's list."""

    def read(self, after: int = -1) -> list:
        return list(enumerate(ROUND))[after + 1 :]


@contextmanager
def service(folder: Path) -> Iterator[Service]:
    folder.mkdir(exist_ok=True)
    with Service(settings(folder)) as running:
        yield running


@pytest.fixture
def moved_house(tmp_path: Path) -> Iterator[tuple[Service, Service, str, str, str]]:
    """The direction put back on another machine, a stranger, and what a table knows: address, secret, authority."""
    with service(tmp_path / "old") as old:
        secret, url, authority = old.enrol(7), old.url, old.certificates.authority
        old.app.state.hall.store.append(KEY, -1, "", ROUND[:3])
        save(old.app.state.hall.store, ALL, tmp_path / "old" / "tls", tmp_path / "b.zip")
    new = tmp_path / "new"
    new.mkdir()
    store = Store(f"sqlite:///{new / 'd.sqlite'}")
    store.make(ACCESS)
    put_back(store, ALL, new / "tls", tmp_path / "b.zip")
    store.close()
    with service(tmp_path / "stranger") as stranger, service(new) as restored:
        stranger.enrol(7, secret)  # it would let the table in, and hear all that it has
        yield restored, stranger, url, secret, authority


def test_a_table_goes_to_the_restored_direction_and_not_to_a_stranger(moved_house) -> None:
    restored, stranger, url, secret, authority = moved_house
    states, connected = [], threading.Event()

    def heard(message: object) -> None:
        if isinstance(message, LineState):
            states.append(message.trouble)
            moved.heard(message)
            if message.connected and not message.waiting:
                connected.set()

    class Search:
        """Both name themselves alike, and the stranger says that it has the authority, which anybody can read."""

        def __init__(self, deliver) -> None:
            ours = fingerprint(authority)
            deliver((FoundDirection("Klub", stranger.url, ours), FoundDirection("Klub", restored.url, ours)))

        def stop(self) -> None: ...

    line = Line(url, secret, "t", 7, 1, Log(), heard, ask_plan=True, authority=authority, slowest=0.2)
    moved = Moved(authority, line.look_at, Search, away_s=0)
    line.start()
    try:
        assert connected.wait(60), states
        assert restored.app.state.hall.store.read(KEY) == ROUND
        assert "certificate" in states, "it was at the stranger's door"
        assert stranger.app.state.hall.store.read(KEY) == []
        assert not stranger.app.state.hall.desk(KEY).connected
    finally:
        line.stop()
        moved.stop()


def test_with_a_stranger_alone_it_stays_away(moved_house) -> None:
    _, stranger, url, secret, authority = moved_house
    stood = threading.Event()

    def heard(message: object) -> None:
        if isinstance(message, LineState) and message.trouble == "certificate":
            stood.set()

    line = Line(url, secret, "t", 7, 1, Log(), heard, authority=authority, slowest=0.2)
    line.look_at([stranger.url])
    line.start()
    line.look_at([stranger.url])
    try:
        for _ in range(600):
            line.look_at([stranger.url])
            if stood.wait(0.1):
                break
        assert stood.is_set() and not line.state.connected
        assert stranger.app.state.hall.store.read(KEY) == []
    finally:
        line.stop()

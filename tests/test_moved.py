"""A direction that has another address now is found by the authority that was pinned, and by nothing else."""

import threading
from pathlib import Path

import pytest

from kiosk.app.moved import Moved
from kiosk.sync.state import FoundDirection, LineState
from kiosk.sync.trust import fingerprint

PEM = (Path(__file__).parent / "data" / "nobody.pem").read_text(encoding="ascii")
OURS = fingerprint(PEM)
AWAY = LineState(connected=False, since=0.0, acknowledged=-1, waiting=0, trouble="away")
THERE = LineState(connected=True, since=0.0, acknowledged=-1, waiting=0)


class Search:
    """A search that goes on."""

    def __init__(self) -> None:
        self.begun, self.stopped = threading.Event(), False
        self.count = 0

    def look(self, deliver):
        self.deliver = deliver
        self.count += 1
        self.begun.set()
        return self

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture
def search():
    return Search()


def test_only_who_names_the_pinned_authority_counts(search):
    told = []
    moved = Moved(PEM, told.append, search.look, away_s=0)
    moved.heard(AWAY)
    moved.heard(AWAY)
    assert search.begun.wait(30) and search.count == 1
    search.deliver(
        (FoundDirection("Klub", "https://10.0.0.9:8377", "0" * 64), FoundDirection("Klub", "https://10.0.0.8:8377"))
    )
    assert told == []
    search.deliver(
        (FoundDirection("X", "https://10.0.0.2:8377", OURS), FoundDirection("Klub", "https://10.0.0.9:8377"))
    )
    assert told == [["https://10.0.0.2:8377"]]
    moved.heard(THERE)
    assert search.stopped


def test_a_short_absence_is_no_search(search):
    moved = Moved(PEM, print, search.look, away_s=3600)
    moved.heard(AWAY)
    moved.heard(THERE)
    moved.stop()
    assert search.count == 0

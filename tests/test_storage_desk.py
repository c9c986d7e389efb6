"""What people are told while a table's storage is broken."""

from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.app.outputs import Outputs
from kiosk.app.storage_desk import StorageDesk
from kiosk.table.events.log import LogError


class Notices(Outputs):
    """Outputs that keep their notices."""

    def __init__(self) -> None:
        super().__init__(None, None, "de")
        self.told: dict[str, str] = {}

    def notice(self, kind: str, text: Any) -> None:
        self.told[kind] = text if isinstance(text, str) else text("de")


def line(connected: bool = True, acknowledged: int = 9, trouble: str = "") -> Any:
    return SimpleNamespace(state=SimpleNamespace(connected=connected, acknowledged=acknowledged, trouble=trouble))


def table(unsaved: int = 0) -> Any:
    return SimpleNamespace(unsaved=unsaved, events=[None] * 10)


@pytest.mark.parametrize(
    ("found", "here", "way", "state"),
    [
        ("", table(), line(), ""),
        ("", None, line(), ""),
        ("", table(2), line(), "sent"),
        ("", table(2), line(acknowledged=7), "kept"),
        ("", table(2), line(connected=False), "kept"),
        ("", table(2), line(trouble="contradiction"), "kept"),
        ("", table(2), None, "kept"),
        ("in_memory", table(), line(), "sent"),
        ("in_memory", None, line(acknowledged=-1), "sent"),
        ("in_memory", None, line(connected=False), "kept"),
    ],
)
def test_where_the_list_lies(found: str, here: Any, way: Any, state: str) -> None:
    outputs = Notices()
    outputs.line = way
    desk = StorageDesk(found, outputs, directed=True, table=lambda: here)
    desk.beat()
    assert outputs.storage == state
    assert bool(outputs.told.get("storage")) == bool(state)
    assert state != "sent" or outputs.told["storage"] == "Speicher defekt, Liste liegt bei der Turnierleitung"


def test_what_has_just_come_does_not_turn_the_words_round() -> None:
    outputs = Notices()
    outputs.line, broken = line(), table(1)
    desk = StorageDesk("", outputs, directed=True, table=lambda: broken)
    desk.beat()
    outputs.line.state.acknowledged = 8
    desk.beat()
    assert outputs.storage == "sent"
    outputs.line.state.connected = False
    desk.beat()
    assert outputs.storage == "kept"
    broken.unsaved = 0
    desk.beat()
    assert outputs.storage == outputs.told["storage"] == ""


@pytest.mark.parametrize(("directed", "code"), [(True, "kommt von der Turnierleitung"), (False, "Listen prüfen")])
def test_a_rescue_is_told_until_people_leave_the_round(directed: bool, code: str) -> None:
    outputs = Notices()
    here: list[Any] = [None]
    desk = StorageDesk("rescued", outputs, directed=directed, table=lambda: here[0])
    desk.beat()
    assert code in outputs.told.pop("storage_rescued") and outputs.rescued
    for played in (None, table(), table()):
        here[0] = played
        desk.beat()
    assert not outputs.told and outputs.storage == ""
    here[0] = None  # people have left the round
    desk.beat()
    assert outputs.told == {"storage_rescued": ""} and not outputs.rescued


def test_a_table_on_its_own_is_told_to_take_its_list_away() -> None:
    outputs = Notices()
    StorageDesk("in_memory", outputs, directed=False, table=lambda: table()).beat()
    assert outputs.storage == "alone" and "Stick" in outputs.told["storage"]


def test_a_disk_that_took_nothing_is_tried_until_it_takes() -> None:
    outputs, now, jobs = Notices(), [0.0], []
    outputs.line = line()
    tried: list[float] = []

    def go_back() -> None:
        tried.append(now[0])
        if now[0] < 40:
            raise LogError("full")

    desk = StorageDesk(
        "in_memory",
        outputs,
        directed=True,
        table=lambda: table(),
        go_back=go_back,
        run=jobs.append,
        now=lambda: now[0],
    )
    for second in range(60):
        now[0] = float(second)
        desk.beat()
        if jobs and second % 5 == 0:  # each takes up to five seconds, and no second one begins meanwhile
            assert len(jobs) == 1
            jobs.pop()()
        assert outputs.storage == ("sent" if second <= 40 else "")
    assert tried == [10, 20, 30, 40] and outputs.told["storage"] == ""

"""What becomes of a request for a stick, from the plug to the word that it can be pulled."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hw.stick import Stick, StickError
from kiosk.app.inbox import Asked
from kiosk.app.kiosk import Kiosk
from kiosk.app.stick_desk import StickDesk
from kiosk.app.take_away import TakenRound, files_of, folder_of, how_many
from kiosk.demo.play import simulate
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.table.evenings import RoundKey, note_sitting
from kiosk.table.events.codec import decode
from kiosk.table.events.log_file import LogFile
from kiosk.table.replay import read
from kiosk.table.table import Table
from kiosk.ui.earlier.stick_view import StickView, WriteToStick
from tests.hw.test_stick import FakeSticks

EVENING = "2026-11-22 Fest"


def begin(file: LogFile, number: int, evening: str = EVENING, book: str = "bsv") -> RoundKey:
    log = file.log(evening, 1, number)
    note_sitting(file, log)
    for body in simulate(book, number, games=2):
        log.append({**body, **({"round": number, "tournament": evening} if body["event"] == "open" else {})})
    return RoundKey(evening=evening, table=1, round=number)


class Screen:
    def __init__(self) -> None:
        self.views: list[StickView] = []
        self.refusals: list[str] = []

    def stick(self, view: StickView) -> None:
        self.views.append(view)

    def show(self, view: Any) -> None: ...
    def notice(self, kind: str, text: str) -> None: ...
    def refused(self, code: str, section: str = "", detail: str = "", way: Any = None, request: Any = None) -> None:
        self.refusals.append(code)


class Place:
    """A table with a fake stick; its threads' jobs are done when the test says so."""

    def __init__(self, folder: Path) -> None:
        (folder / "stick").mkdir()
        self.folder = folder / "stick"
        self.file, self.sticks, self.screen = LogFile(folder / "table.sqlite"), FakeSticks(self.folder), Screen()
        self.sticks.there = False
        self.now, self.disks, self.jobs = 0.0, frozenset({"mmcblk0"}), list[Callable[[], None]]()
        self.kiosk = Kiosk(None, now=lambda: self.now)
        self.kiosk.outputs.screen = self.screen  # type: ignore[assignment]
        self.desk = StickDesk(
            self.sticks,
            self.file,
            deliver=self.kiosk.deliver,
            table=lambda: self.kiosk.table,
            screen=lambda: self.screen,
            disks=lambda: self.disks,
            run=self.jobs.append,
            now=lambda: self.now,
        )
        self.kiosk.add(self.desk)

    def beat(self, seconds: float = 1.0) -> StickView:
        """Time passes, and the threads do their work."""
        self.now += seconds
        self.kiosk.beat()
        while self.jobs:
            self.jobs.pop(0)()
        self.kiosk.beat()
        return self.view

    @property
    def view(self) -> StickView:
        return self.screen.views[-1] if self.screen.views else StickView()

    def plug(self, there: bool = True) -> StickView:
        self.sticks.there = there
        self.disks = frozenset({"mmcblk0", "sda", "sda1"}) if there else frozenset({"mmcblk0"})
        return self.beat()

    def ask(self, key: RoundKey | None = None, whole: bool = False) -> StickView:
        self.kiosk.deliver(Asked(WriteToStick(device="/dev/fake1", key=key, whole=whole)))
        return self.beat()

    def names(self) -> list[str]:
        return sorted(str(one.relative_to(self.folder)) for one in self.folder.rglob("*") if one.is_file())


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    yield place
    place.file.close()


def test_a_stick_is_noticed_and_looked_for_no_more(place: Place) -> None:
    place.beat()
    for _ in range(10):
        place.beat()
    looks = []
    look, place.sticks.look = place.sticks.look, lambda: looks.append(place.now) or look()  # type: ignore[method-assign]
    for _ in range(10):
        place.beat()
    assert looks == []
    assert [one.name for one in place.plug().sticks] == ["FAKE"]
    for _ in range(20):
        place.beat()
    assert 0 < len(looks) < 10
    assert place.plug(there=False).sticks == ()


def test_a_table_without_a_stick_says_that_it_can_write_to_one(place: Place) -> None:
    place.kiosk.outputs.screen, screen = None, place.screen
    desk = place.desk
    assert desk is not None
    desk._screen = lambda: place.kiosk.outputs.screen  # type: ignore
    place.beat()  # the screen comes later than the table
    assert screen.views == []
    place.kiosk.outputs.screen = screen  # type: ignore
    place.beat()
    assert screen.views == [StickView()]
    place.beat()
    assert len(screen.views) == 1


def test_a_stick_that_udev_needs_a_moment_for(place: Place) -> None:
    place.disks = frozenset({"sda"})  # the kernel has it, udev does not know yet what it is
    assert place.beat().sticks == ()
    place.sticks.there = True
    assert len(place.beat().sticks) == 1


def test_the_list_of_a_round(place: Place) -> None:
    key = begin(place.file, 1)
    place.plug()
    view = place.ask(key)
    assert (view.state, view.done, view.name) == ("done", 3, "2026-11-22 Fest")
    assert [(one.state, one.done) for one in place.screen.views[2:]] == [
        ("writing", 0), ("writing", 1), ("writing", 2), ("writing", 3), ("closing", 3), ("done", 3)
    ]  # fmt: skip
    assert place.names() == [f"2026-11-22 Fest/Tisch 1 Runde 1.{kind}" for kind in ("csv", "jsonl", "pdf")]
    assert not place.sticks.mounted
    text = (place.folder / "2026-11-22 Fest" / "Tisch 1 Runde 1.jsonl").read_bytes()
    assert len(read(text)[0].games) == 2
    assert (place.folder / "2026-11-22 Fest" / "Tisch 1 Runde 1.pdf").read_bytes().startswith(b"%PDF")


def test_the_whole_evening_and_no_other(place: Place) -> None:
    begin(place.file, 1, "2026-11-15")
    key = begin(place.file, 1)
    begin(place.file, 2, book="schaffkopf")
    place.plug()
    view = place.ask(key, whole=True)
    assert (view.state, view.done, view.of) == ("done", 7, 7)
    assert len(place.names()) == 7 and "2026-11-22 Fest/Alle Listen.pdf" in place.names()


def test_the_round_that_is_up_with_what_the_disk_did_not_take(place: Place) -> None:
    events = place.file.log(EVENING, 1, 1)
    note_sitting(place.file, events)
    bodies = list(simulate("bsv", 1, games=1))
    table = Table(events, now=0.0, opening=decode({**bodies[0], "tournament": EVENING}))  # type: ignore[arg-type]
    place.kiosk.sit(table)
    events.append = lambda body: (_ for _ in ()).throw(StickError("full", ""))  # type: ignore
    table._writer._save = lambda now: None  # type: ignore[method-assign]  # a full disk: it waits
    for body in bodies[1:]:
        table.note(decode(body))
    place.plug()
    assert place.ask().state == "done"
    text = (place.folder / "2026-11-22 Fest" / "Tisch 1 Runde 1.jsonl").read_bytes()
    assert text.count(b"\n") == len(bodies) and len(events.read()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ("full", "full"), ("read_only", "read_only"), ("denied", "denied"), ("format", "format"), ("tools", "tools"),
        ("busy", "busy"), ("failed", "failed"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("where", ["mount", "unmount"])
def test_what_goes_wrong_is_said_and_nobody_is_told_to_pull(place: Place, wrong: str, code: str, where: str) -> None:
    key = begin(place.file, 1)
    place.plug()

    def refuse(stick: Stick) -> Any:
        raise StickError(wrong, "")

    setattr(place.sticks, where, refuse)
    view = place.ask(key)
    assert (view.state, view.wrong) == ("failed", code)
    assert "done" not in [one.state for one in place.screen.views]


def test_pulled_before_the_touch_and_after_the_end(place: Place) -> None:
    key = begin(place.file, 1)
    assert place.ask(key).wrong == "gone"
    place.plug()
    assert place.ask(key).state == "done"
    assert place.plug(there=False).state == "done"  # people still read that it could be pulled
    assert place.plug().state == "idle"


def test_a_locked_stick_that_has_gone_was_pulled(place: Place) -> None:
    key = begin(place.file, 1)
    place.plug()

    def mount(stick: Stick, *, to_read: bool = False) -> Path:
        place.sticks.there = False
        raise StickError("read_only", "remounted")

    place.sticks.mount = mount  # type: ignore[method-assign]
    assert place.ask(key).wrong == "gone"


def test_a_mistake_of_the_program_is_told_and_the_next_touch_works(place: Place) -> None:
    key = begin(place.file, 1)
    place.plug()
    mount = place.sticks.mount

    def broken(stick: Stick) -> Path:
        raise RuntimeError("bug")

    place.sticks.mount = broken  # type: ignore[method-assign]
    with pytest.raises(RuntimeError):
        place.ask(key)
    assert place.beat().wrong == "failed"
    place.sticks.mount = mount  # type: ignore[method-assign]
    assert place.ask(key).state == "done"


def test_two_touches_write_once(place: Place) -> None:
    key = begin(place.file, 1)
    place.plug()
    request = Asked(WriteToStick(device="/dev/fake1", key=key))
    place.kiosk.deliver(request)
    place.kiosk.deliver(request)
    assert place.beat().state == "done"
    assert place.screen.refusals == ["not_now"]


def test_a_round_that_is_not_there(place: Place) -> None:
    place.plug()
    desk = place.desk
    assert desk is not None
    with pytest.raises(Refused):
        desk.takes(WriteToStick(device="/dev/fake1"))
    with pytest.raises(Refused):
        desk.takes(WriteToStick(device="/dev/fake1", key=RoundKey(evening="x", table=1, round=1)))


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("book", BOOKS)
def test_the_files_of_every_book(book: str, language: str) -> None:
    opening, *rest = simulate(book, 2, games=1)
    events = [{**opening, "tournament": EVENING}, *rest]
    taken = TakenRound(RoundKey(evening=EVENING, table=3, round=2), events)
    files = list(files_of([taken, replace(taken)], language))
    assert len(files) == how_many([taken, taken]) == 7
    name = "Tisch 3 Runde 2" if language == "de" else "Table 3 round 2"
    assert "Anna" in dict(files)[f"2026-11-22 Fest/{name}.csv"].decode("utf-8-sig")


@pytest.mark.parametrize(
    ("evening", "folder"),
    [("2026-11-22", "2026-11-22"),
     ("2026-11-22 a/b: c?", "2026-11-22 a-b- c-"), ("turnier", "turnier"), ("...", "Stichwart"),
     ("2026-11-22 (2)", "2026-11-22 (2)")],
)  # fmt: skip
def test_the_folder_of_an_evening(evening: str, folder: str) -> None:
    assert folder_of(evening) == folder

"""Releases at a table, from a stick and from the direction: brought, followed, asked for, or refused in words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hw.stick import Stick, StickError
from kiosk.app import bringing
from kiosk.app.inbox import Asked
from kiosk.app.kiosk import Kiosk
from kiosk.app.release_desk import ReleaseDesk
from kiosk.app.stick_desk import SticksSeen
from kiosk.errors import LineError
from kiosk.release.incoming import answered
from kiosk.release.layout import Layout
from kiosk.sync.state import ReleaseOffered, ReleaseWished
from kiosk.table.events.emergency import IN_MEMORY
from kiosk.ui.hardware.release_view import LookForReleases, ReleaseView, TakeRelease
from tests.desk_screen import DeskScreen
from tests.hw.test_stick import FakeSticks
from tests.release import tiny


class Place:
    """A table that runs 0.1, with a stick; its threads' jobs are done when the test says so, and root is the test."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.layout = folder, Layout(folder / "opt", folder / "var" / "updates")
        self.layout.incoming.mkdir(parents=True)
        self.release("0.1", made=1000)
        (self.layout.program / "current").symlink_to("releases/0.1")
        self.private, public = tiny.maker(folder)
        public.rename(self.layout.keys)
        self.stick = folder / "stick"
        self.stick.mkdir()
        self.sticks, self.screen = FakeSticks(self.stick), DeskScreen()
        self.now, self.jobs, self.rest = 0.0, list[Callable[[], None]](), True
        self.begin()

    def begin(self) -> None:
        """The program starts (again)."""
        self.kiosk = Kiosk(None, now=lambda: self.now)
        self.kiosk.outputs.screen = self.screen  # type: ignore[assignment]
        self.desk = ReleaseDesk(
            self.layout,
            self.sticks,
            deliver=self.kiosk.deliver,
            screen=lambda: self.screen,
            at_rest=lambda: self.rest,
            run=self.jobs.append,
            now=lambda: self.now,
        )
        self.kiosk.add(self.desk)

    def release(self, name: str, made: int = 2000) -> None:
        folder = self.layout.release(name)
        folder.mkdir(parents=True)
        (folder / "ready").write_text(name)
        (folder / "release.json").write_text(json.dumps({"made": made}))

    def bundle(self, name: str = "new.bundle", **told: Any) -> Path:
        program = tiny.program(self.folder / f"program{len(list(self.folder.glob('program*')))}")
        return tiny.bundle(program, self.private, self.stick / name, **told)

    def beat(self, seconds: float = 1.0) -> ReleaseView:
        """Time passes, and the threads do their work."""
        self.now += seconds
        self.kiosk.beat()
        while self.jobs:
            self.jobs.pop(0)()
            self.kiosk.beat()
        return self.screen.views[-1]

    def look(self) -> ReleaseView:
        self.kiosk.deliver(SticksSeen(self.sticks.look()))
        self.kiosk.deliver(Asked(LookForReleases()))
        return self.beat()

    def take(self, file: str = "new.bundle", *, referee: bool = False) -> ReleaseView:
        self.kiosk.deliver(Asked(TakeRelease(device="/dev/fake1", file=file, referee=referee)))
        return self.beat(0.1)

    def lies(self) -> list[Path]:
        return sorted(self.layout.incoming.iterdir())

    def root_says(self, state: str, **told: Any) -> ReleaseView:
        """Root has taken the bundle and says this of it."""
        file = self.lies()[0].name if self.lies() else answered(self.layout).file
        if state in ("ready", "refused"):
            for path in self.lies():
                path.unlink()
        if state == "ready":
            self.release(told["release"])
        self.layout.answer.write_text(json.dumps({"file": file, "state": state, **told}))
        return self.beat()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_from_a_stick_to_the_switch(place: Place) -> None:
    bundle = place.bundle()
    content = bundle.read_bytes()
    view = place.look()
    assert [(one.release, one.code, one.file) for one in view.found] == [("0.2", "", "new.bundle")]
    assert not place.sticks.mounted, "it may be pulled"
    assert place.take().state == "check"
    assert {one.state for one in place.screen.views} == {"", "copying", "check"}
    (laid,) = place.lies()
    assert laid.read_bytes() == content and not place.sticks.mounted
    assert laid.stat().st_mode & 0o777 == 0o640
    assert (place.root_says("unpack", share=0.42).state, place.screen.views[-1].percent) == ("unpack", 42)
    assert place.root_says("try").state == "try" and place.layout.wanted == ""
    assert place.root_says("ready", release="0.2").state == "waits" and place.layout.wanted == "0.2"


@pytest.mark.parametrize(
    ("told", "code"),
    [
        pytest.param({"machine": "riscv64"}, "bundle_machine", id="another machine"),
        pytest.param({"made": 999}, "bundle_older", id="older"),
        pytest.param({"version": "0.1"}, "bundle_same", id="the same"),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_is_copied(place: Place, told: dict[str, Any], code: str) -> None:
    place.bundle(**told)
    assert [one.code for one in place.look().found] == [code]
    assert (place.take().state, place.screen.views[-1].code) == ("refused", code) and place.lies() == []


def test_a_foreign_and_a_broken_one_are_named(place: Place) -> None:
    strange = place.folder / "strange"
    strange.mkdir()
    ours, (place.private, _) = place.private, tiny.maker(strange)
    place.bundle("strange.bundle")
    place.private = ours
    (place.stick / "broken.bundle").write_text("x")
    (place.stick / "list.pdf").write_text("x")
    assert {(one.file, one.code) for one in place.look().found} == {
        ("strange.bundle", "bundle_foreign"), ("broken.bundle", "bundle_none")
    }  # fmt: skip


def test_two_sticks_are_both_looked_through_and_one_that_cannot_be_read_is_told(place: Place) -> None:
    place.bundle()
    odd = Stick(device="/dev/fake2", name="APPLE", size_bytes=1, filesystem="apfs")
    place.sticks.look = lambda: (place.sticks.stick, odd)  # type: ignore[method-assign]
    found = place.look().found
    assert [(one.stick, one.release, one.code) for one in found] == [("FAKE", "0.2", ""), ("APPLE", "", "stick_format")]


def test_a_write_protected_stick_will_do(place: Place) -> None:
    place.sticks.stick = Stick(device="/dev/fake1", name="F", size_bytes=1, filesystem="vfat", read_only=True)
    place.bundle()
    assert place.look().found[0].code == ""
    assert place.take().state == "check"


def test_a_stick_that_is_pulled_in_the_middle_leaves_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.bundle()
    place.look()

    def pulled(source: Path, target: Path, told: Callable[[float], None]) -> None:
        target.write_bytes(b"half")
        told(0.5)
        place.sticks.there = False
        raise StickError("gone", "pulled")

    monkeypatch.setattr(bringing, "copy_file", pulled)
    assert (place.take().code, place.lies()) == ("stick_gone", [])
    assert list((place.layout.state / "fetching").iterdir()) == []
    place.sticks.there = True
    monkeypatch.undo()
    assert place.look().found[0].code == "" and place.take().state == "check", "plugged in again it is taken"


def test_while_a_list_is_open_only_the_referee_may(place: Place) -> None:
    place.bundle()
    place.look()
    place.rest = False
    place.take()
    assert place.screen.refusals == ["not_now"] and place.lies() == []
    assert place.take(referee=True).state == "check"


def test_twice_by_mistake_is_once(place: Place) -> None:
    place.bundle()
    place.look()
    place.take()
    place.take()
    assert place.screen.refusals == ["not_now"] and len(place.lies()) == 1


def test_roots_refusal_and_roots_silence_are_told(place: Place) -> None:
    place.bundle()
    place.look()
    place.take()
    view = place.root_says("refused", code="bundle_room", values={"needed": 600, "free": 12})
    assert (view.state, view.code, view.values["free"]) == ("refused", "bundle_room", 12)
    place.take()
    assert place.screen.views[-1].state == "check"
    place.beat(60)
    assert place.beat(61).code == "bundle_silent" and place.lies() == [] and place.layout.wanted == ""


def test_an_older_answer_is_not_taken_for_the_new_one(place: Place) -> None:
    place.bundle()
    place.look()
    place.take()
    place.root_says("refused", code="bundle_room", values={"needed": 600, "free": 12})
    assert place.take().state == "check"
    assert place.beat().state == "check"


def test_a_program_that_is_started_again_follows_what_lies_there(place: Place) -> None:
    place.bundle()
    place.look()
    place.take()
    place.begin()
    assert place.root_says("ready", release="0.2").state == "waits" and place.layout.wanted == "0.2"


def test_one_that_is_there_already_is_asked_for_at_once(place: Place) -> None:
    place.release("0.2")
    place.bundle()
    place.look()
    assert place.take().state == "waits" and place.layout.wanted == "0.2"


# --- the direction's


def offer(order: int = 1, version: str = "0.2", made: int = 2000) -> ReleaseWished:
    return ReleaseWished(
        ReleaseOffered(
            order=order, version=version, made=made, sha256="ab" * 32, size=4, url="x", headers={}, authority=""
        )
    )


@pytest.fixture
def line(place: Place, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What comes of each try to fetch: ``True``, or the percent at which the line breaks."""
    comes: list[Any] = []

    def run(fetching: Any, part: Path) -> None:
        outcome = comes.pop(0) if comes else True
        if outcome is not True:
            part.write_bytes(b"ha")
            fetching._told(outcome)
            raise LineError("away")
        part.write_bytes(b"full")

    monkeypatch.setattr(bringing.Fetching, "run", run)
    return comes


def told(place: Place) -> dict[str, Any]:
    return dict(place.desk.report["release"])


def test_an_offer_is_fetched_laid_and_asked_for(place: Place, line: list[Any]) -> None:
    place.beat()
    assert place.desk.report == {}
    place.kiosk.deliver(offer())
    place.beat()
    assert told(place) == {"order": 1, "state": "check", "percent": 100}
    place.root_says("ready", release="0.2")
    assert told(place)["state"] == "waits" and place.layout.wanted == "0.2"
    (place.layout.program / "current").unlink()
    (place.layout.program / "current").symlink_to("releases/0.2")
    place.begin()
    place.kiosk.deliver(offer())
    place.beat()
    assert told(place) == {"order": 1, "state": "runs"}


def test_a_line_that_breaks_goes_on_by_itself(place: Place, line: list[Any]) -> None:
    line[:] = [50, 75]
    place.kiosk.deliver(offer())
    place.beat()
    assert told(place)["state"] == "offered" and [one.name for one in (place.layout.state / "fetching").iterdir()] == [
        "ab" * 32 + ".part"
    ]
    place.beat(5)
    assert len(line) == 1, "not at once again"
    place.beat(15)
    place.beat(15)
    assert told(place)["state"] == "check"


def test_an_offer_that_is_taken_back_is_forgotten_even_by_a_table_that_was_off(place: Place, line: list[Any]) -> None:
    place.kiosk.deliver(offer())
    place.beat()
    place.root_says("ready", release="0.2")
    assert place.layout.wanted == "0.2"
    place.begin()
    place.kiosk.deliver(ReleaseWished(None))
    place.beat()
    assert place.layout.wanted == "" and place.desk.report == {}


def test_a_wish_from_a_stick_is_not_the_directions_to_take_back(place: Place, line: list[Any]) -> None:
    place.bundle()
    place.look()
    place.take()
    place.root_says("ready", release="0.2")
    place.kiosk.deliver(ReleaseWished(None))
    place.beat()
    assert place.layout.wanted == "0.2"


def test_what_root_has_refused_is_not_fetched_again_until_somebody_wishes_it_anew(
    place: Place, line: list[Any]
) -> None:
    place.kiosk.deliver(offer())
    place.beat()
    place.root_says("refused", code="bundle_foreign", values={"name": "x"})
    refused = {"order": 1, "state": "refused", "percent": 100, "code": "bundle_foreign", "values": {"name": "x"}}
    assert told(place) == refused
    place.begin()
    place.kiosk.deliver(offer())
    place.beat()
    assert told(place)["code"] == "bundle_foreign" and place.lies() == []
    place.kiosk.deliver(offer(order=2))
    place.beat()
    assert told(place) == {"order": 2, "state": "check", "percent": 100}


def test_one_that_did_not_come_up_is_told_and_tried_again_only_when_wished_anew(place: Place, line: list[Any]) -> None:
    place.kiosk.deliver(offer())
    place.beat()
    place.root_says("ready", release="0.2")
    place.layout.want_no_other()  # the launcher has switched, and gone back
    (place.layout.program / "failed").write_text("0.2\n")
    place.begin()
    place.kiosk.deliver(offer())
    place.beat()
    assert told(place)["code"] == "bundle_failed" and place.layout.wanted == ""
    place.kiosk.deliver(offer(order=2))
    place.beat()
    assert told(place)["state"] == "waits" and place.layout.wanted == "0.2"


def test_one_that_is_laid_while_the_program_starts_again_is_the_offer_s_too(place: Place, line: list[Any]) -> None:
    place.kiosk.deliver(offer())
    place.beat()
    place.begin()
    place.root_says("ready", release="0.2")
    assert place.layout.wanted == "0.2"
    place.layout.want_no_other()  # the launcher has switched, and gone back
    (place.layout.program / "failed").write_text("0.2\n")
    place.begin()
    place.kiosk.deliver(offer())
    place.beat()
    assert told(place)["code"] == "bundle_failed" and place.layout.wanted == ""


def test_an_older_one_is_not_even_fetched(place: Place, line: list[Any]) -> None:
    place.kiosk.deliver(offer(made=999))
    place.beat()
    assert told(place)["code"] == "bundle_older" and not (place.layout.state / "fetching").exists()


def test_a_table_whose_card_takes_nothing_says_so_and_fetches_none(place: Place, line: list[Any]) -> None:
    (place.layout.state.parent / IN_MEMORY).touch()
    place.kiosk.deliver(offer())
    place.beat()
    assert told(place)["code"] == "bundle_memory" and not (place.layout.state / "fetching").exists()


def test_a_stick_goes_first_and_the_offer_follows(place: Place, line: list[Any]) -> None:
    place.bundle(version="0.3", made=3000)
    place.look()
    place.take()
    place.kiosk.deliver(offer())
    place.beat()
    assert told(place)["state"] == "offered"
    place.root_says("refused", code="bundle_room", values={"needed": 1, "free": 0})
    place.beat()
    assert told(place)["state"] == "check"

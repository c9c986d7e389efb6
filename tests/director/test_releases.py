"""Releases from the direction: taken in, offered to tables over their lines, fetched in pieces, taken back."""

import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kiosk.director.access.passwords import hashed
from kiosk.director.key import ListKey
from kiosk.director.refusals import TooLarge
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.tables import releases as kept
from kiosk.director.tables.releases import NoRelease, Releases
from kiosk.director.web import few_at_once
from kiosk.errors import LineError
from kiosk.release import take
from kiosk.release.bundle import BadBundle
from kiosk.release.incoming import answered, take_incoming
from kiosk.release.layout import Layout, this_machine
from kiosk.sync.fetching import Fetching
from kiosk.sync.line import Line
from kiosk.sync.state import DeviceTask, ReleaseOffered, ReleaseWished
from tests.release import tiny
from tests.release.environments import copying, one_for_all
from tests.release.test_take import Place
from tests.waiting import LONGEST_S, until

pytestmark = pytest.mark.slow

PIN = "24681357"
KIND = dict(zip(("machine", "python"), this_machine(), strict=True))


async def pieces(content: bytes, size: int = 1000) -> AsyncIterator[bytes]:
    for at in range(0, len(content), size):
        yield content[at : at + size]


class Makes:
    """A maker, his bundles, and the direction's installation with his key."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.layout = folder, Layout(folder / "opt", folder / "var" / "updates")
        self.layout.program.mkdir()
        self.private, public = tiny.maker(folder)
        public.rename(self.layout.keys)

    def bundle(self, version: str = "0.2", **told: Any) -> bytes:
        number = len(list(self.folder.glob("program*")))
        program = tiny.program(self.folder / f"program{number}")
        (program / "large").write_bytes(bytes(300_000))
        return tiny.bundle(program, self.private, self.folder / f"{number}.made", version=version, **told).read_bytes()


@pytest.fixture
def makes(tmp_path: Path) -> Makes:
    return Makes(tmp_path)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


# --- the folder


@pytest.mark.anyio
async def test_bundles_and_wishes_outlive_the_program(makes: Makes) -> None:
    folder = makes.folder / "releases"
    before = Releases(folder, makes.layout)
    bundle = await before.take_in(pieces(makes.bundle()))
    other = await before.take_in(pieces(makes.bundle(machine="riscv64")))
    assert (bundle.version, bundle.kind, bundle.checked) == ("0.2", this_machine(), True)
    await before.wish("0.2", None)
    await before.wish("0.2", [7])
    (folder / "cut.part").write_bytes(b"an upload that a power loss has ended")
    after = Releases(folder, makes.layout)
    assert after.bundles == {bundle.sha256: bundle, other.sha256: other} and not (folder / "cut.part").exists()
    assert (after.for_all, after.for_tables) == (before.for_all, before.for_tables)
    assert (after.wished(7).order, after.wished(8).order) == (2, 1)  # type: ignore[union-attr]
    await after.wish("0.2", None)
    assert after.wished(7).order == 3, "whoever wishes it again has another number, after a restart too"  # type: ignore[union-attr]
    await after.withdraw()
    assert Releases(folder, makes.layout).wished(7) is None


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("change", "code"),
    [
        pytest.param(lambda content: content[:-20_000], "bundle_cut", id="cut off"),
        pytest.param(lambda content: content[:250_000] + b"X" + content[250_001:], "bundle_changed", id="changed"),
        pytest.param(lambda content: b"no bundle", "bundle_none", id="another file"),
        pytest.param(lambda content: b"", "bundle_none", id="nothing"),
    ],
)
async def test_what_is_no_whole_bundle_is_not_kept(makes: Makes, change: Callable[[bytes], bytes], code: str) -> None:
    releases = Releases(makes.folder / "releases", makes.layout)
    with pytest.raises(BadBundle) as refused:
        await releases.take_in(pieces(change(makes.bundle())))
    assert refused.value.code == code
    assert releases.bundles == {} and list((makes.folder / "releases").iterdir()) == []


@pytest.mark.anyio
async def test_a_foreign_one_is_refused_where_there_is_a_key_and_only_marked_where_there_is_none(makes: Makes) -> None:
    strange = makes.folder / "strange"
    strange.mkdir()
    makes.private, _ = tiny.maker(strange)
    content = makes.bundle()
    with pytest.raises(BadBundle) as refused:
        await Releases(makes.folder / "releases", makes.layout).take_in(pieces(content))
    assert refused.value.code == "bundle_foreign"
    taken = await Releases(makes.folder / "releases", None).take_in(pieces(content))
    assert not taken.checked, "the tables look themselves"


@pytest.mark.anyio
async def test_a_key_that_is_none_is_told(makes: Makes) -> None:
    makes.layout.keys.write_text("no key")
    with pytest.raises(NoRelease) as refused:
        await Releases(makes.folder / "releases", makes.layout).take_in(pieces(makes.bundle()))
    assert refused.value.code == "bundle_key"


@pytest.mark.anyio
async def test_no_more_is_taken_than_any_bundle_has(makes: Makes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "LARGEST", 5000)
    with pytest.raises(TooLarge):
        await Releases(makes.folder / "releases", makes.layout).take_in(pieces(makes.bundle()))
    assert list((makes.folder / "releases").iterdir()) == []


@pytest.mark.anyio
async def test_older_ones_go_unless_somebody_wishes_them(makes: Makes) -> None:
    releases = Releases(makes.folder / "releases", makes.layout)
    for version in ("0.2", "0.3"):
        await releases.take_in(pieces(makes.bundle(version)))
        await releases.wish(version, [7])
    assert {one.version for one in releases.bundles.values()} == {"0.2", "0.3"}
    await releases.take_in(pieces(makes.bundle("0.4")))
    assert {one.version for one in releases.bundles.values()} == {"0.3", "0.4"}
    with pytest.raises(NoRelease):
        await releases.wish("0.2", None)


# --- over the line


class Hall:
    """A direction that may be killed and started again, and its director's browser."""

    def __init__(self, makes: Makes) -> None:
        self.makes, self.port = makes, 0
        self.begin()

    def begin(self) -> None:
        settings = Settings(
            tournament="t",
            database=f"sqlite:///{self.makes.folder / 'd.sqlite'}",
            port=self.port,
            pin=hashed(PIN),
            releases=self.makes.folder / "releases",
            installed=self.makes.layout,
        )
        self.service = Service(settings).start()
        self.port = self.service.port
        self.http = httpx.Client(base_url=self.service.url, trust_env=False, timeout=30)
        assert self.http.post("/api/login", json={"pin": PIN}).status_code == 200

    def end(self) -> None:
        self.http.close()
        self.service.stop()

    def upload(self, **told: Any) -> bytes:
        content = self.makes.bundle(**told)
        answer = self.http.post("/api/fleet/bundles", content=content)
        assert answer.status_code == 200, answer.text
        return content

    def wish(self, tables: Any = "all", version: str = "0.2") -> httpx.Response:
        return self.http.post("/api/fleet/wish", json={"version": version, "tables": tables})

    def row(self, table: int) -> dict[str, Any]:
        found: list[dict[str, Any]] = self.http.get("/api/devices").json()["devices"]
        return next(one for one in found if one["table"] == table)


@pytest.fixture
def hall(makes: Makes) -> Iterator[Hall]:
    made = Hall(makes)
    yield made
    made.end()


OPENED = {"event": "open", "format": 1, "rules": "bsv", "table": 7, "round": 1, "players": [*"ABCD"], "options": {}}


class Events:
    """A table's list: nobody sits there, or it has begun."""

    def __init__(self, begun: bool) -> None:
        self.begun = begun

    def read(self, after: int = -1) -> list[tuple[int, dict[str, Any]]]:
        return [(0, OPENED)] if self.begun and after < 0 else []


class Device:
    """A table's line; what is wished of it."""

    def __init__(
        self,
        hall: Any,
        table: int,
        kind: dict[str, str] | None = KIND,
        begun: bool = False,
        tasks: tuple[str, ...] = (),
    ) -> None:
        self.secret = hall.service.enrol(table)
        self.said: list[ReleaseOffered | None] = []
        self.tasks: list[str] = []
        self._news = threading.Condition()
        self.line = Line(hall.service.url, self.secret, "t", table, 1, Events(begun), self._heard, ask_plan=True,
                         releases=kind, tasks=tasks, slowest=0.1)  # fmt: skip
        self.line.start()

    def _heard(self, message: object) -> None:
        with self._news:
            if isinstance(message, ReleaseWished):
                self.said.append(message.offer)
            elif isinstance(message, DeviceTask):
                self.tasks.append(message.what)
            self._news.notify_all()

    def hears(self, of: Callable[[ReleaseOffered | None], bool]) -> ReleaseOffered | None:
        with self._news:
            assert self._news.wait_for(lambda: bool(self.said) and of(self.said[-1]), 30), self.said
            return self.said[-1]

    def fetching(self, offer: ReleaseOffered, **more: Any) -> Fetching:
        return Fetching(offer.url, offer.headers, offer.authority, size=offer.size, sha256=offer.sha256,
                        told=more.pop("told", lambda _: None), speed=lambda: 1e12, **more)  # fmt: skip


@pytest.fixture
def device(hall: Hall) -> Iterator[Callable[..., Device]]:
    made: list[Device] = []

    def device(table: int, kind: dict[str, str] | None = KIND, begun: bool = False) -> Device:
        made.append(Device(hall, table, kind, begun))
        return made[-1]

    yield device
    for one in made:
        one.line.stop()


def test_each_kind_of_machine_gets_its_own_and_a_spare_gets_it_later(hall: Hall, device: Any, tmp_path: Path) -> None:
    ours, theirs = hall.upload(), hall.upload(machine="riscv64")
    first, other = device(7), device(8, {"machine": "riscv64", "python": KIND["python"]})
    assert first.hears(lambda offer: offer is None) is None
    assert hall.wish().json() == {"tables": None}
    for one, content in ((first, ours), (other, theirs)):
        offer = one.hears(lambda offer: offer is not None)
        one.fetching(offer).run(tmp_path / f"{offer.sha256}.part")
        assert (tmp_path / f"{offer.sha256}.part").read_bytes() == content
    spare = device(9)
    assert spare.hears(lambda offer: offer is not None).version == "0.2"
    assert hall.http.post("/api/fleet/withdraw", json={}).status_code == 200
    for one in (first, other, spare):
        one.hears(lambda offer: offer is None)


def test_one_table_alone_and_a_table_without_a_file_for_its_kind(hall: Hall, device: Any) -> None:
    hall.upload()
    seventh, eighth, odd = device(7), device(8), device(9, {"machine": "riscv64", "python": "3.11"})
    for one in (seventh, eighth, odd):
        one.hears(lambda offer: offer is None)
    hall.wish([7, 9])
    assert seventh.hears(lambda offer: offer is not None).order == 1
    hall.upload(machine="riscv64", python="3.11")
    assert odd.hears(lambda offer: offer is not None).order == 1, "the file that was missing has come"
    assert eighth.said == [None]


def test_all_at_rest_are_those_that_are_there_without_an_open_list(hall: Hall, device: Any) -> None:
    hall.upload()
    assert hall.wish("resting").json()["code"] == "nobody_rests"
    playing, resting = device(7, begun=True), device(8)
    for one in (playing, resting):
        one.hears(lambda offer: offer is None)
    desk = hall.service.app.state.hall.desk(ListKey("t", 1, 7))
    until(lambda: desk.copy.round is not None)  # the list is folded beside, and another copy takes the desk then
    assert hall.wish("resting").json()["tables"] == [8]
    assert resting.hears(lambda offer: offer is not None)
    assert playing.said == [None]


def test_it_goes_on_where_the_line_or_the_direction_broke_off(hall: Hall, device: Any, tmp_path: Path) -> None:
    content = hall.upload()
    table, part = device(7), tmp_path / "x.part"
    hall.wish()
    offer = table.hears(lambda offer: offer is not None)
    told: list[int] = []
    with pytest.raises(LineError):
        table.fetching(offer, told=told.append, goes_on=lambda: max(told, default=0) < 50).run(part)
    assert 0 < part.stat().st_size < len(content) and told[-1] >= 50
    there = part.stat().st_size
    hall.end()
    with pytest.raises(LineError):
        table.fetching(offer).run(part)
    hall.begin()
    again = table.hears(lambda now: now is not None and now is not offer)
    assert again == offer, "the same order: a director that was killed knows it"
    table.fetching(again, told=told.append).run(part)
    assert part.read_bytes() == content and there <= part.stat().st_size


def test_what_came_wrong_is_thrown_away_and_fetched_anew(hall: Hall, device: Any, tmp_path: Path) -> None:
    content = hall.upload()
    table, part = device(7), tmp_path / "x.part"
    hall.wish()
    offer = table.hears(lambda offer: offer is not None)
    part.write_bytes(b"of another time" * 100)
    with pytest.raises(LineError, match="not what the direction offered"):
        table.fetching(offer).run(part)
    table.fetching(offer).run(part)
    assert part.read_bytes() == content


def test_strangers_get_nothing_and_only_a_few_fetch_at_once(
    hall: Hall, device: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.upload()
    table = device(7)
    hall.wish()
    offer = table.hears(lambda offer: offer is not None)
    assert httpx.get(offer.url).status_code == 401
    assert hall.http.get(offer.url).status_code == 401, "not even the director: it is the tables' line"
    assert httpx.get(offer.url[:-1] + "x", headers=offer.headers).status_code == 404
    monkeypatch.setattr(few_at_once, "MOST", 0)
    with pytest.raises(LineError, match="503"):
        table.fetching(offer).run(tmp_path / "x.part")
    monkeypatch.undo()
    for _ in range(few_at_once.MOST + 2):
        table.fetching(offer).run(tmp_path / "x.part")
        (tmp_path / "x.part").unlink()


def test_an_older_table_is_told_nothing(hall: Hall, device: Any) -> None:
    hall.upload()
    table, other = device(7, None), device(8)
    hall.wish()
    assert other.hears(lambda offer: offer is not None)
    assert table.said == []


@pytest.mark.parametrize("tables", ["", "none", [], [0], ["7"], None, {"a": 1}, [7, True]])
def test_a_wish_for_nobody_is_refused(hall: Hall, tables: Any) -> None:
    hall.upload()
    assert hall.wish(tables).status_code == 422
    assert hall.http.get("/api/fleet").json()["all"] is None


# --- the direction's own


def test_the_direction_takes_one_for_itself_and_starts_it_when_somebody_presses(
    makes: Makes, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take, "_run", copying(take._run, one_for_all(tmp_path_factory)))
    folder = tmp_path / "own"
    folder.mkdir()
    place = Place(folder)
    place.private, makes.layout = makes.private, place.layout
    place.layout.keys.write_bytes((makes.folder / "opt" / "maker.pub").read_bytes())
    place.layout.incoming.mkdir(parents=True)
    hall = Hall(makes)
    ended = threading.Event()
    hall.service.app.state.own_release.end = ended.set
    try:
        hall.upload()
        own = hall.http.post("/api/fleet/own", json={"version": "0.2"}).json()
        assert (own["runs"], own["waits"], own["state"]) == ("0.1", "", "check")
        take_incoming(place.layout, ["director"])
        assert answered(place.layout).state == "ready"
        assert hall.http.get("/api/fleet").json()["own"]["waits"] == "0.2" and place.layout.wanted == ""
        assert hall.http.post("/api/fleet/restart", json={}).status_code == 200
        assert place.layout.wanted == "0.2" and ended.wait(LONGEST_S)
        assert hall.http.post("/api/fleet/own", json={"version": "0.9"}).json()["code"] == "release_gone"
    finally:
        hall.end()


def test_a_checkout_is_not_restarted(hall: Hall, makes: Makes, tmp_path: Path) -> None:
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'e.sqlite'}", port=0, pin=hashed(PIN))
    with Service(settings) as service, httpx.Client(base_url=service.url, trust_env=False) as http:
        http.post("/api/login", json={"pin": PIN})
        assert http.post("/api/fleet/restart", json={}).json()["code"] == "no_service"
        assert http.post("/api/fleet/bundles", content=b"x").json()["code"] == "release_folder"
        assert json.loads(http.get("/api/fleet").text)["own"]["takes"] is None

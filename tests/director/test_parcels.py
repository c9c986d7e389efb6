"""What the direction gives its tables: kept with the database, given to all or some, fetched by their own secret."""

import json
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from kiosk.director.access.passwords import hashed
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.tables import parcels
from kiosk.director.web import few_at_once
from kiosk.parcel.parcel import KINDS
from kiosk.sync.fetching import Fetching
from kiosk.sync.line import Line
from kiosk.sync.state import ParcelsWished
from tests.parcel import made

pytestmark = pytest.mark.slow

PIN = "24681357"


class Hall:
    """A direction with its page and three tables."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.database = folder, f"sqlite:///{folder / 'd.sqlite'}"
        self.lines: list[Line] = []
        self.begin()

    def begin(self, database: str = "") -> None:
        settings = Settings(tournament="t", database=database or self.database, port=0, pin=hashed(PIN))
        self.service = Service(settings)
        self.service.start()
        for table in (1, 2, 3):
            self.service.enrol(table, f"t{table}.geheim")
        self.page = httpx.Client(base_url=self.service.url)
        assert self.page.post("/api/login", json={"pin": PIN}).status_code == 200

    def end(self) -> None:
        for line in self.lines:
            line.stop()
        self.lines.clear()
        self.page.close()
        self.service.stop()

    def upload(self, kind: str, name: str, content: bytes) -> dict[str, Any]:
        answer = self.page.post("/api/parcels", params={"kind": kind, "name": name}, content=content)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.page.post(f"/api/parcels/{path}", json=body)

    def given(self) -> dict[str, dict[str, int]]:
        told: dict[str, dict[str, int]] = self.page.get("/api/parcels").json()["given"]
        return told

    def device(self, table: int, kinds: tuple[str, ...] = KINDS) -> "Device":
        return Device(self, table, kinds)

    def acts(self) -> list[tuple[str, str, Any]]:
        told = self.page.get("/api/t/protocol.json?language=de").json()["acts"]
        return [(one["what"], one["actor"], one["table"]) for one in told if one["what"].startswith("parcel")][::-1]


class Device:
    """A table's line, and what it was told last."""

    def __init__(self, hall: Hall, table: int, kinds: tuple[str, ...]) -> None:
        self._heard, self.wished = (
            threading.Condition(),
            ParcelsWished(order=-1, parcels=(), url="", headers={}, authority=""),
        )
        self.line = Line(
            hall.service.url, f"t{table}.geheim", "t", table, 1, _Nothing(), self._hear, ask_plan=True, parcels=kinds
        )
        hall.lines.append(self.line)
        self.line.start()

    def _hear(self, message: Any) -> None:
        if isinstance(message, ParcelsWished):
            with self._heard:
                self.wished = message
                self._heard.notify_all()

    def has(self, *names: str, after: int = -1) -> ParcelsWished:
        """Wait until it is to have just these."""
        with self._heard:
            assert self._heard.wait_for(
                lambda: self.wished.order > after and tuple(one.name for one in self.wished.parcels) == names, 30
            ), (self.wished, names)
            return self.wished


class _Nothing:
    """A log without events."""

    def read(self, after: int = -1) -> list[tuple[int, dict[str, Any]]]:
        return []

    def wait(self, *_: Any) -> None: ...


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made_hall = Hall(tmp_path)
    yield made_hall
    made_hall.end()


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return made.deck_file(tmp_path_factory.mktemp("decks"))


def test_given_to_all_and_to_some_and_taken_back(hall: Hall, deck: bytes) -> None:
    first, second = hall.device(1), hall.device(2, ("deck",))
    assert first.has().order == 0, "nobody ever gave anything"
    vereins, words = hall.upload("deck", "vereinsblatt", deck), hall.upload("words", "de", made.WORDS)
    assert (vereins["about"], vereins["actor"]) == ({"faces": 4}, "PIN")
    assert first.wished.order == 0, "what is here is given to nobody by that"
    assert hall.post(f"{vereins['number']}/give", tables="all").json() == {"tables": None}
    wished = first.has("vereinsblatt")
    assert wished.parcels[0].sha256 == sha256(deck).hexdigest() and wished.parcels[0].size == len(deck)
    hall.post(f"{words['number']}/give", tables=[1, 2])
    first.has("vereinsblatt", "de")
    assert [one.name for one in second.wished.parcels] == ["vereinsblatt"], "a table is told of what it takes"
    assert hall.given() == {"deck/vereinsblatt": {"0": 1}, "words/de": {"1": 2, "2": 2}}
    late = hall.device(3)
    late.has("vereinsblatt")
    hall.post("back", slot="deck/vereinsblatt", tables=[3])
    late.has()
    second.has("vereinsblatt")
    hall.post("back", slot=None, tables="all")
    first.has()
    second.has()
    assert [what for what, _, _ in hall.acts()] == [
        *("parcel_taken_in", "parcel_taken_in", "parcel_given", "parcel_given", "parcel_taken_back"),
        "parcel_taken_back",
    ]
    assert {actor for _, actor, _ in hall.acts()} == {"PIN"}


def test_a_spare_and_a_director_after_its_restart_get_the_same(hall: Hall, deck: bytes) -> None:
    number = hall.upload("deck", "vereinsblatt", deck)["number"]
    hall.post(f"{number}/give", tables="all")
    before = hall.device(1).has("vereinsblatt")
    hall.end()
    hall.begin()
    assert hall.device(1).has("vereinsblatt").order == before.order, "nothing to be fetched again"


def test_twice_by_mistake_changes_nothing(hall: Hall, deck: bytes) -> None:
    first, again = (hall.upload("deck", "vereinsblatt", deck) for _ in range(2))
    assert first["number"] == again["number"] and len(hall.page.get("/api/parcels").json()["parcels"]) == 1
    for _ in range(2):
        assert hall.post(f"{first['number']}/give", tables="all").status_code == 200
        assert hall.given() == {"deck/vereinsblatt": {"0": 1}}
    assert hall.post(f"{first['number']}/remove").json()["code"] == "parcel_given"
    hall.post("back", slot=None, tables="all")
    assert hall.post("back", slot=None, tables="all").json() == {"slots": []}
    assert hall.post(f"{first['number']}/remove").status_code == 200
    assert hall.post(f"{first['number']}/remove").json()["code"] == "parcel_gone"
    assert hall.upload("deck", "vereinsblatt", deck)["number"] == 2, "a number is never another one's"


def test_a_later_one_for_all_counts_before_an_earlier_one_for_a_table(hall: Hall) -> None:
    one, two = (
        hall.upload("sounds", name, made.sounds(*files))["number"]
        for name, *files in (("a", "test.wav"), ("b", "wrong.wav"))
    )
    device = hall.device(2)
    hall.post(f"{one}/give", tables=[2])
    device.has("a")
    hall.post(f"{two}/give", tables="all")
    device.has("b")
    hall.post(f"{one}/give", tables=[2])
    device.has("a")
    assert hall.given() == {"sounds": {"0": two, "2": one}}


@pytest.mark.parametrize(
    ("kind", "name", "content", "code"),
    [
        pytest.param("deck", "a", b"no deck", "parcel_deck", id="no deck"),
        pytest.param("deck", "../a", b"", "parcel_name_deck", id="a path"),
        pytest.param("exe", "a", b"", "parcel_kind", id="another kind"),
        pytest.param("words", "de", b"broken", "parcel_words", id="no words"),
        pytest.param("settings", "a", b"{}", "parcel_settings", id="no settings"),
        pytest.param("settings", "a", bytes(20_000), "parcel_size", id="too large"),
    ],
)
def test_what_is_none_is_not_taken_in(hall: Hall, kind: str, name: str, content: bytes, code: str) -> None:
    answer = hall.page.post("/api/parcels", params={"kind": kind, "name": name}, content=content)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert hall.page.get("/api/parcels").json() == {"parcels": [], "given": {}} and hall.acts() == []


@pytest.mark.parametrize("tables", ["some", [], [0], [True], ["1"], None, [10_000]], ids=str)
def test_tables_that_are_none_are_refused(hall: Hall, deck: bytes, tables: Any) -> None:
    number = hall.upload("deck", "a", deck)["number"]
    assert hall.post(f"{number}/give", tables=tables).status_code == 422
    assert hall.post("back", slot=None, tables=tables).status_code == 422 and hall.given() == {}


def test_no_more_is_kept_than_there_is_room_for(hall: Hall, deck: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcels, "MOST_SENT", 1)
    device = httpx.Client(base_url=hall.service.url, headers={"Authorization": "Bearer t1.geheim"})
    with device:
        assert device.post("/line/parcels", params={"name": "a"}, content=deck).status_code == 200
        refused = device.post("/line/parcels", params={"name": "b"}, content=deck)
        assert refused.json()["code"] == "parcel_many_sent"
        assert device.post("/line/parcels", params={"name": "a"}, content=deck).status_code == 200, "the same again"
    monkeypatch.setattr(parcels, "LARGEST_SUM", len(deck))
    answer = hall.page.post("/api/parcels", params={"kind": "words", "name": "de"}, content=made.WORDS)
    assert answer.json()["code"] == "parcel_many"


def test_a_table_sends_what_it_has_learned_and_gives_it_to_nobody(hall: Hall, deck: bytes) -> None:
    other = hall.device(2)
    other.has()
    secret = {"Authorization": "Bearer t1.geheim"}
    url = f"{hall.service.url}/line/parcels"
    assert httpx.post(url, params={"name": "a"}, content=deck, headers=secret).status_code == 200
    (kept,) = hall.page.get("/api/parcels").json()["parcels"]
    assert (kept["kind"], kept["name"], kept["table"], kept["actor"]) == ("deck", "a", 1, "")
    assert other.wished.order == 0 and hall.acts() == [("parcel_sent", "", 1)]
    assert httpx.post(url, params={"name": "b"}, content=b"no deck", headers=secret).json()["code"] == "parcel_deck"
    assert httpx.post(url, params={"name": "a"}, content=deck).status_code == 401
    assert httpx.post(url, params={"name": "a"}, content=deck, headers={"Authorization": "Bearer x"}).status_code == 401
    hall.page.get(f"/api/parcels/{kept['number']}/file").raise_for_status()


def test_a_parcel_is_fetched_from_where_it_was_broken_off_by_a_table_alone(hall: Hall, deck: bytes) -> None:
    hall.post(f"{hall.upload('deck', 'a', deck)['number']}/give", tables="all")
    wished = hall.device(1).has("a")
    digest = wished.parcels[0].sha256
    assert httpx.get(f"{wished.url}/{digest}").status_code == 401
    assert httpx.get(f"{wished.url}/{'0' * 64}", headers=dict(wished.headers)).status_code == 404
    part, told = hall.folder / "part", list[int]()
    part.write_bytes(deck[:5000])
    Fetching(
        f"{wished.url}/{digest}",
        wished.headers,
        "",
        size=len(deck),
        sha256=digest,
        told=told.append,
        sleep=lambda _: None,
    ).run(part)
    assert part.read_bytes() == deck and told[-1] == 100
    assert (
        httpx.get(f"{wished.url}/{digest}", headers={**wished.headers, "Range": "bytes=99999999-"}).status_code == 416
    )


def test_a_few_fetch_at_once_and_the_others_come_again(
    hall: Hall, deck: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(few_at_once, "MOST", 0)
    hall.post(f"{hall.upload('deck', 'a', deck)['number']}/give", tables="all")
    answer = httpx.get(
        f"{hall.service.url}/line/parcels/{sha256(deck).hexdigest()}", headers={"Authorization": "Bearer t1.geheim"}
    )
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "15")


def test_what_a_table_has_is_on_the_page(hall: Hall) -> None:
    device = hall.device(1)
    device.has()
    has = {"order": 1, "state": "has", "have": [["deck", "a", "0" * 12]]}
    device.line.tell({"parcels": has})
    for _ in range(600):
        (shown,) = [one for one in hall.page.get("/api/devices").json()["devices"] if one["table"] == 1]
        if shown["status"].get("parcels"):
            break
        threading.Event().wait(0.05)
    assert json.loads(json.dumps(shown["status"]["parcels"])) == has

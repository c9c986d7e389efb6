"""A table's game on the page: as it was noted, and with pictures that the table alone has, for referees who ask."""

import base64
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from kiosk.app.replay_desk import ReplayDesk
from kiosk.director.access.passwords import hashed
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.sync.line import Line
from kiosk.sync.state import PicturesWanted
from kiosk.table.events.log import MemoryLog
from kiosk.table.recordings import PictureKey, Recordings
from tests.waiting import until

PIN = "2468"
AT = 1_795_186_800_000
NAMES = ["Anna", "Bernd", "Cem", "Dora"]
EVENTS: list[dict[str, Any]] = [
    {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": NAMES},
    {"event": "release"},
    {"event": "deal", "dealer": 1},
    *({"event": "call", "seat": seat, "call": "gesund"} for seat in (2, 3, 4, 1)),
    {"event": "announce", "seat": 2, "call": "re"},
    *(
        {"event": "card", "seat": seat, "card": card, "margin": 0.5, "place": [1, 2]}
        for seat, card in ((2, "CA"), (3, "C9"), (4, "CK"), (1, "CT"))
    ),
    {"event": "correct", "of": 9, "card": "C9", "by": "table"},
    {"event": "correct", "of": 10, "card": "SK", "by": "seat 3"},
    {"event": "card", "seat": 2, "card": "SA"},
]  # fmt: skip


def jpeg(number: int) -> bytes:
    return b"\xff\xd8\xff" + number.to_bytes(5, "big") + b"\xff\xd9"


class Hall:
    """A direction, a browser, and the line of table 7 with its pictures."""

    def __init__(self, folder: Path, pictures: bool = True) -> None:
        settings = Settings(tournament="t", database=f"sqlite:///{folder / 'd.sqlite'}", port=0, pin=hashed(PIN))
        self.service = Service(settings).start()
        self.http = httpx.Client(base_url=self.service.url, trust_env=False, timeout=30)
        self.http.post("/api/login", json={"pin": PIN})
        self.secret = self.service.enrol(7)
        self.recordings = Recordings(folder / "recordings")
        screen: Any = SimpleNamespace(played=None)
        self.desk = ReplayDesk(screen, lambda read: None, self.recordings, number=7, run=self._run)
        self.log, self.wanted = MemoryLog(), list[PicturesWanted]()
        self.deaf = False  # it hears and does not answer
        for number, event in enumerate(EVENTS):
            self.log.append({**event, "at": AT + number})
        self.line = Line(
            self.service.url, self.secret, "t", 7, 1, self.log, self._heard, ask_plan=True, pictures=pictures
        )
        self.line.start()
        assert self.line.wait_sent(30)
        until(lambda: self.game(1).status_code == 200)
        until(lambda: self.end() is not None and self.end().pictures is pictures)

    def _run(self, job: Any) -> None:
        self.pool = getattr(self, "pool", None) or ThreadPoolExecutor(1)
        self.pool.submit(job)

    def _heard(self, message: object) -> None:
        if isinstance(message, PicturesWanted):
            self.wanted.append(message)
            if not self.deaf:
                self.desk.heard(message)

    def end(self) -> Any:
        hall = self.service.app.state.hall
        return next((desk.line for desk in hall.desks.of_table(7) if desk.line is not None), None)

    def keep(self, *numbers: int, mat: bool = False) -> None:
        for number in numbers:
            key = PictureKey(number, AT + number, mat)
            self.recordings.keep_picture("t", 7, 1, key, jpeg(number + 1000 * mat))

    def game(self, number: int, language: str = "de") -> httpx.Response:
        return self.http.get(f"/api/t/1/7/games/{number}", params={"language": language})

    def pictures(self) -> httpx.Response:
        return self.http.post("/api/t/1/7/games/1/pictures")

    def post(self, ask: str, said: Any, secret: str | None = None) -> int:
        headers = {"Authorization": f"Bearer {secret or self.secret}"}
        return httpx.post(f"{self.service.url}/line/pictures/{ask}", json=said, headers=headers).status_code

    def close(self) -> None:
        self.line.stop()
        self.http.close()
        self.service.stop()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(tmp_path)
    yield made
    made.close()


def test_a_game_and_its_pictures(hall: Hall) -> None:
    told = hall.game(1).json()
    first = told["tricks"][0]
    cards = [step for step in first["steps"] if "card" in step]
    assert (told["players"], told["running"], told["before"], told["after"]) == (EVENTS[0]["players"], True, None, None)
    assert first["steps"][0] == {"said": {**EVENTS[7]}, "word": {**EVENTS[7]}}
    assert [(step["seat"], step["card"]) for step in cards] == [(2, "CA"), (3, "C9"), (4, "SK"), (1, "CT")]
    assert cards[2]["how"] == ["vorher Kreuz König (Dora), berichtigt: Cem"]
    assert hall.game(1, "en").json()["tricks"][1]["steps"][0]["how"] == ["entered by hand"]
    assert hall.game(2).status_code == 404
    hall.keep(8, 9, 11)
    hall.keep(11, mat=True)
    hall.recordings.keep_picture("t", 7, 1, PictureKey(10, AT), jpeg(10))  # of another list, that was set aside
    came = hall.pictures().json()
    assert {event: base64.b64decode(one) for event, one in came["cards"].items()} == {
        "8": jpeg(8), "9": jpeg(9), "11": jpeg(11)
    }  # fmt: skip
    assert {event: base64.b64decode(one) for event, one in came["mats"].items()} == {"11": jpeg(1011)}
    assert hall.service.app.state.access.acts.count("pictures_seen") == 1  # who has fetched them is on record


def test_a_table_that_is_away_is_said_to_be_and_its_cards_are_shown(hall: Hall) -> None:
    hall.line.stop()
    until(lambda: hall.end() is None)
    refused = hall.pictures()
    assert (refused.status_code, refused.json()["code"]) == (409, "pictures_away")
    assert len(hall.game(1).json()["tricks"]) == 2


def test_a_table_that_keeps_none_is_not_asked(tmp_path: Path) -> None:
    hall = Hall(tmp_path, pictures=False)
    try:
        assert hall.pictures().json()["code"] == "pictures_off"
        assert hall.wanted == []
    finally:
        hall.close()


def test_whoever_waits_is_bounded_in_number_and_time(hall: Hall) -> None:
    """Two referees may look at once; a table that is silent keeps nobody waiting for ever."""
    pictures = hall.service.app.state.hall.pictures
    hall.keep(8)
    with ThreadPoolExecutor(2) as both:
        assert [one.result().status_code for one in [both.submit(hall.pictures) for _ in range(2)]] == [200, 200]
    hall.deaf, pictures._patience_s = True, 1.5
    with ThreadPoolExecutor(5) as many:
        answers = [one.result() for one in [many.submit(hall.pictures) for _ in range(5)]]
    assert sorted((one.status_code, one.json()["code"]) for one in answers) == [
        *[(409, "pictures_slow")] * 4,
        (503, "pictures_busy"),
    ]
    assert pictures._asked == {}


def test_only_what_was_asked_for_is_taken_from_the_device_that_was_asked(hall: Hall) -> None:
    hall.deaf = True
    other = hall.service.enrol(8)
    empty: dict[str, Any] = {"cards": {}, "mats": {}}
    with ThreadPoolExecutor(1) as waiting:
        answer = waiting.submit(hall.pictures)
        until(lambda: hall.wanted)
        ask = hall.wanted[0].ask
        assert hall.post("0" * 32, empty) == 200  # nobody has asked so: not even read
        assert hall.post(ask, empty, other) == 200
        assert hall.post(ask, empty, "nobody's") == 401
        for wrong in ([], {"cards": []}, {"cards": {"x": "a"}, "mats": {}}, {"cards": {"1": 7}, "mats": {}}):
            assert hall.post(ask, wrong) == 422
        assert not answer.done()
        sent = {"8": base64.b64encode(jpeg(8)).decode(), "9": '"><script>', "10": base64.b64encode(b"GIF89a").decode()}
        assert hall.post(ask, {"cards": sent, "mats": {}}) == 200
        assert answer.result().json() == {"cards": {"8": sent["8"]}, "mats": {}}


def test_players_and_guests_see_none_of_it(hall: Hall) -> None:
    with httpx.Client(base_url=hall.service.url, trust_env=False) as guest:
        assert guest.get("/api/t/1/7/games/1").status_code == 403
        assert guest.post("/api/t/1/7/games/1/pictures").status_code == 403
    hall.http.post("/api/accounts", json={"name": "Rita", "role": "referee", "password": "pikbube9"})
    hall.http.post("/api/accounts", json={"name": "Vera", "role": "viewer", "password": "pikbube9"})
    for name, status in (("Rita", 200), ("Vera", 403)):
        with httpx.Client(base_url=hall.service.url, trust_env=False) as one:
            one.post("/api/login", json={"name": name, "password": "pikbube9"})
            assert one.get("/api/t/1/7/games/1").status_code == status
            assert one.post("/api/t/1/7/games/1/pictures").status_code == status

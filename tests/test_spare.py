"""A table whose list is elsewhere: spare devices, directors put back from a backup, tables that lack their end."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from kiosk.app.config import DeckConfig, DirectorLine, TableConfig
from kiosk.app.inbox import Asked
from kiosk.app.kiosk import Kiosk
from kiosk.app.sitting_down import follow_direction
from kiosk.app.table_lists import TableLists
from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.storage.database import CLOCKS
from kiosk.sync.state import GiveWay
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.emergency import open_anyway
from kiosk.table.events.log import LogDamaged
from kiosk.table.events.log_file import LogFile
from kiosk.ui.seats.seats_requests import TakeList

pytestmark = pytest.mark.slow

KEY = ListKey("t", 1, 7)
SECRET = "t7.geheim"
PIN = "24681357"
ROUND = list(simulate("eppstein", 3, games=2, table=7))
OPENING = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}


class Screen:
    """Whatever the kiosk calls is kept."""

    def __init__(self, somebody_writes: bool = False) -> None:
        self.somebody_writes, self.rules = somebody_writes, "eppstein"
        self.states: list[str] = []
        self.notices: dict[str, str] = {}

    def taking_over(self, state: str) -> None:
        self.states.append(state)

    def notice(self, kind: str, text: str) -> None:
        self.notices[kind] = text

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args, **more: None


class Device:
    """A table's device: its own folder, file, line and kiosk."""

    def __init__(self, folder: Path, url: str, screen: Screen | None = None) -> None:
        self.stack, self.screen = ExitStack(), screen
        line = DirectorLine(url=url, token=SECRET, tournament="t")
        config = TableConfig(table=7, data=folder, deck=DeckConfig(name="egal"), director=line)
        self.file = self.stack.enter_context(LogFile(folder / "table.sqlite"))
        self.kiosk = Kiosk(None, now=time.monotonic)
        self.kiosk.outputs.screen = screen
        self.hall = TableLists(config, self.file, self.kiosk, self.stack)
        follow_direction(self.hall, headless=screen is None)

    def until(self, what: Callable[[], Any], seconds: float = 40.0) -> Any:
        end = time.monotonic() + seconds
        while not (said := what()):
            assert time.monotonic() < end, "it did not happen"
            self.kiosk.wait(0.05)
            self.kiosk.beat()
        return said

    def asks(self, event: dict[str, Any]) -> None:
        assert self.kiosk.table is not None
        self.kiosk.table.request(decode_request(event, BY_ALL), time.monotonic())

    def events(self, round_: int = 1) -> list[dict[str, Any]]:
        return [event for _, event in self.file.log("t", 7, round_).read()]

    def off(self) -> None:
        """Power is cut: nothing is said to anybody."""
        self.stack.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin=PIN)


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    with Service(settings) as running:
        running.enrol(7, SECRET)
        yield running


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Callable[..., Device]]:
    made: list[Device] = []

    def on(name: str, url: str, screen: Screen | None = None) -> Device:
        made.append(Device(tmp_path / name, url, screen))
        return made[-1]

    yield on
    for one in made:
        one.off()


def played(folder: Path, rounds: dict[int, list[dict[str, Any]]]) -> None:
    """A table's file in which these rounds were played before."""
    with LogFile(folder / "table.sqlite") as file:
        for number, events in rounds.items():
            file.log("t", 7, number).add(events)


def stored(service: Service, round_: int = 1) -> list[dict[str, Any]]:
    return service.app.state.hall.store.read(ListKey("t", round_, 7))


def hold(service: Service, events: list[dict[str, Any]] = ROUND) -> None:
    service.app.state.hall.store.append(KEY, -1, "", events)


@pytest.mark.parametrize("screen", [False, True], ids=["headless", "screen"])
def test_a_spare_that_starts_before_the_network_takes_the_list_over(settings, service, device, screen):
    hold(service)
    port = service.port
    service.stop()
    spare = device("spare", f"http://127.0.0.1:{port}", Screen() if screen else None)
    spare.until(lambda: spare.hall.line.state.detail)
    spare.kiosk.opener._since -= 100.0  # it has waited long enough to open a list of its own
    for _ in range(20):
        spare.kiosk.wait(0.02)
        spare.kiosk.beat()
    assert spare.kiosk.table is None and spare.events() == []
    assert spare.screen is None or spare.screen.states == ["fetching"]
    with Service(replace(settings, port=port)):
        spare.until(lambda: spare.kiosk.table is not None)
        assert spare.events() == ROUND
        spare.until(lambda: spare.hall.line.asked)
        assert spare.screen is None or spare.screen.states == ["fetching", ""]


def test_names_that_somebody_has_written_are_not_taken_away_the_list_is_offered(service, device):
    hold(service)
    spare = device("spare", service.url, Screen(somebody_writes=True))
    spare.until(lambda: spare.screen.states[-1:] == ["offered"])
    assert spare.kiosk.table is None and spare.events() == []
    spare.kiosk.deliver(Asked(TakeList()))
    spare.until(lambda: spare.kiosk.table is not None)
    assert spare.events() == ROUND and spare.screen.states[-1] == ""


def test_a_list_is_taken_over_in_one_transaction(service, device):
    hold(service)
    spare = device("spare", service.url)
    statements: list[str] = []
    spare.file.connection.set_trace_callback(statements.append)
    spare.until(lambda: spare.kiosk.table is not None)
    begun = statements.index("BEGIN IMMEDIATE")
    events = [place for place, one in enumerate(statements) if "INTO event" in one]
    assert len(events) == len(ROUND) and begun < events[0]
    assert not {"BEGIN IMMEDIATE", "COMMIT"} & set(statements[events[0] : events[-1]])


def test_a_spare_has_the_clock_and_nachspielzeit_counts_once(service, device):
    first = device("first", service.url)
    first.until(lambda: first.hall.line.asked)
    first.kiosk.sit(first.hall.open(decode_opening(OPENING), 1, "t"))
    clock, now = first.kiosk.table, time.monotonic()
    clock.request(decode_request({"event": "release"}, BY_ALL), now - 7000.0)  # two hours: 200 s are left
    clock.request(decode_request({"event": "rule", "offender": None, "class": "none", "minutes": 10}, BY_ALL), now)
    assert 790 < clock.view(time.monotonic()).clock.remaining <= 800
    hall = service.app.state.hall
    of = int(first.events()[0]["at"])
    first.until(lambda: (hall.store.clock(KEY, of) or {}).get("extra") == 600.0)
    store = hall.store  # the ruling of a table without an order waits for the direction; here it takes it
    known = store.stand(KEY)
    store.append(KEY, known.last, known.chain, first.events()[known.last + 1 :])
    first.off()
    with store.engine.begin() as db:  # seven minutes pass
        db.execute(CLOCKS.update().values(at=CLOCKS.c.at - 420_000))
    spare = device("spare", service.url)
    spare.until(lambda: spare.kiosk.table is not None)
    shown = spare.kiosk.table.view(time.monotonic()).clock
    assert 360 < shown.remaining <= 380 and shown.extra == pytest.approx(shown.remaining) and shown.running
    again = spare.file.log("t", 7, 1).kept("clock")
    assert '"given": 600.0' in again


@pytest.mark.parametrize("of_round_1", [0, 40], ids=["empty", "from an old backup"])
def test_a_director_that_lacks_events_gets_every_round(settings, service, device, tmp_path, of_round_1):
    played(tmp_path / "one", {1: ROUND})
    one = device("one", service.url)
    one.hall.log_of(2)
    one.kiosk.sit(one.hall.open(decode_opening({**OPENING, "round": 2}), 2, "t"))
    one.asks({"event": "release"})
    one.until(lambda: len(stored(service, 2)) == 2 and len(stored(service)) == len(ROUND))
    port = service.port
    service.stop()
    with Service(replace(settings, port=port, database=f"sqlite:///{tmp_path / 'empty.sqlite'}")) as other:
        if of_round_1:
            other.app.state.hall.store.append(KEY, -1, "", ROUND[:of_round_1])
        other.enrol(7, SECRET)
        one.until(lambda: len(stored(other, 2)) == 2 and len(stored(other)) == len(ROUND), 60)
        assert stored(other) == ROUND and stored(other, 2) == one.events(2)


def test_a_round_that_was_put_by_on_purpose_does_not_come_back(service, device, tmp_path):
    hold(service)
    service.app.state.hall.store.set_aside(KEY)
    played(tmp_path / "one", {1: ROUND, 2: [{**OPENING, "round": 2, "at": 4}], 3: [{**OPENING, "round": 3, "at": 5}]})
    one = device("one", service.url)
    one.until(lambda: stored(service, 2) and stored(service, 3))
    assert stored(service) == []


def test_a_table_whose_log_lost_its_end_fetches_it(service, device, tmp_path):
    hold(service)
    played(tmp_path / "one", {1: ROUND[:30], 2: [{**OPENING, "round": 2, "at": 7}]})
    hall = service.app.state.hall
    hall.store.append(ListKey("t", 2, 7), -1, "", [{**OPENING, "round": 2, "at": 7}, {"event": "release", "at": 8}])
    again = device("one", service.url, Screen())
    assert again.kiosk.table is not None and again.kiosk.table.round.round == 2
    again.until(lambda: again.events() == ROUND and len(again.events(2)) == 2)
    again.until(lambda: again.kiosk.table.round.released)
    again.asks({"event": "deal", "dealer": 1})
    again.until(lambda: len(stored(service, 2)) == 3)


def test_what_a_dead_card_does_not_take_is_sent(service, device):
    one = device("one", service.url, Screen())
    one.until(lambda: one.hall.line.asked)
    one.kiosk.sit(one.hall.open(decode_opening(OPENING), 1, "t"))
    one.asks({"event": "release"})
    one.until(lambda: len(stored(service)) == 2)
    pages = one.file.connection.execute("PRAGMA page_count").fetchone()[0]
    one.file.connection.execute(f"PRAGMA max_page_count={pages}")
    one.file.connection.execute("PRAGMA query_only=ON")  # whatever is written fails
    one.asks({"event": "deal", "dealer": 1})
    one.asks({"event": "card", "seat": 2, "card": "CA"})
    one.until(lambda: len(stored(service)) == 4)
    assert one.kiosk.table.view().unsaved == 2
    assert len(one.events()) == 2
    one.off()
    spare = device("one", service.url, Screen())
    spare.until(lambda: spare.kiosk.table is not None and len(spare.kiosk.table.events) == 4)
    assert spare.events() == stored(service)


# --- two lists of one table


def two_lists(service: Service, device: Callable[..., Device], tmp_path: Path) -> tuple[Device, dict[str, Any]]:
    """A table that has begun a list of its own although the direction holds one; with what the page shows of it."""
    hold(service)
    played(tmp_path / "one", {1: [{**OPENING, "at": 1795186800123}, {"event": "release", "at": 1795186801123}]})
    one = device("one", service.url, Screen())
    return one, one.until(lambda: service.app.state.feed.card(KEY)["rival"])


def decide(service: Service, **wish: Any) -> httpx.Response:
    with httpx.Client(base_url=service.url, trust_env=False) as page:
        assert page.post("/api/login", json={"pin": PIN}).status_code == 200
        return page.post("/api/t/1/7/conflict", json=wish)


def test_two_lists_stand_side_by_side(service, device, tmp_path):
    _, rival = two_lists(service, device, tmp_path)
    stored_list, sent = rival["lists"]["stored"], rival["lists"]["sent"]
    assert rival["differs"] == 0 and rival["last"] == 1 and rival["here"]
    assert (sent["events"], sent["games"], sent["players"], sent["totals"]) == (2, 0, OPENING["players"], [0] * 4)
    assert (sent["opened"], sent["last_at"]) == (1795186800123, 1795186801123)
    assert (stored_list["events"], stored_list["games"]) == (len(ROUND), 2)
    assert stored_list["players"] == ROUND[0]["players"] and any(stored_list["totals"])
    assert decide(service, keep="stored", last=0, chain=rival["chain"]).status_code == 409
    assert decide(service, keep="sent", last=1, chain="another").status_code == 409
    assert decide(service, keep="both", last=1, chain=rival["chain"]).status_code == 422
    assert stored(service) == ROUND


def test_where_the_stored_list_counts_the_table_puts_its_own_by_and_goes_on_with_it(service, device, tmp_path):
    one, rival = two_lists(service, device, tmp_path)
    own = one.events()
    assert decide(service, keep="stored", last=rival["last"], chain=rival["chain"]).status_code == 200
    one.until(lambda: one.kiosk.table is not None and len(one.kiosk.table.events) == len(ROUND))
    assert one.events() == ROUND and stored(service) == ROUND
    assert [event for _, event in one.file.log("t (2)", 7, 1).read()] == own  # nothing is deleted
    one.until(lambda: not one.hall.line.state.trouble and one.hall.line.asked)
    assert not service.app.state.feed.card(KEY)["conflict"]
    assert one.hall.last_begun() == ("t", 1)


def test_where_the_devices_list_counts_the_stored_one_is_put_by(service, device, tmp_path):
    one, rival = two_lists(service, device, tmp_path)
    assert decide(service, keep="sent", last=rival["last"], chain=rival["chain"]).status_code == 200
    one.until(lambda: stored(service) == one.events())
    assert service.app.state.hall.store.read(KEY, -1, 1) == ROUND
    assert decide(service, keep="sent", last=rival["last"], chain=rival["chain"]).status_code == 409  # twice


def test_a_table_puts_by_only_the_list_that_was_decided_about(service, device, tmp_path):
    one, rival = two_lists(service, device, tmp_path)
    assert not one.hall.give_way(GiveWay("t", 1, rival["last"], "another"))
    assert len(one.events()) == 2


def test_two_lists_of_an_earlier_round_are_decided_as_well(service, device, tmp_path):
    hold(service)
    later = {**OPENING, "round": 2, "at": 9}
    played(tmp_path / "one", {1: [{**OPENING, "at": 5}], 2: [later]})
    one = device("one", service.url, Screen())
    assert one.kiosk.table.round.round == 2
    rival = one.until(lambda: service.app.state.feed.card(KEY)["rival"])
    assert rival["here"]
    assert decide(service, keep="stored", last=0, chain=rival["chain"]).status_code == 200
    one.until(lambda: ("t (2)", 7, 1) in one.file.logs())
    assert one.events() == [] and one.events(2) == [later] and one.kiosk.table.round.round == 2
    assert stored(service) == ROUND


def test_what_a_damaged_file_has_lost_comes_from_the_direction(service, device, tmp_path):
    played(tmp_path / "one", {1: ROUND})
    hold(service)
    path = tmp_path / "one" / "table.sqlite"
    raw, card = bytearray(path.read_bytes()), json.dumps(ROUND[60], separators=(",", ":"), ensure_ascii=False).encode()
    assert raw.count(card) == 1
    at = raw.index(card)
    raw[at + 3] ^= 3  # two bits: the chain alone does not turn them back
    path.write_bytes(raw)
    with pytest.raises(LogDamaged):
        LogFile(path)
    file, found = open_anyway(path)
    with file:
        assert found == "rescued" and len(file.log("t", 7, 1).read()) == 60
    one = device("one", service.url, Screen())
    one.until(lambda: one.events() == ROUND)
    assert one.kiosk.table is not None and one.until(lambda: len(one.kiosk.table.events) == len(ROUND))

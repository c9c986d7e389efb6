"""The director's plan reaches a table: who sits there, by which rules; and the round after."""

import time
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from kiosk.app.config import DeckConfig, DirectorLine, TableConfig
from kiosk.app.inbox import Asked
from kiosk.app.kiosk import Kiosk
from kiosk.app.opener import AWAY_TIMEOUT_S, LIST_SHOWN_S, PLAN_TIMEOUT_S
from kiosk.app.table_lists import TableLists
from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.sync.line import Line
from kiosk.sync.state import Planned
from kiosk.table.consent import BY_ALL, held
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.log_file import LogFile
from kiosk.table.events.values import Request, RoundOpened
from kiosk.table.scoresheet.berichtigung import ListNote
from kiosk.table.table import Table
from kiosk.tournament.people import Person
from kiosk.tournament.tournament import begin

pytestmark = pytest.mark.slow

NAMES = ["Anna", "Bernd", "Cem", "Dora", "Emil", "Fritz", "Gül"]
OPENING = {
    "event": "open",
    "format": 1,
    "rules": "eppstein",
    "table": 2,
    "round": 1,
    "players": ["Platz 1", "Platz 2", "Platz 3", "Platz 4"],
}
PLAN = {
    "tournament": "t",
    "round": 1,
    "table": 2,
    "rules": "schaffkopf",
    "options": {"games": 16},
    "minutes": None,
    "players": ["Anna", "Bernd", "Cem", "Dora"],
    "substitutes": [4],
}


class Screen:
    """Keeps the plans that it was shown."""

    def __init__(self) -> None:
        self.plans: list[dict[str, Any] | None] = []

    def plan(self, plan: dict[str, Any] | None) -> None:
        self.plans.append(plan)

    def show(self, view: object) -> None: ...
    def refused(self, code: str, section: str = "", detail: str = "", way: Any = None, request: Any = None) -> None: ...
    def notice(self, kind: str, text: str) -> None: ...
    def badge(self, name: str) -> None: ...
    def lamps(self, value: dict[str, Any]) -> None: ...


class At:
    """A kiosk with a clock of its own; each round has a log."""

    def __init__(self, *, screen: Screen | None = None, alone: bool = False) -> None:
        self.now = 0.0
        self.logs: dict[int, MemoryLog] = {}
        self.kiosk = Kiosk(None, now=lambda: self.now, screen=screen)
        self.kiosk.opener.open_table, self.kiosk.opener.tournament = self.open, "t"
        self.kiosk.opener.resume_table = lambda name, number: (
            self.open(None, number) if name == "t" and self.begun(number) else None
        )
        self.kiosk.opener.unattended = OPENING if alone else None

    def begun(self, number: int) -> bool:
        return number in self.logs and bool(self.logs[number].read())

    def open(self, opening: RoundOpened | None, number: int | None = None) -> Table:
        if number is None:
            assert opening is not None
            number = opening.round
        return Table(self.logs.setdefault(number, MemoryLog()), now=self.now, opening=opening, boot="a")

    def hears(self, plan: dict[str, Any] | None) -> None:
        self.kiosk.deliver(Planned(plan))
        self.kiosk.beat()

    def waits(self, seconds: float) -> None:
        self.now += seconds
        self.kiosk.beat()

    @property
    def table(self) -> Table:
        assert self.kiosk.table is not None
        return self.kiosk.table


def test_a_table_without_a_screen_opens_with_the_plan():
    at = At(alone=True)
    at.waits(1)
    assert at.kiosk.table is None  # the director's word is waited for
    at.hears(PLAN)
    round_ = at.table.round
    assert (round_.book.name, round_.players[0], round_.substitutes) == ("schaffkopf", "Anna", {4})
    assert round_.options["games"] == 16 and round_.games_left == 16


UNSEATED = {**PLAN, "round": None, "players": [], "substitutes": []}
NOT_DRAWN = {**PLAN, "players": [], "substitutes": []}
NAMED = ["Xaver", "Resi", "Vroni", "Sepp"]


@pytest.mark.parametrize("names", [OPENING["players"], ["Anna", "Bernd", "Cem", "Seat 4"], ["Platz 1", "", "", ""]])
@pytest.mark.parametrize("said", [None, UNSEATED, NOT_DRAWN], ids=["nothing", "rules", "round"])
def test_a_table_without_a_screen_opens_no_list_of_nobody_before_its_seats_are_drawn(said, names, caplog):
    at = At(alone=True)
    at.kiosk.opener.unattended = {**OPENING, "players": names}
    at.hears(said)
    for _ in range(3):
        at.waits(AWAY_TIMEOUT_S)
    assert at.kiosk.table is None and at.logs == {}
    assert caplog.text.count("has not seated this table yet") == 1 and "round.players" in caplog.text
    at.hears(PLAN)
    assert at.table.round.players[0] == "Anna"


@pytest.mark.parametrize("said", [None, UNSEATED], ids=["nothing", "rules"])
def test_a_table_without_a_screen_opens_for_the_people_of_its_file_where_no_seats_are_drawn(said):
    at = At(alone=True)
    at.kiosk.opener.unattended = {**OPENING, "players": NAMED}
    at.hears(said)
    round_ = at.table.round
    assert (round_.players, round_.round) == (tuple(NAMED), 1)
    assert round_.book.name == ("eppstein" if said is None else "schaffkopf")


@pytest.mark.parametrize(
    ("names", "seconds"), [(NAMED, PLAN_TIMEOUT_S), (OPENING["players"], AWAY_TIMEOUT_S)], ids=["named", "nobody named"]
)
def test_a_direction_that_does_not_answer_is_waited_for_no_longer_than_that(names, seconds, caplog):
    at = At(alone=True)
    at.kiosk.opener.unattended = {**OPENING, "players": names}
    at.waits(seconds - 1)
    assert at.kiosk.table is None and caplog.text.count("the table waits for its seats") == 1
    at.waits(1)
    assert at.table.round.players == tuple(names)
    assert ("opens with its own seats" in caplog.text) is (names != NAMED)


def test_between_two_rounds_a_table_without_a_screen_waits_for_the_next_draw():
    at = At(alone=True)
    at.hears(PLAN)
    at.table.request(decode_request({"event": "close"}, BY_ALL))
    at.hears({**NOT_DRAWN, "round": 2})
    at.waits(AWAY_TIMEOUT_S)
    assert at.kiosk.table is None and set(at.logs) == {1}
    at.hears({**PLAN, "round": 2, "players": ["Dora", "Cem", "Bernd", "Anna"]})
    assert (at.table.round.round, at.table.round.players[0]) == (2, "Dora")


def test_a_plan_that_cannot_be_is_said_and_the_next_one_counts(caplog):
    at = At(alone=True)
    at.hears({**PLAN, "rules": "skat"})
    assert at.kiosk.table is None and caplog.text.count("skat") == 1
    at.waits(PLAN_TIMEOUT_S - 1)
    assert caplog.text.count("skat") == 1
    at.waits(1)  # tried again, and never with seats or rules of its own
    assert at.kiosk.table is None and caplog.text.count("skat") == 2
    at.hears(PLAN)
    assert at.table.round.players[0] == "Anna"


FIVE = {**PLAN, "rules": "eppstein", "options": {}, "players": ["Anna", "Bernd", "Cem", "Dora", "Emil"]}


def test_a_table_without_a_screen_opens_for_nobody_whom_its_mat_has_no_place_for(caplog):
    at = At(alone=True)
    at.kiosk.opener.mat_seats = 4
    at.hears(FIVE)
    at.waits(PLAN_TIMEOUT_S + 1)
    at.waits(PLAN_TIMEOUT_S + 1)
    assert at.kiosk.table is None and at.logs == {}  # nor with names of its own
    assert "5 players, but this table's mat has 4 seats" in caplog.text and "mat print --seats 5" in caplog.text
    assert caplog.text.count("cannot be opened") == 1
    at.hears({**FIVE, "players": FIVE["players"][:4]})
    assert at.table.round.players == ("Anna", "Bernd", "Cem", "Dora")


def test_five_cannot_sit_down_at_a_mat_for_four_by_finger_either():
    at = At(screen=Screen())
    at.kiosk.opener.mat_seats = 4
    opening = decode_opening({**OPENING, "players": FIVE["players"]})
    at.kiosk.deliver(Asked(held(Request(event=opening))))
    at.kiosk.beat()
    assert at.kiosk.table is None and "seat 4 here" in at.kiosk.outputs.refusals[-1].detail


def test_the_screen_is_told_and_people_sit_down_themselves():
    screen = Screen()
    at = At(screen=screen)
    at.hears(PLAN)
    at.hears(PLAN)
    assert screen.plans == [PLAN] and at.kiosk.table is None
    at.hears(None)
    assert screen.plans == [PLAN, None]


def test_a_sitting_table_goes_on_whatever_is_planned_until_its_list_is_handed_in():
    screen = Screen()
    at = At(screen=screen)
    at.kiosk.sit(at.open(decode_opening(OPENING)))
    second = {**PLAN, "round": 2}
    at.hears(second)
    at.waits(100)
    assert at.table.round.round == 1 and screen.plans == []
    at.table.request(decode_request({"event": "close"}, BY_ALL))
    at.waits(1)
    assert at.table.round.round == 1  # people look at their list
    at.waits(LIST_SHOWN_S)
    assert at.kiosk.table is None and screen.plans == [second]


def test_a_list_that_was_handed_in_on_paper_does_not_keep_its_device_from_the_next_round():
    """The device had died; it, or a spare one, comes back with the list as far as it was played there."""
    screen = Screen()
    at = At(screen=screen)
    at.kiosk.sit(at.open(decode_opening(OPENING)))
    at.table.request(decode_request({"event": "release"}, BY_ALL))
    at.table.request(decode_request({"event": "deal", "dealer": 1}, BY_ALL))
    at.hears({**PLAN, "round": 2})
    of = at.table.events[0].at
    bodies = [{"note": "paper"}, {"note": "paper_result", "score": {"1": 4, "2": 3, "3": 2, "4": 1}}]
    notes = [ListNote(number=n, at=1, body={"of": of, **body}) for n, body in enumerate(bodies)]
    at.table.put_right(notes)
    at.waits(LIST_SHOWN_S + 1)
    assert at.kiosk.table is not None  # on paper they are still at it
    at.table.put_right([*notes, ListNote(number=2, at=2, body={"of": of, "note": "list_closed"})])
    at.waits(1)
    at.waits(LIST_SHOWN_S)
    assert at.kiosk.table is None and screen.plans[-1]["round"] == 2


def test_without_a_screen_the_next_round_comes_at_once_and_a_begun_one_is_taken_up():
    at = At(alone=True)
    at.hears(PLAN)
    at.table.request(decode_request({"event": "close"}, BY_ALL))
    at.hears({**PLAN, "round": 2, "players": ["Emil", "Fritz", "Gül", "Anna"]})
    assert (at.table.round.round, at.table.round.players[0]) == (2, "Emil")
    begun = At(screen=Screen())
    begun.logs = at.logs
    begun.hears({**PLAN, "round": 2})  # after a restart
    assert begun.table.round.players[0] == "Emil"


def until(what, kiosk, seconds=20.0):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen"
        kiosk.wait(0.05)
        kiosk.beat()


def test_over_a_real_line_from_the_draw_to_the_second_round(tmp_path):
    people = [Person(name=name, substitute=name == "Gül") for name in NAMES]
    settings = Settings(
        tournament="t",
        database=f"sqlite:///{tmp_path / 'd.sqlite'}",
        port=0,
        pin="2468",
        begins=begin("t", rules="schaffkopf", options={"games": 8}, people=[*people, Person(name="Hans")]),
    )
    config = TableConfig(
        table=2, data=tmp_path, deck=DeckConfig(name="egal"), director=DirectorLine(url="http://x", tournament="t")
    )
    with Service(settings) as service, ExitStack() as stack, httpx.Client(base_url=service.url) as page:
        page.post("/api/login", json={"pin": "2468"})

        def note(**wish: Any) -> None:
            assert page.post("/api/t/notes", json=wish).status_code == 200

        line = DirectorLine(url=service.url, token=service.enrol(2), tournament="t")
        here = TableConfig(**{**{k: getattr(config, k) for k in ("table", "data", "deck")},
                              "director": line})  # fmt: skip
        file = stack.enter_context(LogFile(tmp_path / "table.sqlite"))
        kiosk = Kiosk(None, now=time.monotonic)
        hall = TableLists(here, file, kiosk, stack)
        kiosk.opener.open_table = lambda opened: hall.open(opened, opened.round, opened.tournament or "")
        kiosk.opener.resume_table, kiosk.opener.unattended = hall.resume, OPENING
        for number in (1, 2):
            note(note="draw", round=number, seed=str(number))
            seats = page.get("/api/t/setup").json()["plans"][str(number)]["seats"]
            note(note="publish", round=number)
            if number == 1:
                hall.log_of(1)  # not before: a table without people opens with the first plan that it hears
            until(lambda number=number: kiosk.table is not None and kiosk.table.round.round == number, kiosk)
            round_ = kiosk.table.round
            assert list(round_.players) == seats["2"] and round_.games_left == 8
            assert round_.substitutes == {seat for seat, name in enumerate(seats["2"], 1) if name == "Gül"}
            assert round_.opening.tournament == "t"
            kiosk.table.request(decode_request({"event": "close"}, BY_ALL))
        until(lambda: hall.line is not None and hall.line.state.acknowledged == 1, kiosk)
        assert isinstance(hall.line, Line) and hall.line.wait_sent(20)
        assert len(service.app.state.hall.store.read(service.app.state.hall.keys("t", 2)[1])) == 2
        assert page.post("/api/begin", json={"name": "Winter", "people": True}).status_code == 200
        page.post("/api/Winter/notes", json={"note": "draw", "round": 1})
        page.post("/api/Winter/notes", json={"note": "publish", "round": 1})
        until(lambda: kiosk.table is not None and kiosk.table.round.opening.tournament == "Winter", kiosk)
        assert tuple(page.get("/api/Winter/setup").json()["plans"]["1"]["seats"]["2"]) == kiosk.table.round.players
        assert hall.line.wait_sent(20)
        assert service.app.state.hall.store.stand(ListKey("Winter", 1, 2)).last == 0
        assert hall.last_begun() == ("Winter", 1)
        again = TableLists(here, file, Kiosk(None, now=time.monotonic), stack)
        assert again.last_begun() == ("Winter", 1)  # after a restart


def test_a_list_that_was_forgotten_does_not_keep_a_table_from_the_next_tournament():
    screen = Screen()
    at = At(screen=screen)
    at.kiosk.sit(at.open(decode_opening(OPENING)))
    at.table.request(decode_request({"event": "release"}, BY_ALL))
    at.table.request(decode_request({"event": "deal", "dealer": 1}, BY_ALL))
    at.hears({**PLAN, "tournament": "Winter"})
    at.waits(100)
    assert at.kiosk.table is not None  # a game is running
    at.table.request(decode_request({"event": "void", "why": ""}, BY_ALL))
    at.waits(1)
    at.waits(LIST_SHOWN_S)
    assert at.kiosk.table is None and screen.plans[-1]["tournament"] == "Winter"

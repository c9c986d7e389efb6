"""The inbox of a table: what comes in from fingers, camera, scanner, director and button, and what goes out."""

import threading
from pathlib import Path
from typing import Any, get_args

import pytest

from hw.clock_display import DisplayBack, DisplayGone
from hw.device import Condition, Health
from hw.keyboard_reader import KeyboardsSeen, PadKey
from hw.panel import LampState, Panel
from hw.pinmap import PinMap
from hw.scanned import Badge, CardCode, RefereeBadge, Unreadable
from hw.scanner import Plugged, Unplugged
from kiosk.app.desk import Desk
from kiosk.app.hardware_page import Configured
from kiosk.app.inbox import Asked, KioskMessage, PinsMissing, Pressed
from kiosk.app.kept_settings import KeptSettings
from kiosk.app.kiosk import Kiosk
from kiosk.app.referee_code import CodeChecked, RefereeCode
from kiosk.app.start import show_hardware
from kiosk.errors import Refused
from kiosk.language import say
from kiosk.sync.state import LineState, Order, Planned
from kiosk.table.consent import BY_ALL, held
from kiosk.table.events.codec import decode, decode_opening, decode_request, encode, request_for
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import CallAnnounced, Request, RoundOpened
from kiosk.table.table import Table
from kiosk.table.view.table_view import TableView
from kiosk.ui.referee.calling import CallReferee, RefereeCall, WithdrawCall
from vision.messages import Blind, CameraTrouble, CardLaid, Report

pytestmark = pytest.mark.slow

OPEN = {
    "event": "open",
    "format": 1,
    "rules": "eppstein",
    "table": 7,
    "round": 1,
    "players": ["Anna", "Bernd", "Cem", "Dora"],
}
CENTRES = {1: (0.0, 60.0), 2: (-70.0, 0.0), 3: (0.0, -60.0), 4: (70.0, 0.0)}


class FakeScreen:
    """Keeps what it was told."""

    def __init__(self) -> None:
        self.views: list[TableView | None] = []
        self.refusals: list[tuple[str, str]] = []
        self.refused_requests: list[Any] = []
        self.notices: dict[str, str] = {}
        self.badges: list[str] = []
        self.answers: list[tuple[str, str]] = []
        self.drawn: dict[str, Any] = {}
        self.plans: list[dict[str, Any] | None] = []
        self.flashes: list[str] = []
        self.call: RefereeCall | None = None
        self.codes: list[tuple[bool, float]] = []

    def show(self, view: TableView | None) -> None:
        self.views.append(view)

    def refused(self, code: str, section: str = "", detail: str = "", way: Any = None, request: Any = None) -> None:
        self.refusals.append((code, section))
        self.refused_requests.append(request)

    def notice(self, kind: str, text: str) -> None:
        self.notices[kind] = text

    def badge(self, name: str) -> None:
        self.badges.append(name)

    def scanned(self, kind: str, text: str) -> None:
        self.answers.append((kind, text))

    def plan(self, plan: dict[str, Any] | None) -> None:
        self.plans.append(plan)

    def lamps(self, value: dict[str, Any]) -> None:
        self.drawn = value

    def flash(self, signal: str) -> None:
        self.flashes.append(signal)

    def referee_called(self, call: RefereeCall | None) -> None:
        self.call = call

    def code_checked(self, right: bool, wait: float) -> None:
        self.codes.append((right, wait))


class FakeLine:
    """Keeps the receipts."""

    def __init__(self) -> None:
        self.answers: dict[int, Refused | None] = {}
        self.woken = 0
        self.told: dict[str, Any] = {}

    def answer(self, number: int, refused: Refused | None = None) -> None:
        self.answers[number] = refused

    def wake(self) -> None:
        self.woken += 1

    def tell(self, status: dict[str, Any]) -> None:
        self.told = status


class Bench:
    """A kiosk on the workbench, its time turned by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.screen, self.line = FakeScreen(), FakeLine()
        table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=CENTRES, boot="b")
        self.panel = Panel(PinMap())
        self.kiosk = Kiosk(table, now=lambda: self.now, screen=self.screen, panel=self.panel)
        self.kiosk.outputs.line = self.line  # type: ignore[assignment]
        self.table = table

    def take(self, *messages: KioskMessage) -> TableView:
        for message in messages:
            self.kiosk.deliver(message)
        self.now += 0.3
        self.kiosk.beat()
        view = self.screen.views[-1]
        assert view is not None
        return view

    def ask(self, **request: Any) -> TableView:
        return self.take(Asked(decode_request(request, BY_ALL)))

    @property
    def events(self) -> list[str]:
        return [event["event"] for event in list(map(encode, self.table.events))]


@pytest.fixture
def bench() -> Any:
    bench = Bench()
    yield bench
    bench.panel.close()


def order(number: int, body: dict[str, Any] | None, call: str | None = None) -> Order:
    return Order(
        number=number,
        request=None if body is None else decode_request(body, BY_ALL),
        call=call,
        text="Bitte melden" if call else "",
        given=0.0,
    )


def test_a_request_becomes_an_event_and_wakes_the_line(bench: Bench) -> None:
    bench.take(order(1, {"event": "release", "order_number": 1}))
    view = bench.ask(event="call", seat=2, call="gesund")
    assert bench.events == ["open", "release", "deal", "call"]
    assert view.seats[1].answer == "gesund"
    assert bench.line.woken == 3
    assert bench.line.answers == {1: None}


def test_a_refusal_names_its_section_and_changes_nothing(bench: Bench) -> None:
    bench.take(order(1, {"event": "release", "order_number": 1}))
    bench.ask(event="call", seat=2, call="vorbehalt")
    before = list(map(encode, bench.table.events))
    bench.ask(event="call", seat=4, call="gesund")
    assert list(map(encode, bench.table.events)) == before
    assert bench.screen.refusals == [("call_out_of_turn", "eppstein 3.1.2")]
    assert [one.event.seat for one in bench.screen.refused_requests] == [4]


@pytest.mark.parametrize("anew", [False, True], ids=["the same list", "more of it has come from the direction"])
@pytest.mark.parametrize(
    "request_",
    [{"event": "card", "seat": 3, "card": "CT"}, {"event": "finish"}, {"event": "rest"}],
    ids=lambda one: one["event"],
)
def test_what_was_asked_of_a_list_is_done_to_that_list_alone(bench: Bench, request_: Any, anew: bool) -> None:
    """A seat lays a card while its list, which lacked its end, comes from the direction: there it is due again."""
    for event in ({"event": "release"}, {"event": "deal", "dealer": 1}, {"event": "card", "seat": 2, "card": "CA"}):
        bench.table.note(decode(event))
    longer = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=CENTRES, boot="b")
    for event in bench.table.events[1:]:
        longer.note(event)
    for seat, card in ((3, "CK"), (4, "C9"), (1, "CT"), (2, "SA")):
        longer.note(decode({"event": "card", "seat": seat, "card": card}))
    events = list(longer.events)
    bench.kiosk.deliver(Asked(decode_request(request_, BY_ALL)))
    if anew:
        bench.kiosk.leave()
        bench.kiosk.sit(longer)
    bench.take()
    refused = ("list_renewed", "") in bench.screen.refusals
    assert (refused, longer.events) == (anew, events)
    if anew:  # touched once more it is done
        bench.ask(**request_)
        assert bench.screen.refusals.count(("list_renewed", "")) == 1


def test_an_order_that_cannot_be_carried_out_is_answered_with_the_reason(bench: Bench) -> None:
    bench.take(order(3, {"event": "strike", "game": 9, "replay": True, "order_number": 3}))
    assert bench.events == ["open"]
    refused = bench.line.answers[3]
    assert isinstance(refused, Refused) and refused.code == "not_now" and "9" in refused.detail


def test_the_director_calls(bench: Bench) -> None:
    bench.take(order(4, None, call="director"))
    assert bench.screen.notices["call"] == "Bitte melden"
    assert bench.panel.tick(bench.now + 0.1).pattern == "director"
    assert bench.line.answers == {4: None}


def test_a_card_seen_is_an_event_and_turns_the_lamp_on(bench: Bench) -> None:
    bench.take(order(1, {"event": "release", "order_number": 1}))
    for seat in (2, 3, 4, 1):
        bench.ask(event="call", seat=seat, call="gesund")
    seen = CardLaid(at=5.0, card=1, label="HT", margin=0.5, choices=(("HT", 0.9),), x=-70.0, y=0.0, angle=0.0)
    view = bench.take(seen)
    assert list(map(encode, bench.table.events))[-1]["card"] == "HT"
    assert list(map(encode, bench.table.events))[-1]["seat"] == 2
    assert view.trick is not None
    assert view.seats[2].turn
    assert bench.screen.drawn["lamps"] == {1: "off", 2: "off", 3: LampState.TURN.value, 4: "off"}


@pytest.mark.parametrize("kind", get_args(Report), ids=lambda kind: kind.__name__)
def test_every_report_of_the_camera_reaches_the_table(
    bench: Bench, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ticks too: a card that is kept back, and whether the game is over, wait for time to pass."""
    heard: list[Report] = []
    monkeypatch.setattr(bench.table, "observe", lambda report, now: heard.append(report))
    report = object.__new__(kind)
    bench.kiosk._act(report)
    assert heard == [report]


def test_a_scanned_card_is_the_next_players(bench: Bench) -> None:
    bench.take(order(1, {"event": "release", "order_number": 1}))
    bench.ask(event="deal", dealer=1)
    bench.take(CardCode(at=1.0, card="CA"), CardCode(at=1.2, card="CT"))
    assert [(e["seat"], e["card"]) for e in list(map(encode, bench.table.events)) if e["event"] == "card"] == [
        (2, "CA"),
        (3, "CT"),
    ]


@pytest.mark.parametrize(
    ("message", "kind", "text"),
    [
        pytest.param(
            Unplugged(at=0.0, port="p", why="plug it in"), "scanner", say("scanner", "unplugged"), id="unplugged"
        ),
        pytest.param(Plugged(at=0.0, port="p"), "scanner", "", id="plugged"),
        pytest.param(PinsMissing("no lgpio"), "pins", "no lgpio", id="pins"),
        pytest.param(
            DisplayGone(at=0.0, code="display_silent", detail="Remote I/O error"),
            "display",
            "Uhranzeige antwortet nicht – Stecker und Adresse prüfen; die Zeit steht hier",
            id="display",
        ),
        pytest.param(DisplayBack(at=1.0), "display", "", id="display-back"),
        pytest.param(CameraTrouble(text="no camera", code="missing"), "camera", say("camera", "missing"), id="camera"),
        pytest.param(
            LineState(connected=True, since=0.0, acknowledged=0, waiting=0), "director", "", id="director-there"
        ),
    ],
)
def test_notices(bench: Bench, message: KioskMessage, kind: str, text: str) -> None:
    bench.take(message)
    assert bench.screen.notices[kind] == text


@pytest.mark.parametrize(
    ("scanned", "answer"),
    [
        pytest.param(Unreadable(at=0.0, text="x?", why="no card"), ("unreadable", "x?"), id="garbage"),
        pytest.param(CardCode(at=0.0, card="HT"), ("card", "HT"), id="a card that nobody waits for"),
        pytest.param(RefereeBadge(at=0.0, code="2468"), ("referee", ""), id="a referee without a code"),
    ],
)
def test_everything_scanned_is_answered(bench: Bench, scanned: Any, answer: tuple[str, str]) -> None:
    bench.take(scanned, scanned)
    assert bench.screen.answers == [answer, answer]


@pytest.mark.parametrize(("code", "right"), [("2468", True), ("1234", False)])
def test_the_referees_badge_is_checked_as_his_code_is(bench: Bench, code: str, right: bool) -> None:
    answers: list[CodeChecked] = []
    bench.kiosk.referee.code = RefereeCode("2468", None, answers.append)
    bench.take(RefereeBadge(at=0.0, code=code))
    for thread in threading.enumerate():
        if thread.name == "referee-code":
            thread.join()
    bench.take(*answers)
    assert bench.screen.codes == [(right, 0.0)]


def test_keyboards_are_heard_and_the_hardware_page_knows_the_scanner(bench: Bench) -> None:
    class Listening(Desk):
        hears = (PadKey, KeyboardsSeen)

        def __init__(self) -> None:
            self.messages: list[Any] = []

        def heard(self, message: Any) -> None:
            self.messages.append(message)

        def beat(self) -> None:
            self.messages.append("beat")

    desk = bench.kiosk.add(Listening())
    page = show_hardware(bench.kiosk, Configured(data=Path("."), scanner=True), KeptSettings(None))
    gone = KeyboardsSeen(at=1.0, scanner=Health(condition=Condition.GONE, code="scanner_gone"))
    bench.take(PadKey(at=1.0, seat=2, sign="1", down=True), gone)
    assert page.scanner_state == "gone"
    assert "einstecken" in next(part.detail for part in page.view().parts if part.name == "scanner")
    bench.take(KeyboardsSeen(at=2.0, scanner=Health(condition=Condition.WORKS)))
    assert page.scanner_state == "works"
    assert next(one for one in desk.messages if one != "beat").seat == 2
    assert "beat" in desk.messages


def test_a_badge_takes_a_seat(bench: Bench) -> None:
    bench.take(Badge(at=0.0, number=12, name="Anna Muster"), Badge(at=0.0, number=13, name=""))
    assert bench.screen.badges == ["Anna Muster", "13"]


@pytest.mark.parametrize(
    ("plan", "name"),
    [(None, "13"), ({}, "13"), ({"numbers": ["13"]}, "13"), ({"numbers": {"13": "Bernd", "12": "Anna"}}, "Bernd")],
    ids=["none", "of an older direction", "odd", "numbers"],
)
def test_a_badge_without_a_name_is_whom_the_plan_names(bench: Bench, plan: Any, name: str) -> None:
    bench.kiosk.opener.plan = Planned(None if plan is None else {"round": None, **plan})
    bench.take(Badge(at=0.0, number=13, name=""))
    assert bench.screen.badges == [name]


def test_a_seat_calls_the_referee_on_the_screen_and_the_direction_sees_who(bench: Bench) -> None:
    bench.take(Asked(CallReferee(2)))
    assert (bench.line.told["referee"], bench.line.told["called_by"]) == (True, 2)
    assert bench.panel.lit().referee and bench.screen.call == RefereeCall(2)
    assert bench.screen.notices["referee_called"] == "Bernd hat den Schiedsrichter gerufen"
    bench.take(Asked(CallReferee(3)))  # two at once: he is called already
    assert bench.line.told["called_by"] == 2
    bench.take(Asked(WithdrawCall()))
    assert (bench.line.told["referee"], bench.screen.call) == (False, None)
    assert bench.screen.notices["referee_called"] == ""
    assert bench.screen.flashes == ["referee"]


def test_a_call_outlives_a_restart(bench: Bench) -> None:
    bench.take(Asked(CallReferee(4)))
    again = Kiosk(Table(bench.table.log, now=0.0, boot="c"), now=lambda: 0.0)
    assert again.referee.call == RefereeCall(4)
    again.deliver(Asked(WithdrawCall()))
    again.beat()
    assert Kiosk(Table(bench.table.log, now=0.0, boot="d"), now=lambda: 0.0).referee.call is None


def test_the_direction_says_that_the_referee_comes(bench: Bench) -> None:
    bench.take(Asked(CallReferee(2)), order(1, None, "referee"), order(2, None, "referee"))
    assert bench.screen.call == RefereeCall(2, coming=True)
    assert bench.line.told["coming"] and bench.line.answers == {1: None, 2: None}
    assert bench.screen.flashes == ["referee", "comes", "comes"]


def test_the_button_withdraws_what_the_screen_has_called(bench: Bench) -> None:
    bench.take(Asked(CallReferee(2)), Pressed())
    assert bench.screen.call is None


def test_who_has_given_the_right_code_has_come(bench: Bench) -> None:
    bench.take(Asked(CallReferee(2)), CodeChecked(False), CodeChecked(True))
    assert bench.screen.codes == [(False, 0.0), (True, 0.0)]
    assert bench.screen.call is None


def test_the_button_calls_the_referee_and_sends_him_away(bench: Bench) -> None:
    bench.take(Pressed())
    assert bench.line.told["referee"]
    assert bench.panel.lit().referee
    bench.now += 10
    bench.take(Pressed())
    assert not bench.line.told["referee"]
    assert not bench.panel.lit().referee


def test_who_presses_the_button_twice_has_called_the_referee(bench: Bench) -> None:
    """The second press once sent him away again before anybody had seen the call."""
    bench.take(Pressed(), Pressed())
    bench.now += 1
    bench.take(Pressed())
    assert bench.line.told["referee"]
    bench.now += 3
    bench.take(Pressed())
    assert not bench.line.told["referee"]


AWAY = LineState(connected=False, since=0.0, acknowledged=-1, waiting=3, trouble="away")


def test_a_standing_notice_follows_the_language() -> None:
    """It once stayed in the language in which it had come."""
    bench = Bench()
    found = (CameraTrouble(text="gone", code="missing"), Unplugged(at=1.0, port="p", why="gone"))
    bench.take(*found, Asked(CallReferee(2)), AWAY, PinsMissing(say("setup_notices", "pins", "de")))
    german = dict(bench.screen.notices)
    bench.kiosk.speak("en")
    english = bench.screen.notices
    assert set(german) == {"camera", "scanner", "referee_called", "director", "pins"} == set(english)
    assert all(english[kind] != german[kind] for kind in german)
    assert english["scanner"] == say("scanner", "unplugged", "en")
    bench.take(Plugged(at=2.0, port="p"))
    bench.kiosk.speak("de")
    assert english["scanner"] == "" and english["camera"] == german["camera"]


def test_people_sit_down_before_there_is_a_table() -> None:
    opened: list[dict[str, Any]] = []

    def open_table(opening: RoundOpened) -> Table:
        opened.append(encode(opening))
        return Table(MemoryLog(), now=0.0, opening=opening, boot="b")

    screen = FakeScreen()
    kiosk = Kiosk(None, now=lambda: 1.0, screen=screen)
    kiosk.opener.open_table = open_table
    kiosk.deliver(Asked(request_for(CallAnnounced, seat=1, call="re")))
    kiosk.deliver(Blind(at=0.5, why="camera"))
    kiosk.deliver(Asked(Request(event=decode_opening(OPEN))))
    kiosk.beat()
    assert screen.refusals == [("not_now", ""), ("needs_hold", "")] and opened == [], "one stray touch begins nothing"
    kiosk.deliver(Asked(held(Request(event=decode_opening(OPEN)))))
    kiosk.beat()
    assert len(screen.refusals) == 2
    assert opened == [OPEN]
    assert screen.views[-1] is not None
    assert screen.views[-1].blind == "camera"  # said before anybody sat here


def test_the_direction_is_told_of_the_camera_and_the_machine(bench):
    """Also while nobody plays: a table without a camera is no table for the next round."""
    bench.kiosk.outputs.machine = lambda: {"version": "1"}
    bench.take(CameraTrouble(text="gone", code="missing"))
    assert bench.line.told["no_camera"] == "missing" and bench.line.told["version"] == "1"
    bench.take(CameraTrouble(text=""))
    assert bench.line.told["no_camera"] is None

"""A table that nobody directs: round after round and evening after evening, and power that goes at any moment."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kiosk.app.config import DeckConfig, DirectorLine, RoundConfig, TableConfig
from kiosk.app.inbox import Asked
from kiosk.app.kiosk import Kiosk
from kiosk.app.own_rounds import OwnRounds
from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.consent import held
from kiosk.table.evenings import RoundKey
from kiosk.table.events.codec import decode, encode
from kiosk.table.events.log import LogError, LogFull
from kiosk.table.events.log_file import LogFile
from kiosk.table.events.values import Consent, ListHandedIn, ListSigned, Request, RoundOpened
from kiosk.table.table import Table
from kiosk.ui.earlier.earlier_requests import ListRounds, NextRound, ResumeRound, ShowRound
from kiosk.ui.earlier.earlier_view import EarlierView, RoundLine
from kiosk.ui.seats.seats_view import SeatsView

HELD = Consent(deliberate=True)
NAMES = ("Anna", "Bernd", "Cem", "Dora")


class Screen:
    """Keeps what it was told."""

    def __init__(self) -> None:
        self.seating = SeatsView()
        self.lines: tuple[RoundLine, ...] = ()
        self.shown: EarlierView | None = None
        self.views: list[Any] = []
        self.refusals: list[str] = []

    def sit_down(self, seating: SeatsView) -> None:
        self.seating = seating

    def rounds(self, lines: tuple[RoundLine, ...]) -> None:
        self.lines = lines

    def earlier(self, earlier: EarlierView) -> None:
        self.shown = earlier

    def show(self, view: Any) -> None:
        self.views.append(view)

    def refused(self, code: str, section: str = "", detail: str = "", way: Any = None, request: Any = None) -> None:
        self.refusals.append(code)

    def notice(self, kind: str, text: str) -> None: ...
    def flash(self, *_: object) -> None: ...


class Device:
    """A table's device with its file; ``again`` is the same one after a power cut."""

    def __init__(self, path: Path, config: TableConfig, day: Callable[[], date]) -> None:
        from kiosk.app.sitting_down import play_alone
        from kiosk.app.table_lists import TableLists  # what runs at a table

        self.path, self.config, self.day = path, config, day
        self.file = LogFile(path)
        self.screen, self.now = Screen(), 0.0
        self.kiosk = Kiosk(None, now=lambda: self.now)
        self.kiosk.outputs.screen = self.screen  # type: ignore[assignment]
        hall = TableLists(config, self.file, self.kiosk, None)  # type: ignore[arg-type]
        rounds = OwnRounds(
            self.kiosk,
            self.file,
            config,
            reopen=lambda key: rounds.released(hall.open(None, key.round, key.evening)),
            screen=lambda: self.screen,
            today=day,
        )
        self.kiosk.add(rounds)
        self.rounds = rounds
        play_alone(hall, rounds, headless=False)
        self.screen.seating = rounds.seating()
        self.kiosk.beat()

    def again(self) -> "Device":
        self.file.close()
        return Device(self.path, self.config, self.day)

    def ask(self, *requests: Any) -> None:
        for request in requests:
            opening = isinstance(request, RoundOpened)
            self.kiosk.deliver(Asked(held(Request(event=request)) if opening else request))
        self.now += 1
        self.kiosk.beat()

    def sit(self, *names: str, **other: Any) -> Table:
        """Sit down as the screen does: with what it was told."""
        seating = self.screen.seating
        opening = RoundOpened(
            rules=seating.rules,
            players=names or seating.players,
            table=seating.table,
            round=seating.round,
            options=dict(seating.options),
            tournament=seating.evening,
        )
        self.ask(replace(opening, **other))
        return self.table

    @property
    def table(self) -> Table:
        assert self.kiosk.table is not None, self.screen.refusals
        return self.kiosk.table

    def play(self) -> None:
        """Play the round out with its simulated events, after what is there already."""
        rules = self.table.round.book.name
        for body in simulate(rules, 3, games=1):
            event = decode(body)
            if event.name not in ("open", "release", "sign", "close"):
                self.table.note(event)

    def hand_in(self) -> None:
        for seat in self.table.round.seats:
            self.ask(Request(event=ListSigned(seat=seat), consent=HELD))
        everybody = Consent(deliberate=True, seats=frozenset(self.table.round.seats), referee=True)
        self.ask(Request(event=ListHandedIn(), consent=everybody))
        assert self.table.round.closed, self.screen.refusals


@pytest.fixture
def device(tmp_path: Path) -> Any:
    config = TableConfig(table=1, data=tmp_path, deck=DeckConfig(name="x"))
    made = [Device(tmp_path / "table.sqlite", config, lambda: date(2026, 11, 22))]
    yield made[0]
    made[0].file.close()


def key(device: Device) -> tuple[str, int]:
    opening = device.table.round.opening
    return opening.tournament or "", opening.round


def test_an_evening_of_two_rounds_and_the_next_evening(device: Device) -> None:
    assert device.screen.seating.alone and device.screen.seating.new
    device.sit(*NAMES)
    assert device.table.round.released and key(device) == ("2026-11-22", 1)
    device.hand_in()
    device.ask(NextRound("2026-11-22"))
    assert device.kiosk.table is None and device.screen.views[-1] is None
    assert device.screen.seating.players == NAMES and not device.screen.seating.new
    device.sit("Emil", *NAMES[1:])
    assert key(device) == ("2026-11-22", 2)
    device.hand_in()
    device.ask(NextRound(""))
    assert device.screen.seating.new and device.screen.seating.players[0] == "Platz 1"
    device.sit(rules="schaffkopf", options={})
    assert key(device) == ("2026-11-22 (2)", 1) and device.table.round.book.name == "schaffkopf"
    assert [(one.round, one.tournament) for one in device.file.summaries("")] == [
        (1, "2026-11-22"),
        (2, "2026-11-22"),
        (1, "2026-11-22 (2)"),
    ]


def states() -> dict[str, Callable[[Device], None]]:
    """What people have done when the power goes."""

    def handed_in(device: Device) -> None:
        device.sit(*NAMES)
        device.hand_in()

    def asked_for_next(device: Device) -> None:
        handed_in(device)
        device.ask(NextRound("2026-11-22"))

    def sat_down_again(device: Device) -> None:
        asked_for_next(device)
        device.sit()

    def left_open(device: Device) -> None:
        device.sit(*NAMES)
        device.ask(NextRound("", HELD))

    return {
        "nobody": lambda device: None,
        "sat down": lambda device: device.sit(*NAMES) and None,
        "handed in": handed_in,
        "asked for the next": asked_for_next,
        "in the next": sat_down_again,
        "left an open round": left_open,
    }


@pytest.mark.parametrize(
    ("state", "up", "closed"),
    [
        ("nobody", None, False),
        ("sat down", 1, False),
        ("handed in", 1, True),
        ("asked for the next", 1, True),
        ("in the next", 2, False),
        ("left an open round", 1, False),
    ],
)
def test_after_a_restart_the_last_round_is_up(device: Device, state: str, up: int | None, closed: bool) -> None:
    states()[state](device)
    again = device.again()
    try:
        if up is None:
            assert again.kiosk.table is None and again.screen.seating.round == 1
            return
        assert (again.table.round.round, again.table.round.closed) == (up, closed)
        view = again.screen.views[-1]
        assert view.closed == closed and view.evening == "2026-11-22"
        if closed:  # the next one is offered, and is another one than that
            again.ask(NextRound(view.evening))
            again.sit()
            assert again.table.round.round == up + 1 and again.table.round.players == NAMES
    finally:
        again.file.close()


@pytest.mark.parametrize("writes", range(4), ids=lambda n: f"after {n} writes")
def test_power_that_goes_while_a_round_is_opened_leaves_it_or_nothing(
    device: Device, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    from kiosk.table.events.log_file import SqliteLog

    states()["asked for the next"](device)
    count = [0]

    def cut(method: Callable[..., Any]) -> Callable[..., Any]:
        def written(self: Any, *given: Any) -> Any:
            count[0] += 1
            if count[0] > writes:
                raise LogError("no power")
            return method(self, *given)

        return written

    monkeypatch.setattr(SqliteLog, "append", cut(SqliteLog.append))
    monkeypatch.setattr(SqliteLog, "keep", cut(SqliteLog.keep))
    device.sit("Neu", *NAMES[1:])
    monkeypatch.undo()
    again = device.again()
    try:
        players = again.table.round.players
        assert players in (NAMES, ("Neu", *NAMES[1:]))
        assert again.table.round.round == (2 if players[0] == "Neu" else 1)
        if players == NAMES:  # nothing of it is left: the same number is free
            again.ask(NextRound("2026-11-22"))
            assert again.screen.seating.round == 2
            again.sit()
            assert again.table.round.round == 2
    finally:
        again.file.close()


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (NextRound("2026-11-22"), "needs_hold"),
        (NextRound(""), "needs_hold"),
        (ShowRound(RoundKey(evening="x", table=1, round=1)), "bad_request"),
        (ResumeRound(RoundKey(evening="x", table=1, round=1)), "bad_request"),
    ],
    ids=["next", "next evening", "no such round", "no such round to resume"],
)
def test_a_round_that_is_played_is_not_left_by_mistake(device: Device, ask: Any, code: str) -> None:
    device.sit(*NAMES)
    device.ask(ask)
    assert device.screen.refusals == [code] and device.table.round.players == NAMES


def test_an_open_round_goes_on_later(device: Device) -> None:
    device.sit(*NAMES)
    first = RoundKey(evening="2026-11-22", table=1, round=1)
    device.ask(NextRound("", HELD))
    device.sit("Wer", "ist", "das", "denn")
    device.ask(ListRounds())
    assert [(one.key.evening, one.up, one.handed_in) for one in device.screen.lines] == [
        ("2026-11-22 (2)", True, False),
        ("2026-11-22", False, False),
    ]
    device.ask(ShowRound(first))
    shown = device.screen.shown
    assert shown is not None and shown.may_resume and not shown.may_follow
    assert [seat.name for seat in shown.view.seats] == list(NAMES)
    device.ask(ResumeRound(first))
    assert device.screen.refusals == ["needs_hold"]
    device.ask(ResumeRound(first, HELD))
    assert device.table.round.players == NAMES
    again = device.again()
    assert again.table.round.players == NAMES
    again.file.close()


def test_two_touches_open_one_round(device: Device) -> None:
    seating = device.screen.seating
    opening = RoundOpened(rules="eppstein", players=NAMES, table=1, round=1, tournament=seating.evening)
    device.ask(opening, opening)
    assert device.screen.refusals == [] and len(device.file.summaries("")) == 1


@pytest.mark.parametrize(
    ("round_number", "evening", "taken"),
    [(1, "2026-11-22", True), (2, "2026-11-22", False), (1, "2026-11-22 Abschied", False), (9, "2026-11-22", False)],
    ids=["taken", "next", "another evening", "later"],
)
def test_a_number_is_given_once_an_evening(device: Device, round_number: int, evening: str, taken: bool) -> None:
    states()["asked for the next"](device)
    device.ask(RoundOpened(rules="eppstein", players=NAMES, table=1, round=round_number, tournament=evening))
    assert (device.screen.refusals == ["round_taken"]) == taken
    if not taken:
        assert key(device) == (evening, round_number)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_each_book_is_played_handed_in_and_shown_again(device: Device, book: str) -> None:
    device.sit(*NAMES, rules=book, options={})
    device.play()
    device.hand_in()
    total = [seat.total for seat in device.screen.views[-1].seats]
    device.ask(NextRound("2026-11-22"))
    device.ask(ShowRound(RoundKey(evening="2026-11-22", table=1, round=1)))
    shown = device.screen.shown
    assert shown is not None and [seat.total for seat in shown.view.seats] == total
    assert shown.may_follow and not shown.may_resume and len(shown.view.rows) == 1
    assert device.screen.seating.rules == book


@pytest.mark.parametrize(
    ("number", "minutes", "options", "first", "played"),
    [
        (1, None, {}, 1, 120),
        (4, None, {}, 4, 120),
        (1, 90.0, {}, 1, 90),
        (1, 90.0, {"minutes": 100}, 1, 100),
        (1, 1.0, {}, 1, 1),
    ],
    ids=["plain", "first number", "minutes", "options win", "a minute"],
)
def test_what_the_file_says(
    tmp_path: Path, number: int, minutes: float | None, options: dict[str, Any], first: int, played: float
) -> None:
    config = TableConfig(
        table=3,
        data=tmp_path,
        deck=DeckConfig(name="x"),
        round=RoundConfig(number=number, minutes=minutes, options=options),
    )
    device = Device(tmp_path / "table.sqlite", config, lambda: date(2026, 1, 2))
    try:
        device.sit(*NAMES)
        assert (device.table.round.round, device.table.round.minutes) == (first, played)
        device.hand_in()
        device.ask(NextRound("2026-01-02"))
        device.sit()
        assert device.table.round.round == first + 1
    finally:
        device.file.close()


def test_a_directed_table_begins_no_rounds_of_its_own(tmp_path: Path) -> None:
    config = TableConfig(
        table=1, data=tmp_path, deck=DeckConfig(name="x"), director=DirectorLine(url="http://192.168.1.10:8377")
    )
    with LogFile(tmp_path / "table.sqlite") as file:
        kiosk, screen = Kiosk(None, now=lambda: 0.0), Screen()
        rounds = OwnRounds(kiosk, file, config, reopen=lambda key: None, screen=lambda: screen)  # type: ignore
        kiosk.add(rounds)
        kiosk.outputs.screen = screen  # type: ignore[assignment]
        opening = RoundOpened(rules="bsv", players=NAMES, table=1, round=2, tournament="Herbst")
        assert rounds.checked(opening) is opening and not rounds.seating().alone
        kiosk.deliver(Asked(NextRound("")))
        kiosk.beat()
        assert screen.refusals == ["bad_request"]


def test_the_text_of_an_opening_says_its_evening(device: Device) -> None:
    table = device.sit(*NAMES)
    assert encode(table.round.opening)["tournament"] == "2026-11-22"


@pytest.mark.parametrize("evening", ["same", ""], ids=["next round", "next evening"])
def test_a_round_that_the_disk_has_not_taken_is_not_left(
    device: Device, monkeypatch: pytest.MonkeyPatch, evening: str
) -> None:
    """Signatures and hand-in stood in memory alone, and the next round once dropped them."""
    device.sit("Anna", "Bernd", "Cem", "Dora")
    device.play()
    table, append = device.table, device.table.log.append

    def full(event: dict[str, Any], kept: object = None) -> int:
        raise LogFull("the disk is full")

    monkeypatch.setattr(table.log, "append", full)
    device.hand_in()
    to = NextRound(table.round.opening.tournament or "" if evening else "", Consent(deliberate=True))
    device.ask(to)
    assert device.screen.refusals[-1] == "not_saved" and device.kiosk.table is table
    monkeypatch.setattr(table.log, "append", append)
    device.ask(*[Request(event=ListSigned(seat=1), consent=HELD)] * 3)  # time goes on, and the disk is tried again
    assert not table.unsaved
    device.ask(to)
    assert device.kiosk.table is None
    assert device.rounds.rounds()[-1].handed_in

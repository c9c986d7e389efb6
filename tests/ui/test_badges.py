"""Badges on every screen: each gets an answer, writes a name where one is wanted, and changes nothing else."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from kiosk.ui.seats.seats_view import SeatsView
from tests.ui import views

pytestmark = pytest.mark.slow


@pytest.fixture
def told(hand: Any) -> Iterator[Callable[[], str]]:
    """What the screen says in its middle, and nothing once it was asked."""

    def words() -> str:
        hand.stage.step(3)
        text = hand.app.refusal.text if hand.app.refusal.opacity else ""
        hand.app.refusal.hide()
        return str(text)

    yield words
    hand.app.show(None)
    hand.app.sheets.close()
    hand.stage.step(3)


def sit(hand: Any, *names: str) -> list[str]:
    screen = hand.app.screen("seats")
    screen.names[:] = names
    screen.show()
    return screen.names  # type: ignore[no-any-return]


DEFAULTS = ("Platz 1", "Platz 2", "Seat 3", "")


@pytest.mark.parametrize(
    ("names", "scanned", "after", "answer"),
    [
        (("", "", "", ""), ["Anna"], ["Anna", "", "", ""], "Anna: Platz 1"),
        (DEFAULTS, ["Anna"], ["Anna", "Platz 2", "Seat 3", ""], "Anna: Platz 1"),
        (DEFAULTS, ["A", "B", "C", "D"], ["A", "B", "C", "D"], "D: Platz 4"),
        (DEFAULTS, ["Anna", "anna"], ["Anna", "Platz 2", "Seat 3", ""], "Anna sitzt auf Platz 1"),
        (("A", "B", "C", "D"), ["E"], ["A", "B", "C", "D"], "E: Alle Plätze haben schon Namen"),
        (("", "", "", ""), ["  Anna   Muster "], ["Anna Muster", "", "", ""], "Anna Muster: Platz 1"),
        (("", "", "", ""), ["[b]x[/b] & y"], ["[b]x[/b] & y", "", "", ""], "&bl;b&br;x"),
        (("", "", "", ""), ["x" * 90], ["x" * 40, "", "", ""], "x" * 40),
        (("", "", "", ""), ["1234"], ["1234", "", "", ""], "1234: Platz 1"),
    ],
    ids=["empty", "default", "four", "twice", "full", "blanks", "markup", "long", "number alone"],
)
def test_while_people_sit_down(
    hand: Any, told: Callable[[], str], names: tuple[str, ...], scanned: list[str], after: list[str], answer: str
) -> None:
    seats = sit(hand, *names)
    for name in scanned:
        hand.app.badge(name)
    assert answer in told()
    assert seats == after and hand.sent == []


def test_an_open_name_sheet_is_filled_and_the_next_one_opens(hand: Any, told: Callable[[], str]) -> None:
    seats = sit(hand, "Anna", "Bernd", "", "")
    hand.app.sheets.open("name", seat=3)
    hand.app.badge("bernd")
    assert told() == "Bernd sitzt auf Platz 2" and hand.app.sheets.current.seat == 3
    hand.app.badge("Cem")
    assert told() == "Cem ist eingetragen"
    assert seats == ["Anna", "Bernd", "Cem", ""] and hand.app.sheets.current.seat == 4
    hand.app.badge("Dora")
    told()
    assert seats[3] == "Dora" and hand.app.sheets.current is None
    hand.app.sheets.open("name", seat=1)  # another badge over a name that was there
    hand.app.badge("Emil")
    told()
    assert seats[0] == "Emil"


def test_an_evening_is_not_called_as_a_badge(hand: Any, told: Callable[[], str]) -> None:
    before = hand.app.seating
    hand.app.sit_down(SeatsView(alone=True, new=True, evening="2026-11-22", players=("", "", "", "")))
    hand.stage.step(3)
    hand.app.sheets.open("evening")
    hand.app.badge("Anna")
    assert told() == "Anna: Platz 1"
    assert hand.app.screen("seats").evening == "2026-11-22"
    hand.app.sit_down(before)


@pytest.mark.parametrize("phase", views.PHASES)
def test_who_sits_there_is_told_in_every_phase(hand: Any, told: Callable[[], str], phase: str) -> None:
    hand.show(views.PHASES[phase]())
    for _ in range(2):
        hand.app.badge("bernd")
        assert told() == "Bernd sitzt auf Platz 2"
    assert hand.sent == []


def strangers(hand: Any, **view: Any) -> None:
    seats = views.playing().seats
    seats = (*seats[:2], replace(seats[2], name="Platz 3"), *seats[3:])
    hand.show(replace(views.playing(), seats=seats, **view))


def test_a_stranger_takes_a_seat_without_a_name(hand: Any, told: Callable[[], str]) -> None:
    strangers(hand)
    for _ in range(2):
        hand.app.badge("Xaver")
        hand.stage.step(3)
    hand.touch("sitzt hier")
    assert hand.sent == [{"event": "name", "seat": 3, "player": "Xaver"}]
    assert hand.app.sheets.current is None


def test_a_stranger_comes_as_a_substitute_if_all_agree(hand: Any, told: Callable[[], str]) -> None:
    strangers(hand)
    hand.app.badge("Xaver")
    hand.stage.step(3)
    hand.touch("kommt als Ersatz für Bernd")
    assert hand.sent == []
    sheet = hand.app.sheets.current
    assert "Ersatz für Bernd? Xaver" in sheet.question
    for key in list(sheet._keys.values()):
        hand.stage.touch(key)
    assert hand.sent == []  # a short touch agrees to nothing
    for key in list(sheet._keys.values()):
        hand.stage.wait(2)
        hand.stage.hold(key)
    assert hand.sent == [{"event": "substitute", "seat": 2, "player": "Xaver"}]


@pytest.mark.parametrize(
    ("prepare", "answer"),
    [
        (lambda hand: strangers(hand, closed=True), "die Liste ist abgegeben"),
        (lambda hand: (strangers(hand), hand.app.sheets.open("more")), "Erst das offene Feld schließen"),
        (lambda hand: (strangers(hand), hand.app.earlier_rounds()), "Xaver sitzt nicht an diesem Tisch"),
    ],
    ids=["handed in", "a sheet is open", "earlier rounds"],
)
def test_a_stranger_disturbs_nothing(hand: Any, told: Callable[[], str], prepare: Any, answer: str) -> None:
    prepare(hand)
    sheet = hand.app.sheets.current
    hand.app.badge("Xaver")
    assert answer in told() and hand.app.sheets.current is sheet


def test_the_question_goes_once_it_is_answered_elsewhere(hand: Any, told: Callable[[], str]) -> None:
    strangers(hand)
    hand.app.badge("Xaver")
    hand.stage.step(3)
    seats = views.playing().seats
    hand.show(replace(views.playing(), seats=(*seats[:2], replace(seats[2], name="Xaver"), *seats[3:])))
    assert hand.app.sheets.current is None


def test_a_substitutes_name_is_written_by_his_badge(hand: Any, told: Callable[[], str]) -> None:
    hand.show(views.PHASES["full_list"]())
    hand.app.sheets.open("newcomer", seat=2)
    hand.app.badge("Anna")
    assert told() == "Anna sitzt auf Platz 1"
    hand.app.badge("Xaver")
    assert told() == "Xaver ist eingetragen"
    assert "Xaver" in hand.app.sheets.current.question


@pytest.mark.parametrize(
    ("kind", "text", "answer"),
    [
        ("unreadable", "ö?[b]", "„ö?&bl;b&br;“ ist weder"),
        ("card", "HT", "Karte HT: Gerade wartet niemand"),
        ("referee", "", "kein Code"),
        ("referee_wrong", "0", "gilt hier nicht"),
        ("referee_wait", "30", "in 30 Sekunden"),
        ("referee_right", "0", "niemand am Tisch"),
    ],
)
def test_what_is_no_players_badge(hand: Any, told: Callable[[], str], kind: str, text: str, answer: str) -> None:
    hand.app.scanned(kind, text)
    assert answer in told()


@pytest.mark.parametrize(
    ("right", "wait", "seated", "sheet", "answer"),
    [
        (True, 0.0, True, "direction", ""),
        (True, 0.0, False, None, "niemand am Tisch"),
        (False, 0.0, True, None, "gilt hier nicht"),
        (False, 29.7, True, None, "in 30 Sekunden"),
    ],
)
def test_the_referees_badge(
    hand: Any, told: Callable[[], str], right: bool, wait: float, seated: bool, sheet: str | None, answer: str
) -> None:
    from kiosk.ui.sheets import KINDS

    if seated:
        hand.show(views.playing())
    hand.app.code_checked(right, wait)
    assert answer in told()
    assert (type(hand.app.sheets.current) is KINDS[sheet]) if sheet else hand.app.sheets.current is None

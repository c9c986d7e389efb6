"""A card that the deal has left face down on the mat is told of, and nothing else that lies there so."""

from collections.abc import Callable, Mapping

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.observe.limits import LIMITS
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardGone, CardLaid, Report, Tick, TrickTaken

MAT = MatLayout("A3", 4).seat_places
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}

#: A step: seconds after the one before it, and what happens.
Step = tuple[float, Callable[[Table, float], object]]


def _report(make: Callable[[float], Report]) -> Callable[[Table, float], object]:
    return lambda table, at: table.observe(make(at), at)


def back(number: int, x: float = 0.0, y: float = 0.0) -> Callable[[Table, float], object]:
    return _report(
        lambda at: CardLaid(at=at, card=number, label=None, margin=0.0, choices=(), x=x, y=y, angle=0, face_down=True)
    )


def card(number: int, seat: int, label: str) -> Callable[[Table, float], object]:
    x, y = MAT[seat]
    return _report(
        lambda at: CardLaid(
            at=at, card=number, label=label, margin=0.5, choices=((label, 0.9),), x=x, y=y, angle=0, picture=b"jpeg"
        )
    )


def gone(number: int) -> Callable[[Table, float], object]:
    return _report(lambda at: CardGone(at=at, card=number))


def taken(*numbers: int) -> Callable[[Table, float], object]:
    return _report(lambda at: TrickTaken(at=at, cards=numbers))


def note(event: Mapping[str, object]) -> Callable[[Table, float], object]:
    return lambda table, _: table.note(decode(event))


DEAL = note({"event": "deal", "dealer": 1})
SPEAK = decode_request({"event": "call", "seat": 2, "call": "gesund"}, BY_ALL)
FIRST = ((2, "CA"), (3, "C9"), (4, "CT"), (1, "CK"))
LONG = LIMITS.left_down_s + 1.0


def speak(table: Table, _: float) -> object:
    return table.request(SPEAK)


def wait(table: Table, at: float) -> object:
    return table.observe(Tick(at=at), at)


CASES: dict[str, tuple[tuple[Step, ...], bool]] = {
    "the deal has left it": (((1, back(1)), (9, DEAL), (30, speak), (0.1, wait), (LONG, wait)), True),
    "it comes once hands are taken up": (((9, DEAL), (30, speak), (1, wait), (1, back(1)), (LONG, wait)), True),
    "seen when somebody leads without a word": (
        ((9, DEAL), (20, back(1)), (10, card(2, *FIRST[0])), (0.1, wait), (LONG, wait)), True,
    ),
    "at the rim of the middle": (((9, DEAL), (1, back(1, 100, 0)), (30, speak), (0.1, wait), (LONG, wait)), True),
    "a packet dealt across the mat": (
        ((9, DEAL), (1, back(1, 144, -26)), (30, speak), (0.1, wait), (LONG, wait)), False,
    ),
    "a moment ago": (((9, DEAL), (30, speak), (1, back(1)), (LIMITS.left_down_s - 1.0, wait)), False),
    "nobody has spoken: packets lie there": (((9, DEAL), (3, back(1)), (LONG, wait)), False),
    "it was taken up": (
        ((9, DEAL), (3, back(1)), (30, speak), (0.1, wait), (LONG, wait), (1, gone(1)), (1, wait)), False,
    ),
    "it fell, and was turned over": (
        ((9, DEAL), (30, speak), (1, back(1)), (2, card(1, *FIRST[0])), (LONG, wait)), False,
    ),
    "it went with others": (((9, DEAL), (30, speak), (1, back(1)), (LONG, taken(1)), (1, wait)), False),
    "the first trick is full: it may be one that was won": (
        ((9, DEAL), (3, back(9)), (30, speak), *((2, card(n, *one)) for n, one in enumerate(FIRST)), (LONG, wait)),
        False,
    ),
    "nobody plays": (((3, back(1)), (LONG, wait)), False),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "told"), CASES.values(), ids=CASES)
def test_who_misses_a_card_is_asked(steps: tuple[Step, ...], told: bool) -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=MAT, wall=lambda: 0)
    table.note(decode({"event": "release"}))
    at = 100.0
    for after, happens in steps:
        at += after
        happens(table, at)
    assert [one.code for one in table.view().notices] == (["left_down"] if told else [])


def test_the_next_deal_is_asked_about_anew() -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=MAT, wall=lambda: 0)
    shown = []
    at = 100.0
    for after, happens in ((1, note({"event": "release"})), *CASES["the deal has left it"][0]):
        at += after
        happens(table, at)
    shown.append([one.code for one in table.view().notices])
    for after, happens in ((1, note({"event": "void", "why": "misdeal"})), (1, wait), (20, DEAL), (20, wait)):
        at += after
        happens(table, at)
    shown.append([one.code for one in table.view().notices])
    for after, happens in ((1, speak), (0.1, wait), (LONG, wait)):
        at += after
        happens(table, at)
    shown.append([one.code for one in table.view().notices])
    assert shown == [["left_down"], [], ["left_down"]]

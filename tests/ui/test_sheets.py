"""Every sheet of every book in both sizes and languages: it draws, its keys are large and apart, its words whole."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"ui_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


views, moments = _load("views"), _load("moments")

pytestmark = pytest.mark.slow

SHEETS = views.SHEETS


ONE_PLAYS, WENZ, OBJECTED = moments.ONE_PLAYS, moments.WENZ, moments.OBJECTED

#: Sheets of the other books: what is shown, which sheet, what is done on it first.
OF_BOOKS = {
    "leave": ("schaffkopf", [*ONE_PLAYS, moments.TOUT], 4, "direction", {}, None),
    "32 cards": ("schaffkopf", [*ONE_PLAYS, WENZ], 4, "lay", {"seat": 2}, None),
    "the order of a claim": ("schaffkopf", [*ONE_PLAYS, WENZ], 4, "claim", {"seat": 2}, None),
    "who shortens": ("schaffkopf", [*ONE_PLAYS, WENZ], 4, "who", {"choices": "claim", "title": "claim_who"}, None),
    "rulings of schaffkopf": ("schaffkopf", [*ONE_PLAYS, WENZ, OBJECTED], 4, "ruling", {}, None),
    "face down": ("durchgaenge", [*moments.MARRIED, *moments.CLUBS], 4, "lay", {"seat": 1}, None),
    "points and euros at five": (
        "schnittchen", [OBJECTED], 5, "ruling", {}, lambda sheet: sheet.choose_grade("custom")),
    "points that the referee sets": ("bsv", [OBJECTED], 4, "ruling", {}, lambda sheet: sheet.choose_grade("serious")),
}  # fmt: skip


def test_every_sheet_is_looked_at(hand: Any) -> None:
    from kiosk.ui.sheets import KINDS

    assert {*SHEETS, *views.OTHER_SHEETS} == set(KINDS)


@pytest.mark.parametrize("kind", SHEETS)
def test_a_sheet(spoken: Any, kind: str, measure: Any) -> None:
    sized = spoken
    phase, what = SHEETS[kind]
    sized.show(views.PHASES[phase]())
    sized.app.sheets.open(kind, **what)
    sized.stage.step(3)
    measure.check(sized.app.sheets.current)
    sized.stage.touch_at(3, 3)
    assert sized.app.sheets.current is None, "a touch beside the sheet closes it"


@pytest.mark.parametrize("kind", views.OTHER_SHEETS)
def test_a_sheet_while_nobody_sits(spoken: Any, kind: str, monkeypatch: pytest.MonkeyPatch, measure: Any) -> None:
    from kiosk.ui.enrol.enrol_view import EnrolView
    from kiosk.ui.seats.seats_view import Written

    written = Written(names=moments.LONG_NAMES, rules=spoken.app.seating.rules)
    monkeypatch.setattr(spoken.app, "kept_seating", SimpleNamespace(written=written, keep=lambda written: None))
    asks = EnrolView("K7QF2MTX", "http://stichwart-leitung.local:8377", "refused", "unknown")
    monkeypatch.setattr(spoken.app, "enrolling", asks)
    spoken.app.sheets.open(kind, **views.OTHER_SHEETS[kind])
    spoken.stage.step(3)
    measure.check(spoken.app.sheets.current, measure.CLOSE_MM)


def test_every_word_about_a_stick(spoken: Any, measure: Any) -> None:
    from kiosk.ui.earlier.stick_view import StickLine, StickView

    sticks = tuple(StickLine(device=f"/dev/sd{one}1", name="SanDisk Ultra Fit", gigabytes=61.5) for one in "abc")
    wrong = ("gone", "full", "read_only", "format", "denied", "busy", "tools", "failed", "list")
    seen = [
        StickView(sticks=sticks),
        StickView(sticks=sticks[:2], state="writing", done=12, of=25, name="Tisch 12 Runde 12.jsonl"),
        StickView(sticks=sticks[:2], state="closing", done=25, of=25),
        StickView(sticks=sticks[:2], state="done", done=25, of=25, name="2026-11-22 Vereinsmeisterschaft im Winter"),
        *(StickView(sticks=sticks[:2], state="failed", wrong=code) for code in wrong),
    ]
    spoken.show(views.PHASES["full_list"]())
    spoken.app.sheets.open("stick")
    try:
        for view in seen:
            spoken.app.stick(view)
            spoken.stage.step(3)
            measure.check(spoken.app.sheets.current)
    finally:
        spoken.app.sheets.close()
        spoken.app.stick_view = None


@pytest.mark.parametrize("name", OF_BOOKS)
def test_a_sheet_of_another_book(spoken: Any, name: str, measure: Any) -> None:
    sized = spoken
    rules, events, players, kind, what, first = OF_BOOKS[name]
    sized.show(moments.of_book(rules, *events, players=players))
    sized.app.sheets.open(kind, **what)
    sized.stage.step(3)
    if first is not None:
        first(sized.app.sheets.current)
    sized.stage.step(3)
    measure.check(sized.app.sheets.current)

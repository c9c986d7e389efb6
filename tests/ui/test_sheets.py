"""Every sheet of every book in both sizes and languages: it draws, its keys are large and apart, its words whole."""

import importlib.util
from dataclasses import replace
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
    sheet = spoken.app.sheets.current
    if kind == "touch_check":  # all of it takes touches
        measure.check_type(sheet, measure.CLOSE_MM)
        measure.check_whole(sheet)
    else:
        measure.check(sheet, measure.CLOSE_MM)


def test_what_the_check_of_a_deck_finds(spoken: Any, measure: Any) -> None:
    from kiosk.rules.books import BOOKS
    from kiosk.ui.camera.deck_check_view import checked
    from kiosk.ui.camera.set_up_requests import CheckDeck

    deck = list(BOOKS["durchgaenge"].deck)
    spoken.show(views.waiting())
    spoken.app.sheets.open("deck_check")
    sheet = spoken.app.sheets.current
    for seen in ([], deck[:4], [*deck[7:], "C9", "S9", "H9", "CA", "CA", None], deck):
        spoken.app.deck_check(checked(deck, seen))
        spoken.stage.step(3)
        measure.check(sheet)
        assert sheet.whole == (seen == deck)
    spoken.stage.touch(spoken.stage.key(spoken.app.words["deck_check_spread"]))
    assert spoken.asked[-1] == CheckDeck(True, spread=True)
    for seen, readable in (([], True), ([], False), ([*deck[:38], None, None], True)):
        spoken.app.deck_check(checked(deck, seen, spread=True, readable=readable))
        spoken.stage.step(3)
        measure.check(sheet)
    for word, wanted in (("again", CheckDeck(True, spread=True)), ("one_by_one", CheckDeck(True))):
        spoken.stage.touch(spoken.stage.key(spoken.app.words["deck_check_" + word]))
        assert spoken.asked[-1] == wanted
    sent = len(spoken.sent)
    spoken.stage.touch(spoken.stage.key(spoken.app.words["deck_check_done"]))
    assert spoken.app.sheets.current is None and len(spoken.sent) == sent + 1


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


def test_every_word_about_a_release(spoken: Any, measure: Any) -> None:
    from kiosk.language import words
    from kiosk.ui.hardware.release_view import BundleLine, ReleaseView

    long = "0.10.12+1a2b3c4"
    values = {"version": long, "machine": "aarch64, Python 3.13", "needed": 1234, "free": 12, "why": "No space left"}
    of_sticks = ("stick_gone", "stick_format", "stick_denied")
    seen_there = ("", "bundle_none", "bundle_cut", "bundle_foreign", "bundle_machine", "bundle_older", "bundle_same",
                  "bundle_key", *of_sticks)  # fmt: skip
    file = f"stichwart-{long}.bundle"
    lines = tuple(
        BundleLine(device="/dev/sda1", stick="SanDisk Ultra Fit", file=file, release=long, code=code, values=values)
        for code in seen_there
    )
    there = ReleaseView(runs=long, sticks=1, found=lines[:3])
    seen = [
        *(
            ReleaseView(runs=long, sticks=n, searching=searching)
            for n, searching in ((0, False), (1, False), (1, True))
        ),
        *(replace(there, found=lines[at : at + 3]) for at in range(0, len(lines), 3)),
        *(
            replace(there, state=state, release=long, percent=42)
            for state in ("copying", "fetching", "check", "unpack", "install", "try", "waits")
        ),
        *(
            replace(there, state="refused", release=long, code=code, values=values)
            for code in (*words("bundles"), *of_sticks)
        ),
    ]
    spoken.show(views.PHASES["full_list"]())
    spoken.app.sheets.open("release")
    try:
        for view in seen:
            spoken.app.releases(view)
            spoken.stage.step(3)
            measure.check(spoken.app.sheets.current)
    finally:
        spoken.app.sheets.close()
        spoken.app.release_view = None


def test_only_the_referee_takes_a_release_while_a_list_is_open(hand: Any) -> None:
    from kiosk.ui.hardware.release import ReleaseSheet
    from kiosk.ui.hardware.release_view import BundleLine, ReleaseView, TakeRelease
    from kiosk.ui.referee.gate import GateSheet

    app = hand.app
    line = BundleLine(device="/dev/sda1", stick="A", file="x.bundle", release="0.3")
    try:
        app.releases(ReleaseView(runs="0.2", sticks=1, found=(line,)))
        hand.stage.wait(1)
        for view, gated in ((views.PHASES["full_list"](), True), (None, False)):
            app.show(view)
            hand.stage.wait(1)
            app.open_hardware()
            hand.stage.wait(1)
            hand.touch(app.screen("hardware").word("new_release"))
            assert isinstance(app.sheets.current, GateSheet) is gated
            if gated:
                app.sheets.current.open()
            sheet = app.sheets.current
            assert isinstance(sheet, ReleaseSheet)
            hand.stage.wait(1)
            hand.stage.touch(sheet.ids.bundles.children[0])
            assert hand.asked[-1] == TakeRelease(device="/dev/sda1", file="x.bundle", referee=gated)
            app.sheets.close()
            app.leave_setting_up()
    finally:
        app.release_view = None


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

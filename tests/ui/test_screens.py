"""Every screen in every phase and size: it draws, its keys are large, apart and within the window."""

import importlib.util
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.table.events.codec import decode

pytestmark = pytest.mark.slow


def beside(name: str) -> Any:
    """A module beside this one."""
    spec = importlib.util.spec_from_file_location(f"ui_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


views, measure = beside("views"), beside("measure")

SIZES = [(800, 480), (1280, 800)]


@pytest.fixture(scope="module", params=SIZES, ids=["800x480", "1280x800"])
def size(request: Any, window: Any) -> Any:
    stage = window[0]
    stage.size(*request.param)
    yield request.param
    stage.size(*SIZES[0])


@pytest.fixture
def sized(size: Any, hand: Any) -> Any:
    return hand


def check(root: Any, least_mm: float = measure.NEAR_MM) -> None:
    """Targets are large and apart, words large, whole and clear."""
    measure.check_targets(root)
    measure.check_type(root, least_mm)
    measure.check_whole(root)
    from kivy.core.window import Window

    if least_mm >= measure.CLOSE_MM and tuple(Window.size) == SIZES[0]:  # offscreen, a larger window is not all drawn
        measure.check_contrast(root)


@pytest.fixture(scope="module", params=["de", "en"])
def module_language(request: Any) -> Any:
    """A language for all tests of a size in a row: to change it all screens are written anew."""
    return request.param


@pytest.fixture
def spoken(module_language: str, sized: Any) -> Any:
    """The hand at a screen of each size, in each language."""
    assert sized.app.language == module_language
    return sized


LONG_NAMES = (
    "Hans Maier-Leibnitz von der Au",
    "Maximiliane-Alexandra",
    "Bartholomäus Schwarzenberger",
    "Li",
    "An-Na Ü",
)


@pytest.mark.parametrize("phase", views.PHASES)
def test_long_names_leave_every_word_whole(sized: Any, phase: str) -> None:
    view = views.PHASES[phase]()
    people = tuple(replace(seat, name=name, total=-123) for seat, name in zip(view.seats, LONG_NAMES, strict=False))
    sized.show(replace(view, seats=people))
    sized.app.go("play")
    sized.stage.step(2)
    check(sized.app.root)
    names = [panel.name for panel in sized.app.screen("play").panels.values()]
    assert all(names) and len(set(names)) == len(names)


@pytest.mark.parametrize("phase", views.PHASES)
def test_what_is_read_from_every_chair(sized: Any, phase: str) -> None:
    """Names, score, words said and the clock; whose turn it is stands beside the name, and is a frame and a sign."""
    sized.show(views.PHASES[phase]())
    sized.app.go("play")
    sized.stage.step(2)
    play, rail = sized.app.screen("play"), sized.app.root.rail
    for panel in play.panels.values():
        far = {text for text in (panel.name, panel.total, panel.said) if text}
        found = {one.text: measure.smallest_capitals_mm(one) for one in measure.labels(panel) if one.text in far}
        assert found.keys() == far and min(found.values()) >= measure.FAR_MM, found
        signs = [measure.bare(one.text) for one in measure.labels(panel) if measure.bare(one.text) in "▶!"]
        assert signs == (["!"] if panel.breach else ["▶"] if panel.turn else [])
    clock = next(one for one in measure.labels(rail) if rail.time in one.text)
    assert measure.capitals_mm(clock, clock.font_size) >= measure.FAR_MM


@pytest.mark.parametrize("phase", views.PHASES)
def test_a_phase_on_the_table(spoken: Any, phase: str) -> None:
    spoken.show(views.PHASES[phase]())
    spoken.app.go("play")
    spoken.stage.step(2)
    check(spoken.app.root)


SHEETS = views.SHEETS


def test_every_sheet_is_looked_at(hand: Any) -> None:
    from kiosk.ui.sheets import KINDS

    assert {*SHEETS, *views.OTHER_SHEETS} == set(KINDS)


@pytest.mark.parametrize("kind", SHEETS)
def test_a_sheet(spoken: Any, kind: str) -> None:
    sized = spoken
    phase, what = SHEETS[kind]
    sized.show(views.PHASES[phase]())
    sized.app.sheets.open(kind, **what)
    sized.stage.step(3)
    check(sized.app.sheets.current)
    sized.stage.touch_at(3, 3)
    assert sized.app.sheets.current is None, "a touch beside the sheet closes it"


@pytest.mark.parametrize("kind", views.OTHER_SHEETS)
def test_a_sheet_while_nobody_sits(spoken: Any, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from kiosk.ui.enrol.enrol_view import EnrolView

    monkeypatch.setattr(spoken.app, "kept_names", SimpleNamespace(names=LONG_NAMES, keep=lambda names: None))
    asks = EnrolView("K7QF2MTX", "http://stichwart-leitung.local:8377", "refused", "unknown")
    monkeypatch.setattr(spoken.app, "enrolling", asks)
    spoken.app.sheets.open(kind, **views.OTHER_SHEETS[kind])
    spoken.stage.step(3)
    check(spoken.app.sheets.current, measure.CLOSE_MM)


def test_a_table_on_its_own(sized: Any) -> None:
    from kiosk.ui import SeatsView

    before = sized.app.seating
    try:
        new = SeatsView(alone=True, new=True, evening="2026-11-22")
        for seating in (new, SeatsView(alone=True, evening="turnier")):
            sized.app.sit_down(seating)
            sized.stage.step(3)
            check(sized.app.screen("seats"), measure.CLOSE_MM)
        sized.show(replace(views.PHASES["full_list"](), closed=True, evening="2026-11-22 Vereinsabend"))
        sized.app.go("list")
        sized.stage.step(3)
        check(sized.app.root)
    finally:
        sized.app.show(None)
        sized.app.sit_down(before)
        sized.stage.step(3)


def test_the_earlier_rounds(sized: Any) -> None:
    from kiosk.table.evenings import RoundKey
    from kiosk.ui.earlier.earlier_view import EarlierView, RoundLine

    key = RoundKey(evening="2026-11-22", table=1, round=1)
    sized.app.earlier_rounds()
    line = RoundLine(key=key, rules="bsv", players=views.NAMES[:4], handed_in=True, up=False)
    sized.app.rounds((line,) * 7)
    sized.stage.step(3)
    check(sized.app.screen("earlier"))
    view = views.PHASES["full_list"]()
    sized.app.earlier(EarlierView(key=key, view=view, may_resume=True, may_follow=True))
    sized.stage.step(3)
    check(sized.app.screen("earlier"))


def test_every_word_about_a_stick(spoken: Any) -> None:
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
            check(spoken.app.sheets.current)
    finally:
        spoken.app.sheets.close()
        spoken.app.stick_view = None


def of_book(rules: str, *events: dict[str, Any], players: int = 4) -> Any:
    """The view of a table of that book after these events, dealt by seat 1."""
    from kiosk.table.round.fold import fold
    from kiosk.table.view.show import view

    opened = {"event": "open", "format": 1, "rules": rules, "players": list(views.NAMES[:players])}
    return view(fold(map(decode, [opened, {"event": "release"}, {"event": "deal", "dealer": 1}, *events])))


def said(*words: str) -> list[dict[str, Any]]:
    return [{"event": "call", "seat": seat, "call": word} for seat, word in zip((2, 3, 4, 1), words, strict=False)]


ONE_PLAYS = said("spielen", "recht", "recht", "recht")
TOUT = {"event": "bid", "seat": 2, "class": "wenz-tout"}
WENZ = {"event": "declare", "seat": 2, "game": "wenz"}
MARRIED = [*said("gesund", "gesund", "gesund", "vorbehalt"), {"event": "declare", "seat": 1, "game": "hochzeit"}]
OBJECTED = {"event": "object", "seat": 3, "against": 2}
CLUBS = [{"event": "card", "seat": seat, "card": card} for seat, card in ((2, "CA"), (3, "CK"), (4, "CT"))]

#: Sheets of the other books: what is shown, which sheet, what is done on it first.
OF_BOOKS = {
    "leave": ("schaffkopf", [*ONE_PLAYS, TOUT], 4, "direction", {}, None),
    "32 cards": ("schaffkopf", [*ONE_PLAYS, WENZ], 4, "lay", {"seat": 2}, None),
    "the order of a claim": ("schaffkopf", [*ONE_PLAYS, WENZ], 4, "claim", {"seat": 2}, None),
    "who shortens": ("schaffkopf", [*ONE_PLAYS, WENZ], 4, "who", {"choices": "claim", "title": "claim_who"}, None),
    "rulings of schaffkopf": ("schaffkopf", [*ONE_PLAYS, WENZ, OBJECTED], 4, "ruling", {}, None),
    "face down": ("durchgaenge", [*MARRIED, *CLUBS], 4, "lay", {"seat": 1}, None),
    "points and euros at five": (
        "schnittchen", [OBJECTED], 5, "ruling", {}, lambda sheet: sheet.choose_grade("custom")),
    "points that the referee sets": ("bsv", [OBJECTED], 4, "ruling", {}, lambda sheet: sheet.choose_grade("serious")),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_BOOKS)
def test_a_sheet_of_another_book(spoken: Any, name: str) -> None:
    sized = spoken
    rules, events, players, kind, what, first = OF_BOOKS[name]
    sized.show(of_book(rules, *events, players=players))
    sized.app.sheets.open(kind, **what)
    sized.stage.step(3)
    if first is not None:
        first(sized.app.sheets.current)
    sized.stage.step(3)
    check(sized.app.sheets.current)


#: What unfolds at a seat: the book, the players, what happened, and at whom.
UNFOLDED = {
    "calls": ("eppstein", 4, said("gesund", "gesund", "gesund", "gesund"), "calls"),
    "calls at five": ("eppstein", 5, [], "calls"),
    "calls of durchgaenge": ("durchgaenge", 4, MARRIED, "said"),
    "games of eppstein": ("eppstein", 4, said("vorbehalt", "vorbehalt", "vorbehalt", "vorbehalt"), "declare"),
    "games of bsv": ("bsv", 4, said("vorbehalt", "gesund", "gesund", "gesund"), "declare"),
    "Rufspiel to Sie": ("schaffkopf", 4, ONE_PLAYS, "declare"),
    "Rufspiel ahead": ("schaffkopf", 4, [], "declare"),
    "Muss-Spiel": ("schaffkopf", 4, said("weiter", "weiter", "weiter", "weiter"), "declare"),
    "bids": ("schaffkopf", 4, said("spielen", "auch", "recht", "recht"), "bid"),
    "answers": ("eppstein", 4, said("gesund"), "answers"),
    "shortening": ("schaffkopf", 4, [*ONE_PLAYS, WENZ], "claim"),
}


@pytest.mark.parametrize("flat", [False, True], ids=["upright", "flat"])
@pytest.mark.parametrize("name", UNFOLDED)
def test_what_unfolds_stays_in_its_seats_own_area(sized: Any, name: str, flat: bool) -> None:
    """All seats choose at once; no choice covers another seat's keys, and every page has large ones."""
    from kiosk.ui.parts.places import ScreenPlace

    rules, players, events, kind = UNFOLDED[name]
    before = sized.app.place
    try:
        sized.app.place = ScreenPlace(flat=flat)
        sized.show(of_book(rules, *events, players=players))
        play = sized.app.screen("play")
        for seat in sized.app.view.seats:
            play.unfold(seat.seat, kind)
        sized.stage.step(3)
        assert play._unfolded
        for seat, holder in play._unfolded.items():
            room = play._areas[seat].room
            x, y, width, height = measure.in_window(holder.content)
            x0, y0 = play.ids.area.to_window(room.x, room.y)
            assert x >= x0 - 1 and x + width <= x0 + room.width + 1, seat
            assert y >= y0 - 1 and y + height <= y0 + room.height + 1, seat
            seen: set[Any] = set()
            for _ in range(9):
                keys = holder.content.ids.choices.children
                new = {key.meaning for key in keys} - seen
                if not new:  # the first page again
                    break
                check(holder)
                seen |= new
                turn = next((key for key in keys if key.meaning == ("page",)), None)
                if turn is None:
                    break
                sized.stage.touch(turn)
            assert len(seen - {("page",), ("close",)}) == len(holder.content._faces), "every choice is on some page"
    finally:
        for seat in list(play._unfolded):
            play.fold(seat)
        sized.app.place = before


def test_the_referees_code_and_the_keyboard_have_large_keys(sized: Any) -> None:
    sized.app.sheets.open("name", seat=2)
    sized.stage.step(2)
    check(sized.app.sheets.current)
    sized.app.gate = "code"
    sized.show(views.resting())
    sized.app.sheets.open("referee")
    sized.stage.step(2)
    check(sized.app.sheets.current)


def test_the_hardware_page(sized: Any) -> None:
    from kiosk.ui.hardware.hardware_view import HardwareView, PartView

    names = ("display", "referee_lamp", "buzzer", "button", *(f"lamp {seat}" for seat in range(1, 6)))
    others = ("loudspeaker", "scanner", "pads", "camera", "network", "power", "temperature", "disk", "code")
    parts = tuple(PartView(name=name, state="gone", code="no_loudspeaker") for name in (*names, *others))
    sized.app.open_hardware()
    sized.app.hardware(HardwareView(parts=parts, about="Stichwart"))
    sized.stage.step(3)
    sized.app.screen("hardware").touch("loudspeaker")
    sized.stage.step(2)
    check(sized.app.root, measure.CLOSE_MM)
    sized.app.hardware_done()


@pytest.mark.parametrize("players", [4, 5])
def test_the_seats(sized: Any, players: int) -> None:
    if players == 5:
        sized.touch("Fünfter Platz")
    sized.stage.step(2)
    check(sized.app.root, measure.CLOSE_MM)


@pytest.mark.parametrize("screen", ["list", "clock"])
def test_list_and_clock(sized: Any, screen: str) -> None:
    sized.show(views.over())
    sized.app.go(screen)
    sized.stage.step(2)
    check(sized.app.root)


def test_the_list_shows_what_eppstein_asks_for(hand: Any) -> None:
    """eppstein 6.3.5: cumulated, the dealer recognisable, who played a solo."""
    view = views.full_list()
    hand.show(view)
    hand.app.go("list")
    hand.stage.step(2)
    rows = hand.app.screen("list")._rows
    assert [[cell.text for cell in row.cells.values()] for row in rows] == [
        [str(n) for n in row.total] for row in view.rows
    ]
    assert [[cell.dealer for cell in row.cells.values()].index(True) + 1 for row in rows] == [
        row.dealer for row in view.rows
    ]
    assert rows[3].cells[1].solo and "Damensolo" in rows[3].kind and not rows[3].cells[0].solo
    assert rows[5].open and not rows[4].open
    hand.show(replace(view, rows=(*view.rows[:-1], replace(view.rows[-1], void=True))))
    assert rows[-1].points == "–" and rows[-1].kind == "zählt nicht"


@pytest.mark.parametrize("phase", ["full_list", "over"])
def test_a_list_that_scrolls_begins_with_a_whole_row(spoken: Any, phase: str) -> None:
    spoken.show(views.PHASES[phase]())
    spoken.app.go("list")
    spoken.stage.step(3)
    screen = spoken.app.screen("list")
    _, below, _, height = measure.in_window(screen.ids.scroll)
    tops = [sum(measure.in_window(row)[1::2]) for row in screen._rows]
    assert screen.ids.rows.height > height, "it scrolls"
    assert min(abs(top - (below + height)) for top in tops) < 1
    assert measure.in_window(screen._rows[-1])[1] >= below - 1, "the newest is seen"


@pytest.mark.parametrize("bid", ["wenz-tout", "solo-tout"])
def test_a_long_word_in_a_side_panel_breaks_at_its_hyphen(spoken: Any, bid: str) -> None:
    view = views.bidding()
    people = tuple(replace(seat, bid=bid, answer="spielen") for seat in view.seats)
    spoken.show(replace(view, seats=people))
    spoken.app.go("play")
    spoken.stage.step(2)
    check(spoken.app.root)


def test_the_clock_goes_on_between_views(hand: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import kiosk.ui.parts.clock

    hand.show(views.playing())
    assert hand.app.root.rail.time == "1:12:52"
    at = hand.app.view_at + 62.0
    monkeypatch.setattr(kiosk.ui.parts.clock.time, "monotonic", lambda: at)
    hand.app.tick()
    assert hand.app.root.rail.time == "1:11:50"
    hand.app.view_at = at - 4372.0 - 35.5
    hand.app.tick()
    assert hand.app.root.rail.time == "+0:35" and hand.app.root.rail.tone == "over"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(7200.0, "2:00:00"), (3599.2, "1:00:00"), (59.01, "1:00"), (0.4, "0:01"), (0.0, "0:00"), (-1.5, "+0:01")],
)
def test_clock_text(window: Any, seconds: float, text: str) -> None:
    from kiosk.ui.parts.clock import clock_text

    assert clock_text(seconds) == text


def test_the_same_view_again_touches_nothing(hand: Any) -> None:
    from kivy.uix.label import Label

    view = views.playing()
    hand.show(view)
    labels = [widget for widget in hand.app.root.walk() if isinstance(widget, Label)]
    before = [(id(label), id(label.texture)) for label in labels]
    hand.show(replace(view, events=view.events + 1))
    after = [(id(widget), id(widget.texture)) for widget in hand.app.root.walk() if isinstance(widget, Label)]
    assert after == before


def test_a_view_with_nothing_new_to_see_lays_nothing_out_and_writes_nothing(
    hand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kivy.uix.label import Label

    view = views.playing()
    hand.show(view)
    written: list[str] = []
    update = Label.texture_update
    monkeypatch.setattr(Label, "texture_update", lambda label, *now: (written.append(label.text), update(label, *now)))
    moved: list[Any] = []
    for widget in hand.app.screen("play").walk(restrict=True):
        widget.bind(pos=lambda one, _: moved.append(one), size=lambda one, _: moved.append(one))
    hand.show(replace(view, events=view.events + 1))
    assert (written, moved) == ([], [])


def test_a_message_stands_in_the_middle_of_its_plate(hand: Any) -> None:
    hand.show(views.playing())
    plate = hand.app.screen("play").ids.messages.plate("next")
    assert plate.ids.label.center_x == pytest.approx(plate.center_x, abs=0.6)


def test_views_of_other_threads_are_shown_in_order_and_only_the_last(hand: Any) -> None:
    import threading

    drawn: list[int] = []
    real = hand.app.draw
    hand.app.draw = lambda view: (drawn.append(view.events), real(view))
    view = views.playing()
    hand.show(view)
    drawn.clear()
    worker = threading.Thread(target=lambda: [hand.app.show(replace(view, events=n)) for n in range(100, 150)])
    worker.start()
    worker.join()
    hand.stage.step(2)
    hand.app.draw = real
    assert drawn == [149]


def test_a_notice_stays_until_it_is_taken_back(hand: Any) -> None:
    hand.show(views.playing())
    shown = hand.app.screen("play").ids.messages
    hand.app.notice("scanner", "Scanner fehlt")
    hand.stage.step(2)
    assert shown.text == "Scanner fehlt"
    hand.app.notice("camera", "camera 'v4l2:/dev/video9': there is no /dev/video9")
    hand.stage.step(2)
    assert shown.text == "Scanner fehlt\nDie Kamera fehlt: Karten bitte antippen"
    hand.stage.touch(shown.more)
    hand.stage.touch(hand.stage.find(type(shown.plate("camera")), text="Die Kamera fehlt: Karten bitte antippen"))
    assert hand.app.refusal.opacity == 1 and "/dev/video9" in hand.app.refusal.text
    for kind in ("scanner", "camera"):
        hand.app.notice(kind, "")
    hand.stage.step(2)
    assert "Anna legt" in shown.text


def test_a_notice_leaves_the_keys_in_the_middle_alone(hand: Any) -> None:
    hand.show(views.dealing())
    play = hand.app.screen("play")
    hand.app.notice("scanner", "Scanner fehlt")
    hand.stage.step(2)
    assert play.ids.messages.plate("scanner").top <= play.ids.middle.y + 1


def test_a_blind_camera_is_named(hand: Any) -> None:
    for why in ("camera", "dark", "mat", "covered"):
        hand.show(replace(views.playing(), blind=why))
        assert "antippen" in hand.app.screen("play").ids.messages.text


def test_a_solo_that_was_lost(hand: Any) -> None:
    view = views.scored()
    lost = replace(view.result, re=(3,), won_by="kontra", kind="damensolo", declarer=3, points=(90, 150))
    hand.show(replace(view, result=lost))
    assert hand.app.screen("play").ids.middle.title == "Cem verliert"
    hand.show(replace(view, result=replace(view.result, won_by=None)))
    assert hand.app.screen("play").ids.middle.title == "Niemand gewinnt"


def test_a_soloist_gets_three_times_the_value(hand: Any) -> None:
    view = views.scored()
    won = replace(view.result, game=5, re=(3,), won_by="re", kind="damensolo", declarer=3, score=(0, 0, 6, 0))
    rows = (*view.rows[:-1], replace(view.rows[-1], points=2))
    hand.show(replace(view, result=won, rows=rows))
    body = hand.app.screen("play").ids.middle.body
    assert "= [b]2,[/b]" in body and body.endswith("Cem [b]×3[/b]")


def test_no_line_of_the_result_begins_with_a_comma_or_a_number(hand: Any) -> None:
    """Kivy breaks a line where markup begins or ends."""
    hand.show(views.scored())
    body = hand.app.screen("play").ids.middle.body
    reasons, _, written = body.partition(" [color")
    assert "Fuchs gefangen\u00a0+1,  " in reasons and "[" not in reasons
    assert "[/color]  " in written


def test_names_are_shown_as_written(hand: Any) -> None:
    view = views.playing()
    people = (replace(view.seats[0], name="[b]Ann & Co"), *view.seats[1:])
    hand.show(replace(view, seats=people))
    from kivy.core.text.markup import MarkupLabel

    shown = MarkupLabel(hand.app.screen("play").panels[1].name).markup
    assert "".join(shown).replace("&bl;", "[").replace("&br;", "]").replace("&amp;", "&") == "[b]Ann & Co"


def test_the_lesson(sized: Any) -> None:
    import cv2
    import numpy

    from vision.messages import LessonState, LessonStep

    picture = cv2.imencode(".jpg", numpy.zeros((90, 160, 3), numpy.uint8))[1].tobytes()
    quad = ((10.0, 10.0), (50.0, 10.0), (50.0, 70.0), (10.0, 70.0))
    state = LessonState(
        asked="HQ", verdict="same", learned=("CA",), total=24, rival="DQ", picture=picture, outline=quad
    )
    sized.app.lesson(LessonStep(at=0.0, state=state, picture=picture))
    sized.stage.step(3)
    screen = sized.app.screen("lesson")
    assert sized.app.current == "lesson" and screen.ids.card.card == "HQ" and len(screen.outline) == 8
    check(sized.app.root, measure.SETTING_UP_MM)
    sized.touch("Letzte noch einmal")
    assert sized.sent == [{"event": "lesson", "do": "back"}]
    sized.app.lesson(None)
    sized.stage.step(2)
    assert sized.app.current == "camera"
    check(sized.app.root, measure.SETTING_UP_MM)


def test_every_verdict_of_the_lesson_has_words() -> None:
    from kiosk.language import has, words

    assert [verdict for verdict in words("verdicts") if not has("setup", f"lesson_{verdict}")] == []


def test_the_strip_draws_lamps_and_display(hand: Any) -> None:
    from kiosk.ui.rail.strip import Strip

    strip = Strip()
    strip.show(
        {"display": "72:52", "lamps": {1: "turn", 2: "off", 3: "breach", 4: "off"}, "referee": True, "buzzer": False}
    )
    lamps = {lamp.text: lamp.state for lamp in strip.ids.lamps.children}
    assert lamps == {"1": "turn", "2": "off", "3": "breach", "4": "off"}
    assert strip.display == "72:52" and strip.referee and not strip.buzzer


def test_a_window_that_gets_its_size_late_is_drawn_anew(hand: Any) -> None:
    from kivy.core.window import Window

    hand.show(views.playing())
    hand.app.go("list")
    Window.size = SIZES[1]
    hand.app.fit_window()
    hand.stage.step(3)
    assert hand.app.current == "list" and hand.app.root.width == SIZES[1][0]
    Window.size = SIZES[0]
    hand.app.fit_window()
    hand.stage.step(3)
    assert hand.app.root.width == SIZES[0][0]


def test_the_finished_lesson_names_faces_that_are_alike(sized: Any) -> None:
    from vision.messages import ConfusablePair, LessonState, LessonStep

    done = LessonState(asked=None, verdict="done", learned=("HJ", "DJ"), total=2)
    sized.app.lesson(LessonStep(at=0.0, state=done, pairs=(ConfusablePair(0.21, 0.1, "HJ", "DJ"),)))
    sized.stage.step(3)
    screen = sized.app.screen("lesson")
    assert "Abstand 0,21" in screen.advice
    check(sized.app.root, measure.SETTING_UP_MM)
    sized.touch("noch einmal zeigen")
    assert sized.sent.pop() == {"event": "lesson", "do": "again", "labels": ["HJ", "DJ"]}
    sized.app.lesson(LessonStep(at=0.0, state=done))
    sized.stage.step(2)
    assert screen.again == "" and "gut zu unterscheiden" in screen.advice
    sized.touch("Fertig")
    assert sized.sent == [{"event": "lesson", "do": "stop"}]


def test_that_a_card_is_learned_stays_long_enough_to_be_read(hand: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import kiosk.ui.camera.lesson
    from vision.messages import LessonState, LessonStep

    now = 100.0
    monkeypatch.setattr(kiosk.ui.camera.lesson.time, "monotonic", lambda: now)
    screen = hand.app.screen("lesson")
    screen.show(LessonStep(at=0.0, state=LessonState(asked="CA", verdict="reading", learned=(), total=24)))
    screen.show(LessonStep(at=0.0, state=LessonState(asked="CT", verdict="next", learned=("CA",), total=24)))
    assert screen.verdict == "Gelernt!"
    now += 2
    screen.show(LessonStep(at=0.0, state=LessonState(asked="CT", verdict="next", learned=("CA",), total=24)))
    assert screen.verdict.startswith("Die kenne ich")


@pytest.mark.parametrize("players", [(), ("Anna",), tuple("ABCDE")], ids=["nobody", "one", "five"])
def test_the_seats_of_the_configuration(hand: Any, players: tuple[str, ...]) -> None:
    from kiosk.ui import SeatsView
    from kiosk.ui.seats.seats_screen import SeatsScreen

    before, hand.app.seating = hand.app.seating, SeatsView(players=players)
    try:
        screen = SeatsScreen(hand.app)
        screen.show()
    finally:
        hand.app.seating = before
    assert len(screen.names) == max(4, len(players))
    assert screen.ready == (len(players) == 5)

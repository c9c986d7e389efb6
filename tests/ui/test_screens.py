"""Every screen in every phase and size: it draws, its keys are large, apart and within the window."""

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"ui_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


views, LONG_NAMES = _load("views"), _load("moments").LONG_NAMES

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("phase", views.PHASES)
def test_long_names_leave_every_word_whole(spoken: Any, phase: str, measure: Any) -> None:
    view = views.PHASES[phase]()
    people = tuple(replace(seat, name=name, total=-123) for seat, name in zip(view.seats, LONG_NAMES, strict=False))
    spoken.show(replace(view, seats=people))
    spoken.app.go("play")
    spoken.stage.step(2)
    measure.check(spoken.app.root)
    names = [panel.name for panel in spoken.app.screen("play").panels.values()]
    assert all(names) and len(set(names)) == len(names)


@pytest.mark.parametrize("phase", views.PHASES)
def test_a_phase_on_the_table(spoken: Any, phase: str, measure: Any) -> None:
    spoken.show(views.PHASES[phase]())
    spoken.app.go("play")
    spoken.stage.step(2)
    measure.check(spoken.app.root)
    check_far(spoken.app, measure)


def check_far(app: Any, measure: Any) -> None:
    """Check what is read from every chair: names, score, words said and the clock.

    Whose turn it is stands beside the name, and is a frame and a sign.
    """
    play, rail = app.screen("play"), app.root.rail
    for panel in play.panels.values():
        far = {text for text in (panel.name, panel.total, panel.said) if text}
        found = {one.text: measure.smallest_capitals_mm(one) for one in measure.labels(panel) if one.text in far}
        assert found.keys() == far and min(found.values()) >= measure.FAR_MM, found
        signs = [measure.bare(one.text) for one in measure.labels(panel) if measure.bare(one.text) in "▶!"]
        assert signs == (["!"] if panel.breach else ["▶"] if panel.turn else [])
    clock = next(one for one in measure.labels(rail) if rail.time in one.text)
    assert measure.capitals_mm(clock, clock.font_size) >= measure.FAR_MM


def test_a_table_on_its_own(sized: Any, measure: Any) -> None:
    from kiosk.ui import SeatsView

    before = sized.app.seating
    try:
        new = SeatsView(alone=True, new=True, evening="2026-11-22")
        for seating in (new, SeatsView(alone=True, evening="turnier")):
            sized.app.sit_down(seating)
            sized.stage.step(3)
            measure.check(sized.app.screen("seats"), measure.CLOSE_MM)
        sized.show(replace(views.PHASES["full_list"](), closed=True, evening="2026-11-22 Vereinsabend"))
        sized.app.go("list")
        sized.stage.step(3)
        measure.check(sized.app.root)
    finally:
        sized.app.show(None)
        sized.app.sit_down(before)
        sized.stage.step(3)


def test_the_earlier_rounds(sized: Any, measure: Any) -> None:
    from kiosk.table.evenings import RoundKey
    from kiosk.ui.earlier.earlier_view import EarlierView, RoundLine

    key = RoundKey(evening="2026-11-22", table=1, round=1)
    sized.app.earlier_rounds()
    line = RoundLine(key=key, rules="bsv", players=views.NAMES[:4], handed_in=True, up=False)
    sized.app.rounds((line,) * 7)
    sized.stage.step(3)
    measure.check(sized.app.screen("earlier"))
    view = views.PHASES["full_list"]()
    sized.app.earlier(EarlierView(key=key, view=view, may_resume=True, may_follow=True))
    sized.stage.step(3)
    measure.check(sized.app.screen("earlier"))


def test_the_referees_code_and_the_keyboard_have_large_keys(sized: Any, measure: Any) -> None:
    sized.app.sheets.open("name", seat=2)
    sized.stage.step(2)
    measure.check(sized.app.sheets.current)
    sized.app.gate = "code"
    sized.show(views.resting())
    sized.app.sheets.open("referee")
    sized.stage.step(2)
    measure.check(sized.app.sheets.current)


def test_the_hardware_page(spoken: Any, measure: Any) -> None:
    from kiosk.ui.hardware.hardware_view import HardwareView, PartView

    names = ("display", "referee_lamp", "buzzer", "button", *(f"lamp {seat}" for seat in range(1, 6)))
    others = ("loudspeaker", "scanner", "pads", "camera", "network", "power", "temperature", "disk", "release", "code")
    parts = tuple(PartView(name=name, state="gone", code="no_loudspeaker") for name in (*names, *others))
    spoken.app.open_hardware()
    spoken.app.hardware(HardwareView(parts=parts, about="Stichwart"))
    spoken.stage.step(3)
    spoken.app.screen("hardware").touch("loudspeaker")
    spoken.stage.step(2)
    measure.check(spoken.app.root, measure.CLOSE_MM)
    keys = [measure.bare(text).split("\n")[0] for text, _ in measure.targets(spoken.app.root)]
    assert len(set(keys)) == len(keys) > 15, "each key is named by what it does"
    spoken.app.leave_setting_up()


@pytest.mark.parametrize("players", [4, 5])
def test_the_seats(sized: Any, players: int, measure: Any) -> None:
    if players == 5:
        sized.touch("Fünfter Platz")
    sized.stage.step(2)
    measure.check(sized.app.root, measure.CLOSE_MM)


@pytest.mark.parametrize("screen", ["list", "clock"])
def test_list_and_clock(sized: Any, screen: str, measure: Any) -> None:
    sized.show(views.over())
    sized.app.go(screen)
    sized.stage.step(2)
    measure.check(sized.app.root)


def test_the_list_shows_what_eppstein_asks_for(hand: Any) -> None:
    """eppstein 6.3.5: cumulated, the dealer recognisable, who played a solo."""
    view = views.full_list()
    hand.show(view)
    hand.app.go("list")
    hand.stage.step(2)
    screen = hand.app.screen("list")
    rows = screen.rows.seen
    looked_at = set()
    for part in (1, 0):
        screen.ids.scroll.scroll_y = part
        hand.stage.step(2)
        for place, row in rows.items():
            wanted = view.rows[place]
            assert [cell.text for cell in row.cells.values()] == [str(n) for n in wanted.total]
            assert [cell.dealer for cell in row.cells.values()].index(True) + 1 == wanted.dealer
            assert row.open == wanted.open
            assert row.cells[1].solo == (wanted.alone == 2) and ("Damensolo" in row.kind) == (place == 3)
            looked_at.add(place)
    assert looked_at == set(range(len(view.rows)))
    assert view.rows[3].alone == 2 and view.rows[5].open
    hand.show(replace(view, rows=(*view.rows[:-1], replace(view.rows[-1], void=True))))
    newest = rows[len(view.rows) - 1]
    assert newest.points == "–" and newest.kind == "zählt nicht"


@pytest.mark.parametrize("phase", ["full_list", "over"])
def test_a_list_that_scrolls_begins_with_a_whole_row(spoken: Any, phase: str, measure: Any) -> None:
    spoken.show(views.PHASES[phase]())
    spoken.app.go("list")
    spoken.stage.step(3)
    screen = spoken.app.screen("list")
    _, below, _, height = measure.in_window(screen.ids.scroll)
    tops = [sum(measure.in_window(row)[1::2]) for row in screen.rows.seen.values()]
    assert screen.rows.height > height, "it scrolls"
    assert min(abs(top - (below + height)) for top in tops) < 1
    newest = screen.rows.seen[len(spoken.app.view.rows) - 1]
    assert measure.in_window(newest)[1] >= below - 1, "the newest is seen"


@pytest.mark.parametrize("bid", ["wenz-tout", "solo-tout"])
def test_a_long_word_in_a_side_panel_breaks_at_its_hyphen(spoken: Any, bid: str, measure: Any) -> None:
    view = views.bidding()
    people = tuple(replace(seat, bid=bid, answer="spielen") for seat in view.seats)
    spoken.show(replace(view, seats=people))
    spoken.app.go("play")
    spoken.stage.step(2)
    measure.check(spoken.app.root)


@pytest.mark.parametrize("away", ["seats", "hardware"])
def test_the_table_is_not_laid_out_while_people_are_away(hand: Any, away: str) -> None:
    """Without the rail a screen is wider: neither who leaves the table nor who comes back waits for it twice."""
    hand.show(views.playing())
    hand.app.go("play")
    hand.stage.step(3)
    rail, laid_out = hand.app.root.rail, []
    screens = {name: hand.app.screen(name) for name in ("play", "list", "seats", "hardware")}
    bound = [(one, one.fbind("size", lambda name, *_: laid_out.append(name), name)) for name, one in screens.items()]
    wide, narrow = tuple(hand.app.root.ids.stage.size), tuple(hand.app.screen("play").size)
    for screen, size in ((away, (wide[0] + rail.width, wide[1])), ("play", narrow)):
        hand.app.go(screen)
        hand.stage.step(3)
        assert tuple(hand.app.screen(screen).size) == size
        assert (rail.parent is None, rail.hidden) == (screen == away,) * 2
        assert not hand.app.root.ids.screens.transition.is_active
    for screen, number in bound:
        screen.unbind_uid("size", number)
    assert set(laid_out) <= {away}


def test_a_screen_that_is_left_is_told(hand: Any) -> None:
    """The hardware page asks for its parts until it is left."""
    from kiosk.ui.hardware.hardware_view import ShowHardware

    hand.show(views.playing())
    hand.app.open_hardware()
    hand.stage.step()
    hand.asked.clear()
    hand.app.leave_setting_up()
    assert hand.asked == [ShowHardware(False)]
    hand.stage.step(3)
    assert hand.asked == [ShowHardware(False)], "once"


def test_a_window_that_gets_its_size_late_is_drawn_anew(hand: Any) -> None:
    from kivy.core.window import Window

    hand.show(views.playing())
    hand.app.go("list")
    Window.size = (1280, 800)
    hand.app.fit_window()
    hand.stage.step(3)
    assert hand.app.current == "list" and hand.app.root.width == 1280
    Window.size = (800, 480)
    hand.app.fit_window()
    hand.stage.step(3)
    assert hand.app.root.width == 800


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

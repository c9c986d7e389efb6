"""The word of a flash covers nothing that is read or touched, but what the rail says of the game."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from kiosk.language import words

pytestmark = [pytest.mark.render, pytest.mark.slow]


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"ui_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


views = _load("views")


def check_flash(hand: Any, measure: Any, keys: bool = True, turn: int | None = None) -> None:
    """Check each signal's word on the screen as it is; ``keys``: it covers no part of a key either.

    :param turn: only every other signal, by turns.
    """
    app = hand.app
    important = [
        (measure.bare(one.text), measure.words_in_window(one))
        for one in measure.labels(app.root)
        if one not in list(app.root.rail.ids.info.walk(restrict=True))
    ]
    important += measure.targets(app.root) if keys else []
    assert len(important) > 5
    for signal in [*words("signals")][slice(None) if turn is None else slice(turn % 2, None, 2)]:
        app.flash(signal)
        hand.stage.step(2)
        plate = app.root.flash.ids.plate
        assert plate.text == app.root.flash.word and not measure.cut(plate)
        assert measure.capitals_mm(plate, plate.font_size) >= measure.NEAR_MM
        x, y, width, height = measure.in_window(plate)
        assert x >= 0 and y >= 0 and x + width <= app.root.right and y + height <= app.root.top
        for text, (left, low, across, up) in important:
            apart = x >= left + across or left >= x + width or y >= low + up or low >= y + height
            assert apart, f"{signal} covers {text!r}"
    app.root.flash.end()


@pytest.mark.parametrize("phase", views.PHASES)
def test_at_the_table(spoken: Any, phase: str, measure: Any) -> None:
    """Half of the signals at each size, by turns: each pair of phase, signal, language and size is there."""
    spoken.show(views.PHASES[phase]())
    spoken.app.go("play")
    spoken.stage.step(2)
    check_flash(spoken, measure, turn=[*views.PHASES].index(phase) // 2 + (spoken.app.root.width > 800))


@pytest.mark.parametrize("screen", ["list", "clock"])
def test_on_another_screen_with_the_rail(sized: Any, screen: str, measure: Any) -> None:
    sized.show(views.full_list())
    sized.app.go(screen)
    sized.stage.step(2)
    check_flash(sized, measure)


@pytest.mark.parametrize("sheet", ["more", "correct", "spoken"])
def test_over_a_sheet(spoken: Any, sheet: str, measure: Any) -> None:
    phase, what = views.SHEETS[sheet]
    spoken.show(views.PHASES[phase]())
    spoken.app.sheets.open(sheet, **what)
    spoken.stage.step(2)
    check_flash(spoken, measure)


@pytest.mark.parametrize("screen", ["seats", "camera"])
def test_where_there_is_no_rail(sized: Any, screen: str, measure: Any) -> None:
    sized.app.go(screen)
    sized.stage.step(2)
    check_flash(sized, measure)


def test_where_keys_are_everywhere_no_word_is_covered(hand: Any, measure: Any) -> None:
    from kiosk.table.evenings import RoundKey
    from kiosk.ui.earlier.earlier_view import RoundLine

    hand.app.earlier_rounds()
    key = RoundKey(evening="2026-11-22", table=1, round=1)
    hand.app.rounds((RoundLine(key=key, rules="bsv", players=views.NAMES[:4], handed_in=True, up=False),) * 7)
    hand.stage.step(3)
    check_flash(hand, measure, keys=False)
    hand.app.go("seats")


def test_a_sheet_that_comes_while_it_flashes_is_not_covered(hand: Any, measure: Any) -> None:
    hand.app.flash("breach")
    hand.stage.step(2)
    before = tuple(hand.app.root.flash.ids.plate.pos)
    hand.app.open_hardware()
    hand.stage.wait(0.8)
    plate = hand.app.root.flash.ids.plate
    assert hand.app.root.flash.lit and tuple(plate.pos) != before
    hand.app.leave_setting_up()
    hand.app.root.flash.end()


def test_a_flash_blinks_and_ends(hand: Any) -> None:
    flash = hand.app.root.flash
    hand.app.flash("minutes_5")
    hand.stage.step(2)
    assert (flash.lit, flash.word, flash.size) == (True, "Noch 5 Minuten", hand.app.root.size)
    states = []
    for _ in range(6):
        flash._turn()
        states.append(flash.lit)
    assert states == [False, True, False, True, False, False]
    flash.end()

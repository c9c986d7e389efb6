"""The panel's contract: on gpiozero's mock everywhere, on the header's own pins where there are some."""

import os
from dataclasses import replace

import pytest

from hw.buzzer import PATTERNS
from hw.device import Condition
from hw.display import DARK, clock_characters
from hw.errors import PinError
from hw.factory import on_a_pi, open_factory
from hw.panel import BLINK_S, TEST_S, LampState, Panel, PanelState
from hw.pinmap import BARE_DIGITS, NO_PINS, PinMap

REAL = pytest.param("lgpio", marks=pytest.mark.skipif(not on_a_pi(), reason="this machine is no Raspberry Pi"))


@pytest.fixture(params=["mock", REAL])
def factory(request):
    if request.param == "lgpio" and os.environ.get("STICHWART_TEST_PINS") != "1":
        pytest.skip("set STICHWART_TEST_PINS=1 to let the tests drive this Pi's header")
    made = open_factory(request.param)
    yield made
    made.close()


@pytest.fixture
def panel(factory):
    """Everything on pins: lamps, buzzer, button and bare digits; the display's chips have tests of their own."""
    with Panel(BARE_DIGITS, factory=factory) as made:
        yield made


def pin(panel: Panel, number: int) -> bool:
    """What the pin itself says."""
    return bool(panel.factory.pin(f"GPIO{number}").state)


def test_starts_dark_and_silent(panel):
    lit = panel.lit()
    assert lit.display == DARK
    assert not any(lit.lamps)
    assert len(lit.lamps) == 5
    assert not lit.referee
    assert not lit.buzzer
    outputs = [number for name, number in BARE_DIGITS.wires() if name != "button"]
    assert len(outputs) == 19
    assert not any(pin(panel, number) for number in outputs)


def test_shows_a_state(panel):
    panel.show(
        PanelState(
            display=clock_characters(754),
            lamps=(LampState.OFF, LampState.TURN, LampState.OFF, LampState.OFF),
            referee=True,
        )
    )
    lit = panel.tick(0)
    assert "".join(lit.display) == "12.34"
    assert lit.lamps == (False, True, False, False, False)
    assert lit.referee
    assert [pin(panel, number) for number in PinMap().lamps] == [False, True, False, False, False]
    assert pin(panel, PinMap().referee_lamp)


def test_one_character_on_all_digits_lights_its_segments(panel):
    panel.show(PanelState(display=("-", "-", "-", "-")))
    panel.tick(0)
    assert [pin(panel, number) for number in BARE_DIGITS.segments] == [False] * 6 + [True]
    assert all(pin(panel, number) for number in BARE_DIGITS.digits)


def test_breach_blinks_and_turn_does_not(panel):
    panel.show(PanelState(lamps=(LampState.BREACH, LampState.TURN)))
    seen = [panel.tick(step * BLINK_S / 2 + 0.01).lamps[:2] for step in range(8)]
    assert [lamps[0] for lamps in seen] == [True, True, False, False] * 2
    assert all(lamps[1] for lamps in seen)


def test_display_blinks_at_the_end(panel):
    panel.show(PanelState(display=clock_characters(0), blink=True))
    assert panel.tick(0.01).display == clock_characters(0)
    assert panel.tick(BLINK_S + 0.01).display == DARK
    panel.show(PanelState(display=clock_characters(0)))
    assert panel.tick(BLINK_S + 0.02).display == clock_characters(0)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_buzzer_follows_its_pattern(panel, pattern):
    panel.ring(pattern)
    panel.tick(0)
    begins = 0.0
    for index, length in enumerate(PATTERNS[pattern]):
        lit = panel.tick(begins + length / 2)
        assert (lit.buzzer, lit.pattern) == (index % 2 == 0, pattern)
        assert pin(panel, PinMap().buzzer) == lit.buzzer
        begins += length
    assert not panel.tick(begins + 0.01).buzzer


def test_closing_darkens_everything(factory):
    panel = Panel(BARE_DIGITS, factory=factory)
    panel.show(PanelState(display=clock_characters(754), lamps=(LampState.TURN,) * 5, referee=True))
    panel.ring("time_up")
    panel.tick(0)
    panel.close()
    panel.close()
    for name, number in BARE_DIGITS.wires():
        if name != "button":
            assert not pin(panel, number), name


def test_pins_are_free_again_after_closing(factory):
    with Panel(BARE_DIGITS, factory=factory):
        pass
    with Panel(BARE_DIGITS, factory=factory) as panel:
        assert panel.lit().display == DARK


def test_pin_in_use_is_told(factory):
    with Panel(PinMap(), factory=factory), pytest.raises(PinError, match="in use"):
        Panel(replace(NO_PINS, buzzer=PinMap().buzzer), factory=factory)


def test_missing_wires_are_left_out(factory):
    with Panel(NO_PINS, factory=factory) as panel:
        panel.show(PanelState(display=clock_characters(60), lamps=(LampState.TURN,) * 4, referee=True))
        panel.ring("test")
        lit = panel.tick(0)
        assert (lit.lamps, lit.referee, lit.buzzer) == ((), False, False)
        assert "".join(lit.display) == " 1.00"
    with Panel(replace(BARE_DIGITS, dot=None), factory=factory) as panel:
        panel.show(PanelState(display=clock_characters(60)))
        assert "".join(panel.tick(0).display) == " 100"


def test_button_on_the_mock():
    presses = []
    with Panel(PinMap(), factory=open_factory("mock"), on_button=lambda: presses.append(1)) as panel:
        assert panel.mock
        panel.press()
        panel.press()
    assert presses == [1, 1]


def test_no_button_to_press():
    with Panel(NO_PINS, factory=open_factory("mock")) as panel, pytest.raises(PinError):
        panel.press()


def test_parts_can_be_tried_out_while_the_table_goes_on(factory):
    with Panel(BARE_DIGITS, factory=factory) as panel:
        assert list(panel.parts()) == [
            "display",
            *(f"lamp {n}" for n in range(1, 6)),
            "referee_lamp",
            "buzzer",
            "button",
        ]
        assert {health.condition for health in panel.parts().values()} == {Condition.SILENT}
        panel.show(PanelState(display=clock_characters(60), lamps=(LampState.TURN,)))
        for part in panel.parts():
            panel.test(part)
        panel.test("no such part")
        lit = panel.tick(7.0)
        assert ("".join(lit.display), lit.lamps, lit.referee, lit.buzzer) == ("88.88", (True,) * 5, True, True)
        lit = panel.tick(7.0 + TEST_S + 0.1)
        assert "".join(lit.display) == " 1.00"
        assert (lit.lamps, lit.referee, lit.buzzer) == ((True, False, False, False, False), False, False)


def test_only_what_is_wired_can_be_tried_out(factory):
    with Panel(NO_PINS, factory=factory) as panel:
        assert panel.parts() == {}

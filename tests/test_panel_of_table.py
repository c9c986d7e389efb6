"""What lamps, display and buzzer make of a table."""

from dataclasses import replace

from hw.panel import LampState, Lit
from kiosk.app.panel import drawn, panel_state
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.view.show import view
from kiosk.table.view.table_view import ClockView

OPENED = [
    {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]},
    {"event": "release"},
    {"event": "deal", "dealer": 1},
]


def clock(remaining: float, over: bool = False) -> ClockView:
    return ClockView(running=True, remaining=remaining, extra=0.0, over=over)


def seen(*events: dict, remaining: float = 7200.0, over: bool = False):
    return view(fold(map(decode, [*OPENED, *events])), clock=clock(remaining, over))


def test_turn_is_lit():
    gesund = [{"event": "call", "seat": seat, "call": "gesund"} for seat in (2, 3, 4, 1)]
    assert panel_state(seen()).lamps == (LampState.OFF, LampState.TURN, LampState.OFF, LampState.OFF)
    played = panel_state(seen(*gesund, {"event": "card", "seat": 2, "card": "CA"}))
    assert played.lamps == (LampState.OFF, LampState.OFF, LampState.TURN, LampState.OFF)
    assert not played.referee


def test_breach_blinks():
    wrong = seen({"event": "card", "seat": 2, "card": "CA"}, {"event": "card", "seat": 4, "card": "C9"})
    assert panel_state(wrong).lamps == (LampState.OFF, LampState.OFF, LampState.TURN, LampState.BREACH)


def test_referee_is_lit_while_play_rests():
    wrong = [{"event": "card", "seat": 2, "card": "CA"}, {"event": "card", "seat": 4, "card": "C9"}]
    called = seen(*wrong, {"event": "object", "seat": 3, "against": 4, "code": "out_of_turn"})
    assert panel_state(called).referee
    assert panel_state(seen(), referee=True).referee
    assert not panel_state(seen()).referee


def test_nobody_sits_there():
    state = panel_state(None, referee=True)
    assert (state.lamps, state.referee, "".join(state.display)) == ((), True, "----")


def test_drawn_as_the_screen_takes_it():
    state = panel_state(seen(remaining=754))
    lit = Lit(display=state.display, lamps=(False, True, False, False), referee=False, buzzer=True, pattern="test")
    assert drawn(lit, state) == {
        "display": "12:34",
        "lamps": {1: "off", 2: "turn", 3: "off", 4: "off"},
        "referee": False,
        "buzzer": True,
    }


def test_a_lamp_that_is_tried_out_is_drawn_lit():
    state = panel_state(seen())
    lit = Lit(display=state.display, lamps=(False, True, True, False), referee=False, buzzer=False, pattern="")
    assert drawn(lit, state)["lamps"] == {1: "off", 2: "turn", 3: "turn", 4: "off"}


def test_breach_that_nobody_may_claim_any_more_stops_blinking():
    wrong = seen({"event": "card", "seat": 2, "card": "CA"}, {"event": "card", "seat": 4, "card": "C9"})
    unclaimed = replace(wrong, offences=tuple(replace(offence, claimants=()) for offence in wrong.offences))
    assert panel_state(unclaimed).lamps[3] is LampState.OFF


def test_display_follows_the_clock():
    assert "".join(panel_state(seen(remaining=754)).display) == "12.34"
    assert not panel_state(seen(remaining=754)).blink
    assert panel_state(seen(remaining=-3, over=True)).blink

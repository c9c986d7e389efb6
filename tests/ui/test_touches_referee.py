"""What a finger does where a breach is claimed and ruled, and where the referee is called."""

import re
from typing import Any

import pytest

from tests.ui import views
from tests.ui.fingers import type_code

pytestmark = pytest.mark.slow


def test_a_breach_is_claimed_by_who_may(hand: Any) -> None:
    hand.show(views.breach())
    hand.touch("Nicht bedient")
    assert "Kreuz As" in hand.app.sheets.current.proof and "Pik 9" in hand.app.sheets.current.proof
    assert "4.2.4" in hand.app.sheets.current.rule
    names = {key.text for key in hand.app.sheets.current.ids.key_box.children}
    assert {re.search("Anna|Cem", name).group() for name in names} == {"Anna", "Cem"}
    key = next(key for key in hand.app.sheets.current.ids.key_box.children if "Cem" in key.text)
    hand.stage.touch(key)
    assert hand.sent == []
    hand.stage.hold(key)
    assert hand.sent == [{"event": "object", "seat": 3, "against": 4, "code": "revoke", "breach": 32}]


def test_an_objection_that_no_camera_proves(hand: Any) -> None:
    hand.show(views.playing())
    hand.touch("Reklamation")
    sheet = hand.app.sheets.current
    for name in ("Bernd", "Dora"):
        hand.stage.touch(next(key for key in sheet.ids.seats.children if name in key.text))
    hand.stage.hold(next(key for key in sheet.ids.codes.children if "Nicht an der Reihe" in key.text))
    assert hand.sent == [{"event": "object", "seat": 2, "against": 4, "code": "out_of_turn"}]


def test_the_ruling_wants_the_code(hand: Any) -> None:
    hand.app.gate = "code"
    hand.show(views.resting())
    hand.touch("Entscheidung")
    for digits, right in (("1111", False), ("1932", True)):
        type_code(hand, digits)
        assert hand.sent.pop() == {"event": "code", "code": digits}
        hand.app.code_checked(right, 0.0)
        hand.stage.step(2)
    sheet = hand.app.sheets.current
    hand.stage.touch(next(key for key in sheet.ids.classes.children if key.value == "serious"))
    hand.stage.touch(next(key for key in sheet.ids.minute_box.children if key.value == "5"))
    hand.hold("Eintragen")
    assert hand.sent == [{"event": "rule", "offender": 4, "class": "serious", "breach": 32, "minutes": 5}]


def test_while_a_code_is_checked_and_after_too_many_wrong_ones_no_digit_counts(hand: Any) -> None:
    hand.app.gate = "code"
    hand.show(views.resting())
    hand.touch("Entscheidung")
    type_code(hand, "1111")
    type_code(hand, "1932")
    hand.app.sheets.current.enter()
    assert hand.sent == [{"event": "code", "code": "1111"}]
    hand.app.code_checked(False, 30.0)
    hand.stage.step(2)
    type_code(hand, "1932")
    assert len(hand.sent) == 1
    sheet = hand.app.sheets.current
    assert "Zu oft falsch" in sheet.line(int(sheet.wait_s), sheet.wrong, sheet.typed)
    while sheet.wait_s:
        sheet._count()
    type_code(hand, "1932")
    assert hand.sent[1:] == [{"event": "code", "code": "1932"}]


@pytest.mark.parametrize("right", [True, False])
def test_the_referees_badge_opens_his_form_from_any_screen(hand: Any, right: bool) -> None:
    from kiosk.ui.referee.ruling import RulingSheet

    hand.show(views.resting())
    hand.app.code_checked(right, 0.0)
    hand.stage.step(2)
    assert isinstance(hand.app.sheets.current, RulingSheet) == right


def test_a_call_stands_at_the_head_of_the_messages_and_a_touch_on_it_opens_it(hand: Any) -> None:
    from kiosk.ui.play.messages_text import messages
    from kiosk.ui.referee.call_sheet import CallRefereeSheet
    from kiosk.ui.referee.calling import RefereeCall

    hand.show(views.playing())
    hand.app.notice("camera", "unplugged")
    hand.app.notice("referee_called", "Bernd hat den Schiedsrichter gerufen")
    hand.app.referee_called(RefereeCall(2))
    hand.stage.step(2)
    found = messages(hand.app, hand.app.view)
    assert found[0].text == "Bernd hat den Schiedsrichter gerufen"
    assert sum("Schiedsrichter" in one.text for one in found) == 1
    hand.app.screen("play").ids.messages.act(*found[0].act)
    assert isinstance(hand.app.sheets.current, CallRefereeSheet) and hand.app.sheets.current.called


def test_the_referee_is_called_by_name_and_the_call_withdrawn(hand: Any) -> None:
    from kiosk.ui.referee.calling import RefereeCall

    hand.show(views.playing())
    hand.touch("Mehr")
    hand.touch("Schiedsrichter rufen")
    hand.touch("Bernd")
    assert hand.sent == [{"event": "call_referee", "seat": 2}]
    hand.app.referee_called(RefereeCall(2))
    hand.stage.step(2)
    hand.touch("Mehr")
    hand.touch("Schiedsrichter rufen")
    assert "Bernd" in hand.app.sheets.current.said
    hand.touch("Nicht mehr nötig")
    assert hand.sent[1:] == [{"event": "withdraw_call"}]


def test_without_a_code_the_ruling_opens_by_a_long_touch(hand: Any) -> None:
    from kiosk.ui.parts.hold import HoldKey
    from kiosk.ui.referee.gate import GateSheet
    from kiosk.ui.referee.ruling import RulingSheet

    hand.show(views.resting())
    hand.touch("Entscheidung")
    assert isinstance(hand.app.sheets.current, GateSheet)
    key = next(one for one in hand.app.sheets.current.walk() if type(one) is HoldKey and not one.disabled)
    hand.stage.touch(key)
    assert isinstance(hand.app.sheets.current, GateSheet)
    hand.stage.touch(key, seconds=2.6)
    assert isinstance(hand.app.sheets.current, RulingSheet)


def test_where_the_directors_page_rules_nothing_opens_here(hand: Any) -> None:
    from kiosk.ui.parts.hold import HoldKey
    from kiosk.ui.referee.gate import GateSheet

    hand.app.gate = "shut"
    hand.show(views.resting())
    hand.touch("Entscheidung")
    assert isinstance(hand.app.sheets.current, GateSheet)
    keys = [one for one in hand.app.sheets.current.walk() if isinstance(one, HoldKey)]
    assert not [key for key in keys if key.opacity and not key.disabled]


def test_a_ruling_with_points_of_its_own(hand: Any) -> None:
    hand.show(views.resting())
    hand.app.sheets.open("ruling")
    sheet = hand.app.sheets.current
    hand.stage.step(2)
    hand.stage.touch(next(key for key in sheet.ids.classes.children if key.value == "custom"))
    hand.stage.step(2)
    dora = next(one for one in sheet.ids.scores.children if one.seat == 4)
    minus = next(key for key in dora.walk() if "−" in getattr(key, "text", ""))
    hand.stage.touch(minus)
    hand.stage.touch(minus)
    plus = next(key for key in dora.walk() if "+" in getattr(key, "text", "") and key.height > 30)
    hand.stage.touch(plus, seconds=1.0)
    assert dora.score > 1, "held, it goes on counting"
    while dora.score > -2:
        hand.stage.touch(minus)
    hand.touch("Spiel geht weiter")
    hand.hold("Eintragen")
    hand.all_agree()
    assert hand.sent == [
        {
            "event": "rule",
            "offender": 4,
            "class": "custom",
            "breach": 32,
            "scores": {"1": 0, "2": 0, "3": 0, "4": -2},
            "resume": False,
        }
    ]


def test_all_rulings_of_a_round_are_reached(hand: Any) -> None:
    hand.show(views.ruled())
    hand.app.sheets.open("rulings")
    hand.stage.step(3)
    seen = []
    for _ in range(2):
        seen.append(len(hand.app.sheets.current.ids.rulings.children))
        hand.touch(hand.app.words["said_earlier"])
        hand.stage.step(3)
    assert seen == [6, 2] and len(hand.app.sheets.current.ids.rulings.children) == 6

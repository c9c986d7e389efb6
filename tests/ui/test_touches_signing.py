"""What a finger does where all agree and where the list is signed and handed in."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.table.events.codec import decode
from kiosk.table.round.fold import open_round
from kiosk.table.view.show import view
from kiosk.ui.play.messages_text import messages
from tests.ui import views
from tests.ui.fingers import type_code

pytestmark = pytest.mark.slow


def test_signing(hand: Any) -> None:
    hand.show(views.over())
    assert hand.app.current == "list" or hand.app.go("list") is None
    hand.stage.step(2)
    hand.touch("Dora: stimmt")
    assert hand.sent == []
    hand.stage.wait(2.0)
    hand.hold("Dora: stimmt")
    assert hand.sent == [{"event": "sign", "seat": 4}]
    hand.show(replace(views.over(), signed=(1, 2, 3, 4), may_sign=(), may_close=True))
    hand.touch("Liste abgeben")
    assert len(hand.sent) == 1
    hand.stage.wait(2.0)
    hand.hold("Liste abgeben")
    assert hand.sent[-1] == {"event": "close"}


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "Liste geändert: bitte neu unterschreiben"), ("en", "List changed: please sign again")],
)
def test_a_list_that_was_changed_asks_for_signatures_anew(hand: Any, language: str, said: str) -> None:
    changed = replace(
        views.over(), signed=(), may_sign=(1, 2, 3, 4), sign_anew=True, may_close=True, needs_all=frozenset({"close"})
    )
    hand.app.speak(language)
    hand.show(changed)
    hand.app.go("play")
    hand.stage.step(2)
    told = [one for one in messages(hand.app, changed) if one.text == said]
    assert [one.act for one in told] == [("show_list",)]
    hand.app.go("list")
    hand.stage.step(2)
    screen = hand.app.screen("list")
    assert said in screen.warning and not any(key.disabled for key in screen.ids.signatures.children)
    hand.hold(hand.app.words["sign"].format(name="Dora"))
    assert hand.sent == [{"event": "sign", "seat": 4}]
    hand.show(replace(changed, sign_anew=False, signed=(1, 2, 3, 4), may_sign=(), needs_all=frozenset()))
    assert said not in screen.warning
    hand.app.speak("de")


def test_a_list_with_signatures_missing_is_handed_in_by_all(hand: Any) -> None:
    hand.show(replace(views.over(), may_close=True, needs_all=frozenset({"close"})))
    hand.app.go("list")
    hand.stage.step(2)
    hand.hold("Liste abgeben")
    assert "Bernd, Dora" in hand.app.sheets.current.question and hand.sent == []
    keys = list(hand.app.sheets.current._keys.values())
    for key in keys[:3]:
        hand.stage.hold(key)
        hand.stage.hold(key)  # twice is once
    assert hand.sent == []
    hand.stage.hold(keys[3])
    assert hand.sent == [{"event": "close"}] and hand.asked[0].consent.seats == {1, 2, 3, 4}
    assert hand.app.sheets.current is None


def test_all_agree_with_four_fingers_at_once(hand: Any) -> None:
    hand.show(replace(views.playing(), needs_all=frozenset({"void"})))
    hand.touch("Mehr")
    hand.touch("Neu geben")
    hand.touch("Anderer Grund")
    hand.stage.wait(0.5)
    fingers = [hand.stage.put(*hand.stage.middle_of(key)) for key in hand.app.sheets.current._keys.values()]
    assert hand.sent == []
    hand.stage.wait(0.8)
    for finger in fingers:
        hand.stage.lift(finger)
    assert hand.sent == [{"event": "void", "why": "Anderer Grund"}] and hand.asked[0].consent.seats == {1, 2, 3, 4}


def test_agreement_is_about_how_things_stood(hand: Any) -> None:
    hand.show(replace(views.playing(), needs_all=frozenset({"void"})))
    hand.touch("Mehr")
    hand.touch("Neu geben")
    hand.touch("Anderer Grund")
    hand.show(replace(views.playing(), needs_all=frozenset({"void"}), events=91))  # a card came: the game is the same
    assert hand.app.sheets.current is not None
    hand.show(views.scored())
    assert hand.app.sheets.current is None and hand.sent == []


def test_the_referee_stands_for_all_by_his_code(hand: Any) -> None:
    hand.app.gate = "code"
    hand.show(replace(views.playing(), needs_all=frozenset({"void"})))
    hand.touch("Mehr")
    hand.touch("Neu geben")
    hand.touch("Anderer Grund")
    hand.touch("Der Schiedsrichter ist hier")
    type_code(hand, "1932")
    hand.app.code_checked(True, 0.0)
    hand.stage.step(2)
    assert hand.sent[1:] == [{"event": "void", "why": "Anderer Grund"}] and hand.asked[1].consent.referee


@pytest.mark.parametrize("language", ["de", "en"])
def test_five_keys_to_sign_say_whole_that_a_signature_can_be_taken_back(hand: Any, language: str) -> None:
    from kiosk.demo.play import simulate
    from kiosk.ui.parts.whole import cut

    round_ = None
    for event in simulate("eppstein", 1, None, 5, options={"games_5": 1, "pflichtsoli": 0}):
        round_ = open_round(decode(event)) if round_ is None else round_.apply(decode(event))
        if event["event"] == "sign":
            break
    assert round_ is not None and len(round_.signed) == 1
    hand.app.speak(language)
    hand.show(view(round_))
    hand.app.go("list")
    hand.stage.step(3)
    keys = hand.app.screen("list").ids.signatures.children
    signed = [key for key in keys if key.calm_tone == "green"]
    assert len(keys) == 5 and len(signed) == 1 and not signed[0].disabled
    assert [cut(key) for key in keys] == [""] * 5
    hand.app.speak("de")

"""What a finger does to shorten a game: who claims, in which order, and who agrees."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.table.events.values import Consent
from tests.ui import views
from tests.ui.fingers import choice, panel_key, pick

pytestmark = pytest.mark.slow


def answers(hand: Any) -> dict[int, list[str]]:
    """Who is asked about a claim, and what he may answer."""
    unfolded = hand.app.screen("play")._unfolded
    return {
        seat: [face.act[0] for face in one.content._faces]
        for seat, one in unfolded.items()
        if one.content.kind == "claim_answer"
    }


def test_shortening(hand: Any) -> None:
    hand.show(views.solo())
    hand.stage.touch(panel_key(hand, 2, "Abkürzen"))
    hand.stage.touch(choice(hand, 2, ("claim_rest",)))
    hand.touch("Jede Reihenfolge")
    assert answers(hand) == {2: ["claim_yes", "claim_back"]}, "nobody is asked before he shows his cards"
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    assert answers(hand) == {seat: ["claim_yes", "claim_no"] for seat in (1, 3, 4)} | {2: ["claim_back"]}
    hand.stage.touch(choice(hand, 4, ("claim_no",)))
    hand.stage.hold(choice(hand, 3, ("claim_yes",)))
    assert hand.sent == [] and set(answers(hand)) == {1, 2, 4}
    hand.stage.hold(choice(hand, 4, ("claim_no",)))
    assert hand.sent == [{"event": "claim", "seat": 2, "kind": "rest", "accepted": False, "contested": 4}]
    assert hand.asked[0].consent == Consent(deliberate=True, seats=frozenset({2, 4}))
    assert answers(hand) == {}


def test_who_claims_may_think_better_of_it(hand: Any) -> None:
    hand.show(views.solo())
    hand.app.screen("play").ask_claim(2, ())
    hand.stage.step(3)
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    hand.stage.hold(choice(hand, 1, ("claim_yes",)))
    hand.stage.touch(choice(hand, 2, ("claim_back",)))
    assert hand.sent == [] and answers(hand) == {}
    assert "deckt auf" not in hand.app.screen("play").ids.messages.text


def test_a_claim_s_question_goes_with_its_game(hand: Any) -> None:
    hand.show(views.solo())
    hand.app.screen("play").ask_claim(2, ())
    hand.stage.step(3)
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    hand.show(views.scored())
    hand.show(views.solo())
    assert answers(hand) == {} and hand.sent == []


def test_shortening_in_an_order(hand: Any) -> None:
    """eppstein 4.3.3: in the order stated; no more cards than he holds, none more often than the deck has it."""
    view = views.solo()  # a stilles Solo that nobody knows of yet
    hand.show(replace(view, seats=tuple(replace(seat, claims=()) for seat in view.seats)))
    hand.touch("Mehr")
    hand.touch("Abkürzen")
    hand.stage.touch(next(key for key in hand.app.sheets.current.ids.choices.children if key.text == "Bernd"))
    hand.stage.touch(choice(hand, 2, ("claim_rest",)))
    for card in ("CQ", "CQ", "CQ", "SQ", "HA"):
        pick(hand, card)
    hand.touch("Letzte weg")
    for card in ("DA", "D9"):
        pick(hand, card)
    hand.touch("Das ist die Reihenfolge")
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    for seat in (4, 1, 3):
        assert hand.sent == []
        assert "Bernd deckt auf" in hand.app.screen("play").ids.messages.text
        hand.stage.hold(choice(hand, seat, ("claim_yes",)))
    claim = {"event": "claim", "seat": 2, "kind": "rest", "accepted": True, "order": ["CQ", "CQ", "SQ", "DA"]}
    assert hand.sent == [claim]
    assert hand.asked[0].consent.seats == {1, 2, 3, 4}


def test_conceding_is_held(hand: Any) -> None:
    hand.show(views.solo())
    hand.stage.touch(panel_key(hand, 2, "Abkürzen"))
    hand.stage.touch(choice(hand, 2, ("concede",)))
    assert hand.sent == []
    hand.stage.hold(choice(hand, 2, ("concede",)))
    assert hand.sent == [{"event": "claim", "seat": 2, "kind": "concede"}]

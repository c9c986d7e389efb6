"""What a finger does to shorten a game: who claims, in which order, and who agrees."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.rules.engine.claimed_rest import Verdict
from kiosk.table.events.values import Consent
from kiosk.ui.play.claim_question import RestChecked
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
    assert hand.asked[-1].consent.seats == {1, 2, 3, 4}


LOST = Verdict(
    holds=False,
    hands={1: ("CK", "CT", "HA", "S9"), 3: ("SQ", "DA", "DK", "D9"), 4: ("HK", "HK", "CA", "C9")},
    line=((2, "CQ"), (3, "SQ"), (4, "C9"), (1, "S9"), (2, "DA"), (3, "DA"), (4, "CA"), (1, "CK")),
    taken_by=4,
    trumps_first=True,
)


def test_the_table_checks_a_hand_that_is_entered_whole(hand: Any) -> None:
    """Once he has shown his cards, not before; what it finds stands in the middle, a way to lose it behind a touch."""
    hand.show(views.solo())
    hand.app.sheets.open("claim", 2, seat=2)
    hand.stage.step(3)
    for card in ("CQ", "CQ", "SQ", "DA"):
        pick(hand, card)
    hand.touch("Jede Reihenfolge")
    said = hand.app.screen("play").ids.messages
    assert hand.asked == [] and "prüft" not in said.text
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    (asked,) = hand.asked
    assert (asked.seat, asked.hand, asked.order) == (2, ("CQ", "CQ", "SQ", "DA"), ())
    assert "Der Tisch prüft" in said.text
    for verdict, words in ((Verdict(holds=True, hands={}), "sicher, wie"), (LOST, "nicht sicher")):
        hand.app.rest_checked(RestChecked(asked=asked, verdict=verdict, trick=()))
        hand.stage.step(3)
        assert words in said.text
    hand.app.rest_checked(RestChecked(asked=replace(asked, seat=3), verdict=Verdict(holds=True, hands={}), trick=()))
    hand.stage.step(3)
    assert "nicht sicher" in said.text, "an answer to another question"
    hand.stage.touch(next(one for one in said.children if getattr(one, "act", ()) == ("claim_lost",)))
    text = hand.app.sheets.current.text
    assert "Den Stich macht Dora" in text and "Trümpfen zuerst" in text
    assert text.splitlines()[1].startswith("[b]Anna[/b]")
    hand.app.sheets.close()
    hand.stage.step(30)
    hand.stage.hold(choice(hand, 4, ("claim_no",)))
    assert hand.sent == [{"event": "claim", "seat": 2, "kind": "rest", "accepted": False, "contested": 4}]


WHYS = ("hand_size", "not_in_deck", "order", "sides", "misread", "doubts", "too_many")


def test_what_the_table_cannot_decide_it_says(hand: Any) -> None:
    hand.show(views.solo())
    hand.app.screen("play").ask_claim(2, (), ("CQ", "CQ", "SQ", "DA"))
    hand.stage.step(3)
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    for why in WHYS:
        verdict = Verdict(holds=None, why=why, hands={})
        hand.app.rest_checked(RestChecked(asked=hand.asked[0], verdict=verdict, trick=()))
        hand.stage.step(3)
        assert hand.app.words["rest_undecided_" + why] in hand.app.screen("play").ids.messages.text
    seats = tuple(replace(seat, cards_left=3) for seat in views.solo().seats)
    hand.show(replace(views.solo(), seats=seats))
    assert hand.app.words["rest_played_on"] in hand.app.screen("play").ids.messages.text
    hand.stage.touch(choice(hand, 2, ("claim_back",)))
    assert hand.sent == []


def test_conceding_is_held(hand: Any) -> None:
    hand.show(views.solo())
    hand.stage.touch(panel_key(hand, 2, "Abkürzen"))
    hand.stage.touch(choice(hand, 2, ("concede",)))
    assert hand.sent == []
    hand.stage.hold(choice(hand, 2, ("concede",)))
    assert hand.sent == [{"event": "claim", "seat": 2, "kind": "concede"}]

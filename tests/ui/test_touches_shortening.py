"""What a finger does to shorten a game: who claims, in which order, and who agrees."""

from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest

from kiosk.rules.engine.claimed_rest import Verdict
from kiosk.table.events.values import Consent
from kiosk.table.inference.open_hand import SeenCard
from kiosk.table.standing_claim import StandingClaim
from kiosk.ui.play.claim_question import HandSeen, RestChecked, ShowHand, game_of
from tests.ui import views
from tests.ui.fingers import choice, panel_key, pick

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nobody_claims(hand: Any) -> None:
    """Whatever the test before has left: all tests have one screen."""
    play = hand.app.screen("play")
    play.claiming = play.seen = play._shown = None
    hand.show(views.solo())
    hand.stage.wait(0.5)
    hand.asked.clear()


def answers(hand: Any) -> dict[int, list[str]]:
    """Who is asked about a claim, and what he may answer."""
    unfolded = hand.app.screen("play")._unfolded
    return {
        seat: [face.act[0] for face in one.content._faces]
        for seat, one in unfolded.items()
        if one.content.kind == "claim_answer"
    }


def asked_of(hand: Any) -> list[Any]:
    """What was asked for, but for whose hand is laid open."""
    return [one for one in hand.asked if not isinstance(one, ShowHand)]


def shown(hand: Any) -> list[int | None]:
    """Whose hand is laid open, as the table was told."""
    told = [one.claim and one.claim.seat for one in hand.asked if isinstance(one, ShowHand)]
    return [seat for seat, _ in groupby(told)]  # what else is said of the claim is told too


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
    assert asked_of(hand)[0].consent == Consent(deliberate=True, seats=frozenset({2, 4}))
    assert answers(hand) == {}


def test_what_was_claimed_goes_on_after_a_restart(hand: Any) -> None:
    """The program has started anew: the same question stands, with those who have agreed."""
    claim = StandingClaim(seat=2, game=game_of(views.solo()), order=("CQ",), agreed=frozenset({2, 4}))
    hand.app.claim_left(claim)
    hand.stage.wait(0.5)
    assert answers(hand) == {seat: ["claim_yes", "claim_no"] for seat in (1, 3)} | {2: ["claim_back"]}
    told = [one for one in hand.asked if isinstance(one, ShowHand)]
    assert [one.claim for one in told] == [claim]
    hand.stage.hold(choice(hand, 1, ("claim_yes",)))
    hand.stage.hold(choice(hand, 3, ("claim_yes",)))
    assert hand.sent == [{"event": "claim", "seat": 2, "kind": "rest", "accepted": True, "order": ["CQ"]}]
    hand.stage.wait(0.5)
    assert shown(hand) == [2, None]


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
    assert asked_of(hand)[-1].consent.seats == {1, 2, 3, 4}


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
    assert asked_of(hand) == [] and "prüft" not in said.text
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    (asked,) = asked_of(hand)
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


DOUBT = SeenCard(None, ("DA", "D9"))
READ = (SeenCard("CQ"), SeenCard("SQ"), DOUBT, SeenCard("CQ"))


def seen(hand: Any, cards: tuple[SeenCard, ...], by: str = "indices", seat: int = 2) -> None:
    """The camera sees an open hand."""
    view = hand.app.view
    hand.app.hand_seen(HandSeen(seat=seat, game=(view.game, len(view.rows)), cards=cards, by=by))
    hand.stage.step(3)
    hand.stage.wait(0.5)  # what has changed takes no touch at once


def claims(hand: Any) -> Any:
    """Bernd claims the rest: the sheet for his cards."""
    hand.show(views.solo())
    hand.stage.touch(panel_key(hand, 2, "Abkürzen"))
    hand.stage.touch(choice(hand, 2, ("claim_rest",)))
    return hand.app.sheets.current


def slots(hand: Any) -> list[str]:
    """The cards of the sheet: order, read, doubt, none; and what stands on them."""
    return [one.kind for one in reversed(hand.app.sheets.current.ids.slots.children)]


def touch_slot(hand: Any, number: int) -> None:
    hand.stage.touch(hand.app.sheets.current.ids.slots.children[-1 - number])


def test_what_the_camera_reads_is_there_already(hand: Any) -> None:
    """A doubt is touched, with its choices; then any order will do, and the table checks once he has shown them."""
    sheet = claims(hand)
    assert shown(hand) == [2] and slots(hand) == ["none"] * 4
    seen(hand, READ)
    assert slots(hand) == ["read", "read", "doubt", "read"] and "Kamera: 3 von 4" in sheet.text
    touch_slot(hand, 2)
    assert {key.card for row in sheet.ids.picker.children for key in row.children if not key.paper} == {"DA", "D9"}
    pick(hand, "D9")
    assert slots(hand) == ["read"] * 4 and "gelesen" in sheet.text
    seen(hand, READ)
    assert slots(hand) == ["read"] * 4, "a finger has said what it is"
    hand.touch("Jede Reihenfolge")
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    (asked,) = asked_of(hand)
    assert (asked.hand, asked.order) == (("CQ", "SQ", "D9", "CQ"), ())
    hand.stage.touch(choice(hand, 2, ("claim_back",)))
    hand.stage.wait(0.5)
    assert shown(hand) == [2, None]


def test_the_order_of_what_was_read_is_touched(hand: Any) -> None:
    claims(hand)
    seen(hand, READ)
    for card in ("SQ", "DA"):  # one that was read, one that was in doubt
        pick(hand, card)
    assert slots(hand) == ["order", "order", "read", "read"]
    hand.touch("Letzte weg")
    assert slots(hand) == ["order", "read", "read", "doubt"]
    touch_slot(hand, 0)
    assert slots(hand) == ["read", "read", "doubt", "read"], "taken out of the order again"
    pick(hand, "SQ")
    pick(hand, "DA")
    hand.touch("Das ist die Reihenfolge")
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    (asked,) = asked_of(hand)
    assert asked.order == ("SQ", "DA") and asked.hand == ("SQ", "DA", "CQ", "CQ")


def test_what_was_put_right_is_kept_though_it_is_not_all(hand: Any) -> None:
    claims(hand)
    seen(hand, READ[:3])
    touch_slot(hand, 2)
    pick(hand, "D9")
    hand.touch("Jede Reihenfolge")
    said = hand.app.screen("play").ids.messages
    assert "Kamera: 3 von 4" in said.text
    seen(hand, READ[:3])
    hand.stage.touch(next(one for one in said.children if getattr(one, "act", ()) == ("claim_hand",)))
    assert slots(hand) == ["read"] * 3 + ["none"]


def test_one_too_many_is_taken_away(hand: Any) -> None:
    sheet = claims(hand)
    seen(hand, (*READ[:2], SeenCard("HK"), SeenCard("DA"), SeenCard("CQ")))
    assert len(slots(hand)) == 5 and "Mehr als 4" in sheet.text
    touch_slot(hand, 2)
    hand.touch("Diese weg")
    assert sheet.hand.cards == ("CQ", "SQ", "DA", "CQ")


def test_a_card_that_was_misread_is_put_right(hand: Any) -> None:
    sheet = claims(hand)
    seen(hand, (*READ[:2], SeenCard("HK"), SeenCard("CQ")))
    touch_slot(hand, 2)
    pick(hand, "CQ")
    assert sheet.hand.chosen == 2, "there are but two of it"
    pick(hand, "D9")
    assert sheet.hand.cards == ("CQ", "SQ", "D9", "CQ")


def test_read_while_the_question_is_open(hand: Any) -> None:
    """He says it first, and lays his cards open when he is asked to; what the camera cannot read he enters then."""
    claims(hand)
    hand.touch("Jede Reihenfolge")
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    said = hand.app.screen("play").ids.messages
    assert asked_of(hand) == []
    seen(hand, READ)
    assert "Kamera: 3 von 4" in said.text and asked_of(hand) == []
    hand.stage.touch(next(one for one in said.children if getattr(one, "act", ()) == ("claim_hand",)))
    hand.stage.wait(0.5)
    assert slots(hand) == ["read", "read", "doubt", "read"]
    touch_slot(hand, 2)
    pick(hand, "DA")
    hand.touch("Jede Reihenfolge")
    (asked,) = asked_of(hand)
    assert asked.hand == ("CQ", "SQ", "DA", "CQ") and "Der Tisch prüft" in said.text
    assert answers(hand).keys() == {1, 2, 3, 4}, "he has shown his cards already"
    hand.stage.wait(1.0)
    assert shown(hand) == [2]


def test_read_whole_while_the_question_is_open_it_is_checked(hand: Any) -> None:
    claims(hand)
    hand.touch("Jede Reihenfolge")
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    seen(hand, (*READ[:2], SeenCard("DA"), READ[3]))
    seen(hand, READ[:1])
    (asked,) = asked_of(hand)
    assert asked.hand == ("CQ", "SQ", "DA", "CQ"), "his cards may be taken up again"


@pytest.mark.parametrize(
    ("cards", "by", "words"),
    [
        ((), "nothing", "nicht lesen"),
        ((), "faces", "nicht lesen"),
        (READ[:2], "faces", "Mehr zeigt dieses Blatt nicht"),
    ],
    ids=["no mat", "nothing read", "a deck without indices"],
)
def test_what_the_camera_cannot_read_it_says(hand: Any, cards: tuple[SeenCard, ...], by: str, words: str) -> None:
    sheet = claims(hand)
    seen(hand, cards, by)
    assert words in sheet.text
    hand.touch("Jede Reihenfolge")
    said = hand.app.screen("play").ids.messages
    assert ("Kamera: 2 von 4" if cards else "nicht lesen") in said.text


def test_another_hand_s_reading_is_not_taken(hand: Any) -> None:
    claims(hand)
    seen(hand, READ, seat=3)
    assert slots(hand) == ["none"] * 4
    hand.app.sheets.close()
    hand.stage.wait(1.0)
    assert shown(hand) == [2, None], "closed without a word, nobody claims any more"


WHYS = ("hand_size", "not_in_deck", "order", "sides", "misread", "doubts", "too_many")


def test_what_the_table_cannot_decide_it_says(hand: Any) -> None:
    hand.show(views.solo())
    hand.app.screen("play").ask_claim(2, (), ("CQ", "CQ", "SQ", "DA"))
    hand.stage.step(3)
    hand.stage.hold(choice(hand, 2, ("claim_yes",)))
    for why in WHYS:
        verdict = Verdict(holds=None, why=why, hands={})
        hand.app.rest_checked(RestChecked(asked=asked_of(hand)[0], verdict=verdict, trick=()))
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

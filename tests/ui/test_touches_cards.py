"""What a finger does to cards: put right, taken back, missing, in doubt, laid by finger."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.table.preview import Change, Preview
from kiosk.ui.parts.preview_request import ShowPreview
from tests.ui import views
from tests.ui.fingers import card_face, panel_key, pick

pytestmark = pytest.mark.slow


def test_two_touches_correct_a_card(hand: Any) -> None:
    hand.show(views.playing())
    hand.stage.touch(card_face(hand, "CT"))
    pick(hand, "CK")
    assert hand.sent == [{"event": "correct", "of": 41, "card": "CK", "by": "table", "why": "finger"}]
    assert hand.app.sheets.current is None


def test_that_is_no_card(hand: Any) -> None:
    hand.show(views.playing())
    hand.stage.touch(card_face(hand, "CA"))
    hand.touch("Das ist keine Karte")
    assert hand.sent == [{"event": "correct", "of": 40, "card": None, "by": "table", "why": "finger"}]


def test_the_card_is_somebody_elses(hand: Any) -> None:
    hand.show(views.playing())
    hand.stage.touch(card_face(hand, "CA"))
    hand.touch("Wem gehört sie?")
    hand.stage.touch(hand.stage.key("Anna"))
    assert hand.sent == [{"event": "correct", "of": 40, "card": "CA", "seat": 1, "by": "table", "why": "finger"}]


#: Who is touched → what the table is asked for.
LAID_BY = {
    "Dora": {"event": "correct", "seats": {"40": 4, "42": 2}, "by": "table", "why": "finger"},
    "Bernd": {"event": "correct", "of": 40, "card": "CA", "seat": 2, "by": "table", "why": "finger"},
    "Cem": {"event": "correct", "seats": {"40": 3, "41": 2}, "by": "table", "why": "finger"},
}


@pytest.mark.parametrize("whose", LAID_BY)
def test_the_table_asks_who_has_laid_a_card(hand: Any, whose: str) -> None:
    """Another one who has laid: each has laid what is noted for the other. The one it is noted for: so it stays."""
    hand.show(views.each_others())
    messages = hand.app.screen("play").ids.messages.children
    (asked,) = [one for one in messages if "Wer hat sie gelegt?" in one.text]
    hand.stage.touch(asked)
    assert hand.app.sheets.current.where == "Spiel 6 · Stich 2" and hand.app.sheets.current.texture is not None
    hand.stage.touch(hand.stage.key(whose))
    assert hand.sent == [LAID_BY[whose]]


def test_who_has_laid_a_card_of_an_earlier_game_is_asked_still(hand: Any) -> None:
    """People see first what their answer changes in the list."""
    shown = views.each_others()
    hand.show(replace(shown, game=7, trick=None, last_trick=None))
    hand.stage.touch(next(one for one in hand.app.screen("play").ids.messages.children if "Wer hat sie" in one.text))
    hand.stage.touch(hand.stage.key("Dora"))
    asked = hand.asked[-1]
    assert isinstance(asked, ShowPreview) and asked.request.event.seats == {40: 4, 42: 2} and not hand.sent


@pytest.mark.parametrize("still", [False, True], ids=["somebody has answered", "its picture is kept no more"])
def test_the_question_who_has_laid_a_card_closes_once_it_is_answered(hand: Any, still: bool) -> None:
    shown = views.each_others()
    hand.show(shown)
    hand.app.sheets.ask_about(40)
    hand.show(replace(shown, doubts=(replace(shown.doubts[0], picture=None),) if still else ()))
    assert (hand.app.sheets.current is not None) == still


def test_only_the_last_card_can_be_taken_back(hand: Any) -> None:
    hand.show(views.playing())
    hand.stage.touch(card_face(hand, "CA"))
    with pytest.raises(LookupError):
        hand.stage.key("Zurückgenommen")
    hand.app.sheets.close()
    hand.stage.touch(card_face(hand, "CK"))
    hand.touch("Zurückgenommen")
    assert hand.sent == [{"event": "retract", "seat": 4, "card": "CK"}]


def test_a_card_is_missing(hand: Any) -> None:
    hand.show(views.playing())
    hand.stage.touch(card_face(hand, "CA"))
    hand.touch("Danach fehlt")
    hand.touch("Bernd")
    pick(hand, "H9")
    assert hand.sent == [{"event": "correct", "after": 40, "seat": 2, "card": "H9", "by": "table", "why": "finger"}]


def test_a_card_by_finger(hand: Any) -> None:
    from kiosk.ui.parts.cards import CardFace

    hand.show(views.playing())
    hand.stage.touch(hand.stage.find(CardFace, mark="turn"))
    pick(hand, "DQ")
    assert hand.sent == [{"event": "card", "seat": 1, "card": "DQ"}]


def test_a_card_of_the_picker_keeps_the_colour_of_its_print(hand: Any) -> None:
    from kiosk.ui.parts.cards import CardFace, CardKey

    hand.show(views.playing())
    hand.stage.touch(hand.stage.find(CardFace, mark="turn"))
    key = hand.stage.find(CardKey, card="H9")
    printed = list(key.ink)
    hand.stage.wait(0.5)
    finger = hand.stage.put(*hand.stage.middle_of(key))
    assert key.state == "down" and list(key.ink) == printed
    hand.stage.lift(finger)
    hand.stage.touch(hand.stage.find(CardFace, mark="turn"))
    assert hand.stage.find(CardKey, card="H9") is key and list(key.ink) == printed
    assert printed != list(hand.stage.find(CardKey, card="S9").ink)


def test_the_doubt_is_answered_by_its_picture(hand: Any) -> None:
    from kiosk.ui.parts.cards import CardFace

    hand.show(views.doubtful())
    hand.stage.touch(hand.app.screen("play").ids.messages.plate("doubt"))
    assert hand.app.sheets.current.texture is not None
    face = next(one for one in hand.app.sheets.current.walk() if isinstance(one, CardFace) and one.card == "CK")
    hand.stage.touch(face)
    assert hand.sent == [{"event": "correct", "of": 41, "card": "CK", "by": "table", "why": "finger"}]


def test_a_doubt_settled_elsewhere_closes_its_question(hand: Any) -> None:
    hand.show(views.doubtful())
    hand.stage.touch(hand.app.screen("play").ids.messages.plate("doubt"))
    hand.show(views.playing())
    assert hand.app.sheets.current is None and hand.sent == []


def test_another_card_than_the_likely_ones(hand: Any) -> None:
    hand.show(views.doubtful())
    hand.stage.touch(hand.app.screen("play").ids.messages.plate("doubt"))
    hand.touch("Andere Karte")
    pick(hand, "S9")
    assert hand.sent == [{"event": "correct", "of": 41, "card": "S9", "by": "table", "why": "finger"}]


def test_a_card_that_may_be_any_is_asked_for_by_the_whole_deck_and_its_picture(hand: Any) -> None:
    view = views.doubtful()
    every = tuple(suit + rank for suit in "CSHD" for rank in "ATKQJ9")
    hand.show(replace(view, doubts=(replace(view.doubts[0], choices=every),)))
    hand.stage.touch(hand.app.screen("play").ids.messages.plate("doubt"))
    sheet = hand.app.sheets.current
    assert type(sheet).__name__ == "CorrectSheet" and sheet.texture is not None and "10" not in sheet.title
    pick(hand, "S9")
    assert hand.sent == [{"event": "correct", "of": 41, "card": "S9", "by": "table", "why": "finger"}]


def test_a_card_that_is_put_right_unasked_shows_no_picture(hand: Any) -> None:
    hand.show(views.scored())
    hand.touch("Stiche ansehen")
    hand.touch("→")
    hand.stage.touch(card_face(hand, "CK"))
    sheet = hand.app.sheets.current
    assert type(sheet).__name__ == "CorrectSheet" and sheet.texture is None and "K" in sheet.title


def test_a_question_does_not_stop_play(hand: Any) -> None:
    hand.show(views.doubtful())
    hand.stage.hold(panel_key(hand, 1, "Re"))
    assert hand.sent == [{"event": "announce", "seat": 1, "call": "re"}]


def test_a_card_of_the_game_that_ended_is_put_right(hand: Any) -> None:
    hand.show(views.scored())
    hand.touch("Stiche ansehen")
    hand.touch("→")
    hand.stage.touch(card_face(hand, "CK"))
    pick(hand, "CA")
    assert not hand.sent and hand.app.sheets.current.title == "Das ändert die Liste"
    changed = Change(before=(3.0, -3.0, 3.0, -3.0), after=(0.0, 0.0, 0.0, 0.0))
    hand.app.preview(Preview(request=hand.asked[-1].request, rows={5: changed}))  # as the table answers
    hand.stage.step(2)
    hand.touch("Richtigstellen")
    assert hand.sent == [{"event": "correct", "of": 42, "card": "CA", "by": "table", "why": "finger"}]


def test_the_last_trick_only_as_long_as_it_may_be_seen(hand: Any) -> None:
    hand.show(views.playing())
    hand.touch("Letzter Stich")
    assert hand.app.sheets.current is not None
    hand.show(replace(views.playing(), last_trick=None))
    assert hand.app.sheets.current is None
    with pytest.raises(LookupError):
        hand.stage.key("Letzter Stich")

"""What a finger says: announcements, answers, the game, and a word that was refused."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.table.events.codec import decode
from kiosk.table.events.values import Request
from kiosk.table.round.fold import fold
from kiosk.table.view.show import view
from tests.ui import views
from tests.ui.fingers import choice, panel_key

pytestmark = pytest.mark.slow


def test_an_announcement_is_held(hand: Any) -> None:
    hand.show(views.playing())
    key = panel_key(hand, 1, "Re")
    hand.stage.touch(key)
    assert hand.sent == [] and "halten" in key.text
    hand.stage.hold(key)
    assert hand.sent == [{"event": "announce", "seat": 1, "call": "re"}]


def test_a_view_in_between_goes_on_with_the_ring_unless_the_key_changed(hand: Any) -> None:
    view = views.playing()
    hand.show(view)
    hand.stage.wait(0.5)
    key = panel_key(hand, 1, "Re")
    finger = hand.stage.put(*hand.stage.middle_of(key))
    hand.stage.wait(0.4)
    hand.show(replace(view, events=view.events + 1))
    assert key.part > 0.4
    hand.show(replace(view, seats=tuple(replace(seat, calls=()) for seat in view.seats)))
    hand.show(view)
    hand.stage.wait(1.0)
    hand.stage.lift(finger)
    assert hand.sent == []


def test_a_bid_names_the_side_where_it_must(hand: Any) -> None:
    hand.show(views.playing())
    hand.stage.touch(panel_key(hand, 1, "Absagen"))
    hand.stage.hold(choice(hand, 1, ("announce", ("keine60", "kontra"))))
    assert hand.sent == [{"event": "announce", "seat": 1, "call": "keine60", "side": "kontra"}]


@pytest.mark.parametrize(("words", "call"), [("gesund", "gesund"), ("Vorbehalt", "vorbehalt")])
def test_the_asking(hand: Any, words: str, call: str) -> None:
    hand.show(views.asking())
    hand.stage.touch(panel_key(hand, 4, words))
    assert hand.sent == [{"event": "call", "seat": 4, "call": call}]


def test_an_answer_taken_back(hand: Any) -> None:
    hand.show(views.asking())
    hand.stage.touch(panel_key(hand, 3, "doch gesund"))
    assert hand.sent == [{"event": "call", "seat": 3, "call": "gesund"}]


@pytest.mark.parametrize(
    ("words", "game"),
    [
        ("Damensolo", {"game": "damensolo", "duty": True}),
        ("♥", {"game": "farbsolo", "suit": "H", "duty": True}),
        ("Hochzeit", {"game": "hochzeit"}),
        ("Schmeißen", {"game": "schmeissen"}),
    ],
    ids=["queen solo", "suit solo", "hochzeit", "throwing in"],
)
def test_naming_the_game(hand: Any, words: str, game: dict[str, object]) -> None:
    hand.show(views.declaring())
    hand.stage.touch(panel_key(hand, 3, "Spiel ansagen"))
    hand.stage.hold(choice(hand, 3, ("declare_as", tuple(game.items()))))
    assert hand.sent == [{"event": "declare", "seat": 3, **game}]


def test_where_somebody_is_vorgefuehrt_nobody_is_asked(hand: Any) -> None:
    players = ["Anna", "Bernd", "Cem", "Dora"]
    opening = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 2, "players": players}
    events = [opening, {"event": "release"}, {"event": "time_up"}, {"event": "deal", "dealer": 1}]  # (7.5)
    hand.show(view(fold(map(decode, events))))
    middle = hand.app.screen("play").ids.middle
    assert middle.title.replace("\N{NO-BREAK SPACE}", " ") == "Bernd sagt das Spiel an"
    assert middle.line == "Bernd wird vorgeführt: Pflichtsolo"


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_who_names_a_game_finds_it_on_few_pages(hand: Any, seat: int) -> None:
    """Keys are as wide as their words, so that a row takes several: of one in a row there were twelve pages."""
    asked = [{"event": "call", "seat": one, "call": "vorbehalt" if one == seat else "gesund"} for one in (2, 3, 4, 1)]
    opening = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": list("ABCD")}
    shown = view(fold(map(decode, [opening, {"event": "release"}, {"event": "deal", "dealer": 1}, *asked])))
    hand.show(shown)
    play = hand.app.screen("play")
    play.unfold(seat, "declare")
    hand.stage.step(2)
    unfolded = next(one for one in play.walk() if getattr(one, "kind", None) == "declare")
    offered, pages = [], 0
    while pages == 0 or unfolded._page:
        offered += [key.meaning for key in unfolded.ids.choices.children if key.meaning[0] == "declare_as"]
        pages += 1
        turning = [key for key in unfolded.ids.choices.children if key.meaning == ("page",)]
        if not turning:
            break
        hand.stage.touch(turning[0])
    assert pages <= 5
    assert sorted(offered) == sorted(("declare_as", tuple(game.items())) for game in shown.seat(seat).games)


def test_a_refusal_leaves_the_keys_alone_and_goes_by_a_touch(hand: Any) -> None:
    from kiosk.ui.parts.shown import in_window

    hand.show(views.playing())
    hand.app.refused("late_announcement", "eppstein 5.3.4")
    hand.stage.step(3)
    assert hand.app.refusal.opacity == 1
    toast = hand.app.refusal
    assert "Zu spät" in toast.text and "5.3.4" in hand.app.refusal.section
    _, low, _, high = in_window(toast)
    for seat in (1, 3):
        for key in hand.app.screen("play").panels[seat].ids.key_box.children:
            _, below, _, up = in_window(key)
            assert below >= low + high or below + up <= low
    hand.stage.hold(panel_key(hand, 1, "Re"))
    assert hand.sent == [{"event": "announce", "seat": 1, "call": "re"}]
    assert toast.opacity == 1
    hand.stage.touch(toast)
    assert toast.opacity == 0 and hand.app.sheets.current is None


def late(hand: Any, request: Any) -> None:
    """Refuse what was asked for, as the table does."""
    hand.app.refused("late_announcement", "eppstein 5.3.4", request=request)
    hand.stage.step(3)


def test_what_is_said_can_be_entered_all_the_same(hand: Any) -> None:
    hand.show(views.playing())
    late(hand, None)
    assert hand.app.refusal.argued is None, "nobody has said anything"
    hand.stage.hold(panel_key(hand, 3, "Kontra"))
    late(hand, hand.asked[-1])
    hand.hold("trotzdem eintragen")
    said = {"event": "announce", "seat": 3, "call": "kontra"}
    assert hand.sent == [said, {**said, "anyway": True}]
    assert hand.app.refusal.opacity == 0
    hand.app.refused("not_now", request=hand.asked[0])
    hand.stage.step(2)
    assert hand.app.refusal.argued is None


def test_what_was_refused_is_entered_whatever_others_have_said_since(hand: Any) -> None:
    """It once entered the word of another seat a second time, which that seat had said in time."""
    hand.show(views.playing())
    hand.stage.hold(panel_key(hand, 3, "Kontra"))
    late(hand, hand.asked[0])
    hand.stage.hold(panel_key(hand, 2, "90"))
    hand.sent.clear()
    hand.hold("trotzdem eintragen")
    assert hand.sent == [{"event": "announce", "seat": 3, "call": "kontra", "anyway": True}]


def test_a_finger_that_enters_a_word_lets_go_where_another_word_is_refused(hand: Any) -> None:
    hand.show(views.playing())
    hand.stage.hold(panel_key(hand, 3, "Kontra"))
    hand.stage.hold(panel_key(hand, 2, "90"))
    late(hand, hand.asked[0])
    hand.stage.wait(0.5)
    finger = hand.stage.put(*hand.stage.middle_of(hand.stage.key("trotzdem eintragen")))
    hand.stage.wait(0.4)
    hand.sent.clear()
    late(hand, hand.asked[1])
    hand.stage.wait(1.0)
    hand.stage.lift(finger)
    assert hand.sent == []


@pytest.mark.parametrize(
    ("event", "may"),
    [({"event": "card", "seat": 3, "card": "HT"}, True), ({"event": "call", "seat": 3, "call": "gesund"}, False)],
    ids=["card", "answer"],
)
def test_a_card_stands_where_the_word_that_was_owed_is_missing(event: dict[str, Any], may: bool) -> None:
    """Without the Pflichtansage the card lies (bsv 6.3.1); who is vorgeführt cannot be gesund (eppstein 3.2.3)."""
    from kiosk.ui.refusals import all_the_same

    assert (all_the_same(Request(event=decode(event)), "missed_duty") is not None) is may


def test_something_said_that_no_key_offers(hand: Any) -> None:
    hand.show(views.playing())
    hand.touch("Mehr")
    hand.touch("Ansage nachtragen")
    sheet = hand.app.sheets.current
    hand.stage.touch(next(key for key in sheet.ids.choices.children if "Dora" in key.text))
    hand.stage.hold(choice(hand, 4, ("said", "keine60", False)))
    assert hand.sent == [{"event": "announce", "seat": 4, "call": "keine60", "anyway": True}]


def test_a_correction_of_the_asking_that_finds_no_room(hand: Any) -> None:
    view = views.playing()
    anna = replace(view.seats[0], answer="gesund", asks=("vorbehalt",))
    hand.show(replace(view, seats=(anna, *view.seats[1:])))
    assert not any("doch" in key.text for key in hand.app.screen("play").panels[1].ids.key_box.children)
    hand.touch("Mehr")
    hand.touch("Antwort ändern")
    hand.stage.touch(choice(hand, 1, ("answer", "vorbehalt")))
    assert hand.sent == [{"event": "call", "seat": 1, "call": "vorbehalt"}]

"""What a finger does: the request that goes up for real touches at real places."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.table.events.codec import decode
from kiosk.table.events.values import Consent, Request
from kiosk.table.preview import Change, Preview
from kiosk.table.round.fold import fold, open_round
from kiosk.table.view.show import view
from kiosk.table.view.table_view import NoticeView
from tests.ui import views
from tests.ui.fingers import card_face, choice, panel_key, pick, type_code

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
    hand.stage.touch(hand.stage.key("Dora"))
    assert hand.sent == [{"event": "correct", "of": 40, "card": "CA", "seat": 4, "by": "table", "why": "finger"}]


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


def test_the_doubt_is_answered_by_its_picture(hand: Any) -> None:
    from kiosk.ui.parts.cards import CardFace

    hand.show(views.doubtful())
    hand.stage.touch(hand.app.screen("play").ids.messages.plate("doubt"))
    assert hand.app.sheets.current.texture is not None
    face = next(one for one in hand.app.sheets.current.walk() if isinstance(one, CardFace) and one.card == "CK")
    hand.stage.touch(face)
    assert hand.sent == [{"event": "correct", "of": 41, "card": "CK", "by": "table", "why": "finger"}]


def test_where_somebody_is_vorgefuehrt_nobody_is_asked(hand: Any) -> None:
    players = ["Anna", "Bernd", "Cem", "Dora"]
    opening = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 2, "players": players}
    events = [opening, {"event": "release"}, {"event": "time_up"}, {"event": "deal", "dealer": 1}]  # (7.5)
    hand.show(view(fold(map(decode, events))))
    middle = hand.app.screen("play").ids.middle
    assert middle.title.replace("\N{NO-BREAK SPACE}", " ") == "Bernd sagt das Spiel an"
    assert middle.line == "Bernd wird vorgeführt: Pflichtsolo"


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


def test_a_question_does_not_stop_play(hand: Any) -> None:
    hand.show(views.doubtful())
    hand.stage.hold(panel_key(hand, 1, "Re"))
    assert hand.sent == [{"event": "announce", "seat": 1, "call": "re"}]


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


def test_the_next_game(hand: Any) -> None:
    hand.show(views.scored())
    hand.touch("Nächstes Spiel")
    assert hand.sent == [{"event": "deal", "dealer": 2}]


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


def test_the_rail_counts_no_game_after_the_last(hand: Any) -> None:
    rail = hand.app.root.rail
    hand.show(replace(views.playing(), games_left=1))
    assert (rail.game, rail.left) == ("Spiel 6", "noch 1")
    hand.show(replace(views.over(), games_left=0, bock_left=2))
    assert (rail.game, rail.left, rail.bock) == ("Die Runde ist zu\N{NO-BREAK SPACE}Ende", "", "")


def test_the_clock_takes_a_touch_while_its_seconds_count(hand: Any) -> None:
    hand.show(views.playing())
    clock = hand.stage.key("Restzeit")
    for wanted in ("clock", "play"):
        hand.stage.wait(1.0)
        finger = hand.stage.put(*hand.stage.middle_of(clock))
        before = clock.text
        hand.app.root.rail.time = "0:07:41" if wanted == "clock" else "0:07:40"
        hand.stage.step()
        assert clock.text != before
        hand.stage.lift(finger)
        assert hand.app.current == wanted


def test_dealing_again(hand: Any) -> None:
    hand.show(views.asking())
    hand.touch("Mehr")
    hand.touch("Neu geben")
    hand.hold("Kartenzahl falsch")
    assert hand.sent == [{"event": "void", "why": "Kartenzahl falsch"}]


@pytest.mark.parametrize("by", ["hint", "menu"])
def test_a_game_that_is_over_though_cards_were_missed(hand: Any, by: str) -> None:
    hand.show(replace(views.playing(), lacking=4, notices=(NoticeView(code="cards_lacking"),)))
    if by == "hint":
        (hint,) = hand.app.screen("play").ids.messages.children
        assert hint.text == "Ist das Spiel aus? Dann bitte hier antippen"
        hand.stage.touch(hint)
    else:
        hand.touch("Mehr")
        hand.touch("Spiel ist aus")
    hand.touch("Ja: 4 Karten wurden nicht gesehen")
    assert hand.sent == []
    hand.stage.wait(2.0)
    hand.hold("Ja: 4 Karten wurden nicht gesehen")
    assert hand.sent == [{"event": "finish"}]
    assert hand.app.sheets.current is None


def test_two_on_each_others_seats_swap_them_before_the_first_card(hand: Any) -> None:
    hand.show(views.waiting())
    names = [seat.name for seat in hand.app.view.seats]
    hand.touch("Mehr")
    hand.touch("Plätze tauschen")
    hand.touch(names[0])
    hand.touch(names[0])  # not this one
    hand.touch(names[1])
    hand.touch(names[3])
    assert hand.sent == [{"event": "swap", "seats": [2, 4]}]
    hand.touch("Mehr")
    hand.touch("Plätze tauschen")
    hand.show(replace(views.asking(), needs_all=frozenset({"swap"})))  # a game was dealt meanwhile: all agree
    hand.touch(names[0])
    hand.touch(names[1])
    assert len(hand.sent) == 1
    hand.all_agree()
    assert hand.sent[1:] == [{"event": "swap", "seats": [1, 2]}] and hand.asked[1].consent.seats == {1, 2, 3, 4}


@pytest.mark.parametrize("gate", ["hold", "code"])
def test_a_substitute_takes_a_seat_over_at_a_table_without_a_director(hand: Any, gate: str) -> None:
    from kiosk.ui.parts.hold import HoldKey
    from kiosk.ui.parts.keyboard import Letter

    hand.app.gate = gate
    hand.show(views.full_list())
    name = hand.app.view.seats[1].name
    hand.touch("Mehr")
    hand.app.sheets.open("referee")
    hand.stage.step(2)
    if gate == "hold":
        hand.stage.touch(hand.stage.find(HoldKey), seconds=3)
    else:
        type_code(hand, "1932")
        assert hand.sent.pop() == {"event": "code", "code": "1932"}
        hand.app.code_checked(True, 0.0)
    hand.stage.step(2)
    hand.touch("Spieler ersetzen")
    hand.touch(name)
    assert name in hand.app.sheets.current.title and "Ersatz" in hand.app.sheets.current.title
    hand.touch("Fertig")
    assert hand.sent == []  # nobody has been named
    for letter in "XAVER":
        hand.stage.touch(hand.stage.find(Letter, text=letter))
    hand.touch("Fertig")
    if gate == "hold":
        assert hand.sent == []
        hand.all_agree()
    assert hand.sent == [{"event": "substitute", "seat": 2, "player": "Xaver"}] and hand.app.sheets.current is None


def test_striking_a_game(hand: Any) -> None:
    hand.show(views.full_list())
    hand.app.sheets.open("direction")
    hand.stage.step(2)
    hand.touch("Spiel streichen")
    hand.touch("Spiel 12")
    hand.hold("ersatzlos")
    assert hand.sent == []
    hand.all_agree()
    assert hand.sent == [{"event": "strike", "game": 12, "replay": False}]


def test_a_game_long_noted_can_be_struck(hand: Any) -> None:
    """eppstein 8.2.1 strikes it as soon as it is found wrong, however many games were played since."""
    hand.show(views.full_list())
    hand.app.sheets.open("strike")
    hand.stage.step(2)
    with pytest.raises(LookupError):
        hand.stage.key("Spiel 2[")
    for _ in range(2):
        hand.touch("Weitere")
    hand.touch("Spiel 2[")
    hand.hold("ersatzlos")
    hand.all_agree()
    assert hand.sent == [{"event": "strike", "game": 2, "replay": False}]


#: Scores of a game → what tells it from the others where one is to be struck: who has won, or lost if they are fewer.
TOLD = {
    "two won": ((14, -14, 14, -14), "Maximil. +14, Maximil. +14"),
    "one lost": ((4, -12, 4, 4), "Maximil. -12"),
    "one won": ((-4, -4, 12, -4), "Maximil. +12"),
    "nobody": ((0, 0, 0, 0), ""),
}


@pytest.mark.parametrize(("score", "told"), TOLD.values(), ids=TOLD)
def test_a_game_to_be_struck_is_told_whole(hand: Any, score: tuple[int, ...], told: str) -> None:
    shown = views.full_list()
    seats = tuple(replace(seat, name="Maximilianus-Alexander") for seat in shown.seats)
    hand.show(replace(shown, seats=seats, rows=tuple(replace(row, score=score) for row in shown.rows)))
    hand.app.sheets.open("strike")
    hand.stage.step(3)
    key = hand.stage.key("Spiel 12[")
    assert key.text.partition("\n")[2] == (f"[size=20sp]{told}[/size]" if told else "")
    assert not key.is_shortened


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


def test_a_call_of_the_director_stands_until_it_is_touched(hand: Any) -> None:
    hand.show(views.playing())
    hand.app.notice("call", "Schreiber zur Turnierleitung")
    hand.stage.step(2)
    assert hand.app.refusal.opacity == 1 and "Turnierleitung" in hand.app.refusal.text
    hand.stage.touch(hand.app.refusal)
    assert hand.app.refusal.opacity == 0
    assert "Turnierleitung" in hand.app.screen("play").ids.messages.text


def test_the_language_by_a_touch(hand: Any) -> None:
    hand.show(views.asking())
    hand.touch("Mehr")
    hand.touch("English")
    assert hand.app.language == "en"
    hand.stage.key("List")
    assert hand.app.screen("play").ids.middle.title == "Dora: gesund or Vorbehalt?"


def test_a_table_without_a_camera_goes_on_to_the_next_game(hand: Any) -> None:
    """What the screen says of the camera leaves room for the key to the next game, however long the result is."""
    from kiosk.demo.play import simulate
    from kiosk.ui.play.areas import Rect

    round_ = None
    for event in simulate("bsv", 2, 3):
        round_ = open_round(decode(event)) if round_ is None else round_.apply(decode(event))
    assert round_ is not None
    shown = replace(view(round_), blind="camera")
    assert shown.phase == "scored"
    hand.show(shown)
    middle = hand.app.screen("play").ids.middle
    assert middle.opacity == 1 and middle.body
    hand.touch("Nächstes Spiel")
    assert hand.sent == [{"event": "deal", "dealer": shown.next_dealer}]
    middle.lay(Rect(middle.x, middle.y, middle.width, middle.needs(middle.width, words="title")))
    assert middle.opacity == 1 and not middle.whole, "the body goes before the key does"
    hand.stage.step(3)


def test_the_key_that_answers_for_all_has_the_room_of_the_key_that_dealt(hand: Any) -> None:
    """A key that went kept its width, and the one that stayed alone had none."""
    opening = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": list("ABCD")}
    events = [opening, {"event": "release"}, {"event": "deal", "dealer": 1}]
    middle = hand.app.screen("play").ids.middle
    for shown in (view(fold(map(decode, events[:2]))), view(fold(map(decode, events)))):
        hand.show(shown)
        hand.stage.step(3)
        assert bool(middle.left_key) != bool(middle.right_key)
        assert hand.stage.key(middle.left_key or middle.right_key).width > 0.8 * middle.width


def test_the_key_to_the_next_deal_stays_where_a_word_can_still_be_taken_back(hand: Any) -> None:
    """Rows that are tall for that key leave the middle little room: its title goes, what deals stays."""
    said = [
        {
            "event": "open",
            "format": 1,
            "rules": "bsv",
            "table": 1,
            "round": 1,
            "players": ["Anna", "Bernd", "Cem", "Dora"],
        },
        {"event": "release"},
        {"event": "deal", "dealer": 1},
        *({"event": "call", "seat": n, "call": "vorbehalt" if n == 3 else "gesund"} for n in (2, 3, 4, 1)),
        {"event": "declare", "seat": 3, "game": "trumpfschwach"},
    ]
    shown = replace(view(fold(map(decode, said))), blind="camera")
    assert shown.phase == "dealing" and shown.spoken[-1].alone == 3
    hand.show(shown)
    middle = hand.app.screen("play").ids.middle
    assert middle.opacity == 1 and not middle.titled
    hand.touch(middle.right_key)
    assert hand.sent == [{"event": "deal", "dealer": shown.next_dealer}]

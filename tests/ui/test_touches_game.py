"""What a finger does about a game and a round: deal, deal again, end, strike, swap seats, replace; the clock."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold, open_round
from kiosk.table.view.show import view
from kiosk.table.view.table_view import NoticeView
from tests.ui import views
from tests.ui.fingers import type_code

pytestmark = pytest.mark.slow


def test_the_next_game(hand: Any) -> None:
    hand.show(views.scored())
    hand.touch("Nächstes Spiel")
    assert hand.sent == [{"event": "deal", "dealer": 2}]


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

"""What a finger does before people sit down: names, seats, book, the director's plan."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.table.events.codec import decode
from kiosk.table.round.fold import open_round

pytestmark = pytest.mark.slow


def test_sitting_down(hand: Any) -> None:
    from kiosk.ui.seats.seats_screen import SeatTile

    hand.stage.touch(hand.stage.find(SeatTile, number=1))
    for name in ("ANNA", "BERND", "CEM", "ÖZGÜR"):
        for letter in name:
            hand.stage.touch(hand.stage.find(_letter(), text=letter))
        hand.touch("Fertig")
    assert hand.app.sheets.current is None
    hand.touch("Fünfter Platz")
    hand.touch("Zu viert")
    hand.hold("Alle sitzen")
    assert hand.sent == [
        {
            "event": "open",
            "format": 1,
            "rules": "eppstein",
            "table": 1,
            "round": 1,
            "players": ["Anna", "Bernd", "Cem", "Özgür"],
            "options": {},
        }
    ]


def _letter() -> type:
    from kiosk.ui.parts.keyboard import Letter

    return Letter


def test_a_badge_takes_the_next_free_seat(hand: Any) -> None:
    for name in ("Anna", "Bernd", "Anna"):
        hand.app.badge(name)
    hand.stage.step(2)
    assert hand.app.screen("seats").names == ["Anna", "Bernd", "", ""]
    assert hand.app.refusal.text == "Anna sitzt auf Platz 1"


def test_two_of_a_name_cannot_start(hand: Any) -> None:
    screen = hand.app.screen("seats")
    for seat, name in enumerate(("Anna", "Bernd", "Cem", "Anna"), 1):
        screen.put(seat, name)
    hand.stage.step(2)
    assert not screen.ready and "Anna" in screen.missing
    screen.start_key = None
    with pytest.raises(LookupError):
        hand.stage.key("Alle sitzen")


def test_another_name_on_a_seat(hand: Any) -> None:
    from kiosk.ui.parts.keyboard import Letter
    from kiosk.ui.seats.seats_screen import SeatTile

    screen = hand.app.screen("seats")
    for seat in range(1, 5):
        screen.put(seat, f"Platz {seat}")
    hand.stage.touch(hand.stage.find(SeatTile, number=2))
    for letter in "ULI":
        hand.stage.touch(hand.stage.find(Letter, text=letter))
    hand.touch("Fertig")
    hand.stage.touch(hand.stage.find(SeatTile, number=3))
    hand.touch("⌫")
    hand.touch("Fertig")
    assert screen.names == ["Platz 1", "Uli", "Platz", "Platz 4"]


def test_the_directors_plan_is_taken_with_one_touch(hand):
    names = ["Anna Ott", "Hans Maier-Leibnitz von der Au", "Cem", "Dörte", "Xaver"]
    plan = {"tournament": "Herbst", "round": 2, "table": 1, "rules": "bsv", "minutes": None,
            "options": {"games_5": 20, "value_won": 2},
            "players": names, "substitutes": [5]}  # fmt: skip
    before = hand.app.seating
    try:
        hand.app.plan(plan)
        hand.stage.step(3)
        told = "20 Spiele, 140 Minuten, Abweichungen vom Buch: 1. " + hand.app.words["plan_hint"]
        assert hand.app.screen("seats").hint == told
        hand.app.screen("seats").put(3, "Cem Aydın")  # a name is put right at the table
        hand.hold("Alle sitzen")
        (opened,) = hand.sent
        assert opened["players"] == [*names[:2], "Cem Aydın", *names[3:]] and opened["substitutes"] == [5]
        assert (opened["rules"], opened["round"], opened["options"]) == ("bsv", 2, plan["options"])
        assert opened["tournament"] == "Herbst" and "minutes" not in opened
        assert open_round(decode(opened)).substitutes == {5}
    finally:
        hand.app.plan(None)
        hand.stage.step(3)
        assert hand.app.seating == before


def test_five_are_told_that_the_mat_has_four_seats_before_they_sit_down(hand: Any) -> None:
    from kiosk.ui import SeatsView

    screen, before = hand.app.screen("seats"), hand.app.seating
    try:
        hand.app.own_seating = SeatsView(mat_seats=4)
        hand.app.plan({"tournament": "Herbst", "round": 1, "table": 1, "rules": "eppstein", "minutes": None,
                       "options": {}, "players": ["A", "B", "C", "D", "E"], "substitutes": []})  # fmt: skip
        hand.stage.step(3)
        assert not screen.ready and screen.missing == "Die Matte hat 4 Plätze"
        assert "Gesetzt sind 5" in screen.hint and "Turnierleitung rufen" in screen.hint
        hand.touch("Zu viert")
        hand.stage.step(2)
        assert screen.ready and not screen.may_fifth  # no fifth seat where the mat has none
    finally:
        hand.app.own_seating = before
        hand.app.plan(None)
        hand.stage.step(3)


def test_a_book_for_four_has_no_fifth_seat(hand: Any) -> None:
    from kiosk.ui import SeatsView

    screen = hand.app.screen("seats")
    before, hand.app.seating = hand.app.seating, SeatsView(books=(("eppstein", "E"), ("schaffkopf", "S")))
    try:
        screen.take(hand.app.seating)
        screen.show()
        hand.touch("Fünfter Platz")
        for seat in range(1, 6):
            screen.put(seat, f"Platz {seat}")
        assert screen.ready
        screen.next_book()
        assert not screen.ready and "zu viert" in screen.missing
        hand.stage.step(2)
        hand.touch("Zu viert")
        assert screen.ready and not screen.may_fifth
    finally:
        hand.app.seating = before
        screen.take(before)


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_list_that_is_fetched_or_offered_stands_by_its_name_in_place_of_the_start(hand: Any, language: str) -> None:
    from kiosk.ui.seats.seats_requests import TakeList

    if hand.app.language != language:
        hand.app.other_language()
    words = hand.app.words
    hand.app.sit_down(replace(hand.app.seating, table=7, players=("Anna", "Bernd", "Cem", "Dora")))
    hand.app.taking_over("fetching")
    screen = hand.app.screen("seats")
    hand.stage.wait(0.2)
    screen.put(4, "")
    hand.stage.wait(0.2)
    assert not screen.may_start and screen.missing == words["start_missing"].format(seats="4")
    screen.put(4, "Dora")
    hand.stage.wait(0.2)
    assert screen.may_start and not screen.ready
    assert screen.missing == screen.hint == words["list_fetched"].format(table=7)
    assert screen.start_text == words["start"]  # a hall without a network plays all the same
    hand.app.taking_over("offered")
    hand.stage.wait(0.2)
    hand.hold(words["take_list"].format(table=7))
    assert hand.asked == [TakeList()]
    hand.app.taking_over("")
    hand.stage.wait(0.2)
    assert screen.ready and screen.start_text == words["start"]

"""The camera's reports become events: single cards."""

from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import Refused
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_request
from kiosk.table.table import Table
from tests.table.ideal_camera import MAT, Camera, cards, encoded, new_table
from vision.messages import Blind, CardLaid, HandInTheWay, Tick

pytestmark = pytest.mark.slow


def test_a_card_laid_before_its_turn_is_recorded_as_it_was(camera: Camera) -> None:
    camera.lay(2, "CA")
    camera.lay(4, "CK", x=90.0, y=5.0)
    assert cards(camera.table) == [(2, "CA"), (4, "CK")]
    assert [o.code for o in camera.table.view(1.0).offences] == ["out_of_turn"], "a second later"
    camera.lay(3, "C9")
    camera.lay(1, "CT")
    assert camera.table.round.game is not None
    assert len(camera.table.round.game.tricks) == 1


def test_a_second_clear_look_corrects_and_a_person_s_word_stands(camera: Camera) -> None:
    (number,) = camera.lay(2, "HT")
    look = {"margin": 0.6, "choices": (("DT", 0.9),), "x": -76.0, "y": 0.0, "angle": 0.0}
    camera.report(CardLaid(at=103.0, card=0, label="DT", **look))
    assert cards(camera.table) == [(2, "DT")]
    assert encoded(camera.table)[-1]["by"] == "camera"
    camera.table.request(decode_request({"event": "correct", "of": number, "card": "HT", "by": "seat 2"}, BY_ALL))
    assert camera.report(CardLaid(at=104.0, card=0, label="DT", **look)) == []
    assert cards(camera.table) == [(2, "HT")]


def test_a_doubt_is_logged_with_choices_and_picture_and_a_clear_look_settles_it(camera: Camera) -> None:
    (number,) = camera.lay(2, "HT", label=None, choices=(("HT", 0.5), ("DT", 0.45)))
    event = encoded(camera.table)[number]
    assert (event["card"], event["doubt"], event["scores"]) == ("HT", ["HT", "DT"], [0.5, 0.45])
    (doubt,) = camera.table.view().doubts
    assert (doubt.event, doubt.choices, doubt.picture) == (number, ("HT", "DT"), b"jpeg")
    camera.report(CardLaid(at=103.0, card=0, label="HT", margin=0.5, choices=(("HT", 0.9),), x=-76, y=0, angle=0))
    assert camera.table.view().doubts == ()
    assert cards(camera.table) == [(2, "HT")]


def test_a_doubt_prefers_what_the_deck_still_has(camera: Camera) -> None:
    for seat, card in ((2, "HT"), (3, "HT"), (4, "DA"), (1, "D9")):
        camera.lay(seat, card)
    camera.take()
    (number,) = camera.lay(3, "DT", label=None, choices=(("HT", 0.6), ("DT", 0.5), ("DK", 0.3)))
    assert encoded(camera.table)[number]["card"] == "DT"


def test_a_choice_without_a_rival_is_settled_at_once(camera: Camera) -> None:
    for seat, card in ((2, "HT"), (3, "HT"), (4, "DA"), (1, "D9")):
        camera.lay(seat, card)
    camera.take()
    camera.lay(3, "DT", label=None, choices=(("HT", 0.6), ("DT", 0.5)))
    assert encoded(camera.table)[-1]["by"] == "composition"
    assert cards(camera.table) == [(3, "DT")]


def test_a_second_thought_that_cannot_stand_changes_nothing(camera: Camera) -> None:
    """Both CQ shown make a soloist who may claim; the claim could not have been if one of them was read otherwise."""
    tricks = ["2CQ 3DK 4DK 1D9", "2CQ 3DT 4DT 1D9"]
    for trick in tricks:
        for word in trick.split():
            camera.lay(int(word[0]), word[1:])
        if trick is tricks[0]:
            camera.take()
    camera.table.request(decode_request({"event": "claim", "seat": 2, "kind": "rest"}, BY_ALL))
    look = {"label": "SQ", "margin": 0.9, "choices": (("SQ", 0.9),), "x": -76.0, "y": 0.0, "angle": 0.0}
    assert camera.report(CardLaid(at=camera.at + 1, card=4, **look)) == []
    assert camera.table.round.game is not None
    assert camera.table.round.game.ended == "claim"


def test_a_game_that_seems_to_lack_cards_is_asked_about_and_ended_by_people(camera: Camera) -> None:
    table = camera.table
    with pytest.raises(Refused, match="no game"):
        table.request(decode_request({"event": "finish"}, BY_ALL))
    truth = [e for e in simulate("eppstein", 1, 1) if e["event"] == "card"]
    for number, event in enumerate(truth[:40]):
        camera.lay(event["seat"], event["card"])
        if number == 3:
            with pytest.raises(Refused, match="44 cards"):
                table.request(decode_request({"event": "finish"}, BY_ALL))
        if number % 4 == 3:
            camera.take()
    camera.report(Tick(at=camera.at + 5.0))
    assert table.view().notices == ()
    camera.report(Tick(at=camera.at + 20.0))
    assert [n.code for n in table.view().notices] == ["cards_lacking"]
    assert table.view().lacking == 8
    assert len(table.request(decode_request({"event": "finish"}, BY_ALL))) >= 8
    assert table.round.game is not None
    assert table.round.game.ended == "cards"
    assert len(table.view().doubts) == 8


def test_a_trick_taken_too_early_asks_for_the_missing_card(camera: Camera) -> None:
    for seat, card in ((2, "CA"), (3, "C9"), (1, "CT")):
        camera.lay(seat, card)
    # seat 1 lay clearly on its own side while seat 4 was due: recorded out of turn, seat 4's card was missed
    camera.take()
    view = camera.table.view()
    assert [(d.seat, d.picture) for d in view.doubts] == [(4, None)]
    assert [(n.code, n.seat) for n in view.notices] == [("missed_card", 4)]
    camera.lay(2, "SA")
    camera.table.request(
        decode_request({"event": "correct", "of": view.doubts[0].event, "card": "CK", "by": "seat 4"}, BY_ALL)
    )
    assert camera.table.view().notices == ()
    assert camera.table.round.game is not None
    assert camera.table.round.game.tricks[0].points == 25
    assert cards(camera.table) == [(2, "SA")]


def test_after_a_restart_cards_that_lie_there_are_no_new_ones(camera: Camera) -> None:
    camera.lay(2, "CA")
    camera.lay(3, "C9")
    again = Table(camera.table.log, now=5.0, centres=MAT, wall=lambda: 0)
    look = {"margin": 0.5, "x": -76.0, "y": 0.0, "angle": 0.0}
    assert again.observe(CardLaid(at=7.0, card=0, label="CA", choices=(("CA", 0.9),), **look)) == []
    again.observe(CardLaid(at=7.0, card=1, label="C9", choices=(("C9", 0.9),), **{**look, "x": 0.0, "y": -51.0}))
    again.observe(CardLaid(at=9.0, card=2, label="CK", choices=(("CK", 0.9),), **{**look, "x": 76.0}))
    assert cards(again) == [(2, "CA"), (3, "C9"), (4, "CK")]
    # once more, and the second club ace is a new card
    again = Table(again.log, now=6.0, centres=MAT, wall=lambda: 0)
    again.observe(CardLaid(at=17.0, card=0, label="CA", choices=(("CA", 0.9),), **look))
    again.observe(CardLaid(at=18.0, card=1, label="CA", choices=(("CA", 0.9),), **{**look, "x": 0.0, "y": 51.0}))
    assert again.round.game is not None
    assert [laid.card for laid in again.round.game.tricks[0].cards] == ["CA", "C9", "CK", "CA"]


def test_after_a_restart_a_card_of_which_nothing_is_read_is_no_new_one(camera: Camera) -> None:
    (number,) = camera.lay(2, "CA", label=None, choices=(), margin=0.0)
    place = camera.table.position().open_trick[0].sight
    assert place is not None
    again = Table(camera.table.log, now=5.0, centres=MAT, wall=lambda: 0)
    look = {"label": None, "choices": (), "margin": 0.0, "x": place.place[0], "y": place.place[1], "angle": 0.0}
    assert again.observe(CardLaid(at=7.0, card=0, **look)) == []
    again.observe(CardLaid(at=9.0, card=1, **{**look, "x": 0.0, "y": -51.0}))
    assert [seat for seat, _ in cards(again)] == [2, 3] and number == again.position().open_trick[0].event


@pytest.mark.parametrize("read", [{}, {"label": None, "choices": (), "margin": 0.0}], ids=["read", "not read"])
def test_a_card_laid_by_finger_is_not_laid_again_when_the_camera_sees_it(camera: Camera, read: dict[str, Any]) -> None:
    camera.table.request(decode_request({"event": "card", "seat": 2, "card": "CA"}, BY_ALL))
    assert camera.lay(2, "CA", **read) == []
    camera.lay(3, "C9")
    assert cards(camera.table) == [(2, "CA"), (3, "C9")]


def test_cards_right_after_a_game_begin_no_new_one_but_later_they_do() -> None:
    table = new_table()
    table.request(decode_request({"event": "release"}, BY_ALL))
    camera = Camera(table)
    camera.lay(2, "CA")  # before anybody can have dealt
    assert table.round.game is None
    assert table.view().notices == ()
    camera.report(Tick(at=camera.at + 20.0))
    camera.at += 20.0
    camera.lay(3, "CK")  # the first still lies there: this is no game that begins
    assert table.round.game is None
    assert [n.code for n in table.view().notices] == ["stray_card"]
    camera.take()
    camera.report(Tick(at=camera.at + 20.0))
    camera.at += 20.0
    camera.lay(2, "CA")
    assert [e["event"] for e in encoded(table)[-2:]] == ["deal", "card"]
    assert table.round.game is not None
    assert table.round.game.dealer == 1
    assert table.view().notices == ()


def test_nothing_is_dealt_before_the_release() -> None:
    table = new_table()
    camera = Camera(table)
    camera.at = 500.0
    camera.report(Tick(at=100.0))
    camera.lay(2, "CA")
    assert [e["event"] for e in encoded(table)] == ["open"]


def test_backs_and_hands_are_no_cards(camera: Camera) -> None:
    assert camera.lay(2, "CA", face_down=True) == []
    camera.report(HandInTheWay(at=200.0, gone=False))
    assert camera.table.view().covered
    camera.report(HandInTheWay(at=201.0, gone=True))
    camera.report(Blind(at=202.0, why="dark"))
    assert (camera.table.view().covered, camera.table.view().blind) == (False, "dark")
    assert camera.lay(2, "CA")


def test_a_report_of_another_shape_is_named(camera: Camera) -> None:
    with pytest.raises(TypeError, match="is no report of the camera"):
        camera.table.observe(object())

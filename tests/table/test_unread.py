"""Cards of which nothing is read, between two games: backs that are dealt, or the next game's first cards."""

from typing import Any

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_request
from kiosk.table.observe.unread import UnreadBetweenGames
from tests.table.ideal_camera import MAT, Camera, cards, new_table
from vision.messages import CardGone, CardLaid, Tick, TrickTaken

NOTHING: dict[str, Any] = {"label": None, "choices": (), "margin": 0.0}
#: Bearing of each seat's arm: as its place lies.
BEARINGS = {1: 1.57, 2: 3.14, 3: -1.57, 4: 0.0}


def laid(card: int, seat: int, arm: float | None, **other: Any) -> CardLaid:
    x, y = MAT[seat]
    return CardLaid(at=10.0 + card, card=card, x=x, y=y, angle=0.0, arm=arm, arm_share=0.9, **{**NOTHING, **other})


@pytest.fixture
def kept() -> UnreadBetweenGames:
    return UnreadBetweenGames(MAT)


@pytest.mark.parametrize(("reports", "kept_back"), [
    pytest.param([laid(1, 2, BEARINGS[2])], [True], id="one"),
    pytest.param([laid(n, n, BEARINGS[n]) for n in (1, 2, 3)], [True, True, False], id="three by their own arms"),
    pytest.param([laid(n, n, BEARINGS[2]) for n in (1, 2, 3, 4)], [True] * 4, id="all by the dealer's arm"),
    pytest.param([laid(n, n, None) for n in (1, 2, 3, 4)], [True] * 4, id="no arm is seen"),
    pytest.param([laid(n, 2, BEARINGS[2]) for n in (1, 2, 3)], [True] * 3, id="three of one seat"),
    pytest.param([laid(1, 2, BEARINGS[2]), laid(2, 3, BEARINGS[3], label="CA")], [True, False], id="one is read"),
    pytest.param([laid(1, 2, BEARINGS[2], face_down=True)], [False], id="a back that is known"),
    pytest.param([laid(1, 2, BEARINGS[2]), laid(1, 2, BEARINGS[2], face_down=True)], [True, True], id="known later"),
    pytest.param([laid(1, 2, BEARINGS[2]), laid(1, 2, BEARINGS[2], label="CA")], [True, False], id="read later"),
])  # fmt: skip
def test_what_is_kept_back(kept: UnreadBetweenGames, reports: list[CardLaid], kept_back: list[bool]) -> None:
    assert [kept.takes(report, playing=False) for report in reports] == kept_back


def test_in_a_game_nothing_is_kept_back(kept: UnreadBetweenGames) -> None:
    assert not kept.takes(laid(1, 2, BEARINGS[2]), playing=True)


def test_what_has_gone_is_forgotten_unless_it_was_a_whole_trick(kept: UnreadBetweenGames) -> None:
    for n in (1, 2, 3, 4):
        kept.takes(laid(n, n, None), playing=False)
    assert kept.went(CardGone(at=20.0, card=2)) == [] and [one.card for one in kept.take()] == [1, 3, 4]
    for n in (1, 2, 3, 4):
        kept.takes(laid(n, n, None), playing=False)
    assert [one.card for one in kept.went(TrickTaken(at=20.0, cards=(1, 2, 3, 4)))] == [1, 2, 3, 4]
    assert kept.take() == []


@pytest.fixture
def between_games() -> Camera:
    table = new_table()
    table.request(decode_request({"event": "release"}, BY_ALL))
    camera = Camera(table)
    camera.report(Tick(at=camera.at))
    camera.at += 60.0
    return camera


def test_backs_that_are_dealt_begin_no_game(between_games: Camera) -> None:
    camera = between_games
    for seat in (2, 3, 4):
        camera.lay(seat, "CA", **NOTHING, arm=BEARINGS[1], arm_share=0.9)
    assert camera.table.round.game is None
    for number in range(3):
        camera.report(CardGone(at=camera.at + 1.0, card=number))
    camera.lay(2, "CA")
    assert cards(camera.table) == [(2, "CA")]


def test_a_game_s_first_cards_are_noted_in_their_order_once_one_is_read(between_games: Camera) -> None:
    camera = between_games
    camera.lay(2, "CA", **NOTHING)
    assert camera.table.round.game is None
    camera.lay(3, "C9")
    assert camera.table.round.game is not None and [seat for seat, _ in cards(camera.table)] == [2, 3]
    camera.number = 0
    camera.lay(2, "CA")  # the first one is read after all
    assert cards(camera.table) == [(2, "CA"), (3, "C9")]


def test_three_that_came_by_their_own_arms_begin_a_game(between_games: Camera) -> None:
    camera = between_games
    for seat in (2, 3, 4):
        camera.lay(seat, "CA", **NOTHING, arm=BEARINGS[seat], arm_share=0.9)
    assert [seat for seat, _ in cards(camera.table)] == [2, 3, 4]


def test_a_whole_trick_that_goes_was_played(between_games: Camera) -> None:
    camera = between_games
    for seat in (2, 3, 4, 1):
        camera.lay(seat, "CA", **NOTHING)
    assert camera.table.round.game is None
    camera.take()
    assert camera.table.round.game is not None and len(camera.table.round.game.tricks) == 1

"""Who deals, what makes up for a struck game, which Pflichtsoli are left and which games count double."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.evolve import evolve
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round
from kiosk.table.round.record import Replay
from tests.table.short_rounds import (
    SCORED,
    UP,
    VOID,
    Body,
    after,
    card,
    deal,
    rule,
    solo,
)

# who deals


@pytest.mark.parametrize(
    ("events", "dealer"),
    [
        pytest.param([], 1, id="nothing"),
        pytest.param([deal()], 1, id="in play"),
        pytest.param([deal(), *solo(3, duty=False)], 2, id="played"),
        pytest.param([deal(), *solo(3)], 1, id="a Pflichtsolo"),
        pytest.param([deal(), VOID], 1, id="void"),
        pytest.param([deal(), {"event": "declare", "seat": 2, "game": "schmeissen"}], 1, id="thrown in"),
        pytest.param(
            [deal(), {"event": "declare", "seat": 2, "game": "schmeissen"}, rule("minor", offender=3)],
            1,
            id="and ruled",
        ),
        pytest.param([deal(), rule("serious", offender=3)], 1, id="broken off"),
        pytest.param([deal(2), *solo(3, duty=False)], 2, id="dealt by another"),
        pytest.param([deal(4), *solo(3, duty=False), deal(2), *solo(2, duty=False), deal(1)], 3, id="in play later"),
    ],
)
def test_who_deals_next(events: list[Body], dealer: int) -> None:
    assert after(*events).next_dealer == dealer


@pytest.mark.parametrize(("by", "dealer"), [("same", 1), ("next", 2)])
@pytest.mark.parametrize("ruled", [(), (rule("minor", offender=3, scores={"3": -3}),)], ids=["thrown in", "and ruled"])
def test_who_deals_after_a_hand_was_thrown_in(by: str, dealer: int, ruled: tuple[Body, ...]) -> None:
    thrown = {"event": "declare", "seat": 2, "game": "trumpfschwach"}
    round_ = after(deal(1), thrown, *ruled, rules="bsv", options={"trumpfschwach_dealer": by})
    assert round_.next_dealer == dealer and len(round_.games) == len(ruled)


def test_round_the_table() -> None:
    four = after(*[body for dealer in (1, 2, 3, 4) for body in (deal(dealer), *solo(dealer, duty=False))])
    assert four.next_dealer == 1 and [four.after(seat) for seat in (1, 2, 3, 4)] == [2, 3, 4, 1]
    five = after(players=5)
    assert five.playing(4) == (5, 1, 2, 3) and five.playing(5) == (1, 2, 3, 4) and four.playing(2) == (3, 4, 1, 2)


def test_a_struck_game_is_dealt_again_by_its_dealer() -> None:
    two = [deal(1), *solo(3, duty=False), deal(2), *solo(4, duty=False)]
    struck = after(*two, {"event": "strike", "game": 1, "replay": True})
    assert struck.replays == (Replay(1, kept_dealer=False),) and struck.next_dealer == 1
    running = struck.apply(decode(deal(1)))
    assert running.replaying == Replay(1, kept_dealer=False) and running.replays == ()
    void = running.apply(decode(VOID))
    assert void.next_dealer == 1 and void.turn_to_deal() == (3, (Replay(1, kept_dealer=False),)), "still to be made up"
    played = running
    for body in solo(3, duty=False):
        played = played.apply(decode(body))
    assert played.turn_to_deal() == (3, ()) and played.next_dealer == 3


def test_a_struck_pflichtsolo_left_its_dealer_the_deal() -> None:
    struck = after(deal(1), *solo(3), {"event": "strike", "game": 1, "replay": True})
    assert struck.replays == (Replay(1, kept_dealer=True),)
    again = struck
    for body in (deal(1), *solo(3)):
        again = again.apply(decode(body))
    assert again.turn_to_deal() == (1, ()) and again.duties_left[3] == 0
    none = after(deal(1), *solo(3), {"event": "strike", "game": 1, "replay": False})
    assert none.replays == () and none.struck == {1: False}
    broken_off = after(deal(1), rule("serious", offender=3), {"event": "strike", "game": 1, "replay": True})
    assert broken_off.replays == (), "it had not counted: it is dealt again anyway"


@pytest.mark.parametrize(
    ("struck", "again"),
    [
        pytest.param(solo(3, duty=False), solo(4), id="a normal game, by a Pflichtsolo"),
        pytest.param(solo(3), [rule("serious", offender=1)], id="a Pflichtsolo, by what is broken off"),
        pytest.param(solo(3, duty=False), [rule("serious", offender=1)], id="a normal game, by what is broken off"),
    ],
)
def test_what_makes_up_for_no_struck_game(struck: list[Body], again: list[Body]) -> None:
    """It is still to be dealt again: the deal did not use up what the struck one had."""
    round_ = after(deal(1), *struck, {"event": "strike", "game": 1, "replay": True}, deal(1), *again)
    assert [one.dealer for one in round_.turn_to_deal()[1]] == [1] and round_.next_dealer == 1


def test_two_struck_games_are_dealt_again_in_their_order() -> None:
    events = [deal(1), *solo(3, duty=False), deal(2), *solo(4, duty=False), deal(3)]
    strikes = [{"event": "strike", "game": game, "replay": True} for game in (2, 1)]
    round_ = after(*events, *solo(1, duty=False), *strikes)
    assert [one.dealer for one in round_.replays] == [2, 1] and round_.next_dealer == 2
    round_ = round_.apply(decode(deal(2)))
    assert round_.replaying == Replay(2, kept_dealer=False) and [one.dealer for one in round_.replays] == [1]


# Pflichtsoli that are left


def played_out(games: int, *bodies: Body, players: int = 4, **options: Any) -> Round:
    """A round with so many games of a Lustsolo of seat 1 or 2, whoever deals."""
    round_ = after(*bodies, players=players, options=options)
    while round_.played < games:
        game = round_.apply(decode(deal(round_.next_dealer))).game
        assert game is not None
        for body in (deal(round_.next_dealer), *solo(min(game.seats), duty=False)):
            round_ = round_.apply(decode(body))
    return round_


def test_who_is_to_be_vorgefuehrt() -> None:
    twelve = played_out(12)
    assert (twelve.games_left, twelve.owing(), twelve.must_play, twelve.next_dealer) == (4, (1, 2, 3, 4), 2, 1)
    eleven = played_out(11)
    assert (eleven.games_left, eleven.owing(), eleven.must_play) == (5, (), None)
    assert eleven.vorgefuehrt(4) is None and twelve.vorgefuehrt(4) == 1 and twelve.vorgefuehrt(2) == 3
    running = twelve.apply(decode(deal(1)))
    assert running.must_play == 2 and running.game is not None and running.game.must_play == 2
    some = played_out(14, deal(1), *solo(2), deal(1), *solo(3))
    assert (some.owing(), some.games_left) == ((1, 4), 2)
    only = played_out(15, deal(1), *solo(2), deal(1), *solo(3), deal(1), *solo(4))
    assert only.owing() == (1,) and only.must_play == 1
    turns = {evolve(only, rotation=seat).next_dealer for seat in (1, 2, 3, 4)}
    assert turns == {1, 2, 3, 4}, "at four he may deal himself"
    assert (
        after().must_play is None
        and played_out(16, pflichtsoli=0).must_play is None
        and played_out(16, pflichtsoli=0).over
    )


def test_of_five_who_is_to_be_vorgefuehrt_does_not_deal() -> None:
    soli = [body for seat in (2, 3, 4, 5) for body in (deal(1), *solo(seat))]
    games = BOOKS["eppstein"].games(5, BOOKS["eppstein"].settle({}))
    assert games is not None
    last = played_out(games - 1, *soli, players=5)
    assert last.owing() == (1,) and last.games_left == 1
    turn, _ = last.turn_to_deal()
    assert last.next_dealer == (2 if turn == 1 else turn) and last.must_play == 1


def test_after_the_time_the_pflichtsoli_are_left() -> None:
    assert after(UP).games_left == 4 and after(UP, options={"pflichtsoli": 0}).games_left == 0
    assert after(deal(), UP).games_left == 5, "and the game that runs"
    duty = {"event": "declare", "seat": 3, "game": "damensolo", "duty": True}
    assert after(deal(), duty, UP).games_left == 4, "which is one of them"
    assert after(deal(), duty | {"duty": False}, UP).games_left == 5
    vorgefuehrt = after(UP, deal())
    assert vorgefuehrt.must_play == 2 and vorgefuehrt.games_left == 4
    assert after(UP, rules="schnittchen").games_left == 0 and after(rules="schnittchen").games_left is None
    assert after(rule("none", minutes=1, answers=False)).extra_minutes == 1
    given = after(UP, rule("none", minutes=5, answers=False))
    assert (given.time_up, given.extra_minutes, given.games_left) == (False, 5, 16)
    more = given.apply(decode(rule("none", minutes=3)))
    assert more.extra_minutes == 8 and more.apply(decode(rule("none", minutes=2, answers=False))).extra_minutes == 10
    assert played_out(14).apply(decode(UP)).games_left == 2, "no more than the round has"


# Bock, and money


def bock(*bodies: Body) -> Round:
    return after(*bodies, rules="schnittchen")


HEARTS = [card("2HA"), card("3HK"), card("4HK"), card("1HA")]


def test_games_that_count_double() -> None:
    """schnittchen: a trick of four plain hearts brings a Bockrunde of four games; a struck game has brought none."""
    first = bock(deal(1), *HEARTS, SCORED)
    brought = first.bock_left
    assert brought == BOOKS["schnittchen"].bock_games(first.games[0], 4) and brought == 4
    second = first.apply(decode(deal(first.next_dealer)))
    assert second.bock_left == 4 and second.game is not None and second.game.doubled
    struck = first.apply(decode({"event": "strike", "game": 1, "replay": False}))
    assert struck.bock_left == 0
    ruled = second.apply(decode(rule("serious", offender=1)))
    assert ruled.bock_left == 4, "broken off it has used up none"
    assert not after(deal(), rules="schnittchen").game.doubled  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("later", "left"),
    [
        pytest.param([], 4, id="just brought"),
        pytest.param(["doubled"], 3, id="one is used up"),
        pytest.param(["doubled", "doubled"], 2, id="two"),
        pytest.param(["doubled"] * 3, 1, id="but for the last"),
        pytest.param(["doubled"] * 6, 0, id="no more than there are"),
        pytest.param(["plain", "doubled"], 3, id="by a game that counted once"),
        pytest.param(["broken off", "doubled"], 3, id="not by one that was broken off"),
        pytest.param(["struck", "doubled"], 3, id="not by one that was struck"),
        pytest.param(["without result", "doubled"], 3, id="nor by one without a result"),
    ],
)
def test_what_is_left_of_a_bockrunde(later: list[str], left: int) -> None:
    brings = bock(deal(1), *HEARTS, SCORED)
    (plain,) = bock(deal(1), SCORED).games
    assert plain.result is not None
    games = [
        evolve(
            plain,
            number=number,
            doubled=kind != "plain",
            result=None if kind == "without result" else replace(plain.result, void=kind == "broken off"),
        )
        for number, kind in enumerate(later, start=2)
    ]
    struck = {number: False for number, kind in enumerate(later, start=2) if kind == "struck"}
    round_ = evolve(brings, games=(*brings.games, *games), struck=struck)
    assert round_.bock_left == left
    next_ = round_.apply(decode(deal(round_.next_dealer))).game
    assert next_ is not None and next_.doubled is (left > 0)
